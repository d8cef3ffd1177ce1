//! Which vertices may be deep in the skin at the end of a substep.

use super::{
    cache::has_plane,
    query::YANKED,
    surface::{CollisionSurface, ContactQuery, ContactResult},
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

/// Whether the vertex that has met that is deep in the skin.
#[inline]
pub fn is_deep(met: &ContactResult) -> bool {
    // What is no number is not known to be out.
    !(met.gap() > -YANKED)
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

    /// Leaves out strands of which no vertex is deep, by what all meet where they are, each
    /// by the `query` of its lane and row: most have slid along the skin and are not in it.
    pub fn keep_deep(
        &mut self,
        skin: &dyn CollisionSurface,
        query: impl Fn(usize, usize) -> ContactQuery,
    ) {
        if self.rows.is_empty() {
            return;
        }
        self.rows.sort_unstable();
        let queries = self.rows.iter().map(|(lane, row)| query(*lane, *row));
        let queries: Vec<ContactQuery> = queries.collect();
        let mut results = vec![ContactResult::NONE; queries.len()];
        skin.query_all(&queries, &mut results);
        let mut kept = Vec::new();
        let mut results = results.iter();
        for of_strand in self.rows.chunk_by(|a, b| a.0 == b.0) {
            let met = results.by_ref().take(of_strand.len());
            if met.filter(|met| is_deep(met)).count() > 0 {
                kept.extend_from_slice(of_strand);
            }
        }
        self.rows = kept;
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
}
