//! What bending and twisting store in rods.

use super::{
    joint::{density, strain},
    state::RodState,
};
use crate::{
    math::{lanes::Lane, rotation::Q},
    sim::{solver::material::RodMaterial, state::Block},
};

/// Elastic energy of the strands of `block`, with their groom hold, for each unit
/// of linear density, under a head turned by `rotation`. The joint at the root
/// counts where the head holds it. `[m³/s²]`
pub(super) fn elastic<T: Lane>(
    block: &Block<T>,
    memory: &RodState<T>,
    material: &RodMaterial,
    rotation: glam::Quat,
) -> T {
    let half = T::splat(0.5);
    let stiffness = [material.bend[0], material.bend[1], material.twist].map(T::splat);
    let turn: Q<T> = block.rest_turn(rotation, 1.0, 0);
    let mut before = turn.mul_quat(memory.clamp);
    let (mut length, mut energy) = (T::zero(), T::zero());
    let edges = block.rows.saturating_sub(1);
    for (j, edge) in memory.vertices.iter().enumerate().take(edges) {
        // The strains across the joint before the edge, as the method has them.
        let span = (length + edge.length) * half;
        let (_, strain) = strain(before, edge, T::splat(1.0) / span);
        let square = density(stiffness, strain);
        let share = block.stiff(j, 0).unwrap_or(T::splat(1.0)) * memory.hold.at(j);
        if j > 0 || block.pinned > 0 {
            energy += half * square * share * span * block.alive(j + 1);
        }
        (before, length) = (edge.q, edge.length);
    }
    energy
}
