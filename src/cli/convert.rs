//! `lovelock convert`: a groom in another format, with all of its poses, and the hair of a
//! cache.

mod groom;

use super::{
    cache_recorder::{self, CacheFrames, CacheTarget, Span},
    export::{self, ExportArgs},
    output::{make_folder, say},
    overrides::{Overrides, SceneArgs},
    progress::CountBar,
    targets::CommandFiles,
    usage::Usage,
};
use crate::{
    io::{
        cache::{ENDING as CACHE, Frame, is_cache},
        strands::{self, Strands},
    },
    mesh::Up,
    project::{built_scene, moving_groom, playback, scene::Scene},
};
use anyhow::Context as _;
use clap::{Arg, Args, ValueEnum, builder::Resettable};
use std::path::{Path, PathBuf};

/// What is said of the two files where they are one.
const CONVERTED: &str = "is to be converted";
const RESULT: &str = "the result";

#[derive(Debug, Args)]
#[command(
    mut_arg("export", as_result),
    mut_arg("format", or_cache),
    mut_arg("export_fps", of_sequence),
    // Nothing is simulated: a cache has its own frames.
    mut_arg("export_every", |every| every.hide(true))
)]
pub struct ConvertArgs {
    /// The groom or cache
    #[arg(index = 1, help = format!(
        "The groom: {}; a sequence of such files of the same hair, like hair.####.tfx; or a cache",
        strands::endings_text()
    ))]
    file: PathBuf,
    /// Of a cache: from which frame to which, both included, or how many (without it, all)
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
    /// Replace a cache that is there, or a file of another kind than what is written
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
            "What to write: a groom, its strands in their order, and in its unit and axis unless \
             --export-units and --export-up say others; or a cache's frames; with #### for a \
             number in the name a file for each pose; or a cache (.cache)",
        )
}

/// The rate of an export, which is for a sequence of files here.
fn of_sequence(arg: Arg) -> Arg {
    arg.help("Of a sequence of files: so many are a second of the animation [default: 24]")
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

pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let ending = args.out().extension();
    let ending = ending.map(|e| e.to_string_lossy().to_lowercase());
    let id = args.export.format().map(String::from);
    let id = id.or(ending).unwrap_or_default();
    if is_cache(&args.file) {
        return from_cache(args, &id);
    }
    // A cache of a groom is in metres.
    let of_grooms: &[&str] = match id == CACHE {
        true => &[],
        false => &[
            "--export-for",
            "--export-units",
            "--export-up",
            "--export-fps",
        ],
    };
    let of_cache = args.frames.map(|_| "--frames");
    if let Some(option) = of_cache.or(args.export.option_but(of_grooms)) {
        return Err(Usage(format!(
            "{option} is for the hair of a cache, and {} is none; of a groom its strands are \
             written as they are",
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
        if groom::is_sequence(&args.file) {
            let file = args.file.display();
            return Err(Usage(format!(
                "a cache is made of one file, and {file} is a sequence of them; first write that \
                 as one, like hair.abc"
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
    groom::to_groom(args, &id)
}

/// Makes the folder of the result, before the long work.
fn make_folder_for(out: &Path) -> anyhow::Result<()> {
    match out.parent() {
        Some(folder) if folder != Path::new("") => make_folder(folder, "for the result"),
        _ => Ok(()),
    }
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
    let targets = CommandFiles::default().overwrites(args.overwrite);
    let targets = targets.reads(CONVERTED, file);
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
    for line in export::finish(export)? {
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
