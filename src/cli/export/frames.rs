//! Frames of an export on their way into files.

use super::{Export, HeadGoes, MOST_READ_BACK, Pace};
use crate::{
    cli::{
        export_names::{named, older},
        output::cannot_write,
    },
    io::{
        self,
        strands::{self, FilmTimes, Strands, Velocities},
    },
    math::{Pose, counted},
    mesh,
    project::{built_scene::BuiltScene, export::head_beside, scene::Scene, tween::take_shape},
    sim::MotionPreset,
};
use std::path::{Path, PathBuf};

/// When the frames of a film are: time zero is when the first pose of a moving head's file
/// is, or else zero.
pub(super) fn times(scene: &Scene, frames: usize, rate: f64) -> FilmTimes {
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

/// What to say where the head leaves the place that its file has it in; `cure` ends the
/// sentence.
fn moves(scene: &Scene, cure: &str) -> Option<String> {
    let motion = &scene.sim.motion;
    let still = [MotionPreset::None, MotionPreset::Sequence];
    (!still.contains(&motion.preset)).then(|| {
        format!(
            "the head moves (motion.preset = {}) and the hair with it, so it does not lie on the \
             head as its file has it{cure}",
            motion.preset.name()
        )
    })
}

impl Export {
    /// The same, which also tells of a head that moves and is not written.
    pub(super) fn telling_moves(mut self, scene: &Scene, cure: &str) -> Self {
        if self.head == HeadGoes::Nowhere {
            self.told.extend(moves(scene, cure));
        }
        self
    }

    /// Takes the pose after `step` of `steps`, if it is one to write.
    pub fn step(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        step: u64,
        steps: u64,
    ) -> anyhow::Result<()> {
        let simulation = &stage.simulation;
        match &self.pace {
            Pace::End if step != steps => Ok(()),
            Pace::Steps(every) if !step.is_multiple_of(*every) => Ok(()),
            Pace::End | Pace::Steps(_) => {
                simulation.write_positions(&mut self.positions);
                take_shape(simulation, &mut self.shape);
                self.write(stage, scene, &simulation.pose())
            }
            Pace::Rate(..) => self.catch_up(stage, scene, step),
        }
    }

    /// Writes the frames that the simulation's last step has come past.
    fn catch_up(&mut self, stage: &BuiltScene, scene: &Scene, step: u64) -> anyhow::Result<()> {
        if let (Pace::Rate(_, tween), true) = (&mut self.pace, step > 0) {
            tween.follow(&stage.simulation);
        }
        loop {
            let Pace::Rate(rate, tween) = &self.pace else {
                return Ok(());
            };
            let time = self.frames as f64 / rate;
            let planned = self.plan.map_or(1, |(frames, _)| frames);
            if self.frames == planned || !tween.covers(time) {
                return Ok(());
            }
            let pose = tween.write(time, &mut self.positions);
            tween.write_shape(time, &mut self.shape);
            self.write(stage, scene, &pose)?;
        }
    }

    /// Writes a frame with the vertices at `positions`, the head of `shape` at `pose`.
    pub(super) fn write(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        pose: &Pose,
    ) -> anyhow::Result<()> {
        let mut strands =
            self.exporter
                .strands(&stage.groom, &self.positions, pose, scene, &|| true);
        let mesh = &stage.head.mesh;
        let places = match self.shape.is_empty() {
            true => &mesh.positions,
            false => &self.shape,
        };
        match self.head {
            HeadGoes::Nowhere => {}
            HeadGoes::Within(_) => {
                strands.head = Some(self.exporter.worn_head(mesh, places, pose));
            }
            HeadGoes::Beside => {
                let text = self.exporter.head(mesh, places, pose);
                let path = head_beside(&self.path(self.frames));
                io::write_atomic(&path, text.as_bytes())
                    .map_err(|error| cannot_write(&path, &error))?;
            }
        }
        self.frames += 1;
        let ready = match &mut self.velocities {
            Some(velocities) => velocities.add(strands),
            None => Some(strands),
        };
        ready.map_or(Ok(()), |strands| self.put(&strands))
    }

    /// The file of a frame, counted from 0.
    fn path(&self, frame: usize) -> PathBuf {
        let numbered = match self.numbered {
            true => strands::numbered(&self.target, self.first + frame),
            false => None,
        };
        numbered.unwrap_or_else(|| self.target.clone())
    }

    /// Writes the next frame, all of which is known.
    fn put(&mut self, strands: &Strands) -> anyhow::Result<()> {
        let path = self.path(self.written);
        self.written += 1;
        match &mut self.film {
            Some(film) => film
                .add(strands)
                .map_err(|error| cannot_write(&path, &error))?,
            None => {
                for line in strands::write(&path, self.writing, strands)? {
                    if !self.lost.contains(&line) && self.lost.len() < 8 {
                        self.lost.push(line);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the writing; returns the lines that say what was written and what was lost.
    pub fn finish(mut self) -> anyhow::Result<Vec<String>> {
        if let Some(last) = self.velocities.as_mut().and_then(Velocities::last) {
            self.put(&last)?;
        }
        if let Some(film) = self.film.take() {
            film.finish()
                .map_err(|error| cannot_write(&self.target, &error))?;
            // A reader takes a whole file into memory.
            let size = std::fs::metadata(&self.target).map_or(0, |metadata| metadata.len());
            if size <= MOST_READ_BACK {
                let (_, back) = strands::read(&self.target)?;
                self.lost.push(format!(
                    "read back: {}, {} in the first frame",
                    counted(back.len(), "strand", "strands"),
                    counted(back.points.len(), "point", "points")
                ));
            }
        }
        let rate = self.plan.map(|(_, rate)| rate);
        let frames = rate.map_or_else(String::new, |rate| {
            let from = match (self.renumbered, self.skipped) {
                (true, _) => format!("frame {}", self.first),
                (false, 0) => "time zero".into(),
                (false, skipped) => format!("{:.4} s", skipped as f64 / rate),
            };
            format!(
                ", {} at {} a second from {from}",
                counted(self.frames, "frame", "frames"),
                (1e4 * rate).round() / 1e4
            )
        });
        let mut said = vec![format!(
            "{:<12} {}{frames}, {}, {}",
            "exported",
            self.target.display(),
            self.format.name,
            self.space
        )];
        let written = self.first..=(self.first + self.frames).saturating_sub(1);
        said.extend(self.head_line());
        let stay = older(&self.target, &written);
        let notes = self.exporter.notes();
        let lines = self.lost.iter().chain(notes).chain(&self.told).chain(&stay);
        said.extend(lines.map(|line| format!("{:<12} {line}", "")));
        Ok(said)
    }

    /// Where the head is.
    fn head_line(&self) -> Option<String> {
        let place = match self.head {
            HeadGoes::Nowhere => return None,
            HeadGoes::Within(place) => {
                let each = if self.numbered { "each of " } else { "" };
                format!("{place} in {each}{}", self.target.display())
            }
            HeadGoes::Beside => {
                let [first, last] = [0, self.frames.saturating_sub(1)].map(|i| self.path(i));
                let (first, last) = (head_beside(&first), head_beside(&last));
                match first == last {
                    true => first.display().to_string(),
                    false => format!("{} to {}", first.display(), named(&last)),
                }
            }
        };
        Some(format!("{:<12} {place}", "head"))
    }
}
