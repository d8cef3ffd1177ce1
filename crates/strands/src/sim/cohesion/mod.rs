//! Cohesion: the strands of a lock hold together.
//!
//! A simulated strand stands for many fibres, and fibres that run together are
//! held by friction, by their scales, by sebum and by their crossings. All of
//! that is one law here: each vertex of a strand is bound to the mean of its
//! lock at that height, by a spring and a damper that give way when the strand
//! is torn off and take hold again when it comes back. It stands for the
//! breakable static links of Chang, Jin and Yu 2002, "A practical model for hair
//! mutual interactions", section 3.1, which join strands one to one.
//!
//! The mean of a lock and what its members miss of it are those of shape
//! matching (Müller, Heidelberger, Teschner and Gross 2005, "Meshless
//! deformations based on shape matching", section 3.3), with one rigid frame a
//! height in place of one a body. A member torn off counts less, as in a robust
//! mean (Cauchy's weights: Holland and Welsch 1977, "Robust regression using
//! iteratively reweighted least-squares"). As the weights of mean and bond are
//! the same, what the members of a lock gain adds up to nothing.

mod bond;
mod locks;

pub use locks::Locks;

use super::{
    CohesionParams,
    solver::dispatch,
    state::{Block, LANES, Row, StrandState},
    vertices::{transpose, vector},
    volume::GridMotion,
};
use crate::math::lanes::V3;
use bond::{Bond, Scratch};
use glam::Vec3;
use rayon::prelude::*;
use std::{cell::RefCell, sync::Arc};

thread_local! {
    /// Kept from step to step: to make it anew costs as much as small locks do.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A vertex in motion, seen from its strand's root in the world's directions.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// `[m]`
    place: Vec3,
    /// `[m/s]`
    velocity: Vec3,
}

/// The locks, and what they do to their strands in a step.
#[derive(Default)]
pub struct Cohesion {
    /// Found when first needed, and again for another width.
    locks: Option<Arc<Locks>>,
    /// The rest curves from their roots, in the head's space and the groom's
    /// order, and how often they had been changed. `[m]`
    rest: Option<(u64, Arc<Vec<Vec3>>)>,
    /// All vertices in the groom's order.
    motion: Vec<Motion>,
    /// What each vertex gains: strand after strand, lock after lock. `[m/s]`
    gains: Vec<Vec3>,
}

/// A copy knows the locks and works out the rest anew.
impl Clone for Cohesion {
    fn clone(&self) -> Self {
        Self {
            locks: self.locks.clone(),
            rest: self.rest.clone(),
            ..Self::default()
        }
    }
}

impl Cohesion {
    /// Changes the velocities in `state` as the locks do in `seconds`, on a head
    /// that moves like `ride`. What a lock's strands gain adds up to nothing.
    pub fn act(
        &mut self,
        state: &mut StrandState,
        ride: &GridMotion,
        params: &CohesionParams,
        seconds: f64,
    ) {
        if params.hold <= 0.0 || state.blocks.is_empty() {
            return;
        }
        let locks = self.locks(state, params.width);
        let rest = self.rest(state, &locks);
        let bond = Bond::new(params, ride, seconds);
        self.motion.resize(locks.vertices(), Motion::default());
        transpose(&state.blocks, &mut self.motion, |block, i, lane| Motion {
            place: vector(&block.position[i], lane),
            velocity: vector(&block.velocity[i], lane),
        });
        self.gains.resize(locks.vertices(), Vec3::ZERO);
        let (motion, mut left) = (&self.motion, &mut self.gains[..]);
        let mut parts = Vec::with_capacity(locks.count());
        for lock in 0..locks.count() {
            let (part, more) = left.split_at_mut(locks.vertices_of(lock));
            parts.push((lock, part));
            left = more;
        }
        let parts = parts.into_par_iter().with_min_len(4);
        parts.for_each(|(lock, gains)| {
            SCRATCH.with_borrow_mut(|scratch| {
                let strands = locks.strands(lock).iter();
                let strands = strands.map(|strand| {
                    let masses = strand.of(locks.masses());
                    (masses, strand.of(motion), strand.of(&rest))
                });
                bond.pull(strands, scratch, gains);
            });
        });
        let gains = &self.gains;
        let blocks = state.blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            dispatch::work(Gain {
                firsts: locks.firsts(number * LANES, block.strands),
                block,
                gains,
                seconds: ride.seconds,
            });
        });
    }

    /// The locks of that width.
    fn locks(&mut self, state: &StrandState, width: f32) -> Arc<Locks> {
        let strands = state.blocks.iter().map(|block| block.strands).sum();
        match &self.locks {
            Some(locks) if locks.width == width && locks.all() == strands => locks.clone(),
            _ => self.locks.insert(Arc::new(Locks::of(state, width))).clone(),
        }
    }

    /// The rest curves as they are now.
    fn rest(&mut self, state: &StrandState, locks: &Locks) -> Arc<Vec<Vec3>> {
        match &self.rest {
            Some((edits, rest)) if *edits == state.edits => rest.clone(),
            _ => {
                let mut rest = vec![Vec3::ZERO; locks.vertices()];
                transpose(&state.blocks, &mut rest, |block, i, lane| {
                    vector(&block.rest[i], lane)
                });
                let rest = Arc::new(rest);
                self.rest = Some((state.edits, rest.clone()));
                rest
            }
        }
    }
}

/// Gives one block what its strands gain.
struct Gain<'a> {
    block: &'a mut Block<Row>,
    /// Where the gains of each strand begin.
    firsts: &'a [u32],
    gains: &'a [Vec3],
    /// Length of the last substep. `[s]`
    seconds: f64,
}

impl dispatch::Work for Gain<'_> {
    #[inline(always)]
    fn run(self) {
        let block = self.block;
        for i in block.pinned..block.rows {
            let mut gain = V3::<Row>::zero();
            for (lane, first) in self.firsts.iter().enumerate() {
                if i < block.counts[lane] {
                    let found = self.gains[*first as usize + i];
                    (gain.x.0[lane], gain.y.0[lane], gain.z.0[lane]) = found.into();
                }
            }
            block.velocity[i] = block.velocity[i] + gain;
            for memory in block.memories.iter_mut() {
                memory.gain(i, gain, self.seconds);
            }
        }
    }
}
