//! Helices that hang: the spring that a curl is.

use super::{
    ValidationRow,
    fixture::{Fibre, Harness, StrandFixture, helix},
    helix::{HangingHelix, hair},
    plot::Outcome,
};

/// Segments of a strand: 16 a turn.
const SEGMENTS: usize = 128;

/// A discrete helix of 16 edges a turn hangs as the curve does to this share: half
/// of (2 pi / 16)^2 / 12.
const TOLERANCE: f64 = 0.006;

/// A row of springs is compared with the closed form for many turns.
const SPRING: f64 = 0.04;

/// Radius and pitch of the curls. `[m]`
const CURLS: [(f64, f64); 4] = [(0.003, 0.02), (0.005, 0.012), (0.008, 0.012), (0.012, 0.03)];

/// Length of a strand of so many turns. `[m]`
fn wound(turns: f64, (radius, pitch): (f64, f64)) -> f64 {
    turns * (std::f64::consts::TAU * radius).hypot(pitch)
}

/// Curls at rest that far under `share` of the weight; below the clamp is -y.
fn drawn<'a>(harness: &'a Harness, curls: &[HangingHelix]) -> StrandFixture<'a> {
    let strands: Vec<_> = curls
        .iter()
        .map(|curl| helix(curl.length, curl.radius, curl.pitch, SEGMENTS))
        .collect();
    let mut rig = StrandFixture::new(harness, harness.live(&Fibre::hair()), &strands);
    if let Some(curl) = curls.first() {
        rig.gravity = glam::DVec3::NEG_Y * curl.gravity;
    }
    rig.drag = 8.0;
    rig.run(if harness.quick { 2.0 } else { 5.0 }, |_| ());
    rig
}

/// Curls of some centimetres hang under their weight, and ones of eight turns
/// under a two-hundredth of it, where they are springs.
pub fn hanging(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let heavy = CURLS.map(|curl| hair(&fibre, wound(7.5, curl).min(0.3), curl.0, curl.1));
    let light = CURLS.map(|curl| HangingHelix {
        gravity: 0.005 * super::theory::GRAVITY,
        ..hair(&fibre, wound(8.0, curl), curl.0, curl.1)
    });
    let (heavy_rig, light_rig) = rayon::join(|| drawn(harness, &heavy), || drawn(harness, &light));
    let mut outcome = Outcome::default();
    for (lane, curl) in heavy.iter().enumerate() {
        let wanted = curl.tip().map(|tip| -100.0 * tip.y);
        let case = format!(
            "radius {:.0} mm, pitch {:.0} mm, {:.0} cm of hair, at rest {:.1} cm long: length as it hangs [cm]",
            1e3 * curl.radius,
            1e3 * curl.pitch,
            100.0 * curl.length,
            -100.0 * curl.rest_tip().y,
        );
        let found = -100.0 * heavy_rig.tip(lane).y;
        outcome.rows.push(ValidationRow::relative(
            case,
            wanted.unwrap_or(f64::NAN),
            found,
            TOLERANCE,
        ));
    }
    for (lane, curl) in light.iter().enumerate() {
        // The root carries all of the weight and the tip none.
        let half = 0.5 * curl.density * curl.gravity * curl.length;
        let drawn = curl.rest_tip().y - light_rig.tip(lane).y;
        let case = format!(
            "radius {:.0} mm, pitch {:.0} mm, 8 turns: spring constant [mN/m]",
            1e3 * curl.radius,
            1e3 * curl.pitch,
        );
        outcome.rows.push(ValidationRow::relative(
            case,
            1e3 * curl.spring_constant(),
            1e3 * half / drawn,
            SPRING,
        ));
    }
    outcome
}
