//! Grooms in files: strands as other programs keep them, one file a format.
//!
//! Every reader hands over the same [`Strands`], as the file has them: in its
//! unit, with its axis up, the root first. What a reader needs is never more
//! than a small multiple of the file, whatever counts the file claims.

pub mod basis;
mod bytes;
mod chain;
mod data;
mod error;
mod format;
mod hair;
mod mitsuba;
pub mod obj;
mod pbrt;
mod ply;
pub mod resample;
mod text;
mod tfx;
pub mod usda;

pub use error::{Fault, FilePlace, StrandsError};
pub use format::{Carries, Detail, FORMATS, Format, Writing, written, written_names};

use crate::{
    groom::import::{Found, Loose},
    mesh::Up,
};
use glam::Vec3;
use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// Strands of a file, in its unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// Points of all strands, one strand after the other, root first.
    pub points: Vec<Vec3>,
    /// Where each strand begins in `points`, and one entry more: the end.
    pub starts: Vec<u32>,
    /// How thick hair is at each point, across; empty where the file is silent.
    pub widths: Vec<f32>,
    /// Linear RGB of each point, 0..=1; empty where the file is silent.
    pub colours: Vec<[f32; 3]>,
    /// Where each strand is rooted on the head's texture; empty where the file
    /// is silent.
    pub root_uvs: Vec<[f32; 2]>,
    /// The axis that the file says points up.
    pub up: Option<Up>,
    /// The unit that the file says it has. `[m]`
    pub metres_per_unit: Option<f64>,
    /// Which of them are cubic curves, whose control points `points` are then.
    pub cubic: Vec<basis::Cubic>,
    /// What was left out or taken otherwise than written, a sentence each.
    pub notes: Vec<String>,
}

impl Strands {
    /// Number of strands.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Indices into `points` of strand `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// The points of strand `index`, root first.
    pub fn strand(&self, index: usize) -> &[Vec3] {
        &self.points[self.range(index)]
    }

    /// The same for binding to a head, where what was `found` of the fit is kept.
    pub fn loose<'a>(&'a self, found: &'a Found) -> Loose<'a> {
        Loose {
            points: &self.points,
            starts: &self.starts,
            widths: &self.widths,
            colours: &self.colours,
            up: self.up,
            metres_per_unit: self.metres_per_unit,
            found,
        }
    }

    /// All strands in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[Vec3]> {
        (0..self.len()).map(|index| self.strand(index))
    }

    /// Fewest and most points of a strand; zero without strands.
    pub fn counts(&self) -> [usize; 2] {
        let counts = || self.iter().map(<[Vec3]>::len);
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }

    /// Smallest and largest coordinates; none without points.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let first = *self.points.first()?;
        let grow = |[min, max]: [Vec3; 2], p: &Vec3| [min.min(*p), max.max(*p)];
        Some(self.points.iter().fold([first; 2], grow))
    }

    /// Begins a strand with the points that `points` grows by from now on.
    fn begin(&mut self) -> Result<(), Fault> {
        let start = u32::try_from(self.points.len());
        self.starts
            .push(start.map_err(|_| Fault::whole(TOO_MANY.into()))?);
        Ok(())
    }
}

const TOO_MANY: &str = "it has more than 4294967295 points; split the groom";

/// Whether a file's name ends like that of a groom and of nothing else:
/// an OBJ or PLY may be a head.
pub fn is_named_like_groom(path: &Path) -> bool {
    let Some(ending) = ending(path) else {
        return false;
    };
    let known = FORMATS.iter().flat_map(|format| format.endings);
    let foreign = ["tfxbone", "tfxmesh", "usdc", "usdz", "usd", "abc"];
    ending != "obj" && known.chain(&foreign).any(|known| *known == ending)
}

/// Whether an OBJ file has lines and no faces; not when it cannot be read.
pub fn is_hair(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| obj::is(&bytes))
}

fn ending(path: &Path) -> Option<String> {
    path.extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
}

/// Reads the strands of the file `path`; which format it is, its content says
/// first and its name second.
///
/// # Errors
/// One sentence: what is wrong, where, and what to do.
pub fn read(path: &Path) -> Result<(&'static Format, Strands), StrandsError> {
    let bytes = fs::read(path).map_err(|error| StrandsError::Read {
        path: path.into(),
        reason: super::reason(&error),
    })?;
    let content = |fault| StrandsError::Content {
        path: path.into(),
        fault,
    };
    let (format, mut strands) = parse(&bytes, path).map_err(content)?;
    let bones = path.with_extension("tfxbone");
    if format.id == "tfx" && bones.is_file() {
        strands.notes.push(format!(
            "{} beside it binds the strands to bones, of which there are none here; roots are \
             bound to the head's surface instead",
            bones.file_name().unwrap_or_default().to_string_lossy()
        ));
    }
    Ok((format, strands))
}

/// Reads strands from the content of a file; `path` is asked only for its
/// ending.
///
/// # Errors
/// What is wrong with the content, where, and what to do.
pub fn parse(bytes: &[u8], path: &Path) -> Result<(&'static Format, Strands), Fault> {
    let ending = ending(path).unwrap_or_default();
    foreign(bytes, &ending)?;
    let by_name = |format: &&Format| format.endings.contains(&ending.as_str());
    // The name decides where content leaves a choice: numbers alone could be
    // many things.
    let named = FORMATS.iter().find(by_name);
    let format = named
        .filter(|format| (format.is)(bytes))
        .or_else(|| FORMATS.iter().find(|format| (format.is)(bytes)))
        .or(named)
        .ok_or_else(|| {
            let names: Vec<_> = FORMATS.iter().flat_map(|f| f.endings).collect();
            Fault::whole(format!(
                "it is no groom that can be read here; known are .{}",
                names.into_iter().copied().collect::<Vec<_>>().join(", .")
            ))
        })?;
    let mut strands = (format.read)(bytes)?;
    finish(&mut strands)?;
    Ok((format, strands))
}

/// Files that are known, and not grooms that can be read.
fn foreign(bytes: &[u8], ending: &str) -> Result<(), Fault> {
    let refuse = |text: &str| Err(Fault::whole(text.into()));
    if bytes.is_empty() {
        return refuse("it is empty; fetch or export it again");
    }
    for (start, text) in [
        (
            &b"version https://git-lfs"[..],
            "it is a Git LFS pointer and not the file itself; run `git lfs pull` where it came from",
        ),
        (
            b"PXR-USDC",
            "it is a binary USD file (.usdc); write it as text, `usdcat in.usd -o out.usda`",
        ),
        (
            b"PK\x03\x04",
            "it is a zip archive (.usdz or other); unpack it, or write it as .usda",
        ),
        (
            b"Ogawa",
            "it is an Alembic file; export the curves as .usda, .ply or .hair",
        ),
        (
            b"\x89HDF",
            "it is an HDF5 file (an old Alembic?); export the curves as .usda, .ply or .hair",
        ),
        (
            b"\x1f\x8b",
            "it is compressed with gzip; unpack it first, `gunzip FILE`",
        ),
    ] {
        if bytes.starts_with(start) {
            return refuse(text);
        }
    }
    match ending {
        "tfxbone" => refuse(
            "it only binds TressFX strands to bones; give the .tfx beside it, which has the strands",
        ),
        "tfxmesh" => refuse("it is a TressFX collision mesh; give the .tfx, which has the strands"),
        _ => Ok(()),
    }
}

/// What every file must be: numbers, and strands.
fn finish(strands: &mut Strands) -> Result<(), Fault> {
    if strands.starts.is_empty() {
        strands.starts.push(0);
    }
    let bad = strands.points.iter().position(|p| !p.is_finite());
    if let Some(point) = bad {
        let strand = strands
            .starts
            .partition_point(|start| *start as usize <= point);
        let strand = strand.saturating_sub(1);
        return Err(Fault::whole(format!(
            "point {} of strand {strand} is not a number ({}); export the groom again without it",
            point - strands.starts[strand] as usize,
            strands.points[point],
        )));
    }
    if strands.points.is_empty() {
        return Err(Fault::whole("it has no strands".into()));
    }
    // What hair looks like is worth less than hair.
    let odd = strands.widths.iter().any(|w| !w.is_finite() || *w < 0.0);
    if odd {
        strands.widths.clear();
        strands
            .notes
            .push("some widths are negative or no numbers; all are left out".into());
    }
    let colours = strands.colours.as_flattened();
    let uvs = strands.root_uvs.as_flattened();
    if colours.iter().any(|c| !c.is_finite()) {
        strands.colours.clear();
        strands
            .notes
            .push("some colours are no numbers; all are left out".into());
    }
    if uvs.iter().any(|c| !c.is_finite()) {
        strands.root_uvs.clear();
        strands
            .notes
            .push("some texture coordinates are no numbers; all are left out".into());
    }
    Ok(())
}

/// Writes `strands` to `path`, whole or not at all, after they were read back
/// from what is written, and says what is not as it was, a sentence each.
///
/// # Errors
/// When the format cannot hold them, or the file cannot be written.
pub fn write(
    path: &Path,
    writing: &Writing,
    strands: &Strands,
) -> Result<Vec<String>, StrandsError> {
    write_while(path, writing, strands, &mut |_| true).map(Option::unwrap_or_default)
}

/// The same as long as one is to `go_on`, which is told the share of the work
/// that is done; none, and nothing has changed, where it was given up.
///
/// # Errors
/// Those of [`write`](fn@write).
pub fn write_while(
    path: &Path,
    writing: &Writing,
    strands: &Strands,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Result<Option<Vec<String>>, StrandsError> {
    let content = |fault| StrandsError::Content {
        path: path.into(),
        fault,
    };
    if !go_on(0.0) {
        return Ok(None);
    }
    let bytes = (writing.write)(strands).map_err(content)?;
    if !go_on(0.4) {
        return Ok(None);
    }
    let (_, back) = parse(&bytes, path).map_err(content)?;
    let lost = lost(strands, &back);
    drop(back);
    let written = super::write_while(path, &bytes, &mut |share| go_on(0.8 + 0.2 * share));
    let written = written.map_err(|error| StrandsError::Write {
        path: path.into(),
        reason: super::reason(&error),
    })?;
    Ok(written.then_some(lost))
}

/// How `back`, which was read from a file, differs from what was written.
pub fn lost(strands: &Strands, back: &Strands) -> Vec<String> {
    let mut lines = Vec::new();
    if strands.starts == back.starts {
        let moved = strands.points.iter().zip(&back.points);
        let moved = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        if moved > 0.0 {
            lines.push(format!(
                "points moved by up to {moved:.2e} of the file's unit"
            ));
        }
    } else if strands.len() != back.len() {
        lines.push(format!(
            "{} of {} strands came back",
            back.len(),
            strands.len()
        ));
    } else {
        let [min, max] = back.counts();
        let [least, most] = strands.counts();
        lines.push(format!(
            "strands had {least} to {most} points and have {min} to {max}, evenly along their length"
        ));
    }
    let mut compare = |what: &str, had: &[f32], has: &[f32]| {
        if had.is_empty() {
            return;
        }
        if has.is_empty() {
            lines.push(format!("{what} are not in the file"));
        } else if has.len() == had.len() {
            let differ = had.iter().zip(has).map(|(a, b)| (a - b).abs());
            let most = differ.fold(0.0, f32::max);
            let range = had.iter().fold(0.0f32, |most, v| most.max(v.abs()));
            if most > 0.0 {
                lines.push(format!(
                    "{what} differ by up to {:.2} % of the largest",
                    100.0 * most / range.max(f32::MIN_POSITIVE)
                ));
            }
        }
    };
    compare("widths", &strands.widths, &back.widths);
    let [had, has] = [strands, back].map(|s| s.colours.as_flattened());
    compare("colours", had, has);
    let [had, has] = [strands, back].map(|s| s.root_uvs.as_flattened());
    compare("texture coordinates of roots", had, has);
    if strands.metres_per_unit.is_some() && back.metres_per_unit.is_none() {
        lines.push("the file does not say its unit".into());
    }
    if strands.up.is_some() && back.up.is_none() {
        lines.push("the file does not say which axis points up".into());
    }
    lines
}

/// The folder and name of a file in a pattern with `####` where a number goes.
pub fn numbered(pattern: &Path, number: usize) -> Option<PathBuf> {
    let name = pattern.file_name()?.to_string_lossy().into_owned();
    let start = name.find('#')?;
    let digits = name[start..].bytes().take_while(|c| *c == b'#').count();
    let name = format!(
        "{}{number:0digits$}{}",
        &name[..start],
        &name[start + digits..]
    );
    Some(pattern.with_file_name(name))
}
