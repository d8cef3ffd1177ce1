//! `lovelock simulate --export`: hair into files of other programs.

mod recorded;

use super::{
    export_units::{ExportStrands, ExportUp, LengthUnit, TargetProgram},
    output::make_folder_of,
    result_kind::ResultKind,
    targets::CommandFiles,
    usage::Usage,
};
use crate::{
    io::strands::{self, FilmTimes, Format, Writing},
    math::counted,
    project::{
        built_scene::BuiltScene,
        export::{
            self, ExportError, ExportOptions, ExportPace, FrameExport, FrameFiles, HIGHEST_START,
            HeadGoes, MOST_FRAMES_A_SECOND, frames_in,
        },
        scene::Scene,
        tween::Tween,
    },
};
use clap::Args;
use std::path::{Path, PathBuf};

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
    /// The program that the file is meant for: chooses unit, axis and strands where no other
    /// option does
    #[arg(long, value_name = "PROGRAM", requires = "export")]
    export_for: Option<TargetProgram>,
    /// Length unit of the file [default: m]
    #[arg(long, value_name = "UNIT", requires = "export")]
    export_units: Option<LengthUnit>,
    /// Axis that points up in the file: head takes that of the head's file, or with the
    /// built-in head that of the groom's [default: head]
    #[arg(long, value_name = "AXIS", requires = "export")]
    export_up: Option<ExportUp>,
    /// An animation of N frames a second, mixed of two steps where needed [default for files
    /// with a number: capture.fps]
    #[arg(long, value_name = "N", requires = "export", conflicts_with = "export_every", value_parser = fps)]
    export_fps: Option<f64>,
    /// An animation: the beginning, and a frame after each N steps of the simulation
    #[arg(long, value_name = "N", requires = "export", value_parser = steps)]
    export_every: Option<u64>,
    /// Number of the first frame, in names of files and as time code [default: files from 1,
    /// time codes from 0]
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u32).range(..=i64::from(HIGHEST_START)))]
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
    /// The camera of the scene too, within USD and Alembic files: it follows its keys, for
    /// pictures of capture.size (16:9 where that is the window's)
    #[arg(long, requires = "export")]
    export_camera: bool,
    /// Whether `#` in the name is no more than that, and no place for a number.
    #[arg(skip)]
    literal: bool,
}

/// Steps between two frames.
fn steps(text: &str) -> Result<u64, String> {
    let steps = text.parse().ok().filter(|steps| *steps >= 1);
    steps.ok_or_else(|| "give a number of steps, 1 or more".into())
}

/// Frames a second.
fn fps(text: &str) -> Result<f64, String> {
    let fps = text
        .parse()
        .ok()
        .filter(|fps| (0.1..=MOST_FRAMES_A_SECOND).contains(fps));
    fps.ok_or_else(|| format!("give frames a second, from 0.1 to {MOST_FRAMES_A_SECOND}"))
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
            export_for: None,
            export_units: Some(unit),
            export_up: Some(ExportUp::Y),
            export_start: None,
            export_drawn: drawn,
            export_strands: None,
            export_head: head,
            export_velocities: false,
            export_camera: false,
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
        Ok(export.lost().to_vec())
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
        let asked = self.asked().ok().flatten();
        let targets = match &asked {
            Some((_, format, _)) => targets.writes_as(what, path, ResultKind::Hair(format)),
            None => targets.writes(what, path),
        };
        let goes = asked.map(|(_, format, _)| HeadGoes::of(self.export_head, format));
        match goes.and_then(|goes| goes.file(path)) {
            Some(head) => targets.writes_as("--export-head", &head, ResultKind::Mesh),
            None => targets,
        }
    }

    /// The number that the first frame was given.
    pub fn start(&self) -> Option<u32> {
        self.export_start
    }

    /// The unit that was asked for.
    pub fn unit(&self) -> Option<LengthUnit> {
        self.export_units
            .or(self.export_for.map(TargetProgram::unit))
    }

    /// The axis that was asked for.
    pub fn up(&self) -> ExportUp {
        let meant = self.export_for.map(TargetProgram::up);
        self.export_up.or(meant).unwrap_or_default()
    }

    /// The frames a second that were asked for.
    pub fn fps(&self) -> Option<f64> {
        self.export_fps
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
        let files = self.files()?;
        Ok(files.as_ref().map_or(Ok(()), FrameFiles::probe)?)
    }

    /// Where to write, and as what; none when nothing was asked for.
    fn files(&self) -> anyhow::Result<Option<FrameFiles>> {
        let Some((path, format, writing)) = self.asked()? else {
            return Ok(None);
        };
        let strands = match self.export_drawn {
            true => ExportStrands::All,
            false => {
                let meant = self.export_for.map(|_| ExportStrands::All);
                self.export_strands.or(meant).unwrap_or_default()
            }
        };
        Ok(Some(FrameFiles {
            numbered: self.numbered(&path).is_some(),
            path,
            format,
            writing,
            options: ExportOptions {
                strands,
                unit: self.unit().unwrap_or_default(),
                up: self.up(),
                head: self.export_head,
            },
            velocities: self.export_velocities,
            camera: self.export_camera,
            start: self.export_start,
            together: false,
        }))
    }

    /// The file or pattern to write, and as what; none when nothing was asked for.
    fn asked(&self) -> anyhow::Result<Option<(PathBuf, &'static Format, &'static Writing)>> {
        let Some(target) = self.export.clone() else {
            return Ok(None);
        };
        if !self.literal {
            export::check_name(&target).map_err(Usage)?;
        }
        let ending = target
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        let id = self.format.clone().or(ending).unwrap_or_default();
        let Some((format, writing)) = strands::writer(&id) else {
            return Err(Usage(no_format(&target, &id, "")).into());
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
        let carries = &format.carries;
        for (asked, option, what) in [
            (
                self.export_velocities && !carries.animation,
                "--export-velocities",
                "none",
            ),
            (
                self.export_camera && carries.camera.is_none(),
                "--export-camera",
                "no camera",
            ),
        ] {
            if asked {
                return Err(Usage(format!(
                    "{option}: a file of {} holds {what}; choose --format abc, usda, usdc or usdz",
                    format.name
                )));
            }
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
    ) -> anyhow::Result<Option<FrameExport>> {
        let Some((target, ..)) = self.asked()? else {
            return Ok(None);
        };
        let numbered = self.numbered(&target).is_some();
        let rate = f64::from(scene.sim.step.rate);
        let usual = numbered.then_some(f64::from(scene.capture.fps));
        let pace = match (self.export_every, self.export_fps.or(usual)) {
            (Some(every), _) => ExportPace::Steps(every),
            (None, Some(fps)) => ExportPace::Rate(fps, Tween::new(&stage.simulation)),
            (None, None) => ExportPace::End,
        };
        let plan = match &pace {
            ExportPace::End => None,
            ExportPace::Steps(every) => Some((1 + (steps / every) as usize, rate / *every as f64)),
            ExportPace::Rate(fps, _) => Some((frames_in(steps as f64 / rate, *fps), *fps)),
        };
        let begun = self.begin_paced(stage, scene, pace, plan, 0)?;
        Ok(begun.map(|export| export.telling_moves(scene, "; --motion none keeps the head still")))
    }

    /// Begins it at that pace, with so many frames `skipped` before the first.
    fn begin_paced(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        pace: ExportPace,
        plan: Option<(usize, f64)>,
        skipped: usize,
    ) -> anyhow::Result<Option<FrameExport>> {
        let files = self.files()?;
        let begun = files.map(|files| files.begin(stage, scene, pace, plan, skipped, &|| true));
        begun.transpose().map_err(|error| match error {
            ExportError::Axis { .. } => Usage(format!("{error}; choose --export-up y or z")).into(),
            error => error.into(),
        })
    }

    /// Times of a film whose first frame has the number that it was given, as its time code.
    pub fn renumbered(&self, times: FilmTimes) -> FilmTimes {
        export::renumbered(times, self.export_start)
    }
}

/// Ends an export; returns the lines that say what was written and what was lost.
pub fn finish(export: FrameExport) -> anyhow::Result<Vec<String>> {
    let report = export.finish()?.reading_back()?;
    let frames = report.rate.map_or_else(String::new, |rate| {
        format!(
            ", {} at {} a second from {}",
            counted(report.frames, "frame", "frames"),
            (1e4 * rate).round() / 1e4,
            report.from
        )
    });
    let mut said = vec![format!(
        "{:<12} {}{frames}, {}, {}",
        "exported",
        report.path.display(),
        report.format.name,
        report.space
    )];
    let head = report.head.map(|place| format!("{:<12} {place}", "head"));
    let camera = report
        .camera
        .map(|place| format!("{:<12} {place}", "camera"));
    said.extend(head.into_iter().chain(camera));
    let lies = name_lies(&report.path, report.format);
    said.extend(lies.map(|line| format!("{:<12} {line}", "")));
    let told = report.told.into_iter();
    said.extend(told.map(|line| format!("{:<12} {line}", "")));
    Ok(said)
}

/// What to say of a name that ends as files of another format do.
pub fn name_lies(path: &Path, format: &Format) -> Option<String> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    let known = strands::endings().any(|known| known == ending) && ending != "usd";
    let lies = known && !format.endings.contains(&&ending[..]);
    lies.then(|| {
        format!(
            "the name ends in .{ending}, and the file is {}: programs that go by names will not \
             read it",
            format.name
        )
    })
}

/// What to say where no format is called `id`, as the name of `target` ends or as was asked;
/// `more` is what else can be written.
pub fn no_format(target: &Path, id: &str, more: &str) -> String {
    let all = strands::written_names(", ") + more;
    match (target.is_dir(), id) {
        (true, _) => format!(
            "{} is a folder; name a file in it, like {}",
            target.display(),
            target.join("hair.abc").display()
        ),
        (false, "") => format!(
            "{} has no ending that says a format; let the name end in .abc, say, or choose --format \
             {all}",
            target.display()
        ),
        (false, id) => format!("\"{id}\" is no format that is written; choose --format {all}"),
    }
}
