//! The head turned and moved by mouse and keys: both change parameters of its
//! motion, so that they are saved, undone and seen in the panel.

use super::AppState;
use crate::{
    io::name_of,
    project::{document::play_sequence, history::ParamPlace},
    sim::{
        MotionParams, MotionPreset,
        head_place::HeadPlace,
        keyframes::{Keyframe, Keyframes},
        motion,
    },
    ui::gesture::Turn,
};
use glam::Vec3;
use std::path::Path;

/// A head follows the mouse by so much. `[°/point]`
const DEGREES_PER_POINT: f32 = 0.4;

impl AppState {
    /// Does what a drag in the picture asks for.
    pub fn turn(&mut self, turn: Turn) {
        match turn {
            Turn::Orbit(by) => self.orbit(by),
            Turn::Pan([x, y], height) => {
                self.look(|camera| camera.pan(x, y, height));
            }
            Turn::Head(by) => self.drag_head(by.map(|points| points * DEGREES_PER_POINT)),
            Turn::MoveHead([x, y], height) => {
                let mut moved = self.ui.camera.clone();
                moved.pan(x, y, height);
                // A pan moves the eye; the head goes the other way.
                self.move_head(self.ui.camera.target - moved.target);
            }
        }
    }

    /// What of the head faces the eye follows the mouse, by degrees to the
    /// right and downwards.
    fn drag_head(&mut self, [right, down]: [f32; 2]) {
        let seen_from = self.ui.camera.yaw;
        self.change_motion(true, |head| {
            turn_left(head, right);
            // Downwards it goes about the axis from left to right of the
            // picture, which is neither bow nor lean of a head seen askew.
            let (aside, ahead) = (seen_from - head.yaw.to_radians()).sin_cos();
            head.pitch += down * ahead;
            head.roll -= down * aside;
        });
    }

    /// Turns the head by degrees to its left and downwards.
    pub(super) fn turn_head_by(&mut self, [left, down]: [f32; 2]) {
        self.change_motion(true, |head| {
            turn_left(head, left);
            head.pitch += down;
        });
    }

    fn move_head(&mut self, by: Vec3) {
        self.change_motion(true, |head| {
            head.x += by.x;
            head.y += by.y;
            head.z += by.z;
        });
    }

    pub(super) fn head_home(&mut self) {
        self.change_motion(false, rest);
    }

    pub(super) fn take_motion(&mut self, preset: MotionPreset) {
        self.change(|scene| scene.sim.motion.choose(preset));
    }

    /// Plays the animated head that the file `path` is a frame of.
    pub(super) fn take_sequence(&mut self, path: &Path) {
        self.close_dialog();
        let file = path.to_path_buf();
        self.make(format!("Opening {}", name_of(path)), move |scene| {
            play_sequence(scene, &file);
        });
    }

    /// What the mouse has made of the pose becomes part of the keyframes, at
    /// `time` or where they are now. `[s]`
    pub(super) fn set_key(&mut self, time: Option<f64>) {
        let time = time.unwrap_or_else(|| self.head_key_time());
        self.change(|scene| set_key(&mut scene.sim.motion, time));
    }

    /// When a key of the head is set now. `[s]`
    fn head_key_time(&self) -> f64 {
        let scene = self.document.scene();
        self.ui.head_key_time(scene, &self.session)
    }

    /// Whether a head that is turned or moved gets a key: with *Auto key*, while time stands
    /// still.
    fn keys_head(&self) -> bool {
        let preset = self.document.scene().sim.motion.preset;
        preset == MotionPreset::Keyframes
            && self.ui.timeline.auto_key()
            && self.session.is_paused()
            && self.session.playing().is_none()
    }

    /// Lets the keyframes be these; `held` while one is dragged.
    pub(super) fn take_keys(&mut self, keys: Keyframes, held: bool) {
        let place = self.document.scene().place("motion.keyframes");
        self.change_at(place, held, |scene| {
            scene.sim.motion.keyframes = keys;
        });
    }

    pub(super) fn turn_wind(&mut self, way: [f32; 3]) {
        let place = self.document.scene().place("wind.direction");
        self.change_at(place, true, |scene| {
            scene.sim.wind.direction = way.map(|c| (c * 1e3).round() / 1e3);
        });
    }

    pub(super) fn move_fan(&mut self, at: [f32; 3], axis: [f32; 3]) {
        let place = self.document.scene().place("fan.direction");
        self.change_at(place, true, |scene| {
            let fan = &mut scene.sim.fan;
            [fan.x, fan.y, fan.z] = at.map(|c| c.clamp(-2.0, 2.0));
            fan.direction = axis.map(|c| (c * 1e3).round() / 1e3);
        });
    }

    pub(super) fn move_light(&mut self, angles: [f32; 2]) {
        let place = self.document.scene().place("light.key_yaw");
        self.change_at(place, true, |scene| {
            let [yaw, pitch] = angles.map(|angle| (10.0 * angle).round() / 10.0);
            (scene.light.key_yaw, scene.light.key_pitch) = (yaw, pitch);
        });
    }

    pub(super) fn turn_environment(&mut self, angle: f32) {
        let place = self.document.scene().place("light.environment_turn");
        self.change_at(place, true, |scene| {
            // To -180..180.
            let turned = (angle + 180.0).rem_euclid(360.0) - 180.0;
            scene.light.environment_turn = (10.0 * turned).round() / 10.0;
        });
    }

    fn change_motion(&mut self, held: bool, change: impl FnOnce(&mut MotionParams)) {
        let place: Option<ParamPlace> = self.document.scene().place("motion.yaw");
        let keyed = self.keys_head().then(|| self.head_key_time());
        self.change_at(place, held, |scene| {
            let motion = &mut scene.sim.motion;
            change(motion);
            if let Some(time) = keyed {
                return set_key(motion, time);
            }
            motion.pitch = motion.pitch.clamp(-90.0, 90.0);
            motion.roll = motion.roll.clamp(-90.0, 90.0);
            for way in [&mut motion.x, &mut motion.y, &mut motion.z] {
                *way = way.clamp(-1.0, 1.0);
            }
        });
    }
}

/// What hand and keys have made of the pose becomes a key at `time` `[s]`.
fn set_key(motion: &mut MotionParams, time: f64) {
    let keys = match motion.preset {
        MotionPreset::Keyframes => motion.keyframes.at(time, motion.repeat),
        _ => HeadPlace::HOME,
    };
    let key = Keyframe::of(&motion::hand(motion).after(&keys), time);
    motion.keyframes.set(key);
    motion.preset = MotionPreset::Keyframes;
    rest(motion);
}

fn rest(motion: &mut MotionParams) {
    (motion.yaw, motion.pitch, motion.roll) = (0.0, 0.0, 0.0);
    (motion.x, motion.y, motion.z) = (0.0, 0.0, 0.0);
}

/// Round and round.
fn turn_left(motion: &mut MotionParams, degrees: f32) {
    motion.yaw = (motion.yaw + degrees + 180.0).rem_euclid(360.0) - 180.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{param::TimeGrid, ui::command::Command};

    #[test]
    fn with_auto_key_a_head_that_is_turned_in_a_pause_gets_a_key() {
        let mut program = AppState::small();
        let motion = &mut program.document.scene_mut().sim.motion;
        motion.preset = MotionPreset::Keyframes;
        motion.keyframes.set(Keyframe {
            time: 1.0,
            rotation: [10.0, 0.0, 0.0],
            position: [0.0; 3],
        });
        program.session.pause();
        let state = |program: &AppState| {
            let motion = &program.document.scene().sim.motion;
            let keys = motion.keyframes.keys();
            let keys: Vec<_> = keys.iter().map(|key| (key.time, key.rotation[0])).collect();
            (keys, motion.yaw)
        };
        program.perform(Command::TurnHead([5, 0]));
        assert_eq!(state(&program), (vec![(1.0, 10.0)], 5.0));
        program.perform(Command::Undo);
        program.perform(Command::AutoKey(true));
        // A drag is one entry to undo, and one key.
        for _ in 0..3 {
            program.perform(Command::TurnHead([5, 0]));
        }
        program.release();
        assert_eq!(state(&program), (vec![(0.0, 25.0), (1.0, 10.0)], 0.0));
        program.perform(Command::Undo);
        assert_eq!(state(&program), (vec![(1.0, 10.0)], 0.0));
    }

    #[test]
    fn keys_begin_at_zero_go_on_and_come_and_go_with_undo() {
        let mut program = AppState::small();
        let times = |program: &AppState| {
            let keys = program.document.scene().sim.motion.keyframes.keys();
            keys.iter().map(|key| key.time).collect::<Vec<_>>()
        };
        // However long the program has run: the first key is the begin.
        program.perform(Command::Motion(MotionPreset::None));
        program.perform(Command::TurnHead([30, 0]));
        assert_eq!(
            program
                .session
                .key_time(&program.document.scene().sim.motion),
            0.0
        );
        program.perform(Command::SetKeyframe);
        assert_eq!(times(&program), [0.0]);
        program.perform(Command::Motion(MotionPreset::None));
        assert_eq!(
            program
                .session
                .key_time(&program.document.scene().sim.motion),
            0.5
        );
        program.perform(Command::SetKeyframe);
        program.perform(Command::AddKeyframe(0.25));
        assert_eq!(times(&program), [0.0, 0.25, 0.5]);

        // A drag is one entry to undo.
        let before = program.document.scene().sim.motion.keyframes.clone();
        for step in 1..8 {
            let time = 0.5 + 0.1 * f64::from(step);
            let keys = before.moved(2, time, TimeGrid::HUNDREDTHS);
            program.perform(Command::ReplaceKeyframes { keys, held: true });
        }
        program.release();
        assert_eq!(times(&program), [0.0, 0.25, 1.2]);
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().sim.motion.keyframes, before);
        program.perform(Command::DropKeyframe(1));
        assert_eq!(times(&program), [0.0, 0.5]);
        program.perform(Command::Undo);
        assert_eq!(times(&program), [0.0, 0.25, 0.5]);
    }
}
