//! The strands of a lock by their heights, eight heights side by side.
//!
//! All that a lock does is the same at each height, so heights are the lanes. At a height
//! lies a run of vertices: the lock sees their mean and moves all of them alike. A loose strand
//! with fewer runs than the longest of its lock has them at the same shares of its length, a
//! tied one has them as far from the tie; at the heights between it has nothing, without mass.

use super::locks::{Locks, Member};
use crate::{
    math::{
        lanes::{F, Lane, V3},
        work::{Work, work},
    },
    sim::{
        runs::Runs,
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

/// Some heights of a strand in motion, seen from its root, or where it is tied from there, in
/// the world's directions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// `[m]`
    pub place: StoredVector,
    /// Of tied strands against the tie. `[m/s]`
    pub velocity: StoredVector,
}

/// What does not change of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modelled {
    /// Where they were modelled, seen from there in the head's space. `[m]`
    pub place: StoredVector,
    /// As length of ordinary hair; nothing where the strand has no run, or an unbound one. `[m]`
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
            let from = seen_from(&block.rest, member, lane);
            for run in 0..member.count() {
                let height = member.height(run);
                let to = &mut part[member.first() - first + height / HEIGHTS];
                if member.is_bound(run) {
                    to.mass[height % HEIGHTS] = locks.mass(*member, run);
                }
                let rows = locks.runs().rows(run, block.counts[lane]);
                for (axis, to) in to.place.iter_mut().enumerate() {
                    let place = mean_of(&block.rest[rows.clone()], axis, lane);
                    to[height % HEIGHTS] = place - from[axis];
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
        work(Read {
            block,
            members,
            runs: locks.runs(),
            out,
        });
    });
}

/// Brings one block's motion to its strands' heights.
struct Read<'a> {
    block: &'a Block<Row>,
    members: &'a [Member],
    runs: Runs,
    out: &'a mut [Motion],
}

impl Work for Read<'_> {
    #[inline(always)]
    fn run(self) {
        let (block, runs, out) = (self.block, self.runs, self.out);
        let first = self.members.first().map_or(0, Member::first);
        let all = runs.count(block.rows);
        let (mut place, mut velocity) = ([V3::zero(); TILE], [V3::zero(); TILE]);
        for start in (0..all).step_by(TILE) {
            let tile_runs = start..all.min(start + TILE);
            for (k, run) in tile_runs.clone().enumerate() {
                let rows = runs.rows(run, block.rows);
                place[k] = mean(&block.position[rows.clone()]);
                velocity[k] = mean(&block.velocity[rows.clone()]);
                // Locks must know what hair against hair has given in this step.
                if !block.gained.is_empty() {
                    velocity[k] = velocity[k] + mean(&block.gained[rows]);
                }
            }
            for lanes in (0..self.members.len()).step_by(TILE) {
                let members = &self.members[lanes..self.members.len().min(lanes + TILE)];
                // Tiles of four heights of four strands that have them all.
                let whole = |(k, member): (usize, &Member)| {
                    member.dense() && runs.whole(block.counts[lanes + k]) >= start + TILE
                };
                if members.len() == TILE && members.iter().enumerate().all(whole) {
                    let (group, half) = (start / HEIGHTS, start % HEIGHTS);
                    for axis in 0..3 {
                        let place = tile(&place, axis, lanes);
                        let velocity = tile(&velocity, axis, lanes);
                        for (k, member) in members.iter().enumerate() {
                            let to = &mut out[member.first() - first + group];
                            place.col(k).write_to_slice(&mut to.place[axis][half..]);
                            velocity
                                .col(k)
                                .write_to_slice(&mut to.velocity[axis][half..]);
                        }
                    }
                    continue;
                }
                for (k, member) in members.iter().enumerate() {
                    let lane = lanes + k;
                    let from = seen_from(&block.position, member, lane);
                    let mut rides = seen_from(&block.velocity, member, lane);
                    if !block.gained.is_empty() {
                        let gained = seen_from(&block.gained, member, lane);
                        rides = [0, 1, 2].map(|axis| rides[axis] + gained[axis]);
                    }
                    for run in tile_runs.start..tile_runs.end.min(member.count()) {
                        let height = member.height(run);
                        let to = &mut out[member.first() - first + height / HEIGHTS];
                        let rows = runs.rows(run, block.counts[lane]);
                        for axis in 0..3 {
                            let of = |rows: &[V3<Row>]| mean_of(rows, axis, lane);
                            let place = of(&block.position[rows.clone()]);
                            to.place[axis][height % HEIGHTS] = place - from[axis];
                            let mut velocity = of(&block.velocity[rows.clone()]);
                            if !block.gained.is_empty() {
                                velocity += of(&block.gained[rows.clone()]);
                            }
                            to.velocity[axis][height % HEIGHTS] = velocity - rides[axis];
                        }
                    }
                }
            }
        }
    }
}

/// What a strand's places or velocities in `rows` are seen from: of loose strands nothing, for
/// places are from the root as they are, and of tied ones that of the tie.
#[inline(always)]
fn seen_from(rows: &[V3<Row>], member: &Member, lane: usize) -> [f32; 3] {
    match member.seen_from() {
        Some(row) => axes(&rows[row]).map(|axis| axis.0[lane]),
        None => [0.0; 3],
    }
}

/// The mean of some rows, at least one.
#[inline(always)]
fn mean(rows: &[V3<Row>]) -> V3<Row> {
    let mut sum = rows[0];
    for row in &rows[1..] {
        sum = sum + *row;
    }
    sum.scale(Row::splat(1.0 / rows.len() as f64))
}

/// The same of one lane along one axis.
#[inline(always)]
fn mean_of(rows: &[V3<Row>], axis: usize, lane: usize) -> f32 {
    let mut sum = 0.0;
    for row in rows {
        sum += axes(row)[axis].0[lane];
    }
    sum * (1.0 / rows.len() as f32)
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
    pub runs: Runs,
    /// Of all strands, lock after lock. `[m/s]`
    pub gains: &'a [StoredVector],
}

impl Work for Gain<'_> {
    #[inline(always)]
    fn run(self) {
        let (block, members, runs) = (self.block, self.members, self.runs);
        let all = runs.count(block.rows);
        let mut gains = [V3::<Row>::zero(); TILE];
        for first in (0..all).step_by(TILE) {
            let tile_runs = first..all.min(first + TILE);
            gains.fill(V3::zero());
            for lanes in (0..members.len()).step_by(TILE) {
                let members = &members[lanes..members.len().min(lanes + TILE)];
                put(members, lanes, tile_runs.clone(), self.gains, &mut gains);
            }
            for (run, gain) in tile_runs.zip(&gains) {
                let rows = runs.rows(run, block.rows);
                for i in rows.start.max(block.pinned)..rows.end {
                    block.gain(i, *gain);
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
    runs: Range<usize>,
    gains: &[StoredVector],
    out: &mut [V3<Row>; TILE],
) {
    let all = |member: &Member| member.dense() && member.count() >= runs.end;
    if let [a, b, c, d] = members
        && runs.len() == TILE
        && members.iter().all(all)
    {
        let (group, half) = (runs.start / HEIGHTS, runs.start % HEIGHTS);
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
        for run in runs.start..runs.end.min(member.count()) {
            let height = member.height(run);
            let found = &gains[member.gains() + height / HEIGHTS];
            let to = axes_mut(&mut out[run - runs.start]);
            for (to, found) in to.into_iter().zip(found) {
                to.0[lanes + lane] = found[height % HEIGHTS];
            }
        }
    }
}
