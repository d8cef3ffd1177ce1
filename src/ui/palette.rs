//! The hair colours by name, as swatches, and one for any other.

mod any_colour;

use super::{command::Command, theme};
use crate::render::{
    LookParams, Shading,
    pigment::{self, PIGMENTS, Pigment},
};
use egui::{
    Color32, CornerRadius, Rect, Rgba, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    accesskit::Role, vec2,
};

/// Swatches in a row.
const ROW: usize = 7;

/// Draws the swatches; the colour at work has a frame.
pub fn show(ui: &mut Ui, look: &LookParams, commands: &mut Vec<Command>) {
    if look.shading != Shading::Fibre {
        return;
    }
    let gap = 4.0;
    let width = (ui.available_width() - 20.0 - gap * (ROW as f32 - 1.0)) / ROW as f32;
    let size = vec2(width, 22.0);
    // Behind the last of them is the one for any other.
    for first in (0..=PIGMENTS.len()).step_by(ROW) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for index in first..(first + ROW).min(PIGMENTS.len() + 1) {
                match PIGMENTS.get(index) {
                    Some(pigment) if swatch(ui, size, pigment, look) => {
                        commands.push(Command::Pigment(index));
                    }
                    Some(_) => {}
                    None => any_colour::show(ui, size, look, commands),
                }
            }
        });
    }
    ui.add_space(3.0);
}

/// A colour with a name, `size` large `[points]`; whether it was clicked.
fn swatch(ui: &mut Ui, size: Vec2, pigment: &Pigment, look: &LookParams) -> bool {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let chosen = pigment.colours(look);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, pigment.label));
    let mut own = LookParams::default();
    pigment.apply_to(&mut own);
    paint(ui, rect, seen(&own), chosen, response.hovered());
    response.on_hover_text(pigment.label).clicked()
}

/// A colour, with a frame if the hair has it.
fn paint(ui: &Ui, rect: Rect, colour: Color32, chosen: bool, hot: bool) {
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(4), colour);
    let stroke = match (chosen, hot) {
        (true, _) => Stroke::new(2.0, Color32::WHITE),
        (false, true) => Stroke::new(1.0, theme::TEXT),
        (false, false) => return,
    };
    painter.rect_stroke(rect, CornerRadius::same(4), stroke, StrokeKind::Inside);
}

/// A colour that looks on the panel as the hair does in the light.
fn seen(look: &LookParams) -> Color32 {
    let lit = pigment::lit(look);
    Rgba::from_rgb(lit.x, lit.y, lit.z).into()
}
