//! A cut through the grid, to be looked at.

use super::{
    GridMotion, HairVolume,
    domain::EDGE,
    grid::{DENSITY, GridForces, NodeValue},
};
use crate::{
    math::Pose,
    sim::{VolumeParams, state::StrandState},
};
use glam::Vec3;

/// Which cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlicePlane {
    /// The axis that the cut is square to, in the head's space: 0 to 2.
    pub axis: usize,
    /// Where along that axis. `[m]`
    pub place: f32,
}

/// A node of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SliceSample {
    /// Length of hair in a volume `[m/m³]`, which is the number of hairs through
    /// an area `[1/m²]`.
    pub density: f32,
    /// Relative to the head, in its space. `[m/s]`
    pub velocity: Vec3,
}

/// Density and velocity on the nodes of a cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridSlice {
    /// Where the head is.
    pub pose: Pose,
    /// The first node, in the head's space. `[m]`
    pub corner: Vec3,
    /// From node to node along the cut's two directions. `[m]`
    pub steps: [Vec3; 2],
    /// Number of nodes along each.
    pub size: [usize; 2],
    /// The nodes, the second direction being the faster one.
    pub nodes: Vec<SliceSample>,
    /// Mean density around a vertex at rest. `[m/m³]`
    pub rest: f32,
}

impl HairVolume {
    /// The cut of the hair as it is now.
    pub fn slice(
        &mut self,
        state: &StrandState,
        ride: &GridMotion,
        params: &VolumeParams,
        cut: &SlicePlane,
    ) -> GridSlice {
        let mut slice = GridSlice {
            pose: ride.now,
            ..GridSlice::default()
        };
        if state.blocks.is_empty() {
            return slice;
        }
        let rest = self.rest(state, super::cell(state, params));
        self.scatter(state, ride, &rest, &GridForces::LOOK);
        let (domain, axis) = (rest.domain, cut.axis.min(2));
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let at = (f64::from(cut.place) - domain.low[axis]) / domain.cell;
        let (below, part) = (at.floor() as i64, at.fract() as f32);
        let node = |a: i64, b: i64| {
            let mut place = [0; 3];
            (place[axis], place[u], place[v]) = (below, a, b);
            let low = self.grid.node(place);
            place[axis] += 1;
            blend(low, self.grid.node(place), part)
        };
        let most = [u, v].map(|axis| (domain.bricks[axis] * EDGE) as i64);
        // Only as much of it as there is hair.
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for a in 0..most[0] {
            for b in 0..most[1] {
                if node(a, b).density > 0.0 {
                    low = [low[0].min(a - 1), low[1].min(b - 1)];
                    high = [high[0].max(a + 1), high[1].max(b + 1)];
                }
            }
        }
        if low[0] > high[0] {
            return slice;
        }
        let mut corner = domain.low;
        corner[u] += low[0] as f64 * domain.cell;
        corner[v] += low[1] as f64 * domain.cell;
        corner[axis] = f64::from(cut.place);
        slice.corner = Vec3::from_array(corner.map(|c| c as f32));
        slice.steps = [u, v].map(|axis| Vec3::AXES[axis] * domain.cell as f32);
        slice.size = [0, 1].map(|i| (high[i] - low[i] + 1) as usize);
        slice.nodes.reserve(slice.size[0] * slice.size[1]);
        for a in low[0]..=high[0] {
            slice.nodes.extend((low[1]..=high[1]).map(|b| node(a, b)));
        }
        slice.rest = rest.density as f32;
        slice
    }
}

/// Between two nodes; velocities count by their hair.
fn blend(low: Option<NodeValue>, high: Option<NodeValue>, part: f32) -> SliceSample {
    let weigh = |node: Option<NodeValue>, weight: f32| {
        let node = node.unwrap_or_default();
        let mass = node[DENSITY] * weight;
        (mass, Vec3::from_slice(&node[1..]) * mass)
    };
    let (low, high) = (weigh(low, 1.0 - part), weigh(high, part));
    let density = low.0 + high.0;
    SliceSample {
        density,
        velocity: (low.1 + high.1) / density.max(1e-12),
    }
}
