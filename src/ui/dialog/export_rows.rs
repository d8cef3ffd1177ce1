//! What the dialog asks of hair that is exported, beside its path: which strands, the unit and
//! the axis of the file, and whether the head goes with it.

use crate::{
    io::strands,
    mesh::Up,
    project::export::{ExportOptions, ExportUp, FileAxes, HeadGoes, LengthUnit, head_beside},
    ui::{numbers::grouped, theme},
};
use egui::{Button, Color32, RichText, Ui, vec2};
use std::path::{Path, PathBuf};

/// Room for the name of a row. `[points]`
const NAME: f32 = 62.0;

/// How high the rows are together. `[points]`
pub(super) const HEIGHT: f32 = 152.0;

/// The rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportRows {
    /// What is chosen.
    pub options: ExportOptions,
    /// How many strands there are without new followers, and with them.
    pub strands: [usize; 2],
    /// Whether the hair comes from a file, all strands of which are written.
    pub from_file: bool,
    /// The axes of the files of head and groom.
    pub axes: FileAxes,
}

impl ExportRows {
    /// The same choices where files named like `path` can hold them.
    pub(super) fn for_file(&self, path: &Path) -> ExportOptions {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let possible = match strands::writer(&ending) {
            Some((format, _)) => self.options.up.axis(self.axes, format).is_ok(),
            None => true,
        };
        match possible {
            true => self.options,
            false => ExportOptions {
                up: ExportUp::Head,
                ..self.options
            },
        }
    }

    /// The head's file that is written beside the hair's `path`, if one is.
    pub(super) fn head_beside(&self, path: &Path) -> Option<PathBuf> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let (format, _) = strands::writer(&ending)?;
        HeadGoes::of(self.options.head, format).file(path)
    }

    /// Draws them, for a file named like `path`; none while no file is named.
    pub(super) fn show(&mut self, ui: &mut Ui, path: Option<&Path>) {
        let ending = path.and_then(Path::extension).unwrap_or_default();
        let format = strands::writer(&ending.to_string_lossy()).map(|(format, _)| format);
        let shown = path.map_or(self.options, |path| self.for_file(path));
        ui.spacing_mut().item_spacing.y = 4.0;
        row(ui, "Strands", |ui| {
            let [simulated, drawn] = self.strands.map(grouped);
            let (text, help) = match self.from_file {
                true => (
                    format!("The file's: {simulated}"),
                    "All strands of the groom's file, as they are now, and no others",
                ),
                false => (
                    format!("Simulated: {simulated}"),
                    "The guides alone, each as it is simulated",
                ),
            };
            if choice(ui, &text, !shown.drawn)
                .on_hover_text(help)
                .clicked()
            {
                self.options.drawn = false;
            }
            let help = "With the followers that the picture shows (followers.each)";
            let text = match self.from_file {
                true => format!("As drawn: {drawn}"),
                false => format!("As drawn: {drawn} and fine hairs"),
            };
            if choice(ui, &text, shown.drawn).on_hover_text(help).clicked() {
                self.options.drawn = true;
            }
        });
        row(ui, "Unit", |ui| {
            for unit in LengthUnit::ALL {
                if choice(ui, unit.name(), shown.unit == unit).clicked() {
                    self.options.unit = unit;
                }
            }
        });
        row(ui, "Up", |ui| {
            for up in ExportUp::ALL {
                let axis = format.map(|format| up.axis(self.axes, format));
                let possible = axis.is_none_or(|axis| axis.is_ok());
                let (text, help) = match (up, axis) {
                    (ExportUp::Head, Some(Ok((axis, why)))) => {
                        (format!("{}, {why}", axis.name()), "")
                    }
                    (ExportUp::Head, _) => ("as the head's file".into(), ""),
                    (ExportUp::X, Some(Err(why))) => (Up::X.name().into(), why),
                    _ => (up.name().into(), ""),
                };
                ui.add_enabled_ui(possible, |ui| {
                    let button = choice(ui, &text, shown.up == up);
                    if button.clicked() {
                        self.options.up = up;
                    }
                    if !help.is_empty() {
                        button.on_disabled_hover_text(help);
                    }
                });
            }
        });
        row(ui, "Head", |ui| {
            let within = format.and_then(|format| format.carries.head);
            let text = match path {
                _ if within.is_some() => format!("within it, as {}", within.unwrap_or_default()),
                Some(path) => {
                    let head = head_beside(path);
                    let name = head.file_name().unwrap_or_default().to_string_lossy();
                    format!("beside it, as {name}")
                }
                None => "beside it, as OBJ".into(),
            };
            ui.checkbox(&mut self.options.head, text);
        });
        let format = format.map_or("", |format| format.name);
        let text = match format {
            "" => "One pose: the hair as it is now.".into(),
            _ => format!("{format}. One pose: the hair as it is now."),
        };
        ui.label(RichText::new(text).small().color(theme::WEAK))
            .on_hover_text("lovelock simulate --export writes animations: see its --help");
    }
}

/// A row with a name before it.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let label = RichText::new(name).color(theme::WEAK);
        ui.scope(|ui| {
            ui.set_width(NAME);
            ui.label(label);
        });
        add(ui);
    });
}

/// A button for one of several.
fn choice(ui: &mut Ui, text: &str, chosen: bool) -> egui::Response {
    let (fill, colour) = match chosen {
        true => (theme::ACCENT_DIM, Color32::WHITE),
        false => (theme::FIELD, theme::TEXT),
    };
    let button = Button::new(RichText::new(text).color(colour)).fill(fill);
    ui.add(button.min_size(vec2(36.0, 22.0)))
}
