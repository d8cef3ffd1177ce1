//! Curves of the whole head of hair over the last seconds: how far two sides
//! are apart, how much they stretch, how much energy they have.

mod energy;
mod graph;
mod readout;

pub use energy::choices;
use energy::{EnergySide, chosen, energy};
pub use graph::{Curve, Graph, GraphMark, LegendEntry};
use graph::{entry, named, over_time, points, reading, told_of};

use super::{
    bar, caption,
    command::Command,
    round_marks::{fixed_plot, round_marks},
    side_names::side_names,
    theme,
};
use crate::{
    lab::validate::number,
    param::Value,
    project::{scene::Scene, sides::Side},
    session::stats_history::{Sample, StatsHistory},
    sim::solver::method,
};
use egui::{Align, FontId, Layout, Rangef, Sense, Stroke, Ui, pos2, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, Line, LineStyle, PlotPoints};

/// What a plot's tooltip says of its menu.
const COPIES: &str = "A right click on the curves copies or saves them as CSV. Curves have a point \
                      every few steps; lovelock simulate --stats has a row for each.";

/// Draws the plots of what was measured of that scene's hair beside one another.
pub fn show(ui: &mut Ui, history: &StatsHistory, scene: &Scene, commands: &mut Vec<Command>) {
    let samples = history.samples();
    let Some(last) = samples.back() else {
        bar::note(ui, ui.available_rect_before_wrap(), "Nothing has moved yet");
        return;
    };
    let samples: Vec<Sample> = samples.iter().copied().collect();
    let compares = scene.compare.on && last.second.is_some();
    let mut graphs = Vec::new();
    if compares {
        graphs.push(distance(&samples, last.time));
    }
    let sides = &Side::BOTH[..1 + usize::from(compares)];
    let owners = owners(&samples, scene, sides);
    graphs.push(stretch(&samples, last.time, &owners, scene));
    let of_sides: Vec<EnergySide> = (sides.iter().zip(owners))
        .map(|(side, owner)| EnergySide::of(scene, *side, owner))
        .collect();
    graphs.push(energy(&samples, last.time, &of_sides, chosen(ui)));
    let marks = method_changes(&samples, last.time, compares);
    for graph in &mut graphs {
        graph.marks.clone_from(&marks);
    }
    let gap = 14.0;
    let count = graphs.len() as f32;
    let width = (ui.available_width() - gap * (count - 1.0)) / count;
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for (index, graph) in graphs.iter().enumerate() {
            let size = vec2(width, height);
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                draw(ui, ("over time", index), graph, size, commands);
            });
        }
    });
}

/// What has moved the hair of each of these sides while the samples were taken: a table
/// pasted elsewhere must tell.
fn owners(samples: &[Sample], scene: &Scene, sides: &[Side]) -> Vec<String> {
    let now = match sides {
        [side] => [
            method(scene.solver(*side))
                .map_or("?", |method| method.name)
                .into(),
            String::new(),
        ],
        _ => side_names(scene),
    };
    let owner = |side: &Side| {
        let all = samples.iter().filter_map(|s| reading(s, side.index()));
        let mut methods: Vec<&str> = all.map(|reading| reading.method).collect();
        methods.dedup();
        match methods[..] {
            [] | [_] => now[side.index()].clone(),
            _ => methods.join(", then "),
        }
    };
    sides.iter().map(owner).collect()
}

/// Where another method took over: energies that only one of them knows jump there.
fn method_changes(samples: &[Sample], now: f64, compares: bool) -> Vec<GraphMark> {
    let mut marks = Vec::new();
    for side in 0..1 + usize::from(compares) {
        for pair in samples.windows(2) {
            let both = [reading(&pair[0], side), reading(&pair[1], side)];
            let [Some(before), Some(after)] = both else {
                continue;
            };
            if before.method != after.method {
                marks.push(GraphMark {
                    x: pair[1].time - now,
                    words: after.method.into(),
                    colour: match compares {
                        true => caption::colour(side),
                        false => theme::WEAK,
                    },
                });
            }
        }
    }
    marks
}

fn distance(samples: &[Sample], now: f64) -> Graph<'static> {
    let curve = |name: &str, which: usize, colour, dashed| Curve {
        name: name.into(),
        full: format!("{name} distance"),
        owner: None,
        entry: LegendEntry::Value,
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
    let help = "How far a vertex is on one side from where it is on the other: the farthest of \
                all, and on average (dashed).";
    over_time(("Distance", help), "mm", 0.01, now, curves)
}

fn stretch(samples: &[Sample], now: f64, owners: &[String], scene: &Scene) -> Graph<'static> {
    let compares = owners.len() > 1;
    let mut curves = Vec::new();
    for (side, owner) in owners.iter().enumerate() {
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
                full: told_of(name, side, compares),
                owner: Some(owner.clone()),
                entry: entry(side, dashed, compares),
                colour: caption::colour(side),
                dashed,
                points: points(samples, now, value),
            });
        }
    }
    let mut help = String::from(
        "How much longer or shorter than at rest an edge is: the most of all edges, and on \
         average (dashed).",
    );
    let sides = &Side::BOTH[..owners.len()];
    for side in sides {
        if let Some(words) = limit_words(scene, *side) {
            let letter = match sides.len() {
                1 => String::new(),
                _ => format!("{}: ", side.letter()),
            };
            help += &format!("\n{letter}{words}");
        }
    }
    over_time(("Length change", &help), "%", 0.01, now, curves)
}

/// Where the method of that side has a stretch limit: a curve that lies on it is no frozen
/// number.
fn limit_words(scene: &Scene, side: Side) -> Option<String> {
    let params = scene.params_of(side);
    let method = method(scene.solver(side))?;
    let default = (method.params)();
    let section = params.methods.named(method.id).unwrap_or(&*default);
    let tunables = section.tunables();
    let index = tunables.iter().position(|t| t.key == "stretch_limit")?;
    match section.get(index) {
        Value::Float(limit) => Some(format!(
            "{} draws edges back that are off by more than {} % ({}): the curve lies there \
             while any is.",
            method.name,
            number(100.0 * limit),
            tunables[index].label
        )),
        _ => None,
    }
}

/// Draws a plot with its legend above it.
pub fn draw(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    graph: &Graph,
    size: egui::Vec2,
    commands: &mut Vec<Command>,
) {
    legend(ui, graph, size.x);
    let values = graph
        .curves
        .iter()
        .flat_map(|c| c.points.iter().map(|p| p[1]));
    let (low, high) = values.fold((0.0f64, graph.least), |(l, h), v| (l.min(v), h.max(v)));
    let room = 0.06 * (high - low);
    let low = if low < 0.0 { low - room } else { 0.0 };
    let shown = fixed_plot(id)
        .show_crosshair(false)
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
        // The values of all curves stand at the cursor instead.
        .label_formatter(|_| None)
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
    readout::marks(ui, &shown, graph);
    readout::show(ui, &shown, graph, commands);
}

/// Title and unit, and each curve with its newest value; what has no room is
/// left out.
fn legend(ui: &mut Ui, graph: &Graph, width: f32) {
    /// Room for a value, so that nothing jumps when its digits change.
    const VALUE: f32 = 30.0;
    /// Length of a line that shows a curve's colour.
    const LINE: f32 = 11.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    let gap = if graph.help.is_empty() { "" } else { "\n" };
    response.on_hover_text(format!("{}{gap}{COPIES}", graph.help));
    let painter = ui.painter();
    let text =
        |text: String, colour| painter.layout_no_wrap(text, FontId::proportional(11.5), colour);
    let y = rect.center().y;
    let title = text(format!("{} [{}]", graph.title, graph.unit), theme::TEXT);
    let mut x = rect.left() + 4.0;
    let step = title.size().x;
    painter.galley(pos2(x, y - 0.5 * title.size().y), title, theme::TEXT);
    x += step + 8.0;
    // Where room is short, the values matter more.
    let mut curves: Vec<&Curve> = graph.curves.iter().collect();
    curves.sort_by_key(|curve| curve.entry != LegendEntry::Value);
    for curve in curves {
        let value = match (curve.entry, curve.points.last()) {
            (LegendEntry::None, _) => continue,
            (LegendEntry::Value, Some(last)) => Some(text(short(last[1]), theme::TEXT)),
            (LegendEntry::Value, None) => Some(text("n/a".into(), theme::WEAK)),
            _ => None,
        };
        let name = text(curve.name.clone(), theme::WEAK);
        let size = name.size();
        let room = LINE + 3.0 + size.x + value.as_ref().map_or(0.0, |_| 4.0 + VALUE);
        if curve.name.is_empty() || x + room > rect.right() {
            continue;
        }
        // One entry stands for the dashed curves of both sides.
        let shared = curve.entry == LegendEntry::Name && curve.dashed;
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
        x += room + 6.0;
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
    use crate::session::stats_history::Reading;

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
    fn a_change_of_method_is_marked_and_tables_name_both() {
        let at = |time: f64, method: &'static str| Sample {
            time,
            first: Reading {
                method,
                ..Reading::default()
            },
            ..Sample::default()
        };
        let samples = [at(1.0, "Springs"), at(1.5, "Springs"), at(2.0, "Rods")];
        let marks = method_changes(&samples, 2.5, false);
        assert_eq!((marks.len(), marks[0].x), (1, -0.5));
        assert_eq!(marks[0].words, "Rods");
        let mut scene = Scene::default();
        scene.sim.step.solver = "rod".into();
        let owners = |samples| owners(samples, &scene, &Side::BOTH[..1]);
        assert_eq!(owners(&samples[..]), ["Springs, then Rods"]);
        assert_eq!(owners(&samples[2..]), ["Kirchhoff rod"]);
        assert!(method_changes(&samples[..2], 2.5, false).is_empty());
    }

    #[test]
    fn a_limit_that_curves_lie_on_is_told_where_there_is_one() {
        let mut scene = Scene::default();
        let words = limit_words(&scene, Side::A).expect("a limit");
        assert!(words.contains("more than 0.8 % (Stretch limit)"), "{words}");
        scene.sim.step.solver = "rod".into();
        assert_eq!(limit_words(&scene, Side::A), None);
    }

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 0.0123, 0.374, 28.64, 203.6, -0.5, 1e7].map(short);
        assert_eq!(all, ["0", "0.012", "0.37", "28.6", "204", "-0.50", "1e7"]);
    }
}
