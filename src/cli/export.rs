//! `lovelock simulate --export`: hair into files of other programs.

mod choice;
mod frames;
mod recorded;

pub use choice::ExportStrands;

use super::{
    export_names::check_name,
    export_units::{ExportUp, LengthUnit},
    output::{cannot_write, make_folder_of},
    targets::CommandFiles,
    usage::Usage,
};
use crate::{
    groom::Followers,
    io::{
        self,
        strands::{self, Film, FilmTimes, Format, Velocities, Writing},
    },
    mesh::Up,
    project::{
        built_scene::BuiltScene,
        export::{Exporter, HeadGoes},
        scene::Scene,
        tween::Tween,
    },
};
use clap::Args;
use std::path::{Path, PathBuf};

/// A larger film is not read again to see what it lost. `[bytes]`
pub const MOST_READ_BACK: u64 = 200 << 20;

/// What to write of the hair.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Export")]
pub struct ExportArgs {
    /// Write the hair: the pose at the end; with ####, %04d, $F4 or `<F4>` for a number in the
    /// name a file for each frame; as .abc, .usda, .usdc or .usdz with --export-fps or --export-every
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
    /// Number of the first frame, in names of files and as time code [default: files from 1,
    /// time codes from 0]
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    export_start: Option<u32>,
    /// New followers too (followers.each), not the strands of the simulation and of the groom's
    /// file alone: the same as --export-strands all
    #[arg(long, requires = "export", conflicts_with = "export_strands")]
    export_drawn: bool,
    /// Which strands [default: file]
    #[arg(long, value_name = "WHICH", requires = "export")]
    export_strands: Option<ExportStrands>,
    /// The head too: as a mesh within USD and Alembic files, else as OBJ beside each file, its
    /// name behind "head_"
    #[arg(long, requires = "export")]
    export_head: bool,
    /// How fast each point goes in each frame of an animation in USD or Alembic, for motion
    /// blur; makes the file about twice as large
    #[arg(long, requires = "export")]
    export_velocities: bool,
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
    head: HeadGoes,
    positions: Vec<glam::Vec3>,
    shape: Vec<glam::Vec3>,
    /// Gives frames on with velocities, where these are asked for.
    velocities: Option<Velocities>,
    /// How many frames have come.
    frames: usize,
    /// How many of them are written: the last one may wait for its velocities.
    written: usize,
    /// The number of the first one, and whether somebody chose it.
    first: usize,
    renumbered: bool,
    /// How many frames of the hair come before the first one that is written.
    skipped: usize,
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
            export_start: None,
            export_drawn: drawn,
            export_strands: None,
            export_head: head,
            export_velocities: false,
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

    /// The file that is to be written, or the pattern of its name.
    pub fn target_name(&self) -> Option<&Path> {
        self.export.as_deref()
    }

    /// `targets` with the files that are written.
    pub fn among(&self, targets: CommandFiles) -> CommandFiles {
        let Some(path) = &self.export else {
            return targets;
        };
        self.named("--export", path, targets)
    }

    /// The same, where something else than `--export` names `path`.
    fn named(&self, what: &str, path: &Path, targets: CommandFiles) -> CommandFiles {
        let targets = targets.writes(what, path);
        let asked = self.asked().ok().flatten();
        let goes = asked.map(|(_, format, _)| HeadGoes::of(self.export_head, format));
        match goes.and_then(|goes| goes.file(path)) {
            Some(head) => targets.writes("--export-head", &head),
            None => targets,
        }
    }

    /// The number that the first frame was given.
    pub fn start(&self) -> Option<u32> {
        self.export_start
    }

    /// Whether it is asked how fast points go.
    pub fn velocities(&self) -> bool {
        self.export_velocities
    }

    /// Refuses what cannot be written, before the long work; makes the folder.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some((path, format, _)) = self.asked()? {
            let paced = self.export_every.is_some() || self.export_fps.is_some();
            let moves = paced || self.numbered(&path).is_some();
            self.check_animation(format, moves, "say --export-fps 24")?;
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
        if !self.literal {
            check_name(&target)?;
        }
        let ending = target
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        let id = self.format.clone().or(ending).unwrap_or_default();
        let Some((format, writing)) = strands::writer(&id) else {
            return Err(Usage(no_format(&target, &id)).into());
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

    /// Refuses what only an animation can have, where none `moves`: say what to do, `cure`; and
    /// what files of the `format` do not hold.
    pub fn check_animation(&self, format: &Format, moves: bool, cure: &str) -> Result<(), Usage> {
        if self.export_velocities && !format.carries.animation {
            return Err(Usage(format!(
                "--export-velocities: a file of {} holds none; choose --format abc, usda, usdc \
                 or usdz",
                format.name
            )));
        }
        match self.animation_option() {
            Some(option) if !moves => Err(Usage(format!(
                "{option} is for an animation, and this is one pose; {cure}"
            ))),
            _ => Ok(()),
        }
    }

    /// The option that was given and that only an animation can have.
    pub fn animation_option(&self) -> Option<&'static str> {
        match (self.export_velocities, self.export_start) {
            (true, _) => Some("--export-velocities"),
            (false, Some(_)) => Some("--export-start"),
            (false, None) => None,
        }
    }

    /// Begins what was asked for.
    pub fn begin(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        steps: u64,
    ) -> anyhow::Result<Option<Export>> {
        let Some((target, ..)) = self.asked()? else {
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
        let plan = match &pace {
            Pace::End => None,
            Pace::Steps(every) => Some((1 + (steps / every) as usize, rate / *every as f64)),
            Pace::Rate(fps, _) => {
                let last = steps as f64 / rate * fps;
                Some((1 + (last + 1e-6).floor() as usize, *fps))
            }
        };
        let begun = self.begin_paced(stage, scene, pace, plan, 0)?;
        Ok(begun.map(|export| export.telling_moves(scene, "; --motion none keeps the head still")))
    }

    /// Begins it at that pace, with so many frames `skipped` before the first.
    fn begin_paced(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        pace: Pace,
        plan: Option<(usize, f64)>,
        skipped: usize,
    ) -> anyhow::Result<Option<Export>> {
        let Some((target, format, writing)) = self.target()? else {
            return Ok(None);
        };
        let numbered = self.numbered(&target).is_some();
        let (up, up_of) = self.up(stage, format)?;
        let metres = self.export_units.metres();
        let film = match (plan, writing.film) {
            (Some((frames, fps)), Some(begin)) if !numbered => {
                let mut times = frames::times(scene, frames, fps);
                times.start += skipped as f64 / fps;
                let times = self.renumbered(times);
                let film = begin(&target, &times);
                Some(film.map_err(|error| cannot_write(&target, &error))?)
            }
            _ => None,
        };
        let which = match self.export_drawn {
            true => ExportStrands::All,
            false => self.export_strands.unwrap_or_default(),
        };
        let each = match which {
            ExportStrands::All => scene.followers.each,
            ExportStrands::File | ExportStrands::Guides => 0,
        };
        let followers = Followers::plant(&stage.groom, &stage.head.mesh, &stage.bed, each);
        let (groom, origin) = (&stage.groom, stage.origin.clone());
        let exporter = Exporter::new(groom, origin, &stage.body, followers, metres, &|| true);
        let mut exporter = exporter.with_up(up);
        if which == ExportStrands::Guides {
            exporter = exporter.of_guides();
        }
        // Elsewhere it would be told of as lost.
        if format.carries.columns {
            exporter = exporter.telling_guides();
        }
        let velocities = plan.filter(|_| self.export_velocities);
        Ok(Some(Export {
            target,
            numbered,
            format,
            writing,
            exporter,
            film,
            pace,
            plan,
            head: HeadGoes::of(self.export_head, format),
            positions: Vec::new(),
            shape: Vec::new(),
            velocities: velocities.map(|(_, rate)| Velocities::new(rate)),
            frames: 0,
            written: 0,
            first: self
                .export_start
                .map_or(skipped + 1, |start| start as usize),
            renumbered: self.export_start.is_some(),
            skipped,
            space: format!(
                "in {}, {} up ({up_of})",
                self.export_units.name(),
                up.name()
            ),
            told: Vec::new(),
            lost: Vec::new(),
        }))
    }

    /// Times of a film whose first frame has the number that it was given, as its time code.
    pub fn renumbered(&self, times: FilmTimes) -> FilmTimes {
        match self.export_start {
            Some(start) => FilmTimes {
                start: f64::from(start) / times.rate,
                codes: times.rate,
                ..times
            },
            None => times,
        }
    }

    /// The axis that points up in the file, and what says so.
    fn up(&self, stage: &BuiltScene, format: &Format) -> anyhow::Result<(Up, &'static str)> {
        self.export_up
            .axis(stage.file_axes(), format)
            .map_err(|why| {
                let name = format.name;
                Usage(format!("{why} ({name}); choose --export-up y or z")).into()
            })
    }
}

/// What to say where no format is called `id`, as the name of `target` ends or as was asked.
fn no_format(target: &Path, id: &str) -> String {
    let all = strands::written_names(", ");
    match (target.is_dir(), id) {
        (true, _) => format!(
            "{} is a folder; name a file in it, like {}",
            target.display(),
            target.join("hair.abc").display()
        ),
        (false, "") => format!(
            "the name {} does not say a format; let it end in .abc, say, or choose --format {all}",
            target.display()
        ),
        (false, id) => format!("\"{id}\" is no format that is written; choose --format {all}"),
    }
}
