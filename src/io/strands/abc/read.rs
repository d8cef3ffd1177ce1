//! Reading the curves of an Alembic archive.

use super::{
    column,
    schema::{LOOKS, OWN, fault, is_curves, is_hidden, is_mesh, is_transform, space},
    times::ArchiveTimes,
};
use crate::io::strands::{
    Attribute, Fault, Strands,
    cubic::{Basis, Cubic, Wrap},
    curve_set::CurveSet,
    gather::{gather, told},
};
use crate::math::counted;
use glam::DMat4;
use lovelock_alembic::{Archive, Error, Kind, Object, Property, Sample};
use std::collections::BTreeSet;

/// One sample may serve many curves, but strands are no more than so many times the
/// file.
const SHARED: usize = 16;

pub fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let archive = Archive::open(bytes).map_err(fault)?;
    let times = ArchiveTimes::of(&archive, bytes.len())?;
    read_pose(&archive, bytes.len(), &times, 0)
}

/// Hands over the strands of each pose, until it is answered false.
pub fn each_pose(bytes: &[u8], take: &mut dyn FnMut(Strands) -> bool) -> Result<(), Fault> {
    let archive = Archive::open(bytes).map_err(fault)?;
    let times = ArchiveTimes::of(&archive, bytes.len())?;
    for pose in 0..times.count.max(1) {
        if !take(read_pose(&archive, bytes.len(), &times, pose)?) {
            break;
        }
    }
    Ok(())
}

/// The strands of an archive of so many bytes in one of its poses.
fn read_pose(
    archive: &Archive,
    bytes: usize,
    times: &ArchiveTimes,
    pose: usize,
) -> Result<Strands, Fault> {
    let (metres_per_unit, up) = space(archive);
    let mut reader = Reader {
        out: Strands {
            starts: vec![0],
            metres_per_unit,
            up,
            poses: times.count,
            rate: times.rate,
            start: times.at(0).unwrap_or_default(),
            ..Strands::default()
        },
        pose,
        time: times.at(pose),
        curves: 0,
        meshes: 0,
        variable: 0,
        hidden: 0,
        instances: 0,
        odd: BTreeSet::new(),
        objects: bytes / 32,
        room: bytes.saturating_mul(SHARED),
    };
    let top = archive.top().map_err(fault)?;
    reader.object(&top, DMat4::IDENTITY)?;
    if reader.curves == 0 {
        return Err(Fault::whole(reader.nothing()));
    }
    reader.tell();
    Ok(reader.out)
}

struct Reader {
    out: Strands,
    /// Which pose is read.
    pose: usize,
    /// When it is, where the file says it. `[s]`
    time: Option<f64>,
    /// Objects with curves that were read.
    curves: usize,
    meshes: usize,
    /// Those with curves of variable order.
    variable: usize,
    /// Those with curves that are not to be seen.
    hidden: usize,
    /// Objects that stand for others.
    instances: usize,
    /// Columns that not all curves have alike.
    odd: BTreeSet<String>,
    /// How many more objects there can be.
    objects: usize,
    /// How many more bytes of samples are read.
    room: usize,
}

impl Reader {
    /// Why there are no curves, and what to do.
    fn nothing(&self) -> String {
        match (self.variable, self.meshes) {
            _ if self.hidden > 0 => format!(
                "it is an Alembic archive without curves that are seen: {} hidden; make the hair \
                 visible and export it again",
                counted(self.hidden, "set of curves is", "sets of curves are")
            ),
            (0, 0) => "it is an Alembic archive without curves; export hair as curves".into(),
            (0, meshes) => format!(
                "it is an Alembic archive with {} and no curves; export hair as curves",
                counted(meshes, "mesh", "meshes")
            ),
            _ => "its curves are of variable order (NURBS); export hair as linear or cubic curves"
                .into(),
        }
    }

    /// Notes what is left out.
    fn tell(&mut self) {
        for (count, one, more) in [
            (
                self.variable,
                "set of curves of variable order is",
                "sets of curves of variable order are",
            ),
            (
                self.hidden,
                "set of curves is hidden, and is",
                "sets of curves are hidden, and are",
            ),
            (self.instances, "instance is", "instances are"),
        ] {
            if count > 0 {
                let what = counted(count, one, more);
                self.out.notes.push(format!("{what} left out"));
            }
        }
        self.out.notes.extend(told(&self.odd));
    }

    /// Reads an object that stands under others.
    fn object(&mut self, object: &Object, parent: DMat4) -> Result<(), Fault> {
        self.count_object()?;
        if is_hidden(object).map_err(fault)? {
            return self.hide(object);
        }
        if object.property(".instanceSource").map_err(fault)?.is_some() {
            self.instances += 1;
        }
        let mut placed = parent;
        if is_transform(object) {
            placed = match self.time {
                Some(time) => object.place_at(parent, time),
                None => object.place(parent, self.pose),
            }
            .map_err(fault)?;
        } else if is_curves(object) {
            self.curves(object, placed)?;
        } else if is_mesh(object) {
            self.meshes += 1;
        }
        for child in self.children(object)? {
            self.object(&child, placed)?;
        }
        Ok(())
    }

    fn count_object(&mut self) -> Result<(), Fault> {
        self.objects = self.objects.checked_sub(1).ok_or_else(|| {
            Fault::whole("its objects contain one another; export the file again".into())
        })?;
        Ok(())
    }

    fn children<'a>(&mut self, object: &Object<'a>) -> Result<Vec<Object<'a>>, Fault> {
        let children = object.children().map_err(fault)?;
        let told = children.iter().map(|c| c.name.len() + c.metadata.len());
        self.spend(told.sum())?;
        Ok(children)
    }

    /// Counts the curves in and below an object that is hidden.
    fn hide(&mut self, object: &Object) -> Result<(), Fault> {
        self.hidden += usize::from(is_curves(object));
        for child in self.children(object)? {
            self.count_object()?;
            self.hide(&child)?;
        }
        Ok(())
    }

    /// Notes that so many bytes of the file were read, which may serve many objects.
    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.room = self.room.checked_sub(bytes).ok_or_else(|| {
            Fault::whole(format!(
                "its objects share samples, and are more than {SHARED} times as large as the file \
                 without that; export them in several files"
            ))
        })?;
        Ok(())
    }

    /// The values of a property in the pose that is read, or the last before, as `taken`.
    fn now<T>(
        &mut self,
        property: &Property,
        taken: impl Fn(&Sample) -> Result<T, Error>,
    ) -> Result<T, Fault> {
        let index = match self.time {
            Some(time) => property.index_at(time),
            None => self.pose.min(property.samples().saturating_sub(1)),
        };
        let sample = property.sample(index).map_err(fault)?;
        self.spend(sample.size())?;
        taken(&sample).map_err(fault)
    }

    fn curves(&mut self, object: &Object, placed: DMat4) -> Result<(), Fault> {
        let Some(geometry) = object.property(".geom").map_err(fault)? else {
            return Ok(());
        };
        let inner = geometry.properties().map_err(fault)?;
        self.spend(inner.iter().map(|p| 32 + p.name().len()).sum())?;
        let name = &object.name;
        let (Some(points), Some(counts)) = (find(&inner, "P"), find(&inner, "nVertices")) else {
            self.note(format!(
                "the curves \"{name}\" have no points and are left out"
            ));
            return Ok(());
        };
        let [kind, wrap, basis, _] = match find(&inner, "curveBasisAndType") {
            Some(found) => {
                let all = self.now(found, |s| s.whole())?;
                std::array::from_fn(|k| all.get(k).copied().unwrap_or_default())
            }
            None => [1, 0, 0, 0],
        };
        if kind == 2 {
            self.variable += 1;
            return Ok(());
        }
        let values = self.now(points, |s| s.floats())?;
        let told = self.now(counts, |s| s.whole())?;
        let total: i128 = told.iter().map(|count| i128::from(*count)).sum();
        let counts: Option<Vec<u32>> = told.iter().map(|n| u32::try_from(*n).ok()).collect();
        let fits = total == (values.len() / 3) as i128;
        let Some(counts) = counts.filter(|_| fits) else {
            return Err(Fault::whole(format!(
                "the curves \"{name}\" promise {} and have {}; export the file again",
                counted(total, "point", "points"),
                values.len() / 3
            )));
        };
        self.curves += 1;
        self.out.says_velocities |= find(&inner, ".velocities").is_some();
        let first = self.out.len();
        let cubic = self.follow(first, counts.len(), kind == 0, (wrap == 1, basis));
        let mut set = CurveSet::add(&mut self.out, &values, &counts, placed)?;
        if self.pose > 0 {
            return Ok(());
        }
        set.cubic = cubic;
        let mut columns = self.columns(&inner)?;
        set.take_looks(&mut self.out, &mut columns, &LOOKS, &mut self.room);
        let room = &mut self.room;
        gather(&mut self.out, columns, &mut self.odd, set.before, room);
        Ok(())
    }

    /// What curves with these properties say of themselves, in columns with as many rows as
    /// they have.
    fn columns(&mut self, inner: &[Property]) -> Result<Vec<Attribute>, Fault> {
        let mut out = Vec::new();
        for holder in [".arbGeomParams", ".userProperties"] {
            let Some(holder) = find(inner, holder) else {
                continue;
            };
            for property in holder.properties().map_err(fault)? {
                let name = property.name();
                self.spend(32 + name.len())?;
                if OWN.contains(&name) {
                    continue;
                }
                match column::read(&property, &mut self.room)? {
                    Some(column) => {
                        self.spend(4 * column.values.len())?;
                        out.push(column);
                    }
                    None => drop(self.odd.insert(name.into())),
                }
            }
        }
        for name in ["width", "uv"] {
            let found = find(inner, name);
            let found = found.map(|found| column::read(found, &mut self.room));
            match found.transpose()? {
                Some(Some(column)) => out.push(column),
                Some(None) => drop(self.odd.insert(name.into())),
                None => {}
            }
        }
        Ok(out)
    }

    /// Notes how the control points of the next `count` curves make curves; what they are,
    /// with their ends as the file has them.
    fn follow(
        &mut self,
        first: usize,
        count: usize,
        cubic: bool,
        (closed, basis): (bool, i64),
    ) -> Option<(Basis, Wrap)> {
        if closed {
            self.note("closed curves are cut open where they begin".into());
        }
        let basis = match basis {
            _ if !cubic => return None,
            1 => Basis::Bezier,
            2 => Basis::Bspline,
            3 => Basis::CatmullRom,
            _ => {
                self.note(
                    "the curves are cubic of an unknown basis; strands go through their control \
                     points"
                        .into(),
                );
                return None;
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
        Some((basis, if closed { wrap } else { Wrap::Open }))
    }

    fn note(&mut self, text: String) {
        if !self.out.notes.contains(&text) {
            self.out.notes.push(text);
        }
    }
}

/// The property of that name that has a sample, or others in it.
fn find<'p, 'a>(all: &'p [Property<'a>], name: &str) -> Option<&'p Property<'a>> {
    let found = all.iter().find(|property| property.name() == name);
    found.filter(|found| found.samples() > 0 || found.kind() == Kind::Compound)
}
