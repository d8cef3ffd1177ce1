//! Rows of one declaration: as many of them as a scene wants.

use super::{Params, Tunable, Value};

/// The values of a row, in the order of its tunables.
pub type RowValues = Vec<Value>;

/// A list of rows that are all declared alike: an array of tables in a scene
/// file, `[[collider]]`.
pub trait List {
    /// Its name in files.
    fn name(&self) -> &'static str;
    /// The table of a row.
    fn tunables(&self) -> Vec<Tunable>;
    /// The rows' values.
    fn values(&self) -> Vec<RowValues>;
    /// Takes these rows instead; values that a row's declaration does not allow
    /// are left at their defaults.
    fn set_values(&mut self, rows: &[RowValues]);
    /// Which tunables mean nothing to a row of these values, and a word for
    /// what it is ("a sphere").
    fn foreign(&self, row: &RowValues) -> (&'static [&'static str], String);
}

/// A row that scene files have lists of.
pub trait ListRow: Params + Default {
    /// The list's name in files.
    const LIST: &'static str;

    /// Which tunables mean nothing to this row, and a word for what it is
    /// ("a sphere").
    fn unused(&self) -> (&'static [&'static str], String);
}

impl<R: ListRow> List for Vec<R> {
    fn name(&self) -> &'static str {
        R::LIST
    }

    fn tunables(&self) -> Vec<Tunable> {
        R::default().tunables()
    }

    fn values(&self) -> Vec<RowValues> {
        self.iter().map(values).collect()
    }

    fn set_values(&mut self, rows: &[RowValues]) {
        *self = rows.iter().map(row).collect();
    }

    fn foreign(&self, values: &RowValues) -> (&'static [&'static str], String) {
        row::<R>(values).unused()
    }
}

/// The values of `row`.
pub fn values(row: &impl Params) -> RowValues {
    (0..row.tunables().len())
        .map(|index| row.get(index))
        .collect()
}

/// A row of these values.
pub fn row<P: Params + Default>(values: &RowValues) -> P {
    let mut row = P::default();
    for (index, value) in values.iter().enumerate() {
        if let Err(error) = row.set(index, value.clone()) {
            log::error!("{error}");
        }
    }
    row
}
