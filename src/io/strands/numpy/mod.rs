//! NumPy arrays, as codes that reconstruct hair write strands: `.npz` archives
//! (DiffLocks: `positions`, strands x points x 3, beside `root_uv` and more) and
//! single arrays, `.npy`.

mod archive;
mod array;

use super::{Attribute, Carries, Detail, Fault, Format, Strands, attribute::Of, content::TOO_MANY};
use crate::math;
use array::{Array, Number};
use glam::Vec3;

/// The format.
pub const FORMAT: Format = Format {
    id: "npz",
    name: "NumPy arrays",
    endings: &["npz", "npy"],
    reads: "an array strands x points x 3, or points x 3 with one of counts or offsets; reals of \
            16, 32 and 64 bits, C and Fortran order, stored or deflated",
    limits: "points behind the first that is no number are padding and left out; arrays with a \
             row a strand or a point are columns",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        root_uvs: true,
        columns: true,
        ..Carries::PLACES
    },
    is: |bytes| bytes.starts_with(array::MAGIC) || archive::is(bytes),
    read,
    each_pose: None,
    writing: None,
};

/// What strands are called, the likeliest first.
const NAMES: [&str; 12] = [
    "positions",
    "strands",
    "points",
    "strand_points",
    "hair",
    "hairs",
    "curves",
    "vertices",
    "pos",
    "xyz",
    "p",
    "arr_0",
];
/// What arrays of how many points each strand has are called, and of where each begins.
const COUNTS: [&str; 7] = [
    "counts",
    "count",
    "num_points",
    "n_points",
    "lengths",
    "point_counts",
    "curve_counts",
];
const OFFSETS: [&str; 3] = ["offsets", "offset", "starts"];
/// What widths and colours are called.
const WIDTHS: [&str; 4] = ["width", "widths", "groom_width", "thickness"];
const COLOURS: [&str; 7] = [
    "cd",
    "color",
    "colors",
    "colour",
    "colours",
    "groom_color",
    "displaycolor",
];
/// What the roots' texture coordinates are called.
const ROOT_UVS: [&str; 4] = ["root_uv", "root_uvs", "uv", "uvs"];
/// Strands with at most so many rows beside them are matrices as likely as strands.
const MATRIX: usize = 3;
/// A column has at most so many numbers a row.
const WIDEST: usize = 16;
/// Strands take at most so many times the file's size in memory.
const MOST_MEMORY: usize = 14;

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let (mut arrays, others) = match archive::single(bytes) {
        Some(array) => (vec![array?], Vec::new()),
        None => archive::arrays(bytes)?,
    };
    let chosen = choose(&arrays, &others)?;
    let places = arrays.swap_remove(chosen);
    let memory = places.len().saturating_mul(4);
    if memory > MOST_MEMORY.saturating_mul(bytes.len()) {
        return Err(Fault::whole(format!(
            "its strands need more than {MOST_MEMORY} times the file's size, as no hair does; if \
             they are meant, save them with numpy.savez and not savez_compressed"
        )));
    }
    let mut out = match places.shape[..] {
        [_, each, _] => even(&places, each)?,
        _ => counted(&places, &mut arrays)?,
    };
    beside(&mut out, &places, arrays);
    if !others.is_empty() {
        out.notes.push(format!(
            "what is no array of numbers is left out: {}",
            others.join(", ")
        ));
    }
    Ok(out)
}

/// Which array has the strands.
fn choose(arrays: &[Array], others: &[String]) -> Result<usize, Fault> {
    let strands = |array: &Array| {
        let real = array.number == Number::Real;
        let shape = &array.shape[..];
        real && matches!(shape, [n, each, 3] if *n > 0 && *each > 1)
    };
    let points = |array: &Array| {
        array.number == Number::Real && matches!(&array.shape[..], [n, 3] if *n > 0)
    };
    let named = |found: &[usize]| {
        let by = |name: &str| {
            let same = |i: &&usize| arrays[**i].name.eq_ignore_ascii_case(name);
            found.iter().find(same).copied()
        };
        NAMES.iter().find_map(|name| by(name))
    };
    let which = |fits: &dyn Fn(&Array) -> bool| -> Vec<usize> {
        (0..arrays.len()).filter(|i| fits(&arrays[*i])).collect()
    };
    let (whole, loose) = (which(&strands), which(&points));
    // Frames at roots have the shape of strands of three points.
    let long = |i: &&usize| arrays[**i].shape[1] > MATRIX;
    let longer: Vec<usize> = whole.iter().filter(long).copied().collect();
    for found in [&whole, &longer, &loose] {
        if let Some(chosen) = named(found) {
            return Ok(chosen);
        }
        if let [chosen] = found[..] {
            return Ok(chosen);
        }
    }
    let mut listed: Vec<String> = arrays.iter().map(Array::told).collect();
    listed.extend(others.iter().cloned());
    let listed = match listed.is_empty() {
        true => "no arrays".into(),
        false => listed.join(", "),
    };
    Err(Fault::whole(match whole.len() + loose.len() {
        0 => format!(
            "it has no array of strands (strands, points, 3) nor of points (points, 3) but \
             {listed}; save the strands as one such array named positions"
        ),
        _ => format!(
            "several of its arrays could be strands: {listed}; name the one that is meant positions"
        ),
    }))
}

/// Strands of `each` points at most: what is behind the first point that is no
/// number fills up a row.
fn even(places: &Array, each: usize) -> Result<Strands, Fault> {
    let count = places.shape[0];
    let mut out = Strands {
        points: Vec::with_capacity(count * each),
        starts: Vec::with_capacity(count + 1),
        ..Strands::default()
    };
    out.begin()?;
    let mut short = CutRows::default();
    for strand in 0..count {
        let row = || (0..each).map(|i| point(places, strand * each + i));
        let before = out.points.len();
        out.points.extend(row().take_while(|p| p.is_finite()));
        let kept = out.points.len() - before;
        if kept < each {
            let lost = row().skip(kept).filter(|p| p.is_finite()).count();
            short.add(strand, kept, lost);
        }
        out.begin()?;
    }
    out.notes.extend(short.told(each));
    Ok(out)
}

/// Rows of an array that a point which is no number cuts short.
#[derive(Default)]
struct CutRows {
    rows: usize,
    /// Those of which nothing is left.
    empty: usize,
    /// Points behind the cuts that are numbers.
    lost: usize,
    /// The number of the first of them, and its points that are left.
    first: Option<[usize; 2]>,
}

impl CutRows {
    /// Row `strand` keeps so many points, and loses so many that are numbers.
    fn add(&mut self, strand: usize, kept: usize, lost: usize) {
        self.rows += 1;
        self.empty += usize::from(kept == 0);
        self.lost += lost;
        self.first.get_or_insert([strand, kept]);
    }

    /// A sentence on rows of `each` points; none where all are whole.
    fn told(&self, each: usize) -> Option<String> {
        let [strand, kept] = self.first?;
        let mut out = format!(
            "{} before a point that is no number, the first of them strand {strand} (counted from \
             0) after {kept} of {each} points",
            math::counted(self.rows, "row ends", "rows end")
        );
        if self.lost > 0 {
            out += &format!(
                "; {} that {} behind such points",
                math::counted(self.lost, "point is left out", "points are left out"),
                if self.lost == 1 { "lies" } else { "lie" }
            );
        }
        if self.empty > 0 {
            out += &format!(
                "; {} no point at all",
                math::counted(self.empty, "strand has", "strands have")
            );
        }
        Some(out)
    }
}

/// Points one strand after the other, with an array of how many each has or where
/// each begins, which is taken out of `arrays`; without one they are points alone.
fn counted(places: &Array, arrays: &mut Vec<Array>) -> Result<Strands, Fault> {
    let all = places.shape[0];
    u32::try_from(all).map_err(|_| Fault::whole(TOO_MANY.into()))?;
    let mut out = Strands {
        points: (0..all).map(|i| point(places, i)).collect(),
        ..Strands::default()
    };
    let mut starts: Vec<(usize, Vec<u32>)> = (arrays.iter().enumerate())
        .filter_map(|(i, array)| Some((i, starts(array, all as u64)?)))
        .collect();
    // Numbers of strands rise from 0 as offsets do: what a name says counts first.
    match starts.iter().any(|(i, _)| tells_starts(&arrays[*i])) {
        true => starts.retain(|(i, _)| tells_starts(&arrays[*i])),
        false => refuse_counts(arrays, all)?,
    }
    if let Some((first, others)) = starts.split_first() {
        if others.iter().any(|(_, starts)| *starts != first.1) {
            let names = starts.iter().map(|(i, _)| &arrays[*i].name[..]);
            return Err(Fault::whole(format!(
                "several of its arrays could say where strands begin: {}; keep the one that does",
                names.collect::<Vec<_>>().join(", ")
            )));
        }
        out.starts.clone_from(&first.1);
        for (i, _) in starts.iter().rev() {
            arrays.swap_remove(*i);
        }
    }
    Ok(out)
}

/// Whether an array is called one of counts or of offsets.
fn tells_starts(array: &Array) -> bool {
    let mut names = COUNTS.iter().chain(&OFFSETS);
    names.any(|name| array.name.eq_ignore_ascii_case(name))
}

/// Refuses points with an array that is called one of counts or of offsets and is none.
fn refuse_counts(arrays: &[Array], all: usize) -> Result<(), Fault> {
    let is = |array: &&Array| {
        tells_starts(array) && array.number != Number::Real && array.shape.len() == 1
    };
    let Some(array) = arrays.iter().find(is) else {
        return Ok(());
    };
    let name = &array.name;
    let counts = COUNTS.iter().any(|known| name.eq_ignore_ascii_case(known));
    Err(Fault::whole(match counts {
        true => {
            let sum: i128 = (0..array.shape[0])
                .map(|i| i128::from(array.whole(i)))
                .sum();
            format!(
                "its array {name} adds up to {sum} and there are {}; save one number of points a \
                 strand",
                math::counted(all, "point", "points")
            )
        }
        false => format!(
            "its array {name} does not rise from 0 to the number of points, {all}; save where \
             each strand begins"
        ),
    }))
}

/// Where strands begin, if the array says so: how many points each has, or where
/// each begins, with or without the end of the last.
fn starts(array: &Array, all: u64) -> Option<Vec<u32>> {
    let [rows] = array.shape[..] else { return None };
    if array.number == Number::Real || rows == 0 || rows as u64 > all + 1 {
        return None;
    }
    let numbers: Vec<u64> = (0..rows)
        .map(|i| u64::try_from(array.whole(i)).ok())
        .collect::<Option<_>>()?;
    let sum = numbers.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    let rising = numbers.is_sorted() && numbers[0] == 0 && rows > 1;
    let mut starts: Vec<u64> = match sum == Some(all) {
        true => {
            let mut at = 0;
            let ends = numbers.iter().map(|n| {
                at += n;
                at
            });
            std::iter::once(0).chain(ends).collect()
        }
        false if rising && numbers[rows - 1] <= all => numbers,
        false => return None,
    };
    if starts.last() != Some(&all) {
        starts.push(all);
    }
    starts
        .into_iter()
        .map(|start| u32::try_from(start).ok())
        .collect()
}

/// Takes widths or colours, which have their usual name and a row a point or a strand;
/// whether it did.
fn take_looks(out: &mut Strands, array: &Array, of: Of, width: usize) -> bool {
    let called = |names: &[&str]| {
        let same = |name: &&str| array.name.eq_ignore_ascii_case(name);
        names.iter().any(same)
    };
    // The row of each point.
    let rows: Vec<usize> = match of {
        Of::Point => (0..out.points.len()).collect(),
        Of::Strand => {
            let all = (0..out.len()).map(|strand| (strand, out.range(strand).len()));
            all.flat_map(|(strand, points)| std::iter::repeat_n(strand, points))
                .collect()
        }
        Of::Groom => return false,
    };
    let real = array.number == Number::Real;
    if width == 1 && called(&WIDTHS) && real && out.widths.is_empty() {
        out.widths = rows.iter().map(|row| array.real(*row) as f32).collect();
        return true;
    }
    if width == 3 && called(&COLOURS) && out.colours.is_empty() {
        // Whole numbers are shares of 255.
        let colour = |i: usize| match real {
            true => array.real(i) as f32,
            false => (array.whole(i) as f32 / 255.0).clamp(0.0, 1.0),
        };
        let colours = rows
            .iter()
            .map(|row| [0, 1, 2].map(|k| colour(3 * row + k)));
        out.colours = colours.collect();
        return true;
    }
    false
}

fn point(places: &Array, i: usize) -> Vec3 {
    Vec3::from([0, 1, 2].map(|k| places.real(3 * i + k) as f32))
}

/// What the other arrays say of strands and points.
fn beside(out: &mut Strands, places: &Array, arrays: Vec<Array>) {
    let (strands, points) = (out.len(), out.points.len());
    let each = places.shape[1];
    let mut odd = Vec::new();
    for array in arrays {
        let width = |rows: usize| array.shape.iter().skip(rows).product::<usize>();
        let strand = array.shape.first() == Some(&strands) && strands > 0;
        // Rows that were cut short have no place for what fills them up.
        let whole = places.shape.len() == 3 && points == strands * each;
        let of_rows = strand && whole && array.shape.get(1) == Some(&each);
        let loose = places.shape.len() == 2 && array.shape.first() == Some(&points);
        let uvs = ROOT_UVS
            .iter()
            .any(|name| array.name.eq_ignore_ascii_case(name));
        let (of, width) = match (of_rows, loose, strand) {
            (true, ..) => (Of::Point, width(2)),
            (_, true, _) => (Of::Point, width(1)),
            (_, _, true) => (Of::Strand, width(1)),
            _ => (Of::Groom, 0),
        };
        if uvs && of == Of::Strand && width == 2 && out.root_uvs.is_empty() {
            let uv = |i: usize| [0, 1].map(|k| array.real(2 * i + k) as f32);
            out.root_uvs = (0..strands).map(uv).collect();
        } else if take_looks(out, &array, of, width) {
        } else if (1..=WIDEST).contains(&width) {
            out.attributes.push(Attribute {
                values: array.values(),
                name: array.name,
                of,
                each: width,
            });
        } else {
            odd.push(array.told());
        }
    }
    if !odd.is_empty() {
        out.notes.push(format!(
            "arrays without a row for each strand or point are left out: {}",
            odd.join(", ")
        ));
    }
}
