//! The same motion at any frame rate.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, helix},
    plot::Outcome,
};
use crate::sim::SimParams;
use glam::DVec3;
use rayon::prelude::*;

/// Steps a second that are compared. `[1/s]`
const RATES: [u32; 4] = [30, 60, 120, 240];

/// What they are compared with. `[1/s]`
const FINEST: u32 = 960;

/// Tips farther apart than this share of the way that they go move visibly
/// differently.
const APART: f64 = 0.1;

/// Where the tip of a curl of 20 cm is every 1/30 s while gravity tilts by 45
/// degrees for a second and back for another. `[m]`
fn tips(harness: &Harness, params: SimParams, rate: u32) -> Vec<DVec3> {
    let mut params = params;
    params.step.rate = rate;
    let drag = f64::from(SimParams::default().forces.drag);
    let mut rig = StrandFixture::new(harness, params, &[helix(0.2, 0.008, 0.012, SEGMENTS)]);
    rig.drag = drag;
    let level = rig.gravity;
    let tilted = DVec3::new(0.5f64.sqrt(), -0.5f64.sqrt(), 0.0) * level.length();
    let mut tips = vec![rig.tip(0)];
    for half in 0..60 {
        rig.gravity = if half < 30 { tilted } else { level };
        rig.run(1.0 / 30.0, |_| ());
        tips.push(rig.tip(0));
    }
    tips
}

/// Each rate against 960 steps a second by the same method, at the settings of
/// theory and as the window moves hair. There is no closed form for it: a method
/// that is wrong in the same way at any rate passes.
pub fn frame_rate(harness: &Harness) -> Outcome {
    let settings = [
        ("theory settings", harness.live(&Fibre::hair())),
        ("product settings", harness.product()),
    ];
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("steps in a second", "tip difference [% of travel]")
        .log_x()
        .log_y()
        .theory(
            "allowed",
            RATES.map(|rate| [f64::from(rate), 100.0 * APART]).to_vec(),
        );
    // Of a quick look, the window's.
    for (name, params) in settings.into_iter().skip(usize::from(harness.quick)) {
        let mut paths: Vec<Vec<DVec3>> = [FINEST]
            .into_iter()
            .chain(RATES)
            .collect::<Vec<_>>()
            .par_iter()
            .map(|rate| tips(harness, params.clone(), *rate))
            .collect();
        let finest = paths.remove(0);
        let way = |a: &[DVec3], b: &dyn Fn(usize) -> DVec3| {
            let far = a.iter().enumerate().map(|(i, p)| p.distance(b(i)));
            far.fold(0.0, super::fixture::worse)
        };
        let travel = way(&finest, &|_| finest[0]);
        let mut measured = Vec::new();
        for (rate, path) in RATES.into_iter().zip(paths) {
            let apart = way(&path, &|i| finest[i]) / travel;
            measured.push([f64::from(rate), (100.0 * apart).max(1e-4)]);
            outcome.rows.push(ValidationRow::at_most(
                format!(
                    "{name}, {rate} steps a second against {FINEST}: tip difference over its travel"
                ),
                apart,
                APART,
            ));
        }
        plot = plot.measured(name, measured);
    }
    outcome.plot = Some(plot);
    outcome
}
