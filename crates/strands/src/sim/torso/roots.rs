//! Hair that is rooted low in the neck or on the torso goes with that.

use super::bend::{NeckBand, NeckBend};
use crate::{
    groom::Groom,
    math::{Pose, lanes::Lane as _},
    sim::{
        root_motion::RootMotion,
        state::{Block, LANES, Row},
    },
};
use glam::Vec3;

/// A root that takes less of the torso's turn goes with the head.
const LEAST: f32 = 0.02;

/// Which strands are rooted where the torso's turn is felt.
#[derive(Clone, Debug, Default)]
pub struct LowRoots {
    /// For each block.
    low: Vec<bool>,
    /// Whether any is.
    pub any: bool,
}

impl LowRoots {
    /// Those of `groom` below a neck that bends in `band`.
    pub fn new(groom: &Groom, band: &NeckBand) -> Self {
        let is_low = |strand| band.weight(root(groom, strand)) > LEAST;
        let strands = groom.strands();
        let low: Vec<bool> = (0..strands.div_ceil(LANES))
            .map(|block| (block * LANES..strands.min((block + 1) * LANES)).any(is_low))
            .collect();
        Self {
            any: low.contains(&true),
            low,
        }
    }

    /// Lets the roots of block number `number` go where the neck takes them in the
    /// next step; at once under a head at `pose`, if there is one.
    pub fn move_roots(
        &self,
        groom: &Groom,
        bend: &NeckBend,
        number: usize,
        block: &mut Block<Row>,
        at_once: Option<&Pose>,
    ) {
        // One that no longer is low comes back to the head.
        if block.root_motion.is_none() && !self.low.get(number).is_some_and(|low| *low) {
            return;
        }
        let root_motion = block
            .root_motion
            .get_or_insert_with(|| Box::new(RootMotion::new(block.root_rest)));
        (root_motion.root[0], root_motion.turn[0]) = (root_motion.root[1], root_motion.turn[1]);
        for lane in 0..LANES {
            // The lanes behind the last strand repeat the first one.
            let own = if lane < block.strands { lane } else { 0 };
            let root = root(groom, number * LANES + own);
            let weight = match bend.band.weight(root) {
                weight if weight > LEAST => weight,
                _ => 0.0,
            };
            let turn = bend.share(weight).as_dquat();
            let pivot = bend.band.pivot.as_dvec3();
            let there = pivot + turn * (root.as_dvec3() - pivot);
            root_motion.root[1].set(lane, there.to_array());
            root_motion.turn[1].w.set(lane, turn.w);
            root_motion.turn[1].v.set(lane, [turn.x, turn.y, turn.z]);
        }
        if let Some(pose) = at_once {
            block.jump(pose);
        }
    }
}

/// The root of a strand; far above all necks where there is no such strand. `[m]`
fn root(groom: &Groom, strand: usize) -> Vec3 {
    match strand < groom.strands() {
        true => groom.strand(strand)[0],
        false => Vec3::Y * 1e3,
    }
}
