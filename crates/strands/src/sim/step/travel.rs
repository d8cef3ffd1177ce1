//! How the head moves in a substep.

use super::StepInput;
use crate::{
    math::lanes::{Lane, LaneFrame, V3},
    sim::state::Block,
};

/// How the head moves in one substep, as the strands of a block feel it: all of
/// them, or those that lie in some of its lanes.
pub struct HeadTravel<T> {
    /// The first lane of the block that these are.
    pub first: usize,
    /// The head when the substep begins.
    pub before: LaneFrame<T>,
    /// The head when it ends.
    pub now: LaneFrame<T>,
    /// The head as each strand's own skin has turned with it when the substep
    /// ends; none where the head does not deform.
    skin_frame: Option<LaneFrame<T>>,
    /// How much farther the head would have taken each root than it has gone with
    /// its skin; none where that does not move against the head. `[m]`
    held_back: Option<V3<T>>,
    /// How far each root travels. `[m]`
    pub root_moved: V3<T>,
    /// Which substep of the step it is.
    pub substep: usize,
}

impl<T: Lane> HeadTravel<T> {
    /// Substep `substep`; takes the roots of `block` with it, and what is attached to the
    /// head.
    #[inline(always)]
    pub fn new(block: &mut Block<T>, input: &StepInput, substep: usize) -> Self {
        for attachment in &mut block.attachments {
            attachment.follow(&input.poses[substep + 1]);
        }
        let rested = block.root_rest;
        let turn = block.move_roots_to(input.share(substep + 1));
        let shifted = rested - block.root_rest;
        let mut travel = Self::of_roots(0, block.root_rest, &mut block.root, input, substep);
        if let Some(turn) = turn {
            travel.hold_back(shifted);
            travel.skin_frame = Some(travel.now.of_axes(turn.axes()));
        }
        travel
    }

    /// Notes that in the head's space the roots have moved by the opposite of
    /// `shifted`, with their skin. `[m]`
    #[inline(always)]
    pub fn hold_back(&mut self, shifted: V3<T>) {
        self.held_back = Some(self.now.vector(shifted));
    }

    /// Of the strands in lanes `first..` whose roots are to be at `rest`, in the
    /// head's space; takes the roots there. `[m]`
    #[inline(always)]
    pub fn of_roots(
        first: usize,
        rest: V3<T>,
        root: &mut V3<T>,
        input: &StepInput,
        substep: usize,
    ) -> Self {
        let now = input.frame::<T>(substep + 1);
        let there = if input.still { rest } else { now.point(rest) };
        let root_moved = there - *root;
        *root = there;
        Self {
            first,
            before: input.frame(substep),
            now,
            skin_frame: None,
            held_back: None,
            root_moved,
            substep: input.done + substep,
        }
    }

    /// Takes the rest curves into the world when the substep ends.
    #[inline(always)]
    pub fn rest_frame(&self) -> &LaneFrame<T> {
        self.skin_frame.as_ref().unwrap_or(&self.now)
    }

    /// The same of the strands in lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> HeadTravel<P> {
        HeadTravel {
            first: self.first + first,
            before: self.before.cut(first),
            now: self.now.cut(first),
            skin_frame: self
                .skin_frame
                .as_ref()
                .map(|skin_frame| skin_frame.cut(first)),
            held_back: self.held_back.map(|way| way.cut(first)),
            root_moved: self.root_moved.cut(first),
            substep: self.substep,
        }
    }

    /// Where the head takes the material point that was at `start`, a place
    /// that was noted from the root's new place. `[m]`
    #[inline(always)]
    pub fn carried(&self, start: V3<T>) -> V3<T> {
        let start = start + self.root_moved;
        let there = self.now.vector(self.before.inverse_vector(start));
        match self.held_back {
            Some(way) => there + way,
            None => there,
        }
    }

    /// How much farther than with its skin the head would have taken each root. `[m]`
    #[inline(always)]
    pub fn held_back(&self) -> V3<T> {
        self.held_back.unwrap_or(V3::zero())
    }
}
