//! Two edges and what their joint stores: curvature binormal, Bishop frame and
//! the gradients of both, as Bergou et al. 2008 have them.

use crate::math::lanes::{Lane, V3};

/// Beyond a bend of about 127 degrees the binormal grows with the sine alone:
/// 1 + cos counts as no less.
const FOLD: f64 = 0.4;

/// Of a fold sharper than this the Bishop frame takes any way round.
const OPPOSED: f64 = 1e-3;

/// Squared length of an edge that has no direction. `[m²]`
const POINT: f64 = 1e-16;

/// Geometry of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint<T> {
    /// Curvature binormal 2 t x t' / (1 + t.t'): along the axis of the bend,
    /// twice the tangent of half its angle.
    pub binormal: V3<T>,
    /// 2 / (1 + t.t').
    pub sharp: T,
    /// Half of that where the divisor depends on the tangents, else zero.
    pub slope: T,
    /// 1 / (1 + t.t'), or as large as the Bishop frame bears.
    pub share: T,
}

/// The joint between unit tangents.
#[inline(always)]
pub(super) fn joint<T: Lane>(before: V3<T>, after: V3<T>) -> Joint<T> {
    let one_and_cosine = T::splat(1.0) + before.dot(after);
    let share = T::splat(1.0) / one_and_cosine.max(T::splat(OPPOSED));
    let most = T::splat(1.0 / FOLD);
    let half = share.min(most);
    Joint {
        binormal: before.cross(after).scale(half + half),
        sharp: half + half,
        slope: share.less(most, half, T::zero()),
        share,
    }
}

/// Direction and inverse length of an edge; `otherwise` where it has none.
#[inline(always)]
pub(super) fn direction<T: Lane>(edge: V3<T>, otherwise: V3<T>) -> (V3<T>, T) {
    let squared = edge.dot(edge);
    let tiny = T::splat(POINT);
    let inverse = T::splat(1.0) / squared.max(tiny).sqrt();
    let exists = tiny.less(squared, T::splat(1.0), T::zero());
    (edge.scale(inverse).select(exists, otherwise), inverse)
}

/// The director `u` of the edge along `before`, carried to the edge along
/// `after` by the shortest rotation between them.
#[inline(always)]
pub(super) fn transport<T: Lane>(u: V3<T>, before: V3<T>, after: V3<T>) -> V3<T> {
    tidied(joint(before, after).carry(u, before, after), after)
}

/// A director of the edge along `t` without what rounding did to it; nothing of it is
/// felt by a derivative.
#[inline(always)]
pub(super) fn tidied<T: Lane>(u: V3<T>, t: V3<T>) -> V3<T> {
    let u = u - t.scale(u.dot(t));
    u.scale(T::splat(1.5) - T::splat(0.5) * u.dot(u))
}

/// Components on the material frame at the angle of that cosine and sine.
#[inline(always)]
pub(super) fn turned<T: Lane>([c, s]: [T; 2], [p, q]: [T; 2]) -> [T; 2] {
    [c * p + s * q, c * q - s * p]
}

/// The vector with these components on that material frame.
#[inline(always)]
pub(super) fn vector<T: Lane>([c, s]: [T; 2], [a, b]: [T; 2], u: V3<T>, v: V3<T>) -> V3<T> {
    u.scale(c * a - s * b) + v.scale(s * a + c * b)
}

impl<T: Lane> Joint<T> {
    /// As [`transport`], with what rounding has left along the edge and taken from the
    /// length. Frames follow one another: what does not wait for `u` comes first.
    #[inline(always)]
    pub fn carry(&self, u: V3<T>, before: V3<T>, after: V3<T>) -> V3<T> {
        let middle = (before + after).scale(self.share);
        u - middle.scale(u.dot(after))
    }

    /// One in the lanes whose edges are so nearly opposed that [`carry`](Self::carry) is no
    /// rotation.
    #[inline(always)]
    pub fn opposed(&self) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        T::splat(0.99 / OPPOSED).less(self.share, one, zero)
    }

    /// Derivatives of an energy over the tangents before and after, where
    /// `stress` is its derivative over the binormal and `moment` that over a
    /// common spin of all Bishop frames from here on: these turn by
    /// -1/2 kb.(dt + dt'), the holonomy.
    #[inline(always)]
    pub fn pull(&self, before: V3<T>, after: V3<T>, stress: V3<T>, moment: T) -> [V3<T>; 2] {
        let slope = self.slope * self.binormal.dot(stress);
        let spin = self.binormal.scale(T::splat(-0.5) * moment);
        [
            after.cross(stress).scale(self.sharp) - after.scale(slope) + spin,
            stress.cross(before).scale(self.sharp) - before.scale(slope) + spin,
        ]
    }
}

/// Cosine and sine of an angle of no more than a few turns, by series on its
/// quarter: exactly rounded operations only, the same bits everywhere.
#[inline(always)]
pub(super) fn cosine_sine<T: Lane>(angle: T) -> [T; 2] {
    let (quarter, most) = (T::splat(0.25), T::splat(2.5));
    // (The bound keeps what no angle should be finite.)
    let z = (angle * quarter).min(most).max(-most);
    let w = z * z;
    let mut s = z * series(
        w,
        [
            1.0,
            -1.0 / 6.0,
            1.0 / 120.0,
            -1.0 / 5040.0,
            1.0 / 362_880.0,
            -1.0 / 39_916_800.0,
        ],
    );
    let c = series(
        w,
        [
            1.0,
            -0.5,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40_320.0,
            -1.0 / 3_628_800.0,
        ],
    );
    // Twice the double angle.
    let (two, one) = (T::splat(2.0), T::splat(1.0));
    let c2 = one - two * s * s;
    s = two * s * c;
    [one - two * s * s, two * s * c2]
}

/// The polynomial of those coefficients, the constant first. (A function: a closure that is
/// not inlined would be compiled without the wide instructions.)
#[inline(always)]
fn series<T: Lane>(w: T, c: [f64; 6]) -> T {
    let mut sum = T::splat(c[5]);
    for k in [4, 3, 2, 1, 0] {
        sum = sum * w + T::splat(c[k]);
    }
    sum
}

/// An angle less whole turns, where it is more than half a turn by far.
pub(super) fn wrapped<T: Lane>(angle: T) -> T {
    let most = 4.0;
    if !T::splat(most).any_less(angle.abs()) {
        return angle;
    }
    let turn = std::f64::consts::TAU;
    T::from_lanes(|lane| {
        let angle = angle.get(lane);
        // Only where it must: a strand knows nothing of its neighbours.
        match angle.abs() > most {
            true => angle - turn * (angle / turn).round(),
            false => angle,
        }
    })
}

/// What a spin of the material frame about its tangent does to the energy:
/// the derivative of the curvatures is (b, -a).
#[inline(always)]
pub(super) fn spin<T: Lane>([sa, sb]: [T; 2], [a, b]: [T; 2]) -> T {
    sa * b - sb * a
}
