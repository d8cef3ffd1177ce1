//! The row of the table of methods.

use super::{
    kernel::Ftl,
    params::{FtlParams, ID},
};
use crate::sim::{
    SimParams,
    solver::{bench_plan::QUICK_STEPS, dispatch::prepared, method::Method},
};

/// The method.
pub const METHOD: Method = Method {
    id: ID,
    name: "Dynamic Follow-The-Leader",
    title: "FTL solver",
    source: "Müller, Kim, Chentanez 2012",
    purpose: "cheapest",
    about: "The cheapest, and never stretches: one pass from root to tip. Swings as if hair \
            were lighter towards the tip, and its curls are held by a slider.",
    material: false,
    rods: false,
    tension: false,
    led: false,
    params: || Box::new(FtlParams::default()),
    prepare: |params, width| prepared(Ftl::new(&params.of(), &params.step), width),
    bare,
    exact: |_| (),
    converge: |_| (),
    variants: &[],
    bench: QUICK_STEPS,
    status: Method::silent,
};

fn bare(params: &mut SimParams) {
    let own: &mut FtlParams = params.of_mut();
    own.shape = 0.0;
    own.calm = 0.0;
    own.sag_free = false;
}
