//! The rows of Kirchhoff rods.

use super::{
    BenchRow,
    scalar::Scalar,
    shared::{Bench, heading, plain, timed},
};
use crate::{
    groom::Groom,
    math::lanes::Lane as _,
    mesh::MeshError,
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        solver::{
            Solver,
            dispatch::{Dispatched, Instructions},
            rod::{self, Rod, RodStats},
        },
    },
};
use std::sync::Arc;

/// Strands on which the kernel is timed one strand wide.
const FEW: usize = 64;
/// How often the head is shaken. `[Hz]`
const SHAKES: f32 = 3.0;

/// A way in which the hair is moved.
struct Case {
    name: &'static str,
    params: SimParams,
    /// Simulated time before the clock starts. `[s]`
    warm_up: f64,
    /// Steps that count as one.
    together: usize,
    /// Whether only one thread is measured.
    alone: bool,
}

/// Rods of the default material, contact off, head at rest.
fn free(substeps: u32) -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = rod::ID.into();
    params.step.substeps = substeps;
    params.collision.mode = CollisionMode::Off;
    params.motion.preset = MotionPreset::None;
    params.crowd.on = false;
    params
}

fn cases(quick: bool, substeps: u32) -> [Case; 4] {
    let off = free(substeps);
    let mut contact = off.clone();
    contact.collision.mode = CollisionMode::Grid;
    // Without the groom's support the hair lies down on the head.
    let mut fallen = contact.clone();
    fallen.rod.sag_free = false;
    let mut shaken = contact.clone();
    shaken.motion.preset = MotionPreset::Shake;
    shaken.motion.amplitude = 60.0;
    shaken.motion.frequency = SHAKES;
    let shake = (off.step.rate as f32 / SHAKES).round() as usize;
    let case = |name, params, warm_up| Case {
        name,
        params,
        warm_up,
        together: 1,
        alone: false,
    };
    let settling = if quick { 0.5 } else { 2.0 };
    [
        case("contact off", off, 0.0),
        case("contact, settled", contact, settling),
        case("contact, settled, hair lying on the head", fallen, settling),
        Case {
            together: shake,
            alone: true,
            ..case("contact, head shaken", shaken, 1.0 / f64::from(SHAKES))
        },
    ]
}

/// Contact off, settled, violent; each beside the textbook and beside the
/// kernel one strand wide.
pub(super) fn rows(
    bench: &mut Bench,
    strands: usize,
    vertices: usize,
    substeps: u32,
) -> Result<(), MeshError> {
    let group = heading(strands, vertices);
    let few = bench.grow(FEW, vertices)?;
    let cases = cases(bench.quick, substeps);
    let scalar = cases.each_ref().map(|case| scalar(bench, &few, case));
    let groom = bench.grow(strands, vertices)?;
    let mut book = plain();
    book.step.substeps = substeps;
    let base = bench.textbook(&group, &groom, &book);
    super::clock::reset_peak();
    let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &cases[1].params);
    for (case, scalar) in cases.iter().zip(scalar) {
        bench.doing(&format!("{}: letting the hair settle", case.name));
        simulation.reset();
        warm_up(&mut simulation, case);
        let threads = if case.alone { &[1] } else { bench.threads };
        for threads in threads {
            bench.doing(case.name);
            let row = measure(bench, &mut simulation, &group, case, None, *threads);
            bench.push(BenchRow {
                ratio_to_textbook: base / row.ns_per_vertex_substep,
                ratio_to_scalar: Some(scalar / row.ns_per_core()),
                ..row
            });
        }
    }
    Ok(())
}

/// What the kernel takes one strand wide. `[ns]`
fn scalar(bench: &mut Bench, few: &Arc<Groom>, case: &Case) -> f64 {
    bench.doing(&format!("one strand at a time, {}", case.name));
    let mut simulation = Simulation::new(few.clone(), bench.body.clone(), &case.params);
    warm_up(&mut simulation, case);
    let solver = Scalar(Rod::new(
        &case.params.rod,
        &case.params.material,
        &case.params.step,
    ));
    let mut plan = bench.plan();
    (plan.budget, plan.together) = (0.3 * plan.budget, case.together);
    let times = timed(&mut simulation, &case.params, Some(&solver), 1, &plan);
    times.ns(few.points.len(), case.params.step.substeps)
}

/// Lets time pass without looking at the clock; at least one step, which also
/// measures the strands.
fn warm_up(simulation: &mut Simulation, case: &Case) {
    let steps = (case.warm_up * f64::from(case.params.step.rate)).ceil() as usize;
    for _ in 0..steps.max(1) {
        simulation.step(&case.params);
    }
}

fn measure(
    bench: &Bench,
    simulation: &mut Simulation,
    group: &str,
    case: &Case,
    solver: Option<&dyn Solver>,
    threads: usize,
) -> BenchRow {
    let mut plan = bench.plan();
    plan.together = case.together;
    let before = effort(simulation);
    let times = timed(simulation, &case.params, solver, threads, &plan);
    let after = effort(simulation);
    let substeps = after.substeps - before.substeps;
    let statistics = simulation.statistics(&case.params);
    BenchRow {
        threads,
        max_stretch: f64::from(statistics.max_stretch),
        touching: Some(touching(simulation)),
        extra_passes: Some((after.extra - before.extra) as f64 / substeps.max(1) as f64),
        ..bench.row(group, case.name, simulation.groom(), &case.params, &times)
    }
}

/// What the solver has had to do so far.
fn effort(simulation: &Simulation) -> RodStats {
    let mut all = RodStats::default();
    for block in &simulation.state().blocks {
        all.substeps += block.rod.effort.substeps;
        all.extra += block.rod.effort.extra;
    }
    all
}

/// Share of the vertices that press on the skin.
fn touching(simulation: &Simulation) -> f64 {
    let (mut touching, mut all) = (0usize, 0usize);
    for block in &simulation.state().blocks {
        for lane in 0..block.strands {
            let pushes = block.rod.vertices.iter().take(block.counts[lane]);
            touching += pushes.filter(|v| v.push.get(lane) > 0.0).count();
            all += block.counts[lane];
        }
    }
    touching as f64 / all.max(1) as f64
}

/// Memory at the largest size, contact on.
pub(super) fn memory_row(
    bench: &mut Bench,
    strands: usize,
    vertices: usize,
) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let [_, mut case, ..] = cases(true, 1);
    (case.name, case.warm_up) = ("contact, from rest", 0.0);
    let mut simulation = Simulation::new(groom, bench.body.clone(), &case.params);
    warm_up(&mut simulation, &case);
    one(
        bench,
        &mut simulation,
        &heading(strands, vertices),
        &case,
        None,
    );
    Ok(())
}

/// The same strands, few and many: a vertex should cost what a vertex costs.
pub(super) fn size_rows(bench: &mut Bench, sizes: &[usize]) -> Result<(), MeshError> {
    let [case, ..] = cases(true, 1);
    for strands in sizes {
        let groom = bench.grow(*strands, 16)?;
        let mut simulation = Simulation::new(groom, bench.body.clone(), &case.params);
        warm_up(&mut simulation, &case);
        one(bench, &mut simulation, SIZES, &case, None);
    }
    Ok(())
}

/// The heading of [`size_rows`].
pub(super) const SIZES: &str = "strands of 16 vertices, few and many";

/// One row for each instruction set that the processor has.
pub(super) fn instruction_rows(
    bench: &mut Bench,
    strands: usize,
    vertices: usize,
    substeps: u32,
) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let [case, ..] = cases(true, substeps);
    let group = format!("{}, by instruction set", heading(strands, vertices));
    for limit in Instructions::ALL {
        if limit as u8 > Instructions::widest() as u8 {
            continue;
        }
        let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &case.params);
        warm_up(&mut simulation, &case);
        let solver = Dispatched::at_most(
            Rod::new(&case.params.rod, &case.params.material, &case.params.step),
            limit,
        );
        one(
            bench,
            &mut simulation,
            &group,
            &case,
            Some((&solver, limit)),
        );
    }
    Ok(())
}

/// A row of its own, on one thread.
fn one(
    bench: &mut Bench,
    simulation: &mut Simulation,
    group: &str,
    case: &Case,
    solver: Option<(&dyn Solver, Instructions)>,
) {
    bench.doing(case.name);
    let by = solver.map(|(solver, _)| solver);
    let mut row = measure(bench, simulation, group, case, by, 1);
    if let Some((_, instructions)) = solver {
        row.instructions = instructions.name();
        row.name = format!("{}, {}", row.name, row.instructions);
    } else {
        row.name = format!("{}, {} strands", row.name, row.strands);
    }
    bench.push(row);
}
