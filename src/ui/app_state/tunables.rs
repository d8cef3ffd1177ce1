//! Tunables that commands set: by their places, and some by what they are for.

use super::AppState;
use crate::{
    groom::{styles::STYLES, vertices_for_curls},
    param::Value,
    project::{
        document::{keep_size, set_collider_param, set_param, take_style},
        history::{ChangeTarget, ParamPlace},
        scene::Scene,
    },
    render::pigment::{self, PIGMENTS},
    ui::command::Command,
};

impl AppState {
    pub(super) fn set(&mut self, place: ParamPlace, value: Value, held: bool) {
        let before = self.method_place(place);
        self.try_change_at(Some(place.into()), held, |scene| {
            let fov = scene.camera.fov;
            set_param(scene, place, value)?;
            // A lens that is keyed is all that changes.
            if scene.sim.tracks.keys.of("camera.fov").is_none() {
                keep_size(&mut scene.camera, fov);
            }
            Ok(())
        });
        if let Some(before) = before {
            self.tell_other_hold(&before);
        }
    }

    pub(super) fn set_both(&mut self, places: [(ParamPlace, Value); 2], held: bool) {
        // Later moves of the slider, the last of them, belong to it alone.
        let [_, (slider, _)] = places;
        self.try_change_at(Some(slider.into()), held, |scene| {
            let mut places = places.into_iter();
            places.try_for_each(|(place, value)| set_param(scene, place, value))
        });
    }

    pub(super) fn set_of_body(&mut self, row: usize, index: usize, value: Value, held: bool) {
        let target = ChangeTarget::ColliderTunable { row, index };
        self.try_change_at(Some(target), held, |scene| {
            set_collider_param(scene, row, index, value)
        });
    }

    pub(super) fn reset_section(&mut self, number: usize) {
        self.try_change_at(None, false, |scene| {
            if let Some(section) = scene.sections_mut().into_iter().nth(number) {
                for (index, tunable) in section.tunables().into_iter().enumerate() {
                    section
                        .set(index, tunable.default)
                        .map_err(|error| error.to_string())?;
                }
            }
            Ok(())
        });
    }

    pub(super) fn change_style(&mut self, row: usize) {
        self.change(|scene| {
            if let Some(style) = STYLES.get(row) {
                take_style(scene, style);
            }
        });
    }

    /// Gives the strands vertices enough for their curls.
    pub(super) fn give_vertices(&mut self) {
        self.change(|scene| {
            if let Some(vertices) = vertices_for_curls(&scene.groom) {
                scene.groom.vertices = vertices;
            }
        });
    }

    /// Tells where curls have become drawn out since `before`; and no more where they are not.
    pub(super) fn tell_drawn_out_curls(&mut self, before: &Scene) {
        const TEXT: &str = "Curls are drawn out: their strands have too few vertices for turns \
                            this short";
        let scene = self.document.scene();
        let [was, is] = [before, scene].map(|scene| {
            let grown = scene.import.file.is_empty();
            let enough = vertices_for_curls(&scene.groom).filter(|_| grown);
            enough.is_some_and(|enough| enough > scene.groom.vertices)
        });
        match (was, is) {
            (false, true) => {
                let enough = ("Give them enough".into(), Command::EnoughVertices);
                self.ui.toasts.offer(TEXT, vec![enough]);
            }
            (true, false) => self.ui.toasts.retract(TEXT),
            _ => {}
        }
    }

    pub(super) fn next_geometry(&mut self) {
        self.change(|scene| {
            scene.look.geometry = scene.look.geometry.next();
        });
        let name = self.document.scene().look.geometry.name();
        self.ui.toasts.tell(format!("Strands as {name}"));
    }

    pub(super) fn change_pigment(&mut self, row: usize) {
        self.change(|scene| {
            if let Some(pigment) = PIGMENTS.get(row) {
                pigment.apply_to(&mut scene.look);
            }
        });
    }

    pub(super) fn dye(&mut self, dye: [f32; 3], held: bool) {
        let place = self.document.scene().place("look.dye");
        self.change_at(place, held, |scene| pigment::dye(&mut scene.look, dye));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curls_that_become_drawn_out_are_told_of_once_and_can_have_vertices_enough() {
        let mut program = AppState::small();
        let groom = &mut program.document.scene_mut().groom;
        (groom.vertices, groom.length, groom.curl_pitch) = (32, 0.2, 0.034);
        let told = |program: &AppState| program.ui.toasts.shows("Curls are drawn out");
        let place = program.document.scene().place("groom.length");
        let drag = |program: &mut AppState, length: f64| {
            program.set(place.expect("a parameter"), Value::Float(length), true);
        };
        drag(&mut program, 0.21);
        assert!(!told(&program));
        drag(&mut program, 0.4);
        drag(&mut program, 0.6);
        assert!(told(&program));
        drag(&mut program, 0.2);
        assert!(!told(&program), "it is true no more");
        drag(&mut program, 0.6);
        program.perform(Command::EnoughVertices);
        assert!(!told(&program));
        let groom = &program.document.scene().groom;
        assert_eq!(vertices_for_curls(groom), None);
        assert!(groom.vertices < 90, "{}", groom.vertices);
        program.perform(Command::Undo);
        assert!(told(&program));
    }
}
