//! Notes under the method's name on what makes a comparison of methods unfair: strands
//! softer than their material, and a groom that only one of two methods holds.

use super::input::PanelInput;
use crate::{
    param::Value,
    project::{
        scene::Scene,
        sides::{Side, holds_groom},
    },
    sim::solver::{MethodStatus, method},
    ui::command::Command,
};
use egui::{Button, Label, RichText, Ui};

/// One note: what is odd, what it means, and what may be done about it.
#[derive(Debug, PartialEq)]
pub(super) struct MethodNote {
    /// The side that it is about; none where there is only one.
    pub side: Option<Side>,
    /// What is odd.
    pub text: String,
    /// What it means.
    pub help: String,
    /// A button's words, and what it does.
    pub remedy: Option<(String, Command)>,
}

/// Draws them.
pub(super) fn show(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let warnings = Side::BOTH
        .into_iter()
        .flat_map(|side| warnings(input, side));
    for note in warnings.chain(hold_differs(input.scene, input.side())) {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            ui.set_max_width(ui.available_width() - 8.0);
            let text = match note.side {
                Some(side) => format!("{}: {}", side.letter(), note.text),
                None => note.text,
            };
            let colour = ui.visuals().warn_fg_color;
            ui.add(Label::new(RichText::new(text).small().color(colour)).wrap())
                .on_hover_text(&note.help);
            if let Some((label, command)) = note.remedy
                && ui
                    .add(Button::new(RichText::new(label).small()))
                    .on_hover_text(&note.help)
                    .clicked()
            {
                commands.push(command);
            }
        });
        ui.add_space(3.0);
    }
}

/// What the method of a side warns of.
fn warnings(input: PanelInput, side: Side) -> Vec<MethodNote> {
    let scene = input.scene;
    if side == Side::B && !scene.compare.on {
        return Vec::new();
    }
    let Some(method) = method(scene.solver(side)) else {
        return Vec::new();
    };
    let measured = input.session.measured(side);
    let now = MethodStatus {
        params: &scene.params_of(side),
        statistics: &measured.statistics,
        extra_passes: measured.extra_passes,
    };
    let lines = (method.status)(&now).into_iter();
    let note = |line: crate::sim::solver::StatusLine| {
        let remedy = line.remedy?;
        let place = scene.place(&of_side(remedy.parameter, side))?;
        let command = Command::Set {
            place,
            value: remedy.value,
            held: false,
        };
        Some(MethodNote {
            side: scene.compare.on.then_some(side),
            text: line.text,
            help: line.help.into(),
            remedy: Some((remedy.label, command)),
        })
    };
    lines.filter_map(note).collect()
}

/// A parameter's name on that side.
fn of_side(name: &str, side: Side) -> String {
    match side {
        Side::A => name.into(),
        Side::B => format!("b.{name}"),
    }
}

/// Where of two sides only one holds the groom: so that the `shown` side does as the other.
fn hold_differs(scene: &Scene, shown: Side) -> Option<MethodNote> {
    if !scene.compare.on {
        return None;
    }
    let [here, there] = match shown {
        Side::A => [Side::A, Side::B],
        Side::B => [Side::B, Side::A],
    };
    let held = |side| holds_groom(&scene.params_of(side));
    let (own, other) = (held(here)?, held(there)?);
    if own == other {
        return None;
    }
    let command = take_hold(scene, here, other)?;
    let words = |side: Side, holds: bool| {
        let verb = if holds { "holds" } else { "does not hold" };
        format!("{} {verb} the groom", side.letter())
    };
    Some(MethodNote {
        side: None,
        text: format!("{}, {}", words(here, own), words(there, other)),
        help: format!(
            "They do not rest in the same shape. {HELP} Each method has a switch of its own, \
             \u{201c}Hold the groom\u{201d}."
        ),
        remedy: Some(("Use the same here".into(), command)),
    })
}

/// What the switch of a method does.
const HELP: &str = "A method that holds the groom takes it as the shape under gravity; one that \
                    does not takes it as the shape without, and sags.";

/// Lets the method of a side hold the groom, or not.
fn take_hold(scene: &Scene, side: Side, holds: bool) -> Option<Command> {
    let name = format!("{}.sag_free", scene.solver(side));
    Some(Command::Set {
        place: scene.place(&of_side(&name, side))?,
        value: Value::Bool(holds),
        held: false,
    })
}

/// What to say where `side` has got another method than in `before`, and that rests in
/// another shape than the last one: a sentence, and what lets it do as the last one.
pub fn other_hold(
    before: &Scene,
    scene: &Scene,
    side: Side,
) -> Option<(String, (String, Command))> {
    let (was, now) = (method(before.solver(side))?, method(scene.solver(side))?);
    let old = holds_groom(&before.params_of(side))?;
    let new = holds_groom(&scene.params_of(side))?;
    if was.id == now.id || old == new {
        return None;
    }
    let words = |holds| if holds { "holds" } else { "does not hold" };
    let text = format!(
        "{} {} the groom, {} {}",
        now.name,
        words(new),
        was.name,
        if old { "does" } else { "does not" },
    );
    let offer = (
        "Use the same here".to_string(),
        take_hold(scene, side, old)?,
    );
    Some((text, offer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solver::{DerParams, RodParams};

    #[test]
    fn methods_that_rest_in_other_shapes_are_told_of_and_made_alike() {
        let mut scene = Scene::default();
        scene.sim.step.solver = "rod".into();
        scene.sim.of_mut::<RodParams>().sag_free = false;
        let mut other = scene.clone();
        other.sim.step.solver = "der".into();
        let told = other_hold(&scene, &other, Side::A);
        let Some((text, (_, Command::Set { place, value, .. }))) = told else {
            panic!("nothing is told");
        };
        assert_eq!(
            text,
            "Discrete Elastic Rods holds the groom, Kirchhoff rod does not"
        );
        assert_eq!(Some(place), other.place("der.sag_free"));
        assert_eq!(value, Value::Bool(false));
        other.sim.of_mut::<DerParams>().sag_free = false;
        assert_eq!(other_hold(&scene, &other, Side::A), None);
        assert_eq!(other_hold(&other, &other, Side::A), None);
        // Side by side.
        assert_eq!(hold_differs(&other, Side::A), None);
        other.compare.on = true;
        let note = hold_differs(&other, Side::B).expect("B holds");
        assert_eq!(note.text, "B holds the groom, A does not hold the groom");
        let Some((_, Command::Set { place, value, .. })) = note.remedy else {
            panic!("no remedy");
        };
        let name = format!("b.{}.sag_free", other.solver(Side::B));
        assert_eq!(Some(place), other.place(&name));
        assert_eq!(value, Value::Bool(false));
    }
}
