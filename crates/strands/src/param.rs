//! A tunable is declared once: name, unit, range, default, meaning.
//!
//! [`params!`](crate::params) writes a plain struct with documented fields and,
//! from the same lines, the table that the panel's sliders, `--set
//! section.key=value`, the scene file and docs/parameters.md are drawn from.

mod by_name;
mod check;
mod declare;
mod kind;
mod list;
mod number;
mod ramp;
mod second;
mod section;
mod time_grid;
mod track;

pub use by_name::{guess, nearest, set_by_name, unknown};
pub use check::{check, parse, unreadable};
pub use declare::ParamType;
pub use kind::{
    Kind, Value, float, int, log_float, log_int, ramp, smallest_positive, triple, wanted,
};
pub use list::{List, ListRow, RowValues, row, values};
pub use number::read_number;
pub use ramp::Ramp;
pub use second::Second;
pub use section::{ParamError, Params, Tunable};
pub use time_grid::TimeGrid;
pub use track::{KeyInterpolation, Track, TrackFault, TrackKey, Tracks};
