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
//! earlier ones (`tests/layers.rs` enforces it):
//!
//! ```text
//! param -> math -> mesh -> groom -> sim -> lab -> io -> render -> app
//! ```
//!
//! SI units everywhere: metres, kilograms, seconds, newtons; y is up and the
//! face looks along +z.

pub mod param;

pub mod math;

pub mod mesh;

pub mod groom;

pub mod sim;

pub mod lab;

pub mod io;

pub mod render;

pub mod app;
