//! Where a dialog's file goes: its name ready to be typed over, and its folder in words.

use super::theme;
use egui::{
    Context, Id, RichText, Ui,
    text::{CCursor, CCursorRange},
    widgets::text_edit::TextEditState,
};
use std::path::{Path, PathBuf};

/// Forgets what another dialog has left in a text field: where its caret stood, and what its
/// undo would bring back.
pub fn begin_anew(ctx: &Context, field: Id) {
    TextEditState::default().store(ctx, field);
}

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
    select(ctx, field, [begin, begin + stem]);
}

/// Goes on typing at the end of the `path` of a text field.
pub fn go_on(ctx: &Context, field: Id, path: &str) {
    let end = path.chars().count();
    select(ctx, field, [end, end]);
    ctx.memory_mut(|memory| memory.request_focus(field));
}

fn select(ctx: &Context, field: Id, ends: [usize; 2]) {
    let mut state = TextEditState::load(ctx, field).unwrap_or_default();
    let [from, to] = ends.map(CCursor::new);
    state
        .cursor
        .set_char_range(Some(CCursorRange::two(from, to)));
    state.store(ctx, field);
}

/// The path that a text means: a whole one that is typed behind a folder takes its place.
pub fn meant(text: &str) -> &str {
    match text.rfind("//") {
        Some(at) if cfg!(unix) => &text[at + 1..],
        _ => text,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_whole_path_behind_a_folder_is_the_one_that_is_meant() {
        assert_eq!(meant("/a/b//c/d.toml"), "/c/d.toml");
        assert_eq!(meant("a/b/c.toml"), "a/b/c.toml");
        assert_eq!(meant(""), "");
    }

    #[test]
    fn the_name_is_selected_without_its_ending() {
        let (ctx, field) = (Context::default(), Id::unique("field"));
        let selected = |path: &str| {
            select_name(&ctx, field, path);
            let state = TextEditState::load(&ctx, field).expect("stored");
            let range = state.cursor.char_range().expect("a range");
            let ends = [range.primary.index, range.secondary.index].map(usize::from);
            let [from, to] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            path.chars().skip(from).take(to - from).collect::<String>()
        };
        assert_eq!(selected("/tmp/hair.toml"), "hair");
        assert_eq!(selected("über.toml"), "über");
    }
}
