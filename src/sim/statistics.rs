//! What can be measured of hair in motion.

use super::{
    SimParams,
    collide::Skin,
    forces,
    state::{Block, Row, StrandState},
};
use crate::{
    math::{Pose, lanes::Lane},
    mesh::Body,
};
use rayon::prelude::*;

/// Mass of a strand for each metre: 80 µm thick, 1320 kg/m³. `[kg/m]`
const LINE_DENSITY: f64 = 6.6e-6;

/// The state of all strands in a few numbers, for the status line and files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Largest relative lengthening of any segment (0.01 = 1 %).
    pub max_stretch: f32,
    /// Mean relative change of length, taken absolute.
    pub mean_stretch: f32,
    /// Deepest vertex below the skin, or below its rest place where that lies deeper. `[m]`
    pub max_penetration: f32,
    /// Vertices below the skin by more than a hundredth of a millimetre.
    pub penetrating: u32,
    /// Kinetic energy of all strands. `[J]`
    pub kinetic: f64,
    /// Potential energy in gravity, from the height of the world's origin. `[J]`
    pub potential: f64,
    /// Strands that had to be put back because a number was not finite, in all.
    pub nonfinite: u64,
}

#[derive(Default)]
struct Sums {
    worst: f64,
    stretch: f64,
    segments: u64,
    depth: f64,
    inside: u32,
    kinetic: f64,
    potential: f64,
    resets: u64,
}

/// Measures all strands; sums run in the order of the blocks, so they do not
/// depend on the number of threads.
pub(super) fn measure(
    state: &StrandState,
    body: &Body,
    pose: Pose,
    params: &SimParams,
) -> Statistics {
    let gravity = f64::from(-forces::gravity(&params.forces).y);
    let skin = super::skin(body, &params.collision, usize::MAX);
    let parts: Vec<Sums> = state
        .blocks
        .par_iter()
        .map(|block| measure_block(block, skin, pose, gravity))
        .collect();
    let mut all = Sums::default();
    for part in parts {
        all.worst = all.worst.max(part.worst);
        all.stretch += part.stretch;
        all.segments += part.segments;
        all.depth = all.depth.max(part.depth);
        all.inside += part.inside;
        all.kinetic += part.kinetic;
        all.potential += part.potential;
        all.resets += part.resets;
    }
    Statistics {
        max_stretch: all.worst as f32,
        mean_stretch: (all.stretch / all.segments.max(1) as f64) as f32,
        max_penetration: all.depth as f32,
        penetrating: all.inside,
        kinetic: all.kinetic,
        potential: all.potential,
        nonfinite: all.resets,
    }
}

fn measure_block(block: &Block<Row>, skin: Option<&dyn Skin>, pose: Pose, gravity: f64) -> Sums {
    let mut sums = Sums {
        resets: block.resets,
        ..Sums::default()
    };
    for lane in 0..block.strands {
        let mass = 1.0 / block.inverse_mass.get(lane);
        for i in 1..block.counts[lane] {
            let length = |rows: &[crate::math::lanes::V3<Row>]| {
                let d = rows[i] - rows[i - 1];
                d.dot(d).get(lane).sqrt()
            };
            let (rest, now) = (length(&block.rest), length(&block.position));
            let stretch = if rest > 1e-9 { now / rest - 1.0 } else { 0.0 };
            sums.worst = sums.worst.max(stretch);
            sums.stretch += stretch.abs();
            sums.segments += 1;
            let v = block.velocity[i].get(lane);
            let m = LINE_DENSITY * rest * mass;
            sums.kinetic += 0.5 * m * v.iter().map(|c| c * c).sum::<f64>();
            sums.potential += m * gravity * block.point(i, lane).y;
            // Rows that are not near were seen to lie outside.
            if let Some(skin) = skin
                && i >= block.pinned
                && block.watch[i].near
            {
                let p = block.point(i, lane).as_vec3();
                let floor = block.clearance[i].get(lane).min(0.0);
                let depth = floor - f64::from(skin.distance(pose.inverse_point(p)));
                if depth > 1e-5 {
                    sums.inside += 1;
                    sums.depth = sums.depth.max(depth);
                }
            }
        }
    }
    sums
}
