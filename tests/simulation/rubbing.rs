//! Hair that rubs in its lock.

use crate::common::{falling, groom, straight};
use glam::Vec3;
use lovelock::{
    math::{Pose, lanes::V3},
    sim::{
        solver::{Method, SOLVERS, Scratch, StepInput},
        state::Block,
    },
};

/// How far a strand goes from its root at most that was as fast as a root that `carries`
/// it on, or has stopped, where hair of its lock rubs so much. `[1/s]`, `[m]`
fn gone(method: &Method, carries: bool, rub: f64) -> f32 {
    let velocity = Vec3::new(1.2, -0.4, 0.3);
    let mut params = falling();
    params.step.solver = method.id.into();
    params.forces.drag = 0.0;
    params.forces.gravity_on = false;
    let strand = straight(Vec3::ZERO, Vec3::NEG_Y, 0.2, 24);
    let mut block = Block::new(&groom(&[strand]), 0, 1, &Pose::IDENTITY);
    let speed = V3::splat(velocity.to_array().map(f64::from));
    block.velocity.fill(speed);
    let (solver, mut scratch) = (method.solver(&params), Scratch::new());
    let seconds = 1.0 / params.step.rate as f32;
    for step in 0..12 {
        let mut input = StepInput::at_rest(&params, 0.0);
        let substeps = input.substeps;
        let at = |substep: usize| step as f32 + substep as f32 / substeps as f32;
        let pose = |substep: usize| Pose {
            translation: velocity * (seconds * at(substep) * f32::from(carries)),
            ..Pose::IDENTITY
        };
        input.poses = (0..=substeps).map(pose).collect();
        (input.still, input.rub) = (false, rub);
        solver.step(&mut block, &mut scratch, &input);
    }
    let place = |p: &V3<_>| Vec3::from_array(p.get(0).map(|c| c as f32));
    let pairs = block.position.iter().zip(&block.rest);
    pairs
        .map(|(p, rest)| place(p).distance(place(rest)))
        .fold(0.0, f32::max)
}

/// What calms a swing must not hold back hair that the head carries along. (Some
/// methods lose speed against the world by themselves.)
#[test]
fn hair_rubs_where_it_swings_and_not_where_it_goes_with_its_root() {
    for method in SOLVERS.iter() {
        let [without, with] = [0.0, 8.0].map(|rub| gone(method, false, rub));
        assert!(with < 0.8 * without, "{}: {with} m, {without} m", method.id);
        let [without, with] = [0.0, 8.0].map(|rub| gone(method, true, rub));
        assert!(
            with < without + 1e-3,
            "{}: {with} m, {without} m",
            method.id
        );
    }
}
