//! Strands of a file become a groom on a head: brought into metres with y up,
//! rooted on the nearest skin, and said how well they fit.

use super::{
    Groom,
    edit::LONGEST,
    file_attributes::{self, FileAttributes},
    file_strands::{FileStrands, RigidStrand},
    fit::{self, Placement},
    fit_limits::FitLimits,
    fit_verdict::FitFigures,
    followers::Bed,
    import::{ImportParams, Loose},
    interpolation::Appearance,
    outliers::{Outliers, far_roots},
    planted::place_on_curve,
    plausible,
    reading::{Better, Reading, better, misfit, read_as, tip_first},
    settled::{MOST, Settled, settle},
    simulated::{Parted, part},
};
use crate::math::{counted, length_text};
use crate::mesh::{CollisionMesh, Surface};
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
    /// How the hair lies, in figures.
    pub figures: FitFigures,
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
    let outliers = Outliers::find(loose);
    let roots = asked(loose, &outliers);
    let (reading, mut warnings) = read_as(loose, params, &roots, body);
    let placement = reading.placement(params);
    let made = settle_all(loose, params, &placement, &outliers, &body.surface);
    let mut file = FileStrands::new(loose.len(), placement.metres);
    file.placement = Some(placement);
    let left_out = made.iter().filter(|made| made.points.is_empty());
    file.rigid = left_out
        .map(|made| rigid(made.index, loose, &placement))
        .collect();
    let resampled = made.iter().filter(|made| made.resampled).count();
    let mut kept: Vec<Settled> = made
        .into_iter()
        .filter(|made| !made.points.is_empty())
        .collect();
    if kept.is_empty() {
        return Err(NoStrand {
            strands: loose.len(),
        });
    }
    let distances = kept.iter().map(|made| made.distance);
    let n = kept.len();
    let mut report = BindReport {
        strands: loose.len(),
        dropped: loose.len() - n - outliers.astray.len(),
        astray: outliers.astray.len(),
        resampled,
        mean_distance: (distances.clone().map(f64::from).sum::<f64>() / n as f64) as f32,
        largest_distance: distances.fold(0.0, f32::max),
        ..BindReport::default()
    };
    sort_by_place(&mut kept);
    warnings.extend(odd_strands(
        &report,
        &kept,
        params,
        &outliers,
        placement.metres,
    ));
    let placed: Vec<Vec3> = roots.iter().map(|p| placement.place(*p)).collect();
    report.misfits = misfit(report.mean_distance, fit::breadth(&placed));
    report.figures = FitFigures::measure(&kept, body, report.misfits);
    if report.misfits {
        // What lies on the skin with its tips is to be reversed, not moved.
        let reversed = tip_first(loose, params, &outliers, body);
        let moved = reversed.is_none();
        warnings.extend(reversed);
        let offer = || better(loose, params, (&placement, limits), &outliers, body);
        report.better = moved.then(offer).flatten();
        warnings.push(misfit_warning(&report));
    } else {
        let apart = |made: &Settled| (made.index as u32, made.distance);
        warnings.extend(far_roots(kept.iter().map(apart)));
        warnings.extend(plausible::deep(&kept, params, &body.surface));
    }
    let mean_length = kept.iter().map(|made| made.length).sum::<f32>() / n as f32;
    warnings.extend(plausible::short(mean_length, params, &placement));
    report.warnings = warnings;
    report.size = format!(
        "{}, {} long on average",
        counted(n, "strand", "strands"),
        length_text(mean_length)
    );
    report.summary = summary(&report, &reading, params);
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
    let (own, looks) = appearance(loose, params, &parted, placement.metres, &mut groom);
    following.set_looks(looks);
    file.following = Arc::new(following);
    report.own = Arc::new(own);
    report.file = Arc::new(file);
    Ok(Bound { groom, bed, report })
}

/// All strands of the file on that skin, in its order; without points those that are no
/// hair.
fn settle_all(
    loose: &Loose,
    params: &ImportParams,
    placement: &Placement,
    outliers: &Outliers,
    surface: &Surface,
) -> Vec<Settled> {
    (0..loose.len())
        .into_par_iter()
        .map(|index| {
            let sound = !outliers.is_astray(index);
            let strand = sound.then(|| loose.strand(index));
            let made = strand.map(|points| settle(points, placement, surface, params.vertices));
            Settled {
                index,
                ..made.unwrap_or_default()
            }
        })
        .collect()
}

/// Strand `number` of the file as what goes with the head.
fn rigid(number: usize, loose: &Loose, placement: &Placement) -> RigidStrand {
    let points = loose.strand(number).iter();
    RigidStrand {
        number: number as u32,
        points: points
            .map(|p| placement.place(*p))
            .filter(|p| p.is_finite())
            .collect(),
    }
}

/// Puts strands in an order in which neighbours on the skin are beside one another.
fn sort_by_place(kept: &mut [Settled]) {
    let roots = kept.iter().map(|made| made.points[0]);
    let centre = roots.clone().sum::<Vec3>() / kept.len() as f32;
    let radius = roots.map(|root| root.distance(centre)).fold(1e-3, f32::max);
    kept.sort_by_cached_key(|made| place_on_curve(made.points[0], centre, radius));
}

/// What to say of strands without length, astray, with too many vertices and too long.
fn odd_strands(
    report: &BindReport,
    kept: &[Settled],
    params: &ImportParams,
    outliers: &Outliers,
    metres: f32,
) -> Vec<String> {
    let mut told = Vec::new();
    if report.dropped > 0 {
        told.push(format!(
            "{} with the head",
            counted(
                report.dropped,
                "strand without length is not simulated; it goes",
                "strands without length are not simulated; they go"
            )
        ));
    }
    told.extend(outliers.told(Some(metres)));
    if report.resampled > 0 && params.vertices == 0 {
        told.push(format!(
            "{} drawn with {MOST}",
            counted(
                report.resampled,
                &format!("strand has more than {MOST} vertices and is"),
                &format!("strands have more than {MOST} vertices and are")
            )
        ));
    }
    let long = kept.iter().filter(|made| made.length > LONGEST).count();
    if long > 0 {
        told.push(format!(
            "{} longer than {LONGEST} m, which no hair here is made for; if that is not meant, \
             set import.units or import.scale",
            counted(long, "strand is", "strands are")
        ));
    }
    told
}

/// What to say where the roots are too far from the skin, and what would help.
fn misfit_warning(report: &BindReport) -> String {
    let advice = match &report.better {
        Some(better) => format!("or fit it: {better}"),
        None => "or place it by hand with import.turn, scale and offset, for no better fit is \
                 known"
            .into(),
    };
    format!(
        "the groom does not fit this head: its roots are {:.1} mm from the skin on average \
         and {:.1} mm at most; load its own head, {advice}",
        1e3 * report.mean_distance,
        1e3 * report.largest_distance
    )
}

/// One sentence: size, unit, axis and how well the strands fit.
fn summary(report: &BindReport, reading: &Reading, params: &ImportParams) -> String {
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
    format!(
        "{}; {}{turned}; roots {:.2} mm from the skin on average, {:.2} mm at most",
        report.size,
        reading.told(),
        1e3 * report.mean_distance,
        1e3 * report.largest_distance
    )
}

/// What the file says of each vertex of `groom`, which gets its widths and colours, and what
/// of the strands that follow it; `metres` is the length of the file's unit.
fn appearance(
    loose: &Loose,
    params: &ImportParams,
    parted: &Parted,
    metres: f32,
    groom: &mut Groom,
) -> (FileAttributes, Appearance) {
    let has_widths = params.own_widths && !loose.widths.is_empty();
    let has_colours = params.own_colours && !loose.colours.is_empty();
    let mut own = FileAttributes::default();
    for strand in &parted.guides {
        let base = loose.starts[strand.index] as usize;
        for from in &strand.from {
            if has_widths {
                let [width] = from.value(base, |i| [loose.widths[i]]);
                own.widths.push(width * metres);
            }
            if has_colours {
                own.colours.push(from.value(base, |i| loose.colours[i]));
            }
        }
    }
    // As thick among one another as the file has them.
    let mut widths = own.widths.clone();
    let others = parted.others.iter().map(|strand| loose.range(strand.index));
    if has_widths {
        let all = others.clone().flatten();
        widths.extend(all.map(|i| loose.widths[i] * metres));
    }
    let mut widths = file_attributes::relative(&widths);
    let mut looks = Appearance {
        widths: widths.split_off(groom.points.len().min(widths.len())),
        ..Appearance::default()
    };
    groom.widths = widths;
    if has_colours {
        let ends = |colours: &[[f32; 3]]| [colours[0], colours[colours.len() - 1]];
        let guides = (0..groom.strands()).map(|strand| ends(&own.colours[groom.range(strand)]));
        groom.colours = guides.collect();
        looks.colours = others.map(|range| ends(&loose.colours[range])).collect();
    }
    (own, looks)
}

/// Roots that are asked how the file is read.
pub(super) fn asked(loose: &Loose, outliers: &Outliers) -> Vec<Vec3> {
    let strands = asked_strands(loose, outliers);
    let first = strands.filter_map(|i| loose.strand(i).first().copied());
    first.collect()
}

/// The other ends of the strands whose roots are [`asked`].
pub(super) fn asked_tips(loose: &Loose, outliers: &Outliers) -> Vec<Vec3> {
    let strands = asked_strands(loose, outliers);
    let last = strands.filter_map(|i| loose.strand(i).last().copied());
    last.collect()
}

/// The strands whose ends these are.
fn asked_strands(loose: &Loose, outliers: &Outliers) -> impl Iterator<Item = usize> {
    let every = loose.len().div_ceil(ASKED).max(1);
    let strands = (0..loose.len()).step_by(every);
    strands.filter(|i| !outliers.is_astray(*i))
}
