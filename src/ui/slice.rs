//! A cut through the hair's density and motion, painted over the picture.

use super::{theme, view_projection::ViewProjection};
use crate::{project::tools::SliceParams, sim::volume::GridSlice};
use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};
use glam::Vec3;

/// Speeds below this one get no arrow. `[m/s]`
const STILL: f32 = 0.01;

/// From thin to dense: stops of a scale that grows evenly lighter.
const SCALE: [[f32; 3]; 6] = [
    [20.0, 12.0, 60.0],
    [84.0, 18.0, 110.0],
    [158.0, 46.0, 106.0],
    [222.0, 86.0, 70.0],
    [250.0, 154.0, 44.0],
    [250.0, 240.0, 150.0],
];

/// The colour of a density, as a share of the greatest on the scale.
fn colour(share: f32, opacity: f32) -> Color32 {
    let at = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f32;
    let low = (at as usize).min(SCALE.len() - 2);
    let part = at - low as f32;
    let channel = |c: usize| SCALE[low][c] + part * (SCALE[low + 1][c] - SCALE[low][c]);
    // Where there is no hair there is no colour.
    let alpha = 255.0 * opacity * (12.0 * share).clamp(0.0, 1.0);
    Color32::from_rgba_unmultiplied(
        channel(0) as u8,
        channel(1) as u8,
        channel(2) as u8,
        alpha as u8,
    )
}

/// A density in hairs through a square centimetre.
fn per_square_centimetre(density: f32) -> f32 {
    density * 1e-4
}

/// Paints `slice` over the picture that `eye` sees.
pub fn paint(painter: &Painter, eye: &ViewProjection, slice: &GridSlice, params: &SliceParams) {
    let rect = eye.rect;
    let painter = painter.with_clip_rect(rect);
    let project = |p: Vec3| eye.see(slice.pose.point(p));
    let [rows, columns] = slice.size;
    let node =
        |a: usize, b: usize| slice.corner + slice.steps[0] * a as f32 + slice.steps[1] * b as f32;
    // Twice the mean at rest fills the scale.
    let most = 2.0 * slice.rest.max(1e-6);
    let mut mesh = Mesh::default();
    let mut seen = vec![None; slice.nodes.len()];
    for a in 0..rows {
        for b in 0..columns {
            let i = a * columns + b;
            seen[i] = project(node(a, b));
            let share = slice.nodes[i].density / most;
            mesh.colored_vertex(seen[i].unwrap_or(rect.min), colour(share, params.opacity));
        }
    }
    for a in 1..rows {
        for b in 1..columns {
            let corners = [
                (a - 1) * columns + b - 1,
                (a - 1) * columns + b,
                a * columns + b,
                a * columns + b - 1,
            ];
            let hair = corners.iter().any(|i| slice.nodes[*i].density > 0.0);
            if hair && corners.iter().all(|i| seen[*i].is_some()) {
                let [p, q, r, s] = corners.map(|i| i as u32);
                mesh.add_triangle(p, q, r);
                mesh.add_triangle(p, r, s);
            }
        }
    }
    painter.add(Shape::mesh(mesh));
    if params.arrows > 0.0 {
        arrows(&painter, slice, params, &project);
    }
    legend(&painter, rect, most, params);
}

/// Small arrows where hair moves.
fn arrows(
    painter: &Painter,
    slice: &GridSlice,
    params: &SliceParams,
    project: &impl Fn(Vec3) -> Option<Pos2>,
) {
    let stroke = Stroke::new(1.2, Color32::from_rgba_unmultiplied(190, 240, 255, 220));
    let columns = slice.size[1];
    for (i, spot) in slice.nodes.iter().enumerate() {
        let (a, b) = (i / columns, i % columns);
        let thin = spot.density < 0.1 * slice.rest || spot.velocity.length() < STILL;
        if thin || a % 2 == 1 || b % 2 == 1 {
            continue;
        }
        let at = slice.corner + slice.steps[0] * a as f32 + slice.steps[1] * b as f32;
        let reach = (spot.velocity * params.arrows).clamp_length_max(0.08);
        if let (Some(tail), Some(head)) = (project(at), project(at + reach)) {
            painter.line_segment([tail, head], stroke);
            let way = head - tail;
            let barb = (0.35 * way.length()).min(5.0) * way.normalized();
            for side in [1.0, -1.0] {
                let back = vec2(-barb.x - side * 0.6 * barb.y, -barb.y + side * 0.6 * barb.x);
                painter.line_segment([head, head + back], stroke);
            }
        }
    }
}

/// What the colours and the arrows mean.
fn legend(painter: &Painter, rect: Rect, most: f32, params: &SliceParams) {
    let size = (rect.width() / 60.0).clamp(9.0, 12.0);
    let font = FontId::proportional(size);
    let bar = vec2(16.0 * size, 0.8 * size);
    let board = vec2(bar.x + 2.4 * size, 6.6 * size);
    if board.x > 0.8 * rect.width() || board.y > 0.5 * rect.height() {
        return;
    }
    let corner = pos2(rect.right() - 10.0 - board.x, rect.top() + 10.0);
    let ground = Rect::from_min_size(corner, board);
    painter.rect_filled(ground, 5.0, Color32::from_black_alpha(176));
    let text = |at: Pos2, align: Align2, words: String, colour: Color32| {
        painter.text(at, align, words, font.clone(), colour);
    };
    let left = ground.left() + 1.2 * size;
    let title = "Density, hairs/cm²".to_string();
    text(
        pos2(left, ground.top() + 0.5 * size),
        Align2::LEFT_TOP,
        title,
        theme::TEXT,
    );
    let place = Rect::from_min_size(pos2(left, ground.top() + 2.0 * size), bar);
    let mut mesh = Mesh::default();
    const STEPS: u32 = 40;
    for i in 0..=STEPS {
        let share = i as f32 / STEPS as f32;
        let x = place.left() + share * bar.x;
        mesh.colored_vertex(pos2(x, place.top()), colour(share, 1.0));
        mesh.colored_vertex(pos2(x, place.bottom()), colour(share, 1.0));
        if i > 0 {
            mesh.add_triangle(2 * i - 2, 2 * i - 1, 2 * i);
            mesh.add_triangle(2 * i - 1, 2 * i, 2 * i + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
    let edge = Stroke::new(1.0, theme::WEAK);
    painter.rect_stroke(place, 0.0, edge, StrokeKind::Outside);
    let under = place.bottom() + 0.2 * size;
    for (share, align) in [
        (0.0, Align2::LEFT_TOP),
        (0.5, Align2::CENTER_TOP),
        (1.0, Align2::RIGHT_TOP),
    ] {
        let number = match per_square_centimetre(share * most) {
            0.0 => "0".into(),
            small if small < 10.0 => format!("{small:.1}"),
            large => format!("{large:.0}"),
        };
        text(
            pos2(place.left() + share * bar.x, under),
            align,
            number,
            theme::WEAK,
        );
    }
    let line = ground.bottom() - 1.1 * size;
    let length = 2.5 * size;
    let stroke = Stroke::new(1.2, Color32::from_rgb(190, 240, 255));
    if params.arrows > 0.0 {
        painter.arrow(pos2(left, line), vec2(length, 0.0), stroke);
        let words = format!("{:.0} mm: 1 m/s on the head", 1e3 * params.arrows);
        text(
            pos2(left + length + 0.6 * size, line),
            Align2::LEFT_CENTER,
            words,
            theme::WEAK,
        );
    } else {
        let words = "middle: mean at rest".to_string();
        text(pos2(left, line), Align2::LEFT_CENTER, words, theme::WEAK);
    }
}
