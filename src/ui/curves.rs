//! The curves of the validation: what theory says as lines, what methods did as
//! points beside them.

use super::{
    round_marks::{fixed_plot, round_marks},
    theme,
    validation::colour,
};
use crate::lab::validate::{Axis, Plot, Series, ValidationReport, number};
use egui::{Color32, FontId, Rangef, RichText, Sense, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{
    AxisHints, GridInput, GridMark, HoverPosition, Line, LineStyle, MarkerShape, PlotPoints, Points,
};
use std::ops::RangeInclusive;

/// What theory says.
const THEORY: Color32 = Color32::from_rgb(222, 218, 206);

/// A measured curve of more points is drawn as a line.
const DENSE: usize = 30;

/// More curves than these are told apart by where they lie, not by a legend.
const FEW: usize = 4;

const MARKERS: [MarkerShape; 4] = [
    MarkerShape::Circle,
    MarkerShape::Diamond,
    MarkerShape::Square,
    MarkerShape::Up,
];

/// Draws the curves of a test, of all methods into one picture.
pub fn show(ui: &mut Ui, test: &'static str, reports: &[&ValidationReport]) {
    let plots: Vec<(&ValidationReport, &Plot)> = reports
        .iter()
        .filter_map(|report| {
            let found = report.plots.iter().find(|(id, _)| *id == test);
            found.map(|(_, plot)| (*report, plot))
        })
        .collect();
    let Some((_, first)) = plots.last() else {
        return;
    };
    ui.add_space(2.0);
    let width = ui.available_width() - 20.0;
    let (x, y) = (first.x, first.y);
    let window = range(first, y);
    let mut plot = fixed_plot(("validation", test))
        .width(width)
        .height(196.0)
        .set_margin_fraction(vec2(0.04, 0.06))
        .custom_x_axes(vec![
            hints(AxisHints::new_x(), x).label_spacing(Rangef::new(26.0, 40.0)),
        ])
        .custom_y_axes(vec![
            hints(AxisHints::new_y(), y)
                .label_spacing(Rangef::new(16.0, 30.0))
                .min_thickness(34.0),
        ])
        .label_formatter(move |hover| match hover {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } if !plot_name.is_empty() => {
                let (x, y) = (back(position.x, x), back(position.y, y));
                Some(format!("{plot_name}\n{} | {}", number(x), number(y)))
            }
            _ => None,
        });
    let spacer = |axis: Axis| if axis.log { decades } else { round_steps };
    plot = plot.x_grid_spacer(spacer(x)).y_grid_spacer(spacer(y));
    if first.even {
        plot = plot.data_aspect(1.0);
    }
    plot.show(ui, |ui| {
        for series in first.series.iter().filter(|series| series.theory) {
            ui.line(
                Line::new(series.name.clone(), points(series, x, y, window))
                    .color(THEORY)
                    .width(1.4),
            );
        }
        for (report, plot) in &plots {
            let measured = plot.series.iter().filter(|series| !series.theory);
            for (index, series) in measured.enumerate() {
                let name = format!("{}: {}", report.label(), series.name);
                let (points, shade) = (points(series, x, y, window), shade(report, index));
                if series.points.len() > DENSE {
                    let styles = [LineStyle::Solid, LineStyle::dashed_loose()];
                    let style = styles[index % 2];
                    ui.line(Line::new(name, points).color(shade).width(1.6).style(style));
                } else {
                    let marker = MARKERS[index % MARKERS.len()];
                    let shape = if first.even {
                        MarkerShape::Circle
                    } else {
                        marker
                    };
                    let radius = if first.even { 2.2 } else { 3.2 };
                    ui.points(
                        Points::new(name, points)
                            .color(shade)
                            .radius(radius)
                            .shape(shape),
                    );
                }
            }
        }
    });
    legend(ui, first, &plots);
}

/// Where the picture ends: what lies absurdly far off must not flatten all that
/// can be compared. In the axis's own units.
fn range(plot: &Plot, y: Axis) -> [f64; 2] {
    let theory = plot.series.iter().filter(|series| series.theory);
    let values = theory.flat_map(|series| series.points.iter().map(|p| forth(p[1], y)));
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    let size = high - low;
    if !size.is_finite() || size <= 0.0 {
        // A level line is no measure.
        return [f64::MIN, f64::MAX];
    }
    let beyond = if y.log { size.max(1.0) } else { 1.5 * size };
    [low - beyond, high + beyond]
}

fn forth(value: f64, axis: Axis) -> f64 {
    match axis.log {
        true => value.max(1e-300).log10(),
        false => value,
    }
}

fn back(value: f64, axis: Axis) -> f64 {
    match axis.log {
        true => 10f64.powf(value),
        false => value,
    }
}

fn points(series: &Series, x: Axis, y: Axis, [low, high]: [f64; 2]) -> PlotPoints<'static> {
    let points = series
        .points
        .iter()
        .filter(|p| p.iter().all(|v| v.is_finite()));
    points
        .map(|p| [forth(p[0], x), forth(p[1], y).clamp(low, high)])
        .collect()
}

/// The method's colour; later curves of the same method are paler.
fn shade(report: &ValidationReport, index: usize) -> Color32 {
    let pale = [0.0, 0.45, 0.2, 0.6][index % 4];
    colour(report.solver, report.variant).lerp_to_gamma(THEORY, pale)
}

fn hints(hints: AxisHints<'static>, axis: Axis) -> AxisHints<'static> {
    hints
        .label(RichText::new(axis.label).size(11.0).color(theme::WEAK))
        .tick_label_color(theme::WEAK)
        .formatter(move |mark: GridMark, range| label(mark, axis, range))
}

/// What stands beside a mark of an axis; empty where nothing should.
fn label(mark: GridMark, axis: Axis, range: &RangeInclusive<f64>) -> String {
    if !axis.log {
        return number((mark.value * 1e9).round() / 1e9);
    }
    let span = range.end() - range.start();
    let whole = (mark.value - mark.value.round()).abs() < 1e-6;
    let value = back(mark.value, axis);
    let digit = (value / 10f64.powf((mark.value + 1e-9).floor())).round() as i32;
    match (whole, span < 1.7, digit) {
        (true, ..) | (false, true, 2 | 5) => decade(value),
        _ => String::new(),
    }
}

/// A number on a logarithmic axis.
fn decade(value: f64) -> String {
    match value {
        1e-3..1e5 => number(value),
        _ => format!("10^{:.0}", value.log10()),
    }
}

/// Four to ten round marks.
fn round_steps(input: GridInput) -> Vec<GridMark> {
    round_marks(&input, 5.0)
}

/// Marks at 1 to 9 in each decade; the values are logarithms.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let span = high - low;
    let fine = span < 4.5;
    (first.max(-40)..=last.min(40))
        .flat_map(|decade| {
            (1..10)
                .filter(move |digit| fine || *digit == 1)
                .map(move |digit| GridMark {
                    value: f64::from(decade) + f64::from(digit).log10(),
                    step_size: match digit {
                        1 => 1.0,
                        2 | 5 if span < 1.7 => 0.3,
                        _ => 0.05,
                    },
                })
        })
        .filter(|mark| mark.value >= low && mark.value <= high)
        .collect()
}

/// What the colours and marks mean.
fn legend(ui: &mut Ui, first: &Plot, plots: &[(&ValidationReport, &Plot)]) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 1.0);
        let theory: Vec<&Series> = first.series.iter().filter(|s| s.theory).collect();
        let text = match theory.as_slice() {
            [one, rest @ ..] if rest.iter().all(|s| s.name == one.name) => one.name.as_str(),
            _ => "theory",
        };
        entry(ui, THEORY, None, text);
        let measured: Vec<&Series> = first.series.iter().filter(|s| !s.theory).collect();
        let named = (2..=FEW).contains(&measured.len()) && !first.even;
        for (report, _) in plots {
            if !named {
                entry(ui, shade(report, 0), Some(0), &report.label());
                continue;
            }
            for (index, series) in measured.iter().enumerate() {
                let mark = (series.points.len() <= DENSE).then_some(index);
                let text = format!("{}: {}", report.label(), series.name);
                entry(ui, shade(report, index), mark, &text);
            }
        }
    });
}

/// A line, or a mark of that number, and its meaning; one piece, so that it
/// wraps as a word does.
fn entry(ui: &mut Ui, colour: Color32, mark: Option<usize>, text: &str) {
    let font = FontId::proportional(11.0);
    let words = ui.painter().layout_no_wrap(text.into(), font, theme::WEAK);
    let size = vec2(words.size().x + 30.0, words.size().y.max(14.0));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    let centre = pos2(rect.left() + 7.0, rect.center().y);
    let place = pos2(rect.left() + 18.0, rect.center().y - 0.5 * words.size().y);
    painter.galley(place, words, theme::WEAK);
    let Some(index) = mark else {
        let line = centre.x - 7.0..=centre.x + 7.0;
        painter.hline(line, centre.y, Stroke::new(1.6, colour));
        return;
    };
    let shape = |corners: &[[f32; 2]]| {
        let corners = corners.iter().map(|[x, y]| centre + vec2(*x, *y) * 3.4);
        Shape::convex_polygon(corners.collect(), colour, Stroke::NONE)
    };
    painter.add(match index % MARKERS.len() {
        0 => Shape::circle_filled(centre, 3.4, colour),
        1 => shape(&[[0.0, -1.1], [1.1, 0.0], [0.0, 1.1], [-1.1, 0.0]]),
        2 => shape(&[[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]]),
        _ => shape(&[[0.0, -1.0], [0.95, 0.8], [-0.95, 0.8]]),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(marks: Vec<GridMark>, axis: Axis, bounds: (f64, f64)) -> Vec<String> {
        let texts = marks
            .into_iter()
            .map(|mark| label(mark, axis, &(bounds.0..=bounds.1)));
        texts.filter(|text| !text.is_empty()).collect()
    }

    fn input(bounds: (f64, f64)) -> GridInput {
        GridInput {
            bounds,
            base_step_size: 0.01,
        }
    }

    #[test]
    fn axes_have_a_handful_of_round_labels() {
        let plain = Axis {
            label: "",
            log: false,
        };
        for bounds in [(0.0, 1.0), (-0.02, 0.73), (6.9, 9.1), (-13.0, 340.0)] {
            let found = labels(round_steps(input(bounds)), plain, bounds);
            assert!((3..=9).contains(&found.len()), "{bounds:?}: {found:?}");
            assert!(found.iter().all(|text| text.len() <= 4), "{found:?}");
        }
        let log = Axis {
            label: "",
            log: true,
        };
        let found = labels(decades(input((-1.2, 3.1))), log, (-1.2, 3.1));
        assert_eq!(found, ["0.1", "1", "10", "100", "1000"]);
        let found = labels(decades(input((1.7, 3.0))), log, (1.7, 3.0));
        assert_eq!(found, ["100", "200", "500", "1000"]);
        assert!(decades(input((f64::NEG_INFINITY, 1.0))).len() < 500);
        assert!(round_steps(input((1.0, 1.0))).is_empty());
    }

    #[test]
    fn what_is_absurdly_far_off_does_not_flatten_the_rest() {
        let plot = Plot {
            x: Axis {
                label: "",
                log: false,
            },
            y: Axis {
                label: "",
                log: false,
            },
            even: false,
            series: vec![Series {
                name: String::new(),
                theory: true,
                points: vec![[0.0, 0.0], [1.0, 2.0]],
            }],
        };
        let window = range(&plot, plot.y);
        assert_eq!(window, [-3.0, 5.0]);
        let level = Plot {
            series: vec![Series {
                points: vec![[0.0, 1.0], [1.0, 1.0]],
                ..plot.series[0].clone()
            }],
            ..plot.clone()
        };
        assert_eq!(range(&level, level.y), [f64::MIN, f64::MAX]);
    }
}
