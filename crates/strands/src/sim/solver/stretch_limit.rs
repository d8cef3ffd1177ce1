//! What the stretch limit of the methods that move vertices one by one does to
//! velocities.

use crate::{
    math::lanes::{Lane, V3},
    sim::state::Block,
};

/// Share of what the limit takes from an outer vertex that the inner one gets back
/// as velocity: s_damping of Müller, Kim, Chentanez 2012, "Fast Simulation of
/// Inextensible Hair and Fur", eq. 9. Without it a limit that is always reached
/// shakes the strand.
const GIVEN_BACK: f64 = 0.9;

/// Gives the vertices of the row before `i` back what the limit took from those of
/// row `i`, by which it moved them inwards within `h`, in the lanes where `mask` is
/// one. What rides on the head gets nothing: the head does not feel a hair.
/// `[m]`, `[s]`
#[inline(always)]
pub fn give_back<B: Lane, T: Lane>(
    block: &mut Block<B>,
    i: usize,
    first: usize,
    taken: V3<T>,
    mask: T,
    h: f64,
) {
    if i <= block.pinned {
        return;
    }
    let gain = taken.scale(T::splat(GIVEN_BACK / h) * mask);
    let speed = block.velocity[i - 1].cut(first) + gain;
    block.velocity[i - 1].paste(first, speed);
}
