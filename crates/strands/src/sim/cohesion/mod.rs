//! Cohesion: the strands of a lock hold together.
//!
//! A simulated strand stands for many fibres, and fibres that run together are
//! held by friction, by their scales, by sebum and by their crossings. All of
//! that is one law here: each vertex of a strand, of a tied one each behind its
//! tie, is bound to the mean of its lock at that height, by a spring and a damper
//! that give way when the strand is torn off and take hold again when it comes
//! back. It stands for the breakable static links of Chang, Jin and Yu 2002, "A practical model for hair
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
mod heights;
mod locks;
mod mean;
mod turn;

pub use locks::{Locks, Member};

use super::{
    CohesionParams,
    state::{LANES, StrandState},
    volume::GridMotion,
};
use crate::math::work::work;
use bond::{Bond, Pull, Scratch};
use heights::{Gain, HEIGHTS, Modelled, Motion, StoredVector};
use rayon::prelude::*;
use std::{cell::RefCell, sync::Arc};

thread_local! {
    /// Kept from step to step: to make it anew costs as much as small locks do.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Locks are at least so many times as wide as hair that follows is far from its guide:
/// a guide that were a lock by itself would feel nothing of those around it.
const BUNDLES_A_LOCK: f32 = 1.5;

/// However far apart guides are, no lock is made wider than this: a head has several. `[m]`
const WIDEST: f32 = 0.1;

/// Locks may be so many steps older than the rest curves that they are of: a brush changes
/// those often.
const PATIENCE: u32 = 15;

/// The locks, and what they do to their strands in a step.
#[derive(Default)]
pub struct Cohesion {
    /// Found when first needed, and again for another width or rest curves; how often those
    /// had been changed.
    locks: Option<(u64, Arc<Locks>)>,
    /// How often they were used since the rest curves are others.
    stale: u32,
    /// The rest curves, and how often they had been changed.
    modelled: Option<(u64, Arc<Vec<Modelled>>)>,
    /// All strands in the groom's order.
    motion: Vec<Motion>,
    /// What each strand gains, lock after lock. `[m/s]`
    gains: Vec<StoredVector>,
}

/// A copy knows the locks and works out the rest anew.
impl Clone for Cohesion {
    fn clone(&self) -> Self {
        Self {
            locks: self.locks.clone(),
            stale: self.stale,
            modelled: self.modelled.clone(),
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
        let apart = (BUNDLES_A_LOCK * state.bundle.radius).min(WIDEST);
        let locks = self.locks(state, params.width.max(apart));
        let modelled = self.modelled(state, &locks);
        let bond = Bond::new(params, ride, seconds);
        self.motion.resize(locks.groups(), Motion::default());
        heights::read(state, &locks, &mut self.motion);
        self.gains.resize(locks.groups(), [[0.0; HEIGHTS]; 3]);
        let (motion, mut left) = (&self.motion, &mut self.gains[..]);
        let mut parts = Vec::with_capacity(locks.count());
        for lock in 0..locks.count() {
            let members = locks.strands(lock);
            let groups = members.iter().map(Member::groups).sum();
            let (part, more) = left.split_at_mut(groups);
            parts.push((members, part));
            left = more;
        }
        let parts = parts.into_par_iter().with_min_len(4);
        parts.for_each(|(members, gains)| {
            SCRATCH.with_borrow_mut(|scratch| {
                work(Pull {
                    bond: &bond,
                    members,
                    motion,
                    modelled: &modelled,
                    scratch,
                    gains,
                });
            });
        });
        let gains = &self.gains;
        let blocks = state.blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            work(Gain {
                members: locks.members(number * LANES, block.strands),
                runs: locks.runs(),
                block,
                gains,
            });
        });
    }

    /// The locks of that width.
    fn locks(&mut self, state: &StrandState, width: f32) -> Arc<Locks> {
        let strands: usize = state.blocks.iter().map(|block| block.strands).sum();
        if let Some((edits, locks)) = &self.locks
            && locks.width == width
            && locks.all() == strands
        {
            if *edits == state.edits {
                return locks.clone();
            }
            self.stale += 1;
            if self.stale < PATIENCE {
                return locks.clone();
            }
        }
        (self.stale, self.modelled) = (0, None);
        let locks = Arc::new(Locks::of(state, width));
        self.locks = Some((state.edits, locks.clone()));
        locks
    }

    /// Finds the locks anew the next time, where the rest curves have changed since.
    pub fn catch_up(&mut self) {
        self.stale = PATIENCE;
    }

    /// The rest curves as they are now.
    fn modelled(&mut self, state: &StrandState, locks: &Locks) -> Arc<Vec<Modelled>> {
        match &self.modelled {
            Some((edits, modelled)) if *edits == state.edits => modelled.clone(),
            _ => {
                let modelled = Arc::new(heights::modelled(state, locks));
                self.modelled = Some((state.edits, modelled.clone()));
                modelled
            }
        }
    }
}
