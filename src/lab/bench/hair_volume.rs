//! The rows of hair among hair and in its lock: what that costs by itself, and in a
//! step.

use super::{
    BenchRow, clock,
    methods::Measurement,
    shared::{Bench, heading, on_threads},
};
use crate::{
    mesh::MeshError,
    sim::{
        SimParams, Simulation,
        solver::{bench_plan::BenchCase, chosen},
    },
};

/// What strands do to one another, by itself.
type Act = fn(&mut Simulation, &SimParams, f64);

/// The default settings of the default method with hair against hair: in all else what the
/// row of its default settings is measured with, beside which it is read.
fn among_hair() -> Measurement {
    let params = SimParams::default();
    let substeps = params.step.substeps();
    let mut on = Measurement::new(chosen(&params), &BenchCase::DEFAULT, substeps);
    on.params.volume.on = true;
    on.name = "default settings, hair against hair".into();
    on
}

/// Friction alone, both with repulsion, locks, and steps with all of it.
pub(super) fn rows(bench: &mut Bench, strands: usize, vertices: usize) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let group = heading(strands, vertices);
    let on = among_hair();
    let params = &on.params;
    let mut gentle = params.clone();
    gentle.volume.repulsion = 0.0;
    let seconds = 1.0 / f64::from(params.step.rate);
    for threads in bench.threads {
        let mut simulation = on.settled(bench, &groom);
        let volume: Act = |sim, params, seconds| sim.step_volume(params, seconds);
        let locks: Act = |sim, params, seconds| sim.step_cohesion(params, seconds);
        for (name, params, act) in [
            ("hair against hair: friction alone", &gentle, volume),
            ("hair against hair: scatter and gather", params, volume),
            ("locks: mean and bonds", params, locks),
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
    clock::reset_peak();
    let mut simulation = on.settled(bench, &groom);
    for threads in bench.threads {
        let (row, _) = on.row(bench, &mut simulation, &group, None, *threads);
        bench.push(row);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::TorsoMode;

    #[test]
    fn hair_among_hair_differs_from_its_neighbour_in_the_table_by_that_alone() {
        let on = among_hair();
        let method = chosen(&on.params);
        let substeps = on.params.step.substeps();
        let beside = Measurement::new(method, &BenchCase::DEFAULT, substeps);
        assert_eq!(
            (on.settling, on.together),
            (beside.settling, beside.together)
        );
        assert!(on.settling > 0.0);
        assert_eq!(on.params.torso.mode, TorsoMode::Off);
        assert_eq!(on.params.torso.mode, beside.params.torso.mode);
        assert_eq!(on.params.collision.mode, beside.params.collision.mode);
        assert_eq!(
            [on.params.volume.on, beside.params.volume.on],
            [true, false]
        );
        // The rows beside it are of the substeps of the method's own plan.
        let mut sizes = method.bench.sizes.iter();
        assert!(sizes.any(|size| (size.strands, size.substeps) == (5_000, substeps)));
    }
}
