//! The line over the picture that says that a working view is shown, and what leads out of it.

use super::{command::Command, keys, theme};
use egui::{Align2, Area, Button, Color32, Context, Frame, Id, Margin, Order, Rect, RichText};

/// From the timeline. `[points]`
const ABOVE: f32 = 6.0;

/// Narrower pictures have the buttons alone. `[points]`
const ROOMY: f32 = 560.0;

/// Shows it at the lower edge of `viewport`, above the `bar` of the timeline there `[points]`;
/// `told` is the present time among the keys.
pub fn show(ctx: &Context, viewport: Rect, bar: f32, told: &str, commands: &mut Vec<Command>) {
    let place = egui::pos2(viewport.center().x, viewport.bottom() - bar - ABOVE);
    Area::new(Id::unique("working view"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(place)
        .constrain_to(viewport)
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::RAISED)
                .stroke(egui::Stroke::new(1.0, theme::ACCENT_DIM))
                .corner_radius(7)
                .inner_margin(Margin::symmetric(8, 5))
                .show(ui, |ui| {
                    ui.horizontal(|ui| line(ui, viewport.width() >= ROOMY, told, commands));
                });
        });
}

fn line(ui: &mut egui::Ui, roomy: bool, told: &str, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 8.0;
    if roomy {
        let text = RichText::new("Working view: nothing of it is keyed").color(theme::ACCENT);
        ui.label(text).on_hover_text(
            "The camera has keys, and you have moved it. The shot keeps its camera; with Auto \
             key in the timeline a camera that is moved gets keys",
        );
    }
    let key = keys::name_of(&Command::ShotCamera);
    let text = RichText::new(format!("Back to the shot's camera ({key})")).color(Color32::WHITE);
    let back = ui.add(Button::new(text).fill(theme::ACCENT_DIM));
    let back = back.on_hover_text("The camera goes by its keys again; recordings take it anyway");
    if back.clicked() {
        commands.push(Command::ShotCamera);
    }
    let keyed = ui.button("Key this view").on_hover_text(format!(
        "The camera's numbers that have keys get one of this view at {told}; it is then the \
         shot's"
    ));
    if keyed.clicked() {
        commands.push(Command::KeyView);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use egui_kittest::{Harness, kittest::Queryable};

    #[test]
    fn its_buttons_lead_back_and_key_the_view() {
        let mut shown = Harness::builder()
            .with_size(vec2(700.0, 60.0))
            .with_context_setup(theme::apply)
            .build_ui_state(
                |ui, commands: &mut Vec<Command>| line(ui, true, "1.50 s", commands),
                Vec::new(),
            );
        shown.get_by_label("Working view: nothing of it is keyed");
        shown.get_by_label("Back to the shot's camera (0)").click();
        shown.run_steps(4);
        shown.get_by_label("Key this view").click();
        shown.run_steps(4);
        assert_eq!(*shown.state(), [Command::ShotCamera, Command::KeyView]);
    }
}
