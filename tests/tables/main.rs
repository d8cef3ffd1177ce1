//! README and docs tell the truth, and the long measurements behind their tables.
//! `UPDATE_README=1` writes the tables anew. What takes minutes runs with `--ignored`.

#[path = "../common/mod.rs"]
mod common;
mod measured;
mod readme;
mod references;
mod response;
mod shake;
mod validate;
