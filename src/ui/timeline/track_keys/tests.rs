//! Keys of numbers on the rail.

use super::*;
use crate::{
    sim::{MotionPreset, keyframes::Keyframe},
    ui::{
        app_state::AppState,
        timeline::{
            self,
            shown::{diamonds, shown},
        },
    },
};
use egui::{Context, Modifiers, PointerButton, Pos2, RawInput};

/// Numbers with keys at 0, 1 and 2 s.
fn program() -> AppState {
    let mut program = AppState::small();
    let tracks = &mut program.document.scene_mut().sim.tracks.keys;
    tracks.set_key("wind.strength", 0.0, 0.0);
    tracks.set_key("wind.strength", 1.0, 6.0);
    tracks.set_key("light.key", 1.0, 2.0);
    tracks.set_key("light.key", 2.0, 0.5);
    program
}

/// A frame of the bar after these events: what is asked for, and where diamonds are.
fn frame(ctx: &Context, program: &AppState, events: Vec<Event>) -> (Vec<Command>, Vec<Pos2>) {
    let screen = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 400.0));
    let input = RawInput {
        screen_rect: Some(screen),
        events,
        ..RawInput::default()
    };
    let (commands, drawn) = shown(ctx, program, input);
    (commands, diamonds(&drawn))
}

fn button(pos: Pos2, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    }
}

fn delete_pressed() -> Event {
    Event::Key {
        key: Key::Delete,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

/// Drags the diamond of that number, and rests at each of these places beside where it was.
/// `[points]`
fn drag(ctx: &Context, program: &mut AppState, number: usize, way: &[f32]) {
    let from = frame(ctx, program, Vec::new()).1[number];
    let moved = |at| vec![Event::PointerMoved(at)];
    perform(ctx, program, moved(from));
    let mut press = moved(from);
    press.push(button(from, true, Modifiers::NONE));
    perform(ctx, program, press);
    let (mut last, mut at) = (0.0, from);
    for by in way {
        for share in [0.3, 0.6, 1.0] {
            at = from + vec2(last + (by - last) * share, 0.0);
            perform(ctx, program, moved(at));
        }
        last = *by;
    }
    perform(ctx, program, vec![button(at, false, Modifiers::NONE)]);
    program.release();
}

/// Carries out what a frame asks for.
fn perform(ctx: &Context, program: &mut AppState, events: Vec<Event>) {
    for command in frame(ctx, program, events).0 {
        program.perform(command);
    }
}

fn times(program: &AppState) -> Vec<f64> {
    program.document.scene().sim.tracks.keys.times()
}

#[test]
fn keys_of_numbers_are_seen_once_a_time_and_told_of() {
    let ctx = Context::default();
    let mut program = program();
    let scene = program.document.scene();
    assert!(timeline::height(scene, &program.session) > 0.0);
    for _ in 0..3 {
        frame(&ctx, &program, Vec::new());
    }
    assert_eq!(frame(&ctx, &program, Vec::new()).1.len(), 3);
    let told = describe(
        &scene.sim.tracks.keys,
        (1.0, TimeUnit::Seconds),
        &scene.sections(),
    );
    let wanted = "1.00 s\nStrength (wind.strength): 6 m/s\nKey (light.key): 2 x";
    assert_eq!(told, wanted);
    let tracks = &mut program.document.scene_mut().sim.tracks.keys;
    tracks.set_interpolation("wind.strength", 1.0, KeyInterpolation::Hold);
    let told = describe(tracks, (1.0, TimeUnit::Seconds), &[]);
    assert_eq!(told, "1.00 s");
    let scene = program.document.scene();
    let told = describe(
        &scene.sim.tracks.keys,
        (1.0, TimeUnit::Seconds),
        &scene.sections(),
    );
    assert!(told.contains("6 m/s, then hold\n"), "{told}");
    program.document.scene_mut().sim.tracks.keys = Tracks::default();
    assert!(frame(&ctx, &program, Vec::new()).1.is_empty());
}

#[test]
fn keys_of_a_time_are_dragged_copied_and_deleted_together() {
    let ctx = Context::default();
    let mut program = program();
    for _ in 0..3 {
        frame(&ctx, &program, Vec::new());
    }
    let all = frame(&ctx, &program, Vec::new()).1;
    let second = all[1].x - all[0].x;
    drag(&ctx, &mut program, 1, &[0.5 * second]);
    let moved = times(&program);
    assert!(
        moved.len() == 3 && (moved[1] - 1.5).abs() < 0.02,
        "{moved:?}"
    );
    let tracks = &program.document.scene().sim.tracks.keys;
    assert!(
        tracks
            .tracks()
            .iter()
            .all(|track| track.key_at(moved[1]).is_some())
    );
    program.perform(Command::Undo);
    assert_eq!(
        times(&program),
        [0.0, 1.0, 2.0],
        "a drag is one step to undo"
    );

    // The one that was dragged last is chosen.
    drag(&ctx, &mut program, 2, &[0.25 * second]);
    assert_eq!(times(&program).len(), 3);
    perform(&ctx, &mut program, vec![delete_pressed()]);
    assert_eq!(times(&program), [0.0, 1.0]);
}

#[test]
fn keys_are_dragged_over_those_of_other_numbers() {
    let ctx = Context::default();
    let mut program = program();
    for _ in 0..3 {
        frame(&ctx, &program, Vec::new());
    }
    let all = frame(&ctx, &program, Vec::new()).1;
    let second = all[1].x - all[0].x;
    // To 0 s, where the wind has a key, and out again.
    let way = [-2.0 * second, -2.0 * second, -1.5 * second];
    drag(&ctx, &mut program, 2, &way);
    let moved = times(&program);
    assert!(
        moved.len() == 3 && moved[0] == 0.0 && (moved[1] - 0.5).abs() < 0.02,
        "{moved:?}"
    );
}

#[test]
fn a_key_of_the_head_that_is_dragged_is_chosen_alone() {
    let ctx = Context::default();
    let mut program = program();
    let key = |time| Keyframe {
        time,
        rotation: [0.0; 3],
        position: [0.0; 3],
    };
    let motion = &mut program.document.scene_mut().sim.motion;
    motion.keyframes = Keyframes::new(vec![key(0.0), key(1.5)]).expect("two keys");
    motion.preset = MotionPreset::Keyframes;
    for _ in 0..3 {
        frame(&ctx, &program, Vec::new());
    }
    // The head's come first.
    let all = frame(&ctx, &program, Vec::new()).1;
    assert_eq!(all.len(), 5);
    drag(&ctx, &mut program, 4, &[12.0]);
    let second = (all[1].x - all[0].x) / 1.5;
    drag(&ctx, &mut program, 1, &[-0.3 * second]);
    let before = times(&program);
    perform(&ctx, &mut program, vec![delete_pressed()]);
    let head = &program.document.scene().sim.motion.keyframes;
    assert_eq!(head.keys().len(), 1);
    assert_eq!(times(&program), before);
}

#[test]
fn all_numbers_with_keys_get_one_at_a_time() {
    let mut program = program();
    let tracks = program.document.scene().sim.tracks.keys.clone();
    program.perform(key_all(&tracks, 0.5));
    let tracks = &program.document.scene().sim.tracks.keys;
    let value = |name| {
        let track = tracks.of(name).expect("a track");
        track.keys()[track.key_at(0.5).expect("a key")].value
    };
    assert_eq!([value("wind.strength"), value("light.key")], [3.0, 2.0]);
    program.perform(delete(&program.document.scene().sim.tracks.keys, 1.0));
    assert_eq!(times(&program), [0.0, 0.5, 2.0]);
}

#[test]
fn all_keys_of_a_time_go_on_alike() {
    let mut program = program();
    let tracks = |program: &AppState| program.document.scene().sim.tracks.keys.clone();
    let smooth = Some(KeyInterpolation::Smooth);
    assert_eq!(interpolation_at(&tracks(&program), 1.0), smooth);
    program.perform(go_on(&tracks(&program), 1.0, KeyInterpolation::Linear));
    let linear = Some(KeyInterpolation::Linear);
    assert_eq!(interpolation_at(&tracks(&program), 1.0), linear);
    assert_eq!(interpolation_at(&tracks(&program), 0.0), smooth);
    let mut mixed = tracks(&program);
    mixed.set_interpolation("light.key", 1.0, KeyInterpolation::Hold);
    assert_eq!(interpolation_at(&mixed, 1.0), None);
    program.perform(Command::Undo);
    assert_eq!(interpolation_at(&tracks(&program), 1.0), smooth);
}

#[test]
fn keys_are_pasted_at_the_present_time_where_they_mean_something() {
    let program = program();
    let paste = |text: &str| {
        let (ctx, mut commands) = (Context::default(), Vec::new());
        let input = RawInput {
            events: vec![Event::Paste(text.into())],
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            let (scene, mut hand) = (program.document.scene(), TrackHand::default());
            commands.clear();
            let there = (1.25, TimeUnit::Seconds);
            by_keyboard(ui.ctx(), scene, there, &mut hand, &mut commands);
        });
        output.textures_delta.clear();
        commands
    };
    let pasted = paste("wind.strength 1 6; light.key 1 2");
    let [
        Command::ReplaceTracks {
            tracks,
            held: false,
        },
    ] = &pasted[..]
    else {
        panic!("{pasted:?}");
    };
    assert_eq!(tracks.times(), [0.0, 1.0, 1.25, 2.0]);
    for other in [
        "wind.zeal 1 6",
        "wind.strength 1 600",
        "a sentence",
        "1 2 3 4 5 6 7",
    ] {
        assert!(paste(other).is_empty(), "{other}");
    }
}
