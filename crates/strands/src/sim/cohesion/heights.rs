//! The strands of a lock by their heights, eight heights side by side.
//!
//! All that a lock does is the same at each height, so heights are the lanes. A
//! strand with fewer vertices than the longest of its lock has them at the same
//! shares of its length, and nothing, without mass, at the heights between.

use super::locks::{Locks, Member};
use crate::{
    math::lanes::{F, V3},
    sim::{
        solver::dispatch,
        state::{Block, LANES, Row, StrandState},
    },
};
use glam::{Mat4, Vec4};
use rayon::prelude::*;
use std::ops::Range;

/// Heights that are worked on at once.
pub(super) const HEIGHTS: usize = 8;

/// A number at each of them.
pub(super) type Heights = F<HEIGHTS>;

/// The same as it lies in memory.
pub(super) type Stored = [f32; HEIGHTS];

/// A vector at each height, as it lies in memory: x, y and z.
pub(super) type StoredVector = [Stored; 3];

/// From memory.
#[inline(always)]
pub(super) fn load(v: &StoredVector) -> V3<Heights> {
    V3 {
        x: F(v[0]),
        y: F(v[1]),
        z: F(v[2]),
    }
}

/// To memory.
#[inline(always)]
pub(super) fn store(v: V3<Heights>) -> StoredVector {
    [v.x.0, v.y.0, v.z.0]
}

/// Some heights of a strand in motion, seen from its root in the world's directions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// `[m]`
    pub place: StoredVector,
    /// `[m/s]`
    pub velocity: StoredVector,
}

/// What does not change of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modelled {
    /// Where they were modelled, from the root in the head's space. `[m]`
    pub place: StoredVector,
    /// As length of ordinary hair; nothing where the strand has no vertex. `[m]`
    pub mass: Stored,
}

/// The parts of `all` that belong to each block's strands.
fn parts<'a, A: Send>(
    state: &'a StrandState,
    locks: &'a Locks,
    all: &'a mut [A],
) -> Vec<(&'a Block<Row>, &'a [Member], &'a mut [A])> {
    let mut left = all;
    let mut parts = Vec::with_capacity(state.blocks.len());
    for (number, block) in state.blocks.iter().enumerate() {
        let members = locks.members(number * LANES, block.strands);
        let groups = members.iter().map(Member::groups).sum();
        let (part, more) = left.split_at_mut(groups);
        parts.push((block, members, part));
        left = more;
    }
    parts
}

/// The rest curves and the masses.
pub(super) fn modelled(state: &StrandState, locks: &Locks) -> Vec<Modelled> {
    let mut all = vec![Modelled::default(); locks.groups()];
    for (block, members, part) in parts(state, locks, &mut all) {
        let first = members.first().map_or(0, Member::first);
        for (lane, member) in members.iter().enumerate() {
            for i in 0..block.counts[lane] {
                let height = member.height(i);
                let to = &mut part[member.first() - first + height / HEIGHTS];
                to.mass[height % HEIGHTS] = locks.mass(*member, i);
                let rest = &block.rest[i];
                for (to, from) in to.place.iter_mut().zip([rest.x, rest.y, rest.z]) {
                    to[height % HEIGHTS] = from.0[lane];
                }
            }
        }
    }
    all
}

/// Brings the motion of all strands to `out`.
pub(super) fn read(state: &StrandState, locks: &Locks, out: &mut [Motion]) {
    let parts = parts(state, locks, out);
    parts.into_par_iter().for_each(|(block, members, out)| {
        dispatch::work(Read {
            block,
            members,
            out,
        });
    });
}

/// Brings one block's motion to its strands' heights.
struct Read<'a> {
    block: &'a Block<Row>,
    members: &'a [Member],
    out: &'a mut [Motion],
}

impl dispatch::Work for Read<'_> {
    #[inline(always)]
    fn run(self) {
        let (block, out) = (self.block, self.out);
        let first = self.members.first().map_or(0, Member::first);
        for lanes in (0..self.members.len()).step_by(TILE) {
            let members = &self.members[lanes..self.members.len().min(lanes + TILE)];
            // Tiles of four heights of four strands that have them all.
            let tiled = match members.len() == TILE && members.iter().all(Member::dense) {
                true => members.iter().map(|member| member.count()).min(),
                false => None,
            };
            let tiled = tiled.unwrap_or(0) / TILE * TILE;
            for i in (0..tiled).step_by(TILE) {
                let (group, half) = (i / HEIGHTS, i % HEIGHTS);
                for axis in 0..3 {
                    let place = tile(&block.position[i..i + TILE], axis, lanes);
                    let velocity = tile(&block.velocity[i..i + TILE], axis, lanes);
                    for (k, member) in members.iter().enumerate() {
                        let to = &mut out[member.first() - first + group];
                        place.col(k).write_to_slice(&mut to.place[axis][half..]);
                        velocity
                            .col(k)
                            .write_to_slice(&mut to.velocity[axis][half..]);
                    }
                }
            }
            for (k, member) in members.iter().enumerate() {
                for i in tiled..member.count() {
                    let height = member.height(i);
                    let to = &mut out[member.first() - first + height / HEIGHTS];
                    for axis in 0..3 {
                        let of = |v: &V3<Row>| axes(v)[axis].0[lanes + k];
                        to.place[axis][height % HEIGHTS] = of(&block.position[i]);
                        to.velocity[axis][height % HEIGHTS] = of(&block.velocity[i]);
                    }
                }
            }
        }
    }
}

/// Strands and heights that change places at once.
const TILE: usize = 4;

/// The rows of x, y and z.
#[inline(always)]
fn axes(v: &V3<Row>) -> [&Row; 3] {
    [&v.x, &v.y, &v.z]
}

/// The same, to be changed.
#[inline(always)]
fn axes_mut(v: &mut V3<Row>) -> [&mut Row; 3] {
    [&mut v.x, &mut v.y, &mut v.z]
}

/// Four rows of four lanes from `lane` on, by lanes.
#[inline(always)]
fn tile(rows: &[V3<Row>], axis: usize, lane: usize) -> Mat4 {
    let row = |i: usize| Vec4::from_slice(&axes(&rows[i])[axis].0[lane..]);
    Mat4::from_cols(row(0), row(1), row(2), row(3)).transpose()
}

/// Gives one block what its strands gain.
pub(super) struct Gain<'a> {
    pub block: &'a mut Block<Row>,
    pub members: &'a [Member],
    /// Of all strands, lock after lock. `[m/s]`
    pub gains: &'a [StoredVector],
    /// Length of the last substep. `[s]`
    pub seconds: f64,
}

impl dispatch::Work for Gain<'_> {
    #[inline(always)]
    fn run(self) {
        let (block, members) = (self.block, self.members);
        let mut gains = [V3::<Row>::zero(); TILE];
        for first in (0..block.rows).step_by(TILE) {
            let rows = first..block.rows.min(first + TILE);
            gains.fill(V3::zero());
            for lanes in (0..members.len()).step_by(TILE) {
                let members = &members[lanes..members.len().min(lanes + TILE)];
                put(members, lanes, rows.clone(), self.gains, &mut gains);
            }
            for (i, gain) in rows.zip(&gains).filter(|(i, _)| *i >= block.pinned) {
                block.velocity[i] = block.velocity[i] + *gain;
                for memory in block.memories.iter_mut() {
                    memory.gain(i, *gain, self.seconds);
                }
            }
        }
    }
}

/// Puts what some strands gain at some heights into their lanes, from `lanes` on.
#[inline(always)]
fn put(
    members: &[Member],
    lanes: usize,
    rows: Range<usize>,
    gains: &[StoredVector],
    out: &mut [V3<Row>; TILE],
) {
    let all = |member: &Member| member.dense() && member.count() >= rows.end;
    if let [a, b, c, d] = members
        && rows.len() == TILE
        && members.iter().all(all)
    {
        let (group, half) = (rows.start / HEIGHTS, rows.start % HEIGHTS);
        for axis in [0, 1, 2] {
            let lane = |m: &Member| Vec4::from_slice(&gains[m.gains() + group][axis][half..]);
            let tile = Mat4::from_cols(lane(a), lane(b), lane(c), lane(d)).transpose();
            for (k, out) in out.iter_mut().enumerate() {
                let row = &mut *axes_mut(out)[axis];
                tile.col(k).write_to_slice(&mut row.0[lanes..]);
            }
        }
        return;
    }
    for (lane, member) in members.iter().enumerate() {
        for i in rows.start..rows.end.min(member.count()) {
            let height = member.height(i);
            let found = &gains[member.gains() + height / HEIGHTS];
            let to = axes_mut(&mut out[i - rows.start]);
            for (to, found) in to.into_iter().zip(found) {
                to.0[lanes + lane] = found[height % HEIGHTS];
            }
        }
    }
}
