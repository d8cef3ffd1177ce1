//! How much of the torso's turn skin has where somebody queries it: none on the head,
//! all on the torso, and part of it in the neck between them.

use super::bend::{NeckBand, NeckBend};
use crate::math::lanes::{Lane, LaneRotation, V3};
use glam::Vec3;

/// The weights at a row of points.
pub struct NeckWeights<T> {
    /// How much of the torso's turn skin has there.
    pub weight: T,
    /// The level of the band there: see [`NeckBand::level`].
    level: T,
    /// Where each would be at rest if it went with the torso. `[m]`
    unturned: V3<T>,
    /// The level of the band there.
    low: T,
    /// One for those that neither the head nor the torso carries alone.
    between: T,
}

/// The weight at one of them.
#[derive(Clone, Copy)]
pub struct NeckWeight {
    /// How much of the torso's turn skin has there.
    pub weight: f32,
    /// The level of the band there.
    pub level: f32,
    /// Where it would be at rest if it went with the torso. `[m]`
    pub unturned: Vec3,
    /// The level of the band there.
    pub low: f32,
}

impl NeckWeight {
    /// Whether it is above the neck as the head sees it.
    pub fn above(&self) -> bool {
        self.level >= 1.0
    }
}

impl<T: Lane> NeckWeights<T> {
    /// Of the first `count` of the points `p`, under a neck bent so. `[m]`
    #[inline(always)]
    pub fn of(bend: &NeckBend, p: V3<T>, count: usize) -> Self {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let level = bend.band.levels(p);
        let unturned = bend.unturned_by(&LaneRotation::splat(bend.rotation), p);
        let low = bend.band.levels(unturned);
        let mut weight = level.less(one, zero.less(low, zero, one), zero);
        let asked = T::from_lanes(|lane| f64::from(u8::from(lane < count)));
        let between = level.less(one, zero.less(low, asked, zero), zero);
        if between.any() {
            let found = bend.weights_at(p, [level, low], between);
            weight = between.choose(found.max(zero).min(one), weight);
        }
        Self {
            weight,
            level,
            unturned,
            low,
            between,
        }
    }

    /// How skin is turned at each when the neck is bent so; undefined where it has no weight.
    #[inline(always)]
    pub fn shares(&self, bend: &NeckBend) -> LaneRotation<T> {
        let whole = LaneRotation::splat(bend.rotation);
        let part = self.weight.less(T::splat(1.0), self.between, T::zero());
        let lanes = T::splat(0.5).bits_less(part);
        if lanes == 0 {
            return whole;
        }
        let axes = V3::from(bend.turn).scale(self.weight);
        LaneRotation::of_scaled_axes(axes, lanes).select(part, whole)
    }

    /// How far below all that goes with the head each is. `[m]`
    #[inline(always)]
    pub fn clear_of_head(&self, band: &NeckBand) -> T {
        (T::splat(1.0) - self.level) * T::splat(band.width.into())
    }

    /// That in lane `index`.
    #[inline(always)]
    pub fn lane(&self, index: usize) -> NeckWeight {
        NeckWeight {
            weight: self.weight.single(index),
            level: self.level.single(index),
            unturned: self.unturned.at(index),
            low: self.low.single(index),
        }
    }
}
