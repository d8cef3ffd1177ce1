//! The timeline as tests see it.

use super::{TimelineView, show};
use crate::ui::{app_state::AppState, command::Command};
use egui::{Context, Pos2, RawInput, Rect, Shape};

/// A frame of the bar alone in a window as large as `input` says: what is asked for, and what
/// is drawn.
pub(super) fn shown(
    ctx: &Context,
    program: &AppState,
    input: RawInput,
) -> (Vec<Command>, Vec<Shape>) {
    let screen = input.screen_rect.unwrap_or(Rect::NOTHING);
    let mut commands = Vec::new();
    let mut output = ctx.run_ui(input, |ui| {
        commands.clear();
        let there = (&program.document, &program.session);
        let view = TimelineView::of(&program.ui, there.0.scene(), there.1);
        show(ui.ctx(), screen, there, view, &mut commands);
    });
    // Nobody paints it.
    output.textures_delta.clear();
    let shapes = output.shapes.into_iter().map(|clipped| clipped.shape);
    (commands, shapes.collect())
}

/// Where diamonds are among them.
pub(super) fn diamonds(shapes: &[Shape]) -> Vec<Pos2> {
    let diamond = |shape: &Shape| match shape {
        Shape::Path(path) if path.closed && path.points.len() == 4 => {
            Some(path.visual_bounding_rect().center())
        }
        _ => None,
    };
    shapes.iter().filter_map(diamond).collect()
}
