//! What happened along a plot, the values of its curves at the cursor, and all of them as a
//! table.

use super::graph::{Curve, Graph};
use crate::{
    lab::validate::number,
    ui::{command::Command, theme},
};
use egui::{Align2, FontId, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use egui_plot::{PlotPoint, PlotResponse};

/// Height of a line. `[points]`
const LINE: f32 = 14.0;

/// Draws a line at the sample nearest to the cursor, with the values of all curves there; a
/// right click copies or saves the curves.
pub(super) fn show(ui: &Ui, shown: &PlotResponse<()>, graph: &Graph, commands: &mut Vec<Command>) {
    let menu = |ui: &mut Ui| {
        if ui.button("Copy as CSV").clicked() {
            ui.ctx().copy_text(csv(graph));
            ui.close();
        }
        let help = "Into the folder of recordings, numbered";
        if ui.button("Save as CSV").on_hover_text(help).clicked() {
            commands.push(Command::SaveTable("plot", csv(graph)));
            ui.close();
        }
    };
    shown.response.context_menu(menu);
    let Some(cursor) = shown.response.hover_pos() else {
        return;
    };
    let wanted = shown.transform.value_from_position(cursor).x;
    let Some(x) = nearest_abscissa(&graph.curves, wanted) else {
        return;
    };
    let found = values(&graph.curves, x);
    let plot = *shown.transform.frame();
    let painter = ui.painter().with_clip_rect(plot);
    let place = |y: f64| shown.transform.position_from_point(&PlotPoint::new(x, y));
    let line = place(0.0).x;
    painter.vline(line, plot.y_range(), Stroke::new(1.0, theme::WEAK));
    for (curve, y) in &found {
        painter.circle_filled(place(*y), 3.0, curve.colour);
    }
    let font = FontId::proportional(11.5);
    let head = format!("{} {}", number(graph.origin + x), graph.across);
    let lines: Vec<_> = std::iter::once((head, theme::WEAK))
        .chain(found.iter().map(|(curve, y)| {
            let name = curve.full_name(graph);
            (
                format!("{name}  {} {}", number(*y), graph.unit),
                curve.colour,
            )
        }))
        .map(|(text, colour)| painter.layout_no_wrap(text, font.clone(), colour))
        .collect();
    let wide = lines.iter().map(|line| line.size().x).fold(0.0, f32::max);
    let size = vec2(wide + 12.0, LINE * lines.len() as f32 + 6.0);
    // On the side where there is more room.
    let left = match line < plot.center().x {
        true => line + 8.0,
        false => line - 8.0 - size.x,
    };
    let ground = Rect::from_min_size(pos2(left, plot.top() + 4.0), size);
    painter.rect_filled(ground, 4, theme::SUNKEN.gamma_multiply(0.92));
    let edge = Stroke::new(1.0, theme::FIELD);
    painter.rect_stroke(ground, 4, edge, StrokeKind::Inside);
    for (index, words) in lines.into_iter().enumerate() {
        let middle = ground.top() + 3.0 + LINE * (index as f32 + 0.5);
        let corner =
            Align2::LEFT_CENTER.anchor_size(pos2(ground.left() + 6.0, middle), words.size());
        painter.galley(corner.min, words, theme::TEXT);
    }
}

/// Draws what happened where, under what the cursor reads.
pub(super) fn marks(ui: &Ui, shown: &PlotResponse<()>, graph: &Graph) {
    let plot = *shown.transform.frame();
    let painter = ui.painter().with_clip_rect(plot);
    for mark in &graph.marks {
        // What happened to the other side has a line of its own.
        let lower = if mark.colour == graph.marks[0].colour {
            0.0
        } else {
            LINE
        };
        let x = shown
            .transform
            .position_from_point(&PlotPoint::new(mark.x, 0.0))
            .x;
        let stroke = Stroke::new(1.0, mark.colour.gamma_multiply(0.7));
        let line = [pos2(x, plot.top()), pos2(x, plot.bottom())];
        painter.extend(Shape::dashed_line(&line, stroke, 2.0, 3.0));
        let font = FontId::proportional(10.5);
        let words = painter.layout_no_wrap(mark.words.clone(), font, mark.colour);
        // To its right, or where there is no room to its left.
        let left = match x + 4.0 + words.size().x <= plot.right() {
            true => x + 4.0,
            false => x - 4.0 - words.size().x,
        };
        painter.galley(pos2(left, plot.top() + 1.0 + lower), words, mark.colour);
    }
}

/// The abscissa of the sample nearest to `wanted`.
fn nearest_abscissa(curves: &[Curve], wanted: f64) -> Option<f64> {
    let all = curves.iter().flat_map(|curve| &curve.points);
    all.map(|point| point[0])
        .min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()))
}

/// The curves that have a value at that abscissa, with it.
fn values(curves: &[Curve], x: f64) -> Vec<(&Curve, f64)> {
    let value = |curve: &Curve| {
        curve
            .points
            .iter()
            .find(|point| point[0] == x)
            .map(|p| p[1])
    };
    let found = curves
        .iter()
        .filter_map(|curve| Some((curve, value(curve)?)));
    found.collect()
}

/// All curves as comma-separated values: a line for each abscissa, a column for each curve.
pub(super) fn csv(graph: &Graph) -> String {
    let title = |name: &str, unit: &str| format!("{name} [{unit}]").replace(',', ";");
    let mut heads = vec![title(graph.abscissa, graph.across)];
    let names = graph.curves.iter().map(|curve| curve.table_name(graph));
    heads.extend(names.map(|name| title(&name, graph.unit)));
    let mut places: Vec<f64> = (graph.curves.iter())
        .flat_map(|curve| curve.points.iter().map(|point| point[0]))
        .collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut text = heads.join(",") + "\n";
    let mut next = vec![0; graph.curves.len()];
    for x in places {
        let mut cells = vec![format!("{:.6}", graph.origin + x)];
        for (curve, next) in graph.curves.iter().zip(&mut next) {
            let point = curve.points.get(*next).filter(|point| point[0] == x);
            *next += usize::from(point.is_some());
            cells.push(point.map_or_else(String::new, |point| format!("{:.9e}", point[1])));
        }
        text += &(cells.join(",") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::plots::graph::LegendEntry;
    use egui::Color32;

    fn graph() -> Graph<'static> {
        let curve = |name: &str, points: &[[f64; 2]]| Curve {
            name: name.into(),
            full: format!("{name} largest"),
            owner: (name == "A").then(|| "Kirchhoff rod".into()),
            entry: LegendEntry::Value,
            colour: Color32::WHITE,
            dashed: false,
            points: points.to_vec(),
        };
        Graph {
            title: "Distance",
            unit: "mm",
            across: "s",
            abscissa: "time",
            origin: 12.5,
            range: [-10.0, 0.0],
            least: 1.0,
            help: String::new(),
            marks: Vec::new(),
            curves: vec![
                curve("A", &[[-1.0, 2.0], [-0.5, 3.0], [0.0, 4.0]]),
                curve("B", &[[-0.5, 7.0], [0.0, 8.0]]),
            ],
        }
    }

    #[test]
    fn the_sample_nearest_to_the_cursor_is_read_on_each_curve() {
        let graph = graph();
        let x = nearest_abscissa(&graph.curves, -0.7).expect("samples");
        let found: Vec<f64> = values(&graph.curves, x).iter().map(|(_, y)| *y).collect();
        assert_eq!((x, found), (-0.5, vec![3.0, 7.0]));
        assert_eq!(values(&graph.curves, -1.0).len(), 1);
        assert_eq!(nearest_abscissa(&[], 0.0), None);
    }

    #[test]
    fn the_table_has_a_column_for_each_curve_and_the_time_of_the_simulation() {
        let text = csv(&graph());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "time [s],A largest (Kirchhoff rod) [mm],B largest [mm]"
        );
        assert_eq!(lines[1], "11.500000,2.000000000e0,");
        assert_eq!(lines[3], "12.500000,4.000000000e0,8.000000000e0");
        assert_eq!(lines.len(), 4);
    }
}
