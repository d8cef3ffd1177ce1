//! What a hair weighs, wherever a measurement knows no other material.

use std::f64::consts::PI;

/// Thickness of ordinary hair. `[m]`
pub(super) const DIAMETER: f64 = 80e-6;

/// What it weighs. `[kg/m³]`
pub(super) const DENSITY: f64 = 1320.0;

/// Mass of a metre of it. `[kg/m]`
pub(super) const LINE_DENSITY: f64 = DENSITY * PI * DIAMETER * DIAMETER / 4.0;
