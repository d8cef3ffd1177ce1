//! What a step of shape constraints is set up with, and what its passes share.

use super::params::{LengthSolver, ShapeParams};
use crate::{
    math::elementary::pow,
    sim::{
        constraint::stiffness_per_pass, contact::SurfaceMotion, params::StepParams,
        softness::Softness, solver::particle::ParticleSubstep,
    },
};

// Numbers of the corrections.
pub(super) const GLOBAL: usize = 0;
pub(super) const LOCAL: usize = 1;
pub(super) const LENGTH: usize = 2;
pub(super) const CONTACT: usize = 3;
pub(super) const FRICTION: usize = 4;
pub(super) const LIMIT: usize = 5;

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Shape {
    /// S_G in one substep, at the root and at the tip.
    pub(super) global: [f64; 2],
    /// Share of the strand on which it acts.
    pub(super) range: f64,
    /// S_L in one pass.
    pub(super) local: f64,
    pub(super) passes: usize,
    pub(super) length: LengthSolver,
    /// Share of the velocity that is left after a substep.
    pub(super) kept: f64,
    /// Longest a segment may be, over its rest length.
    pub(super) limit: f64,
    /// Share of the head's motion handed over, and the speed beyond which. `[m/s]`
    pub(super) shock: [f64; 2],
    /// Share of the modelled weight that the rest state carries.
    pub(super) carried: f64,
}

/// What all vertices of a substep share, for the lanes of a register.
pub(super) struct ShapeLanes<T> {
    pub(super) shared: ParticleSubstep<T>,
    pub(super) drift: SurfaceMotion<T>,
    /// Share of the head's motion that the strands are handed.
    pub(super) shock: T,
    pub(super) shocked: bool,
    /// S_G at the root, and what each vertex adds to it.
    pub(super) global: T,
    pub(super) slope: T,
    /// Vertices on which it acts.
    pub(super) reach: T,
    pub(super) local: T,
}

impl Shape {
    /// Prepares a step.
    pub fn new(params: &ShapeParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let per_second = f64::from(step.rate) * f64::from(step.substeps());
        let passes = f64::from(params.iterations);
        let once = |k: f32| stiffness_per_pass(softness.of_share(f64::from(k)), 1.0, per_second);
        Self {
            global: [1.0, params.global_tip].map(|share| once(params.global * share)),
            range: f64::from(params.global_range),
            local: stiffness_per_pass(
                softness.of_share(f64::from(params.local)),
                passes,
                per_second,
            ),
            passes: params.iterations as usize,
            length: params.length,
            // Quoted for 1/60 s.
            kept: pow(1.0 - f64::from(params.damping), 60.0 / per_second),
            limit: 1.0 + f64::from(params.stretch_limit),
            shock: [params.shock, params.shock_speed].map(f64::from),
            carried: softness.carried(params.sag_free),
        }
    }
}
