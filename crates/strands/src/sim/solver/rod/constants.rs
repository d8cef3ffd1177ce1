//! What a step of rods is set up with.

use super::params::{Integrator, RodParams};
use crate::sim::{
    params::{MaterialParams, StepParams},
    solver::material::RodHair,
    strand_contact::params::StrandContactParams,
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

impl Limits {
    fn of(params: &RodParams) -> Self {
        let passes = params.passes as usize;
        match params.integrator {
            Integrator::Euler => Self {
                passes,
                extra: 2,
                turn: 0.3,
                halvings: 2,
            },
            // What a pass leaves undone, of second order in the turn, is fed back
            // through the differences: with one pass alone a whipped strand gains
            // energy. Hair that keeps its speed also strikes the skin harder.
            Integrator::Bdf2 => Self {
                passes,
                extra: 6,
                turn: 0.02,
                halvings: 2,
            },
        }
    }
}

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Rod {
    pub(super) hair: RodHair,
    pub(super) limits: Limits,
    /// Stiffness damping. `[s]`
    pub(super) damping: f64,
    pub(super) integrator: Integrator,
    pub(super) strand_contact: Option<StrandContactParams>,
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
            limits: Limits::of(params),
            damping: f64::from(params.damping),
            integrator: params.integrator,
            strand_contact: params.strand_contact.then_some(StrandContactParams {
                thickness: params.thickness * 1e-3,
                friction: params.strand_friction,
                inertia: params.integrator.inertia(),
                rounds: params.strand_rounds as usize,
            }),
        }
    }
}
