//! Reading the curves of a USD layer.

use super::{
    column::{LOOKS, Primvars},
    fault::fault,
    times::PoseTimes,
};
use crate::math::counted;
use crate::{
    io::strands::{
        Fault, Strands,
        content::TOO_MANY,
        cubic::{Basis, Cubic, Wrap},
        curve_set::CurveSet,
        gather::{gather, told},
    },
    mesh::Up,
};
use glam::DMat4;
use lovelock_usd::{Layer, Prim, Specifier, UsdError, Value};
use std::collections::BTreeSet;

/// In a crate file several prims may share one array; strands with their looks are no more
/// than so many times the file all the same.
const SHARED: usize = 16;

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
        layer.renew_bound();
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
        refers: layer.refers,
        variants: 0,
        odd: BTreeSet::new(),
        room: bytes.saturating_mul(SHARED),
    };
    for prim in &layer.prims {
        reader.prim(prim, DMat4::IDENTITY)?;
    }
    if reader.curves == 0 {
        return Err(Fault::whole(reader.nothing()));
    }
    reader.tell();
    if reader.out.points.len() > u32::MAX as usize {
        return Err(Fault::whole(TOO_MANY.into()));
    }
    Ok(reader.out)
}

const REFERS: &str = "it has no BasisCurves of its own, and what it refers to (references, payloads, \
     sublayers) is not followed; flatten it, `usdcat --flatten in.usda -o out.usdc`";

/// Whether a prim and all in it is not to be seen in a picture.
pub(super) fn is_unseen(prim: &Prim) -> Result<bool, UsdError> {
    Ok(prim.inactive
        || prim.specifier == Specifier::Class
        || prim.word("visibility")? == "invisible"
        || matches!(&prim.word("purpose")?[..], "proxy" | "guide"))
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
    /// Primvars that not all curves have alike.
    odd: BTreeSet<String>,
    /// How many more bytes strands may have.
    room: usize,
}

impl Reader {
    /// Why there are no curves, and what to do.
    fn nothing(&self) -> String {
        match (self.others, self.meshes) {
            _ if self.unseen > 0 => format!(
                "it has no BasisCurves that are seen: {}, inactive, a class, or of purpose proxy \
                 or guide; make the hair visible, of purpose default or render, and export it \
                 again",
                counted(
                    self.unseen,
                    "prim of curves is invisible",
                    "prims of curves are invisible"
                )
            ),
            _ if self.refers => REFERS.into(),
            _ if self.variants > 0 => {
                "it has no BasisCurves outside its sets of variants, which are not read; flatten \
                 it, `usdcat --flatten in.usda -o out.usdc`, with the variant that is meant"
                    .into()
            }
            (0, 0) => "it has no BasisCurves; export hair as curves".into(),
            (0, meshes) => format!(
                "it has no BasisCurves, and {}; export hair as curves, or give it as the head",
                counted(meshes, "mesh", "meshes")
            ),
            _ => "it has NURBS or Hermite curves and no BasisCurves; export hair as basis curves"
                .into(),
        }
    }

    /// Notes what is left out.
    fn tell(&mut self) {
        if self.refers {
            self.note(
                "what it refers to in other files or prims (references, payloads, sublayers) is \
                 left out; flatten it to have that, too"
                    .into(),
            );
        }
        if self.unseen > 0 {
            self.note(format!(
                "{}, inactive, a class, or of purpose proxy or guide, and left out",
                counted(
                    self.unseen,
                    "prim of curves is invisible",
                    "prims of curves are invisible"
                )
            ));
        }
        if self.others > 0 {
            self.note(format!(
                "{} left out",
                counted(
                    self.others,
                    "prim of NURBS or Hermite curves is",
                    "prims of NURBS or Hermite curves are"
                )
            ));
        }
        self.out.notes.extend(told(&self.odd));
    }

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
        self.out.says_velocities |= prim.property("velocities").is_some();
        let points = prim.property("points");
        if points.is_some_and(|points| points.is_rest_and_moves()) {
            self.note(
                "the points without a time are the hair at rest, and those of its time samples \
                 its poses"
                    .into(),
            );
        }
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
        let needed = 12 * points + 4 * counts.len();
        self.room = self.room.checked_sub(needed).ok_or_else(|| {
            Fault::whole(format!(
                "its prims share arrays, and are more than {SHARED} times as large as the file \
                 without that; write it as text, which shares none, `usdcat in.usdc -o out.usda`"
            ))
        })?;
        let cubic = self.follow(prim, counts.len())?;
        let mut set = CurveSet::add(&mut self.out, &coordinates, &counts, placed)?;
        if self.places_only {
            return Ok(());
        }
        set.cubic = cubic;
        let mut columns = Primvars::of(prim, &set, &mut self.room)?;
        set.take_looks(&mut self.out, &mut columns.all, &LOOKS, &mut self.room);
        if columns.moves {
            self.note(
                "widths, colours and columns that change in time are as in their first time \
                 sample"
                    .into(),
            );
        }
        self.odd.append(&mut columns.odd);
        let (all, room) = (columns.all, &mut self.room);
        gather(&mut self.out, all, &mut self.odd, set.before, room);
        Ok(())
    }

    /// Notes how the control points of the next `count` curves, which are those of `prim`,
    /// make curves; what they are, with their ends as the prim has them.
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
        let ends = match &told[..] {
            "pinned" => Wrap::Pinned,
            "periodic" => Wrap::Periodic,
            _ => Wrap::Open,
        };
        Ok(basis.map(|basis| (basis, ends)))
    }
}
