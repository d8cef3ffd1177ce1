//! A helix that hangs from a clamp under its own weight: Kirchhoff's boundary
//! value problem in double precision.

use super::theory::GRAVITY;
use glam::{DMat3, DVec3};

/// Steps of the integration along the strand.
const STEPS: usize = 1200;

/// Gravity is raised to its full strength in steps no smaller than this share.
const LEAST: f64 = 1e-4;

/// An unshearable, inextensible rod that is a helix at rest.
#[derive(Clone, Copy, Debug)]
pub struct HangingHelix {
    /// Length of the rod. `[m]`
    pub length: f64,
    /// Radius at rest. `[m]`
    pub radius: f64,
    /// Height of a turn at rest. `[m]`
    pub pitch: f64,
    /// Resistance to bending. `[N m²]`
    pub bending: f64,
    /// Resistance to twisting. `[N m²]`
    pub twisting: f64,
    /// Mass of a metre. `[kg/m]`
    pub density: f64,
    /// Acceleration of gravity, down the helix. `[m/s²]`
    pub gravity: f64,
}

/// A place along the rod: where it is, its material frame and the moment there
/// in that frame. `[m]`, `[N m]`
#[derive(Clone, Copy)]
struct Section {
    place: DVec3,
    frame: DMat3,
    moment: DVec3,
}

impl Section {
    fn moved(&self, by: f64, rate: &Self) -> Self {
        Self {
            place: self.place + rate.place * by,
            frame: self.frame + rate.frame * by,
            moment: self.moment + rate.moment * by,
        }
    }
}

impl HangingHelix {
    /// Height that one radian takes, and radians for each metre of rod.
    fn winding(&self) -> (f64, f64) {
        let rise = self.pitch / std::f64::consts::TAU;
        (rise, 1.0 / self.radius.hypot(rise))
    }

    /// Curvature about the frame's second axis and twist at rest. `[1/m]`
    fn rest(&self) -> DVec3 {
        let (rise, turn) = self.winding();
        DVec3::new(0.0, self.radius * turn * turn, rise * turn * turn)
    }

    /// Normal, binormal and tangent of `fixture::helix` at its root.
    fn root(&self) -> DMat3 {
        let (rise, turn) = self.winding();
        let tangent = DVec3::new(0.0, -rise, self.radius) * turn;
        let normal = DVec3::NEG_X;
        DMat3::from_cols(normal, tangent.cross(normal), tangent)
    }

    /// Kirchhoff's equations (Love 1927, section 254): the
    /// frame turns by the Darboux vector u = u0 + m / stiffness, and
    /// m' + u x m + e3 x n = 0, where n is the force across the section, the weight
    /// of what hangs below.
    fn rate(&self, s: f64, at: &Section, gravity: f64) -> Section {
        let stiffness = DVec3::new(self.bending, self.bending, self.twisting);
        let u = self.rest() + at.moment / stiffness;
        let force = DVec3::NEG_Y * (self.density * gravity * (self.length - s));
        let inside = at.frame.transpose() * force;
        let turn = DMat3::from_cols(
            DVec3::new(0.0, u.z, -u.y),
            DVec3::new(-u.z, 0.0, u.x),
            DVec3::new(u.y, -u.x, 0.0),
        );
        Section {
            place: at.frame.z_axis,
            frame: at.frame * turn,
            moment: -u.cross(at.moment) - DVec3::Z.cross(inside),
        }
    }

    /// Goes from the root, where the moment is `moment`, to the tip, by Runge and
    /// Kutta's fourth order.
    fn shoot(&self, moment: DVec3, gravity: f64) -> Section {
        let h = self.length / STEPS as f64;
        let mut at = Section {
            place: DVec3::ZERO,
            frame: self.root(),
            moment,
        };
        for i in 0..STEPS {
            let s = h * i as f64;
            let a = self.rate(s, &at, gravity);
            let b = self.rate(s + 0.5 * h, &at.moved(0.5 * h, &a), gravity);
            let c = self.rate(s + 0.5 * h, &at.moved(0.5 * h, &b), gravity);
            let d = self.rate(s + h, &at.moved(h, &c), gravity);
            for (share, rate) in [(1.0, a), (2.0, b), (2.0, c), (1.0, d)] {
                at = at.moved(h / 6.0 * share, &rate);
            }
        }
        at
    }

    /// The moment at the root that leaves none at the tip, by Newton's method from
    /// a `moment` near it.
    fn balanced(&self, mut moment: DVec3, gravity: f64) -> Option<DVec3> {
        let unit = self.bending * self.rest().y;
        for _ in 0..8 {
            let end = self.shoot(moment, gravity).moment;
            if end.length() < 1e-9 * unit {
                return Some(moment);
            }
            let nudge = 1e-7 * unit;
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
                let there = self.shoot(moment + axis * nudge, gravity).moment;
                (there - end) / nudge
            });
            moment -= DMat3::from_cols(x, y, z).inverse() * end;
        }
        None
    }

    /// Where the tip hangs, from the root. Weight is added bit by bit, each solution
    /// the start for the next; none where bits become too small. `[m]`
    pub fn tip(&self) -> Option<DVec3> {
        let (mut done, mut by) = (0.0, 0.1);
        let (mut moment, mut slope) = (DVec3::ZERO, DVec3::ZERO);
        while done < 1.0 {
            let next = f64::min(done + by, 1.0);
            match self.balanced(moment + slope * (next - done), self.gravity * next) {
                Some(found) => {
                    slope = (found - moment) / (next - done);
                    (moment, done, by) = (found, next, 1.5 * by);
                }
                None if by > LEAST => by *= 0.5,
                None => return None,
            }
        }
        Some(self.shoot(moment, self.gravity).place)
    }

    /// Where the tip is without weight. `[m]`
    pub fn rest_tip(&self) -> DVec3 {
        let (rise, turn) = self.winding();
        let angle = self.length * turn;
        DVec3::new(
            self.radius * (angle.cos() - 1.0),
            -rise * angle,
            self.radius * angle.sin(),
        )
    }

    /// Force along the axis for each metre that the ends are drawn apart, little:
    /// Love 1927, section 271: a wire at the angle alpha to the helix' normal plane
    /// is twisted by F r cos(alpha) and bent by F r sin(alpha). `[N/m]`
    pub fn spring_constant(&self) -> f64 {
        let (rise, turn) = self.winding();
        let (sin, cos) = (rise * turn, self.radius * turn);
        let compliance = cos * cos / self.twisting + sin * sin / self.bending;
        1.0 / (self.length * self.radius * self.radius * compliance)
    }
}

/// A hair's helix under the full weight of a hair.
pub fn hair(fibre: &super::fixture::Fibre, length: f64, radius: f64, pitch: f64) -> HangingHelix {
    HangingHelix {
        length,
        radius,
        pitch,
        bending: fibre.bending,
        twisting: fibre.twisting,
        density: super::fixture::Fibre::DENSITY,
        gravity: GRAVITY,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fixture::Fibre, *};

    #[test]
    fn without_weight_it_is_the_helix_of_the_fixture() {
        let helix = hair(&Fibre::hair(), 0.2, 0.008, 0.012);
        let points = super::super::fixture::helix(0.2, 0.008, 0.012, 64);
        let tip = helix.shoot(DVec3::ZERO, 0.0).place;
        assert!(tip.distance(points[64]) < 1e-8, "{tip} {}", points[64]);
        assert!(tip.distance(helix.rest_tip()) < 1e-8);
    }

    #[test]
    fn a_little_weight_draws_it_as_a_spring() {
        // Twenty turns, so that its ends hardly count.
        let (radius, pitch) = (0.005, 0.012);
        let turn = (std::f64::consts::TAU * radius).hypot(pitch);
        let mut helix = hair(&Fibre::hair(), 20.0 * turn, radius, pitch);
        helix.gravity = 1e-3 * GRAVITY;
        let drawn = helix.rest_tip().y - helix.tip().expect("converges").y;
        let half = 0.5 * helix.density * helix.gravity * helix.length;
        let constant = half / drawn;
        let wanted = helix.spring_constant();
        assert!(
            (constant / wanted - 1.0).abs() < 0.02,
            "{constant} {wanted}"
        );
    }

    #[test]
    fn a_heavy_one_is_longer_but_no_longer_than_its_wire() {
        let helix = hair(&Fibre::hair(), 0.3, 0.008, 0.012);
        let tip = helix.tip().expect("converges");
        let rest = helix.rest_tip();
        assert!(-tip.y > -1.5 * rest.y && -tip.y < 0.3, "{tip} {rest}");
    }
}
