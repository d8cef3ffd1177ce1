//! The row of the table of methods.

use super::{
    kernel::Der,
    params::{DerParams, ID, Minimiser},
};
use crate::sim::{
    SimParams,
    solver::{
        bench_plan::{BenchCase, BenchPlan, size},
        dispatch::prepared,
        method::{Method, MethodStatus, StatusLine},
    },
};

/// The method.
pub const METHOD: Method = Method {
    id: ID,
    name: "Discrete Elastic Rods",
    title: "Elastic rod solver",
    source: "Bergou et al. 2008",
    purpose: "true, explicit",
    about: "The reference for hair that bends and twists as its material says, with little \
            damping. Explicit: the stiffer the hair and the shorter its segments, the more \
            inner steps it costs; beyond `der.steps`, hair is softer than its material.",
    material: true,
    rods: true,
    tension: false,
    led: false,
    params: || Box::new(DerParams::default()),
    prepare: |params, width| {
        prepared(
            Der::new(&params.of(), &params.material, &params.step),
            width,
        )
    },
    bare,
    exact,
    converge: |_| (),
    variants: &[],
    bench: BenchPlan {
        sizes: &[size(500, 32, 4)],
        cases: &[
            BenchCase {
                name: "twist not minimised",
                set: |params| free(params, Minimiser::None),
                ..BenchCase::FREE
            },
            BenchCase {
                name: "Newton",
                set: |params| free(params, Minimiser::Newton),
                ..BenchCase::FREE
            },
            BenchCase {
                name: "BFGS",
                set: |params| free(params, Minimiser::Bfgs),
                ..BenchCase::FREE
            },
            BenchCase {
                name: "Newton, contact",
                settling: 0.0,
                ..BenchCase::CONTACT
            },
        ],
        deep: false,
    },
    status,
};

/// Inner steps and what is too stiff for them, in words.
fn status(now: &MethodStatus) -> Vec<StatusLine> {
    let measured = now.statistics;
    let soft = match measured.softened {
        0.0 => "none softer than its material".into(),
        share => format!("{:.0} % of strands too soft", (100.0 * share).max(1.0)),
    };
    vec![StatusLine {
        text: format!("Inner steps: {:.0} a substep, {soft}", measured.inner_steps),
        help: "Stiff hair in short segments vibrates fast, and every inner step must follow. \
               Strands that ask for more than the most allowed are made as soft as those bear.",
    }]
}

fn bare(params: &mut SimParams) {
    let own: &mut DerParams = params.of_mut();
    own.stiffness = 1.0;
    own.damping = 0.0;
    own.sag_free = false;
}

fn exact(params: &mut SimParams) {
    // What segments of a third of a millimetre ask for.
    params.of_mut::<DerParams>().steps = 4000;
}

fn free(params: &mut SimParams, minimiser: Minimiser) {
    (BenchCase::FREE.set)(params);
    params.of_mut::<DerParams>().minimiser = minimiser;
}
