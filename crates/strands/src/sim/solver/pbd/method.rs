//! The row of the table of methods.

use super::{
    kernel::Pbd,
    params::{ID, PbdParams},
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
    name: "Position Based Dynamics",
    title: "PBD solver",
    source: "Müller et al. 2007",
    purpose: "fast",
    about: "Fast and calm; its stiffnesses are sliders, not a material, and hair \
            stretches by a percent.",
    material: false,
    rods: false,
    tension: false,
    led: true,
    params: || Box::new(PbdParams::default()),
    prepare: |params, width| prepared(Pbd::new(&params.of(), &params.step), width),
    bare,
    exact: |_| (),
    converge: |_| (),
    variants: &[],
    bench: BenchPlan {
        cases: &[
            BenchCase {
                name: "10 iterations, the textbook's constraints",
                set: textbook,
                ..BenchCase::FREE
            },
            BenchCase {
                name: "10 iterations, contact",
                set: |params| params.of_mut::<PbdParams>().iterations = 10,
                ..BenchCase::DEFAULT
            },
            BenchCase::DEFAULT,
            BenchCase::WIND,
        ],
        ..QUICK_STEPS
    },
    status: Method::silent,
};

fn bare(params: &mut SimParams) {
    let own: &mut PbdParams = params.of_mut();
    own.shape_stiffness = 0.0;
    own.curl_limit = 1.0;
    own.damping = 0.0;
    own.sag_free = false;
}

/// What textbooks have: lengths, bends and places, ten passes over them.
fn textbook(params: &mut SimParams) {
    (BenchCase::FREE.set)(params);
    let own: &mut PbdParams = params.of_mut();
    own.iterations = 10;
    own.twist_stiffness = 0.0;
    own.curl_limit = 1.0;
    own.damping = 0.0;
    own.sag_free = false;
}
