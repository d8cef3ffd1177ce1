//! `lovelock convert`: a groom in another format, with all of its poses.

use super::{
    cache_recorder,
    export::MOST_READ_BACK,
    output::say,
    overrides::{Overrides, SceneArgs},
    usage::Usage,
};
use crate::{
    io::{
        self,
        cache::{Frame, Writer},
        strands::{self, MovingStrands, Strands, StrandsError},
    },
    math::counted,
    project::{built_scene, moving_groom, playback, scene::Scene},
};
use clap::Args;
use std::path::{Path, PathBuf};

/// The name of a cache ends so.
const CACHE: &str = "cache";

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

pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let ending = args.out.extension();
    let ending = ending.map(|e| e.to_string_lossy().to_lowercase());
    let id = args.format.clone().or(ending).unwrap_or_default();
    if id == CACHE {
        return to_cache(args);
    }
    if args.head.is_some() || args.fit || !args.set.is_empty() {
        return Err(Usage(
            "--head, --fit and --set are for a cache; a groom is written as it is".into(),
        )
        .into());
    }
    to_groom(&args.file, &args.out, &id)
}

/// Writes the groom, or all of its poses, as they are in the file.
fn to_groom(file: &Path, out: &Path, id: &str) -> anyhow::Result<()> {
    let Some((format, writing)) = strands::written().find(|(format, _)| format.id == id) else {
        return Err(Usage(format!(
            "\"{id}\" is no format that is written; choose --format {}, or cache",
            strands::written_names(", ")
        ))
        .into());
    };
    let (moving, strands) = match MovingStrands::open(file)? {
        Some(moving) => {
            let strands = moving.strands().clone();
            (Some(moving), strands)
        }
        None => (None, strands::read(file)?.1.evaluated()),
    };
    let numbered = strands::numbered(out, 1);
    let mut lost = Vec::new();
    let mut poses = 1;
    match (&moving, numbered.is_some(), writing.film) {
        (None, ..) => {
            let path = numbered.unwrap_or_else(|| out.to_path_buf());
            lost = strands::write(&path, writing, &strands)?;
        }
        (Some(moving), true, _) => {
            poses = each_pose(moving, strands, &mut |number, strands| {
                let path = strands::numbered(out, number + 1);
                let path = path.unwrap_or_else(|| out.to_path_buf());
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
            let mut film = begin(out, moving.poses(), moving.rate()).map_err(fault)?;
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
