//! What contact does to a vertex: it stays in front of its plane, friction holds
//! it, impact bounces. Methods that project positions push first and rub with that push
//! ([`rub_and_bounce`]); PBD, whose passes have pushed already, rubs with the sum of their
//! pushes.

use crate::{
    math::lanes::{Lane, V3},
    sim::step::StepInput,
};

/// Hair that starts deep in the skin, or in a body, leaves it no faster. `[m/s]`
pub const RECOVERY: f64 = 0.5;

/// How deep in the skin a vertex may still sit after `h` that sat at `depth`, which
/// is negative in it. `[m]`, `[s]`
#[inline(always)]
pub fn recovery<T: Lane>(depth: T, h: T) -> T {
    (-depth - T::splat(RECOVERY) * h).max(T::zero())
}

/// The unilateral contact constraint of Müller, Heidelberger, Hennix and Ratcliff 2007
/// ("Position Based Dynamics", section 3.4), C(p) = n.p - offset >= 0, with n and offset
/// those of the plane at the point of entry q_c: how far `p` must move along `n` for
/// C = 0, zero where it holds.
#[inline(always)]
pub fn plane<T: Lane>(p: V3<T>, normal: V3<T>, offset: T) -> T {
    (offset - normal.dot(p)).max(T::zero())
}

/// Coulomb friction on positions: the sideways motion against the skin is
/// taken back by at most `mu` times what contact pushed (Macklin, Müller, Chentanez and
/// Kim 2014, "Unified Particle Physics for Real-Time Applications", eq. 24). `carried` is
/// how far the skin moved.
#[inline(always)]
pub fn friction<T: Lane>(
    p: V3<T>,
    start: V3<T>,
    carried: V3<T>,
    normal: V3<T>,
    pushed: T,
    mu: f64,
) -> V3<T> {
    let slip = (p - start - carried).across(normal);
    let length = slip.dot(slip).sqrt();
    let hold = pushed * T::splat(mu);
    // All of the slip where friction can hold it, else as much as it can.
    let share = length.less(hold, T::splat(1.0), hold / length.max(T::splat(1e-12)));
    p - slip.scale(share)
}

/// What to add to the velocity so that the speed of impact along the normal
/// comes back times `restitution`; `relative` is the velocity against the skin.
#[inline(always)]
pub fn bounce<T: Lane>(relative: V3<T>, normal: V3<T>, pushed: T, restitution: f64) -> V3<T> {
    let impact = normal.dot(relative).min(T::zero());
    let touched = T::zero().less(pushed, T::splat(-restitution), T::zero());
    normal.scale(impact * touched)
}

/// The same where there is any restitution, for a skin that goes `carried` in the
/// substep, and a vertex of that `velocity`. `[m]`, `[m/s]`
#[inline(always)]
pub fn bounce_back<T: Lane>(
    velocity: V3<T>,
    carried: V3<T>,
    normal: V3<T>,
    pushed: T,
    input: &StepInput,
) -> Option<V3<T>> {
    if input.restitution > 0.0 {
        let relative = velocity - carried.scale(T::splat(1.0 / input.h));
        Some(bounce(relative, normal, pushed, input.restitution))
    } else {
        None
    }
}

/// What a vertex does after contact has `pushed` it `out` of its plane: where friction
/// holds it, and what it bounces by. It was at `start`, had that `velocity`, and went
/// `carried` with the skin, of which the skin itself went the second. `[m]`, `[m/s]`
#[inline(always)]
pub fn rub_and_bounce<T: Lane>(
    [start, out]: [V3<T>; 2],
    velocity: V3<T>,
    [carried, skin_moved]: [V3<T>; 2],
    normal: V3<T>,
    pushed: T,
    input: &StepInput,
) -> (V3<T>, Option<V3<T>>) {
    let rubbed = friction(out, start, carried, normal, pushed, input.friction);
    (
        rubbed,
        bounce_back(velocity, skin_moved, normal, pushed, input),
    )
}

/// Where a vertex `p` that the stretch limit brought below the skin goes instead: along
/// the tangent plane, no nearer to `inner` and no farther than the squared lengths
/// `between` allow. The lengths have the last word: where the plane is out of reach, the
/// vertex goes straight towards it.
#[inline(always)]
pub fn on_skin<T: Lane>(
    inner: V3<T>,
    p: V3<T>,
    between: [T; 2],
    normal: V3<T>,
    offset: T,
) -> V3<T> {
    let d = p - inner;
    let along = d.across(normal);
    let [shortest, longest] = between;
    let rise = (offset - normal.dot(inner)).min(longest.sqrt());
    let way = along.dot(along).max(T::splat(1e-16));
    let part = |square: T| (square - rise * rise).max(T::zero()) / way;
    let stride = T::splat(1.0).min(part(longest)).max(part(shortest)).sqrt();
    let slid = inner + normal.scale(rise) + along.scale(stride);
    let below = normal.dot(p);
    let pick = |slid: T, p: T| below.less(offset, slid, p);
    V3 {
        x: pick(slid.x, p.x),
        y: pick(slid.y, p.y),
        z: pick(slid.z, p.z),
    }
}
