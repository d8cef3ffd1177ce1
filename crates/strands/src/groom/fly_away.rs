//! Fly-aways: followers that leave their lock and stand off from the hair, one by
//! one, each with a bend of its own.

use super::{FollowerParams, Groom};
use crate::math::{
    Pose,
    elementary::{cos, sin},
    random::strand_random,
    smoothstep,
};
use glam::Vec3;

/// Tied hair has been combed: so much is left of how far fly-aways stand off.
const TIED: f32 = 0.5;
/// The same of straight hair, and of hair that curls.
const STRAIGHT: f32 = 0.6;
const CURLY: f32 = 1.2;
/// Strands whose ends are farther apart than this share of their length are
/// straight; and those that are nearer than this curl.
const ENDS: [f32; 2] = [0.9, 0.45];
/// So many strands tell how much hair curls.
const ASKED: usize = 300;
/// A fly-away is half as far off as it gets so far from where it leaves. `[m]`
const LEAVES: f32 = 0.035;

/// How the fly-aways of a groom stand off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlyAways {
    /// The middle of all roots, from which they stand off, in the head's space. `[m]`
    pub middle: Vec3,
    /// How wild they are, a factor: 1 in wavy hair, less in straight and tied hair.
    pub wild: f32,
}

impl FlyAways {
    /// What is known of it from the rest curves.
    pub fn of(groom: &Groom) -> Self {
        let strands = groom.strands();
        let roots = (0..strands).filter_map(|strand| groom.strand(strand).first());
        let roots = roots.filter(|root| root.is_finite());
        let (sum, count) = roots.fold((Vec3::ZERO, 0), |(sum, n), root| (sum + *root, n + 1));
        let stride = strands.div_ceil(ASKED).max(1);
        let asked = (0..strands).step_by(stride).map(|strand| {
            let points = groom.strand(strand);
            let length: f32 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
            let ends = points.first().zip(points.last());
            let ends = ends.map_or(0.0, |(root, tip)| root.distance(*tip));
            [ends, length].map(|x| if x.is_finite() { x } else { 0.0 })
        });
        let [ends, length] = asked.fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let curls = smoothstep(ENDS[0], ENDS[1], ends / length.max(1e-6));
        let loose = STRAIGHT + (CURLY - STRAIGHT) * curls;
        let tied = groom.tied().iter().filter(|tied| **tied).count();
        let tied = tied as f32 / strands.max(1) as f32;
        let wild = (1.0 - tied) * loose + tied * TIED;
        Self {
            middle: sum / count.max(1) as f32,
            wild,
        }
    }

    /// What a fly-away with that `id` and `length` `[m]` is off at `u` along its
    /// guide, where it would be at `place` on a head at `pose`: as
    /// `shaders/grow.vert` has it. `[m]`
    pub(super) fn off(
        &self,
        params: &FollowerParams,
        pose: &Pose,
        place: Vec3,
        id: u32,
        [length, u]: [f32; 2],
    ) -> Vec3 {
        let random = |slot: u32| strand_random(id, slot);
        let far = (u - (0.1 + 0.5 * random(17))).max(0.0) * length;
        let x = far / LEAVES.min(0.35 * length).max(1e-4);
        let most = params.stand_off * self.wild * (0.25 + 0.75 * random(18));
        let outwards = (place - pose.point(self.middle)).normalize_or(Vec3::Y);
        let any = Vec3::new(random(19), random(26), random(27)) * 2.0 - 1.0;
        let bow = far * (50.0 + 110.0 * random(28)) + std::f32::consts::TAU * random(29);
        let aside = Vec3::new(sin(bow), cos(bow), sin(1.3 * bow));
        let along = outwards + pose.vector(0.6 * any + 0.35 * aside);
        along * (most * x * x / (1.0 + x * x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::sin_cos;

    /// Strands that wind around a vertical line in so many turns on a radius of 1 cm.
    fn wound(turns: f32) -> Groom {
        let point = |i: usize| {
            let t = i as f32 / 60.0;
            let (sin, cos) = sin_cos(std::f32::consts::TAU * turns * t);
            Vec3::new(0.01 * cos, -0.2 * t, 0.01 * sin)
        };
        Groom {
            points: (0..=60).map(point).collect(),
            starts: vec![0, 61],
            masses: vec![1.0],
            ..Groom::default()
        }
    }

    #[test]
    fn curls_are_wilder_than_straight_hair_and_tied_hair_is_tame() {
        let wild = |groom: &Groom| FlyAways::of(groom).wild;
        assert!((wild(&wound(0.0)) - STRAIGHT).abs() < 1e-3);
        assert!((wild(&wound(8.0)) - CURLY).abs() < 1e-3);
        let tied = Groom {
            ties: vec![[0, 20]],
            ..wound(8.0)
        };
        assert_eq!(wild(&tied), TIED);
        assert_eq!(FlyAways::of(&Groom::default()).middle, Vec3::ZERO);
    }

    #[test]
    fn a_fly_away_leaves_its_lock_outwards_and_no_farther_than_is_said() {
        let flying = FlyAways {
            middle: Vec3::ZERO,
            wild: 1.0,
        };
        let params = FollowerParams {
            stand_off: 0.02,
            ..FollowerParams::default()
        };
        let mut mean = Vec3::ZERO;
        for id in 0..500 {
            let at = |u| flying.off(&params, &Pose::IDENTITY, Vec3::X, id, [0.2, u]);
            assert_eq!(at(0.0), Vec3::ZERO, "it grows from its root");
            let off = at(1.0);
            assert!(off.length() < 0.02 * 2.7, "{off}");
            mean += off / 500.0;
        }
        assert!(
            mean.x > 0.006 && mean.with_x(0.0).length() < 0.003,
            "{mean}"
        );
    }
}
