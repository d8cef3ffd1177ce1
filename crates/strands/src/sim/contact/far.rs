//! Which vertices are far from everything that they may meet: most that query are, and a
//! clearance bound is enough for them.

use super::{
    rows::{PointNumbers, PointRow},
    surface::CollisionSurface,
};
use crate::math::{
    instructions::Instructions,
    lanes::{Lane, V3},
    work::{LaneWork, lane_work},
};
use glam::Vec3;

/// Vertices on their way in one substep, in the head's space.
pub(super) struct Ways {
    /// Where they were when the substep began. `[m]`
    from: PointRow,
    /// Where they would be when it ends. `[m]`
    to: PointRow,
}

/// What counts as far.
#[derive(Clone, Copy, Debug)]
pub(super) struct FarLimits {
    /// The distance that hair keeps. `[m]`
    pub margin: f64,
    /// A vertex is far that is more than this farther away, and its way. `[m]`
    pub near: f64,
    /// What is so thin that it may pass a vertex goes no farther in the substep: bodies
    /// beside the head, not the torso. `[m]`
    pub travel: f64,
}

/// The answer for each of a row of ways.
pub(super) struct Far {
    gap: PointNumbers,
    far: PointNumbers,
}

impl Far {
    /// How far each is at the end of its way from the distance that hair keeps, at least,
    /// `[m]` and one in the lanes where that is far; only for those that asked.
    #[inline(always)]
    pub fn lanes<T: Lane>(&self) -> [T; 2] {
        [self.gap.lanes(0), self.far.lanes(0)]
    }
}

impl Ways {
    /// Those that start `from` a point and go `to` another, of which those ask that have a
    /// one in `asking`. `[m]`
    #[inline(always)]
    pub fn new<T: Lane>(from: &V3<T>, to: &V3<T>, asking: T) -> Self {
        Self {
            from: PointRow::new(from, T::zero()),
            to: PointRow::new(to, asking),
        }
    }

    /// The way of one. `[m]`
    pub fn of(&self, lane: usize) -> [Vec3; 2] {
        [self.from.point(lane), self.to.point(lane)]
    }

    /// Which of those that ask are far from `skin` in that substep: their whole way lies in
    /// a ball around its end in which nothing is. Not compiled into the kernels: they have
    /// no registers left for it.
    #[inline(never)]
    pub fn far(&self, skin: &dyn CollisionSurface, limits: FarLimits, substep: usize) -> Far {
        let mut answer = Far {
            gap: skin.clear(&self.to, substep),
            far: PointNumbers::splat(0.0),
        };
        let rows = FarRows {
            ways: self,
            limits,
            answer: &mut answer,
        };
        lane_work(Instructions::widest(), rows);
        answer
    }
}

/// Tells which ways are far from what is at least so far from their ends.
struct FarRows<'a> {
    ways: &'a Ways,
    limits: FarLimits,
    answer: &'a mut Far,
}

impl LaneWork for FarRows<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let (
            FarLimits {
                margin,
                near,
                travel,
            },
            Far { gap, far },
        ) = (self.limits, self.answer);
        // What is met was elsewhere when the substep began, and the vertex saw it go.
        let (margin, near) = (T::splat(margin), T::splat(near + 2.0 * travel));
        for first in self.ways.to.firsts::<T>() {
            let (from, _) = self.ways.from.lanes::<T>(first);
            let (to, asking) = self.ways.to.lanes::<T>(first);
            let way = to - from;
            let left = gap.lanes::<T>(first) - margin;
            gap.put(first, left);
            let length = way.dot(way).sqrt();
            far.put(first, (near + length).less(left, asking, T::zero()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::lanes::F,
        sim::contact::{ContactQuery, Tangent},
    };

    /// A sheet at height zero that is one metre wide, as thin as paper.
    struct Sheet;

    impl CollisionSurface for Sheet {
        fn tangent(&self, _from: Vec3, to: Vec3) -> Tangent {
            Tangent::far(self.distance(to))
        }

        fn distance(&self, p: Vec3) -> f32 {
            let nearest = Vec3::new(p.x.clamp(-0.5, 0.5), 0.0, p.z.clamp(-0.5, 0.5));
            p.distance(nearest)
        }

        fn clear(&self, points: &PointRow, _substep: usize) -> PointNumbers {
            let mut clear = PointNumbers::splat(f32::MIN);
            clear.change(points, |p, _| self.distance(p));
            clear
        }
    }

    const LIMITS: FarLimits = FarLimits {
        margin: 0.001,
        near: 0.003,
        travel: 0.0,
    };

    fn far([from, to]: [Vec3; 2], limits: FarLimits) -> bool {
        let ways = Ways::new::<f32>(&from.into(), &to.into(), 1.0);
        ways.far(&Sheet, limits, 0).lanes::<f32>()[1] == 1.0
    }

    fn up(y: f32) -> Vec3 {
        Vec3::new(0.1, y, 0.0)
    }

    #[test]
    fn what_crossed_a_sheet_is_not_far_from_it() {
        assert!(!far([up(0.008), up(-0.01)], LIMITS));
        assert!(!far([up(-0.02), up(0.03)], LIMITS));
        assert!(far([up(0.016), up(0.012)], LIMITS) && far([up(0.02), up(0.04)], LIMITS));
    }

    #[test]
    fn each_way_of_a_row_is_as_far_as_alone() {
        let heights = |lane: usize| {
            let lane = lane as f32;
            [up(0.001 * lane - 0.01), up(0.0247 - 0.001 * lane)]
        };
        let asks = |lane: usize| lane % 5 != 2;
        let row = |end: usize| V3::<F<32>>::from_lanes(|lane| heights(lane)[end]);
        let asking = F::<32>::from_lanes(|lane| f64::from(u8::from(asks(lane))));
        let ways = Ways::new(&row(0), &row(1), asking);
        let [_, found] = ways.far(&Sheet, LIMITS, 0).lanes::<F<32>>();
        let wanted = |lane| asks(lane) && far(heights(lane), LIMITS);
        let lanes = (0..32).filter(|lane| found.0[*lane] == 1.0);
        let far: Vec<usize> = lanes.collect();
        assert_eq!(far, (0..32).filter(|l| wanted(*l)).collect::<Vec<_>>());
        assert!((3..25).contains(&far.len()), "{far:?}");
    }

    #[test]
    fn what_moves_may_have_been_on_the_other_side() {
        let moving = FarLimits {
            travel: 0.004,
            ..LIMITS
        };
        let way = [up(0.014), up(0.012)];
        assert!(far(way, LIMITS) && !far(way, moving));
        assert!(far([up(0.02), up(0.022)], moving));
    }

    #[test]
    fn near_ones_and_those_that_do_not_ask_are_not_far() {
        assert!(!far([up(0.0035), up(0.0035)], LIMITS));
        assert!(far([up(0.0045), up(0.0045)], LIMITS));
        assert!(!far([up(0.0045) + Vec3::X * 0.001, up(0.0045)], LIMITS));
        let [from, to] = [up(0.1), up(0.1)];
        let ways = Ways::new::<f32>(&from.into(), &to.into(), 0.0);
        assert_eq!(ways.far(&Sheet, LIMITS, 0).lanes::<f32>()[1], 0.0);
        let query = ContactQuery::of_point(from, to, 0);
        assert!(Sheet.query(&query).tangent.distance > 0.09);
    }
}
