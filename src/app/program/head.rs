//! The head turned and moved by mouse and keys: both change parameters of its
//! motion, so that they are saved, undone and seen in the panel.

use super::Program;
use crate::{
    app::{gesture::Turn, history::Place},
    sim::{MotionParams, MotionPreset, keyframes::Keyframe, motion},
};
use glam::Vec3;
use std::path::Path;

/// A head follows the mouse by so much. `[°/point]`
const DEGREES_PER_POINT: f32 = 0.4;

impl Program {
    /// Does what a drag in the picture asks for.
    pub fn turn(&mut self, turn: Turn) {
        match turn {
            Turn::Orbit(by) => self.orbit(by),
            Turn::Pan([x, y], height) => self.look(|camera| camera.pan(x, y, height)),
            Turn::Head(by) => self.drag_head(by.map(|points| points * DEGREES_PER_POINT)),
            Turn::MoveHead([x, y], height) => {
                let mut moved = self.camera().clone();
                moved.pan(x, y, height);
                // A pan moves the eye; the head goes the other way.
                self.move_head(self.camera().target - moved.target);
            }
        }
    }

    /// What of the head faces the eye follows the mouse, by degrees to the
    /// right and downwards.
    fn drag_head(&mut self, [right, down]: [f32; 2]) {
        let seen_from = self.camera().yaw;
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
        self.change_motion(false, |head| {
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
        self.change(|scene| {
            let to = &mut scene.sim.motion;
            to.preset = preset;
            if let Some(numbers) = motion::natural(preset) {
                [to.amplitude, to.travel, to.frequency] = numbers;
            }
            Ok(())
        });
    }

    /// Plays the animated head that the file `path` is a frame of.
    pub(super) fn take_sequence(&mut self, path: &Path) {
        self.dialog = None;
        self.change(|scene| {
            let motion = &mut scene.sim.motion;
            motion.sequence = path.display().to_string();
            motion.preset = MotionPreset::Sequence;
            Ok(())
        });
    }

    /// The number of the frame that the head shows, from 1, and of how many;
    /// none where it plays none.
    pub fn frame(&self) -> Option<(usize, usize)> {
        let footage = self.built()?.body.footage.as_ref()?;
        Some((self.now().frame_shown? + 1, footage.frames()))
    }

    /// The time among the keyframes that it is now. `[s]`
    pub fn key_time(&self) -> f64 {
        let motion = &self.scene().sim.motion;
        motion.keyframes.wrapped(self.now().time, motion.repeat)
    }

    /// What the mouse has made of the pose becomes part of the keyframes.
    pub(super) fn set_key(&mut self) {
        let time = self.key_time();
        self.change(|scene| {
            let to = &mut scene.sim.motion;
            let keys = match to.preset {
                MotionPreset::Keyframes => to.keyframes.at(time, to.repeat),
                _ => motion::Place::HOME,
            };
            let key = Keyframe::of(&motion::hand(to).after(&keys), time);
            to.keyframes.set(key);
            to.preset = MotionPreset::Keyframes;
            rest(to);
            Ok(())
        });
    }

    pub(super) fn turn_wind(&mut self, way: [f32; 3]) {
        let place = self.scene().place("wind.direction");
        self.change_at(place, true, |scene| {
            scene.sim.wind.direction = way.map(|c| (c * 1e3).round() / 1e3);
            Ok(())
        });
    }

    pub(super) fn move_fan(&mut self, at: [f32; 3], axis: [f32; 3]) {
        let place = self.scene().place("fan.direction");
        self.change_at(place, true, |scene| {
            let fan = &mut scene.sim.fan;
            [fan.x, fan.y, fan.z] = at.map(|c| c.clamp(-2.0, 2.0));
            fan.direction = axis.map(|c| (c * 1e3).round() / 1e3);
            Ok(())
        });
    }

    /// Whether the key light has a handle in the picture.
    pub fn shows_light(&self) -> bool {
        self.light
    }

    pub(super) fn move_light(&mut self, angles: [f32; 2]) {
        let place = self.scene().place("light.key_yaw");
        self.change_at(place, true, |scene| {
            let [yaw, pitch] = angles.map(|angle| (10.0 * angle).round() / 10.0);
            (scene.light.key_yaw, scene.light.key_pitch) = (yaw, pitch);
            Ok(())
        });
    }

    fn change_motion(&mut self, held: bool, change: impl FnOnce(&mut MotionParams)) {
        let place: Option<Place> = self.scene().place("motion.yaw");
        self.change_at(place, held, |scene| {
            let motion = &mut scene.sim.motion;
            change(motion);
            motion.pitch = motion.pitch.clamp(-90.0, 90.0);
            motion.roll = motion.roll.clamp(-90.0, 90.0);
            for way in [&mut motion.x, &mut motion.y, &mut motion.z] {
                *way = way.clamp(-1.0, 1.0);
            }
            Ok(())
        });
    }
}

fn rest(motion: &mut MotionParams) {
    (motion.yaw, motion.pitch, motion.roll) = (0.0, 0.0, 0.0);
    (motion.x, motion.y, motion.z) = (0.0, 0.0, 0.0);
}

/// Round and round.
fn turn_left(motion: &mut MotionParams, degrees: f32) {
    motion.yaw = (motion.yaw + degrees + 180.0).rem_euclid(360.0) - 180.0;
}
