//! Frames of hair on their way into files.

use super::{
    ExportError, ExportPace, Exporter, FrameFiles, FramesReport, HeadGoes, camera::ExportedCamera,
    head_beside, older, report::moves,
};
use crate::{
    io::{
        self, PartFolder,
        cache::Frame,
        name_of,
        strands::{self, Film, Strands, Velocities},
    },
    math::Pose,
    project::{built_scene::BuiltScene, scene::Scene, tween::take_shape},
};
use glam::Vec3;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// So many sentences of what files do not hold are kept.
const MOST_LOST: usize = 8;

/// How frames go into files.
pub(super) enum Outlet {
    /// All into one.
    Film(Box<dyn Film>),
    /// Each into its own, at once.
    Files,
    /// The same, but in their places together at the end.
    Together(PartFolder),
}

/// What the writing begins with.
pub(super) struct Frames {
    pub files: FrameFiles,
    pub exporter: Exporter,
    pub outlet: Outlet,
    pub pace: ExportPace,
    /// How many frames there will be, and in a second; none of a single pose.
    pub plan: Option<(usize, f64)>,
    pub head: HeadGoes,
    /// Where in a file the camera is, and how it comes there; none where it is not written.
    pub camera: Option<(&'static str, ExportedCamera)>,
    /// Gives frames on with velocities, where these are asked for.
    pub velocities: Option<Velocities>,
    /// The number of the first frame.
    pub first: usize,
    /// How many frames of the hair come before the first one that is written.
    pub skipped: usize,
    /// Unit and axis of the file, in words.
    pub space: String,
}

/// What is written while the hair moves. Where it is dropped before its end, one file with
/// all frames does not appear, nor do numbered ones that are to come together.
pub struct FrameExport {
    to: Frames,
    positions: Vec<Vec3>,
    shape: Vec<Vec3>,
    /// How many frames have come.
    frames: usize,
    /// How many of them are written: the last one may wait for its velocities.
    written: usize,
    /// The files that were written, not counting one with all frames.
    done: Vec<PathBuf>,
    /// Strands and points of a frame.
    size: [usize; 2],
    /// What is told after all else, a sentence each.
    told: Vec<String>,
    lost: Vec<String>,
}

impl FrameExport {
    pub(super) fn new(to: Frames) -> Self {
        Self {
            to,
            positions: Vec::new(),
            shape: Vec::new(),
            frames: 0,
            written: 0,
            done: Vec::new(),
            size: [0; 2],
            told: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// The same, which also tells of a head that moves and is not written; `cure` ends the
    /// sentence.
    #[must_use]
    pub fn telling_moves(mut self, scene: &Scene, cure: &str) -> Self {
        if self.to.head == HeadGoes::Nowhere {
            self.told.extend(moves(scene, cure));
        }
        self
    }

    /// How many frames have come, of so many.
    pub fn progress(&self) -> [usize; 2] {
        [self.frames, self.planned()]
    }

    fn planned(&self) -> usize {
        self.to.plan.map_or(1, |(frames, _)| frames)
    }

    /// What the files do not hold, a sentence each.
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// Takes the pose after `step` of `steps`, if it is one to write.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn step(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        step: u64,
        steps: u64,
    ) -> Result<(), ExportError> {
        let simulation = &stage.simulation;
        match &self.to.pace {
            ExportPace::End if step != steps => Ok(()),
            ExportPace::Steps(every) if !step.is_multiple_of(*every) => Ok(()),
            ExportPace::End | ExportPace::Steps(_) => {
                simulation.write_positions(&mut self.positions);
                take_shape(simulation, &mut self.shape);
                self.write(stage, scene, (simulation.time(), &simulation.pose()))
            }
            ExportPace::Rate(..) => self.catch_up(stage, scene, step),
        }
    }

    /// Writes the frames that the simulation's last step has come past.
    fn catch_up(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        step: u64,
    ) -> Result<(), ExportError> {
        if let (ExportPace::Rate(_, tween), true) = (&mut self.to.pace, step > 0) {
            tween.follow(&stage.simulation);
        }
        loop {
            let ExportPace::Rate(rate, tween) = &self.to.pace else {
                return Ok(());
            };
            let time = self.frames as f64 / rate;
            if self.frames == self.planned() || !tween.covers(time) {
                return Ok(());
            }
            let pose = tween.write(time, &mut self.positions);
            tween.write_shape(time, &mut self.shape);
            self.write(stage, scene, (time, &pose))?;
        }
    }

    /// Writes the next frame of hair that was recorded.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn take(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        frame: &Frame,
    ) -> Result<(), ExportError> {
        self.positions.clone_from(&frame.positions);
        self.shape.clone_from(&frame.shape);
        self.write(stage, scene, (frame.time, &frame.pose))
    }

    /// Writes a frame with the vertices at the positions in hand, the head at `pose` at a time
    /// of the simulation. `[s]`
    fn write(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        (time, pose): (f64, &Pose),
    ) -> Result<(), ExportError> {
        let exporter = &self.to.exporter;
        let mut strands = exporter.strands(&stage.groom, &self.positions, pose, scene, &|| true);
        let mesh = &stage.head.mesh;
        let places = match self.shape.is_empty() {
            true => &mesh.positions,
            false => &self.shape,
        };
        match self.to.head {
            HeadGoes::Nowhere => {}
            HeadGoes::Within(_) => strands.head = Some(exporter.worn_head(mesh, places, pose)),
            HeadGoes::Beside => {
                let text = exporter.head(mesh, places, pose);
                let path = head_beside(&self.path(self.frames));
                io::write_atomic(&self.place(&path), text.as_bytes())
                    .map_err(|error| ExportError::write(&path, &error))?;
                self.done.push(path);
            }
        }
        let since = time - stage.simulation.motion_begun();
        let camera = self.to.camera.as_ref();
        strands.camera = camera.map(|(_, camera)| camera.at(scene, since));
        self.frames += 1;
        let ready = match &mut self.to.velocities {
            Some(velocities) => velocities.add(strands),
            None => Some(strands),
        };
        ready.map_or(Ok(()), |strands| self.put(&strands))
    }

    /// The file of a frame, counted from 0.
    fn path(&self, frame: usize) -> PathBuf {
        self.to.files.file(self.to.first, frame)
    }

    /// Where the file is written that shall stand at `path`.
    fn place(&self, path: &Path) -> PathBuf {
        match &self.to.outlet {
            Outlet::Together(folder) => folder.place(path),
            Outlet::Film(_) | Outlet::Files => path.into(),
        }
    }

    /// Writes the next frame, all of which is known.
    fn put(&mut self, strands: &Strands) -> Result<(), ExportError> {
        let path = self.path(self.written);
        let place = self.place(&path);
        self.written += 1;
        self.size = [strands.len(), strands.points.len()];
        if let Outlet::Film(film) = &mut self.to.outlet {
            let added = film.add(strands);
            return added.map_err(|error| ExportError::write(&path, &error));
        }
        let written = strands::write(&place, self.to.files.writing, strands);
        for line in written.map_err(|error| error.of_file(&path))? {
            if !self.lost.contains(&line) && self.lost.len() < MOST_LOST {
                self.lost.push(line);
            }
        }
        self.done.push(path);
        Ok(())
    }

    /// Ends the writing; returns what was written and what was lost.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self) -> Result<FramesReport, ExportError> {
        if let Some(last) = self.to.velocities.as_mut().and_then(Velocities::last) {
            self.put(&last)?;
        }
        let path = self.to.files.path.clone();
        match std::mem::replace(&mut self.to.outlet, Outlet::Files) {
            Outlet::Film(film) => {
                let finished = film.finish();
                finished.map_err(|error| ExportError::write(&path, &error))?;
                self.done = vec![path.clone()];
            }
            Outlet::Together(folder) => folder
                .keep(&self.done)
                .map_err(|(path, error)| ExportError::write(&path, &error))?,
            Outlet::Files => {}
        }
        let Frames { first, skipped, .. } = self.to;
        let rate = self.to.plan.map(|(_, rate)| rate);
        let from = match (self.to.files.start, skipped) {
            (Some(_), _) => format!("frame {first}"),
            (None, 0) => "time zero".into(),
            (None, _) => format!("{:.4} s", skipped as f64 / rate.unwrap_or(1.0)),
        };
        let (head, camera) = (self.head(), self.camera());
        let written = first..=(first + self.frames).saturating_sub(1);
        let size = |file: &PathBuf| fs::metadata(file).map_or(0, |found| found.len());
        let stay = older(&path, &written);
        let notes = self.to.exporter.notes().iter().cloned();
        let told = self.lost.into_iter().chain(notes);
        Ok(FramesReport {
            told: told.chain(self.told).chain(stay).collect(),
            bytes: self.done.iter().map(size).sum(),
            files: self.done.len(),
            path,
            filmed: self.to.plan.is_some() && !self.to.files.numbered,
            format: self.to.files.format,
            frames: self.frames,
            rate,
            from,
            strands: self.size[0],
            points: self.size[1],
            space: self.to.space,
            head,
            camera,
        })
    }

    /// A place in the files, in words.
    fn within(&self, place: &str) -> String {
        let each = match self.to.files.numbered {
            true => "each of ",
            false => "",
        };
        format!("{place} in {each}{}", self.to.files.path.display())
    }

    /// Where the camera is, in words; none where it was not written.
    fn camera(&self) -> Option<String> {
        let (place, camera) = self.to.camera.as_ref()?;
        Some(format!("{}, {}", self.within(place), camera.pictures()))
    }

    /// Where the head is, in words; none where it was not written.
    fn head(&self) -> Option<String> {
        match self.to.head {
            HeadGoes::Nowhere => None,
            HeadGoes::Within(place) => Some(self.within(place)),
            HeadGoes::Beside => {
                let [first, last] = [0, self.frames.saturating_sub(1)].map(|i| self.path(i));
                let (first, last) = (head_beside(&first), head_beside(&last));
                Some(match first == last {
                    true => first.display().to_string(),
                    false => format!("{} to {}", first.display(), name_of(&last)),
                })
            }
        }
    }
}
