//! The pairs of edges that may touch in a substep, and what they remember.

use super::{
    edge::EdgeForce,
    edges::{Edges, LOT, Lot, lanes, put, take, vector},
    law::{ContactLaw, EdgeMotion, Meeting, PairLoad, between},
    plane::{ContactPlanes, PairPlane, SidePlane, TASK},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::solver::dispatch::{LaneWork, lane_work},
};
use glam::Vec3;
use rayon::prelude::*;

/// Share of a contact's load that it forgets in a substep: what it is stiff by
/// shall not flicker.
const FORGETTING: f32 = 0.1;

/// Lots that one task takes.
const LOTS: usize = TASK / LOT;

/// Pairs of edges, side by side.
#[derive(Clone, Debug)]
struct PairLot {
    /// The edges' inner vertices, the smaller first.
    vertices: [[u32; LOT]; 2],
    /// Where each has its side among all.
    sides: [[u32; LOT]; 2],
    /// What the pair is, and what it has carried.
    pair: PairLoad<Lot>,
    /// Friction on the first edge in the last substep, and the normal force. `[m²/s²]`
    friction: V3<Lot>,
    push: Lot,
    /// Where the edges meet in this substep.
    meeting: Meeting<Lot>,
    /// These points when it began. `[m]`
    points: [V3<Lot>; 2],
}

impl PairLot {
    fn none() -> Self {
        let (zero, one) = (Lot::zero(), Lot::splat(1.0));
        Self {
            vertices: [[0; LOT]; 2],
            sides: [[0; LOT]; 2],
            pair: PairLoad {
                distance: zero,
                mass: zero,
                share: one,
                load: zero,
                held: zero,
            },
            friction: V3::zero(),
            push: zero,
            meeting: Meeting {
                at: [zero; 2],
                normal: V3::zero(),
                width: one,
                own: zero,
            },
            points: [V3::zero(); 2],
        }
    }

    /// Takes over what pair `from` of `other` remembers.
    fn remember(&mut self, k: usize, other: &Self, from: usize) {
        self.pair.held.0[k] = other.pair.held.0[from];
        self.push.0[k] = other.push.0[from];
        put(&mut self.friction, k, take(&other.friction, from));
    }
}

/// What does not change while strands move.
#[derive(Clone, Copy, Debug)]
pub struct PairMaterial<'a> {
    /// All vertices of the groom as modelled, in the head's space. `[m]`
    pub rest: &'a [Vec3],
    /// One over the mass of each strand, as a share of ordinary hair's.
    pub inverse_masses: &'a [f32],
    /// Distance that the middle lines keep. `[m]`
    pub thickness: f32,
}

/// All pairs.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    /// Sorted by their first edge, then by their second.
    lots: Vec<PairLot>,
    /// How many there are.
    pub count: usize,
    /// What they meet, and where the pairs of each edge are.
    pub planes: ContactPlanes,
}

/// Where the entries of each of so many begin, and where the last one's end.
fn prefix(count: usize, entries: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut firsts = vec![0u32; count + 1];
    for entry in entries {
        firsts[entry as usize + 1] += 1;
    }
    for i in 0..count {
        firsts[i + 1] += firsts[i];
    }
    firsts
}

impl PairList {
    /// Takes other pairs of edges; what is found again keeps its forces.
    pub fn replace(&mut self, found: &[Vec<(u32, u32)>], edges: &Edges, material: &PairMaterial) {
        let vertices = edges.vertices.len();
        let all = || found.iter().flatten();
        let firsts = prefix(vertices, all().map(|(a, _)| *a));
        let count = firsts[vertices] as usize;
        // Both edges of each pair, sorted by the first.
        let mut pairs = vec![[0u32; 2]; count];
        let mut next = firsts.clone();
        for (a, b) in all() {
            let place = &mut next[*a as usize];
            pairs[*place as usize] = [*a, *b];
            *place += 1;
        }
        let mut rest = &mut pairs[..];
        let mut buckets = Vec::new();
        for first in (0..vertices).step_by(1024) {
            let end = (first + 1024).min(vertices);
            let (part, more) = rest.split_at_mut((firsts[end] - firsts[first]) as usize);
            buckets.push((first..end, part));
            rest = more;
        }
        buckets.into_par_iter().for_each(|(range, part)| {
            let base = firsts[range.start];
            for vertex in range {
                let [first, end] = [vertex, vertex + 1].map(|v| (firsts[v] - base) as usize);
                part[first..end].sort_unstable();
            }
        });
        let back_firsts = prefix(vertices, pairs.iter().map(|[_, b]| *b));
        let mut next = back_firsts.clone();
        let mut backs = vec![0u32; count];
        let mut back_places = vec![0u32; count];
        for (pair, [_, b]) in pairs.iter().enumerate() {
            let place = &mut next[*b as usize];
            backs[*place as usize] = pair as u32;
            back_places[pair] = *place;
            *place += 1;
        }
        let mut lots = vec![PairLot::none(); count.div_ceil(LOT)];
        let before = &*self;
        lots.par_iter_mut()
            .with_min_len(LOTS)
            .enumerate()
            .for_each(|(number, lot)| {
                for k in 0..LOT.min(count - number * LOT) {
                    let pair = number * LOT + k;
                    let [a, b] = pairs[pair];
                    (lot.vertices[0][k], lot.vertices[1][k]) = (a, b);
                    // Sides are counted as `ContactPlanes::first_side` says.
                    lot.sides[0][k] = pair as u32 + back_firsts[a as usize + 1];
                    lot.sides[1][k] = back_places[pair] + firsts[b as usize];
                    if let Some(old) = before.place(a, b) {
                        lot.remember(k, &before.lots[old / LOT], old % LOT);
                    }
                }
                lane_work(Measure {
                    lot,
                    edges,
                    material,
                });
                // Behind the last pair there is nothing, and nothing meets it.
                let end = LOT.min(count - number * LOT);
                lot.pair.distance.0[end..].fill(-1.0);
            });
        let mut planes = std::mem::take(&mut self.planes.planes);
        planes.resize_with(lots.len().div_ceil(LOTS), Vec::new);
        let mut meets = std::mem::take(&mut self.planes.meets);
        meets.clear();
        meets.resize(lots.len() * LOT, 0);
        self.planes = ContactPlanes {
            planes,
            meets,
            firsts,
            back_firsts,
            backs,
        };
        (self.lots, self.count) = (lots, count);
    }

    /// The number of the pair of those edges.
    fn place(&self, a: u32, b: u32) -> Option<usize> {
        let first = *self.planes.firsts.get(a as usize)? as usize;
        let end = *self.planes.firsts.get(a as usize + 1)? as usize;
        (first..end).find(|pair| self.lots[pair / LOT].vertices[1][pair % LOT] == b)
    }

    /// Works out what every edge meets in the next round, once its strands have moved as
    /// far as `edges` says; `forces` are what the last round's planes did, side by side.
    pub fn plan(&mut self, edges: &Edges, law: &ContactLaw, forces: &[EdgeForce], first: bool) {
        let lots = self.lots.par_chunks_mut(LOTS);
        let planes = self.planes.planes.par_iter_mut();
        let meets = self.planes.meets.par_chunks_mut(TASK);
        lots.zip(planes)
            .zip(meets)
            .for_each(|((lots, planes), meets)| {
                lane_work(Plan {
                    lots,
                    planes,
                    meets,
                    edges,
                    law,
                    forces,
                    first,
                });
            });
    }

    /// Notes what each pair did in the substep and carries in the long run; answers how
    /// many press against each other.
    pub fn remember(&mut self, law: &ContactLaw, forces: &[EdgeForce]) -> usize {
        let lots = self.lots.par_iter_mut().with_min_len(LOTS);
        let meets = self.planes.meets.par_chunks(LOT);
        let touching = lots.zip(meets).map(|(lot, meets)| {
            let mut touching = 0;
            for (k, meets) in meets.iter().enumerate() {
                let EdgeForce { push, friction } = agreed(lot, k, *meets, law, forces);
                lot.push.0[k] = push;
                put(&mut lot.friction, k, friction);
                let held = &mut lot.pair.held.0[k];
                *held = push.max(*held + FORGETTING * (push - *held));
                touching += usize::from(push > 0.0);
            }
            touching
        });
        touching.sum()
    }
}

/// What one side of a pair has felt, of whose edges those meet the plane.
#[inline(always)]
fn felt(forces: &[EdgeForce], lot: &PairLot, k: usize, meets: u16, which: usize) -> EdgeForce {
    match meets & (1 << which) {
        0 => EdgeForce::default(),
        _ => forces[lot.sides[which][k] as usize],
    }
}

/// The force of a pair on its first edge: what both have felt should be one force and
/// its opposite, and the side that gives way more knows it better.
#[inline(always)]
fn agreed(
    lot: &PairLot,
    k: usize,
    meets: u16,
    law: &ContactLaw,
    forces: &[EdgeForce],
) -> EdgeForce {
    if meets & 3 == 0 {
        return EdgeForce::default();
    }
    let own = felt(forces, lot, k, meets, 0);
    let other = felt(forces, lot, k, meets, 1);
    let share = lot.pair.share.0[k];
    let rest = 1.0 - share;
    let push = (own.push * share + other.push * rest).max(0.0);
    let friction = own.friction * share - other.friction * rest;
    let (most, size) = (law.friction * push, friction.length());
    let kept = if size > most { most / size } else { 1.0 };
    EdgeForce {
        push,
        friction: friction * kept,
    }
}

/// Measures pairs on the groom as modelled.
struct Measure<'a> {
    lot: &'a mut PairLot,
    edges: &'a Edges,
    material: &'a PairMaterial<'a>,
}

impl LaneWork for Measure<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let thickness = T::splat(f64::from(self.material.thickness));
        for first in (0..LOT).step_by(T::LANES) {
            let (a, own) = self.gather::<T>(&self.lot.vertices[0][first..]);
            let (b, other) = self.gather::<T>(&self.lot.vertices[1][first..]);
            let pair = &mut self.lot.pair;
            // What the groom has closer keeps that distance.
            let distance = Meeting::of(&a, &b).width.min(thickness);
            pair.distance.paste(first, distance);
            let mass = (a.length() + b.length()) * T::splat(0.5);
            pair.mass.paste(first, mass);
            pair.share.paste(first, own / (own + other));
        }
    }
}

impl Measure<'_> {
    /// The edges at those vertices on the groom as modelled, and one over their masses.
    #[inline(always)]
    fn gather<T: Lane>(&self, at: &[u32]) -> (EdgeMotion<T>, T) {
        let mut rows = [[0.0; LOT]; 7];
        for (k, vertex) in at[..T::LANES].iter().enumerate() {
            let vertex = *vertex as usize;
            let (a, b) = (self.material.rest[vertex], self.material.rest[vertex + 1]);
            let mass = self.material.inverse_masses[self.edges.strands[vertex] as usize];
            for (row, number) in rows.iter_mut().zip([a.x, a.y, a.z, b.x, b.y, b.z, mass]) {
                row[k] = number;
            }
        }
        let edge = EdgeMotion {
            start: [vector(&rows[0..3]), vector(&rows[3..6])],
            moved: [V3::zero(); 2],
            bounds: [T::zero(); 2],
        };
        (edge, lanes(&rows[6]))
    }
}

/// Places the planes of some lots.
struct Plan<'a> {
    lots: &'a mut [PairLot],
    planes: &'a mut Vec<PairPlane>,
    meets: &'a mut [u16],
    edges: &'a Edges,
    law: &'a ContactLaw,
    forces: &'a [EdgeForce],
    first: bool,
}

impl LaneWork for Plan<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let planes = self.planes;
        planes.clear();
        for (lot, meets) in self.lots.iter_mut().zip(self.meets.chunks_mut(LOT)) {
            if self.first {
                lot.pair.load = lot.push;
            } else {
                for (k, meets) in meets.iter().enumerate() {
                    let force = agreed(lot, k, *meets, self.law, self.forces);
                    lot.pair.load.0[k] = force.push;
                }
            }
            for first in (0..LOT).step_by(T::LANES) {
                if self.first {
                    let a = self.edges.gather::<T>(&lot.vertices[0][first..]);
                    let b = self.edges.gather::<T>(&lot.vertices[1][first..]);
                    lot.meet(first, &a, &b);
                    lot.place(first, [&a.moved, &b.moved], self.law, planes, meets);
                } else {
                    let a = self.edges.gather_moved::<T>(&lot.vertices[0][first..]);
                    let b = self.edges.gather_moved::<T>(&lot.vertices[1][first..]);
                    lot.place(first, [&a, &b], self.law, planes, meets);
                }
            }
        }
    }
}

impl PairLot {
    /// Finds where the edges `a` and `b` meet, which are those of the pairs from `first`
    /// on.
    #[inline(always)]
    fn meet<T: Lane>(&mut self, first: usize, a: &EdgeMotion<T>, b: &EdgeMotion<T>) {
        let met = Meeting::of(a, b);
        let meeting = &mut self.meeting;
        meeting.at[0].paste(first, met.at[0]);
        meeting.at[1].paste(first, met.at[1]);
        meeting.normal.paste(first, met.normal);
        meeting.width.paste(first, met.width);
        meeting.own.paste(first, met.own);
        self.points[0].paste(first, between(&a.start, met.at[0]));
        self.points[1].paste(first, between(&b.start, met.at[1]));
    }

    /// Places the planes of the pairs from `first` on, whose edges' ends have moved so.
    /// `[m]`
    #[inline(always)]
    fn place<T: Lane>(
        &mut self,
        first: usize,
        moved: [&[V3<T>; 2]; 2],
        law: &ContactLaw,
        planes: &mut Vec<PairPlane>,
        meets: &mut [u16],
    ) {
        let met = &self.meeting;
        let meeting = Meeting::<T> {
            at: [met.at[0].cut(first), met.at[1].cut(first)],
            normal: met.normal.cut(first),
            width: met.width.cut(first),
            own: met.own.cut(first),
        };
        let load: T = self.pair.load.cut(first);
        let pair = PairLoad {
            distance: self.pair.distance.cut(first),
            mass: self.pair.mass.cut(first),
            share: self.pair.share.cut(first),
            load,
            held: load.max(self.pair.held.cut(first)),
        };
        let points = [self.points[0].cut(first), self.points[1].cut(first)];
        let moved = [
            between(moved[0], meeting.at[0]),
            between(moved[1], meeting.at[1]),
        ];
        let ([own, other], drift) = law.meet(&meeting, points, moved, &pair);
        let meets = &mut meets[first..first + T::LANES];
        let met = [
            T::zero().bits_less(own.stiff),
            T::zero().bits_less(other.stiff),
        ];
        for (k, meets) in meets.iter_mut().enumerate() {
            let bits = [(met[0] >> k) & 1, (met[1] >> k) & 1];
            *meets = (bits[0] | (bits[1] << 1)) as u16;
        }
        let mut any = met[0] | met[1];
        if any == 0 {
            return;
        }
        let friction: V3<T> = self.friction.cut(first);
        let normal = meeting.normal;
        let friction = friction - normal.scale(normal.dot(friction));
        let mut rows = [Lot::zero(); 17];
        let numbers = [
            normal.x,
            normal.y,
            normal.z,
            drift.x,
            drift.y,
            drift.z,
            friction.x,
            friction.y,
            friction.z,
            own.offset,
            own.stiff,
            own.hold,
            own.load,
            other.offset,
            other.stiff,
            other.hold,
            other.load,
        ];
        for (row, number) in rows.iter_mut().zip(numbers) {
            row.paste(0, number);
        }
        while any != 0 {
            let k = any.trailing_zeros() as usize;
            any &= any - 1;
            let n = |row: usize| rows[row].0[k];
            meets[k] |= (planes.len() as u16) << 2;
            planes.push(PairPlane {
                normal: Vec3::new(n(0), n(1), n(2)),
                drift: Vec3::new(n(3), n(4), n(5)),
                friction: Vec3::new(n(6), n(7), n(8)),
                push: self.push.0[first + k],
                sides: [
                    SidePlane {
                        at: self.meeting.at[0].0[first + k],
                        offset: n(9),
                        stiff: n(10),
                        hold: n(11),
                        load: n(12),
                    },
                    SidePlane {
                        at: self.meeting.at[1].0[first + k],
                        offset: n(13),
                        stiff: n(14),
                        hold: n(15),
                        load: n(16),
                    },
                ],
            });
        }
    }
}
