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

/// What a method with ever shorter substeps is compared with. `[1/s]`
const FINEST: u32 = 960;

/// Tips farther apart than this share of the way that they go move visibly
/// differently: of one method with longer substeps, and of the product, which keeps
/// its substeps at any rate.
const APART: [f64; 2] = [0.1, 0.05];

/// What is compared: the name of the settings, what they are, the reference's rate
/// and how far apart is too far.
struct Comparison {
    name: &'static str,
    params: SimParams,
    reference: u32,
    apart: f64,
}

/// Where the tip of a curl of 20 cm is every 1/30 s while gravity tilts by 45
/// degrees for a second and back for another. `[m]` Substeps scale with the steps, or
/// keep their length.
fn tips(harness: &Harness, params: SimParams, rate: u32, scaled: bool) -> Vec<DVec3> {
    let mut params = params;
    match scaled {
        true => params.step.scale_to(rate),
        false => params.step.rate = rate,
    }
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

/// At the settings of theory each rate, a substep a step, against 960 steps a second
/// by the same method: how fast it converges. There is no closed form for it: a
/// method that is wrong in the same way at any rate passes. As the window moves
/// hair, each rate against the highest: whether they look alike.
pub fn frame_rate(harness: &Harness) -> Outcome {
    let comparisons = [
        Comparison {
            name: "theory settings",
            params: harness.live(&Fibre::hair()),
            reference: FINEST,
            apart: APART[0],
        },
        Comparison {
            name: "product settings",
            params: harness.product(),
            reference: RATES[3],
            apart: APART[1],
        },
    ];
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("steps in a second", "tip difference [% of travel]")
        .log_x()
        .log_y()
        .theory(
            "allowed",
            RATES
                .map(|rate| [f64::from(rate), 100.0 * APART[1]])
                .to_vec(),
        );
    // Of a quick look, the window's.
    for comparison in comparisons.into_iter().skip(usize::from(harness.quick)) {
        let Comparison {
            name,
            params,
            reference,
            apart: allowed,
        } = comparison;
        let rates: Vec<u32> = RATES
            .into_iter()
            .filter(|rate| *rate != reference)
            .collect();
        let with_reference: Vec<u32> = [reference].into_iter().chain(rates.clone()).collect();
        let mut paths: Vec<Vec<DVec3>> = with_reference
            .par_iter()
            .map(|rate| tips(harness, params.clone(), *rate, reference == FINEST))
            .collect();
        let first = paths.remove(0);
        let way = |a: &[DVec3], b: &dyn Fn(usize) -> DVec3| {
            let far = a.iter().enumerate().map(|(i, p)| p.distance(b(i)));
            far.fold(0.0, super::fixture::worse)
        };
        let travel = way(&first, &|_| first[0]);
        let mut measured = Vec::new();
        for (rate, path) in rates.into_iter().zip(paths) {
            let apart = way(&path, &|i| first[i]) / travel;
            measured.push([f64::from(rate), (100.0 * apart).max(1e-4)]);
            outcome.rows.push(ValidationRow::at_most(
                format!(
                    "{name}, {rate} steps a second against {reference}: tip difference over its travel"
                ),
                apart,
                allowed,
            ));
        }
        plot = plot.measured(name, measured);
    }
    outcome.plot = Some(plot);
    outcome
}
