//! What a frame costs, pass by pass, and what is wrong with shaders: under the
//! rows of the look.

use super::super::theme;
use crate::render::PassTiming;
use egui::{Align2, CollapsingHeader, Context, FontId, Id, Label, RichText, Sense, Ui, pos2, vec2};

/// Where the panel notes that somebody looks at the times.
fn id() -> Id {
    Id::unique("times of passes")
}

/// Whether somebody looks at the times of passes.
pub fn is_wanted(context: &Context) -> bool {
    context.data(|data| data.get_temp(id())).unwrap_or(false)
}

/// Shows both.
pub fn show(ui: &mut Ui, times: &[PassTiming], faults: &[String]) {
    for fault in faults {
        ui.add_space(4.0);
        let text = RichText::new(fault).monospace().small().color(theme::ERROR);
        ui.add(Label::new(text).selectable(true).wrap());
    }
    ui.add_space(2.0);
    let title = RichText::new("Cost of a frame").small().color(theme::WEAK);
    let shown = CollapsingHeader::new(title)
        .id_salt(id())
        .show(ui, |ui| passes(ui, times));
    let open = shown.openness > 0.0;
    ui.ctx().data_mut(|data| data.insert_temp(id(), open));
    shown.header_response.on_hover_text(
        "The time that each pass of the picture takes, measured on the graphics processor where \
         there is one; times are taken only while this is open",
    );
}

fn passes(ui: &mut Ui, passes: &[PassTiming]) {
    let total: f64 = passes.iter().map(|pass| pass.1).sum();
    if passes.is_empty() {
        let text = "Nothing was drawn since: move the view, or let time go on.";
        ui.label(RichText::new(text).small().color(theme::WEAK));
        return;
    }
    for (name, ms) in passes.iter().copied().chain([("all passes", total)]) {
        let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 15.0), Sense::hover());
        let painter = ui.painter();
        let font = FontId::proportional(11.0);
        let middle = row.center().y;
        let left = pos2(row.left() + 2.0, middle);
        painter.text(left, Align2::LEFT_CENTER, name, font.clone(), theme::WEAK);
        let number = pos2(row.left() + 168.0, middle);
        let words = format!("{ms:.1} ms");
        painter.text(number, Align2::RIGHT_CENTER, words, font, theme::TEXT);
        if name != "all passes" {
            let room = (row.right() - 8.0) - (number.x + 8.0);
            let share = (ms / total.max(1e-9)) as f32;
            let bar = egui::Rect::from_min_size(
                pos2(number.x + 8.0, middle - 3.0),
                vec2((room * share).max(1.0), 6.0),
            );
            painter.rect_filled(bar, 2, theme::ACCENT.gamma_multiply(0.7));
        }
    }
}
