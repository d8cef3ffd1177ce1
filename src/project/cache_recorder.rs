//! The way of a simulation on its way into a cache.

use super::{built_scene::BuiltScene, playback, scene::Scene, tween::Tween};
use crate::{
    io::cache::{CacheError, Frame, Header, Writer},
    sim::Simulation,
};
use std::path::Path;

/// The way of a simulation, on its way into a file.
pub struct CacheRecorder {
    writer: Writer,
    tween: Tween,
    frame: Frame,
    fps: f64,
    planned: u32,
}

impl CacheRecorder {
    /// Begins the cache `path`, which `create` does, with the hair as it is now; so many
    /// frames are planned, so many in a second.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(
        path: &Path,
        scene: &Scene,
        stage: &BuiltScene,
        (planned, fps): (u32, f64),
        create: impl FnOnce(Header) -> Result<Writer, CacheError>,
    ) -> Result<Self, CacheError> {
        let mut header = playback::header(path, scene, stage, planned);
        header.fps = fps;
        let mut recorder = Self {
            writer: create(header)?,
            tween: Tween::new(&stage.simulation),
            frame: Frame::default(),
            fps,
            planned,
        };
        recorder.catch_up()?;
        Ok(recorder)
    }

    /// How many frames are written, of so many.
    pub fn progress(&self) -> [usize; 2] {
        [self.writer.frames(), self.planned].map(|frames| frames as usize)
    }

    /// Writes the frames that the simulation's last step has come past.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn follow(&mut self, simulation: &Simulation) -> Result<(), CacheError> {
        if self.writer.frames() < self.planned {
            self.tween.follow(simulation);
        }
        self.catch_up()
    }

    fn catch_up(&mut self) -> Result<(), CacheError> {
        while self.writer.frames() < self.planned {
            let number = self.writer.frames();
            let time = f64::from(number) / self.fps;
            if !self.tween.covers(time) {
                break;
            }
            let frame = &mut self.frame;
            (frame.number, frame.time) = (number, time);
            frame.pose = self.tween.write(time, &mut frame.positions);
            self.tween.write_shape(time, &mut frame.shape);
            self.writer.write(frame)?;
        }
        Ok(())
    }

    /// The cache with what was written of it.
    pub fn into_writer(self) -> Writer {
        self.writer
    }
}
