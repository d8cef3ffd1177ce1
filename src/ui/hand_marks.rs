//! What the hand reaches, holds and has pinned, drawn over the picture.

use super::{
    app_state::AppState, highlight::Highlight, theme, tool::Tool, view_projection::ViewProjection,
};
use crate::project::{
    compare::{Cell, Side},
    tools::Paints,
};
use egui::{Color32, Pos2, Rect, Stroke, Ui};

/// No more roots are marked.
const MOST_ROOTS: usize = 6000;

/// Draws over the picture how far the brush reaches at the cursor, what the
/// hand would take there or holds, and the pins.
pub fn paint(
    ui: &Ui,
    program: &AppState,
    cells: &[Cell],
    places: &[Rect],
    highlight: &Highlight,
    cursor: Option<Pos2>,
) {
    let pose = program.session.now().pose;
    for ((side, cell), place) in Side::BOTH.into_iter().zip(cells).zip(places) {
        let eye = ViewProjection::of(program, cells.len(), *cell, *place);
        let painter = ui.painter().with_clip_rect(*place);
        highlight.paint(&painter, program, side, &eye);
        let dark = Stroke::new(1.5, Color32::from_black_alpha(170));
        for pin in program.document.scene().handwork.pins.iter() {
            if let Some(at) = eye.see(pose.point(pin.place)) {
                painter.circle(at, 4.5, Color32::from_rgb(240, 240, 245), dark);
            }
        }
        for held in program.ui.hand.held() {
            if let Some(at) = eye.see(held.place) {
                painter.circle(at, 3.0, theme::ACCENT, dark);
            }
        }
        if (program.ui.hand.parting.on
            || program.ui.hand.tool.paints()
                && program.document.scene().hand.paints == Paints::Density)
        {
            roots(&painter, program, &eye);
        }
        let stroke = program.ui.hand.parting.stroke().iter();
        let stroke: Vec<Pos2> = stroke.filter_map(|p| eye.see(pose.point(*p))).collect();
        painter.add(egui::Shape::line(stroke, Stroke::new(3.0, theme::ACCENT)));
        let Some(at) = cursor.filter(|at| place.contains(*at)) else {
            continue;
        };
        if program.ui.hand.tool == Tool::Look
            || program.ui.hand.tool == Tool::GizmoDrag && !program.document.scene().hand.lock
        {
            continue;
        }
        let radius = program.document.scene().hand.radius
            / eye.scale_at(highlight.depth().unwrap_or(program.ui.depth()));
        painter.circle_stroke(at, radius, Stroke::new(3.0, Color32::from_black_alpha(90)));
        painter.circle_stroke(at, radius, Stroke::new(1.2, Color32::from_white_alpha(200)));
    }
}

/// Marks the roots that face the eye.
fn roots(painter: &egui::Painter, program: &AppState, eye: &ViewProjection) {
    let Some(built) = program.session.built() else {
        return;
    };
    let (groom, pose) = (&built.groom, program.session.now().pose);
    let place = |strand: usize| pose.point(groom.strand(strand)[0]);
    let count = groom.strands();
    let all = (0..count).map(place).sum::<glam::Vec3>();
    let middle = all / count.max(1) as f32;
    let dark = Stroke::new(1.0, Color32::from_black_alpha(150));
    for strand in (0..count).step_by(count.div_ceil(MOST_ROOTS).max(1)) {
        let root = place(strand);
        // The scalp is round: what faces away lies behind its middle.
        if (root - middle).dot(eye.place - root) > 0.0
            && let Some(at) = eye.see(root)
        {
            painter.circle(at, 1.6, Color32::WHITE, dark);
        }
    }
}
