//! What a step of rods is set up with.

use super::params::{Integrator, RodParams};
use crate::sim::{
    params::{MaterialParams, StepParams},
    solver::material::RodHair,
};

/// When a pass is good enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Passes in every substep.
    pub(super) passes: usize,
    /// Passes beyond them, for the strands that ask for one.
    pub(super) extra: usize,
    /// A turn that asks for another pass. `[rad]`
    pub(super) turn: f64,
    /// How often a correction that raises the energy is cut in half.
    pub(super) halvings: usize,
}

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Rod {
    pub(super) hair: RodHair,
    pub(super) limits: Limits,
    /// Stiffness damping. `[s]`
    pub(super) damping: f64,
    pub(super) integrator: Integrator,
}

impl Rod {
    /// Prepares a step.
    pub fn new(params: &RodParams, material: &MaterialParams, step: &StepParams) -> Self {
        Self {
            hair: RodHair::new(
                material,
                step,
                params.stiffness,
                params.sag_free.then_some(params.hold_cap),
            ),
            limits: Limits {
                passes: params.passes as usize,
                extra: 2,
                turn: 0.3,
                halvings: 2,
            },
            damping: f64::from(params.damping),
            integrator: params.integrator,
        }
    }
}
