//! The palette that says what the left mouse button does in the picture, and how.

use super::{command::Command, keys, panel, theme, tool::Tool, widgets::tooltip};
use crate::project::scene::Scene;
use egui::{Frame, Margin, Rect, RichText, Stroke, vec2};

/// From the edge of the picture. `[points]`
const EDGE: f32 = 10.0;

/// Width of the palette with the gap beside it. `[points]`
const PALETTE: f32 = 46.0;

/// Width of a tool's settings. `[points]`
const SETTINGS: f32 = 320.0;

/// A picture that is smaller has no palette: it would lie over what is beside it. `[points]`
const LEAST: [f32; 2] = [120.0, 316.0];

/// Draws the palette into the upper left corner of the picture; so many vertices are
/// pinned.
pub fn palette(
    ctx: &egui::Context,
    viewport: Rect,
    chosen: Tool,
    pins: usize,
    commands: &mut Vec<Command>,
) {
    if viewport.width() < LEAST[0] || viewport.height() < LEAST[1] {
        return;
    }
    egui::Area::new(egui::Id::unique("tools"))
        .fixed_pos(viewport.min + vec2(EDGE, EDGE))
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

/// Draws the settings of the chosen tool beside the palette, where there is room for
/// them; where they lie.
pub fn settings(
    ctx: &egui::Context,
    viewport: Rect,
    chosen: Tool,
    scene: &Scene,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let room = viewport.width() - PALETTE - 2.0 * EDGE;
    if chosen.settings().is_empty() || room < SETTINGS || viewport.height() < LEAST[1] {
        return None;
    }
    let shown = egui::Area::new(egui::Id::unique("tool settings"))
        .fixed_pos(viewport.min + vec2(EDGE + PALETTE, EDGE))
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::GROUND.gamma_multiply(0.9))
                .corner_radius(6)
                .inner_margin(Margin::symmetric(10, 4))
                .show(ui, |ui| {
                    ui.set_width(SETTINGS - 20.0);
                    ui.spacing_mut().item_spacing.y = 2.0;
                    ui.label(RichText::new(chosen.name()).small().color(theme::WEAK));
                    panel::rows(ui, scene, chosen.settings(), commands);
                    if let Some(note) = note(chosen, scene) {
                        ui.label(RichText::new(note).small().color(theme::WEAK));
                    }
                });
        });
    tooltip::keep_clear(ctx, tooltip::Rows::Tool, shown.response.rect);
    Some(shown.response.rect)
}

/// What is worth knowing before the tool is used.
fn note(chosen: Tool, scene: &Scene) -> Option<&'static str> {
    let painted = scene.hand.paints.of(&scene.roots);
    (chosen == Tool::More && painted.is_empty())
        .then_some("Nothing was painted less yet: this brush brings back what \"Paint less\" took.")
}
