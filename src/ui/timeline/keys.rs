//! The head's keyframes on their way through time, with the play head: dragged,
//! copied, deleted, added.

use super::{buttons, chip, number, to_start};
use crate::{
    param::{ParamType as _, Value},
    project::document::Document,
    session::Session,
    sim::{
        MotionParams,
        keyframes::{Keyframe, Keyframes},
    },
    ui::{command::Command, motions, theme},
};
use egui::{
    Align, Align2, Color32, Context, CursorIcon, Event, FontId, Id, Key, Layout, Painter, Pos2,
    Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2,
};

/// The rail shows so much more than the keys take: room for later ones. `[s]`
const AFTER: f64 = 0.5;

/// It never shows less. `[s]`
const SHORTEST: f64 = 2.0;

/// Room of a number of seconds. `[points]`
const LABEL: f64 = 40.0;

/// Half of a key's width. `[points]`
const KEY: f32 = 6.5;

/// What one does with the keys.
#[derive(Clone, Default)]
struct Hand {
    /// Of the scene whose keys these are, how many took the place of others before it.
    opened: u64,
    /// Time of the key that is chosen. `[s]`
    chosen: Option<f32>,
    drag: Option<Drag>,
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

/// The bar's inside: buttons, rail and time. What is `asked` has the keyboard to itself.
pub fn show(
    ui: &mut Ui,
    document: &Document,
    session: &Session,
    asked: bool,
    commands: &mut Vec<Command>,
) {
    let motion = &document.scene().sim.motion;
    chip(ui, "KEYS").on_hover_text(
        "The head's keyframes. Double-click on the timeline: a key there. Drag a key: another \
         time; with Alt: a copy. Ctrl+C copies the chosen key, Ctrl+V puts it at the present \
         time, Delete takes it away",
    );
    to_start(ui, commands);
    buttons(ui, session.is_paused(), commands);
    let set = ui.small_button("+ Key").on_hover_text(format!(
        "The head as it is turned and moved now becomes a key at {:.2} s",
        session.key_time(motion)
    ));
    if set.clicked() {
        commands.push(Command::SetKeyframe);
    }
    let now = session.key_time(motion);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let length = motion.keyframes.span(motion.repeat);
        let text = match motion.repeat && now <= length {
            true => format!("{now:.2} / {length:.2} s"),
            false => format!("{:.2} s", session.clip_time()),
        };
        number(ui, &text, 92.0)
            .on_hover_text("Time since the keyframes began; they begin anew with R");
        let id = hand_id();
        let opened = document.opened();
        let mut hand = ui
            .data(|data| data.get_temp(id))
            .filter(|hand: &Hand| hand.opened == opened)
            .unwrap_or(Hand {
                opened,
                ..Hand::default()
            });
        track(ui, motion, session, &mut hand, commands);
        if !asked && !ui.ctx().egui_wants_keyboard_input() {
            by_keyboard(ui.ctx(), &motion.keyframes, now, &mut hand, commands);
        }
        ui.data_mut(|data| data.insert_temp(id, hand));
    });
}

fn hand_id() -> Id {
    Id::unique("hand on the keyframes")
}

/// The rail, and all on it.
fn track(
    ui: &mut Ui,
    motion: &MotionParams,
    session: &Session,
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) {
    let now = session.key_time(motion);
    let keys = &motion.keyframes;
    let fitting = span(keys.span(motion.repeat), now);
    let span = hand.drag.as_ref().map_or(fitting, |drag| drag.span);
    let width = (ui.available_width() - 4.0).max(60.0);
    let (rect, back) = ui.allocate_exact_size(vec2(width, 28.0), Sense::click_and_drag());
    let rail = Rect::from_center_size(rect.center(), vec2(rect.width() - 18.0, 4.0));
    let scale = Scale { rail, span };
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rail, 2, theme::FIELD);
    let reach = reach(session, now);
    if let Some([from, to]) = reach {
        let part = Rect::from_x_y_ranges(scale.x(from)..=scale.x(to), rail.y_range());
        painter.rect_filled(part, 2, theme::ACCENT_DIM);
    }
    ticks(&painter, &scale);
    play_head(&painter, rect, scale.x(now));
    on_rail(&back, &scale, reach, session, now, commands);
    for (index, key) in keys.keys().iter().enumerate() {
        let place = Rect::from_center_size(
            pos2(scale.x(key.time.into()), rail.center().y),
            vec2(2.0 * KEY, 2.0 * KEY),
        );
        let id = ui.scope_id().with(("keyframe", index));
        let response = ui.interact(place, id, Sense::click_and_drag());
        let chosen = hand.chosen.is_some_and(|time| time == key.time);
        diamond(&painter, place.center(), chosen, response.hovered());
        on_key(ui, &response, (index, key), &scale, keys, hand, commands);
        response.on_hover_text(motions::describe(key));
    }
    if hand.drag.is_some() && !ui.input(|input| input.pointer.any_down()) {
        hand.drag = None;
    }
}

/// How much the rail shows where the keys take that long: in whole seconds and, where time
/// has gone on beyond them, twice as much or more, so that it seldom changes. `[s]`
fn span(keys: f64, now: f64) -> f64 {
    let mut span = (keys + AFTER).ceil().max(SHORTEST);
    while span < now {
        span *= 2.0;
    }
    span
}

/// From times to places on the rail.
struct Scale {
    rail: Rect,
    span: f64,
}

impl Scale {
    fn x(&self, time: f64) -> f32 {
        let share = (time / self.span).clamp(0.0, 1.0);
        self.rail.left() + share as f32 * self.rail.width()
    }

    /// In hundredths of a second, as keys are.
    fn time(&self, x: f32) -> f64 {
        let share = ((x - self.rail.left()) / self.rail.width()).clamp(0.0, 1.0);
        (100.0 * f64::from(share) * self.span).round() / 100.0
    }
}

/// What the play head can be dragged over, in the time of the keys. `[s]`
fn reach(session: &Session, now: f64) -> Option<[f64; 2]> {
    let reach = session.now().reach?;
    let time = session.now().time;
    let [from, to] = [reach.from, reach.to].map(|t| (t - time + now).max(0.0));
    (session.is_paused() && to > from).then_some([from, to])
}

/// Clicks and drags beside the keys.
fn on_rail(
    back: &Response,
    scale: &Scale,
    reach: Option<[f64; 2]>,
    session: &Session,
    now: f64,
    commands: &mut Vec<Command>,
) {
    let at = back.interact_pointer_pos().or(back.hover_pos());
    let Some(time) = at.map(|at| scale.time(at.x)) else {
        return;
    };
    if back.double_clicked() {
        commands.push(Command::AddKeyframe(time));
        return;
    }
    let within = reach.is_some_and(|[from, to]| (from - 0.05..=to + 0.05).contains(&time));
    if (back.dragged() || back.clicked())
        && let Some([from, to]) = reach
    {
        // Beside the lit part one goes to its end.
        let there = time.max(from).min(to);
        commands.push(Command::Seek(session.now().time - now + there));
    }
    let text = match (within, session.is_paused()) {
        (true, _) => format!("{time:.2} s: drag to go there; double-click adds a key"),
        (false, true) => {
            format!("{time:.2} s: double-click adds a key; only the lit part can be gone back to")
        }
        (false, false) => {
            format!("{time:.2} s: double-click adds a key; pause to drag along the timeline")
        }
    };
    back.clone().on_hover_text_at_pointer(text);
}

/// What is done to one key.
fn on_key(
    ui: &Ui,
    response: &Response,
    (index, key): (usize, &Keyframe),
    scale: &Scale,
    keys: &Keyframes,
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) {
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.clicked() {
        hand.chosen = Some(key.time);
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
        let (mut dragged, time) = (drag.others.clone(), scale.time(at.x - drag.grip));
        dragged.put(Keyframe {
            time: time as f32,
            ..drag.key
        });
        // The one that the others do not have.
        let new = dragged.keys().iter().find(|key| {
            let there = |other: &Keyframe| other.time == key.time;
            !drag.others.keys().iter().any(there)
        });
        hand.chosen = new.map(|key| key.time);
        if dragged != *keys {
            commands.push(Command::SetKeyframes {
                keys: dragged,
                held: true,
            });
        }
    }
    response.context_menu(|ui| {
        hand.chosen = Some(key.time);
        if ui.button("Copy (Ctrl+C)").clicked() {
            copy(ui.ctx(), key);
            ui.close();
        }
        if ui.button("Delete (Del)").clicked() {
            commands.push(Command::DropKeyframe(index));
            hand.chosen = None;
            ui.close();
        }
    });
}

/// Copy, paste and delete.
fn by_keyboard(
    ctx: &Context,
    keys: &Keyframes,
    now: f64,
    hand: &mut Hand,
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
            (Event::Copy, Some(index)) => copy(ctx, &keys.keys()[index]),
            (Event::Paste(text), _) => {
                let copied = Keyframes::from_value(&Value::Text(text));
                let copied = copied.and_then(|copied| copied.keys().first().copied());
                let Some(key) = copied else { continue };
                let mut more = keys.clone();
                more.put(Keyframe {
                    time: now as f32,
                    ..key
                });
                hand.chosen = None;
                commands.push(Command::SetKeyframes {
                    keys: more,
                    held: false,
                });
            }
            _ => {}
        }
    }
}

/// Puts a key into the clipboard, as text.
fn copy(ctx: &Context, key: &Keyframe) {
    if let Ok(one) = Keyframes::new(vec![*key])
        && let Value::Text(text) = one.to_value()
    {
        ctx.copy_text(text);
    }
}

/// Whole seconds, while they are not a comb.
fn ticks(painter: &Painter, scale: &Scale) {
    let spacing = f64::from(scale.rail.width()) / scale.span;
    let wide = |each: &u32| f64::from(*each) * spacing >= LABEL;
    let steps = [1, 2, 5, 10, 20, 60, 120, 300, 600];
    let labelled = steps.into_iter().find(wide).unwrap_or(3600);
    // Dots in between where they stay apart.
    let each = if spacing < 7.0 { labelled } else { 1 };
    for second in (0..=scale.span as u32).step_by(each as usize) {
        let place = pos2(scale.x(second.into()), scale.rail.bottom() + 7.0);
        if second % labelled == 0 {
            let font = FontId::proportional(9.0);
            painter.text(place, Align2::CENTER_CENTER, second, font, theme::WEAK);
        } else {
            painter.circle_filled(place, 1.1, theme::WEAK);
        }
    }
}

fn play_head(painter: &Painter, rect: Rect, x: f32) {
    painter.vline(x, rect.y_range(), Stroke::new(1.5, theme::TEXT));
    let top = rect.top();
    let knob = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, top + 7.0)];
    painter.add(Shape::convex_polygon(knob, theme::TEXT, Stroke::NONE));
}

fn diamond(painter: &Painter, middle: Pos2, chosen: bool, hot: bool) {
    let size = if hot { KEY } else { KEY - 1.0 };
    let corners = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)];
    let corners = corners.map(|(x, y)| middle + vec2(x, y)).to_vec();
    let fill = if chosen {
        Color32::WHITE
    } else {
        theme::ACCENT
    };
    let edge = Stroke::new(1.0, Color32::from_black_alpha(160));
    painter.add(Shape::convex_polygon(corners, fill, edge));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::app_state::AppState;
    use egui::{Modifiers, RawInput};

    /// What Delete does to the second of two keys, which was chosen in the scene that
    /// `opened` counts.
    fn deleted(program: &AppState, opened: u64, asked: bool) -> Vec<Command> {
        let (ctx, mut commands) = (Context::default(), Vec::new());
        let hand = Hand {
            opened,
            chosen: Some(1.0),
            drag: None,
        };
        ctx.data_mut(|data| data.insert_temp(hand_id(), hand));
        let input = RawInput {
            events: vec![Event::Key {
                key: Key::Delete,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            }],
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            commands.clear();
            show(
                ui,
                &program.document,
                &program.session,
                asked,
                &mut commands,
            );
        });
        // Nobody paints it.
        output.textures_delta.clear();
        commands
    }

    #[test]
    fn the_rail_shows_all_keys_and_the_present_time() {
        assert_eq!(span(0.0, 0.0), 2.0);
        assert_eq!(span(1.5, 1.9), 2.0);
        assert_eq!(span(6.2, 5.0), 7.0);
        // Between a half and all of it has gone by.
        assert_eq!(span(0.0, 10.9), 16.0);
        assert_eq!(span(6.2, 15.0), 28.0);
    }

    #[test]
    fn a_key_is_deleted_where_it_was_chosen_and_nothing_is_asked() {
        let mut program = AppState::small();
        let key = |time| Keyframe {
            time,
            rotation: [0.0; 3],
            position: [0.0; 3],
        };
        let keys = Keyframes::new(vec![key(0.0), key(1.0)]).expect("two keys");
        program.document.scene_mut().sim.motion.keyframes = keys;
        let opened = program.document.opened();
        let gone = deleted(&program, opened, false);
        assert!(
            matches!(gone[..], [Command::DropKeyframe(1)]),
            "{}",
            gone.len()
        );
        assert!(
            deleted(&program, opened, true).is_empty(),
            "behind a question"
        );
        assert!(
            deleted(&program, opened + 1, false).is_empty(),
            "chosen in another scene"
        );
    }
}
