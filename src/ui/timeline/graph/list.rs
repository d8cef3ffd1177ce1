//! The numbers that have keys, left of the graph: a click shows another.

use crate::{
    project::scene::Scene,
    ui::{command::Command, theme, timeline::number_keys::tunable},
};
use egui::{
    Button, FontId, Layout, Rect, ScrollArea, Ui, UiBuilder,
    text::{LayoutJob, TextFormat},
};

/// The list in `place`; the number `name` is shown.
pub(super) fn show(
    ui: &mut Ui,
    place: Rect,
    scene: &Scene,
    name: &str,
    commands: &mut Vec<Command>,
) {
    let layout = Layout::top_down_justified(egui::Align::Min);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(place).layout(layout));
    inner.set_clip_rect(place.intersect(ui.clip_rect()));
    inner.spacing_mut().item_spacing.y = 1.0;
    inner.spacing_mut().button_padding.x = 5.0;
    let rows = |ui: &mut Ui| {
        let sections = scene.sections();
        for track in scene.sim.tracks.keys.tracks() {
            let number = track.parameter();
            let Some(tunable) = tunable(&sections, number) else {
                continue;
            };
            let row = Button::selectable(number == name, told(tunable.label, track.section()));
            let count = crate::math::counted(track.keys().len(), "key", "keys");
            let row = ui.add(row.truncate());
            if row.clicked() {
                commands.push(Command::ShowGraph(Some(number.into())));
            }
            row.on_hover_text(format!("{} ({number}): {count}", tunable.label));
        }
    };
    ScrollArea::vertical()
        .id_salt("numbers with keys")
        .auto_shrink(false)
        .show(&mut inner, rows);
}

/// A number's name, and more quietly that of its section.
fn told(label: &str, section: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut add = |text: &str, size, colour| {
        let format = TextFormat::simple(FontId::proportional(size), colour);
        job.append(text, 0.0, format);
    };
    add(label, 12.0, theme::TEXT);
    add(&format!("  {section}"), 11.0, theme::WEAK);
    job
}
