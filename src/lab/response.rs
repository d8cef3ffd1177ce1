//! The response test: what wind, gravity, stiffness and a moving head do to the
//! hair that a person sees.
//!
//! Each act starts with hair at rest and does what a user does with one key or
//! one slider. What counts is how far the tips go: the median over all strands,
//! seen from the head. A method passes an act when the hair answers by at least
//! what the eye notices ([`ResponseBound`]).

mod acts;
mod row;
mod subject;
mod tips;

pub use acts::{ACTS, ResponseAct, act};
pub use row::{BACK, LEAST_TIPS, ResponseBound, ResponseRow};
pub use subject::Subject;

use crate::sim::solver::Method;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

impl Subject {
    /// What `method` makes of `act`, on the rayon pool it is called in. None
    /// when `cancel` was set meanwhile.
    pub fn run(
        &self,
        method: &'static Method,
        act: &'static ResponseAct,
        cancel: &AtomicBool,
    ) -> Option<ResponseRow> {
        acts::run(self, method, act, cancel)
    }
}

/// Puts every one of `methods` through every one of `acts`, side by side on the
/// rayon pool this is called in. `progress` is told from any thread how many of
/// how many runs are done. None when `cancel` was set meanwhile.
pub fn run(
    subject: &Subject,
    methods: &[&'static Method],
    acts: &[&'static ResponseAct],
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<Vec<ResponseRow>> {
    let runs: Vec<(&'static Method, &'static ResponseAct)> = methods
        .iter()
        .flat_map(|method| acts.iter().map(move |act| (*method, *act)))
        .collect();
    let done = AtomicUsize::new(0);
    progress(0, runs.len());
    let row = |(method, act): &(&'static Method, &'static ResponseAct)| {
        let row = subject.run(method, act, cancel);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, runs.len());
        row
    };
    runs.par_iter().with_max_len(1).map(row).collect()
}
