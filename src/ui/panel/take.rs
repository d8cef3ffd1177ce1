//! Where a recording begins and when it ends: a row of the short panel.

use super::{section::with_row, source_row::SourceRow};
use crate::{
    param::{Kind, Value},
    project::{scene::Scene, sides::Side},
    ui::{command::Command, theme, widgets::typed::Typed},
};
use egui::{Align, Checkbox, DragValue, Layout, RichText, Ui};

/// Size of the field of seconds. `[points]`
const FIELD: [f32; 2] = [72.0, 20.0];

/// Draws the row; `late` says that the head has no more keyframes before it.
pub(super) fn show(ui: &mut Ui, scene: &Scene, late: bool, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        // As wide as the buttons above it.
        ui.set_max_width(ui.available_width() - 20.0);
        with_row(scene, Side::A, "capture.from_start", |row| {
            from_start(ui, row, late, commands);
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            with_row(scene, Side::A, "capture.seconds", |row| {
                seconds(ui, row, commands);
            });
        });
    });
}

fn from_start(
    ui: &mut Ui,
    (place, params, tunable): &SourceRow,
    late: bool,
    commands: &mut Vec<Command>,
) {
    let mut on = params.get(place.1) == Value::Bool(true);
    let colour = match (late, on) {
        (true, _) => ui.visuals().warn_fg_color,
        (false, true) => theme::TEXT,
        (false, false) => theme::WEAK,
    };
    let text = RichText::new(tunable.label).color(colour);
    let help = "Hair, head and keyframes are set back to time zero first, so that the same shot \
                can be taken again. Off, a recording goes on from what is shown";
    let response = ui.add(Checkbox::new(&mut on, text)).on_hover_text(help);
    if response.changed() {
        commands.push(Command::Set {
            place: *place,
            value: Value::Bool(on),
            held: false,
        });
    }
}

fn seconds(ui: &mut Ui, (place, params, tunable): &SourceRow, commands: &mut Vec<Command>) {
    let (Kind::Float { range, .. }, Value::Float(now)) = (&tunable.kind, params.get(place.1))
    else {
        return;
    };
    // A field that is only looked into gives back what it shows.
    let shown = (100.0 * now).round() / 100.0;
    let mut wanted = shown;
    let typed = Typed::new(" s", range.clone());
    let number = DragValue::new(&mut wanted).speed(0.1).max_decimals(2);
    let field = ui.add_sized(FIELD, typed.field(number));
    let name = "Seconds";
    ui.label(RichText::new(name).color(theme::WEAK));
    ui.ctx()
        .accesskit_node_builder(field.id, |node| node.set_label(name));
    if field.changed() && wanted != shown {
        commands.push(Command::Set {
            place: *place,
            value: Value::Float(wanted),
            held: field.dragged(),
        });
    }
    if !typed.tell(&field) {
        field.on_hover_text(
            "Simulated time after which the recording ends by itself; 0: when you stop it. Drag \
             or type",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{accesskit::Role, vec2};
    use egui_kittest::{Harness, kittest::Queryable};

    #[test]
    fn the_row_fits_into_the_narrowest_panel() {
        // What a panel of 300 points leaves to its rows.
        const ROOM: f32 = 270.0;
        let row = Harness::builder()
            .with_size(vec2(400.0, 100.0))
            .with_context_setup(theme::apply)
            .build_ui(|ui| {
                ui.set_max_width(ROOM);
                show(ui, &Scene::default(), true, &mut Vec::new());
            });
        let start = row.get_by_role_and_label(Role::CheckBox, "From the start");
        let word = row.get_by_role_and_label(Role::Label, "Seconds");
        let field = row.get_by_role_and_label(Role::SpinButton, "Seconds");
        let [start, word, field] = [start, word, field].map(|node| node.rect());
        assert!(start.right() + 4.0 < word.left(), "{start:?}, {word:?}");
        assert!(word.right() < field.left(), "{word:?}, {field:?}");
        assert!(field.right() < start.left() + ROOM - 18.0, "{field:?}");
        assert!((start.center().y - field.center().y).abs() < 2.0, "a row");
    }
}
