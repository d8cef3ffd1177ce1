//! What a section of tunables is: its table, its values, and why one is refused.

use super::{Kind, Value};
use thiserror::Error;

/// One tunable: everything a slider, a file and a table need to know of it.
#[derive(Clone, Debug)]
pub struct Tunable {
    /// Name in files and on the command line (`section.key`).
    pub key: &'static str,
    /// Name in the panel.
    pub label: &'static str,
    /// SI unit as printed, empty for none.
    pub unit: &'static str,
    /// One or two sentences: what it does.
    pub help: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Its value when nothing is said.
    pub default: Value,
}

/// Why a value was refused; the text names the key and what is allowed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ParamError {
    /// The number lies outside the declared range.
    #[error("{key} = {value} is outside its range {min} to {max}{unit}")]
    Range {
        /// `section.key`
        key: String,
        /// the refused number
        value: String,
        /// smallest allowed
        min: String,
        /// largest allowed
        max: String,
        /// unit with a leading space, or empty
        unit: String,
    },
    /// The value is of another kind (text for a number, say).
    #[error("{key} wants {wanted}, not {got}")]
    Kind {
        /// `section.key`
        key: String,
        /// what it takes
        wanted: String,
        /// what was given
        got: String,
    },
    /// No such key; the nearest valid name is offered where one is like it.
    #[error("there is no parameter {key}{guess}")]
    Unknown {
        /// what was written
        key: String,
        /// what [`guess`](super::guess) says
        guess: String,
    },
}

/// A section of tunables, as written by [`params!`](crate::params).
pub trait Params {
    /// The section's name in files (`pbd` in `pbd.iterations`).
    fn section(&self) -> &'static str;
    /// Its name where it is the second of two sets side by side (`b.pbd`).
    fn second(&self) -> &'static str;
    /// The section's table, in panel order.
    fn tunables(&self) -> Vec<Tunable>;
    /// The value of tunable number `index`.
    fn get(&self, index: usize) -> Value;
    /// Sets tunable number `index`; refuses what its declaration does not allow.
    fn set(&mut self, index: usize, value: Value) -> Result<(), ParamError>;
}
