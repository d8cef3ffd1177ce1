//! How the numbers of a groom's file are read: its unit, its axis, and what
//! would bring its roots nearer to a head.

use super::{
    bind::{asked, asked_tips},
    fit::{self, Fitting, Placement},
    fit_limits::FitLimits,
    fit_patch::BestFit,
    import::{ImportParams, Loose, rounded},
    outliers::Outliers,
    settled::has_length,
};
use crate::{
    math::elementary::ln,
    mesh::{CollisionMesh, Placing, Surface, Units, Up},
};
use glam::Vec3;
use rayon::prelude::*;
use std::fmt;

/// Roots that lie this far off on average do not fit, `[m]`, nor do those that
/// are off by such a share of their own breadth.
const MISFIT: f32 = 0.01;
const MISFIT_SHARE: f32 = 0.2;
/// Strands are told to run from tip to root where tips are nearer to the skin than this
/// share of how far roots are.
const REVERSED: f32 = 0.3;
/// How broad the roots on a head are: the root mean square from their middle.
/// `[m]`
const BREADTH: f32 = 0.08;

/// A way to read a file that brings its roots to the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Better {
    /// The unit; never [`Units::Auto`].
    pub units: Units,
    /// The upward axis; never [`Up::Auto`].
    pub up: Up,
    /// Anticlockwise as seen from above. `[°]`
    pub turn: f32,
    /// Size.
    pub scale: f32,
    /// Place. `[m]`
    pub offset: [f32; 3],
    /// From the roots to the skin on average, then. `[m]`
    pub distance: f32,
    /// Whether the hair is taken for that of a part of a head, which keeps its own size and
    /// may belong elsewhere on it.
    pub is_part: bool,
}

impl Better {
    /// The same parameters with this way to read the file.
    #[must_use]
    pub fn apply(&self, params: &ImportParams) -> ImportParams {
        ImportParams {
            units: self.units,
            up: self.up,
            turn: self.turn,
            scale: self.scale,
            offset: self.offset,
            ..params.clone()
        }
    }
}

impl fmt::Display for Better {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.offset;
        write!(
            f,
            "import.units = {}, up = {}, turn = {}, scale = {} and offset = [{x}, {y}, {z}] \
             bring them to {:.1} mm",
            self.units.name(),
            self.up.name(),
            self.turn,
            self.scale,
            1e3 * self.distance
        )?;
        match self.is_part {
            true => write!(
                f,
                " (hair of a part of the head, at its own size; whether it belongs there, its \
                 file does not say)"
            ),
            false => Ok(()),
        }
    }
}

/// A way to read a file's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// The unit. `[m]`
    pub metres: f32,
    /// The upward axis.
    pub up: Up,
    /// The head that it goes along with, put right and brought to the origin.
    pub along: Option<Placing>,
}

impl Reading {
    /// The unit and the axis, in words.
    pub fn told(&self) -> String {
        let unit = unit_name(self.metres);
        format!("the unit is {unit}, {} is up", self.up.name())
    }

    /// The same, along with the head where the hair as its file has it lies there on the skin
    /// and not otherwise: what was moved away by hand goes on from where it was.
    fn kept_along(self, params: &ImportParams, roots: &[Vec3], body: &CollisionMesh) -> Self {
        let set = params.units != Units::Auto && params.up != Up::Auto;
        let Some(placing) = body.placing.filter(|_| set) else {
            return self;
        };
        let bare = ImportParams::default();
        let misfits = |reading: &Self| {
            let distance = mean_distance(&reading.placement(&bare), roots, &body.surface);
            misfit(distance, fit::breadth(roots) * reading.metres)
        };
        let along = Self {
            along: Some(placing),
            ..self
        };
        match misfits(&self) && !misfits(&along) {
            true => along,
            false => self,
        }
    }

    /// Where points come to lie with these parameters.
    pub fn placement(&self, params: &ImportParams) -> Placement {
        Placement {
            up: self.up,
            turn: params.turn,
            metres: self.metres * params.scale,
            offset: Vec3::from(params.offset),
            along: self.along.map(|head| (head, self.metres)),
        }
    }
}

/// Whether roots so far from the skin on average do not fit. `[m]`
pub(super) fn misfit(distance: f32, breadth: f32) -> bool {
    distance > MISFIT || distance > MISFIT_SHARE * breadth.max(1e-3)
}

/// A placement that is clearly better than `now`, as parameters, within `limits`: whatever it
/// promises was measured with the very numbers that it sets, for all roots, and
/// is nearer to the skin than they are now. Strands astray are not asked.
pub(super) fn better(
    loose: &Loose,
    params: &ImportParams,
    (now, limits): (&Placement, &FitLimits),
    outliers: &Outliers,
    body: &CollisionMesh,
) -> Option<Better> {
    let sound = || (0..loose.len()).filter(|i| !outliers.is_astray(*i));
    let fitting = Fitting::new(body, sound().map(|i| loose.strand(i)));
    let unit = loose.metres_per_unit.map(|metres| metres as f32);
    let best = || fitting.best_of_file((loose.up, unit), limits);
    let BestFit {
        placement,
        quality,
        is_part,
    } = loose.found.of(limits, best)?;
    let before = fitting.quality(now);
    let fair = quality.cost < 0.7 * before.cost || quality.distance < 0.5 * before.distance;
    // The unit with which the scale is nearest to one.
    let apart = |units: &Units| ln(units.metres() / placement.metres).abs();
    let units = match params.units {
        Units::Auto => Units::ALL
            .into_iter()
            .min_by(|a, b| apart(a).total_cmp(&apart(b)))?,
        set => set,
    };
    let scale = rounded(placement.metres / units.metres(), 1e-4);
    let offset = placement.offset.to_array().map(|c| rounded(c, 1e-4));
    let within = (0.001..=1000.0).contains(&scale) && offset.iter().all(|c| c.abs() <= 10.0);
    if !(fair && within) {
        return None;
    }
    let mut better = Better {
        units,
        up: placement.up,
        turn: placement.turn,
        scale,
        offset,
        distance: quality.distance,
        is_part,
    };
    // As it will be read and placed then.
    let then = better.apply(params);
    let (reading, _) = read_as(loose, &then, &asked(loose, outliers), body);
    let first = |strand: usize| loose.strand(strand).first().copied();
    let distance = |placement: &Placement| {
        // Those that are simulated then.
        let long = |i: &usize| has_length(loose.strand(*i), placement.metres);
        let roots: Vec<Vec3> = sound().filter(long).filter_map(first).collect();
        mean_distance(placement, &roots, &body.surface)
    };
    better.distance = distance(&reading.placement(&then));
    (better.distance < distance(now)).then_some(better)
}

/// From the roots to the skin on average. `[m]`
fn mean_distance(placement: &Placement, roots: &[Vec3], surface: &Surface) -> f32 {
    let apart = |p: &Vec3| apart(surface, placement.place(*p));
    let all: Vec<f32> = roots.par_iter().map(apart).collect();
    all.iter().sum::<f32>() / roots.len().max(1) as f32
}

fn unit_name(metres: f32) -> String {
    let same = |units: &Units| (units.metres() / metres - 1.0).abs() < 1e-4;
    match Units::ALL.into_iter().find(same) {
        Some(units) => units.name().to_string(),
        None => format!("{metres} m"),
    }
}

/// Which unit and which axis: as set, as the file says, or as fits best.
pub(super) fn read_as(
    loose: &Loose,
    params: &ImportParams,
    roots: &[Vec3],
    body: &CollisionMesh,
) -> (Reading, Vec<String>) {
    let surface = &body.surface;
    let stated = loose.metres_per_unit.map(|metres| metres as f32);
    let stated = stated.filter(|metres| metres.is_finite() && *metres > 0.0);
    // In the order in which grooms come, where several fit alike.
    let mut units = vec![0.01, 1.0, 0.001, 0.1];
    let mut ups = vec![Up::Y, Up::Z, Up::X];
    match (params.units, stated) {
        (Units::Auto, Some(metres)) => units.insert(0, metres),
        (Units::Auto, None) => {}
        (told, _) => units = vec![told.metres()],
    }
    match (params.up, loose.up) {
        (Up::Auto, Some(said)) => ups.sort_by_key(|up| *up != said),
        (Up::Auto, None) => {}
        (told, _) => ups = vec![told],
    }
    let fit = |reading: &Reading| mean_distance(&reading.placement(params), roots, surface);
    let breadth = fit::breadth(roots) * params.scale;
    let mut all = Vec::new();
    for up in &ups {
        for metres in &units {
            let reading = Reading {
                metres: *metres,
                up: *up,
                along: None,
            };
            all.push((fit(&reading), reading));
        }
    }
    // Hair that was made for the head's file goes where that goes.
    if body.placing.is_some() {
        for i in 0..all.len() {
            let reading = Reading {
                along: body.placing,
                ..all[i].1
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
    if misfit(best.0, breadth * best.1.metres) {
        // Nothing fits: as said, or at least as large as hair on a head.
        let odds = |metres: f32| ln((breadth * metres / BREADTH).max(1e-9)).abs();
        let said = stated.is_some() || params.units != Units::Auto;
        let likely = units
            .iter()
            .copied()
            .min_by(|a, b| odds(*a).total_cmp(&odds(*b)));
        let metres = likely.filter(|_| !said).unwrap_or(first.1.metres);
        let reading = Reading { metres, ..first.1 };
        return (reading.kept_along(params, roots, body), Vec::new());
    }
    let said = stated.is_some() && params.units == Units::Auto || loose.up.is_some();
    let as_said = (best.1.metres, best.1.up) == (first.1.metres, first.1.up);
    if !said || as_said {
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

/// What to say of strands that lie on the skin with their last points and not with their
/// first ones.
pub(super) fn tip_first(
    loose: &Loose,
    params: &ImportParams,
    outliers: &Outliers,
    body: &CollisionMesh,
) -> Option<String> {
    let off = |ends: &[Vec3]| {
        let placement = read_as(loose, params, ends, body).0.placement(params);
        let breadth = fit::breadth(&ends.iter().map(|p| placement.place(*p)).collect::<Vec<_>>());
        (mean_distance(&placement, ends, &body.surface), breadth)
    };
    let (roots, _) = off(&asked(loose, outliers));
    let (tips, breadth) = off(&asked_tips(loose, outliers));
    let reversed = !misfit(tips, breadth) && tips < REVERSED * roots;
    reversed.then(|| {
        format!(
            "strands seem to run from tip to root: their first points are {:.1} mm from the skin \
             on average, their last ones {:.1} mm; reverse the curves where the groom was made, \
             for the first point is the root",
            1e3 * roots,
            1e3 * tips
        )
    })
}

fn apart(surface: &Surface, p: Vec3) -> f32 {
    let nearest = surface.closest(p, f32::MAX);
    nearest.map_or(f32::MAX, |nearest| nearest.point.distance(p))
}
