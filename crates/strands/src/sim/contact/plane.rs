//! The plane that a vertex must stay in front of, as a substep sees it.

use super::room::{record_farthest, reduce_room, tracks_each_vertex};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        state::Block,
        step::{HeadTravel, Scratch, StepInput},
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
    if block.proximity[i].drifts && input.drifts() {
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

/// The same where the row [tracks each vertex](tracks_each_vertex) and the skin moves;
/// none elsewhere, where ways are counted as the world sees them. `[m]`
#[inline(always)]
pub fn carried_where_tracked<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
    start: V3<T>,
) -> Option<V3<T>> {
    let moves =
        !input.still && input.skin.is_some() && tracks_each_vertex(&block.proximity[i], input);
    // No closure: one that is not inlined is compiled without the wide instructions.
    if moves {
        Some(carried(block, input, head, i, start))
    } else {
        None
    }
}

/// How far the vertices of row `i` have `moved` that were at `start`, as what carries
/// their planes sees it, where the row [tracks each](tracks_each_vertex); elsewhere as the world does. `[m]`
#[inline(always)]
pub(super) fn moved_on_skin<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    head: &HeadTravel<T>,
    i: usize,
    [start, moved]: [V3<T>; 2],
) -> V3<T> {
    match carried_where_tracked(block, input, head, i, start) {
        Some(carried) => moved - carried,
        None => moved,
    }
}

/// Notes that the vertices of row `i`, which were at `start`, have gone where they are
/// in a substep: for methods that move whole rows at once; `T` is a register. `[m]`
#[inline(always)]
pub fn record_motion<B: Lane, T: Lane>(
    block: &mut Block<B>,
    input: &StepInput,
    head: &HeadTravel<B>,
    i: usize,
    start: V3<B>,
) {
    let mut farthest = T::zero();
    for first in (0..B::LANES).step_by(T::LANES) {
        let start: V3<T> = start.cut(first);
        let way = [start, block.position[i].cut(first) - start];
        let moved = moved_on_skin(block, input, &head.cut(first), i, way);
        let moved = moved.dot(moved).sqrt();
        reduce_room(block, input, i, first, moved);
        farthest = farthest.max(moved);
    }
    record_farthest::<B, T>(block, input, i, farthest.largest());
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

    /// That of row `i`, which has queried and is near.
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
