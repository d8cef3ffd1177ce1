//! Reading the curves of a USD layer.

use super::{column, fault::fault, pieces::ends, times::PoseTimes};
use crate::math::counted;
use crate::{
    io::strands::{
        Fault, Strands,
        content::TOO_MANY,
        cubic::{Basis, Cubic, Wrap},
    },
    mesh::Up,
};
use glam::{DMat4, Vec3};
use lovelock_usd::{Layer, Prim, Specifier, UsdError, Value};

/// In a crate file several prims may share one array; strands are no more than so many
/// times the file all the same.
const SHARED: usize = 4;

/// The strands of a layer of any kind.
pub fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let layer = Layer::open(bytes).map_err(fault)?;
    let times = PoseTimes::of(&layer, bytes.len())?;
    read_at(&layer, bytes.len(), times.as_ref(), None)
}

/// Hands over the strands of each pose, until it is answered false.
pub fn each_pose(bytes: &[u8], take: &mut dyn FnMut(Strands) -> bool) -> Result<(), Fault> {
    let layer = Layer::open(bytes).map_err(fault)?;
    let Some(times) = PoseTimes::of(&layer, bytes.len())? else {
        take(read_at(&layer, bytes.len(), None, None)?);
        return Ok(());
    };
    for pose in 0..times.count {
        if !take(read_at(&layer, bytes.len(), Some(&times), Some(pose))?) {
            break;
        }
    }
    Ok(())
}

/// The strands of a layer of so many bytes that has poses at these `times`, in one of
/// them; none is without a time, or else the first in time.
fn read_at(
    layer: &Layer,
    bytes: usize,
    times: Option<&PoseTimes>,
    pose: Option<usize>,
) -> Result<Strands, Fault> {
    let mut reader = Reader {
        out: Strands {
            starts: vec![0],
            metres_per_unit: layer.metres_per_unit,
            up: layer.up_axis.as_deref().map(|axis| match axis {
                "Z" => Up::Z,
                _ => Up::Y,
            }),
            poses: times.map_or(0, |times| times.count),
            rate: times.map_or(0.0, |times| times.rate),
            start: times.map_or(0.0, PoseTimes::start),
            codes: times.map_or(0.0, |times| times.codes),
            ..Strands::default()
        },
        time: times.zip(pose).map(|(times, pose)| times.at(pose)),
        places_only: pose.is_some_and(|pose| pose > 0),
        curves: 0,
        others: 0,
        meshes: 0,
        unseen: 0,
        refers: false,
        variants: 0,
        most: bytes.saturating_mul(SHARED),
    };
    for prim in &layer.prims {
        reader.prim(prim, DMat4::IDENTITY)?;
    }
    let Reader {
        mut out,
        curves,
        others,
        meshes,
        unseen,
        refers,
        variants,
        ..
    } = reader;
    if curves == 0 {
        return Err(Fault::whole(match (others, meshes) {
            _ if unseen > 0 => format!(
                "it has no BasisCurves that are seen: {} invisible or a class; make the hair \
                 visible and export it again",
                counted(unseen, "prim of curves is", "prims of curves are")
            ),
            _ if refers => REFERS.into(),
            _ if variants > 0 => {
                "it has no BasisCurves outside its sets of variants, which are not read; flatten \
                 it, `usdcat --flatten in.usda -o out.usdc`, with the variant that is meant"
                    .into()
            }
            (0, 0) => "it has no BasisCurves; export hair as curves".into(),
            (0, _) => format!(
                "it has no BasisCurves, and {}; export hair as curves, or give it as the head",
                counted(meshes, "mesh", "meshes")
            ),
            _ => "it has NURBS or Hermite curves and no BasisCurves; export hair as basis curves"
                .into(),
        }));
    }
    if refers {
        out.notes.push(
            "what it refers to in other files or prims (references, payloads) is left out; flatten \
             it to have that, too"
                .into(),
        );
    }
    if unseen > 0 {
        out.notes.push(format!(
            "{} left out",
            counted(
                unseen,
                "prim of curves is invisible or a class, and is",
                "prims of curves are invisible or classes, and are"
            )
        ));
    }
    if others > 0 {
        out.notes.push(format!(
            "{} left out",
            counted(
                others,
                "prim of NURBS or Hermite curves is",
                "prims of NURBS or Hermite curves are"
            )
        ));
    }
    if out.points.len() > u32::MAX as usize {
        return Err(Fault::whole(TOO_MANY.into()));
    }
    Ok(out)
}

const REFERS: &str = "it has no BasisCurves of its own, and what it refers to (references, payloads) \
     is not followed; flatten it, `usdcat --flatten in.usda -o out.usdc`";

/// Whether a prim and all in it is not to be seen.
pub(super) fn is_unseen(prim: &Prim) -> Result<bool, UsdError> {
    Ok(prim.specifier == Specifier::Class || prim.word("visibility")? == "invisible")
}

/// Prims with curves in and below one.
fn curves(prim: &Prim) -> usize {
    let own = usize::from(prim.kind == "BasisCurves");
    own + prim.children.iter().map(curves).sum::<usize>()
}

struct Reader {
    out: Strands,
    /// When; none is without a time, or else the first.
    time: Option<f64>,
    /// Whether no more is wanted than where strands are.
    places_only: bool,
    /// Prims with curves that were read.
    curves: usize,
    /// Prims with curves that are not read.
    others: usize,
    meshes: usize,
    /// Prims with curves that are not to be seen.
    unseen: usize,
    /// Whether more is in other layers or prims.
    refers: bool,
    /// Sets of variants.
    variants: usize,
    /// Bytes of points and starts that strands may have.
    most: usize,
}

impl Reader {
    /// Reads a prim that stands under others.
    fn prim(&mut self, prim: &Prim, parent: DMat4) -> Result<(), Fault> {
        if is_unseen(prim).map_err(fault)? {
            self.unseen += curves(prim);
            return Ok(());
        }
        let placed = prim.place_at(parent, self.time).map_err(fault)?;
        self.refers |= prim.refers;
        self.variants += prim.variant_sets;
        if prim.variant_sets > 0 {
            self.note("a set of variants is left out; export one of them".into());
        }
        match &prim.kind[..] {
            "BasisCurves" => self.take(prim, placed)?,
            "NurbsCurves" | "HermiteCurves" => self.others += 1,
            "Mesh" => self.meshes += 1,
            _ => {}
        }
        for child in &prim.children {
            self.prim(child, placed)?;
        }
        Ok(())
    }

    fn note(&mut self, text: String) {
        if !self.out.notes.contains(&text) {
            self.out.notes.push(text);
        }
    }

    /// Takes the curves of a prim that stands there.
    fn take(&mut self, prim: &Prim, placed: DMat4) -> Result<(), Fault> {
        self.curves += 1;
        let had = [self.out.len(), self.out.points.len()];
        let floats = |name: &str| -> Result<Vec<f32>, Fault> {
            let value = prim.value(name).map_err(fault)?;
            Ok(value.and_then(Value::floats).unwrap_or_default())
        };
        let now = |name: &str| prim.value_at(name, self.time).map_err(fault);
        let coordinates = now("points")?.and_then(Value::floats).unwrap_or_default();
        let counts = now("curveVertexCounts")?;
        let counts = counts.and_then(Value::counts).unwrap_or_default();
        let points = coordinates.len() / 3;
        let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if !coordinates.len().is_multiple_of(3) || total != points as u64 {
            return Err(Fault::whole(format!(
                "curveVertexCounts promises {} and there are {points}, in \"{}\"; export the file \
                 again",
                counted(total, "point", "points"),
                prim.name
            )));
        }
        let before = had[1];
        if 12 * (before + points) + 4 * (had[0] + counts.len()) > self.most {
            return Err(Fault::whole(
                "its prims share one array too many times; export the file again".into(),
            ));
        }
        let cubic = self.follow(prim, counts.len())?;
        self.out.points.reserve_exact(points);
        self.out.points.extend(coordinates.chunks_exact(3).map(|c| {
            let p = Vec3::new(c[0], c[1], c[2]);
            match placed == DMat4::IDENTITY {
                true => p,
                false => placed.transform_point3(p.as_dvec3()).as_vec3(),
            }
        }));
        let mut end = before as u64;
        self.out.starts.reserve_exact(counts.len());
        for count in &counts {
            end += u64::from(*count);
            let start = u32::try_from(end).map_err(|_| Fault::whole(TOO_MANY.into()))?;
            self.out.starts.push(start);
        }
        if self.places_only {
            return Ok(());
        }
        let spread = |values: Vec<f32>, each: usize| spread(values, each, &counts, points, cubic);
        let scale = placed.determinant().abs().cbrt() as f32;
        match spread(floats("widths")?, 1) {
            // All points have one or none has.
            Some(widths) if self.out.widths.len() == before => {
                self.out.widths.extend(widths.iter().map(|w| w * scale));
            }
            _ => self.out.widths.clear(),
        }
        match spread(floats("primvars:displayColor")?, 3) {
            Some(colours) if self.out.colours.len() == before => {
                let colours = colours.chunks_exact(3);
                self.out.colours.extend(colours.map(|c| [c[0], c[1], c[2]]));
            }
            _ => self.out.colours.clear(),
        }
        let uvs = floats("primvars:st")?;
        if uvs.len() == 2 * counts.len() && self.out.root_uvs.len() == had[0] {
            let uvs = uvs.chunks_exact(2);
            self.out.root_uvs.extend(uvs.map(|c| [c[0], c[1]]));
        } else {
            self.out.root_uvs.clear();
        }
        column::take(&mut self.out, prim, had)
    }

    /// Notes how the control points of the next `count` curves, which are those of `prim`,
    /// make curves.
    fn follow(&mut self, prim: &Prim, count: usize) -> Result<Option<(Basis, Wrap)>, Fault> {
        let word = |name: &str| prim.word(name).map_err(fault);
        let (kind, named, told) = (word("type")?, word("basis")?, word("wrap")?);
        let basis = match &kind[..] {
            "linear" => None,
            _ => Basis::named(named.as_bytes()),
        };
        let wrap = match (&told[..], basis) {
            ("periodic", _) => Wrap::Periodic,
            (_, Some(Basis::Bezier)) => Wrap::Open,
            // Hair is rooted at its first point, where Blender ends its curves
            // by the letter of the format short of it.
            _ => Wrap::Pinned,
        };
        match basis {
            Some(basis) if wrap == Wrap::Pinned && told != "pinned" => self.note(format!(
                "the curves are cubic ({}); they are followed, and on to their first and last \
                 control points",
                basis.name()
            )),
            Some(basis) => self.note(format!(
                "the curves are cubic ({}), and are followed",
                basis.name()
            )),
            None if kind != "linear" => self.note(format!(
                "the curves are cubic of an unknown basis ({named}); strands go through their \
                 control points"
            )),
            None => {}
        }
        if wrap == Wrap::Periodic {
            self.note("closed curves are cut open where they begin".into());
        }
        if let Some(basis) = basis {
            let first = self.out.len();
            self.out.cubic.push(Cubic {
                strands: first..first + count,
                basis,
                wrap,
            });
        }
        Ok(basis.map(|basis| (basis, wrap)))
    }
}

/// Values for all points out of those for points, curves, ends of pieces, or all at once;
/// none where they are none of these.
fn spread(
    values: Vec<f32>,
    each: usize,
    counts: &[u32],
    points: usize,
    cubic: Option<(Basis, Wrap)>,
) -> Option<Vec<f32>> {
    let rows = values.len() / each;
    if rows == points {
        return Some(values[..points * each].to_vec());
    }
    let of = |i: usize| &values[i * each..(i + 1) * each];
    if rows == 1 {
        return Some(of(0).repeat(points));
    }
    if rows == counts.len() {
        let copies = counts.iter().enumerate();
        return Some(
            copies
                .flat_map(|(i, n)| of(i).repeat(*n as usize))
                .collect(),
        );
    }
    let (basis, wrap) = cubic?;
    ends(&values, each, counts, |count| basis.pieces(wrap, count))
}
