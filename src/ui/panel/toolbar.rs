//! The row of buttons over the panel.

use super::super::{command::Command, icons::Icon, keys, page::Page, theme};
use crate::{project::history::History, session::Session};
use egui::{Align, Color32, Layout, Ui, vec2};

/// Draws them; `page` is the page of plots that is open.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    history: &History,
    page: Option<Page>,
    commands: &mut Vec<Command>,
) {
    let recording = session.recorder().is_recording();
    ui.horizontal(|ui| {
        const TOOLS: f32 = 11.0;
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ((ui.available_width() - 14.0) / TOOLS - 4.0).clamp(20.0, 32.0);
        let mut tool = |ui: &mut Ui, icon: Icon, colour: Color32, command: Command, what: &str| {
            let help = format!("{what} ({})", keys::name_of(&command));
            if icon
                .button(ui, vec2(width, 26.0), colour)
                .on_hover_text(&help)
                .on_disabled_hover_text(&help)
                .clicked()
            {
                commands.push(command);
            }
        };
        match session.is_paused() {
            true => tool(ui, Icon::Play, theme::ACCENT, Command::Pause, "Go on"),
            false => tool(ui, Icon::Pause, theme::TEXT, Command::Pause, "Pause"),
        }
        tool(
            ui,
            Icon::Restart,
            theme::TEXT,
            Command::Reset,
            "Back to the start: hair at rest, time at zero",
        );
        match recording {
            true => tool(
                ui,
                Icon::Stop,
                theme::ERROR,
                Command::Capture,
                "Stop recording",
            ),
            false => tool(
                ui,
                Icon::Record,
                theme::ERROR,
                Command::Capture,
                "Record frames; time goes on for that",
            ),
        }
        tool(
            ui,
            Icon::Camera,
            theme::TEXT,
            Command::Screenshot,
            "Save one picture",
        );
        tool(
            ui,
            Icon::Frame,
            theme::TEXT,
            Command::FrameHead,
            "Frame the head",
        );
        let lit = match page {
            Some(_) => theme::ACCENT,
            None => theme::TEXT,
        };
        tool(
            ui,
            Icon::Plot,
            lit,
            Command::Dock,
            "Plots over time, strand inspector",
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            tool(
                ui,
                Icon::Help,
                theme::TEXT,
                Command::Help,
                "All keys, and earlier messages",
            );
            tool(
                ui,
                Icon::Save,
                theme::TEXT,
                Command::SaveScene,
                "Save the scene",
            );
            tool(
                ui,
                Icon::Folder,
                theme::TEXT,
                Command::AskOpen,
                "Open a scene",
            );
            ui.add_enabled_ui(history.can_redo(), |ui| {
                tool(ui, Icon::Redo, theme::TEXT, Command::Redo, "Redo");
            });
            ui.add_enabled_ui(history.can_undo(), |ui| {
                tool(ui, Icon::Undo, theme::TEXT, Command::Undo, "Undo");
            });
        });
    });
}
