//! Where one begins: which head, and which hairstyle.

use super::{
    super::{command::Command, program::Program, theme},
    grouped,
};
use crate::groom::styles::STYLES;
use egui::{Button, Color32, RichText, Ui};

pub fn head(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    if let Some(built) = program.built() {
        let report = &built.head.report;
        ui.horizontal(|ui| {
            let text = format!("{:.1} cm tall", 100.0 * report.height);
            ui.label(RichText::new(&report.name).strong());
            ui.label(RichText::new(text).color(theme::WEAK))
                .on_hover_text(&report.summary);
        });
        let triangles = built.head.mesh.triangles.len();
        let detail = format!(
            "{} triangles, unit {}, {} is up",
            grouped(triangles),
            report.units.name(),
            report.up.name()
        );
        ui.label(RichText::new(detail).small().color(theme::WEAK))
            .on_hover_text(&report.summary);
        for warning in report.warnings.iter().take(6) {
            let colour = ui.visuals().warn_fg_color;
            ui.add(egui::Label::new(RichText::new(warning).small().color(colour)).wrap());
        }
    }
    if ui
        .add_sized(
            [ui.available_width() - 20.0, 24.0],
            Button::new("Open a head (.obj) …"),
        )
        .clicked()
    {
        commands.push(Command::AskHead);
    }
    ui.add_space(2.0);
}

pub fn styles(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let gap = 4.0;
        ui.spacing_mut().item_spacing.x = gap;
        let count = STYLES.len() as f32;
        let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
        for (index, style) in STYLES.iter().enumerate() {
            let now = program.scene().groom == (style.params)();
            let text =
                RichText::new(style.label).color(if now { Color32::WHITE } else { theme::TEXT });
            let fill = if now { theme::ACCENT_DIM } else { theme::FIELD };
            let button = Button::new(text).fill(fill);
            if ui
                .add_sized([width, 25.0], button)
                .on_hover_text(style.help)
                .clicked()
            {
                commands.push(Command::Style(index));
            }
        }
    });
    if !program.scene().import.file.is_empty() {
        let note = "The hair comes from a file: these take effect when a style is chosen.";
        ui.label(RichText::new(note).small().color(theme::ACCENT));
    }
    ui.add_space(3.0);
}
