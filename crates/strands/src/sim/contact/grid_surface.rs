//! A grid of distances as a collision surface: the fast one, which rows of vertices
//! ask at once.

use super::{
    rows::{MOST, PointNumbers, PointRow, RowSurface, query_one, query_rows},
    surface::{CollisionSurface, ContactQuery, ContactResult, Tangent},
};
use crate::{
    math::{
        instructions::Instructions,
        lanes::Lane,
        work::{LaneWork, lane_work},
    },
    mesh::DistanceGrid,
};
use glam::Vec3;

/// So much farther away than the distance that hair keeps a vertex needs no plane. `[m]`
const FAR: f64 = 0.0035;

/// A margin is wide that is wider than it is by itself. `[m]`
const WIDE: f64 = 0.0015;

/// The tightest curve of a head, for which a plane is good that always is good for
/// as far. `[m]`
const EAR: f32 = 0.005;

/// No plane holds for more times as far, however flat the skin is.
const FLAT: f32 = 3.0;

impl CollisionSurface for DistanceGrid {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        self.query(&ContactQuery::of_point(from, to, 0)).tangent
    }

    fn distance(&self, p: Vec3) -> f32 {
        self.sample(p)
    }

    fn clear(&self, points: &PointRow, _substep: usize) -> PointNumbers {
        let mut clear = PointNumbers::splat(f32::MIN);
        let row = ClearRow {
            grid: self,
            points,
            clear: &mut clear,
        };
        lane_work(Instructions::widest(), row);
        clear
    }

    fn query(&self, query: &ContactQuery) -> ContactResult {
        query_one(self, query)
    }

    fn query_all(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        query_rows(self, Instructions::widest(), queries, results);
    }
}

impl RowSurface for DistanceGrid {
    #[inline(always)]
    fn query_row<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        results: &mut [ContactResult],
    ) {
        let [from, to] = ContactQuery::ways::<T, N>(queries);
        let (distance, normal) = self.sample_row::<T, N>(to, queries.len());
        let way = to - from;
        let length = way.dot(way).sqrt();
        let offset = normal.dot(to) - distance;
        for (lane, (query, result)) in queries.iter().zip(results).enumerate() {
            let there = Tangent {
                normal: normal.at(lane),
                offset: offset.single(lane),
                distance: distance.single(lane),
            };
            // Only a vertex that moves farther than its distance can have crossed the skin.
            let tangent = if there.distance < length.single(lane) {
                crossing(self, query, there)
            } else if there.distance > far_of(query) {
                // Most vertices that query find nothing.
                Tangent::far(there.distance)
            } else {
                there
            };
            *result = ContactResult::of_head(tangent, query);
            if tangent.offset > f32::MIN {
                result.holds = holds(self, query.to);
            }
        }
    }
}

/// How far away a vertex needs no plane. `[m]`
#[inline]
pub(super) fn far_of(query: &ContactQuery) -> f32 {
    // Under a neck that is bent distances may be up to half as large: a wide margin counts
    // twice.
    (FAR + query.margin + (query.margin - WIDE).max(0.0)) as f32
}

/// How many times as far as beside an ear a plane holds that was found at `p`.
#[inline]
pub(super) fn holds(grid: &DistanceGrid, p: Vec3) -> f32 {
    // A plane is off by the square of the way over twice the radius.
    let flat = (grid.radius(p) / EAR).sqrt();
    flat.clamp(1.0, FLAT)
}

/// The clearance bounds of a row of points.
struct ClearRow<'a> {
    grid: &'a DistanceGrid,
    points: &'a PointRow,
    clear: &'a mut PointNumbers,
}

impl LaneWork for ClearRow<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        for first in self.points.firsts::<T>() {
            let (p, asking) = self.points.lanes::<T>(first);
            if asking.any() {
                let bounds = self.grid.lower_bounds::<T, MOST>(p, asking);
                self.clear.put(first, bounds);
            }
        }
    }
}

/// The plane where a fast vertex went into the skin, or that of where it ends, `there`:
/// walks along its way by the distance itself until inside.
fn crossing(grid: &DistanceGrid, query: &ContactQuery, there: Tangent) -> Tangent {
    let ContactQuery { from, to, .. } = *query;
    let way = to - from;
    let length = way.length();
    let start = grid.sample(from);
    if start > 0.0 && length > start {
        let mut walked = start;
        while walked < length {
            let p = from + way * (walked / length);
            let here = grid.sample(p);
            if here < 0.0 {
                let (distance, normal) = grid.sample_with_normal(p);
                let offset = normal.dot(p) - distance;
                return Tangent {
                    normal,
                    offset,
                    distance: (normal.dot(to) - offset).min(distance),
                };
            }
            walked += here.max(0.5 * grid.cell);
        }
    }
    there
}
