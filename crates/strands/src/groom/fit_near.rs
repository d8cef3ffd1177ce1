//! A placement that is roughly right: moved onto the skin, or fitted from where it is.

use super::{
    bind::asked,
    fit::{FitQuality, Fitting, Placement, middle_of},
    import::{ImportParams, Loose},
    outliers::Outliers,
    reading::read_as,
};
use crate::mesh::CollisionMesh;
use glam::{Quat, Vec3};

/// Moves onto the skin, one after another.
const DROPS: usize = 40;
/// The hair is moved `[m]` and turned `[°]` so far, at first and at last, and how often.
const STEPS: [(f32, f32); 5] = [
    (0.008, 8.0),
    (0.004, 4.0),
    (0.002, 2.0),
    (0.001, 1.0),
    (0.0005, 0.5),
];
const EACH: usize = 8;
/// A move must be worth so much of the roots' breadth.
const WORTH: f32 = 1e-4;

/// What is done to hair that lies nearly right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearFit {
    /// It is moved, neither turned nor scaled, until its roots are nearest to the skin.
    Drop,
    /// It is moved and turned, within a few centimetres, to where it sits best; its size
    /// stays.
    Here,
}

/// The same parameters with hair that lies nearly right brought to the skin.
pub fn near_fit(
    loose: &Loose,
    params: &ImportParams,
    body: &CollisionMesh,
    how: NearFit,
) -> ImportParams {
    let outliers = Outliers::find(loose);
    let (reading, _) = read_as(loose, params, &asked(loose, &outliers), body);
    let sound = (0..loose.len()).filter(|i| !outliers.is_astray(*i));
    let fitting = Fitting::new(body, sound.map(|i| loose.strand(i)));
    let now = reading.placement(params);
    params.placed(&match how {
        NearFit::Drop => fitting.dropped(now),
        NearFit::Here => fitting.from_here(now),
    })
}

impl Fitting<'_> {
    /// Moves the hair, without a turn, until its roots are nearest to the skin.
    pub fn dropped(&self, placement: Placement) -> Placement {
        let (mut best, mut now) = (placement, placement);
        let mut least = self.quality(&now).distance;
        for _ in 0..DROPS {
            self.to_skin(&mut now, 1);
            let FitQuality { distance, .. } = self.quality(&now);
            if distance >= least {
                break;
            }
            (best, least) = (now, distance);
        }
        best
    }

    /// The placement near that one, as large, at which roots are nearest to the skin and
    /// hair is least below it.
    pub fn from_here(&self, placement: Placement) -> Placement {
        let mut now = self.dropped(placement);
        let mut least = self.off(&now, 1);
        for (by, angle) in STEPS {
            for _ in 0..EACH {
                let shifts = [Vec3::X, Vec3::Y, Vec3::Z].into_iter();
                let shifts = shifts.flat_map(|axis| [axis * by, axis * -by]);
                let moved = shifts.map(|by| Placement {
                    offset: now.offset + by,
                    ..now
                });
                let turned = [angle, -angle].map(|angle| {
                    let mut turned = now.turned(angle, middle_of(&self.wisps, &now));
                    self.to_skin(&mut turned, 1);
                    turned
                });
                let tried = moved
                    .chain(turned)
                    .map(|tried| (self.off(&tried, 1), tried));
                match tried.min_by(|a, b| a.0.total_cmp(&b.0)) {
                    Some((less, there)) if less < least - WORTH => (least, now) = (less, there),
                    _ => break,
                }
            }
        }
        now
    }
}

impl Placement {
    /// Turned by so much farther `[°]` about the vertical through `pivot` `[m]`.
    #[must_use]
    pub fn turned(&self, angle: f32, pivot: Vec3) -> Self {
        let by = Quat::from_rotation_y(angle.to_radians());
        Self {
            turn: wrapped(self.turn + angle),
            offset: pivot + by * (self.offset - pivot),
            ..*self
        }
    }

    /// As many times as large about `pivot`. `[m]`
    #[must_use]
    pub fn scaled(&self, factor: f32, pivot: Vec3) -> Self {
        Self {
            metres: self.metres * factor,
            offset: pivot + (self.offset - pivot) * factor,
            ..*self
        }
    }

    /// Moved. `[m]`
    #[must_use]
    pub fn moved(&self, by: Vec3) -> Self {
        Self {
            offset: self.offset + by,
            ..*self
        }
    }

    /// Where a point that `self` has put somewhere `[m]` is put by `other`, which differs
    /// by turn, size and place alone.
    pub fn onto(&self, other: &Self, p: Vec3) -> Vec3 {
        let by = Quat::from_rotation_y((other.turn - self.turn).to_radians());
        by * (p - self.offset) * (other.metres / self.metres) + other.offset
    }
}

/// Between -180 and 180. `[°]`
fn wrapped(degrees: f32) -> f32 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests;
