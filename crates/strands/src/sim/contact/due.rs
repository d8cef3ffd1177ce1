//! Which rows must look at the skin: a row's clock counts how far its fastest
//! vertex may have moved since it looked.

use super::{cache::ProximityCache, motion::SurfaceMotion};
use crate::{
    math::lanes::{Lane, V3},
    sim::{solver::input::StepInput, state::Block},
};

/// What a row's clock will show at most after this substep: vertices with less
/// room must look.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For vertices that were near. `[m]`
    pub(super) near: f64,
    /// For those that were not. `[m]`
    pub(super) far: f64,
}

impl Limits {
    /// In this substep a vertex goes about as far as in the last one, as the head
    /// sees it: hair that goes with the head looks no more often than hair on a
    /// resting one. What gravity, wind and its neighbours may add
    /// (`StepInput::reach`), and a head that starts or stops within the substep,
    /// count for vertices that have no plane yet.
    #[inline(always)]
    pub fn new(proximity: &ProximityCache, input: &StepInput) -> Self {
        let near = proximity.travel + proximity.last;
        Self {
            near,
            far: near + input.reach + input.head_travel + proximity.aside,
        }
    }

    /// The same for those that count what the torso moves by themselves. `[m]`
    pub(super) fn without(self, aside: f64) -> Self {
        Self {
            far: self.far - aside,
            ..self
        }
    }

    /// Whether any vertex of the row must look.
    #[inline(always)]
    pub fn passed(&self, proximity: &ProximityCache) -> bool {
        self.near > proximity.near_room || self.far > proximity.far_room
    }
}

/// How far vertices of row `i` that were at `start` have `moved`, as [`ride`] wants to
/// be told: as the head sees it, which drifts by `drift`, where the row is close. `[m]`
#[inline(always)]
pub fn way_to_tell<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    i: usize,
    drift: &SurfaceMotion<T>,
    start: V3<T>,
    moved: V3<T>,
) -> V3<T> {
    if input.still || input.skin.is_none() || !close(&block.proximity[i], input) {
        return moved;
    }
    moved - drift.at(start)
}

/// Whether the motion of a row must be told to [`ride`] as the head sees it;
/// far from the skin the way of the head may be added instead, which is less work.
#[inline(always)]
fn close(proximity: &ProximityCache, input: &StepInput) -> bool {
    let step = proximity.last + input.reach + input.head_travel;
    proximity.near || proximity.far_room - proximity.travel < 16.0 * step
}

/// Notes that row `i` has moved by `farthest` in a substep, told by
/// [`way_to_tell`]. `[m]`
#[inline(always)]
pub fn ride<T: Lane>(block: &mut Block<T>, input: &StepInput, i: usize, farthest: f64) {
    let proximity = &mut block.proximity[i];
    // Bodies beside the head move by themselves, as the head sees it.
    proximity.travel += match close(proximity, input) {
        true => {
            // Told as the world sees it, the way of the head counts for both.
            proximity.aside += input.torso_travel;
            input.body_travel
        }
        false => input.head_travel,
    };
    proximity.last = farthest;
    proximity.travel += farthest;
}
