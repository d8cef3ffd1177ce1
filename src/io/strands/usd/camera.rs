//! The camera as a prim `Camera` (UsdGeomCamera), the same in text and in crate files.

use crate::io::strands::CameraSample;
use lovelock_usd::{CrateWriter, PrimId, Rep};
use std::{
    fmt::{self, Write as _},
    io::{self, Seek, Write},
};

/// What the prim is called.
const NAME: &str = "Camera";

/// The operation that places it.
const TRANSFORM: &str = "xformOp:transform";

/// A value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CameraValue {
    Token(&'static str),
    /// One word in a list.
    Words(&'static str),
    Float(f64),
    Pair([f64; 2]),
    Matrix([f64; 16]),
}

/// An attribute: its value in each frame, or one that never changes.
struct CameraAttribute {
    name: &'static str,
    kind: &'static str,
    uniform: bool,
    values: Vec<CameraValue>,
}

/// The attributes of a camera in these `frames` of a file whose unit is so many `metres` long.
fn attributes(frames: &[CameraSample], metres: f64) -> Vec<CameraAttribute> {
    use CameraValue::{Float, Matrix, Pair, Token, Words};
    // Lens and film are in tenths of the file's unit.
    let tenths = 1.0 / (100.0 * metres);
    let still = |name, kind, uniform, value| CameraAttribute {
        name,
        kind,
        uniform,
        values: vec![value],
    };
    let varying = |name, kind, value: &dyn Fn(&CameraSample) -> CameraValue| {
        let mut values: Vec<CameraValue> = frames.iter().map(value).collect();
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            values.truncate(1);
        }
        CameraAttribute {
            name,
            kind,
            uniform: false,
            values,
        }
    };
    let place = |camera: &CameraSample| Matrix(camera.rows());
    vec![
        still("projection", "token", false, Token("perspective")),
        varying("focalLength", "float", &|c| Float(c.focal_length * tenths)),
        varying("horizontalAperture", "float", &|c| {
            Float(c.film[0] * tenths)
        }),
        varying("verticalAperture", "float", &|c| Float(c.film[1] * tenths)),
        varying("clippingRange", "float2", &|c| Pair(c.clip)),
        varying("focusDistance", "float", &|c| Float(c.focus)),
        // 0 says that all is sharp.
        varying("fStop", "float", &|c| Float(c.f_stop.unwrap_or(0.0))),
        CameraAttribute {
            name: TRANSFORM,
            kind: "matrix4d",
            uniform: false,
            values: frames.iter().map(place).collect(),
        },
        still("xformOpOrder", "token[]", true, Words(TRANSFORM)),
    ]
}

/// Writes the prim as text: its `frames` at time codes `times`; none has one pose without a
/// time.
pub fn write_text(
    out: &mut String,
    frames: &[CameraSample],
    times: Option<&[f64]>,
    metres: f64,
) -> fmt::Result {
    writeln!(out, "\n    def Camera \"{NAME}\"\n    {{")?;
    for attribute in attributes(frames, metres) {
        let uniform = if attribute.uniform { "uniform " } else { "" };
        let (kind, name) = (attribute.kind, attribute.name);
        match (times, &attribute.values[..]) {
            (Some(times), values) if moves(&attribute) => {
                writeln!(out, "        {kind} {name}.timeSamples = {{")?;
                for (time, value) in times.iter().zip(values) {
                    writeln!(out, "            {time}: {value},")?;
                }
                out.push_str("        }\n");
            }
            (_, [value, ..]) => writeln!(out, "        {uniform}{kind} {name} = {value}")?,
            (_, []) => {}
        }
    }
    out.push_str("    }\n");
    Ok(())
}

/// Adds the prim below `top` to a crate file, likewise.
pub fn write_crate<W: Write + Seek>(
    file: &mut CrateWriter<W>,
    top: PrimId,
    frames: &[CameraSample],
    times: Option<&[f64]>,
    metres: f64,
) -> io::Result<()> {
    let prim = file.prim(Some(top), NAME, "Camera");
    for attribute in attributes(frames, metres) {
        let values = attribute.values.iter().map(|value| value.rep(file));
        let values = values.collect::<io::Result<Vec<Rep>>>()?;
        let mut fields = match (times, values.first()) {
            (Some(times), _) if moves(&attribute) => {
                vec![("timeSamples", file.samples(times, &values)?)]
            }
            (_, Some(value)) => vec![("default", *value)],
            (_, None) => continue,
        };
        if attribute.uniform {
            fields.push(("variability", file.uniform()));
        }
        file.attribute(prim, attribute.name, attribute.kind, &fields);
    }
    Ok(())
}

/// Whether it has a value for each frame. The place has, even of a camera that stands still.
fn moves(attribute: &CameraAttribute) -> bool {
    attribute.values.len() > 1 || attribute.name == TRANSFORM
}

impl CameraValue {
    fn rep<W: Write + Seek>(&self, file: &mut CrateWriter<W>) -> io::Result<Rep> {
        Ok(match self {
            Self::Token(word) => file.token(word),
            Self::Words(word) => file.tokens(&[word])?,
            Self::Float(value) => file.float(*value as f32),
            Self::Pair(values) => file.pair(values.map(|value| value as f32))?,
            Self::Matrix(rows) => file.matrix(rows)?,
        })
    }
}

impl fmt::Display for CameraValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(word) => write!(f, "\"{word}\""),
            Self::Words(word) => write!(f, "[\"{word}\"]"),
            Self::Float(value) => write!(f, "{}", *value as f32),
            Self::Pair([a, b]) => write!(f, "({}, {})", *a as f32, *b as f32),
            Self::Matrix(rows) => {
                let rows: Vec<String> = rows
                    .chunks(4)
                    .map(|row| format!("({}, {}, {}, {})", row[0], row[1], row[2], row[3]))
                    .collect();
                write!(f, "( {} )", rows.join(", "))
            }
        }
    }
}
