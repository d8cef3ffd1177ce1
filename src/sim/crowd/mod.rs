//! Hair among hair: a grid of density and velocity that rides on the head.
//!
//! Once a step, before the strands move, every free vertex is drawn towards
//! the velocity of the hair around it (Petrovic, Henne and Anderson 2005,
//! "Volumetric methods for simulation and rendering of hair") and pushed out of
//! where the hair is denser than it was at rest. Strands meet nowhere else.

mod domain;
mod grid;
mod rest;
mod sample;
mod seat;
mod slice;
mod sums;

pub use seat::Ride;
pub use slice::{Cut, Slice};

use super::{
    CrowdParams, Repulsion,
    solver::dispatch,
    state::{Block, Row, StrandState},
};
use crate::math::lanes::{Lane, V3};
use grid::{Grid, Slope};
use rayon::prelude::*;
use rest::{Kind, Rest};
use sample::{PARTS, Samples};
use seat::Seat;
use std::{cell::RefCell, sync::Arc};
use sums::Sums;

/// Friction is what a vertex loses in this time. `[s]`
const REFERENCE: f64 = 1.0 / 60.0;

/// Crowding may change a velocity by so much of a cell a step: more would throw
/// hair over the hair that pushes it.
const MOST_PUSH: f64 = 0.3;

thread_local! {
    static SAMPLES: RefCell<Samples> = RefCell::new(Samples::default());
}

/// The grid and what it knows of the hair at rest.
#[derive(Default)]
pub struct Crowd {
    /// Measured when first needed, and again for other cells.
    rest: Option<Arc<Rest>>,
    parts: Vec<Sums>,
    grid: Grid,
}

/// A copy knows what was measured and has a grid of its own.
impl Clone for Crowd {
    fn clone(&self) -> Self {
        Self {
            rest: self.rest.clone(),
            ..Self::default()
        }
    }
}

/// What is done to each vertex.
struct Deed {
    /// Share of the difference to the hair around it that a vertex loses.
    share: f64,
    /// Velocity gained for a slope of one.
    push: f64,
    /// Most velocity gained. `[m/s]`
    most: f64,
    /// Whether only the direction of the slope counts.
    normalised: bool,
}

impl Crowd {
    /// Changes the velocities in `state` as the hair around each vertex does in
    /// `seconds`, on a head that moves like `ride`.
    pub fn act(
        &mut self,
        state: &mut StrandState,
        ride: &Ride,
        params: &CrowdParams,
        seconds: f64,
    ) {
        if !params.on || state.blocks.is_empty() {
            return;
        }
        let cell = f64::from(params.cell);
        let mut deed = Deed {
            share: 1.0 - (1.0 - f64::from(params.friction)).powf(seconds / REFERENCE),
            push: 0.0,
            most: MOST_PUSH * cell / seconds,
            normalised: params.form == Repulsion::Normalised,
        };
        let rest = self.rest(state, cell);
        let slope = match params.form {
            Repulsion::Normalised if params.shift > 0.0 => {
                deed.push = f64::from(params.shift) * 1e-3 / seconds;
                Slope::Density
            }
            Repulsion::Clamped if params.repulsion > 0.0 => {
                let per_slope = f64::from(params.repulsion) * seconds;
                deed.push = per_slope / rest.density.max(1e-9);
                Slope::Excess
            }
            _ => Slope::None,
        };
        if deed.share == 0.0 && slope == Slope::None {
            return;
        }
        self.scatter(state, ride, &rest, slope);
        gather(state, ride, &rest, &self.grid, &deed, slope);
    }

    /// What the hair is like at rest.
    fn rest(&mut self, state: &StrandState, cell: f64) -> Arc<Rest> {
        match &self.rest {
            Some(rest) if rest.units.cell == cell && rest.kinds.len() == state.blocks.len() => {
                rest.clone()
            }
            _ => {
                let rest = Arc::new(Rest::measure(state, cell));
                self.rest = Some(rest.clone());
                rest
            }
        }
    }

    /// Brings the hair to the grid.
    fn scatter(&mut self, state: &StrandState, ride: &Ride, rest: &Rest, slope: Slope) {
        let seat = Seat::new(ride, &rest.domain);
        let threads = rayon::current_num_threads();
        let chunk = state.blocks.len().div_ceil(threads).max(1);
        self.parts.resize_with(threads, Sums::default);
        self.parts
            .iter_mut()
            .for_each(|part| part.clear(&rest.domain));
        let chunks = state
            .blocks
            .par_chunks(chunk)
            .zip(rest.kinds.par_chunks(chunk));
        chunks
            .zip(&mut self.parts)
            .for_each(|((blocks, kinds), sums)| {
                SAMPLES.with_borrow_mut(|samples| {
                    for (block, kind) in blocks.iter().zip(kinds) {
                        dispatch::work(Scatter {
                            block,
                            kind,
                            seat: &seat,
                            quantum: rest.quantum,
                            room: slope == Slope::Excess,
                            samples,
                            sums,
                        });
                    }
                });
            });
        self.grid
            .finish(&rest.domain, &self.parts, rest.units, slope);
    }
}

/// Cells that volume is counted in. `[m]`
const VOLUME_CELL: f64 = 0.01;

/// Space counts as filled where hair is so dense, as a share of the mean density
/// that its vertices have at rest.
const FILLED: f32 = 0.05;

/// The space that hair fills. `[m³]`
pub fn volume(state: &StrandState, ride: &Ride) -> f64 {
    let mut crowd = Crowd::default();
    if state.blocks.is_empty() {
        return 0.0;
    }
    let rest = crowd.rest(state, VOLUME_CELL);
    crowd.scatter(state, ride, &rest, Slope::None);
    let least = FILLED * rest.density as f32;
    let filled = |nodes: &[grid::Blend; sample::NODES]| {
        let dense = nodes.iter().filter(|node| node[grid::DENSITY] >= least);
        dense.count()
    };
    let nodes: usize = crowd.grid.bricks().iter().map(filled).sum();
    nodes as f64 * VOLUME_CELL.powi(3)
}

/// Brings one block to the grid.
struct Scatter<'a> {
    block: &'a Block<Row>,
    kind: &'a Kind,
    seat: &'a Seat<Row>,
    quantum: f64,
    room: bool,
    samples: &'a mut Samples,
    sums: &'a mut Sums,
}

impl dispatch::Work for Scatter<'_> {
    #[inline(always)]
    fn run(self) {
        let (block, kind) = (self.block, self.kind);
        self.samples.take(block, kind, self.seat, self.quantum);
        match self.room {
            true => self.sums.add::<true>(block, kind, self.samples),
            false => self.sums.add::<false>(block, kind, self.samples),
        }
    }
}

/// Changes the velocities as the grid says.
fn gather(
    state: &mut StrandState,
    ride: &Ride,
    rest: &Rest,
    grid: &Grid,
    deed: &Deed,
    slope: Slope,
) {
    let seat = Seat::new(ride, &rest.domain);
    let blocks = state.blocks.par_iter_mut().zip(&rest.kinds);
    blocks.for_each(|(block, kind)| {
        SAMPLES.with_borrow_mut(|samples| {
            dispatch::work(Gather {
                block,
                kind,
                seat: &seat,
                quantum: rest.quantum,
                push: slope != Slope::None,
                samples,
                grid,
                deed,
                seconds: ride.seconds,
            });
        });
    });
}

/// Changes the velocities of one block.
struct Gather<'a> {
    block: &'a mut Block<Row>,
    kind: &'a Kind,
    seat: &'a Seat<Row>,
    quantum: f64,
    push: bool,
    samples: &'a mut Samples,
    grid: &'a Grid,
    deed: &'a Deed,
    /// Length of the last substep. `[s]`
    seconds: f64,
}

impl dispatch::Work for Gather<'_> {
    #[inline(always)]
    fn run(mut self) {
        self.samples
            .take(self.block, self.kind, self.seat, self.quantum);
        match self.push {
            true => self.look::<true>(),
            false => self.look::<false>(),
        }
        let (block, deed, samples) = (self.block, self.deed, self.samples);
        let to_speed = Row::splat(self.quantum) / self.kind.mass;
        let weight = self.kind.share * Row::splat(1.0 / f64::from(PARTS * PARTS * PARTS));
        let share = Row::splat(deed.share);
        // What repeats the first strand stands still.
        let real = Row::from_lanes(|lane| f64::from(u8::from(lane < block.strands)));
        for i in block.pinned..block.rows {
            let flow = samples.flow[i].scale(weight);
            let mut gain = (flow - samples.momentum[i].scale(to_speed)).scale(share);
            if self.push {
                gain = gain + deed.push(samples.slope[i].scale(weight));
            }
            let gain = self.seat.frame.vector(gain).scale(real * block.alive(i));
            block.velocity[i] = block.velocity[i] + gain;
            block.rod.gain(i, gain, self.seconds);
        }
    }
}

impl Gather<'_> {
    /// Looks up what the grid has at the vertices.
    #[inline(always)]
    fn look<const SLOPED: bool>(&mut self) {
        let (block, kind) = (&*self.block, self.kind);
        let samples = &mut *self.samples;
        for lane in 0..block.strands {
            let shares = kind.shares[lane];
            for i in block.pinned..block.counts[lane] {
                let mut sum = [0.0f32; 8];
                let first = i * kind.most;
                for spot in &samples.spots[first..first + shares] {
                    self.grid.blend::<SLOPED>(spot, lane, &mut sum);
                }
                let flow = &mut samples.flow[i];
                (flow.x.0[lane], flow.y.0[lane], flow.z.0[lane]) = (sum[0], sum[1], sum[2]);
                if SLOPED {
                    let slope = &mut samples.slope[i];
                    (slope.x.0[lane], slope.y.0[lane], slope.z.0[lane]) = (sum[3], sum[4], sum[5]);
                }
            }
        }
    }
}

impl Deed {
    /// Velocity gained on that slope. `[m/s]`
    #[inline(always)]
    fn push(&self, slope: V3<Row>) -> V3<Row> {
        let steep = slope.dot(slope).sqrt();
        let push = Row::splat(self.push);
        let factor = if self.normalised {
            // v <- v + s g / dt with g the direction of the slope: Müller, Kim
            // and Chentanez 2012, section 3.4. Nothing where there is no slope.
            let least = Row::splat(1e-3);
            steep.less(least, Row::zero(), push / steep.max(least))
        } else {
            // a = -k grad(max(density - rest, 0)) / reference.
            push.min(Row::splat(self.most) / steep.max(Row::splat(1e-9)))
        };
        slope.scale(factor)
    }
}
