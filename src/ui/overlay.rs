//! What lies around the picture: the status line.

mod activity;
mod figures;
mod words;

pub use figures::{FrameStats, Status};

use super::{command::Command, keys, theme};
use crate::session::Session;
use egui::{Align, Frame, Layout, Margin, Panel, RichText, Ui};

/// Room that the texts at the right end want; with less they are left out. `[points]`
const RIGHT_END: f32 = 190.0;

/// The line along the lower edge; `turns` says that the turntable does.
pub fn status(
    ui: &mut Ui,
    session: &Session,
    state: &Status,
    pulse: FrameStats,
    drawing: Option<&str>,
    still: Option<f32>,
    turns: bool,
) {
    Panel::bottom("status")
        .resizable(false)
        .exact_size(26.0)
        .frame(
            Frame::new()
                .fill(theme::GROUND)
                .inner_margin(Margin::symmetric(10, 3)),
        )
        .show(ui, |ui| {
            ui.horizontal_centered(|ui| {
                ui.spacing_mut().item_spacing.x = 14.0;
                activity::show(ui, session, still);
                figures::show(ui, state, pulse);
                if ui.available_width() >= RIGHT_END {
                    right_end(ui, drawing, turns);
                }
            });
        });
}

/// The key of the help, whether the turntable turns, and that the processor draws.
fn right_end(ui: &mut Ui, drawing: Option<&str>, turns: bool) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new("F1 keys").small().color(theme::WEAK));
        if turns {
            let key = keys::name_of(&Command::Toggle("camera.turntable"));
            let text = RichText::new(format!("turntable ({key})"));
            ui.label(text.small().color(theme::ACCENT))
                .on_hover_text("The camera goes round the head until it is stopped");
        }
        if let Some(note) = drawing {
            let note = RichText::new(note);
            ui.label(note.small().color(theme::ACCENT)).on_hover_text(
                "No graphics hardware was found, so the processor draws: the picture \
                 is coarser while something moves, and of very many strands some \
                 are left out. Recordings have everything.",
            );
        }
    });
}
