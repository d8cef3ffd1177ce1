//! The row of the table of methods.

use super::{
    constants::Spring,
    params::{ID, SpringParams},
};
use crate::sim::{
    SimParams,
    solver::{
        bench_plan::{BenchCase, BenchPlan, QUICK_STEPS},
        dispatch::prepared,
        method::Method,
    },
};

/// The method.
pub const METHOD: Method = Method {
    id: ID,
    name: "Curly springs",
    title: "Spring solver",
    source: "Iben et al. 2013",
    purpose: "bouncy curls",
    about: "Springs along, across and around a curl, made for its bounce: it stretches and \
            comes back and never turns about itself. Has no twist.",
    material: true,
    rods: false,
    tension: false,
    led: true,
    params: || Box::new(SpringParams::default()),
    prepare: |params, width| {
        prepared(
            Spring::new(&params.of(), &params.material, &params.step),
            width,
        )
    },
    bare,
    exact: |_| (),
    converge: |_| (),
    variants: &[],
    bench: BenchPlan {
        cases: &[
            BenchCase {
                most: 200_000,
                ..BenchCase::DEFAULT
            },
            BenchCase {
                most: 200_000,
                ..BenchCase::WIND
            },
        ],
        ..QUICK_STEPS
    },
    status: Method::silent,
};

fn bare(params: &mut SimParams) {
    // As near to a rod as springs come: no core, frames along the curve itself.
    let own: &mut SpringParams = params.of_mut();
    own.bend = 1.0;
    own.core = 0.001;
    own.bend_smoothing = 0.0;
    own.stretch_damping = 0.0;
    own.bend_damping = 0.0;
    own.core_damping = 0.0;
    own.sag_free = false;
}
