//! Rows of files: a field for the name, and a button behind it that asks for one.

use super::{Edit, ROW, SliderRow};
use crate::ui::{icons::Icon, theme};
use egui::{Id, Rect, Ui, UiBuilder, vec2};

/// Width of the button. `[points]`
const BUTTON: f32 = 24.0;

impl SliderRow<'_> {
    /// Draws the row; answers with what was done in it, and whether a file is asked for.
    pub fn show_file(&self, ui: &mut Ui) -> (Option<Edit>, bool) {
        let mut asked = false;
        let edit = self.show_with(ui, |field| {
            let whole = field.max_rect();
            let split = whole.right() - BUTTON;
            field.set_max_width(split - 3.0 - whole.left());
            let edit = self.field(field);
            let place = Rect::from_x_y_ranges(split..=whole.right(), whole.y_range());
            let builder = UiBuilder::new()
                .max_rect(place)
                .scope_id(Id::unique(("browse", &self.name)));
            asked = self.asks(&mut field.new_child(builder));
            edit
        });
        (edit, asked)
    }

    /// The button; whether it was clicked.
    fn asks(&self, ui: &mut Ui) -> bool {
        let button = Icon::Folder.button(ui, vec2(BUTTON, ROW - 1.0), theme::TEXT);
        // There is one in each such row: who cannot see which is told.
        ui.ctx().accesskit_node_builder(button.id, |node| {
            node.set_label(format!("{}: choose a file", self.tunable.label));
        });
        button.on_hover_text("Choose a file …").clicked()
    }
}
