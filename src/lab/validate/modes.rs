//! How a strand vibrates and calms down: three modes of a clamped beam.

use super::{
    ValidationRow,
    fixture::{Fibre, Harness, StrandFixture, arc},
    plot::Outcome,
    theory::{BEAM_ROOTS, beam_mode, mode_frequency},
};
use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Length of the strand. `[m]`
const LENGTH: f64 = 0.1;

/// Its segments.
const SEGMENTS: usize = 48;

/// How far the tip swings, in lengths.
const SWING: f64 = 0.005;

/// What is found of a mode: its frequency `[Hz]` and how fast it fades `[1/s]`; not
/// a number where it does not swing.
#[derive(Clone, Copy)]
struct Vibration {
    frequency: f64,
    fading: f64,
}

/// Kicks the strand into each mode of `modes` and watches some swings of it.
fn vibrate(fixture: &mut StrandFixture, modes: &[usize]) -> Vec<Vibration> {
    fixture.gravity = DVec3::ZERO;
    let shape = |mode: usize, i: usize| beam_mode(mode, i as f64 / SEGMENTS as f64);
    let fibre = Fibre::hair();
    let pace = |mode: usize| mode_frequency(mode, LENGTH, fibre.bending, Fibre::DENSITY);
    for (lane, mode) in modes.iter().enumerate() {
        let speed = SWING * LENGTH * TAU * pace(*mode);
        fixture.kick(lane, |i, _| DVec3::X * (speed * shape(*mode, i)));
    }
    // The share of a mode, and how fast it grows: modes are at right angles.
    let part = |fixture: &StrandFixture, lane: usize, mode: usize| {
        let mut sums = [0.0; 3];
        for i in 0..=SEGMENTS {
            let weight = fixture.mass(i, lane) * shape(mode, i);
            sums[0] += weight * shape(mode, i);
            sums[1] += weight * fixture.block.point(i, lane).x;
            sums[2] += weight * fixture.velocity(i, lane).x;
        }
        [sums[1] / sums[0], sums[2] / sums[0]]
    };
    // The slowest has faded after few.
    let watched = |mode: usize| if mode == 0 { 2.4 } else { 5.4 } / pace(mode);
    let mut last = vec![[0.0; 2]; modes.len()];
    let mut crossed: Vec<Vec<[f64; 2]>> = vec![Vec::new(); modes.len()];
    let longest = modes.iter().map(|mode| watched(*mode));
    fixture.run(longest.fold(0.0, f64::max), |fixture| {
        for (lane, mode) in modes.iter().enumerate() {
            if fixture.time() > watched(*mode) {
                continue;
            }
            let [at, speed] = part(fixture, lane, *mode);
            let [before, faster] = last[lane];
            if before < 0.0 && at >= 0.0 {
                let share = before / (before - at);
                let time = fixture.time() - fixture.dt() * (1.0 - share);
                crossed[lane].push([time, faster + share * (speed - faster)]);
            }
            last[lane] = [at, speed];
        }
    });
    let found = |crossed: Vec<[f64; 2]>| match crossed.as_slice() {
        [first, .., last] => Vibration {
            frequency: (crossed.len() - 1) as f64 / (last[0] - first[0]),
            fading: (first[1] / last[1]).ln() / (last[0] - first[0]),
        },
        _ => Vibration {
            frequency: f64::NAN,
            fading: f64::NAN,
        },
    };
    crossed.into_iter().map(found).collect()
}

/// The settings that its modes are measured at.
const NAMES: [&str; 3] = [
    "1/3840 s",
    "1/3840 s, rubbing in place of air",
    "product settings",
];

/// Hair of 10 cm without weight, in air that takes the same share of the speed
/// from all modes: frequency sqrt(omega² - delta²), fading delta = drag / 2.
///
/// First at the settings of theory, 3840 steps a second, then as the window moves
/// it: 60 steps a second, groom held, its own damping.
pub fn modes(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let strand = || arc(LENGTH, FRAC_PI_2, 0.0, SEGMENTS);
    let theory = || {
        let mut params = harness.live(&fibre);
        params.step.scale_to(3840);
        let mut fixture = StrandFixture::new(harness, params, &[strand(), strand(), strand()]);
        fixture.drag = 4.0;
        (4.0, vibrate(&mut fixture, &[0, 1, 2]))
    };
    let rubbing = || {
        let mut params = harness.live(&fibre);
        params.step.scale_to(3840);
        let mut fixture = StrandFixture::new(harness, params, &[strand()]);
        fixture.rub = 4.0;
        (4.0, vibrate(&mut fixture, &[0]))
    };
    let product = || {
        let mut fixture = StrandFixture::holding(harness, &[strand()]);
        fixture.drag = f64::from(crate::sim::SimParams::default().forces.drag);
        (fixture.drag, vibrate(&mut fixture, &[0]))
    };
    let cases: [&(dyn Fn() -> (f64, Vec<Vibration>) + Sync); 3] = [&theory, &rubbing, &product];
    let found: Vec<(f64, Vec<Vibration>)> = cases.par_iter().map(|case| case()).collect();
    let mut outcome = Outcome::default();
    for ((drag, modes), settings) in found.into_iter().zip(NAMES) {
        for (mode, found) in modes.into_iter().enumerate() {
            let free = TAU * mode_frequency(mode, LENGTH, fibre.bending, Fibre::DENSITY);
            let delta = 0.5 * drag;
            let case = |what| {
                format!(
                    "{settings}, mode {} of {}: {what}",
                    mode + 1,
                    BEAM_ROOTS.len()
                )
            };
            let wanted = (free * free - delta * delta).sqrt() / TAU;
            outcome.rows.push(ValidationRow::relative(
                case("frequency [Hz]"),
                wanted,
                found.frequency,
                0.01,
            ));
            outcome.rows.push(ValidationRow::relative(
                case("fading [1/s]"),
                delta,
                found.fading,
                0.05,
            ));
        }
    }
    outcome
}
