//! Periods: the hanging chain and the clamped beam.

use super::{
    Plot, ValidationRow,
    fixture::{Crossings, Fibre, Harness, SEGMENTS, StrandFixture, arc},
    plot::Outcome,
    theory::{beam_frequency, beam_shape, chain_period, chain_shape},
};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// How far the tip swings, in lengths: little, as the theory has it.
const SWING: f64 = 0.02;

/// Hair made so limp that bending shifts the period by a thousandth, at the
/// settings of the live window.
pub fn chain(harness: &Harness) -> Outcome {
    let lengths = [0.3, 0.45, 0.6, 0.9, 1.2];
    let strands: Vec<_> = lengths
        .iter()
        .map(|length| arc(*length, FRAC_PI_2, 0.0, SEGMENTS))
        .collect();
    let mut fixture =
        StrandFixture::new(harness, harness.live(&Fibre::hair().times(1e-3)), &strands);
    for (lane, length) in lengths.iter().enumerate() {
        let speed = SWING * length * TAU / chain_period(*length);
        fixture.kick(lane, |i, _| {
            DVec3::X * (speed * chain_shape(i as f64 / SEGMENTS as f64))
        });
    }
    let mut crossings: Vec<Crossings> = lengths.iter().map(|_| Crossings::default()).collect();
    fixture.run(4.5 * chain_period(1.2), |fixture| {
        for (lane, crossings) in crossings.iter_mut().enumerate() {
            if fixture.time() < 4.5 * chain_period(lengths[lane]) {
                crossings.add(fixture.time(), fixture.tip(lane).x);
            }
        }
    });
    let mut outcome = Outcome::default();
    for (length, crossings) in lengths.iter().zip(&crossings) {
        if [0.3, 0.6, 1.2].contains(length) {
            let case = format!("{:.0} cm, steps of 1/60 s: period [s]", 100.0 * length);
            let wanted = chain_period(*length);
            let row = ValidationRow::relative(case, wanted, crossings.period(), 0.01);
            outcome.rows.push(row.at("length", *length, "m"));
        }
    }
    let curve = |i: i32| {
        let length = 0.2 + 1.1 * f64::from(i) / 60.0;
        [100.0 * length, chain_period(length)]
    };
    let points = lengths.iter().zip(&crossings);
    outcome.plot = Some(
        Plot::new("length [cm]", "period [s]")
            .theory("Bernoulli", (0..=60).map(curve).collect())
            .measured(
                "swings",
                points.map(|(l, c)| [100.0 * l, c.period()]).collect(),
            ),
    );
    outcome
}

/// Ordinary hair without weight. Implicit Euler slows a vibration by a share of
/// (omega h)^2 / 3: the step is so short that this is below 0.3 %.
pub fn beam(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let lengths = [0.04, 0.05, 0.06, 0.08];
    let strands: Vec<_> = lengths
        .iter()
        .map(|length| arc(*length, FRAC_PI_2, 0.0, SEGMENTS))
        .collect();
    let mut params = harness.live(&fibre);
    params.step.scale_to(960);
    let mut fixture = StrandFixture::new(harness, params, &strands);
    fixture.gravity = DVec3::ZERO;
    let frequency = |length: f64| beam_frequency(length, fibre.bending, Fibre::DENSITY);
    for (lane, length) in lengths.iter().enumerate() {
        let speed = SWING * length * TAU * frequency(*length);
        fixture.kick(lane, |i, _| {
            DVec3::X * (speed * beam_shape(i as f64 / SEGMENTS as f64))
        });
    }
    let mut crossings: Vec<Crossings> = lengths.iter().map(|_| Crossings::default()).collect();
    let cycles = |lane: usize| 4.5 / frequency(lengths[lane]);
    fixture.run(cycles(3), |fixture| {
        for (lane, crossings) in crossings.iter_mut().enumerate() {
            if fixture.time() < cycles(lane) {
                crossings.add(fixture.time(), fixture.tip(lane).x);
            }
        }
    });
    let mut outcome = Outcome::default();
    for (length, crossings) in lengths.iter().zip(&crossings) {
        if *length != 0.06 {
            let case = format!("{:.0} cm, steps of 1/960 s: frequency [Hz]", 100.0 * length);
            let found = 1.0 / crossings.period();
            let row = ValidationRow::relative(case, frequency(*length), found, 0.01);
            outcome.rows.push(row.at("length", *length, "m"));
        }
    }
    let curve = |i: i32| {
        let length = 0.035 + 0.05 * f64::from(i) / 60.0;
        [100.0 * length, frequency(length)]
    };
    let points = lengths.iter().zip(&crossings);
    outcome.plot = Some(
        Plot::new("length [cm]", "first frequency [Hz]")
            .theory("beam theory", (0..=60).map(curve).collect())
            .measured(
                "vibrations",
                points.map(|(l, c)| [100.0 * l, 1.0 / c.period()]).collect(),
            ),
    );
    outcome
}
