//! Curves of the whole head of hair over the last seconds: how far two sides
//! are apart, how much they stretch, how much energy they have.

use super::{
    bar, caption,
    round_marks::{fixed_plot, round_marks},
    tabs, theme,
};
use crate::{
    lab::validate::number,
    session::stats_history::{Reading, SPAN, Sample, StatsHistory},
};
use egui::{Align, Color32, FontId, Id, Layout, Rangef, RichText, Sense, Stroke, Ui, pos2, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition, Line, LineStyle, PlotPoints};

/// What the energy plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Energy {
    All,
    Kinetic,
    Potential,
    Elastic,
    Total,
}

impl Energy {
    const ALL: [(Self, &'static str); 5] = [
        (Self::All, "All"),
        (Self::Kinetic, "Kinetic"),
        (Self::Potential, "Potential"),
        (Self::Elastic, "Elastic"),
        (Self::Total, "Total"),
    ];

    /// Of one side; the potential counts from its own lowest value, `floor`.
    fn of(self, reading: &Reading, floor: f64) -> f64 {
        match self {
            Self::Kinetic => reading.kinetic,
            Self::Potential => reading.potential - floor,
            Self::Elastic => reading.elastic,
            Self::All | Self::Total => reading.total() - floor,
        }
    }
}

/// What the legend says of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Its name and its newest value.
    Value,
    /// Its name.
    Name,
    /// Nothing: another curve's entry explains it.
    None,
}

/// One curve.
pub struct Curve {
    /// What it is.
    pub name: String,
    /// What the legend says of it.
    pub entry: Entry,
    /// Its colour.
    pub colour: Color32,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Abscissa and value, in the plot's units.
    pub points: Vec<[f64; 2]>,
}

/// One plot: a line of legend with the newest values, and the curves.
pub struct Graph<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Unit of the values.
    pub unit: &'a str,
    /// Unit of the abscissa.
    pub across: &'a str,
    /// Smallest and largest abscissa.
    pub range: [f64; 2],
    /// The least that the largest value shown is, so that noise looks small.
    pub least: f64,
    /// The curves.
    pub curves: Vec<Curve>,
}

fn chosen(ui: &Ui) -> Energy {
    ui.data(|data| data.get_temp(Id::unique("energy")))
        .unwrap_or(Energy::All)
}

/// The choice of energies, from right to left.
pub fn choices(ui: &mut Ui) {
    let now = chosen(ui);
    ui.spacing_mut().item_spacing.x = 0.0;
    for (energy, name) in Energy::ALL.into_iter().rev() {
        if tabs::tab(ui, name, energy == now).clicked() {
            ui.data_mut(|data| data.insert_temp(Id::unique("energy"), energy));
        }
    }
    ui.label(RichText::new("Energy ").size(12.0).color(theme::WEAK))
        .on_hover_text(
            "Potential energy counts from the lowest that it had since the hair was set back, each \
             side's from its own. Elastic energy is known of rods alone.",
        );
}

/// Draws the plots of what was measured beside one another; `compares` where there
/// are two sides.
pub fn show(ui: &mut Ui, history: &StatsHistory, compares: bool) {
    let samples = history.samples();
    let Some(last) = samples.back() else {
        bar::note(ui, ui.available_rect_before_wrap(), "Nothing has moved yet");
        return;
    };
    let samples: Vec<Sample> = samples.iter().copied().collect();
    let compares = compares && last.second.is_some();
    let mut graphs = Vec::new();
    if compares {
        graphs.push(distance(&samples, last.time));
    }
    graphs.push(stretch(&samples, last.time, compares));
    let floors = &history.floors()[..1 + usize::from(compares)];
    graphs.push(energy(&samples, last.time, floors, chosen(ui)));
    let gap = 14.0;
    let count = graphs.len() as f32;
    let width = (ui.available_width() - gap * (count - 1.0)) / count;
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for (index, graph) in graphs.iter().enumerate() {
            let size = vec2(width, height);
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                draw(ui, ("over time", index), graph, size);
            });
        }
    });
}

/// The newest value is at 0, the past at negative seconds.
fn points(samples: &[Sample], now: f64, value: impl Fn(&Sample) -> Option<f64>) -> Vec<[f64; 2]> {
    let points = samples
        .iter()
        .filter_map(|s| Some([s.time - now, value(s)?]));
    points.filter(|p| p[1].is_finite()).collect()
}

/// A side's reading.
fn reading(sample: &Sample, side: usize) -> Option<Reading> {
    match side {
        0 => Some(sample.first),
        _ => sample.second.map(|(reading, _)| reading),
    }
}

fn over_time<'a>(title: &'a str, unit: &'a str, least: f64, curves: Vec<Curve>) -> Graph<'a> {
    Graph {
        title,
        unit,
        across: "s",
        // So that the label of "now" has room.
        range: [-SPAN, 0.03 * SPAN],
        least,
        curves,
    }
}

fn distance(samples: &[Sample], now: f64) -> Graph<'static> {
    let curve = |name: &str, which: usize, colour, dashed| Curve {
        name: name.into(),
        entry: Entry::Value,
        colour,
        dashed,
        points: points(samples, now, |s| {
            s.second.map(|(_, far)| 1e3 * f64::from(far[which]))
        }),
    };
    let curves = vec![
        curve("largest", 1, theme::TEXT, false),
        curve("mean", 0, theme::TEXT, true),
    ];
    over_time("Distance", "mm", 1.0, curves)
}

/// What a curve is called: of two sides by letter, but for those that one entry
/// of the legend explains.
fn named(name: &str, side: usize, compares: bool) -> String {
    match (compares, name) {
        (true, "mean" | "kinetic") => name.into(),
        (true, _) => ['A', 'B'][side].into(),
        (false, name) => name.into(),
    }
}

/// Of two sides, the solid lines have letter and value, and one entry says what
/// the dashed ones are.
fn entry(side: usize, dashed: bool, compares: bool) -> Entry {
    match (compares, dashed, side) {
        (true, true, 0) => Entry::Name,
        (true, true, _) => Entry::None,
        _ => Entry::Value,
    }
}

fn stretch(samples: &[Sample], now: f64, compares: bool) -> Graph<'static> {
    let mut curves = Vec::new();
    for side in 0..1 + usize::from(compares) {
        for (name, dashed) in [("largest", false), ("mean", true)] {
            let value = |s: &Sample| {
                let reading = reading(s, side)?;
                let share = if dashed {
                    reading.mean_length_error
                } else {
                    reading.max_stretch.max(reading.max_shortening)
                };
                Some(100.0 * f64::from(share))
            };
            curves.push(Curve {
                name: named(name, side, compares),
                entry: entry(side, dashed, compares),
                colour: caption::colour(side),
                dashed,
                points: points(samples, now, value),
            });
        }
    }
    over_time("Change of length", "%", 0.01, curves)
}

/// Energies over time of as many sides as there are `floors`, which potentials count from.
fn energy(samples: &[Sample], now: f64, floors: &[f64], which: Energy) -> Graph<'static> {
    let (sides, compares) = (floors.len(), floors.len() > 1);
    let kinds: Vec<(Energy, &str)> = match which {
        // Of two sides, all would be a tangle: the two that tell most.
        Energy::All if compares => vec![(Energy::Total, "total"), (Energy::Kinetic, "kinetic")],
        Energy::All => vec![
            (Energy::Total, "total"),
            (Energy::Potential, "potential"),
            (Energy::Elastic, "elastic"),
            (Energy::Kinetic, "kinetic"),
        ],
        one => vec![(one, "")],
    };
    let most = samples
        .iter()
        .flat_map(|s| (0..sides).filter_map(|side| reading(s, side).map(|r| (r, floors[side]))))
        .flat_map(|(r, floor)| kinds.iter().map(move |(kind, _)| kind.of(&r, floor).abs()))
        .fold(0.0, f64::max);
    let (unit, factor) = match most {
        m if m < 2e-3 => ("µJ", 1e6),
        m if m < 2.0 => ("mJ", 1e3),
        _ => ("J", 1.0),
    };
    let mut curves = Vec::new();
    for (side, floor) in floors.iter().enumerate() {
        for (index, (kind, name)) in kinds.iter().enumerate() {
            curves.push(Curve {
                name: named(name, side, compares),
                entry: entry(side, compares && index > 0, compares),
                colour: match compares {
                    true => caption::colour(side),
                    false => caption::colour(index),
                },
                dashed: compares && index > 0,
                points: points(samples, now, |s| {
                    reading(s, side).map(|r| factor * kind.of(&r, *floor))
                }),
            });
        }
    }
    let title = match which {
        Energy::All => "Energy",
        Energy::Kinetic => "Kinetic energy",
        Energy::Potential => "Potential energy",
        Energy::Elastic => "Elastic energy",
        Energy::Total => "Total energy",
    };
    over_time(title, unit, 1e-6 * factor, curves)
}

/// Draws a plot with its legend above it.
pub fn draw(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    graph: &Graph,
    size: egui::Vec2,
) {
    legend(ui, graph, size.x);
    let (unit, across) = (graph.unit.to_string(), graph.across.to_string());
    let values = graph
        .curves
        .iter()
        .flat_map(|c| c.points.iter().map(|p| p[1]));
    let (low, high) = values.fold((0.0f64, graph.least), |(l, h), v| (l.min(v), h.max(v)));
    let room = 0.06 * (high - low);
    let low = if low < 0.0 { low - room } else { 0.0 };
    fixed_plot(id)
        .width(size.x)
        .height((size.y - 24.0).max(40.0))
        .set_margin_fraction(vec2(0.0, 0.0))
        .include_x(graph.range[0])
        .include_x(graph.range[1])
        .include_y(low)
        .include_y(high + room)
        .x_grid_spacer(steps)
        .y_grid_spacer(steps)
        .custom_x_axes(vec![
            hints(AxisHints::new_x(), graph.across).label_spacing(Rangef::new(34.0, 48.0)),
        ])
        .custom_y_axes(vec![
            hints(AxisHints::new_y(), "")
                .label_spacing(Rangef::new(13.0, 22.0))
                .min_thickness(34.0),
        ])
        .label_formatter(move |hover| match hover {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } if !plot_name.is_empty() => Some(format!(
                "{plot_name}\n{} {unit} at {} {across}",
                number(position.y),
                number(position.x),
            )),
            _ => None,
        })
        .show(ui, |ui| {
            for curve in &graph.curves {
                let style = match curve.dashed {
                    true => LineStyle::Dashed { length: 5.0 },
                    false => LineStyle::Solid,
                };
                let points: PlotPoints<'_> = curve.points.iter().copied().collect();
                // A legend without a name is one line alone.
                let name = match curve.name.as_str() {
                    "" => graph.title.to_string(),
                    name => name.to_string(),
                };
                ui.line(
                    Line::new(name, points)
                        .color(curve.colour)
                        .width(1.5)
                        .style(style),
                );
            }
        });
}

/// Title and unit, and each curve with its newest value; what has no room is
/// left out.
fn legend(ui: &mut Ui, graph: &Graph, width: f32) {
    /// Room for a value, so that nothing jumps when its digits change.
    const VALUE: f32 = 34.0;
    /// Length of a line that shows a curve's colour.
    const LINE: f32 = 11.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    let painter = ui.painter();
    let text =
        |text: String, colour| painter.layout_no_wrap(text, FontId::proportional(11.5), colour);
    let y = rect.center().y;
    let title = text(format!("{} [{}]", graph.title, graph.unit), theme::TEXT);
    let mut x = rect.left() + 4.0;
    let step = title.size().x;
    painter.galley(pos2(x, y - 0.5 * title.size().y), title, theme::TEXT);
    x += step + 10.0;
    // Where room is short, the values matter more.
    let mut curves: Vec<&Curve> = graph.curves.iter().collect();
    curves.sort_by_key(|curve| curve.entry != Entry::Value);
    for curve in curves {
        let value = match (curve.entry, curve.points.last()) {
            (Entry::None, _) => continue,
            (Entry::Value, Some(last)) => Some(text(short(last[1]), theme::TEXT)),
            _ => None,
        };
        let name = text(curve.name.clone(), theme::WEAK);
        let size = name.size();
        let room = LINE + 3.0 + size.x + value.as_ref().map_or(0.0, |_| 4.0 + VALUE);
        if curve.name.is_empty() || x + room > rect.right() {
            continue;
        }
        // One entry stands for the dashed curves of both sides.
        let shared = curve.entry == Entry::Name && curve.dashed;
        let colour = if shared { theme::WEAK } else { curve.colour };
        let stroke = Stroke::new(1.8, colour);
        match curve.dashed {
            true => {
                painter.hline(x..=x + 4.0, y, stroke);
                painter.hline(x + LINE - 4.0..=x + LINE, y, stroke);
            }
            false => {
                painter.hline(x..=x + LINE, y, stroke);
            }
        }
        let place = pos2(x + LINE + 3.0, y - 0.5 * size.y);
        painter.galley(place, name, theme::WEAK);
        if let Some(value) = value {
            let left = x + LINE + 7.0 + size.x;
            let place = pos2(left, y - 0.5 * value.size().y);
            painter.galley(place, value, theme::TEXT);
        }
        x += room + 8.0;
    }
}

/// A number in three digits.
fn short(value: f64) -> String {
    match value.abs() {
        v if v < 5e-4 => "0".into(),
        v if v < 0.1 => format!("{value:.3}"),
        v if v < 10.0 => format!("{value:.2}"),
        v if v < 100.0 => format!("{value:.1}"),
        v if v < 1e5 => format!("{value:.0}"),
        _ => format!("{value:.0e}"),
    }
}

/// An axis whose marks have this unit.
fn hints(hints: AxisHints<'static>, unit: &str) -> AxisHints<'static> {
    let unit = match unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    hints
        .tick_label_color(theme::WEAK)
        .formatter(move |mark: GridMark, range| {
            // In the corner the labels of both axes would meet.
            if !unit.is_empty() && mark.value <= *range.start() {
                return String::new();
            }
            format!("{}{unit}", number((mark.value * 1e9).round() / 1e9))
        })
}

/// Three to seven round marks: a plot here is low.
fn steps(input: GridInput) -> Vec<GridMark> {
    round_marks(&input, 3.6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_a_few_round_marks() {
        for (low, high) in [(0.0, 1.0), (-0.8, 0.44), (0.0, 743.0), (-10.0, 0.0)] {
            let marks = steps(GridInput {
                bounds: (low, high),
                base_step_size: 0.01,
            });
            assert!((3..=7).contains(&marks.len()), "{low} {high}: {marks:?}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 0.0123, 0.374, 28.64, 203.6, -0.5, 1e7].map(short);
        assert_eq!(all, ["0", "0.012", "0.37", "28.6", "204", "-0.50", "1e7"]);
    }

    #[test]
    fn the_potential_counts_from_its_floor_and_the_rest_does_not() {
        let reading = Reading {
            kinetic: 2.0,
            potential: -5.0,
            elastic: 1.0,
            ..Reading::default()
        };
        let of = |energy: Energy| energy.of(&reading, -6.0);
        assert_eq!(of(Energy::Kinetic), 2.0);
        assert_eq!(of(Energy::Potential), 1.0);
        assert_eq!(of(Energy::Elastic), 1.0);
        assert_eq!(of(Energy::Total), 4.0);
    }
}
