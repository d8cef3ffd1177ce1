//! What limits of distance between vertices do to velocities, in the methods that
//! move vertices one by one.

use crate::{
    math::lanes::{Lane, V3},
    sim::state::Block,
};

/// Share of what a stretch limit takes from an outer vertex that the inner one gets back
/// as velocity: s_damping of Müller, Kim, Chentanez 2012, "Fast Simulation of
/// Inextensible Hair and Fur", eq. 9. Without it a limit that is always reached
/// shakes the strand.
pub const GIVEN_BACK: f64 = 0.9;

/// Gives the vertices of row `inner` back what the limit took from those of a row
/// farther out, by which it moved them inwards, in the lanes where `mask` is one; `rate`
/// is the share of it over the length of the substep. What rides on the head gets
/// nothing: the head does not feel a hair. `[m]`, `[1/s]`
#[inline(always)]
pub fn give_back<B: Lane, T: Lane>(
    block: &mut Block<B>,
    inner: usize,
    first: usize,
    taken: V3<T>,
    mask: T,
    rate: f64,
) {
    if inner < block.pinned {
        return;
    }
    let gain = taken.scale(T::splat(rate) * mask);
    let speed = block.velocity[inner].cut(first) + gain;
    block.velocity[inner].paste(first, speed);
}
