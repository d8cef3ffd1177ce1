//! Scene files: every tunable that differs from its default, as TOML.
//!
//! ```toml
//! version = 1
//!
//! [wind]
//! on = true
//! strength = 6.0  # m/s, 0 to 50
//! ```
//!
//! A table is a section of tunables and a key is a tunable, so a new tunable
//! needs no code here; a list of things alike is an array of tables,
//! `[[collider]]`. Reading is strict: a key that nobody knows is more often
//! a slip of the pen than a wish to be ignored.

mod error;
mod handwork;
mod keyframes;
mod layout;
mod list;
mod older;
mod read;
mod save;
mod tracks;
mod value;

pub use error::SceneError;
pub use layout::{VERSION, file_named, from_anywhere, takes_file};
pub use read::{read, read_text};
pub use save::{text, write};

#[cfg(test)]
mod tests;
