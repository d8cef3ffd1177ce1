//! A file with one pose a frame, written as the frames come, and read pose by pose.

use super::{Fault, Strands};
use std::{io, path::Path};

/// A file with one pose a frame, written as the frames come: what it needs does not
/// grow with them. It appears under its name when it is whole; one that is dropped
/// before leaves nothing.
pub trait Film {
    /// Adds a frame; all have the strands of the first.
    ///
    /// # Errors
    /// When it cannot be written.
    fn add(&mut self, strands: &Strands) -> io::Result<()>;

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// When it cannot be written; then nothing stands under the name.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Hands over the strands of each pose of a file, one after the other, until it is
/// answered false: where they are, and what makes curves of their points; only the first
/// has more.
pub type EachPose = fn(&[u8], &mut dyn FnMut(Strands) -> bool) -> Result<(), Fault>;

/// Begins a film in that file of so many frames at a rate a second.
pub type BeginFilm = fn(&Path, usize, f64) -> io::Result<Box<dyn Film>>;
