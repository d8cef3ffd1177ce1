//! A body as a translucent shape with lines, drawn over the picture.

use crate::{
    mesh::solid::Primitive, sim::collider::ColliderPlace, ui::view_projection::ViewProjection,
};
use egui::{Color32, Painter, Pos2, Shape, Stroke};
use glam::{DVec3, Vec3};
use std::f32::consts::TAU;

/// Points of a circle.
const STEPS: usize = 64;

/// Draws the body: its outline filled thinly, and circles around it, faint
/// where they run behind.
pub fn draw(
    painter: &Painter,
    eye: &ViewProjection,
    place: &ColliderPlace,
    solid: &Primitive,
    colour: Color32,
    chosen: bool,
) {
    let centre = place.centre.as_vec3();
    let [x, y, z] = axes(place);
    let alpha = |share: f32| colour.gamma_multiply(share);
    let width = if chosen { 1.8 } else { 1.2 };
    match *solid {
        Primitive::Ellipsoid { radii } => {
            let radii = radii.as_vec3();
            let stretched = [x * radii.x, y * radii.y, z * radii.z];
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                ring(painter, eye, centre, stretched, [a, b], colour, width);
            }
        }
        Primitive::Capsule { half, radius } => {
            let (half, radius) = (half as f32, radius as f32);
            let round = [x * radius, y * radius, z * radius];
            for side in [-1.0, 1.0] {
                let end = centre + y * (half * side);
                ring(painter, eye, end, round, [2, 0], colour, width);
                for across in [0, 2] {
                    // The half that closes the end.
                    let curve = (0..=STEPS / 2).map(|i| {
                        let (sin, cos) = (TAU * i as f32 / STEPS as f32).sin_cos();
                        let out = round[across] * cos + round[1] * (sin * side);
                        (end + out, out)
                    });
                    line(painter, eye, curve, colour, width);
                }
            }
            for across in [x, -x, z, -z] {
                let edge = [-1.0, 1.0].map(|side| {
                    let out = across * radius;
                    (centre + y * (half * side) + out, out)
                });
                line(painter, eye, edge.into_iter(), colour, width);
            }
        }
    }
    let outline = outline(eye, place, solid);
    if outline.len() > 2 {
        let fill = alpha(if chosen { 0.16 } else { 0.10 });
        let edge = Stroke::new(width + 0.4, alpha(0.9));
        painter.add(Shape::convex_polygon(outline, fill, edge));
    }
}

/// The outline of a body in the picture, counted round; empty from inside.
pub fn outline(eye: &ViewProjection, place: &ColliderPlace, solid: &Primitive) -> Vec<Pos2> {
    let centre = place.centre.as_vec3();
    let [x, y, z] = axes(place);
    hull(match *solid {
        Primitive::Ellipsoid { radii } => {
            let radii = radii.as_vec3();
            silhouette(eye, centre, [x * radii.x, y * radii.y, z * radii.z])
        }
        Primitive::Capsule { half, radius } => {
            let round = [x, y, z].map(|axis| axis * radius as f32);
            let ends = [-1.0, 1.0].map(|side| centre + y * (half as f32 * side));
            ends.into_iter()
                .flat_map(|end| silhouette(eye, end, round))
                .collect()
        }
    })
}

/// The outline of a ball that was stretched to these half axes, as the eye sees
/// it: a circle on the ball, seen from where the eye is in the ball's own space.
fn silhouette(eye: &ViewProjection, centre: Vec3, axes: [Vec3; 3]) -> Vec<Pos2> {
    let away = eye.place - centre;
    let own = Vec3::from_array(axes.map(|axis| away.dot(axis) / axis.length_squared()));
    let distance = own.length();
    if distance <= 1.0 {
        return Vec::new();
    }
    let towards = own / distance;
    let (height, radius) = (1.0 / distance, (1.0 - 1.0 / (distance * distance)).sqrt());
    let across = towards.any_orthonormal_vector();
    let up = towards.cross(across);
    let point = |i: usize| {
        let (sin, cos) = (TAU * i as f32 / STEPS as f32).sin_cos();
        let p = towards * height + (across * cos + up * sin) * radius;
        eye.see(centre + axes[0] * p.x + axes[1] * p.y + axes[2] * p.z)
    };
    (0..STEPS).filter_map(point).collect()
}

fn ring(
    painter: &Painter,
    eye: &ViewProjection,
    centre: Vec3,
    axes: [Vec3; 3],
    [a, b]: [usize; 2],
    colour: Color32,
    width: f32,
) {
    // Outwards of a stretched ball is along the inverse of the stretch.
    let inverse = |k: usize| axes[k] / axes[k].length_squared();
    let curve = (0..=STEPS).map(|i| {
        let (sin, cos) = (TAU * i as f32 / STEPS as f32).sin_cos();
        let out = inverse(a) * cos + inverse(b) * sin;
        (centre + axes[a] * cos + axes[b] * sin, out)
    });
    line(painter, eye, curve, colour, width);
}

/// A line of points with their outward directions.
fn line(
    painter: &Painter,
    eye: &ViewProjection,
    points: impl Iterator<Item = (Vec3, Vec3)>,
    colour: Color32,
    width: f32,
) {
    let mut before: Option<(Pos2, bool)> = None;
    let mut run: Vec<Pos2> = Vec::new();
    let stroke = |front: bool| match front {
        true => Stroke::new(width, colour.gamma_multiply(0.75)),
        false => Stroke::new(0.8 * width, colour.gamma_multiply(0.22)),
    };
    for (p, out) in points {
        let front = out.dot(eye.place - p) > 0.0;
        let seen = eye.see(p);
        if let Some((_, was)) = before
            && (was != front || seen.is_none())
        {
            run.extend(seen);
            painter.add(Shape::line(std::mem::take(&mut run), stroke(was)));
        }
        run.extend(seen);
        before = seen.map(|at| (at, front));
    }
    if let Some((_, front)) = before {
        painter.add(Shape::line(run, stroke(front)));
    }
}

/// The convex hull, counted round (Andrew 1979).
fn hull(mut points: Vec<Pos2>) -> Vec<Pos2> {
    points.retain(|p| p.x.is_finite() && p.y.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let cross = |o: Pos2, a: Pos2, b: Pos2| (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
    let half = |points: &mut dyn Iterator<Item = Pos2>| {
        let mut chain: Vec<Pos2> = Vec::new();
        for p in points {
            while chain.len() > 1 && cross(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

/// The axes of a body in the world.
pub(super) fn axes(place: &ColliderPlace) -> [Vec3; 3] {
    [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (place.rotation * axis).as_vec3())
}
