//! The response test: what wind, gravity, stiffness and a moving head do to the
//! hair that a person sees.
//!
//! Each act starts with hair at rest and does what a user does with one key or
//! one slider. What counts is how far the tips go: the median over all strands,
//! seen from the head. A method passes an act when the hair answers by at least
//! what the eye notices ([`ResponseBound`]).

mod acts;
mod tips;

pub use acts::{ACTS, ResponseAct, ResponseBound, act};

use crate::{
    groom::Groom,
    mesh::Body,
    sim::{MotionPreset, SimParams, solver::Method},
};
use rayon::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Tips that stand off the mean motion of their neighbours by more are alone. `[m]`
pub const LONE: f64 = 0.05;

/// Hair is back when its tips are within this of where they were (median). `[m]`
pub const BACK: f64 = 0.010;

/// What one method makes of one act.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseRow {
    /// The method's id.
    pub solver: &'static str,
    /// The act's id.
    pub act: &'static str,
    /// How far the tips go: median over the strands. `[m]`
    pub tip_median: f64,
    /// The same, exceeded by a tenth of the strands. `[m]`
    pub tip_p90: f64,
    /// The same, on average. `[m]`
    pub tip_mean: f64,
    /// How long after the act ended the tips are back within [`BACK`] for good;
    /// none where that is not asked or does not happen. `[s]`
    pub settle: Option<f64>,
    /// Share of tips that are off the mean motion of their eight neighbours by
    /// more than [`LONE`].
    pub lone_strands: f64,
    /// What the act asks of this method.
    pub bound: ResponseBound,
}

impl ResponseRow {
    /// Whether the hair answers as the act asks.
    pub fn pass(&self) -> bool {
        self.bound.holds(self)
    }
}

/// Head, hair and settings that the acts begin with.
pub struct Subject {
    /// The head.
    pub body: Arc<Body>,
    /// The hair.
    pub groom: Arc<Groom>,
    /// The scene's settings; an act switches wind, fan and head motion off first.
    pub params: SimParams,
}

impl Subject {
    /// The settings under which `method` rests before an act.
    fn resting(&self, method: &Method) -> SimParams {
        let mut params = self.params.clone();
        params.step.solver = method.id.into();
        params.wind.on = false;
        params.fan.on = false;
        params.forces.gravity_on = true;
        params.motion.preset = MotionPreset::None;
        params
    }

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
