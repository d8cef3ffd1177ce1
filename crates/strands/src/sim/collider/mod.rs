//! Bodies beside the head that hair collides with: spheres, ellipsoids and
//! capsules, as a scene holds them.

mod bodies;
pub mod fit;
mod penalty;

pub use bodies::{Bodies, Union};
pub use penalty::push;

use crate::{
    choice,
    math::Pose,
    mesh::solid::Primitive,
    param::{self, Kind, ListRow},
    params,
};
use glam::{DQuat, DVec3, EulerRot, Quat, Vec3};

choice! {
    /// What a collider is.
    pub enum Shape {
        /// A ball.
        Sphere = "sphere",
        /// A ball stretched along three axes.
        Ellipsoid = "ellipsoid",
        /// A rod with round ends.
        Capsule = "capsule",
    }
}

params! {
    /// A body beside the head that hair collides with; a scene file has as many `[[collider]]` as it likes.
    pub struct Collider: "collider" {
        /// What it is.
        kind: Shape = Shape::Sphere, Kind::Choice(Shape::NAMES), "", "Kind";
        /// What it is called.
        name: String = "", Kind::Text, "", "Name";
        /// Whether hair meets it.
        on: bool = true, Kind::Bool, "", "On";
        /// Whether it goes with the head. One that does not stays where it is in the world, as shoulders do.
        follows_head: bool = true, Kind::Bool, "", "Follows the head";
        /// Its middle (sphere, ellipsoid), in the space of the resting head.
        centre: [f32; 3] = [0.0, 0.0, 0.0], param::triple(-10.0, 10.0), "m", "Centre";
        /// Radius (sphere, capsule).
        radius: f32 = 0.05, param::log_float(0.001, 5.0), "m", "Radius";
        /// Half of its extent along its three axes (ellipsoid).
        radii: [f32; 3] = [0.08, 0.05, 0.05], param::triple(0.001, 5.0), "m", "Radii";
        /// Turn about x, then y, then z (ellipsoid).
        rotation: [f32; 3] = [0.0, 0.0, 0.0], param::triple(-360.0, 360.0), "°", "Rotation";
        /// One end of its middle line (capsule), in the space of the resting head.
        start: [f32; 3] = [-0.05, 0.0, 0.0], param::triple(-10.0, 10.0), "m", "Start";
        /// The other end (capsule).
        end: [f32; 3] = [0.05, 0.0, 0.0], param::triple(-10.0, 10.0), "m", "End";
    }
}

/// Where a body is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderPlace {
    /// From the body's own axes.
    pub rotation: DQuat,
    /// Of its middle. `[m]`
    pub centre: DVec3,
}

impl ColliderPlace {
    /// Takes a point of the body's own space to where it is.
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.centre
    }

    /// Of a body that goes with a head at `pose`, in the world.
    pub fn under(&self, pose: &Pose) -> Self {
        let rotation = pose.rotation.as_dquat();
        Self {
            rotation: rotation * self.rotation,
            centre: rotation * self.centre + pose.translation.as_dvec3(),
        }
    }

    /// The way back.
    pub fn inverse_point(&self, p: DVec3) -> DVec3 {
        self.rotation.conjugate() * (p - self.centre)
    }

    /// Between `self` (at 0) and `other` (at 1).
    pub fn between(&self, other: &Self, t: f64) -> Self {
        Self {
            rotation: self.rotation.slerp(other.rotation, t),
            centre: self.centre.lerp(other.centre, t),
        }
    }
}

impl Collider {
    /// Names of the tunables that only bodies of other kinds have.
    pub fn foreign(&self) -> &'static [&'static str] {
        match self.kind {
            Shape::Sphere => &["radii", "rotation", "start", "end"],
            Shape::Ellipsoid => &["radius", "start", "end"],
            Shape::Capsule => &["centre", "radii", "rotation"],
        }
    }

    /// Its shape about its own middle.
    pub fn solid(&self) -> Primitive {
        match self.kind {
            Shape::Sphere => Primitive::Ellipsoid {
                radii: DVec3::splat(f64::from(self.radius)),
            },
            Shape::Ellipsoid => Primitive::Ellipsoid {
                radii: Vec3::from_array(self.radii).as_dvec3(),
            },
            Shape::Capsule => Primitive::Capsule {
                half: 0.5 * self.axis().length(),
                radius: f64::from(self.radius),
            },
        }
    }

    /// From one end of a capsule to the other. `[m]`
    fn axis(&self) -> DVec3 {
        (Vec3::from_array(self.end) - Vec3::from_array(self.start)).as_dvec3()
    }

    /// Where it is: in the head's space where it follows the head, else in the
    /// world.
    pub fn place(&self) -> ColliderPlace {
        match self.kind {
            Shape::Sphere => ColliderPlace {
                rotation: DQuat::IDENTITY,
                centre: Vec3::from_array(self.centre).as_dvec3(),
            },
            Shape::Ellipsoid => {
                let [x, y, z] = self.rotation.map(|angle| f64::from(angle).to_radians());
                ColliderPlace {
                    rotation: DQuat::from_euler(EulerRot::ZYX, z, y, x),
                    centre: Vec3::from_array(self.centre).as_dvec3(),
                }
            }
            Shape::Capsule => {
                let middle = Vec3::from_array(self.start).midpoint(Vec3::from_array(self.end));
                let along = self.axis().normalize_or(DVec3::Y);
                ColliderPlace {
                    rotation: DQuat::from_rotation_arc(DVec3::Y, along),
                    centre: middle.as_dvec3(),
                }
            }
        }
    }

    /// Where it is in the world while the head is at `pose`.
    pub fn in_world(&self, pose: &Pose) -> ColliderPlace {
        match self.follows_head {
            true => self.place().under(pose),
            false => self.place(),
        }
    }

    /// Moves its middle there. `[m]`
    pub fn move_to(&mut self, centre: Vec3) {
        match self.kind {
            Shape::Sphere | Shape::Ellipsoid => self.centre = short(centre, 1e5),
            Shape::Capsule => {
                let half = 0.5 * self.axis().as_vec3();
                (self.start, self.end) = (short(centre - half, 1e5), short(centre + half, 1e5));
            }
        }
    }

    /// Turns it about its middle, in the space it is placed in.
    pub fn turn(&mut self, by: Quat) {
        match self.kind {
            Shape::Sphere => {}
            Shape::Ellipsoid => {
                let now = (by.as_dquat() * self.place().rotation).normalize();
                let (z, y, x) = now.to_euler(EulerRot::ZYX);
                let degrees = DVec3::new(x, y, z).map(f64::to_degrees);
                self.rotation = short(degrees.as_vec3(), 1e2);
            }
            Shape::Capsule => {
                let middle = self.place().centre.as_vec3();
                let half = by * (0.5 * self.axis().as_vec3());
                (self.start, self.end) = (short(middle - half, 1e5), short(middle + half, 1e5));
            }
        }
    }

    /// Makes it larger along its own axes by these factors; a round body takes
    /// what suits it.
    pub fn scale(&mut self, factors: Vec3) {
        let size = |radius: f32| (radius.clamp(0.001, 5.0) * 1e5).round() / 1e5;
        match self.kind {
            Shape::Sphere => {
                let most = factors.max_element();
                let least = factors.min_element();
                // The factor that differs from one is the one meant.
                let factor = if most - 1.0 > 1.0 - least {
                    most
                } else {
                    least
                };
                self.radius = size(self.radius * factor);
            }
            Shape::Ellipsoid => {
                let radii = Vec3::from_array(self.radii) * factors;
                self.radii = radii.to_array().map(size);
            }
            Shape::Capsule => {
                let across = if (factors.x - 1.0).abs() > (factors.z - 1.0).abs() {
                    factors.x
                } else {
                    factors.z
                };
                self.radius = size(self.radius * across);
                let middle = self.place().centre.as_vec3();
                let half = 0.5 * self.axis().as_vec3() * factors.y.max(0.0);
                (self.start, self.end) = (short(middle - half, 1e5), short(middle + half, 1e5));
            }
        }
    }
}

impl ListRow for Collider {
    const LIST: &'static str = "collider";

    fn unused(&self) -> (&'static [&'static str], String) {
        let article = match self.kind {
            Shape::Ellipsoid => "an",
            Shape::Sphere | Shape::Capsule => "a",
        };
        (self.foreign(), format!("{article} {}", self.kind.name()))
    }
}

/// With so few digits that a file with it is pleasant to read.
fn short(v: Vec3, per_unit: f32) -> [f32; 3] {
    v.to_array().map(|c| (c * per_unit).round() / per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: Shape) -> Collider {
        Collider {
            kind,
            ..Collider::default()
        }
    }

    #[test]
    fn a_body_can_be_moved_turned_and_scaled_and_turned_back() {
        for kind in [Shape::Sphere, Shape::Ellipsoid, Shape::Capsule] {
            let mut body = one(kind);
            body.move_to(Vec3::new(0.1, -0.2, 0.3));
            let at = body.place().centre.as_vec3();
            assert!(
                at.distance(Vec3::new(0.1, -0.2, 0.3)) < 1e-5,
                "{kind:?} {at}"
            );
            let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
            let before = body.clone();
            body.turn(turn);
            if kind != Shape::Sphere {
                let axis = |body: &Collider| (body.place().rotation * DVec3::Y).as_vec3();
                assert!(
                    axis(&body).distance(turn * axis(&before)) < 1e-3,
                    "{kind:?}"
                );
            }
            body.turn(turn.conjugate());
            let p = DVec3::new(0.2, 0.1, -0.1);
            let distance = |body: &Collider| {
                let place = body.place();
                body.solid().closest(place.inverse_point(p)).distance
            };
            assert!(
                (distance(&body) - distance(&before)).abs() < 1e-4,
                "{kind:?}"
            );
            body.scale(Vec3::splat(2.0));
            let ratio = body.solid().reach() / before.solid().reach();
            assert!((ratio - 2.0).abs() < 1e-2, "{kind:?} {ratio}");
        }
    }
}
