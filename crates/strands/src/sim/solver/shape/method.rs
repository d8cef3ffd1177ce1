//! The row of the table of methods.

use super::{
    constants::Shape,
    params::{ID, ShapeParams},
};
use crate::sim::{
    SimParams,
    solver::{bench_plan::QUICK_STEPS, dispatch::prepared, method::Method},
};

/// The method.
pub const METHOD: Method = Method {
    id: ID,
    name: "Shape constraints",
    title: "Shape solver",
    source: "Han, Harada 2012; TressFX",
    purpose: "keeps the style",
    about: "Keeps the hairstyle as an artist wants it, up to moving rigidly with the head. \
            Not a material: what it holds it holds by sliders.",
    material: false,
    rods: false,
    tension: false,
    led: true,
    params: || Box::new(ShapeParams::default()),
    prepare: |params, width| prepared(Shape::new(&params.of(), &params.step), width),
    bare,
    exact: |_| (),
    converge: |_| (),
    variants: &[],
    bench: QUICK_STEPS,
    status: Method::silent,
};

fn bare(params: &mut SimParams) {
    let own: &mut ShapeParams = params.of_mut();
    own.global = 0.0;
    own.damping = 0.0;
    own.shock = 0.0;
    own.sag_free = false;
}
