//! What commands do to put a head right.

use super::AppState;
use crate::{mesh::HeadParams, render::Camera, ui::righting::wrapped};
use glam::{Quat, Vec3};

impl AppState {
    /// The camera as it has to stand for the head that is shown to look as the
    /// one that was asked for, where that is only turned farther; until it is
    /// built.
    pub fn turned_camera(&self) -> Option<Camera> {
        let built = self.session.built()?;
        let pending = self.document.scene().head.turn - built.head_params.turn;
        if pending == 0.0 || !differs_by_righting(&self.document.scene().head, &built.head_params) {
            return None;
        }
        let pivot = built.head.report.placing.righting.pivot;
        let pivot = self.session.now().pose.point(pivot);
        let mut camera = self.ui.camera.clone();
        let by = -pending.to_radians();
        camera.yaw += by;
        camera.target = pivot + Quat::from_rotation_y(by) * (camera.target - pivot);
        Some(camera)
    }

    pub(super) fn turn_model(&mut self, degrees: f32) {
        self.change(|scene| {
            scene.head.turn = wrapped(scene.head.turn + degrees);
        });
    }

    /// Turns the head and the camera alike, so that the picture stays as it is.
    pub(super) fn face_here(&mut self) {
        let eye = self.ui.camera.position() - self.ui.camera.target;
        let towards = self.session.now().pose.rotation.inverse() * eye;
        let degrees = towards.x.atan2(towards.z).to_degrees();
        // No more digits than a file needs.
        let degrees = (10.0 * degrees).round() / 10.0;
        self.change(|scene| {
            scene.head.turn = wrapped(scene.head.turn - degrees);
            let camera = &mut scene.camera;
            camera.yaw = wrapped(camera.yaw - degrees);
            let shift = Vec3::new(camera.shift_x, 0.0, camera.shift_z);
            let shift = Quat::from_rotation_y(-degrees.to_radians()) * shift;
            (camera.shift_x, camera.shift_z) = (shift.x, shift.z);
        });
    }
}

/// Whether two heads are one file, read alike, but for how it is put right.
pub(super) fn differs_by_righting(a: &HeadParams, b: &HeadParams) -> bool {
    let same = HeadParams {
        turn: b.turn,
        ..a.clone()
    };
    same == *b
}

#[cfg(test)]
mod tests {
    use crate::ui::{app_state::AppState, command::Command, gesture::Turn};
    use std::time::{Duration, Instant};

    fn wait(program: &mut AppState, what: &str, done: impl Fn(&AppState) -> bool) {
        let begun = Instant::now();
        while !done(program) {
            program.poll();
            assert!(begun.elapsed().as_secs() < 60, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn what_faces_the_camera_becomes_the_front_and_the_picture_stays() {
        let mut program = AppState::small();
        wait(&mut program, "a head", |program| {
            program.session.built().is_some()
        });
        program.turn(Turn::Orbit([-150.0, 0.0]));
        let yaw = program.ui.camera.yaw.to_degrees();
        let before = program.ui.camera.clone();
        program.perform(Command::FaceHere);
        let head = program.document.scene().head.turn;
        assert!((head + yaw).abs() < 0.06, "{head} {yaw}");
        assert!(
            program.ui.camera.yaw.abs() < 0.01,
            "now seen from the front"
        );
        // Until the head is there, the picture is taken as before.
        let shown = program.turned_camera().expect("a head that is to come");
        assert!((shown.yaw - before.yaw).abs() < 1e-3);
        assert!(shown.target.distance(before.target) < 1e-4);
        wait(&mut program, "the turned head", |program| {
            program
                .session
                .built()
                .is_some_and(|built| built.head_params.turn == head)
        });
        assert_eq!(program.turned_camera(), None);
        assert!(program.ui.camera.yaw.abs() < 0.01, "it is not framed anew");
        program.perform(Command::TurnModel(180.0));
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().head.turn, head);
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().head.turn, 0.0);
    }
}
