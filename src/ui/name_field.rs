//! Where a dialog's file goes: its name ready to be typed over, and its folder in words.

use super::theme;
use egui::{
    Context, Id, RichText, Ui,
    text::{CCursor, CCursorRange},
    widgets::text_edit::TextEditState,
};
use std::path::{Path, PathBuf};

/// Selects the file's name within the `path` of a text field, without its ending: what is
/// typed next takes its place.
pub fn select_name(ctx: &Context, field: Id, path: &str) {
    let name = Path::new(path)
        .file_name()
        .map_or(0, |name| name.to_string_lossy().chars().count());
    let stem = Path::new(path)
        .file_stem()
        .map_or(0, |stem| stem.to_string_lossy().chars().count());
    let begin = path.chars().count() - name;
    let mut state = TextEditState::load(ctx, field).unwrap_or_default();
    let range = CCursorRange::two(CCursor::new(begin), CCursor::new(begin + stem));
    state.cursor.set_char_range(Some(range));
    state.store(ctx, field);
}

/// Says which folder it is whose files are listed.
pub fn folder_line(ui: &mut Ui, folder: &Path) {
    let text = RichText::new(format!("In {}", whole(folder).display()));
    ui.add(egui::Label::new(text.small().color(theme::WEAK)).truncate());
}

/// The whole path of a folder, which may be empty for the one the program runs in.
pub fn whole(folder: &Path) -> PathBuf {
    let here = Path::new(".").join(folder);
    std::path::absolute(&here).unwrap_or(here)
}
