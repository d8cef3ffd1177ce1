//! What a step costs, beside a textbook implementation in the same run.
//!
//! Machines are shared and noisy: compare ratios within one run, and trust the
//! smallest of several times.

mod clock;
mod elastic;
mod hair_volume;
mod particles;
mod rods;
mod row;
mod scalar;
mod shared;
mod textbook;

pub use row::{BenchProgress, BenchRow};

use crate::mesh::{Body, HeadParams, MeshError, load};
use shared::Bench;
use std::sync::Arc;

/// Runs the whole bench; `report` sees each row as it is measured.
///
/// # Errors
/// When the built-in head cannot be read.
pub fn run(
    quick: bool,
    threads: &[usize],
    report: &mut dyn FnMut(BenchProgress),
) -> Result<Vec<BenchRow>, MeshError> {
    report(BenchProgress::Doing("reading the head"));
    let head = load(&HeadParams::default())?;
    let body = Arc::new(Body::new(head.mesh, 0.004));
    let mut bench = Bench {
        quick,
        threads,
        body,
        before: clock::memory("VmRSS:"),
        largest: 0,
        rows: Vec::new(),
        report,
    };
    // From few vertices to many, so that memory kept by the system from the
    // sizes before says little about the one being measured.
    particles::rows(&mut bench, 500, 30)?;
    elastic::rows(&mut bench, 500, 32)?;
    rods::rows(&mut bench, 500, 100, 4)?;
    rods::rows(&mut bench, 2_000, 64, 2)?;
    particles::rows(&mut bench, 5_000, 32)?;
    hair_volume::rows(&mut bench, 5_000, 32)?;
    if !quick {
        rods::rows(&mut bench, 20_000, 32, 1)?;
        rods::rows(&mut bench, 100_000, 16, 1)?;
        particles::rows(&mut bench, 100_000, 32)?;
        hair_volume::rows(&mut bench, 100_000, 32)?;
        rods::memory_row(&mut bench, 100_000, 32)?;
        rods::size_rows(&mut bench, &[1_000, 3_000, 10_000, 30_000, 100_000])?;
    }
    rods::instruction_rows(&mut bench, 2_000, 64, 2)?;
    Ok(bench.rows)
}
