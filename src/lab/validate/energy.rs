//! Energy without damping.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, helix, worse},
    plot::Outcome,
};
use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Length of the strands. `[m]`
const LENGTH: f64 = 0.3;

/// One moment of a strand.
struct Moment {
    time: f64,
    /// Kinetic energy and energy of height. `[J]`
    mechanical: f64,
    /// With what bending and twisting store, where the method knows.
    whole: Option<f64>,
}

impl Moment {
    fn of(fixture: &StrandFixture, lane: usize) -> Self {
        let mechanical = fixture.mechanical_energy(lane);
        Self {
            time: fixture.time(),
            mechanical,
            whole: fixture
                .elastic_energy(lane)
                .map(|elastic| mechanical + elastic),
        }
    }
}

/// A straight strand and a curl in their natural shape, without weight before,
/// are let go, the tip kicked at 1 m/s.
///
/// What bending stores is never negative and was zero at the start, so kinetic
/// energy and energy of height may never exceed their start, whatever the
/// method. Where the method knows its elastic energy, all of it together may
/// never rise at all, from the start on.
pub fn energy(harness: &Harness) -> Outcome {
    let rates: &[u32] = match harness.quick {
        true => &[60],
        false => &[60, 240],
    };
    let strands = [
        arc(LENGTH, FRAC_PI_2, 0.0, SEGMENTS),
        helix(LENGTH, 0.008, 0.012, SEGMENTS),
    ];
    let names = ["straight", "curl of 8 mm"];
    let curves: Vec<_> = rates
        .par_iter()
        .map(|rate| {
            let mut params = harness.live(&Fibre::hair());
            params.step.scale_to(*rate);
            let mut fixture = StrandFixture::new(harness, params, &strands);
            for lane in 0..strands.len() {
                fixture.kick(lane, |i, _| DVec3::X * (i as f64 / SEGMENTS as f64));
            }
            let mut curves = [0, 1].map(|lane| vec![Moment::of(&fixture, lane)]);
            fixture.run(4.0, |fixture| {
                for (lane, curve) in curves.iter_mut().enumerate() {
                    curve.push(Moment::of(fixture, lane));
                }
            });
            curves
        })
        .collect();
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "energy since the start [µJ]");
    // 1/6 m v^2: what rises is told as a share of it.
    let kick = Fibre::DENSITY * LENGTH / 6.0;
    for (rate, curves) in rates.iter().zip(&curves) {
        for (name, curve) in names.iter().zip(curves) {
            let case = |what: &str| format!("{name}, steps of 1/{rate} s: {what}");
            let Some(start) = curve.first().map(|start| start.mechanical) else {
                continue;
            };
            outcome.rows.push(ValidationRow::at_most(
                case("kinetic + height over the start, per kick"),
                over(start, curve.iter().map(|m| m.mechanical)) / kick,
                1e-3,
            ));
            let what = case("largest rise of the whole energy, per kick");
            outcome.rows.push(whole_row(what, curve, kick));
            let stride = (*rate as usize / 30).max(1);
            let shown = |m: &Moment| m.whole.unwrap_or(m.mechanical) - start;
            plot = plot.measured(
                format!("{name}, 1/{rate} s"),
                curve
                    .iter()
                    .skip(1)
                    .step_by(stride)
                    .map(|m| [m.time, 1e6 * shown(m)])
                    .collect(),
            );
        }
    }
    plot = plot.theory("never above", vec![[0.0, 0.0], [4.0, 0.0]]);
    outcome.plot = Some(plot);
    outcome
}

/// The whole energy of a curve from its start on; none where the method knows no elastic
/// energy. At the start it is what the kick gave alone: bending and twisting store nothing
/// in a strand in its natural shape, and a method knows its elastic energy after a step only.
fn whole(curve: &[Moment]) -> Option<Vec<f64>> {
    let (start, rest) = curve.split_first()?;
    let rest = rest.iter().map(|moment| moment.whole);
    [Some(start.mechanical)].into_iter().chain(rest).collect()
}

/// The row of the largest rise of the whole energy, as a share of the `kick`.
fn whole_row(case: String, curve: &[Moment], kick: f64) -> ValidationRow {
    let row = |rise: f64| ValidationRow::at_most(case, rise / kick, 1e-3);
    match whole(curve) {
        Some(whole) => row(largest_rise(&whole)),
        None => row(f64::NAN).unmeasured(),
    }
}

/// By how much the largest of these lies over the start; not a number if one of them is none.
fn over(start: f64, energies: impl Iterator<Item = f64>) -> f64 {
    energies.map(|energy| energy - start).fold(0.0, worse)
}

/// By how much a curve rises at most from any earlier point.
fn largest_rise(curve: &[f64]) -> f64 {
    let (mut low, mut rise) = (f64::MAX, 0.0);
    for value in curve {
        low = low.min(*value);
        rise = worse(rise, value - low);
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_that_is_no_number_or_gained_in_the_first_step_is_seen() {
        assert_eq!(over(2.0, [2.0, 1.5, 1.9].into_iter()), 0.0);
        assert_eq!(over(2.0, [2.0, 3.5, 1.0].into_iter()), 1.5);
        assert!(over(2.0, [2.0, f64::NAN, 1.0].into_iter()).is_nan());
    }

    fn moments(start: f64, whole: &[Option<f64>]) -> Vec<Moment> {
        let moment = |(step, whole): (usize, &Option<f64>)| Moment {
            time: step as f64,
            mechanical: start,
            whole: *whole,
        };
        // No method knows its elastic energy before it has moved the strand.
        [None].iter().chain(whole).enumerate().map(moment).collect()
    }

    #[test]
    fn the_first_step_counts_and_a_method_without_elastic_energy_is_not_judged() {
        let row = |whole: &[Option<f64>]| whole_row(String::new(), &moments(2.0, whole), 1.0);
        let gained = row(&[Some(2.1), Some(2.05), Some(1.9)]);
        assert!(gained.applies && !gained.pass, "{gained:?}");
        assert!(
            gained
                .measured
                .is_some_and(|rise| (rise - 0.1).abs() < 1e-12)
        );
        assert!(row(&[Some(2.0), Some(1.5), Some(1.4)]).pass);
        let lost = row(&[Some(2.0), Some(f64::NAN), Some(1.4)]);
        assert!(lost.applies && !lost.pass, "{lost:?}");
        let unknown = row(&[None, None]);
        assert!(!unknown.applies && !unknown.pass, "{unknown:?}");
    }
}
