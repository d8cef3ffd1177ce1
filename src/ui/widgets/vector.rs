//! Rows of three numbers: places and sizes, and directions with a compass.

use super::{Edit, ROW, SliderRow, is_as_shown, typed::Typed, unit::Unit};
use crate::{param::Value, ui::theme};
use egui::{DragValue, Id, Pos2, Response, Sense, Stroke, Ui, vec2};
use std::ops::RangeInclusive;

/// What stands before numbers of colours, and which colours those are.
const COLOURS: [(&str, &str); 3] = [("R ", "red"), ("G ", "green"), ("B ", "blue")];

impl SliderRow<'_> {
    /// Three numbers side by side; their unit stands beside the label.
    pub(super) fn triple(
        &self,
        ui: &mut Ui,
        mut now: [f32; 3],
        range: &RangeInclusive<f64>,
    ) -> Option<Edit> {
        ui.spacing_mut().item_spacing.x = 3.0;
        let unit = Unit::of(self.tunable);
        let (factor, decimals) = (unit.factor, unit.decimals);
        let (speed, axes) = match self.tunable.unit {
            "m" => (0.1, "to the head's left, upwards, forwards"),
            "" => (0.01, "of red, green and blue"),
            _ => (0.5, "about the axes x, y and z"),
        };
        let width = ((ui.available_width() - 6.0) / 3.0).max(20.0);
        let (mut changed, mut held) = (false, false);
        let colours = match self.tunable.unit {
            "" => &COLOURS[..],
            _ => &[],
        };
        for (place, value) in now.iter_mut().enumerate() {
            let before = f64::from(*value) * factor;
            let mut shown = before;
            let typed = Typed::new(&unit.suffix, range.start() * factor..=range.end() * factor);
            let number = DragValue::new(&mut shown)
                .speed(speed)
                .max_decimals(decimals);
            let colour = colours.get(place);
            let number = match colour {
                Some((letter, _)) => number.prefix(*letter),
                None => number,
            };
            let response = ui.add_sized([width, ROW - 2.0], typed.field(number));
            if let Some((_, colour)) = colour {
                let name = format!("{}: {colour}", self.tunable.label);
                let ctx = ui.ctx();
                ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
            }
            let looked = !response.dragged() && is_as_shown(before, shown, decimals);
            if response.changed() && !looked {
                *value = (shown / factor) as f32;
                changed = true;
            }
            held |= response.dragged();
            if typed.tell(&response) {
                continue;
            }
            self.explain_with(response, axes);
        }
        changed.then_some(Edit {
            value: Value::Vector(now),
            held,
        })
    }

    /// A compass from above, and how far the direction points up.
    pub(super) fn direction(&self, ui: &mut Ui, way: [f32; 3]) -> Option<Edit> {
        // What points straight up or down has no azimuth: the angles that it was given
        // by are kept beside it.
        let id = Id::unique(("direction", &self.name));
        let given = ui.data(|data| data.get_temp::<Given>(id));
        let [mut azimuth, mut elevation] = match given {
            Some(given) if given.way == way => given.angles,
            _ => angles(way),
        };
        let before = (azimuth, elevation);
        ui.spacing_mut().item_spacing.x = 4.0;
        let compass = compass(ui, &mut azimuth, elevation);
        let shown = (azimuth, elevation);
        let width = ((ui.available_width() - 4.0) / 2.0).max(20.0);
        let typed = [180.0, 90.0].map(|end: f64| Typed::new("°", -end..=end));
        let mut angle = |typed: &Typed, value: &mut f32, speed: f64| {
            let field = DragValue::new(value)
                .speed(speed)
                .max_decimals(0)
                .suffix("°");
            ui.add_sized([width, ROW - 2.0], typed.field(field))
        };
        let turn = angle(&typed[0], &mut azimuth, 1.0);
        let rise = angle(&typed[1], &mut elevation, 0.5);
        for (field, now, shown) in [
            (&turn, &mut azimuth, shown.0),
            (&rise, &mut elevation, shown.1),
        ] {
            if !field.dragged() && is_as_shown(shown.into(), (*now).into(), 0) {
                *now = shown;
            }
        }
        let held = compass.is_pointer_button_down_on() || turn.dragged() || rise.dragged();
        self.explain(compass);
        for (typed, field) in typed.iter().zip([turn, rise]) {
            if !typed.tell(&field) {
                self.explain(field);
            }
        }
        if (azimuth, elevation) == before {
            return None;
        }
        let (sin, cos) = azimuth.to_radians().sin_cos();
        let (up, flat) = elevation.to_radians().sin_cos();
        // Five digits are plenty, and a file with them is pleasant to read.
        let round = |v: f32| (v * 1e5).round() / 1e5;
        let way = [round(sin * flat), round(up), round(cos * flat)];
        let angles = [azimuth, elevation];
        ui.data_mut(|data| data.insert_temp(id, Given { way, angles }));
        Some(Edit {
            value: Value::Vector(way),
            held,
        })
    }
}

/// A direction, and the azimuth and elevation that a person gave it by. `[°]`
#[derive(Clone, Copy)]
struct Given {
    way: [f32; 3],
    angles: [f32; 2],
}

/// Azimuth and elevation of a direction: 0° is towards the viewer of the face (+z), 90°
/// the head's left (+x). `[°]`
fn angles(way: [f32; 3]) -> [f32; 2] {
    let way = glam::Vec3::from_array(way).normalize_or(glam::Vec3::X);
    let azimuth = way.x.atan2(way.z).to_degrees();
    let elevation = way.y.clamp(-1.0, 1.0).asin().to_degrees();
    [azimuth, elevation]
}

fn compass(ui: &mut Ui, azimuth: &mut f32, elevation: f32) -> Response {
    let side = ROW;
    let (rect, mut response) = ui.allocate_exact_size(vec2(side, side), Sense::click_and_drag());
    let centre = rect.center();
    if let Some(pointer) = response.interact_pointer_pos() {
        let to: Pos2 = pointer;
        if to.distance(centre) > 2.0 {
            // Right is the head's left (+x), down is towards the viewer (+z).
            let turn = (to.x - centre.x).atan2(to.y - centre.y).to_degrees();
            if turn != *azimuth {
                *azimuth = turn;
                response.mark_changed();
            }
        }
    }
    let radius = side / 2.0 - 1.0;
    let painter = ui.painter();
    let hot = response.hovered() || response.dragged();
    let edge = if hot { theme::ACCENT } else { theme::FIELD };
    painter.circle(centre, radius, theme::SUNKEN, Stroke::new(1.0, edge));
    let (sin, cos) = azimuth.to_radians().sin_cos();
    // A direction that rises or falls looks shorter from above.
    let length = radius * elevation.to_radians().cos().max(0.25);
    let tip = centre + vec2(sin, cos) * length;
    painter.line_segment([centre, tip], Stroke::new(1.8, theme::ACCENT));
    painter.circle_filled(tip, 2.6, theme::ACCENT);
    response
}
