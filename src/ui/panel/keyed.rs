//! What the panel shows of numbers that change over time: a diamond before the row of each
//! that can, and what is done with its keys.

use super::source_row::SourceRow;
use crate::{
    param::{Track, Tracks, Value},
    project::scene::Scene,
    sim::tracks::{keyable, track_name},
    ui::{command::Command, diamond::diamond, theme, time_unit::TimeUnit},
};
use egui::{
    Color32, Id, Painter, Popup, PopupCloseBehavior, Pos2, Rect, Sense, SetOpenCommand, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

/// How far left of its row the diamond's middle is, and half of its width. `[points]`
const ASIDE: f32 = 5.0;
const HALF: f32 = 4.0;

/// The keys of all numbers, and the present time among them.
#[derive(Clone, Copy)]
pub struct KeysNow<'a> {
    tracks: &'a Tracks,
    time: f64,
    unit: TimeUnit,
}

impl<'a> KeysNow<'a> {
    /// No keys at all.
    pub const NONE: KeysNow<'static> = KeysNow {
        tracks: &Tracks::NONE,
        time: 0.0,
        unit: TimeUnit::Seconds,
    };

    /// Those of a scene at that time among them `[s]`, in that unit of time.
    pub fn of(scene: &'a Scene, time: f64, unit: TimeUnit) -> Self {
        Self {
            tracks: &scene.sim.tracks.keys,
            time,
            unit,
        }
    }

    /// The keys of the number in a row.
    fn track(self, (_, params, tunable): &SourceRow) -> Option<&'a Track> {
        if self.tracks.is_empty() {
            return None;
        }
        self.tracks.of(&track_name(params.section(), tunable.key))
    }

    /// What a row shows, the value that its keys have now, else its own; and whether it has
    /// keys.
    pub(super) fn value(self, row: &SourceRow) -> (Value, bool) {
        match self.track(row) {
            Some(track) => (Value::Float(track.shown(self.time)), true),
            None => (row.1.get(row.0.1), false),
        }
    }

    /// Draws the diamond of a row that fills `rect`, and its menu; what is chosen there
    /// becomes a command.
    pub(super) fn mark(self, ui: &Ui, rect: Rect, row: &SourceRow, commands: &mut Vec<Command>) {
        let (_, params, tunable) = row;
        let name = track_name(params.section(), tunable.key);
        if !keyable(
            name.rsplit_once('.').map_or("", |(section, _)| section),
            tunable,
        ) {
            return;
        }
        let track = self.track(row);
        let place = Rect::from_center_size(
            pos2(rect.left() - ASIDE, rect.center().y),
            vec2(2.0 * ASIDE + 2.0, rect.height()),
        );
        let area = rect.union(place);
        let over = ui.rect_contains_pointer(area);
        let id = Id::unique(("keys of", &name));
        let asks = over && ui.input(|input| input.pointer.secondary_clicked());
        self.menu(ui, id.with("menu"), asks, (&name, track, row), commands);
        if track.is_none() && !over {
            return;
        }
        let there = track.is_some_and(|track| track.key_at(self.time).is_some());
        let response = ui.interact(place, id, Sense::click());
        let now = self.unit.text(self.time);
        let number = format!("{} ({name}) at {now}", tunable.label);
        let text = match there {
            true => format!("Remove the key of {number}"),
            false => format!("Key {number}"),
        };
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &text));
        draw_mark(
            ui.painter(),
            place.center(),
            (there, track.is_some(), response.hovered()),
        );
        let help = match track {
            None => {
                "It then changes over time: a value that is set at another time becomes \
                     another key, and between keys it goes smoothly"
            }
            Some(_) => "A right click on the row shows what else can be done",
        };
        if response.on_hover_text(format!("{text}\n{help}")).clicked() {
            commands.push(self.toggled(&name, there, row));
        }
    }

    /// With the key of a number at the present time, or without it.
    fn toggled(self, name: &str, there: bool, row: &SourceRow) -> Command {
        let mut tracks = self.tracks.clone();
        match (there, self.value(row).0) {
            (true, _) => tracks.remove_key(name, self.time),
            (false, Value::Float(value)) => {
                tracks.set_key(name, self.unit.place(self.time, self.tracks), value);
            }
            _ => {}
        }
        Command::ReplaceTracks {
            tracks,
            held: false,
        }
    }

    /// What a right click on a row offers.
    fn menu(
        self,
        ui: &Ui,
        id: Id,
        asks: bool,
        (name, track, row): (&str, Option<&Track>, &SourceRow),
        commands: &mut Vec<Command>,
    ) {
        let open = asks.then_some(SetOpenCommand::Bool(true));
        let ctx = ui.ctx();
        if !asks && !Popup::is_id_open(ctx, id) {
            return;
        }
        Popup::new(id, ctx.clone(), ui.max_rect(), ui.layer_id())
            .kind(egui::PopupKind::Menu)
            .layout(egui::Layout::top_down_justified(egui::Align::Min))
            .style(egui::containers::menu::menu_style)
            .close_behavior(PopupCloseBehavior::CloseOnClick)
            .open_memory(open)
            .at_pointer_fixed()
            .show(|ui| {
                let there = track.is_some_and(|track| track.key_at(self.time).is_some());
                let text = format!("Key at {}", self.unit.text(self.time));
                if ui.add_enabled(!there, egui::Button::new(text)).clicked() {
                    commands.push(self.toggled(name, false, row));
                }
                let graph = egui::Button::new("Graph");
                if ui.add_enabled(track.is_some(), graph).clicked() {
                    commands.push(Command::ShowGraph(Some(name.into())));
                }
                let remove = egui::Button::new("Remove this key");
                if ui.add_enabled(there, remove).clicked() {
                    commands.push(self.toggled(name, true, row));
                }
                let remove = egui::Button::new("Remove all keys");
                if ui.add_enabled(track.is_some(), remove).clicked() {
                    let mut tracks = self.tracks.clone();
                    tracks.remove(name);
                    commands.push(Command::ReplaceTracks {
                        tracks,
                        held: false,
                    });
                }
            });
    }
}

/// A diamond: full where a key is `there`, an outline where others are or none is.
fn draw_mark(painter: &Painter, middle: Pos2, (there, keyed, hot): (bool, bool, bool)) {
    let size = if hot { HALF + 1.0 } else { HALF };
    let colour = if keyed { theme::ACCENT } else { theme::WEAK };
    let fill = if there { colour } else { Color32::TRANSPARENT };
    diamond(painter, middle, size, fill, Stroke::new(1.2, colour));
}

/// The numbers that change over time, above the rows of their section.
pub(super) fn list(ui: &mut Ui, now: KeysNow, commands: &mut Vec<Command>) {
    if now.tracks.is_empty() {
        ui.label(
            egui::RichText::new(
                "Nothing has keys. Point at the row of a number: the diamond before it keys it.",
            )
            .color(theme::WEAK),
        );
        return;
    }
    for track in now.tracks.tracks() {
        ui.horizontal(|ui| {
            let name = track.parameter();
            let remove = ui.small_button("x").on_hover_text("Remove all of its keys");
            if remove.clicked() {
                let mut tracks = now.tracks.clone();
                tracks.remove(name);
                commands.push(Command::ReplaceTracks {
                    tracks,
                    held: false,
                });
            }
            let times: Vec<String> = track
                .keys()
                .iter()
                .map(|key| now.unit.number(key.time))
                .collect();
            let text = format!("{name}: {} {}", times.join(", "), now.unit.suffix());
            let label = egui::Label::new(egui::RichText::new(text).small());
            let label = ui.add(label.truncate().sense(Sense::click()));
            if label
                .on_hover_text("Show its graph over the timeline")
                .clicked()
            {
                commands.push(Command::ShowGraph(Some(name.into())));
            }
        });
    }
}

#[cfg(test)]
mod tests;
