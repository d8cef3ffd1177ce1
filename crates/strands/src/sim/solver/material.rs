//! What a hair is made of, in the numbers that methods with a material need.

use crate::{
    math::lanes::Lane,
    sim::{
        params::{MaterialParams, StepParams},
        softness::Softness,
        state::Block,
    },
};
use std::f64::consts::PI;

/// Stiffness of a strand for each unit of its linear density. A strand that
/// stands for several hairs has all of their mass and all of their stiffness,
/// so the number of hairs cancels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodMaterial {
    /// Bending stiffness about the cross-section's short axis (the stiff one)
    /// and about its long axis. `[m⁴/s²]`
    pub bend: [f64; 2],
    /// Twisting stiffness. `[m⁴/s²]`
    pub twist: f64,
}

impl RodMaterial {
    /// A cross-section of that mean diameter: an ellipse with semi-axes
    /// a = r sqrt(k), b = r / sqrt(k), where k is the ellipticity. The hair is
    /// `stiffness` times as stiff as what it is made of.
    pub fn new(params: &MaterialParams, stiffness: f64) -> Self {
        let k = f64::from(params.ellipticity);
        let r = 0.5e-6 * f64::from(params.diameter);
        let x = stiffness / line_density(params);
        let (young, shear) = (1e9 * f64::from(params.young), 1e9 * f64::from(params.shear));
        // Second moments pi a³b/4 and pi ab³/4; Saint-Venant's torsion
        // constant of an ellipse, pi a³b³ / (a² + b²).
        let quarter = PI * r.powi(4) / 4.0;
        Self {
            bend: [x * young * quarter * k, x * young * quarter / k],
            twist: x * shear * 4.0 * quarter / (k + 1.0 / k),
        }
    }

    /// Whether the cross-section bends alike in all directions.
    pub fn is_round(&self) -> bool {
        self.bend[0] == self.bend[1]
    }
}

/// Hair that is a rod, as it is and as it was modelled.
#[derive(Clone, Debug)]
pub struct RodHair {
    /// What it is made of.
    pub material: RodMaterial,
    /// What the rest shape is worked out for.
    modelled: RodMaterial,
    /// What the groom hold is worked out for.
    held_for: RodMaterial,
    hold_cap: Option<f64>,
}

impl RodHair {
    /// `stiffness` times as stiff as what it is made of, before the softness of
    /// the step. With a `hold_cap` the groom is its equilibrium under gravity, for
    /// which no joint is made stiffer than so many times; without, it is the shape
    /// without gravity.
    pub fn new(
        params: &MaterialParams,
        step: &StepParams,
        stiffness: f32,
        hold_cap: Option<f32>,
    ) -> Self {
        let softness = Softness::new(step);
        let hair = |share: f64| RodMaterial::new(params, f64::from(stiffness) * share);
        Self {
            material: hair(softness.stiffness),
            modelled: hair(softness.modelled()),
            held_for: hair(softness.held_for()),
            hold_cap: hold_cap.map(f64::from),
        }
    }

    /// What the rest shape of `block` depends on beside the groom.
    pub fn rest_key<T: Lane>(&self, block: &Block<T>) -> RestKey {
        RestKey {
            material: self.modelled,
            held_for: self.held_for,
            hold_cap: self.hold_cap,
            held: block.pinned > 0,
        }
    }
}

/// What the rest shape of rods depends on beside the groom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestKey {
    /// What the hair was made of when it was modelled.
    pub material: RodMaterial,
    /// What the groom hold is worked out for.
    pub held_for: RodMaterial,
    /// The largest groom hold that a joint may have where the groom is the
    /// equilibrium under gravity; none where it is the shape without gravity.
    pub hold_cap: Option<f64>,
    /// Whether the head holds the root.
    pub held: bool,
}

impl RestKey {
    /// The cap of the groom hold; none where no groom is held.
    pub fn cap(&self) -> Option<f64> {
        self.hold_cap.filter(|_| self.held)
    }

    /// Whether the same groom is held alike.
    pub fn holds_like(&self, other: &Self) -> bool {
        (self.held_for, self.cap()) == (other.held_for, other.cap())
    }
}

/// Mass of a hair for each metre. `[kg/m]`
pub fn line_density(params: &MaterialParams) -> f64 {
    let radius = 0.5e-6 * f64::from(params.diameter);
    f64::from(params.density) * PI * radius * radius
}
