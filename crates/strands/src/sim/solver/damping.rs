//! Damping of a strand's inner motion: Müller et al. 2007, "Position Based
//! Dynamics", section 3.5.

use crate::{
    math::lanes::{Lane, V3},
    sim::state::Block,
};

/// Takes the share `k` of the inner motion away and leaves the motion of the
/// strand as a whole: dv_i = k (v_cm + omega x r_i - v_i). `T` is a register.
#[inline(always)]
pub fn damp<B: Lane, T: Lane>(block: &mut Block<B>, k: f64) {
    for first in (0..B::LANES).step_by(T::LANES) {
        damp_lanes::<B, T>(block, first, k);
    }
}

/// The same of the strands in lanes `first..`.
#[inline(always)]
fn damp_lanes<B: Lane, T: Lane>(block: &mut Block<B>, first: usize, k: f64) {
    let rows = block.rows;
    let one = T::splat(1.0);
    let (mut centre, mut drift) = (V3::<T>::zero(), V3::<T>::zero());
    for i in 0..rows {
        let alive: T = block.alive(i).cut(first);
        centre = centre + block.position[i].cut(first).scale(alive);
        drift = drift + block.velocity[i].cut(first).scale(alive);
    }
    let share = one / block.count.cut(first);
    let (centre, drift) = (centre.scale(share), drift.scale(share));
    // Angular momentum and inertia about the centre, unit masses.
    let mut momentum = V3::zero();
    let (mut xx, mut yy, mut zz, mut xy, mut xz, mut yz) = (
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
    );
    for i in 0..rows {
        let r = (block.position[i].cut(first) - centre).scale(block.alive(i).cut(first));
        momentum = momentum + r.cross(block.velocity[i].cut(first));
        xx += r.x * r.x;
        yy += r.y * r.y;
        zz += r.z * r.z;
        xy += r.x * r.y;
        xz += r.x * r.z;
        yz += r.y * r.z;
    }
    // A straight strand has no inertia about itself: the floor makes the
    // matrix regular without changing any turn that moves a vertex.
    let floor = (xx + yy + zz) * T::splat(1e-4) + T::splat(1e-12);
    let (a, b, c) = (yy + zz + floor, xx + zz + floor, xx + yy + floor);
    let (d, e, f) = (-xy, -xz, -yz);
    let (ca, cb, cc) = (b * c - f * f, e * f - d * c, d * f - e * b);
    let inverse = one / (a * ca + d * cb + e * cc);
    let turn = V3 {
        x: (ca * momentum.x + cb * momentum.y + cc * momentum.z) * inverse,
        y: (cb * momentum.x + (a * c - e * e) * momentum.y + (d * e - a * f) * momentum.z)
            * inverse,
        z: (cc * momentum.x + (d * e - a * f) * momentum.y + (a * b - d * d) * momentum.z)
            * inverse,
    };
    let k = T::splat(k);
    for i in block.pinned..rows {
        let rigid = drift + turn.cross(block.position[i].cut(first) - centre);
        let velocity: V3<T> = block.velocity[i].cut(first);
        let lost = (rigid - velocity).scale(k * block.alive(i).cut(first));
        block.velocity[i].paste(first, velocity + lost);
    }
}
