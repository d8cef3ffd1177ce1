//! A row of words of which one is chosen.

use super::theme;
use egui::{Color32, Frame, Margin, Response, RichText, Sense, Stroke, Ui};

/// A word that is underlined when it is chosen.
pub fn tab(ui: &mut Ui, name: &str, on: bool) -> Response {
    let colour = if on { theme::TEXT } else { theme::WEAK };
    let text = RichText::new(name).size(12.5).color(colour);
    let label = egui::Label::new(text)
        .selectable(false)
        .sense(Sense::click());
    let response = Frame::new()
        .inner_margin(Margin::symmetric(6, 3))
        .show(ui, |ui| ui.add(label))
        .inner;
    let line = if on {
        theme::ACCENT
    } else {
        Color32::TRANSPARENT
    };
    let rect = response.rect;
    ui.painter()
        .hline(rect.x_range(), rect.bottom() + 2.0, Stroke::new(2.0, line));
    response
}
