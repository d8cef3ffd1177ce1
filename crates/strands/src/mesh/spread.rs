//! Carries nearest surface points from the band around the skin to the rest
//! of a distance grid.

use super::distance::DistanceGrid;
use glam::Vec3;
use rayon::prelude::*;

/// Fills the infinite entries of `feet` with a surface point that is nearest
/// or nearly so, taken over from neighbours in sweeps (Danielsson 1980).
///
/// Slices are swept in themselves, then along z, then in themselves again, so
/// that each stage runs in parallel with a result that does not depend on it.
pub(super) fn spread(grid: &DistanceGrid, feet: &mut [Vec3]) {
    in_slices(grid, feet);
    across_slices(grid, feet);
    in_slices(grid, feet);
}

fn in_slices(grid: &DistanceGrid, feet: &mut [Vec3]) {
    let [nx, ny, _] = grid.dims;
    feet.par_chunks_mut(nx * ny)
        .enumerate()
        .for_each(|(z, slice)| {
            for y in 0..ny {
                if y > 0 {
                    let (before, row) = slice.split_at_mut(y * nx);
                    take(grid, [y, z], &mut row[..nx], &before[(y - 1) * nx..]);
                }
                along_row(grid, [y, z], &mut slice[y * nx..(y + 1) * nx]);
            }
            for y in (0..ny - 1).rev() {
                let (row, after) = slice[y * nx..].split_at_mut(nx);
                take(grid, [y, z], row, &after[..nx]);
                along_row(grid, [y, z], row);
            }
        });
}

fn across_slices(grid: &DistanceGrid, feet: &mut [Vec3]) {
    let [nx, ny, nz] = grid.dims;
    let slice = nx * ny;
    let mut step = |z: usize, from: usize| {
        let (low, high) = feet.split_at_mut(z.max(from) * slice);
        let (target, source) = if z > from {
            (&mut high[..slice], &low[from * slice..])
        } else {
            (&mut low[z * slice..], &high[..slice])
        };
        target.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for near in [y.saturating_sub(1), y, (y + 1).min(ny - 1)] {
                take(grid, [y, z], row, &source[near * nx..(near + 1) * nx]);
            }
        });
    };
    for z in 1..nz {
        step(z, z - 1);
    }
    for z in (0..nz - 1).rev() {
        step(z, z + 1);
    }
}

/// Lets each cell of the row at `[y, z]` take over a nearer foot from the
/// three cells next to it in `source`.
fn take(grid: &DistanceGrid, [y, z]: [usize; 2], row: &mut [Vec3], source: &[Vec3]) {
    for x in 0..row.len() {
        let p = grid.point(x, y, z);
        let mut best = (p.distance_squared(row[x]), row[x]);
        for foot in &source[x.saturating_sub(1)..(x + 2).min(row.len())] {
            let squared = p.distance_squared(*foot);
            if squared < best.0 {
                best = (squared, *foot);
            }
        }
        row[x] = best.1;
    }
}

/// The same along the row itself, both ways.
fn along_row(grid: &DistanceGrid, [y, z]: [usize; 2], row: &mut [Vec3]) {
    let mut pass = |x: usize, from: usize| {
        let p = grid.point(x, y, z);
        if p.distance_squared(row[from]) < p.distance_squared(row[x]) {
            row[x] = row[from];
        }
    };
    for x in 1..grid.dims[0] {
        pass(x, x - 1);
    }
    for x in (0..grid.dims[0] - 1).rev() {
        pass(x, x + 1);
    }
}
