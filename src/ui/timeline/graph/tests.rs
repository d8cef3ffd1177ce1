//! The graph of a number, used as a person does.

use super::*;
use crate::{
    param::KeyInterpolation,
    sim::{
        MotionPreset,
        keyframes::{Keyframe, Keyframes},
    },
    ui::{
        app_state::AppState,
        timeline::{
            self,
            shown::{diamonds, shown},
        },
    },
};
use egui::{Modifiers, PointerButton, RawInput, Shape as Drawn};

const WIND: &str = "wind.strength";

/// A window with the bar in it, and what was done last.
struct Bench {
    ctx: Context,
    program: AppState,
    modifiers: Modifiers,
    time: f64,
    size: [f32; 2],
}

impl Bench {
    /// The graph of the wind's strength, with these keys.
    fn new(keys: &[(f64, f64)]) -> Self {
        let mut program = AppState::small();
        let tracks = &mut program.document.scene_mut().sim.tracks.keys;
        for (time, value) in keys {
            tracks.set_key(WIND, *time, *value);
        }
        program.perform(Command::ShowGraph(Some(WIND.into())));
        let mut bench = Self {
            ctx: Context::default(),
            program,
            modifiers: Modifiers::NONE,
            time: 0.0,
            size: [960.0, 600.0],
        };
        bench.rest();
        bench
    }

    /// A few frames without a hand, until all is there that comes gently.
    fn rest(&mut self) {
        self.frame(Vec::new());
        self.time += 1.0;
        for _ in 0..3 {
            self.frame(Vec::new());
        }
    }

    /// A frame after these events, whose commands are carried out: what was drawn.
    fn frame(&mut self, events: Vec<Event>) -> Vec<Drawn> {
        let screen = Rect::from_min_size(Pos2::ZERO, self.size.into());
        self.time += 0.02;
        let input = RawInput {
            screen_rect: Some(screen),
            time: Some(self.time),
            events: [vec![Event::ModifiersChanged(self.modifiers)], events].concat(),
            ..RawInput::default()
        };
        let (commands, drawn) = shown(&self.ctx, &self.program, input);
        for command in commands {
            self.program.perform(command);
        }
        drawn
    }

    /// The diamonds of the graph: the last that are drawn.
    fn keys(&mut self) -> Vec<Pos2> {
        let count = self.track().map_or(0, |keys| keys.len());
        let drawn = self.frame(Vec::new());
        let all = diamonds(&drawn);
        all[all.len() - count..].to_vec()
    }

    /// The curve: the longest line.
    fn curve(&mut self) -> Vec<Pos2> {
        let drawn = self.frame(Vec::new());
        let lines = drawn.into_iter().filter_map(|shape| match shape {
            Drawn::Path(path) if !path.closed => Some(path.points),
            _ => None,
        });
        lines.max_by_key(Vec::len).expect("a curve")
    }

    fn track(&self) -> Option<Vec<(f64, f64)>> {
        let track = self.program.document.scene().sim.tracks.keys.of(WIND)?;
        let keys = track.keys().iter();
        Some(keys.map(|key| (key.time, key.value)).collect())
    }

    fn moved(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) {
        self.frame(vec![Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: self.modifiers,
        }]);
    }

    fn click(&mut self, at: Pos2, button: PointerButton) {
        self.moved(at);
        self.button(at, button, true);
        self.button(at, button, false);
        self.program.release();
    }

    fn drag(&mut self, from: Pos2, by: egui::Vec2) {
        self.moved(from);
        self.button(from, PointerButton::Primary, true);
        for share in [0.2, 0.5, 0.8, 1.0] {
            self.moved(from + by * share);
        }
        self.button(from + by, PointerButton::Primary, false);
        self.program.release();
        self.moved(Pos2::ZERO);
    }

    fn press(&mut self, key: Key) {
        self.frame(vec![Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }]);
    }
}

const KEYS: [(f64, f64); 3] = [(0.0, 0.0), (1.0, 6.0), (2.0, 2.0)];

#[test]
fn a_drag_in_the_graph_moves_a_key_in_time_and_value_and_is_one_step_to_undo() {
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    assert_eq!(keys.len(), 3);
    // Times to the right as on the rail, values upward.
    let second = keys[1].x - keys[0].x;
    assert!((keys[2].x - keys[1].x - second).abs() < 0.5);
    let unit = (keys[0].y - keys[1].y) / 6.0;
    assert!(unit > 5.0 && (keys[0].y - keys[2].y - 2.0 * unit).abs() < 0.5);
    bench.drag(keys[1], vec2(0.5 * second, unit));
    let moved = bench.track().expect("keys");
    assert_eq!(moved.len(), 3);
    assert!((moved[1].0 - 1.5).abs() < 0.02, "{moved:?}");
    assert!((moved[1].1 - 5.0).abs() < 0.2, "{moved:?}");
    bench.program.perform(Command::Undo);
    assert_eq!(bench.track().expect("keys"), KEYS);

    // Over another key it gives way to that, and no value leaves the number's range.
    let keys = bench.keys();
    bench.drag(keys[1], vec2(-second, 2000.0));
    assert_eq!(bench.track().expect("keys")[..2], [(0.0, 0.0), (0.01, 0.0)]);
    bench.program.perform(Command::Undo);
    let keys = bench.keys();
    bench.drag(keys[1], vec2(0.0, -3000.0));
    assert_eq!(bench.track().expect("keys")[1], (1.0, 50.0));
    bench.program.perform(Command::Undo);
    assert_eq!(bench.track().expect("keys"), KEYS);
}

#[test]
fn shift_keeps_one_of_time_and_value_and_alt_leaves_the_key_and_moves_a_copy() {
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    let (second, unit) = (keys[1].x - keys[0].x, (keys[0].y - keys[1].y) / 6.0);
    bench.modifiers = Modifiers::SHIFT;
    bench.drag(keys[1], vec2(0.5 * second, 0.4 * unit));
    let moved = bench.track().expect("keys");
    assert!(
        (moved[1].0 - 1.5).abs() < 0.02 && moved[1].1 == 6.0,
        "{moved:?}"
    );
    bench.program.perform(Command::Undo);
    let keys = bench.keys();
    bench.drag(keys[1], vec2(3.0, 2.0 * unit));
    let moved = bench.track().expect("keys");
    assert!(
        moved[1].0 == 1.0 && (moved[1].1 - 4.0).abs() < 0.2,
        "{moved:?}"
    );
    bench.program.perform(Command::Undo);
    bench.modifiers = Modifiers::ALT;
    let keys = bench.keys();
    bench.drag(keys[1], vec2(0.5 * second, 0.0));
    let copied = bench.track().expect("keys");
    assert_eq!(copied.len(), 4);
    assert!(copied[1] == KEYS[1] && copied[2].1 == 6.0, "{copied:?}");
}

#[test]
fn a_double_click_on_the_curve_adds_a_key_there_and_delete_takes_it_away() {
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    let track = bench.program.document.scene().sim.tracks.keys.of(WIND);
    let wanted = track.expect("keys").at(0.5);
    let curve = bench.curve();
    let middle = 0.5 * (keys[0].x + keys[1].x);
    let near = |a: &&Pos2, b: &&Pos2| {
        let [a, b] = [a, b].map(|at| (at.x - middle).abs());
        a.total_cmp(&b)
    };
    let at = *curve.iter().min_by(near).expect("points") + vec2(0.0, 4.0);
    for _ in 0..2 {
        bench.click(at, PointerButton::Primary);
    }
    let more = bench.track().expect("keys");
    assert_eq!(more.len(), 4);
    let (time, value) = more[1];
    assert!(
        (time - 0.5).abs() < 0.02 && (value - wanted).abs() < 0.2,
        "{more:?}"
    );
    // It is chosen.
    bench.press(Key::Delete);
    assert_eq!(bench.track().expect("keys"), KEYS);
    bench.press(Key::Delete);
    assert_eq!(
        bench.track().expect("keys"),
        KEYS,
        "nothing is chosen any more"
    );
    // Far from the curve it is added where the mouse is.
    bench.time += 2.0;
    for _ in 0..2 {
        bench.click(pos2(middle, keys[1].y), PointerButton::Primary);
    }
    let added = bench.track().expect("keys")[1];
    assert!((added.1 - 6.0).abs() < 0.2, "{added:?}");
    bench.program.perform(Command::Undo);
    assert_eq!(bench.track().expect("keys"), KEYS);
}

#[test]
fn a_key_chosen_in_the_graph_is_the_only_one_that_delete_takes_away() {
    let mut bench = Bench::new(&KEYS);
    let scene = bench.program.document.scene_mut();
    scene.sim.tracks.keys.set_key("light.key", 1.0, 2.0);
    bench.rest();
    // The rail's diamond of 1 s is that of both numbers.
    let rail = 600.0 - 12.0 - 20.0;
    let keys = bench.keys();
    bench.click(pos2(keys[1].x, rail), PointerButton::Primary);
    let keys = bench.keys();
    bench.click(keys[1], PointerButton::Primary);
    bench.press(Key::Delete);
    assert_eq!(bench.track().expect("keys"), [KEYS[0], KEYS[2]]);
    let tracks = &bench.program.document.scene().sim.tracks.keys;
    assert!(tracks.of("light.key").is_some());
}

#[test]
fn the_menu_of_a_key_lets_it_go_on_otherwise() {
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    bench.click(keys[0], PointerButton::Secondary);
    let mut words = |wanted: &str| {
        let drawn = bench.frame(Vec::new());
        let mut texts = drawn.iter().filter_map(|shape| match shape {
            Drawn::Text(text) => Some((text.galley.text().to_string(), text.pos)),
            _ => None,
        });
        texts.find(|(text, _)| text == wanted).map(|(_, at)| at)
    };
    words("Hold");
    let at = words("Hold").expect("a row of the menu");
    bench.click(at + vec2(4.0, 4.0), PointerButton::Primary);
    let track = bench.program.document.scene().sim.tracks.keys.of(WIND);
    let track = track.expect("keys").clone();
    let all: Vec<_> = track.keys().iter().map(|key| key.interpolation).collect();
    let (hold, smooth) = (KeyInterpolation::Hold, KeyInterpolation::Smooth);
    assert_eq!(all, [hold, smooth, smooth]);
    assert_eq!(track.at(0.99), 0.0);
    // The curve is what the simulation sees: level, then straight up.
    let keys = bench.keys();
    let curve = bench.curve();
    let level = curve.iter().filter(|at| at.x < keys[1].x - 0.5);
    assert!(level.clone().count() > 20);
    assert!(level.clone().all(|at| (at.y - keys[0].y).abs() < 0.1));
    bench.program.perform(Command::Undo);
    let track = bench.program.document.scene().sim.tracks.keys.of(WIND);
    assert_eq!(track.expect("keys").keys()[0].interpolation, smooth);
}

#[test]
fn one_key_is_a_level_line_that_can_be_dragged() {
    let mut bench = Bench::new(&[(1.0, 6.0)]);
    let keys = bench.keys();
    assert_eq!(keys.len(), 1);
    let curve = bench.curve();
    assert!(curve.len() > 100);
    assert!(curve.iter().all(|at| (at.y - keys[0].y).abs() < 0.1));
    bench.drag(keys[0], vec2(0.0, -30.0));
    let moved = bench.track().expect("its key");
    assert!(moved[0].0 == 1.0 && moved[0].1 > 7.0, "{moved:?}");
    bench.program.perform(Command::Undo);
    assert_eq!(bench.track().expect("its key"), [(1.0, 6.0)]);
    // Without it there is no graph, and the picture is whole again.
    let keys = bench.keys();
    bench.click(keys[0], PointerButton::Primary);
    bench.press(Key::Delete);
    assert_eq!(bench.track(), None);
    bench.frame(Vec::new());
    // Another key does not open it by itself.
    assert_eq!(bench.program.ui.keyed.graph, None);
}

#[test]
fn the_graph_takes_its_room_from_the_picture_while_it_is_shown() {
    let mut bench = Bench::new(&KEYS);
    let room = |bench: &Bench| {
        let screen = Rect::from_min_size(Pos2::ZERO, bench.size.into());
        let (scene, session) = (bench.program.document.scene(), &bench.program.session);
        let graph = bench.program.ui.keyed.graph.as_deref();
        screen.bottom() - timeline::above_graph(screen, scene, session, graph).bottom()
    };
    assert_eq!(room(&bench), 180.0);
    bench.size = [560.0, 300.0];
    bench.rest();
    assert_eq!((room(&bench), bench.keys().len()), (110.0, 3));
    let keys = bench.keys();
    assert!(
        keys.iter()
            .all(|at| at.y > 100.0 && at.x > 12.0 && at.x < 548.0)
    );
    bench.program.perform(Command::Escape);
    assert_eq!(bench.program.ui.keyed.graph, None);
    assert_eq!(room(&bench), 0.0);
    bench
        .program
        .perform(Command::ShowGraph(Some("wind.zeal".into())));
    assert_eq!(room(&bench), 0.0);
    bench.frame(Vec::new());
}

#[test]
fn a_jump_where_keyframes_repeat_is_seen() {
    let mut bench = Bench::new(&[(0.0, 0.0), (1.0, 6.0)]);
    let jumps = |bench: &mut Bench| {
        let warn = bench.ctx.global_style().visuals.warn_fg_color;
        let drawn = bench.frame(Vec::new());
        let circle = |shape: &Drawn| matches!(shape, Drawn::Circle(c) if c.stroke.color == warn);
        drawn.iter().any(circle)
    };
    assert!(!jumps(&mut bench), "nothing repeats");
    let key = |time| Keyframe {
        time,
        rotation: [0.0; 3],
        position: [0.0; 3],
    };
    let motion = &mut bench.program.document.scene_mut().sim.motion;
    motion.keyframes = Keyframes::new(vec![key(0.0), key(2.0)]).expect("two keys");
    (motion.preset, motion.repeat) = (MotionPreset::Keyframes, true);
    assert!(jumps(&mut bench));
    let tracks = &mut bench.program.document.scene_mut().sim.tracks.keys;
    tracks.set_key(WIND, 2.0, 0.0);
    assert!(!jumps(&mut bench), "it ends as it begins");
}

#[test]
fn a_drag_ends_with_the_graph() {
    let mut fresh = Bench::new(&[KEYS[0], KEYS[1], KEYS[2], (20.0, 1.0)]);
    fresh.program.perform(Command::ShowGraph(None));
    fresh.rest();
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    bench.moved(keys[1]);
    bench.button(keys[1], PointerButton::Primary, true);
    bench.moved(keys[1] - vec2(0.0, 20.0));
    bench.program.perform(Command::Escape);
    let tracks = &mut bench.program.document.scene_mut().sim.tracks.keys;
    tracks.set_key(WIND, 20.0, 1.0);
    bench.rest();
    // The rail shows later keys at once, though the button is down.
    let [now, wanted] = [bench.keys(), fresh.keys()];
    assert!((now[3].x - wanted[3].x).abs() < 0.5, "{now:?} {wanted:?}");
}

#[test]
fn a_double_click_over_a_key_chooses_it_as_it_is() {
    let mut bench = Bench::new(&KEYS);
    let keys = bench.keys();
    let at = keys[1] + vec2(0.0, 40.0);
    for _ in 0..2 {
        bench.click(at, PointerButton::Primary);
    }
    assert_eq!(bench.track().expect("keys"), KEYS);
    bench.press(Key::Delete);
    assert_eq!(bench.track().expect("keys"), [KEYS[0], KEYS[2]]);
}
