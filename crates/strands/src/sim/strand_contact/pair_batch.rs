//! Pairs of edges side by side: their contacts in a round, and what comes of them.

use super::{
    edges::{BATCH, EdgeRows, Edges, PairRow},
    half_way::HalfWay,
    law::{ContactLaw, EdgeMotion, PairContact, PairForce, PairLoad, between},
    leaving::{Leaving, PairMemory, ends_at, next_edge},
    plane::{NO_EDGE, SideLoad, TaskPlanes},
    side_force::SideForce,
};
use crate::math::{
    fetch::fetch,
    lanes::{Lane, V3, set_bits},
    work::LaneWork,
};

/// Pairs of edges, side by side. What every round reads of each comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct PairBatch {
    /// The edges' inner vertices, the smaller first.
    pub vertices: [[u32; BATCH]; 2],
    /// Which pairs touched in the last round, and which have carried anything lately, one
    /// bit for each: of the others nothing need be read.
    touches: u32,
    carries: u32,
    /// What the pair is, and what it has carried.
    pub pair: PairLoad<PairRow>,
    /// What the first edge felt in the last substep.
    before: PairForce<PairRow>,
    /// Where the edges have their contact in this substep.
    contact: PairContact<PairRow>,
    /// What its edges feel, of the pairs that touch.
    sides: [SideForce<PairRow>; 2],
}

/// The bits of as many pairs as a `T` has, from `first` on.
#[inline(always)]
fn mask<T: Lane>(first: usize) -> u32 {
    (u32::MAX >> (32 - T::LANES)) << first
}

impl PairBatch {
    /// None.
    pub fn none() -> Self {
        let (zero, one) = (PairRow::zero(), PairRow::splat(1.0));
        Self {
            vertices: [[0; BATCH]; 2],
            pair: PairLoad {
                distance: zero,
                mass: zero,
                share: one,
                load: zero,
                recent_load: zero,
            },
            before: PairForce::none(),
            contact: PairContact {
                at: [zero; 2],
                normal: V3::zero(),
                width: one,
                own: zero,
            },
            sides: [SideForce::none(); 2],
            touches: 0,
            carries: 0,
        }
    }

    /// Remembers nothing of any pair.
    pub fn forget(&mut self) {
        self.vertices = [[0; BATCH]; 2];
        self.pair.recent_load = PairRow::zero();
        self.before = PairForce::none();
        (self.touches, self.carries) = (0, 0);
    }

    /// What pair `k` remembers.
    fn memory(&self, k: usize) -> PairMemory {
        PairMemory {
            before: PairForce {
                normal_force: self.before.normal_force.0[k],
                friction: self.before.friction.cut(k),
            },
            recent_load: self.pair.recent_load.0[k],
        }
    }

    /// Lets pair `k` remember that beside what it remembers.
    pub fn add_memory(&mut self, k: usize, more: &PairMemory) {
        let mut memory = self.memory(k);
        memory.before.normal_force += more.before.normal_force;
        memory.before.friction = memory.before.friction + more.before.friction;
        memory.recent_load += more.recent_load;
        self.set_memory(k, &memory);
        self.carries |= 1 << k;
    }

    /// Lets pair `k` remember nothing.
    pub fn clear_memory(&mut self, k: usize) {
        let none = PairMemory {
            before: PairForce::none(),
            recent_load: 0.0,
        };
        self.set_memory(k, &none);
        self.carries &= !(1 << k);
    }

    fn set_memory(&mut self, k: usize, memory: &PairMemory) {
        self.before.normal_force.0[k] = memory.before.normal_force;
        self.before.friction.paste(k, memory.before.friction);
        self.pair.recent_load.0[k] = memory.recent_load;
    }

    /// Takes over what pair `from` of `other` remembers.
    pub fn remember(&mut self, k: usize, other: &Self, from: usize) {
        self.pair.recent_load.0[k] = other.pair.recent_load.0[from];
        let (carries, other) = (other.carries, &other.before);
        let before = &mut self.before;
        before.normal_force.0[k] = other.normal_force.0[from];
        before.friction.put(k, other.friction.at(from));
        self.carries |= ((carries >> from) & 1) << k;
    }
}

/// Share of a contact's load that it forgets in a substep: what it is stiff by
/// shall not flicker.
const FORGETTING: f64 = 0.1;

/// Less than this is nothing. `[m²/s²]`
const NOTHING: f64 = 1e-12;

/// So much of the next batch is asked for while one is in hand: what is read first.
/// `[bytes]`
const READ: usize = 512;

/// Places the planes of some batches.
pub struct Plan<'a> {
    pub batches: &'a mut [PairBatch],
    pub planes: &'a mut TaskPlanes,
    pub edges: &'a Edges,
    pub law: &'a ContactLaw,
    pub distance: f32,
    pub first: bool,
}

impl LaneWork for Plan<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let (planes, law) = (self.planes, self.law);
        let mut rows = [[0.0; 16]; BATCH];
        planes.loads.clear();
        planes.edges.clear();
        let mut batches = self.batches.iter_mut().peekable();
        while let Some(batch) = batches.next() {
            if let Some(next) = batches.peek() {
                fetch(std::ptr::from_ref(&**next).addr(), READ);
            }
            for first in (0..BATCH).step_by(T::LANES) {
                if self.first {
                    let a = self
                        .edges
                        .gather::<T>(&batch.vertices[0][first..], &mut rows);
                    let b = self
                        .edges
                        .gather::<T>(&batch.vertices[1][first..], &mut rows);
                    batch.locate(first, &a, &b, self.distance);
                    batch.touches &= !mask::<T>(first);
                    if !batch.may_touch::<T>(first) {
                        continue;
                    }
                    let moved = batch.moved(first, [&a.moved, &b.moved]);
                    let load = batch.carried::<T>(first).normal_force;
                    batch.place(first, moved, load, law, planes);
                } else if batch.may_touch::<T>(first) {
                    let moved = batch.ways::<T>(first, self.edges, &mut rows);
                    let load = batch.force(first, moved, law).normal_force;
                    batch.place(first, moved, load, law, planes);
                }
            }
        }
    }
}

/// Notes what the pairs of some batches did.
pub struct Remember<'a> {
    pub batches: &'a mut [PairBatch],
    pub edges: &'a Edges,
    pub law: &'a ContactLaw,
    pub touching: &'a mut usize,
    /// Contacts that slide on to other edges.
    pub leaving: &'a mut Vec<Leaving>,
}

impl LaneWork for Remember<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let zero = T::zero();
        let mut rows = [[0.0; 16]; BATCH];
        for batch in self.batches {
            for first in (0..BATCH).step_by(T::LANES) {
                let (touches, carries) = (batch.touches & mask::<T>(first), batch.carries);
                if (touches | carries) & mask::<T>(first) == 0 {
                    continue;
                }
                let (mut force, mut at) = (PairForce::none(), [T::splat(0.5); 2]);
                if touches != 0 {
                    let [own, other] = &batch.vertices;
                    let own = self.edges.gather::<T>(&own[first..], &mut rows);
                    let other = self.edges.gather::<T>(&other[first..], &mut rows);
                    let moved = batch.moved(first, [&own.moved, &other.moved]);
                    force = batch.force(first, moved, self.law);
                    at = ends_at(&own, &other);
                }
                let PairForce {
                    normal_force,
                    friction,
                } = force;
                batch.before.normal_force.paste(first, normal_force);
                batch.before.friction.paste(first, friction);
                let recent: T = batch.pair.recent_load.cut(first);
                let recent = recent + (normal_force - recent) * T::splat(FORGETTING);
                // A pair that cannot touch has not carried anything.
                let near = batch.contact.own.cut(first);
                let recent = zero.less(near, normal_force.max(recent), zero);
                let recent = T::splat(NOTHING).less(recent, recent, zero);
                batch.pair.recent_load.paste(first, recent);
                let carries = zero.bits_less(recent.max(normal_force)) << first;
                batch.carries = (batch.carries & !mask::<T>(first)) | carries;
                let presses = zero.bits_less(normal_force);
                *self.touching += presses.count_ones() as usize;
                let one = T::splat(1.0);
                let out = |at: T| at.bits_less(zero) | one.bits_less(at);
                for lane in set_bits(presses & (out(at[0]) | out(at[1]))) {
                    let from = [0, 1].map(|which| batch.vertices[which][first + lane]);
                    let to = [0, 1].map(|which| next_edge(from[which], at[which].get(lane)));
                    let memory = batch.memory(first + lane);
                    self.leaving.push(Leaving { from, to, memory });
                }
            }
        }
    }
}

impl PairBatch {
    /// Finds the contacts of the edges `a` and `b`, which are those of the pairs from `first`
    /// on, and which of them may come closer than `distance`. `[m]`
    #[inline(always)]
    fn locate<T: Lane>(
        &mut self,
        first: usize,
        a: &EdgeMotion<T>,
        b: &EdgeMotion<T>,
        distance: f32,
    ) {
        let mut found = PairContact::of(a, b);
        found.own = HalfWay::of(a, b).may_touch(a, b, &found, distance);
        let contact = &mut self.contact;
        contact.at[0].paste(first, found.at[0]);
        contact.at[1].paste(first, found.at[1]);
        contact.normal.paste(first, found.normal);
        contact.width.paste(first, found.width);
        contact.own.paste(first, found.own);
    }

    /// Whether any of the pairs from `first` on may touch in this substep.
    #[inline(always)]
    fn may_touch<T: Lane>(&self, first: usize) -> bool {
        T::zero().any_less(self.contact.own.cut(first))
    }

    /// What the first edges of the pairs from `first` on felt in the last substep.
    #[inline(always)]
    fn carried<T: Lane>(&self, first: usize) -> PairForce<T> {
        if self.carries & mask::<T>(first) == 0 {
            return PairForce::none();
        }
        PairForce {
            normal_force: self.before.normal_force.cut(first),
            friction: self.before.friction.cut(first),
        }
    }

    /// How far the points have moved where the pairs from `first` on have their contacts.
    /// `[m]`
    #[inline(always)]
    fn moved<T: Lane>(&self, first: usize, ends: [&[V3<T>; 2]; 2]) -> [V3<T>; 2] {
        let [own, other] = &self.contact.at;
        [
            between(ends[0], own.cut(first)),
            between(ends[1], other.cut(first)),
        ]
    }

    /// The same of edges whose motion is still to be gathered. `[m]`
    #[inline(always)]
    fn ways<T: Lane>(&self, first: usize, edges: &Edges, rows: &mut EdgeRows) -> [V3<T>; 2] {
        let [own, other] = &self.vertices;
        let own = edges.gather_moved::<T>(&own[first..], rows);
        let other = edges.gather_moved::<T>(&other[first..], rows);
        self.moved(first, [&own, &other])
    }

    /// What the first edges of the pairs from `first` on feel whose points have moved
    /// so. `[m]`
    #[inline(always)]
    fn force<T: Lane>(&self, first: usize, moved: [V3<T>; 2], law: &ContactLaw) -> PairForce<T> {
        if self.touches & mask::<T>(first) == 0 {
            return PairForce::none();
        }
        let normal: V3<T> = self.contact.normal.cut(first);
        let own = self.sides[0].cut(first).at(normal, moved[0]);
        let other = self.sides[1].cut(first).at(V3::zero() - normal, moved[1]);
        law.agreed(self.pair.share.cut(first), &own, &other)
    }

    /// Places the planes of the pairs from `first` on whose points have moved so, and
    /// which carry that load now; records what they do to their edges. `[m]`, `[m²/s²]`
    #[inline(always)]
    fn place<T: Lane>(
        &mut self,
        first: usize,
        moved: [V3<T>; 2],
        load: T,
        law: &ContactLaw,
        planes: &mut TaskPlanes,
    ) {
        let found = &self.contact;
        let contact = PairContact::<T> {
            at: [found.at[0].cut(first), found.at[1].cut(first)],
            normal: found.normal.cut(first),
            width: found.width.cut(first),
            own: found.own.cut(first),
        };
        let pair = PairLoad {
            distance: self.pair.distance.cut(first),
            mass: self.pair.mass.cut(first),
            share: self.pair.share.cut(first),
            load,
            recent_load: match self.carries & mask::<T>(first) {
                0 => load,
                _ => load.max(self.pair.recent_load.cut(first)),
            },
        };
        let before = self.carried(first);
        let sides = law.forces(&contact, moved, &pair, &before);
        let zero = T::zero();
        let bits = [
            zero.bits_less(sides[0].stiff),
            zero.bits_less(sides[1].stiff),
        ];
        let any = bits[0] | bits[1];
        self.touches = (self.touches & !mask::<T>(first)) | any << first;
        if any == 0 {
            return;
        }
        for (side, placed) in self.sides.iter_mut().zip(&sides) {
            side.paste(first, placed);
        }
        self.record(first, &sides, &before, bits, planes);
    }

    /// Records what the pairs from `first` on do to their edges, of those whose bits are
    /// set.
    #[inline(always)]
    fn record<T: Lane>(
        &self,
        first: usize,
        sides: &[SideForce<T>; 2],
        before: &PairForce<T>,
        bits: [u32; 2],
        planes: &mut TaskPlanes,
    ) {
        let normal: V3<T> = self.contact.normal.cut(first);
        let before = normal.scale(before.normal_force) + before.friction.across(normal);
        let none = V3::zero();
        let rows = [
            self.rows(first, 0, &sides[0], normal, before),
            self.rows(first, 1, &sides[1], none - normal, none - before),
        ];
        for k in (0..T::LANES).step_by(4) {
            let four = ((bits[0] | bits[1]) >> k) & 15;
            if four == 0 {
                continue;
            }
            let mut loads = [[SideLoad::default(); 2]; 4];
            for which in 0..2 {
                for from in (0..16).step_by(T::LANES) {
                    let columns = T::columns(&rows[which][from..], k);
                    for (load, column) in loads.iter_mut().zip(&columns) {
                        let numbers = &mut load[which].0[from..from + T::LANES];
                        numbers.copy_from_slice(column.floats());
                    }
                }
            }
            for (j, load) in loads.iter().enumerate() {
                if four & (1 << j) != 0 {
                    let edge = |which: usize| match (bits[which] >> (k + j)) & 1 {
                        0 => NO_EDGE,
                        _ => self.vertices[which][first + k + j],
                    };
                    planes.edges.push([edge(0), edge(1)]);
                    planes.loads.push(*load);
                }
            }
        }
    }

    /// The numbers of a [`SideLoad`] of the pairs from `first` on, side by side.
    #[inline(always)]
    fn rows<T: Lane>(
        &self,
        first: usize,
        which: usize,
        side: &SideForce<T>,
        normal: V3<T>,
        before: V3<T>,
    ) -> [[f32; 16]; 16] {
        let stiff = side.stiffness(normal);
        let force = side.here(normal);
        let none = [0.0; 16];
        [
            row(stiff.xx),
            row(stiff.xy),
            row(stiff.xz),
            row(stiff.yy),
            row(stiff.yz),
            row(stiff.zz),
            row(force.x),
            row(force.y),
            row(force.z),
            row(before.x),
            row(before.y),
            row(before.z),
            row(self.contact.at[which].cut::<T>(first)),
            none,
            none,
            none,
        ]
    }
}

/// The numbers of all lanes, in the first places of a row.
#[inline(always)]
fn row<T: Lane>(lanes: T) -> [f32; 16] {
    let mut row = [0.0; 16];
    row[..T::LANES].copy_from_slice(lanes.floats());
    row
}
