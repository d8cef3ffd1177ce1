//! The shape a rod has without stress, and the one that gravity leaves of it.
//!
//! A groom is modelled as it should look, under gravity. The strains without
//! stress for which the modelled curve is the equilibrium follow in closed
//! form, tip to root, since every edge's force and moment are known; the groom
//! hold ([`groom_hold`](super::super::groom_hold)) makes it stable. Where no hold
//! allowed does, the modelled curve is the shape without stress.

use super::{
    joint::Fold,
    state::{RodState, RodVertex},
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        solver::{
            groom_hold::{Frames, HoldProfile, Loads, hold, spread, stiff, unit},
            material::RestKey,
        },
        state::Block,
    },
};

/// Strains without stress, clamp and groom hold of every strand of `block`.
pub(super) fn prepare<T: Lane>(block: &Block<T>, state: &mut RodState<T>, recipe: RestKey) {
    let frames = Frames::new(block, &recipe.material);
    state.vertices.resize(block.rows, RodVertex::new());
    state.clamp = frames.clamp;
    let loads = recipe.cap().map(|_| Loads::new(block, &frames));
    if !state.made_for.is_some_and(|made| made.holds_like(&recipe)) {
        state.hold = match (recipe.cap(), &loads) {
            (Some(cap), Some(loads)) => hold(block, &frames, loads, &recipe.held_for, cap),
            _ => HoldProfile::none(),
        };
        state.spread = spread(block, &state.hold);
    }
    for (j, memory) in state.vertices.iter_mut().enumerate() {
        memory.length = frames.length[j];
        memory.rest = frames.strain(j).scale(Fold::at(frames.rotation(j).w).times);
        if let Some(loads) = &loads {
            let stress = loads.local[j].scale(state.hold.carried(j));
            let share = stiff(block, j) * state.hold.at(j);
            let compliance = |stiffness: f64| T::splat(1.0) / (T::splat(stiffness) * share);
            memory.rest = memory.rest
                - V3 {
                    x: stress.x * compliance(recipe.material.bend[0]),
                    y: stress.y * compliance(recipe.material.bend[1]),
                    z: stress.z * compliance(recipe.material.twist),
                };
        }
    }
    state.made_for = Some(recipe);
}

/// Orients every edge along the block's present positions, without twist, and
/// forgets motion and forces: a rod that takes over from another method.
pub(super) fn take_over<T: Lane>(
    block: &mut Block<T>,
    state: &mut RodState<T>,
    pose: &Pose,
    round: bool,
) {
    let turn: Q<T> = block.rest_turn(pose.rotation, 0.0, 0);
    let clamp = turn.mul_quat(state.clamp);
    let (mut frame, mut before) = (clamp, clamp.axis3());
    for j in 0..block.rows {
        state.vertices[j].calm();
        if j + 1 < block.rows {
            let d = block.position[j + 1] - block.position[j];
            let tangent = unit(d, before);
            frame = Q::between(before, tangent).mul_quat(frame);
            if !round {
                let memory = &state.vertices[j];
                let half = memory.rest.z * span(&state.vertices, j) * T::splat(0.5);
                frame = frame.mul_quat(about_tangent(half));
            }
            frame = frame.normalized();
            before = frame.axis3();
        }
        state.vertices[j].q = frame;
    }
    // Another method may have left segments a little too long: the places of
    // a rod follow from its orientations, and no speed comes of that.
    for j in 1..block.rows {
        let edge = &state.vertices[j - 1];
        let step = edge.q.axis3().scale(edge.length);
        block.position[j] = block.position[j - 1] + step;
    }
    // No energy to compare with: the first predictor is always taken.
    state.elastic = T::splat(f64::from(f32::MAX));
    state.history.clear();
}

/// Rest length between the middles of the edges on both sides of joint `j`;
/// half an edge at the clamp. `[m]`
#[inline(always)]
fn span<T: Lane>(vertices: &[RodVertex<T>], j: usize) -> T {
    let before = if j == 0 {
        T::zero()
    } else {
        vertices[j - 1].length
    };
    (before + vertices[j].length) * T::splat(0.5)
}

/// Rotation about the third axis whose half angle has the sine `half`.
#[inline(always)]
fn about_tangent<T: Lane>(half: T) -> Q<T> {
    let one = T::splat(1.0);
    let sine = half.min(T::splat(0.9)).max(T::splat(-0.9));
    Q {
        w: (one - sine * sine).sqrt(),
        v: V3 {
            x: T::zero(),
            y: T::zero(),
            z: sine,
        },
    }
}
