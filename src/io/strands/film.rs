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

/// Begins a film in that file with frames at these times.
pub type BeginFilm = fn(&Path, &FilmTimes) -> io::Result<Box<dyn Film>>;

/// When the frames of a film are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmTimes {
    /// How many there are.
    pub frames: usize,
    /// In a second. `[1/s]`
    pub rate: f64,
    /// When the first is. `[s]`
    pub start: f64,
    /// Time codes in a second, for formats that have them. `[1/s]`
    pub codes: f64,
}

impl FilmTimes {
    /// So many frames at a rate a second from time zero on, each with a time code.
    pub fn new(frames: usize, rate: f64) -> Self {
        Self {
            frames,
            rate,
            start: 0.0,
            codes: rate,
        }
    }

    /// The time code of a frame, counted from 0, as short as it can be written.
    pub fn code(&self, frame: usize) -> f64 {
        let code = (self.start + frame as f64 / self.rate) * self.codes;
        (1e6 * code).round() / 1e6
    }

    /// The number of the first frame where every frame is a time code.
    pub fn first_number(&self) -> Option<usize> {
        let first = self.code(0);
        let whole = (0.0..1e9).contains(&first) && first.fract() == 0.0;
        (whole && self.code(1) == first + 1.0).then_some(first as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_codes_are_kept_whatever_the_rate() {
        let times = FilmTimes {
            start: 1001.0 / 24.0,
            codes: 24.0,
            ..FilmTimes::new(10, 24.0)
        };
        assert_eq!((times.code(0), times.code(9)), (1001.0, 1010.0));
        assert_eq!(times.first_number(), Some(1001));
        let twos = FilmTimes {
            rate: 12.0,
            ..times
        };
        assert_eq!((twos.code(1), twos.first_number()), (1003.0, None));
        assert_eq!(FilmTimes::new(3, 20.0).code(2), 2.0);
        assert_eq!(FilmTimes::new(3, 20.0).first_number(), Some(0));
        let before = FilmTimes {
            start: -0.05,
            ..FilmTimes::new(3, 20.0)
        };
        assert_eq!(before.first_number(), None);
    }
}
