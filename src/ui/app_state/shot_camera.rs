//! The shot's camera, which goes by its keys, and the working view: where a hand takes the
//! camera to look around, while the shot stays as it is.

use super::{
    AppState,
    tracks::{keyed_camera, moved},
};
use crate::{
    param::Params as _,
    project::scene::Scene,
    render::{Camera, CameraParams},
};

impl AppState {
    /// Whether numbers of the camera have keys.
    pub(super) fn has_camera_keys(&self) -> bool {
        let tracks = self.document.scene().sim.tracks.keys.tracks();
        tracks.iter().any(|track| track.section() == "camera")
    }

    /// A hand takes the camera: what it does with one that has keys becomes keys, or with *Auto
    /// key* off is a working view. False where it cannot have it: a recording takes the shot.
    pub(super) fn take_camera(&mut self) -> bool {
        self.ui.keyed.notched = None;
        let apart = self.has_camera_keys() && !self.ui.timeline.auto_key();
        if apart && self.session.recorder().is_recording() {
            return false;
        }
        self.ui.keyed.working = apart;
        self.ui.keyed.holds_camera = !apart;
        true
    }

    /// Leaves the working view, if there is one, for the shot's camera; false without one.
    pub(super) fn show_shot(&mut self) -> bool {
        let working = std::mem::take(&mut self.ui.keyed.working);
        if working {
            self.ui.glide.halt();
            self.ui.camera = self.camera_now();
        }
        working
    }

    /// The same by command.
    pub(super) fn back_to_shot(&mut self) {
        if !self.show_shot() {
            self.ui.toasts.tell("This is the shot's camera already");
        }
    }

    /// Leaves the working view where the shot's camera is another one now than in the scene
    /// `before`: who changes it wants to see it.
    pub(super) fn show_changed_shot(&mut self, before: &Scene) {
        if !self.ui.keyed.working {
            return;
        }
        let (time, bounds) = (self.picture_time(), self.session.bounds());
        let camera = |scene: &Scene| {
            let params = scene.sim.tracks.keys.over(&scene.camera, time);
            Camera::new(&params, bounds)
        };
        if camera(self.document.scene()) != camera(before) {
            self.show_shot();
        }
    }

    /// Lets a camera with keys that is moved get keys, or none.
    pub(super) fn set_auto_key(&mut self, on: bool) {
        self.settle_wheel();
        if on {
            // The next touch keys the shot's view, and not another one.
            self.show_shot();
        }
        self.ui.timeline.set_auto_key(on);
    }

    /// Gives the numbers of the camera that have keys one at the present time, of the present
    /// view, which then is the shot's.
    pub(super) fn key_view(&mut self) {
        if !self.has_camera_keys() {
            let text = "The camera has no keys yet; a click on the diamond before a number in \
                        Camera gives it one";
            return self.ui.toasts.tell(text);
        }
        let (here, time) = (self.camera_here(), self.key_time());
        let numbers = keyed_camera(self.document.scene(), &here, time);
        let left = self.left_out(&here, time);
        let numbers = numbers.into_iter().map(|(index, value, _)| (index, value));
        self.set_camera_keys(numbers.collect(), time);
        self.ui.keyed.holds_camera = false;
        self.show_shot();
        let mut text = format!("The view has keys at {}", self.time_unit().text(time));
        if !left.is_empty() {
            text += &format!(
                "; {} stays as before: what has no key gets none",
                left.join(", ")
            );
        }
        self.ui.toasts.tell(text);
    }

    /// Where the camera of the picture is, without what the turntable adds beside keys.
    fn camera_here(&self) -> CameraParams {
        let mut here = self.ui.camera.clone();
        here.yaw -= self.ui.keyed.turned;
        here.to_params(self.session.bounds())
    }

    /// The names of the numbers without keys in which the view `here` is another one than the
    /// shot's at `time`. `[s]`
    fn left_out(&self, here: &CameraParams, time: f64) -> Vec<&'static str> {
        let scene = self.document.scene();
        let tracks = &scene.sim.tracks.keys;
        // With the distance that stands for none.
        let shot = self.camera_of(&tracks.over(&scene.camera, time));
        let shot = shot.to_params(self.session.bounds());
        let tunables = here.tunables().into_iter().enumerate();
        let differs = tunables.filter(|(index, tunable)| {
            let values = [here, &shot].map(|params| match params.get(*index) {
                crate::param::Value::Float(value) => value,
                _ => 0.0,
            });
            tracks.of(&format!("camera.{}", tunable.key)).is_none()
                && (values[0] - values[1]).abs() > LEAST
        });
        differs.map(|(_, tunable)| tunable.label).collect()
    }

    /// Where the camera was taken becomes keys, at `track_time` `[s]`, of those of its numbers
    /// that have keys.
    pub(super) fn key_camera(&mut self, track_time: f64) {
        let moved = moved(self.document.scene(), &self.camera_here(), track_time);
        if !moved.is_empty() {
            self.set_camera_keys(moved, track_time);
        }
    }

    /// Sets keys of numbers of the camera at that time, as one change. `[s]`
    fn set_camera_keys(&mut self, numbers: Vec<(usize, f64)>, track_time: f64) {
        let tracks = &self.document.scene().sim.tracks.keys;
        let time = self.time_unit().place(track_time, tracks);
        self.change(|scene| {
            let tunables = scene.camera.tunables();
            for (index, value) in numbers {
                let name = format!("camera.{}", tunables[index].key);
                scene.sim.tracks.keys.set_key(&name, time, value);
            }
        });
    }
}

/// Numbers of two views that differ by less are told as the same. `[°, m]`
const LEAST: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        render::ViewPreset,
        ui::{command::Command, gesture::Turn},
    };
    use std::time::{Duration, Instant};

    /// One whose camera has keys of its yaw, from 10° to 50° in a second.
    fn program() -> AppState {
        let mut program = AppState::small();
        program.session.pause();
        program.wait("hair", |program| program.session.built().is_some());
        let tracks = &mut program.document.scene_mut().sim.tracks.keys;
        for (time, yaw) in [(0.0, 10.0), (1.0, 50.0)] {
            tracks.set_key("camera.yaw", time, yaw);
        }
        program.follow_tracks(false);
        program
    }

    fn yaw(program: &AppState) -> f32 {
        program.ui.camera.yaw.to_degrees()
    }

    fn keys(program: &AppState) -> Vec<(f64, f64)> {
        let tracks = &program.document.scene().sim.tracks.keys;
        let keys = tracks
            .of("camera.yaw")
            .map_or(&[][..], |track| track.keys());
        keys.iter().map(|key| (key.time, key.value)).collect()
    }

    /// Lets time go on by so many steps.
    fn step(program: &mut AppState, steps: u32) {
        for _ in 0..steps {
            let before = program.session.now().serial;
            program.perform(Command::Step);
            program.wait("a step", |program| program.session.now().serial != before);
        }
    }

    #[test]
    fn looking_around_writes_nothing_and_a_key_leads_back_to_the_shot() {
        let mut program = program();
        let scene = program.document.scene().clone();
        let looks: [&dyn Fn(&mut AppState); 4] = [
            &|program| program.turn(Turn::Orbit([50.0, 20.0])),
            &|program| program.zoom(2.0),
            &|program| program.turn(Turn::Pan([9.0, 4.0], 600.0)),
            &|program| program.perform(Command::View(ViewPreset::Back)),
        ];
        for look in looks {
            look(&mut program);
            // A view is flown to, and time goes by.
            let begun = Instant::now();
            for frame in 0..60 {
                program.move_camera(begun + Duration::from_millis(20) * frame, false);
                program.follow_tracks_at(begun + Duration::from_millis(20) * frame, false);
            }
            step(&mut program, 1);
            program.follow_tracks(false);
            assert!(program.ui.keyed.working, "it stays where it was taken");
            assert!(*program.document.scene() == scene, "nothing is written");
            let there = yaw(&program);
            assert!((there - 10.0).abs() > 1.0 || program.ui.camera != program.camera_now());
            program.perform(Command::SaveScene);
            assert!(program.document.scene().sim.tracks.keys == scene.sim.tracks.keys);
            program.ui.dialog = None;
            program.perform(Command::ShotCamera);
            assert!(!program.ui.keyed.working);
            assert_eq!(program.ui.camera, program.camera_now());
            program.follow_tracks(false);
            assert_eq!(program.ui.camera, program.camera_now());
        }
        assert!(!program.document.history().can_undo());
        program.perform(Command::ShotCamera);
        assert!(program.ui.toasts.shows("This is the shot's camera already"));
    }

    #[test]
    fn the_present_view_is_keyed_as_one_step_to_undo() {
        let mut program = program();
        program
            .document
            .scene_mut()
            .sim
            .tracks
            .keys
            .set_key("camera.fov", 0.0, 24.0);
        step(&mut program, 30);
        program.follow_tracks(false);
        program.turn(Turn::Orbit([-100.0, 30.0]));
        let there = f64::from(yaw(&program));
        program.perform(Command::KeyView);
        let set = keys(&program);
        assert_eq!(set.len(), 3, "{set:?}");
        assert!(
            (set[1].0 - 0.5).abs() < 1e-9 && (set[1].1 - there).abs() < 1e-3,
            "{set:?}"
        );
        let tracks = &program.document.scene().sim.tracks.keys;
        assert_eq!(
            tracks.of("camera.fov").map(|track| track.keys().len()),
            Some(2)
        );
        assert!(tracks.of("camera.pitch").is_none());
        assert!(
            program
                .ui
                .toasts
                .shows("The view has keys at 0.50 s; Pitch")
        );
        // It is the shot's view now.
        assert!(!program.ui.keyed.working);
        assert!((f64::from(yaw(&program)) - there).abs() < 1e-2);
        program.perform(Command::Undo);
        assert_eq!(keys(&program), [(0.0, 10.0), (1.0, 50.0)]);
        program.follow_tracks(false);
        assert!((yaw(&program) - 30.0).abs() < 0.5, "{}", yaw(&program));
    }

    #[test]
    fn with_auto_key_a_camera_that_is_moved_gets_keys() {
        let mut program = program();
        program.turn(Turn::Orbit([50.0, 0.0]));
        // The view goes back first: a touch does not key where one has looked from.
        program.perform(Command::AutoKey(true));
        assert!(!program.ui.keyed.working && (yaw(&program) - 10.0).abs() < 1e-3);
        program.turn(Turn::Orbit([-50.0, 0.0]));
        let there = f64::from(yaw(&program));
        program.follow_tracks(false);
        assert!((keys(&program)[0].1 - there).abs() < 1e-3);
        program.perform(Command::AutoKey(false));
        program.turn(Turn::Orbit([-50.0, 0.0]));
        program.follow_tracks(false);
        assert!((keys(&program)[0].1 - there).abs() < 1e-3);
    }

    #[test]
    fn who_changes_the_shots_camera_sees_it() {
        let mut program = program();
        let look = |program: &mut AppState| {
            program.turn(Turn::Orbit([50.0, 0.0]));
            assert!(program.ui.keyed.working);
        };
        look(&mut program);
        program.perform(Command::Toggle("wind.on"));
        program.perform(Command::Toggle("camera.inertia"));
        assert!(program.ui.keyed.working, "that is no other camera");
        for name in ["camera.pitch", "camera.yaw"] {
            look(&mut program);
            let place = program.document.scene().place(name).expect("a number");
            program.perform(Command::Set {
                place,
                value: crate::param::Value::Float(20.0),
                held: false,
            });
            assert!(!program.ui.keyed.working, "{name}");
            assert_eq!(program.ui.camera, program.camera_now());
        }
        look(&mut program);
        program.perform(Command::Undo);
        assert!(!program.ui.keyed.working);
        // Without keys there is nothing to be apart from.
        look(&mut program);
        program.perform(Command::ReplaceTracks {
            tracks: crate::param::Tracks::default(),
            held: false,
        });
        program.follow_tracks(false);
        assert!(!program.ui.keyed.working);
        assert_eq!(program.ui.camera, program.camera_now());
        program.turn(Turn::Orbit([50.0, 0.0]));
        assert!(!program.ui.keyed.working);
    }

    #[test]
    fn a_recording_takes_the_shots_camera_from_its_begin_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = program();
        program.document.scene_mut().capture.folder = folder.path().display().to_string();
        program.ui.picture = [16, 16];
        program.turn(Turn::Orbit([50.0, 0.0]));
        program.perform(Command::Capture);
        assert!(program.session.recorder().is_recording() && !program.ui.keyed.working);
        assert_eq!(program.ui.camera, program.camera_now());
        program.turn(Turn::Orbit([50.0, 10.0]));
        program.throw();
        program.zoom(3.0);
        program.perform(Command::FrameHead);
        program.move_camera(Instant::now(), false);
        assert!(!program.ui.glide.moves() && !program.ui.keyed.working);
        assert_eq!(program.ui.camera, program.camera_now());
        assert_eq!(program.ui.keyed.wheel_rests(), None);
    }
}
