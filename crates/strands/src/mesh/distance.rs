//! A grid of signed distances to the head: the fast path for collisions.

mod lower_bound;
mod rows;

use super::flatness::Flatness;
use glam::{BVec4A, Vec3, Vec4};
use std::sync::OnceLock;

pub use lower_bound::LowerBounds;

/// No grid has more cells than this; a larger one becomes coarser.
pub const MOST_CELLS: usize = 16_000_000;

/// What rounds a number to a whole one, at least zero, in the bits of the sum.
const ROUND: f32 = 8_388_608.0;
/// Those bits: values are counted in them.
const MOST_NEAR: u32 = 0x7f_ffff;
/// Four of four.
const ALL: u32 = 15;

/// Signed distances at the points of a regular lattice, negative inside.
#[derive(Clone, Debug)]
pub struct DistanceGrid {
    /// Position of value 0. `[m]`
    pub origin: Vec3,
    /// Distance between neighbouring values. `[m]`
    pub cell: f32,
    /// Number of values along x, y, z.
    pub dims: [usize; 3],
    /// The distances, x running fastest, then y, then z. `[m]`
    pub values: Vec<f32>,
    /// How flat the skin is, where that was measured.
    pub flatness: Flatness,
    /// What the distances are not below, where that was measured.
    pub lower_bounds: LowerBounds,
    /// Smallest and largest coordinates of the mesh. `[m]`
    pub bounds: [Vec3; 2],
    /// Set when the cells had to be larger than asked for.
    pub warning: Option<String>,
    /// A bit for each value that is near the surface or inside; made when asked for.
    near: OnceLock<Vec<u64>>,
}

/// Which values of a grid are those of points near the surface.
#[derive(Clone, Copy, Debug)]
pub struct NearValues<'a> {
    /// A bit for each; none of a grid that is too large.
    bits: &'a [u64],
    /// Number of values along x, y, z.
    dims: [f32; 3],
}

impl NearValues<'_> {
    /// Which of four points may be within a cell of the surface, or inside: a bit for each,
    /// by the one value that is nearest. Their coordinates are rows, in cells from value 0;
    /// all are near on a lattice of more than 8 million values.
    #[inline(always)]
    pub fn of(&self, place: [Vec4; 3]) -> u32 {
        if self.bits.is_empty() {
            return ALL;
        }
        let round = Vec4::splat(ROUND);
        let (mut index, mut inside) = (Vec4::ZERO, BVec4A::splat(true));
        for k in [2, 1, 0] {
            let (q, count) = (place[k], self.dims[k]);
            // Beyond the lattice nothing is near, nor is what is no number.
            inside &= q.cmpge(Vec4::splat(-0.5)) & q.cmplt(Vec4::splat(count - 0.5));
            index = index * count + ((q + round) - round);
        }
        let index = (index + round).to_array();
        let mut near = 0;
        for (lane, index) in index.into_iter().enumerate() {
            let at = (index.to_bits() & MOST_NEAR) as usize;
            let word = self.bits.get(at / 64).copied().unwrap_or(0);
            near |= ((word >> (at % 64)) as u32 & 1) << lane;
        }
        near & inside.bitmask()
    }
}

impl DistanceGrid {
    /// The lattice, without values yet.
    pub(super) fn empty(bounds: [Vec3; 2], asked: f32, padding: f32) -> Self {
        let [min, max] = bounds;
        let extent = max - min + 2.0 * padding.max(0.0);
        let mut cell = asked.max(1e-6);
        let dims = |cell: f32| {
            extent
                .to_array()
                .map(|e| (e / cell).ceil().clamp(1.0, MOST_CELLS as f32) as usize + 1)
        };
        let count = |cell: f32| dims(cell).iter().map(|n| *n as f64).product::<f64>();
        while count(cell) > MOST_CELLS as f64 {
            cell *= 1.05;
        }
        let warning = (cell > asked).then(|| {
            format!(
                "the distance grid of a model this large takes cells of {cell:.4} m instead of {asked} m"
            )
        });
        let dims = dims(cell);
        // The lattice is centred on the mesh.
        let span = Vec3::from_array(dims.map(|n| (n - 1) as f32 * cell));
        Self {
            origin: min.midpoint(max) - 0.5 * span,
            cell,
            dims,
            values: Vec::new(),
            flatness: Flatness::default(),
            lower_bounds: LowerBounds::default(),
            bounds,
            warning,
            near: OnceLock::new(),
        }
    }

    /// Position of the value at these indices. `[m]`
    pub fn point(&self, x: usize, y: usize, z: usize) -> Vec3 {
        self.origin + self.cell * Vec3::new(x as f32, y as f32, z as f32)
    }

    /// The value at these indices. `[m]`
    pub(super) fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        self.values[(z * self.dims[1] + y) * self.dims[0] + x]
    }

    /// The least radius of curvature of the skin around `p`; none where nothing is
    /// known of it. `[m]`
    #[inline]
    pub fn radius(&self, p: Vec3) -> f32 {
        let q = (p - self.origin) * self.cell.recip();
        let last = Vec3::from_array(self.dims.map(|n| (n - 1) as f32));
        // Written so that NaN is outside.
        match q.cmpge(Vec3::ZERO).all() && q.cmple(last).all() {
            true => {
                let at = [q.x as usize, q.y as usize, q.z as usize];
                self.flatness.radius(at)
            }
            false => 0.0,
        }
    }

    /// Distance at `p`, negative inside: interpolated on the lattice, and
    /// beyond it a lower bound of the distance. `[m]`
    pub fn sample(&self, p: Vec3) -> f32 {
        match self.corners(p) {
            Some((c, t)) => {
                let x = |a: usize| c[a] + (c[a + 1] - c[a]) * t.x;
                let y = |a: usize| x(a) + (x(a + 2) - x(a)) * t.y;
                y(0) + (y(4) - y(0)) * t.z
            }
            None => self.beyond(p).0,
        }
    }

    /// What tells which points may be within a cell of the surface, or inside.
    pub fn near(&self) -> NearValues<'_> {
        NearValues {
            bits: self.near.get_or_init(|| self.near_values()),
            dims: self.dims.map(|n| n as f32),
        }
    }

    /// Which values are those of points that may be within a cell of the surface, or
    /// inside; none of a lattice that is too large.
    fn near_values(&self) -> Vec<u64> {
        if self.values.len() > MOST_NEAR as usize {
            return Vec::new();
        }
        // No point is farther from the nearest value than half a cell's diagonal.
        let near = |value: &f32| value.is_nan() || *value <= 0.9 * self.cell;
        let word = |values: &[f32]| {
            let bits = values.iter().enumerate();
            bits.fold(0, |word, (i, value)| word | u64::from(near(value)) << i)
        };
        self.values.chunks(64).map(word).collect()
    }

    /// As [`sample`](Self::sample), with the unit direction in which the
    /// distance grows.
    #[inline]
    pub fn sample_with_normal(&self, p: Vec3) -> (f32, Vec3) {
        let (distance, normal) = self.sample_row::<f32, 1>(p.into(), 1);
        (distance, normal.at(0))
    }

    /// The eight values around `p`, x fastest, and where `p` is among them.
    #[inline(always)]
    fn corners(&self, p: Vec3) -> Option<([f32; 8], Vec3)> {
        let q = (p - self.origin) * self.cell.recip();
        let (values, first) = self.cell_values(q)?;
        Some((values, q - first))
    }

    /// The eight values around a point `q` cells from the first one, x fastest, and
    /// where the first of them is. `[cells]`
    #[inline(always)]
    fn cell_values(&self, q: Vec3) -> Option<([f32; 8], Vec3)> {
        let [nx, ny, nz] = self.dims;
        let last = Vec3::new((nx - 1) as f32, (ny - 1) as f32, (nz - 1) as f32);
        // Written so that NaN is outside.
        if !(q.cmpge(Vec3::ZERO).all() && q.cmple(last).all()) {
            return None;
        }
        let index = |q: f32, n: usize| (q as u32 as usize).min(n - 2);
        let [x, y, z] = [index(q.x, nx), index(q.y, ny), index(q.z, nz)];
        // Pairs along x: four checks of the length instead of eight.
        let base = (z * ny + y) * nx + x;
        let pair = |from: usize| <[f32; 2]>::try_from(self.values.get(from..from + 2)?).ok();
        let [a, b] = pair(base)?;
        let [c, d] = pair(base + nx)?;
        let [e, f] = pair(base + nx * ny)?;
        let [g, h] = pair(base + nx * ny + nx)?;
        let values = [a, b, c, d, e, f, g, h];
        let first = [x, y, z].map(|i| i as u32 as f32);
        Some((values, first.into()))
    }

    /// Outside the lattice: the distance from the mesh's bounding box.
    fn beyond(&self, p: Vec3) -> (f32, Vec3) {
        let away = p - p.clamp(self.bounds[0], self.bounds[1]);
        let distance = away.length();
        if !distance.is_finite() {
            return (f32::MAX, Vec3::Y);
        }
        (distance.max(f32::MIN_POSITIVE), away.normalize_or(Vec3::Y))
    }
}

#[cfg(test)]
impl DistanceGrid {
    /// Distances from a body that tests think of, over a cube with that half an edge, in
    /// cells of 4 mm. `[m]`
    pub(crate) fn of(half: f32, distance: impl Fn(Vec3) -> f32) -> Self {
        let mut grid = Self::empty([Vec3::splat(-half), Vec3::splat(half)], 0.004, 0.02);
        let [nx, ny, nz] = grid.dims;
        grid.values = (0..nx * ny * nz)
            .map(|i| distance(grid.point(i % nx, i / nx % ny, i / nx / ny)))
            .collect();
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random;

    #[test]
    fn what_is_near_is_what_the_nearest_value_says() {
        let mut grid = DistanceGrid::empty([Vec3::splat(-0.1), Vec3::splat(0.1)], 0.01, 0.05);
        let [nx, ny, nz] = grid.dims;
        // A ball; one value is no number, and counts as near.
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    grid.values.push(grid.point(x, y, z).length() - 0.1);
                }
            }
        }
        grid.values[7] = f32::NAN;
        let mut number = 0;
        let mut coordinate = || {
            number += 1;
            (random::uniform64(3, number) as f32 - 0.5) * 0.4
        };
        let (mut near, mut far) = (0, 0);
        for _ in 0..2000 {
            let points: [Vec3; 4] =
                std::array::from_fn(|_| Vec3::from_array(std::array::from_fn(|_| coordinate())));
            let row = |k: usize| Vec4::from_array(points.map(|p| p[k]));
            let place = |k: usize| (row(k) - grid.origin[k]) * grid.cell.recip();
            let found = grid.near().of([0, 1, 2].map(place));
            for (lane, point) in points.iter().enumerate() {
                let at = ((*point - grid.origin) / grid.cell).round();
                let inside = at.cmpge(Vec3::ZERO).all()
                    && [at.x < nx as f32, at.y < ny as f32, at.z < nz as f32] == [true; 3];
                let [x, y, z] = at.to_array().map(|i| i.max(0.0) as usize);
                let wanted = inside && {
                    let value = grid.values[(z * ny + y) * nx + x];
                    value.is_nan() || value <= 0.9 * grid.cell
                };
                let is_near = found & (1 << lane) != 0;
                assert_eq!(is_near, wanted, "{point}");
                near += usize::from(is_near);
                far += usize::from(!is_near);
            }
        }
        assert!(near > 500 && far > 500, "{near} {far}");
        let nothing = Vec4::splat(f32::NAN);
        assert_eq!(grid.near().of([nothing; 3]), 0);
    }
}
