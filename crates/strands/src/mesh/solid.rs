//! Simple bodies about the origin: ellipsoids and capsules, with their nearest
//! points, in closed form where there is one.

use glam::DVec3;

/// A body about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A sphere stretched along the axes.
    Ellipsoid {
        /// Half of its extent along x, y, z, all above zero. `[m]`
        radii: DVec3,
    },
    /// All that is closer than `radius` to a line along y.
    Capsule {
        /// Half the length of the line, zero for a sphere. `[m]`
        half: f64,
        /// Above zero. `[m]`
        radius: f64,
    },
}

/// A point of a body's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point. `[m]`
    pub point: DVec3,
    /// Outward unit normal there.
    pub normal: DVec3,
    /// Signed distance of the asking point, negative inside. `[m]`
    pub distance: f64,
}

/// Relative size of what counts as zero.
const TINY: f64 = 1e-12;

impl Primitive {
    /// The surface point nearest to `p`.
    pub fn closest(&self, p: DVec3) -> ClosestPoint {
        match *self {
            Self::Ellipsoid { radii } => closest_on_ellipsoid(radii, p),
            Self::Capsule { half, radius } => {
                let core = DVec3::new(0.0, p.y.clamp(-half, half), 0.0);
                let away = p - core;
                let length = away.length();
                // From the very core every way is as short; take one across.
                let normal = if length > TINY * radius {
                    away / length
                } else {
                    DVec3::X
                };
                ClosestPoint {
                    point: core + normal * radius,
                    normal,
                    distance: length - radius,
                }
            }
        }
    }

    /// At most the distance of a place `p` outside, for little work; zero or
    /// less where `p` is inside. `[m]`
    pub fn bound(&self, p: DVec3) -> f64 {
        match *self {
            Self::Ellipsoid { radii } => {
                let far = p.length() - radii.max_element();
                // Stretching the body to a unit ball lengthens nothing by more
                // than one over the smallest radius.
                let least = radii.min_element();
                far.max(least * ((p / radii).length() - 1.0))
            }
            Self::Capsule { .. } => self.closest(p).distance,
        }
    }

    /// Where the straight way from one point outside to another first meets the
    /// body. The distance is that of `to` from the tangent plane there.
    pub fn entry(&self, from: DVec3, to: DVec3) -> Option<ClosestPoint> {
        let way = to - from;
        let (at, normal) = match *self {
            Self::Ellipsoid { radii } => {
                let at = enters_ball(from / radii, way / radii, 1.0)?;
                let normal = (from + way * at) / (radii * radii);
                (at, normal.normalize_or(DVec3::Y))
            }
            Self::Capsule { half, radius } => {
                let ends = [-half, half].map(|y| DVec3::new(0.0, y, 0.0));
                let flat = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
                let side = enters_ball(flat(from), flat(way), radius)
                    .filter(|at| (from.y + way.y * at).abs() <= half);
                let caps = ends.map(|end| enters_ball(from - end, way, radius));
                let first = [side, caps[0], caps[1]]
                    .into_iter()
                    .flatten()
                    .min_by(f64::total_cmp)?;
                let place = from + way * first;
                let core = DVec3::new(0.0, place.y.clamp(-half, half), 0.0);
                (first, (place - core).normalize_or(DVec3::X))
            }
        };
        let point = from + way * at;
        Some(ClosestPoint {
            point,
            normal,
            distance: normal.dot(to - point),
        })
    }

    /// Distance from the origin to the farthest point. `[m]`
    pub fn reach(&self) -> f64 {
        match *self {
            Self::Ellipsoid { radii } => radii.max_element(),
            Self::Capsule { half, radius } => half + radius,
        }
    }
}

/// How far along `way`, as a share of it, one comes from outside into the ball
/// of that radius about the origin.
fn enters_ball(from: DVec3, way: DVec3, radius: f64) -> Option<f64> {
    let c = from.dot(from) - radius * radius;
    let b = from.dot(way);
    if c < 0.0 || b >= 0.0 {
        return None;
    }
    let a = way.dot(way);
    let square = b * b - a * c;
    if square < 0.0 {
        return None;
    }
    // The form that loses no digits, since b is negative.
    let at = c / (square.sqrt() - b);
    (at <= 1.0).then_some(at)
}

/// The nearest point x of an ellipsoid satisfies p - x = t x/r² for one t
/// (Eberly, "Distance from a point to an ellipse, an ellipsoid, or a
/// hyperellipsoid", 2013): x_i = r_i² p_i/(t + r_i²), and t is the largest root
/// of Σ (r_i p_i/(t + r_i²))² = 1, whose left side falls and is convex. Newton's
/// steps from below therefore never overshoot, and the start makes the sum at
/// most three, so that a few of them are enough however flat the body is.
fn closest_on_ellipsoid(radii: DVec3, p: DVec3) -> ClosestPoint {
    let at = p.abs();
    let squares = radii * radii;
    let least = squares.min_element();
    // Measured from the pole of the smallest radius no digits cancel there.
    let shift = squares - DVec3::splat(least);
    let product = radii * at;
    let mut s = (product - shift).max_element().max(0.0);
    let inside = (at / radii).length_squared() < 1.0;
    for _ in 0..64 {
        let sum = s + shift;
        if sum.min_element() <= 0.0 {
            break;
        }
        let ratio = product / sum;
        let value = ratio.length_squared() - 1.0;
        let slope = (ratio * ratio / sum).element_sum();
        if value <= 1e-14 || slope <= 0.0 {
            break;
        }
        let next = s + 0.5 * value / slope;
        if next <= s {
            break;
        }
        s = next;
    }
    let mut foot = DVec3::ZERO;
    let mut rest = 1.0;
    let mut across = None;
    for axis in 0..3 {
        let below = s + shift[axis];
        if below > TINY * least {
            foot[axis] = squares[axis] * at[axis] / below;
            rest -= (foot[axis] / radii[axis]).powi(2);
        } else {
            across.get_or_insert(axis);
        }
    }
    if let Some(axis) = across {
        // In the plane across the smallest radius: straight up from there.
        foot[axis] = radii[axis] * rest.max(0.0).sqrt();
    }
    // What rounding left is taken out along the radius.
    let size = (foot / radii).length();
    if size > 0.0 {
        foot /= size;
    }
    let signs = DVec3::select(p.cmplt(DVec3::ZERO), DVec3::NEG_ONE, DVec3::ONE);
    let point = foot * signs;
    let normal = (point / squares).normalize_or(DVec3::Y);
    let length = p.distance(point);
    ClosestPoint {
        point,
        normal,
        distance: if inside { -length } else { length },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{hypot, sin_cos};
    use crate::math::random::{signed, uniform};

    fn draw(salt: u64, case: u64) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| f64::from(signed(salt, 3 * case + axis))))
    }

    /// Bodies of all kinds, round, long, and as flat as a sheet of paper.
    fn solids() -> Vec<Primitive> {
        let ellipsoid = |x, y, z| Primitive::Ellipsoid {
            radii: DVec3::new(x, y, z),
        };
        vec![
            ellipsoid(0.1, 0.1, 0.1),
            ellipsoid(0.08, 0.12, 0.1),
            ellipsoid(0.1, 0.001, 0.1),
            ellipsoid(0.0005, 0.2, 0.07),
            ellipsoid(0.5, 0.0005, 0.0005),
            Primitive::Capsule {
                half: 0.15,
                radius: 0.05,
            },
            Primitive::Capsule {
                half: 0.0,
                radius: 0.07,
            },
        ]
    }

    /// A point of the surface, from two numbers.
    fn surface(solid: &Primitive, u: f64, v: f64) -> DVec3 {
        let (su, cu) = sin_cos(u);
        let (sv, cv) = sin_cos(v);
        let ball = DVec3::new(cu * cv, sv, su * cv);
        match *solid {
            Primitive::Ellipsoid { radii } => ball * radii,
            Primitive::Capsule { half, radius } => {
                ball * radius + DVec3::Y * half * if sv > 0.0 { 1.0 } else { -1.0 }
            }
        }
    }

    /// Brute force: a grid over the surface, refined around the best place.
    fn searched(solid: &Primitive, p: DVec3) -> f64 {
        use std::f64::consts::{FRAC_PI_2, PI};
        let mut best = (f64::INFINITY, 0.0, 0.0);
        let (mut du, mut dv) = (PI, FRAC_PI_2);
        for round in 0..40 {
            let (u0, v0) = (best.1, best.2);
            let cells = if round == 0 { 120 } else { 6 };
            for i in -cells..=cells {
                for j in -cells..=cells {
                    let u = u0 + du * f64::from(i) / f64::from(cells);
                    let v = v0 + dv * f64::from(j) / f64::from(cells);
                    let d = p.distance(surface(solid, u, v));
                    if d < best.0 {
                        best = (d, u, v);
                    }
                }
            }
            let shrink = if round == 0 { 30.0 } else { 1.6 };
            (du, dv) = (du / shrink, dv / shrink);
        }
        if let Primitive::Capsule { half, radius } = *solid
            && p.y.abs() < half
        {
            let side = (hypot(p.x, p.z) - radius).abs();
            return best.0.min(side);
        }
        best.0
    }

    #[test]
    fn the_nearest_point_is_the_one_that_a_search_finds() {
        for solid in solids() {
            for case in 0..60 {
                let p = draw(7, case) * if case % 2 == 0 { 0.25 } else { 0.06 };
                let foot = solid.closest(p);
                let wanted = searched(&solid, p);
                let found = foot.distance.abs();
                assert!(
                    // No point of the surface is nearer than this one of it.
                    found < wanted + 1e-9,
                    "{solid:?} from {p}: {found}, searched {wanted}"
                );
                let on = solid.closest(foot.point).distance;
                assert!(on.abs() < 1e-9, "{solid:?}: the foot lies on it, not {on}");
            }
        }
    }

    #[test]
    fn the_normal_is_the_way_in_which_the_distance_grows() {
        for solid in solids() {
            let mut judged = 0;
            for case in 0..400 {
                let p = draw(8, case) * 0.2;
                let foot = solid.closest(p);
                // Next to the medial axis the way is not one way.
                let e = 1e-6;
                let gradient = DVec3::from_array([DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
                    let side = |sign: f64| solid.closest(p + axis * (sign * e)).distance;
                    (side(1.0) - side(-1.0)) / (2.0 * e)
                }));
                if (gradient.length() - 1.0).abs() > 1e-3 {
                    continue;
                }
                judged += 1;
                assert!(
                    gradient.dot(foot.normal) > 0.9999,
                    "{solid:?} at {p}: {gradient} and {}",
                    foot.normal
                );
                let back = foot.point + foot.normal * foot.distance;
                assert!(back.distance(p) < 1e-6, "{solid:?}: {p} is {back}");
            }
            assert!(judged > 300, "{solid:?}: {judged} places");
        }
    }

    #[test]
    fn the_bound_is_never_more_than_the_distance() {
        for solid in solids() {
            for case in 0..2000 {
                let p = draw(9, case) * 0.6;
                let (bound, distance) = (solid.bound(p), solid.closest(p).distance);
                assert!(
                    bound <= distance.max(0.0) + 1e-9,
                    "{solid:?}: {bound} {distance}"
                );
            }
        }
    }

    #[test]
    fn special_places_have_a_finite_foot_on_the_surface() {
        for solid in solids() {
            for p in [
                DVec3::ZERO,
                DVec3::X * 0.05,
                DVec3::Y * 0.01,
                DVec3::Z * 1e-200,
                DVec3::splat(1e-30),
                DVec3::new(0.0, 0.0, 0.2),
                DVec3::X * 1e3,
            ] {
                let foot = solid.closest(p);
                assert!(foot.point.is_finite() && foot.normal.is_finite());
                assert!((foot.normal.length() - 1.0).abs() < 1e-9);
                let on = solid.closest(foot.point).distance;
                assert!(on.abs() < 1e-9, "{solid:?} from {p}: {on}");
            }
        }
    }

    #[test]
    fn a_way_through_a_body_enters_where_it_first_touches() {
        let mut met = 0;
        for solid in solids() {
            for case in 0..3000 {
                let from = draw(10, case).normalize_or(DVec3::X) * (0.3 + solid.reach());
                // As a bullet would: all the way through and out again.
                let to = draw(11, case) * 0.02 - from * f64::from(uniform(12, case));
                let steps = 4000;
                let walk = |i: i32| from + (to - from) * (f64::from(i) / f64::from(steps));
                let Some(entry) = solid.entry(from, to) else {
                    if case < 100 {
                        let deepest = (0..=steps)
                            .map(|i| solid.closest(walk(i)).distance)
                            .fold(f64::INFINITY, f64::min);
                        assert!(deepest > -1e-6, "{solid:?} was missed: {deepest}");
                    }
                    continue;
                };
                met += 1;
                assert!(solid.closest(entry.point).distance.abs() < 1e-8);
                assert!(entry.normal.dot(to - from) < 0.0, "it goes in");
                let before = from + (entry.point - from) * 0.999;
                assert!(solid.closest(before).distance > 0.0, "nothing before it");
            }
        }
        assert!(met > 500, "{met}");
    }
}
