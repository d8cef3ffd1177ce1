//! The cantilever from stubble to hair longer than an arm, and at any clamp.

use super::{
    ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc},
    plot::Outcome,
    shapes::master_curve,
    theory::{cantilever as elastica, clamped},
};
use glam::DVec3;
use rayon::prelude::*;

/// Length of an edge, whatever the length of the strand. `[m]`
const EDGE: f64 = 2.5e-3;

/// Edges of the strands: 5 mm to 1.28 m.
const EDGES: [usize; 9] = [2, 4, 8, 16, 32, 64, 128, 256, 511];

/// A fibre of 0.05 mm radius, 1300 kg/m³, 3 GPa and a Poisson's ratio of 0.45 has
/// this bending stiffness over its weight. `[m³]`
const STIFFNESS_OVER_WEIGHT: f64 =
    3e9 * 0.05e-3 * 0.05e-3 / (4.0 * 1300.0 * super::theory::GRAVITY);

/// Poisson's ratio of that fibre.
const POISSON: f64 = 0.45;

/// Hair that is as stiff for its weight as that fibre.
fn fibre() -> Fibre {
    let bending = STIFFNESS_OVER_WEIGHT * Fibre::DENSITY * super::theory::GRAVITY;
    Fibre {
        bending,
        // B = E I, and C = 2 G I of a round fibre, G = E / (2 (1 + nu)).
        twisting: bending / (1.0 + POISSON),
    }
}

/// Weight times length squared over bending stiffness of so many edges.
fn gamma(edges: usize) -> f64 {
    (EDGE * edges as f64).powi(3) / STIFFNESS_OVER_WEIGHT
}

/// One fibre in edges of 2.5 mm: as it grows, weight over stiffness goes from less
/// than a thousandth to more than ten thousand.
pub fn range(harness: &Harness) -> Outcome {
    let fibre = fibre();
    let lengths = match harness.quick {
        true => &EDGES[..6],
        false => &EDGES[..],
    };
    let found: Vec<f64> = lengths
        .par_iter()
        .map(|edges| {
            let strand = arc(EDGE * *edges as f64, 0.0, 0.0, *edges);
            let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &[strand]);
            fixture.drag = 8.0;
            fixture.run(8.0, |_| ());
            let tip = fixture.tip(0);
            -tip.y / tip.x
        })
        .collect();
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (edges, found) in lengths.iter().copied().zip(found) {
        let weight = gamma(edges);
        measured.push([weight, found]);
        let case = format!(
            "{edges} edges of 2.5 mm, weight/stiffness {}: height/width of the tip",
            super::number(weight)
        );
        // Lumped masses: of second order in an edge's share of the strand, and of
        // the length over which a heavy one turns down (as for the resolution).
        let tolerance = (1.1 + 0.22 * weight) / (edges * edges) as f64;
        let row = ValidationRow::relative(case, elastica(weight), found, tolerance);
        outcome
            .rows
            .push(row.at("weight_over_stiffness", weight, ""));
    }
    outcome.plot = Some(master_curve(-3.1, 7.3).measured("edges of 2.5 mm", measured));
    outcome
}

/// A strand farther from the elastica than this share of its length is another
/// shape.
const APART: f64 = 2e-3;

/// Straight hair whose clamp points up, level or down.
pub fn clamps(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let cases: Vec<(f64, f64)> = [1.0, 10.0, 100.0]
        .iter()
        .flat_map(|gamma| [-45.0, -15.0, 30.0, 60.0, 85.0].map(|angle| (*gamma, angle)))
        .collect();
    let strands: Vec<_> = cases
        .iter()
        .map(|(gamma, angle)| arc(fibre.length(*gamma), angle.to_radians(), 0.0, SEGMENTS))
        .collect();
    let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &strands);
    fixture.drag = 8.0;
    fixture.run(8.0, |_| ());
    let mut outcome = Outcome::default();
    for (lane, (gamma, angle)) in cases.iter().enumerate() {
        let [width, drop] = clamped(*gamma, angle.to_radians());
        let wanted = DVec3::new(width, -drop, 0.0);
        let apart = (fixture.tip(lane) / fibre.length(*gamma)).distance(wanted);
        let side = if *angle < 0.0 { "above" } else { "below" };
        let case = format!(
            "weight/stiffness {gamma}, clamped {}° {side} level: tip from the elastica's, in lengths",
            angle.abs()
        );
        let row = ValidationRow::absolute(case, 0.0, apart, APART);
        outcome.rows.push(row.at("clamp_below_level", *angle, "°"));
    }
    outcome
}
