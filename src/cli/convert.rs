//! `lovelock convert`: a groom in another format, with all of its poses, and the hair of a
//! cache.

use super::{
    cache_recorder::{self, CacheFrames, CacheTarget, Span},
    export::{ExportArgs, MOST_READ_BACK},
    export_names::{check_name, older},
    output::{make_folder, say},
    overrides::{Overrides, SceneArgs},
    progress::CountBar,
    targets::CommandFiles,
    usage::Usage,
};
use crate::{
    io::{
        self,
        cache::{Frame, is_cache},
        strands::{self, FilmTimes, Format, MovingStrands, Strands, StrandsError, Velocities},
    },
    math::counted,
    mesh::{self, Up},
    project::{built_scene, moving_groom, playback, scene::Scene},
};
use anyhow::Context as _;
use clap::{Arg, Args, ValueEnum, builder::Resettable};
use std::path::{Path, PathBuf};

/// The name of a cache ends so.
const CACHE: &str = "cache";

/// What is said of the two files where they are one.
const CONVERTED: &str = "is to be converted";
const RESULT: &str = "the result";

#[derive(Debug, Args)]
#[command(
    mut_arg("export", as_result),
    mut_arg("format", or_cache),
    // Nothing is simulated: a cache has its own frames.
    mut_arg("export_fps", |fps| fps.hide(true)),
    mut_arg("export_every", |every| every.hide(true))
)]
pub struct ConvertArgs {
    /// The groom or cache
    #[arg(index = 1, help = format!("The groom: {}; or a cache", strands::endings_text()))]
    file: PathBuf,
    /// Of a cache: from which frame to which, both included, or how many [default: all]
    #[arg(long, value_name = "N|A..B")]
    frames: Option<Span>,
    /// Length unit of the file's numbers, where it does not say it or says another
    #[arg(long, value_name = "UNIT")]
    units: Option<FileUnit>,
    /// Axis that points up in the file, where it does not say it or says another
    #[arg(long, value_name = "AXIS")]
    up: Option<FileUp>,
    /// For a cache: the head that the hair is on [default: the built-in one, or that of the
    /// cache's scene]
    #[arg(long, value_name = "FILE")]
    head: Option<PathBuf>,
    /// Replace the cache that is to be written, where one is there
    #[arg(long)]
    overwrite: bool,
    /// For a cache: turn, size and place the groom so that its roots are nearest to the head
    #[arg(long)]
    fit: bool,
    /// For a cache: any parameter, like import.units=cm (repeatable)
    #[arg(long, value_name = "KEY=VALUE", value_parser = super::overrides::assignment)]
    set: Vec<(String, String)>,
    // No clap help: a doc comment here would be the command's.
    #[allow(missing_docs)]
    // As `simulate` has it; the file is a place here and no option.
    #[command(flatten)]
    export: ExportArgs,
}

/// The file of an export, as the second thing that a conversion is told.
fn as_result(arg: Arg) -> Arg {
    arg.long(Resettable::Reset)
        .index(2)
        .required(true)
        .value_name("OUT")
        .help_heading(Resettable::Reset)
        .help(
            "What to write: a groom, its strands in their order and unit, or a cache's frames; \
             with #### for a number in the name a file for each pose; or a cache (.cache)",
        )
}

/// The format of an export, which may be a cache, too.
fn or_cache(arg: Arg) -> Arg {
    arg.help_heading(Resettable::Reset).help(
        "hair, tfx, data, bin, ply, obj, usda, usdc, usdz, abc or cache [default: by the name's \
         ending]",
    )
}

/// A length unit that a file's numbers are in.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum FileUnit {
    /// Metres
    M,
    /// Decimetres
    Dm,
    /// Centimetres
    Cm,
    /// Millimetres
    Mm,
}

/// An axis that points up in a file that can say so.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum FileUp {
    /// y
    Y,
    /// z
    Z,
}

impl ConvertArgs {
    /// The file to write.
    fn out(&self) -> &Path {
        self.export.target_name().unwrap_or(Path::new(""))
    }

    /// What is to differ from the scene of the hair.
    fn overrides(&self) -> SceneArgs {
        SceneArgs {
            overrides: Overrides {
                head: self.head.clone(),
                fit: self.fit,
                set: self.set.clone(),
                ..Overrides::default()
            },
            ..SceneArgs::default()
        }
    }

    /// Lets strands say the unit and axis that were given.
    fn put_right(&self, strands: &mut Strands) {
        let metres = self.units.map(|unit| match unit {
            FileUnit::M => 1.0,
            FileUnit::Dm => 0.1,
            FileUnit::Cm => 0.01,
            FileUnit::Mm => 0.001,
        });
        strands.metres_per_unit = metres.or(strands.metres_per_unit);
        let up = self.up.map(|up| match up {
            FileUp::Y => Up::Y,
            FileUp::Z => Up::Z,
        });
        strands.up = up.or(strands.up);
    }
}

/// What a file that says unit and axis claims of strands that do not.
fn assumed(strands: &Strands, format: &Format) -> Vec<String> {
    let mut out = Vec::new();
    if format.carries.always_units && strands.metres_per_unit.is_none() {
        out.push(
            "the groom's file does not say its unit, and metres are written; say --units cm, or \
             what else it is"
                .into(),
        );
    }
    if format.carries.always_units && strands.up.is_none() {
        out.push(
            "the groom's file does not say which axis points up, and y is written; say --up z \
             where that is wrong"
                .into(),
        );
    }
    out
}

/// What to say of meshes beside the hair in a file that may hold some: they are not written.
fn meshes_left(file: &Path) -> Option<String> {
    let ending = file.extension()?.to_string_lossy().to_lowercase();
    let format = strands::writer(&ending).map(|(format, _)| format);
    let may_hold = format.is_some_and(|format| format.carries.head.is_some()) || ending == "usd";
    let holds = may_hold && mesh::read::read(file).is_ok();
    holds.then(|| "the meshes beside the hair, like a head, are left out".into())
}

pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let ending = args.out().extension();
    let ending = ending.map(|e| e.to_string_lossy().to_lowercase());
    let id = args.export.format().map(String::from);
    let id = id.or(ending).unwrap_or_default();
    if args.overwrite && id != CACHE {
        return Err(Usage(
            "--overwrite is for a result that is a cache; any other file is replaced without it"
                .into(),
        )
        .into());
    }
    if is_cache(&args.file) {
        return from_cache(args, &id);
    }
    let of_cache = args.frames.map(|_| "--frames").or(args.export.option());
    if let Some(option) = of_cache {
        return Err(Usage(format!(
            "{option} is for the hair of a cache, and {} is none; a groom is written as it is",
            args.file.display()
        ))
        .into());
    }
    if id == CACHE {
        if args.units.is_some() || args.up.is_some() {
            let text = "--units and --up are for a groom; for a cache say --set import.units=cm";
            return Err(Usage(text.into()).into());
        }
        if let Some(option) = args.export.animation_option() {
            return Err(Usage(format!(
                "{option} is for a file that is no cache; a cache has the groom's own frames"
            ))
            .into());
        }
        return to_cache(args);
    }
    if args.head.is_some() || args.fit || !args.set.is_empty() {
        return Err(Usage(
            "--head, --fit and --set are for a cache; a groom is written as it is".into(),
        )
        .into());
    }
    to_groom(args, &id)
}

/// Writes the groom, or all of its poses, as they are in the file.
fn to_groom(args: &ConvertArgs, id: &str) -> anyhow::Result<()> {
    let (file, out) = (&args.file, args.out());
    let Some((format, writing)) = strands::writer(id) else {
        return Err(Usage(format!(
            "\"{id}\" is no format that is written; choose --format {}, or cache",
            strands::written_names(", ")
        ))
        .into());
    };
    check_name(out)?;
    let targets = CommandFiles::default().reads(CONVERTED, file);
    targets.writes(RESULT, out).check()?;
    let (moving, mut strands) = match MovingStrands::open(file)? {
        Some(moving) => {
            let strands = moving.strands().clone();
            (Some(moving), strands)
        }
        None => (None, strands::read(file)?.1.evaluated()),
    };
    args.put_right(&mut strands);
    let assumed = assumed(&strands, format);
    // That there are more poses is no loss: all are written.
    let poses_left = strands.poses_left();
    let mut notes = strands.warnings();
    strands.notes.clear();
    notes.retain(|note| moving.is_none() || Some(note) != poses_left.as_ref());
    args.export
        .check_animation(format, moving.is_some(), "leave it out")?;
    let times = moving.as_ref().map(MovingStrands::times);
    let times = times.map(|times| args.export.renumbered(times));
    let first_number = times.as_ref().and_then(FilmTimes::first_number);
    let chosen = args.export.start().map(|start| start as usize);
    let first_number = chosen.or(first_number).unwrap_or(1);
    let velocities = times
        .filter(|_| args.export.velocities())
        .map(|times| Velocities::new(times.rate));
    let numbered = strands::numbered(out, 1);
    make_folder_for(out)?;
    let mut lost = Vec::new();
    let mut poses = 1;
    match (&moving, numbered.is_some(), writing.film) {
        (None, ..) => {
            let path = numbered.unwrap_or_else(|| out.into());
            lost = strands::write(&path, writing, &strands)?;
        }
        (Some(moving), true, _) => {
            poses = each_pose(moving, strands, velocities, &mut |number, strands| {
                let path = strands::numbered(out, first_number + number);
                let path = path.unwrap_or_else(|| out.into());
                for line in strands::write(&path, writing, strands)? {
                    if !lost.contains(&line) && lost.len() < 8 {
                        lost.push(line);
                    }
                }
                Ok(())
            })?;
        }
        (Some(moving), false, Some(begin)) => {
            let fault = |error: std::io::Error| StrandsError::Write {
                path: out.into(),
                reason: io::reason(&error),
            };
            let mut film = begin(out, &times.unwrap_or_else(|| moving.times())).map_err(fault)?;
            let first = strands.clone();
            poses = each_pose(moving, strands, velocities, &mut |_, strands| {
                film.add(strands).map_err(fault)
            })?;
            film.finish().map_err(fault)?;
            if std::fs::metadata(out).is_ok_and(|found| found.len() <= MOST_READ_BACK) {
                lost = strands::lost(&first, &strands::read(out)?.1);
            }
        }
        (Some(moving), false, None) => {
            return Err(Usage(format!(
                "{} has {} poses, and a file of this format has one: write hair.####.{id}, or \
                 choose --format abc, usda, usdc or usdz",
                file.display(),
                moving.poses()
            ))
            .into());
        }
    }
    say!(
        "{:<12} {}, {}{}",
        "converted",
        out.display(),
        format.name,
        told(poses, moving.as_ref())
    )?;
    lost.extend(notes);
    lost.extend(meshes_left(file));
    lost.extend(assumed);
    let written = first_number..=first_number + poses - 1;
    lost.extend(older(out, &written));
    for line in lost {
        say!("{:<12} {line}", "")?;
    }
    Ok(())
}

/// Makes the folder of the result, before the long work.
fn make_folder_for(out: &Path) -> anyhow::Result<()> {
    match out.parent() {
        Some(folder) if folder != Path::new("") => make_folder(folder, "for the result"),
        _ => Ok(()),
    }
}

fn told(poses: usize, moving: Option<&MovingStrands>) -> String {
    moving.map_or_else(String::new, |moving| {
        format!(
            ", {} at {:.4} a second",
            counted(poses, "pose", "poses"),
            moving.rate()
        )
    })
}

/// Hands over the strands in each pose, with how fast they go where that is asked for; how
/// many there are.
fn each_pose(
    moving: &MovingStrands,
    mut strands: Strands,
    mut velocities: Option<Velocities>,
    take: &mut dyn FnMut(usize, &Strands) -> Result<(), StrandsError>,
) -> anyhow::Result<usize> {
    let (mut poses, mut taken) = (0, Ok(()));
    let mut give = |ready: &Strands| {
        taken = take(poses, ready);
        poses += 1;
        taken.is_ok()
    };
    moving.each(&mut |_, points| {
        strands.points = points;
        match &mut velocities {
            Some(velocities) => velocities.add(strands.clone()).is_none_or(|s| give(&s)),
            None => give(&strands),
        }
    })?;
    taken?;
    if let Some(last) = velocities.as_mut().and_then(Velocities::last) {
        take(poses, &last)?;
        poses += 1;
    }
    Ok(poses)
}

/// Writes frames of a cache as the hair that its scene grows.
fn from_cache(args: &ConvertArgs, id: &str) -> anyhow::Result<()> {
    let file = &args.file;
    if id == CACHE {
        return Err(Usage(format!(
            "{} is a cache already; name a groom, like hair.abc, or copy the file",
            file.display()
        ))
        .into());
    }
    if args.units.is_some() || args.up.is_some() || args.fit {
        let text = "--units, --up and --fit are for a groom; what is written of a cache is in \
                    metres, or what --export-units and --export-up say";
        return Err(Usage(text.into()).into());
    }
    let (mut film, scene) = CacheFrames::open(file)?;
    let own = args.overrides();
    let scene = own.lay_over(scene)?;
    let frames = film.span(args.frames)?;
    args.export.check_recorded(file, &frames)?;
    let targets = CommandFiles::default().reads(CONVERTED, file);
    let targets = targets.reads_scene(&own, &scene);
    args.export.among_results(RESULT, targets).check()?;
    make_folder_for(args.out())?;
    let stage = built_scene::build(&scene).with_context(|| {
        format!(
            "{} holds no head and no attributes of strands, and its scene cannot be built; where \
             a file of it lies elsewhere now, say so with --set head.file=FILE or --set \
             import.file=FILE",
            file.display()
        )
    })?;
    film.wear(&stage)?;
    let count = u64::from(frames.end() - frames.start()) + 1;
    let begun = args
        .export
        .begin_recorded(&stage, &scene, &frames, film.fps());
    let Some(mut export) = begun? else {
        return Ok(());
    };
    let mut progress = CountBar::new("frames", count);
    for (done, number) in frames.enumerate() {
        export.take(&stage, &scene, film.frame(number)?)?;
        progress.at(done as u64 + 1);
    }
    drop(progress);
    for line in export.finish()? {
        say!("{line}")?;
    }
    Ok(())
}

/// Writes all poses of a groom that moves as a cache, on a head.
fn to_cache(args: &ConvertArgs) -> anyhow::Result<()> {
    let out = args.out();
    let (moving, scene) = moving_groom::open(&args.file, &Scene::default())?;
    let own = args.overrides();
    let scene = own.lay_over(scene)?;
    let targets = CommandFiles::default().reads(CONVERTED, &args.file);
    let targets = targets.reads_scene(&own, &scene);
    targets.writes_cache(RESULT, out).check()?;
    let name = args.file.file_stem();
    let target = CacheTarget {
        path: out,
        overwrite: args.overwrite,
        scene_name: name.map(|name| name.to_string_lossy().into_owned()),
    };
    target.check(RESULT, Path::new("other.abc"))?;
    make_folder_for(out)?;
    let stage = built_scene::build(&scene)?;
    if let Some(bound) = &stage.bound {
        say!("hair: {}", bound.summary)?;
    }
    let worn = moving_groom::RestPose::new(&moving, &scene).wear(&stage)?;
    let planned = u32::try_from(moving.poses()).unwrap_or(u32::MAX);
    let mut header = playback::header(out, &scene, &stage, planned);
    header.fps = moving.rate();
    let mut writer = target.begin(header)?;
    let (mut frame, mut written) = (Frame::default(), Ok(()));
    moving.each(&mut |number, points| {
        worn.write(&points, number as u32, moving.rate(), &mut frame);
        written = writer.write(&frame);
        written.is_ok()
    })?;
    written?;
    say!("{:<12} {}", "cache", cache_recorder::finish(writer, out)?)
}
