//! The list of keys and of what the mouse does, in groups, with a field that
//! finds among them; and behind it what messages have said.

use super::{
    keys::{Binding, GROUPS, KeyGroup, MOUSE},
    tabs, theme,
    toast::PastMessages,
};
use egui::{
    Align, Align2, Context, FontId, Id, Layout, Rect, RichText, ScrollArea, TextEdit, Ui, Window,
    vec2,
};

/// What the list has: a key or a gesture, and what it does.
type HelpEntry = (&'static str, &'static str);

/// Width for the name of a key or a gesture. `[points]`
const NAME: f32 = 118.0;
/// Least width of a column. `[points]`
const COLUMN: f32 = 320.0;
/// Left free around the list. `[points]`
const EDGE: f32 = 24.0;

/// Everything, in groups.
fn groups() -> Vec<(&'static str, Vec<HelpEntry>)> {
    let entry = |row: &'static Binding| (row.name.as_str(), row.help);
    let listed = |group: &'static KeyGroup| {
        let keys = group.keys.iter().filter(|row| !row.help.is_empty());
        (group.title, keys.map(entry).collect())
    };
    let mouse = ("Mouse", MOUSE.to_vec());
    GROUPS.iter().map(listed).chain([mouse]).collect()
}

/// The entries in which all words of `text` stand, in name, explanation or title
/// of the group.
fn found(text: &str) -> Vec<(&'static str, Vec<HelpEntry>)> {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    let mut groups = groups();
    for (title, entries) in &mut groups {
        entries.retain(|(name, help)| {
            let texts = [*title, name, help].map(str::to_lowercase);
            let is_in = |word: &String| texts.iter().any(|text| text.contains(word));
            words.iter().all(is_in)
        });
    }
    groups.retain(|(_, entries)| !entries.is_empty());
    groups
}

/// The groups in so many columns of about the same height.
fn columns<T>(
    groups: Vec<(&'static str, Vec<T>)>,
    count: usize,
) -> Vec<Vec<(&'static str, Vec<T>)>> {
    // A title is about as high as two rows.
    let height = |group: &(&str, Vec<T>)| group.1.len() + 2;
    let all: usize = groups.iter().map(height).sum();
    let mut columns: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
    let mut above = 0;
    for group in groups {
        let middle = above + height(&group) / 2;
        above += height(&group);
        let column = (middle * count / all.max(1)).min(count - 1);
        columns[column].push(group);
    }
    columns
}

/// The pages of the window.
const PAGES: [&str; 2] = ["Keys and mouse", "Messages"];

/// Where the number of the page is while the list is open.
fn page() -> Id {
    Id::unique("page of the help")
}

/// Draws the names of the pages; the number of the one that is shown.
fn pages(ui: &mut Ui) -> usize {
    let mut now: usize = ui.data(|data| data.get_temp(page())).unwrap_or(0);
    ui.horizontal(|ui| {
        for (number, name) in PAGES.into_iter().enumerate() {
            if tabs::tab(ui, name, number == now).clicked() {
                now = number;
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(page(), now));
    now
}

/// Shows the list, and on a page of its own what messages have said; false when it was closed.
pub fn show(ctx: &Context, past: &PastMessages) -> bool {
    let screen = ctx.content_rect();
    let room = screen.size() - vec2(2.0 * EDGE, 2.0 * EDGE);
    let frame = egui::Frame::window(&ctx.global_style());
    let borders = frame.total_margin().sum();
    let most = ((room.x - borders.x) / COLUMN).floor().clamp(1.0, 3.0);
    let width = (room.x - borders.x).min(most * (COLUMN + 40.0)).max(120.0);
    // Without the title, the names of the pages and the field.
    let height = (room.y - borders.y - 106.0).max(60.0);
    let mut open = true;
    let shown = Window::new(RichText::new("Help").strong())
        .open(&mut open)
        .collapsible(false)
        .auto_sized()
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .frame(frame)
        .show(ctx, |ui| {
            ui.set_width(width);
            match pages(ui) {
                0 => all_keys(ui, height, most as usize),
                _ => rolling(ui, height, "messages", |ui| past.show(ui)),
            }
        });
    // Messages that come later do not lie over it.
    if let Some(shown) = shown {
        ctx.move_to_top(shown.response.layer_id);
    }
    open
}

/// The page of keys, in so many columns.
fn all_keys(ui: &mut Ui, height: f32, count: usize) {
    let text = field(ui);
    ui.add_space(4.0);
    let groups = found(&text);
    if groups.is_empty() {
        let nothing = RichText::new("No key and no gesture does that.");
        ui.label(nothing.color(theme::WEAK));
    }
    rolling(ui, height, "keys", |ui| {
        ui.columns(count, |parts| {
            for (part, groups) in parts.iter_mut().zip(columns(groups, count)) {
                for (title, entries) in groups {
                    list(part, title, &entries);
                }
            }
        });
    });
}

/// What is at most so high, and else rolls.
fn rolling(ui: &mut Ui, height: f32, name: &str, draw: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical()
        .id_salt(name)
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true])
        .show(ui, draw);
}

/// Where the text of the field is while the list is open.
fn typed() -> Id {
    Id::unique("key to find")
}

/// The field that finds, and its text.
fn field(ui: &mut Ui) -> String {
    let frame = ui.ctx().cumulative_frame_nr();
    let kept: Option<(u64, String)> = ui.data(|data| data.get_temp(typed()));
    // A list that was closed meanwhile begins anew.
    let kept = kept.filter(|(last, _)| last + 1 >= frame);
    let fresh = kept.is_none();
    let mut text = kept.map(|(_, text)| text).unwrap_or_default();
    let field = TextEdit::singleline(&mut text)
        .id(typed().with("field"))
        .desired_width(f32::INFINITY)
        .hint_text("What do you want to do? wind, camera, record …");
    let field = ui.add(field);
    if fresh {
        field.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(typed(), (frame, text.clone())));
    text
}

/// One group.
fn list(ui: &mut Ui, title: &str, entries: &[HelpEntry]) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.add_space(4.0);
    ui.label(
        RichText::new(title)
            .font(FontId::proportional(14.0))
            .strong(),
    );
    for (name, what) in entries {
        let width = ui.available_width();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let name = RichText::new(*name).color(theme::ACCENT);
            cell(ui, NAME, name);
            cell(ui, width - NAME - 20.0, RichText::new(*what));
        });
    }
    ui.add_space(6.0);
}

/// A text in a cell of that width, on as many lines as it needs.
fn cell(ui: &mut Ui, width: f32, text: RichText) {
    let place = Rect::from_min_size(ui.cursor().min, vec2(width, 0.0));
    let layout = Layout::top_down(Align::Min);
    let builder = egui::UiBuilder::new().max_rect(place).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.set_width(width);
        ui.add(egui::Label::new(text).wrap());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, RawInput, Shape};

    #[test]
    fn words_find_keys_by_what_they_do() {
        let names = |text: &str| -> Vec<&str> {
            let entries = found(text).into_iter().flat_map(|(_, entries)| entries);
            entries.map(|(name, _)| name).collect()
        };
        assert_eq!(names("wind"), ["W", "Arrow of the wind"]);
        assert!(names("VIEW side").contains(&"S") && !names("view side").contains(&"A"));
        assert!(names("zoom").contains(&"Wheel"));
        assert!(names("xyzzy").is_empty());
        assert_eq!(names("").len(), names(" ").len());
    }

    #[test]
    fn columns_are_of_about_the_same_height() {
        for count in 1..=3 {
            let columns = columns(groups(), count);
            assert_eq!(columns.len(), count);
            let heights = columns.iter().map(|column| {
                let rows = column.iter().map(|(_, entries)| entries.len() + 2);
                rows.sum::<usize>()
            });
            let heights: Vec<_> = heights.collect();
            let apart = |a: &usize| heights.iter().all(|b| a.abs_diff(*b) < 14);
            assert!(heights.iter().all(apart), "{heights:?}");
        }
    }

    /// What the list draws over in a window of that size, and the window.
    fn extent(ctx: &Context, width: f32, height: f32) -> (Rect, Rect) {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let mut all = Rect::NOTHING;
        for _ in 0..6 {
            let input = RawInput {
                screen_rect: Some(screen),
                ..RawInput::default()
            };
            let output = ctx.run_ui(input, |ui| {
                assert!(show(ui.ctx(), &PastMessages::default()));
            });
            all = Rect::NOTHING;
            for clipped in &output.shapes {
                if matches!(clipped.shape, Shape::Text(_)) {
                    let seen = clipped.shape.visual_bounding_rect();
                    all |= seen.intersect(clipped.clip_rect);
                }
            }
        }
        (all, screen)
    }

    #[test]
    fn it_fits_into_every_window() {
        // In one window that becomes smaller and larger again.
        let ctx = Context::default();
        theme::apply(&ctx);
        for (width, height) in [
            (1920.0, 1080.0),
            (1280.0, 720.0),
            (800.0, 600.0),
            (640.0, 360.0),
            (420.0, 300.0),
            (1280.0, 720.0),
        ] {
            let (all, screen) = extent(&ctx, width, height);
            assert!(
                screen.shrink(10.0).contains_rect(all),
                "{width} x {height}: it reaches {all:?}"
            );
            // What there is room for is used.
            assert!(
                all.height() > 0.7 * height.min(700.0),
                "{width} x {height}: {all:?}"
            );
        }
    }
}
