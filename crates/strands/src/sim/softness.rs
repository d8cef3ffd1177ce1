//! One control for the stiffness of hair, in every method, and what holds a
//! hairstyle up against the weight it was modelled under.
//!
//! A style is modelled as it looks under gravity. So its rest state carries the
//! strand's weight: elastic rods by strains without stress that are worked out
//! from it (`rod/rest.rs`, `der/rest.rs`), the other methods by a load that
//! cancels the weight of the modelled pose and turns with the head (a sag-free
//! rest state: Hsu et al. 2022, "A General Two-Stage Initialization for Sag-Free
//! Deformable Simulations"). That load is stress, so it is as large as the hair
//! is stiff: limper hair sags, wirier hair rests as it was modelled.

use super::{forces::GRAVITY, params::StepParams};
use crate::math::{
    elementary::pow,
    lanes::{Lane, LaneFrame, V3},
};

/// Wiry hair is so many times as stiff as modelled, limp hair so many times
/// less.
const RANGE: f64 = 16.0;

/// How far the slider takes hair in a second. Let go at once from limp to wiry, the default
/// hair bursts off the head at 20 m/s and goes 3 mm into it; by this it curls up at 1.6 m/s,
/// stays out, and rests as early. `[1/s]`
const PER_SECOND: f32 = 2.0;

/// Where the slider has hair after so many `seconds` that was at `before`, if it has moved
/// yet, and shall be at `wanted`.
pub(super) fn eased(before: Option<f32>, wanted: f32, seconds: f32) -> f32 {
    let way = PER_SECOND * seconds;
    before.map_or(wanted, |before| wanted.clamp(before - way, before + way))
}

/// What the softness slider makes of a method's own stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// How many times as stiff as modelled.
    pub stiffness: f64,
    /// Whether the style as modelled stays at rest however limp the hair is.
    pub keeps_shape: bool,
}

impl Softness {
    /// As the scene has it: logarithmic, 1 in the middle of the slider.
    pub fn new(step: &StepParams) -> Self {
        Self {
            stiffness: pow(RANGE, 2.0 * f64::from(step.softness) - 1.0),
            keeps_shape: step.keep_shape,
        }
    }

    /// The stiffness that the rest state is worked out for, as a multiple of
    /// that of the modelled hair. Wiry hair keeps its style in every method: worked out for
    /// softer hair, rods would stand on end.
    pub fn modelled(&self) -> f64 {
        match self.keeps_shape {
            true => self.stiffness,
            false => self.stiffness.max(1.0),
        }
    }

    /// The stiffness that the groom hold is worked out for: that of the rest state, but for
    /// wiry hair as it was modelled. It needs less, but held joints shall grow as stiff as
    /// others, and a hold that is found once is not found anew while the slider moves.
    pub fn held_for(&self) -> f64 {
        self.modelled().min(1.0)
    }

    /// Of a stiffness in 0..=1 that leaves (1 - k) of an error: what is left
    /// after so many times as many passes.
    pub fn of_share(&self, k: f64) -> f64 {
        if self.stiffness == 1.0 {
            return k;
        }
        1.0 - pow(1.0 - k.clamp(0.0, 1.0), self.stiffness)
    }

    /// Share of the modelled weight that the rest state carries; none of it
    /// where the method is not `sag_free`. Stress beyond the modelled one would
    /// need a method that holds against it as its material does.
    pub fn carried(&self, sag_free: bool) -> f64 {
        match (sag_free, self.keeps_shape) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            (true, false) => self.stiffness.min(1.0),
        }
    }
}

/// Acceleration that carries a `share` of the modelled weight, in the world of
/// a head that stands in `frame`. `[m/s²]`
#[inline(always)]
pub fn support<T: Lane>(frame: &LaneFrame<T>, share: f64) -> V3<T> {
    if share == 0.0 {
        return V3::zero();
    }
    frame.vector(V3::splat([0.0, share * GRAVITY, 0.0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(softness: f32, keep_shape: bool) -> Softness {
        Softness::new(&StepParams {
            softness,
            keep_shape,
            ..StepParams::default()
        })
    }

    #[test]
    fn the_middle_of_the_slider_changes_nothing() {
        let middle = at(0.5, false);
        assert_eq!((middle.stiffness, middle.modelled()), (1.0, 1.0));
        assert_eq!(middle.of_share(0.3), 0.3);
        assert_eq!([true, false].map(|on| middle.carried(on)), [1.0, 0.0]);
    }

    #[test]
    fn hair_follows_the_slider_within_half_a_second_and_begins_where_it_is() {
        assert_eq!(eased(None, 1.0, 0.01), 1.0);
        let mut softness = 0.0;
        for _ in 0..59 {
            softness = eased(Some(softness), 1.0, 1.0 / 120.0);
        }
        assert!(softness > 0.98 && softness < 1.0, "{softness}");
        for _ in 0..2 {
            softness = eased(Some(softness), 1.0, 1.0 / 120.0);
        }
        assert_eq!(softness, 1.0);
        assert!((eased(Some(1.0), 0.0, 0.05) - 0.9).abs() < 1e-6);
    }

    #[test]
    fn limp_hair_carries_less_of_its_weight_unless_it_keeps_its_shape() {
        let limp = at(0.25, false);
        assert!((limp.stiffness - 0.25).abs() < 1e-12);
        assert_eq!(limp.carried(true), limp.stiffness);
        assert_eq!(at(0.25, true).carried(true), 1.0);
        assert_eq!(
            (limp.modelled(), at(0.25, true).modelled()),
            (1.0, limp.stiffness)
        );
        let wiry = at(0.75, false);
        assert_eq!(wiry.modelled(), wiry.stiffness, "it does not lift");
        assert_eq!((wiry.held_for(), limp.held_for()), (1.0, 1.0));
        assert_eq!(at(0.25, true).held_for(), limp.stiffness);
        assert_eq!(at(1.0, false).carried(true), 1.0);
    }

    #[test]
    fn shares_stay_shares_and_grow_with_the_slider() {
        let mut before = -1.0;
        for softness in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let share = at(softness, false).of_share(0.3);
            assert!(share > before && share < 1.0, "{softness}: {share}");
            before = share;
        }
        assert_eq!(at(1.0, false).of_share(0.0), 0.0);
        assert_eq!(at(1.0, false).of_share(1.0), 1.0);
    }
}
