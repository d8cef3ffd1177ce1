//! Energy without damping.

use super::{
    Outcome, Plot, Row,
    rig::{Bench, Fibre, Rig, SEGMENTS, arc, helix},
};
use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Length of the strands. `[m]`
const LENGTH: f64 = 0.3;

/// A straight strand and a curl in their natural shape, without weight before,
/// are let go, the tip kicked at 1 m/s. What bending stores is never negative
/// and was zero at the start, so kinetic energy and energy of height may never
/// exceed their start, whatever the method.
pub fn energy(bench: &Bench) -> Outcome {
    let rates: &[u32] = match bench.quick {
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
            let mut params = bench.live(&Fibre::hair());
            params.step.rate = *rate;
            let mut rig = Rig::new(bench, params, &strands);
            for lane in 0..strands.len() {
                rig.kick(lane, |i, _| DVec3::X * (i as f64 / SEGMENTS as f64));
            }
            let mut curves = [0, 1].map(|lane| vec![[0.0, rig.mechanical_energy(lane)]]);
            rig.run(4.0, |rig| {
                for (lane, curve) in curves.iter_mut().enumerate() {
                    curve.push([rig.time(), rig.mechanical_energy(lane)]);
                }
            });
            curves
        })
        .collect();
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "kinetic + height [µJ]");
    for (rate, curves) in rates.iter().zip(&curves) {
        for (name, curve) in names.iter().zip(curves) {
            let start = curve[0][1];
            let unit = Fibre::DENSITY * LENGTH;
            let most = curve.iter().map(|p| p[1]).fold(f64::MIN, super::rig::worse);
            // As a share of the energy of the kick, 1/6 m v^2.
            let rise = (most - start) / (unit / 6.0);
            let what = "rise above the start, as a share of the kick";
            outcome.rows.push(Row::at_most(
                format!("{name}, steps of 1/{rate} s: {what}"),
                rise,
                1e-3,
            ));
            let stride = (*rate as usize / 30).max(1);
            plot = plot.measured(
                format!("{name}, 1/{rate} s"),
                curve
                    .iter()
                    .step_by(stride)
                    .map(|p| [p[0], 1e6 * (p[1] - start)])
                    .collect(),
            );
        }
    }
    plot = plot.theory("never above", vec![[0.0, 0.0], [4.0, 0.0]]);
    outcome.plot = Some(plot);
    outcome
}
