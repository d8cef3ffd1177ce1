//! The panel's part of the groom from a file: how it sits, and what to do.

use super::{command::Command, theme};
use crate::groom::BindReport;
use egui::{Button, Color32, Context, Id, Label, RichText, Ui};

/// The section of the panel.
pub const SECTION: &str = "import";
/// Its title.
pub const TITLE: &str = "Hair from a file";
/// What the button says that fits the groom, here and in the message.
pub const FIT: &str = "Fit to head";

/// Where the panel notes the groom whose fit was offered.
fn offered() -> Id {
    Id::unique("the groom that does not fit")
}

/// Whether a groom that does not fit has just come: what helps is to be seen
/// then. True until it is [`answered`], once a file.
pub fn calls(ctx: &Context, file: &str, bound: Option<&BindReport>) -> bool {
    if bound.is_none_or(|bound| bound.better.is_none()) {
        return false;
    }
    ctx.data(|data| data.get_temp::<String>(offered()).as_deref() != Some(file))
}

/// What helps is seen.
pub fn answered(ctx: &Context, file: &str, bound: Option<&BindReport>) {
    if calls(ctx, file, bound) {
        ctx.data_mut(|data| data.insert_temp(offered(), file.to_string()));
    }
}

/// Above the rows of the section: of a groom from `file`, which is empty for none,
/// and how it came onto the head.
pub fn show(ui: &mut Ui, file: &str, bound: Option<&BindReport>, commands: &mut Vec<Command>) {
    let asked = !file.is_empty();
    if let Some(bound) = bound.filter(|_| asked) {
        let text = RichText::new(&bound.summary).small().color(theme::WEAK);
        ui.add(Label::new(text).wrap());
        for warning in bound.warnings.iter().take(6) {
            let colour = ui.visuals().warn_fg_color;
            ui.add(Label::new(RichText::new(warning).small().color(colour)).wrap());
        }
        if let Some(better) = &bound.better {
            let text = RichText::new(FIT).color(Color32::WHITE);
            let button = Button::new(text).fill(theme::ACCENT_DIM);
            let hint = format!(
                "Set unit, axis, turn, scale and offset to what brings the roots nearest to the \
                 head: {better}"
            );
            if sized(ui, button).on_hover_text(hint).clicked() {
                commands.push(Command::FitGroom);
            }
        }
    }
    if wide(ui, "Open a groom …").clicked() {
        commands.push(Command::AskGroom);
    }
    if asked && wide(ui, "Back to procedural hair").clicked() {
        commands.push(Command::NoGroom);
    }
    let hint = "The hair that is on this head now, grown or from a file, goes to the head that you \
                choose: by its faces where both heads have the same, else by a fit";
    let carry = wide(ui, "Carry the hair to another head …");
    if carry.on_hover_text(hint).clicked() {
        commands.push(Command::AskRebind);
    }
    let hint = "Write the hair as it is now, or an animation of it, for another program";
    if wide(ui, "Export the hair …").on_hover_text(hint).clicked() {
        commands.push(Command::AskExport);
    }
    ui.add_space(2.0);
}

fn wide(ui: &mut Ui, text: &str) -> egui::Response {
    sized(ui, Button::new(text))
}

fn sized(ui: &mut Ui, button: Button) -> egui::Response {
    ui.add_sized([ui.available_width() - 20.0, 24.0], button)
}
