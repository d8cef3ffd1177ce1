//! The hairstyle at rest: does it stay as it was modelled?

use super::{
    Plot, ValidationRow,
    fixture::{Harness, SEGMENTS, StrandFixture, arc, helix},
    plot::Outcome,
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
    let mut rig = StrandFixture::holding(harness, &strands);
    let starts: Vec<_> = (0..cases.len()).map(|lane| rig.points(lane)).collect();
    let drift = |rig: &StrandFixture, lane: usize| {
        let moved = rig.points(lane).into_iter().zip(&starts[lane]);
        let moved = moved.map(|(now, start)| now.distance(*start));
        moved.fold(0.0, super::fixture::worse) / cases[lane].1
    };
    let mut curves = vec![Vec::new(); cases.len()];
    let mut step = 0;
    rig.run(if harness.quick { 8.0 } else { 20.0 }, |rig| {
        step += 1;
        if step % 30 == 0 {
            for (lane, curve) in curves.iter_mut().enumerate() {
                curve.push([rig.time(), (100.0 * drift(rig, lane)).max(1e-6)]);
            }
        }
    });
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "drift [% of length]")
        .log_y()
        .theory("allowed", vec![[0.0, 0.1], [rig.time(), 0.1]]);
    for (lane, ((radius, length), curve)) in cases.iter().zip(curves).enumerate() {
        let shape = match *radius == 0.0 {
            true => "straight, level".to_string(),
            false => format!("curl of {:.0} mm", 1e3 * radius),
        };
        let case = format!(
            "{shape}, {:.0} cm: drift as a share of the length",
            100.0 * length
        );
        outcome
            .rows
            .push(ValidationRow::absolute(case, 0.0, drift(&rig, lane), 1e-3));
        if *length == 0.2 {
            plot = plot.measured(format!("{shape}, 20 cm"), curve);
        }
    }
    outcome.plot = Some(plot);
    outcome
}
