//! Drag as on a cylinder.

use crate::{
    math::{
        elementary::{cbrt, pow},
        lanes::{Lane, V3},
    },
    sim::SimParams,
};
use std::f64::consts::PI;

/// Density of air at 20 °C. `[kg/m³]`
const AIR_DENSITY: f64 = 1.2;

/// Kinematic viscosity of air at 20 °C. `[m²/s]`
const VISCOSITY: f64 = 1.5e-5;

/// What air does to a lock of hair that it blows across, as to a long cylinder:
/// a metre of it is pushed by `½ ρ D C U²` with `C = 1 + 10 Re^(-2/3)` and
/// `Re = U D / ν` (White 2006, "Viscous fluid flow", 3rd edition, eq. 3-225). Over
/// the mass of the hair in it that is `a (U + b U^(1/3))` times the speed `U`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderDrag {
    /// `[1/m]`
    quadratic: f64,
    /// `[(m/s)^(2/3)]`
    viscous: f64,
    /// Length of a step. `[s]`
    seconds: f64,
}

impl CylinderDrag {
    /// That on the locks which strands of ordinary mass stand for.
    pub fn of(params: &SimParams) -> Self {
        let forces = &params.forces;
        let thick = 1e-3 * f64::from(forces.lock);
        let hair = f64::from(params.material.density) * f64::from(forces.packing);
        Self {
            quadratic: 2.0 * AIR_DENSITY / (PI * hair * thick),
            viscous: 10.0 * pow(VISCOSITY / thick, 2.0 / 3.0),
            seconds: 1.0 / f64::from(params.step.rate),
        }
    }

    /// How fast a strand of ordinary mass is slowed at that speed. `[m/s]`, `[1/s]`
    pub fn rate(&self, speed: f64) -> f64 {
        self.quadratic * (speed + self.viscous * cbrt(speed))
    }

    /// What it does to a vertex that moves by `slip` against the air, on a strand
    /// along `edge`, whose square is `square`; `along` is the share that acts along
    /// the strand. `[m/s²]`
    #[inline(always)]
    pub fn drag<T: Lane>(
        &self,
        slip: V3<T>,
        edge: V3<T>,
        square: T,
        inverse_mass: T,
        along: f64,
    ) -> V3<T> {
        let with = edge.scale(slip.dot(edge) / square);
        let across = slip - with;
        let of = |part: V3<T>, share: f64| {
            let speed = part.dot(part).sqrt();
            let rate = (speed + T::splat(self.viscous) * cube_root(speed))
                * (T::splat(self.quadratic * share) * inverse_mass);
            // At most what brings it to a stop in the step.
            part.scale(rate.min(T::splat(1.0 / self.seconds)))
        };
        V3::zero() - of(across, 1.0) - of(with, along)
    }
}

/// Numerator and denominator of the cube root over the fourth root, by powers of the
/// fourth root: fitted to the least relative error.
const ABOVE: [f64; 3] = [0.298_906_336, 3.294_368_032, 1.615_593_109];
const BELOW: [f64; 2] = [3.626_090_027, 0.585_059_835];

/// The cube root of a speed, within 5.1e-4 of it from 1 mm/s to 100 m/s; the law
/// itself is no better than a few percent.
#[inline(always)]
fn cube_root<T: Lane>(speed: T) -> T {
    let root = speed.sqrt().sqrt();
    let [above, below] = [ABOVE.map(T::splat), [1.0, BELOW[0], BELOW[1]].map(T::splat)];
    let polynomial = |of: [T; 3]| (of[2] * root + of[1]) * root + of[0];
    root * polynomial(above) / polynomial(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drag(millimetres: f32, packing: f32) -> CylinderDrag {
        let mut params = SimParams::default();
        (params.forces.lock, params.forces.packing) = (millimetres, packing);
        CylinderDrag::of(&params)
    }

    /// The speed at which it carries the weight of a lock that lies across it.
    fn falls(drag: CylinderDrag) -> f64 {
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match drag.rate(middle) * middle < 9.81 {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    }

    #[test]
    fn a_hair_and_a_lock_fall_as_fast_as_cylinders_do() {
        // Worked out by hand from the law, with hair of 1320 kg/m³.
        for (thick, packing, rate, speed) in [(3.0, 0.3, 2.2, 3.0), (3.0, 0.3, 0.15, 0.1)] {
            let found = drag(thick, packing).rate(speed);
            assert!((found / rate - 1.0).abs() < 0.03, "{found} of {rate}");
        }
        let (hair, lock) = (falls(drag(0.07, 1.0)), falls(drag(3.0, 0.3)));
        assert!((0.3..0.75).contains(&hair), "{hair}");
        assert!((3.5..3.9).contains(&lock), "{lock}");
    }

    #[test]
    fn the_cube_root_is_one() {
        for speed in [1e-3f64, 0.02, 0.4, 1.0, 7.0, 33.0, 100.0] {
            let error = cube_root(speed) / cbrt(speed) - 1.0;
            assert!(error.abs() < 5.1e-4, "{speed}: {error}");
        }
        assert_eq!(cube_root(0.0f64), 0.0);
    }

    #[test]
    fn it_pushes_against_the_motion_and_never_beyond_rest() {
        let edge = V3::splat([0.0, 0.01, 0.0]);
        // The thin one would be turned back within a step.
        for (speed, drag) in [
            (0.001, drag(3.0, 0.3)),
            (1.0, drag(3.0, 0.3)),
            (80.0, drag(0.05, 0.02)),
        ] {
            let dragged = |way: [f64; 3]| {
                let slip = V3::splat(way.map(|c| c * speed));
                drag.drag::<f64>(slip, edge, 1e-4, 1.0, 0.3)
            };
            let (across, along) = (dragged([1.0, 0.0, 0.0]), dragged([0.0, 1.0, 0.0]));
            assert!(across.x < 0.0 && -across.x * drag.seconds < 1.001 * speed);
            let bounded = -across.x * drag.seconds > 0.999 * speed;
            assert!(along.y < 0.0 && (bounded || across.x < along.y));
            assert_eq!(bounded, speed == 80.0);
            assert_eq!([across.y, across.z, along.x, along.z], [0.0; 4]);
        }
    }
}
