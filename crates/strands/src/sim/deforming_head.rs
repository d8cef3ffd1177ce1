//! A head that deforms: its skin at each step, and the strands on it.
//!
//! The skin is known in the head's space at the end of each step and at its
//! start. Each root keeps its place in a triangle; what the triangle turns from
//! rest turns the strand's rest curve.

use super::{
    contact::{Carrier, CollisionSurface, ContactQuery, ContactResult, Tangent},
    root_motion::RootMotion,
    state::{Block, LANES, Row},
};
use crate::{
    groom::Groom,
    math::{Pose, elementary::atan2, lanes::Lane as _},
    mesh::{CollisionMesh, Mesh, MeshSequence, Surface, sequence::Play},
};
use glam::{DMat3, DQuat, DVec3, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// When the head begins or ends to play its frames, their shape comes in or
/// goes in this time. `[s]`
const FADE: f64 = 0.5;

/// Skin that moves less in a step stands still. `[m]`
const STILL: f32 = 1e-7;

/// Where a root is on the mesh.
#[derive(Clone, Copy, Debug)]
struct BarycentricAnchor {
    triangle: [u32; 3],
    /// Shares of the second and third corner.
    uv: [f64; 2],
    /// How far above the triangle the root is. `[m]`
    lift: f64,
    /// The triangle's own axes at rest: along its first edge, across it, and
    /// its normal.
    axes: DMat3,
    /// The second and third corner along the first two, from the first. `[m]`
    flat: [[f64; 2]; 2],
}

/// What the head should look like at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaybackState {
    /// In frames from the first one.
    pub phase: f64,
    /// What comes after the last one.
    pub play: Play,
    /// Whether the frames are played at all.
    pub on: bool,
}

/// The skin of a head that deforms, and where strands are rooted in it.
#[derive(Clone, Debug)]
pub(super) struct DeformingHead {
    footage: Arc<MeshSequence>,
    mesh: Arc<Mesh>,
    plants: Arc<Vec<BarycentricAnchor>>,
    /// How much of the deformation is there, from 0 to 1.
    share: f64,
    /// The last aim while it was on.
    playback: PlaybackState,
    offsets: Vec<Vec3>,
    /// Every vertex now, in the head's space. `[m]`
    positions: Vec<Vec3>,
    /// How far each has moved in the last step. `[m]`
    moved: Vec<Vec3>,
    /// The largest of these. `[m]`
    farthest: f32,
    surface: Surface,
    substeps: usize,
}

impl DeformingHead {
    /// The skin of `body` at rest, with the strands of `groom` on it; none
    /// where it never deforms.
    pub fn new(body: &CollisionMesh, groom: &Groom) -> Option<Self> {
        let footage = body.footage.clone().filter(|footage| footage.deforms())?;
        let mesh = body.mesh.clone();
        let plants: Vec<BarycentricAnchor> = (0..groom.strands())
            .into_par_iter()
            .map(|strand| BarycentricAnchor::new(body, groom.strand(strand)[0]))
            .collect();
        Some(Self {
            footage,
            plants: Arc::new(plants),
            share: 0.0,
            playback: PlaybackState {
                phase: 0.0,
                play: Play::Hold,
                on: false,
            },
            offsets: vec![Vec3::ZERO; mesh.positions.len()],
            positions: mesh.positions.clone(),
            moved: vec![Vec3::ZERO; mesh.positions.len()],
            farthest: 0.0,
            surface: body.surface.clone(),
            substeps: 1,
            mesh,
        })
    }

    /// Goes to the shape that `playback` asks for, in one step of so many seconds
    /// and substeps.
    pub fn step(&mut self, playback: PlaybackState, seconds: f64, substeps: usize) {
        self.substeps = substeps;
        let goal = f64::from(u8::from(playback.on));
        let before = self.share;
        self.share += (goal - self.share).clamp(-seconds / FADE, seconds / FADE);
        if playback.on {
            self.playback = playback;
        }
        if before == 0.0 && self.share == 0.0 {
            if self.farthest > 0.0 {
                self.moved.fill(Vec3::ZERO);
                self.farthest = 0.0;
            }
            return;
        }
        let s = self.share.clamp(0.0, 1.0);
        self.take(s * s * (3.0 - 2.0 * s));
    }

    /// Takes that much of the shape aimed at.
    fn take(&mut self, share: f64) {
        let blend = self.footage.blend(self.playback.phase, self.playback.play);
        self.footage
            .offsets(&blend, share as f32, &mut self.offsets);
        let rest = &self.mesh.positions;
        let places = self.positions.par_iter_mut().zip(&mut self.moved);
        self.farthest = places
            .zip(rest.par_iter().zip(&self.offsets))
            .with_min_len(1 << 12)
            .map(|((place, moved), (rest, offset))| {
                let now = *rest + *offset;
                *moved = now - *place;
                *place = now;
                moved.length_squared()
            })
            .reduce(|| 0.0, f32::max)
            .sqrt();
        if self.farthest > 0.0 {
            self.surface.bend(&self.mesh, &self.positions);
        }
    }

    /// Is in the shape that `playback` asks for, at once or by that `share`, and `blocks`
    /// are at rest on it under a head at `pose`; whether something else had `moved` their
    /// roots.
    pub fn place(
        &mut self,
        playback: PlaybackState,
        blocks: &mut [Block<Row>],
        pose: &Pose,
        moved: bool,
        share: Option<f64>,
    ) {
        self.playback = playback;
        self.share = share.unwrap_or(f64::from(u8::from(playback.on)));
        self.take(self.share);
        if self.farthest > 0.0 || moved {
            let all = blocks.par_iter_mut().enumerate();
            all.for_each(|(number, block)| {
                self.move_roots(number, block, moved);
                block.jump(pose);
                block.reset(pose);
            });
        }
        self.stop();
    }

    /// How much of the deformation is there, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Counts as not having moved in the last step.
    pub fn stop(&mut self) {
        self.moved.fill(Vec3::ZERO);
        self.farthest = 0.0;
    }

    /// Memory that a copy takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        let places = [&self.offsets, &self.positions, &self.moved];
        let places = places.map(|places| size_of_val(&places[..]));
        places.iter().sum::<usize>() + self.surface.bytes()
    }

    /// Whether it is at rest and stays there.
    pub fn rests(&self) -> bool {
        self.share == 0.0 && self.farthest == 0.0
    }

    /// How far a vertex of the skin has moved at most in the last step, in the
    /// head's space. `[m]`
    pub fn farthest(&self) -> f32 {
        self.farthest
    }

    /// Every vertex in the head's space. `[m]`
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The skin now, for those who ask how far away it is.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Lets the roots of block number `number` be moved by the last step; whether something
    /// else had `moved` them before.
    pub fn move_roots(&self, number: usize, block: &mut Block<Row>, moved: bool) {
        let root_motion = block
            .root_motion
            .get_or_insert_with(|| Box::new(RootMotion::new(block.root_rest)));
        (root_motion.root[0], root_motion.turn[0]) = (root_motion.root[1], root_motion.turn[1]);
        if self.farthest == 0.0 && !moved {
            return;
        }
        for lane in 0..LANES {
            // The lanes behind the last strand repeat the first one.
            let own = if lane < block.strands { lane } else { 0 };
            let Some(plant) = self.plants.get(number * LANES + own) else {
                continue;
            };
            let (root, turn) = plant.at(&self.positions);
            root_motion.root[1].set(lane, root.to_array());
            let turn = if turn.w < 0.0 { -turn } else { turn };
            root_motion.turn[1].w.set(lane, turn.w);
            root_motion.turn[1].v.set(lane, [turn.x, turn.y, turn.z]);
        }
    }
}

impl BarycentricAnchor {
    /// The place of the mesh that is nearest to `root`. `[m]`
    fn new(body: &CollisionMesh, root: Vec3) -> Self {
        let found = body.surface.closest(root, f32::INFINITY);
        let triangle = found.map_or([0; 3], |found| body.mesh.triangles[found.triangle as usize]);
        let [a, b, c] = triangle.map(|v| body.mesh.positions[v as usize].as_dvec3());
        let axes = axes([a, b, c]);
        let flat = flat(&axes, [a, b, c]);
        let to = axes.transpose() * (root.as_dvec3() - a);
        // Barycentric coordinates in the triangle's own plane.
        let [[bx, by], [cx, cy]] = flat;
        let whole = bx * cy - by * cx;
        let whole = if whole.abs() > 1e-30 { whole } else { 1e-30 };
        Self {
            triangle,
            uv: [
                (to.x * cy - to.y * cx) / whole,
                (to.y * bx - to.x * by) / whole,
            ],
            lift: to.z,
            axes,
            flat,
        }
    }

    /// The root, and how far its skin is turned from rest, when the mesh's
    /// vertices are there. `[m]`
    fn at(&self, positions: &[Vec3]) -> (DVec3, DQuat) {
        let [a, b, c] = self.triangle.map(|v| positions[v as usize].as_dvec3());
        let axes = axes([a, b, c]);
        let [u, v] = self.uv;
        let root = a + (b - a) * u + (c - a) * v + axes.z_axis * self.lift;
        // The rotation in the plane that is nearest to what the triangle does
        // there: of M = now (rest)^-1 the angle is atan2(M21 - M12, M11 + M22).
        let [[bx, by], [cx, cy]] = self.flat;
        let [[px, py], [qx, qy]] = flat(&axes, [a, b, c]);
        let whole = bx * cy - by * cx;
        let (m11, m12) = (px * cy - qx * by, qx * bx - px * cx);
        let (m21, m22) = (py * cy - qy * by, qy * bx - py * cx);
        let sign = 1.0f64.copysign(whole);
        let angle = atan2(sign * (m21 - m12), sign * (m11 + m22));
        let turned = axes * DMat3::from_rotation_z(angle) * self.axes.transpose();
        (root, DQuat::from_mat3(&turned).normalize())
    }
}

/// A triangle's own axes.
fn axes([a, b, c]: [DVec3; 3]) -> DMat3 {
    let x = (b - a).try_normalize().unwrap_or(DVec3::X);
    let z = x.cross(c - a).try_normalize();
    let z = z.unwrap_or_else(|| x.any_orthonormal_vector());
    DMat3::from_cols(x, z.cross(x), z)
}

fn flat(axes: &DMat3, [a, b, c]: [DVec3; 3]) -> [[f64; 2]; 2] {
    [b, c].map(|p| [axes.x_axis.dot(p - a), axes.y_axis.dot(p - a)])
}

impl CollisionSurface for DeformingHead {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        self.surface.tangent(from, to)
    }

    fn distance(&self, p: Vec3) -> f32 {
        self.surface.distance(p)
    }

    /// A copy is the same skin.
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.footage) as usize
    }

    fn query(&self, ask: &ContactQuery) -> ContactResult {
        let mut tangent = self.surface.tangent(ask.from, ask.to);
        let mut meeting = ContactResult {
            tangent,
            keep: ask.margin.min(ask.clearance),
            carrier: Carrier::Head,
            drift: Vec3::ZERO,
            holds: 1.0,
        };
        if self.farthest <= STILL || tangent.offset == f32::MIN {
            return meeting;
        }
        // The surface is that of the step's end: it still has some way to go.
        let touched = ask.to - tangent.normal * tangent.distance;
        let Some(near) = self.surface.closest(touched, 0.02) else {
            return meeting;
        };
        let moved = self.moved_at(near.triangle, near.point);
        let parts = self.substeps as f32;
        let ahead = moved * ((parts - 1.0 - ask.substep as f32) / parts);
        let rise = tangent.normal.dot(ahead);
        tangent.offset -= rise;
        tangent.distance += rise;
        meeting.tangent = tangent;
        meeting.drift = moved / parts;
        meeting.carrier = Carrier::of_moving(moved.length() > STILL);
        meeting
    }
}

impl DeformingHead {
    /// How far a point of a triangle has moved in the last step. `[m]`
    fn moved_at(&self, triangle: u32, point: Vec3) -> Vec3 {
        let corners = self.mesh.triangles[triangle as usize].map(|v| v as usize);
        let [a, b, c] = corners.map(|v| self.positions[v]);
        let normal = (b - a).cross(c - a);
        let whole = normal.length_squared().max(f32::MIN_POSITIVE);
        let v = normal.dot((b - a).cross(point - a)) / whole;
        let u = normal.dot((point - a).cross(c - a)) / whole;
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let [a, b, c] = corners.map(|v| self.moved[v]);
        a * (1.0 - u - v) + b * u + c * v
    }
}
