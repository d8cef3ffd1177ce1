//! What the method at work has to say under its parameters.

use super::super::theme;
use crate::{
    project::{comparison::Measured, scene::Scene, sides::Side},
    sim::{
        SHORTEST_SUBSTEP,
        solver::{MethodStatus, method},
    },
};
use egui::{RichText, Ui};

/// Into how many substeps a step is cut; a warning where they are too short.
pub fn substeps(ui: &mut Ui, scene: &Scene, side: Side) {
    let step = &scene.params_of(side).step;
    let (count, length) = (step.substeps(), step.substep());
    let parts = match count {
        1 => "1 substep".into(),
        _ => format!("{count} substeps"),
    };
    let text = RichText::new(format!("A step is {parts} of {length:.2} ms")).small();
    let (text, help) = if length < SHORTEST_SUBSTEP {
        (
            text.color(ui.visuals().warn_fg_color),
            "So short that the rounding of single precision shows: rods slowly leave their \
             plane. Make the longest substep 0.5 ms or more, or the step rate lower.",
        )
    } else {
        let help = "The step rate and the longest substep decide. Each substep costs about as \
                    much as any other.";
        (text.color(theme::WEAK), help)
    };
    ui.label(text).on_hover_text(help);
}

/// What the method of the side on show has to say, a line each.
pub fn status(ui: &mut Ui, scene: &Scene, side: Side, measured: &Measured) {
    let Some(method) = method(scene.solver(side)) else {
        return;
    };
    let now = MethodStatus {
        params: &scene.params_of(side),
        statistics: &measured.statistics,
        extra_passes: measured.extra_passes,
    };
    for (index, line) in (method.status)(&now).into_iter().enumerate() {
        if index == 0 {
            ui.add_space(1.0);
        }
        let colour = match line.remedy {
            Some(_) => ui.visuals().warn_fg_color,
            None => theme::WEAK,
        };
        ui.label(RichText::new(line.text).small().color(colour))
            .on_hover_text(line.help);
    }
}
