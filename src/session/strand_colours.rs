//! Where the hair is held, for who looks at it.

use crate::sim::{SimParams, Simulation, solver, state::LANES};
use glam::Vec3;

/// No more strands are shown: lines over one another say nothing.
const MOST: usize = 900;

/// How many times stiffer than its material the joints along some strands are made
/// so that the hairstyle holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HoldView {
    /// Strands spread evenly over the groom.
    pub strands: Vec<HeldStrand>,
}

/// One of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldStrand {
    /// Its number in the groom.
    pub strand: usize,
    /// The hold of the joint at each vertex but the tip, 1 where there is none.
    pub hold: Vec<f32>,
    /// Where each vertex is, in the world. `[m]`
    pub places: Vec<Vec3>,
}

impl HoldView {
    /// What the method of `params` holds; no strands where it holds none.
    pub fn of(simulation: &Simulation, params: &SimParams) -> Self {
        let solver = solver::chosen(params).solver(params);
        let blocks = &simulation.state().blocks;
        let all: usize = blocks.iter().map(|block| block.strands).sum();
        let strands = (0..all).step_by(all.div_ceil(MOST).max(1));
        let look = |strand: usize| {
            let (block, lane) = (&blocks[strand / LANES], strand % LANES);
            let hold = solver.hold(block, lane)?;
            Some(HeldStrand {
                strand,
                hold: hold.into_iter().map(|hold| hold as f32).collect(),
                places: (0..block.counts[lane])
                    .map(|i| block.point(i, lane).as_vec3())
                    .collect(),
            })
        };
        Self {
            strands: strands.filter_map(look).collect(),
        }
    }
}
