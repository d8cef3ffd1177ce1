//! Hair from a file: what is set about it, and its strands before they are on a
//! head.

use super::{
    fit::Placement,
    fit_limits::{FitLimits, Sizes},
    fit_patch::BestFit,
};
use crate::{
    math::elementary::{ln, log10},
    mesh::{HeadParams, Units, Up},
    param,
    param::Kind,
    params,
};
use glam::Vec3;
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

params! {
    /// Hair from a file in place of grown hair.
    pub struct ImportParams: "import" {
        /// A groom (.hair, .tfx, .data, .bin, .ply, .obj, .usda, ...); empty grows hair instead.
        file: String = "", Kind::Text, "", "File";
        /// The head that the hair was made for, grown or from a file, where that is another: it is carried from that one onto the head. Empty for none, built-in for the built-in bust.
        head: String = "", Kind::Text, "", "Made for";
        /// Length unit of that head's file; auto takes what the file says, or picks the one that makes the model head-sized.
        head_units: Units = Units::Auto, Kind::Choice(Units::NAMES), "", "Head's units";
        /// Upward axis of that head's file; auto takes what the file says, or judges from the shape.
        head_up: Up = Up::Auto, Kind::Choice(Up::NAMES), "", "Head's up axis";
        /// Points of each strand in a file that lists points and not strands; 0 takes as many as the leaps from tips to roots say.
        points: u32 = 0u32, param::int(0, 100_000), "", "Points a strand";
        /// Length unit of the file; auto takes what the file says or what brings the roots to the head.
        units: Units = Units::Auto, Kind::Choice(Units::NAMES), "", "Units";
        /// The file's upward axis; auto takes what the file says or what brings the roots to the head.
        up: Up = Up::Auto, Kind::Choice(Up::NAMES), "", "Up axis";
        /// The hair, stood upright, is turned about the vertical by so much, anticlockwise as seen from above.
        turn: f32 = 0.0, param::float(-180.0, 180.0), "°", "Turn";
        /// Size of the hair, about the file's origin.
        scale: f32 = 1.0, param::log_float(0.001, 1000.0), "", "Scale";
        /// The hair is moved by so much, after it has its size.
        offset: [f32; 3] = [0.0; 3], param::triple(-10.0, 10.0), "m", "Offset";
        /// Number of strands to simulate, chosen by their roots and shapes; all others follow those that they are most like. 0 simulates those that the file calls guides, else all.
        guides: u32 = 0u32, param::int(0, 200_000), "", "Guides";
        /// Vertices of each simulated strand, evenly along it; 0 takes the file's points. What is written has the file's points all the same.
        vertices: u32 = 0u32, param::int(0, 512), "", "Vertices";
        /// Hair has the widths that the file has, where it has any, in the picture and in exports; else that of the look.
        own_widths: bool = true, Kind::Bool, "", "Use file widths";
        /// Hair has the colours that the file has, where it has any, in the picture and in exports; else those of the look.
        own_colours: bool = true, Kind::Bool, "", "Own colours";
    }
}

/// What names the built-in bust as the head that hair was made for.
pub const BUILT_IN: &str = "built-in";
/// Where the unit is set, hair is no more than so many times as large or small.
const RESIZED: f32 = 2.0;

impl ImportParams {
    /// The head that the hair was made for, where it is carried from another.
    pub fn made_for(&self) -> Option<HeadParams> {
        let file = match &self.head[..] {
            "" => return None,
            BUILT_IN => String::new(),
            file => file.into(),
        };
        Some(HeadParams {
            file,
            units: self.head_units,
            up: self.head_up,
            ..HeadParams::default()
        })
    }
}

impl ImportParams {
    /// Where a fit may be looked for: among what is set by hand, with the scale where that
    /// is to be `kept`.
    pub fn fit_limits(&self, kept: bool) -> FitLimits {
        let units = Some(self.units).filter(|units| *units != Units::Auto);
        let sizes = match (units, kept) {
            (None, false) => Sizes::Any,
            (Some(units), false) => {
                let metres = units.metres();
                Sizes::Within([metres / RESIZED, metres * RESIZED])
            }
            (Some(units), true) => Sizes::Among(vec![units.metres() * self.scale]),
            (None, true) => {
                let all = Units::ALL.map(|units| units.metres() * self.scale);
                Sizes::Among(all.to_vec())
            }
        };
        FitLimits {
            up: Some(self.up).filter(|up| *up != Up::Auto),
            sizes,
        }
    }
}

impl ImportParams {
    /// The same parameters with hair that is placed like that: unit and axis are set, so that
    /// they are not read otherwise once the hair has moved.
    #[must_use]
    pub fn placed(&self, placement: &Placement) -> Self {
        let mut placed = self.clone();
        // The unit of what goes with its head is not to be told from its scale.
        let unit = placement
            .along
            .map_or_else(|| placement.metres / self.scale, |(_, unit)| unit);
        let apart = |units: &Units| ln(units.metres() / unit).abs();
        let nearest = Units::ALL
            .into_iter()
            .min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let same = |units: &Units| apart(units) < 1e-4 || placement.along.is_none();
        if self.units == Units::Auto
            && let Some(units) = nearest.filter(same)
        {
            placed.units = units;
        }
        let unit = match placed.units {
            Units::Auto => unit,
            set => set.metres(),
        };
        placed.up = placement.up;
        placed.turn = rounded(placement.turn, 1e-2);
        placed.scale = four_digits(placement.metres / unit).clamp(0.001, 1000.0);
        let offset = placement.offset.to_array();
        placed.offset = offset.map(|c| rounded(c, 1e-4).clamp(-10.0, 10.0));
        placed
    }
}

/// The nearest number of whole steps that is short to write.
pub(super) fn rounded(value: f32, step: f64) -> f32 {
    ((f64::from(value) / step).round() * step) as f32
}

/// As many digits of a size as a hand can mean, and one more.
fn four_digits(value: f32) -> f32 {
    let places = log10(f64::from(value.abs().max(1e-9))).floor() as i32;
    rounded(value, 10f64.powi(places - 3))
}

/// Strands as a file has them.
#[derive(Clone, Debug)]
pub struct Loose<'a> {
    /// Points of all strands, root first.
    pub points: &'a [Vec3],
    /// Where each strand begins, and one entry more: the end.
    pub starts: &'a [u32],
    /// How thick hair is at each point, across; empty where the file is silent.
    pub widths: &'a [f32],
    /// Linear RGB of each point; empty where the file is silent.
    pub colours: &'a [[f32; 3]],
    /// Whether the file calls each strand a guide; empty where it is silent, or calls all
    /// of them so.
    pub is_guide: Vec<bool>,
    /// The axis that the file says points up.
    pub up: Option<Up>,
    /// The unit that the file says it has. `[m]`
    pub metres_per_unit: Option<f64>,
    /// What fits best is kept here, and must be of the same head.
    pub found: &'a Found,
}

/// The placement that fits best, once it was looked for, within the limits of then.
#[derive(Debug, Default)]
pub struct Found(Mutex<Option<(FitLimits, Fit)>>);

/// A placement and how well it sits; none where none is known.
type Fit = Option<BestFit>;

impl Found {
    /// Nothing was looked for yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was found within `limits`, or else is found by `look`.
    pub(super) fn of(&self, limits: &FitLimits, look: impl FnOnce() -> Fit) -> Fit {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((then, found)) if then == limits => *found,
            _ => {
                let found = look();
                *known = Some((limits.clone(), found));
                found
            }
        }
    }
}

impl Loose<'_> {
    /// The points of a strand.
    pub(super) fn strand(&self, index: usize) -> &[Vec3] {
        &self.points[self.range(index)]
    }

    /// Where they are among all points.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// Number of strands.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_limits_the_search() {
        let mut params = ImportParams::default();
        assert_eq!(params.fit_limits(false), FitLimits::default());
        params.up = Up::X;
        params.units = Units::Centimetres;
        params.scale = 1.5;
        let limits = params.fit_limits(false);
        assert_eq!(limits.up, Some(Up::X));
        assert!(limits.sizes.allow(0.015) && !limits.sizes.allow(0.001));
        let limits = params.fit_limits(true);
        assert!(limits.sizes.allow(0.015) && !limits.sizes.allow(0.0151));
        params.units = Units::Auto;
        let sizes = params.fit_limits(true).sizes;
        assert!(sizes.allow(1.5) && sizes.allow(0.0015) && !sizes.allow(1.0));
    }
}
