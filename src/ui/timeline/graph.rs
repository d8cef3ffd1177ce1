//! The graph of one number's keys, over the timeline and in its scale: the way between them
//! as hair and picture see it, and keys that are dragged in time and value.

mod axis;
mod curve;
mod drag;
mod list;

use super::{
    interpolations,
    key_entry::EntryTarget,
    number_keys::{copy, replace_tracks, tunable},
    rail::{RailScale, draw_key},
};
use crate::{
    param::{Kind, Track, TrackKey, Tracks, Tunable},
    project::scene::Scene,
    ui::{command::Command, icons::Icon, theme, time_unit::TimeUnit, widgets::unit::Unit},
};
use axis::ValueAxis;
use curve::{BEFORE, curve, draw_curve};
use drag::KeyDrag;
use egui::{
    Align2, Context, CursorIcon, Event, FontId, Key, Painter, Pos2, Rangef, Rect, Response, Sense,
    Shape, Stroke, Ui, pos2, vec2,
};
use std::ops::RangeInclusive;

/// Half of a key's width. `[points]`
const KEY: f32 = 6.0;

/// The graph goes so far beyond the rail on both sides. `[points]`
const BESIDE: f32 = 9.0;

/// Room of the labels left of it. `[points]`
const LABELS: f32 = 46.0;

/// Nearer than that one means the curve. `[points]`
const NEAR: f32 = 12.0;

/// How high it is over a picture of that height. `[points]`
pub fn height(picture: f32) -> f32 {
    (0.34 * picture).clamp(110.0, 180.0)
}

/// What one does in the graph.
#[derive(Clone, Default)]
pub struct GraphHand {
    /// The number that it shows.
    number: String,
    /// Time of the key that is chosen. `[s]`
    chosen: Option<f64>,
    drag: Option<KeyDrag>,
    /// What is to be typed, and where its key is seen.
    typed: Option<(EntryTarget, Pos2)>,
}

impl GraphHand {
    /// Time of the key that is chosen. `[s]`
    pub fn chosen(&self) -> Option<f64> {
        self.chosen
    }

    /// Chooses no key.
    pub fn let_go(&mut self) {
        self.chosen = None;
    }

    /// Lets go of the key that is dragged.
    pub fn end_drag(&mut self) {
        self.drag = None;
    }

    /// How much time the rail shows while a key is dragged. `[s]`
    pub fn dragged_span(&self) -> Option<f64> {
        self.drag.as_ref().map(KeyDrag::span)
    }

    /// What is to be typed and where its key is seen, once.
    pub fn take_typed(&mut self) -> Option<(EntryTarget, Pos2)> {
        self.typed.take()
    }
}

/// The number that is shown, and how.
struct ShownNumber<'a> {
    name: &'a str,
    track: &'a Track,
    unit: Unit,
    range: RangeInclusive<f64>,
    /// What time is counted in.
    time: TimeUnit,
}

impl ShownNumber<'_> {
    /// A value as the number's slider shows it.
    fn text(&self, value: f64) -> String {
        self.unit.text(value)
    }
}

/// The keys of the number `name`, its declaration, its range, and whether a slider shows it by
/// its logarithm; none of what has no graph.
fn keyed_number<'a>(
    scene: &'a Scene,
    name: &str,
) -> Option<(&'a Track, Tunable, RangeInclusive<f64>, bool)> {
    let track = scene.sim.tracks.keys.of(name)?;
    let tunable = tunable(&scene.sections(), name)?;
    let Kind::Float { range, log } = tunable.kind.clone() else {
        return None;
    };
    Some((track, tunable, range, log))
}

/// Whether the number `name` has a graph: it has keys, and may be any in its range.
pub fn is_shown(scene: &Scene, name: &str) -> bool {
    keyed_number(scene, name).is_some()
}

/// Draws the graph of the number `name` in `place`, which lies over the rail of `scale`; `now`
/// is the present time among the keys. `[s]`
pub fn show(
    ui: &mut Ui,
    place: Rect,
    scale: &RailScale,
    (scene, now, time): (&Scene, f64, TimeUnit),
    name: &str,
    hand: &mut GraphHand,
    commands: &mut Vec<Command>,
) {
    let tracks = &scene.sim.tracks.keys;
    let Some((track, tunable, range, log)) = keyed_number(scene, name) else {
        return;
    };
    if hand.number != name {
        *hand = GraphHand {
            number: name.into(),
            ..GraphHand::default()
        };
    }
    let shown = ShownNumber {
        name,
        track,
        unit: Unit::of(&tunable),
        range,
        time,
    };
    let across = scale.rail.x_range().expand(BESIDE);
    let plot = Rect::from_x_y_ranges(across, place.top() + 2.0..=place.bottom() - 6.0);
    let heights = plot.y_range().shrink(KEY + 2.0);
    let dragged = hand.drag.as_ref().map(|drag| drag.axis().clone());
    let fitting = || ValueAxis::new(track, shown.range.clone(), log, heights);
    let axis = dragged.unwrap_or_else(fitting);

    let id = ui.scope_id().with("graph");
    let back = ui.interact(plot, id.with("plot"), Sense::click_and_drag());
    let painter = ui.painter().clone();
    painter.rect_filled(plot, 4, theme::SUNKEN);
    lines(&painter, plot, &axis, &shown.unit);
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    rounds(ui, &inside, plot, (scale, &axis), scene, &shown);
    let play_head = Stroke::new(1.5, theme::TEXT.gamma_multiply(0.8));
    inside.vline(scale.x(now), plot.y_range(), play_head);
    let way = curve(track, scale, &axis, across);
    let end = scene.sim.motion.rounds().map(|[_, end]| scale.x(end));
    draw_curve(&inside, plot, &way, end);
    let mut told = on_plot(&back, (scale, &axis), tracks, &shown, hand, commands);
    if let Some([time, value]) = told {
        let at = pos2(scale.x(time), axis.y(value));
        inside.circle(at, 3.0, theme::SUNKEN, Stroke::new(1.5, theme::ACCENT));
    }
    for (index, key) in track.keys().iter().enumerate() {
        let middle = middle(key, scale, &axis, plot);
        let reach = Rect::from_center_size(middle, vec2(2.0 * KEY + 4.0, 2.0 * KEY + 4.0));
        let response = ui.interact(reach, id.with(index), Sense::click_and_drag());
        let chosen = hand
            .chosen
            .is_some_and(|chosen| track.key_at(chosen) == Some(index));
        draw_key(&painter, middle, KEY, chosen, response.hovered());
        if response.hovered() || chosen && hand.drag.is_some() {
            told = Some([key.time, key.value]);
        }
        if response.drag_started() {
            let copies = ui.input(|input| input.modifiers.alt);
            let at = ui.input(|input| input.pointer.press_origin());
            let at = at.unwrap_or(middle);
            hand.drag = Some(KeyDrag::new(
                (tracks.clone(), *key, copies),
                (scale.span, axis.clone()),
                (at, middle),
            ));
        }
        on_key(ui, &response, (key, middle), tracks, &shown, hand, commands);
        response.on_hover_text(key_help(key, &shown));
    }
    match ui.input(|input| input.pointer.any_down()) {
        true => drag_on(ui, scale, tracks, &shown, hand, commands),
        false => hand.drag = None,
    }
    let left = Rect::from_min_max(place.min, pos2(plot.left() - LABELS, place.bottom()));
    list::show(ui, left, scene, name, commands);
    let right = Rect::from_min_max(pos2(plot.right() + 4.0, place.top()), place.max);
    let present = [now, track.shown(now)];
    beside(ui, right, &shown, (told, present), commands);
}

/// Where a key is drawn: at the edge where its value lies beyond.
fn middle(key: &TrackKey, scale: &RailScale, axis: &ValueAxis, plot: Rect) -> Pos2 {
    let y = axis.y(key.value).clamp(plot.top(), plot.bottom());
    pos2(scale.x(key.time), y)
}

/// What a key is, and what can be done with it.
fn key_help(key: &TrackKey, shown: &ShownNumber<'_>) -> String {
    let after = interpolations::after_value(key.interpolation);
    let (time, value) = (shown.time.text(key.time), shown.text(key.value));
    let between = match shown.time {
        TimeUnit::Seconds => "",
        TimeUnit::Frames(_) => ", Ctrl goes between frames",
    };
    format!(
        "{time}: {value}{after}\nDrag: another time and value; Shift keeps one of them, Alt \
         copies{between}. Double-click: type them"
    )
}

/// Lines across the graph with their values, and the unit.
fn lines(painter: &Painter, plot: Rect, axis: &ValueAxis, unit: &Unit) {
    let font = FontId::proportional(10.0);
    for (value, digits) in axis.lines(unit.factor) {
        let y = axis.y(value);
        painter.hline(plot.x_range(), y, Stroke::new(1.0, theme::FIELD));
        let text = format!("{:.digits$}", value * unit.factor);
        let at = pos2(plot.left() - 5.0, y);
        painter.text(at, Align2::RIGHT_CENTER, text, font.clone(), theme::WEAK);
    }
    let corner = plot.left_top() + vec2(5.0, 3.0);
    let unit = unit.suffix.trim();
    painter.text(corner, Align2::LEFT_TOP, unit, font, theme::WEAK);
}

/// Where all keys begin anew with the head's, if they do: and whether the number jumps there.
fn rounds(
    ui: &Ui,
    painter: &Painter,
    plot: Rect,
    (scale, axis): (&RailScale, &ValueAxis),
    scene: &Scene,
    shown: &ShownNumber<'_>,
) {
    let Some([begin, end]) = scene.sim.motion.rounds() else {
        return;
    };
    if end > scale.span {
        return;
    }
    let x = scale.x(end);
    let [last, first] = [shown.track.at(end - BEFORE), shown.track.at(begin)];
    let [from, to] = [last, first].map(|value| axis.y(value));
    let jumps = (from - to).abs() > 1.0;
    let colour = match jumps {
        true => ui.visuals().warn_fg_color,
        false => theme::WEAK,
    };
    let edge = [pos2(x, plot.top()), pos2(x, plot.bottom())];
    painter.extend(Shape::dashed_line(
        &edge,
        Stroke::new(1.0, colour),
        4.0,
        4.0,
    ));
    let [starts, ends] = [begin, end].map(|time| shown.time.text(time));
    let mut text = format!("At {ends} all keys begin anew with the head's keyframes");
    if jumps {
        painter.vline(x, Rangef::new(from.min(to), from.max(to)), (2.0, colour));
        painter.circle(pos2(x, to), 3.0, theme::SUNKEN, (1.5, colour));
        text += &format!(
            ": the number jumps from {} to {}. Give it there the value that it has at {starts}",
            shown.text(last),
            shown.text(first)
        );
    }
    let near = Rect::from_center_size(pos2(x, plot.center().y), vec2(8.0, plot.height()));
    let id = ui.scope_id().with("graph begins anew");
    ui.interact(near, id, Sense::hover()).on_hover_text(text);
}

/// Clicks beside the keys; answers with time and value of the curve at the mouse.
fn on_plot(
    back: &Response,
    (scale, axis): (&RailScale, &ValueAxis),
    tracks: &Tracks,
    shown: &ShownNumber<'_>,
    hand: &mut GraphHand,
    commands: &mut Vec<Command>,
) -> Option<[f64; 2]> {
    let at = back.hover_pos().or(back.interact_pointer_pos())?;
    let freely = back.ctx.input(|input| input.modifiers.command);
    let time = scale.time(at.x, shown.time.drag_grid(freely));
    let on_curve = shown.track.at(time);
    let near = (axis.y(on_curve) - at.y).abs() < NEAR;
    if back.double_clicked() {
        hand.chosen = Some(time);
        // A key that is there already keeps its value.
        if shown.track.key_at(time).is_none() {
            let value = if near { on_curve } else { axis.value(at.y) };
            let mut more = tracks.clone();
            more.set_key(shown.name, time, value);
            commands.push(replace_tracks(more, false));
        }
    } else if back.clicked() {
        hand.chosen = None;
    }
    let hovered = back.hovered() && hand.drag.is_none();
    // Elsewhere it would lie over what one looks at.
    if hovered && near {
        let text = format!("{}: {}", shown.time.text(time), shown.text(on_curve));
        let text = text + "\nDouble-click adds a key";
        back.clone().on_hover_text_at_pointer(text);
    }
    hovered.then_some([time, on_curve])
}

/// What is done to one key but to drag it.
fn on_key(
    ui: &Ui,
    response: &Response,
    (key, middle): (&TrackKey, Pos2),
    tracks: &Tracks,
    shown: &ShownNumber<'_>,
    hand: &mut GraphHand,
    commands: &mut Vec<Command>,
) {
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if response.clicked() || response.drag_started() {
        hand.chosen = Some(key.time);
    }
    let target = || EntryTarget::Number(shown.name.into(), key.time);
    if response.double_clicked() {
        hand.typed = Some((target(), middle));
    }
    response.context_menu(|ui| {
        hand.chosen = Some(key.time);
        let now = Some(key.interpolation);
        if let Some(interpolation) = interpolations::choose(ui, now) {
            let mut changed = tracks.clone();
            changed.set_interpolation(shown.name, key.time, interpolation);
            commands.push(replace_tracks(changed, false));
        }
        if ui.button("Time and value …").clicked() {
            hand.typed = Some((target(), middle));
            ui.close();
        }
        if ui.button("Copy (Ctrl+C)").clicked() {
            copy_key(ui.ctx(), shown.name, key);
            ui.close();
        }
        if ui.button("Delete (Del)").clicked() {
            commands.push(delete(tracks, shown.name, key.time));
            hand.chosen = None;
            ui.close();
        }
    });
}

/// Moves the key that is dragged to where the mouse is.
fn drag_on(
    ui: &Ui,
    scale: &RailScale,
    tracks: &Tracks,
    shown: &ShownNumber<'_>,
    hand: &mut GraphHand,
    commands: &mut Vec<Command>,
) {
    let (Some(drag), Some(at)) = (&hand.drag, ui.input(|input| input.pointer.interact_pos()))
    else {
        return;
    };
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let held = ui.input(|input| input.modifiers);
    let grid = shown.time.drag_grid(held.command);
    let (dragged, time) = drag.moved(shown.name, at, held.shift, (scale, grid));
    hand.chosen = Some(time);
    if dragged != *tracks {
        commands.push(replace_tracks(dragged, true));
    }
}

/// What stands right of the graph: the cross, and time and value at the mouse, else now.
fn beside(
    ui: &mut Ui,
    place: Rect,
    shown: &ShownNumber<'_>,
    (told, present): (Option<[f64; 2]>, [f64; 2]),
    commands: &mut Vec<Command>,
) {
    let corner = Rect::from_min_size(place.right_top() - vec2(22.0, 0.0), vec2(22.0, 22.0));
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(corner));
    let cross = Icon::Close.small(&mut inner, corner.size(), theme::WEAK);
    if cross.on_hover_text("Close the graph (Esc)").clicked() {
        commands.push(Command::ShowGraph(None));
    }
    let [time, value] = told.unwrap_or(present);
    let colour = match told {
        Some(_) => theme::TEXT,
        None => theme::WEAK,
    };
    let lines = [shown.time.brief(time), shown.text(value)];
    for (line, text) in lines.into_iter().enumerate() {
        let at = place.right_bottom() - vec2(0.0, 24.0 - 15.0 * line as f32);
        let font = FontId::monospace(12.0);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, text, font, colour);
    }
}

fn delete(tracks: &Tracks, name: &str, time: f64) -> Command {
    let mut rest = tracks.clone();
    rest.remove_key(name, time);
    replace_tracks(rest, false)
}

/// Copy and delete, where a key of the number `name` is chosen.
pub fn by_keyboard(
    ctx: &Context,
    scene: &Scene,
    name: &str,
    hand: &mut GraphHand,
    commands: &mut Vec<Command>,
) {
    let tracks = &scene.sim.tracks.keys;
    let (Some(track), Some(time)) = (tracks.of(name), hand.chosen) else {
        return;
    };
    let Some(index) = track.key_at(time).filter(|_| hand.number == name) else {
        return;
    };
    let (copies, deletes) = ctx.input(|input| {
        let deletes = [Key::Delete, Key::Backspace].map(|key| input.key_pressed(key));
        let copies = input.events.contains(&Event::Copy);
        (copies, deletes.contains(&true))
    });
    if copies {
        copy_key(ctx, name, &track.keys()[index]);
    }
    if deletes {
        commands.push(delete(tracks, name, time));
        hand.chosen = None;
    }
}

/// Puts a key into the clipboard, as text.
fn copy_key(ctx: &Context, name: &str, key: &TrackKey) {
    let mut copied = Tracks::default();
    copied.set_key(name, key.time, key.value);
    copied.set_interpolation(name, key.time, key.interpolation);
    copy(ctx, &copied);
}

#[cfg(test)]
mod tests;
