//! What the method at work has to say under its parameters.

use super::super::theme;
use crate::{
    project::{comparison::Measured, scene::Scene, sides::Side},
    sim::solver::{MethodStatus, method},
};
use egui::{RichText, Ui};

/// What the method of the side on show has to say, a line each.
pub fn status(ui: &mut Ui, scene: &Scene, side: Side, measured: &Measured) {
    let Some(method) = method(scene.solver(side)) else {
        return;
    };
    let second;
    let params = match side {
        Side::A => &scene.sim,
        Side::B => {
            second = scene.second();
            &second
        }
    };
    let now = MethodStatus {
        params,
        statistics: &measured.statistics,
        extra_passes: measured.extra_passes,
    };
    for (index, line) in (method.status)(&now).into_iter().enumerate() {
        if index == 0 {
            ui.add_space(1.0);
        }
        ui.label(RichText::new(line.text).small().color(theme::WEAK))
            .on_hover_text(line.help);
    }
}
