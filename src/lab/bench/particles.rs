//! The rows of the methods that move vertices one by one.

use super::{
    BenchRow,
    scalar::Scalar,
    shared::{Bench, heading, plain, timed},
};
use crate::{
    groom::Groom,
    math::Pose,
    mesh::MeshError,
    sim::{
        Clock, CollisionMode, PbdParams, SimParams, Simulation,
        air::WindState,
        solver::{Scratch, Solver, ftl, pbd::Pbd, shape, spring},
        state::Block,
        step_input,
        trace::Unobserved,
    },
};
use std::sync::Arc;

/// A method that is timed as it comes, in lanes and one strand wide.
struct Timed {
    id: &'static str,
    /// Vertices beyond which it is too slow to be timed.
    most: usize,
    /// Its kernel, one strand at a time.
    scalar: fn(&SimParams) -> Box<dyn Solver>,
}

/// The methods beside Position Based Dynamics.
const TIMED: &[Timed] = &[
    Timed {
        id: ftl::ID,
        most: usize::MAX,
        scalar: |params| {
            let step = &params.step;
            Box::new(Scalar(ftl::Ftl::new(&params.ftl, step)))
        },
    },
    Timed {
        id: shape::ID,
        most: usize::MAX,
        scalar: |params| {
            let step = &params.step;
            Box::new(Scalar(shape::Shape::new(&params.shape, step)))
        },
    },
    Timed {
        id: spring::ID,
        most: 200_000,
        scalar: |params| {
            Box::new(Scalar(spring::Spring::new(
                &params.spring,
                &params.material,
                &params.step,
            )))
        },
    },
];

/// Strands on which a kernel is timed one strand wide.
const FEW: usize = 64;

/// Steps before the clock starts: hair settles and looks at the skin.
const WARM_UP: usize = 30;

/// The textbook's constraints, contact, default settings, wind; then the other
/// methods.
pub(super) fn rows(bench: &mut Bench, strands: usize, vertices: usize) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let group = heading(strands, vertices);
    let plain = plain();
    let base = bench.textbook(&group, &groom, &plain);
    let mut full = SimParams::default();
    full.pbd.iterations = 10;
    full.collision.mode = CollisionMode::Grid;
    full.crowd.on = false;
    let live = SimParams {
        pbd: PbdParams::default(),
        ..full.clone()
    };
    let mut windy = live.clone();
    windy.wind.on = true;
    let few = bench.grow(FEW, vertices)?;
    for (name, params) in [
        ("10 iterations, the textbook's constraints", &plain),
        ("10 iterations, contact", &full),
        ("default settings", &live),
        ("default settings, wind", &windy),
    ] {
        let alone = (params.collision.mode == CollisionMode::Off)
            .then(|| one_at_a_time(bench, &few, params));
        for threads in bench.threads {
            bench.doing(name);
            super::clock::reset_peak();
            let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), params);
            let times = timed(&mut simulation, params, None, *threads, &bench.plan());
            let row = bench.row(&group, name, &groom, params, &times);
            bench.push(BenchRow {
                threads: *threads,
                ratio_to_textbook: base / row.ns_per_vertex_substep,
                ratio_to_scalar: alone.map(|alone| alone / row.ns_per_core()),
                max_stretch: f64::from(simulation.statistics(params).max_stretch),
                ..row
            });
        }
    }
    let timed_here = TIMED
        .iter()
        .filter(|method| groom.points.len() <= method.most);
    for method in timed_here {
        let mut live = live.clone();
        live.step.solver = method.id.into();
        let mut windy = live.clone();
        windy.wind.on = true;
        // As the sources of some have it, for crowds of strands.
        let mut single = live.clone();
        single.step.substeps = 1;
        let mut cases = vec![
            ("default settings", &live),
            ("default settings, wind", &windy),
        ];
        if method.most == usize::MAX {
            cases.push(("one substep a step", &single));
        }
        for (what, params) in cases {
            let name = format!("{}: {what}", method.id);
            let scalar = (method.scalar)(params);
            bench.doing(&format!("{name}, one strand at a time"));
            let mut simulation = settled(bench, &few, params);
            let mut plan = bench.plan();
            plan.budget *= 0.3;
            let times = timed(&mut simulation, params, Some(scalar.as_ref()), 1, &plan);
            let alone = times.ns(few.points.len(), params.step.substeps);
            super::clock::reset_peak();
            let mut simulation = settled(bench, &groom, params);
            for threads in bench.threads {
                bench.doing(&name);
                let times = timed(&mut simulation, params, None, *threads, &bench.plan());
                let row = bench.row(&group, &name, &groom, params, &times);
                let row = BenchRow {
                    threads: *threads,
                    ratio_to_textbook: base / row.ns_per_vertex_substep,
                    max_stretch: f64::from(simulation.statistics(params).max_stretch),
                    ..row
                };
                bench.push(BenchRow {
                    ratio_to_scalar: Some(alone / row.ns_per_core()),
                    ..row
                });
            }
        }
    }
    Ok(())
}

/// Position Based Dynamics one strand at a time, without contact. `[ns]`
fn one_at_a_time(bench: &mut Bench, groom: &Groom, params: &SimParams) -> f64 {
    bench.doing("pbd, one strand at a time");
    let clock = Clock {
        time: 0.0,
        poses: vec![Pose::IDENTITY; params.step.substeps as usize + 1],
        pivot: glam::Vec3::ZERO,
        radius: 0.0,
        air: WindState::steady(params, 0.0),
        vertices: groom.points.len(),
        lightest: 1.0,
    };
    let skin = crate::sim::skin(&bench.body, &params.collision, clock.vertices);
    let input = step_input(params, clock, skin, 0.0, None);
    let kernel = Pbd::new(&params.pbd, &params.step);
    let strand = |index| Block::<f32>::new(groom, index, 1, &Pose::IDENTITY);
    let mut strands: Vec<Block<f32>> = (0..groom.strands()).map(strand).collect();
    let mut scratch = Scratch::new();
    let mut plan = bench.plan();
    plan.budget *= 0.3;
    let times = super::clock::best_of(&plan, || {
        for strand in &mut strands {
            kernel.advance(strand, &mut scratch, &input, &mut Unobserved);
        }
    });
    times.ns(groom.points.len(), params.step.substeps)
}

/// Hair that has moved for a while.
fn settled(bench: &Bench, groom: &Arc<Groom>, params: &SimParams) -> Simulation {
    let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), params);
    for _ in 0..WARM_UP {
        simulation.step(params);
    }
    simulation
}
