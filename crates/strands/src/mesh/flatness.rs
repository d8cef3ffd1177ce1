//! How flat a head is, block by block: there a tangent plane holds for longer.

use super::distance::DistanceGrid;
use glam::Mat3;
use rayon::prelude::*;

/// Side of a block. `[cells]`
const BLOCK: usize = 4;

/// Curvature counts this far beyond a block, so that a plane found at its rim holds
/// on the way out of it. `[cells]`
const MARGIN: usize = 2;

/// Points no farther from the skin are asked how it bends: there distances are exact.
/// `[cells]`
const BAND: f32 = 2.0;

/// The least radius of curvature of the skin in each block of a distance grid.
#[derive(Clone, Debug, Default)]
pub struct Flatness {
    dims: [usize; 3],
    /// `[m]`
    radii: Vec<f32>,
}

impl Flatness {
    /// Of the skin that `grid` has the distances of.
    pub(super) fn measure(grid: &DistanceGrid) -> Self {
        let dims = grid.dims.map(|n| n.div_ceil(BLOCK));
        let [nx, ny, _] = dims;
        let radii = (0..dims.iter().product::<usize>())
            .into_par_iter()
            .map(|i| least_radius(grid, [i % nx, i / nx % ny, i / nx / ny]))
            .collect();
        Self { dims, radii }
    }

    /// The least radius of the skin around the cell with these indices; infinite far
    /// from it. `[m]`
    #[inline]
    pub fn radius(&self, [x, y, z]: [usize; 3]) -> f32 {
        let [nx, ny, _] = self.dims;
        let block = ((z / BLOCK) * ny + y / BLOCK) * nx + x / BLOCK;
        self.radii.get(block).copied().unwrap_or(0.0)
    }
}

/// The least radius of curvature in and around a block. `[m]`
fn least_radius(grid: &DistanceGrid, block: [usize; 3]) -> f32 {
    let range = |axis: usize| {
        let (from, last) = (block[axis] * BLOCK, grid.dims[axis] - 1);
        let to = from + BLOCK + MARGIN;
        from.saturating_sub(MARGIN).max(1)..to.min(last)
    };
    let mut sharpest: f32 = 0.0;
    for z in range(2) {
        for y in range(1) {
            for x in range(0) {
                let here = grid.value([x, y, z]);
                if here.abs() <= BAND * grid.cell {
                    sharpest = sharpest.max(curvature(grid, [x, y, z]));
                }
            }
        }
    }
    1.0 / sharpest
}

/// How much the distance bends at a point inside the lattice: the size of its second
/// derivatives, which on the skin are the principal curvatures. `[1/m]`
fn curvature(grid: &DistanceGrid, at: [usize; 3]) -> f32 {
    let value = |axis: usize, by: i32, other: usize, and: i32| {
        let mut there = at.map(|i| i as i32);
        there[axis] += by;
        there[other] += and;
        grid.value(there.map(|i| i as usize))
    };
    let here = grid.value(at);
    let second = |a: usize, b: usize| match a == b {
        true => value(a, 1, a, 0) + value(a, -1, a, 0) - 2.0 * here,
        false => {
            let (same, other) = (
                value(a, 1, b, 1) + value(a, -1, b, -1),
                value(a, 1, b, -1) + value(a, -1, b, 1),
            );
            0.25 * (same - other)
        }
    };
    let column = |b: usize| std::array::from_fn(|a| second(a, b));
    let hessian = Mat3::from_cols_array_2d(&[column(0), column(1), column(2)]);
    let square: f32 = hessian.to_cols_array().iter().map(|c| c * c).sum();
    square.sqrt() / (grid.cell * grid.cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball's distances.
    fn ball(radius: f32) -> DistanceGrid {
        DistanceGrid::of(radius, |p| p.length() - radius)
    }

    #[test]
    fn a_ball_has_the_radius_of_a_ball() {
        for radius in [0.02, 0.05, 0.08] {
            let grid = ball(radius);
            let flat = Flatness::measure(&grid);
            // Both curvatures of a ball of the radius that is left 8 mm inside.
            let wanted = (radius - BAND * grid.cell) / 2f32.sqrt();
            let least = flat.radii.iter().copied().fold(f32::MAX, f32::min);
            assert!((least / wanted - 1.0).abs() < 0.15, "{least} of {wanted}");
            // Nothing bends far away from it, as far as a step sees.
            assert_eq!(flat.radius([0, 0, 0]), f32::INFINITY);
        }
    }

    #[test]
    fn without_a_measure_nothing_counts_as_flat() {
        assert_eq!(Flatness::default().radius([3, 4, 5]), 0.0);
    }
}
