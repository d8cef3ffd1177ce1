//! A lower bound of the distance, read from memory once where the distance takes four reads.
//! Most vertices that query a head are far from it, and need no more.

use super::{DistanceGrid, MOST_NEAR, ROUND};
use crate::math::lanes::{Lane, V3, set_bits};
use rayon::prelude::*;

/// Side of a brick. `[cells]`
const BRICK: usize = 8;

/// What sums of single precision may be off by, of a head no larger than a metre. `[m]`
const ROUNDING: f32 = 1e-6;

/// Under each brick of cells of a distance grid, the plane that its values are nowhere
/// below: an affine function of the place. Between values the grid interpolates, so its
/// distances are not below it either.
#[derive(Clone, Debug, Default)]
pub struct LowerBounds {
    dims: [usize; 3],
    /// At a brick's first value, `[m]`, and how it grows along x, y, z. `[m/cell]`
    planes: Vec<[f32; 4]>,
}

impl LowerBounds {
    /// Under the values of `grid`.
    pub(in super::super) fn measure(grid: &DistanceGrid) -> Self {
        let dims = grid.dims.map(|n| (n - 1).div_ceil(BRICK).max(1));
        let [nx, ny, _] = dims;
        let planes = (0..dims.iter().product::<usize>())
            .into_par_iter()
            .map(|i| under(grid, [i % nx, i / nx % ny, i / nx / ny]))
            .collect();
        Self { dims, planes }
    }
}

/// The plane under a brick; below everything where a value is no number.
fn under(grid: &DistanceGrid, brick: [usize; 3]) -> [f32; 4] {
    let first = brick.map(|b| b * BRICK);
    let last = [0, 1, 2].map(|axis| (first[axis] + BRICK).min(grid.dims[axis] - 1));
    // As steep as the brick is from face to face, by its corners.
    let slope = |axis: usize| {
        let rise: f32 = (0..8)
            .map(|corner: usize| {
                let at = [0, 1, 2].map(|k| match corner >> k & 1 {
                    0 => first[k],
                    _ => last[k],
                });
                let sign = if corner >> axis & 1 == 0 { -0.25 } else { 0.25 };
                sign * grid.value(at)
            })
            .sum();
        rise / (last[axis] - first[axis]).max(1) as f32
    };
    let slopes = [0, 1, 2].map(slope);
    let mut least = f32::MAX;
    for z in first[2]..=last[2] {
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                let rise: f32 = [x - first[0], y - first[1], z - first[2]]
                    .iter()
                    .zip(slopes)
                    .map(|(cells, slope)| *cells as f32 * slope)
                    .sum();
                let low = grid.value([x, y, z]) - rise;
                if !low.is_finite() {
                    return [f32::MIN, 0.0, 0.0, 0.0];
                }
                least = least.min(low);
            }
        }
    }
    let size = least.abs().max(grid.bounds[1].abs().max_element()).max(1.0);
    [least - ROUNDING * size, slopes[0], slopes[1], slopes[2]]
}

/// Which of `n` bricks coordinates are in, the nearest where they are in none. `[cells]`
#[inline(always)]
fn brick<T: Lane>(q: T, n: usize) -> T {
    let of = q * T::splat(1.0 / BRICK as f64) - T::splat(0.5);
    of.max(T::zero()).min(T::splat((n - 1) as f64)).round()
}

/// One for coordinates within a lattice of `n` values. `[cells]`
#[inline(always)]
fn within<T: Lane>(q: T, n: usize) -> T {
    let (zero, last) = (T::zero(), T::splat((n - 1) as f64));
    zero.less(q, q.less(last, T::splat(1.0), zero), zero)
}

/// How far `p` is beyond the range from `low` to `high`. `[m]`
#[inline(always)]
fn away<T: Lane>(p: T, low: T, high: T) -> T {
    p - p.max(low).min(high)
}

impl DistanceGrid {
    /// A lower bound of the distance at each point of a row where `asking` is one, undefined
    /// elsewhere; the least number there is if the grid has not been measured. `[m]`
    #[inline(always)]
    pub fn lower_bounds<T: Lane, const N: usize>(&self, p: V3<T>, asking: T) -> T {
        let LowerBounds { dims, planes } = &self.lower_bounds;
        if planes.is_empty() {
            return T::splat(f32::MIN.into());
        }
        let q = (p - V3::from(self.origin)).scale(T::splat(self.cell.recip().into()));
        let first = V3 {
            x: brick(q.x, dims[0]),
            y: brick(q.y, dims[1]),
            z: brick(q.z, dims[2]),
        };
        let (nx, ny) = (T::splat(dims[0] as f64), T::splat(dims[1] as f64));
        let index = (first.z * ny + first.y) * nx + first.x;
        let mut rows = [[0.0; 16]; N];
        // None waits for another: memory answers side by side.
        let index = index + T::splat(ROUND.into());
        for lane in set_bits(T::splat(0.5).bits_less(asking)) {
            let at = (index.single(lane).to_bits() & MOST_NEAR) as usize;
            if let Some(plane) = planes.get(at) {
                rows[lane][..4].copy_from_slice(plane);
            }
        }
        let [least, x, y, z] = T::columns(&rows, 0);
        let t = q - first.scale(T::splat(BRICK as f64));
        let inside = least + V3 { x, y, z }.dot(t);
        // Beyond the lattice: how far the box around the mesh is. Written so that no
        // number at all is beyond, and no bound.
        let [nx, ny, nz] = self.dims;
        let lattice = within(q.x, nx) * within(q.y, ny) * within(q.z, nz);
        let (low, high) = (V3::<T>::from(self.bounds[0]), V3::from(self.bounds[1]));
        let away = V3 {
            x: away(p.x, low.x, high.x),
            y: away(p.y, low.y, high.y),
            z: away(p.z, low.z, high.z),
        };
        lattice.choose(inside, away.dot(away).sqrt() - T::splat(ROUNDING.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::{
            instructions::Instructions,
            lanes::F,
            random,
            work::{LaneWork, lane_work},
        },
        mesh::{self, Surface},
    };
    use glam::Vec3;

    fn head() -> DistanceGrid {
        let head = mesh::load(&mesh::HeadParams::default()).expect("the built-in head");
        let surface = Surface::new(&head.mesh);
        DistanceGrid::bake(&head.mesh, &surface, 0.004, 0.05)
    }

    fn points(grid: &DistanceGrid) -> Vec<Vec3> {
        let span = Vec3::from_array(grid.dims.map(|n| (n - 1) as f32 * grid.cell));
        let part = |i: u64| random::uniform64(7, i) as f32 * 1.2 - 0.1;
        (0..16_000)
            .map(|i| grid.origin + span * Vec3::from_array([0, 1, 2].map(|k| part(3 * i + k))))
            .collect()
    }

    #[test]
    fn no_distance_is_below_and_few_are_far_above() {
        let grid = head();
        let mut loose = Vec::new();
        for p in points(&grid) {
            let (bound, distance) = (grid.lower_bounds::<f32, 1>(p.into(), 1.0), grid.sample(p));
            assert!(bound <= distance, "{p}: {bound} for {distance}");
            loose.push(distance - bound);
        }
        loose.sort_by(f32::total_cmp);
        let median = loose[loose.len() / 2];
        assert!(median < 0.0025, "{median}");
    }

    #[test]
    fn rows_of_every_width_have_the_same_bits() {
        struct Bounds<'a>(&'a DistanceGrid, &'a [Vec3], &'a mut Vec<f32>);
        impl LaneWork for Bounds<'_> {
            #[inline(always)]
            fn run<T: Lane>(self) {
                for p in self.1.chunks_exact(T::LANES) {
                    let bounds = self
                        .0
                        .lower_bounds::<T, 16>(V3::from_lanes(|i| p[i]), T::splat(1.0));
                    self.2.extend((0..T::LANES).map(|i| bounds.single(i)));
                }
            }
        }
        let grid = head();
        let points = points(&grid);
        let mut plain = Vec::new();
        Bounds(&grid, &points, &mut plain).run::<F<4>>();
        for instructions in Instructions::ALL {
            let mut bounds = Vec::new();
            lane_work(instructions, Bounds(&grid, &points, &mut bounds));
            let bits = |all: &[f32]| all.iter().map(|b| b.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&bounds), bits(&plain), "{instructions:?}");
        }
    }

    #[test]
    fn where_a_value_is_no_number_nothing_is_promised() {
        let mut grid = head();
        let [nx, ny, _] = grid.dims;
        grid.values[(20 * ny + 20) * nx + 20] = f32::NAN;
        grid.lower_bounds = LowerBounds::measure(&grid);
        let there = |cells: f32| grid.origin + cells * grid.cell;
        let bound = |p: Vec3| grid.lower_bounds::<f32, 1>(p.into(), 1.0);
        assert!(bound(there(19.5)) < -1e30);
        assert!(bound(there(4.5)) > 0.0);
        assert!(bound(Vec3::NAN).is_nan());
    }
}
