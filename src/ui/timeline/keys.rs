//! Keys on their way through time, with the play head. The head's are dragged, copied,
//! deleted and added here, those of numbers beside them in [`track_keys`].

use super::{
    buttons, chip,
    graph::{self, GraphHand},
    number,
    number_keys::copy,
    rail::{RailScale, draw_key, play_head, reach, span, ticks},
    to_start,
    track_keys::{self, TrackHand},
};
use crate::{
    param::{ParamType as _, Tracks, Value},
    project::{document::Document, scene::Scene},
    session::Session,
    sim::{
        MotionPreset,
        keyframes::{Keyframe, Keyframes},
    },
    ui::{command::Command, icons::Icon, motions, theme},
};
use egui::{
    Align, Context, CursorIcon, Event, Id, Key, Layout, Rect, Response, Sense, Ui, pos2, vec2,
};

/// Half of a key's width. `[points]`
const KEY: f32 = 6.5;

/// With less room for rail and time there is no button for the graph. `[points]`
const ROOMY: f32 = 220.0;

/// What one does with the keys.
#[derive(Clone, Default)]
struct Hand {
    /// Of the scene whose keys these are, how many took the place of others before it.
    opened: u64,
    /// Time of the key that is chosen. `[s]`
    chosen: Option<f32>,
    drag: Option<Drag>,
    tracks: TrackHand,
    graph: GraphHand,
}

impl Hand {
    /// Chooses the head's key of that time, and no other. `[s]`
    fn choose(&mut self, time: Option<f32>) {
        self.chosen = time;
        self.tracks.choose(None);
        self.graph.let_go();
    }

    /// What is chosen: keys of the head, of numbers, and of one number in its graph.
    fn all_chosen(&self) -> [Option<f64>; 3] {
        let head = self.chosen.map(f64::from);
        [head, self.tracks.chosen(), self.graph.chosen()]
    }

    /// Lets go of what was chosen `before` where something else is now.
    fn keep_newest(&mut self, before: [Option<f64>; 3]) {
        let now = self.all_chosen();
        let new = (0..3).find(|i| now[*i].is_some() && now[*i] != before[*i]);
        let Some(new) = new else { return };
        if new != 0 {
            self.chosen = None;
        }
        if new != 1 {
            self.tracks.choose(None);
        }
        if new != 2 {
            self.graph.let_go();
        }
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

/// The bar's inside: buttons, rail and time, and over them the graph of a number in its place.
/// What is `asked` has the keyboard to itself.
pub fn show(
    ui: &mut Ui,
    (document, session): (&Document, &Session),
    graph: Option<(&str, Rect)>,
    asked: bool,
    commands: &mut Vec<Command>,
) {
    let scene = document.scene();
    let (motion, tracks) = (&scene.sim.motion, &scene.sim.tracks.keys);
    let of_head = moves_by_keys(scene);
    chip(ui, "KEYS").on_hover_text(format!(
        "The head's keyframes, and as smaller diamonds those of numbers. Double-click on the \
         timeline: {}. Drag a key: another time; with Alt: a copy. Ctrl+C copies the chosen key, \
         Ctrl+V puts it at the present time, Delete takes it away",
        adds(of_head)
    ));
    to_start(ui, commands);
    buttons(ui, session.is_paused(), commands);
    let now = session.track_time(motion);
    let set = ui.small_button("+ Key").on_hover_text(match of_head {
        true => format!("The head as it is turned and moved now becomes a key at {now:.2} s"),
        false => format!("All numbers with keys get one at {now:.2} s"),
    });
    if set.clicked() {
        commands.push(match of_head {
            true => Command::SetKeyframe,
            false => track_keys::key_all(tracks, now),
        });
    }
    if !tracks.is_empty() && ui.available_width() > ROOMY {
        graph_button(ui, tracks, graph.map(|(number, _)| number), commands);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let length = motion.keyframes.span(motion.repeat);
        let text = match of_head && motion.repeat && now <= length {
            true => format!("{now:.2} / {length:.2} s"),
            false => format!("{:.2} s", session.clip_time()),
        };
        number(ui, &text, 92.0).on_hover_text("Time since the keys began; they begin anew with R");
        let id = hand_id();
        let opened = document.opened();
        let mut hand = ui
            .data(|data| data.get_temp(id))
            .filter(|hand: &Hand| hand.opened == opened)
            .unwrap_or(Hand {
                opened,
                ..Hand::default()
            });
        // A drag ends with the graph, also where the button is still down.
        let held = ui.input(|input| input.pointer.any_down());
        if graph.is_none() || !held {
            hand.graph.end_drag();
        }
        let before = hand.all_chosen();
        let scale = track(ui, scene, session, &mut hand, commands);
        if let Some((number, place)) = graph {
            let there = (scene, now);
            graph::show(ui, place, &scale, there, number, &mut hand.graph, commands);
        }
        hand.keep_newest(before);
        if !asked && !ui.ctx().egui_wants_keyboard_input() {
            if of_head {
                by_keyboard(ui.ctx(), &motion.keyframes, now, &mut hand, commands);
            }
            track_keys::by_keyboard(ui.ctx(), scene, now, &mut hand.tracks, commands);
            if let Some((number, _)) = graph {
                graph::by_keyboard(ui.ctx(), scene, number, &mut hand.graph, commands);
            }
        }
        ui.data_mut(|data| data.insert_temp(id, hand));
    });
}

/// Opens the graph of a number's keys, or closes it.
fn graph_button(ui: &mut Ui, tracks: &Tracks, open: Option<&str>, commands: &mut Vec<Command>) {
    let (colour, help) = match open {
        Some(_) => (theme::ACCENT, "Close the graph (Esc)"),
        None => (
            theme::TEXT,
            "Graph: the keys of a number over time and value",
        ),
    };
    let button = Icon::Plot.small(ui, vec2(24.0, 26.0), colour);
    if button.on_hover_text(help).clicked() {
        let first = tracks.tracks().first();
        let first = first.map(|track| track.parameter().into());
        commands.push(Command::ShowGraph(first.filter(|_| open.is_none())));
    }
}

/// Whether the head moves by its keyframes.
fn moves_by_keys(scene: &Scene) -> bool {
    scene.sim.motion.preset == MotionPreset::Keyframes
}

/// What a double-click on the rail does.
fn adds(of_head: bool) -> &'static str {
    match of_head {
        true => "a key there",
        false => "keys of all these numbers there",
    }
}

fn hand_id() -> Id {
    Id::unique("hand on the keyframes")
}

/// The rail, and all on it. Answers with what is where on it.
fn track(
    ui: &mut Ui,
    scene: &Scene,
    session: &Session,
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) -> RailScale {
    let (motion, tracks) = (&scene.sim.motion, &scene.sim.tracks.keys);
    let now = session.track_time(motion);
    let none = Keyframes::default();
    let keys = match moves_by_keys(scene) {
        true => &motion.keyframes,
        false => &none,
    };
    let fitting = span(keys.span(motion.repeat).max(tracks.end()), now);
    let span = hand.drag.as_ref().map(|drag| drag.span);
    let span = span.or(hand.tracks.dragged_span());
    let span = span.or(hand.graph.dragged_span()).unwrap_or(fitting);
    let width = (ui.available_width() - 4.0).max(60.0);
    let (rect, back) = ui.allocate_exact_size(vec2(width, 28.0), Sense::click_and_drag());
    let rail = Rect::from_center_size(rect.center(), vec2(rect.width() - 18.0, 4.0));
    let scale = RailScale { rail, span };
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rail, 2, theme::FIELD);
    let reach = reach(session, now);
    if let Some([from, to]) = reach {
        let part = Rect::from_x_y_ranges(scale.x(from)..=scale.x(to), rail.y_range());
        painter.rect_filled(part, 2, theme::ACCENT_DIM);
    }
    ticks(&painter, &scale);
    play_head(&painter, rect, scale.x(now));
    on_rail(&back, &scale, reach, (scene, session, now), commands);
    for (index, key) in keys.keys().iter().enumerate() {
        let place = Rect::from_center_size(
            pos2(scale.x(key.time.into()), rail.center().y),
            vec2(2.0 * KEY, 2.0 * KEY),
        );
        let id = ui.scope_id().with(("keyframe", index));
        let response = ui.interact(place, id, Sense::click_and_drag());
        let chosen = hand.chosen.is_some_and(|time| time == key.time);
        draw_key(&painter, place.center(), KEY, chosen, response.hovered());
        on_key(ui, &response, (index, key), &scale, keys, hand, commands);
        response.on_hover_text(motions::describe(key));
    }
    let before = hand.all_chosen();
    track_keys::show(ui, &scale, scene, keys, &mut hand.tracks, commands);
    hand.keep_newest(before);
    if hand.drag.is_some() && !ui.input(|input| input.pointer.any_down()) {
        hand.drag = None;
    }
    scale
}

/// Clicks and drags beside the keys.
fn on_rail(
    back: &Response,
    scale: &RailScale,
    reach: Option<[f64; 2]>,
    (scene, session, now): (&Scene, &Session, f64),
    commands: &mut Vec<Command>,
) {
    let of_head = moves_by_keys(scene);
    let at = back.interact_pointer_pos().or(back.hover_pos());
    let Some(time) = at.map(|at| scale.time(at.x)) else {
        return;
    };
    if back.double_clicked() {
        commands.push(match of_head {
            true => Command::AddKeyframe(time),
            false => track_keys::key_all(&scene.sim.tracks.keys, time),
        });
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
    let add = match of_head {
        true => "double-click adds a key",
        false => "double-click adds keys of all these numbers",
    };
    let text = match (within, session.is_paused()) {
        (true, _) => format!("{time:.2} s: drag to go there; {add}"),
        (false, true) => format!("{time:.2} s: {add}; only the lit part can be gone back to"),
        (false, false) => format!("{time:.2} s: {add}; pause to drag along the timeline"),
    };
    back.clone().on_hover_text_at_pointer(text);
}

/// What is done to one key.
fn on_key(
    ui: &Ui,
    response: &Response,
    (index, key): (usize, &Keyframe),
    scale: &RailScale,
    keys: &Keyframes,
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) {
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.clicked() {
        hand.choose(Some(key.time));
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
        hand.choose(new.map(|key| key.time));
        if dragged != *keys {
            commands.push(Command::SetKeyframes {
                keys: dragged,
                held: true,
            });
        }
    }
    response.context_menu(|ui| {
        hand.choose(Some(key.time));
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
            (Event::Copy, Some(index)) => copy_key(ctx, &keys.keys()[index]),
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
fn copy_key(ctx: &Context, key: &Keyframe) {
    if let Ok(one) = Keyframes::new(vec![*key]) {
        copy(ctx, &one);
    }
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
            ..Hand::default()
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
            let program = (&program.document, &program.session);
            show(ui, program, None, asked, &mut commands);
        });
        // Nobody paints it.
        output.textures_delta.clear();
        commands
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
        let motion = &mut program.document.scene_mut().sim.motion;
        (motion.keyframes, motion.preset) = (keys, MotionPreset::Keyframes);
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
