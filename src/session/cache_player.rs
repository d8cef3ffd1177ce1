//! A cache, or a groom that moves, being played in the window.

pub use super::snapshot::PlayPosition;

use super::snapshot::{Snapshot, unshared};
use crate::{
    io::cache::{CacheError, Frame},
    project::{
        built_scene::BuiltScene,
        playback::{PlaybackError, RecordedHair},
    },
};

/// What was recorded, and the frame of it that is shown.
pub struct CachePlayer {
    reader: RecordedHair,
    frame: Frame,
    looping: bool,
    /// The frame that was complained of last.
    complained: Option<u32>,
}

impl CachePlayer {
    /// Shows the first frame.
    ///
    /// # Errors
    /// When its hair is not that of `stage`, or no frame is whole.
    pub fn new(mut reader: RecordedHair, stage: &BuiltScene) -> Result<Self, PlaybackError> {
        reader.wear(stage)?;
        let mut player = Self {
            frame: Frame::default(),
            looping: true,
            complained: None,
            reader,
        };
        player
            .reader
            .read(player.reader.first(), &mut player.frame)?;
        Ok(player)
    }

    /// Where it stands.
    pub fn place(&self) -> PlayPosition {
        PlayPosition {
            frame: self.frame.number,
            ends: self.ends(),
            fps: self.fps(),
            looping: self.looping,
        }
    }

    /// What is played.
    pub fn reader(&self) -> &RecordedHair {
        &self.reader
    }

    /// Frames in a simulated second. `[1/s]`
    pub fn fps(&self) -> f64 {
        self.reader.fps()
    }

    /// Time of the frame that is shown. `[s]`
    pub fn time(&self) -> f64 {
        f64::from(self.frame.number) / self.fps()
    }

    fn ends(&self) -> [u32; 2] {
        [self.reader.first(), self.reader.end().saturating_sub(1)]
    }

    /// Whether the last frame is shown, and none follows.
    pub fn ended(&self) -> bool {
        !self.looping && self.frame.number >= self.ends()[1]
    }

    /// Begins anew after the last frame, or does not.
    pub fn set_looping(&mut self, looping: bool) {
        self.looping = looping;
    }

    /// The number of the frame at `time`; none past the end. `[s]`
    pub fn number_at(&self, time: f64) -> Option<u32> {
        let number = (time * self.fps()).round() as u32;
        (number <= self.ends()[1]).then_some(number)
    }

    /// Shows the frame so many after this one.
    ///
    /// # Errors
    /// Those of [`go`](Self::go).
    pub fn advance(&mut self, by: i64) -> Result<(), CacheError> {
        let [first, last] = self.ends().map(i64::from);
        let number = i64::from(self.frame.number).saturating_add(by);
        let number = match self.looping {
            true => first + (number - first).rem_euclid(last - first + 1),
            false => number.clamp(first, last),
        };
        self.go(number as u32)
    }

    /// Shows frame `number`, or the whole one nearest to it.
    ///
    /// # Errors
    /// When it is damaged; what was shown before goes on being shown, under the number of
    /// the damaged one.
    pub fn go(&mut self, number: u32) -> Result<(), CacheError> {
        let number = self.reader.nearest(number).unwrap_or(number);
        if number == self.frame.number {
            return Ok(());
        }
        let read = self.reader.read(number, &mut self.frame);
        self.frame.number = number;
        // Of each damaged frame one hears once.
        match read {
            Err(error) if self.complained.replace(number) != Some(number) => Err(error),
            _ => Ok(()),
        }
    }

    /// Shows it.
    pub fn write(&self, snapshot: &mut Snapshot) {
        let frame = &self.frame;
        snapshot.pose = frame.pose;
        unshared(&mut snapshot.positions).clone_from(&frame.positions);
        snapshot.shape.clone_from(&frame.shape);
        snapshot.frame_shown = None;
        snapshot.inspected = None;
        snapshot.slice = None;
        snapshot.colours = None;
        snapshot.second = None;
    }
}
