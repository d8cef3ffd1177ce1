//! A strand without a root: what it keeps.

use super::{
    ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, helix},
    plot::Outcome,
    theory::spin_left,
};
use glam::DVec3;
use rayon::prelude::*;

/// Share of a turn that single precision may add to it.
const ROUNDED: f64 = 1e-3;

/// Momentum and angular momentum about the middle of mass, and the largest that
/// the latter could be at these speeds.
fn momenta(rig: &StrandFixture) -> (DVec3, DVec3, f64) {
    let count = rig.block.counts[0];
    let m = |i: usize| rig.mass(i, 0);
    let x = |i: usize| rig.block.point(i, 0);
    let v = |i: usize| rig.velocity(i, 0);
    let all: f64 = (0..count).map(m).sum();
    let middle = (0..count).map(|i| x(i) * m(i)).sum::<DVec3>() / all;
    let drift = (0..count).map(|i| v(i) * m(i)).sum::<DVec3>() / all;
    let arm = |i: usize| x(i) - middle;
    let turn = (0..count)
        .map(|i| arm(i).cross(v(i) - drift) * m(i))
        .sum::<DVec3>();
    let most = (0..count)
        .map(|i| arm(i).length() * (v(i) - drift).length() * m(i))
        .sum::<f64>();
    (drift * all, turn, most)
}

/// A strand of 20 cm without a root, at so many steps a second. Momentum is
/// what a solution has that has converged.
fn free<'a>(
    harness: &'a Harness,
    rate: u32,
    converged: bool,
    strand: Vec<DVec3>,
) -> StrandFixture<'a> {
    let mut params = harness.live(&Fibre::hair());
    params.step.scale_to(rate);
    if converged {
        (harness.method.converge)(&mut params);
    }
    let mut rig = StrandFixture::new(harness, params, &[strand]);
    rig.block.pinned = 0;
    rig
}

pub fn free_fall(harness: &Harness) -> Outcome {
    let curl = || helix(0.2, 0.008, 0.03, SEGMENTS);
    // Falling and wobbling: the tip is pushed aside, then nothing but weight.
    let fall = || {
        let mut rig = free(harness, 60, true, curl());
        rig.kick(0, |i, _| {
            DVec3::X * (0.5 * (i as f64 / SEGMENTS as f64).powi(2))
        });
        let (before, _, _) = momenta(&rig);
        rig.run(0.3, |_| ());
        let (after, _, _) = momenta(&rig);
        let mass: f64 = (0..=SEGMENTS).map(|i| rig.mass(i, 0)).sum();
        let wanted = before + rig.gravity * (mass * rig.time());
        (after - wanted).length() / wanted.length()
    };
    // A straight strand that vibrates about its middle, without weight: what a
    // method does from root to tip must not make it turn.
    let wobble = || {
        let mut rig = free(harness, 60, true, arc(0.2, 0.0, 0.0, SEGMENTS));
        rig.gravity = DVec3::ZERO;
        rig.kick(0, |i, _| {
            let s = i as f64 / SEGMENTS as f64;
            DVec3::Y * (0.3 * (6.0 * s * (s - 1.0) + 1.0))
        });
        let (_, before, scale) = momenta(&rig);
        rig.run(0.5, |_| ());
        let (_, after, _) = momenta(&rig);
        (after - before).length() / scale
    };
    // Turning as one body about a level axis.
    let turning = |rate: u32| {
        let mut rig = free(harness, rate, false, curl());
        rig.gravity = DVec3::ZERO;
        let rate_of_turn = 2.0;
        let count = rig.block.counts[0];
        let middle = (0..count).map(|i| rig.block.point(i, 0)).sum::<DVec3>() / count as f64;
        rig.kick(0, |_, p| (DVec3::Z * rate_of_turn).cross(p - middle));
        rig.step();
        let (_, before, _) = momenta(&rig);
        let steps = (0.5 / rig.dt()) as usize;
        rig.run(0.5, |_| ());
        let (_, after, _) = momenta(&rig);
        let angle = rate_of_turn * rig.dt();
        [after.z / before.z, spin_left(angle, steps)]
    };
    let (fall, (wobble, turns)) = rayon::join(fall, || {
        rayon::join(wobble, || {
            [60, 240]
                .par_iter()
                .map(|rate| (*rate, turning(*rate)))
                .collect::<Vec<_>>()
        })
    });
    let mut outcome = Outcome::default();
    outcome.rows.push(ValidationRow::at_most(
        "falling and wobbling for 0.3 s: lost share of momentum",
        fall,
        1e-5,
    ));
    outcome.rows.push(ValidationRow::at_most(
        "vibrating about its middle for 0.5 s: share of the motion that becomes a turn",
        wobble,
        1e-5,
    ));
    for (rate, turn) in turns {
        outcome.rows.extend(turning_rows(rate, turn));
    }
    outcome
}

/// The share of its turning that a strand has `kept`, between what implicit Euler leaves
/// (`left`) and all of it: no method may lose more, and none may gain.
fn turning_rows(rate: u32, [kept, left]: [f64; 2]) -> [ValidationRow; 2] {
    let case = |bound| format!("turning, 0.5 s in steps of 1/{rate} s: share kept, {bound}");
    [
        ValidationRow::at_least(case("of what implicit Euler leaves"), kept, left - 0.01),
        ValidationRow::at_most(case("of all"), kept, 1.0 + ROUNDED),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_may_be_kept_but_neither_gained_nor_lost_beyond_implicit_euler() {
        let pass = |kept| turning_rows(60, [kept, 0.97]).map(|row| row.pass);
        for kept in [0.962, 0.97, 0.997, 1.0] {
            assert_eq!(pass(kept), [true, true], "{kept}");
        }
        assert_eq!(pass(0.95), [false, true]);
        assert_eq!(pass(1.01), [true, false]);
        assert_eq!(pass(f64::NAN), [false, false]);
    }
}
