//! What a step of rods is set up with.

use super::params::{Integrator, RodParams};
use crate::sim::{
    params::{MaterialParams, StepParams},
    softness::Softness,
    solver::material::RodMaterial,
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
    /// Of the hair as it is.
    pub(super) material: RodMaterial,
    /// Of the hair that was modelled: what the rest shape is worked out for.
    pub(super) modelled: RodMaterial,
    pub(super) limits: Limits,
    /// Stiffness damping. `[s]`
    pub(super) damping: f64,
    pub(super) integrator: Integrator,
    pub(super) sag_free: bool,
    /// The largest groom hold that a joint may have.
    pub(super) hold_cap: f64,
}

impl Rod {
    /// Prepares a step.
    pub fn new(params: &RodParams, material: &MaterialParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let hair = |share: f64| RodMaterial::new(material, f64::from(params.stiffness) * share);
        Self {
            material: hair(softness.stiffness),
            modelled: hair(softness.modelled()),
            limits: Limits {
                passes: params.passes as usize,
                extra: 2,
                turn: 0.3,
                halvings: 2,
            },
            damping: f64::from(params.damping),
            integrator: params.integrator,
            sag_free: params.sag_free,
            hold_cap: f64::from(params.hold_cap),
        }
    }
}
