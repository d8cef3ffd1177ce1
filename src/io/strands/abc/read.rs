//! Reading the curves of an Alembic archive.

use super::{
    column,
    schema::{self, fault},
};
use crate::io::strands::{
    Attribute, Fault, Strands,
    attribute::{Of, Values},
    content::TOO_MANY,
    cubic::{Basis, Cubic, Wrap},
    gather::gather,
};
use crate::math::counted;
use glam::{DMat4, Vec3};
use lovelock_alembic::{Archive, Kind, Object, Property, Times, metadata_value};

/// One sample may serve many curves, but strands are no more than so many times the
/// file.
const SHARED: usize = 16;

pub fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    read_pose(&Archive::open(bytes).map_err(fault)?, bytes, 0)
}

/// Hands over the strands of each pose, until it is answered false.
pub fn each_pose(bytes: &[u8], take: &mut dyn FnMut(Strands) -> bool) -> Result<(), Fault> {
    let archive = Archive::open(bytes).map_err(fault)?;
    let first = read_pose(&archive, bytes, 0)?;
    let poses = first.poses;
    let mut go_on = take(first);
    for pose in 1..poses {
        if !go_on {
            break;
        }
        go_on = take(read_pose(&archive, bytes, pose)?);
    }
    Ok(())
}

fn read_pose(archive: &Archive, bytes: &[u8], pose: usize) -> Result<Strands, Fault> {
    let mut reader = Reader {
        out: Strands {
            starts: vec![0],
            ..Strands::default()
        },
        pose,
        paced: 1,
        curves: 0,
        meshes: 0,
        odd: 0,
        // An object needs more bytes than this in a file.
        objects: bytes.len() / 32,
        room: bytes.len().saturating_mul(SHARED),
    };
    let top = archive.top().map_err(fault)?;
    reader.object(&top, DMat4::IDENTITY, 0)?;
    let Reader {
        mut out,
        curves,
        meshes,
        odd,
        ..
    } = reader;
    if curves == 0 {
        return Err(Fault::whole(match (odd, meshes) {
            (0, 0) => "it is an Alembic archive without curves; export hair as curves".into(),
            (0, meshes) => format!(
                "it is an Alembic archive with {} and no curves; export hair as curves",
                counted(meshes, "mesh", "meshes")
            ),
            _ => "its curves are of variable order (NURBS); export hair as linear or cubic curves"
                .into(),
        }));
    }
    if odd > 0 {
        out.notes.push(format!(
            "{} left out",
            counted(
                odd,
                "set of curves of variable order is",
                "sets of curves of variable order are"
            )
        ));
    }
    Ok(out)
}

struct Reader {
    out: Strands,
    /// Which pose is read.
    pose: usize,
    /// Poses of what has most of them and says when they are.
    paced: usize,
    /// Objects with curves that were read.
    curves: usize,
    meshes: usize,
    /// Those with curves that are not read.
    odd: usize,
    /// How many more objects there can be.
    objects: usize,
    /// How many more bytes of samples are read.
    room: usize,
}

impl Reader {
    /// Reads an object that stands under others, of which the one that moves most has so
    /// many `poses`.
    fn object(&mut self, object: &Object, parent: DMat4, mut poses: usize) -> Result<(), Fault> {
        self.objects = self.objects.checked_sub(1).ok_or_else(|| {
            Fault::whole("its objects contain one another; export the file again".into())
        })?;
        let schema = metadata_value(&object.metadata, "schema").unwrap_or_default();
        let mut placed = parent;
        if schema.starts_with("AbcGeom_Xform") {
            placed = object.place(parent, self.pose).map_err(fault)?;
            let own = object.poses().map_err(fault)?;
            if own > poses.max(1) {
                let times = object.times().map_err(fault)?;
                self.pace(own, times.as_ref());
            }
            poses = poses.max(own);
        } else if schema.starts_with("AbcGeom_Curve") {
            self.curves(object, placed, poses)?;
        } else if schema.starts_with("AbcGeom_PolyMesh") || schema.starts_with("AbcGeom_SubD") {
            self.meshes += 1;
        }
        let children = object.children().map_err(fault)?;
        let told = children.iter().map(|c| c.name.len() + c.metadata.len());
        self.spend(told.sum())?;
        for child in children {
            self.object(&child, placed, poses)?;
        }
        Ok(())
    }

    /// Notes that so many bytes of the file were read, which may serve many objects.
    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.room = self.room.checked_sub(bytes).ok_or_else(|| {
            Fault::whole("its objects share one part too many times; export the file again".into())
        })?;
        Ok(())
    }

    /// Notes how many of so many poses, which have these times, there are in a second,
    /// where something here has that many.
    fn pace(&mut self, poses: usize, times: Option<&Times>) {
        let times = times.filter(|_| poses > self.paced);
        if let Some(rate) = times.and_then(|times| times.rate(poses)) {
            (self.paced, self.out.rate) = (poses, rate);
            self.out.start = times.map_or(0.0, |times| times.at(0));
        }
    }

    /// The values of a property in the pose that is read, or the last before, as `taken`.
    fn now<T>(
        &mut self,
        property: &Property,
        taken: impl Fn(&lovelock_alembic::Sample) -> Result<T, lovelock_alembic::Error>,
    ) -> Result<T, Fault> {
        let index = self.pose.min(property.samples().saturating_sub(1));
        let sample = property.sample(index).map_err(fault)?;
        self.spend(sample.size())?;
        taken(&sample).map_err(fault)
    }

    fn curves(&mut self, object: &Object, placed: DMat4, poses: usize) -> Result<(), Fault> {
        let Some(geometry) = object.property(".geom").map_err(fault)? else {
            return Ok(());
        };
        let inner = geometry.properties().map_err(fault)?;
        self.spend(inner.iter().map(|p| 32 + p.name().len()).sum())?;
        let find = |name: &str| {
            let found = inner.iter().find(|property| property.name() == name);
            found.filter(|found| found.samples() > 0 || found.kind() == Kind::Compound)
        };
        let name = &object.name;
        let (Some(points), Some(counts)) = (find("P"), find("nVertices")) else {
            self.note(format!(
                "the curves \"{name}\" have no points and are left out"
            ));
            return Ok(());
        };
        let [kind, wrap, basis, _] = match find("curveBasisAndType") {
            Some(found) => {
                let all = self.now(found, |s| s.whole())?;
                std::array::from_fn(|k| all.get(k).copied().unwrap_or_default())
            }
            None => [1, 0, 0, 0],
        };
        if kind == 2 {
            self.odd += 1;
            return Ok(());
        }
        if points.samples() > poses.max(1) {
            self.pace(points.samples(), points.times());
        }
        let poses = poses.max(points.samples());
        let values = self.now(points, |s| s.floats())?;
        let counts = self.now(counts, |s| s.whole())?;
        let total: i128 = counts.iter().map(|count| i128::from(*count)).sum();
        let negative = counts.iter().any(|count| *count < 0);
        if negative || total != (values.len() / 3) as i128 {
            return Err(Fault::whole(format!(
                "the curves \"{name}\" promise {} and have {}; export the file again",
                counted(total, "point", "points"),
                values.len() / 3
            )));
        }
        self.curves += 1;
        let before = [self.out.len(), self.out.points.len()];
        self.follow(before[0], counts.len(), kind == 0, (wrap == 1, basis));
        self.out.poses = self.out.poses.max(poses);
        self.out.points.extend(values.chunks_exact(3).map(|c| {
            let p = Vec3::new(c[0], c[1], c[2]);
            match placed == DMat4::IDENTITY {
                true => p,
                false => placed.transform_point3(p.as_dvec3()).as_vec3(),
            }
        }));
        let mut end = before[1] as u64;
        for count in &counts {
            end += *count as u64;
            let start = u32::try_from(end).map_err(|_| Fault::whole(TOO_MANY.into()))?;
            self.out.starts.push(start);
        }
        if self.pose > 0 {
            return Ok(());
        }
        let mut columns = Vec::new();
        let mut odd = Vec::new();
        for holder in [".arbGeomParams", ".userProperties"] {
            let Some(holder) = find(holder) else { continue };
            for property in holder.properties().map_err(fault)? {
                let name = property.name().to_string();
                self.spend(32 + name.len())?;
                if schema::OWN.contains(&&name[..]) {
                    continue;
                }
                match column::read(&property)? {
                    Some(column) => {
                        self.spend(4 * column.values.len())?;
                        columns.push(column);
                    }
                    None => odd.push(name),
                }
            }
        }
        for name in ["width", "uv"] {
            let found = find(name).map(column::read).transpose()?.flatten();
            columns.extend(found);
        }
        self.looks(&mut columns, placed, before, &counts);
        gather(&mut self.out, columns, odd, before);
        Ok(())
    }

    /// Takes widths, colours and roots out of `columns`, behind those of curves before.
    fn looks(
        &mut self,
        columns: &mut Vec<Attribute>,
        placed: DMat4,
        before: [usize; 2],
        counts: &[i64],
    ) {
        let mut take = |names: [&str; 2], each: usize| -> Option<Attribute> {
            let float = |c: &Attribute| {
                names.contains(&&c.name[..]) && c.each == each && matches!(c.values, Values::F32(_))
            };
            let found = columns.iter().position(float)?;
            let taken = columns.swap_remove(found);
            // Told in two ways it is one.
            columns.retain(|column| !float(column));
            Some(taken)
        };
        let points = counts.iter().sum::<i64>() as usize;
        let spread = |column: Attribute| -> Option<Vec<f32>> {
            let Values::F32(all) = &column.values else {
                return None;
            };
            let (rows, each) = (column.rows(), column.each);
            let row = |i: usize| &all[i * each..(i + 1) * each];
            match rows {
                _ if rows == points => Some(all.clone()),
                1 => Some(row(0).repeat(points)),
                _ if rows == counts.len() => {
                    let copies = counts.iter().enumerate();
                    Some(
                        copies
                            .flat_map(|(i, n)| row(i).repeat(*n as usize))
                            .collect(),
                    )
                }
                _ => None,
            }
        };
        let scale = placed.determinant().abs().cbrt() as f32;
        let out = &mut self.out;
        match take([schema::WIDTH, "width"], 1).and_then(spread) {
            // All points have one or none has.
            Some(widths) if out.widths.len() == before[1] => {
                out.widths.extend(widths.iter().map(|w| w * scale));
            }
            _ => out.widths.clear(),
        }
        match take([schema::COLOUR, "Cd"], 3).and_then(spread) {
            Some(colours) if out.colours.len() == before[1] => {
                let colours = colours.chunks_exact(3);
                out.colours.extend(colours.map(|c| [c[0], c[1], c[2]]));
            }
            _ => out.colours.clear(),
        }
        let uvs = take([schema::ROOT_UV, "uv"], 2);
        let uvs = uvs.filter(|uvs| uvs.of != Of::Point && uvs.rows() == counts.len());
        match uvs.map(|uvs| uvs.values) {
            Some(Values::F32(uvs)) if out.root_uvs.len() == before[0] => {
                out.root_uvs
                    .extend(uvs.chunks_exact(2).map(|c| [c[0], c[1]]));
            }
            _ => out.root_uvs.clear(),
        }
    }

    /// Notes how the control points of the next `count` curves make curves.
    fn follow(&mut self, first: usize, count: usize, cubic: bool, (closed, basis): (bool, i64)) {
        if closed {
            self.note("closed curves are cut open where they begin".into());
        }
        let basis = match basis {
            _ if !cubic => return,
            1 => Basis::Bezier,
            2 => Basis::Bspline,
            3 => Basis::CatmullRom,
            _ => {
                return self.note(
                    "the curves are cubic of an unknown basis; strands go through their control \
                     points"
                        .into(),
                );
            }
        };
        let wrap = match (closed, basis) {
            (true, _) => Wrap::Periodic,
            (false, Basis::Bezier) => Wrap::Open,
            // Hair is rooted at its first point.
            _ => Wrap::Pinned,
        };
        self.note(format!(
            "the curves are cubic ({}), and are followed",
            basis.name()
        ));
        self.out.cubic.push(Cubic {
            strands: first..first + count,
            basis,
            wrap,
        });
    }

    fn note(&mut self, text: String) {
        if !self.out.notes.contains(&text) {
            self.out.notes.push(text);
        }
    }
}
