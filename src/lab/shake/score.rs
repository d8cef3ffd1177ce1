//! What a case did to the hair, measured by the true surfaces.

use crate::{
    groom::Groom,
    lab::hair::LINE_DENSITY,
    math::Pose,
    mesh::{CollisionMesh, solid::Primitive},
    sim::{
        collider::{Collider, ColliderPlace},
        state::{Block, LANES, Row, StrandState},
    },
};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Deeper than this a vertex is in the body for all to see. `[m]`
pub const DEEP: f64 = 0.002;

/// What a look at all strands finds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandReading {
    /// Largest lengthening of any segment, as a share of its rest length.
    pub stretch: f64,
    /// Largest shortening of any segment, as a share of its rest length.
    pub shortening: f64,
    /// Deepest vertex in the head or in a body beside it. `[m]`
    pub depth: f64,
    /// The strand and the vertex that lies there.
    pub deepest: [usize; 2],
    /// Vertices deeper than [`DEEP`].
    pub deep: u64,
    /// Vertices with a number that is not finite.
    pub nonfinite: u64,
    /// Vertices in all.
    pub vertices: u64,
    /// Strands put back because a number was not finite, in all so far.
    pub resets: u64,
}

impl StrandReading {
    /// What two looks found together: the worst of both.
    pub fn and(self, other: Self) -> Self {
        let deeper = other.depth > self.depth;
        Self {
            stretch: self.stretch.max(other.stretch),
            shortening: self.shortening.max(other.shortening),
            depth: self.depth.max(other.depth),
            deepest: if deeper { other.deepest } else { self.deepest },
            deep: self.deep + other.deep,
            nonfinite: self.nonfinite + other.nonfinite,
            vertices: self.vertices + other.vertices,
            resets: self.resets.max(other.resets),
        }
    }
}

/// Measures strands of one groom on one head.
pub struct StrandMeter<'a> {
    groom: &'a Groom,
    body: &'a CollisionMesh,
    /// How far below the skin each vertex lies at rest, as a distance; 0 where
    /// it does not. `[m]`
    floor: Vec<f64>,
    /// Mass of each vertex. `[kg]`
    mass: Vec<f64>,
}

impl<'a> StrandMeter<'a> {
    /// For hair of `groom` on `body`.
    pub fn new(groom: &'a Groom, body: &'a CollisionMesh) -> Self {
        let floor = |p: &Vec3| f64::from(body.surface.signed_distance(*p)).min(0.0);
        let mut mass = vec![0.0; groom.points.len()];
        for strand in 0..groom.strands() {
            for (i, pair) in groom.strand(strand).windows(2).enumerate() {
                let length = f64::from(pair[0].distance(pair[1]));
                let half = 0.5 * LINE_DENSITY * length * f64::from(groom.masses[strand]);
                let first = groom.range(strand).start + i;
                mass[first] += half;
                mass[first + 1] += half;
            }
        }
        Self {
            groom,
            body,
            floor: groom.points.par_iter().map(floor).collect(),
            mass,
        }
    }

    /// Looks at all strands on a head at `pose`, beside bodies that are where
    /// `bodies` say. Sums run in the order of the blocks.
    pub fn look(&self, state: &StrandState, pose: &Pose, bodies: &[Collider]) -> StrandReading {
        let bodies: Vec<(ColliderPlace, Primitive)> = bodies
            .iter()
            .filter(|body| body.on)
            .map(|body| (body.in_world(pose), body.solid()))
            .collect();
        let looks: Vec<StrandReading> = state
            .blocks
            .par_iter()
            .enumerate()
            .map(|(index, block)| self.look_at(block, index * LANES, pose, &bodies))
            .collect();
        looks
            .into_iter()
            .fold(StrandReading::default(), StrandReading::and)
            .with_resets(state)
    }

    fn look_at(
        &self,
        block: &Block<Row>,
        first: usize,
        pose: &Pose,
        bodies: &[(ColliderPlace, Primitive)],
    ) -> StrandReading {
        let mut look = StrandReading::default();
        for lane in 0..block.strands {
            let strand = first + lane;
            let rest = self.groom.strand(strand);
            let start = self.groom.range(strand).start;
            let root = block.point(0, lane);
            for (i, own) in rest.iter().enumerate() {
                let p = block.point(i, lane);
                look.vertices += 1;
                let sound = p.is_finite() && DVec3::from(block.velocity[i].get(lane)).is_finite();
                if !sound {
                    look.nonfinite += 1;
                    continue;
                }
                if i > 0 {
                    // From the root, where f32 has digits enough.
                    let d = (block.position[i] - block.position[i - 1]).get(lane);
                    let long = f64::from(own.distance(rest[i - 1]));
                    let stretch = DVec3::from(d).length() / long.max(1e-9) - 1.0;
                    if stretch.is_finite() {
                        look.stretch = look.stretch.max(stretch);
                        look.shortening = look.shortening.max(-stretch);
                    }
                }
                if i < block.pinned {
                    continue;
                }
                let mut depth =
                    self.floor[start + i] - self.distance(pose.inverse_point(p.as_vec3()));
                for (place, solid) in bodies {
                    let rest = pose.point(*own).as_dvec3();
                    depth = depth.max(depth_in(place, solid, p, root, rest));
                }
                look.deep += u64::from(depth > DEEP);
                if depth > look.depth {
                    (look.depth, look.deepest) = (depth, [strand, i]);
                }
            }
        }
        look
    }

    /// Distance to the true skin, in the head's space; where it is surely more
    /// than nothing, a bound of it. `[m]`
    fn distance(&self, p: Vec3) -> f64 {
        // A distance grows no faster than one goes, so the trilinear mean of
        // its values at the corners of a cell is off by no more than the mean
        // way to them, 0.87 cells: beyond that the grid's word is enough.
        let grid = &self.body.grid;
        let near = grid.sample(p);
        if near > grid.cell {
            return f64::from(near - grid.cell);
        }
        f64::from(self.body.surface.signed_distance(p))
    }

    /// Kinetic energy of strands that went `from` one place of each vertex `to`
    /// another in `seconds`. `[J]`
    pub fn energy(&self, from: &[Vec3], to: &[Vec3], seconds: f64) -> f64 {
        let part = |((a, b), mass): ((&Vec3, &Vec3), &f64)| {
            let v = (*b - *a).as_dvec3() / seconds;
            0.5 * mass * v.length_squared()
        };
        from.iter().zip(to).zip(&self.mass).map(part).sum()
    }

    /// Mass of all strands. `[kg]`
    pub fn mass(&self) -> f64 {
        self.mass.iter().sum()
    }
}

impl StrandReading {
    fn with_resets(mut self, state: &StrandState) -> Self {
        self.resets = state.blocks.iter().map(|block| block.resets).sum();
        self
    }
}

/// How deep `p` lies in a body; a strand that is rooted in it may lie as deep
/// as at rest. `[m]`
fn depth_in(place: &ColliderPlace, solid: &Primitive, p: DVec3, root: DVec3, rest: DVec3) -> f64 {
    let p = place.inverse_point(p);
    if solid.bound(p) > 0.0 {
        return 0.0;
    }
    let distance = |p: DVec3| solid.closest(place.inverse_point(p)).distance;
    let floor = match distance(root) < 0.0 {
        true => distance(rest).min(0.0),
        false => 0.0,
    };
    floor - solid.closest(p).distance
}
