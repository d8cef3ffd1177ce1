//! Planes that go with the torso: hair that lies on shoulders knows them as long as
//! hair that lies on the head does, though the one turns against the other.

use super::carrier::{NEARER, WEAR, in_lanes};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        state::Block,
        step::{HeadTravel, StepInput},
    },
};

/// Turns the planes of row `i` that go with the torso, in a substep that begins
/// with its vertices at `start`, from their roots' new places. `[m]`
#[inline(always)]
pub fn turn_torso_planes<T: Lane>(
    block: &mut Block<T>,
    input: &StepInput,
    part: &HeadTravel<T>,
    i: usize,
    start: impl FnOnce(&Block<T>) -> V3<T>,
) {
    let with_torso = block.proximity[i].with_torso;
    if with_torso == 0 || !input.drifts() {
        return;
    }
    let mask = in_lanes(with_torso);
    let root = block.root_rest;
    let place = root + part.before.inverse_vector(start(block) + part.root_moved);
    let (normal, offset) = (block.plane_normal[i], block.plane_offset[i]);
    let turn = input.torso_turn(part.substep);
    let (turned, there, drift) = turn.take([root, place], normal, offset);
    block.plane_normal[i] = turned.select(mask, normal);
    block.plane_offset[i] = mask.choose(there, offset);
    block.plane_drift[i] = drift.select(mask, block.plane_drift[i]);
    block.proximity[i].drifts = true;
    block.room[i] -= mask * T::splat(WEAR + NEARER * input.torso_travel);
}
