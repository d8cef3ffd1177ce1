//! The plane that a vertex must stay in front of, as a substep sees it.

use super::due::{close, ride, spend};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        solver::{input::StepInput, scratch::Scratch, travel::HeadTravel},
        state::Block,
    },
};

/// The plane that the vertices of a near row `i` must stay in front of when the
/// substep ends: its normal in the world, and its distance from the root. `[m]`
#[inline(always)]
pub fn tangent_plane<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
) -> (V3<T>, T) {
    let normal = block.plane_normal[i].cut(head.first);
    let offset = block.plane_offset[i].cut(head.first);
    match input.still {
        true => (normal, offset),
        false => (head.now.vector(normal), offset),
    }
}

/// How far what the vertices of row `i` touch moves in this substep otherwise
/// than the head does, in the world. `[m]`
#[inline(always)]
pub fn drift<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
) -> V3<T> {
    if input.drifts() {
        head.now.vector(block.plane_drift[i].cut(head.first))
    } else {
        V3::zero()
    }
}

/// How far what the vertices of row `i` touch moves in this substep, where it
/// touches those that were at `start`, in the world. `[m]`
#[inline(always)]
pub fn carried<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
    start: V3<T>,
) -> V3<T> {
    head.carried(start) - start + drift(block, input, head, i)
}

/// How far the vertices of row `i` have `moved` that were at `start`, as what carries
/// their planes sees it, where the row is [`close`]; elsewhere as the world does. `[m]`
#[inline(always)]
pub fn moved_on_skin<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
    [start, moved]: [V3<T>; 2],
) -> V3<T> {
    if !input.still && input.skin.is_some() && close(&block.proximity[i], input) {
        return moved - carried(block, input, head, i, start);
    }
    moved
}

/// Notes that the vertices of row `i`, which were at `start`, have gone where they are
/// in a substep: for methods that move whole rows at once. `[m]`
#[inline(always)]
pub fn went<T: Lane>(
    block: &mut Block<T>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
    start: V3<T>,
) {
    let way = [start, block.position[i] - start];
    let moved = moved_on_skin(block, input, head, i, way);
    let moved = moved.dot(moved).sqrt();
    spend(block, input, i, 0, moved);
    ride(block, input, i, moved.largest());
}

/// The plane before a vertex, and how it moves in a substep.
#[derive(Clone, Copy, Debug)]
pub struct MovingPlane<T> {
    /// Normal in the world.
    pub normal: V3<T>,
    /// The plane's distance from the root when the substep ends. `[m]`
    pub offset: T,
    /// How far the skin there goes in the substep. `[m]`
    pub carried: V3<T>,
}

impl<T: Lane> MovingPlane<T> {
    /// None.
    pub fn none() -> Self {
        Self {
            normal: V3::zero(),
            offset: T::zero(),
            carried: V3::zero(),
        }
    }

    /// That of row `i`, which has looked and is near.
    #[inline(always)]
    pub fn new<B: Lane>(
        block: &Block<B>,
        scratch: &Scratch<B>,
        input: &StepInput,
        head: &HeadTravel<T>,
        i: usize,
    ) -> Self {
        let start = scratch.before[i].cut(head.first);
        Self {
            normal: scratch.normal[i].cut(head.first),
            offset: scratch.offset[i].cut(head.first),
            carried: carried(block, input, head, i, start),
        }
    }
}
