//! What strands collide with: a surface that answers how far away it is, and
//! the plane that a vertex must stay in front of.

use super::{
    carrier::{Carrier, TorsoTurn},
    rows::{PointNumbers, PointRow},
};
use crate::math::lanes::{Lane, V3};
use glam::{DVec3, Vec3};

/// The tangent plane of the skin that a vertex must stay in front of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// Unit normal, out of the body.
    pub normal: Vec3,
    /// The plane is n.x = offset. `[m]`
    pub offset: f32,
    /// Signed distance of the vertex, or a lower bound of it. `[m]`
    pub distance: f32,
}

/// A surface that strands cannot enter, in the head's space.
pub trait CollisionSurface: Send + Sync {
    /// The plane for a vertex on its way `from` one point `to` another, found
    /// so that a fast vertex does not pass through.
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent;
    /// Signed distance, negative inside, or a lower bound of it far away. `[m]`
    fn distance(&self, p: Vec3) -> f32;
    /// A clearance bound for each of the asking `points`: at the end of that substep nothing
    /// that a vertex there may meet is nearer. For far less work than a query; where no bound
    /// is known, the least number there is. `[m]`
    fn clear(&self, _points: &PointRow, _substep: usize) -> PointNumbers {
        PointNumbers::splat(f32::MIN)
    }
    /// All that a vertex of a strand meets; a skin of one piece that the head
    /// carries knows no more than its tangent.
    fn query(&self, query: &ContactQuery) -> ContactResult {
        ContactResult::of_head(self.tangent(query.from, query.to), query)
    }
    /// How what goes with the torso turns in that substep.
    fn torso_turn(&self, _substep: usize) -> TorsoTurn {
        TorsoTurn::NONE
    }
    /// The same as [`query`](Self::query) for many at once, all of one substep, which
    /// have as many `results`.
    fn query_all(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        for (query, result) in queries.iter().zip(results) {
            *result = self.query(query);
        }
    }
    /// Differs from skin to skin: what is remembered of one means nothing on
    /// another.
    fn identity(&self) -> usize {
        std::ptr::from_ref(self).cast::<()>() as usize
    }
}

/// What a vertex asks a skin, in the head's space.
#[derive(Clone, Copy, Debug)]
pub struct ContactQuery {
    /// Where it was when the substep began, as the head was then. `[m]`
    pub from: Vec3,
    /// Where it would be when the substep ends. `[m]`
    pub to: Vec3,
    /// Its strand's root. `[m]`
    pub root: Vec3,
    /// Its place in the rest curve. `[m]`
    pub rest: Vec3,
    /// The distance that hair keeps. `[m]`
    pub margin: f64,
    /// How far from the head's own skin the rest place lies. `[m]`
    pub clearance: f64,
    /// Which substep of the step it is.
    pub substep: usize,
}

impl ContactQuery {
    /// A point that goes so far and belongs to no strand.
    pub fn of_point(from: Vec3, to: Vec3, substep: usize) -> Self {
        Self {
            from,
            to,
            root: Vec3::INFINITY,
            rest: to,
            margin: 0.0,
            clearance: 0.0,
            substep,
        }
    }

    /// Where a row of up to `N` vertices were and would be. `[m]`
    #[inline(always)]
    pub fn ways<T: Lane, const N: usize>(queries: &[Self]) -> [V3<T>; 2] {
        let mut rows = [[0.0; 16]; N];
        for (row, query) in rows.iter_mut().zip(queries) {
            row[..3].copy_from_slice(&query.from.to_array());
            row[4..7].copy_from_slice(&query.to.to_array());
        }
        let [x, y, z, _] = T::columns(&rows, 0);
        let from = V3 { x, y, z };
        let [x, y, z, _] = T::columns(&rows, 4);
        [from, V3 { x, y, z }]
    }
}

/// Queries of the vertices of a row, answered together.
#[derive(Debug, Default)]
pub struct QueryBatch {
    lanes: Vec<usize>,
    queries: Vec<ContactQuery>,
    results: Vec<ContactResult>,
}

impl QueryBatch {
    pub(super) fn clear(&mut self) {
        self.lanes.clear();
        self.queries.clear();
        self.results.clear();
    }

    /// One more, of the strand in `lane`.
    pub(super) fn push(&mut self, lane: usize, query: ContactQuery) {
        self.lanes.push(lane);
        self.queries.push(query);
    }

    /// Asks them all.
    pub(super) fn run(&mut self, skin: &dyn CollisionSurface) {
        self.results.resize(self.queries.len(), ContactResult::NONE);
        skin.query_all(&self.queries, &mut self.results);
    }

    /// The lane of each, what it asked and what it met.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &ContactQuery, &ContactResult)> {
        let asked = self.lanes.iter().copied().zip(&self.queries);
        asked
            .zip(&self.results)
            .map(|((lane, query), met)| (lane, query, met))
    }
}

/// What a vertex meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactResult {
    /// The plane.
    pub tangent: Tangent,
    /// How far in front of the plane the vertex must stay. `[m]`
    pub keep: f64,
    /// What carries what it meets.
    pub carrier: Carrier,
    /// How far what it meets moves there in the substep. `[m]`
    pub drift: Vec3,
    /// How many times as far as beside an ear the plane holds.
    pub holds: f32,
}

impl ContactResult {
    /// Before anything is known.
    pub const NONE: Self = Self {
        tangent: Tangent {
            normal: Vec3::Y,
            offset: f32::MIN,
            distance: f32::MAX,
        },
        keep: 0.0,
        carrier: Carrier::Head,
        drift: Vec3::ZERO,
        holds: 1.0,
    };

    /// With the skin that the head carries.
    #[inline(always)]
    pub(super) fn of_head(tangent: Tangent, query: &ContactQuery) -> Self {
        Self {
            tangent,
            // Nothing is pushed farther out than the hairstyle itself lies, so hair
            // at rest is never kicked; roots sunk into the head stay there calmly.
            keep: query.margin.min(query.clearance),
            carrier: Carrier::Head,
            drift: Vec3::ZERO,
            holds: 1.0,
        }
    }

    /// How far in front of where it must stay the vertex is. `[m]`
    #[inline]
    pub fn gap(&self) -> f64 {
        f64::from(self.tangent.distance) - self.keep
    }

    /// The plane that the vertex must stay in front of: its normal, and its
    /// distance from the strand's `root` along that. `[m]`
    pub(super) fn plane(&self, root: DVec3) -> (DVec3, f64) {
        let normal = self.tangent.normal.as_dvec3();
        (
            normal,
            f64::from(self.tangent.offset) - normal.dot(root) + self.keep,
        )
    }
}

impl Tangent {
    /// No plane: the skin is `distance` away. `[m]`
    pub fn far(distance: f32) -> Self {
        Self {
            normal: Vec3::Y,
            offset: f32::MIN,
            distance,
        }
    }
}
