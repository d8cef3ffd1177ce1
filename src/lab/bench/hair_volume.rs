//! The rows of hair among hair and in its lock: what that costs by itself, and in a
//! step.

use super::{
    BenchRow, clock,
    shared::{Bench, heading, on_threads, timed},
};
use crate::{
    mesh::MeshError,
    sim::{CollisionMode, SimParams, Simulation},
};

/// Steps before the clock starts: hair settles into its grid.
const WARM_UP: usize = 20;

/// What strands do to one another, by itself.
type Act = fn(&mut Simulation, &SimParams, f64);

/// Friction alone, both with repulsion, locks, and steps with all of it.
pub(super) fn rows(bench: &mut Bench, strands: usize, vertices: usize) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let group = heading(strands, vertices);
    let mut params = SimParams::default();
    params.collision.mode = CollisionMode::Grid;
    params.volume.on = true;
    let mut gentle = params.clone();
    gentle.volume.repulsion = 0.0;
    let seconds = 1.0 / f64::from(params.step.rate);
    for threads in bench.threads {
        let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &params);
        on_threads(*threads, || {
            for _ in 0..WARM_UP {
                simulation.step(&params);
            }
        });
        let volume: Act = |sim, params, seconds| sim.step_volume(params, seconds);
        let locks: Act = |sim, params, seconds| sim.step_cohesion(params, seconds);
        for (name, params, act) in [
            ("hair against hair: friction alone", &gentle, volume),
            ("hair against hair: scatter and gather", &params, volume),
            ("locks: mean and bonds", &params, locks),
        ] {
            bench.doing(name);
            let (plan, sim) = (bench.plan(), &mut simulation);
            let times = on_threads(*threads, || {
                clock::best_of(&plan, || act(sim, params, seconds))
            });
            let row = bench.row(&group, name, &groom, params, &times);
            bench.push(BenchRow {
                threads: *threads,
                // Once a step, whatever the number of substeps.
                substeps: 1,
                iterations: 1,
                ns_per_vertex_substep: times.ns(groom.points.len(), 1),
                ..row
            });
        }
    }
    for threads in bench.threads {
        const NAME: &str = "default settings, hair against hair";
        bench.doing(NAME);
        clock::reset_peak();
        let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), &params);
        let times = timed(&mut simulation, &params, None, *threads, &bench.plan());
        let row = bench.row(&group, NAME, &groom, &params, &times);
        bench.push(BenchRow {
            threads: *threads,
            max_stretch: f64::from(simulation.statistics(&params).max_stretch),
            ..row
        });
    }
    Ok(())
}
