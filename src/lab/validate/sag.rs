//! The hairstyle at rest: does it stay as it was modelled?

use super::{
    Plot, ValidationRow,
    fixture::{Harness, SEGMENTS, StrandFixture, arc, helix, worse},
    plot::{Outcome, logarithmic},
};

/// Straight strands held level and hanging curls of three lengths, for twenty
/// seconds, as the window starts them.
pub fn sag(harness: &Harness) -> Outcome {
    let lengths = [0.1, 0.2, 0.3];
    let radii = [0.0, 0.005, 0.008, 0.02];
    let cases: Vec<(f64, f64)> = radii
        .iter()
        .flat_map(|radius| lengths.map(|length| (*radius, length)))
        .collect();
    let strands: Vec<_> = cases
        .iter()
        .map(|(radius, length)| match *radius == 0.0 {
            true => arc(*length, 0.0, 0.0, SEGMENTS),
            // A pitch of 12 mm; loosely wound where the curl is wide.
            false => helix(*length, *radius, 0.012, SEGMENTS),
        })
        .collect();
    let mut fixture = StrandFixture::holding(harness, &strands);
    let starts: Vec<_> = (0..cases.len()).map(|lane| fixture.points(lane)).collect();
    let drift = |fixture: &StrandFixture, lane: usize| {
        let moved = fixture.points(lane).into_iter().zip(&starts[lane]);
        let moved = moved.map(|(now, start)| now.distance(*start));
        moved.fold(0.0, worse) / cases[lane].1
    };
    let mut curves = vec![Vec::new(); cases.len()];
    let mut largest = vec![0.0; cases.len()];
    let mut step = 0;
    fixture.run(if harness.quick { 8.0 } else { 20.0 }, |fixture| {
        step += 1;
        for (lane, curve) in curves.iter_mut().enumerate() {
            let now = drift(fixture, lane);
            // At any instant: hair that sways and comes back did not stay.
            largest[lane] = worse(largest[lane], now);
            if step % 30 == 0 {
                curve.extend(logarithmic(fixture.time(), 100.0 * now, 1e-6));
            }
        }
    });
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "drift [% of length]")
        .log_y()
        .theory("allowed", vec![[0.0, 0.1], [fixture.time(), 0.1]]);
    for (lane, ((radius, length), curve)) in cases.iter().zip(curves).enumerate() {
        let shape = match *radius == 0.0 {
            true => "straight, level".to_string(),
            false => format!("curl of {:.0} mm", 1e3 * radius),
        };
        let case = format!(
            "{shape}, {:.0} cm: largest drift as a share of the length",
            100.0 * length
        );
        outcome
            .rows
            .push(ValidationRow::absolute(case, 0.0, largest[lane], 1e-3));
        if *length == 0.2 {
            plot = plot.measured(format!("{shape}, 20 cm"), curve);
        }
    }
    outcome.plot = Some(plot);
    outcome
}
