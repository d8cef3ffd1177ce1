//! Loads a head: the unit and the upward axis are found out or taken as told,
//! helper geometry is dropped, and the result stands in metres with y up.

use super::{Group, HeadParams, Mesh, MeshError, Units, Up, edges, obj};
use glam::Vec3;
use std::{
    f32::consts::PI,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The head that comes with the program.
const BUILT_IN: &str = include_str!("../../assets/head.obj");
/// How tall a head with some neck is, and a standing person. `[m]`
const HEAD_HEIGHT: f32 = 0.3;
const BODY_HEIGHT: f32 = 1.7;

/// A head, ready for hair.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its surface, in metres, y up, the face towards +z.
    pub mesh: Arc<Mesh>,
    /// What was found in the file and decided about it.
    pub report: HeadReport,
}

/// What was found in a head's file and decided about it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadReport {
    /// The file's name, or "built-in head".
    pub name: String,
    /// The length unit of the file; never [`Units::Auto`].
    pub units: Units,
    /// The upward axis of the file; never [`Up::Auto`].
    pub up: Up,
    /// How tall the model is. `[m]`
    pub height: f32,
    /// One sentence: what was decided, and the height in centimetres.
    pub summary: String,
    /// What was odd, a sentence each.
    pub warnings: Vec<String>,
}

/// Loads the head that `params` name; an empty file name means the built-in one.
///
/// # Errors
/// Says what is wrong with the file and in which line.
pub fn load(params: &HeadParams) -> Result<Head, MeshError> {
    if params.file.is_empty() {
        let file = obj::parse(BUILT_IN.as_bytes(), Path::new("built-in head"))?;
        // Its unit and axis are known, whatever is set for files.
        let known = HeadParams {
            units: Units::Metres,
            up: Up::Y,
            ..params.clone()
        };
        return place(file, &known);
    }
    place(obj::read(&PathBuf::from(&params.file))?, params)
}

/// Turns a file's mesh into a head as `params` say.
///
/// # Errors
/// [`MeshError::OnlyHelpers`] when nothing but helper geometry is in it.
pub fn place(file: obj::ObjFile, params: &HeadParams) -> Result<Head, MeshError> {
    let obj::ObjFile {
        path,
        mut mesh,
        mut warnings,
        ..
    } = file;
    if let Some(note) = drop_helpers(&mut mesh) {
        warnings.push(note);
    }
    if mesh.triangles.is_empty() {
        return Err(MeshError::OnlyHelpers { path });
    }
    let up = match params.up {
        Up::Auto => judge_up(&mesh),
        told => told,
    };
    if matches!(up, Up::Z | Up::X) {
        let turn = |p: &mut Vec3| *p = up.upright(*p);
        mesh.positions.iter_mut().for_each(turn);
        mesh.normals.as_flattened_mut().iter_mut().for_each(turn);
    }
    let (units, body) = match params.units {
        Units::Auto => judge_units(&mesh),
        told => (told, false),
    };
    let scale = metres(units);
    mesh.positions.iter_mut().for_each(|p| *p *= scale);

    let [min, max] = mesh.bounds();
    let height = (max - min).y;
    if !(0.08..=2.5).contains(&height) {
        warnings.push(format!(
            "the model is {:.4} cm tall, which no head is; set head.units",
            100.0 * height
        ));
    }
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let told = |auto: bool| {
        if auto {
            "judged from its shape"
        } else {
            "as set"
        }
    };
    let summary = format!(
        "{name}: {} {:.1} cm tall; its unit is {} ({}), {} is up ({})",
        if body { "a body" } else { "a head" },
        100.0 * height,
        units.name(),
        told(params.units == Units::Auto),
        up.name(),
        told(params.up == Up::Auto),
    );
    log::info!("{summary}");
    for warning in &warnings {
        log::warn!("{name}: {warning}");
    }
    Ok(Head {
        mesh: Arc::new(mesh),
        report: HeadReport {
            name,
            units,
            up,
            height,
            summary,
            warnings,
        },
    })
}

/// A point of a file in that unit with that axis up, in metres with y up: the
/// same to the last bit as [`place`] makes of it. `[m]`
pub(super) fn placed(p: Vec3, units: Units, up: Up) -> Vec3 {
    up.upright(p) * metres(units)
}

/// The length of a unit. `[m]`
pub(crate) fn metres(units: Units) -> f32 {
    match units {
        Units::Auto | Units::Metres => 1.0,
        Units::Decimetres => 0.1,
        Units::Centimetres => 0.01,
        Units::Millimetres => 0.001,
    }
}

/// The unit that brings a mesh with y up nearest, by ratio, to the size of a
/// head or of a standing body; and whether it is a body.
fn judge_units(mesh: &Mesh) -> (Units, bool) {
    let [min, max] = mesh.bounds();
    let size = max - min;
    let body = is_body(mesh);
    let aim = if body { BODY_HEIGHT } else { HEAD_HEIGHT };
    let error = |units: &Units| (size.y * metres(*units) / aim).ln().abs();
    let candidates = [
        Units::Metres,
        Units::Decimetres,
        Units::Centimetres,
        Units::Millimetres,
    ];
    let best = candidates
        .into_iter()
        .min_by(|a, b| error(a).total_cmp(&error(b)));
    (best.unwrap_or(Units::Metres), body)
}

/// Whether the shape is a standing person: thin, and with a head much smaller
/// than the whole. A mask is thin too, but wide at its top.
fn is_body(mesh: &Mesh) -> bool {
    let [min, max] = mesh.bounds();
    let size = max - min;
    let top = max.y - 0.1 * size.y;
    let head = mesh.positions.iter().filter(|p| p.y >= top);
    let [left, right] = head.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[a, b], p| {
        [a.min(*p), b.max(*p)]
    });
    size.x.min(size.z) < 0.35 * size.y && (right - left).x < 0.2 * size.y
}

/// Judges whether y or z points up.
fn judge_up(mesh: &Mesh) -> Up {
    // A named scalp is the surest sign: it faces up.
    let scalp = mesh.groups.iter().filter(|group| group.is_scalp());
    let facing: Vec3 = scalp
        .flat_map(|group| group.triangles.clone())
        .map(|i| mesh.area_normal(i))
        .sum();
    if facing.y.max(facing.z) > 0.5 * facing.length() && facing != Vec3::ZERO {
        return if facing.z > facing.y { Up::Z } else { Up::Y };
    }
    // A head with its neck is taller than deep, a body all the more; and it
    // ends below in a cut, flat or open, where the back of a head is round.
    let [min, max] = mesh.bounds();
    let size = max - min;
    let taller = (size.y.max(f32::MIN_POSITIVE) / size.z.max(f32::MIN_POSITIVE)).ln();
    if taller + cut(mesh, 1) - cut(mesh, 2) < -0.03 {
        Up::Z
    } else {
        Up::Y
    }
}

/// How much of the lower end along `axis` is cut off: the area that is flat
/// there, or open, as a part of the model's extent across.
fn cut(mesh: &Mesh, axis: usize) -> f32 {
    let [min, max] = mesh.bounds();
    let size = (max - min).to_array();
    let end = min[axis] + 0.08 * size[axis];
    let (mut flat, mut rim) = (0.0, 0.0);
    for i in 0..mesh.triangles.len() {
        let normal = mesh.area_normal(i);
        let low = mesh.corners(i).iter().all(|p| p[axis] <= end);
        if low && normal[axis] < -0.95 * normal.length() {
            flat += 0.5 * normal.length();
        }
    }
    let sides = edges::sides(mesh);
    for edge in edges::edges(&sides) {
        if let [side] = edge {
            let [a, b] = side.ends.map(|v| mesh.positions[v as usize]);
            if a[axis].max(b[axis]) <= end {
                rim += a.distance(b);
            }
        }
    }
    // A rim of length l can enclose l² / 4π.
    let across = size[(axis + 1) % 3] * size[(axis + 2) % 3];
    ((flat + rim * rim / (4.0 * PI)) / across.max(f32::MIN_POSITIVE)).min(1.0)
}

/// Removes the groups that MakeHuman uses for its own ends; says so.
fn drop_helpers(mesh: &mut Mesh) -> Option<String> {
    let helper = |group: &Group| {
        let name = group.name.to_ascii_lowercase();
        name.starts_with("helper-") || name.starts_with("joint-")
    };
    let count = mesh.groups.iter().filter(|group| helper(group)).count();
    if count == 0 {
        return None;
    }
    let mut kept = Mesh {
        name: std::mem::take(&mut mesh.name),
        positions: std::mem::take(&mut mesh.positions),
        materials: std::mem::take(&mut mesh.materials),
        ..Mesh::default()
    };
    for group in mesh.groups.iter().filter(|group| !helper(group)) {
        let start = kept.triangles.len();
        let range = group.triangles.clone();
        kept.triangles.extend(&mesh.triangles[range.clone()]);
        kept.normals.extend(&mesh.normals[range.clone()]);
        if !mesh.uvs.is_empty() {
            kept.uvs.extend(&mesh.uvs[range.clone()]);
        }
        if !mesh.triangle_material.is_empty() {
            kept.triangle_material
                .extend(&mesh.triangle_material[range]);
        }
        kept.groups.push(Group {
            name: group.name.clone(),
            triangles: start..kept.triangles.len(),
        });
    }
    kept.drop_unused_vertices();
    *mesh = kept;
    Some(format!(
        "{count} groups named helper-* or joint-* are left out"
    ))
}
