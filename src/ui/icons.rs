//! The icons of the panel, drawn as lines: no font has all of them, and lines
//! are sharp at any scale.

use egui::{
    Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    accesskit::Role, vec2,
};
use std::f32::consts::TAU;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Two bars.
    Pause,
    /// A triangle.
    Play,
    /// A bar and a triangle to the left.
    Back,
    /// A triangle to the right and a bar.
    Forward,
    /// Two arrows, each after the other.
    Loop,
    /// A disc.
    Record,
    /// A square.
    Stop,
    /// A photo camera.
    Camera,
    /// Four corners.
    Frame,
    /// An arrow around, to the left: back to the start.
    Restart,
    /// An arrow turning back.
    Undo,
    /// An arrow turning forth.
    Redo,
    /// A folder.
    Folder,
    /// A disk.
    Save,
    /// A question mark.
    Help,
    /// A curve in a frame of two axes.
    Plot,
    /// A cross.
    Close,
    /// An eye.
    Eye,
    /// A strand drawn aside.
    Pull,
    /// A comb.
    Comb,
    /// A strand with kinks beside one without.
    Smooth,
    /// A pair of scissors.
    Scissors,
    /// A strand that goes on beyond a line.
    Grow,
    /// Strands that are lifted off a head.
    Lift,
    /// Roots that are struck out.
    Less,
    /// A strand on its root.
    More,
}

impl Icon {
    /// Draws the icon in the middle of `rect`, which it fills.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        let side = rect.width().min(rect.height());
        let rect = Rect::from_center_size(rect.center(), Vec2::splat(side));
        let stroke = Stroke::new((side * 0.1).max(1.2), colour);
        // Coordinates from 0 to 1, y downwards.
        let at = |x: f32, y: f32| rect.min + vec2(x, y) * side;
        let line = |points: &[(f32, f32)]| {
            let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::line(points, stroke));
        };
        let filled = |points: &[(f32, f32)]| {
            let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
        };
        let block = |x: [f32; 2], y: [f32; 2], round: f32| {
            let rect = Rect::from_min_max(at(x[0], y[0]), at(x[1], y[1]));
            painter.rect_filled(rect, round * side, colour);
        };
        let outline = |x: [f32; 2], y: [f32; 2], round: f32| {
            let rect = Rect::from_min_max(at(x[0], y[0]), at(x[1], y[1]));
            painter.rect_stroke(rect, round * side, stroke, StrokeKind::Middle);
        };
        match self {
            Self::Pause => {
                block([0.22, 0.40], [0.15, 0.85], 0.05);
                block([0.60, 0.78], [0.15, 0.85], 0.05);
            }
            Self::Eye => {
                let lid = |up: f32| {
                    let arc = |i: i32| {
                        let x = i as f32 / 8.0;
                        (0.06 + 0.88 * x, 0.5 + up * 1.3 * x * (1.0 - x))
                    };
                    (0..=8).map(arc).collect::<Vec<_>>()
                };
                line(&lid(-1.0));
                line(&lid(1.0));
                painter.circle_filled(at(0.5, 0.5), 0.14 * side, colour);
            }
            Self::Pull => {
                line(&[
                    (0.2, 0.08),
                    (0.2, 0.3),
                    (0.3, 0.52),
                    (0.55, 0.6),
                    (0.88, 0.6),
                ]);
                line(&[(0.7, 0.42), (0.9, 0.6), (0.7, 0.78)]);
                painter.circle_filled(at(0.2, 0.1), 0.07 * side, colour);
            }
            Self::Comb => {
                line(&[(0.08, 0.26), (0.92, 0.26)]);
                for tooth in 0..6 {
                    let x = 0.12 + 0.152 * tooth as f32;
                    line(&[(x, 0.26), (x, 0.8)]);
                }
            }
            Self::Smooth => {
                line(&[
                    (0.26, 0.08),
                    (0.1, 0.28),
                    (0.38, 0.42),
                    (0.12, 0.62),
                    (0.36, 0.76),
                    (0.24, 0.92),
                ]);
                let arc = |from: f32| {
                    let at = |i: i32| {
                        let y = i as f32 / 8.0;
                        (from + 0.44 * y * (1.0 - y), 0.08 + 0.84 * y)
                    };
                    (0..=8).map(at).collect::<Vec<_>>()
                };
                line(&arc(0.54));
                line(&arc(0.76));
            }
            Self::Scissors => {
                line(&[(0.3, 0.66), (0.78, 0.08)]);
                line(&[(0.7, 0.66), (0.22, 0.08)]);
                painter.circle_stroke(at(0.24, 0.78), 0.14 * side, stroke);
                painter.circle_stroke(at(0.76, 0.78), 0.14 * side, stroke);
            }
            Self::Grow => {
                line(&[
                    (0.3, 0.06),
                    (0.42, 0.2),
                    (0.2, 0.36),
                    (0.42, 0.52),
                    (0.3, 0.62),
                ]);
                line(&[(0.7, 0.2), (0.7, 0.9)]);
                line(&[(0.52, 0.72), (0.7, 0.92), (0.88, 0.72)]);
            }
            Self::Lift => {
                let skin = |i: i32| {
                    let x = i as f32 / 8.0;
                    (0.06 + 0.88 * x, 0.9 - 0.9 * x * (1.0 - x))
                };
                line(&(0..=8).map(skin).collect::<Vec<_>>());
                line(&[(0.5, 0.66), (0.5, 0.1)]);
                line(&[(0.36, 0.26), (0.5, 0.08), (0.64, 0.26)]);
                line(&[(0.24, 0.7), (0.12, 0.3)]);
                line(&[(0.76, 0.7), (0.88, 0.3)]);
            }
            Self::Less => {
                line(&[(0.08, 0.84), (0.92, 0.84)]);
                line(&[(0.24, 0.84), (0.2, 0.34)]);
                line(&[(0.76, 0.84), (0.8, 0.34)]);
                line(&[(0.36, 0.24), (0.64, 0.56)]);
                line(&[(0.64, 0.24), (0.36, 0.56)]);
            }
            Self::More => {
                line(&[(0.08, 0.84), (0.92, 0.84)]);
                line(&[(0.24, 0.84), (0.2, 0.34)]);
                line(&[(0.76, 0.84), (0.8, 0.34)]);
                line(&[(0.5, 0.84), (0.5, 0.14)]);
                line(&[(0.34, 0.32), (0.5, 0.14), (0.66, 0.32)]);
            }
            Self::Play => filled(&[(0.26, 0.12), (0.86, 0.5), (0.26, 0.88)]),
            Self::Back => {
                block([0.18, 0.30], [0.18, 0.82], 0.04);
                filled(&[(0.84, 0.16), (0.84, 0.84), (0.36, 0.5)]);
            }
            Self::Forward => {
                block([0.70, 0.82], [0.18, 0.82], 0.04);
                filled(&[(0.16, 0.16), (0.64, 0.5), (0.16, 0.84)]);
            }
            Self::Loop => {
                line(&[(0.08, 0.52), (0.08, 0.3), (0.76, 0.3)]);
                filled(&[(0.68, 0.1), (0.96, 0.3), (0.68, 0.5)]);
                line(&[(0.92, 0.48), (0.92, 0.7), (0.24, 0.7)]);
                filled(&[(0.32, 0.5), (0.32, 0.9), (0.04, 0.7)]);
            }
            Self::Record => {
                painter.circle_filled(at(0.5, 0.5), 0.36 * side, colour);
            }
            Self::Stop => block([0.2, 0.8], [0.2, 0.8], 0.08),
            Self::Camera => {
                outline([0.06, 0.94], [0.28, 0.84], 0.1);
                line(&[(0.34, 0.26), (0.41, 0.15), (0.59, 0.15), (0.66, 0.26)]);
                painter.circle_stroke(at(0.5, 0.56), 0.16 * side, stroke);
            }
            Self::Frame => {
                for (x, y) in [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)] {
                    let inner = |v: f32| v + 0.26 * (0.5 - v).signum();
                    line(&[(inner(x), y), (x, y), (x, inner(y))]);
                }
                painter.circle_filled(at(0.5, 0.5), 0.1 * side, colour);
            }
            Self::Restart => turning_arrow(painter, at(0.5, 0.53), 0.35 * side, stroke),
            Self::Undo | Self::Redo => {
                // The same, mirrored.
                let x = |v: f32| if self == Self::Undo { v } else { 1.0 - v };
                line(&[
                    (x(0.12), 0.38),
                    (x(0.62), 0.38),
                    (x(0.80), 0.44),
                    (x(0.87), 0.58),
                    (x(0.80), 0.73),
                    (x(0.62), 0.79),
                    (x(0.36), 0.79),
                ]);
                line(&[(x(0.34), 0.16), (x(0.12), 0.38), (x(0.34), 0.60)]);
            }
            Self::Folder => {
                line(&[
                    (0.08, 0.8),
                    (0.08, 0.2),
                    (0.4, 0.2),
                    (0.5, 0.33),
                    (0.92, 0.33),
                    (0.92, 0.8),
                    (0.08, 0.8),
                ]);
            }
            Self::Save => {
                line(&[
                    (0.12, 0.12),
                    (0.72, 0.12),
                    (0.88, 0.28),
                    (0.88, 0.88),
                    (0.12, 0.88),
                    (0.12, 0.08),
                ]);
                line(&[(0.32, 0.14), (0.32, 0.38), (0.64, 0.38), (0.64, 0.14)]);
                line(&[(0.28, 0.86), (0.28, 0.6), (0.72, 0.6), (0.72, 0.86)]);
            }
            Self::Help => {
                line(&[
                    (0.30, 0.32),
                    (0.34, 0.17),
                    (0.50, 0.10),
                    (0.66, 0.17),
                    (0.70, 0.32),
                    (0.62, 0.45),
                    (0.51, 0.53),
                    (0.50, 0.66),
                ]);
                painter.circle_filled(at(0.5, 0.86), 0.075 * side, colour);
            }
            Self::Plot => {
                line(&[(0.1, 0.08), (0.1, 0.9), (0.94, 0.9)]);
                line(&[(0.22, 0.7), (0.42, 0.36), (0.62, 0.56), (0.9, 0.16)]);
            }
            Self::Close => {
                line(&[(0.2, 0.2), (0.8, 0.8)]);
                line(&[(0.8, 0.2), (0.2, 0.8)]);
            }
        }
    }

    /// A button with the icon on it.
    pub fn button(self, ui: &mut Ui, size: Vec2, colour: Color32) -> Response {
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let visuals = ui.style().interact(&response);
        ui.painter()
            .rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
        self.inside(ui, rect, size.y * 0.54, colour);
        self.named(response)
    }

    /// The icon alone, to be clicked.
    pub fn small(self, ui: &mut Ui, size: Vec2, colour: Color32) -> Response {
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let colour = if response.hovered() {
            Color32::WHITE
        } else {
            colour
        };
        self.inside(ui, rect, size.y * 0.62, colour);
        self.named(response)
    }

    /// Tells who cannot see the icon what it shows.
    fn named(self, response: Response) -> Response {
        let name = format!("{self:?}");
        response
            .widget_info(|| WidgetInfo::labeled(Role::Button, response.enabled(), name.clone()));
        response
    }

    fn inside(self, ui: &Ui, rect: Rect, side: f32, colour: Color32) {
        let colour = if ui.is_enabled() {
            colour
        } else {
            colour.gamma_multiply(0.35)
        };
        let place = Rect::from_center_size(rect.center(), Vec2::splat(side));
        self.paint(ui.painter(), place, colour);
    }
}

/// Most of a circle, with an arrowhead at its upper left end.
fn turning_arrow(painter: &Painter, centre: Pos2, radius: f32, stroke: Stroke) {
    let point = |turn: f32| centre + radius * vec2((turn * TAU).cos(), (turn * TAU).sin());
    let points: Vec<Pos2> = (0..=24)
        .map(|i| point(0.66 + 0.78 * i as f32 / 24.0))
        .collect();
    let tip = points[0];
    painter.add(Shape::line(points, stroke));
    let wing = 0.62 * radius;
    painter.add(Shape::convex_polygon(
        vec![
            tip + vec2(-0.9 * wing, 0.35 * wing),
            tip + vec2(-0.5 * wing, -0.95 * wing),
            tip + vec2(0.75 * wing, 0.2 * wing),
        ],
        stroke.color,
        Stroke::NONE,
    ));
}
