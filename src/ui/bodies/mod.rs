//! Bodies beside the head in the window: drawn over the picture, picked by
//! click, moved by handles, listed in the panel.

pub mod gizmo;
pub mod list;
pub mod selection;
mod wire;

use super::{command::Command, theme, view_projection::ViewProjection};
use crate::{math::Pose, sim::collider::Collider};
use egui::{Color32, Pos2, Ui, pos2};
use gizmo::{Gizmo, Handle};
use glam::Vec3;
use selection::BodySelection;

/// Colours of bodies that go with the head, and of those that stay.
const FOLLOWS: Color32 = Color32::from_rgb(96, 190, 214);
const STAYS: Color32 = Color32::from_rgb(190, 148, 232);
/// A click so close to an outline means it. `[points]`
const EDGE: f32 = 6.0;

/// Of one that is off.
const OFF: Color32 = Color32::from_rgb(150, 150, 150);

/// Draws all bodies over the sides of the picture, and the handles of the one that
/// is chosen; the head is at `pose`.
pub fn mark(
    ui: &Ui,
    eyes: &[ViewProjection],
    bodies: &[Collider],
    selection: BodySelection,
    pose: Pose,
    held: Option<Handle>,
) {
    if !selection.shown {
        return;
    }
    for eye in eyes {
        let painter = ui.painter().with_clip_rect(eye.rect);
        for (row, body) in bodies.iter().enumerate() {
            let chosen = selection.row == Some(row);
            let colour = match (body.on, body.follows_head) {
                _ if chosen => theme::ACCENT,
                (false, _) => OFF,
                (true, true) => FOLLOWS,
                (true, false) => STAYS,
            };
            let place = body.in_world(&pose);
            wire::draw(&painter, eye, &place, &body.solid(), colour, chosen);
        }
        if let Some((_, body)) = selection.chosen(bodies) {
            let under = ui.input(|input| input.pointer.latest_pos());
            let gizmo = Gizmo::new(body, pose, eye);
            let lit = held.or_else(|| under.and_then(|at| gizmo.handle(eye, at)));
            gizmo.draw(&painter, eye, lit);
        }
    }
}

/// The body whose outline runs by `at`: so it can be meant among hair.
pub fn beside(bodies: &[Collider], pose: &Pose, eye: &ViewProjection, at: Pos2) -> Option<usize> {
    let near = bodies.iter().enumerate().filter_map(|(row, body)| {
        let outline = wire::outline(eye, &body.in_world(pose), &body.solid());
        let ends = outline.iter().zip(outline.iter().cycle().skip(1));
        let off = ends.map(|(a, b)| gizmo::from_line(at, *a, *b));
        Some((off.min_by(f32::total_cmp)?, row)).filter(|(off, _)| *off < EDGE)
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
}

/// The body that a ray through `at` meets first.
pub fn under(bodies: &[Collider], pose: &Pose, eye: &ViewProjection, at: Pos2) -> Option<usize> {
    let (origin, direction) = eye.ray(at);
    let end = origin + direction * 50.0;
    let met = bodies.iter().enumerate().filter_map(|(row, body)| {
        let place = body.in_world(pose);
        let local = |p: Vec3| place.inverse_point(p.as_dvec3());
        let entry = body.solid().entry(local(origin), local(end))?;
        Some((entry.point.distance(local(origin)), row))
    });
    met.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
}

/// A drag of a handle.
#[derive(Clone, Debug)]
pub struct GizmoDrag {
    row: usize,
    body: Collider,
    gizmo: Gizmo,
    eye: ViewProjection,
    pose: Pose,
    from: Pos2,
    /// The handle that is held.
    pub handle: Handle,
}

impl GizmoDrag {
    /// Takes the handle at `at`, if there is one.
    pub fn begin(
        bodies: &[Collider],
        selection: BodySelection,
        pose: Pose,
        eye: ViewProjection,
        at: Pos2,
    ) -> Option<Self> {
        if !selection.shown {
            return None;
        }
        let (row, body) = selection.chosen(bodies)?;
        let body = body.clone();
        let gizmo = Gizmo::new(&body, pose, &eye);
        let handle = gizmo.handle(&eye, at)?;
        Some(Self {
            row,
            body,
            gizmo,
            eye,
            pose,
            from: at,
            handle,
        })
    }

    /// What the body should be now that the mouse is at `[x, y]`; with `even`
    /// it grows the same in all directions.
    pub fn to(&self, [x, y]: [f32; 2], even: bool) -> Command {
        let change = self
            .gizmo
            .change(&self.eye, self.handle, self.from, pos2(x, y));
        let mut body = self.body.clone();
        // The scene's places are those of a head at rest.
        let back = match body.follows_head {
            true => self.pose.rotation.conjugate(),
            false => glam::Quat::IDENTITY,
        };
        match change {
            gizmo::Change::Move(by) => {
                let centre = body.place().centre.as_vec3();
                body.move_to((centre + back * by).clamp(Vec3::splat(-10.0), Vec3::splat(10.0)));
            }
            gizmo::Change::Turn(by) => body.turn(back * by * back.conjugate()),
            gizmo::Change::Scale(factors) => body.scale(match even {
                true => Vec3::splat(factors.element_product()),
                false => factors,
            }),
        }
        Command::PlaceBody {
            row: self.row,
            body: Box::new(body),
            held: true,
        }
    }
}
