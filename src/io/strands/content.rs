//! What a groom's file holds: strands.

use super::{Attribute, CameraSample, Fault, WornHead, attribute, cubic::Cubic};
use crate::{
    groom::{
        import::{Found, Loose},
        outliers::Outliers,
    },
    math::counted,
    mesh::Up,
};
use glam::Vec3;
use std::ops::Range;

/// Strands of a file, in its unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// Points of all strands, one strand after the other, root first.
    pub points: Vec<Vec3>,
    /// Where each strand begins in `points`, and one entry more: the end. A reader
    /// leaves it empty where the file lists points and not strands.
    pub starts: Vec<u32>,
    /// How thick hair is at each point, across; empty where the file is silent.
    pub widths: Vec<f32>,
    /// Linear RGB of each point, 0..=1; empty where the file is silent.
    pub colours: Vec<[f32; 3]>,
    /// Where each strand is rooted on the head's texture; empty where the file
    /// is silent.
    pub root_uvs: Vec<[f32; 2]>,
    /// What else the file says of strands or points, column by column, with as
    /// many rows as there are of these.
    pub attributes: Vec<Attribute>,
    /// The axis that the file says points up.
    pub up: Option<Up>,
    /// The unit that the file says it has. `[m]`
    pub metres_per_unit: Option<f64>,
    /// Which of them are cubic curves, whose control points `points` are then.
    pub cubic: Vec<Cubic>,
    /// Poses in the file, of which these strands are the first; 0 where nobody counted.
    pub poses: usize,
    /// Poses in a second; 0 where the file does not say, or has one. `[1/s]`
    pub rate: f64,
    /// When the first of them is. `[s]`
    pub start: f64,
    /// Time codes in a second of a file that has them; 0 of others. `[1/s]`
    pub codes: f64,
    /// How fast each point goes, in units a second, for files that are written; empty where
    /// nobody asked, and of files that were read. `[1/s]`
    pub velocities: Vec<Vec3>,
    /// Whether the file that was read says how fast points go, which is left out.
    pub says_velocities: bool,
    /// The head beside them in a file that is written; none where nobody asked, and of files
    /// that were read.
    pub head: Option<WornHead>,
    /// The camera beside them in a file that is written; none where nobody asked, and of files
    /// that were read.
    pub camera: Option<CameraSample>,
    /// What was left out or taken otherwise than written, a sentence each.
    pub notes: Vec<String>,
}

impl Strands {
    /// What to say of the file's other poses, where it has any.
    pub fn poses_left(&self) -> Option<String> {
        let left = self.poses.checked_sub(1).filter(|left| *left > 0)?;
        Some(format!(
            "the hair moves: the first of its {} poses is taken as the hair at rest, and {} left \
             aside unless the file is played",
            self.poses,
            counted(left, "is", "are")
        ))
    }

    /// The notes, and what of the strands is unlike all others, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let metres = self.metres_per_unit.map(|metres| metres as f32);
        let mut out = self.notes.clone();
        out.extend(Outliers::find(&self.loose(&Found::new())).told(metres));
        out
    }

    /// Number of strands.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Indices into `points` of strand `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// The points of strand `index`, root first.
    pub fn strand(&self, index: usize) -> &[Vec3] {
        &self.points[self.range(index)]
    }

    /// The same for binding to a head, where what was `found` of the fit is kept.
    pub fn loose<'a>(&'a self, found: &'a Found) -> Loose<'a> {
        Loose {
            points: &self.points,
            starts: &self.starts,
            widths: &self.widths,
            colours: &self.colours,
            is_guide: attribute::guides(&self.attributes),
            up: self.up,
            metres_per_unit: self.metres_per_unit,
            found,
        }
    }

    /// All strands in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[Vec3]> {
        (0..self.len()).map(|index| self.strand(index))
    }

    /// Fewest and most points of a strand; zero without strands.
    pub fn counts(&self) -> [usize; 2] {
        let counts = || self.iter().map(<[Vec3]>::len);
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }

    /// Smallest and largest coordinates; none without points.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let first = *self.points.first()?;
        let grow = |[min, max]: [Vec3; 2], p: &Vec3| [min.min(*p), max.max(*p)];
        Some(self.points.iter().fold([first; 2], grow))
    }

    /// The same with the thickest hair's half around them; about zero without points.
    pub fn extent(&self) -> [Vec3; 2] {
        let thickest = self.widths.iter().fold(0.0f32, |a, b| a.max(*b));
        let [min, max] = self.bounds().unwrap_or_default();
        [min - 0.5 * thickest, max + 0.5 * thickest]
    }

    /// Begins a strand with the points that `points` grows by from now on.
    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        let start = u32::try_from(self.points.len());
        self.starts
            .push(start.map_err(|_| Fault::whole(TOO_MANY.into()))?);
        Ok(())
    }
}

pub(super) const TOO_MANY: &str = "it has more than 4294967295 points; split the groom";
