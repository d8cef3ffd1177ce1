//! A head is put right in the picture: a ring about the vertical turns it until
//! its face looks along the arrow, and a bar beside it says how tall it is and
//! scales it. Never part of a picture that is written to a file.

use super::{
    bodies::gizmo::{Ring, from_line},
    command::Command,
    theme,
    view_projection::ViewProjection,
};
use crate::{mesh::HeadParams, param::Value, project::scene::Scene, session::Session};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2};
use glam::Vec3;
use std::f32::consts::FRAC_PI_4;

/// The cursor may be so far off. `[points]`
const NEAR: f32 = 9.0;
/// The head is turned by whole steps of this while Shift is held. `[°]`
const STEP: f32 = 15.0;

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightingHandle {
    /// Turns the head.
    Ring,
    /// Scales it.
    Top,
}

/// The handles of the head.
#[derive(Clone, Copy, Debug)]
struct Handles {
    ring: Ring,
    /// The lower and the upper end of the bar. `[m]`
    bar: [Vec3; 2],
}

impl Handles {
    fn new(session: &Session, eye: &ViewProjection) -> Option<Self> {
        let built = session.built()?;
        let report = &built.head.report;
        let pivot = report.placing.righting.pivot;
        let [low, high] = session.bounds();
        // Of a body the part that is seen.
        let low = low.with_y(low.y.max(high.y - 2.2 * report.head));
        let size = high - low;
        let radius = 0.62 * size.x.max(size.z).min(1.6 * report.head);
        // The shoulders do not hide it there.
        let centre = pivot.with_y(high.y - 0.45 * report.head);
        let [right, ..] = eye.axes();
        let right = right.with_y(0.0).normalize_or(Vec3::X);
        let aside = pivot + right * (radius + 0.12 * report.head);
        Some(Self {
            ring: Ring {
                centre,
                // From the face towards the head's left.
                axes: [Vec3::Z, Vec3::X],
                radius,
            },
            bar: [low.y, high.y].map(|y| aside.with_y(y)),
        })
    }

    fn grip(&self, eye: &ViewProjection, at: Pos2) -> Option<RightingHandle> {
        let top = eye.see(self.bar[1])?;
        if top.distance(at) < 1.4 * NEAR {
            return Some(RightingHandle::Top);
        }
        let arrow = self.arrow(eye).is_some_and(|[from, to]| {
            // The arrow's point is what a hand reaches for.
            from_line(at, from, to) < NEAR
        });
        (arrow || self.ring.distance(eye, at) < NEAR).then_some(RightingHandle::Ring)
    }

    /// From the ring to the front.
    fn arrow(&self, eye: &ViewProjection) -> Option<[Pos2; 2]> {
        let from = self.ring.point(0.0);
        let to = from + Vec3::Z * (0.3 * self.ring.radius);
        Some([eye.see(from)?, eye.see(to)?])
    }
}

/// A drag of a handle.
#[derive(Clone, Debug)]
pub struct RightingDrag {
    handles: Handles,
    eye: ViewProjection,
    from: Pos2,
    /// What is held.
    pub grip: RightingHandle,
    /// Turn and scale as they were. `[°]`
    start: [f32; 2],
}

impl RightingDrag {
    /// Takes the handle at `at`, if there is one.
    pub fn begin(
        session: &Session,
        head: &HeadParams,
        eye: ViewProjection,
        at: Pos2,
    ) -> Option<Self> {
        let handles = Handles::new(session, &eye)?;
        let grip = handles.grip(&eye, at)?;
        Some(Self {
            handles,
            eye,
            from: at,
            grip,
            start: [head.turn, head.scale],
        })
    }

    /// What the head should be now that the mouse is at `[x, y]`; in whole steps
    /// if `even`.
    pub fn to(&self, scene: &Scene, [x, y]: [f32; 2], even: bool) -> Option<Command> {
        let at = pos2(x, y);
        let [turn, scale] = self.start;
        let (name, value) = match self.grip {
            RightingHandle::Ring => {
                let by = self.handles.ring.turn(&self.eye, self.from, at);
                let turn = wrapped(turn + by.to_degrees());
                let step = if even { STEP } else { 0.5 };
                ("head.turn", (turn / step).round() * step)
            }
            RightingHandle::Top => {
                let [low, high] = self.handles.bar.map(|p| self.eye.see(p));
                let (low, high) = (low?, high?);
                let tall = (low.y - high.y).max(1.0);
                let factor = ((tall + self.from.y - at.y) / tall).clamp(0.05, 20.0);
                ("head.scale", rounded((scale * factor).clamp(0.01, 100.0)))
            }
        };
        Some(Command::Set {
            place: scene.place(name)?,
            value: Value::Float(f64::from(value)),
            held: true,
        })
    }
}

/// Between -180 and 180. `[°]`
pub fn wrapped(degrees: f32) -> f32 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

/// Four digits are enough for a size.
pub fn rounded(scale: f32) -> f32 {
    let step = 10f32.powf(scale.log10().floor() - 3.0);
    (scale / step).round() * step
}

/// Draws the handles of `head` over a side of the picture.
pub fn show(
    ui: &Ui,
    eye: &ViewProjection,
    session: &Session,
    head: &HeadParams,
    held: Option<RightingHandle>,
) {
    let Some(handles) = Handles::new(session, eye) else {
        return;
    };
    let painter = ui.painter().with_clip_rect(eye.rect);
    let under = ui.input(|input| input.pointer.latest_pos());
    let lit = held.or_else(|| under.and_then(|at| handles.grip(eye, at)));
    let colour = |grip: RightingHandle| match lit {
        Some(held) if held == grip => theme::ACCENT,
        _ => Color32::from_rgba_unmultiplied(235, 240, 248, 220),
    };
    ring(
        &painter,
        head.turn,
        eye,
        &handles,
        colour(RightingHandle::Ring),
    );
    let tall = session.head_height(head).unwrap_or_default();
    bar(&painter, tall, eye, &handles, colour(RightingHandle::Top));
}

fn ring(painter: &Painter, turn: f32, eye: &ViewProjection, handles: &Handles, colour: Color32) {
    let dark = Color32::from_black_alpha(120);
    let seen = handles.ring.seen(eye);
    painter.add(Shape::line(seen.clone(), Stroke::new(4.5, dark)));
    painter.add(Shape::line(seen, Stroke::new(2.2, colour)));
    for quarter in 1..8 {
        let (angle, long) = (quarter as f32 * FRAC_PI_4, quarter % 2 == 0);
        if let Some(at) = eye.see(handles.ring.point(angle)) {
            painter.circle_filled(at, if long { 3.5 } else { 2.2 }, colour);
        }
    }
    let Some([from, to]) = handles.arrow(eye) else {
        return;
    };
    let way = (to - from).normalized();
    // Straight ahead of the eye it is a point.
    if to.distance(from) > 6.0 && way.is_finite() {
        painter.line_segment([from, to], Stroke::new(5.0, dark));
        painter.line_segment([from, to], Stroke::new(2.6, colour));
        let side = way.rot90() * 6.0;
        let corners = vec![to + way * 12.0, to + side, to - side];
        painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
    }
    let text = format!("front, {:.0}°", turn);
    words(
        painter,
        to + egui::vec2(0.0, 16.0),
        Align2::CENTER_CENTER,
        &text,
    );
}

fn bar(painter: &Painter, tall: f32, eye: &ViewProjection, handles: &Handles, colour: Color32) {
    let [Some(low), Some(high)] = handles.bar.map(|p| eye.see(p)) else {
        return;
    };
    let dark = Color32::from_black_alpha(120);
    painter.line_segment([low, high], Stroke::new(4.0, dark));
    painter.line_segment([low, high], Stroke::new(1.8, colour));
    for end in [low, high] {
        let across = egui::vec2(7.0, 0.0);
        painter.line_segment([end - across, end + across], Stroke::new(1.8, colour));
    }
    let square = Rect::from_center_size(high, egui::Vec2::splat(10.0));
    painter.rect_filled(square.expand(1.2), 1, dark);
    painter.rect_filled(square, 1, colour);
    let text = format!("{:.1} cm", 100.0 * tall);
    let middle = low + (high - low) * 0.5 + egui::vec2(8.0, 0.0);
    words(painter, middle, Align2::LEFT_CENTER, &text);
}

fn words(painter: &Painter, at: Pos2, align: Align2, text: &str) {
    let font = FontId::proportional(13.0);
    let dark = Color32::from_black_alpha(200);
    painter.text(at + egui::vec2(1.0, 1.0), align, text, font.clone(), dark);
    painter.text(at, align, text, font, theme::TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Camera, CameraParams};
    use egui::vec2;

    fn eye(yaw: f32) -> ViewProjection {
        let bounds = [Vec3::splat(-0.13), Vec3::splat(0.13)];
        let params = CameraParams {
            yaw,
            pitch: 20.0,
            ..CameraParams::default()
        };
        let rect = Rect::from_min_size(pos2(20.0, 10.0), vec2(800.0, 600.0));
        ViewProjection::new(&Camera::new(&params, bounds), rect)
    }

    #[test]
    fn the_ring_keeps_the_point_that_the_mouse_holds() {
        let ring = Ring {
            centre: Vec3::new(0.0, 0.05, 0.0),
            axes: [Vec3::Z, Vec3::X],
            radius: 0.16,
        };
        for yaw in [0.0, 70.0, 180.0] {
            let eye = eye(yaw);
            let [from, to] = [0.3, 0.8].map(|angle| eye.see(ring.point(angle)).expect("seen"));
            let turn = ring.turn(&eye, from, to);
            // As seen askew: the right way round, and not by far too much.
            assert!((0.1..1.2).contains(&turn), "{yaw}: {turn}");
            assert!((ring.turn(&eye, to, from) + turn).abs() < 1e-5);
            assert!(ring.distance(&eye, from) < 0.5);
        }
    }

    #[test]
    fn angles_are_wrapped_and_sizes_rounded() {
        assert_eq!([wrapped(190.0), wrapped(-190.0)], [-170.0, 170.0]);
        assert_eq!(wrapped(37.5), 37.5);
        assert!((rounded(2.540_04) - 2.54).abs() < 1e-5);
        assert!((rounded(0.012_345_6) - 0.012_35).abs() < 1e-6);
    }
}
