//! The hair colours by name, as swatches.

use super::{command::Command, theme};
use crate::render::{
    HeadFinish, LookParams, Shading,
    pigment::{PIGMENTS, Pigment, thick},
};
use egui::{Color32, CornerRadius, Rect, Sense, Stroke, StrokeKind, Ui, ecolor::Rgba, vec2};

/// Swatches in a row.
const ROW: usize = 7;

/// Whether a row of the look does anything with the shading at work, on the built-in
/// head or another.
pub fn concerns(look: &LookParams, is_built_in: bool, key: &str) -> bool {
    let fibre = look.shading == Shading::Fibre;
    match key {
        "eumelanin" | "root_eumelanin" | "pheomelanin" | "dye" | "grey" | "roughness" => fibre,
        "root_colour" | "tip_colour" => !fibre,
        "flush" | "brows" => is_built_in && look.head == HeadFinish::Skin,
        _ => true,
    }
}

/// Draws the swatches; the colour at work has a frame.
pub fn show(ui: &mut Ui, look: &LookParams, commands: &mut Vec<Command>) {
    if look.shading != Shading::Fibre {
        return;
    }
    let gap = 4.0;
    let width = (ui.available_width() - 20.0 - gap * (ROW as f32 - 1.0)) / ROW as f32;
    for (row, pigments) in PIGMENTS.chunks(ROW).enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for (column, pigment) in pigments.iter().enumerate() {
                let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), Sense::click());
                swatch(ui, rect, pigment, pigment.colours(look), response.hovered());
                if response.on_hover_text(pigment.label).clicked() {
                    commands.push(Command::Pigment(row * ROW + column));
                }
            }
        });
    }
    ui.add_space(3.0);
}

fn swatch(ui: &Ui, rect: Rect, pigment: &Pigment, chosen: bool, hot: bool) {
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(4), seen(pigment));
    let stroke = match (chosen, hot) {
        (true, _) => Stroke::new(2.0, Color32::WHITE),
        (false, true) => Stroke::new(1.0, theme::TEXT),
        (false, false) => return,
    };
    painter.rect_stroke(rect, CornerRadius::same(4), stroke, StrokeKind::Inside);
}

/// A colour that looks on the panel as the hair does in the light.
fn seen(pigment: &Pigment) -> Color32 {
    let mut look = LookParams::default();
    pigment.apply_to(&mut look);
    // Lit hair is lighter than what it reflects of even light. Fitted to pictures of the
    // default hair in each of these colours: between the mean and the upper quartile of
    // its pixels, within 5 of 255.
    let bright = thick(&look).powf(0.74) * 3.0;
    let lit = bright / (bright * 0.9 + 1.0) + 0.034;
    Rgba::from_rgb(lit.x, lit.y, lit.z).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Params as _;

    #[test]
    fn every_shading_shows_its_own_colours() {
        let mut look = LookParams::default();
        let shown = |look: &LookParams| -> Vec<&str> {
            let keys = look.tunables().into_iter().map(|tunable| tunable.key);
            keys.filter(|key| concerns(look, true, key)).collect()
        };
        let fibre = shown(&look);
        look.shading = Shading::KajiyaKay;
        let painted = shown(&look);
        assert!(fibre.contains(&"eumelanin") && !fibre.contains(&"tip_colour"));
        assert!(painted.contains(&"tip_colour") && !painted.contains(&"dye"));
        assert!(fibre.contains(&"width") && painted.contains(&"width"));
    }
}
