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
fn momenta(fixture: &StrandFixture) -> (DVec3, DVec3, f64) {
    let count = fixture.block.counts[0];
    let m = |i: usize| fixture.mass(i, 0);
    let x = |i: usize| fixture.block.point(i, 0);
    let v = |i: usize| fixture.velocity(i, 0);
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
    let mut fixture = StrandFixture::new(harness, params, &[strand]);
    fixture.block.pinned = 0;
    fixture
}

pub fn free_fall(harness: &Harness) -> Outcome {
    let curl = || helix(0.2, 0.008, 0.03, SEGMENTS);
    // Falling and wobbling: the tip is pushed aside, then nothing but weight.
    let fall = || {
        let mut fixture = free(harness, 60, true, curl());
        fixture.kick(0, |i, _| {
            DVec3::X * (0.5 * (i as f64 / SEGMENTS as f64).powi(2))
        });
        let (before, _, _) = momenta(&fixture);
        fixture.run(0.3, |_| ());
        let (after, _, _) = momenta(&fixture);
        let mass: f64 = (0..=SEGMENTS).map(|i| fixture.mass(i, 0)).sum();
        let wanted = before + fixture.gravity * (mass * fixture.time());
        (after - wanted).length() / wanted.length()
    };
    // A straight strand that vibrates about its middle, without weight: what a
    // method does from root to tip must not make it turn.
    let wobble = || {
        let mut fixture = free(harness, 60, true, arc(0.2, 0.0, 0.0, SEGMENTS));
        fixture.gravity = DVec3::ZERO;
        fixture.kick(0, |i, _| {
            let s = i as f64 / SEGMENTS as f64;
            DVec3::Y * (0.3 * (6.0 * s * (s - 1.0) + 1.0))
        });
        let (_, before, scale) = momenta(&fixture);
        fixture.run(0.5, |_| ());
        let (_, after, _) = momenta(&fixture);
        (after - before).length() / scale
    };
    // Turning as one body about a level axis.
    let turning = |rate: u32| {
        let mut fixture = free(harness, rate, false, curl());
        fixture.gravity = DVec3::ZERO;
        let rate_of_turn = 2.0;
        let count = fixture.block.counts[0];
        let middle = (0..count).map(|i| fixture.block.point(i, 0)).sum::<DVec3>() / count as f64;
        fixture.kick(0, |_, p| (DVec3::Z * rate_of_turn).cross(p - middle));
        // That of the kick itself: what the first step loses counts.
        let (_, before, _) = momenta(&fixture);
        fixture.run(0.5, |_| ());
        let (_, after, _) = momenta(&fixture);
        let steps = (fixture.time() / fixture.dt()).round() as usize;
        Turning::new(before, after, kick_left(rate_of_turn * fixture.dt(), steps))
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
        outcome.rows.extend(turning_rows(rate, &turn));
    }
    outcome
}

/// What share of the kick's turning a rigid body keeps when implicit Euler turns it for
/// `steps` steps; the kick turns it by `angle` a step. `[rad]`
///
/// The first step goes to where the straight path leads, projected towards the middle: by
/// b with tan(b) = angle, and the momentum is as sin(b). [`spin_left`] has the others.
fn kick_left(angle: f64, steps: usize) -> f64 {
    let first = angle.atan();
    first.sin() / angle * spin_left(first, steps.saturating_sub(1))
}

/// What became of a strand's angular momentum, as shares of the kick's.
struct Turning {
    /// The part about the kick's axis; negative where the strand turns the other way.
    along: f64,
    /// All of it, about whatever axis.
    size: f64,
    /// What implicit Euler leaves of it.
    left: f64,
}

impl Turning {
    fn new(before: DVec3, after: DVec3, left: f64) -> Self {
        let scale = before.length();
        Self {
            along: after.dot(before) / (scale * scale),
            size: after.length() / scale,
            left,
        }
    }
}

/// The share of its turning that a strand has kept, between what implicit Euler leaves
/// and all of it: no method may lose more about the kick's axis, and none may gain, about
/// any axis or in the other direction.
fn turning_rows(rate: u32, turning: &Turning) -> [ValidationRow; 2] {
    let case = |bound| format!("turning, 0.5 s in steps of 1/{rate} s: share kept, {bound}");
    let Turning { along, size, left } = *turning;
    [
        ValidationRow::at_least(case("of what implicit Euler leaves"), along, left - 0.01),
        ValidationRow::at_most(case("of all, about any axis"), size, 1.0 + ROUNDED),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_may_be_kept_but_neither_gained_nor_lost_beyond_implicit_euler() {
        let after = |after: DVec3| {
            let turning = Turning::new(DVec3::Z * 3.0, after * 3.0, 0.97);
            turning_rows(60, &turning).map(|row| row.pass)
        };
        let pass = |kept: f64| after(DVec3::Z * kept);
        for kept in [0.962, 0.97, 0.997, 1.0] {
            assert_eq!(pass(kept), [true, true], "{kept}");
        }
        assert_eq!(pass(0.95), [false, true]);
        assert_eq!(pass(1.01), [true, false]);
        assert_eq!(pass(f64::NAN), [false, false]);
        // The other way round, and about another axis besides.
        assert_eq!(pass(-1.2), [false, false]);
        assert_eq!(after(DVec3::new(0.3, 0.0, 0.99)), [true, false]);
    }

    #[test]
    fn implicit_euler_loses_of_a_kick_what_a_turning_dumbbell_loses() {
        // Half of a rigid rod, kicked across, implicit Euler by brute force.
        let (mut x, mut v, h) = ([1.0f64, 0.0], [0.0f64, 1.0], 0.02);
        let momentum = |x: [f64; 2], v: [f64; 2]| x[0] * v[1] - x[1] * v[0];
        let kick = momentum(x, v);
        for steps in 1..=40 {
            let free = [x[0] + h * v[0], x[1] + h * v[1]];
            let scale = free[0].hypot(free[1]);
            let new = [free[0] / scale, free[1] / scale];
            v = [(new[0] - x[0]) / h, (new[1] - x[1]) / h];
            x = new;
            let left = kick_left(h, steps);
            assert!(
                (momentum(x, v) / kick - left).abs() < 1e-9,
                "{steps}: {left}"
            );
        }
    }
}
