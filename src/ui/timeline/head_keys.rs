//! Keyframes of the head on the timeline: dragged, copied, deleted, and told of.

use super::{
    key_entry::EntryTarget,
    number_keys::copy,
    rail::{RailScale, draw_key},
};
use crate::{
    param::{ParamType as _, Value},
    sim::keyframes::{Keyframe, Keyframes},
    ui::{command::Command, motions, time_unit::TimeUnit},
};
use egui::{Context, CursorIcon, Event, Key, Rect, Response, Sense, Ui, pos2, vec2};

/// Half of a key's width. `[points]`
const KEY: f32 = 6.5;

/// What one does with keyframes of the head.
#[derive(Clone, Default)]
pub struct HeadHand {
    /// Time of the key that is chosen. `[s]`
    chosen: Option<f32>,
    drag: Option<Drag>,
    /// What is to be typed.
    typed: Option<EntryTarget>,
}

impl HeadHand {
    /// Time of the key that is chosen. `[s]`
    pub fn chosen(&self) -> Option<f64> {
        self.chosen.map(f64::from)
    }

    /// Chooses the key of that time, or none. `[s]`
    pub fn choose(&mut self, time: Option<f32>) {
        self.chosen = time;
    }

    /// How much the rail shows while a key is dragged. `[s]`
    pub fn dragged_span(&self) -> Option<f64> {
        self.drag.as_ref().map(|drag| drag.span)
    }

    /// What is to be typed, once.
    pub fn take_typed(&mut self) -> Option<EntryTarget> {
        self.typed.take()
    }
}

/// A key that is dragged.
#[derive(Clone)]
struct Drag {
    /// All keys but that one.
    others: Keyframes,
    key: Keyframe,
    /// How much the rail showed when it began. `[s]`
    span: f64,
    /// From the middle of the key to the mouse. `[points]`
    grip: f32,
}

/// A diamond for each key.
pub fn show(
    ui: &Ui,
    (scale, unit): (&RailScale, TimeUnit),
    keys: &Keyframes,
    hand: &mut HeadHand,
    commands: &mut Vec<Command>,
) {
    for (index, key) in keys.keys().iter().enumerate() {
        let place = Rect::from_center_size(
            pos2(scale.x(key.time.into()), scale.rail.center().y),
            vec2(2.0 * KEY, 2.0 * KEY),
        );
        let id = ui.scope_id().with(("keyframe", index));
        let response = ui.interact(place, id, Sense::click_and_drag());
        let chosen = hand.chosen.is_some_and(|time| time == key.time);
        draw_key(
            ui.painter(),
            place.center(),
            KEY,
            chosen,
            response.hovered(),
        );
        let there = (scale, unit);
        on_key(ui, &response, (index, key), there, keys, hand, commands);
        response.on_hover_text(motions::describe(key, unit));
    }
    if hand.drag.is_some() && !ui.input(|input| input.pointer.any_down()) {
        hand.drag = None;
    }
}

/// What is done to one key.
fn on_key(
    ui: &Ui,
    response: &Response,
    (index, key): (usize, &Keyframe),
    (scale, unit): (&RailScale, TimeUnit),
    keys: &Keyframes,
    hand: &mut HeadHand,
    commands: &mut Vec<Command>,
) {
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.clicked() {
        hand.chosen = Some(key.time);
    }
    if response.double_clicked() {
        hand.typed = Some(EntryTarget::Head(key.time.into()));
    }
    if response.drag_started() {
        let copies = ui.input(|input| input.modifiers.alt);
        let mut others = keys.clone();
        if !copies {
            others.remove(index);
        }
        let at = ui.input(|input| input.pointer.press_origin());
        hand.drag = Some(Drag {
            others,
            key: *key,
            span: scale.span,
            grip: at.map_or(0.0, |at| at.x - scale.x(key.time.into())),
        });
    }
    if response.dragged()
        && let (Some(drag), Some(at)) = (&hand.drag, response.interact_pointer_pos())
    {
        let grid = unit.drag_grid(ui.input(|input| input.modifiers.command));
        let mut dragged = drag.others.clone();
        let time = dragged.put(drag.key, scale.time(at.x - drag.grip, grid), grid);
        hand.chosen = Some(time);
        if dragged != *keys {
            commands.push(Command::ReplaceKeyframes {
                keys: dragged,
                held: true,
            });
        }
    }
    response.context_menu(|ui| {
        hand.chosen = Some(key.time);
        if ui.button("Time and pose …").clicked() {
            hand.typed = Some(EntryTarget::Head(key.time.into()));
            ui.close();
        }
        if ui.button("Copy (Ctrl+C)").clicked() {
            copy_key(ui.ctx(), key);
            ui.close();
        }
        if ui.button("Delete (Del)").clicked() {
            commands.push(Command::DropKeyframe(index));
            hand.chosen = None;
            ui.close();
        }
    });
}

/// Copy, paste and delete; what is pasted lies at `now` `[s]`.
pub fn by_keyboard(
    ctx: &Context,
    keys: &Keyframes,
    (now, unit): (f64, TimeUnit),
    hand: &mut HeadHand,
    commands: &mut Vec<Command>,
) {
    let chosen = |key: &Keyframe| hand.chosen == Some(key.time);
    let chosen = keys.keys().iter().position(chosen);
    let (events, deletes) = ctx.input(|input| {
        let deletes = [Key::Delete, Key::Backspace].map(|key| input.key_pressed(key));
        (input.events.clone(), deletes.contains(&true))
    });
    if let Some(index) = chosen.filter(|_| deletes) {
        commands.push(Command::DropKeyframe(index));
        hand.chosen = None;
    }
    for event in events {
        match (event, chosen) {
            (Event::Copy, Some(index)) => copy_key(ctx, &keys.keys()[index]),
            (Event::Paste(text), _) => {
                let copied = Keyframes::from_value(&Value::Text(text));
                let copied = copied.and_then(|copied| copied.keys().first().copied());
                let Some(key) = copied else { continue };
                let mut more = keys.clone();
                more.put(key, unit.grid().nearest(now), unit.grid());
                hand.chosen = None;
                commands.push(Command::ReplaceKeyframes {
                    keys: more,
                    held: false,
                });
            }
            _ => {}
        }
    }
}

/// Puts a key into the clipboard, as text.
fn copy_key(ctx: &Context, key: &Keyframe) {
    if let Ok(one) = Keyframes::new(vec![*key]) {
        copy(ctx, &one);
    }
}
