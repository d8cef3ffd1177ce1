//! What other strands do to the edges of the strands in hand.

use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::strand_contact::plane::{BEFORE, EdgeSum, FORCE, PlanePlace, STIFF},
};

/// What the contacts of an edge add to its quadratic.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeLoad<T> {
    /// Stiffness, and its first and second moment along the edge, for each unit of the
    /// strand's linear density. `[m/s²]`
    pub stiff: [Sym3<T>; 3],
    /// Force where it was worked out, and its first moment. `[m²/s²]`
    pub force: [V3<T>; 2],
    /// The same of the last substep.
    pub before: [V3<T>; 2],
}

/// A contact to be taken in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenSide {
    /// The edge and its lane.
    pub edge: u32,
    pub lane: u32,
    pub place: PlanePlace,
}

/// Contacts of the strands in hand with strands.
pub(super) struct EdgeLoads<T> {
    /// Those of the edges that have any.
    pub loads: Vec<EdgeLoad<T>>,
    /// The place of each edge there; [`NONE`] where it has none. Empty where there are
    /// none at all.
    pub places: Vec<u32>,
    /// Where every vertex was when they were worked out, from the root. `[m]`
    pub origins: Vec<V3<T>>,
    /// What there is to take, edge by edge and lane by lane.
    pub taken: Vec<TakenSide>,
    /// Potential of all at the iterate.
    pub energy: T,
}

/// The place of an edge without a contact.
pub(super) const NONE: u32 = u32::MAX;

impl<T: Lane> Default for EdgeLoads<T> {
    fn default() -> Self {
        Self {
            loads: Vec::new(),
            places: Vec::new(),
            origins: Vec::new(),
            taken: Vec::new(),
            energy: T::zero(),
        }
    }
}

impl<T: Lane> EdgeLoads<T> {
    /// Lets go of all.
    pub fn clear(&mut self) {
        self.loads.clear();
        self.places.clear();
        self.origins.clear();
        self.energy = T::zero();
    }

    /// What there is of an edge.
    #[inline(always)]
    pub fn of_edge(&self, edge: usize) -> Option<&EdgeLoad<T>> {
        self.loads.get(*self.places.get(edge)? as usize)
    }
}

/// Puts a number into one lane.
#[inline(always)]
fn put<T: Lane>(row: &mut T, lane: usize, value: f32) {
    match row.floats_mut().get_mut(lane) {
        Some(number) => *number = value,
        None => row.set(lane, f64::from(value)),
    }
}

#[inline(always)]
fn put3<T: Lane>(row: &mut V3<T>, lane: usize, value: &[f32]) {
    put(&mut row.x, lane, value[0]);
    put(&mut row.y, lane, value[1]);
    put(&mut row.z, lane, value[2]);
}

impl<T: Lane> EdgeLoad<T> {
    /// None in any lane.
    pub fn none() -> Self {
        Self {
            stiff: [Sym3::zero(); 3],
            force: [V3::zero(); 2],
            before: [V3::zero(); 2],
        }
    }

    /// Puts into one lane what pairs do to the edge there.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, sum: &EdgeSum) {
        for (stiff, sum) in self.stiff.iter_mut().zip(&sum.0) {
            put(&mut stiff.xx, lane, sum[STIFF]);
            put(&mut stiff.xy, lane, sum[STIFF + 1]);
            put(&mut stiff.xz, lane, sum[STIFF + 2]);
            put(&mut stiff.yy, lane, sum[STIFF + 3]);
            put(&mut stiff.yz, lane, sum[STIFF + 4]);
            put(&mut stiff.zz, lane, sum[STIFF + 5]);
        }
        for (k, sum) in sum.0.iter().take(2).enumerate() {
            put3(&mut self.force[k], lane, &sum[FORCE..]);
            put3(&mut self.before[k], lane, &sum[BEFORE..]);
        }
    }

    /// Makes it that of strands so many times lighter than ordinary hair.
    #[inline(always)]
    pub fn scale(&mut self, light: T) {
        for stiff in &mut self.stiff {
            *stiff = stiff.scale(light);
        }
        for force in self.force.iter_mut().chain(&mut self.before) {
            *force = force.scale(light);
        }
    }

    /// Force and its first moment where the inner end has moved by `inner` and the
    /// outer by `inner` + `more`. `[m]`
    #[inline(always)]
    pub fn forces(&self, inner: V3<T>, more: V3<T>) -> [V3<T>; 2] {
        let [all, first, second] = &self.stiff;
        [
            self.force[0] - all.times(inner) - first.times(more),
            self.force[1] - first.times(inner) - second.times(more),
        ]
    }
}
