//! Planes half-way between edges that touch, as the strands' solve meets them.

use super::params::ContactRound;
use crate::math::fetch::fetch;
use glam::Vec3;

/// Pairs that one task takes: a fixed number, so that nothing depends on threads.
pub const TASK: usize = 512;

/// What the strands' solve is told in a round.
#[derive(Clone, Copy, Debug)]
pub struct ContactSolve<'a> {
    /// Which round it is.
    pub round: ContactRound,
    /// What the edges meet; nothing in the free round.
    pub planes: &'a ContactPlanes,
}

/// A plane half-way between two edges, with a spring along its normal and friction
/// across; for strands of ordinary linear density.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairPlane {
    /// From the second edge to the first.
    pub normal: Vec3,
    /// How far the plane moves in the substep. `[m]`
    pub drift: Vec3,
    /// Friction on the first edge in the last substep. `[m²/s²]`
    pub friction: Vec3,
    /// Normal force then. `[m²/s²]`
    pub push: f32,
    /// What each edge meets.
    pub sides: [SidePlane; 2],
}

/// What one of the edges meets of the plane.
#[derive(Clone, Copy, Debug, Default)]
pub struct SidePlane {
    /// Where on the edge, as a share of it from its inner end.
    pub at: f32,
    /// How far along the normal away from the other edge, in the world, the point must
    /// be. `[m]`
    pub offset: f32,
    /// Stiffness along the normal; nothing where the edge does not meet the plane.
    /// `[m/s²]`
    pub stiff: f32,
    /// Stiffness of sticking. `[m/s²]`
    pub hold: f32,
    /// Friction holds no more than this. `[m²/s²]`
    pub load: f32,
}

/// The planes of all pairs, and which edge has which.
#[derive(Clone, Debug, Default)]
pub struct ContactPlanes {
    /// Those of each [`TASK`] of pairs that any edge meets, one after the other: they
    /// are read in another order than they are written, and few lie close together.
    pub planes: Vec<Vec<PairPlane>>,
    /// Which edges of each pair meet its plane, one bit for each, and above them the
    /// number of the plane in its task. Pairs are sorted by their first edge, then by
    /// their second.
    pub meets: Vec<u16>,
    /// Where the pairs begin whose first edge has its inner vertex there.
    pub firsts: Vec<u32>,
    /// The same of the list of pairs by their second edge.
    pub back_firsts: Vec<u32>,
    /// That list.
    pub backs: Vec<u32>,
}

impl ContactPlanes {
    /// The number of the first side of the edge at that vertex: sides are counted edge
    /// by edge, first those in which it is the second of its pair.
    #[inline(always)]
    pub fn first_side(&self, vertex: usize) -> u32 {
        self.firsts[vertex] + self.back_firsts[vertex]
    }

    /// How many sides that edge has.
    #[inline(always)]
    pub fn sides(&self, vertex: usize) -> u32 {
        self.first_side(vertex + 1) - self.first_side(vertex)
    }

    /// The plane of one of them; none where it meets none.
    #[inline(always)]
    pub fn side(&self, vertex: usize, number: u32) -> Option<PlanePlace> {
        let first = self.back_firsts[vertex];
        let backs = self.back_firsts[vertex + 1] - first;
        let (pair, which) = match number.checked_sub(backs) {
            None => (self.backs[(first + number) as usize], 1),
            Some(number) => (self.firsts[vertex] + number, 0),
        };
        let meets = self.meets[pair as usize];
        let place = PlanePlace {
            task: pair / TASK as u32,
            number: meets >> 2,
            which,
        };
        (meets & (1 << which) != 0).then_some(place)
    }

    /// The plane there.
    #[inline(always)]
    pub fn plane(&self, place: PlanePlace) -> &PairPlane {
        &self.planes[place.task as usize][usize::from(place.number)]
    }

    /// Asks for the plane there before it is needed: it lies anywhere in memory.
    #[inline(always)]
    pub fn fetch(&self, place: PlanePlace) {
        let plane = self.plane(place);
        fetch(std::ptr::from_ref(plane).addr(), size_of::<PairPlane>());
    }
}

/// Where a plane is, and which of its edges is meant.
#[derive(Clone, Copy, Debug)]
pub struct PlanePlace {
    task: u32,
    number: u16,
    /// The first or the second.
    pub which: u16,
}
