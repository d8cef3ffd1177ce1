//! The rows of the methods: each by its own plan, beside the textbook and beside
//! its own kernel one strand wide.

use super::{
    BenchRow, clock,
    shared::{Bench, heading, timed},
    textbook,
};
use crate::{
    groom::Groom,
    mesh::MeshError,
    sim::{
        CollisionMode, SimParams, Simulation, TorsoMode,
        solver::{
            Effort, Instructions, Method, Solver, Width,
            bench_plan::{BenchCase, BenchSize, QUICK_SETTLING, SHAKES},
            hold_all,
        },
    },
};
use std::sync::Arc;

/// Strands on which a kernel is timed one strand wide. They stay in the processor's caches,
/// which a hundred thousand do not: there the ratio to it holds what memory costs, too.
const FEW: usize = 64;

/// All sizes of all methods, from few vertices to many, so that memory kept by
/// the system from the sizes before says little about the one being measured.
pub(super) fn sizes(of: &[&'static Method], quick: bool) -> Vec<BenchSize> {
    let mut all: Vec<BenchSize> = Vec::new();
    for size in of.iter().flat_map(|method| method.bench.sizes) {
        let wanted = !size.slow || !quick;
        if wanted && !all.contains(size) {
            all.push(*size);
        }
    }
    all.sort_by_key(|size| (size.strands * size.vertices, size.substeps));
    all
}

/// All methods that are measured at that size.
pub(super) fn rows(
    bench: &mut Bench,
    of: &[&'static Method],
    size: BenchSize,
) -> Result<(), MeshError> {
    let groom = bench.grow(size.strands, size.vertices)?;
    let few = bench.grow(FEW.min(size.strands), size.vertices)?;
    let group = heading(size.strands, size.vertices);
    let mut book = textbook::params();
    book.step.set_substeps(size.substeps);
    let base = bench.textbook(&group, &groom, &book);
    for method in of.iter().filter(|m| m.bench.sizes.contains(&size)) {
        let quick = bench.quick;
        let fits = |case: &&BenchCase| groom.points.len() <= case.most && !(quick && case.slow);
        for case in method.bench.cases.iter().filter(fits) {
            let on = Measurement::new(method, case, size.substeps);
            let alone = on.one_at_a_time(bench, &few);
            clock::reset_peak();
            let mut simulation = on.settled(bench, &groom);
            let threads = if case.shaken { &[1] } else { bench.threads };
            for threads in threads {
                let (row, inner) = on.row(bench, &mut simulation, &group, None, *threads);
                bench.push(BenchRow {
                    ratio_to_textbook: base / row.ns_per_vertex_substep,
                    ratio_to_scalar: Some(alone * inner / row.ns_per_core()),
                    ..row
                });
            }
        }
    }
    Ok(())
}

/// Memory at the largest size, a vertex among few and among many, and each
/// instruction set, of the methods that ask for it.
pub(super) fn deep_rows(bench: &mut Bench, of: &[&'static Method]) -> Result<(), MeshError> {
    for method in of.iter().filter(|method| method.bench.deep) {
        let free = Measurement::new(method, &BenchCase::FREE, 1);
        if !bench.quick {
            let mut contact = Measurement::new(method, &BenchCase::CONTACT, 1);
            (contact.name, contact.settling) = ("contact, from rest".to_string(), 0.0);
            let groom = bench.grow(100_000, 32)?;
            contact.alone(bench, &groom, &heading(100_000, 32), None);
            for strands in [1_000, 3_000, 10_000, 30_000, 100_000] {
                let groom = bench.grow(strands, 16)?;
                free.alone(bench, &groom, SIZES, None);
            }
        }
        let groom = bench.grow(2_000, 64)?;
        let group = format!("{}, by instruction set", heading(2_000, 64));
        let free = Measurement::new(method, &BenchCase::FREE, 2);
        for limit in Instructions::ALL {
            if limit as u8 <= Instructions::widest() as u8 {
                free.alone(bench, &groom, &group, Some(limit));
            }
        }
    }
    Ok(())
}

/// The heading of a vertex among few and among many.
const SIZES: &str = "strands of 16 vertices, few and many";

/// A method in one of its cases.
pub(super) struct Measurement {
    method: &'static Method,
    /// What it is called in tables.
    pub name: String,
    /// What the hair is moved with.
    pub params: SimParams,
    /// Simulated time before the clock starts. `[s]`
    pub settling: f64,
    /// Whether all of that passes in a quick bench, too.
    rest: bool,
    /// Steps that count as one.
    pub together: usize,
}

impl Measurement {
    /// `method` in that `case`.
    pub fn new(method: &'static Method, case: &BenchCase, substeps: u32) -> Self {
        let mut params = SimParams::default();
        hold_all(&mut params);
        params.step.solver = method.id.into();
        params.step.set_substeps(substeps);
        params.collision.mode = CollisionMode::Grid;
        params.volume.on = false;
        params.torso.mode = TorsoMode::Off;
        (case.set)(&mut params);
        let shake = (params.step.rate as f32 / SHAKES).round() as usize;
        Self {
            method,
            name: case.name.into(),
            settling: case.settling,
            rest: case.rest,
            together: if case.shaken { shake } else { 1 },
            params,
        }
    }

    /// Hair that has moved for a while; at least one step, which also measures
    /// the strands.
    pub fn settled(&self, bench: &mut Bench, groom: &Arc<Groom>) -> Simulation {
        bench.doing(&format!("{}: letting the hair settle", self.name));
        let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &self.params);
        let seconds = match bench.quick && !self.rest {
            true => self.settling.min(QUICK_SETTLING),
            false => self.settling,
        };
        let steps = (seconds * f64::from(self.params.step.rate)).ceil() as usize;
        for _ in 0..steps.max(1) {
            simulation.step(&self.params);
        }
        simulation
    }

    /// What the kernel takes one strand wide, for each inner step. `[ns]`
    fn one_at_a_time(&self, bench: &mut Bench, few: &Arc<Groom>) -> f64 {
        let mut simulation = self.settled(bench, few);
        bench.doing(&format!("{}, one strand at a time", self.name));
        let solver = (self.method.prepare)(&self.params, Width::One);
        let mut plan = bench.plan();
        (plan.budget, plan.together) = (0.3 * plan.budget, self.together);
        let before = self.effort(&simulation);
        let times = timed(
            &mut simulation,
            &self.params,
            Some(solver.as_ref()),
            1,
            &plan,
        );
        let inner = inner_steps(&before, &self.effort(&simulation));
        times.ns(few.points.len(), self.params.step.substeps()) / inner.unwrap_or(1.0)
    }

    /// One row on so many threads, and the inner steps of a substep, by which the
    /// kernel one strand wide is compared; 1 where there are none.
    pub fn row(
        &self,
        bench: &mut Bench,
        simulation: &mut Simulation,
        group: &str,
        solver: Option<&dyn Solver>,
        threads: usize,
    ) -> (BenchRow, f64) {
        bench.doing(&self.name);
        let mut plan = bench.plan();
        plan.together = self.together;
        let before = self.effort(simulation);
        let times = timed(simulation, &self.params, solver, threads, &plan);
        let statistics = simulation.statistics(&self.params);
        let after = statistics.effort;
        let inner = inner_steps(&before, &after);
        let substeps = after.substeps - before.substeps;
        let extra = (after.extra - before.extra) as f64 / substeps.max(1) as f64;
        let row = bench.row(group, &self.name, simulation.groom(), &self.params, &times);
        let row = BenchRow {
            threads,
            iterations: inner.map_or(row.iterations, |steps| steps.round() as u32),
            inner_steps: inner,
            max_stretch: f64::from(statistics.max_stretch),
            touching: self.touching(simulation),
            extra_passes: (substeps > 0 && inner.is_none()).then_some(extra),
            ..row
        };
        (row, inner.unwrap_or(1.0))
    }

    /// A row of its own, on one thread.
    fn alone(
        &self,
        bench: &mut Bench,
        groom: &Arc<Groom>,
        group: &str,
        limit: Option<Instructions>,
    ) {
        clock::reset_peak();
        let mut simulation = self.settled(bench, groom);
        let solver = limit.map(|limit| (self.method.prepare)(&self.params, Width::AtMost(limit)));
        let (mut row, _) = self.row(bench, &mut simulation, group, solver.as_deref(), 1);
        match limit {
            Some(limit) => {
                row.instructions = limit.name();
                row.name = format!("{}, {}", row.name, row.instructions);
            }
            None => row.name = format!("{}, {} strands", row.name, row.strands),
        }
        bench.push(row);
    }

    /// What the solver has had to do so far.
    fn effort(&self, simulation: &Simulation) -> Effort {
        simulation.statistics(&self.params).effort
    }

    /// Share of the vertices that press on the skin; none where the method does
    /// not tell.
    fn touching(&self, simulation: &Simulation) -> Option<f64> {
        let solver = self.method.solver(&self.params);
        let (mut touching, mut all) = (0usize, 0usize);
        for block in &simulation.state().blocks {
            for lane in 0..block.strands {
                let forces = solver.forces(block, lane)?;
                touching += forces.contact.iter().filter(|push| **push > 0.0).count();
                all += block.counts[lane];
            }
        }
        Some(touching as f64 / all.max(1) as f64)
    }
}

/// Inner steps of a strand in a substep, on average; none where there are none.
fn inner_steps(before: &Effort, after: &Effort) -> Option<f64> {
    let steps = after.inner - before.inner;
    let substeps = (after.substeps - before.substeps).max(1);
    (steps > 0).then(|| steps as f64 / substeps as f64)
}
