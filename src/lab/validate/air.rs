//! What air does to a strand that lies across it.

use super::{
    ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc},
    plot::Outcome,
    theory,
};
use crate::sim::{AirLaw, SimParams};
use glam::DVec3;
use rayon::prelude::*;

/// Air acts once a step by the speeds at its begin, so what builds up is off by the
/// share that a step's drag takes of the speed, and less: 0.07 in the fastest case,
/// at its begin.
const FIRST_ORDER: f64 = 0.03;

/// How near a strand comes to its terminal speed, as a share of it.
const TERMINAL: f64 = 0.005;

/// A level strand of 10 cm without a root, in the air of the cylinder law.
fn free<'a>(harness: &'a Harness, lock: f32, packing: f32, wind: f32) -> StrandFixture<'a> {
    let mut params = harness.live(&Fibre::hair());
    params.forces.air = AirLaw::Cylinder;
    // There is air, and by this law no more is asked of it.
    params.forces.drag = 1.0;
    (params.forces.lock, params.forces.packing) = (lock, packing);
    let blows = &mut params.wind;
    (blows.on, blows.strength) = (wind > 0.0, wind);
    (blows.oscillation, blows.gusts, blows.turbulence) = (0.0, 0.0, 0.0);
    blows.direction = [0.0, 0.0, 1.0];
    let mut fixture = StrandFixture::new(harness, params, &[arc(0.1, 0.0, 0.0, SEGMENTS)]);
    fixture.block.pinned = 0;
    fixture
}

/// Mean velocity of all vertices. `[m/s]`
fn mean(fixture: &StrandFixture) -> DVec3 {
    let count = fixture.block.counts[0];
    (0..count).map(|i| fixture.velocity(i, 0)).sum::<DVec3>() / count as f64
}

pub fn air(harness: &Harness) -> Outcome {
    let falls = [
        ("a hair of 0.07 mm", 0.07, 1.0),
        ("a lock of 3 mm", 3.0, 0.3),
    ];
    let falls: Vec<_> = falls
        .par_iter()
        .map(|(name, lock, packing)| {
            let mut fixture = free(harness, *lock, *packing, 0.0);
            let gravity = fixture.gravity.length();
            fixture.run(0.3, |_| ());
            let early = -mean(&fixture).y;
            fixture.run(2.7, |_| ());
            let drag = theory::CylinderInAir::new(f64::from(*lock) * 1e-3, f64::from(*packing));
            let wanted = [0.3, 3.0].map(|time| drag.speed(gravity, 0.0, time));
            (*name, [early, -mean(&fixture).y], wanted)
        })
        .collect();
    let mut outcome = Outcome::default();
    for (name, found, wanted) in falls {
        for ((time, found), wanted) in [0.3, 3.0].into_iter().zip(found).zip(wanted) {
            outcome.rows.push(ValidationRow::relative(
                format!("{name} falls for {time} s: speed [m/s]"),
                wanted,
                found,
                FIRST_ORDER,
            ));
        }
    }
    let mut fixture = free(harness, 3.0, 0.3, 6.0);
    fixture.gravity = DVec3::ZERO;
    fixture.run(0.2, |_| ());
    outcome.rows.push(ValidationRow::relative(
        "a lock of 3 mm in 6 m/s of wind for 0.2 s: speed [m/s]",
        theory::CylinderInAir::new(3e-3, 0.3).speed(0.0, 6.0, 0.2),
        mean(&fixture).z,
        FIRST_ORDER,
    ));
    outcome.rows.extend(terminal(harness));
    outcome
}

/// Terminal speeds by the linear law, gravity over drag, of a level strand without
/// a root: at the settings of theory, and as the window moves hair.
///
/// As the window moves hair, a method without a material holds the hairstyle by a pull to
/// places that the head carries, and its rest state carries the weight: a strand without a
/// root stays where it is. It has no terminal speed; how well it holds is another test.
fn terminal(harness: &Harness) -> Vec<ValidationRow> {
    let window = SimParams::default().forces.drag;
    let settings = [
        ("", harness.live(&Fibre::hair()), 4.0),
        ("product settings, ", harness.product(), window),
    ];
    let falls = settings.into_par_iter();
    let falls = falls.enumerate().map(|(index, (name, mut params, drag))| {
        let case = format!("{name}linear drag of {drag} /s: speed after 5 s [m/s]");
        let wanted = theory::GRAVITY / f64::from(drag);
        params.forces.air = AirLaw::Linear;
        params.forces.drag = drag;
        let mut fixture = StrandFixture::new(harness, params, &[arc(0.1, 0.0, 0.0, SEGMENTS)]);
        fixture.block.pinned = 0;
        fixture.drag = f64::from(drag);
        fixture.run(5.0, |_| ());
        let row = ValidationRow::relative(case, wanted, -mean(&fixture).y, TERMINAL);
        // Its lengths are judged all the same.
        match index == 1 && !harness.method.material {
            true => row.unmeasured(),
            false => row,
        }
    });
    falls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solver::SOLVERS;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    #[test]
    fn a_strand_that_its_hold_keeps_in_place_has_no_terminal_speed() {
        let cancel = AtomicBool::new(false);
        for method in SOLVERS.iter().filter(|method| method.id != "der") {
            let harness = Harness {
                method,
                variant: None,
                quick: true,
                cancel: &cancel,
                stretch: AtomicU64::new(0),
                moved: AtomicBool::new(false),
            };
            let rows = terminal(&harness);
            let applies: Vec<bool> = rows.iter().map(|row| row.applies).collect();
            assert_eq!(applies, [true, method.material], "{}", method.id);
            let drag = SimParams::default().forces.drag;
            assert!(
                rows[1].case.contains(&format!(" {drag} /s")),
                "{}",
                rows[1].case
            );
        }
    }
}
