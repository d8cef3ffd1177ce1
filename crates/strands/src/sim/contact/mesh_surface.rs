//! The triangles of a head as a collision surface: the exact one. Where the head has a grid
//! of distances, that tells rows of vertices at once which of them need not ask, and how far
//! the others must look.

use super::{
    grid_surface::{far_of, holds},
    rows::{PointNumbers, PointRow, RowSurface, query_one, query_rows},
    surface::{CollisionSurface, ContactQuery, ContactResult, Tangent},
};
use crate::{
    math::{
        instructions::Instructions,
        lanes::Lane,
        work::{LaneWork, lane_work},
    },
    mesh::{CollisionMesh, Nearest, Surface},
};
use glam::Vec3;

/// Farther from a skin nothing is looked for. `[m]`
const SIGHT: f32 = 0.04;

/// What a grid tells of a distance of more than three cells is a few percent too large.
const EXACT: f64 = 0.95;

/// The nearest point in sight of `p`, expected within the distance `near`: that makes the
/// search short, and changes nothing that it finds. `[m]`
#[inline(always)]
fn nearest_within(surface: &Surface, p: Vec3, near: f32) -> Option<Nearest> {
    let farther = || (near < SIGHT).then(|| surface.closest(p, SIGHT)).flatten();
    surface.closest(p, near.min(SIGHT)).or_else(farther)
}

/// The plane for a vertex on its way `from` one point `to` another, of which that is the
/// `nearest` in sight. `[m]`
fn tangent_of_mesh(surface: &Surface, way: [Vec3; 2], nearest: Option<Nearest>) -> Tangent {
    let there = match nearest {
        Some(Nearest {
            point,
            distance,
            normal,
            ..
        }) => Tangent {
            normal,
            offset: normal.dot(point),
            distance,
        },
        None => Tangent::far(SIGHT),
    };
    entered(surface, way, there.distance).unwrap_or(there)
}

/// The plane where a vertex entered the skin on its way `from` one point `to` another that is
/// at least that far from it, if it did. `[m]`
fn entered(surface: &Surface, [from, to]: [Vec3; 2], distance: f32) -> Option<Tangent> {
    let way = to - from;
    let length = way.length();
    // Only a vertex that moves farther than its distance can have crossed the skin.
    let crosses = length > distance.max(1e-4);
    if !crosses {
        return None;
    }
    let hit = surface.ray(from, way / length, length)?;
    if hit.normal.dot(way) >= 0.0 {
        return None;
    }
    // Müller et al. 2007, section 3.4: the point of entry q_c and the
    // normal there make a continuous collision constraint.
    let entry = from + way * (hit.distance / length);
    let offset = hit.normal.dot(entry);
    Some(Tangent {
        normal: hit.normal,
        offset,
        distance: hit.normal.dot(to) - offset,
    })
}

impl CollisionSurface for Surface {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        tangent_of_mesh(self, [from, to], self.closest(to, SIGHT))
    }

    fn distance(&self, p: Vec3) -> f32 {
        self.closest(p, SIGHT)
            .map_or(SIGHT, |nearest| nearest.distance)
    }
}

/// By its triangles.
impl CollisionSurface for CollisionMesh {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        self.query(&ContactQuery::of_point(from, to, 0)).tangent
    }

    fn distance(&self, p: Vec3) -> f32 {
        self.nearest(p, self.grid.sample(p))
            .map_or(SIGHT, |nearest| nearest.distance)
    }

    fn clear(&self, points: &PointRow, substep: usize) -> PointNumbers {
        let mut clear = self.grid.clear(points, substep);
        let row = ClearRow {
            body: self,
            points,
            clear: &mut clear,
        };
        lane_work(Instructions::widest(), row);
        clear
    }

    fn identity(&self) -> usize {
        self.surface.identity()
    }

    fn query(&self, query: &ContactQuery) -> ContactResult {
        query_one(self, query)
    }

    fn query_all(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        query_rows(self, Instructions::widest(), queries, results);
    }
}

impl CollisionMesh {
    /// A lower bound of the distance to the triangles where the grid has these. `[m]`
    ///
    /// The square of the distance from a point, less the point's own square, is a concave
    /// function: a least of linear ones. What a grid interpolates of such is not above it.
    /// So the square of a distance is at most less by the variance of a cell's corners than
    /// the square of what is interpolated: three quarters of a cell's square. That holds for
    /// the grid's values as they are near the skin; farther away they are too large by a few
    /// percent, hence `EXACT`. Where the grid counts inside, it is no bound, and nothing is far.
    #[inline(always)]
    fn least<T: Lane>(&self, sampled: T) -> T {
        let (zero, cell) = (T::zero(), T::splat(self.grid.cell.into()));
        let square = sampled * sampled - cell * cell * T::splat(0.75);
        let least = square.max(zero).sqrt() * T::splat(EXACT);
        zero.less(sampled, least.min(sampled), sampled)
    }

    /// How far the search for them goes at first: in most cells that is enough, and where
    /// nothing is found, as at a hole that the grid closes, it goes on. `[m]`
    #[inline(always)]
    fn expected(&self, sampled: f32) -> f32 {
        sampled.abs() + 0.15 * self.grid.cell
    }

    /// The nearest point, which is `sampled` away by the grid, if there is one in sight. `[m]`
    #[inline(always)]
    fn nearest(&self, p: Vec3, sampled: f32) -> Option<Nearest> {
        nearest_within(&self.surface, p, self.expected(sampled))
    }
}

/// Bounds of what the grid of a head tells of a row of points.
struct ClearRow<'a> {
    body: &'a CollisionMesh,
    points: &'a PointRow,
    clear: &'a mut PointNumbers,
}

impl LaneWork for ClearRow<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        for first in self.points.firsts::<T>() {
            let sampled = self.clear.lanes::<T>(first);
            self.clear.put(first, self.body.least(sampled));
        }
    }
}

impl RowSurface for CollisionMesh {
    #[inline(always)]
    fn query_row<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        results: &mut [ContactResult],
    ) {
        let [_, to] = ContactQuery::ways::<T, N>(queries);
        let (distance, _) = self.grid.sample_row::<T, N>(to, queries.len());
        let least = self.least(distance);
        for (lane, (query, result)) in queries.iter().zip(results).enumerate() {
            let (sampled, least) = (distance.single(lane), least.single(lane));
            let way = [query.from, query.to];
            let tangent = if least > far_of(query) {
                entered(&self.surface, way, least).unwrap_or(Tangent::far(least))
            } else {
                tangent_of_mesh(&self.surface, way, self.nearest(query.to, sampled))
            };
            *result = ContactResult::of_head(tangent, query);
            if tangent.offset > f32::MIN {
                result.holds = holds(&self.grid, query.to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{math::random, mesh::HeadParams};

    fn head() -> CollisionMesh {
        let head = crate::mesh::load(&HeadParams::default()).expect("the built-in head");
        CollisionMesh::new(head.mesh, 0.004)
    }

    /// Points around it, each with another up to 6 cm away.
    fn ways(body: &CollisionMesh, count: u64) -> Vec<[Vec3; 2]> {
        let [low, high] = body.mesh.bounds();
        let draw = |i: u64| random::uniform64(5, i) as f32;
        let vector = |i: u64| Vec3::new(draw(i), draw(i + 1), draw(i + 2));
        let way = |i: u64| {
            let to = low + (high - low) * (vector(6 * i) * 1.2 - 0.1);
            let way = (vector(6 * i + 3) - 0.5) * 0.07 * draw(i + 900_000);
            [to + way, to]
        };
        (0..count).map(way).collect()
    }

    /// A ray first for whatever moves at all, then the nearest point in sight.
    fn asked_of_all(surface: &Surface, [from, to]: [Vec3; 2]) -> Tangent {
        let way = to - from;
        let hit = surface.ray(from, way / way.length(), way.length());
        match hit.filter(|hit| hit.normal.dot(way) < 0.0) {
            Some(hit) => {
                let entry = from + way * (hit.distance / way.length());
                let offset = hit.normal.dot(entry);
                Tangent {
                    normal: hit.normal,
                    offset,
                    distance: hit.normal.dot(to) - offset,
                }
            }
            None => surface
                .closest(to, SIGHT)
                .map_or(Tangent::far(SIGHT), |nearest| Tangent {
                    normal: nearest.normal,
                    offset: nearest.normal.dot(nearest.point),
                    distance: nearest.distance,
                }),
        }
    }

    #[test]
    fn no_bound_is_above_the_distance_and_few_are_far_below() {
        let body = head();
        let mut below = Vec::new();
        for [_, p] in ways(&body, 20_000) {
            let distance = body.surface.signed_distance(p);
            let sampled = body.grid.sample(p);
            let least = body.least::<f32>(sampled);
            let row = PointRow::new::<f32>(&p.into(), 1.0);
            let clear = body.clear(&row, 0).lanes::<f32>(0);
            // Inside there is none.
            let bound = least.max(clear);
            assert!(bound <= distance.max(0.0), "{p}: {bound} for {distance}");
            if (0.005..0.03).contains(&distance) {
                below.push(distance - least);
            }
        }
        below.sort_by(f32::total_cmp);
        assert!(below.len() > 2000 && below[below.len() / 2] < 0.002);
    }

    #[test]
    fn what_is_near_or_enters_the_skin_meets_what_it_meets_without_a_grid() {
        let body = head();
        let (mut near, mut far, mut through) = (0, 0, 0);
        for [from, to] in ways(&body, 20_000) {
            let found = body.tangent(from, to);
            let wanted = asked_of_all(&body.surface, [from, to]);
            let distance = body.surface.signed_distance(to);
            // Deeper inside than it sees, neither sees anything.
            if found.offset == f32::MIN && distance > -SIGHT {
                assert!(0.0034 < found.distance && found.distance <= distance);
                // It did not come from the other side.
                assert!(wanted.distance > distance.min(SIGHT) - 1e-6);
                far += 1;
                continue;
            }
            assert_eq!(found, wanted, "{from} to {to}");
            through += usize::from(found.distance < distance.abs() - 0.001);
            near += 1;
        }
        assert!(
            [near, far, through].iter().all(|n| *n > 500),
            "{near} {far} {through}"
        );
    }

    #[test]
    fn hair_is_held_at_its_margin_however_wide_that_is() {
        let body = head();
        let top = Vec3::new(0.0, body.mesh.bounds()[1].y, 0.0);
        let skin = body.surface.closest(top, 0.1).expect("the crown");
        for margin in [0.0015, 0.006, 0.02] {
            let to = skin.point + skin.normal * (margin - 0.0005) as f32;
            let query = ContactQuery {
                margin,
                clearance: 1.0,
                ..ContactQuery::of_point(to, to, 0)
            };
            for met in [body.query(&query), body.grid.query(&query)] {
                let (normal, offset) = met.plane(glam::DVec3::ZERO);
                let behind = offset - normal.dot(to.as_dvec3());
                assert!((behind - 0.0005).abs() < 2e-4, "{margin}: {behind}");
            }
        }
    }
}
