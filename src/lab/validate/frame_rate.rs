//! The same motion at any frame rate.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, helix, worse},
    plot::{Outcome, logarithmic},
};
use crate::sim::SimParams;
use glam::DVec3;
use rayon::prelude::*;

/// Steps a second that are compared at the settings of theory. `[1/s]`
const RATES: [u32; 4] = [30, 60, 120, 240];

/// Steps a second that are compared as the window moves hair: none divides
/// [`PRODUCT`], whose substeps of 1/240 s would be the same. `[1/s]`
const PRODUCT_RATES: [u32; 4] = [50, 70, 90, 150];

/// What those are compared with. `[1/s]`
const PRODUCT: u32 = 240;

/// What a method with ever shorter substeps is compared with. `[1/s]`
const FINEST: u32 = 960;

/// Tips farther apart than this share of the way that they go move visibly
/// differently: of one method with longer substeps, and of the product, which keeps
/// its substeps at any rate.
const APART: [f64; 2] = [0.1, 0.05];

/// What is compared.
struct Comparison {
    /// Name of the settings.
    name: &'static str,
    /// The settings.
    params: SimParams,
    /// Steps a second. `[1/s]`
    rates: [u32; 4],
    /// Steps a second of the reference. `[1/s]`
    reference: u32,
    /// Whether substeps scale with the steps, or keep their length as far as whole
    /// numbers of them allow.
    scaled: bool,
    /// How often in a second tips are compared: all rates have a step then. `[1/s]`
    looks: u32,
    /// How far apart is too far.
    apart: f64,
}

impl Comparison {
    /// The settings of theory and the product's.
    fn both(harness: &Harness) -> [Self; 2] {
        [
            Self {
                name: "theory settings",
                params: harness.live(&Fibre::hair()),
                rates: RATES,
                reference: FINEST,
                scaled: true,
                looks: 30,
                apart: APART[0],
            },
            Self {
                name: "product settings",
                params: harness.product(),
                rates: PRODUCT_RATES,
                reference: PRODUCT,
                scaled: false,
                looks: 10,
                apart: APART[1],
            },
        ]
    }

    /// How far apart tips may be at the rates that are compared, as the plot shows it.
    fn allowed(&self) -> Vec<[f64; 2]> {
        let point = |rate: u32| [f64::from(rate), 100.0 * self.apart];
        self.rates.map(point).to_vec()
    }

    /// The settings at so many steps a second.
    fn at(&self, rate: u32) -> SimParams {
        let mut params = self.params.clone();
        match self.scaled {
            true => params.step.scale_to(rate),
            false => params.step.rate = rate,
        }
        params
    }
}

/// Where the tip of a curl of 20 cm is, `looks` times a second, while gravity tilts by 45
/// degrees for a second and back for another. `[m]`
fn tips(harness: &Harness, params: SimParams, looks: u32) -> Vec<DVec3> {
    let drag = f64::from(SimParams::default().forces.drag);
    let mut fixture = StrandFixture::new(harness, params, &[helix(0.2, 0.008, 0.012, SEGMENTS)]);
    fixture.drag = drag;
    let level = fixture.gravity;
    let tilted = DVec3::new(0.5f64.sqrt(), -0.5f64.sqrt(), 0.0) * level.length();
    let mut tips = vec![fixture.tip(0)];
    for look in 0..2 * looks {
        fixture.gravity = if look < looks { tilted } else { level };
        fixture.run(1.0 / f64::from(looks), |_| ());
        tips.push(fixture.tip(0));
    }
    tips
}

/// At the settings of theory each rate, with as many substeps a step (rods: one),
/// against 960 steps a second by the same method: how fast it converges. There is no
/// closed form for it: a method that is wrong in the same way at any rate passes. As the
/// window moves hair, rates whose substeps are not quite as long as those of 240 steps a
/// second, against these: whether they look alike.
pub fn frame_rate(harness: &Harness) -> Outcome {
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("steps in a second", "tip difference [% of travel]")
        .log_x()
        .log_y();
    // Of a quick look, the window's.
    let comparisons = Comparison::both(harness).into_iter();
    for comparison in comparisons.skip(usize::from(harness.quick)) {
        plot = plot.theory(
            format!("allowed, {}", comparison.name),
            comparison.allowed(),
        );
        let Comparison {
            name,
            rates,
            reference,
            apart: allowed,
            ..
        } = comparison;
        let with_reference: Vec<u32> = [reference].into_iter().chain(rates).collect();
        let mut paths: Vec<Vec<DVec3>> = with_reference
            .par_iter()
            .map(|rate| tips(harness, comparison.at(*rate), comparison.looks))
            .collect();
        let first = paths.remove(0);
        let way = |a: &[DVec3], b: &dyn Fn(usize) -> DVec3| {
            let far = a.iter().enumerate().map(|(i, p)| p.distance(b(i)));
            far.fold(0.0, worse)
        };
        let travel = way(&first, &|_| first[0]);
        let mut measured = Vec::new();
        for (rate, path) in rates.into_iter().zip(paths) {
            let apart = way(&path, &|i| first[i]) / travel;
            measured.extend(logarithmic(f64::from(rate), 100.0 * apart, 1e-4));
            outcome.rows.push(ValidationRow::at_most(
                format!(
                    "{name}, {rate} steps a second against {reference}: tip difference over its travel"
                ),
                apart,
                allowed,
            ));
        }
        plot = plot.measured(name, measured);
    }
    outcome.plot = Some(plot);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solver::SOLVERS;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    #[test]
    fn no_rate_is_compared_with_itself_and_all_have_steps_at_common_times() {
        let cancel = AtomicBool::new(false);
        for method in SOLVERS.iter() {
            let harness = Harness {
                method,
                variant: None,
                quick: false,
                cancel: &cancel,
                stretch: AtomicU64::new(0),
                moved: AtomicBool::new(false),
            };
            for comparison in Comparison::both(&harness) {
                let substep = |rate| comparison.at(rate).step.substep();
                let reference = substep(comparison.reference);
                for rate in comparison.rates {
                    let apart = (substep(rate) / reference - 1.0).abs();
                    assert!(apart > 0.01, "{}, {rate}: {apart}", method.id);
                    assert!(rate.is_multiple_of(comparison.looks), "{rate}");
                }
                assert!(comparison.reference.is_multiple_of(comparison.looks));
                // The line of what is allowed stands over its own rates.
                let allowed = comparison.allowed();
                assert!(
                    allowed
                        .iter()
                        .all(|point| point[1] == 100.0 * comparison.apart)
                );
                let rates = allowed.iter().map(|point| point[0]);
                assert!(rates.eq(comparison.rates.map(f64::from)));
            }
        }
    }
}
