//! A path in its field.

use egui::{Galley, TextBuffer, TextStyle, Ui, text::LayoutJob};
use std::sync::Arc;

/// Lays out a path that is not edited: where it is longer than its field, its end is shown,
/// which has the file's name.
pub(super) fn end_first(ui: &Ui, path: &dyn TextBuffer, room: f32) -> Arc<Galley> {
    let font = TextStyle::Body.resolve(ui.style());
    let colour = ui.visuals().widgets.inactive.text_color();
    ui.fonts_mut(|fonts| {
        let path = path.as_str();
        let mut lay = |text: String| {
            fonts.layout_job(LayoutJob::simple_singleline(text, font.clone(), colour))
        };
        let whole = lay(path.into());
        if whole.size().x <= room {
            return whole;
        }
        // The letters that are left out, and those that may be.
        let starts: Vec<usize> = path.char_indices().map(|(at, _)| at).collect();
        let mut shortened = |from: &usize| lay(format!("\u{2026}{}", &path[*from..]));
        let left_out = starts.partition_point(|from| shortened(from).size().x > room);
        let last = starts.len().saturating_sub(1);
        shortened(&starts.get(left_out.min(last)).copied().unwrap_or(0))
    })
}
