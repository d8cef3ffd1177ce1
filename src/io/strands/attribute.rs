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

    /// The same column with the rows of these numbers, in their order.
    pub fn picked(&self, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let spans = rows.map(|row| row * self.each..(row + 1) * self.each);
        Self {
            values: self.values.picked(spans),
            ..self.clone()
        }
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
