//! Where frames of hair are written, and as what.

use super::{
    ExportError, ExportOptions, Exporter, FrameExport, HeadGoes,
    camera::ExportedCamera,
    frame_export::{Frames, Outlet},
};
use crate::{
    groom::Followers,
    io::{
        self, PartFolder,
        strands::{self, FilmTimes, Format, Velocities, Writing},
    },
    mesh,
    project::{built_scene::BuiltScene, scene::Scene, tween::Tween},
    sim::MotionPreset,
};
use std::path::{Path, PathBuf};

/// Which states of a simulation are written.
pub enum ExportPace {
    /// The last one, or whatever is handed over.
    End,
    /// The first one, and one after each so many steps.
    Steps(u64),
    /// So many a second, between two steps where needed.
    Rate(f64, Tween),
}

/// Where frames of hair are written, and as what.
pub struct FrameFiles {
    /// The file, or the pattern of the files' names.
    pub path: PathBuf,
    /// Whether its name has a place for a number.
    pub numbered: bool,
    /// What the files are.
    pub format: &'static Format,
    /// How they are written.
    pub writing: &'static Writing,
    /// What of the hair.
    pub options: ExportOptions,
    /// Whether an animation says how fast points go.
    pub velocities: bool,
    /// Whether the scene's camera goes with the hair in files that have a place for it.
    pub camera: bool,
    /// The number that the first frame was given; none as it is usual.
    pub start: Option<u32>,
    /// Whether numbered files appear together once all of them are written, or each at once.
    pub together: bool,
}

impl FrameFiles {
    /// The file of a frame, counted from 0, where the first one has the number `first`.
    pub(super) fn file(&self, first: usize, frame: usize) -> PathBuf {
        let numbered = match self.numbered {
            true => strands::numbered(&self.path, first + frame),
            false => None,
        };
        numbered.unwrap_or_else(|| self.path.clone())
    }

    /// Sees whether the first file can be written.
    ///
    /// # Errors
    /// When it cannot: one sentence.
    pub fn probe(&self) -> Result<(), ExportError> {
        let first = self.file(self.start.map_or(1, |number| number as usize), 0);
        io::probe(&first).map_err(|error| ExportError::write(&first, &error))
    }

    /// Begins to write hair of `stage` at that `pace`: of an animation so many frames, of so
    /// many a second, are the `plan`, with so many frames `skipped` before the first. Where
    /// one is not to `go_on`, it is given up.
    ///
    /// # Errors
    /// When a file cannot be written, when files of the format do not know the axis, or when
    /// it was given up.
    pub fn begin(
        self,
        stage: &BuiltScene,
        scene: &Scene,
        pace: ExportPace,
        plan: Option<(usize, f64)>,
        skipped: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<FrameExport, ExportError> {
        self.probe()?;
        let (options, format) = (self.options, self.format);
        let axis = options.up.axis(stage.file_axes(), format);
        let (up, up_of) = axis.map_err(|why| ExportError::Axis {
            why,
            format: format.name,
        })?;
        let fault = |error| ExportError::write(&self.path, &error);
        let film = match (plan, self.writing.film) {
            (Some((frames, fps)), Some(begin)) if !self.numbered => {
                let mut times = times(scene, frames, fps);
                times.start += skipped as f64 / fps;
                let times = renumbered(times, self.start);
                Some(begin(&self.path, &times).map_err(fault)?)
            }
            _ => None,
        };
        let outlet = match film {
            Some(film) => Outlet::Film(film),
            None if self.together => {
                Outlet::Together(PartFolder::beside(&self.path).map_err(fault)?)
            }
            None => Outlet::Files,
        };
        let each = options.strands.followers(scene.followers.each);
        let mesh = &stage.head.mesh;
        let followers = Followers::plant_while(&stage.groom, mesh, &stage.bed, each, go_on);
        let followers = followers.ok_or(ExportError::GivenUp)?;
        let (groom, origin) = (&stage.groom, stage.origin.clone());
        let metres = options.unit.metres();
        let exporter = Exporter::new(groom, origin, &stage.body, followers, metres, go_on);
        let exporter = exporter.for_file(options.strands, format, up);
        let camera = format.carries.camera.filter(|_| self.camera);
        let camera = camera.map(|place| (place, ExportedCamera::new(stage, scene, metres, up)));
        let velocities = plan.filter(|_| self.velocities);
        let space = format!("in {}, {} up ({up_of})", options.unit.name(), up.name());
        Ok(FrameExport::new(Frames {
            exporter,
            outlet,
            pace,
            plan,
            head: HeadGoes::of(options.head, format),
            velocities: velocities.map(|(_, rate)| Velocities::new(rate)),
            first: self.start.map_or(skipped + 1, |start| start as usize),
            skipped,
            space,
            camera,
            files: self,
        }))
    }
}

/// When the frames of a film are: time zero is when the first pose of a moving head's file
/// is, or else zero.
fn times(scene: &Scene, frames: usize, rate: f64) -> FilmTimes {
    let motion = &scene.sim.motion;
    let plays = motion.preset == MotionPreset::Sequence && !motion.sequence.is_empty();
    let first = plays.then(|| mesh::read::start(Path::new(&motion.sequence)));
    let usual = FilmTimes::new(frames, rate);
    match first.flatten() {
        Some((start, codes)) if start.is_finite() => FilmTimes {
            start,
            codes: codes.unwrap_or(rate),
            ..usual
        },
        _ => usual,
    }
}

/// Times of a film whose first frame has the number `start` as its time code, where it was
/// given one.
pub fn renumbered(times: FilmTimes, start: Option<u32>) -> FilmTimes {
    match start {
        Some(start) => FilmTimes {
            start: f64::from(start) / times.rate,
            codes: times.rate,
            ..times
        },
        None => times,
    }
}
