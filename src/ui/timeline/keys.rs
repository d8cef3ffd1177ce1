//! Keys on their way through time, with the play head: those of the head ([`head_keys`]), of
//! numbers ([`track_keys`]), and the end of the shot ([`shot_end`]) on one rail.

use super::{
    TimelineView, buttons, chip,
    graph::{self, GraphHand},
    head_keys::{self, HeadHand},
    key_entry::{EntryTarget, KeyEntry},
    present,
    rail::{RailScale, play_head, reach, sought, span, ticks},
    shot_end::{self, EndHand},
    switches, to_start,
    track_keys::{self, TrackHand},
};
use crate::{
    param::Tracks,
    project::{document::Document, scene::Scene},
    session::Session,
    sim::{MotionPreset, keyframes::Keyframes},
    ui::{command::Command, icons::Icon, theme, time_unit::TimeUnit},
};
use egui::{Align, CursorIcon, Id, Layout, Pos2, Rect, Response, Sense, Ui, pos2, vec2};

/// With less room for rail and time there is no button for the graph. `[points]`
const ROOMY: f32 = 220.0;

/// The play head is taken hold of so far on both sides. `[points]`
const GRIP: f32 = 6.0;

/// What one does with the keys.
#[derive(Clone, Default)]
struct Hand {
    /// Of the scene whose keys these are, how many took the place of others before it.
    opened: u64,
    head: HeadHand,
    tracks: TrackHand,
    graph: GraphHand,
    end: EndHand,
    /// The popup that is open.
    entry: Option<KeyEntry>,
}

impl Hand {
    /// What is chosen: keys of the head, of numbers, and of one number in its graph.
    fn all_chosen(&self) -> [Option<f64>; 3] {
        [
            self.head.chosen(),
            self.tracks.chosen(),
            self.graph.chosen(),
        ]
    }

    /// Lets go of what was chosen `before` where something else is now.
    fn keep_newest(&mut self, before: [Option<f64>; 3]) {
        let now = self.all_chosen();
        let new = (0..3).find(|i| now[*i].is_some() && now[*i] != before[*i]);
        let Some(new) = new else { return };
        if new != 0 {
            self.head.choose(None);
        }
        if new != 1 {
            self.tracks.choose(None);
        }
        if new != 2 {
            self.graph.let_go();
        }
    }

    /// How much the rail shows while something is dragged along it. `[s]`
    fn dragged_span(&self) -> Option<f64> {
        let head = self.head.dragged_span().or(self.end.dragged_span());
        head.or(self.tracks.dragged_span())
            .or(self.graph.dragged_span())
    }
}

/// The bar's inside: buttons, rail and time, and over them the graph of a number in its place.
pub fn show(
    ui: &mut Ui,
    (document, session): (&Document, &Session),
    view: TimelineView,
    graph: Option<(&str, Rect)>,
    commands: &mut Vec<Command>,
) {
    let scene = document.scene();
    let (motion, tracks) = (&scene.sim.motion, &scene.sim.tracks.keys);
    let (of_head, unit) = (moves_by_keys(scene), view.unit);
    chip(ui, "KEYS").on_hover_text(format!(
        "The head's keyframes, and as smaller diamonds those of numbers. Double-click on the \
         timeline: {}. Drag a key: another time; with Alt: a copy{}. Double-click on a key: type \
         its time. Ctrl+C copies the chosen key, Ctrl+V puts it at the present time, Delete \
         takes it away. A drag of the play head goes through time: what is still to come is \
         simulated. Right click: where the shot ends",
        adds(of_head),
        match unit {
            TimeUnit::Seconds => "",
            TimeUnit::Frames(_) => "; with Ctrl: between frames, too",
        }
    ));
    to_start(ui, commands);
    buttons(ui, session.is_paused(), commands);
    // What moves goes smoothly; where time stands still, keys are set at whole frames.
    let exact = session.track_time(motion);
    let key_time = view.key_time;
    let now = match session.is_paused() {
        true => key_time,
        false => exact,
    };
    let place = unit.place(key_time, tracks);
    let told = unit.text(match of_head {
        true => unit.head_place(key_time, &motion.keyframes),
        false => place,
    });
    let set = ui.small_button("+ Key").on_hover_text(match of_head {
        true => format!("The head as it is turned and moved now becomes a key at {told}"),
        false => format!("All numbers with keys get one at {told}"),
    });
    if set.clicked() {
        commands.push(match of_head {
            true => Command::SetKeyframe,
            false => track_keys::key_all(tracks, place),
        });
    }
    if !tracks.is_empty() && ui.available_width() > ROOMY {
        graph_button(ui, tracks, graph.map(|(number, _)| number), commands);
    }
    if ui.available_width() > ROOMY {
        switches::show(ui, scene, [view.auto_key, view.looping], commands);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let length = motion.keyframes.span(motion.repeat);
        let round = (of_head && motion.repeat && now <= length).then_some(length);
        let clock = match (round, session.is_paused()) {
            (Some(_), _) => now,
            // Keys that repeat are counted on.
            (None, true) => session.clip_time() - exact + now,
            (None, false) => session.clip_time(),
        };
        present::show(ui, unit, clock, round, commands);
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
        let times = PresentTimes { exact, shown: now };
        let scale = track(ui, (scene, session), (unit, times), &mut hand, commands);
        if let Some((number, place)) = graph {
            let there = (scene, now, unit);
            graph::show(ui, place, &scale, there, number, &mut hand.graph, commands);
        }
        hand.keep_newest(before);
        if !view.asked && !ui.ctx().egui_wants_keyboard_input() {
            let there = (key_time, unit);
            if of_head {
                let keys = &motion.keyframes;
                head_keys::by_keyboard(ui.ctx(), keys, there, &mut hand.head, commands);
            }
            track_keys::by_keyboard(ui.ctx(), scene, there, &mut hand.tracks, commands);
            if let Some((number, _)) = graph {
                graph::by_keyboard(ui.ctx(), scene, number, &mut hand.graph, commands);
            }
        }
        typed(ui, (scene, view), &scale, &mut hand, commands);
        ui.data_mut(|data| data.insert_temp(id, hand));
    });
}

/// The present time among the keys. `[s]`
#[derive(Clone, Copy)]
struct PresentTimes {
    /// As the simulation has it.
    exact: f64,
    /// As it is shown: while time stands still at a whole frame, where frames are counted.
    shown: f64,
}

/// The popup in which a key's time and value are typed: opened where that is asked for, and
/// shown.
fn typed(
    ui: &Ui,
    (scene, view): (&Scene, TimelineView),
    scale: &RailScale,
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) {
    let place = |time: f64| pos2(scale.x(time), scale.rail.center().y);
    let of_head = hand.head.take_typed().or(hand.tracks.take_typed());
    let of_rail = of_head.or(hand.end.take_typed()).map(|target| {
        let at = place(target.time());
        (target, at)
    });
    let asked: Option<(EntryTarget, Pos2)> = of_rail.or(hand.graph.take_typed());
    if let Some((target, at)) = asked {
        hand.entry = Some(KeyEntry::new(target, at, scene, view.unit));
    }
    let stays = match &mut hand.entry {
        Some(entry) => !view.asked && entry.show(ui.ctx(), scene, view.unit, commands),
        None => false,
    };
    if !stays {
        hand.entry = None;
    }
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
    (scene, session): (&Scene, &Session),
    (unit, now): (TimeUnit, PresentTimes),
    hand: &mut Hand,
    commands: &mut Vec<Command>,
) -> RailScale {
    let (motion, tracks) = (&scene.sim.motion, &scene.sim.tracks.keys);
    let none = Keyframes::default();
    let keys = match moves_by_keys(scene) {
        true => &motion.keyframes,
        false => &none,
    };
    let end = shot_end::end(scene).unwrap_or(0.0);
    let last = keys.span(motion.repeat).max(tracks.end()).max(end);
    let span = hand.dragged_span().unwrap_or(span(last, now.exact));
    let width = (ui.available_width() - 4.0).max(60.0);
    let (rect, back) = ui.allocate_exact_size(vec2(width, 28.0), Sense::click_and_drag());
    let rail = Rect::from_center_size(rect.center(), vec2(rect.width() - 18.0, 4.0));
    let scale = RailScale { rail, span };
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rail, 2, theme::FIELD);
    let reach = reach(session, now.exact);
    if let Some([from, to]) = reach {
        let part = Rect::from_x_y_ranges(scale.x(from)..=scale.x(to), rail.y_range());
        painter.rect_filled(part, 2, theme::ACCENT_DIM);
    }
    shot_end::shade(&painter, &scale, rect, scene);
    ticks(&painter, &scale, unit);
    if let Some(ahead) = session.now().ahead {
        let x = scale.x(ahead - session.now().time + now.exact);
        sought(&painter, rect, x);
    }
    play_head(&painter, rect, scale.x(now.shown));
    let there = (scene, session, now.exact);
    on_rail(&back, (&scale, unit), reach, there, &mut hand.end, commands);
    let (there, what) = ((rect, &scale), (scene, unit));
    let records = session.recorder().is_recording();
    shot_end::show(ui, there, what, records, &mut hand.end, commands);
    let before = hand.all_chosen();
    head_keys::show(ui, (&scale, unit), keys, &mut hand.head, commands);
    hand.keep_newest(before);
    let before = hand.all_chosen();
    track_keys::show(ui, (&scale, unit), scene, keys, &mut hand.tracks, commands);
    hand.keep_newest(before);
    let at = now.shown;
    let on_key = hand.head.chosen().or(hand.tracks.chosen());
    if session.is_paused() && on_key.is_none_or(|key| (scale.x(key) - scale.x(at)).abs() > GRIP) {
        drag_play_head(ui, (rect, &scale), unit, (session, now), reach, commands);
    }
    scale
}

/// The play head is dragged, also where a key lies under it that is not chosen.
fn drag_play_head(
    ui: &Ui,
    (rect, scale): (Rect, &RailScale),
    unit: TimeUnit,
    (session, now): (&Session, PresentTimes),
    reach: Option<[f64; 2]>,
    commands: &mut Vec<Command>,
) {
    let place = Rect::from_x_y_ranges(
        scale.x(now.shown) - GRIP..=scale.x(now.shown) + GRIP,
        rect.y_range(),
    );
    let id = ui.scope_id().with("play head");
    let head = ui.interact(place, id, Sense::drag());
    if head.hovered() || head.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if head.dragged()
        && let Some(at) = head.interact_pointer_pos()
    {
        let grid = unit.drag_grid(ui.input(|input| input.modifiers.command));
        let time = scale.time(at.x, grid);
        commands.push(seek(session, now.exact, reach, time));
    }
}

/// Goes to that time of the keys, where they are at `now`; what is still to come is simulated,
/// and what is longer ago than what is kept, not gone back to. `[s]`
fn seek(session: &Session, now: f64, reach: Option<[f64; 2]>, time: f64) -> Command {
    let first = reach.map_or(now, |[from, _]| from);
    Command::Seek(session.now().time - now + time.max(first))
}

/// Clicks and drags beside the keys.
fn on_rail(
    back: &Response,
    (scale, unit): (&RailScale, TimeUnit),
    reach: Option<[f64; 2]>,
    (scene, session, now): (&Scene, &Session, f64),
    hand: &mut EndHand,
    commands: &mut Vec<Command>,
) {
    let of_head = moves_by_keys(scene);
    let grid = unit.drag_grid(back.ctx.input(|input| input.modifiers.command));
    let at = back.interact_pointer_pos().or(back.hover_pos());
    let time = at.map(|at| scale.time(at.x, grid));
    let records = session.recorder().is_recording();
    if back.secondary_clicked() {
        hand.ask(time);
    }
    back.context_menu(|ui| shot_end::menu(ui, (scene, unit), records, hand, commands));
    let Some(time) = time else {
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
    if session.is_paused() && back.dragged() {
        commands.push(seek(session, now, reach, time));
    } else if back.clicked()
        && let Some([_, to]) = reach
    {
        // Beside the lit part one goes to its end: a double-click there sets a key.
        commands.push(seek(session, now, reach, time.min(to)));
    }
    let add = match of_head {
        true => "double-click adds a key",
        false => "double-click adds keys of all these numbers",
    };
    let told = unit.text(time);
    let text = match (within, session.is_paused()) {
        (true, _) => format!("{told}: drag to go there; {add}"),
        (false, true) if time < now => {
            format!("{told}: {add}; it is longer ago than what is kept (Rewind)")
        }
        (false, true) => format!("{told}: {add}; drag to let the hair be simulated to there"),
        (false, false) => format!("{told}: {add}; pause to drag along the timeline"),
    };
    back.clone().on_hover_text_at_pointer(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sim::keyframes::Keyframe, ui::app_state::AppState};
    use egui::{Context, Event, Key, Modifiers, RawInput};

    /// What Delete does to the second of two keys, which was chosen in the scene that
    /// `opened` counts.
    fn deleted(program: &AppState, opened: u64, asked: bool) -> Vec<Command> {
        let (ctx, mut commands) = (Context::default(), Vec::new());
        let mut hand = Hand {
            opened,
            ..Hand::default()
        };
        hand.head.choose(Some(1.0));
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
            let view = TimelineView {
                graph: None,
                unit: TimeUnit::Seconds,
                key_time: 0.0,
                auto_key: false,
                looping: false,
                asked,
            };
            show(ui, program, view, None, &mut commands);
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
