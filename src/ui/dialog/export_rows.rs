//! What the dialog asks of hair that is exported, beside its path: this moment or an animation,
//! the format, which strands, the unit and the axis of the file, and whether the head goes with
//! it.

use super::{
    endings::USUAL,
    export_name::{fitted, format},
};
use crate::{
    io::{
        cache::{self, is_named_like_cache},
        strands::{self, Format},
    },
    mesh::Up,
    project::export::{
        AnimationOptions, ExportOptions, ExportStrands, ExportUp, FileAxes, HeadGoes, LengthUnit,
        TargetProgram, estimated_bytes, head_beside,
    },
    ui::{
        numbers::{grouped, size},
        theme,
    },
};
use egui::{Button, Checkbox, Color32, ComboBox, RichText, Ui, vec2};
use std::path::{Path, PathBuf};

/// Room for the name of a row. `[points]`
const NAME: f32 = 56.0;

/// How high a row is with what is below it. `[points]`
const ROW: f32 = 26.0;

/// What is said of a cache where it does not hold what a row asks for.
pub(super) const CACHED: &str = "A cache holds the simulated strands in metres, and its scene: lovelock \
                      convert writes other files of it";

/// What is said of the rows of an animation where none is written.
const STILL: &str = "Of an animation: choose that in the row \"Write\"";

/// The rows.
#[derive(Clone, Copy, Debug)]
pub struct ExportRows {
    /// What is chosen.
    pub options: ExportOptions,
    /// Whether an animation is written, and not the hair as it is now.
    pub moves: bool,
    /// Which animation.
    pub animation: AnimationOptions,
    /// How many strands are simulated, how many there are with those of the groom's file, and
    /// with new followers.
    pub strands: [usize; 3],
    /// Points of a strand, on average.
    pub points: f64,
    /// Vertices of the head.
    pub head: usize,
    /// Whether the hair comes from a file.
    pub from_file: bool,
    /// The axes of the files of head and groom.
    pub axes: FileAxes,
}

impl ExportRows {
    /// How high the rows are together, whatever is chosen: no row moves under the mouse.
    /// `[points]`
    pub(super) fn height(&self) -> f32 {
        10.0 * ROW
    }

    /// The same choices where files named like `path` can hold them.
    pub(super) fn for_file(&self, path: &Path) -> ExportOptions {
        let possible = match format(path) {
            Some(format) => self.options.up.axis(self.axes, format).is_ok(),
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

    /// The files that are there already among those that would be written.
    pub(super) fn taken(&self, path: &Path) -> Vec<PathBuf> {
        let format = format(path);
        let goes = format.map(|format| HeadGoes::of(self.options.head, format));
        if self.moves {
            return self.animation.taken(path, goes == Some(HeadGoes::Beside));
        }
        let head = goes.and_then(|goes| goes.file(path));
        let files = [Some(path.to_path_buf()), head].into_iter().flatten();
        files.filter(|file| file.is_file()).collect()
    }

    /// Draws them, for a file named like `path`, none while no file is named; answers with
    /// another name for it.
    pub(super) fn show(&mut self, ui: &mut Ui, path: Option<&Path>) -> Option<PathBuf> {
        let (cached, format) = (path.is_some_and(is_named_like_cache), path.and_then(format));
        ui.spacing_mut().item_spacing.y = 4.0;
        let turned = self.kind_row(ui);
        let meant = self.program_row(ui, path);
        let ending = format_row(ui, self.moves, cached, format).or(meant);
        ui.add_enabled_ui(!cached, |ui| {
            self.strands_row(ui);
            let shown = path.map_or(self.options, |path| self.for_file(path));
            self.space_row(ui, shown, format);
            self.head_row(ui, path, format);
        })
        .response
        .on_disabled_hover_text(CACHED);
        ui.add_enabled_ui(self.moves, |ui| {
            let usual = path.filter(|_| cached || format.is_some());
            let usual = usual.map(|path| strands::numbered(path, 1).map_or(0, |_| 1));
            super::animation_rows::show(ui, &mut self.animation, cached, format, usual);
            super::animation_rows::camera(ui, &mut self.animation, cached, format);
        })
        .response
        .on_disabled_hover_text(STILL);
        self.size_row(ui, path, cached, format);
        // A cache is no file for one moment.
        let ending = ending.or((turned && !self.moves && cached).then_some(USUAL));
        let renamed = turned || ending.is_some();
        path.filter(|_| renamed)
            .map(|path| fitted(path, ending, self.moves))
    }

    /// This moment, or an animation; true where the other one was chosen.
    fn kind_row(&mut self, ui: &mut Ui) -> bool {
        let before = self.moves;
        row(ui, "Write", |ui| {
            let button = choice(ui, "This moment", !self.moves);
            if button.on_hover_text("The hair as it is now").clicked() {
                self.moves = false;
            }
            let help = "The shot from time 0 s of the scene on: it is simulated anew in the \
                        background, with what was cut and combed, as lovelock simulate --export \
                        does it of the saved scene. The hair that is shown goes on \
                        meanwhile";
            let button = choice(ui, "Animation", self.moves);
            if button.on_hover_text(help).clicked() {
                self.moves = true;
            }
        });
        self.moves != before
    }

    /// The program that the file is meant for, lit where it takes what is chosen; the ending
    /// that goes with the one that was chosen.
    fn program_row(&mut self, ui: &mut Ui, path: Option<&Path>) -> Option<&'static str> {
        let mut ending = None;
        row(ui, "For", |ui| {
            for program in TargetProgram::ALL {
                let takes = path.is_some_and(|path| program.takes(path, self.options));
                let button = choice(ui, program.name(), takes);
                if button.on_hover_text(program.help()).clicked() {
                    self.options = program.options(self.options);
                    ending = Some(program.ending());
                }
            }
        });
        ending
    }

    fn strands_row(&mut self, ui: &mut Ui) {
        let [simulated, all, _] = self.strands;
        // Where these are the same strands, guides are those with another name.
        let same = simulated == all;
        let [simulated, all, drawn] = self.strands.map(grouped);
        row(ui, "Strands", |ui| {
            let guides = (
                ExportStrands::Guides,
                format!("Simulated: {simulated}"),
                "The simulated strands alone, marked as guides where the file can say so \
                 (groom_guide in USD and Alembic)",
            );
            let own = match self.from_file {
                true => (
                    ExportStrands::File,
                    format!("The file's: {all}"),
                    "All strands of the groom's file, and no others",
                ),
                false => (
                    ExportStrands::File,
                    format!("Simulated: {simulated}"),
                    "Each strand as it is simulated",
                ),
            };
            let drawn = (
                ExportStrands::All,
                match self.from_file {
                    true => format!("As drawn: {drawn}"),
                    false => format!("As drawn: {drawn}, with fine hairs"),
                },
                "With the followers that the picture shows (followers.each)",
            );
            for (which, text, help) in [guides, own, drawn] {
                let now = self.options.strands;
                let marked = same && which == ExportStrands::File && now == ExportStrands::Guides;
                if same && which == ExportStrands::Guides {
                    continue;
                }
                let button = choice(ui, &text, now == which || marked);
                if button.on_hover_text(help).clicked() && !marked {
                    self.options.strands = which;
                }
            }
            if same {
                self.mark_box(ui);
            }
        });
    }

    /// The box that marks the strands as guides.
    fn mark_box(&mut self, ui: &mut Ui) {
        let strands = &mut self.options.strands;
        let mut marked = *strands == ExportStrands::Guides;
        let can = *strands != ExportStrands::All;
        ui.add_space(6.0);
        let answer = ui.add_enabled(can, Checkbox::new(&mut marked, "mark as guides"));
        if answer.changed() {
            *strands = match marked {
                true => ExportStrands::Guides,
                false => ExportStrands::File,
            };
        }
        answer
            .on_hover_text(
                "The file says that these are guides (groom_guide in USD and Alembic): a program \
                 that knows that simulates them and draws others between them. The strands are \
                 the same",
            )
            .on_disabled_hover_text("Not with the followers: those are no guides");
    }

    /// About how large the files will be.
    fn size_row(&self, ui: &mut Ui, path: Option<&Path>, cached: bool, format: Option<&Format>) {
        let strands = match self.options.strands {
            _ if cached => self.strands[0],
            ExportStrands::Guides => self.strands[0],
            ExportStrands::File => self.strands[1],
            ExportStrands::All => self.strands[2],
        };
        let points = (strands as f64 * self.points) as usize;
        let animation = match self.moves {
            true => self.animation,
            false => self.animation.with_frames(1),
        };
        let frames = animation.frames();
        row(ui, "Size", |ui| {
            let text = match path.filter(|_| cached || format.is_some()) {
                Some(path) => {
                    let numbered = strands::numbered(path, 1).is_some();
                    let of = format.filter(|_| !cached);
                    let head = self.options.head.then_some(self.head);
                    let bytes = estimated_bytes(&animation, of, numbered, (points, head));
                    let what = if frames == 1 { "frame" } else { "frames" };
                    format!(
                        "about {}: {} {what} of {} points",
                        size(bytes),
                        grouped(frames),
                        grouped(points)
                    )
                }
                None => "as the format has it".into(),
            };
            ui.label(text);
        });
    }

    /// Unit and axis, of which the file takes what is `shown`.
    fn space_row(&mut self, ui: &mut Ui, shown: ExportOptions, format: Option<&Format>) {
        row(ui, "Unit", |ui| {
            for unit in LengthUnit::ALL {
                let help = "Length unit of the file's numbers";
                let button = choice(ui, unit.name(), shown.unit == unit);
                if button.on_hover_text(help).clicked() {
                    self.options.unit = unit;
                }
            }
            ui.add_space(10.0);
            ui.label(RichText::new("Up").color(theme::WEAK))
                .on_hover_text("Axis that points up in the file");
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
    }

    fn head_row(&mut self, ui: &mut Ui, path: Option<&Path>, format: Option<&Format>) {
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
            let help = "The head's mesh goes with the hair, as it moves";
            ui.checkbox(&mut self.options.head, text)
                .on_hover_text(help);
        });
    }
}

/// The formats to choose from, with caches where the hair `moves`; the ending of the one that
/// was chosen.
fn format_row(
    ui: &mut Ui,
    moves: bool,
    cached: bool,
    format: Option<&Format>,
) -> Option<&'static str> {
    const CACHE: &str = "Lovelock cache";
    let mut chosen = None;
    let text = match (cached, format) {
        (true, _) => CACHE,
        (false, Some(format)) => format.name,
        (false, None) => "by the name's ending",
    };
    row(ui, "Format", |ui| {
        let list = ComboBox::from_id_salt("export: format")
            .width(ui.available_width() - 8.0)
            .height(300.0)
            .selected_text(text)
            .truncate();
        list.show_ui(ui, |ui| {
            for (known, writing) in strands::written() {
                let ending = known.endings.first().copied().unwrap_or(known.id);
                let frames = match (moves, writing.film) {
                    (false, _) => "",
                    (true, Some(_)) => ", one file with all frames",
                    (true, None) => ", a file a frame",
                };
                let is_it = format.is_some_and(|format| format.id == known.id);
                let own = format!(".{ending}");
                let text = match known.name.contains(&own) {
                    true => format!("{}{frames}", known.name),
                    false => format!("{} ({own}){frames}", known.name),
                };
                if ui.selectable_label(is_it, text).clicked() {
                    chosen = Some(ending);
                }
            }
            let text = format!("{CACHE} (.{}), to be played here", cache::ENDING);
            if moves && ui.selectable_label(cached, text).clicked() {
                chosen = Some(cache::ENDING);
            }
        });
    });
    chosen
}

/// A row with a name before it.
pub(super) fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
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
pub(super) fn choice(ui: &mut Ui, text: &str, chosen: bool) -> egui::Response {
    let (fill, colour) = match chosen {
        true => (theme::ACCENT_DIM, Color32::WHITE),
        false => (theme::FIELD, theme::TEXT),
    };
    let button = Button::new(RichText::new(text).color(colour)).fill(fill);
    ui.add(button.min_size(vec2(36.0, 22.0)))
}
