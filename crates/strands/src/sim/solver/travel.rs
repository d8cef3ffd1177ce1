//! How the head moves in a substep.

use super::input::StepInput;
use crate::{
    math::lanes::{Lane, LaneFrame, V3},
    sim::state::Block,
};

/// How the head moves in one substep, as the strands of a block feel it.
pub struct HeadTravel<T> {
    /// The head when the substep begins.
    pub before: LaneFrame<T>,
    /// The head when it ends.
    pub now: LaneFrame<T>,
    /// The head as each strand's own skin has turned with it when the substep
    /// ends; none where the head does not deform.
    seat: Option<LaneFrame<T>>,
    /// How far each root travels. `[m]`
    pub root_moved: V3<T>,
    /// Which substep it is.
    pub substep: usize,
}

impl<T: Lane> HeadTravel<T> {
    /// Substep `substep`; takes the roots of `block` with it.
    #[inline(always)]
    pub fn new(block: &mut Block<T>, input: &StepInput, substep: usize) -> Self {
        let (before, now) = (input.frame(substep), input.frame::<T>(substep + 1));
        let turn = block.sit(input.share(substep + 1));
        let root = if input.still {
            block.root_rest
        } else {
            now.point(block.root_rest)
        };
        let root_moved = root - block.root;
        block.root = root;
        Self {
            before,
            now,
            seat: turn.map(|turn| now.of_axes(turn.axes())),
            root_moved,
            substep,
        }
    }

    /// Takes the rest curves into the world when the substep ends.
    #[inline(always)]
    pub fn seat(&self) -> &LaneFrame<T> {
        self.seat.as_ref().unwrap_or(&self.now)
    }

    /// The same of lanes `first..`; `now` is the head there.
    #[inline(always)]
    pub fn seat_of<P: Lane>(&self, now: LaneFrame<P>, first: usize) -> LaneFrame<P> {
        match &self.seat {
            Some(seat) => seat.cut(first),
            None => now,
        }
    }

    /// Where the head takes the material point that was at `start`, a place
    /// that was noted from the root's new place. `[m]`
    #[inline(always)]
    pub fn carried(&self, start: V3<T>) -> V3<T> {
        let start = start + self.root_moved;
        self.now.vector(self.before.inverse_vector(start))
    }
}
