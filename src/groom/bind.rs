//! Strands of a file become a groom on a head: brought into metres with y up,
//! rooted on the nearest skin, and said how well they fit.

use super::{Groom, followers::Bed, grow::place_on_curve};
use crate::{
    math::random,
    mesh::{Surface, Units, Up, load},
    param,
    param::Kind,
    params,
};
use glam::Vec3;
use rayon::prelude::*;
use std::fmt::Write as _;
use thiserror::Error;

params! {
    /// Hair from a file in place of grown hair.
    pub struct ImportParams: "import" {
        /// A groom (.hair, .tfx, .data, .bin, .ply, .obj, .usda, ...); empty grows hair instead.
        file: String = "", Kind::Text, "", "File";
        /// Length unit of the file; auto takes what the file says or what brings the roots to the head.
        units: Units = Units::Auto, Kind::Choice(Units::NAMES), "", "Units";
        /// The file's upward axis; auto takes what the file says or what brings the roots to the head.
        up: Up = Up::Auto, Kind::Choice(Up::NAMES), "", "Up axis";
        /// Size of the hair, about the file's origin.
        scale: f32 = 1.0, param::log_float(0.001, 1000.0), "", "Scale";
        /// The hair is moved by so much, after it has its size.
        offset: [f32; 3] = [0.0; 3], param::triple(-10.0, 10.0), "m", "Offset";
        /// So many strands are simulated, chosen evenly over the scalp, and the rest are places for followers; 0 simulates all.
        guides: u32 = 0u32, param::int(0, 200_000), "", "Guides";
    }
}

/// The most vertices that a strand can have.
const MOST: usize = 256;
/// Points nearer to one another than this share of the mean edge are one.
const SAME: f32 = 0.02;
/// Shorter strands are none. `[m]`
const SHORTEST: f32 = 2e-4;
/// Strands that are asked how well a unit or an axis fits.
const ASKED: usize = 400;
/// Roots that lie this far off on average do not fit. `[m]`
const MISFIT: f32 = 0.01;
/// The way along which a strand is eased from its root on the skin to where
/// the file has it. `[m]`
const EASE: f32 = 0.03;

/// Strands as a file has them.
#[derive(Clone, Copy, Debug)]
pub struct Loose<'a> {
    /// Points of all strands, root first.
    pub points: &'a [Vec3],
    /// Where each strand begins, and one entry more: the end.
    pub starts: &'a [u32],
    /// The axis that the file says points up.
    pub up: Option<Up>,
    /// The unit that the file says it has. `[m]`
    pub metres_per_unit: Option<f64>,
}

impl Loose<'_> {
    fn strand(&self, index: usize) -> &[Vec3] {
        &self.points[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

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
    /// Strands without length, which are left out.
    pub dropped: usize,
    /// Strands with more vertices than can be simulated, made coarser.
    pub resampled: usize,
    /// How far the roots were from the skin, on average. `[m]`
    pub mean_distance: f32,
    /// And at most. `[m]`
    pub largest_distance: f32,
    /// One sentence: size, unit, axis and how well it fits.
    pub summary: String,
    /// What was odd and what to do about it, a sentence each.
    pub warnings: Vec<String>,
    /// Scale and offset that would bring the roots nearer, where they are off.
    pub better: Option<(f32, [f32; 3])>,
}

/// A way to read a file's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reading {
    /// The unit. `[m]`
    metres: f32,
    up: Up,
}

impl Reading {
    fn place(&self, p: Vec3, params: &ImportParams) -> Vec3 {
        let p = match self.up {
            Up::Z => Vec3::new(p.x, p.z, -p.y),
            _ => p,
        };
        p * (self.metres * params.scale) + Vec3::from(params.offset)
    }
}

/// Brings `loose` strands onto the head with that `surface` as `params` say.
///
/// # Errors
/// When no strand is left.
pub fn bind(loose: &Loose, params: &ImportParams, surface: &Surface) -> Result<Bound, NoStrand> {
    let roots: Vec<Vec3> = {
        let every = loose.len().div_ceil(ASKED).max(1);
        let strands = (0..loose.len()).step_by(every);
        strands
            .filter_map(|i| loose.strand(i).first().copied())
            .collect()
    };
    let (reading, mut warnings) = read_as(loose, params, &roots, surface);
    let made: Vec<Made> = (0..loose.len())
        .into_par_iter()
        .map(|index| make(loose.strand(index), &reading, params, surface))
        .collect();
    let count = |wanted: fn(&Made) -> bool| made.iter().filter(|made| wanted(made)).count();
    let (dropped, resampled) = (
        count(|made| made.points.is_empty()),
        count(|made| made.resampled),
    );
    let long = count(|made| made.length > 1.5);
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
        resampled,
        mean_distance: mean as f32,
        largest_distance: largest,
        ..BindReport::default()
    };
    if dropped > 0 {
        warnings.push(format!("{dropped} strands without length are left out"));
    }
    if resampled > 0 {
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
    if report.mean_distance > MISFIT {
        let place = |p: &Vec3| reading.place(*p, params);
        report.better = nearer(
            &roots.iter().map(place).collect::<Vec<_>>(),
            params,
            surface,
        );
        let mut text = format!(
            "the groom does not fit this head: its roots are {:.1} mm from the skin on average \
             and {:.1} mm at most; load its own head, or set import.units, import.up, \
             import.scale and import.offset",
            1e3 * report.mean_distance,
            1e3 * report.largest_distance
        );
        if let Some((scale, [x, y, z])) = report.better {
            let _ = write!(
                text,
                " (scale {scale:.4} with offset {x:.4}, {y:.4}, {z:.4} brings it nearer)"
            );
        }
        warnings.push(text);
    }
    let lengths = kept.iter().map(|made| made.length);
    let mean_length = lengths.sum::<f32>() / n as f32;
    report.summary = format!(
        "{n} strands, {:.1} cm long on average; the unit is {}, {} is up; roots {:.2} mm from the \
         skin on average, {:.2} mm at most",
        100.0 * mean_length,
        unit_name(reading.metres),
        reading.up.name(),
        1e3 * report.mean_distance,
        1e3 * report.largest_distance
    );
    report.warnings = warnings;
    let (groom, bed) = gather(kept, params.guides as usize);
    Ok(Bound { groom, bed, report })
}

fn unit_name(metres: f32) -> String {
    let known = [
        Units::Metres,
        Units::Decimetres,
        Units::Centimetres,
        Units::Millimetres,
    ];
    let same = |units: &Units| (load::metres(*units) / metres - 1.0).abs() < 1e-4;
    match known.into_iter().find(same) {
        Some(units) => units.name().to_string(),
        None => format!("{metres} m"),
    }
}

/// Which unit and which axis: as set, as the file says, or as fits best.
fn read_as(
    loose: &Loose,
    params: &ImportParams,
    roots: &[Vec3],
    surface: &Surface,
) -> (Reading, Vec<String>) {
    let stated = loose.metres_per_unit.map(|metres| metres as f32);
    let stated = stated.filter(|metres| metres.is_finite() && *metres > 0.0);
    // In the order in which grooms come, where several fit alike.
    let mut units = vec![0.01, 1.0, 0.001, 0.1];
    let mut ups = vec![Up::Y, Up::Z];
    match (params.units, stated) {
        (Units::Auto, Some(metres)) => units.insert(0, metres),
        (Units::Auto, None) => {}
        (told, _) => units = vec![load::metres(told)],
    }
    match (params.up, loose.up) {
        (Up::Auto, Some(Up::Z)) => ups.reverse(),
        (Up::Auto, _) => {}
        (told, _) => ups = vec![told],
    }
    let fit = |reading: &Reading| {
        let apart = |p: &Vec3| apart(surface, reading.place(*p, params));
        roots.iter().map(apart).sum::<f32>() / roots.len().max(1) as f32
    };
    let mut all = Vec::new();
    for up in &ups {
        for metres in &units {
            let reading = Reading {
                metres: *metres,
                up: *up,
            };
            all.push((fit(&reading), reading));
        }
    }
    // The first is what was set and said.
    let first = all[0];
    let mut best = first;
    for other in &all[1..] {
        if other.0 < 0.9 * best.0 {
            best = *other;
        }
    }
    let said = stated.is_some() && params.units == Units::Auto || loose.up.is_some();
    if !said || best.1 == first.1 {
        return (best.1, Vec::new());
    }
    if first.0 < MISFIT.max(3.0 * best.0) {
        return (first.1, Vec::new());
    }
    let note = format!(
        "the file says that its unit is {} and {} is up, with which the roots are {:.0} mm from \
         the head; {} and {} up fit better and are taken",
        unit_name(first.1.metres),
        first.1.up.name(),
        1e3 * first.0,
        unit_name(best.1.metres),
        best.1.up.name()
    );
    (best.1, vec![note])
}

fn apart(surface: &Surface, p: Vec3) -> f32 {
    let nearest = surface.closest(p, f32::MAX);
    nearest.map_or(f32::MAX, |nearest| nearest.point.distance(p))
}

/// A strand on the head, or none.
#[derive(Default)]
struct Made {
    points: Vec<Vec3>,
    /// Outward, at the root.
    normal: Vec3,
    /// From the file's root to the skin. `[m]`
    distance: f32,
    length: f32,
    resampled: bool,
}

fn make(file: &[Vec3], reading: &Reading, params: &ImportParams, surface: &Surface) -> Made {
    let mut points: Vec<Vec3> = file.iter().map(|p| reading.place(*p, params)).collect();
    let length = length(&points);
    if !length.is_finite() || length < SHORTEST || points.len() < 2 {
        return Made::default();
    }
    // Edges of no length have no direction.
    let least = SAME * length / (points.len() - 1) as f32;
    let tip = points[points.len() - 1];
    let mut at = points[0];
    let mut first = true;
    points.retain(|p| {
        let keep = first || p.distance(at) >= least;
        if keep {
            at = *p;
        }
        first = false;
        keep
    });
    let last = points.len() - 1;
    match last {
        0 => points.push(tip),
        _ => points[last] = tip,
    }
    let resampled = points.len() > MOST;
    if resampled {
        points = even(&points, MOST);
    }
    let Some(nearest) = surface.closest(points[0], f32::MAX) else {
        return Made::default();
    };
    let by = nearest.point - points[0];
    let distance = by.length();
    // The root goes onto the skin, and what is away from it stays where it is.
    let ease = EASE.max(4.0 * distance);
    let (mut along, mut before) = (0.0, points[0]);
    for point in &mut points {
        along += point.distance(before);
        before = *point;
        let t = (1.0 - along / ease).max(0.0);
        *point += by * (t * t * (3.0 - 2.0 * t));
    }
    Made {
        normal: nearest.normal,
        distance,
        length,
        resampled,
        points,
    }
}

fn length(points: &[Vec3]) -> f32 {
    let edges = points.windows(2);
    edges.map(|edge| edge[0].distance(edge[1])).sum()
}

/// The same curve with `count` points, even along its length.
fn even(points: &[Vec3], count: usize) -> Vec<Vec3> {
    let total = f64::from(length(points));
    let mut out = vec![points[0]];
    let mut along = 0.0;
    for edge in points.windows(2) {
        let step = f64::from(edge[0].distance(edge[1]));
        while out.len() + 1 < count {
            let wanted = total * out.len() as f64 / (count - 1) as f64;
            if wanted > along + step {
                break;
            }
            let t = (wanted - along) / step.max(f64::MIN_POSITIVE);
            out.push(edge[0].lerp(edge[1], t as f32));
        }
        along += step;
    }
    out.truncate(count - 1);
    out.push(points[points.len() - 1]);
    out
}

/// The simulated strands and where others may follow them.
fn gather(strands: Vec<Made>, guides: usize) -> (Groom, Bed) {
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
            groom.points.extend(strand.points);
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        } else {
            spare.push(strand.points[0]);
        }
    }
    // Spread so that the first of them are everywhere.
    shuffle(&mut spare);
    shuffle(&mut around);
    (groom, Bed::beside(spare, around))
}

fn shuffle<T>(all: &mut [T]) {
    for i in (1..all.len()).rev() {
        all.swap(i, (random::hash(i as u64, 0xbed) % (i as u64 + 1)) as usize);
    }
}

/// The scale and offset that bring placed roots nearest to the skin without
/// turning them (Besl & McKay 1992, the closest points taken anew each time);
/// none that halves the distance, none at all.
fn nearer(roots: &[Vec3], params: &ImportParams, surface: &Surface) -> Option<(f32, [f32; 3])> {
    let n = roots.len().max(1) as f32;
    let fit = |scale: f32, offset: Vec3| {
        let apart = |p: &Vec3| apart(surface, *p * scale + offset);
        roots.iter().map(apart).sum::<f32>() / n
    };
    let (mut scale, mut offset) = (1.0f32, Vec3::ZERO);
    let middle = roots.iter().sum::<Vec3>() / n;
    let spread: f32 = roots.iter().map(|p| p.distance_squared(middle)).sum();
    for _ in 0..40 {
        let mut to = Vec::with_capacity(roots.len());
        for p in roots {
            to.push(surface.closest(*p * scale + offset, f32::MAX)?.point);
        }
        let centre = to.iter().sum::<Vec3>() / n;
        let pairs = roots.iter().zip(&to);
        let along: f32 = pairs.map(|(p, q)| (*p - middle).dot(*q - centre)).sum();
        // Smaller and smaller onto one point would fit too.
        scale = (along / spread.max(1e-12)).clamp(0.5, 2.0);
        offset = centre - middle * scale;
    }
    let (now, then) = (fit(1.0, Vec3::ZERO), fit(scale, offset));
    let whole = offset + Vec3::from(params.offset) * scale;
    (then < 0.5 * now && whole.is_finite()).then(|| (params.scale * scale, whole.to_array()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarser_curve_is_even_and_keeps_its_ends() {
        let bent = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 3.0, 0.0)];
        let fine = even(&bent, 9);
        assert_eq!((fine.len(), fine[0], fine[8]), (9, bent[0], bent[2]));
        let edges = fine.windows(2).map(|e| e[0].distance(e[1]));
        assert!(edges.into_iter().all(|edge| (edge - 0.5).abs() < 1e-5));
    }

    #[test]
    fn guides_are_chosen_evenly_and_the_rest_is_a_bed() {
        let strand = |i: usize| Made {
            points: vec![Vec3::X * i as f32, Vec3::X * i as f32 + Vec3::Y],
            ..Made::default()
        };
        let (groom, bed) = gather((0..100).map(strand).collect(), 25);
        assert_eq!(groom.strands(), 25);
        let roots: Vec<f32> = (0..25).map(|i| groom.strand(i)[0].x).collect();
        assert!(roots.windows(2).all(|pair| pair[1] - pair[0] == 4.0));
        assert_eq!(bed.spare(), 75);
        let (all, none) = gather((0..100).map(strand).collect(), 0);
        assert_eq!((all.strands(), none.spare()), (100, 0));
    }
}
