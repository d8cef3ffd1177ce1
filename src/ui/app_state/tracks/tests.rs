//! Numbers with keys: what is done to them becomes a key.

use super::*;
use crate::{
    project::sides::Side,
    sim::solver::PbdParams,
    ui::{command::Command, gesture::Turn},
};
use std::{
    thread,
    time::{Duration, Instant},
};

fn keyed(names: &[(&str, &[(f64, f64)])]) -> AppState {
    let mut program = AppState::small();
    for (name, keys) in names {
        let tracks = &mut program.document.scene_mut().sim.tracks.keys;
        for (time, value) in *keys {
            tracks.set_key(name, *time, *value);
        }
    }
    program
}

/// Lets simulated time go by until half a second is shown, and stand still there.
fn later(program: &mut AppState) -> f64 {
    program.session.pause();
    loop {
        program.poll();
        program.session.latest();
        if program.track_time() > 0.5 {
            return program.track_time();
        }
        program.perform(Command::Step);
        thread::sleep(Duration::from_millis(2));
    }
}

fn set(program: &mut AppState, name: &str, value: f64, held: bool) {
    let place = program.document.scene().place(name).expect("a number");
    let value = Value::Float(value);
    program.perform(Command::Set { place, value, held });
}

fn keys(program: &AppState, name: &str) -> Vec<(f64, f64)> {
    let tracks = &program.document.scene().sim.tracks.keys;
    let keys = tracks.of(name).map_or(&[][..], |track| track.keys());
    keys.iter().map(|key| (key.time, key.value)).collect()
}

#[test]
fn a_drag_of_a_keyed_number_sets_one_key_and_is_one_step_to_undo() {
    let mut program = keyed(&[("wind.strength", &[(0.0, 3.0)])]);
    let plain = program.document.scene().sim.wind.strength;
    for value in [4.0, 5.0, 6.5] {
        set(&mut program, "wind.strength", value, true);
    }
    program.release();
    assert_eq!(keys(&program, "wind.strength"), [(0.0, 6.5)]);
    let now = (100.0 * later(&mut program)).round() / 100.0;
    // To the very value that the parameter has without keys.
    for value in [7.0, 20.0, f64::from(plain)] {
        set(&mut program, "wind.strength", value, true);
    }
    program.release();
    let wanted = [(0.0, 6.5), (now, f64::from(plain))];
    assert_eq!(keys(&program, "wind.strength"), wanted);
    assert_eq!(program.document.scene().sim.wind.strength, plain);
    // What has no keys gets none.
    set(&mut program, "forces.gravity", 3.0, false);
    assert_eq!(program.document.scene().sim.forces.gravity, 3.0);
    assert!(keys(&program, "forces.gravity").is_empty());
    program.perform(Command::Undo);
    program.perform(Command::Undo);
    assert_eq!(keys(&program, "wind.strength"), [(0.0, 6.5)]);
    program.perform(Command::Undo);
    assert_eq!(keys(&program, "wind.strength"), [(0.0, 3.0)]);
}

#[test]
fn while_time_goes_by_a_drag_sets_its_key_where_it_ends() {
    let mut program = keyed(&[("wind.strength", &[(0.0, 3.0)])]);
    set(&mut program, "wind.strength", 9.0, true);
    let now = (100.0 * later(&mut program)).round() / 100.0;
    set(&mut program, "wind.strength", 12.0, true);
    // The last move may come as the button goes up.
    set(&mut program, "wind.strength", 13.0, false);
    program.release();
    let wanted = [(0.0, 3.0), (now, 13.0)];
    assert_eq!(keys(&program, "wind.strength"), wanted);
}

#[test]
fn a_number_without_keys_any_more_stays_as_it_was_seen() {
    let mut program = keyed(&[("wind.strength", &[(0.0, 3.0)])]);
    program.perform(Command::ReplaceTracks {
        tracks: Tracks::default(),
        held: false,
    });
    assert_eq!(program.document.scene().sim.wind.strength, 3.0);
    program.perform(Command::Undo);
    assert_eq!(keys(&program, "wind.strength"), [(0.0, 3.0)]);
    assert_ne!(program.document.scene().sim.wind.strength, 3.0);
}

#[test]
fn the_second_side_shares_the_keys_of_the_first() {
    let mut program = keyed(&[("pbd.bend_stiffness", &[(0.0, 0.25)])]);
    program.document.scene_mut().sim.material.density = 1500.0;
    program.perform(Command::Compare);
    let scene = program.document.scene();
    // Nobody has said what to compare with: all is alike but for the method.
    assert_ne!(scene.solver(Side::B), scene.solver(Side::A));
    assert_eq!(scene.params_of(Side::B).material.density, 1500.0);
    for side in Side::BOTH {
        let params = scene.params_of(side);
        assert_eq!(params.at(0.0).of::<PbdParams>().bend_stiffness, 0.25);
    }
    set(&mut program, "b.pbd.bend_stiffness", 0.75, false);
    assert_eq!(keys(&program, "pbd.bend_stiffness"), [(0.0, 0.75)]);
}

#[test]
fn the_picture_is_as_its_keys_have_it_now() {
    let mut program = keyed(&[
        ("light.key", &[(0.0, 2.0), (0.3, 0.5)]),
        ("look.exposure", &[(0.0, 3.0)]),
    ]);
    program.follow_tracks(false);
    let seen = |program: &AppState| {
        let (scene, keyed) = (program.document.scene(), &program.ui.keyed);
        [keyed.light(scene).key, keyed.look(scene).exposure]
    };
    assert_eq!(seen(&program), [2.0, 3.0]);
    later(&mut program);
    program.follow_tracks(false);
    assert_eq!(seen(&program), [0.5, 3.0]);
    program.perform(Command::PlaceKeyLight([10.0, 20.0]));
    assert_eq!(
        program.document.scene().light.key_yaw,
        10.0,
        "it has no keys"
    );
    program.perform(Command::ReplaceTracks {
        tracks: Tracks::default(),
        held: false,
    });
    assert_eq!(seen(&program), [0.5, 3.0], "without keys it stays so");
}

#[test]
fn a_keyed_camera_follows_its_keys_and_a_drag_becomes_one() {
    let mut program = keyed(&[("camera.yaw", &[(0.0, 170.0), (0.2, 100.0)])]);
    program.perform(Command::AutoKey(true));
    let yaw = |program: &AppState| program.ui.camera.yaw.to_degrees();
    program.follow_tracks(false);
    assert!((yaw(&program) - 170.0).abs() < 1e-3);
    // While a hand has it, it goes where that takes it.
    program.turn(Turn::Orbit([-50.0, 10.0]));
    let [there, pitch] = [yaw(&program), program.ui.camera.pitch];
    program.follow_tracks(true);
    assert_eq!(yaw(&program), there);
    assert_eq!(keys(&program, "camera.yaw").len(), 2);
    program.follow_tracks(false);
    let set = keys(&program, "camera.yaw");
    assert_eq!(set.len(), 2);
    // 190° and not -170°: the short way round.
    assert!(
        (set[0].1 - f64::from(there)).abs() < 1e-3 && there > 189.0,
        "{set:?}"
    );
    assert!((yaw(&program) - there).abs() < 1e-2);
    assert!(
        (program.ui.camera.pitch - pitch).abs() < 1e-5,
        "it has no keys"
    );
    later(&mut program);
    program.follow_tracks(false);
    assert!((yaw(&program) - 100.0).abs() < 1e-3, "{}", yaw(&program));
    // Looking on from where it is sets none.
    program.follow_tracks(false);
    assert_eq!(keys(&program, "camera.yaw"), set);
    program.perform(Command::Undo);
    assert_eq!(keys(&program, "camera.yaw")[0], (0.0, 170.0));
}

#[test]
fn a_keyed_lens_leaves_the_distance_alone() {
    let mut program = keyed(&[("camera.fov", &[(0.0, 24.0)])]);
    program.perform(Command::AutoKey(true));
    program.turn(Turn::Orbit([5.0, 0.0]));
    program.follow_tracks(false);
    let distance = program.ui.camera.distance;
    set(&mut program, "camera.fov", 60.0, false);
    program.follow_tracks(false);
    assert!((program.ui.camera.fov.to_degrees() - 60.0).abs() < 1e-3);
    assert!((program.ui.camera.distance - distance).abs() < 1e-5);
    assert_eq!(keys(&program, "camera.fov"), [(0.0, 60.0)]);
}

#[test]
fn a_number_of_the_camera_without_keys_leaves_the_keyed_ones_where_they_are() {
    let mut program = keyed(&[("camera.yaw", &[(0.0, 170.0)])]);
    program.follow_tracks(false);
    set(&mut program, "camera.pitch", 12.0, true);
    // No picture is drawn in between.
    let camera = &program.ui.camera;
    assert!((camera.yaw.to_degrees() - 170.0).abs() < 1e-3);
    assert!((camera.pitch.to_degrees() - 12.0).abs() < 1e-3);
}

#[test]
fn only_a_hand_on_the_camera_sets_keys_and_only_in_its_own_document() {
    let mut program = keyed(&[("camera.distance", &[(0.0, 0.9)])]);
    program.perform(Command::AutoKey(true));
    let mut set_keys = |change: &mut dyn FnMut(&mut AppState)| {
        change(&mut program);
        program.follow_tracks(false);
        keys(&program, "camera.distance").len() + usize::from(program.ui.keyed.holds_camera)
    };
    let framed = set_keys(&mut |program| {
        let bounds = program.session.bounds();
        program.place_camera(|camera| camera.frame(bounds));
    });
    assert_eq!(framed, 1);
    let crossed = set_keys(&mut |program| {
        program.zoom(3.0);
        program.forget_document();
    });
    assert_eq!(crossed, 1);
    assert_eq!(keys(&program, "camera.distance"), [(0.0, 0.9)]);
}

#[test]
fn a_drag_goes_on_beside_other_changes_but_not_in_another_document() {
    let mut program = keyed(&[("wind.strength", &[(0.0, 3.0)])]);
    set(&mut program, "wind.strength", 9.0, true);
    program.change(|scene| scene.compare.on = false);
    let now = (100.0 * later(&mut program)).round() / 100.0;
    set(&mut program, "wind.strength", 12.0, true);
    let wanted = [(0.0, 3.0), (now, 12.0)];
    assert_eq!(keys(&program, "wind.strength"), wanted);
    program.forget_document();
    // The scene that came has other keys.
    let tracks = &mut program.document.scene_mut().sim.tracks.keys;
    tracks.set_key("light.key", 0.0, 2.0);
    set(&mut program, "wind.strength", 13.0, true);
    assert_eq!(keys(&program, "light.key"), [(0.0, 2.0)]);
}

#[test]
fn notches_of_the_wheel_that_follow_one_another_set_one_key() {
    let mut program = keyed(&[("camera.distance", &[(0.0, 0.9)])]);
    program.perform(Command::AutoKey(true));
    program.session.pause();
    // A head that comes later would be looked at anew.
    while program.session.built().is_none() {
        program.poll();
        program.session.latest();
        thread::sleep(Duration::from_millis(2));
    }
    program.follow_tracks(false);
    let begun = Instant::now();
    let at = |ms| begun + Duration::from_millis(ms);
    let distance = |program: &AppState| f64::from(program.document.scene().camera.distance);
    for notch in 0..3 {
        let now = at(300 * notch);
        program.zoom_at(now, 1.0);
        let there = program.ui.camera.distance;
        program.follow_tracks_at(now, false);
        assert_eq!(
            program.ui.camera.distance, there,
            "it stays where it was taken"
        );
        assert_eq!(keys(&program, "camera.distance"), [(0.0, 0.9)]);
    }
    let (last, there) = (program.track_time(), distance(&program));
    // Time goes on before the wheel counts as let go; the key lies where it was turned last.
    later(&mut program);
    program.follow_tracks_at(at(900), false);
    assert_eq!(keys(&program, "camera.distance"), [(0.0, 0.9)]);
    program.follow_tracks_at(at(1100), false);
    let set = keys(&program, "camera.distance");
    let (time, value) = set[set.len() - 1];
    assert!((time - last).abs() < 0.006 && value < 0.8, "{set:?} {last}");
    assert!((value - there).abs() < 1e-3, "{set:?} {there}");
    assert_eq!(program.ui.keyed.wheel_rests(), None);
    program.perform(Command::Undo);
    assert_eq!(keys(&program, "camera.distance"), [(0.0, 0.9)]);
    // A drag after a notch is a gesture of its own, whose key lies where it ends.
    program.zoom_at(at(2000), 1.0);
    program.turn(Turn::Orbit([5.0, 0.0]));
    program.follow_tracks_at(at(2001), false);
    let set = keys(&program, "camera.distance");
    assert_eq!(set.len(), 2, "{set:?}");
    // Whoever saves does so with the last notch.
    program.zoom_at(at(3000), 1.0);
    program.perform(Command::SaveScene);
    let saved = keys(&program, "camera.distance");
    assert!(saved[1].1 < set[1].1, "{set:?} {saved:?}");
    assert_eq!(program.ui.keyed.wheel_rests(), None);
}

#[test]
fn a_change_beside_a_drag_keeps_the_key_that_it_sets() {
    let mut program = keyed(&[
        ("wind.strength", &[(0.0, 3.0)]),
        ("light.key_yaw", &[(0.0, 1.0)]),
    ]);
    set(&mut program, "wind.strength", 9.0, true);
    program.perform(Command::PlaceKeyLight([40.0, 20.0]));
    program.change(|scene| scene.light.key_yaw = 50.0);
    set(&mut program, "wind.strength", 10.0, true);
    program.release();
    assert_eq!(keys(&program, "light.key_yaw"), [(0.0, 50.0)]);
    assert_eq!(keys(&program, "wind.strength"), [(0.0, 10.0)]);
}

#[test]
fn the_turntable_goes_round_beside_a_keyed_yaw() {
    let mut program = keyed(&[("camera.yaw", &[(0.0, 10.0)])]);
    program.perform(Command::AutoKey(true));
    let yaw = |program: &AppState| program.ui.camera.yaw.to_degrees();
    program.perform(Command::Toggle("camera.turntable"));
    let begun = Instant::now();
    for frame in 0..=50 {
        program.move_camera(begun + Duration::from_millis(20) * frame, false);
        program.follow_tracks(false);
    }
    let turned = program.document.scene().camera.turn_speed;
    assert!((yaw(&program) - 10.0 - turned).abs() < 0.1);
    // What a hand adds becomes the key, and nothing of what the turntable did.
    program.turn(Turn::Orbit([-50.0, 0.0]));
    let there = yaw(&program);
    program.follow_tracks(false);
    assert!((yaw(&program) - there).abs() < 1e-2);
    let set = keys(&program, "camera.yaw");
    assert!(
        (set[0].1 - f64::from(there - turned)).abs() < 0.1,
        "{set:?}"
    );
    program.perform(Command::Toggle("camera.turntable"));
    program.follow_tracks(false);
    assert!((f64::from(yaw(&program)) - set[0].1).abs() < 1e-2);
}
