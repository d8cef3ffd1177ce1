//! Which rows must query the skin. A query tells a vertex its room: how far it may move
//! before it must query again. What it moves is taken off that, near the skin for each
//! vertex by itself, elsewhere on a clock of the row, which counts the fastest.

use super::cache::{ProximityCache, has_plane};
use crate::{
    math::lanes::Lane,
    sim::{state::Block, step::StepInput},
};

/// What a row's clock will show at most after this substep: vertices with less
/// room must query.
#[derive(Clone, Copy, Debug)]
pub struct RoomLimits {
    /// For vertices that were near. `[m]`
    pub(super) near: f64,
    /// For those that were not. `[m]`
    pub(super) far: f64,
}

impl RoomLimits {
    /// A near vertex goes as far as in the last substep, as what carries its plane
    /// sees it, and what gravity, wind and its neighbours add (`StepInput::reach`): hair
    /// that goes with the head queries no more often than hair on a resting one. One that
    /// has no plane yet may go as far as the head besides, which may start or stop
    /// within the substep.
    #[inline(always)]
    pub fn of(proximity: &ProximityCache, input: &StepInput) -> Self {
        let near = proximity.travel + proximity.last + input.reach;
        Self {
            near,
            far: near + input.head_travel + proximity.aside,
        }
    }

    /// Whether any vertex of the row must query.
    #[inline(always)]
    pub fn exceeded(&self, proximity: &ProximityCache) -> bool {
        self.near > proximity.near_room || self.far > proximity.far_room
    }
}

/// Whether a row is so close to the skin that the motion of each vertex is counted, as the
/// head sees it; farther off that of the fastest counts for all, and the way of the head is
/// added, which is less work.
#[inline(always)]
pub fn tracks_each_vertex(proximity: &ProximityCache, input: &StepInput) -> bool {
    let step = proximity.last + input.reach + input.head_travel;
    proximity.near || proximity.far_room - proximity.travel < 16.0 * step
}

/// Takes what each vertex of row `i` has `moved` in a substep, of the strands in lanes
/// `first..`, as what carries its plane sees it, off its room, where the row
/// [tracks each](tracks_each_vertex). `[m]`
#[inline(always)]
pub fn reduce_room<B: Lane, T: Lane>(
    block: &mut Block<B>,
    input: &StepInput,
    i: usize,
    first: usize,
    moved: T,
) {
    if input.skin.is_some() && tracks_each_vertex(&block.proximity[i], input) {
        let room: T = block.room[i].cut(first);
        block.room[i].paste(first, room - moved);
    }
}

/// Notes that the fastest of row `i` has moved by `farthest` in a substep, after
/// [`reduce_room`] has been told of each; `T` is a register. `[m]`
#[inline(always)]
pub fn record_farthest<B: Lane, T: Lane>(
    block: &mut Block<B>,
    input: &StepInput,
    i: usize,
    farthest: f64,
) {
    if input.skin.is_none() {
        return;
    }
    if tracks_each_vertex(&block.proximity[i], input) {
        block.update_least_room::<T>(i);
        let proximity = &mut block.proximity[i];
        // Told as the world sees it, the way of the head counts for both.
        proximity.aside += input.torso_travel;
        // Bodies beside the head move by themselves, as the head sees it.
        proximity.travel += input.body_travel;
    } else {
        block.proximity[i].travel += farthest + input.head_travel;
    }
    block.proximity[i].last = farthest;
}

impl<B: Lane> Block<B> {
    /// Notes how much room the vertices of row `i` have that have least; `T` is a register.
    #[inline(always)]
    pub fn update_least_room<T: Lane>(&mut self, i: usize) {
        let most = T::splat(f64::from(f32::MAX));
        let (mut near, mut far) = (most, most);
        for first in (0..B::LANES).step_by(T::LANES) {
            let room: T = self.room[i].cut(first);
            let offset: T = self.plane_offset[i].cut(first);
            near = has_plane(offset, room, most).min(near);
            far = has_plane(offset, most, room).min(far);
        }
        let proximity = &mut self.proximity[i];
        proximity.near_room = -(-near).largest();
        proximity.far_room = -(-far).largest();
    }
}
