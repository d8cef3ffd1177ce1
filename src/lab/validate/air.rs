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
    let mut rig = StrandFixture::new(harness, params, &[arc(0.1, 0.0, 0.0, SEGMENTS)]);
    rig.block.pinned = 0;
    rig
}

/// Mean velocity of all vertices. `[m/s]`
fn mean(rig: &StrandFixture) -> DVec3 {
    let count = rig.block.counts[0];
    (0..count).map(|i| rig.velocity(i, 0)).sum::<DVec3>() / count as f64
}

pub fn air(harness: &Harness) -> Outcome {
    let falls = [
        ("a hair of 0.07 mm", 0.07, 1.0),
        ("a lock of 3 mm", 3.0, 0.3),
    ];
    let falls: Vec<_> = falls
        .par_iter()
        .map(|(name, lock, packing)| {
            let mut rig = free(harness, *lock, *packing, 0.0);
            let gravity = rig.gravity.length();
            rig.run(0.3, |_| ());
            let early = -mean(&rig).y;
            rig.run(2.7, |_| ());
            let drag = theory::CylinderInAir::new(f64::from(*lock) * 1e-3, f64::from(*packing));
            let wanted = [0.3, 3.0].map(|time| drag.speed(gravity, 0.0, time));
            (*name, [early, -mean(&rig).y], wanted)
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
    let mut rig = free(harness, 3.0, 0.3, 6.0);
    rig.gravity = DVec3::ZERO;
    rig.run(0.2, |_| ());
    outcome.rows.push(ValidationRow::relative(
        "a lock of 3 mm in 6 m/s of wind for 0.2 s: speed [m/s]",
        theory::CylinderInAir::new(3e-3, 0.3).speed(0.0, 6.0, 0.2),
        mean(&rig).z,
        FIRST_ORDER,
    ));
    for (name, speed, wanted) in terminal(harness) {
        let case = format!("{name}: speed after 5 s [m/s]");
        let row = ValidationRow::relative(case, wanted, speed, 0.005);
        outcome.rows.push(row);
    }
    outcome
}

/// Terminal speeds by the linear law, gravity over drag, of a level strand without
/// a root: at the settings of theory, and as the window moves hair. `[m/s]`
fn terminal(harness: &Harness) -> Vec<(&'static str, f64, f64)> {
    let window = SimParams::default().forces;
    let settings = [
        ("linear drag of 4 /s", harness.live(&Fibre::hair()), 4.0),
        (
            "product settings, linear drag of 1.8 /s",
            harness.product(),
            window.drag,
        ),
    ];
    settings
        .into_par_iter()
        .map(|(name, mut params, drag)| {
            params.forces.air = AirLaw::Linear;
            params.forces.drag = drag;
            let mut rig = StrandFixture::new(harness, params, &[arc(0.1, 0.0, 0.0, SEGMENTS)]);
            rig.block.pinned = 0;
            rig.drag = f64::from(drag);
            rig.run(5.0, |_| ());
            (name, -mean(&rig).y, theory::GRAVITY / f64::from(drag))
        })
        .collect()
}
