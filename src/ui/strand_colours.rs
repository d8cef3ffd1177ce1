//! A quantity along strands in colours, painted over the picture.

use super::{theme, view_projection::ViewProjection};
use crate::{
    project::tools::StrandQuantity,
    session::strand_colours::{ColouredStrand, StrandColours},
};
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};
use glam::Vec3;

/// Half of a line's width. `[points]`
const HALF: f32 = 0.9;

/// What the values of a quantity look like.
struct Scale {
    /// Values and their colours, a step of the scale each.
    stops: [(f32, [u8; 3]); 5],
    /// Whether colours go by a value's logarithm.
    logarithmic: bool,
    /// Whether a value is that of the segment that leaves a vertex, not of the vertex.
    of_segments: bool,
    /// What the scale says.
    title: &'static str,
    /// What it says where the method knows nothing of the quantity.
    none: &'static str,
    /// How it writes a value.
    write: fn(f32) -> String,
}

/// From a joint that is left as it is to one held so much or more.
const HOLD: Scale = Scale {
    stops: [
        (1.0, [86, 140, 190]),
        (2.0, [120, 200, 140]),
        (4.0, [240, 220, 90]),
        (16.0, [240, 140, 50]),
        (64.0, [225, 50, 50]),
    ],
    logarithmic: true,
    of_segments: false,
    title: "Groom hold: how many times stiffer than its material",
    none: "Groom hold: this method holds none",
    write: |hold| format!("{hold}"),
};

/// From a segment that is a tenth shorter than at rest, or more, to one a tenth longer.
const LENGTH: Scale = Scale {
    stops: [
        (-0.1, [60, 80, 220]),
        (-0.01, [90, 180, 235]),
        (0.0, [215, 215, 205]),
        (0.01, [245, 190, 80]),
        (0.1, [225, 50, 50]),
    ],
    logarithmic: false,
    of_segments: true,
    title: "Length change: shorter or longer than at rest",
    none: "Length change: there is no hair",
    write: |change| match 100.0 * change {
        percent if percent > 0.0 => format!("+{percent} %"),
        percent => format!("{percent} %").replace('-', "−"),
    },
};

impl Scale {
    /// That of a quantity; none where nothing is shown.
    fn of(quantity: StrandQuantity) -> Option<&'static Self> {
        match quantity {
            StrandQuantity::Nothing => None,
            StrandQuantity::Hold => Some(&HOLD),
            StrandQuantity::Length => Some(&LENGTH),
        }
    }

    /// The colour of a value.
    fn colour(&self, value: f32) -> Color32 {
        let rank = |v: f32| if self.logarithmic { v.ln() } else { v };
        let mut below = self.stops[0];
        for above in self.stops {
            if value < above.0 {
                let part = (rank(value) - rank(below.0)) / (rank(above.0) - rank(below.0));
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
}

/// Paints `colours` over the picture that `eye` sees.
pub fn paint(painter: &Painter, eye: &ViewProjection, colours: &StrandColours) {
    let Some(scale) = Scale::of(colours.quantity) else {
        return;
    };
    let painter = painter.with_clip_rect(eye.rect);
    let roots = || (colours.strands.iter()).filter_map(|strand| strand.places.first());
    let middle = roots().sum::<Vec3>() / (colours.strands.len().max(1)) as f32;
    let mut mesh = Mesh::default();
    for strand in &colours.strands {
        // The scalp is round: what faces away lies behind its middle.
        let faces = strand
            .places
            .first()
            .is_some_and(|root| (*root - middle).dot(eye.place - *root) > 0.0);
        if faces {
            line(&mut mesh, eye, strand, scale);
        }
    }
    painter.add(Shape::mesh(mesh));
    legend(&painter, eye.rect, scale, colours.strands.is_empty());
}

/// A band along one strand.
fn line(mesh: &mut Mesh, eye: &ViewProjection, strand: &ColouredStrand, scale: &Scale) {
    let colours: Vec<Color32> = strand.values.iter().map(|v| scale.colour(*v)).collect();
    let Some(last) = colours.last().copied() else {
        return;
    };
    let seen: Vec<Option<Pos2>> = strand.places.iter().map(|p| eye.see(*p)).collect();
    for (i, ends) in seen.windows(2).enumerate() {
        let &[Some(from), Some(to)] = ends else {
            continue;
        };
        let way = (to - from).normalized() * HALF;
        let side = vec2(-way.y, way.x);
        let first = mesh.vertices.len() as u32;
        let outer = if scale.of_segments { i } else { i + 1 };
        for (at, value) in [(from, i), (to, outer)] {
            let colour = colours.get(value).copied().unwrap_or(last);
            mesh.colored_vertex(at + side, colour);
            mesh.colored_vertex(at - side, colour);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
}

/// What the colours mean, along the upper edge: along the lower one lie the names of sides
/// and the time that one can go back to.
fn legend(painter: &Painter, rect: Rect, scale: &Scale, none: bool) {
    let size = (rect.width() / 60.0).clamp(9.0, 12.0);
    let font = FontId::proportional(size);
    let bar = Rect::from_min_size(
        pos2(rect.center().x - 9.0 * size, rect.top() + 2.8 * size),
        vec2(18.0 * size, 0.8 * size),
    );
    let words = if none { scale.none } else { scale.title };
    let back = bar.expand2(vec2(5.0 * size, 2.0 * size));
    painter.rect_filled(back, 4.0, Color32::from_black_alpha(150));
    let above = pos2(bar.center().x, bar.top() - 0.4 * size);
    let text = theme::WEAK;
    painter.text(above, Align2::CENTER_BOTTOM, words, font.clone(), text);
    if none {
        return;
    }
    let steps = (scale.stops.len() - 1) as f32;
    let mut mesh = Mesh::default();
    for (i, (value, _)) in scale.stops.iter().enumerate() {
        let x = bar.left() + bar.width() * i as f32 / steps;
        mesh.colored_vertex(pos2(x, bar.top()), scale.colour(*value));
        mesh.colored_vertex(pos2(x, bar.bottom()), scale.colour(*value));
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
        let below = pos2(x, bar.bottom() + 0.2 * size);
        let number = (scale.write)(*value);
        painter.text(below, Align2::CENTER_TOP, number, font.clone(), text);
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_of_a_value_is_that_of_the_scale() {
        for scale in [&HOLD, &LENGTH] {
            for (value, [r, g, b]) in scale.stops {
                assert_eq!(scale.colour(value), Color32::from_rgb(r, g, b), "{value}");
            }
            let [least, .., most] = scale.stops.map(|(value, _)| value);
            assert_eq!(scale.colour(most + 500.0), scale.colour(most));
            assert_eq!(scale.colour(least - 0.5), scale.colour(least));
        }
        // Halfway by its logarithm, and by itself.
        let between = HOLD.colour(8.0);
        assert!(between.g().abs_diff(180) < 2, "{between:?}");
        let between = LENGTH.colour(0.055);
        assert!(between.g().abs_diff(120) < 2, "{between:?}");
        let percents = LENGTH.stops.map(|(value, _)| (LENGTH.write)(value));
        assert_eq!(percents, ["−10 %", "−1 %", "0 %", "+1 %", "+10 %"]);
    }
}
