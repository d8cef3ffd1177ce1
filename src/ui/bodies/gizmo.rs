//! Handles to place, turn and scale a body with the mouse: arrows along its
//! axes, a square for the plane of the picture, boxes for its size, rings for
//! its direction.

use super::wire::axes;
use crate::{math::Pose, sim::collider::Collider, ui::view_projection::ViewProjection};
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::{Quat, Vec3};
use std::f32::consts::{PI, TAU};

/// Length of an arrow. `[points]`
const ARROW: f32 = 74.0;
/// Where the boxes sit. `[points]`
const BOX: f32 = 96.0;
/// Radius of the rings. `[points]`
const RING: f32 = 56.0;
/// The cursor may be so far off. `[points]`
const NEAR: f32 = 7.0;
/// Points of a ring.
const STEPS: usize = 48;

/// Colours of the axes.
const COLOURS: [Color32; 3] = [
    Color32::from_rgb(232, 84, 84),
    Color32::from_rgb(120, 200, 84),
    Color32::from_rgb(84, 140, 240),
];

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Along that axis.
    Move(usize),
    /// In the plane of the picture.
    Plane,
    /// About that axis.
    Turn(usize),
    /// Larger along that axis.
    Scale(usize),
}

/// What a drag does to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Moves it, in the world. `[m]`
    Move(Vec3),
    /// Turns it, in the world.
    Turn(Quat),
    /// Scales it along its own axes.
    Scale(Vec3),
}

/// The handles of a body.
#[derive(Clone, Debug)]
pub struct Gizmo {
    centre: Vec3,
    axes: [Vec3; 3],
    /// What a point of the screen measures there. `[m]`
    point: f32,
    /// About which axes a turn would change anything.
    turns: [bool; 3],
}

impl Gizmo {
    /// Of `body`, under a head at `pose`.
    pub fn new(body: &Collider, pose: Pose, eye: &ViewProjection) -> Self {
        let place = body.in_world(&pose);
        let centre = place.centre.as_vec3();
        Self {
            centre,
            axes: axes(&place),
            point: eye.scale(centre),
            turns: [body.kind != crate::sim::collider::Shape::Sphere; 3],
        }
    }

    /// Of what is at `centre` `[m]` under a head at `pose`, and turns about the head's vertical
    /// alone.
    pub fn upright(centre: Vec3, pose: Pose, eye: &ViewProjection) -> Self {
        Self {
            centre,
            axes: [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| pose.rotation * axis),
            point: eye.scale(centre),
            turns: [false, true, false],
        }
    }

    /// Its axes in the world, unit length.
    pub fn axes(&self) -> [Vec3; 3] {
        self.axes
    }

    fn along(&self, axis: usize, points: f32) -> Vec3 {
        self.centre + self.axes[axis] * (points * self.point)
    }

    fn ring(&self, axis: usize) -> Ring {
        Ring {
            centre: self.centre,
            axes: [self.axes[(axis + 1) % 3], self.axes[(axis + 2) % 3]],
            radius: RING * self.point,
        }
    }

    /// The handle at a place of the picture.
    pub fn handle(&self, eye: &ViewProjection, at: Pos2) -> Option<Handle> {
        let middle = eye.see(self.centre)?;
        if middle.distance(at) < 1.4 * NEAR {
            return Some(Handle::Plane);
        }
        let mut best: Option<(f32, Handle)> = None;
        let mut offer = |distance: f32, handle: Handle| {
            if distance < NEAR && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, handle));
            }
        };
        for axis in 0..3 {
            if let Some(end) = eye.see(self.along(axis, BOX)) {
                // A box is easier to mean than the arrow that points at it.
                offer(0.5 * end.distance(at), Handle::Scale(axis));
            }
            if let Some(tip) = eye.see(self.along(axis, ARROW)) {
                offer(from_line(at, middle, tip), Handle::Move(axis));
            }
            if self.turns[axis] {
                let distance = self.ring(axis).distance(eye, at);
                offer(distance + 0.5, Handle::Turn(axis));
            }
        }
        best.map(|(_, handle)| handle)
    }

    /// What a drag of `handle` from one place of the picture to another does.
    pub fn change(&self, eye: &ViewProjection, handle: Handle, from: Pos2, to: Pos2) -> Change {
        match handle {
            Handle::Move(axis) => {
                let way = self.on_axis(eye, axis, to) - self.on_axis(eye, axis, from);
                Change::Move(self.axes[axis] * way)
            }
            Handle::Plane => Change::Move(self.on_plane(eye, to) - self.on_plane(eye, from)),
            Handle::Scale(axis) => {
                let start = self.on_axis(eye, axis, from);
                let least = 10.0 * self.point;
                let start = if start.abs() < least {
                    least.copysign(start)
                } else {
                    start
                };
                let factor = (self.on_axis(eye, axis, to) / start).clamp(0.02, 50.0);
                let mut factors = Vec3::ONE;
                factors[axis] = factor;
                Change::Scale(factors)
            }
            Handle::Turn(axis) => {
                let turn = self.ring(axis).turn(eye, from, to);
                Change::Turn(Quat::from_axis_angle(self.axes[axis], turn))
            }
        }
    }

    /// How far along an axis the cursor points. `[m]`
    fn on_axis(&self, eye: &ViewProjection, axis: usize, at: Pos2) -> f32 {
        let (origin, ray) = eye.ray(at);
        let axis = self.axes[axis];
        let away = origin - self.centre;
        let along = axis.dot(ray);
        let apart = 1.0 - along * along;
        if apart < 1e-4 {
            return 0.0;
        }
        // The point of the axis nearest to the ray.
        let way = (axis.dot(away) - along * ray.dot(away)) / apart;
        let most = 400.0 * BOX * self.point;
        way.clamp(-most, most)
    }

    /// Where the cursor points in the plane of the picture. `[m]`
    fn on_plane(&self, eye: &ViewProjection, at: Pos2) -> Vec3 {
        let (origin, ray) = eye.ray(at);
        let depth = (self.centre - origin).dot(eye.forward);
        origin + ray * (depth / ray.dot(eye.forward).max(1e-3))
    }

    /// Draws the handles, `lit` brighter.
    pub fn draw(&self, painter: &Painter, eye: &ViewProjection, lit: Option<Handle>) {
        let Some(middle) = eye.see(self.centre) else {
            return;
        };
        let colour = |handle: Handle, colour: Color32| match lit {
            Some(held) if held == handle => Color32::WHITE,
            _ => colour,
        };
        let dark = Color32::from_black_alpha(120);
        for (axis, own) in COLOURS.into_iter().enumerate() {
            if self.turns[axis] {
                let shade = colour(Handle::Turn(axis), own.gamma_multiply(0.8));
                let ring = self.ring(axis).seen(eye);
                painter.add(Shape::line(ring, Stroke::new(2.0, shade)));
            }
        }
        for (axis, own) in COLOURS.into_iter().enumerate() {
            let (Some(tip), Some(end)) = (
                eye.see(self.along(axis, ARROW)),
                eye.see(self.along(axis, BOX)),
            ) else {
                continue;
            };
            let shade = colour(Handle::Move(axis), own);
            painter.line_segment([middle, tip], Stroke::new(4.5, dark));
            painter.line_segment([middle, tip], Stroke::new(2.4, shade));
            let way = (tip - middle).normalized();
            if way.is_finite() && tip.distance(middle) > 8.0 {
                let side = way.rot90() * 5.5;
                let corners = vec![tip + way * 11.0, tip + side, tip - side];
                painter.add(Shape::convex_polygon(corners, shade, Stroke::NONE));
            }
            let shade = colour(Handle::Scale(axis), own);
            let square = Rect::from_center_size(end, Vec2::splat(10.0));
            painter.rect_filled(square.expand(1.2), 1, dark);
            painter.rect_filled(square, 1, shade);
        }
        let square = Rect::from_center_size(middle, vec2(12.0, 12.0));
        let shade = colour(Handle::Plane, Color32::from_rgb(240, 214, 120));
        painter.rect_filled(square.expand(1.2), 2, dark);
        painter.rect_filled(square, 2, shade);
    }
}

/// A circle in the world by which the mouse turns something about its axis.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Its middle. `[m]`
    pub centre: Vec3,
    /// Two directions in its plane, across one another; it turns from the first
    /// to the second. Unit length.
    pub axes: [Vec3; 2],
    /// `[m]`
    pub radius: f32,
}

impl Ring {
    /// The point of it at that angle from the first direction. `[rad]`
    pub fn point(&self, angle: f32) -> Vec3 {
        let ([u, v], (sin, cos)) = (self.axes, angle.sin_cos());
        self.centre + (u * cos + v * sin) * self.radius
    }

    /// As it is seen, where it is not behind the eye. `[points]`
    pub fn seen(&self, eye: &ViewProjection) -> Vec<Pos2> {
        let angle = |i: usize| TAU * i as f32 / STEPS as f32;
        let points = (0..=STEPS).map(|i| self.point(angle(i)));
        points.filter_map(|p| eye.see(p)).collect()
    }

    /// Distance of a place of the picture from it. `[points]`
    pub fn distance(&self, eye: &ViewProjection, at: Pos2) -> f32 {
        let ring = self.seen(eye);
        let pairs = ring.windows(2);
        let distances = pairs.map(|pair| from_line(at, pair[0], pair[1]));
        distances.fold(f32::INFINITY, f32::min)
    }

    /// How far it turns when it follows the cursor around its middle. `[rad]`
    pub fn turn(&self, eye: &ViewProjection, from: Pos2, to: Pos2) -> f32 {
        let Some(middle) = eye.see(self.centre) else {
            return 0.0;
        };
        let angle = |at: Pos2| (at.y - middle.y).atan2(at.x - middle.x);
        let mut turn = angle(to) - angle(from);
        turn -= TAU * ((turn + PI) / TAU).floor();
        // Downwards is positive on the screen.
        let axis = self.axes[0].cross(self.axes[1]);
        -turn * 1f32.copysign(axis.dot(eye.place - self.centre))
    }
}

/// Distance of `p` from the line from `a` to `b`. `[points]`
pub fn from_line(p: Pos2, a: Pos2, b: Pos2) -> f32 {
    let d = b - a;
    let t = ((p - a).dot(d) / d.length_sq().max(1e-6)).clamp(0.0, 1.0);
    (a + d * t).distance(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        render::{Camera, CameraParams},
        sim::collider::Shape as Kind,
    };
    use egui::pos2;

    fn eye() -> ViewProjection {
        let bounds = [Vec3::splat(-0.13), Vec3::splat(0.13)];
        let camera = Camera::new(&CameraParams::default(), bounds);
        ViewProjection::new(
            &camera,
            Rect::from_min_size(pos2(20.0, 10.0), vec2(800.0, 600.0)),
        )
    }

    fn body() -> Collider {
        Collider {
            kind: Kind::Ellipsoid,
            centre: [0.02, 0.01, -0.03],
            rotation: [20.0, -35.0, 10.0],
            ..Collider::default()
        }
    }

    #[test]
    fn each_handle_is_found_where_it_is_drawn_and_does_its_work() {
        let (eye, body) = (eye(), body());
        let gizmo = Gizmo::new(&body, Pose::IDENTITY, &eye);
        for axis in 0..3 {
            let tip = eye.see(gizmo.along(axis, 0.95 * ARROW)).expect("seen");
            assert_eq!(gizmo.handle(&eye, tip), Some(Handle::Move(axis)));
            let corner = eye.see(gizmo.along(axis, BOX)).expect("seen");
            assert_eq!(gizmo.handle(&eye, corner), Some(Handle::Scale(axis)));
            // A drag along the arrow by 20 points of it moves by as much.
            let start = eye.see(gizmo.along(axis, 50.0)).expect("seen");
            let end = eye.see(gizmo.along(axis, 70.0)).expect("seen");
            let Change::Move(by) = gizmo.change(&eye, Handle::Move(axis), start, end) else {
                panic!("it moves");
            };
            let wanted = gizmo.axes[axis] * (20.0 * gizmo.point);
            assert!(by.distance(wanted) < 1e-4, "{by} {wanted}");
            let out = eye.see(gizmo.along(axis, 1.5 * BOX)).expect("seen");
            let Change::Scale(factors) = gizmo.change(&eye, Handle::Scale(axis), corner, out)
            else {
                panic!("it grows");
            };
            assert!((factors[axis] - 1.5).abs() < 0.02, "{factors}");
            // A quarter of the ring: the cursor keeps the point it holds.
            let (u, v) = (gizmo.axes[(axis + 1) % 3], gizmo.axes[(axis + 2) % 3]);
            let spot = |w: Vec3| {
                eye.see(gizmo.centre + w * (RING * gizmo.point))
                    .expect("seen")
            };
            let diagonal = (u + v).normalize();
            let change = gizmo.change(&eye, Handle::Turn(axis), spot(u), spot(diagonal));
            let Change::Turn(turn) = change else {
                panic!("it turns");
            };
            let (about, angle) = turn.to_axis_angle();
            assert!(about.dot(gizmo.axes[axis]) * angle > 0.1, "{about} {angle}");
        }
        let middle = eye.see(gizmo.centre).expect("seen");
        assert_eq!(gizmo.handle(&eye, middle), Some(Handle::Plane));
        let to = middle + vec2(30.0, -40.0);
        let Change::Move(by) = gizmo.change(&eye, Handle::Plane, middle, to) else {
            panic!("it moves");
        };
        let seen = eye.see(gizmo.centre + by).expect("seen");
        assert!(seen.distance(to) < 0.5, "it stays under the cursor: {seen}");
        assert_eq!(gizmo.handle(&eye, pos2(30.0, 20.0)), None);
    }
}
