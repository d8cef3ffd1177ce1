//! FABRIK: a strand pulled by an attachment as well as by its root, for methods that go
//! once from root to tip and so cannot be drawn from behind.

use super::{Scratch, StepInput, particle::ParticleSubstep};
use crate::{
    math::lanes::Lane,
    sim::{
        attachment::{self, Attachment},
        state::Block,
    },
};
use glam::DVec3;

/// Rounds there and back: each leaves about a tenth of the gap.
pub(super) const ROUNDS: usize = 8;

/// Gives the vertices between root and grip the velocity that takes the gripped
/// one where the grip wants it, lengths kept: the line is drawn from the grip
/// to the root and back (Aristidou, Lasenby 2011, "FABRIK"). Sets
/// `scratch.free` to 0 for these vertices, to 1 for all others.
pub fn reach<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    shared: &ParticleSubstep<T>,
    input: &StepInput,
) {
    scratch.free[..block.rows].fill(T::splat(1.0));
    let mut attachments = block.attachments.clone();
    attachments.sort_by_key(|grip| (grip.lane, grip.row));
    let mut before: Option<Attachment> = None;
    for grip in attachments {
        // A second grip leads from the first one on.
        let anchor = before
            .filter(|other| other.lane == grip.lane)
            .map_or(block.pinned, |other| other.row + 1);
        if grip.row < block.counts[grip.lane] && grip.row >= anchor.max(1) {
            reach_one(block, scratch, shared, input, &grip, anchor);
        }
        before = Some(grip);
    }
}

fn reach_one<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    shared: &ParticleSubstep<T>,
    input: &StepInput,
    grip: &Attachment,
    anchor: usize,
) {
    let (lane, tip) = (grip.lane, grip.row);
    let damped = shared.damped.get(lane);
    let start = |i: usize| DVec3::from((block.position[i] - shared.head.root_moved).get(lane));
    let speed = |i: usize| DVec3::from(shared.falling(scratch, block.velocity[i], i).get(lane));
    let free = |i: usize| {
        if i < block.pinned {
            DVec3::from(shared.target(block, input, i).get(lane))
        } else {
            start(i) + speed(i) * input.h
        }
    };
    // From the last vertex that is led by something else.
    let first = anchor.saturating_sub(1);
    let mut line: Vec<DVec3> = (first..=tip).map(free).collect();
    let place = attachment::place(block, grip, start(tip), speed(tip), input.h);
    let length = |i: usize| block.shape.lengths[first + i].get(lane);
    let last = line.len() - 1;
    // A strand that nothing holds is drawn along.
    let held = usize::from(anchor > 0);
    for _ in 0..ROUNDS {
        line[last] = place;
        for i in (held..last).rev() {
            let way = (line[i] - line[i + 1]).normalize_or(DVec3::Y);
            line[i] = line[i + 1] + way * length(i + 1);
        }
        if held == 0 {
            break;
        }
        for i in 1..=last {
            let way = (line[i] - line[i - 1]).normalize_or(DVec3::NEG_Y);
            line[i] = line[i - 1] + way * length(i);
        }
    }
    for (i, place) in line.iter().enumerate().skip(held) {
        let i = first + i;
        // What gravity and air add comes on top of it.
        let old = DVec3::from(block.velocity[i].get(lane));
        let start = DVec3::from((block.position[i] - shared.head.root_moved).get(lane));
        let speed = DVec3::from(shared.falling(scratch, block.velocity[i], i).get(lane));
        let more = (*place - start) / input.h - speed;
        let wanted = old + more / damped.max(1e-6);
        block.velocity[i].set(lane, wanted.to_array());
        scratch.free[i].set(lane, 0.0);
    }
}
