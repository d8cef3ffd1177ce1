//! Which vertices may be deep in the skin at the end of a substep.

use super::{
    cache::has_plane,
    query::YANKED,
    surface::{CollisionSurface, ContactQuery, ContactResult, QueryBatch},
};
use crate::math::lanes::{Lane, V3};

/// A vertex so deep behind its plane is lost to the method, even within reach. `[m]`
const LOST: f64 = 0.0018;

/// One that slid farther than this from where it was carried may have come off its plane. `[m]`
const FAR: f64 = 0.001;

/// One in the lanes of vertices that may be deep in the skin at `x`: those whose plane
/// is out of reach of the vertex before them, at `inner`, and those that have slid far
/// from where they asked for it, into the groove behind an ear for one. The skin has
/// carried what was at the vertex's start to `carried`. What lies little behind a plane
/// within reach, and has not slid, is the method's own business. `[m]`
#[inline(always)]
pub fn may_penetrate<T: Lane>(
    [inner, x]: [V3<T>; 2],
    carried: V3<T>,
    normal: V3<T>,
    offset: T,
) -> T {
    let (zero, one) = (T::zero(), T::splat(1.0));
    let (over, behind) = (normal.dot(x) - offset, T::splat(-YANKED));
    let length = |v: V3<T>| v.dot(v).sqrt();
    let slid = length(x - carried);
    let wrong = over.less(slid, T::splat(FAR).less(slid, one, zero), zero);
    let rise = offset - normal.dot(inner);
    let beyond = length(x - inner).less(rise, one, zero);
    let beyond = over.less(T::splat(-LOST), one, beyond);
    let beyond = over.less(behind, beyond, zero);
    has_plane(offset, beyond.max(wrong), zero)
}

/// Whether the vertex that has met that is out of the skin, or not deep in it; what is no
/// number is not known to be.
#[inline]
pub fn is_out(met: &ContactResult) -> bool {
    met.gap() > -YANKED
}

/// Whether the bit of `lane` is set.
fn has_bit(bits: u32, lane: usize) -> bool {
    bits >> lane & 1 == 1
}

/// The rows of a group of strands that may be deep in the skin.
#[derive(Default)]
pub struct Candidates {
    /// Lane and row of each.
    rows: Vec<(usize, usize)>,
}

impl Candidates {
    /// Takes in the lanes of `row` where `deep` is one, of the strands with so many
    /// vertices.
    #[inline(always)]
    pub fn add<T: Lane>(&mut self, row: usize, deep: T, vertices: &[usize]) {
        if deep.any() {
            let lanes = vertices.iter().enumerate();
            let deep = lanes.filter(|(lane, count)| deep.get(*lane) > 0.5 && row < **count);
            self.rows.extend(deep.map(|(lane, _)| (lane, row)));
        }
    }

    /// Leaves out strands in the lanes whose bit is set in `held`, and those of which no
    /// candidate is deep, by what each meets where it is and the `query` of its lane and row:
    /// most have slid along the skin and are not in it. Nothing is lost: the first vertex of
    /// a strand to leave is a candidate that is deep where it is, and what is drawn along
    /// comes after it.
    #[inline(never)]
    pub fn keep_deep(
        &mut self,
        skin: &dyn CollisionSurface,
        held: u32,
        query: impl Fn(usize, usize) -> ContactQuery,
    ) {
        self.rows.retain(|(lane, _)| !has_bit(held, *lane));
        if self.rows.is_empty() {
            return;
        }
        let mut batch = QueryBatch::default();
        for (lane, row) in &self.rows {
            batch.push(*lane, query(*lane, *row));
        }
        batch.run(skin);
        let mut deep = 0;
        for (lane, _, met) in batch.results() {
            deep |= u32::from(!is_out(met)) << lane;
        }
        self.rows.retain(|(lane, _)| has_bit(deep, *lane));
    }

    /// Calls `act` with each lane that has some, and its rows in rising order.
    #[inline(always)]
    pub fn by_strand(mut self, mut act: impl FnMut(usize, &[usize])) {
        if self.rows.is_empty() {
            return;
        }
        self.rows.sort_unstable();
        for of_lane in self.rows.chunk_by(|a, b| a.0 == b.0) {
            let rows: Vec<usize> = of_lane.iter().map(|(_, row)| *row).collect();
            act(of_lane[0].0, &rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{math::lanes::F, sim::contact::Tangent};
    use glam::Vec3;

    #[test]
    fn one_that_slid_far_may_be_deep_on_either_side_of_its_plane() {
        // On a floor, 1 cm beside the vertex before it, which is 2 mm above.
        let may = |height: f64, slid: f64| {
            let at = |p: [f64; 3]| V3::<f64>::splat(p);
            let places = [at([0.0, 0.0, 0.002]), at([0.01, 0.0, height])];
            let carried = at([0.01 - slid, 0.0, height]);
            may_penetrate(places, carried, at([0.0, 0.0, 1.0]), 0.0) > 0.5
        };
        assert!(!may(0.0, 0.0009) && may(0.0, 0.0011));
        // Behind by more than a rounding, but within reach of the vertex before it.
        assert!(!may(-0.0012, 0.0009) && may(-0.0012, 0.0059));
        // It is far in front of it for all it slid.
        assert!(!may(0.003, 0.0029));
        // Deep behind it, without a slide.
        assert!(may(-0.002, 0.0));
    }

    #[test]
    fn strands_without_a_deep_vertex_are_left_out_whole() {
        /// Solid below z = 0; at x = 9 no distance is a number.
        struct Ground;
        impl CollisionSurface for Ground {
            fn tangent(&self, _from: Vec3, to: Vec3) -> Tangent {
                Tangent {
                    normal: Vec3::Z,
                    offset: 0.0,
                    distance: self.distance(to),
                }
            }
            fn distance(&self, p: Vec3) -> f32 {
                if p.x == 9.0 { f32::NAN } else { p.z }
            }
        }
        // Heights of rows 1 and 2 of each strand, by its lane; row after row they are found.
        let heights = [[0.0, -0.002], [-0.002, -0.002], [0.0, -0.0009], [0.0, 0.0]];
        let place = |lane: usize, row: usize| {
            let x = if lane == 3 { 9.0 } else { 0.0 };
            Vec3::new(x, 0.0, heights[lane][row - 1])
        };
        let rows = |held: u32| {
            let mut candidates = Candidates::default();
            for row in [1, 2] {
                candidates.add(row, F::<4>::splat(1.0), &[3; 4]);
            }
            candidates.keep_deep(&Ground, held, |lane, row| {
                let p = place(lane, row);
                ContactQuery::of_point(p, p, 0)
            });
            let mut kept = Vec::new();
            candidates.by_strand(|lane, rows| kept.push((lane, rows.to_vec())));
            kept
        };
        let both = |lane| (lane, vec![1, 2]);
        assert_eq!(rows(0), [0, 1, 3].map(both));
        assert_eq!(rows(0b1010), [both(0)], "hands hold the others");
    }
}
