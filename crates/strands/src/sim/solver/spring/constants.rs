//! What a step of springs is set up with.

use super::{params::SpringParams, rest::Smoothing};
use crate::sim::{
    params::{MaterialParams, StepParams},
    softness::Softness,
    solver::material::{RodMaterial, line_density},
};

// Numbers of the corrections.
pub(super) const STRETCH: usize = 0;
pub(super) const BEND: usize = 1;
pub(super) const CORE: usize = 2;
pub(super) const LIMIT: usize = 3;
pub(super) const CONTACT: usize = 4;
pub(super) const FRICTION: usize = 5;

/// One step's worth of constants. Stiffnesses are for each unit of linear
/// density, as in [`RodMaterial`].
#[derive(Clone, Debug)]
pub struct Spring {
    /// Tension for each unit of strain along an edge and along the core. `[m²/s²]`
    pub(super) stretch: f64,
    pub(super) core: f64,
    /// `[m⁴/s²]`
    pub(super) bend: f64,
    /// Damping ratios of an edge's own swing: stretch, bend, core.
    pub(super) damping: [f64; 3],
    /// Longest that an edge may be, times its rest length; it may be as much shorter.
    pub(super) limit: f64,
    /// Most inner steps in a substep.
    pub(super) most: u32,
    /// Share of the modelled weight that the rest state carries.
    pub(super) carried: f64,
    pub(super) recipe: Smoothing,
}

impl Spring {
    /// Prepares a step.
    pub fn new(params: &SpringParams, material: &MaterialParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let density = line_density(material);
        let hair = RodMaterial::new(material, f64::from(params.bend) * softness.stiffness);
        let tension = |millinewton: f32| 1e-3 * f64::from(millinewton) / density;
        Self {
            stretch: tension(params.stretch),
            core: tension(params.core) * softness.stiffness,
            bend: 0.5 * (hair.bend[0] + hair.bend[1]),
            damping: [
                params.stretch_damping,
                params.bend_damping,
                params.core_damping,
            ]
            .map(f64::from),
            limit: 1.0 + f64::from(params.stretch_limit),
            most: params.most_steps,
            carried: softness.carried(params.sag_free),
            recipe: Smoothing {
                bend_smoothing: 1e-3 * f64::from(params.bend_smoothing),
                core_smoothing: 1e-3 * f64::from(params.core_smoothing),
            },
        }
    }
}
