//! What strands are coloured by, for who looks at it.

use crate::{
    project::tools::StrandQuantity,
    sim::{
        SimParams, Simulation, solver,
        state::{Block, LANES, Row},
    },
};
use glam::Vec3;

/// No more strands are shown: lines over one another say nothing.
const MOST: usize = 900;

/// A quantity along some strands.
#[derive(Clone, Debug, PartialEq)]
pub struct StrandColours {
    /// Which one.
    pub quantity: StrandQuantity,
    /// Strands spread evenly over the groom; none where the method knows nothing of it.
    pub strands: Vec<ColouredStrand>,
}

/// One of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColouredStrand {
    /// Its number in the groom.
    pub strand: usize,
    /// The quantity at each vertex but the tip, or in the segment that leaves it.
    pub values: Vec<f32>,
    /// Where each vertex is, in the world. `[m]`
    pub places: Vec<Vec3>,
}

impl StrandColours {
    /// That `quantity` of strands that are moved by the method of `params`; none where
    /// nothing is asked for.
    pub fn of(
        simulation: &Simulation,
        params: &SimParams,
        quantity: StrandQuantity,
    ) -> Option<Self> {
        let params = &*simulation.params_now(params);
        let solver = solver::chosen(params).solver(params);
        let blocks = &simulation.state().blocks;
        let all: usize = blocks.iter().map(|block| block.strands).sum();
        let look = |strand: usize| {
            let (block, lane) = (&blocks[strand / LANES], strand % LANES);
            let values = match quantity {
                StrandQuantity::Nothing => None,
                StrandQuantity::Hold => solver.groom_hold(block, lane),
                StrandQuantity::Length => Some(changes_of_length(block, lane)),
            };
            Some(ColouredStrand {
                strand,
                values: values?.into_iter().map(|value| value as f32).collect(),
                places: (0..block.counts[lane])
                    .map(|i| block.point(i, lane).as_vec3())
                    .collect(),
            })
        };
        let strands = (0..all).step_by(all.div_ceil(MOST).max(1));
        (quantity != StrandQuantity::Nothing).then(|| Self {
            quantity,
            strands: strands.filter_map(look).collect(),
        })
    }
}

/// How much longer each segment of a strand is than at rest, as a share of its length;
/// below zero where it is shorter.
fn changes_of_length(block: &Block<Row>, lane: usize) -> Vec<f64> {
    let change = |i: usize| {
        let length = |at: &dyn Fn(usize) -> [f64; 3]| {
            let ([x, y, z], [a, b, c]) = (at(i), at(i - 1));
            ((x - a).powi(2) + (y - b).powi(2) + (z - c).powi(2)).sqrt()
        };
        let rest = length(&|i| block.rest[i].get(lane));
        let now = length(&|i| block.position[i].get(lane));
        if rest > 1e-9 { now / rest - 1.0 } else { 0.0 }
    };
    (1..block.counts[lane]).map(change).collect()
}
