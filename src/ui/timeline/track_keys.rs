//! Keys of numbers on the timeline: dragged, copied, deleted, and told of.

use super::{
    interpolations,
    key_entry::EntryTarget,
    number_keys::{copy, replace_tracks, tunable},
    rail::{RailScale, draw_key},
};
use crate::{
    param::{KeyInterpolation, ParamType as _, Params, TimeGrid, Track, Tracks, Value},
    project::scene::Scene,
    sim::{keyframes::Keyframes, tracks::check_tracks},
    ui::{command::Command, time_unit::TimeUnit},
};
use egui::{Context, CursorIcon, Event, Key, Rect, Response, Sense, Ui, pos2, vec2};

/// Half of a key's width. `[points]`
const KEY: f32 = 5.0;

/// How much higher it is drawn where the head has a key so near. `[points]`
const LIFT: f32 = 10.0;

/// The menu of keys offers the graphs of so many numbers.
const GRAPHS: usize = 8;

/// What one does with keys of numbers.
#[derive(Clone, Default)]
pub struct TrackHand {
    /// Time of the keys that are chosen. `[s]`
    chosen: Option<f64>,
    drag: Option<TrackDrag>,
    /// What is to be typed.
    typed: Option<EntryTarget>,
}

/// The keys of one time that are dragged.
#[derive(Clone)]
struct TrackDrag {
    /// All keys as they were before that, and without those that are dragged.
    before: Tracks,
    others: Tracks,
    /// When they were then. `[s]`
    time: f64,
    /// How much the rail showed when it began. `[s]`
    span: f64,
    /// From the middle of the key to the mouse. `[points]`
    grip: f32,
}

impl TrackHand {
    /// Time of the keys that are chosen. `[s]`
    pub fn chosen(&self) -> Option<f64> {
        self.chosen
    }

    /// Chooses the keys of that time, or none. `[s]`
    pub fn choose(&mut self, time: Option<f64>) {
        self.chosen = time;
    }

    /// How much the rail shows while keys are dragged. `[s]`
    pub fn dragged_span(&self) -> Option<f64> {
        self.drag.as_ref().map(|drag| drag.span)
    }

    /// What is to be typed, once.
    pub fn take_typed(&mut self) -> Option<EntryTarget> {
        self.typed.take()
    }
}

/// A diamond for each time at which numbers have keys; `heads` are the keys of the head that
/// are on the rail, too.
pub fn show(
    ui: &Ui,
    (scale, unit): (&RailScale, TimeUnit),
    scene: &Scene,
    heads: &Keyframes,
    hand: &mut TrackHand,
    commands: &mut Vec<Command>,
) {
    let tracks = &scene.sim.tracks.keys;
    let sections = scene.sections();
    for (index, time) in tracks.times().into_iter().enumerate() {
        let x = scale.x(time);
        let mut heads = heads.keys().iter().map(|key| scale.x(key.time.into()));
        let lift = match heads.any(|other| (other - x).abs() < LIFT) {
            true => LIFT,
            false => 0.0,
        };
        let middle = pos2(x, scale.rail.center().y - lift);
        let place = Rect::from_center_size(middle, vec2(2.0 * KEY, 2.0 * KEY));
        let id = ui.scope_id().with(("track key", index));
        let response = ui.interact(place, id, Sense::click_and_drag());
        let chosen = hand.chosen.is_some_and(|chosen| is_near(chosen, time));
        let hot = response.hovered();
        draw_key(ui.painter(), middle, KEY, chosen, hot);
        let there = (time, scale);
        on_key(ui, &response, there, (tracks, &sections), hand, commands);
        response.on_hover_text(describe(tracks, (time, unit), &sections));
    }
    match ui.input(|input| input.pointer.any_down()) {
        true => drag_on(ui, (scale, unit), tracks, hand, commands),
        false => hand.drag = None,
    }
}

/// Moves the keys that are dragged to where the mouse is. That goes on where they lie on
/// others, and so have no diamond of their own.
fn drag_on(
    ui: &Ui,
    (scale, unit): (&RailScale, TimeUnit),
    tracks: &Tracks,
    hand: &mut TrackHand,
    commands: &mut Vec<Command>,
) {
    let (Some(drag), Some(at)) = (&hand.drag, ui.input(|input| input.pointer.interact_pos()))
    else {
        return;
    };
    ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    let grid = unit.drag_grid(ui.input(|input| input.modifiers.command));
    let mut dragged = drag.others.clone();
    let to = scale.time(at.x - drag.grip, grid);
    let there = dragged.put(&drag.before, drag.time, to, grid);
    hand.chosen = Some(there);
    if dragged != *tracks {
        commands.push(replace_tracks(dragged, true));
    }
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < Tracks::NEAR
}

/// What is done to the keys of one time.
fn on_key(
    ui: &Ui,
    response: &Response,
    (time, scale): (f64, &RailScale),
    (tracks, sections): (&Tracks, &[&dyn Params]),
    hand: &mut TrackHand,
    commands: &mut Vec<Command>,
) {
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.clicked() {
        hand.chosen = Some(time);
    }
    if response.double_clicked() {
        hand.typed = Some(EntryTarget::Numbers(time));
    }
    if response.drag_started() {
        let copies = ui.input(|input| input.modifiers.alt);
        let at = ui.input(|input| input.pointer.press_origin());
        hand.drag = Some(TrackDrag {
            before: tracks.clone(),
            others: match copies {
                true => tracks.clone(),
                false => tracks.without(time),
            },
            time,
            span: scale.span,
            grip: at.map_or(0.0, |at| at.x - scale.x(time)),
        });
    }
    response.context_menu(|ui| {
        hand.chosen = Some(time);
        let now = interpolation_at(tracks, time);
        if let Some(interpolation) = interpolations::choose(ui, now) {
            commands.push(go_on(tracks, time, interpolation));
        }
        let there = |track: &&Track| track.key_at(time).is_some();
        for track in tracks.tracks().iter().filter(there).take(GRAPHS) {
            let label = tunable(sections, track.parameter());
            let label = label.map_or(track.parameter(), |t| t.label);
            if ui.button(format!("Graph: {label}")).clicked() {
                let number = track.parameter().into();
                commands.push(Command::ShowGraph(Some(number)));
                ui.close();
            }
        }
        if ui.button("Time and value …").clicked() {
            hand.typed = Some(EntryTarget::Numbers(time));
            ui.close();
        }
        if ui.button("Copy (Ctrl+C)").clicked() {
            copy_keys(ui.ctx(), tracks, time);
            ui.close();
        }
        if ui.button("Delete (Del)").clicked() {
            commands.push(delete(tracks, time));
            hand.chosen = None;
            ui.close();
        }
    });
}

/// How all keys at `time` go on, if they do alike. `[s]`
fn interpolation_at(tracks: &Tracks, time: f64) -> Option<KeyInterpolation> {
    let keys = tracks.tracks().iter();
    let mut all = keys.filter_map(|track| {
        let key = track.keys()[track.key_at(time)?];
        Some(key.interpolation)
    });
    let first = all.next()?;
    all.all(|interpolation| interpolation == first)
        .then_some(first)
}

/// Lets all keys at `time` go on like that. `[s]`
fn go_on(tracks: &Tracks, time: f64, interpolation: KeyInterpolation) -> Command {
    let mut changed = tracks.clone();
    for track in tracks.tracks() {
        changed.set_interpolation(track.parameter(), time, interpolation);
    }
    replace_tracks(changed, false)
}

/// A key at `time` for every number that has keys, with the value that it has there. `[s]`
pub fn key_all(tracks: &Tracks, time: f64) -> Command {
    let mut more = tracks.clone();
    for track in tracks.tracks() {
        more.set_key(track.parameter(), time, track.shown(time));
    }
    replace_tracks(more, false)
}

fn delete(tracks: &Tracks, time: f64) -> Command {
    replace_tracks(tracks.without(time), false)
}

/// Copy, paste and delete; what is pasted lies at `now` `[s]`.
pub fn by_keyboard(
    ctx: &Context,
    scene: &Scene,
    (now, unit): (f64, TimeUnit),
    hand: &mut TrackHand,
    commands: &mut Vec<Command>,
) {
    let tracks = &scene.sim.tracks.keys;
    let mut times = tracks.times().into_iter();
    let chosen = times.find(|time| hand.chosen.is_some_and(|chosen| is_near(chosen, *time)));
    let (events, deletes) = ctx.input(|input| {
        let deletes = [Key::Delete, Key::Backspace].map(|key| input.key_pressed(key));
        (input.events.clone(), deletes.contains(&true))
    });
    if let Some(time) = chosen.filter(|_| deletes) {
        commands.push(delete(tracks, time));
        hand.chosen = None;
    }
    for event in events {
        match (event, chosen) {
            (Event::Copy, Some(time)) => copy_keys(ctx, tracks, time),
            (Event::Paste(text), _) => {
                let copied = Tracks::from_value(&Value::Text(text));
                let known = |copied: &Tracks| check_tracks(copied, &scene.sections()).is_ok();
                let Some(copied) = copied.filter(known) else {
                    continue;
                };
                let Some(time) = copied.times().first().copied() else {
                    continue;
                };
                let mut more = tracks.clone();
                more.put(&copied, time, unit.grid().nearest(now), unit.grid());
                hand.chosen = None;
                commands.push(replace_tracks(more, false));
            }
            _ => {}
        }
    }
}

/// Puts the keys of `time` into the clipboard, as text.
fn copy_keys(ctx: &Context, tracks: &Tracks, time: f64) {
    let mut copied = Tracks::default();
    copied.put(tracks, time, time, TimeGrid::HUNDREDTHS);
    copy(ctx, &copied);
}

/// What has keys at `time`, with names, values and units. `[s]`
fn describe(tracks: &Tracks, (time, unit): (f64, TimeUnit), sections: &[&dyn Params]) -> String {
    let line = |track: &Track| {
        let key = track.keys()[track.key_at(time)?];
        let name = track.parameter();
        let tunable = tunable(sections, name)?;
        let measure = match tunable.unit {
            "" => String::new(),
            measure => format!(" {measure}"),
        };
        let after = interpolations::after_value(key.interpolation);
        let label = tunable.label;
        Some(format!("\n{label} ({name}): {}{measure}{after}", key.value))
    };
    let lines = tracks.tracks().iter().filter_map(line);
    unit.text(time) + &lines.collect::<String>()
}

#[cfg(test)]
mod tests;
