//! Save, open: a path, and what lies in its folder.

mod animation_rows;
mod endings;
mod export_name;
mod export_rows;
mod listing;
mod purpose;
mod replaced;

use super::{
    command::Command,
    gallery,
    name_field::{begin_anew, folder_line, go_on, meant, select_name, whole},
    theme,
};
use crate::project::{export::AnimationOptions, history::ParamPlace};
use egui::{
    Align, Button, Color32, Context, Id, Key, Layout, Modal, Response, RichText, ScrollArea,
    TextEdit, Ui,
};
pub use export_rows::ExportRows;
use listing::ListedFile;
use purpose::{Purpose, Wording};
use std::path::{Path, PathBuf};

/// What is said of a name that nothing has.
const NO_FILE: &str = "There is no such file. Click one in the list, or type another path.";

/// A dialog that asks for a path.
pub struct Dialog {
    purpose: Purpose,
    path: String,
    listed: Option<PathBuf>,
    entries: Vec<ListedFile>,
    fresh: bool,
    /// The files that are to be replaced, when that was asked for once.
    doomed: Vec<PathBuf>,
    /// Scenes that were at hand last.
    recent: Vec<PathBuf>,
    /// What is asked of hair that is exported; none where something else is asked.
    export: Option<ExportRows>,
    /// The files of an animation that are there already, by what was asked for then.
    found: Option<(PathBuf, AnimationOptions, bool, Vec<PathBuf>)>,
}

impl Dialog {
    /// Where to save the scene.
    pub fn save(path: PathBuf) -> Self {
        Self::new(Purpose::Save, path.display().to_string())
    }

    /// Whether it asks where to save the scene.
    pub fn saves(&self) -> bool {
        self.purpose == Purpose::Save
    }

    /// Which scene to open; `last` is the one at hand, `recent` are those before.
    pub fn open(last: Option<&Path>, recent: Vec<PathBuf>) -> Self {
        Self {
            recent,
            ..Self::new(Purpose::Open, folder_text(last))
        }
    }

    /// Which head to load; `last` is the one at hand.
    pub fn head(last: &Path) -> Self {
        Self::new(Purpose::Head, folder_text(Some(last)))
    }

    /// Where to write the hair, and how: as `rows` have it, unless another choice is made.
    pub fn export(path: PathBuf, rows: ExportRows) -> Self {
        let path = export_name::fitted(&path, None, rows.moves);
        Self {
            export: Some(rows),
            ..Self::new(Purpose::Export, path.display().to_string())
        }
    }

    /// Which groom to load; `last` is the one at hand.
    pub fn groom(last: &Path) -> Self {
        Self::new(Purpose::Groom, folder_text(Some(last)))
    }

    /// What is chosen of hair that is exported; none where something else is asked.
    pub fn export_choices(&self) -> Option<ExportRows> {
        self.export
    }

    /// Which head to carry the hair to; `last` is the one at hand.
    pub fn rebind(last: &Path) -> Self {
        Self::new(Purpose::Rebind, folder_text(Some(last)))
    }

    /// Which animated head to play; `last` is a frame of the one at hand.
    pub fn sequence(last: &Path) -> Self {
        Self::new(Purpose::Sequence, folder_text(Some(last)))
    }

    /// Which environment to light the picture with; `last` is the one at hand.
    pub fn environment(last: &Path) -> Self {
        Self::new(Purpose::Environment, folder_text(Some(last)))
    }

    /// Which file the parameter at `place`, called `name` (`section.key`), is to name;
    /// `last` is the one at hand. None where nobody knows what it takes.
    pub fn parameter(place: ParamPlace, name: &str, last: &Path) -> Option<Self> {
        let (title, endings) = endings::of_parameter(name)?;
        let purpose = Purpose::Parameter {
            place,
            title,
            endings,
        };
        Some(Self::new(purpose, folder_text(Some(last))))
    }

    fn new(purpose: Purpose, path: String) -> Self {
        Self {
            purpose,
            path,
            listed: None,
            entries: Vec::new(),
            fresh: true,
            doomed: Vec::new(),
            recent: Vec::new(),
            export: None,
            found: None,
        }
    }

    /// Shows the dialog; answers with what was decided.
    pub fn show(&mut self, ctx: &Context) -> Option<Command> {
        let moves = self.export.is_some_and(|rows| rows.moves);
        let Wording {
            title,
            verb,
            endings,
        } = self.purpose.wording(moves);
        let ending = endings.split(' ').next().unwrap_or_default();
        self.list(endings);
        let mut command = None;
        let frame = egui::Frame::popup(&ctx.global_style())
            .fill(theme::GROUND)
            .inner_margin(16);
        // Each keeps a size of its own.
        let modal = Modal::new(Id::unique(("dialog", title))).frame(frame);
        let room = ctx.content_rect().size();
        let width: f32 = match self.purpose {
            Purpose::Open | Purpose::Export => 560.0,
            _ => 460.0,
        };
        let (pictures, list) = self.heights(room.y);
        let shown = modal.show(ctx, |ui| {
            ui.set_width(width.min(room.x - 60.0));
            ui.label(RichText::new(title).heading());
            ui.add_space(6.0);
            let example = gallery::all(ui, pictures);
            let edit = self.path_field(ui, endings);
            let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.add_space(4.0);
            command = example.or_else(|| self.recent_list(ui));
            folder_line(ui, &self.folder());
            let before = self.path.clone();
            let picked = self.entries_list(ui, list);
            if self.path != before {
                // Enter opens what was clicked.
                go_on(ui.ctx(), edit.id, &self.path);
            }
            let target = self.target(ending);
            self.choose_export(ui, target.as_deref());
            let taken = self.taken(target.as_deref());
            let replaces = !taken.is_empty();
            let sure = replaces && self.doomed == taken;
            let verb = if replaces { "Replace" } else { verb };
            let lacks = self.lacks(target.as_deref(), endings);
            let note = match &lacks {
                Some(lacks) => lacks.clone(),
                None => replaced::note(&taken, target.as_deref(), sure),
            };
            let colour = match target {
                Some(_) => ui.visuals().warn_fg_color,
                None => theme::WEAK,
            };
            ui.label(RichText::new(note).small().color(colour));
            let ready = target.is_some() && lacks.is_none();
            let [accepts, cancels] = buttons(ui, verb, ready);
            if cancels {
                command = Some(Command::Escape);
            }
            let accepts = accepts || (entered || picked) && ready;
            match target.filter(|_| accepts) {
                Some(_) if replaces && !sure => {
                    self.doomed = taken;
                    edit.request_focus();
                }
                Some(target) => command = Some(self.accepted(target)),
                None if entered => edit.request_focus(),
                None => {}
            }
        });
        if shown.backdrop_response.clicked() {
            command = Some(Command::Escape);
        }
        command
    }

    /// How high the pictures and the folder's entries are in a window of height `room`: a low
    /// one shows less of both. `[points]`
    fn heights(&self, room: f32) -> (f32, f32) {
        let spare = match self.recent.is_empty() {
            true => room - 200.0,
            false => room - 250.0,
        };
        let (pictures, list) = match self.purpose {
            Purpose::Open => gallery::part_of(spare - 50.0),
            _ => (0.0, spare - self.export.map_or(0.0, |rows| rows.height())),
        };
        (pictures, list.clamp(40.0, 240.0))
    }

    /// Where the path is typed; as the dialog opens, it is ready for that.
    fn path_field(&mut self, ui: &mut Ui, endings: &str) -> Response {
        let edit = ui.add(
            TextEdit::singleline(&mut self.path)
                .id(Id::unique("dialog path"))
                .desired_width(f32::INFINITY)
                .hint_text(format!("path of a file: .{}", endings.replace(' ', ", ."))),
        );
        if self.fresh {
            self.fresh = false;
            begin_anew(ui.ctx(), edit.id);
            match self.writes() {
                true => select_name(ui.ctx(), edit.id, &self.path),
                false => go_on(ui.ctx(), edit.id, &self.path),
            }
            edit.request_focus();
        }
        edit
    }

    /// What is chosen of hair that is exported to `target`; another choice may name another
    /// file.
    fn choose_export(&mut self, ui: &mut Ui, target: Option<&Path>) {
        let Some(rows) = &mut self.export else {
            return;
        };
        ui.add_space(4.0);
        if let Some(name) = rows.show(ui, target) {
            self.path = name.display().to_string();
            // Other files may be listed now.
            self.listed = None;
        }
    }

    /// What is wished of the file that was decided on.
    fn accepted(&self, target: PathBuf) -> Command {
        match self.purpose {
            Purpose::Save => Command::Save(target),
            Purpose::Open => Command::Open(target),
            Purpose::Head => Command::Head(target),
            Purpose::Groom => Command::Groom(target),
            Purpose::Rebind => Command::Rebind(target),
            Purpose::Export => self.exported(target),
            Purpose::Sequence => Command::Sequence(target),
            Purpose::Environment => Command::Environment(target.display().to_string()),
            Purpose::Parameter { place, .. } => Command::File(place, target),
        }
    }

    /// Writes the hair to that file, as it is chosen.
    fn exported(&self, target: PathBuf) -> Command {
        let options = self.export.map(|rows| rows.for_file(&target));
        let options = options.unwrap_or_default();
        match self.export.filter(|rows| rows.moves) {
            Some(rows) => Command::ExportAnimation(target, options, rows.animation),
            None => Command::Export(target, options),
        }
    }

    /// The scenes that were at hand last; opens the one that is clicked.
    fn recent_list(&self, ui: &mut Ui) -> Option<Command> {
        if self.recent.is_empty() {
            return None;
        }
        let mut opened = None;
        ui.label(RichText::new("Recent").small().color(theme::WEAK));
        ui.horizontal_wrapped(|ui| {
            for path in &self.recent {
                let name = path.file_stem().unwrap_or(path.as_os_str());
                let button = Button::new(RichText::new(name.to_string_lossy()).small());
                let help = path.display().to_string();
                if ui.add(button).on_hover_text(help).clicked() {
                    opened = Some(Command::Open(path.clone()));
                }
            }
        });
        ui.add_space(4.0);
        opened
    }

    /// The folder's entries; true when a file was double-clicked.
    fn entries_list(&mut self, ui: &mut Ui, height: f32) -> bool {
        let mut chosen = None;
        let mut picked = false;
        egui::Frame::new()
            .fill(theme::SUNKEN)
            .corner_radius(5)
            .inner_margin(6)
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .max_height(height)
                    .min_scrolled_height(height)
                    .auto_shrink([false, false])
                    .show(ui, |ui| {
                        ui.with_layout(Layout::top_down_justified(Align::Min), |ui| {
                            ui.spacing_mut().item_spacing.y = 1.0;
                            for entry in &self.entries {
                                let text = match entry.folder {
                                    true => RichText::new(format!("{}/", entry.name))
                                        .color(theme::ACCENT),
                                    false => RichText::new(&entry.name),
                                };
                                let row = ui.selectable_label(false, text);
                                if row.clicked() {
                                    chosen = Some((entry.name.clone(), entry.folder));
                                }
                                picked |= row.double_clicked() && !entry.folder;
                            }
                            if self.entries.is_empty() {
                                ui.label(RichText::new("nothing here").color(theme::WEAK));
                            }
                        });
                    });
            });
        if let Some((name, folder)) = chosen {
            let base = self.folder();
            let path = match name.as_str() {
                ".." => parent(&base),
                name => base.join(name),
            };
            let text = path.display().to_string();
            self.path = if folder && self.writes() {
                // Keep the name that was typed.
                let named = !self.path.ends_with(std::path::is_separator);
                let file = Path::new(&self.path).file_name().filter(|_| named);
                file.map_or(path.clone(), |file| path.join(file))
                    .display()
                    .to_string()
            } else if folder && !text.is_empty() {
                format!("{text}{}", std::path::MAIN_SEPARATOR)
            } else {
                text
            };
        }
        picked
    }

    /// The files that are there already among those that would be written.
    fn taken(&mut self, target: Option<&Path>) -> Vec<PathBuf> {
        let Some(target) = target.filter(|_| self.writes()) else {
            return Vec::new();
        };
        let Some(rows) = self.export else {
            let files = [target.to_path_buf()].into_iter();
            return files.filter(|file| file.is_file()).collect();
        };
        if !rows.moves {
            return rows.taken(target);
        }
        // A folder of many frames is not read anew for each picture.
        let now = (target, rows.animation, rows.options.head);
        match &self.found {
            Some((path, animation, head, files)) if (&**path, *animation, *head) == now => {
                files.clone()
            }
            _ => {
                let files = rows.taken(target);
                self.found = Some((
                    target.into(),
                    rows.animation,
                    rows.options.head,
                    files.clone(),
                ));
                files
            }
        }
    }

    /// Whether the file need not be there yet.
    fn writes(&self) -> bool {
        matches!(self.purpose, Purpose::Save | Purpose::Export)
    }

    /// Whether a file is named as one of those that are written; any may be read.
    fn fits(&self, path: &Path, endings: &str) -> bool {
        let ending = path.extension().unwrap_or_default();
        let mut known = endings.split(' ');
        !self.writes() || known.any(|known| ending.eq_ignore_ascii_case(known))
    }

    /// Why the button cannot be pressed yet; `target` is the file that is named, if one is.
    fn lacks(&self, target: Option<&Path>, endings: &str) -> Option<String> {
        let folder = self.folder();
        if !whole(&folder).is_dir() {
            return Some(format!("There is no folder {}.", whole(&folder).display()));
        }
        let Some(target) = target else {
            return Some("Type the name of a file, or choose one of the list.".into());
        };
        if !self.fits(target, endings) {
            let endings = endings.replace(' ', ", .");
            return Some(format!("Its ending must be .{endings}."));
        }
        if self.export.is_some_and(|rows| rows.moves)
            && let Some(fault) = export_name::fault(target)
        {
            return Some(fault);
        }
        (!self.writes() && !target.is_file()).then(|| NO_FILE.into())
    }

    /// The folder that the path is in.
    fn folder(&self) -> PathBuf {
        let text = meant(&self.path);
        let path = Path::new(text);
        if text.ends_with(std::path::is_separator) {
            return path.to_path_buf();
        }
        path.parent().map(Path::to_path_buf).unwrap_or_default()
    }

    /// The file that the path names; none when it names a folder.
    fn target(&self, ending: &str) -> Option<PathBuf> {
        let text = meant(self.path.trim());
        if text.is_empty() || text.ends_with(std::path::is_separator) {
            return None;
        }
        let path = PathBuf::from(text);
        if path.is_dir() {
            return None;
        }
        // A scene saved without an ending would not be found again.
        if self.writes() && path.extension().is_none() {
            return Some(path.with_extension(ending));
        }
        // As it was typed when it was saved.
        let ended = path.with_extension(ending);
        let short = !path.is_file() && path.extension().is_none() && ended.is_file();
        Some(if short { ended } else { path })
    }

    /// Reads the folder when it is another one than before, for files with
    /// these endings.
    fn list(&mut self, endings: &str) {
        let folder = self.folder();
        if self.listed.as_ref() == Some(&folder) {
            return;
        }
        self.entries = listing::entries(&folder, endings);
        self.listed = Some(folder);
    }
}

/// The buttons under a dialog, the first of them named `verb`: whether that, and whether the
/// other was clicked.
fn buttons(ui: &mut Ui, verb: &str, ready: bool) -> [bool; 2] {
    // As high as the buttons, however high the dialog was in a larger window.
    let room = egui::vec2(ui.available_width(), 26.0);
    let line = Layout::right_to_left(Align::Center);
    let least = egui::vec2(84.0, 26.0);
    ui.allocate_ui_with_layout(room, line, |ui| {
        let accept = Button::new(RichText::new(verb).color(Color32::WHITE))
            .fill(theme::ACCENT_DIM)
            .min_size(least);
        let accepts = ui.add_enabled(ready, accept).clicked();
        let cancel = Button::new("Cancel").min_size(least);
        [accepts, ui.add(cancel).clicked()]
    })
    .inner
}

/// The folder of a path, as a text to go on typing.
fn folder_text(path: Option<&Path>) -> String {
    let folder = path.and_then(Path::parent);
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => {
            format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR)
        }
        _ => String::new(),
    }
}

/// One folder up, also from where a relative path begins.
fn parent(folder: &Path) -> PathBuf {
    let above = whole(folder).parent().map(Path::to_path_buf);
    above.unwrap_or_else(|| folder.to_path_buf())
}

#[cfg(test)]
mod tests;
