//! The row of strands that are not simulated and follow guides: what a picture of
//! them costs.

use super::{
    BenchRow, clock,
    shared::{Bench, heading, on_threads},
};
use crate::{
    groom::{Groom, Interpolation},
    math::Pose,
    mesh::MeshError,
    sim::SimParams,
};
use glam::{Quat, Vec3};

/// Strands that are simulated.
const GUIDES: usize = 128;
/// Vertices of each of them.
const FINE: usize = 64;
/// Vertices of each strand that follows.
const VERTICES: usize = 16;

/// Hair as fine as a head's behind few guides; a tenth of it where it is to be quick.
pub(super) fn rows(bench: &mut Bench) -> Result<(), MeshError> {
    let strands = if bench.quick { 10_000 } else { 100_000 };
    let guides = bench.grow(GUIDES, FINE)?;
    let hair = bench.grow(strands, VERTICES)?;
    let curves: Vec<Vec<Vec3>> = (0..strands).map(|i| hair.strand(i).to_vec()).collect();
    let name = format!("following {GUIDES} guides");
    bench.doing(&name);
    let following = Interpolation::new(&guides, &curves, &bench.body);
    let (pose, moved) = bent(&guides);
    let mut out = vec![Vec3::ZERO; following.vertices()];
    let params = SimParams::default();
    for threads in bench.threads {
        let plan = bench.plan();
        let body = bench.body.clone();
        let times = on_threads(*threads, || {
            clock::best_of(&plan, || following.write(&moved, &pose, &body, &mut out))
        });
        let row = bench.row(&heading(strands, VERTICES), &name, &hair, &params, &times);
        bench.push(BenchRow {
            threads: *threads,
            solver: "none".into(),
            // Once a picture, on whatever the processor is.
            instructions: "scalar",
            substeps: 1,
            iterations: 1,
            ns_per_vertex_substep: times.ns(following.vertices(), 1),
            ..row
        });
    }
    Ok(())
}

/// Guides that hang to one side, on a head that is turned.
fn bent(guides: &Groom) -> (Pose, Vec<Vec3>) {
    let pose = Pose {
        rotation: Quat::from_rotation_y(0.3),
        translation: Vec3::new(0.1, 0.0, 0.0),
    };
    let bend = |strand: usize| {
        let points = guides.strand(strand).iter();
        points.map(move |p| {
            let away = *p - guides.strand(strand)[0];
            pose.point(*p) + Vec3::X * 2.0 * away.length_squared()
        })
    };
    (pose, (0..guides.strands()).flat_map(bend).collect())
}
