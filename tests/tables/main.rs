//! README and docs tell the truth, and the long measurements behind their tables.
//! `UPDATE_README=1` writes the tables anew.

#[path = "../common/mod.rs"]
mod common;
mod readme;
mod response;
mod shake;
mod validate;
