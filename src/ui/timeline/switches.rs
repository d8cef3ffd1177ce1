//! The switches of the timeline: what a camera that is moved leaves in the shot, and what comes
//! after its end.

use super::shot_end;
use crate::{
    project::scene::Scene,
    ui::{command::Command, icons::Icon, theme},
};
use egui::{Atom, Button, IdSalt, Role, Ui, WidgetInfo, vec2};

/// With less room beside it the first switch is its dot alone. `[points]`
const ROOMY: f32 = 430.0;

/// Both of them: whether a camera with keys that is moved gets keys, and whether time begins anew
/// at the shot's end.
pub fn show(ui: &mut Ui, scene: &Scene, on: [bool; 2], commands: &mut Vec<Command>) {
    auto_key(ui, on[0], commands);
    looping(ui, scene, on[1], commands);
}

/// Whether a camera with keys that is moved gets keys: then its dot is red.
fn auto_key(ui: &mut Ui, on: bool, commands: &mut Vec<Command>) {
    let id = IdSalt::new("auto key");
    let dot = Atom::custom(id, vec2(9.0, 9.0));
    let button = match ui.available_width() > ROOMY {
        true => Button::new((dot, "Auto key")),
        false => Button::new(dot),
    };
    let button = button.small().atom_ui(ui);
    button
        .response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, "Auto key"));
    let colour = if on { theme::ERROR } else { theme::WEAK };
    if let Some(place) = button.rect(id) {
        ui.painter().circle_filled(place.center(), 4.0, colour);
    }
    let help = match on {
        true => {
            "Auto key is on: a camera with keys that is moved gets keys where time is, and in a \
             pause a head that moves by keys and is turned by hand. Click to look around without"
        }
        false => {
            "Auto key is off: a camera with keys that is moved shows a working view, and the \
             shot stays as it is; what a hand turns the head by is added to its keys. Click to \
             let both get keys. Sliders of numbers with keys set some either way"
        }
    };
    if button.response.on_hover_text(help).clicked() {
        commands.push(Command::AutoKey(!on));
    }
}

/// Whether time begins anew at the shot's end.
fn looping(ui: &mut Ui, scene: &Scene, on: bool, commands: &mut Vec<Command>) {
    let ends = shot_end::end(scene).is_some();
    let colour = match on && ends {
        true => theme::ACCENT,
        false => theme::WEAK,
    };
    let help = match (ends, on) {
        (false, _) => "Loop: the shot has no end yet; a right click on the timeline sets it",
        (true, true) => {
            "Loop is on: at its end the shot begins anew, from rest. Click to let time go on"
        }
        (true, false) => {
            "Loop is off: time goes on beyond the shot. Click to let it begin anew at its end, from rest"
        }
    };
    ui.add_enabled_ui(ends, |ui| {
        let button = Icon::Loop.small(ui, vec2(24.0, 26.0), colour);
        let button = button.on_hover_text(help).on_disabled_hover_text(help);
        if button.clicked() {
            commands.push(Command::LoopShot(!on));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable};

    /// What clicks on both switches ask for, where the shot has an `end`. `[s]`
    fn clicked(end: f32, on: bool) -> Vec<Command> {
        let mut scene = Scene::default();
        scene.capture.seconds = end;
        let mut bar = Harness::builder()
            .with_size(vec2(500.0, 40.0))
            .with_context_setup(theme::apply)
            .build_ui_state(
                |ui, commands: &mut Vec<Command>| {
                    ui.horizontal(|ui| show(ui, &scene, [on; 2], commands));
                },
                Vec::new(),
            );
        for label in ["Auto key", "Loop"] {
            bar.get_by_label(label).click();
            bar.run_steps(4);
        }
        bar.state().clone()
    }

    #[test]
    fn a_click_takes_the_other_state_and_only_what_ends_is_repeated() {
        let both = |on| [Command::AutoKey(on), Command::LoopShot(on)];
        assert_eq!(clicked(2.0, false), both(true));
        assert_eq!(clicked(2.0, true), both(false));
        assert_eq!(clicked(0.0, false), [Command::AutoKey(true)]);
    }
}
