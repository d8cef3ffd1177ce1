//! The rows of Position Based Dynamics.

use super::{Bench, Row, heading, plain, timed};
use crate::{
    mesh::MeshError,
    sim::{CollisionMode, PbdParams, SimParams, Simulation},
};

/// The textbook's constraints, contact, default settings, wind.
pub(super) fn rows(bench: &mut Bench, strands: usize, vertices: usize) -> Result<(), MeshError> {
    let groom = bench.grow(strands, vertices)?;
    let group = heading(strands, vertices);
    let plain = plain();
    let base = bench.textbook(&group, &groom, &plain);
    let mut full = SimParams::default();
    full.pbd.iterations = 10;
    full.collision.mode = CollisionMode::Grid;
    let live = SimParams {
        pbd: PbdParams::default(),
        ..full.clone()
    };
    let mut windy = live.clone();
    windy.wind.on = true;
    for (name, params) in [
        ("10 iterations, the textbook's constraints", &plain),
        ("10 iterations, contact", &full),
        ("default settings", &live),
        ("default settings, wind", &windy),
    ] {
        for threads in bench.threads {
            bench.doing(name);
            super::clock::reset_peak();
            let mut simulation = Simulation::new(groom.clone(), bench.body.clone(), params);
            let times = timed(&mut simulation, params, None, *threads, &bench.plan());
            let row = bench.row(&group, name, &groom, params, &times);
            bench.push(Row {
                threads: *threads,
                ratio_to_textbook: base / row.ns_per_vertex_substep,
                max_stretch: f64::from(simulation.statistics(params).max_stretch),
                ..row
            });
        }
    }
    Ok(())
}
