//! What a hand or a pin does to single vertices, for the methods that move
//! vertices one by one.

use super::target::{Attachment, AttachmentKind};
use crate::{
    math::lanes::{Lane, V3},
    sim::{forces::GRAVITY, state::Block},
};
use glam::DVec3;

/// How fast a hand would draw a whole strand to its place: critically damped,
/// with this rate. `[1/s]`
const HAND: f64 = 40.0;

/// A hand pulls no harder than so many strands weigh on Earth: force over mass.
/// `[m/s²]`
const HAND_LIMIT: f64 = 30.0 * GRAVITY;

/// Stiffness of the spring with which a hand draws a strand of that mass to its
/// place, in masses over s².
pub fn hand_stiffness(mass: f64) -> f64 {
    mass * HAND * HAND
}

/// Farther away a hand pulls no harder. `[m]`
pub const HAND_REACH: f64 = HAND_LIMIT / (HAND * HAND);

/// Where a grip wants its vertex, from the strand's root. `[m]`
fn target<T: Lane>(block: &Block<T>, grip: &Attachment) -> [f64; 3] {
    let root = block.root.get(grip.lane);
    let target = grip.target.to_array().map(f64::from);
    [0, 1, 2].map(|axis| target[axis] - root[axis])
}

/// Puts the vertices of row `i` that are pinned onto their targets.
#[inline(always)]
pub fn pin<T: Lane>(block: &mut Block<T>, i: usize) {
    for index in 0..block.attachments.len() {
        let grip = block.attachments[index];
        if grip.row == i && grip.kind == AttachmentKind::Pin {
            let target = target(block, &grip);
            block.position[i].set(grip.lane, target);
        }
    }
}

/// The pins on strands in lanes `first..first + T::LANES`: row, lane counted from there, and
/// where the vertex is to be, from the root. `[m]`
pub fn pins<B: Lane, T: Lane>(
    block: &Block<B>,
    first: usize,
) -> impl Iterator<Item = (usize, usize, [f64; 3])> {
    let lanes = first..first + T::LANES;
    let pins = block.attachments.iter().filter(move |grip| {
        grip.kind == AttachmentKind::Pin && lanes.contains(&grip.lane) && grip.row < block.rows
    });
    pins.map(move |grip| (grip.row, grip.lane - first, target(block, grip)))
}

/// Draws the vertices of row `i` that are in a hand towards it, from where they
/// `start` with a `speed`, within the time `h`.
#[inline(always)]
pub fn pull<T: Lane>(block: &mut Block<T>, i: usize, start: V3<T>, speed: V3<T>, h: f64) {
    for index in 0..block.attachments.len() {
        let grip = block.attachments[index];
        if grip.row == i && grip.kind == AttachmentKind::Hand {
            let (count, target) = (block.count.get(grip.lane), target(block, &grip));
            let (start, speed) = (start.get(grip.lane), speed.get(grip.lane));
            let drawn = drawn(count, target, start, speed, h);
            block.position[i].set(grip.lane, drawn);
        }
    }
}

/// Where `grip` wants a vertex at the end of the time `h`, from the root, when
/// it starts from there with that speed and bears nothing but itself. `[m]`,
/// `[m/s]`
pub fn place<T: Lane>(
    block: &Block<T>,
    grip: &Attachment,
    start: DVec3,
    speed: DVec3,
    h: f64,
) -> DVec3 {
    DVec3::from(match grip.kind {
        AttachmentKind::Pin => target(block, grip),
        AttachmentKind::Hand => drawn(
            1.0,
            target(block, grip),
            start.to_array(),
            speed.to_array(),
            h,
        ),
    })
}

/// Where a hand draws a vertex within `h` to its `target`, on a strand of
/// `count` vertices: one implicit step of a critically damped spring,
/// `v' = (v + h w^2 (target - x)) / (1 + h w)^2`. Where the vertex alone
/// bears what the hand does to the strand, `w^2` grows with their number.
pub fn drawn(count: f64, target: [f64; 3], start: [f64; 3], speed: [f64; 3], h: f64) -> [f64; 3] {
    let pull = [0, 1, 2].map(|axis| HAND * HAND * count * (target[axis] - start[axis]));
    let strength = pull.iter().map(|p| p * p).sum::<f64>().sqrt();
    let share = (HAND_LIMIT * count / strength.max(1e-12)).min(1.0);
    let slow = (1.0 + h * HAND * count.sqrt()).powi(2);
    [0, 1, 2].map(|axis| start[axis] + h * (speed[axis] + h * share * pull[axis]) / slow)
}
