//! Strands in memory: a block of strands, one a lane, vertex after vertex.

use super::{
    attachment::Attachment,
    contact::{AT_ONCE, CollisionSurface, NO_PLANE, ProximityCache},
    memory::Memories,
    root_motion::RootMotion,
    solver::frames::RestShape,
    strand_contact::edge::EdgeContacts,
};
use crate::{
    groom::{Bundle, Groom},
    math::{
        Pose,
        lanes::{F, Lane, LaneFrame, V3},
        rotation::Q,
    },
};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Strands in a block. Wide enough to hide the latency of a sweep along the
/// strands, narrow enough for a block to stay in the first-level cache.
pub const LANES: usize = 32;

/// The row that the product computes with.
pub type Row = F<LANES>;

/// Vertices at the root that ride on the head: the second one holds the
/// direction in which the strand leaves the scalp.
pub const PINNED: usize = 2;

/// A block of strands, `T::LANES` of them side by side.
#[derive(Clone, Debug)]
pub struct Block<T: 'static> {
    /// Strands that are real; the lanes behind repeat the first one.
    pub strands: usize,
    /// Vertices of the longest strand; each array below has so many rows.
    pub rows: usize,
    /// Vertices of the shortest strand: rows before it need no mask.
    pub shortest: usize,
    /// Vertices of each strand.
    pub counts: Vec<usize>,
    /// The same as numbers.
    pub count: T,
    /// One over the mass of each strand relative to ordinary hair.
    pub inverse_mass: T,
    /// How many strands each stands for in the hair around it.
    pub bundle: T,
    /// Stiffness of each vertex as a share of what the method says; empty where
    /// that is 1 in all strands.
    pub stiffness: Vec<T>,
    /// Vertices that ride on the head; 0 sets the strand free.
    pub pinned: usize,
    /// Each strand's root, in the head's space. `[m]`
    pub root_rest: V3<T>,
    /// Where they were modelled, wherever skin and torso take them. `[m]`
    pub root_modelled: V3<T>,
    /// Each strand's root as the head holds it now, in the world. `[m]`
    pub root: V3<T>,
    /// The rest curve, from `root_rest`, in the head's space. `[m]`
    pub rest: Vec<V3<T>>,
    /// Where the vertices are, from `root`, in the world's directions: so the
    /// length of a short segment survives f32 wherever the head is. `[m]`
    pub position: Vec<V3<T>>,
    /// How fast they move, in the world. `[m/s]`
    pub velocity: Vec<V3<T>>,
    /// What they gain from other strands in the step at hand, where that acts all step long;
    /// empty where their velocities have it at once. `[m/s]`
    pub gained: Vec<V3<T>>,
    /// How far from the skin the rest curve lies. `[m]`
    pub clearance: Vec<T>,
    /// Normal of the tangent plane each vertex must stay in front of, in the
    /// head's space; valid where the row's cache says near.
    pub plane_normal: Vec<V3<T>>,
    /// That plane's distance from `root_rest` along the normal, [`NO_PLANE`]
    /// where there is none. `[m]`
    pub plane_offset: Vec<T>,
    /// How far each vertex may move before it must query the skin: what the row's clock
    /// shows then. `[m]`
    pub room: Vec<T>,
    /// How far what has that plane moves in the substep, as the head sees it:
    /// bodies may move by themselves. `[m]`
    pub plane_drift: Vec<V3<T>>,
    /// One cache a row.
    pub proximity: Vec<ProximityCache>,
    /// One in the lanes whose strand is tied to the head at that row, zero in the
    /// others; empty where no strand is.
    pub tied: Vec<T>,
    /// What pulls on single vertices.
    pub attachments: Vec<Attachment>,
    /// The method that moved the block last; none after a reset.
    pub moved_by: &'static str,
    /// The rest curves as their own edges see them, for methods that follow them.
    pub shape: RestShape<T>,
    /// How the roots move in the head's space, where the head deforms or the torso stays.
    pub root_motion: Option<Box<RootMotion<T>>>,
    /// How far the method at work has come in, 0 to 1: one that takes over from
    /// another may let its stiffness grow, so that the hair does not recoil.
    pub(super) eased: f64,
    /// The method that this is told of; none where hair is at rest and no method has moved it.
    pub(super) eased_for: &'static str,
    /// What its strands touch of other strands, where the method at work knows that.
    pub strand_contacts: Option<Box<EdgeContacts<T>>>,
    /// What methods remember.
    pub memories: Memories<T>,
    /// Strands put back because a number was not finite, in all.
    pub resets: u64,
}

impl<T: Lane> Block<T> {
    /// Packs strands `first..first + strands` of `groom`, at rest under `pose`.
    pub fn new(groom: &Groom, first: usize, strands: usize, pose: &Pose) -> Self {
        // The lanes behind the last strand repeat the first one.
        let source = |lane: usize| first + if lane < strands { lane } else { 0 };
        let counts: Vec<usize> = (0..T::LANES)
            .map(|lane| groom.strand(source(lane)).len())
            .collect();
        let rows = counts.iter().copied().max().unwrap_or(0);
        let mut rest = vec![V3::zero(); rows];
        let mut root_rest = V3::zero();
        let (mut count, mut inverse_mass, mut bundle) = (T::zero(), T::zero(), T::zero());
        for (lane, vertices) in counts.iter().enumerate() {
            let strand = groom.strand(source(lane));
            let root = strand[0].to_array().map(f64::from);
            root_rest.set(lane, root);
            count.set(lane, *vertices as f64);
            inverse_mass.set(lane, 1.0 / f64::from(groom.masses[source(lane)]));
            bundle.set(lane, groom.bundle(source(lane)).strands.into());
            for (i, row) in rest.iter_mut().enumerate() {
                // A shorter strand's unused rows repeat its tip: finite, and never moved.
                let p = strand[i.min(vertices - 1)].to_array().map(f64::from);
                row.set(lane, [p[0] - root[0], p[1] - root[1], p[2] - root[2]]);
            }
        }
        let mut block = Self {
            strands,
            rows,
            shortest: counts.iter().copied().min().unwrap_or(0),
            counts,
            count,
            inverse_mass,
            bundle,
            stiffness: Self::stiffness_of(groom, rows, source),
            pinned: PINNED,
            root_rest,
            root_modelled: root_rest,
            root: root_rest,
            position: rest.clone(),
            velocity: vec![V3::zero(); rows],
            gained: Vec::new(),
            clearance: vec![T::splat(f64::from(f32::MAX)); rows],
            plane_normal: vec![V3::zero(); rows],
            plane_offset: vec![T::splat(NO_PLANE); rows],
            plane_drift: vec![V3::zero(); rows],
            room: vec![T::splat(AT_ONCE); rows],
            proximity: vec![ProximityCache::default(); rows],
            rest,
            tied: Self::tied_of(groom, rows, first..first + strands),
            attachments: Vec::new(),
            moved_by: "",
            shape: RestShape::new(),
            root_motion: None,
            eased: 1.0,
            eased_for: "",
            strand_contacts: None,
            memories: Memories::new(),
            resets: 0,
        };
        block.reset(pose);
        block
    }

    fn stiffness_of(groom: &Groom, rows: usize, source: impl Fn(usize) -> usize) -> Vec<T> {
        if groom.stiffness.is_empty() {
            return Vec::new();
        }
        let row = |i: usize| {
            T::from_lanes(|lane| {
                let strand = &groom.stiffness[groom.range(source(lane))];
                f64::from(strand[i.min(strand.len() - 1)])
            })
        };
        (0..rows).map(row).collect()
    }

    fn tied_of(groom: &Groom, rows: usize, strands: Range<usize>) -> Vec<T> {
        let ties = groom.ties.iter().map(|tie| tie.map(|n| n as usize));
        let mut own = ties
            .filter(|[strand, _]| strands.contains(strand))
            .peekable();
        if own.peek().is_none() {
            return Vec::new();
        }
        let mut tied = vec![T::zero(); rows];
        for [strand, vertex] in own {
            tied[vertex].set(strand - strands.start, 1.0);
        }
        tied
    }

    /// How stiff vertex `i` is in the lanes from `first` on, as a share of what
    /// the method says; none where that is 1 in all strands.
    #[inline(always)]
    pub fn stiff<P: Lane>(&self, i: usize, first: usize) -> Option<P> {
        self.stiffness.get(i).map(|share| share.cut(first))
    }

    /// One in the lanes whose strand has a vertex `i`, zero in the others.
    #[inline(always)]
    pub fn alive(&self, i: usize) -> T {
        let one = T::splat(1.0);
        if i < self.shortest {
            one
        } else {
            T::splat(i as f64).less(self.count, one, T::zero())
        }
    }

    /// What each real strand has of `row`.
    pub fn values(&self, row: T) -> Vec<f64> {
        (0..self.strands).map(|lane| row.get(lane)).collect()
    }

    /// Memory that it takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        let rows = [
            &self.rest,
            &self.position,
            &self.velocity,
            &self.plane_normal,
            &self.plane_drift,
            &self.shape.edges,
        ];
        let numbers = [
            &self.clearance,
            &self.plane_offset,
            &self.room,
            &self.shape.lengths,
            &self.stiffness,
            &self.tied,
        ];
        size_of::<Self>()
            + rows.map(|row| size_of_val(&row[..])).iter().sum::<usize>()
            + numbers
                .map(|row| size_of_val(&row[..]))
                .iter()
                .sum::<usize>()
            + self.gained.capacity() * size_of::<V3<T>>()
            + size_of_val(&self.proximity[..])
            + self.root_motion.as_deref().map_or(0, size_of_val)
            + size_of_val(&self.attachments[..])
            + self
                .strand_contacts
                .as_ref()
                .map_or(0, |contacts| contacts.bytes())
            + self.memories.bytes()
    }

    /// Puts every strand back to its rest curve under `pose`, standing still.
    pub fn reset(&mut self, pose: &Pose) {
        let frame = self.rest_frame(pose);
        self.root = LaneFrame::new(pose).point(self.root_rest);
        self.moved_by = "";
        (self.eased, self.eased_for) = (1.0, "");
        for i in 0..self.rows {
            self.position[i] = frame.vector(self.rest[i]);
            self.velocity[i] = V3::zero();
        }
        self.forget_skin();
    }

    /// Forgets what is known of the skin: every vertex queries anew.
    pub(super) fn forget_skin(&mut self) {
        self.proximity.fill(ProximityCache::default());
        self.room.fill(T::splat(AT_ONCE));
        self.plane_offset.fill(T::splat(NO_PLANE));
    }

    /// Moves everything rigidly as the head does from one pose to another.
    pub fn carry(&mut self, from: &Pose, to: &Pose) {
        let turn = Pose {
            rotation: (to.rotation * from.rotation.conjugate()).normalize(),
            translation: Vec3::ZERO,
        };
        let frame = LaneFrame::new(&turn);
        for v in self.position.iter_mut().chain(&mut self.velocity) {
            *v = frame.vector(*v);
        }
        for memory in self.memories.iter_mut() {
            memory.carry(Q::splat(turn.rotation));
        }
        self.root = LaneFrame::new(to).point(self.root_rest);
    }

    /// Lets every vertex query the skin anew: it is not what it was.
    pub fn invalidate(&mut self) {
        self.proximity.fill(ProximityCache::default());
        self.room.fill(T::splat(AT_ONCE));
        self.plane_drift.fill(V3::zero());
        for memory in self.memories.iter_mut() {
            memory.invalidate_contact();
        }
    }

    /// Where vertex `row` of the strand in `lane` is, in the world. `[m]`
    pub fn point(&self, row: usize, lane: usize) -> DVec3 {
        DVec3::from(self.position[row].get(lane)) + DVec3::from(self.root.get(lane))
    }

    /// Puts strands back that hold a number which is not finite.
    #[inline(always)]
    pub fn restore_nonfinite(&mut self, pose: &Pose) {
        self.restore_with(pose, T::zero(), |_| ());
    }

    /// The same where `suspect` is not finite, too; what a method remembers of a
    /// strand that was put back is forgotten by `forget`, which is told its lane.
    #[inline(always)]
    pub fn restore_with(&mut self, pose: &Pose, suspect: T, mut forget: impl FnMut(usize)) {
        let mut sum = suspect * T::zero();
        for v in &self.velocity {
            // Zero times anything finite is zero; times infinity or NaN, NaN.
            sum += (v.x + v.y + v.z) * T::zero();
        }
        for lane in 0..T::LANES {
            if sum.get(lane) != 0.0 {
                self.reset_lane(lane, pose);
                // Behind the last strand are copies of one, to fill the row.
                self.resets += u64::from(lane < self.strands);
                forget(lane);
            }
        }
    }

    /// Puts one strand back to its rest curve under `pose`, standing still.
    pub fn reset_lane(&mut self, lane: usize, pose: &Pose) {
        let frame = self.rest_frame(pose);
        for i in 0..self.rows {
            self.position[i].set(lane, frame.vector(self.rest[i]).get(lane));
            self.velocity[i].set(lane, [0.0; 3]);
            self.plane_offset[i].set(lane, NO_PLANE);
            let cache = &mut self.proximity[i];
            cache.with_torso &= !(1 << lane);
            // The room of the other strands is counted on the row's clock: that goes on.
            if (cache.travel + cache.aside + cache.last).is_finite() {
                self.room[i].set(lane, AT_ONCE);
                self.update_least_room::<T>(i);
            } else {
                // Their planes go on as well.
                *cache = ProximityCache {
                    with_torso: cache.with_torso,
                    drifts: cache.drifts,
                    ..ProximityCache::default()
                };
                self.room[i] = T::splat(AT_ONCE);
            }
        }
    }
}

/// All strands of a groom, in blocks; block `b` holds the strands from
/// `b * LANES` on, in the groom's order.
#[derive(Clone, Debug, Default)]
pub struct StrandState {
    /// The blocks, in the groom's order.
    pub blocks: Vec<Block<Row>>,
    /// How often the rest curves were changed.
    pub edits: u64,
    /// How many times more the air moves the lightest strand than one of
    /// ordinary mass.
    pub lightest: f64,
    /// Whether all hair is bound at one place.
    pub tied: bool,
    /// What a strand stands for on average: one where none follows.
    pub bundle: Bundle,
    starts: Vec<usize>,
}

impl StrandState {
    /// Packs `groom`, at rest under `pose`.
    pub fn new(groom: &Groom, pose: &Pose) -> Self {
        let firsts: Vec<usize> = (0..groom.strands()).step_by(LANES).collect();
        let starts = firsts
            .iter()
            .map(|first| groom.starts[*first] as usize)
            .chain([groom.points.len()])
            .collect();
        let block =
            |first: &usize| Block::new(groom, *first, LANES.min(groom.strands() - first), pose);
        Self {
            blocks: firsts.par_iter().map(block).collect(),
            edits: 0,
            tied: !groom.ties.is_empty(),
            bundle: groom.mean_bundle(),
            lightest: 1.0 / f64::from(groom.masses.iter().copied().fold(1.0, f32::min)),
            starts,
        }
    }

    /// Notes how far from the skin each vertex of the rest curves lies.
    pub fn measure_clearance(&mut self, skin: &dyn CollisionSurface) {
        self.blocks.par_iter_mut().for_each(|block| {
            for i in 0..block.rows {
                for lane in 0..LANES {
                    let p = (block.root_rest + block.rest[i]).get(lane);
                    let p = Vec3::from_array(p.map(|c| c as f32));
                    block.clearance[i].set(lane, f64::from(skin.distance(p)));
                }
            }
        });
    }

    /// The vertices of all rest curves in the groom's order, in the head's space. `[m]`
    pub(super) fn rest_points(&self) -> Vec<Vec3> {
        let points = |block: &Block<Row>| {
            let point = |lane, i: usize| (block.root_rest + block.rest[i]).get(lane);
            let strand = |lane| (0..block.counts[lane]).map(move |i| point(lane, i));
            let all = (0..block.strands).flat_map(strand);
            all.map(|p| Vec3::from_array(p.map(|c| c as f32)))
                .collect::<Vec<_>>()
        };
        self.blocks.iter().flat_map(points).collect()
    }

    /// Writes all positions in the groom's order. `[m]`
    pub fn write_positions(&self, out: &mut Vec<Vec3>) {
        out.resize(*self.starts.last().unwrap_or(&0), Vec3::ZERO);
        let mut rest = out.as_mut_slice();
        let mut parts = Vec::with_capacity(self.blocks.len());
        for (block, ends) in self.blocks.iter().zip(self.starts.windows(2)) {
            let (part, tail) = rest.split_at_mut(ends[1] - ends[0]);
            parts.push((block, part));
            rest = tail;
        }
        parts
            .into_par_iter()
            .with_min_len(16)
            .for_each(|(block, part)| {
                let mut start = 0;
                for lane in 0..block.strands {
                    for (i, out) in part[start..start + block.counts[lane]]
                        .iter_mut()
                        .enumerate()
                    {
                        let (p, root) = (&block.position[i], &block.root);
                        *out = Vec3::new(
                            p.x.0[lane] + root.x.0[lane],
                            p.y.0[lane] + root.y.0[lane],
                            p.z.0[lane] + root.z.0[lane],
                        );
                    }
                    start += block.counts[lane];
                }
            });
    }

    /// A hash of all positions and velocities (FNV-1a over their bits).
    pub fn hash(&self) -> u64 {
        let hash_block = |block: &Block<Row>| {
            let mut hash = 0xcbf2_9ce4_8422_2325u64;
            let rows = block.position.iter().chain(&block.velocity);
            for row in rows.chain([&block.root]) {
                for component in [&row.x, &row.y, &row.z] {
                    for value in &component.0[..block.strands] {
                        hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3);
                    }
                }
            }
            hash
        };
        let hashes: Vec<u64> = self.blocks.par_iter().map(hash_block).collect();
        hashes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, h| {
            (hash ^ h).wrapping_mul(0x0100_0000_01b3)
        })
    }
}
