//! One strand in numbers, vertex by vertex: what the inspector shows.

use crate::{
    project::sides::Side,
    session::Session,
    sim::{CollisionMode, CollisionParams},
};
use glam::Vec3;

/// Nearer than this to where contact holds it, a vertex touches. `[m]`
const TOUCH: f32 = 1.5e-4;

/// A quantity that each vertex has.
pub struct Column {
    /// Its name in the table.
    pub name: &'static str,
    /// Whether it is what a part of the method did in the last substep.
    pub correction: bool,
    /// Its unit.
    pub unit: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Not a number where the vertex has none.
    pub values: Vec<f32>,
    /// Digits behind the point.
    pub digits: usize,
}

impl Column {
    /// Its name where no heading stands over it.
    pub fn title(&self) -> String {
        match self.correction {
            true => format!("Moved by {}", self.name.to_lowercase()),
            false => self.name.into(),
        }
    }

    /// Whether it tells the same as a column of another side.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.name, self.correction) == (other.name, other.correction)
    }
}

/// The strand on one side.
pub struct StrandView {
    /// What is known of its vertices.
    pub columns: Vec<Column>,
    /// Which vertices touch the skin.
    pub touch: Vec<bool>,
}

impl StrandView {
    /// All columns as a table: a line for each vertex, separated by tabs, as spreadsheets take
    /// them from the clipboard. Cells without a value are empty.
    pub fn table(&self) -> String {
        let title = |column: &Column| format!("{} [{}]", column.title(), column.unit);
        let mut heads = vec!["Vertex".to_string()];
        heads.extend(self.columns.iter().map(title));
        let mut text = heads.join("\t") + "\n";
        for vertex in 0..self.touch.len() {
            let value = |column: &Column| match column.values[vertex] {
                value if value.is_finite() => format!("{value}"),
                _ => String::new(),
            };
            let mut cells = vec![vertex.to_string()];
            cells.extend(self.columns.iter().map(value));
            text += &(cells.join("\t") + "\n");
        }
        text
    }
}

/// The angle by which a curve turns at each vertex. `[°]`
fn turns(points: &[Vec3]) -> Vec<f32> {
    let mut turns = vec![f32::NAN; points.len()];
    for i in 1..points.len().saturating_sub(1) {
        let (a, b) = (points[i] - points[i - 1], points[i + 1] - points[i]);
        // Of a vanishing angle the cosine knows little.
        turns[i] = a.cross(b).length().atan2(a.dot(b)).to_degrees();
    }
    turns
}

/// Lengths of the segments before each vertex. `[m]`
pub fn segments(points: &[Vec3]) -> Vec<f32> {
    let mut lengths = vec![f32::NAN; points.len()];
    for i in 1..points.len() {
        lengths[i] = points[i].distance(points[i - 1]);
    }
    lengths
}

/// All that is known of a strand on a side, that collides like that.
pub fn view(
    session: &Session,
    collision: &CollisionParams,
    side: Side,
    strand: usize,
) -> Option<StrandView> {
    let now = session.strand(side, strand)?;
    let rest = session.built()?.groom.strand(strand);
    let minus = |now: Vec<f32>, rest: Vec<f32>, of: fn(f32, f32) -> f32| -> Vec<f32> {
        now.into_iter().zip(rest).map(|(n, r)| of(n, r)).collect()
    };
    let mut columns = vec![
        Column {
            name: "Length error",
            correction: false,
            unit: "%",
            help: "How much longer the segment before the vertex is than at rest",
            values: minus(segments(now), segments(rest), |n, r| 100.0 * (n / r - 1.0)),
            digits: 3,
        },
        Column {
            name: "Bend",
            correction: false,
            unit: "°",
            help: "How much more the strand turns at the vertex than at rest",
            values: minus(turns(now), turns(rest), |n, r| n - r),
            digits: 2,
        },
    ];
    let mut touch = vec![false; now.len()];
    if let Some(found) = session.inspection(side, strand) {
        let reach = collision.margin + TOUCH;
        if collision.mode != CollisionMode::Off {
            touch = found.skin.iter().map(|far| *far < reach).collect();
        }
        columns.push(Column {
            name: "To skin",
            correction: false,
            unit: "mm",
            help: "Distance from the skin, negative inside; with a dot: the vertex touches, that \
                   is, contact holds it at its margin",
            values: found.skin.iter().map(|far| 1e3 * far).collect(),
            digits: 2,
        });
        columns.push(Column {
            name: "Speed",
            correction: false,
            unit: "m/s",
            help: "Speed in the world",
            values: found.speed.clone(),
            digits: 3,
        });
        if !found.hold.is_empty() {
            columns.push(Column {
                name: "Groom hold",
                correction: false,
                unit: "×",
                help: "How many times stiffer than its material the strand is made at the vertex, \
                       so that the hairstyle stays as it was modelled",
                values: found.hold.clone(),
                digits: 2,
            });
        }
        columns.extend(found.corrections.iter().map(|correction| Column {
            name: correction.name,
            correction: true,
            unit: "mm",
            help: "How far this part of the method moved the vertex in the last substep",
            values: correction.moved.iter().map(|m| 1e3 * m.length()).collect(),
            digits: 4,
        }));
    }
    for column in &mut columns {
        column.values.resize(now.len(), f32::NAN);
    }
    touch.resize(now.len(), false);
    Some(StrandView { columns, touch })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_line_a_vertex_and_empty_cells_where_nothing_is_known() {
        let column = |name, unit, values: &[f32]| Column {
            name,
            correction: false,
            unit,
            help: "",
            values: values.to_vec(),
            digits: 2,
        };
        let view = StrandView {
            columns: vec![
                column("Turn", "°", &[f32::NAN, 12.5]),
                column("Speed", "m/s", &[0.0, 0.25]),
            ],
            touch: vec![false, true],
        };
        let wanted = "Vertex\tTurn [°]\tSpeed [m/s]\n0\t\t0\n1\t12.5\t0.25\n";
        assert_eq!(view.table(), wanted);
    }

    #[test]
    fn turns_are_angles_and_lengths_are_those_of_segments() {
        let points = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(2.0, 3.0, 0.0),
            Vec3::new(2.0, 3.0, 0.5),
        ];
        let turns = turns(&points);
        assert!(turns[0].is_nan() && turns[4].is_nan());
        assert_eq!(turns[1], 0.0);
        assert!((turns[2] - 90.0).abs() < 1e-4 && (turns[3] - 90.0).abs() < 1e-4);
        let lengths = segments(&points);
        assert!(lengths[0].is_nan());
        assert_eq!(lengths[1..], [1.0, 1.0, 3.0, 0.5]);
    }
}
