//! The head turned and moved by mouse and keys: both change parameters of its
//! motion, so that they are saved, undone and seen in the panel.

use super::Program;
use crate::{
    app::{gesture::Turn, history::Place},
    sim::MotionParams,
};
use glam::Vec3;

/// A head follows the mouse by so much. `[°/point]`
const DEGREES_PER_POINT: f32 = 0.4;

impl Program {
    /// Does what a drag in the picture asks for.
    pub fn turn(&mut self, turn: Turn) {
        match turn {
            Turn::Orbit([x, y]) => self.look(|camera| camera.orbit(x, y)),
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
        self.change_motion(true, |motion| {
            turn_left(motion, right);
            // Downwards it goes about the axis from left to right of the
            // picture, which is neither bow nor lean of a head seen askew.
            let (aside, ahead) = (seen_from - motion.yaw.to_radians()).sin_cos();
            motion.pitch += down * ahead;
            motion.roll -= down * aside;
        });
    }

    /// Turns the head by degrees to its left and downwards.
    pub(super) fn turn_head_by(&mut self, [left, down]: [f32; 2]) {
        self.change_motion(false, |motion| {
            turn_left(motion, left);
            motion.pitch += down;
        });
    }

    fn move_head(&mut self, by: Vec3) {
        self.change_motion(true, |motion| {
            motion.x += by.x;
            motion.y += by.y;
            motion.z += by.z;
        });
    }

    pub(super) fn head_home(&mut self) {
        self.change_motion(false, |motion| {
            (motion.yaw, motion.pitch, motion.roll) = (0.0, 0.0, 0.0);
            (motion.x, motion.y, motion.z) = (0.0, 0.0, 0.0);
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

/// Round and round.
fn turn_left(motion: &mut MotionParams, degrees: f32) {
    motion.yaw = (motion.yaw + degrees + 180.0).rem_euclid(360.0) - 180.0;
}
