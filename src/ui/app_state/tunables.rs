//! Tunables that commands set: by their places, and some by what they are for.

use super::AppState;
use crate::{
    groom::styles::STYLES,
    param::Value,
    project::{
        document::{keep_size, set_collider_param, set_param, take_style},
        history::{ChangeTarget, ParamPlace},
    },
    render::pigment::{self, PIGMENTS},
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
