//! What solvers have to say under their rows.

use super::super::theme;
use crate::{
    project::{compare::Side, comparison::Measured, scene::Scene},
    sim::{Statistics, solver::rod::MOST_HOLD},
};
use egui::{RichText, Ui};

/// What the elastic rods' solver has to say.
pub fn elastic_rods(ui: &mut Ui, measured: &Statistics) {
    let soft = match measured.softened {
        0.0 => "none softer than its material".into(),
        share => format!("{:.0} % of strands too soft", (100.0 * share).max(1.0)),
    };
    ui.add_space(1.0);
    let text = format!("Inner steps: {:.0} a substep, {soft}", measured.inner_steps);
    ui.label(RichText::new(text).small().color(theme::WEAK))
        .on_hover_text(
            "Stiff hair in short segments vibrates fast, and every inner step must follow. \
             Strands that ask for more than the most allowed are made as soft as those bear.",
        );
}

/// What the rods' solver has to say of a side.
pub fn rods(ui: &mut Ui, scene: &Scene, side: Side, measured: &Measured) {
    let (extra, measured) = (measured.extra_passes, &measured.statistics);
    let line = |ui: &mut Ui, text: String, help: &str| {
        ui.label(RichText::new(text).small().color(theme::WEAK))
            .on_hover_text(help);
    };
    ui.add_space(1.0);
    let rod = match side {
        Side::A => &scene.sim.rod,
        Side::B => &scene.b.rod.0,
    };
    let hold = if rod.sag_free {
        hold_words(measured)
    } else {
        "Groom hold: off, the hair sags".into()
    };
    line(
        ui,
        hold,
        "Where the hairstyle would topple under its own weight, as a curl that stands up does, \
         the strand is made stiffer than its material until it stays as it was modelled.",
    );
    line(
        ui,
        format!("Extra passes: {:.1} % of the strands", 100.0 * extra),
        "Strands that were moved so fast or hit so hard that one Newton pass was not enough for \
         them. Many of them make the step slower; more substeps make them fewer.",
    );
}

/// The groom hold in words.
fn hold_words(measured: &Statistics) -> String {
    if measured.held == 0.0 {
        return "Groom hold: none needed".into();
    }
    let share = match 100.0 * measured.held {
        few if few < 1.0 => "under 1".into(),
        share => format!("{share:.0}"),
    };
    let digits = usize::from(measured.hold < 10.0);
    let enough = if f64::from(measured.hold) < MOST_HOLD {
        ""
    } else {
        ", not enough for all: raise the stiffness"
    };
    format!(
        "Groom hold: {share} % of strands, up to ×{:.digits$} stiffer{enough}",
        measured.hold
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groom_hold_is_told_in_words() {
        let words = |held, hold| {
            hold_words(&Statistics {
                held,
                hold,
                ..Statistics::default()
            })
        };
        assert_eq!(words(0.0, 1.0), "Groom hold: none needed");
        assert!(words(1.0, 256.0).ends_with("not enough for all: raise the stiffness"));
        assert_eq!(
            words(0.384, 4.0),
            "Groom hold: 38 % of strands, up to ×4.0 stiffer"
        );
        assert!(words(0.001, 1.4).contains("under 1 %"));
    }
}
