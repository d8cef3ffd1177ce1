//! How hair of a file lies on a head, in figures and in one line.

use super::{fit, settled::Settled};
use crate::mesh::CollisionMesh;
use glam::Vec3;
use rayon::prelude::*;
use std::fmt;

/// Points so far below the skin are told of. `[m]`
pub const DEEP: f32 = 0.003;
/// Strands that are asked how deep they lie.
const ASKED: usize = 400;
/// No skin is looked for farther away than this from a point that may be below it. `[m]`
const FAR: f32 = 0.15;
/// Roots that are off by no more on average, and so many of them on the scalp, lie well.
const WELL: f32 = 0.003;
const WELL_ON_SCALP: f32 = 0.9;
const WELL_DEEP: f32 = 0.05;
/// What is off by more, has fewer roots on the scalp or is deeper is doubtful.
const OFF: f32 = 0.008;
const ON_SCALP: f32 = 0.75;
const MUCH_DEEP: f32 = 0.2;
/// Roots that are spread over less of the scalp's breadth are those of a part of a head.
const PART: f32 = 0.7;
/// Fewer strands are an experiment and no head of hair: they may grow anywhere.
const FEW: usize = 16;

/// How hair lies on a head, in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitFigures {
    /// The median of the distances from the roots to the skin. `[m]`
    pub median: f32,
    /// The largest of them. `[m]`
    pub largest: f32,
    /// How many strands there are.
    pub strands: usize,
    /// The share of roots whose nearest skin is that of the scalp, 0..=1.
    pub on_scalp: f32,
    /// The share of points that lie more than [`DEEP`] below the skin, 0..=1.
    pub deep: f32,
    /// The length of strands, on average. `[m]`
    pub length: f32,
    /// The root mean square of the roots' distances from their middle. `[m]`
    pub breadth: f32,
    /// Whether the roots cover a part of the scalp alone: such hair lies well in many places,
    /// and no figure says which of them is its own.
    pub is_part: bool,
    /// Whether roots are too far from the skin for a groom of this head.
    pub misfits: bool,
}

/// How hair lies on a head, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitVerdict {
    /// On the scalp and on the skin.
    Well,
    /// Somewhat off.
    Fairly,
    /// Perhaps not where it belongs.
    Doubtful,
}

impl FitVerdict {
    /// Its name in files that are read by programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Fairly => "fairly",
            Self::Doubtful => "doubtful",
        }
    }
}

impl FitFigures {
    /// Measures strands that were brought onto that head.
    pub(super) fn measure(strands: &[Settled], body: &CollisionMesh, misfits: bool) -> Self {
        if strands.is_empty() {
            return Self::default();
        }
        let mut distances: Vec<f32> = strands.iter().map(|made| made.distance).collect();
        distances.sort_by(f32::total_cmp);
        let every = strands.len().div_ceil(ASKED).max(1);
        let asked: Vec<&Settled> = strands.iter().step_by(every).collect();
        let surface = &body.surface;
        // Roots on the scalp, points below the skin, points.
        let counts = asked.par_iter().map(|made| {
            let skin = surface.closest(made.points[0], FAR);
            let on = skin.is_some_and(|skin| body.is_scalp(skin.triangle));
            let below = |p: &&Vec3| {
                let skin = surface.closest(**p, FAR);
                skin.is_some_and(|skin| skin.distance < -DEEP)
            };
            let deep = made.points.iter().filter(below).count();
            [usize::from(on), deep, made.points.len()]
        });
        let sum = |a: [usize; 3], b: [usize; 3]| [0, 1, 2].map(|i| a[i] + b[i]);
        let [on, deep, points] = counts.reduce(|| [0; 3], sum);
        let roots: Vec<Vec3> = strands.iter().map(|made| made.points[0]).collect();
        let breadth = fit::breadth(&roots);
        Self {
            median: median(&distances),
            largest: distances[distances.len() - 1],
            strands: strands.len(),
            on_scalp: on as f32 / asked.len() as f32,
            deep: deep as f32 / points.max(1) as f32,
            length: strands.iter().map(|made| made.length).sum::<f32>() / strands.len() as f32,
            breadth,
            is_part: breadth < PART * fit::breadth(&scalp(body)),
            misfits,
        }
    }

    /// Whether so many strands are a head of hair, which belongs onto a scalp.
    fn is_hair(&self) -> bool {
        self.strands >= FEW
    }

    /// What they come to.
    pub fn verdict(&self) -> FitVerdict {
        if self.doubt().is_some() {
            FitVerdict::Doubtful
        } else if self.median <= WELL
            && self.deep <= WELL_DEEP
            && (self.on_scalp >= WELL_ON_SCALP || !self.is_hair())
        {
            FitVerdict::Well
        } else {
            FitVerdict::Fairly
        }
    }

    /// Why the hair may not be where it belongs.
    fn doubt(&self) -> Option<String> {
        let percent = |share: f32| format!("{:.0} %", 100.0 * share);
        if self.misfits || self.median > OFF {
            let [median, largest] = [self.median, self.largest].map(|apart| 1e3 * apart);
            return Some(format!(
                "the roots are {median:.0} mm from the skin, {largest:.0} mm at most; fit it or \
                 place it by hand"
            ));
        }
        if self.is_hair() && self.on_scalp < ON_SCALP {
            return Some(format!(
                "{} of the roots lie on face, ears or neck; place it by hand, unless it is a \
                 beard or brows",
                percent(1.0 - self.on_scalp)
            ));
        }
        (self.deep > MUCH_DEEP).then(|| {
            format!(
                "{} of the hair lies more than {:.0} mm below the skin; place it by hand",
                percent(self.deep),
                1e3 * DEEP
            )
        })
    }
}

impl fmt::Display for FitFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(doubt) = self.doubt() {
            return write!(f, "Doubtful: {doubt}");
        }
        let word = match self.verdict() {
            FitVerdict::Well => "well",
            _ => "fairly",
        };
        write!(
            f,
            "Lies {word}: roots {:.1} mm from the skin",
            1e3 * self.median
        )?;
        if self.is_hair() {
            write!(f, ", {:.0} % on the scalp", 100.0 * self.on_scalp)?;
        }
        if self.deep > WELL_DEEP {
            write!(
                f,
                ", {:.0} % of the hair more than {:.0} mm below the skin",
                100.0 * self.deep,
                1e3 * DEEP
            )?;
        }
        match self.is_part && self.is_hair() {
            true => {
                f.write_str("; hair that covers a part of the scalp fits in many places, so look")
            }
            false => Ok(()),
        }
    }
}

/// The middles of the triangles that hair grows on. `[m]`
fn scalp(body: &CollisionMesh) -> Vec<Vec3> {
    let all = 0..body.mesh.triangles.len() as u32;
    let on = all.filter(|triangle| body.is_scalp(*triangle));
    on.map(|triangle| {
        let [a, b, c] = body.mesh.corners(triangle as usize);
        (a + b + c) / 3.0
    })
    .collect()
}

/// Of values in their order; 0 of none.
fn median(sorted: &[f32]) -> f32 {
    let n = sorted.len();
    match (n, n % 2) {
        (0, _) => 0.0,
        (_, 1) => sorted[n / 2],
        _ => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests;
