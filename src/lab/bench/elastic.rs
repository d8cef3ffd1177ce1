//! The rows of discrete elastic rods.

use super::{
    BenchRow,
    scalar::Scalar,
    shared::{Bench, heading, plain, timed},
};
use crate::{
    mesh::MeshError,
    sim::{
        CollisionMode, Minimiser, MotionPreset, SimParams, Simulation,
        solver::der::{self, Der, DerStats},
    },
};

/// Strands on which the kernel is timed one strand wide.
const FEW: usize = 32;

/// Without minimisation, with either, and as the window has them with contact.
pub(super) fn rows(bench: &mut Bench, strands: usize, vertices: usize) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let few = bench.grow(FEW, vertices)?;
    let group = heading(strands, vertices);
    let base = bench.textbook(&group, &groom, &plain());
    let mut free = SimParams::default();
    free.step.solver = der::ID.into();
    free.collision.mode = CollisionMode::Off;
    free.motion.preset = MotionPreset::None;
    free.crowd.on = false;
    let with = |minimiser| {
        let mut params = free.clone();
        params.der.minimiser = minimiser;
        params
    };
    let mut contact = with(Minimiser::Newton);
    contact.collision.mode = CollisionMode::Grid;
    for (name, params) in [
        ("elastic rods, twist not minimised", with(Minimiser::None)),
        ("elastic rods, Newton", with(Minimiser::Newton)),
        ("elastic rods, BFGS", with(Minimiser::Bfgs)),
        ("elastic rods, Newton, contact", contact),
    ] {
        bench.doing(&format!("one strand at a time, {name}"));
        let mut simulation = Simulation::new(few.clone(), bench.body.clone(), &params);
        simulation.step(&params);
        let before = effort(&simulation);
        let one = Scalar(Der::new(&params.der, &params.material, &params.step));
        let times = timed(&mut simulation, &params, Some(&one), 1, &bench.plan());
        let substeps = params.step.substeps;
        let steps = inner_steps(&before, &effort(&simulation));
        // Grooms of different strands ask for different numbers of inner steps.
        let scalar = times.ns(few.points.len(), substeps) / steps;
        for threads in bench.threads {
            bench.doing(name);
            super::clock::reset_peak();
            let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &params);
            simulation.step(&params);
            let before = effort(&simulation);
            let times = timed(&mut simulation, &params, None, *threads, &bench.plan());
            let steps = inner_steps(&before, &effort(&simulation));
            let ns = times.ns(groom.points.len(), substeps) * *threads as f64 / steps;
            let name = format!("{name}, {steps:.0} inner steps");
            let row = bench.row(&group, &name, &groom, &params, &times);
            bench.push(BenchRow {
                threads: *threads,
                iterations: steps.round() as u32,
                ratio_to_textbook: base / row.ns_per_vertex_substep,
                ratio_to_scalar: Some(scalar / ns),
                max_stretch: f64::from(simulation.statistics(&params).max_stretch),
                ..row
            });
        }
    }
    Ok(())
}

/// What the method has had to do so far.
fn effort(simulation: &Simulation) -> DerStats {
    let mut all = DerStats::default();
    for block in &simulation.state().blocks {
        all.substeps += block.der.effort.substeps;
        all.inner += block.der.effort.inner;
    }
    all
}

/// Inner steps of a strand in a substep, on average.
fn inner_steps(before: &DerStats, after: &DerStats) -> f64 {
    let substeps = (after.substeps - before.substeps).max(1);
    (after.inner - before.inner).max(1) as f64 / substeps as f64
}
