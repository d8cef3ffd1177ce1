//! The panel's part of the groom from a file: how it sits, and what to do.

use super::{command::Command, program::Program, theme};
use egui::{Button, Label, RichText, Ui};

/// Above the rows of the section.
pub fn show(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let asked = !program.scene().import.file.is_empty();
    let bound = program.built().and_then(|built| built.bound.as_ref());
    if let Some(bound) = bound.filter(|_| asked) {
        let text = RichText::new(&bound.summary).small().color(theme::WEAK);
        ui.add(Label::new(text).wrap());
        for warning in bound.warnings.iter().take(6) {
            let colour = ui.visuals().warn_fg_color;
            ui.add(Label::new(RichText::new(warning).small().color(colour)).wrap());
        }
        let better = bound.better.is_some();
        let hint = "Set scale and offset to what brings the roots nearest to the head";
        if better && wide(ui, "Fit to the head").on_hover_text(hint).clicked() {
            commands.push(Command::FitGroom);
        }
    }
    if wide(ui, "Open a groom …").clicked() {
        commands.push(Command::AskGroom);
    }
    if asked && wide(ui, "Grown hair again").clicked() {
        commands.push(Command::NoGroom);
    }
    let hint = "Write all drawn strands as they are now; the name's ending says the format";
    if wide(ui, "Export the hair …").on_hover_text(hint).clicked() {
        commands.push(Command::AskExport);
    }
    ui.add_space(2.0);
}

fn wide(ui: &mut Ui, text: &str) -> egui::Response {
    ui.add_sized([ui.available_width() - 20.0, 24.0], Button::new(text))
}
