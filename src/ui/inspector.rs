//! One strand, vertex by vertex: where it is in the picture, a plot along it,
//! a table of its vertices.

use super::{
    bar, caption,
    command::Command,
    numbers::grouped,
    plots::{self, Curve, Graph, LegendEntry},
    strand::{Column, StrandView, segments, view},
    theme,
    view_projection::ViewProjection,
};
use crate::{
    groom::drawn,
    project::{scene::Scene, sides::Side},
    session::Session,
    sim::solver::method,
};
use egui::{
    Align2, Color32, ComboBox, FontId, Id, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};
use glam::Vec3;

/// The strand's colour in the picture: one that no hair has.
const MARK: Color32 = Color32::from_rgb(126, 236, 255);

/// Lines for each segment of the strand in the picture.
const LINES: usize = 4;

/// Height of a row of the table. `[points]`
const ROW: f32 = 17.0;

fn hovered_vertex() -> Id {
    Id::unique("inspector: vertex")
}

fn quantity() -> Id {
    Id::unique("inspector: quantity")
}

/// Draws that strand over the hair, on every side; with `opened` the vertex under
/// the cursor in the table, too.
pub fn mark(ui: &Ui, eyes: &[ViewProjection], session: &Session, strand: usize, opened: bool) {
    let vertex = ui.data(|data| data.get_temp::<usize>(hovered_vertex()));
    let vertex = vertex.filter(|_| opened);
    for (side, eye) in Side::BOTH.into_iter().zip(eyes) {
        let Some(points) = session.strand(side, strand) else {
            continue;
        };
        let mut line = Vec::with_capacity(points.len() * LINES);
        line.extend(points.first().and_then(|p| eye.see(*p)));
        for i in 1..points.len() {
            let along = (1..=LINES).map(|l| l as f32 / LINES as f32);
            line.extend(along.filter_map(|u| eye.see(drawn::between(points, i, u))));
        }
        let painter = ui.painter().with_clip_rect(eye.rect);
        let root = line.first().copied();
        let dark = Color32::from_black_alpha(150);
        painter.add(Shape::line(line.clone(), Stroke::new(4.5, dark)));
        painter.add(Shape::line(line, Stroke::new(2.0, MARK)));
        if let Some(root) = root {
            painter.circle(root, 4.0, MARK, Stroke::new(1.5, dark));
        }
        if let Some(at) = vertex.and_then(|v| points.get(v)).and_then(|p| eye.see(*p)) {
            painter.circle(at, 6.0, theme::ACCENT, Stroke::new(2.0, Color32::WHITE));
        }
    }
}

/// What the page shows.
#[derive(Clone, Copy)]
pub struct Inspected<'a> {
    /// The methods of the sides, and how hair collides.
    pub scene: &'a Scene,
    /// The hair.
    pub session: &'a Session,
    /// The strand, and the side of the table; none before one was picked.
    pub picked: Option<(Side, usize)>,
}

impl Inspected<'_> {
    /// The strand that is looked at, with its side; none while it is not there.
    fn strand(&self) -> Option<(Side, usize, StrandView)> {
        let (picked, strand) = self.picked?;
        // Side B may be gone since, and the strand is marked on the one that is left.
        let side = match self.scene.compare.on {
            true => picked,
            false => Side::A,
        };
        Some((side, strand, self.view(side, strand)?))
    }

    fn view(&self, side: Side, strand: usize) -> Option<StrandView> {
        view(self.session, &self.scene.sim.collision, side, strand)
    }
}

/// What can be chosen, from right to left.
pub fn choices(ui: &mut Ui, shown: Inspected, commands: &mut Vec<Command>) {
    let Some((side, strand, view)) = shown.strand() else {
        return;
    };
    let now = chosen(ui, &view);
    ComboBox::from_id_salt("inspector: plot")
        .width(170.0)
        .selected_text(RichText::new(view.columns[now].title()).size(12.0))
        .show_ui(ui, |ui| {
            for (index, column) in view.columns.iter().enumerate() {
                let text = format!("{} [{}]", column.title(), column.unit);
                if ui.selectable_label(index == now, text).clicked() {
                    ui.data_mut(|data| data.insert_temp(quantity(), column.title()));
                }
            }
        });
    ui.label(RichText::new("Plot").size(12.0).color(theme::WEAK));
    ui.add_space(10.0);
    let copy = ui.small_button("Copy table");
    let copy = copy.on_hover_text("All vertices and columns, as a spreadsheet takes them");
    if copy.clicked() {
        ui.ctx().copy_text(view.table());
    }
    if shown.scene.compare.on {
        ui.add_space(10.0);
        for other in Side::BOTH.into_iter().rev() {
            let (rect, response) = ui.allocate_exact_size(vec2(22.0, 20.0), Sense::click());
            let letter = other.letter();
            caption::chip(ui.painter(), rect.center(), 15.0, other.index(), letter);
            if other == side {
                let line = Stroke::new(2.0, caption::colour(other.index()));
                ui.painter()
                    .hline(rect.x_range(), rect.bottom() + 1.0, line);
            }
            if response
                .on_hover_text(format!("The table is that of {letter}"))
                .clicked()
            {
                commands.push(Command::PickStrand(Some((other, strand))));
            }
        }
        ui.label(RichText::new("Table").size(12.0).color(theme::WEAK));
    }
}

/// The column that the plot shows; another method may not have it.
fn chosen(ui: &Ui, view: &StrandView) -> usize {
    let name: Option<String> = ui.data(|data| data.get_temp(quantity()));
    let found = |name| {
        view.columns
            .iter()
            .position(|column| column.title() == name)
    };
    name.and_then(found).unwrap_or(0)
}

/// Draws the page.
pub fn show(ui: &mut Ui, shown: Inspected, commands: &mut Vec<Command>) {
    let Some((side, strand, view)) = shown.strand() else {
        let text = "Click a strand in the picture";
        bar::note(ui, ui.available_rect_before_wrap(), text);
        return;
    };
    let whole = ui.available_rect_before_wrap();
    let part = |from: f32, to: f32| {
        let x = |part: f32| whole.left() + part;
        Rect::from_min_max(pos2(x(from), whole.top()), pos2(x(to), whole.bottom()))
    };
    let facts_end = 172.0;
    let plot_end = facts_end + (0.42 * (whole.width() - facts_end)).clamp(150.0, 420.0);
    let mut sub = |rect: Rect| {
        ui.new_child(
            egui::UiBuilder::new()
                .max_rect(rect)
                .layout(egui::Layout::top_down(egui::Align::Min))
                .id_salt(rect.left() as i32),
        )
    };
    facts(&mut sub(part(0.0, facts_end - 12.0)), shown, side, strand);
    let rect = part(facts_end, plot_end);
    along(&mut sub(rect), shown, (side, strand), &view, rect, commands);
    table(&mut sub(part(plot_end + 14.0, whole.width())), &view);
    ui.allocate_rect(whole, Sense::hover());
}

/// What does not change from vertex to vertex.
fn facts(ui: &mut Ui, shown: Inspected, side: Side, strand: usize) {
    let Some(built) = shown.session.built() else {
        return;
    };
    let rest = built.groom.strand(strand);
    let length: f32 = rest.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let root = rest.first().copied().unwrap_or(Vec3::ZERO) * 100.0;
    ui.spacing_mut().item_spacing.y = 2.0;
    let last = grouped(built.groom.strands().saturating_sub(1));
    let pointed = ui.data(|data| data.get_temp::<usize>(hovered_vertex()));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.label(RichText::new(format!("Strand {}", grouped(strand))).strong());
        ui.label(
            RichText::new(format!("of 0 to {last}"))
                .size(11.5)
                .color(theme::WEAK),
        )
        .on_hover_text("In the groom's order, counted from 0");
    });
    let mut fact = |name: &str, value: String, help: &str| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let name = ui.label(RichText::new(name).size(11.5).color(theme::WEAK));
            let value = ui.label(RichText::new(value).size(11.5));
            name.union(value).on_hover_text(help);
        });
    };
    fact(
        "Uncurled",
        format!("{:.1} cm", 100.0 * length),
        "Its length at rest along all of its curls; the length in the panel is that of the \
         path that they wind about",
    );
    fact("Vertices", rest.len().to_string(), "Root and tip included");
    fact(
        "Root",
        format!("{:.1}, {:.1}, {:.1} cm", root.x, root.y, root.z),
        "Where it is rooted on the head at rest: to the head's left, upwards, forwards",
    );
    if let Some(now) = shown.session.strand(side, strand) {
        let vertex = pointed.filter(|vertex| *vertex < now.len());
        let place = |p: Vec3| {
            let p = 100.0 * p;
            format!("{:.2}, {:.2}, {:.2} cm", p.x, p.y, p.z)
        };
        let tip = now.last().copied().unwrap_or(Vec3::ZERO);
        const HELP: &str = "Where it is now in the world: to the left of a head at rest, upwards, \
                            forwards";
        fact("Tip", place(tip), HELP);
        match vertex {
            Some(vertex) => fact(&format!("{vertex}"), place(now[vertex]), HELP),
            None => fact("Vertex", "point at its line".into(), HELP),
        }
    }
    let name = method(shown.scene.solver(side)).map_or("?", |method| method.name);
    let name = match shown.scene.compare.on {
        true => format!("{}: {name}", side.letter()),
        false => name.into(),
    };
    ui.add(egui::Label::new(RichText::new(name).size(11.5).color(theme::WEAK)).truncate());
    ui.label(
        RichText::new("Esc lets go of it")
            .size(11.5)
            .color(theme::WEAK),
    );
}

/// The plot along the strand, of both sides where there are two.
fn along(
    ui: &mut Ui,
    shown: Inspected,
    (side, strand): (Side, usize),
    view: &StrandView,
    rect: Rect,
    commands: &mut Vec<Command>,
) {
    let Some(built) = shown.session.built() else {
        return;
    };
    let column = &view.columns[chosen(ui, view)];
    let mut place = 0.0;
    let places: Vec<f64> = segments(built.groom.strand(strand))
        .into_iter()
        .map(|length| {
            place += if length.is_finite() {
                f64::from(length)
            } else {
                0.0
            };
            100.0 * place
        })
        .collect();
    let curve = |values: &[f32], side: Side, name: String| Curve {
        name,
        full: String::new(),
        owner: None,
        entry: LegendEntry::Name,
        colour: match shown.scene.compare.on {
            true => caption::colour(side.index()),
            false => MARK,
        },
        dashed: false,
        points: places
            .iter()
            .zip(values)
            .filter(|(_, v)| v.is_finite())
            .map(|(x, v)| [*x, f64::from(*v)])
            .collect(),
    };
    let mut curves = Vec::new();
    if shown.scene.compare.on {
        for other in Side::BOTH {
            let theirs = shown.view(other, strand);
            let same = |c: &&Column| c.is_like(column);
            if let Some(found) = theirs.as_ref().and_then(|v| v.columns.iter().find(same)) {
                curves.push(curve(&found.values, other, other.letter().into()));
            }
        }
    } else {
        curves.push(curve(&column.values, side, String::new()));
    }
    let title = column.title();
    let graph = Graph {
        title: &title,
        unit: column.unit,
        across: "cm",
        abscissa: "along the strand",
        origin: 0.0,
        help: String::new(),
        marks: Vec::new(),
        range: [0.0, places.last().copied().unwrap_or(1.0)],
        least: match column.unit {
            "%" => 0.001,
            "°" => 1.0,
            "mm" => 0.001,
            _ => 0.01,
        },
        curves,
    };
    plots::draw(ui, "along the strand", &graph, rect.size(), commands);
}

/// One line a vertex.
fn table(ui: &mut Ui, view: &StrandView) {
    let font = FontId::proportional(11.5);
    let first = 30.0;
    let widths: Vec<f32> = view
        .columns
        .iter()
        .map(|column| {
            let words = column.name.to_string();
            let words = ui
                .painter()
                .layout_no_wrap(words, font.clone(), theme::WEAK);
            (words.size().x + 14.0).max(54.0)
        })
        .collect();
    let width = first + widths.iter().sum::<f32>() + 12.0;
    let count = view.touch.len();
    let mut hovered = None;
    ScrollArea::horizontal()
        .id_salt("columns")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let (head, _) = ui.allocate_exact_size(vec2(width, 43.0), Sense::hover());
            let mut right = head.left() + first;
            let mut group: Option<Rect> = None;
            for (column, width) in view.columns.iter().zip(&widths) {
                let left = right;
                right += width;
                if column.correction && group.is_none() {
                    let place = pos2(left + 8.0, head.top() + 7.0);
                    let text = "Moved in the last substep by";
                    let font = FontId::proportional(10.5);
                    group = Some(ui.painter().text(
                        place,
                        Align2::LEFT_CENTER,
                        text,
                        font,
                        theme::WEAK,
                    ));
                    let line = Stroke::new(1.0, theme::FIELD);
                    let end = head.top() + 3.0..=head.bottom();
                    ui.painter().vline(left + 2.0, end, line);
                }
                for (text, y) in [(column.name, 21.0), (column.unit, 34.0)] {
                    let place = pos2(right - 8.0, head.top() + y);
                    ui.painter()
                        .text(place, Align2::RIGHT_CENTER, text, font.clone(), theme::WEAK);
                }
                let cell = Rect::from_x_y_ranges(left..=right, head.y_range());
                ui.interact(
                    cell,
                    ui.scope_id().with(("head", column.name)),
                    Sense::hover(),
                )
                .on_hover_text(column.help);
            }
            if group.is_none() {
                for (text, y) in [("what moved it:", 21.0), ("with the next step", 34.0)] {
                    let place = pos2(right + 4.0, head.top() + y);
                    ui.painter()
                        .text(place, Align2::LEFT_CENTER, text, font.clone(), theme::WEAK);
                }
            }
            let line = Stroke::new(1.0, theme::FIELD);
            ui.painter().hline(head.x_range(), head.bottom(), line);
            ScrollArea::vertical()
                .id_salt("vertices")
                .auto_shrink([false, false])
                .show_rows(ui, ROW, count, |ui, rows| {
                    for vertex in rows {
                        let (rect, response) =
                            ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
                        let mut ground = theme::GROUND;
                        if response.hovered() {
                            hovered = Some(vertex);
                            ground = theme::RAISED;
                            ui.painter().rect_filled(rect, 0, ground);
                        }
                        row(ui, view, vertex, rect, first, &widths, &font);
                        number_cell(ui, vertex, rect, first, ground, &font);
                    }
                });
        });
    ui.data_mut(|data| match hovered {
        Some(vertex) => {
            data.insert_temp(hovered_vertex(), vertex);
        }
        None => data.remove::<usize>(hovered_vertex()),
    });
}

/// The number of a row's vertex, which stays in sight however far the table is scrolled to
/// the side.
fn number_cell(ui: &Ui, vertex: usize, row: Rect, wide: f32, ground: Color32, font: &FontId) {
    let painter = ui.painter();
    let left = row.left().max(painter.clip_rect().left());
    let cell = Rect::from_x_y_ranges(left..=left + wide, row.y_range());
    painter.rect_filled(cell, 0, ground);
    let place = pos2(cell.right() - 8.0, cell.center().y);
    painter.text(
        place,
        Align2::RIGHT_CENTER,
        vertex,
        font.clone(),
        theme::WEAK,
    );
}

fn row(
    ui: &Ui,
    view: &StrandView,
    vertex: usize,
    rect: Rect,
    first: f32,
    widths: &[f32],
    font: &FontId,
) {
    let y = rect.center().y;
    let painter = ui.painter();
    let mut right = rect.left() + first;
    for (column, width) in view.columns.iter().zip(widths) {
        right += width;
        let value = column.values[vertex];
        let text = match value {
            v if !v.is_finite() => "–".into(),
            // No "-0.00".
            v if v.abs() < 0.5 * 0.1f32.powi(column.digits as i32) => {
                format!("{:.*}", column.digits, 0.0)
            }
            v => format!("{v:.*}", column.digits),
        };
        let nothing = !value.is_finite() || value == 0.0;
        let colour = if nothing { theme::WEAK } else { theme::TEXT };
        let place = pos2(right - 8.0, y);
        painter.text(place, Align2::RIGHT_CENTER, text, font.clone(), colour);
        if column.name == "To skin" && view.touch[vertex] {
            painter.circle_filled(pos2(right - width + 5.0, y), 3.0, theme::ACCENT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::app_state::AppState;
    use std::time::{Duration, Instant};

    #[test]
    fn a_strand_that_was_picked_on_a_side_that_is_gone_is_shown_on_the_other() {
        let mut program = AppState::small();
        program.perform(Command::Compare);
        program.perform(Command::Compare);
        let begun = Instant::now();
        while program.session.positions(Side::A).is_none() {
            program.poll();
            program.session.latest();
            assert!(begun.elapsed().as_secs() < 60, "waited in vain for hair");
            std::thread::sleep(Duration::from_millis(5));
        }
        let shown = Inspected {
            scene: program.document.scene(),
            session: &program.session,
            picked: Some((Side::B, 3)),
        };
        let found = shown.strand().map(|(side, strand, _)| (side, strand));
        assert_eq!(found, Some((Side::A, 3)));
    }
}
