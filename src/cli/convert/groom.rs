//! A groom into another format, with all of its poses; in its own unit and axis, or in others.

use super::{CONVERTED, ConvertArgs, RESULT, make_folder_for};
use crate::{
    cli::{
        export::{name_lies, no_format},
        export_units::{ExportUp, LengthUnit},
        output::{cannot_write, say},
        result_kind::ResultKind,
        targets::CommandFiles,
        usage::Usage,
    },
    io::{
        self,
        strands::{self, FilmTimes, Format, MovingStrands, Strands, StrandsError, Velocities},
    },
    math::counted,
    mesh::{self, Up},
    project::export::{MOST_READ_BACK, check_name, older},
};
use std::path::Path;

/// Frames a second of a sequence of files where nobody says. `[1/s]`
const RATE: f64 = 24.0;

/// How points in the file's unit and axis become those of the result.
#[derive(Clone, Copy)]
struct SpaceChange {
    scale: f64,
    from: Up,
    to: Up,
}

impl SpaceChange {
    /// That of `strands` for a file of that `format` with the unit and axis asked for, which they
    /// then say; and what was taken for what their file does not say.
    fn new(
        strands: &mut Strands,
        unit: Option<LengthUnit>,
        up: ExportUp,
        format: &Format,
    ) -> Result<(Self, Vec<String>), Usage> {
        let mut taken = Vec::new();
        let to = match up {
            ExportUp::Head => None,
            ExportUp::Y => Some(Up::Y),
            ExportUp::Z => Some(Up::Z),
            ExportUp::X if format.carries.always_units => {
                return Err(Usage(
                    "in a file of this format y or z is up; choose --export-up y or z".into(),
                ));
            }
            ExportUp::X => Some(Up::X),
        };
        let from = strands.up.unwrap_or(Up::Y);
        if to.is_some() && strands.up.is_none() {
            taken.push(
                "the groom's file does not say which axis points up, and y was taken; say --up z \
                 where that is wrong"
                    .into(),
            );
        }
        let metres = unit.map(LengthUnit::metres);
        let own = strands.metres_per_unit.unwrap_or(1.0);
        if metres.is_some() && strands.metres_per_unit.is_none() {
            taken.push(
                "the groom's file does not say its unit, and metres were taken; say --units cm, or \
                 what else it is"
                    .into(),
            );
        }
        let change = Self {
            scale: metres.map_or(1.0, |metres| own / metres),
            from,
            to: to.unwrap_or(from),
        };
        strands.metres_per_unit = metres.or(strands.metres_per_unit);
        strands.up = to.or(strands.up);
        if change.turns() && strands.attributes.iter().any(|column| column.each == 3) {
            taken.push("columns of three numbers stay as they are, and are not turned".into());
        }
        Ok((change, taken))
    }

    fn turns(self) -> bool {
        self.from.laid(glam::Vec3::X) != self.to.laid(glam::Vec3::X)
            || self.from.laid(glam::Vec3::Y) != self.to.laid(glam::Vec3::Y)
    }

    /// Brings points there.
    fn points(self, points: &mut [glam::Vec3]) {
        if self.turns() {
            points
                .iter_mut()
                .for_each(|p| *p = self.to.laid(self.from.upright(*p)));
        }
        // What keeps its unit keeps every bit.
        if self.scale != 1.0 {
            let scaled = |p: glam::Vec3| (p.as_dvec3() * self.scale).as_vec3();
            points.iter_mut().for_each(|p| *p = scaled(*p));
        }
    }

    /// Brings the first pose there, with its widths.
    fn strands(self, strands: &mut Strands) {
        self.points(&mut strands.points);
        if self.scale != 1.0 {
            let scaled = |width: f32| (f64::from(width) * self.scale) as f32;
            strands.widths.iter_mut().for_each(|w| *w = scaled(*w));
        }
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

/// What to say of velocities that the groom's file has and the new one, of that `format`, has
/// not; whether the groom `moves`.
fn velocities_left(
    strands: &Strands,
    args: &ConvertArgs,
    format: &Format,
    moves: bool,
) -> Option<String> {
    let cure = match moves && format.carries.animation {
        true => "; --export-velocities works them out anew, from pose to pose",
        false => "",
    };
    let left = strands.says_velocities && !args.export.velocities();
    left.then(|| format!("the velocities of points in the groom's file are left out{cure}"))
}

/// What to say of meshes beside the hair in a file that may hold some: they are not written.
fn meshes_left(file: &Path) -> Option<String> {
    let ending = file.extension()?.to_string_lossy().to_lowercase();
    let format = strands::writer(&ending).map(|(format, _)| format);
    let may_hold = format.is_some_and(|format| format.carries.head.is_some()) || ending == "usd";
    let holds = may_hold && mesh::read::read(file).is_ok();
    holds.then(|| "the meshes beside the hair, like a head, are left out".into())
}

/// The poses of the groom, where there are several, and the first of them.
fn open(args: &ConvertArgs) -> anyhow::Result<(Option<MovingStrands>, Strands)> {
    let file = &args.file;
    let fps = args.export.fps();
    if is_sequence(file) {
        let moving = MovingStrands::open_sequence(file, fps.unwrap_or(RATE))?;
        let strands = moving.strands().clone();
        return Ok((Some(moving), strands));
    }
    if fps.is_some() {
        return Err(Usage(format!(
            "--export-fps is for a sequence of files, like hair.####.tfx; {} is one file, whose \
             poses keep their times",
            file.display()
        ))
        .into());
    }
    Ok(match MovingStrands::open(file)? {
        Some(moving) => {
            let strands = moving.strands().clone();
            (Some(moving), strands)
        }
        None => (None, strands::read(file)?.1.evaluated()),
    })
}

/// Whether that is no file but a name with a place for a number.
pub(super) fn is_sequence(file: &Path) -> bool {
    strands::numbered(file, 1).is_some() && !file.exists()
}

/// Writes the groom, or all of its poses, as they are in the file but for the unit and axis
/// that are asked for.
pub(super) fn to_groom(args: &ConvertArgs, id: &str) -> anyhow::Result<()> {
    let (file, out) = (&args.file, args.out());
    let Some((format, writing)) = strands::writer(id) else {
        return Err(Usage(no_format(out, id, ", or cache")).into());
    };
    check_name(out).map_err(Usage)?;
    let targets = CommandFiles::default().overwrites(args.overwrite);
    let targets = targets.reads(CONVERTED, file);
    targets
        .writes_as(RESULT, out, ResultKind::Hair(format))
        .check()?;
    let (moving, mut strands) = open(args)?;
    args.put_right(&mut strands);
    let (unit, up) = (args.export.unit(), args.export.up());
    let (change, mut taken) = SpaceChange::new(&mut strands, unit, up, format)?;
    change.strands(&mut strands);
    taken.extend(assumed(&strands, format));
    let velocities_left = velocities_left(&strands, args, format, moving.is_some());
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
    let first = strands::numbered(out, first_number).unwrap_or_else(|| out.into());
    io::probe(&first).map_err(|error| cannot_write(&first, &error))?;
    let mut lost = Vec::new();
    let mut poses = 1;
    match (&moving, numbered.is_some(), writing.film) {
        (None, ..) => {
            let path = numbered.unwrap_or_else(|| out.into());
            lost = strands::write(&path, writing, &strands)?;
        }
        (Some(moving), true, _) => {
            poses = each_pose(
                moving,
                strands,
                change,
                velocities,
                &mut |number, strands| {
                    let path = strands::numbered(out, first_number + number);
                    let path = path.unwrap_or_else(|| out.into());
                    for line in strands::write(&path, writing, strands)? {
                        if !lost.contains(&line) && lost.len() < 8 {
                            lost.push(line);
                        }
                    }
                    Ok(())
                },
            )?;
        }
        (Some(moving), false, Some(begin)) => {
            let fault = |error: std::io::Error| StrandsError::Write {
                path: out.into(),
                reason: io::reason(&error),
            };
            let mut film = begin(out, &times.unwrap_or_else(|| moving.times())).map_err(fault)?;
            let first = strands.clone();
            poses = each_pose(moving, strands, change, velocities, &mut |_, strands| {
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
        "{:<12} {}, {}{}{}",
        "converted",
        out.display(),
        format.name,
        told(poses, moving.as_ref()),
        space(args)
    )?;
    lost.extend(name_lies(out, format));
    lost.extend(notes);
    lost.extend(velocities_left);
    lost.extend(meshes_left(file));
    lost.extend(taken);
    let written = first_number..=first_number + poses - 1;
    lost.extend(older(out, &written));
    for line in lost {
        say!("{:<12} {line}", "")?;
    }
    Ok(())
}

/// The unit and axis that were asked for, in words.
fn space(args: &ConvertArgs) -> String {
    let unit = args
        .export
        .unit()
        .map(|unit| format!(", in {}", unit.name()));
    let up = match args.export.up() {
        ExportUp::Head => None,
        up => Some(format!(", {} up", up.name())),
    };
    unit.unwrap_or_default() + &up.unwrap_or_default()
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
    change: SpaceChange,
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
        change.points(&mut strands.points);
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
