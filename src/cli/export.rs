//! `lovelock simulate --export`: hair into files of other programs.

use super::{
    export_names::{beside, older},
    export_units::{ExportUp, LengthUnit},
    output::{cannot_write, make_folder_of},
    targets::CommandFiles,
    usage::Usage,
};
use crate::math::{Pose, counted};
use crate::{
    groom::Followers,
    io::{
        self,
        strands::{self, Film, FilmTimes, Format, Writing},
    },
    mesh::{self, Up},
    project::{
        built_scene::BuiltScene,
        export::Exporter,
        scene::Scene,
        tween::{Tween, take_shape},
    },
    sim::MotionPreset,
};
use clap::Args;
use std::path::{Path, PathBuf};

/// A larger film is not read again to see what it lost. `[bytes]`
pub const MOST_READ_BACK: u64 = 200 << 20;

/// What to write of the hair.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Export")]
pub struct ExportArgs {
    /// Write the hair: the pose at the end; with #### for a number in the name
    /// a file for each frame; as .abc, .usda, .usdc or .usdz with --export-fps or --export-every
    /// one file with all
    #[arg(long, value_name = "PATTERN")]
    export: Option<PathBuf>,
    /// hair, tfx, data, bin, ply, obj, usda, usdc, usdz or abc [default: by the name's ending]
    #[arg(long, value_name = "FORMAT", requires = "export")]
    format: Option<String>,
    /// Length unit of the file
    #[arg(long, value_name = "UNIT", default_value = "m", requires = "export")]
    export_units: LengthUnit,
    /// Axis that points up in the file: head takes that of the head's file, or with the
    /// built-in head that of the groom's
    #[arg(long, value_name = "AXIS", default_value = "head", requires = "export")]
    export_up: ExportUp,
    /// An animation of N frames a second, mixed of two steps where needed [default for files
    /// with a number: capture.fps]
    #[arg(long, value_name = "N", requires = "export", conflicts_with = "export_every", value_parser = fps)]
    export_fps: Option<f64>,
    /// An animation: the beginning, and a frame after each N steps of the simulation
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u64).range(1..))]
    export_every: Option<u64>,
    /// New followers too (followers.each), not the strands of the simulation and of the groom's
    /// file alone
    #[arg(long, requires = "export")]
    export_drawn: bool,
    /// The head too, as OBJ beside each file, its name behind "head_"
    #[arg(long, requires = "export")]
    export_head: bool,
    /// Whether `#` in the name is no more than that, and no place for a number.
    #[arg(skip)]
    literal: bool,
}

/// Frames a second.
fn fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.1..=1000.0).contains(fps));
    fps.ok_or_else(|| "not a number from 0.1 to 1000".into())
}

/// Which states are written.
enum Pace {
    /// The last one.
    End,
    /// The first one, and one after each so many steps.
    Steps(u64),
    /// So many a second, between two steps where needed.
    Rate(f64, Tween),
}

/// What is written while the hair moves.
pub struct Export {
    target: PathBuf,
    /// Whether its name has a place for a number.
    numbered: bool,
    format: &'static Format,
    writing: &'static Writing,
    exporter: Exporter,
    film: Option<Box<dyn Film>>,
    pace: Pace,
    /// How many frames there will be, and in a second; none of a single pose.
    plan: Option<(usize, f64)>,
    head: bool,
    positions: Vec<glam::Vec3>,
    shape: Vec<glam::Vec3>,
    frames: usize,
    /// Unit and axis of the file, in words.
    space: String,
    /// What is told after all else, a sentence each.
    told: Vec<String>,
    lost: Vec<String>,
}

impl ExportArgs {
    /// One pose into the file of the very name `path`: of the `format` of that id or, without one,
    /// of its name's; with followers where what is `drawn` is meant; with the head.
    pub fn of_pose(
        path: PathBuf,
        format: Option<String>,
        unit: LengthUnit,
        drawn: bool,
        head: bool,
    ) -> Self {
        Self {
            export_every: None,
            export_fps: None,
            export: Some(path),
            format,
            export_units: unit,
            export_up: ExportUp::Y,
            export_drawn: drawn,
            export_head: head,
            literal: true,
        }
    }

    /// The name of the first file where `target` is a pattern of numbered ones.
    fn numbered(&self, target: &Path) -> Option<PathBuf> {
        match self.literal {
            true => None,
            false => strands::numbered(target, 1),
        }
    }

    /// Writes the hair of `stage` as it is now; returns what the file does not hold,
    /// a sentence each.
    ///
    /// # Errors
    /// When the format is unknown or the file cannot be written.
    pub fn pose(&self, stage: &BuiltScene, scene: &Scene) -> anyhow::Result<Vec<String>> {
        let Some(mut export) = self.begin(stage, scene, 1)? else {
            return Ok(Vec::new());
        };
        export.step(stage, scene, 1, 1)?;
        Ok(export.lost)
    }

    /// Whether anything is to be written.
    pub fn is_asked_for(&self) -> bool {
        self.export.is_some()
    }

    /// `targets` with the files that are written.
    pub fn among(&self, targets: CommandFiles) -> CommandFiles {
        let Some(path) = &self.export else {
            return targets;
        };
        let targets = targets.writes("--export", path);
        match self.export_head {
            true => targets.writes("--export-head", &beside(path)),
            false => targets,
        }
    }

    /// Refuses what cannot be written, before the long work; makes the folder.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some((path, ..)) = self.asked()? {
            make_folder_of(&path, "--export")?;
        }
        self.target().map(|_| ())
    }

    /// Where to write, and as what; none when nothing was asked for.
    fn target(&self) -> anyhow::Result<Option<(PathBuf, &'static Format, &'static Writing)>> {
        let asked = self.asked()?;
        if let Some((target, ..)) = &asked {
            let first = self.numbered(target);
            let first = first.unwrap_or_else(|| target.clone());
            io::probe(&first).map_err(|error| cannot_write(&first, &error))?;
        }
        Ok(asked)
    }

    /// The same, though it may be that nothing can be written there.
    fn asked(&self) -> anyhow::Result<Option<(PathBuf, &'static Format, &'static Writing)>> {
        let Some(target) = self.export.clone() else {
            return Ok(None);
        };
        let ending = target
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        let id = self.format.clone().or(ending).unwrap_or_default();
        let Some((format, writing)) = strands::writer(&id) else {
            return Err(Usage(format!(
                "\"{id}\" is no format that is written; choose --format {}",
                strands::written_names(", ")
            ))
            .into());
        };
        let numbered = self.numbered(&target);
        let filmed = writing.film.is_some();
        let moves = self.export_every.is_some() || self.export_fps.is_some();
        if moves && numbered.is_none() && !filmed {
            return Err(Usage(format!(
                "an animation needs a number in each file's name: write --export \
                 hair.####.{id}, or choose --format abc, usda, usdc or usdz"
            ))
            .into());
        }
        Ok(Some((target, format, writing)))
    }

    /// Begins what was asked for.
    pub fn begin(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        steps: u64,
    ) -> anyhow::Result<Option<Export>> {
        let Some((target, format, writing)) = self.target()? else {
            return Ok(None);
        };
        let numbered = self.numbered(&target).is_some();
        let rate = f64::from(scene.sim.step.rate);
        let usual = numbered.then_some(f64::from(scene.capture.fps));
        let pace = match (self.export_every, self.export_fps.or(usual)) {
            (Some(every), _) => Pace::Steps(every),
            (None, Some(fps)) => Pace::Rate(fps, Tween::new(&stage.simulation)),
            (None, None) => Pace::End,
        };
        let (up, up_of) = self.up(stage, scene, format)?;
        let metres = self.export_units.metres();
        let plan = match &pace {
            Pace::End => None,
            Pace::Steps(every) => Some((1 + (steps / every) as usize, rate / *every as f64)),
            Pace::Rate(fps, _) => {
                let last = steps as f64 / rate * fps;
                Some((1 + (last + 1e-6).floor() as usize, *fps))
            }
        };
        let film = match (plan, writing.film) {
            (Some((frames, fps)), Some(begin)) if !numbered => {
                let film = begin(&target, &times(scene, frames, fps));
                Some(film.map_err(|error| cannot_write(&target, &error))?)
            }
            _ => None,
        };
        let each = match self.export_drawn {
            true => scene.followers.each,
            false => 0,
        };
        let followers = Followers::plant(&stage.groom, &stage.head.mesh, &stage.bed, each);
        Ok(Some(Export {
            target,
            numbered,
            format,
            writing,
            exporter: Exporter::new(
                &stage.groom,
                stage.origin.clone(),
                &stage.body,
                followers,
                metres,
                &|| true,
            )
            .with_up(up),
            film,
            pace,
            plan,
            head: self.export_head,
            positions: Vec::new(),
            shape: Vec::new(),
            frames: 0,
            space: format!(
                "in {}, {} up ({up_of})",
                self.export_units.name(),
                up.name()
            ),
            told: moves(scene).into_iter().collect(),
            lost: Vec::new(),
        }))
    }

    /// The axis that points up in the file, and what says so.
    fn up(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        format: &Format,
    ) -> anyhow::Result<(Up, &'static str)> {
        let own = !scene.head.file.is_empty() || !scene.sim.motion.sequence.is_empty();
        let groom = stage.bound.as_ref().filter(|_| stage.carried.is_none());
        let groom = groom.and_then(|bound| bound.file.up());
        let (up, of) = match (self.export_up, groom) {
            (ExportUp::Y, _) => (Up::Y, "as asked for"),
            (ExportUp::Z, _) => (Up::Z, "as asked for"),
            (ExportUp::X, _) => (Up::X, "as asked for"),
            (ExportUp::Head, _) if own => (stage.head.report.up, "as the head's file"),
            (ExportUp::Head, Some(groom)) => (groom, "as the groom's file"),
            (ExportUp::Head, None) => (Up::Y, "as the built-in head"),
        };
        if up != Up::X || !format.carries.units {
            return Ok((up, of));
        }
        match self.export_up {
            // Y is what such a file can say.
            ExportUp::Head => Ok((Up::Y, "for the format knows no x")),
            _ => Err(Usage(format!(
                "in a file of {} y or z is up; choose --export-up y or z",
                format.name
            ))
            .into()),
        }
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

/// What to say where the head leaves the place that its file has it in.
fn moves(scene: &Scene) -> Option<String> {
    let motion = &scene.sim.motion;
    let still = [MotionPreset::None, MotionPreset::Sequence];
    (!still.contains(&motion.preset)).then(|| {
        format!(
            "the head moves (motion.preset = {}) and the hair with it, so it does not lie on the \
             head as its file has it; --motion none keeps the head still",
            motion.preset.name()
        )
    })
}

impl Export {
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
    fn write(&mut self, stage: &BuiltScene, scene: &Scene, pose: &Pose) -> anyhow::Result<()> {
        self.frames += 1;
        let strands = self
            .exporter
            .strands(&stage.groom, &self.positions, pose, scene, &|| true);
        let numbered = match self.numbered {
            true => strands::numbered(&self.target, self.frames),
            false => None,
        };
        let path = numbered.unwrap_or_else(|| self.target.clone());
        match &mut self.film {
            Some(film) => film
                .add(&strands)
                .map_err(|error| cannot_write(&path, &error))?,
            None => {
                for line in strands::write(&path, self.writing, &strands)? {
                    if !self.lost.contains(&line) && self.lost.len() < 8 {
                        self.lost.push(line);
                    }
                }
            }
        }
        if self.head && (self.film.is_none() || self.frames == 1) {
            let mesh = &stage.head.mesh;
            let places = match self.shape.is_empty() {
                true => &mesh.positions,
                false => &self.shape,
            };
            let text = self.exporter.head(mesh, places, pose);
            let path = beside(&path);
            io::write_atomic(&path, text.as_bytes())
                .map_err(|error| cannot_write(&path, &error))?;
        }
        Ok(())
    }

    /// Ends the writing; returns the lines that say what was written and what was lost.
    pub fn finish(mut self) -> anyhow::Result<Vec<String>> {
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
            format!(
                ", {} at {} a second from time zero",
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
        let written = 1..=self.frames;
        let stay = older(&self.target, &written);
        let notes = self.exporter.notes();
        let lines = self.lost.iter().chain(notes).chain(&self.told).chain(&stay);
        said.extend(lines.map(|line| format!("{:<12} {line}", "")));
        Ok(said)
    }
}
