//! How the skin bends in the neck: each point turns about the head's pivot by
//! the torso's turn times a weight that grows down the neck.

use crate::mesh::Neck;
use glam::{Quat, Vec3};

/// Where the neck bends, in the head's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeckBand {
    /// What the torso turns about, as the head does. `[m]`
    pub pivot: Vec3,
    /// A point of the middle plane. `[m]`
    pub centre: Vec3,
    /// Unit normal of that plane, towards the head.
    pub normal: Vec3,
    /// From where skin goes with the head to where it goes with the torso. `[m]`
    pub width: f32,
    /// How thick the neck is there, from its middle. `[m]`
    pub radius: f32,
}

impl NeckBand {
    /// A band of that `width` across `neck`, `height` above its narrowest level
    /// and leaning down to the front by `tilt`. `[m]`, `[rad]`
    pub fn new(neck: &Neck, pivot: Vec3, [height, tilt, width]: [f32; 3]) -> Self {
        Self {
            pivot,
            centre: neck.centre + Vec3::Y * height,
            normal: Vec3::new(0.0, tilt.cos(), tilt.sin()),
            width: width.max(1e-4),
            radius: neck.radius,
        }
    }

    /// How far `p` lies above the band's lower edge, in widths of the band.
    #[inline]
    pub fn level(&self, p: Vec3) -> f32 {
        (p - self.centre).dot(self.normal) / self.width + 0.5
    }

    /// How much of the torso's turn a point at rest at `p` takes, 0 to 1.
    #[inline]
    pub fn weight(&self, p: Vec3) -> f32 {
        weight(self.level(p))
    }
}

/// So much of the band at either edge lets the bend in.
const EASE: f32 = 0.2;

/// The steepest fall of the weight over the band.
const STEEPEST: f32 = 1.0 / (1.0 - EASE);

/// The weight at a level of the band: straight but at the edges, where it comes in
/// smoothly. Skin has no crease so, and folds later than by a smoother way, which
/// is steeper in the middle.
#[inline]
fn weight(level: f32) -> f32 {
    let t = 1.0 - level;
    let edge = |t: f32| 0.5 * STEEPEST / EASE * t * t;
    if t < EASE {
        edge(t.max(0.0))
    } else if t > 1.0 - EASE {
        1.0 - edge((1.0 - t).max(0.0))
    } else {
        STEEPEST * (t - 0.5 * EASE)
    }
}

/// How fast the weight falls with the level.
#[inline]
fn slope(level: f32) -> f32 {
    STEEPEST * (level.min(1.0 - level) / EASE).clamp(0.0, 1.0)
}

/// A neck bent by one turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeckBend {
    /// Where it bends.
    pub band: NeckBand,
    /// The torso's turn as the head sees it: axis times angle. `[rad]`
    pub turn: Vec3,
    /// The same as a rotation.
    pub rotation: Quat,
}

impl NeckBend {
    /// The neck of `band` under a torso turned by `rotation`, as the head sees it.
    pub fn new(band: NeckBand, rotation: Quat) -> Self {
        let rotation = if rotation.w < 0.0 {
            -rotation
        } else {
            rotation
        };
        Self {
            band,
            turn: rotation.to_scaled_axis(),
            rotation,
        }
    }

    /// Whether the torso is as the mesh has it.
    pub fn is_straight(&self) -> bool {
        self.turn == Vec3::ZERO
    }

    /// The turn of what has that weight.
    #[inline]
    pub fn share(&self, weight: f32) -> Quat {
        match weight {
            0.0 => Quat::IDENTITY,
            1.0 => self.rotation,
            _ => Quat::from_scaled_axis(self.turn * weight),
        }
    }

    /// Where a point at rest at `p` is. `[m]`
    pub fn point(&self, p: Vec3) -> Vec3 {
        let weight = self.band.weight(p);
        if weight == 0.0 {
            return p;
        }
        self.band.pivot + self.share(weight) * (p - self.band.pivot)
    }

    /// Where what is at `p` would be at rest if it had that weight. `[m]`
    #[inline]
    pub fn unturned(&self, weight: f32, p: Vec3) -> Vec3 {
        if weight == 0.0 {
            return p;
        }
        let pivot = self.band.pivot;
        pivot + self.share(weight).conjugate() * (p - pivot)
    }

    /// The weight of what is at `p` where neither head nor torso is alone.
    pub fn weight_at(&self, p: Vec3) -> f32 {
        // What a point is thought to weigh, less what it weighs where that takes it
        // back to: not positive at 0, not negative at 1. By false position, with the
        // end that stays halved (Illinois).
        let excess = |w: f32| w - self.band.weight(self.unturned(w, p));
        let (mut a, mut b) = (0.0, 1.0);
        let (mut low, mut high) = (excess(a), excess(b));
        let mut side = 0;
        for _ in 0..12 {
            let span = high - low;
            if span <= 1e-6 {
                break;
            }
            let w = a - low * (b - a) / span;
            let here = excess(w);
            if here.abs() < 1e-4 {
                return w;
            }
            if here < 0.0 {
                (a, low) = (w, here);
                high *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            } else {
                (b, high) = (w, here);
                low *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            }
        }
        a - low * (b - a) / (high - low).max(1e-6)
    }

    /// The gradient, in the bent head, of what has the gradient `normal` at `p`
    /// at rest; `p` has that weight.
    pub fn gradient(&self, weight: f32, p: Vec3, normal: Vec3) -> Vec3 {
        // The bend is x = R(w(p)) p: its derivative R (I + u g^T), where u is how
        // p moves as w grows and g is the slope of w.
        let (away, rise) = self.shear(p);
        // Where skin folds over itself it has no one inverse.
        let stretch = self.stretch(p).max(FOLD);
        self.share(weight) * (normal - rise * (away.dot(normal) / stretch))
    }

    /// How a point at rest at `p` moves as its weight grows, and the weight's slope.
    fn shear(&self, p: Vec3) -> (Vec3, Vec3) {
        let fall = slope(self.band.level(p)) / self.band.width;
        let away = self.turn.cross(p - self.band.pivot);
        (away, self.band.normal * -fall)
    }

    /// By what factor the bend enlarges what is around a point at rest at `p`; not
    /// positive where skin folds over itself.
    pub fn stretch(&self, p: Vec3) -> f32 {
        let (away, rise) = self.shear(p);
        1.0 + away.dot(rise)
    }

    /// By what factor a distance may be too large at most where it was measured at
    /// rest across the band.
    pub fn slack(&self) -> f32 {
        1.0 + STEEPEST * self.turn.length() * self.band.radius / self.band.width
    }
}

/// Skin counts as pressed together to this share at most.
const FOLD: f32 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    fn bend(turn: Vec3) -> NeckBend {
        let neck = Neck {
            centre: Vec3::new(0.0, -0.12, -0.02),
            radius: 0.05,
        };
        let band = NeckBand::new(&neck, Vec3::new(0.0, -0.12, 0.0), [0.0, 0.25, 0.055]);
        NeckBend::new(band, Quat::from_scaled_axis(turn))
    }

    /// Points in and around a neck.
    fn points() -> impl Iterator<Item = Vec3> {
        (0..4000).map(|i| {
            let part = |k: f32| (i as f32 * k).fract();
            let angle = part(0.618_034) * std::f32::consts::TAU;
            let radius = 0.07 * part(0.324_718).sqrt();
            Vec3::new(
                radius * angle.cos(),
                -0.2 + 0.16 * part(0.754_878),
                radius * angle.sin() - 0.02,
            )
        })
    }

    #[test]
    fn a_point_of_the_neck_is_found_where_it_has_gone() {
        for turn in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X].map(|axis| axis * 0.4) {
            let bend = bend(turn);
            let mut between = 0;
            for p in points() {
                let there = bend.point(p);
                let wanted = bend.band.weight(p);
                if wanted == 0.0 || wanted == 1.0 {
                    continue;
                }
                between += 1;
                let found = bend.weight_at(there);
                let back = bend.unturned(found, there);
                assert!(back.distance(p) < 2e-4, "{turn} {p}: {back}, {wanted}");
            }
            assert!(between > 500);
        }
    }

    #[test]
    fn gradients_are_those_of_differences() {
        let bend = bend(Vec3::new(0.3, 0.2, -0.1));
        let normal = Vec3::new(0.6, 0.0, 0.8);
        for p in points().filter(|p| (0.1..0.9).contains(&bend.band.level(*p))) {
            let there = bend.point(p);
            let at = |q: Vec3| normal.dot(bend.unturned(bend.weight_at(q), q));
            let found = bend.gradient(bend.band.weight(p), p, normal);
            let h = 4e-3;
            let wanted = Vec3::from_array(
                Vec3::AXES.map(|axis| (at(there + axis * h) - at(there - axis * h)) / (2.0 * h)),
            );
            assert!(found.distance(wanted) < 0.15, "{p}: {found} {wanted}");
        }
    }
}
