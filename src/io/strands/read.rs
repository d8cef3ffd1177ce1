//! Reading a groom of any format.

use super::{
    Attribute, FORMATS, Fault, Format, Strands, StrandsError, abc, cloud, endings, endings_text,
    numpy, obj, usd,
};
use crate::{
    io::{read_file, reason},
    math::counted,
    mesh::{self, is_utf16, only_comments},
};
use lovelock_usd::is_package;
use std::path::Path;

/// Whether a file's name ends like that of a groom and of nothing else:
/// an OBJ may be a head.
pub fn is_named_like_groom(path: &Path) -> bool {
    let Some(ending) = ending(path) else {
        return false;
    };
    let foreign = [
        "tfxbone", "tfxmesh", "ma", "mb", "fbx", "xgen", "xgip", "xgd", "hip", "hiplc", "hipnc",
        "bgeo", "blend", "uasset",
    ];
    ending != "obj" && endings().chain(foreign).any(|known| known == ending)
}

/// Whether the content of a file is that of a groom, whatever it is called.
pub fn holds_strands(path: &Path) -> bool {
    read_file(path).is_ok_and(|bytes| FORMATS.iter().any(|format| (format.is)(&bytes)))
}

/// Whether a file is named like a head, and no hair is in it: an OBJ may be lines alone,
/// USD and Alembic may hold curves.
pub fn is_head(path: &Path) -> bool {
    let ending = ending(path).unwrap_or_default();
    if !mesh::read::ENDINGS.contains(&&ending[..]) {
        return false;
    }
    match (&ending[..], read_file(path)) {
        ("obj", bytes) => !bytes.is_ok_and(|bytes| obj::is(&bytes)),
        ("glb" | "gltf", _) => true,
        ("abc", bytes) => bytes.is_ok_and(|bytes| abc::holds_no_curves(&bytes)),
        (_, bytes) => bytes.is_ok_and(|bytes| usd::holds_no_curves(&bytes)),
    }
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
    read_each(path, 0)
}

/// The same; a file that lists points and not strands has strands of `each` points,
/// with 0 of as many as it seems to have.
///
/// # Errors
/// Those of [`read`].
pub fn read_each(path: &Path, each: usize) -> Result<(&'static Format, Strands), StrandsError> {
    let bytes = read_file(path).map_err(|error| StrandsError::Read {
        path: path.into(),
        reason: reason(&error),
    })?;
    let content = |fault| StrandsError::Content {
        path: path.into(),
        fault,
    };
    let (format, mut strands) = parse_each(&bytes, path, each).map_err(content)?;
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
    parse_each(bytes, path, 0)
}

/// The same; a file that lists points and not strands has strands of `each` points,
/// with 0 of as many as it seems to have.
///
/// # Errors
/// Those of [`parse`].
pub fn parse_each(
    bytes: &[u8],
    path: &Path,
    each: usize,
) -> Result<(&'static Format, Strands), Fault> {
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
            Fault::whole(format!(
                "it is no groom that can be read here; known are {}",
                endings_text()
            ))
        })?;
    let mut strands = (format.read)(bytes)?;
    strands.notes.extend(strands.poses_left());
    if strands.starts.is_empty() && !strands.points.is_empty() {
        cloud::cut(&mut strands, each)?;
    }
    finish(&mut strands)?;
    Ok((format, strands))
}

const MAYA: &str = "it is a Maya scene; in Maya select the hair's curves and choose Cache, Alembic \
                    Cache, Export Selection (.abc)";
const FBX: &str = "it is an FBX file, which has no strands; write hair as Alembic (.abc) and a head as \
                   OBJ, from Maya, Houdini or Blender";

/// Files that are known, and not grooms that can be read.
fn foreign(bytes: &[u8], ending: &str) -> Result<(), Fault> {
    let refuse = |text: &str| Err(Fault::whole(text.into()));
    if bytes.is_empty() {
        return refuse("it is empty; fetch or export it again");
    }
    // An archive of arrays is a zip archive too.
    if (numpy::FORMAT.is)(bytes) {
        return Ok(());
    }
    for (start, text) in [
        (&b"//Maya ASCII"[..], MAYA),
        (b"FOR4", MAYA),
        (b"FOR8", MAYA),
        (b"Kaydara FBX", FBX),
        (b"; FBX", FBX),
        (
            b"version https://git-lfs",
            "it is a Git LFS pointer and not the file itself; run `git lfs pull` where it came from",
        ),
        (b"PK\x03\x04", "it is a zip archive; unpack it"),
        (
            b"\x89HDF",
            "it is an HDF5 file, as Alembic wrote them before 2013; write it as Ogawa, which Maya, \
             Houdini and Blender do by default",
        ),
        (
            b"\x1f\x8b",
            "it is compressed with gzip; unpack it first, `gunzip FILE`",
        ),
    ] {
        if bytes.starts_with(start) && !is_package(bytes) {
            return refuse(text);
        }
    }
    if is_utf16(bytes) {
        return refuse("it is UTF-16 text; save it as UTF-8, in any editor, or export it again");
    }
    if only_comments(bytes) {
        return refuse("it holds comments and nothing else; export the hair again, as curves");
    }
    match ending {
        "ma" | "mb" => refuse(MAYA),
        "fbx" => refuse(FBX),
        "xgen" | "xgip" | "xgd" => refuse(
            "it is an XGen description, which only Maya can evaluate; in Maya choose Generate, \
             Create Interactive Groom Splines, then Cache, Export Cache as Alembic (.abc)",
        ),
        "hip" | "hiplc" | "hipnc" | "bgeo" => {
            refuse("it is a Houdini file; write the curves with a ROP Alembic Output node (.abc)")
        }
        "blend" => refuse(
            "it is a Blender file; in Blender choose File, Export, Alembic (.abc) with the hair \
             selected",
        ),
        "uasset" => refuse(
            "it is an Unreal asset, which Unreal does not export; give the Alembic file that the \
             groom was imported from",
        ),
        "tfxbone" => refuse(
            "it only binds TressFX strands to bones; give the .tfx beside it, which has the strands",
        ),
        "tfxmesh" => refuse("it is a TressFX collision mesh; give the .tfx, which has the strands"),
        _ => Ok(()),
    }
}

/// The first few of these numbers, for a sentence.
pub(super) fn first_numbers(numbers: &[usize]) -> String {
    let shown: Vec<String> = numbers.iter().take(5).map(usize::to_string).collect();
    let more = if numbers.len() > 5 { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// What every file must be: numbers, and strands.
fn finish(strands: &mut Strands) -> Result<(), Fault> {
    if strands.starts.is_empty() {
        strands.starts.push(0);
    }
    let bad = |strand: &usize| strands.strand(*strand).iter().any(|p| !p.is_finite());
    let bad: Vec<usize> = (0..strands.len()).filter(bad).collect();
    if let Some(&strand) = bad.first() {
        let points = strands.strand(strand);
        let point = points.iter().position(|p| !p.is_finite());
        let point = point.unwrap_or_default();
        let (what, others) = (points[point], &bad[1..]);
        let end = match others.len() {
            0 => "export the groom again without it".into(),
            more => format!(
                "{} ({}); export the groom again without them",
                counted(
                    more,
                    "more strand has such a point",
                    "more strands have such points"
                ),
                first_numbers(others)
            ),
        };
        return Err(Fault::whole(format!(
            "point {point} of strand {strand} is not a number ({what}); {end}"
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
    let (count, points) = (strands.len(), strands.points.len());
    let odd = |column: &&Attribute| !column.fits(count, points);
    let odd: Vec<&str> = (strands.attributes.iter().filter(odd))
        .map(|column| &column.name[..])
        .collect();
    if !odd.is_empty() {
        strands.notes.push(format!(
            "columns with another number of rows than there are strands or points are left \
             out: {}",
            odd.join(", ")
        ));
        strands
            .attributes
            .retain(|column| column.fits(count, points));
    }
    Ok(())
}
