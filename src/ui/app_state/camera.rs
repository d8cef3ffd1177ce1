//! What the program does about the camera: named views, views that are kept,
//! and the camera's own motion.

use super::AppState;
use crate::{
    param::Params as _,
    project::sides::Side,
    render::{Bookmark, Camera, CameraParams, Lock, ViewPreset},
};
use std::time::Instant;

impl AppState {
    /// Moves the camera by mouse; that is not undone, like looking around. False where the
    /// camera stays.
    pub fn look(&mut self, turn: impl FnOnce(&mut Camera)) -> bool {
        let taken = self.take_camera();
        if taken {
            self.move_to(turn);
        }
        taken
    }

    /// Moves the shot's camera without a hand on it: where it has keys, no key comes of that.
    pub(super) fn place_camera(&mut self, turn: impl FnOnce(&mut Camera)) {
        self.show_shot();
        self.move_to(turn);
    }

    fn move_to(&mut self, turn: impl FnOnce(&mut Camera)) {
        self.ui.glide.halt();
        turn(&mut self.ui.camera);
        self.keep_camera();
    }

    /// Wheel or pinch come nearer by so many notches; negative goes away.
    pub fn zoom(&mut self, notches: f32) {
        self.zoom_at(Instant::now(), notches);
    }

    /// The same at that moment.
    pub(super) fn zoom_at(&mut self, now: Instant, notches: f32) {
        let bounds = self.session.bounds();
        self.look(|camera| camera.zoom_outside(notches, bounds));
        if self.ui.keyed.holds_camera {
            self.ui.keyed.notched = Some((now, self.key_time()));
        }
    }

    /// Writes where the camera is into the scene; a working view is none of its business.
    fn keep_camera(&mut self) {
        if self.ui.keyed.working {
            return;
        }
        let mut params = self.document.scene().camera.clone();
        Bookmark::new(
            String::new(),
            &self.ui.camera.to_params(self.session.bounds()),
        )
        .apply(&mut params);
        for index in 0..params.tunables().len() {
            // What a scene file would refuse is not kept.
            let value = params.get(index);
            if params.set(index, value).is_err() {
                let old = self.document.scene().camera.get(index);
                params
                    .set(index, old)
                    .unwrap_or_else(|error| log::error!("{error}"));
            }
        }
        self.document.set_camera(params);
    }

    /// The mouse turns the picture. `[points]`
    pub(super) fn orbit(&mut self, [x, y]: [f32; 2]) {
        if self.look(|camera| camera.orbit(x, y)) {
            self.ui.glide.dragged([x, y], Instant::now());
        }
    }

    /// The mouse lets go of the picture, which turns on a little.
    pub fn throw(&mut self) {
        let keyed = &self.ui.keyed;
        // One that was taken out of the hand goes by its keys.
        let free = keyed.working || keyed.holds_camera || !self.has_camera_keys();
        if free && self.document.scene().camera.inertia {
            self.ui.glide.release(Instant::now());
        }
    }

    /// Stops the camera where it is, but for a turntable.
    pub fn halt(&mut self) {
        self.ui.glide.halt();
    }

    /// Moves the camera on, by the clock or, while frames are recorded, by their
    /// time: `recorded` when this picture is one of them. True while it moves.
    pub fn move_camera(&mut self, now: Instant, recorded: bool) -> bool {
        let params = &self.document.scene().camera;
        let turns = params.turntable && params.turn_speed != 0.0;
        let moves = turns || self.ui.glide.moves();
        let clock = self.ui.glide.elapsed(now, moves);
        let seconds = match self.session.recorder().params() {
            Some(params) if recorded => 1.0 / params.fps as f32,
            Some(_) => 0.0,
            None => clock,
        };
        if moves && seconds > 0.0 {
            if turns {
                let by = (params.turn_speed * seconds).to_radians();
                self.ui.camera.yaw += by;
                self.ui.keyed.turned += by;
            }
            self.ui.glide.advance(&mut self.ui.camera, seconds);
            self.keep_camera();
        }
        moves
    }

    fn fly(&mut self, to: Camera) {
        if self.take_camera() {
            self.ui.glide.fly(&self.ui.camera, to);
        }
    }

    /// Brings the head into the picture, gently, and its hair as it hangs now.
    pub(super) fn fly_to_head(&mut self) {
        let mut to = self.ui.camera.clone();
        to.frame(self.session.bounds());
        self.frame_hair(&mut to);
        let (sides, part) = self.parts();
        for side in &Side::BOTH[..sides] {
            if let Some(hair) = self.session.positions(*side) {
                to.take_in(hair, sides, part);
            }
        }
        self.fly(to);
    }

    /// The camera of `params`: one without a distance is as far away as head and hair need.
    pub(super) fn camera_of(&self, params: &CameraParams) -> Camera {
        let mut camera = Camera::new(params, self.session.bounds());
        if params.distance == 0.0 {
            self.frame_hair(&mut camera);
        }
        camera
    }

    /// Moves a camera that frames the head back as far as the hair at rest needs.
    pub(super) fn frame_hair(&self, camera: &mut Camera) {
        let Some(built) = self.session.built() else {
            return;
        };
        let (sides, part) = self.parts();
        camera.take_in(&built.groom.points, sides, part);
    }

    /// How many pictures are side by side, and how large each is. `[px]`
    fn parts(&self) -> (usize, [u32; 2]) {
        let sides = 1 + usize::from(self.document.scene().compare.on);
        // Before the first picture one like most windows have.
        let [width, height] = match self.ui.picture {
            size if size.contains(&0) => [1280, 960],
            size => size,
        };
        let part = match sides {
            1 => [width, height],
            _ => [width / 2, height],
        };
        (sides, part)
    }

    pub(super) fn visit(&mut self, place: ViewPreset) {
        let mut to = self.ui.camera.clone();
        match (place, self.lock()) {
            (ViewPreset::Curl, Some(lock)) => to.approach(&lock),
            (ViewPreset::Curl, None) => {
                self.ui.toasts.tell("There is no hair to look at yet");
                return;
            }
            _ => {
                to.stand(place, self.session.bounds());
                self.frame_hair(&mut to);
            }
        }
        self.fly(to);
    }

    /// The lock that a close view shows.
    fn lock(&self) -> Option<Lock> {
        let (built, side) = (self.session.built()?, self.ui.side(self.document.scene()));
        let positions = self.session.positions(side)?;
        Lock::find(
            &built.groom,
            positions,
            &self.session.now().pose,
            self.session.bounds(),
        )
    }

    /// Keeps the present view under a name; one of that name is replaced.
    pub(super) fn keep_view(&mut self, name: &str) {
        let views = &self.document.scene().views;
        let is_free = |name: &String| views.iter().all(|view| view.name != *name);
        let name = match name.trim() {
            "" => (views.len()..)
                .map(|number| Bookmark::default().title(number))
                .find(is_free)
                .unwrap_or_default(),
            name => name.into(),
        };
        // The scene does not know where keys or a working view have the camera.
        let view = match self.has_camera_keys() {
            true => Bookmark::new(name, &self.ui.camera.to_params(self.session.bounds())),
            false => Bookmark::new(name, &self.document.scene().camera),
        };
        let text = format!(
            "Added the view \"{}\" to the scene; save the scene to keep it",
            view.name
        );
        self.change(|scene| {
            let old = scene.views.iter_mut().find(|old| old.name == view.name);
            match old {
                Some(old) => *old = view,
                None => scene.views.push(view),
            }
        });
        self.ui.toasts.tell(text);
    }

    pub(super) fn go_to_view(&mut self, row: usize) {
        if let Some(view) = self.document.scene().views.get(row) {
            let mut params = self.document.scene().camera.clone();
            view.apply(&mut params);
            let there = self.camera_of(&params);
            self.fly(there);
        }
    }

    pub(super) fn name_view(&mut self, row: usize, name: &str) {
        let name = name.trim().to_string();
        if name.is_empty() {
            return;
        }
        self.try_change_at(None, false, |scene| {
            let others = scene.views.iter().enumerate();
            if others
                .into_iter()
                .any(|(other, view)| other != row && view.name == name)
            {
                return Err(format!(
                    "There is a view \"{name}\" already; choose another name"
                ));
            }
            if let Some(view) = scene.views.get_mut(row) {
                view.name = name;
            }
            Ok(())
        });
    }

    pub(super) fn drop_view(&mut self, row: usize) {
        self.change(|scene| {
            if row < scene.views.len() {
                scene.views.remove(row);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{command::Command, gesture::Turn};
    use std::time::Duration;

    /// Lets the camera move for two seconds, in frames.
    fn wait(program: &mut AppState) {
        let start = Instant::now();
        for frame in 0..120 {
            program.move_camera(start + Duration::from_millis(17) * frame, false);
        }
    }

    #[test]
    fn the_frame_takes_in_hair_that_hangs_lower_than_it_was_modelled() {
        let mut program = AppState::small();
        program.ui.picture = [400, 300];
        program.wait("hair", |p| p.session.positions(Side::A).is_some());
        let framed = |program: &mut AppState| {
            program.perform(Command::FrameHead);
            wait(program);
            program.ui.camera.distance
        };
        program.change(|scene| {
            (scene.groom.length, scene.groom.vertices) = (0.4, 40);
            scene.sim.step.softness = 0.0;
            scene.sim.step.solver = "rod".into();
        });
        program.wait("curls", |p| {
            let hair = p.session.positions(Side::A);
            hair.is_some_and(|hair| hair.len() == 400)
        });
        let modelled = framed(&mut program);
        program.wait("hair that hangs", |p| {
            let hair = p.session.positions(Side::A).into_iter().flatten();
            let lowest = hair.map(|place| place.y).fold(f32::MAX, f32::min);
            let built = p.session.built().expect("hair");
            let modelled = built.groom.points.iter().map(|place| place.y);
            lowest < modelled.fold(f32::MAX, f32::min) - 0.09
        });
        let hanging = framed(&mut program);
        assert!(1.02 * modelled < hanging, "{modelled} m, {hanging} m");
    }

    #[test]
    fn views_that_are_kept_named_and_deleted_are_taken_back_step_by_step() {
        let mut program = AppState::small();
        let mut states = vec![program.document.scene().views.clone()];
        let mut note = |program: &AppState| states.push(program.document.scene().views.clone());
        program.perform(Command::KeepView("near".into()));
        note(&program);
        program.turn(Turn::Orbit([100.0, 20.0]));
        program.perform(Command::KeepView("  ".into()));
        note(&program);
        program.perform(Command::NameView(1, "far side".into()));
        note(&program);
        // A second one of a name takes the place of the first; a rename does not.
        program.perform(Command::KeepView("near".into()));
        note(&program);
        program.perform(Command::NameView(0, "far side".into()));
        program.perform(Command::NameView(0, " ".into()));
        assert_eq!(program.document.scene().views[0].name, "near");
        assert_eq!(program.document.scene().views[1].name, "far side");
        assert_eq!(
            program.document.scene().views[0].yaw,
            program.document.scene().views[1].yaw
        );
        program.perform(Command::DropView(0));
        note(&program);
        assert_eq!(program.document.scene().views.len(), 1);
        for wanted in states.iter().rev().skip(1) {
            program.perform(Command::Undo);
            assert_eq!(&program.document.scene().views, wanted);
        }
        for wanted in &states[1..] {
            program.perform(Command::Redo);
            assert_eq!(&program.document.scene().views, wanted);
        }
    }

    #[test]
    fn a_view_without_a_name_takes_the_place_of_none() {
        let mut program = AppState::small();
        let names = |program: &AppState| -> Vec<String> {
            let views = &program.document.scene().views;
            views.iter().map(|view| view.name.clone()).collect()
        };
        for _ in 0..2 {
            program.perform(Command::KeepView(String::new()));
        }
        program.perform(Command::DropView(0));
        program.perform(Command::KeepView(String::new()));
        assert_eq!(names(&program), ["View 2", "View 3"]);
    }

    #[test]
    fn the_camera_flies_to_views_and_back() {
        let mut program = AppState::small();
        program.perform(Command::KeepView("here".into()));
        let here = program.ui.camera.clone();
        program.perform(Command::View(ViewPreset::Back));
        assert_eq!(program.ui.camera, here, "it has not begun to move");
        wait(&mut program);
        assert!((program.document.scene().camera.yaw.abs() - 180.0).abs() < 0.1);
        program.perform(Command::GoToView(0));
        wait(&mut program);
        assert!(program.ui.camera.position().distance(here.position()) < 1e-4);
        // A touch of the mouse stops it.
        program.perform(Command::View(ViewPreset::Back));
        program.move_camera(Instant::now(), false);
        program.halt();
        assert!(!program.move_camera(Instant::now(), false));
    }

    #[test]
    fn the_turntable_turns_by_its_speed_and_stays_out_of_undo() {
        let mut program = AppState::small();
        program.perform(Command::Toggle("camera.turntable"));
        assert!(program.document.scene().camera.turntable);
        let start = program.ui.camera.yaw;
        let now = Instant::now();
        for frame in 0..=50 {
            assert!(program.move_camera(now + Duration::from_millis(20) * frame, false));
        }
        let turned = (program.ui.camera.yaw - start).to_degrees();
        assert!((turned - 30.0).abs() < 0.1, "{turned} degrees in a second");
        let yaw = program.document.scene().camera.yaw;
        program.perform(Command::Undo);
        assert!(!program.document.scene().camera.turntable);
        assert_eq!(
            program.document.scene().camera.yaw,
            yaw,
            "undo turns nothing back"
        );
    }

    #[test]
    fn the_turntable_of_a_recording_turns_by_the_frame_rate_that_it_began_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = AppState::small();
        program.perform(Command::Toggle("camera.turntable"));
        let scene = program.document.scene_mut();
        scene.capture.folder = folder.path().display().to_string();
        let (fps, speed) = (scene.capture.fps, scene.camera.turn_speed);
        let scene = scene.clone();
        program
            .session
            .start_recording(&scene, [16, 16])
            .expect("starts");
        program.document.scene_mut().capture.fps = 2 * fps;
        let (yaw, now) = (program.ui.camera.yaw, Instant::now());
        program.move_camera(now, false);
        program.move_camera(now, true);
        let turned = (program.ui.camera.yaw - yaw).to_degrees();
        assert!((turned - speed / fps as f32).abs() < 1e-3, "{turned}");
    }

    #[test]
    fn another_field_of_view_keeps_the_heads_size_if_wanted() {
        let mut program = AppState::small();
        program.turn(Turn::Orbit([30.0, 0.0]));
        let size =
            |program: &AppState| program.ui.camera.distance * (0.5 * program.ui.camera.fov).tan();
        let before = size(&program);
        let set = |program: &mut AppState, key: &str, value| {
            let place = program.document.scene().place(key).expect("a tunable");
            program.perform(Command::Set {
                place,
                value,
                held: false,
            });
        };
        set(&mut program, "camera.fov", crate::param::Value::Float(60.0));
        assert!((program.ui.camera.fov.to_degrees() - 60.0).abs() < 1e-3);
        assert!((size(&program) / before - 1.0).abs() < 1e-3);
        set(
            &mut program,
            "camera.dolly",
            crate::param::Value::Bool(false),
        );
        set(&mut program, "camera.fov", crate::param::Value::Float(24.0));
        assert!(size(&program) < 0.5 * before, "only the lens changed");
        for _ in 0..3 {
            program.perform(Command::Undo);
        }
        assert!((size(&program) / before - 1.0).abs() < 1e-3);
        assert!((program.ui.camera.fov.to_degrees() - 24.0).abs() < 1e-3);
    }
}
