//! What a step costs, beside a textbook implementation in the same run.
//!
//! Machines are shared and noisy: compare ratios within one run, and trust the
//! smallest of several times.

mod clock;
mod following;
mod hair_volume;
mod methods;
mod row;
mod shared;
mod textbook;

pub use row::{BenchProgress, BenchRow};

use crate::{
    mesh::{CollisionMesh, HeadParams, MeshError, load},
    sim::solver::{Method, SOLVERS},
};
use shared::Bench;
use std::sync::Arc;

/// Strands and vertices of the hair whose strands are measured among one another,
/// quick or not.
const HAIR_VOLUME: [usize; 2] = [5_000, 32];

/// Runs the bench of these methods, and that of hair against hair where it is of
/// all; `report` sees each row as it is measured.
///
/// # Errors
/// When the built-in head cannot be read.
pub fn run(
    of: &[&'static Method],
    quick: bool,
    threads: &[usize],
    report: &mut dyn FnMut(BenchProgress),
) -> Result<Vec<BenchRow>, MeshError> {
    report(BenchProgress::Doing("reading the head"));
    let head = load(&HeadParams::default())?;
    let body = Arc::new(CollisionMesh::new(head.mesh, 0.004));
    let mut bench = Bench {
        quick,
        threads,
        body,
        before: clock::memory("VmRSS:"),
        largest: 0,
        rows: Vec::new(),
        report,
    };
    let all = of.len() == SOLVERS.len();
    for size in methods::sizes(of, quick) {
        methods::rows(&mut bench, of, size)?;
        if all && size.strands * size.vertices == HAIR_VOLUME[0] * HAIR_VOLUME[1] {
            hair_volume::rows(&mut bench, HAIR_VOLUME[0], HAIR_VOLUME[1])?;
        }
    }
    if all {
        following::rows(&mut bench)?;
    }
    if all && !quick {
        hair_volume::rows(&mut bench, 100_000, 32)?;
    }
    methods::deep_rows(&mut bench, of)?;
    Ok(bench.rows)
}
