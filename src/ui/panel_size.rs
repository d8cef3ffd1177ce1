//! Panels along an edge of the window come back to the size that was chosen for them. egui
//! keeps the size that they had last, which a window that was small for a while has cut.

use egui::{Id, PanelState, Rect, Ui, vec2};

/// Of the panel called `name` in this `ui`: where egui keeps its size, and its edge.
fn ids(ui: &Ui, name: &'static str) -> [Id; 2] {
    let panel = ui.scope_id().with(name);
    [panel, panel.with("__resize")]
}

fn chosen(ui: &Ui, name: &'static str) -> Id {
    ids(ui, name)[0].with("chosen size")
}

/// Gives the panel that is about to be shown the size that it was dragged to last, or the
/// `usual` one. `[points]`
pub fn restore(ui: &Ui, name: &'static str, usual: f32) {
    let kept = chosen(ui, name);
    let size: f32 = ui.data(|data| data.get_temp(kept)).unwrap_or(usual);
    let outer_rect = Rect::from_min_size(egui::Pos2::ZERO, vec2(size, size));
    let [panel, _] = ids(ui, name);
    ui.data_mut(|data| data.insert_persisted(panel, PanelState { outer_rect }));
}

/// Keeps the size of the panel that was shown, where its edge is being dragged. `[points]`
pub fn keep(ui: &Ui, name: &'static str, size: f32) {
    let [_, edge] = ids(ui, name);
    let response = ui.ctx().read_response(edge);
    if response.is_some_and(|edge| edge.dragged() || edge.drag_stopped()) {
        let kept = chosen(ui, name);
        ui.data_mut(|data| data.insert_temp(kept, size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::rails::{button, moved};
    use egui::{Context, Event, Panel, Pos2, RawInput, pos2};

    /// Shows a panel in a window of that width; the panel's width.
    fn draw(ctx: &Context, width: f32, events: Vec<Event>) -> f32 {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(width, 600.0))),
            events,
            ..RawInput::default()
        };
        let mut shown = 0.0;
        let _ = ctx.run_ui(input, |ui| {
            restore(ui, "side", 340.0);
            let panel = Panel::right("side").default_size(340.0);
            let response = panel
                .size_range(300.0..=560.0)
                .show(ui, |ui| ui.take_available_space());
            shown = response.response.rect.width();
            keep(ui, "side", shown);
        });
        shown
    }

    #[test]
    fn a_panel_comes_back_to_its_width_after_the_window_was_small() {
        let ctx = Context::default();
        for _ in 0..3 {
            assert_eq!(draw(&ctx, 1260.0, Vec::new()), 340.0);
        }
        for _ in 0..3 {
            assert_eq!(draw(&ctx, 310.0, Vec::new()), 310.0);
        }
        assert_eq!(draw(&ctx, 1260.0, Vec::new()), 340.0);
        // Dragged, it keeps that width.
        let edge = |x: f32| pos2(x, 300.0);
        draw(&ctx, 1260.0, vec![moved(edge(920.0))]);
        draw(&ctx, 1260.0, vec![button(edge(920.0), true)]);
        for x in [900.0, 860.0, 820.0] {
            draw(&ctx, 1260.0, vec![moved(edge(x))]);
        }
        draw(&ctx, 1260.0, vec![button(edge(820.0), false)]);
        let wide = draw(&ctx, 1260.0, vec![moved(edge(400.0))]);
        assert!((wide - 440.0).abs() < 2.0, "{wide}");
        assert_eq!(draw(&ctx, 310.0, Vec::new()), 310.0);
        assert_eq!(draw(&ctx, 1260.0, Vec::new()), wide);
    }
}
