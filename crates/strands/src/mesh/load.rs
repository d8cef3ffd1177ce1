//! Loads a head: the unit and the upward axis are found out or taken as told,
//! helper geometry and clear layers are dropped, and the result stands in metres with y up.

use super::{
    Face, HeadFile, HeadParams, Mesh, MeshError, Placing, Righting, Units, Up,
    axis::{self, End::Low},
    face,
    left_out::{drop_helpers, drop_layers},
    measure::{Measure, ModelKind, USUAL, openness},
    obj, read,
};
use crate::math::{elementary::ln, length_text};
use glam::{DVec3, Vec3};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// The head that comes with the program.
pub(super) const BUILT_IN: &str = include_str!("../../../../assets/head.obj");
/// Its face, as its file has it.
static FACE: OnceLock<Face> = OnceLock::new();
/// A sheet that lacks so much of its area has an inside by which to judge it.
const SHEET: f32 = 0.2;
/// A model that is so many times larger or smaller than a head, whatever its unit, is none
/// in any: the units are ten times one another.
const NO_HEAD: f32 = 4.0;
/// The opening of a scalp leans back by less than this; beyond, another axis is
/// up.
const LEANS: f32 = 0.6;

/// A head, ready for hair.
#[derive(Clone, Debug)]
pub struct LoadedHead {
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
    /// How points of the file come to be where they are.
    pub placing: Placing,
    /// What the file shows.
    pub kind: ModelKind,
    /// How tall the model is. `[m]`
    pub height: f32,
    /// From the crown to the chin, as the skull tells. `[m]`
    pub head: f32,
    /// Whether the unit was judged and the model has an odd size in every unit:
    /// then somebody should say which it is.
    pub unsure: bool,
    /// One sentence: what was decided, and the height.
    pub summary: String,
    /// What was odd, a sentence each.
    pub warnings: Vec<String>,
}

/// Loads the head that `params` name; an empty file name means the built-in one.
///
/// # Errors
/// Says what is wrong with the file and in which line.
pub fn load(params: &HeadParams) -> Result<LoadedHead, MeshError> {
    let head = load_untold(params)?;
    log::info!("{}", head.report.summary);
    for warning in &head.report.warnings {
        log::warn!("{}: {warning}", head.report.name);
    }
    Ok(head)
}

/// The same, without a word in the log: for a head that is loaded again.
///
/// # Errors
/// Those of [`load`].
pub fn load_untold(params: &HeadParams) -> Result<LoadedHead, MeshError> {
    if params.file.is_empty() {
        let file = obj::parse(BUILT_IN.as_bytes(), Path::new("built-in head"))?;
        let face = FACE.get_or_init(|| face::built_in(&file.mesh)).clone();
        // Its unit and axis are known, whatever is set for files.
        let known = HeadParams {
            units: Units::Metres,
            up: Up::Y,
            ..params.clone()
        };
        let mut head = place(file, &known)?;
        let face = face.placed(&head.report.placing.righting);
        Arc::make_mut(&mut head.mesh).face = Some(Arc::new(face));
        return Ok(head);
    }
    place(read::read(&PathBuf::from(&params.file))?, params)
}

/// Turns a file's mesh into a head as `params` say.
///
/// # Errors
/// [`MeshError::OnlyHelpers`] when nothing but helper geometry is in it.
pub fn place(file: HeadFile, params: &HeadParams) -> Result<LoadedHead, MeshError> {
    let HeadFile {
        path,
        mut mesh,
        origin,
        mut warnings,
        units: said_units,
        metres_per_unit: odd_unit,
        up: said_up,
        ..
    } = file;
    if let Some(note) = drop_helpers(&mut mesh) {
        warnings.push(note);
    }
    if mesh.triangles.is_empty() {
        return Err(MeshError::OnlyHelpers { path });
    }
    let layers = drop_layers(&mut mesh);
    let up = match (params.up, said_up) {
        (Up::Auto, Some(said)) => said,
        (Up::Auto, None) => {
            let judged = judge_up(&mesh);
            warnings.extend(axis::doubt(&mesh, judged));
            judged
        }
        (told, _) => told,
    };
    mesh.positions.iter_mut().for_each(|p| *p = up.upright(*p));
    let measure = match params.flip {
        true => Measure::of(&turned_over(&mesh)),
        false => Measure::of(&mesh),
    };
    // A unit without a name makes metres, unless another is set.
    let odd_unit = odd_unit.filter(|_| params.units == Units::Auto);
    let (units, likely) = match (params.units, said_units) {
        (Units::Auto, Some(said)) => (said, true),
        (Units::Auto, None) if odd_unit.is_some() => (Units::Metres, true),
        (Units::Auto, None) => judge_units(&measure),
        (told, _) => (told, true),
    };
    let metres_per_unit = odd_unit.map_or(units.metres(), |metres| metres as f32);
    if let Some(metres) = odd_unit {
        warnings.push(format!("its unit is {metres} m; coordinates become metres"));
    }
    mesh.positions
        .iter_mut()
        .for_each(|p| *p *= metres_per_unit);
    let [min, max] = mesh.bounds();
    let placing = Placing {
        metres_per_unit,
        up,
        origin,
        righting: Righting {
            pivot: min.midpoint(max),
            turn: params.turn,
            flip: params.flip,
            scale: params.scale,
        },
    };
    if !placing.righting.is_none() {
        let point = |p: &mut Vec3| *p = placing.righting.point(*p);
        mesh.positions.iter_mut().for_each(point);
    }
    let turn = |v: &mut Vec3| *v = placing.direction(*v);
    mesh.normals.as_flattened_mut().iter_mut().for_each(turn);

    let [min, max] = mesh.bounds();
    let height = (max - min).y;
    let head = measure.head * metres_per_unit * params.scale;
    // A size that somebody chose is no guess.
    let unsure = !likely && params.scale == 1.0;
    if unsure {
        warnings.push(doubt(&measure, units, height));
    } else if !(0.05..=1.0).contains(&head) {
        warnings.push(format!(
            "the head is {} high from crown to chin, which no head is; set head.units or \
             head.scale",
            length_text(head)
        ));
    }
    if params.up == Up::Auto && said_up.is_none() && !params.flip && stands_on_its_head(&mesh) {
        warnings.push(
            "the model is open at its top and closed below; if it stands on its head, set \
             head.flip = true"
                .into(),
        );
    }
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let told = |auto: bool, said: bool| match (auto, said) {
        (true, true) => "as the file says",
        (true, false) => "judged from its shape",
        _ => "as set",
    };
    let mut summary = format!(
        "{name}: {} {} tall",
        measure.kind.name(),
        length_text(height)
    );
    // Nothing was to be found out of the built-in head.
    if !params.file.is_empty() {
        summary += &format!(
            "; its unit is {} ({}), {} is up ({})",
            units.name(),
            told(
                params.units == Units::Auto,
                said_units.is_some() || odd_unit.is_some()
            ),
            up.name(),
            told(params.up == Up::Auto, said_up.is_some()),
        );
    }
    if origin != DVec3::ZERO {
        let [x, y, z] = origin.to_array();
        summary += &format!("; brought to the origin from [{x}, {y}, {z}]");
    }
    if let Some(layers) = layers {
        summary += &format!("; {layers}");
    }
    Ok(LoadedHead {
        mesh: Arc::new(mesh),
        report: HeadReport {
            name,
            units,
            up,
            placing,
            kind: measure.kind,
            height,
            head,
            unsure,
            summary,
            warnings,
        },
    })
}

/// The mesh with its top below: what counts as a crown is above.
fn turned_over(mesh: &Mesh) -> Mesh {
    let over = Righting {
        flip: true,
        ..Righting::default()
    };
    let mut mesh = mesh.clone();
    let turn = |p: &mut Vec3| *p = over.point(*p);
    mesh.positions.iter_mut().for_each(turn);
    mesh
}

/// What to say of a model whose size is odd in every unit.
fn doubt(measure: &Measure, taken: Units, height: f32) -> String {
    let tall = |units: &Units| {
        let height = height * units.metres() / taken.metres();
        format!("{} in {}", length_text(height), units.name())
    };
    let mut all = Units::ALL.to_vec();
    all.sort_by(|a, b| {
        let odds = |units: &Units| measure.judge(units.metres()).0;
        odds(a).total_cmp(&odds(b))
    });
    let (far, _) = measure.judge(taken.metres());
    if far > NO_HEAD {
        let scale = USUAL / (measure.head * taken.metres()).max(f32::MIN_POSITIVE);
        let next = match (0.01..=100.0).contains(&scale) {
            true => format!("set head.scale = {scale:.3}, which makes it as large as one"),
            false => "scale it in the program that it comes from, and export it again".into(),
        };
        return format!(
            "its size is unclear: no unit makes a head of it, for it has a height of {}, or of \
             {}; {next}",
            tall(&all[0]),
            tall(&all[1])
        );
    }
    format!(
        "its size is unclear: {} with a height of {}, or of {}; {} is taken; set head.units, or \
         head.scale",
        measure.kind.name(),
        tall(&all[0]),
        tall(&all[1]),
        taken.name()
    )
}

/// The unit that brings the head nearest, by ratio, to the size of one; and
/// whether a head can be as large as it is then.
fn judge_units(measure: &Measure) -> (Units, bool) {
    let odds = |units: &Units| measure.judge(units.metres()).0;
    let best = Units::ALL
        .into_iter()
        .min_by(|a, b| odds(a).total_cmp(&odds(b)))
        .unwrap_or(Units::Metres);
    (best, measure.judge(best.metres()).1)
}

/// Whether a sheet is open where its top should be.
fn stands_on_its_head(mesh: &Mesh) -> bool {
    let (closed, share) = openness(mesh);
    share > 0.5 * SHEET && closed.y < -0.6
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
    // A sheet is open below, and at most a little to the front: the way in which
    // it is closed leans back from up.
    let (closed, share) = openness(mesh);
    if share > SHEET && closed.y < -closed.z.max(0.5) {
        // It stands on its head, and is told of.
        return Up::Y;
    }
    if share > SHEET && closed.y.max(closed.z) > 0.5 {
        return if closed.z > LEANS * closed.y {
            Up::Z
        } else {
            Up::Y
        };
    }
    // A head with its neck is taller than deep, a body all the more; and it
    // ends below in a cut, flat or open, where the back of a head is round.
    let [min, max] = mesh.bounds();
    let size = max - min;
    let taller = ln(size.y.max(f32::MIN_POSITIVE) / size.z.max(f32::MIN_POSITIVE));
    if taller + axis::cut(mesh, 1, Low) - axis::cut(mesh, 2, Low) < -0.03 {
        Up::Z
    } else {
        Up::Y
    }
}
