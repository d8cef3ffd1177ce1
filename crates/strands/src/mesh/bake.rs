//! Measures a head: the distances of its grid, from the triangles or from the
//! cache.

use super::{
    Mesh, cache,
    distance::{DistanceGrid, LowerBounds},
    flatness::Flatness,
    inside::Inside,
    spread,
    surface::Surface,
};
use glam::Vec3;
use rayon::prelude::*;

/// Half the width of the band in which distances are exact. `[cells]`
const BAND: f32 = 3.0;
/// Side of the blocks that are tested for the band at once. `[cells]`
const BLOCK: usize = 4;

impl DistanceGrid {
    /// Measures `mesh`, whose index is `surface`, on a lattice with spacing
    /// `cell` that reaches `padding` beyond it. Runs on the rayon pool it is
    /// called in; the result does not depend on its size.
    ///
    /// Distances are exact up to three cells from the skin and at most a few
    /// percent too large beyond. Where the mesh has holes, inside is where most
    /// directions lead out through the skin's back, and the holes are closed.
    /// What was measured before may come from the [`cache`].
    pub fn bake(mesh: &Mesh, surface: &Surface, cell: f32, padding: f32) -> Self {
        let bounds = mesh.bounds();
        let grid = Self::empty(bounds, cell, padding);
        let key = cache::key(mesh, &grid);
        if let Some(values) = cache::read(key, &grid) {
            return grid.measured(values);
        }
        let [nx, ny, nz] = grid.dims;
        let blocks = Blocks::find(&grid, surface);
        let band = BAND * grid.cell;
        // Feet of perpendiculars, from which the far field is spread.
        let mut feet = vec![Vec3::INFINITY; nx * ny * nz];
        let mut values = vec![f32::INFINITY; nx * ny * nz];
        values
            .par_chunks_mut(nx * ny)
            .zip(feet.par_chunks_mut(nx * ny))
            .enumerate()
            .for_each(|(z, (values, feet))| {
                for y in 0..ny {
                    for x in 0..nx {
                        if !blocks.near(x, y, z) {
                            continue;
                        }
                        let p = grid.point(x, y, z);
                        if let Some(nearest) = surface.closest(p, band) {
                            values[y * nx + x] = nearest.distance;
                            feet[y * nx + x] = nearest.point;
                        }
                    }
                }
            });
        let inside = Inside::decide(mesh, &grid, &values, surface.is_closed());
        inside.close_holes(&grid, &values, &mut feet);
        spread::spread(&grid, &mut feet);
        values
            .par_chunks_mut(nx * ny)
            .enumerate()
            .for_each(|(z, values)| {
                for (i, value) in values.iter_mut().enumerate() {
                    let index = z * nx * ny + i;
                    let to_foot = feet[index].distance(grid.point(i % nx, i / nx, z));
                    let distance = value.abs().min(to_foot);
                    *value = if inside.at(index) {
                        -distance
                    } else {
                        distance
                    };
                }
            });
        let grid = grid.measured(values);
        cache::write(key, &grid);
        grid
    }

    /// With these distances, and what they tell of the skin.
    fn measured(mut self, values: Vec<f32>) -> Self {
        self.values = values;
        self.flatness = Flatness::measure(&self);
        self.lower_bounds = LowerBounds::measure(&self);
        self
    }
}

/// Which blocks of cells may touch the band.
struct Blocks {
    dims: [usize; 3],
    near: Vec<bool>,
}

impl Blocks {
    /// Finds the blocks of cells that may reach into the band.
    fn find(grid: &DistanceGrid, surface: &Surface) -> Self {
        let dims = grid.dims.map(|n| n.div_ceil(BLOCK));
        let half = 0.5 * (BLOCK - 1) as f32 * grid.cell;
        let reach = BAND * grid.cell + 3f32.sqrt() * half;
        let near = (0..dims.iter().product::<usize>())
            .into_par_iter()
            .map(|i| {
                let (x, y, z) = (i % dims[0], i / dims[0] % dims[1], i / dims[0] / dims[1]);
                let corner = grid.point(x * BLOCK, y * BLOCK, z * BLOCK);
                surface.closest(corner + half, reach * 1.001).is_some()
            })
            .collect();
        Self { dims, near }
    }

    fn near(&self, x: usize, y: usize, z: usize) -> bool {
        self.near[((z / BLOCK) * self.dims[1] + y / BLOCK) * self.dims[0] + x / BLOCK]
    }
}
