//! Time and value of a key, typed as a person does.

use super::*;
use crate::{
    sim::{
        MotionPreset,
        keyframes::{Keyframe, Keyframes},
    },
    ui::{
        app_state::AppState,
        timeline::shown::{diamonds, shown},
    },
};
use egui::{Event, Modifiers, PointerButton, RawInput, Shape, pos2};

const WIND: &str = "wind.strength";

/// A window with the bar in it.
struct Bench {
    ctx: Context,
    program: AppState,
    time: f64,
    /// What is written in it.
    texts: Vec<String>,
    modifiers: Modifiers,
}

impl Bench {
    /// One that counts frames of 24 a second; the wind has keys at frames 0, 12 and 48.
    fn new() -> Self {
        let mut program = AppState::small();
        let tracks = &mut program.document.scene_mut().sim.tracks.keys;
        for (time, value) in [(0.0, 3.0), (0.5, 6.0), (2.0, 9.0)] {
            tracks.set_key(WIND, time, value);
        }
        program.perform(Command::ShowFrames(true));
        let mut bench = Self {
            ctx: Context::default(),
            program,
            time: 0.0,
            texts: Vec::new(),
            modifiers: Modifiers::NONE,
        };
        bench.rest();
        bench
    }

    fn rest(&mut self) {
        self.time += 1.0;
        for _ in 0..4 {
            self.frame(Vec::new());
        }
    }

    /// A frame after these events, whose commands are carried out; the diamonds in it.
    fn frame(&mut self, events: Vec<Event>) -> Vec<Pos2> {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(960.0, 600.0));
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
        let texts = drawn.iter().filter_map(|shape| match shape {
            Shape::Text(text) => Some(text.galley.text().to_string()),
            _ => None,
        });
        self.texts = texts.collect();
        diamonds(&drawn)
    }

    fn press(&mut self, at: Pos2, pressed: bool) {
        self.frame(vec![Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: self.modifiers,
        }]);
    }

    fn double_click(&mut self, at: Pos2) {
        self.time += 1.0;
        self.frame(vec![Event::PointerMoved(at)]);
        for _ in 0..2 {
            self.press(at, true);
            self.press(at, false);
        }
        self.program.release();
        self.rest();
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.time += 1.0;
        self.frame(vec![Event::PointerMoved(from)]);
        self.press(from, true);
        for share in [0.3, 0.7, 1.0] {
            self.frame(vec![Event::PointerMoved(from + (to - from) * share)]);
        }
        self.press(to, false);
        self.program.release();
        self.rest();
    }

    fn key(&mut self, key: Key) {
        self.frame(vec![Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }]);
        self.frame(Vec::new());
    }

    /// Types in place of what stands in the field, and presses Enter.
    fn enter(&mut self, text: &str) {
        self.frame(vec![Event::Text(text.into())]);
        self.key(Key::Enter);
        self.rest();
    }

    fn wind(&self) -> Vec<(f64, f64)> {
        let track = self.program.document.scene().sim.tracks.keys.of(WIND);
        let keys = track.map_or(&[][..], Track::keys).iter();
        keys.map(|key| (key.time, key.value)).collect()
    }

    fn says(&self, text: &str) -> bool {
        self.texts.iter().any(|line| line.contains(text))
    }

    fn is_open(&self) -> bool {
        self.says("Esc leaves it") || self.texts.iter().any(|line| line == "Frame")
    }
}

const KEYS: [(f64, f64); 3] = [(0.0, 3.0), (0.5, 6.0), (2.0, 9.0)];

#[test]
fn the_frame_of_a_key_is_typed_and_is_one_step_to_undo() {
    let mut bench = Bench::new();
    let second = bench.frame(Vec::new())[1];
    bench.double_click(second);
    assert!(bench.is_open() && bench.says("12") && bench.says("6.00 m/s"));
    bench.enter("31");
    assert!(!bench.is_open());
    assert_eq!(bench.wind(), [KEYS[0], (31.0 / 24.0, 6.0), KEYS[2]]);
    bench.program.perform(Command::Undo);
    assert_eq!(bench.wind(), KEYS);
    // Seconds where that is said; and Esc leaves all as it is.
    bench.rest();
    bench.double_click(second);
    bench.enter("1.5 s");
    assert_eq!(bench.wind()[1], (1.5, 6.0));
    bench.program.perform(Command::Undo);
    bench.rest();
    bench.double_click(second);
    bench.frame(vec![Event::Text("7".into())]);
    bench.key(Key::Escape);
    assert!(!bench.is_open());
    assert_eq!(bench.wind(), KEYS);
}

#[test]
fn the_value_of_a_key_is_typed_with_its_unit_and_the_time_stays_between_frames() {
    let mut bench = Bench::new();
    let tracks = &mut bench.program.document.scene_mut().sim.tracks.keys;
    tracks.remove_key(WIND, 0.5);
    tracks.set_key(WIND, 0.51, 6.0);
    let second = bench.frame(Vec::new())[1];
    bench.double_click(second);
    assert!(bench.says("12.24"), "{:?}", bench.texts);
    bench.key(Key::Tab);
    bench.enter("36 km/h");
    assert_eq!(bench.wind()[1], (0.51, 10.0));
}

#[test]
fn nonsense_is_answered_with_a_word_and_changes_nothing() {
    let mut bench = Bench::new();
    let second = bench.frame(Vec::new())[1];
    for (text, word) in [
        ("soon", "That is no number"),
        ("", "That is no number"),
        ("-3", "At least 0 frames"),
        ("1e12", "At most 2073600 frames"),
        ("48", "Another key is there already"),
    ] {
        bench.double_click(second);
        if text.is_empty() {
            bench.key(Key::Delete);
        }
        bench.enter(text);
        assert!(bench.says(word), "{text}: {:?}", bench.texts);
        bench.key(Key::Escape);
        assert_eq!(bench.wind(), KEYS, "{text}");
    }
    for (text, word) in [
        ("a lot", "That is no number"),
        ("900", "At most 50 m/s"),
        ("-1", "At least 0 m/s"),
    ] {
        bench.double_click(second);
        bench.key(Key::Tab);
        bench.enter(text);
        assert!(bench.says(word), "{text}: {:?}", bench.texts);
        bench.key(Key::Escape);
        assert_eq!(bench.wind(), KEYS, "{text}");
    }
    // The key goes while its fields are open.
    bench.double_click(second);
    bench.program.document.scene_mut().sim.tracks.keys = Tracks::default();
    let tracks = &mut bench.program.document.scene_mut().sim.tracks.keys;
    tracks.set_key(WIND, 0.0, 1.0);
    bench.enter("9");
    assert!(bench.says("The key is gone"));
    assert_eq!(bench.wind(), [(0.0, 1.0)]);
}

#[test]
fn a_keyframe_of_the_head_and_the_end_of_the_shot_are_typed() {
    let mut bench = Bench::new();
    let scene = bench.program.document.scene_mut();
    scene.sim.tracks.keys = Tracks::default();
    let key = |time| Keyframe {
        time,
        rotation: [9.0, 0.0, 0.0],
        position: [0.0; 3],
    };
    let motion = &mut scene.sim.motion;
    motion.keyframes = Keyframes::new(vec![key(0.0), key(1.0)]).expect("in order");
    (motion.preset, motion.repeat) = (MotionPreset::Keyframes, false);
    let second = bench.frame(Vec::new())[1];
    bench.double_click(second);
    bench.enter("7");
    let times = |bench: &Bench| {
        let keys = &bench.program.document.scene().sim.motion.keyframes;
        keys.keys().iter().map(|key| key.time).collect::<Vec<_>>()
    };
    assert_eq!(times(&bench), [0.0, (7.0f64 / 24.0) as f32]);
    bench.program.perform(Command::Undo);
    assert_eq!(times(&bench), [0.0, 1.0]);

    // Its turns and ways, each in its unit; what is not touched stays.
    let pose = |bench: &mut Bench, texts: &[(usize, &str)]| {
        let scene = bench.program.document.scene();
        let unit = bench.program.ui.time_unit(scene);
        let mut entry = KeyEntry::new(EntryTarget::Head(1.0), Pos2::ZERO, scene, unit);
        assert_eq!(entry.values[0].text, "9.0°");
        for (index, text) in texts {
            entry.values[*index].text = (*text).into();
        }
        let applied = entry.applied(scene, unit)?;
        applied.into_iter().for_each(|c| bench.program.perform(c));
        let key = bench.program.document.scene().sim.motion.keyframes.keys()[1];
        Ok::<Keyframe, String>(key)
    };
    assert_eq!(
        pose(&mut bench, &[(1, "-12.5"), (4, "3 cm")]),
        Ok(Keyframe {
            time: 1.0,
            rotation: [9.0, -12.5, 0.0],
            position: [0.0, 0.03, 0.0],
        })
    );
    assert!(pose(&mut bench, &[(2, "askew")]).is_err());
    bench.program.perform(Command::Undo);

    let apply = |bench: &mut Bench, text: &str| {
        let scene = bench.program.document.scene();
        let unit = bench.program.ui.time_unit(scene);
        let mut entry = KeyEntry::new(EntryTarget::End(0.0), Pos2::ZERO, scene, unit);
        entry.time.text = text.into();
        let applied = entry.applied(scene, unit)?;
        applied.into_iter().for_each(|c| bench.program.perform(c));
        Ok::<(), String>(())
    };
    assert_eq!(apply(&mut bench, "96"), Ok(()));
    let capture = |bench: &Bench| bench.program.document.scene().capture.frames();
    assert_eq!(capture(&bench), Some(96));
    assert_eq!(
        apply(&mut bench, "99999"),
        Err("At most 2880 frames".into())
    );
    bench.program.perform(Command::Undo);
    assert_eq!(capture(&bench), None);
}

#[test]
fn a_drag_goes_to_whole_frames_and_with_ctrl_between_them() {
    let mut bench = Bench::new();
    let keys = bench.frame(Vec::new());
    let second = (keys[2].x - keys[0].x) / 2.0;
    // Somewhere near frame 30.
    let there = pos2(keys[0].x + 1.262 * second, keys[1].y);
    bench.drag(keys[1], there);
    assert_eq!(bench.wind()[1], (30.0 / 24.0, 6.0));
    bench.program.perform(Command::Undo);
    assert_eq!(bench.wind(), KEYS);
    bench.rest();
    bench.modifiers = Modifiers::COMMAND;
    bench.drag(keys[1], there);
    let time = bench.wind()[1].0;
    assert!((time - 1.26).abs() < 0.02, "{time}");
    assert_eq!((100.0 * time).round() / 100.0, time);
    assert!((24.0 * time - (24.0 * time).round()).abs() > 1e-3, "{time}");
}

#[test]
fn the_end_of_the_shot_is_dragged_by_frames_and_is_one_step_to_undo() {
    let mut bench = Bench::new();
    bench.program.document.scene_mut().capture.seconds = 1.5;
    bench.rest();
    let keys = bench.frame(Vec::new());
    let second = (keys[2].x - keys[0].x) / 2.0;
    let at = |time: f32| pos2(keys[0].x + time * second, keys[0].y - 11.0);
    bench.drag(at(1.5), at(1.012));
    let seconds = |bench: &Bench| bench.program.document.scene().capture.seconds;
    assert_eq!(seconds(&bench), 1.0);
    assert_eq!(bench.program.document.scene().capture.frames(), Some(24));
    bench.program.perform(Command::Undo);
    assert_eq!(seconds(&bench), 1.5);
    // It never comes to nothing.
    bench.rest();
    bench.drag(at(1.5), at(-0.5));
    assert_eq!(seconds(&bench), 1.0 / 24.0);
    assert_eq!(bench.wind(), KEYS);
}
