//! One step of all blocks: what it needs, and the threads that take it.

mod input;
mod prefetch;
mod scratch;
mod travel;

pub use input::StepInput;
pub use prefetch::{Prefetch, prefetch_queries};
pub use scratch::Scratch;
pub use travel::HeadTravel;

use super::{
    SimParams,
    air::Air,
    contact::CollisionSurface,
    forces::{self, GRAVITY},
    solver::Solver,
    state::{Row, StrandState},
};
use crate::math::{Pose, elementary::asin};
use glam::Vec3;
use rayon::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Kept from step to step: to make it anew costs as much as small grooms do.
    static SCRATCH: RefCell<Scratch<Row>> = RefCell::new(Scratch::new());
}

impl StrandState {
    /// Moves all blocks by one step.
    pub(super) fn advance(&mut self, solver: &dyn Solver, input: &StepInput) {
        // Enough pieces that no thread waits long for the last one.
        let pieces = 16 * rayon::current_num_threads();
        let blocks = self.blocks.len().div_ceil(pieces).clamp(1, 16);
        self.blocks.par_chunks_mut(blocks).for_each(|blocks| {
            SCRATCH.with_borrow_mut(|scratch| {
                for i in 0..blocks.len() {
                    scratch.ahead = Prefetch::of(blocks.get(i + 1));
                    solver.step(&mut blocks[i], scratch, input);
                }
            });
        });
    }
}

/// When a step starts, and where the head goes in it.
pub struct Clock {
    /// When the step begins. `[s]`
    pub time: f64,
    /// The head at the beginning of the step and at the end of each substep.
    pub poses: Vec<Pose>,
    /// The point that the head turns about, in its own space. `[m]`
    pub pivot: Vec3,
    /// How far the head reaches from there. `[m]`
    pub radius: f32,
    /// The air in this step.
    pub air: Air,
    /// Vertices of all strands.
    pub vertices: usize,
    /// How many times more air moves the lightest strand than an ordinary one.
    pub lightest: f64,
}

/// Hair hardly swings faster against its root. `[m/s]`
const SWING: f64 = 10.0;

/// Everything a step needs beside the strands. `body_travel` is how far bodies
/// beside the head move in a substep; `bent` is how far the head's own skin does
/// by deforming, where it can. `[m]`
pub fn step_input<'a>(
    params: &'a SimParams,
    clock: Clock,
    skin: Option<&'a dyn CollisionSurface>,
    body_travel: f64,
    bent: Option<f64>,
) -> StepInput<'a> {
    let substeps = params.step.substeps() as usize;
    let h = 1.0 / (f64::from(params.step.rate) * substeps as f64);
    let poses = clock.poses;
    let still = bent.is_none() && poses.iter().all(|pose| *pose == Pose::IDENTITY);
    let body_travel = body_travel + bent.unwrap_or(0.0);
    let travel = |pair: &[Pose]| {
        let turn = (pair[1].rotation * pair[0].rotation.conjugate()).xyz();
        let angle = 2.0 * asin(turn.length().min(1.0));
        // The head turns about a point of its own, not about the origin.
        let [from, to] = [0, 1].map(|i| pair[i].point(clock.pivot));
        from.distance(to) + angle * clock.radius
    };
    let head_travel = f64::from(poses.windows(2).map(travel).fold(0.0, f32::max));
    let gravity = forces::gravity(&params.forces);
    let drag = clock.air.isotropic();
    // Light strands are carried faster than ordinary ones.
    let air = clock.air.hardest() * clock.lightest.max(2.0);
    let rub = clock.air.rubs(params);
    StepInput {
        h,
        substeps,
        done: 0,
        strand_contact: None,
        poses,
        still,
        head_travel: if still { 0.0 } else { head_travel } + body_travel,
        body_travel,
        torso_travel: 0.0,
        gravity: gravity.to_array().map(f64::from),
        drag,
        rub,
        params,
        time: clock.time,
        air: clock.air,
        skin,
        // The rest state carries no more than the weight it was modelled under.
        reach: h * h * (f64::from(gravity.length()) + GRAVITY + air + SWING * rub),
        margin: f64::from(params.collision.margin),
        friction: f64::from(params.collision.friction),
        restitution: f64::from(params.collision.restitution),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{groom::Groom, sim::air::WindState};

    /// What a step may move strands of these masses by, for a second time step.
    fn reach(masses: &[f32]) -> f64 {
        let strand = [Vec3::ZERO, Vec3::X];
        let groom = Groom {
            points: masses.iter().flat_map(|_| strand).collect(),
            starts: (0..=masses.len() as u32).map(|i| 2 * i).collect(),
            masses: masses.to_vec(),
            ..Groom::default()
        };
        let mut params = SimParams::default();
        params.wind.on = true;
        let state = StrandState::new(&groom, &Pose::IDENTITY);
        let clock = Clock {
            time: 0.0,
            poses: vec![Pose::IDENTITY; params.step.substeps() as usize + 1],
            pivot: Vec3::ZERO,
            radius: 0.1,
            air: WindState::steady(&params, 1.0),
            vertices: groom.points.len(),
            lightest: state.lightest,
        };
        let input = step_input(&params, clock, None, 0.0, None);
        input.reach / (input.h * input.h) - 2.0 * GRAVITY
    }

    #[test]
    fn the_bound_of_motion_holds_for_the_lightest_strand() {
        let ordinary = 0.5 * reach(&[1.0, 1.9]);
        assert!(ordinary > 1.0, "{ordinary}");
        let light = reach(&[1.0, 0.1]);
        assert!(light > 9.99 * ordinary, "{light} of {ordinary}");
    }
}
