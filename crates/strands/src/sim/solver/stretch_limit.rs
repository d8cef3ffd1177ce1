//! The limit of what an edge may change in length, and what limits of distance between
//! vertices do to velocities, in the methods that move vertices one by one.

use crate::{
    math::lanes::{Lane, V3},
    sim::{contact, state::Block},
};

/// Share of what a stretch limit takes from an outer vertex that the inner one gets back
/// as velocity: s_damping of Müller, Kim, Chentanez 2012, "Fast Simulation of
/// Inextensible Hair and Fur", eq. 9. Without it a limit that is always reached
/// shakes the strand.
pub const GIVEN_BACK: f64 = 0.9;

/// The squared lengths between which an edge stays whose length at rest, `square` when
/// squared, may change to so many times (`limit`) as much, and as much less. `[m²]`
#[inline(always)]
pub fn between<T: Lane>(square: T, limit: f64) -> [T; 2] {
    [2.0 - limit, limit].map(|share| square * T::splat(share * share))
}

/// Where the outer vertex of an edge goes, from `p`, so that the edge's squared length is
/// in `between`: in or out along the edge. `[m]`
#[inline(always)]
pub fn limited<T: Lane>(inner: V3<T>, p: V3<T>, between: [T; 2]) -> V3<T> {
    let [shortest, longest] = between;
    let edge = p - inner;
    let square = edge.dot(edge).max(T::splat(1e-16));
    inner + edge.scale((square.min(longest).max(shortest) / square).sqrt())
}

/// Limits the edges that end in vertices of row `i` which have no plane, in the lanes where
/// `mask` is one, and gives back as [`give_back`] does. That comes before they are
/// rechecked: nobody would see them go into the skin after it.
#[inline(always)]
pub fn limit_free<B: Lane, T: Lane>(
    block: &mut Block<B>,
    [i, first]: [usize; 2],
    between: [T; 2],
    mask: T,
    rate: f64,
) -> V3<T> {
    let free = contact::has_plane(block.plane_offset[i].cut(first), T::zero(), mask);
    let (inner, p): (V3<T>, V3<T>) = (
        block.position[i - 1].cut(first),
        block.position[i].cut(first),
    );
    let kept = limited(inner, p, between).select(free, p);
    give_back(block, i - 1, first, p - kept, free, rate);
    block.position[i].paste(first, kept);
    kept - p
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_neither_longer_nor_shorter_than_its_limit() {
        let root = V3::<f64>::splat([0.01, 0.2, -0.03]);
        let between = between(0.008 * 0.008, 1.01);
        for (long, wanted) in [(0.02, 0.00808), (0.00801, 0.00801), (0.001, 0.00792)] {
            let tip = root + V3::splat([0.6, 0.0, 0.8]).scale(long);
            let edge = limited(root, tip, between) - root;
            let [x, y, z] = edge.get(0);
            let off = (edge.dot(edge).sqrt() - wanted).abs();
            assert!(off < 1e-12, "{long}: {off} m off");
            assert!(
                (x / z - 0.75).abs() < 1e-9 && y.abs() < 1e-12,
                "along itself"
            );
        }
    }
}
