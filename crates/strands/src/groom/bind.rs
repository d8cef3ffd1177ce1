//! Strands of a file become a groom on a head: brought into metres with y up,
//! rooted on the nearest skin, and said how well they fit.

use super::{
    Groom,
    file_attributes::{self, FileAttributes},
    file_strands::{FileStrands, RigidStrand},
    fit,
    fit_limits::FitLimits,
    followers::Bed,
    grow::place_on_curve,
    import::{ImportParams, Loose},
    interpolation::Appearance,
    outliers::{Outliers, far_roots},
    plausible,
    reading::{Better, better, misfit, read_as, tip_first},
    settled::{MOST, Settled, settle},
    simulated::part,
};
use crate::math::{counted, length_text};
use crate::mesh::CollisionMesh;
use glam::Vec3;
use rayon::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// Strands that are asked how well a unit or an axis fits.
const ASKED: usize = 400;

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
    /// Strands that have another number of vertices than in the file: the one asked for, or
    /// as many as can be simulated.
    pub resampled: usize,
    /// How far the roots were from the skin, on average. `[m]`
    pub mean_distance: f32,
    /// And at most. `[m]`
    pub largest_distance: f32,
    /// One sentence: size, unit, axis and how well it fits.
    pub summary: String,
    /// How many strands there are and how long they are, in words.
    pub size: String,
    /// How many of them are simulated, as a sentence's end; empty where all are.
    pub simulated: String,
    /// What the file says of each vertex of the groom.
    pub own: Arc<FileAttributes>,
    /// Which strands of the file these are, and where its points lie.
    pub file: Arc<FileStrands>,
    /// What was odd and what to do about it, a sentence each.
    pub warnings: Vec<String>,
    /// Whether the roots are too far from the skin for a groom of this head.
    pub misfits: bool,
    /// What would bring the roots nearer, where they are off.
    pub better: Option<Better>,
}

impl BindReport {
    /// Lets the summary tell that the strands were carried from another head: how their
    /// file is read there, and how they came here.
    pub fn tell_carried(&mut self, reading: &str, carried: &str) {
        // Strands that were carried are in metres and lie on the skin.
        self.summary = format!("{}; {reading}; {carried}{}", self.size, self.simulated);
    }
}

/// Brings `loose` strands onto that head as `params` say.
///
/// # Errors
/// When no strand is left.
pub fn bind(loose: &Loose, params: &ImportParams, body: &CollisionMesh) -> Result<Bound, NoStrand> {
    bind_within(loose, params, body, &params.fit_limits(false))
}

/// The same; what would bring the roots nearer is looked for within `limits`.
///
/// # Errors
/// When no strand is left.
pub fn bind_within(
    loose: &Loose,
    params: &ImportParams,
    body: &CollisionMesh,
    limits: &FitLimits,
) -> Result<Bound, NoStrand> {
    let surface = &body.surface;
    let outliers = Outliers::find(loose);
    let roots = asked(loose, &outliers);
    let (reading, mut warnings) = read_as(loose, params, &roots, body);
    let placement = reading.placement(params);
    let made: Vec<Settled> = (0..loose.len())
        .into_par_iter()
        .map(|index| {
            let sound = !outliers.is_astray(index);
            let strand = sound.then(|| loose.strand(index));
            let made = strand.map(|points| settle(points, &placement, surface, params.vertices));
            Settled {
                index,
                ..made.unwrap_or_default()
            }
        })
        .collect();
    let count = |wanted: fn(&Settled) -> bool| made.iter().filter(|made| wanted(made)).count();
    let (dropped, resampled) = (
        count(|made| made.points.is_empty()) - outliers.astray.len(),
        count(|made| made.resampled),
    );
    let long = count(|made| made.length > 1.5);
    let mut file = FileStrands::new(loose.len(), placement.metres);
    file.placement = Some(placement);
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
    let mut kept: Vec<Settled> = made
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
            "{} with the head",
            counted(
                dropped,
                "strand without length is not simulated; it goes",
                "strands without length are not simulated; they go"
            )
        ));
    }
    warnings.extend(outliers.told(Some(placement.metres)));
    if resampled > 0 && params.vertices == 0 {
        warnings.push(format!(
            "{} drawn with {MOST}",
            counted(
                resampled,
                &format!("strand has more than {MOST} vertices and is"),
                &format!("strands have more than {MOST} vertices and are")
            )
        ));
    }
    if long > 0 {
        warnings.push(format!(
            "{long} strands are longer than 1.5 m, which no hair here is made for; if that is not \
             meant, set import.units or import.scale"
        ));
    }
    let placed: Vec<Vec3> = roots.iter().map(|p| placement.place(*p)).collect();
    report.misfits = misfit(report.mean_distance, fit::breadth(&placed));
    if report.misfits {
        // What lies on the skin with its tips is to be reversed, not moved.
        let reversed = tip_first(loose, params, &outliers, body);
        let moved = reversed.is_none();
        warnings.extend(reversed);
        let offer = || better(loose, params, (&placement, limits), &outliers, body);
        report.better = moved.then(offer).flatten();
        let advice = match &report.better {
            Some(better) => format!("or fit it: {better}"),
            None => "or place it by hand with import.turn, scale and offset, for no better fit is \
                     known"
                .into(),
        };
        warnings.push(format!(
            "the groom does not fit this head: its roots are {:.1} mm from the skin on average \
             and {:.1} mm at most; load its own head, {advice}",
            1e3 * report.mean_distance,
            1e3 * report.largest_distance
        ));
    } else {
        let apart = |made: &Settled| (made.index as u32, made.distance);
        warnings.extend(far_roots(kept.iter().map(apart)));
        warnings.extend(plausible::deep(&kept, params, surface));
    }
    let lengths = kept.iter().map(|made| made.length);
    let mean_length = lengths.sum::<f32>() / n as f32;
    warnings.extend(plausible::short(mean_length, params, &placement));
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
    report.size = format!(
        "{}, {} long on average",
        counted(n, "strand", "strands"),
        length_text(mean_length)
    );
    report.summary = format!(
        "{}; {}{turned}; roots {:.2} mm from the skin on average, {:.2} mm at most",
        report.size,
        reading.told(),
        1e3 * report.mean_distance,
        1e3 * report.largest_distance
    );
    report.warnings = warnings;
    let has = (
        params.own_widths && !loose.widths.is_empty(),
        params.own_colours && !loose.colours.is_empty(),
    );
    let mut parted = part(kept, params.guides as usize, &loose.is_guide);
    let (mut groom, bed) = parted.groom(&mut file);
    let mut following = parted.interpolation(&groom, body);
    file.followers = parted
        .others
        .iter()
        .map(|strand| strand.index as u32)
        .collect();
    if following.strands() > 0 {
        groom.bundles = following.bundles(&groom);
        report.simulated = format!(
            "; {} of them are simulated, the others follow",
            groom.strands()
        );
        report.summary += &report.simulated;
    }
    let mut own = FileAttributes::default();
    for strand in &parted.guides {
        let base = loose.starts[strand.index] as usize;
        for from in &strand.from {
            if has.0 {
                let [width] = from.value(base, |i| [loose.widths[i]]);
                own.widths.push(width * placement.metres);
            }
            if has.1 {
                own.colours.push(from.value(base, |i| loose.colours[i]));
            }
        }
    }
    // As thick among one another as the file has them.
    let mut widths = own.widths.clone();
    let others = parted.others.iter().map(|strand| loose.range(strand.index));
    if has.0 {
        let all = others.clone().flatten();
        widths.extend(all.map(|i| loose.widths[i] * placement.metres));
    }
    let mut widths = file_attributes::relative(&widths);
    let mut looks = Appearance {
        widths: widths.split_off(groom.points.len().min(widths.len())),
        ..Appearance::default()
    };
    groom.widths = widths;
    if has.1 {
        let ends = |colours: &[[f32; 3]]| [colours[0], colours[colours.len() - 1]];
        let guides = (0..groom.strands()).map(|strand| ends(&own.colours[groom.range(strand)]));
        groom.colours = guides.collect();
        looks.colours = others.map(|range| ends(&loose.colours[range])).collect();
    }
    following.set_looks(looks);
    file.following = Arc::new(following);
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

/// The other ends of the strands whose roots are [`asked`].
pub(super) fn asked_tips(loose: &Loose, outliers: &Outliers) -> Vec<Vec3> {
    let every = loose.len().div_ceil(ASKED).max(1);
    let strands = (0..loose.len()).step_by(every);
    strands
        .filter(|i| !outliers.is_astray(*i))
        .filter_map(|i| loose.strand(i).last().copied())
        .collect()
}
