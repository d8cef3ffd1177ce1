//! Solids with a distance in closed form: what hair is validated against, and
//! what a distance grid can be compared with.

use super::contact::{CollisionSurface, Tangent};
use crate::mesh::solid::Primitive;
use glam::{DQuat, DVec3, Vec3};

/// A surface is walked towards until it is so close. `[m]`
const TOUCH: f64 = 1e-6;

/// A solid in the head's space, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalyticSurface {
    /// Everything below a plane.
    HalfSpace {
        /// Unit normal, out of the solid.
        normal: DVec3,
        /// The plane is n.x = offset. `[m]`
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// Its middle. `[m]`
        centre: DVec3,
        /// `[m]`
        radius: f64,
    },
    /// Everything within a radius of a line between two points.
    Capsule {
        /// The line's ends. `[m]`
        ends: [DVec3; 2],
        /// `[m]`
        radius: f64,
    },
    /// A ball, squeezed along three axes and turned.
    Ellipsoid {
        /// Its middle. `[m]`
        centre: DVec3,
        /// Half its axes. `[m]`
        radii: DVec3,
        /// From its axes to the head's.
        rotation: DQuat,
    },
    /// Several at once: the distance is the smallest of theirs.
    Union(Vec<AnalyticSurface>),
}

impl AnalyticSurface {
    /// Signed distance of `p`, negative inside, and the unit normal that leads
    /// straight out from there. `[m]`
    pub fn closest(&self, p: DVec3) -> (f64, DVec3) {
        match self {
            Self::HalfSpace { normal, offset } => (normal.dot(p) - offset, *normal),
            Self::Sphere { centre, radius } => away(p - *centre, *radius),
            Self::Capsule { ends, radius } => {
                let along = ends[1] - ends[0];
                let share = along.dot(p - ends[0]) / along.length_squared().max(1e-300);
                away(p - ends[0] - along * share.clamp(0.0, 1.0), *radius)
            }
            Self::Ellipsoid {
                centre,
                radii,
                rotation,
            } => {
                let local = rotation.conjugate() * (p - *centre);
                let found = Primitive::Ellipsoid { radii: *radii }.closest(local);
                (found.distance, *rotation * found.normal)
            }
            Self::Union(shapes) => {
                let far = (f64::from(f32::MAX), DVec3::Y);
                shapes.iter().fold(far, |nearest, shape| {
                    let found = shape.closest(p);
                    if found.0 < nearest.0 { found } else { nearest }
                })
            }
        }
    }
}

/// Distance and normal of a point that lies `from` the middle of a round.
fn away(from: DVec3, radius: f64) -> (f64, DVec3) {
    (from.length() - radius, from.normalize_or(DVec3::Y))
}

impl CollisionSurface for AnalyticSurface {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        let (from, to) = (from.as_dvec3(), to.as_dvec3());
        let (mut distance, mut normal) = self.closest(to);
        let mut place = to;
        let way = to - from;
        let length = way.length();
        let mut walked = self.closest(from).0;
        // A vertex that moved farther than its distance may have passed right
        // through: walk along its way by the distance until the surface.
        if walked > TOUCH && length > walked {
            while walked < length {
                let p = from + way * (walked / length);
                let here = self.closest(p);
                if here.0 <= TOUCH {
                    if here.1.dot(way) < 0.0 {
                        (distance, normal) = here;
                        place = p;
                    }
                    break;
                }
                walked += here.0;
            }
        }
        let offset = normal.dot(place) - distance;
        Tangent {
            normal: normal.as_vec3(),
            offset: offset as f32,
            distance: (normal.dot(to) - offset).min(self.closest(to).0) as f32,
        }
    }

    fn distance(&self, p: Vec3) -> f32 {
        self.closest(p.as_dvec3()).0 as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};
    use proptest::prelude::*;

    fn point(reach: f64) -> impl Strategy<Value = DVec3> {
        [-reach..reach, -reach..reach, -reach..reach].prop_map(DVec3::from)
    }

    fn turn() -> impl Strategy<Value = DQuat> {
        (point(1.0), -3.0..3.0f64)
            .prop_map(|(axis, angle)| DQuat::from_axis_angle(axis.normalize_or(DVec3::X), angle))
    }

    /// The smallest distance from `p` to many points of a surface that `at` maps
    /// two angles to.
    fn by_force(p: DVec3, at: impl Fn(f64, f64) -> DVec3) -> f64 {
        let angle = |i: i32| std::f64::consts::PI * f64::from(i) / 120.0;
        (0..240)
            .flat_map(|i| (0..=120).map(move |j| (i, j)))
            .map(|(i, j)| p.distance(at(angle(i), angle(j))))
            .fold(f64::MAX, f64::min)
    }

    /// That the distance is one: there is a point of the surface so far away
    /// along the normal, and none of many is nearer.
    fn check(
        shape: &AnalyticSurface,
        p: DVec3,
        inside: bool,
        found: f64,
    ) -> Result<(), TestCaseError> {
        let (distance, normal) = shape.closest(p);
        prop_assert_eq!(distance < 0.0, inside);
        prop_assert!(shape.closest(p - normal * distance).0.abs() < 1e-9);
        prop_assert!(distance.abs() <= found + 1e-12, "{distance}, but {found}");
        prop_assert!(distance.abs() > found - 4e-3, "{distance}, but {found}");
        Ok(())
    }

    fn ball(a: f64, b: f64) -> DVec3 {
        DVec3::new(sin(b) * cos(a), cos(b), sin(b) * sin(a))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_ellipsoids_distance_is_that_of_a_search(
            p in point(0.3), radii in [0.03..0.2f64, 0.03..0.2, 0.03..0.2],
            centre in point(0.1), rotation in turn(),
        ) {
            let radii = DVec3::from(radii);
            let shape = AnalyticSurface::Ellipsoid { centre, radii, rotation };
            let found = by_force(p, |a, b| centre + rotation * (radii * ball(a, b)));
            let inside = (rotation.conjugate() * (p - centre) / radii).length() < 1.0;
            check(&shape, p, inside, found)?;
        }

        #[test]
        fn on_planes_of_symmetry_too(
            x in -0.04..0.04f64, y in -0.04..0.04f64, flat in 0usize..7,
        ) {
            let radii = DVec3::new(0.1, 0.06, 0.09);
            let mut p = DVec3::new(x, y, 0.5 * (x + y));
            for axis in 0..3 {
                if flat & (1 << axis) != 0 {
                    p[axis] = 0.0;
                }
            }
            let shape = AnalyticSurface::Ellipsoid { centre: DVec3::ZERO, radii, rotation: DQuat::IDENTITY };
            let found = by_force(p, |a, b| radii * ball(a, b));
            check(&shape, p, true, found)?;
        }

        #[test]
        fn a_capsules_distance_is_that_of_its_line(
            p in point(0.4), a in point(0.2), b in point(0.2), radius in 0.01..0.1f64,
        ) {
            let shape = AnalyticSurface::Capsule { ends: [a, b], radius };
            let line = (0..=4000).map(|i| p.distance(a.lerp(b, f64::from(i) / 4000.0)));
            let wanted = line.fold(f64::MAX, f64::min) - radius;
            prop_assert!((shape.closest(p).0 - wanted).abs() < 1e-4);
        }

        #[test]
        fn distances_never_promise_too_much(
            p in point(0.4), q in point(0.4), rotation in turn(),
        ) {
            // No distance changes faster than the place does.
            let radii = DVec3::new(0.12, 0.05, 0.08);
            let shape = AnalyticSurface::Union(vec![
                AnalyticSurface::HalfSpace { normal: rotation * DVec3::Y, offset: -0.1 },
                AnalyticSurface::Sphere { centre: DVec3::X * 0.2, radius: 0.07 },
                AnalyticSurface::Capsule { ends: [DVec3::Z * 0.1, DVec3::Z * -0.2], radius: 0.03 },
                AnalyticSurface::Ellipsoid { centre: DVec3::Y * 0.1, radii, rotation },
            ]);
            let change = (shape.closest(p).0 - shape.closest(q).0).abs();
            prop_assert!(change <= p.distance(q) + 1e-9);
        }

        #[test]
        fn a_fast_vertex_meets_the_side_it_came_from(p in point(0.4), q in point(0.4)) {
            let shape = AnalyticSurface::Sphere { centre: DVec3::ZERO, radius: 0.1 };
            prop_assume!(p.length() > 0.101);
            let tangent = shape.tangent(p.as_vec3(), q.as_vec3());
            let normal = tangent.normal.as_dvec3();
            let before = normal.dot(p) - f64::from(tangent.offset);
            let along = (q - p).normalize();
            let closest = p + along * (-p.dot(along)).clamp(0.0, p.distance(q));
            if closest.length() < 0.0999 {
                prop_assert!(tangent.distance < 0.0, "{tangent:?}");
                prop_assert!(before > -1e-5, "the start lies behind the plane");
            }
        }
    }
}
