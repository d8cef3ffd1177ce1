//! Pairs of edges side by side: what they meet in a round, and what comes of it.

use super::{
    edges::{EdgeRows, Edges, LOT, Lot, put, take},
    half_way::HalfWay,
    law::{ContactLaw, EdgeMotion, Meeting, PairForce, PairLoad, between},
    plane::{SideLoad, TaskPlanes, UNMET},
    side_force::{SideForce, across},
};
use crate::{
    math::{
        fetch::fetch,
        lanes::{Lane, V3},
    },
    sim::solver::dispatch::LaneWork,
};

/// Pairs of edges, side by side. What every round reads of each comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct PairLot {
    /// The edges' inner vertices, the smaller first.
    pub vertices: [[u32; LOT]; 2],
    /// Which pairs have met in the last round, and which have carried anything lately, one
    /// bit for each: of the others nothing need be read.
    meets: u32,
    carries: u32,
    /// What the pair is, and what it has carried.
    pub pair: PairLoad<Lot>,
    /// What the first edge felt in the last substep.
    before: PairForce<Lot>,
    /// Where the edges meet in this substep.
    meeting: Meeting<Lot>,
    /// What its edges feel, of the pairs that meet.
    sides: [SideForce<Lot>; 2],
}

/// The bits of as many pairs as a `T` has, from `first` on.
#[inline(always)]
fn mask<T: Lane>(first: usize) -> u32 {
    (u32::MAX >> (32 - T::LANES)) << first
}

impl PairLot {
    /// None.
    pub fn none() -> Self {
        let (zero, one) = (Lot::zero(), Lot::splat(1.0));
        Self {
            vertices: [[0; LOT]; 2],
            pair: PairLoad {
                distance: zero,
                mass: zero,
                share: one,
                load: zero,
                held: zero,
            },
            before: PairForce::none(),
            meeting: Meeting {
                at: [zero; 2],
                normal: V3::zero(),
                width: one,
                own: zero,
            },
            sides: [SideForce::none(); 2],
            meets: 0,
            carries: 0,
        }
    }

    /// Remembers nothing of any pair.
    pub fn forget(&mut self) {
        self.vertices = [[0; LOT]; 2];
        self.pair.held = Lot::zero();
        self.before = PairForce::none();
        (self.meets, self.carries) = (0, 0);
    }

    /// Takes over what pair `from` of `other` remembers.
    pub fn remember(&mut self, k: usize, other: &Self, from: usize) {
        self.pair.held.0[k] = other.pair.held.0[from];
        let (carries, other) = (other.carries, &other.before);
        let before = &mut self.before;
        before.push.0[k] = other.push.0[from];
        put(&mut before.friction, k, take(&other.friction, from));
        self.carries |= ((carries >> from) & 1) << k;
    }
}

/// Share of a contact's load that it forgets in a substep: what it is stiff by
/// shall not flicker.
const FORGETTING: f64 = 0.1;

/// Less than this is nothing. `[m²/s²]`
const NOTHING: f64 = 1e-12;

/// So much of the next lot is asked for while one is in hand: what is read first.
/// `[bytes]`
const READ: usize = 512;

/// Places the planes of some lots.
pub struct Plan<'a> {
    pub lots: &'a mut [PairLot],
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
        let mut rows = [[0.0; 16]; LOT];
        planes.loads.clear();
        planes.edges.clear();
        let mut lots = self.lots.iter_mut().peekable();
        while let Some(lot) = lots.next() {
            if let Some(next) = lots.peek() {
                fetch(std::ptr::from_ref(&**next).addr(), READ);
            }
            for first in (0..LOT).step_by(T::LANES) {
                if self.first {
                    let a = self.edges.gather::<T>(&lot.vertices[0][first..], &mut rows);
                    let b = self.edges.gather::<T>(&lot.vertices[1][first..], &mut rows);
                    lot.meet(first, &a, &b, self.distance);
                    lot.meets &= !mask::<T>(first);
                    if !lot.may_touch::<T>(first) {
                        continue;
                    }
                    let moved = lot.moved(first, [&a.moved, &b.moved]);
                    let load = lot.carried::<T>(first).push;
                    lot.place(first, moved, load, law, planes);
                } else if lot.may_touch::<T>(first) {
                    let moved = lot.ways::<T>(first, self.edges, &mut rows);
                    let load = lot.force(first, moved, law).push;
                    lot.place(first, moved, load, law, planes);
                }
            }
        }
    }
}

/// Notes what the pairs of some lots did.
pub struct Remember<'a> {
    pub lots: &'a mut [PairLot],
    pub edges: &'a Edges,
    pub law: &'a ContactLaw,
    pub touching: &'a mut usize,
}

impl LaneWork for Remember<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let zero = T::zero();
        let mut rows = [[0.0; 16]; LOT];
        for lot in self.lots {
            for first in (0..LOT).step_by(T::LANES) {
                let (meets, carries) = (lot.meets & mask::<T>(first), lot.carries);
                if (meets | carries) & mask::<T>(first) == 0 {
                    continue;
                }
                let mut force = PairForce::none();
                if meets != 0 {
                    let moved = lot.ways::<T>(first, self.edges, &mut rows);
                    force = lot.force(first, moved, self.law);
                }
                let PairForce { push, friction } = force;
                lot.before.push.paste(first, push);
                lot.before.friction.paste(first, friction);
                let held: T = lot.pair.held.cut(first);
                let held = held + (push - held) * T::splat(FORGETTING);
                // A pair that cannot touch has not carried anything.
                let near = lot.meeting.own.cut(first);
                let held = zero.less(near, push.max(held), zero);
                let held = T::splat(NOTHING).less(held, held, zero);
                lot.pair.held.paste(first, held);
                let carries = zero.bits_less(held.max(push)) << first;
                lot.carries = (lot.carries & !mask::<T>(first)) | carries;
                *self.touching += zero.bits_less(push).count_ones() as usize;
            }
        }
    }
}

impl PairLot {
    /// Finds where the edges `a` and `b` meet, which are those of the pairs from `first`
    /// on, and which of them may come closer than `distance`. `[m]`
    #[inline(always)]
    fn meet<T: Lane>(&mut self, first: usize, a: &EdgeMotion<T>, b: &EdgeMotion<T>, distance: f32) {
        let mut met = Meeting::of(a, b);
        met.own = HalfWay::of(a, b).may_touch(a, b, &met, distance);
        let meeting = &mut self.meeting;
        meeting.at[0].paste(first, met.at[0]);
        meeting.at[1].paste(first, met.at[1]);
        meeting.normal.paste(first, met.normal);
        meeting.width.paste(first, met.width);
        meeting.own.paste(first, met.own);
    }

    /// Whether any of the pairs from `first` on may touch in this substep.
    #[inline(always)]
    fn may_touch<T: Lane>(&self, first: usize) -> bool {
        T::zero().any_less(self.meeting.own.cut(first))
    }

    /// What the first edges of the pairs from `first` on felt in the last substep.
    #[inline(always)]
    fn carried<T: Lane>(&self, first: usize) -> PairForce<T> {
        if self.carries & mask::<T>(first) == 0 {
            return PairForce::none();
        }
        PairForce {
            push: self.before.push.cut(first),
            friction: self.before.friction.cut(first),
        }
    }

    /// How far the points have moved where the pairs from `first` on meet. `[m]`
    #[inline(always)]
    fn moved<T: Lane>(&self, first: usize, ends: [&[V3<T>; 2]; 2]) -> [V3<T>; 2] {
        let [own, other] = &self.meeting.at;
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
        if self.meets & mask::<T>(first) == 0 {
            return PairForce::none();
        }
        let normal: V3<T> = self.meeting.normal.cut(first);
        let own = self.sides[0].cut(first).at(normal, moved[0]);
        let other = self.sides[1].cut(first).at(V3::zero() - normal, moved[1]);
        law.agreed(self.pair.share.cut(first), &own, &other)
    }

    /// Places the planes of the pairs from `first` on whose points have moved so, and
    /// which carry that load now; tells what they do to their edges. `[m]`, `[m²/s²]`
    #[inline(always)]
    fn place<T: Lane>(
        &mut self,
        first: usize,
        moved: [V3<T>; 2],
        load: T,
        law: &ContactLaw,
        planes: &mut TaskPlanes,
    ) {
        let met = &self.meeting;
        let meeting = Meeting::<T> {
            at: [met.at[0].cut(first), met.at[1].cut(first)],
            normal: met.normal.cut(first),
            width: met.width.cut(first),
            own: met.own.cut(first),
        };
        let pair = PairLoad {
            distance: self.pair.distance.cut(first),
            mass: self.pair.mass.cut(first),
            share: self.pair.share.cut(first),
            load,
            held: match self.carries & mask::<T>(first) {
                0 => load,
                _ => load.max(self.pair.held.cut(first)),
            },
        };
        let before = self.carried(first);
        let sides = law.meet(&meeting, moved, &pair, &before);
        let zero = T::zero();
        let bits = [
            zero.bits_less(sides[0].stiff),
            zero.bits_less(sides[1].stiff),
        ];
        let any = bits[0] | bits[1];
        self.meets = (self.meets & !mask::<T>(first)) | any << first;
        if any == 0 {
            return;
        }
        for (side, placed) in self.sides.iter_mut().zip(&sides) {
            side.paste(first, placed);
        }
        self.tell(first, &sides, &before, bits, planes);
    }

    /// Tells what the pairs from `first` on do to their edges, of those whose bits are
    /// set.
    #[inline(always)]
    fn tell<T: Lane>(
        &self,
        first: usize,
        sides: &[SideForce<T>; 2],
        before: &PairForce<T>,
        bits: [u32; 2],
        planes: &mut TaskPlanes,
    ) {
        let normal: V3<T> = self.meeting.normal.cut(first);
        let before = normal.scale(before.push) + across(normal, before.friction);
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
                        0 => UNMET,
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
            row(self.meeting.at[which].cut::<T>(first)),
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
