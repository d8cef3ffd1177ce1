//! Strands of a file become a groom on a head: brought into metres with y up,
//! rooted on the nearest skin, and said how well they fit.

use super::{
    Groom,
    file_attributes::{self, FileAttributes},
    file_strands::{FileStrands, Place, RigidStrand},
    fit::{self, Placement},
    followers::Bed,
    grow::place_on_curve,
    import::{ImportParams, Loose},
    outliers::{Outliers, far_roots},
    reading::{Better, better, misfit, read_as, unit_name},
};
use crate::{
    math::random,
    mesh::{CollisionMesh, Surface},
};
use glam::Vec3;
use rayon::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// The most vertices that a strand can have.
const MOST: usize = 512;
/// Points nearer to one another than this share of the mean edge are one.
const SAME: f32 = 0.02;
/// Shorter strands are none. `[m]`
const SHORTEST: f32 = 2e-4;
/// Strands that are asked how well a unit or an axis fits.
const ASKED: usize = 400;
/// The way along which a strand is eased from its root on the skin to where
/// the file has it. `[m]`
const EASE: f32 = 0.03;

/// No strand of a file can be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "none of the {strands} strands has a length once brought into metres; set import.units or import.scale"
)]
pub struct NoStrand {
    /// Strands in the file.
    strands: usize,
}

/// A groom on a head.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The strands that are simulated.
    pub groom: Groom,
    /// Where more of them may be drawn.
    pub bed: Bed,
    /// What was found and decided.
    pub report: BindReport,
}

/// How a file's strands came onto a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BindReport {
    /// Strands in the file.
    pub strands: usize,
    /// Strands without length, which are not simulated and go with the head.
    pub dropped: usize,
    /// Strands with points far from all other hair, which do so too.
    pub astray: usize,
    /// Strands with more vertices than can be simulated, made coarser.
    pub resampled: usize,
    /// How far the roots were from the skin, on average. `[m]`
    pub mean_distance: f32,
    /// And at most. `[m]`
    pub largest_distance: f32,
    /// One sentence: size, unit, axis and how well it fits.
    pub summary: String,
    /// What the file says of each vertex of the groom.
    pub own: Arc<FileAttributes>,
    /// Which strands of the file these are, and where its points lie.
    pub file: Arc<FileStrands>,
    /// What was odd and what to do about it, a sentence each.
    pub warnings: Vec<String>,
    /// What would bring the roots nearer, where they are off.
    pub better: Option<Better>,
}

/// Brings `loose` strands onto that head as `params` say.
///
/// # Errors
/// When no strand is left.
pub fn bind(loose: &Loose, params: &ImportParams, body: &CollisionMesh) -> Result<Bound, NoStrand> {
    let surface = &body.surface;
    let outliers = Outliers::find(loose);
    let roots = asked(loose, &outliers);
    let (reading, mut warnings) = read_as(loose, params, &roots, body);
    let placement = reading.placement(params);
    let made: Vec<Made> = (0..loose.len())
        .into_par_iter()
        .map(|index| {
            let sound = !outliers.is_astray(index);
            let strand = sound.then(|| loose.strand(index));
            let made = strand.map(|points| make(points, &placement, surface, params.vertices));
            Made {
                index,
                ..made.unwrap_or_default()
            }
        })
        .collect();
    let count = |wanted: fn(&Made) -> bool| made.iter().filter(|made| wanted(made)).count();
    let (dropped, resampled) = (
        count(|made| made.points.is_empty()) - outliers.astray.len(),
        count(|made| made.resampled),
    );
    let long = count(|made| made.length > 1.5);
    let mut file = FileStrands::new(loose.len(), placement.metres);
    let rigid = made.iter().filter(|made| made.points.is_empty());
    file.rigid = rigid
        .map(|made| RigidStrand {
            number: made.index as u32,
            points: (loose.strand(made.index).iter())
                .map(|p| placement.place(*p))
                .filter(|p| p.is_finite())
                .collect(),
        })
        .collect();
    let mut kept: Vec<Made> = made
        .into_iter()
        .filter(|made| !made.points.is_empty())
        .collect();
    if kept.is_empty() {
        return Err(NoStrand {
            strands: loose.len(),
        });
    }
    let n = kept.len();
    let mean = kept
        .iter()
        .map(|made| f64::from(made.distance))
        .sum::<f64>()
        / n as f64;
    let largest = kept.iter().map(|made| made.distance).fold(0.0, f32::max);
    let centre = kept.iter().map(|made| made.points[0]).sum::<Vec3>() / n as f32;
    let radius = kept
        .iter()
        .map(|made| made.points[0].distance(centre))
        .fold(1e-3, f32::max);
    kept.sort_by_cached_key(|made| place_on_curve(made.points[0], centre, radius));

    let mut report = BindReport {
        strands: loose.len(),
        dropped,
        astray: outliers.astray.len(),
        resampled,
        mean_distance: mean as f32,
        largest_distance: largest,
        ..BindReport::default()
    };
    if dropped > 0 {
        warnings.push(format!(
            "{dropped} strands without length are not simulated; they go with the head"
        ));
    }
    warnings.extend(outliers.told(placement.metres));
    if resampled > 0 && params.vertices == 0 {
        warnings.push(format!(
            "{resampled} strands have more than {MOST} vertices and are drawn with {MOST}"
        ));
    }
    if long > 0 {
        warnings.push(format!(
            "{long} strands are longer than 1.5 m, which no hair here is made for; if that is not \
             meant, set import.units or import.scale"
        ));
    }
    let placed: Vec<Vec3> = roots.iter().map(|p| placement.place(*p)).collect();
    if misfit(report.mean_distance, fit::breadth(&placed)) {
        report.better = better(loose, params, &placement, &outliers, body);
        let advice = match &report.better {
            Some(better) => format!("or fit it: {better}"),
            None => "or set import.units, up, turn, scale and offset".into(),
        };
        warnings.push(format!(
            "the groom does not fit this head: its roots are {:.1} mm from the skin on average \
             and {:.1} mm at most; load its own head, {advice}",
            1e3 * report.mean_distance,
            1e3 * report.largest_distance
        ));
    } else {
        let apart = |made: &Made| (made.index as u32, made.distance);
        warnings.extend(far_roots(kept.iter().map(apart)));
    }
    let lengths = kept.iter().map(|made| made.length);
    let mean_length = lengths.sum::<f32>() / n as f32;
    let mut turned = match params.turn {
        0.0 => String::new(),
        turn => format!(", turned by {turn}°"),
    };
    if reading.along.is_some() {
        turned += ", put right with the head";
    }
    if params.vertices > 0 {
        turned += &format!(", {} vertices a strand", params.vertices.max(2));
    }
    report.summary = format!(
        "{n} strands, {:.1} cm long on average; the unit is {}, {} is up{turned}; roots {:.2} mm \
         from the skin on average, {:.2} mm at most",
        100.0 * mean_length,
        unit_name(reading.metres),
        reading.up.name(),
        1e3 * report.mean_distance,
        1e3 * report.largest_distance
    );
    report.warnings = warnings;
    let has = (
        params.own_widths && !loose.widths.is_empty(),
        params.own_colours && !loose.colours.is_empty(),
    );
    let mut own = FileAttributes::default();
    let (mut groom, bed) = gather(kept, params.guides as usize, &mut file, |made| {
        let base = loose.starts[made.index] as usize;
        for from in &made.from {
            if has.0 {
                let [width] = from.value(base, |i| [loose.widths[i]]);
                own.widths.push(width * placement.metres);
            }
            if has.1 {
                own.colours.push(from.value(base, |i| loose.colours[i]));
            }
        }
    });
    if has.1 {
        let ends = |strand| {
            let colours = &own.colours[groom.range(strand)];
            [colours[0], colours[colours.len() - 1]]
        };
        groom.colours = (0..groom.strands()).map(ends).collect();
    }
    groom.widths = file_attributes::relative(&own.widths);
    report.own = Arc::new(own);
    report.file = Arc::new(file);
    Ok(Bound { groom, bed, report })
}

/// Roots that are asked how the file is read.
pub(super) fn asked(loose: &Loose, outliers: &Outliers) -> Vec<Vec3> {
    let every = loose.len().div_ceil(ASKED).max(1);
    let strands = (0..loose.len()).step_by(every);
    strands
        .filter(|i| !outliers.is_astray(*i))
        .filter_map(|i| loose.strand(i).first().copied())
        .collect()
}

/// A strand on the head, or none.
#[derive(Default)]
struct Made {
    /// Which strand of the file.
    index: usize,
    points: Vec<Vec3>,
    /// Where each of them is in the file.
    from: Vec<From>,
    /// Outward, at the root.
    normal: Vec3,
    /// From the file's root to the skin. `[m]`
    distance: f32,
    length: f32,
    resampled: bool,
    /// Where the file's points lie along these; empty where they are these.
    places: Vec<Place>,
}

/// A strand of a file on the skin, with so many `vertices`, 0 for those of the file.
fn make(file: &[Vec3], placement: &Placement, surface: &Surface, vertices: u32) -> Made {
    let mut points: Vec<Vec3> = file.iter().map(|p| placement.place(*p)).collect();
    let length = length(&points);
    if !length.is_finite() || length < SHORTEST || points.len() < 2 {
        return Made::default();
    }
    // Edges of no length have no direction.
    let least = SAME * length / (points.len() - 1) as f32;
    let mut kept = vec![0];
    for (i, p) in points.iter().enumerate().skip(1) {
        let at: Vec3 = points[kept[kept.len() - 1]];
        if p.distance(at) >= least {
            kept.push(i);
        }
    }
    match kept.len() {
        1 => kept.push(points.len() - 1),
        last => kept[last - 1] = points.len() - 1,
    }
    let mut from: Vec<From> = kept.iter().map(|i| From([*i; 2], 0.0)).collect();
    points = kept.iter().map(|i| points[*i]).collect();
    let wanted = match vertices {
        0 => points.len().min(MOST),
        told => (told as usize).clamp(2, MOST),
    };
    let resampled = points.len() != wanted;
    if resampled {
        let places = even(&points, wanted);
        let between = |(i, t): &(usize, f32)| From([kept[*i], kept[i + 1]], *t);
        from = places.iter().map(between).collect();
        let point = |(i, t): &(usize, f32)| points[*i].lerp(points[i + 1], *t);
        points = places.iter().map(point).collect();
    }
    let Some(nearest) = surface.closest(points[0], f32::MAX) else {
        return Made::default();
    };
    let by = nearest.point - points[0];
    let distance = by.length();
    ease(&mut points, by);
    let mut places = Vec::new();
    if resampled || points.len() != file.len() {
        let mut all: Vec<Vec3> = file.iter().map(|p| placement.place(*p)).collect();
        ease(&mut all, by);
        places = beside(&all, &points, &from);
    }
    Made {
        places,
        normal: nearest.normal,
        distance,
        length,
        resampled,
        points,
        from,
        index: 0,
    }
}

/// Moves the root of a strand `by` so much, onto the skin; what is away from it stays
/// where it is. `[m]`
pub(super) fn ease(points: &mut [Vec3], by: Vec3) {
    let way = EASE.max(4.0 * by.length());
    let (mut along, mut before) = (0.0, points.first().copied().unwrap_or_default());
    for point in points {
        along += point.distance(before);
        before = *point;
        let t = (1.0 - along / way).max(0.0);
        *point += by * (t * t * (3.0 - 2.0 * t));
    }
}

/// Where all points of a strand of a file lie beside its vertices, which are
/// `from` places among those points. `[m]`
fn beside(all: &[Vec3], vertices: &[Vec3], from: &[From]) -> Vec<Place> {
    let at = |From([a, b], t): &From| *a as f32 + t * (b - a) as f32;
    let last = vertices.len() - 2;
    let mut edge = 0;
    let mut places: Vec<Place> = Vec::with_capacity(all.len());
    for (i, point) in all.iter().enumerate() {
        while edge < last && at(&from[edge + 1]) <= i as f32 {
            edge += 1;
        }
        let (a, b) = (at(&from[edge]), at(&from[edge + 1]));
        let along = ((i as f32 - a) / (b - a).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        places.push(Place::beside(vertices, edge, along, *point));
    }
    places
}

/// Between which two points of a strand in the file, and how far.
struct From([usize; 2], f32);

impl From {
    /// A value there, of values that begin at `base` for this strand.
    fn value<const N: usize>(&self, base: usize, of: impl Fn(usize) -> [f32; N]) -> [f32; N] {
        let Self([a, b], t) = *self;
        let (from, to) = (of(base + a), of(base + b));
        match t {
            // To the last bit.
            0.0 => from,
            _ => std::array::from_fn(|k| from[k] + (to[k] - from[k]) * t),
        }
    }
}

/// Whether a strand of a file, whose unit has so many `metres`, is long enough to be
/// simulated.
pub(super) fn has_length(points: &[Vec3], metres: f32) -> bool {
    points.len() > 1 && length(points) * metres >= SHORTEST
}

fn length(points: &[Vec3]) -> f32 {
    let edges = points.windows(2);
    edges.map(|edge| edge[0].distance(edge[1])).sum()
}

/// `count` places even along a curve's length: on which edge, and how far.
fn even(points: &[Vec3], count: usize) -> Vec<(usize, f32)> {
    let total = f64::from(length(points));
    let mut out = vec![(0, 0.0)];
    let mut along = 0.0;
    for (i, edge) in points.windows(2).enumerate() {
        let step = f64::from(edge[0].distance(edge[1]));
        while out.len() + 1 < count {
            let wanted = total * out.len() as f64 / (count - 1) as f64;
            if wanted > along + step {
                break;
            }
            let t = (wanted - along) / step.max(f64::MIN_POSITIVE);
            out.push((i, t as f32));
        }
        along += step;
    }
    out.truncate(count - 1);
    out.push((points.len() - 2, 1.0));
    out
}

/// The simulated strands and where others may follow them;
/// each simulated one is `told` as it comes.
fn gather(
    strands: Vec<Made>,
    guides: usize,
    file: &mut FileStrands,
    mut told: impl FnMut(&Made),
) -> (Groom, Bed) {
    let n = strands.len();
    let guides = if guides == 0 { n } else { guides.min(n) };
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    let mut spare = Vec::with_capacity(n - guides);
    let mut around = Vec::with_capacity(n);
    let mut next = 0;
    for (index, strand) in strands.into_iter().enumerate() {
        around.push((strand.points[0], strand.normal));
        // Even along a curve that fills the scalp is even on the scalp.
        if next < guides && index * guides >= next * n {
            next += 1;
            told(&strand);
            file.add(strand.index as u32, &strand.places);
            groom.points.extend(strand.points);
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        } else {
            spare.push((strand.points[0], strand.index as u32));
        }
    }
    // Spread so that the first of them are everywhere.
    shuffle(&mut spare);
    shuffle(&mut around);
    let (roots, numbers) = spare.into_iter().unzip();
    file.spare = numbers;
    (groom, Bed::beside(roots, around))
}

fn shuffle<T>(all: &mut [T]) {
    for i in (1..all.len()).rev() {
        all.swap(i, (random::hash(i as u64, 0xbed) % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarser_curve_is_even_and_keeps_its_ends() {
        let bent = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 3.0, 0.0)];
        let point = |(i, t): &(usize, f32)| bent[*i].lerp(bent[i + 1], *t);
        let fine: Vec<Vec3> = even(&bent, 9).iter().map(point).collect();
        assert_eq!((fine.len(), fine[0], fine[8]), (9, bent[0], bent[2]));
        let edges = fine.windows(2).map(|e| e[0].distance(e[1]));
        assert!(edges.into_iter().all(|edge| (edge - 0.5).abs() < 1e-5));
    }

    #[test]
    fn guides_are_chosen_evenly_and_the_rest_is_a_bed() {
        let strand = |i: usize| Made {
            index: i,
            points: vec![Vec3::X * i as f32, Vec3::X * i as f32 + Vec3::Y],
            ..Made::default()
        };
        let mut file = FileStrands::new(100, 1.0);
        let (groom, bed) = gather((0..100).map(strand).collect(), 25, &mut file, |_| ());
        assert_eq!(groom.strands(), 25);
        let roots: Vec<f32> = (0..25).map(|i| groom.strand(i)[0].x).collect();
        assert!(roots.windows(2).all(|pair| pair[1] - pair[0] == 4.0));
        assert_eq!(bed.spare(), 75);
        assert!(file.numbers.iter().copied().eq((0..100).step_by(4)));
        let mut numbers = [&file.numbers[..], &file.spare].concat();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..100), "each strand once");
        let (all, none) = gather((0..100).map(strand).collect(), 0, &mut file, |_| ());
        assert_eq!((all.strands(), none.spare()), (100, 0));
    }
}
