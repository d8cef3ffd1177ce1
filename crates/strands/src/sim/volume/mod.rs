//! Contact and friction between strands: a grid of density and velocity that moves with the head.
//!
//! Once a step, before the strands move, every free vertex is drawn towards
//! the velocity of the hair around it (Petrovic, Henne and Anderson 2005,
//! "Volumetric methods for simulation and rendering of hair") and pushed out of
//! where the hair is denser than it was at rest.

mod anchor;
mod domain;
mod grid;
mod layout;
mod partial;
mod pressure;
mod rest_density;
mod slice;
#[cfg(test)]
mod tests;
mod weights;

pub use anchor::GridMotion;
pub use slice::{GridSlice, SlicePlane};

use super::{
    Repulsion, VolumeParams,
    state::{Block, LANES, Row, StrandState},
};
use crate::math::{
    elementary::pow,
    lanes::{Lane, V3},
    work::{Work, work},
};
use anchor::GridAnchor;
use glam::{Mat4, Vec4};
use grid::{Grid, GridForces, Slope};
use layout::SampleLayout;
use partial::PartialGrid;
use pressure::Push;
use rayon::prelude::*;
use rest_density::Rest;
use std::sync::Arc;
use weights::Vertices;

/// Friction is what a vertex loses in this time. `[s]`
const REFERENCE: f64 = 1.0 / 60.0;

/// Crowding may change a velocity by so much of a cell a step: more would throw
/// hair over the hair that pushes it.
const MOST_PUSH: f64 = 0.3;

/// Hair that was thinner at rest than this share of the mean density is as
/// sensitive to crowding as hair so dense: a few strands are no crowd.
const THIN: f64 = 0.5;

/// What hair was like at rest may be so many steps older than its rest curves.
const PATIENCE: u32 = 15;

/// Cells are at least so many times as wide as hair that follows is far from its guide:
/// guides rub against guides then, and not against themselves.
const BUNDLES_A_CELL: f32 = 2.0;

/// However far apart guides are, no cell is made wider than this: hair on one side of a
/// head does not feel that on the other. `[m]`
const WIDEST: f32 = 0.03;

/// Size of a cell. `[m]`
fn cell(state: &StrandState, params: &VolumeParams) -> f64 {
    let apart = (BUNDLES_A_CELL * state.bundle.radius).min(WIDEST);
    params.cell.max(apart).into()
}

/// The grid and what it knows of the hair at rest.
#[derive(Default)]
pub struct HairVolume {
    /// Measured when first needed, and again for other cells or rest curves.
    rest: Option<Arc<Rest>>,
    /// How often it was used since the rest curves are others.
    stale: u32,
    parts: Vec<PartialGrid>,
    grid: Grid,
}

/// A copy knows what was measured and has a grid of its own.
impl Clone for HairVolume {
    fn clone(&self) -> Self {
        Self {
            rest: self.rest.clone(),
            stale: self.stale,
            ..Self::default()
        }
    }
}

impl HairVolume {
    /// Changes the velocities in `state` as the hair around each vertex does in
    /// `seconds`, on a head that moves like `ride`.
    pub fn act(
        &mut self,
        state: &mut StrandState,
        ride: &GridMotion,
        params: &VolumeParams,
        seconds: f64,
    ) {
        if !params.on || state.blocks.is_empty() {
            return;
        }
        let cell = cell(state, params);
        let rest = self.rest(state, cell);
        let (slope, shift) = match params.form {
            Repulsion::Normalised if params.shift > 0.0 => {
                (Slope::Density, f64::from(params.shift) * 1e-3 / seconds)
            }
            Repulsion::Clamped if params.repulsion > 0.0 => (Slope::Excess, 0.0),
            _ => (Slope::None, 0.0),
        };
        // With less than a strand through each cell a strand would rub against
        // itself; from two on there is hair around it.
        let around = (rest.density * cell * cell - 1.0).clamp(0.0, 1.0);
        let share = around * (1.0 - pow(1.0 - f64::from(params.friction), seconds / REFERENCE));
        let deed = GridForces {
            share: share as f32,
            slope,
            shift: shift as f32,
            push: Push {
                // As the density of fewer strands strays more, by chance.
                stiffness: params.repulsion / state.bundle.strands.sqrt(),
                seconds: seconds as f32,
                most: (MOST_PUSH * cell / seconds) as f32,
            },
            thin: (THIN * rest.density) as f32,
        };
        if deed.share == 0.0 && slope == Slope::None {
            return;
        }
        self.scatter(state, ride, &rest, &deed);
        self.gather(state, ride, &rest, &deed);
    }

    /// Measures hair at rest anew the next time, where its rest curves have changed since.
    pub fn catch_up(&mut self) {
        self.stale = PATIENCE;
    }

    /// What the hair is like at rest.
    fn rest(&mut self, state: &StrandState, cell: f64) -> Arc<Rest> {
        if let Some(rest) = &self.rest
            && rest.domain.cell == cell
            && rest.kinds.len() == state.blocks.len()
        {
            if rest.edits == state.edits {
                return rest.clone();
            }
            // A brush changes them often.
            self.stale += 1;
            if self.stale < PATIENCE {
                return rest.clone();
            }
        }
        self.stale = 0;
        let rest = Arc::new(Rest::measure(state, cell));
        self.rest = Some(rest.clone());
        rest
    }

    /// Brings the hair to the grid.
    fn scatter(&mut self, state: &StrandState, ride: &GridMotion, rest: &Rest, deed: &GridForces) {
        let anchor = GridAnchor::new(ride, &rest.domain);
        let blocks = state.blocks.par_chunks(rest.chunk);
        let parts = blocks.len();
        self.parts.resize_with(parts, PartialGrid::default);
        let all = blocks.zip(rest.kinds.par_chunks(rest.chunk));
        all.zip(&mut self.parts)
            .for_each(|((blocks, kinds), sums)| {
                sums.clear(&rest.domain);
                for (block, kind) in blocks.iter().zip(kinds) {
                    work(Scatter {
                        block,
                        kind,
                        anchor: &anchor,
                        room: deed.slope == Slope::Excess,
                        sums,
                    });
                }
                sums.close();
            });
        self.grid.finish(&rest.domain, &self.parts, deed);
    }

    /// Changes the velocities as the grid says.
    fn gather(&self, state: &mut StrandState, ride: &GridMotion, rest: &Rest, deed: &GridForces) {
        let anchor = GridAnchor::new(ride, &rest.domain);
        let blocks = state.blocks.par_iter_mut().zip(&rest.kinds);
        blocks.for_each(|(block, kind)| {
            work(Gather {
                block,
                kind,
                anchor: &anchor,
                grid: &self.grid,
                deed,
            });
        });
    }
}

/// Cells that volume is counted in. `[m]`
const VOLUME_CELL: f64 = 0.01;

/// Space counts as filled where hair is so dense, as a share of the mean density
/// that its vertices have at rest.
const FILLED: f32 = 0.05;

/// The space that hair fills. `[m³]`
pub fn volume(state: &StrandState, ride: &GridMotion) -> f64 {
    let mut volume = HairVolume::default();
    if state.blocks.is_empty() {
        return 0.0;
    }
    let rest = volume.rest(state, VOLUME_CELL);
    volume.scatter(state, ride, &rest, &GridForces::LOOK);
    let least = FILLED * rest.density as f32;
    let filled = |nodes: &[grid::NodeValue; domain::OWN]| {
        let dense = nodes.iter().filter(|node| node[grid::DENSITY] >= least);
        dense.count()
    };
    let nodes: usize = volume.grid.bricks().iter().map(filled).sum();
    nodes as f64 * VOLUME_CELL.powi(3)
}

/// Brings one block to the grid.
struct Scatter<'a> {
    block: &'a Block<Row>,
    kind: &'a SampleLayout,
    anchor: &'a GridAnchor<Row>,
    room: bool,
    sums: &'a mut PartialGrid,
}

impl Work for Scatter<'_> {
    #[inline(always)]
    fn run(self) {
        match self.room {
            true => self
                .sums
                .add::<true, false>(self.block, self.kind, self.anchor),
            false => self
                .sums
                .add::<false, false>(self.block, self.kind, self.anchor),
        }
    }
}

/// Changes the velocities of one block.
struct Gather<'a> {
    block: &'a mut Block<Row>,
    kind: &'a SampleLayout,
    anchor: &'a GridAnchor<Row>,
    grid: &'a Grid,
    deed: &'a GridForces,
}

impl Work for Gather<'_> {
    #[inline(always)]
    fn run(self) {
        match self.deed.slope {
            Slope::Density => self.gather::<true>(),
            _ => self.gather::<false>(),
        }
    }
}

impl Gather<'_> {
    /// `DIRECTION`: the slope of the density pushes, however steep it is.
    #[inline(always)]
    fn gather<const DIRECTION: bool>(self) {
        let (block, kind, anchor) = (self.block, self.kind, self.anchor);
        let share = Row::splat(f64::from(self.deed.share));
        // What repeats the first strand stands still.
        let real = Row::from_lanes(|lane| f64::from(u8::from(lane < block.strands)));
        for run in kind.free_runs(block) {
            let free = kind.rows(block, run);
            let vertices = Vertices::new::<false>((block, kind, anchor), free.clone());
            let (mut found, mut slope) = ([[0.0; 4]; LANES], [[0.0; 4]; LANES]);
            for k in 0..kind.most {
                let spots = vertices.spots::<false>((block, kind, anchor), run, k);
                for lane in kind.lanes(run, k) {
                    let key = spots.key(lane);
                    let gain = spots.blend(lane, self.grid.kept(key));
                    for c in 0..4 {
                        found[lane][c] += gain[c];
                    }
                    if DIRECTION {
                        let way = spots.blend(lane, self.grid.kept_slopes(key));
                        for c in 0..4 {
                            slope[lane][c] += way[c];
                        }
                    }
                }
            }
            let mut gain = rows(&found).scale(kind.share) - vertices.speed.scale(share);
            if DIRECTION {
                gain = gain + direction(rows(&slope), self.deed.shift);
            }
            let gain = anchor.frame.vector(gain).scale(real);
            for i in free {
                block.gain(i, gain);
            }
        }
    }
}

/// What was found for each lane, behind the density.
#[inline(always)]
fn rows(found: &[[f32; 4]; LANES]) -> V3<Row> {
    let mut rows = V3::<Row>::zero();
    for (found, lane) in found.chunks_exact(4).zip((0..).step_by(4)) {
        let column = |k: usize| Vec4::from_array(found[k]);
        let four = Mat4::from_cols(column(0), column(1), column(2), column(3)).transpose();
        let to = [&mut rows.x, &mut rows.y, &mut rows.z];
        for (to, from) in to.into_iter().zip([four.y_axis, four.z_axis, four.w_axis]) {
            from.write_to_slice(&mut to.0[lane..]);
        }
    }
    rows
}

/// v <- v + s g / dt with g the direction of the slope: Müller, Kim and Chentanez
/// 2012, section 3.4. Nothing where there is no slope.
#[inline(always)]
fn direction(slope: V3<Row>, push: f32) -> V3<Row> {
    let (steep, least) = (slope.dot(slope).sqrt(), Row::splat(1e-3));
    let push = Row::splat(f64::from(push)) / steep.max(least);
    slope.scale(steep.less(least, Row::zero(), push))
}
