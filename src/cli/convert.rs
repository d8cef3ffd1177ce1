//! `lovelock convert`: a groom in another format, with all of its poses.

use super::{
    cache_recorder,
    export::MOST_READ_BACK,
    export_names::older,
    output::say,
    overrides::{Overrides, SceneArgs},
    targets::CommandFiles,
    usage::Usage,
};
use crate::{
    io::{
        self,
        cache::{Frame, Writer, is_cache},
        strands::{self, Format, MovingStrands, Strands, StrandsError},
    },
    math::counted,
    mesh::Up,
    project::{built_scene, moving_groom, playback, scene::Scene},
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The name of a cache ends so.
const CACHE: &str = "cache";

/// What is said of the two files where they are one.
const CONVERTED: &str = "is to be converted";
const RESULT: &str = "the result";

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The groom
    #[arg(help = format!("The groom: {}", strands::endings_text()))]
    file: PathBuf,
    /// What to write: a groom, its strands in their order and unit; with #### for a number
    /// in the name a file for each pose; or a cache (.cache)
    out: PathBuf,
    /// hair, tfx, data, bin, ply, obj, usda, usdc, usdz, abc or cache [default: by the name's ending]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Length unit of the file's numbers, where it does not say it or says another
    #[arg(long, value_name = "UNIT")]
    units: Option<FileUnit>,
    /// Axis that points up in the file, where it does not say it or says another
    #[arg(long, value_name = "AXIS")]
    up: Option<FileUp>,
    /// For a cache: the head that the hair is on [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    head: Option<PathBuf>,
    /// For a cache: turn, size and place the groom so that its roots are nearest to the head
    #[arg(long)]
    fit: bool,
    /// For a cache: any parameter, like import.units=cm (repeatable)
    #[arg(long, value_name = "KEY=VALUE", value_parser = super::overrides::assignment)]
    set: Vec<(String, String)>,
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
    if format.carries.units && strands.metres_per_unit.is_none() {
        out.push(
            "the groom's file does not say its unit, and metres are written; say --units cm, or \
             what else it is"
                .into(),
        );
    }
    if format.carries.units && strands.up.is_none() {
        out.push(
            "the groom's file does not say which axis points up, and y is written; say --up z \
             where that is wrong"
                .into(),
        );
    }
    out
}

pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    if is_cache(&args.file) {
        return Err(Usage(format!(
            "{} is a cache, which keeps no strands of a file; simulate its scene again and write \
             the hair with it: lovelock simulate SCENE --export hair.abc --export-every 1",
            args.file.display()
        ))
        .into());
    }
    let ending = args.out.extension();
    let ending = ending.map(|e| e.to_string_lossy().to_lowercase());
    let id = args.format.clone().or(ending).unwrap_or_default();
    if id == CACHE {
        if args.units.is_some() || args.up.is_some() {
            let text = "--units and --up are for a groom; for a cache say --set import.units=cm";
            return Err(Usage(text.into()).into());
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
    let (file, out) = (&args.file, &args.out);
    let Some((format, writing)) = strands::writer(id) else {
        return Err(Usage(format!(
            "\"{id}\" is no format that is written; choose --format {}, or cache",
            strands::written_names(", ")
        ))
        .into());
    };
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
    let first_number = moving
        .as_ref()
        .and_then(|moving| moving.times().first_number());
    let first_number = first_number.unwrap_or(1);
    let numbered = strands::numbered(out, 1);
    let mut lost = Vec::new();
    let mut poses = 1;
    match (&moving, numbered.is_some(), writing.film) {
        (None, ..) => {
            let path = numbered.unwrap_or_else(|| out.clone());
            lost = strands::write(&path, writing, &strands)?;
        }
        (Some(moving), true, _) => {
            poses = each_pose(moving, strands, &mut |number, strands| {
                let path = strands::numbered(out, first_number + number);
                let path = path.unwrap_or_else(|| out.clone());
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
            let mut film = begin(out, &moving.times()).map_err(fault)?;
            let first = strands.clone();
            poses = each_pose(moving, strands, &mut |_, strands| {
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
    lost.extend(assumed);
    let written = first_number..=first_number + poses - 1;
    lost.extend(older(out, &written));
    for line in lost {
        say!("{:<12} {line}", "")?;
    }
    Ok(())
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

/// Hands over the strands in each pose; how many there are.
fn each_pose(
    moving: &MovingStrands,
    mut strands: Strands,
    take: &mut dyn FnMut(usize, &Strands) -> Result<(), StrandsError>,
) -> anyhow::Result<usize> {
    let (mut poses, mut taken) = (0, Ok(()));
    moving.each(&mut |number, points| {
        strands.points = points;
        taken = take(number, &strands);
        poses = number + 1;
        taken.is_ok()
    })?;
    taken?;
    Ok(poses)
}

/// Writes all poses of a groom that moves as a cache, on a head.
fn to_cache(args: &ConvertArgs) -> anyhow::Result<()> {
    let (moving, scene) = moving_groom::open(&args.file, &Scene::default())?;
    let own = SceneArgs {
        overrides: Overrides {
            head: args.head.clone(),
            fit: args.fit,
            set: args.set.clone(),
            ..Overrides::default()
        },
        ..SceneArgs::default()
    };
    let scene = own.lay_over(scene)?;
    let targets = CommandFiles::default().reads(CONVERTED, &args.file);
    let targets = targets.reads_scene(&own, &scene);
    targets.writes(RESULT, &args.out).check()?;
    let stage = built_scene::build(&scene)?;
    if let Some(bound) = &stage.bound {
        say!("hair: {}", bound.summary)?;
    }
    let worn = moving_groom::RestPose::new(&moving, &scene).wear(&stage)?;
    let planned = u32::try_from(moving.poses()).unwrap_or(u32::MAX);
    let mut header = playback::header(&args.out, &scene, &stage, planned);
    header.fps = moving.rate();
    let mut writer = Writer::create(&args.out, header)?;
    let (mut frame, mut written) = (Frame::default(), Ok(()));
    moving.each(&mut |number, points| {
        worn.write(&points, number as u32, moving.rate(), &mut frame);
        written = writer.write(&frame);
        written.is_ok()
    })?;
    written?;
    say!(
        "{:<12} {}",
        "cache",
        cache_recorder::finish(writer, &args.out)?
    )
}
