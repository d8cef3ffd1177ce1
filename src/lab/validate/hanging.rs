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

/// A discrete helix of 16 edges a turn is a stiffer spring than the curve by
/// (2 pi / 16)^2 / 12 = 1.3 %: its edges are chords, and so nearer to its axis.
const SPRING: f64 = 0.015;

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
    let mut fixture = StrandFixture::new(harness, harness.live(&Fibre::hair()), &strands);
    if let Some(curl) = curls.first() {
        fixture.gravity = glam::DVec3::NEG_Y * curl.gravity;
    }
    fixture.drag = 8.0;
    fixture.run(if harness.quick { 2.0 } else { 5.0 }, |_| ());
    fixture
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
    let (heavy_fixture, light_fixture) =
        rayon::join(|| drawn(harness, &heavy), || drawn(harness, &light));
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
        let found = -100.0 * heavy_fixture.tip(lane).y;
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
        let constant = |tip: f64| 1e3 * half / (curl.rest_tip().y - tip);
        let wanted = curl.tip().map_or(f64::NAN, |tip| constant(tip.y));
        let found = constant(light_fixture.tip(lane).y);
        let case = format!(
            "radius {:.0} mm, pitch {:.0} mm, 8 turns: spring constant",
            1e3 * curl.radius,
            1e3 * curl.pitch,
        );
        let unit = format!("{case} [mN/m]");
        outcome
            .rows
            .push(ValidationRow::relative(unit, wanted, found, SPRING));
        // The first is the slenderest: the curl's ends count for a thousandth.
        if lane == 0 {
            let love = 1e3 * curl.spring_constant();
            let unit = format!("{case} by Love's closed form [mN/m]");
            outcome
                .rows
                .push(ValidationRow::relative(unit, love, found, SPRING));
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_for_many_turns_and_the_boundary_value_problem_for_these() {
        let off = CURLS.map(|curl| {
            let curl = HangingHelix {
                gravity: 0.005 * super::super::theory::GRAVITY,
                ..hair(&Fibre::hair(), wound(8.0, curl), curl.0, curl.1)
            };
            let half = 0.5 * curl.density * curl.gravity * curl.length;
            let tip = curl.tip().expect("converges").y;
            let constant = half / (curl.rest_tip().y - tip);
            1.0 - curl.spring_constant() / constant
        });
        // A slender curl nearly is Love's spring, a wide one is not.
        assert!((5e-4..1.5e-3).contains(&off[0]), "{off:?}");
        assert!((1.0e-2..1.3e-2).contains(&off[3]), "{off:?}");
        let chords = (std::f64::consts::TAU / 16.0).powi(2) / 12.0;
        assert!((chords..1.2 * chords).contains(&SPRING), "{chords}");
    }
}
