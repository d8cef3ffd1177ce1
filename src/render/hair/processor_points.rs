//! Points of the drawn strands where the processor draws: it makes them itself, many at
//! once, in less time than a driver's shaders for graphics cards take on it.

use super::{HairDrawParams, strands::Drawn};
use crate::{
    groom::{FollowerParams, drawn::DrawnHair},
    math::Pose,
};
use glam::Vec3;
use rayon::prelude::*;

/// Strands that one task makes at least.
const TOGETHER: usize = 64;

/// The guides as they are now, and the points that were made of them last.
#[derive(Default)]
pub(super) struct ProcessorPoints {
    /// Where each guide begins, and the end.
    starts: Vec<u32>,
    /// Their vertices, in the world. `[m]`
    positions: Vec<Vec3>,
    /// Places of the points `[m]`, and 0 at the root to 1 at the tip.
    points: Vec<[f32; 4]>,
}

impl ProcessorPoints {
    /// Takes where each guide begins, and the end.
    pub fn take_groom(&mut self, starts: &[u32]) {
        self.starts.clear();
        self.starts.extend_from_slice(starts);
    }

    /// Takes the places of the guides' vertices. `[m]`
    pub fn upload(&mut self, positions: &[Vec3]) {
        self.positions.clear();
        self.positions.extend_from_slice(positions);
    }

    /// Makes the points of the first strands of `drawn`.
    pub fn grow(
        &mut self,
        drawn: &Drawn,
        stroke: &HairDrawParams,
        params: &FollowerParams,
        pose: &Pose,
    ) {
        let hair = DrawnHair {
            starts: &self.starts,
            positions: &self.positions,
            pose,
            params,
            flying: stroke.flying,
        };
        self.points.resize(stroke.strands * stroke.points, [0.0; 4]);
        let strands = self.points.par_chunks_mut(stroke.points).enumerate();
        strands
            .with_min_len(TOGETHER)
            .for_each(|(strand, points)| hair.points(&drawn.strand(strand), points));
    }

    /// What was made last.
    pub fn points(&self) -> &[[f32; 4]] {
        &self.points
    }
}
