//! Lovelock: curly hair that moves on a head, simulated on the CPU.
//!
//! One direction, no way back:
//!
//! ```text
//! head.obj -> Mesh -> roots -> Groom (rest curves, constant) -> StrandState (varying)
//!          -> step -> positions -> GPU buffer -> frame -> captured file
//! ```
//!
//! Layers, in the order of the modules below; a file names only its own and
//! earlier ones (`tests/layers/main.rs` enforces it):
//!
//! ```text
//! param -> math -> mesh -> groom -> sim -> lab -> io -> render -> project -> session -> ui -> cli
//! ```
//!
//! SI units everywhere: metres, kilograms, seconds, newtons; y is up and the
//! face looks along +z.

// The lower layers are a crate of their own, `crates/strands`.
pub use lovelock_strands::{choice, params};

pub use lovelock_strands::param;

pub use lovelock_strands::math;

pub use lovelock_strands::mesh;

pub use lovelock_strands::groom;

pub use lovelock_strands::sim;

pub mod lab;

pub mod io;

pub mod render;

pub mod project;

pub mod session;

pub mod ui;

pub mod cli;
