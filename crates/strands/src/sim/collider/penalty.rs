//! Bodies that push with a spring instead of a wall.

use super::Bodies;
use crate::math::lanes::V3;
use crate::sim::state::{Block, Row};
use glam::DVec3;

/// Speeds up the vertices of `block` that lie inside a body, once a step,
/// outwards by `stiffness` times their depth: the penalty force of the usual
/// hair programs, for each unit of mass. It acts on velocities before any
/// method sees them, so that all of them feel the same. `[1/s²]`, `[s]`
///
/// Taken implicitly along the normal, so that no stiffness overshoots; the
/// normal speed is damped critically, or hair would bounce for ever.
/// A substep takes `h` of the step's seconds. `[s]`
pub fn push(
    block: &mut Block<Row>,
    bodies: &Bodies,
    (margin, stiffness): (f64, f64),
    seconds: f64,
    h: f64,
) {
    if bodies.is_empty() {
        return;
    }
    let damping = 2.0 * stiffness.sqrt();
    let kept = 1.0 / (1.0 + damping * seconds + stiffness * seconds * seconds);
    for i in block.pinned..block.rows {
        let mut gain = V3::<Row>::zero();
        for lane in 0..block.strands {
            if i >= block.counts[lane] {
                continue;
            }
            let place = block.point(i, lane);
            let Some((depth, normal)) = bodies.depth_in_world(place, margin) else {
                continue;
            };
            let velocity = DVec3::from(block.velocity[i].get(lane));
            // The body stands against what other hair gives, too, when that acts later.
            let hair = block.gained.get(i).map_or([0.0; 3], |gain| gain.get(lane));
            let speed = normal.dot(velocity + DVec3::from(hair));
            let pushed = kept * (speed + stiffness * seconds * depth);
            let gained = normal * (pushed - speed).max(0.0);
            block.velocity[i].set(lane, (velocity + gained).to_array());
            gain.set(lane, gained.to_array());
        }
        for memory in block.memories.iter_mut() {
            memory.gain(i, gain, h);
        }
    }
}
