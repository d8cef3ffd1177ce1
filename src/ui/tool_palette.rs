//! The palette that says what the left mouse button does in the picture.

use super::{command::Command, keys, theme, tool::Tool};
use egui::{Frame, Margin, Rect, RichText, Stroke, vec2};

/// Draws the palette into the upper left corner of the picture; so many vertices are
/// pinned.
pub fn palette(
    ctx: &egui::Context,
    viewport: Rect,
    chosen: Tool,
    pins: usize,
    commands: &mut Vec<Command>,
) {
    egui::Area::new(egui::Id::unique("tools"))
        .fixed_pos(viewport.min + vec2(10.0, 10.0))
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::GROUND.gamma_multiply(0.9))
                .corner_radius(6)
                .inner_margin(Margin::same(4))
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
                    for tool in Tool::ALL {
                        let on = chosen == tool;
                        let colour = if on { theme::ACCENT } else { theme::TEXT };
                        let key = keys::name_of(&Command::Tool(tool));
                        let button = tool.icon().button(ui, vec2(30.0, 30.0), colour);
                        if on {
                            let stroke = Stroke::new(1.5, theme::ACCENT);
                            let inside = egui::StrokeKind::Inside;
                            ui.painter().rect_stroke(button.rect, 4, stroke, inside);
                        }
                        let help = format!("{} ({key})\n{}", tool.name(), tool.help());
                        if button.on_hover_text(help).clicked() {
                            commands.push(Command::Tool(tool));
                        }
                    }
                    if pins > 0 {
                        let key = keys::name_of(&Command::Unpin);
                        let words = if pins == 1 { "pin" } else { "pins" };
                        let text = RichText::new(format!("{pins}\n{words}")).small();
                        ui.spacing_mut().button_padding.x = 0.0;
                        let button = egui::Button::new(text).wrap_mode(egui::TextWrapMode::Extend);
                        if ui
                            .add_sized([30.0, 34.0], button)
                            .on_hover_text(format!("Pinned vertices; remove all pins ({key})"))
                            .clicked()
                        {
                            commands.push(Command::Unpin);
                        }
                    }
                });
        });
}
