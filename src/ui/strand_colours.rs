//! Where the hair is held, in colours along strands, painted over the picture.

use super::{theme, view_projection::ViewProjection};
use crate::session::hold_view::{HeldStrand, HoldView};
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};
use glam::Vec3;

/// From a joint that is left as it is to one held this much or more: a step of the
/// scale each.
const SCALE: [(f32, [u8; 3]); 5] = [
    (1.0, [86, 140, 190]),
    (2.0, [120, 200, 140]),
    (4.0, [240, 220, 90]),
    (16.0, [240, 140, 50]),
    (64.0, [225, 50, 50]),
];

/// Half of a line's width. `[points]`
const HALF: f32 = 0.9;

/// The colour of a hold, between those of the scale by its logarithm.
fn colour(hold: f32) -> Color32 {
    let mut below = SCALE[0];
    for above in SCALE {
        if hold < above.0 {
            let part = (hold / below.0).ln() / (above.0 / below.0).ln();
            let part = part.clamp(0.0, 1.0);
            let mix =
                |c: usize| f32::from(below.1[c]) * (1.0 - part) + f32::from(above.1[c]) * part;
            return Color32::from_rgb(mix(0) as u8, mix(1) as u8, mix(2) as u8);
        }
        below = above;
    }
    let [r, g, b] = below.1;
    Color32::from_rgb(r, g, b)
}

/// Paints `view` over the picture that `eye` sees.
pub fn paint(painter: &Painter, eye: &ViewProjection, view: &HoldView) {
    let painter = painter.with_clip_rect(eye.rect);
    let roots = || view.strands.iter().filter_map(|held| held.places.first());
    let middle = roots().sum::<Vec3>() / (view.strands.len().max(1)) as f32;
    let mut mesh = Mesh::default();
    for held in &view.strands {
        // The scalp is round: what faces away lies behind its middle.
        let faces = held
            .places
            .first()
            .is_some_and(|root| (*root - middle).dot(eye.place - *root) > 0.0);
        if faces {
            line(&mut mesh, eye, held);
        }
    }
    painter.add(Shape::mesh(mesh));
    legend(&painter, eye.rect, view.strands.is_empty());
}

/// A band along one strand.
fn line(mesh: &mut Mesh, eye: &ViewProjection, held: &HeldStrand) {
    let seen: Vec<Option<Pos2>> = held.places.iter().map(|p| eye.see(*p)).collect();
    for (i, ends) in seen.windows(2).enumerate() {
        let &[Some(from), Some(to)] = ends else {
            continue;
        };
        let way = (to - from).normalized() * HALF;
        let side = vec2(-way.y, way.x);
        let first = mesh.vertices.len() as u32;
        for (at, joint) in [(from, i), (to, i + 1)] {
            let colour = colour(held.hold.get(joint).copied().unwrap_or(1.0));
            mesh.colored_vertex(at + side, colour);
            mesh.colored_vertex(at - side, colour);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
}

/// What the colours mean, along the upper edge: along the lower one lie the names of sides
/// and the time that one can go back to.
fn legend(painter: &Painter, rect: Rect, none: bool) {
    let size = (rect.width() / 60.0).clamp(9.0, 12.0);
    let font = FontId::proportional(size);
    let bar = Rect::from_min_size(
        pos2(rect.center().x - 9.0 * size, rect.top() + 2.8 * size),
        vec2(18.0 * size, 0.8 * size),
    );
    let words = if none {
        "Groom hold: this method holds none"
    } else {
        "Groom hold: how many times stiffer than its material"
    };
    let back = bar.expand2(vec2(5.0 * size, 2.0 * size));
    painter.rect_filled(back, 4.0, Color32::from_black_alpha(150));
    let above = pos2(bar.center().x, bar.top() - 0.4 * size);
    let text = theme::WEAK;
    painter.text(above, Align2::CENTER_BOTTOM, words, font.clone(), text);
    if none {
        return;
    }
    let steps = (SCALE.len() - 1) as f32;
    let mut mesh = Mesh::default();
    for (i, (hold, _)) in SCALE.iter().enumerate() {
        let x = bar.left() + bar.width() * i as f32 / steps;
        mesh.colored_vertex(pos2(x, bar.top()), colour(*hold));
        mesh.colored_vertex(pos2(x, bar.bottom()), colour(*hold));
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
        let below = pos2(x, bar.bottom() + 0.2 * size);
        let number = format!("{hold}");
        painter.text(below, Align2::CENTER_TOP, number, font.clone(), text);
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_of_a_hold_is_that_of_the_scale() {
        for (hold, [r, g, b]) in SCALE {
            assert_eq!(colour(hold), Color32::from_rgb(r, g, b), "{hold}");
        }
        // Halfway by its logarithm.
        let between = colour(8.0);
        assert!(between.g().abs_diff(180) < 2, "{between:?}");
        assert_eq!(colour(500.0), colour(64.0));
        assert_eq!(colour(0.5), colour(1.0));
    }
}
