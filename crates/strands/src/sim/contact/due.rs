//! Which rows must look at the skin: a row's clock counts how far its fastest
//! vertex may have moved since it looked.

use super::cache::ProximityCache;
use crate::{
    math::lanes::Lane,
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
    /// In this substep a vertex goes at most as far as in the last one and what
    /// gravity, wind and its neighbours add (`StepInput::reach`).
    #[inline(always)]
    pub fn new(proximity: &ProximityCache, input: &StepInput) -> Self {
        let near = proximity.travel + proximity.last + input.reach + input.head_travel;
        Self {
            near,
            far: near + proximity.aside,
        }
    }

    /// The same for methods that tell by [`ride`] how far a row has moved as the
    /// head sees it: hair that goes with the head looks no more often than hair
    /// on a resting one. The head may start or stop within a substep; that
    /// counts for vertices that have no plane yet.
    #[inline(always)]
    pub fn riding(proximity: &ProximityCache, input: &StepInput) -> Self {
        Self {
            near: proximity.travel + proximity.last,
            ..Self::new(proximity, input)
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

/// Whether the motion of a row must be told to [`ride`] as the head sees it;
/// far from the skin the way of the head may be added instead, which is less work.
#[inline(always)]
pub fn close(proximity: &ProximityCache, input: &StepInput) -> bool {
    let step = proximity.last + input.reach + input.head_travel;
    proximity.near || proximity.far_room - proximity.travel < 16.0 * step
}

/// Notes that row `i` has moved by `farthest` in a substep, in the world: the head
/// may have gone the other way. `[m]`
#[inline(always)]
pub fn went<T: Lane>(block: &mut Block<T>, input: &StepInput, i: usize, farthest: f64) {
    let proximity = &mut block.proximity[i];
    proximity.last = farthest;
    proximity.travel += farthest + input.head_travel;
}

/// Notes that row `i` has moved by `farthest` in a substep, as the head sees it
/// where the row is [`close`]. `[m]`
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
