//! The swatch of a hair colour that has no name: it opens a choice of all colours.

use super::paint;
use crate::{
    render::{
        LookParams,
        pigment::{self, PIGMENTS},
    },
    ui::{command::Command, theme},
};
use egui::{
    Align2, Color32, FontId, Id, Popup, PopupCloseBehavior, Rgba, RichText, Sense, TextEdit, Ui,
    Vec2, WidgetInfo,
    accesskit::Role,
    color_picker::{Alpha, color_picker_hsva_2d},
    ecolor::Hsva,
};

/// What it is called.
pub(super) const NAME: &str = "Any colour";

/// Its tooltip.
const HELP: &str = "Any colour: a dye that lets lit hair look like what you pick. Takes the place \
                    of both melanins and of grey. Hair in the light is never quite black, white \
                    or of one pure colour: it comes as near as it can.";

/// A colour that was picked, and the dye that the hair got for it. Hair cannot have each
/// colour: where the choice began anew from what the hair shows, hue would be lost on the
/// way through black.
#[derive(Clone, Copy)]
struct Picked {
    dye: [f32; 3],
    colour: Hsva,
}

/// Draws the swatch, and the choice while it is open.
pub(super) fn show(ui: &mut Ui, size: Vec2, look: &LookParams, commands: &mut Vec<Command>) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let id = ui.make_persistent_id(NAME);
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, NAME));
    let colour = super::seen(look);
    let chosen = PIGMENTS.iter().all(|pigment| !pigment.colours(look));
    paint(ui, rect, colour, chosen, response.hovered());
    let ink = match colour.intensity() > 0.5 {
        true => Color32::BLACK,
        false => Color32::WHITE,
    };
    let font = FontId::proportional(11.0);
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, "Any", font, ink);
    let response = response.on_hover_text(HELP);
    Popup::menu(&response)
        .id(id.with("choice"))
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| choice(ui, id, look, commands));
}

/// All colours, and one as a web page has it.
fn choice(ui: &mut Ui, id: Id, look: &LookParams, commands: &mut Vec<Command>) {
    let picked: Option<Picked> = ui.data(|data| data.get_temp(id));
    let picked = picked.filter(|picked| pigment::is_dyed(look, picked.dye));
    let mut colour = picked.map_or_else(|| super::seen(look).into(), |picked| picked.colour);
    // As wide as egui's own.
    ui.spacing_mut().slider_width = 275.0;
    let mut held = None;
    let before = colour;
    color_picker_hsva_2d(ui, &mut colour, Alpha::Opaque);
    if differ(before, colour) {
        held = Some(ui.input(|input| input.pointer.any_down()));
    }
    if let Some(typed) = hexadecimal(ui, id.with("hexadecimal"), colour.into()) {
        (colour, held) = (typed.into(), Some(false));
    }
    if let Some(held) = held {
        let [r, g, b, _] = Rgba::from(colour).to_array();
        let dye = pigment::dye_of([r, g, b].into());
        ui.data_mut(|data| data.insert_temp(id, Picked { dye, colour }));
        commands.push(Command::Dye { dye, held });
    }
}

/// Whether somebody has moved a colour: the arithmetic of the choice alone changes its last
/// digits.
fn differ(before: Hsva, after: Hsva) -> bool {
    let parts = |colour: Hsva| [colour.h, colour.s, colour.v];
    let mut pairs = parts(before).into_iter().zip(parts(after));
    pairs.any(|(before, after)| (before - after).abs() > 1e-5)
}

/// A field for six digits; the colour that was typed there.
fn hexadecimal(ui: &mut Ui, id: Id, now: Color32) -> Option<Color32> {
    // While it is edited, the text lives here.
    let draft: Option<String> = ui.data(|data| data.get_temp(id));
    let [r, g, b, _] = now.to_array();
    let mut text = draft.unwrap_or_else(|| format!("#{r:02x}{g:02x}{b:02x}"));
    let response = ui
        .horizontal(|ui| {
            let label = ui.label(RichText::new("Hexadecimal").color(theme::WEAK));
            let field = TextEdit::singleline(&mut text)
                .id(id.with("edit"))
                .desired_width(80.0);
            ui.add(field).labelled_by(label.id)
        })
        .inner;
    let typed = response.changed().then(|| read(&text)).flatten();
    // Asked before the data is locked, which the answer comes from, too.
    let is_edited = response.has_focus();
    ui.data_mut(|data| match is_edited {
        true => _ = data.insert_temp(id, text),
        false => data.remove::<String>(id),
    });
    typed
}

/// What six digits say, with or without a hash before them.
fn read(text: &str) -> Option<Color32> {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    let all = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| all)?;
    let [_, r, g, b] = number.to_be_bytes();
    Some(Color32::from_rgb(r, g, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::app_state::AppState;
    use egui::ecolor::HsvaGamma;

    #[test]
    fn six_digits_are_a_colour() {
        let brown = Some(Color32::from_rgb(0x7a, 0x3b, 0x2e));
        assert_eq!((read("#7a3b2e"), read(" 7A3B2E ")), (brown, brown));
        for text in ["", "#", "#7a3b2", "#7a3b2e0", "7a3b2g", "+a3b2e", "äää"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_colour_that_is_looked_at_is_not_moved() {
        for step in 0..=1000 {
            let v = step as f32 / 1000.0;
            let colour = Hsva::new(0.03, 0.8, v, 1.0);
            let shown = Hsva::from(HsvaGamma::from(colour));
            assert!(!differ(colour, shown), "{colour:?}");
        }
        // One step of 255 of the darkest.
        let dark = |red| Hsva::from(Color32::from_rgb(red, 0, 0));
        assert!(differ(dark(0), dark(1)));
    }

    #[test]
    fn a_drag_through_the_colours_is_one_change_to_undo() {
        let mut program = AppState::small();
        let before = program.document.scene().look.clone();
        for (red, held) in [(0.5, true), (0.3, true), (0.2, false)] {
            let dye = [red, 0.4, 1.0];
            program.perform(Command::Dye { dye, held });
            assert!(pigment::is_dyed(&program.document.scene().look, dye));
        }
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().look, before);
        assert!(!program.document.history().can_undo());
    }
}
