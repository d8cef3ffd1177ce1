//! Bodies fitted to a head: skull, neck, shoulders and chest.
//!
//! Level cuts through the mesh tell where it is widest and where the neck is
//! thinnest; the skull is an ellipsoid of least squares above that. Shoulders
//! and chest are measured where the mesh has them, else they follow from the
//! head's height as in an adult of ordinary build.

use super::{Collider, Shape, short};
use crate::{
    math::elementary::sin_cos,
    mesh::{Mesh, neck::LevelCuts},
};
use glam::Vec3;

/// Bodies for `mesh`, in the order head, neck, shoulders, chest; none where it
/// has no extent. Shoulders and chest stay in the world while the head turns.
pub fn fit(mesh: &Mesh) -> Option<Vec<Collider>> {
    let [low, high] = mesh.bounds();
    let tall = high.y - low.y;
    if !(tall.is_finite() && tall > 0.01) {
        return None;
    }
    let levels = LevelCuts::new(mesh);
    let (mut thinnest, has_neck) = levels.narrowest()?;
    let (top, cuts) = (levels.top, levels.cuts);
    let skull = skull(mesh, if has_neck { thinnest.y } else { low.y }, top)?;
    let centre = Vec3::from_array(skull.centre);
    // From the crown to the throat.
    let head = match has_neck {
        true => top - thinnest.y,
        false => tall.min(0.26),
    };
    if !has_neck {
        let y = top - head;
        let half = Vec3::new(0.24, 0.0, 0.26) * head;
        let middle = centre.with_y(y) - Vec3::Z * (0.1 * head);
        (thinnest.low, thinnest.high, thinnest.y) = (middle - half, middle + half, y);
    }
    let throat = thinnest.centre();
    let thick = 0.25 * thinnest.size();
    // Where it widens below the throat to more than a neck is, shoulders begin.
    let below = cuts.iter().filter(|cut| cut.y < thinnest.y);
    let wide = below
        .clone()
        .find(|cut| cut.width() > 2.1 * thinnest.width());
    let radius = 0.24 * head;
    let level = wide.map_or(throat.y - 0.25 * head, |cut| cut.y) - radius;
    let deepest = below.clone().next_back().copied();
    let behind = deepest.map_or(throat.z, |cut| cut.centre().z.min(throat.z));
    let back = Vec3::new(throat.x, level, behind - 0.02 * head);
    let reach = wide.map_or(0.85 * head, |cut| {
        let at = below.filter(|other| other.y <= cut.y);
        let widest = at.map(|cut| 0.5 * cut.width()).fold(0.0, f32::max);
        widest.clamp(0.7 * head, 0.95 * head)
    });
    let arm = Vec3::X * (reach - radius).max(0.1 * head);
    let neck_end = back.lerp(throat, 0.25).with_y(level + 0.3 * radius);
    let neck_start = throat.lerp(centre, 0.25);
    let body = |name: &str, kind: Shape, follows_head: bool| Collider {
        kind,
        name: name.into(),
        follows_head,
        ..Collider::default()
    };
    Some(vec![
        skull,
        Collider {
            start: short(neck_start, 1e4),
            end: short(neck_end, 1e4),
            radius: (thick * 0.97).clamp(0.001, 5.0),
            ..body("Neck", Shape::Capsule, true)
        },
        Collider {
            start: short(back - arm, 1e4),
            end: short(back + arm, 1e4),
            radius: radius.clamp(0.001, 5.0),
            ..body("Shoulders", Shape::Capsule, false)
        },
        Collider {
            centre: short(back + Vec3::new(0.0, -0.62, 0.06) * head, 1e4),
            radii: short(
                (Vec3::new(0.66, 0.74, 0.42) * head).max(Vec3::splat(0.001)),
                1e4,
            ),
            ..body("Chest", Shape::Ellipsoid, false)
        },
    ])
}

/// The ellipsoid nearest to the outside of the mesh between two heights, with
/// its long axis turned as the head leans.
fn skull(mesh: &Mesh, bottom: f32, top: f32) -> Option<Collider> {
    let mut points = Vec::new();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
        let middle = (a + b + c) / 3.0;
        let normal = (b - a).cross(c - a);
        if middle.y > bottom && normal.length_squared() > 0.0 {
            points.push((middle, normal));
            (low, high) = (low.min(middle), high.max(middle));
        }
    }
    let middle = low.midpoint(high);
    // What looks inwards, as mouth and eyes do, is not the outside.
    points.retain(|(p, normal)| {
        let out = *p - middle;
        normal.dot(out) > 0.2 * normal.length() * out.length()
    });
    if points.len() < 8 {
        return None;
    }
    let half = 0.5 * (high - low).max(Vec3::splat(1e-3));
    // Centre, radii, lean about x.
    let mut x = [middle.x, middle.y, middle.z, half.x, half.y, half.z, 0.0].map(f64::from);
    let error = |x: &[f64; 7]| -> f64 {
        let (sin, cos) = sin_cos(x[6]);
        points
            .iter()
            .map(|(p, normal)| {
                let (px, py, pz) = (
                    f64::from(p.x) - x[0],
                    f64::from(p.y) - x[1],
                    f64::from(p.z) - x[2],
                );
                let (py, pz) = (py * cos + pz * sin, pz * cos - py * sin);
                let (a, b, c) = (px / x[3], py / x[4], pz / x[5]);
                let size = (a * a + b * b + c * c).sqrt().max(1e-9);
                let slope = ((a / x[3]).powi(2) + (b / x[4]).powi(2) + (c / x[5]).powi(2)).sqrt();
                // About the distance; ears and nose stand out, and count less.
                let off = size * (size - 1.0) / slope.max(1e-9);
                let scale = 0.06 * f64::from(top - bottom);
                f64::from(normal.length()) * off * off / (1.0 + (off / scale).powi(2))
            })
            .sum()
    };
    // Pattern search (Hooke and Jeeves 1961): few numbers, no derivatives.
    let mut steps = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3].map(|s: f64| s * f64::from(half.y));
    steps[6] = 0.2;
    let (limits, mut best) = (half.as_dvec3() * 0.5, error(&x));
    for _ in 0..60 {
        let mut better = false;
        for k in 0..7 {
            for sign in [1.0, -1.0] {
                let mut tried = x;
                tried[k] += sign * steps[k];
                let small = (3..6).any(|k| tried[k] < limits[k - 3]);
                if small || tried[6].abs() > 0.7 {
                    continue;
                }
                let now = error(&tried);
                if now < best {
                    (x, best, better) = (tried, now, true);
                    break;
                }
            }
        }
        if !better {
            steps = steps.map(|step| 0.5 * step);
            if steps[0] < 2e-4 {
                break;
            }
        }
    }
    let [cx, cy, cz, rx, ry, rz, lean] = x.map(|v| v as f32);
    // Under the skin rather than over it.
    let mut radii = Vec3::new(rx, ry, rz) * 0.985;
    // Hair on the crown is what it must not lift: it ends there.
    radii.y = radii.y.min((top - cy).max(0.5 * radii.y));
    Some(Collider {
        kind: Shape::Ellipsoid,
        name: "Head".into(),
        centre: short(Vec3::new(cx, cy, cz), 1e4),
        radii: short(radii.max(Vec3::splat(0.001)), 1e4),
        rotation: short(Vec3::new(lean.to_degrees(), 0.0, 0.0), 10.0),
        ..Collider::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, Surface, load};
    use glam::DVec3;

    #[test]
    fn the_built_in_head_gets_a_skull_that_lies_at_its_skin() {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let bodies = fit(&head.mesh).expect("bodies");
        let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
        assert_eq!(names, ["Head", "Neck", "Shoulders", "Chest"]);
        assert!(bodies[0].follows_head && !bodies[2].follows_head && !bodies[3].follows_head);
        let surface = Surface::new(&head.mesh);
        let (skull, place) = (bodies[0].solid(), bodies[0].place());
        // Over the crown it is where the skin is.
        let (mut sum, mut most, mut count) = (0.0, 0.0f64, 0);
        for p in &head.mesh.positions {
            let local = place.inverse_point(p.as_dvec3());
            if p.y > bodies[0].centre[1] + 0.02 && p.z < 0.05 {
                let off = skull.closest(local).distance;
                (sum, most, count) = (sum + off.abs(), most.max(off.abs()), count + 1);
            }
        }
        assert!(count > 100);
        let mean = sum / f64::from(count);
        assert!(mean < 0.006 && most < 0.03, "{mean} {most}");
        // The neck's middle runs inside the neck.
        let [start, end] = [bodies[1].start, bodies[1].end].map(Vec3::from_array);
        assert!(surface.signed_distance(start) < -0.02, "{start}");
        assert!(end.y < start.y - 0.05);
        // One body reaches into the next.
        for pair in bodies.windows(2) {
            let gap = (0..500).map(|i| {
                let t = f64::from(i) / 499.0;
                let [a, b] = [pair[0].place().centre, pair[1].place().centre];
                let p: DVec3 = a.lerp(b, t);
                let far =
                    |body: &Collider| body.solid().closest(body.place().inverse_point(p)).distance;
                far(&pair[0]).max(far(&pair[1]))
            });
            let least = gap.fold(f64::INFINITY, f64::min);
            assert!(
                least < 0.0,
                "{} and {}: {least}",
                pair[0].name,
                pair[1].name
            );
        }
    }
}
