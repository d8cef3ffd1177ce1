//! Wind, fan and key light in the picture: arrows and a cone that the mouse can
//! drag.
//! Never part of a picture that is written to a file.

use super::{command::Command, theme, view_projection::ViewProjection};
use crate::{
    project::scene::Scene,
    render::{Environment, LightParams},
    sim::FanParams,
};
use egui::{Area, Checkbox, Color32, CursorIcon, Id, Order, Pos2, Sense, Shape, Stroke, Ui, vec2};
use glam::{Quat, Vec3};

/// The wind's arrow points at the head's middle from so far away, and is so
/// long. `[m]`
const AWAY: f32 = 0.3;
const LONG: f32 = 0.13;

/// The key light hangs so far from the head's middle. `[m]`
const HANGS: f32 = 0.24;

/// Nearer to the vertical than this, an environment's key light says little of which way
/// it was dragged: the level part of a direction of length 1.
const LEVER: f32 = 0.3;

/// The fan's cone is drawn so far. `[m]`
const AHEAD: f32 = 0.24;

/// Side of what the mouse can take hold of. `[points]`
const HANDLE: f32 = 22.0;

/// What a drag moves at `p`. `[m]`
fn moved(eye: &ViewProjection, p: Vec3, by: egui::Vec2) -> Vec3 {
    let [right, up, _] = eye.axes();
    (right * by.x - up * by.y) * eye.scale(p)
}

/// What handles are drawn over: a side of the picture.
pub struct GizmoSight<'a> {
    /// How it shows the world.
    pub eye: &'a ViewProjection,
    /// What the head is within. `[m]`
    pub bounds: [Vec3; 2],
    /// Whether the mouse may take hold of a handle: not while it drags the camera or hair.
    /// egui takes what lies a few points beside a handle for the handle.
    pub free: bool,
}

/// Draws them where they blow and shine, and lets the mouse turn and move them, as they are
/// at `track_time` `[s]`. The key light is shown where `light` is given: that of an
/// environment, if there is one.
pub fn show(
    ui: &Ui,
    sight: &GizmoSight,
    (scene, track_time): (&Scene, f64),
    light: Option<Option<&Environment>>,
    commands: &mut Vec<Command>,
) {
    let (sim, tracks) = (&scene.sim, &scene.sim.tracks.keys);
    if sim.wind.on {
        wind(ui, sim.wind.direction, sight, commands);
    }
    if sim.fan.on {
        fan(ui, &tracks.over(&sim.fan, track_time), sight, commands);
    }
    if let Some(environment) = light
        && environment.is_none_or(Environment::has_key_light)
    {
        let light = tracks.over(&scene.light, track_time);
        key_light(ui, (&light, environment), sight, commands);
    }
}

/// Above the rows of the light's section.
pub fn light_switch(
    ui: &mut Ui,
    shown: bool,
    environment: Option<&Environment>,
    commands: &mut Vec<Command>,
) {
    let mut shown = shown;
    let help = "A sun in the picture that the mouse can drag. It is not in recordings.";
    let none = "This environment has no light that stands out: nothing to take hold of.";
    let has_key = environment.is_none_or(Environment::has_key_light);
    if ui
        .add_enabled(has_key, Checkbox::new(&mut shown, "Show key-light handle"))
        .on_hover_text(help)
        .on_disabled_hover_text(none)
        .changed()
    {
        commands.push(Command::ShowLight);
    }
}

fn key_light(
    ui: &Ui,
    (light, environment): (&LightParams, Option<&Environment>),
    sight: &GizmoSight,
    commands: &mut Vec<Command>,
) {
    let (eye, [low, high]) = (sight.eye, sight.bounds);
    // The lights turn with the camera.
    let camera = Quat::from_rotation_y(eye.yaw());
    let towards = match environment {
        Some(environment) => environment.key_direction(light),
        None => camera * light.key_direction(),
    };
    let middle = 0.5 * (low + high);
    let at = middle + towards * HANGS;
    let (Some(from), Some(to)) = (eye.see(at), eye.see(middle + towards * (0.55 * HANGS))) else {
        return;
    };
    let drag = handle(ui, sight, "key light", from);
    let colour = match drag {
        Some(Drag { hot: true, .. }) => theme::ACCENT,
        _ => Color32::from_rgb(255, 226, 150),
    };
    let painter = ui.painter().with_clip_rect(eye.rect);
    painter.line_segment([from, to], Stroke::new(1.5, colour));
    head(&painter, from, to, colour);
    for ray in 0..8 {
        let way = egui::Vec2::angled(ray as f32 * std::f32::consts::FRAC_PI_4);
        painter.line_segment(
            [from + way * 8.0, from + way * 12.0],
            Stroke::new(1.5, colour),
        );
    }
    let edge = Stroke::new(1.0, Color32::from_black_alpha(120));
    painter.circle(from, 5.5, colour, edge);
    if let Some(by) = drag.and_then(|drag| drag.by) {
        let turned = roll(eye, towards, at, HANGS, by, -1.0);
        commands.push(match environment {
            // It turns as a whole, about the vertical.
            Some(_) => {
                let angle = turn_of(towards, turned, eye.axes()[0]);
                Command::TurnEnvironment(light.environment_turn + angle)
            }
            None => {
                let camera = camera.inverse();
                Command::PlaceKeyLight(LightParams::key_angles(camera * turned))
            }
        });
    }
}

/// By what angle about the vertical a drag from `from` to `to`, of unit length, turns an
/// environment; `right` is to the right in the picture. `[°]`
fn turn_of(from: Vec3, to: Vec3, right: Vec3) -> f32 {
    let level = |way: Vec3| way.with_y(0.0).length();
    if level(from).min(level(to)) >= LEVER {
        let yaw = |way: Vec3| way.x.atan2(way.z);
        let turn = yaw(to) - yaw(from);
        return turn.sin().atan2(turn.cos()).to_degrees();
    }
    // Overhead a light hardly moves however the environment turns: it turns as if the
    // light were lower.
    let ahead = match level(from) > 1e-3 {
        true => from.with_y(0.0).normalize_or(Vec3::Z),
        false => right.cross(Vec3::Y),
    };
    ((to - from).dot(Vec3::Y.cross(ahead)) / LEVER).to_degrees()
}

/// The direction `way` after its handle at `tail`, so far from the head's
/// middle, was dragged; `side` is 1 where the handle lies against `way`.
fn roll(eye: &ViewProjection, way: Vec3, tail: Vec3, away: f32, by: egui::Vec2, side: f32) -> Vec3 {
    let [right, up, back] = eye.axes();
    // What is behind the head goes the other way round.
    let front = if side * way.dot(back) <= 0.0 {
        1.0
    } else {
        -1.0
    };
    let by = moved(eye, tail, by) * (front / away);
    Quat::from_scaled_axis(up * by.dot(right) - right * by.dot(up)) * way
}

fn wind(ui: &Ui, direction: [f32; 3], sight: &GizmoSight, commands: &mut Vec<Command>) {
    let (eye, [low, high]) = (sight.eye, sight.bounds);
    let way = Vec3::from_array(direction).normalize_or(Vec3::NEG_X);
    let middle = 0.5 * (low + high) + Vec3::Y * (0.15 * (high.y - low.y));
    let tail = middle - way * AWAY;
    let (Some(from), Some(to)) = (eye.see(tail), eye.see(tail + way * LONG)) else {
        return;
    };
    let drag = handle(ui, sight, "wind", from);
    let colour = tint(drag.is_some_and(|drag| drag.hot));
    let stroke = Stroke::new(2.0, colour);
    let painter = ui.painter().with_clip_rect(eye.rect);
    painter.line_segment([from, to], stroke);
    head(&painter, from, to, colour);
    painter.circle(
        from,
        4.5,
        colour,
        Stroke::new(1.0, Color32::from_black_alpha(120)),
    );
    let Some(by) = drag.and_then(|drag| drag.by) else {
        return;
    };
    let turned = roll(eye, way, tail, AWAY, by, 1.0);
    commands.push(Command::AimWind(turned.to_array()));
}

fn fan(ui: &Ui, params: &FanParams, sight: &GizmoSight, commands: &mut Vec<Command>) {
    let eye = sight.eye;
    let place = Vec3::new(params.x, params.y, params.z);
    let axis = Vec3::from_array(params.direction).normalize_or(Vec3::NEG_X);
    let aim = place + axis * AHEAD;
    let (Some(from), Some(to)) = (eye.see(place), eye.see(aim)) else {
        return;
    };
    let (moves, turns) = (
        handle(ui, sight, "fan", from),
        handle(ui, sight, "fan's aim", to),
    );
    let painter = ui.painter().with_clip_rect(eye.rect);
    let side = axis.any_orthonormal_vector();
    let up = axis.cross(side);
    let colour = tint(moves.is_some_and(|drag| drag.hot) || turns.is_some_and(|drag| drag.hot));
    let ring = |centre: Vec3, radius: f32| -> Vec<Pos2> {
        let turn = (0..=24).map(|k| (k as f32 / 24.0 * std::f32::consts::TAU).sin_cos());
        turn.filter_map(|(s, c)| eye.see(centre + (side * c + up * s) * radius))
            .collect()
    };
    let spread = 0.02 + AHEAD * params.width.to_radians().tan();
    let thin = Stroke::new(1.0, colour.gamma_multiply(0.5));
    painter.add(Shape::line(ring(place, 0.035), Stroke::new(2.0, colour)));
    painter.add(Shape::line(ring(aim, spread), thin));
    for (s, c) in [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0f32)] {
        let rim = side * c + up * s;
        let ends = [place + rim * 0.035, aim + rim * spread].map(|p| eye.see(p));
        if let [Some(a), Some(b)] = ends {
            painter.line_segment([a, b], thin);
        }
    }
    painter.line_segment([from, to], Stroke::new(1.5, colour));
    head(&painter, from, to, colour);
    painter.circle_filled(from, 4.5, colour);
    if let Some(by) = moves.and_then(|drag| drag.by) {
        let place = place + moved(eye, place, by);
        commands.push(Command::PlaceFan([place.to_array(), axis.to_array()]));
    } else if let Some(by) = turns.and_then(|drag| drag.by) {
        let axis = (aim + moved(eye, aim, by) - place).normalize_or(axis);
        commands.push(Command::PlaceFan([place.to_array(), axis.to_array()]));
    }
}

fn tint(hot: bool) -> Color32 {
    match hot {
        true => theme::ACCENT,
        false => Color32::from_rgba_unmultiplied(235, 240, 248, 190),
    }
}

/// The point of an arrow.
fn head(painter: &egui::Painter, from: Pos2, to: Pos2, colour: Color32) {
    let way = to - from;
    if way.length() < 4.0 {
        return;
    }
    let (along, across) = (way.normalized() * 10.0, way.normalized().rot90() * 4.5);
    let corners = vec![to + along * 0.4, to - along + across, to - along - across];
    painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
}

/// What the mouse does to a handle.
#[derive(Clone, Copy, Default)]
struct Drag {
    hot: bool,
    by: Option<egui::Vec2>,
}

/// Something at `at` that the mouse can take hold of; none outside the picture.
fn handle(ui: &Ui, sight: &GizmoSight, name: &str, at: Pos2) -> Option<Drag> {
    if !sight.eye.rect.shrink(0.5 * HANDLE).contains(at) {
        return None;
    }
    let size = vec2(HANDLE, HANDLE);
    let response = Area::new(Id::unique(("vane", name)))
        .order(Order::Middle)
        .fixed_pos(at - 0.5 * size)
        .constrain(false)
        .show(ui.ctx(), |ui| ui.allocate_response(size, Sense::drag()))
        .inner;
    if !sight.free {
        return Some(Drag::default());
    }
    let hot = response.hovered() || response.dragged();
    let response = response.on_hover_and_drag_cursor(CursorIcon::Grab);
    let by = response.drag_delta();
    Some(Drag {
        hot,
        by: (response.dragged() && by != egui::Vec2::ZERO).then_some(by),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{io::panorama::Panorama, render::Camera};
    use egui::AreaState;

    #[test]
    fn a_drag_turns_an_environment_by_the_angle_that_its_light_goes_round() {
        let towards = |yaw: f32, height: f32| {
            let (sin, cos) = yaw.to_radians().sin_cos();
            let (rise, level) = height.to_radians().sin_cos();
            Vec3::new(sin * level, rise, cos * level)
        };
        for height in [-60.0, 0.0, 40.0, 70.0] {
            for (from, by) in [(-47.0, 5.0), (178.0, 6.0), (-179.0, -4.0)] {
                let turn = turn_of(towards(from, height), towards(from + by, height), Vec3::X);
                assert!((turn - by).abs() < 1e-2, "{height}, {from}: {turn}");
            }
        }
        // Overhead a little drag turns it a little, to the side of the drag.
        for height in [80.0, 89.0, 89.99, 90.0, -90.0] {
            for yaw in [0.0, 120.0, -75.0] {
                let from = towards(yaw, height);
                let by = 0.01 * Vec3::X;
                let turn = turn_of(from, (from + by).normalize(), Vec3::X);
                assert!(turn.abs() < 2.0, "{height}, {yaw}: {turn}");
            }
            let from = towards(0.0, height);
            let turn = turn_of(from, (from + 0.01 * Vec3::X).normalize(), Vec3::X);
            assert!(turn > 1.0, "{height}: {turn}");
        }
    }

    /// Commands of a drag of the wind's handle.
    fn dragged(free: bool) -> Vec<Command> {
        let ctx = egui::Context::default();
        let mut scene = Scene::default();
        scene.sim.wind.on = true;
        let bounds = [Vec3::new(-0.1, -0.2, -0.1), Vec3::new(0.1, 0.2, 0.1)];
        let rect = egui::Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let eye = ViewProjection::new(&Camera::new(&scene.camera, bounds), rect);
        let mut commands = Vec::new();
        let mut frame = |events: Vec<egui::Event>| {
            let input = egui::RawInput {
                screen_rect: Some(rect),
                events,
                ..egui::RawInput::default()
            };
            let sight = GizmoSight {
                eye: &eye,
                bounds,
                free,
            };
            let _ = ctx.run_ui(input, |ui| {
                show(ui, &sight, (&scene, 0.0), None, &mut commands);
            });
            AreaState::load(&ctx, Id::unique(("vane", "wind"))).map(|area| area.rect().center())
        };
        frame(Vec::new());
        let at = frame(Vec::new()).expect("a handle");
        let button = |pos, pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        };
        frame(vec![egui::Event::PointerMoved(at)]);
        frame(vec![button(at, true)]);
        let there = at + vec2(0.0, 30.0);
        frame(vec![egui::Event::PointerMoved(there)]);
        frame(vec![egui::Event::PointerMoved(there + vec2(0.0, 9.0))]);
        frame(vec![button(there, false)]);
        commands
    }

    #[test]
    fn a_mouse_that_drags_hair_or_the_camera_turns_no_wind() {
        let aims = |commands: Vec<Command>| {
            let mut commands = commands.into_iter();
            commands.any(|command| matches!(command, Command::AimWind(_)))
        };
        assert!(aims(dragged(true)));
        assert!(!aims(dragged(false)));
    }

    #[test]
    fn light_without_a_key_has_no_handle() {
        let sun = |d: [f32; 3]| [if d[1] > 0.99 { 900.0 } else { 1.0 }; 3];
        let lit = [Panorama::of(128, sun), Panorama::of(128, |_| [1.0; 3])]
            .map(|picture| Environment::new(&picture));
        assert_eq!(
            lit.each_ref().map(Environment::has_key_light),
            [true, false]
        );
        for (light, has_handle) in [(None, true), (Some(&lit[0]), true), (Some(&lit[1]), false)] {
            let ctx = egui::Context::default();
            let scene = Scene::default();
            let bounds = [Vec3::splat(-0.3), Vec3::splat(0.3)];
            let rect = egui::Rect::from_min_size(Pos2::ZERO, vec2(600.0, 600.0));
            let eye = ViewProjection::new(&Camera::new(&scene.camera, bounds), rect);
            let input = egui::RawInput {
                screen_rect: Some(rect),
                ..egui::RawInput::default()
            };
            let _ = ctx.run_ui(input, |ui| {
                let sight = GizmoSight {
                    eye: &eye,
                    bounds,
                    free: true,
                };
                show(ui, &sight, (&scene, 0.0), Some(light), &mut Vec::new());
            });
            let handle = AreaState::load(&ctx, Id::unique(("vane", "key light")));
            assert_eq!(handle.is_some(), has_handle);
        }
    }
}
