//! Energy without damping.

use super::{
    Criterion, Plot, ValidationRow,
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
    fn of(rig: &StrandFixture, lane: usize) -> Self {
        let mechanical = rig.mechanical_energy(lane);
        Self {
            time: rig.time(),
            mechanical,
            whole: rig.elastic_energy(lane).map(|elastic| mechanical + elastic),
        }
    }
}

/// A straight strand and a curl in their natural shape, without weight before,
/// are let go, the tip kicked at 1 m/s.
///
/// What bending stores is never negative and was zero at the start, so kinetic
/// energy and energy of height may never exceed their start, whatever the
/// method. Where the method knows its elastic energy, all of it together may
/// never rise at all after the first step, which first makes it known.
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
            let mut rig = StrandFixture::new(harness, params, &strands);
            for lane in 0..strands.len() {
                rig.kick(lane, |i, _| DVec3::X * (i as f64 / SEGMENTS as f64));
            }
            let mut curves = [0, 1].map(|lane| vec![Moment::of(&rig, lane)]);
            rig.run(4.0, |rig| {
                for (lane, curve) in curves.iter_mut().enumerate() {
                    curve.push(Moment::of(rig, lane));
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
            let whole: Option<Vec<f64>> = curve.iter().skip(1).map(|m| m.whole).collect();
            let what = case("largest rise of the whole energy, per kick");
            outcome.rows.push(match &whole {
                Some(whole) => ValidationRow::at_most(what, largest_rise(whole) / kick, 1e-3),
                None => ValidationRow::new(
                    format!("{what}; this method knows no elastic energy"),
                    Criterion::AtMost,
                    None,
                    None,
                    1e-3,
                ),
            });
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
}
