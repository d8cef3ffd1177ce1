//! Columns of a groom's file that go with its strands: numbers, groups, names
//! and whatever else its makers gave them.
//!
//! The names are those of Unreal's groom schema where it has one for the same
//! thing, whatever the format calls it:
//!
//! | Name | Of each | What |
//! |---|---|---|
//! | [`ID`] | strand | the strand's number in its maker's program |
//! | [`GROUP_ID`] | strand | the number of the group it belongs to |
//! | [`GROUP_NAME`] | strand | the name of that group |
//! | [`GUIDE`] | strand | 1 for a guide, 0 for hair that follows one |
//! | [`CLOSEST_GUIDES`] | strand | the numbers of the three guides it follows |
//! | [`GUIDE_WEIGHTS`] | strand | how much each of them counts |
//! | [`ADDED`] | strand | 1 for a follower that is in no file of hair (no name of Unreal's) |
//!
//! Widths, colours and roots' texture coordinates are no columns: the program
//! itself uses them ([`Strands`](super::Strands)).

use std::ops::Range;

/// A strand's number in its maker's program.
pub const ID: &str = "groom_id";
/// The number of the group that a strand belongs to.
pub const GROUP_ID: &str = "groom_group_id";
/// The name of that group.
pub const GROUP_NAME: &str = "groom_group_name";
/// 1 for a guide, 0 for hair that follows one.
pub const GUIDE: &str = "groom_guide";
/// The numbers ([`ID`]) of the three guides that a strand follows.
pub const CLOSEST_GUIDES: &str = "groom_closest_guides";
/// How much each of them counts.
pub const GUIDE_WEIGHTS: &str = "groom_guide_weights";
/// 1 for a follower that the program drew beside the hair of a file, or grown hair.
pub const ADDED: &str = "lovelock_added";

/// A column of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// What the file calls it, or the name of the table above.
    pub name: String,
    /// What each of its rows belongs to.
    pub of: Of,
    /// Numbers in a row: 3 for a vector; at least 1.
    pub each: usize,
    /// The rows, one after the other.
    pub values: Values,
}

/// What a row of a column belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The whole groom, which has one row.
    Groom,
    /// A strand.
    Strand,
    /// A point.
    Point,
}

/// Values of one type, kept as they were to the last bit.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers, those of fewer bits among them.
    I32(Vec<i32>),
    /// Whole numbers that may not fit 32 bits.
    I64(Vec<i64>),
    /// Numbers.
    F32(Vec<f32>),
    /// Numbers of double precision.
    F64(Vec<f64>),
    /// Words.
    Text(Vec<String>),
}

impl Attribute {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.each.max(1)
    }

    /// Whether there are as many rows as a groom with so many `strands` and `points`
    /// has places for.
    pub fn fits(&self, strands: usize, points: usize) -> bool {
        let wanted = match self.of {
            Of::Groom => 1,
            Of::Strand => strands,
            Of::Point => points,
        };
        self.each > 0 && wanted.checked_mul(self.each) == Some(self.values.len())
    }

    /// The same column with rows mixed of others, each by its weight; what cannot be
    /// mixed is as in the row that weighs most.
    pub fn blended(&self, rows: &[Mixture]) -> Self {
        let each = self.each;
        let values = match &self.values {
            Values::F32(all) => Values::F32(mix(all, each, rows)),
            Values::F64(all) => Values::F64(mix(all, each, rows)),
            other => other.picked(rows.iter().map(|blend| {
                let row = blend.iter().max_by(|a, b| a.1.total_cmp(&b.1));
                let row = row.map_or(0, |(row, _)| *row);
                row * each..(row + 1) * each
            })),
        };
        Self {
            values,
            ..self.clone()
        }
    }

    /// The same column with the rows of these numbers, in their order.
    pub fn picked(&self, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let spans = rows.map(|row| row * self.each..(row + 1) * self.each);
        Self {
            values: self.values.picked(spans),
            ..self.clone()
        }
    }
}

impl Attribute {
    /// The same column with the rows of these numbers, whose bytes are taken from `room`;
    /// none where there is no such row, or they need more. A damaged file may name a long
    /// row as often as it has numbers.
    pub fn picked_within(&self, rows: &[usize], room: &mut usize) -> Option<Self> {
        let count = self.rows();
        if rows.iter().any(|row| *row >= count) {
            return None;
        }
        let numbers = |bytes: usize| rows.len().checked_mul(self.each.checked_mul(bytes)?);
        let needed = match &self.values {
            Values::I32(_) | Values::F32(_) => numbers(4)?,
            Values::I64(_) | Values::F64(_) => numbers(8)?,
            Values::Text(all) => {
                let text = |text: &String| size_of::<String>() + text.len();
                let sizes = all.chunks(self.each.max(1));
                let sizes: Vec<usize> = sizes.map(|row| row.iter().map(text).sum()).collect();
                rows.iter().map(|row| sizes[*row]).sum()
            }
        };
        *room = room.checked_sub(needed)?;
        Some(self.picked(rows.iter().copied()))
    }
}

/// Which strands the columns of a file call guides; none where they are silent, or say
/// the same of all.
pub fn guides(columns: &[Attribute]) -> Vec<bool> {
    let column = columns.iter().find(|column| {
        let name = column.name == GUIDE;
        name && column.of == Of::Strand && column.each == 1
    });
    let called: Vec<bool> = match column.map(|column| &column.values) {
        Some(Values::I32(all)) => all.iter().map(|value| *value != 0).collect(),
        Some(Values::I64(all)) => all.iter().map(|value| *value != 0).collect(),
        Some(Values::F32(all)) => all.iter().map(|value| *value != 0.0).collect(),
        Some(Values::F64(all)) => all.iter().map(|value| *value != 0.0).collect(),
        Some(Values::Text(_)) | None => Vec::new(),
    };
    match called.iter().any(|guide| *guide) && !called.iter().all(|guide| *guide) {
        true => called,
        false => Vec::new(),
    }
}

/// Up to four rows, and how much each counts; those that do not have weight 0.
pub type Mixture = [(usize, f64); 4];

fn mix<T: Copy + Into<f64> + FromF64>(all: &[T], each: usize, rows: &[Mixture]) -> Vec<T> {
    let value = |blend: &Mixture, k: usize| {
        let mut parts = blend.iter().filter(|(_, weight)| *weight != 0.0);
        let of = |row: usize| all[row * each + k];
        match (parts.next(), parts.next()) {
            // To the last bit.
            (Some((row, 1.0)), None) => of(*row),
            (None, _) => T::from_f64(0.0),
            _ => {
                let parts = blend.iter().filter(|(_, weight)| *weight != 0.0);
                T::from_f64(parts.map(|(row, weight)| weight * of(*row).into()).sum())
            }
        }
    };
    let rows = rows.iter();
    rows.flat_map(|blend| (0..each).map(move |k| value(blend, k)))
        .collect()
}

trait FromF64 {
    fn from_f64(value: f64) -> Self;
}

impl FromF64 for f32 {
    fn from_f64(value: f64) -> Self {
        value as f32
    }
}

impl FromF64 for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }
}

impl Values {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(all) => all.len(),
            Self::I64(all) => all.len(),
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
            Self::Text(all) => all.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the values of `more` behind its own; false, and nothing is taken, where
    /// these are of another type.
    pub fn append(&mut self, more: &mut Self) -> bool {
        match (self, more) {
            (Self::I32(all), Self::I32(more)) => all.append(more),
            (Self::I64(all), Self::I64(more)) => all.append(more),
            (Self::F32(all), Self::F32(more)) => all.append(more),
            (Self::F64(all), Self::F64(more)) => all.append(more),
            (Self::Text(all), Self::Text(more)) => all.append(more),
            _ => return false,
        }
        true
    }

    fn picked(&self, spans: impl Iterator<Item = Range<usize>> + Clone) -> Self {
        fn pick<T: Clone>(all: &[T], spans: impl Iterator<Item = Range<usize>>) -> Vec<T> {
            spans.flat_map(|span| all[span].iter().cloned()).collect()
        }
        match self {
            Self::I32(all) => Self::I32(pick(all, spans)),
            Self::I64(all) => Self::I64(pick(all, spans)),
            Self::F32(all) => Self::F32(pick(all, spans)),
            Self::F64(all) => Self::F64(pick(all, spans)),
            Self::Text(all) => Self::Text(pick(all, spans)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_mixed_and_names_are_those_of_the_heavier_row() {
        let column = |values| Attribute {
            name: "any".into(),
            of: Of::Point,
            each: 1,
            values,
        };
        let rows: [Mixture; 2] = [
            [(0, 0.25), (1, 0.75), (0, 0.0), (0, 0.0)],
            [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)],
        ];
        let mixed = column(Values::F32(vec![1.0, 5.0])).blended(&rows);
        assert_eq!(mixed.values, Values::F32(vec![4.0, 5.0]));
        let names = Values::Text(vec!["crown".into(), "fringe".into()]);
        let mixed = column(names).blended(&rows);
        assert_eq!(mixed.values, Values::Text(vec!["fringe".into(); 2]));
        assert!(mixed.fits(1, 2) && !mixed.fits(2, 1));
    }

    #[test]
    fn long_rows_are_named_no_more_often_than_there_is_room() {
        let column = |values| Attribute {
            name: "any".into(),
            of: Of::Strand,
            each: 2,
            values,
        };
        let numbers = column(Values::F64(vec![0.5; 4]));
        let mut room = 40;
        let picked = numbers.picked_within(&[1, 0], &mut room).expect("two rows");
        assert_eq!((picked.rows(), room), (2, 8));
        assert_eq!(numbers.picked_within(&[0], &mut room), None, "too large");
        assert_eq!(numbers.picked_within(&[2], &mut 1000), None, "no such row");
        let words = column(Values::Text(vec!["a".repeat(1000), String::new()]));
        let mut room = 2500;
        assert!(words.picked_within(&[0, 0], &mut room).is_some());
        assert_eq!(words.picked_within(&[0], &mut room), None, "too large");
    }

    #[test]
    fn rows_are_picked_whole_and_in_order() {
        let column = Attribute {
            name: "flow".into(),
            of: Of::Strand,
            each: 2,
            values: Values::F32(vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5]),
        };
        assert_eq!(column.rows(), 3);
        let picked = column.picked([2, 0].into_iter());
        assert_eq!(picked.values, Values::F32(vec![2.0, 2.5, 0.0, 0.5]));
        assert_eq!((picked.rows(), picked.each), (2, 2));
    }
}
