//! Sets of curves, of which Alembic and USD may have several in a file: what they say of
//! their look becomes what the groom says of it.

use super::{
    Attribute, Fault, Strands,
    attribute::Values,
    content::TOO_MANY,
    cubic::{Basis, Wrap},
    pieces::ends,
};
use glam::{DMat4, Vec3};

/// What columns are called that are no columns here, the likeliest first.
pub struct LookNames {
    pub widths: &'static [&'static str],
    pub colours: &'static [&'static str],
    pub root_uvs: &'static [&'static str],
}

/// A set of curves that stands in a groom behind others.
pub struct CurveSet<'a> {
    /// Strands and points of the groom before it.
    pub before: [usize; 2],
    /// Points of each of its curves.
    pub counts: &'a [u32],
    /// Points of all of them.
    pub points: usize,
    /// What its curves are, with their ends as the file has them; none where they are
    /// linear.
    pub cubic: Option<(Basis, Wrap)>,
    /// By how much they are larger than they are written.
    scale: f32,
}

/// Why values are none of a set, for a sentence.
const ODD: &str = "that are neither one for each point nor one for each curve";
const LARGE: &str = "that are many times as large as the file";
const NOT_ALL: &str = "that not all curves have";

impl<'a> CurveSet<'a> {
    /// Adds curves at these coordinates, three a point, to `out`, where they are `placed`.
    /// There are as many points as `counts` say.
    pub fn add(
        out: &mut Strands,
        coordinates: &[f32],
        counts: &'a [u32],
        placed: DMat4,
    ) -> Result<Self, Fault> {
        let before = [out.len(), out.points.len()];
        let points = coordinates.len() / 3;
        out.points.reserve_exact(points);
        out.points.extend(coordinates.chunks_exact(3).map(|c| {
            let p = Vec3::new(c[0], c[1], c[2]);
            match placed == DMat4::IDENTITY {
                true => p,
                false => placed.transform_point3(p.as_dvec3()).as_vec3(),
            }
        }));
        let mut end = before[1] as u64;
        out.starts.reserve_exact(counts.len());
        for count in counts {
            end += u64::from(*count);
            let start = u32::try_from(end).map_err(|_| Fault::whole(TOO_MANY.into()))?;
            out.starts.push(start);
        }
        Ok(Self {
            before,
            counts,
            points,
            cubic: None,
            scale: placed.determinant().abs().cbrt() as f32,
        })
    }

    /// Takes widths, colours and roots of that name out of the `columns` of the set; what
    /// cannot be taken is left out with a note. The bytes that they need are taken from
    /// `room`.
    pub fn take_looks(
        &self,
        out: &mut Strands,
        columns: &mut Vec<Attribute>,
        names: &LookNames,
        room: &mut usize,
    ) {
        if self.counts.is_empty() {
            return;
        }
        let [strands, points] = self.before;
        let widths = take(columns, names.widths, 1).map(|own| {
            let own = self.spread(&own, 1, room)?;
            Ok(own.into_iter().map(|width| width * self.scale).collect())
        });
        let told = [
            join(&mut out.widths, widths, (points, self.points), "widths"),
            join(
                &mut out.colours,
                take(columns, names.colours, 3).map(|own| {
                    let own = self.spread(&own, 3, room)?;
                    Ok(own.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect())
                }),
                (points, self.points),
                "colours",
            ),
            join(
                &mut out.root_uvs,
                take(columns, names.root_uvs, 2).map(|own| self.roots(&own, room)),
                (strands, self.counts.len()),
                "texture coordinates of roots",
            ),
        ];
        for note in told.into_iter().flatten() {
            if !out.notes.contains(&note) {
                out.notes.push(note);
            }
        }
    }

    /// Values for all points out of those for points, curves, ends of pieces, or all at
    /// once.
    fn spread(
        &self,
        values: &[f32],
        each: usize,
        room: &mut usize,
    ) -> Result<Vec<f32>, &'static str> {
        let needed = self.points.saturating_mul(4 * each);
        *room = room.checked_sub(needed).ok_or(LARGE)?;
        let rows = values.len() / each;
        let row = |i: usize| &values[i * each..(i + 1) * each];
        if rows == self.points {
            return Ok(values[..rows * each].to_vec());
        }
        if rows == 1 {
            return Ok(row(0).repeat(self.points));
        }
        if rows == self.counts.len() {
            let copies = self.counts.iter().enumerate();
            let all = copies.flat_map(|(i, n)| row(i).repeat(*n as usize));
            return Ok(all.collect());
        }
        let cubic = self.cubic.ok_or(ODD)?;
        ends(values, each, self.counts, cubic).ok_or(ODD)
    }

    /// Two values for each curve, out of those for curves, or for points, of which the
    /// first one of a curve counts.
    fn roots(&self, values: &[f32], room: &mut usize) -> Result<Vec<[f32; 2]>, &'static str> {
        let pair = |c: &[f32]| [c[0], c[1]];
        if values.len() == 2 * self.counts.len() {
            return Ok(values.chunks_exact(2).map(pair).collect());
        }
        if values.len() == 2 {
            return Err("that are the same for all curves");
        }
        let all = self.spread(values, 2, room)?;
        let mut first = 0;
        let first = self.counts.iter().map(|count| {
            let own = all.get(2 * first..2 * first + 2).filter(|_| *count > 0);
            first += *count as usize;
            own.map_or([0.0; 2], pair)
        });
        Ok(first.collect())
    }
}

/// The column of one of these names with so many numbers in a row, if there is one; told in
/// several ways it is the first.
fn take(columns: &mut Vec<Attribute>, names: &[&str], each: usize) -> Option<Vec<f32>> {
    let fits = |c: &Attribute| {
        let real = matches!(c.values, Values::F32(_) | Values::F64(_));
        real && c.each == each && !c.values.is_empty()
    };
    let find = |name: &&str| columns.iter().position(|c| c.name == *name && fits(c));
    let found = columns.swap_remove(names.iter().find_map(find)?);
    columns.retain(|c| !(names.contains(&&c.name[..]) && fits(c)));
    match found.values {
        Values::F32(all) => Some(all),
        Values::F64(all) => Some(all.into_iter().map(|v| v as f32).collect()),
        Values::I32(_) | Values::I64(_) | Values::Text(_) => None,
    }
}

/// Adds values of a set to those of others, where there were `before` and `here` are
/// wanted; all have them or none has. What to say of values that are left out.
fn join<T>(
    all: &mut Vec<T>,
    own: Option<Result<Vec<T>, &'static str>>,
    (before, here): (usize, usize),
    what: &str,
) -> Option<String> {
    let why = match own {
        Some(Ok(mut own)) if all.len() == before => {
            all.append(&mut own);
            return None;
        }
        None if all.is_empty() || here == 0 => return None,
        Some(Err(why)) => why,
        Some(Ok(_)) | None => NOT_ALL,
    };
    all.clear();
    Some(format!("{what} {why} are left out"))
}
