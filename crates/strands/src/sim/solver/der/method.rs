//! The row of the table of methods.

use super::{
    kernel::Der,
    params::{DerParams, ID, MOST_STEPS, Minimiser},
};
use crate::{
    param::Value,
    sim::{
        SimParams,
        solver::{
            bench_plan::{BenchCase, BenchPlan, size},
            dispatch::prepared,
            method::{Method, MethodStatus, Remedy, StatusLine},
        },
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
            inner steps it costs; where der.steps allows fewer, hair is softer than its material.",
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
        0.0 => ", none softer than its material",
        _ => "",
    };
    let steps = StatusLine {
        text: format!("Inner steps: {:.0} a substep{soft}", measured.inner_steps),
        help: "Stiff hair in short segments vibrates fast, and every inner step must follow.",
        remedy: None,
    };
    if measured.softened == 0.0 {
        return vec![steps];
    }
    let allowed = now.params.of::<DerParams>().steps;
    let enough = enough_steps(measured.steps_needed);
    let share = (100.0 * measured.softened).max(1.0);
    let softened = StatusLine {
        text: format!(
            "{share:.0} % of the strands are softer than their material: they need up to {} inner \
             steps, {allowed} are allowed",
            measured.steps_needed
        ),
        help: "Strands that ask for more inner steps than `der.steps` allows are made as soft as \
               those bear: they sag and move as softer hair would. A step with more inner steps \
               takes about as many times longer.",
        remedy: (enough > allowed).then(|| Remedy {
            label: format!("Raise inner steps to {enough}"),
            parameter: "der.steps",
            value: Value::Int(enough.into()),
        }),
    };
    vec![steps, softened]
}

/// So many in two digits, no fewer, as far as `der.steps` goes.
fn enough_steps(needed: u32) -> u32 {
    let mut unit = 1;
    while needed / unit >= 100 {
        unit *= 10;
    }
    needed.div_ceil(unit).saturating_mul(unit).min(MOST_STEPS)
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
