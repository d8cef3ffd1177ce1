//! Tells inside from outside for closed meshes and for meshes with holes.
//!
//! From each cell six rays leave along the axes. A ray that leaves a solid
//! crosses its skin once more outward than inward (the winding number of the
//! ray's end); holes in the skin spoil a few rays, the majority decides. This
//! is the generalised winding number (Jacobson et al. 2013) sampled in six
//! directions, which a grid can do for all its cells at the price of
//! projecting the triangles three times.

use super::{Mesh, distance::DistanceGrid};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Between two lattice points on different sides runs the skin, which is then
/// nearer to one of them than this; else it is a hole. `[cells]`
const HOLE: f32 = 0.6;

/// Which points of a lattice are inside.
pub(super) struct Inside {
    flags: Vec<bool>,
    dims: [usize; 3],
}

impl Inside {
    /// Decides it for the lattice of `grid`; `near` holds the signed distances
    /// of the band around the skin, infinity elsewhere.
    pub fn decide(mesh: &Mesh, grid: &DistanceGrid, near: &[f32], closed: bool) -> Self {
        let votes = Votes::cast(mesh, grid);
        let [nx, ny, nz] = grid.dims;
        // A sheet without an inside still stops what comes from the front.
        let skin = 3f32.sqrt() * grid.cell;
        let flags = (0..nx * ny * nz)
            .into_par_iter()
            .with_min_len(nx)
            .map(|i| {
                let behind = !closed && near[i] < 0.0 && near[i] >= -skin;
                behind || votes.inside(i % nx, i / nx % ny, i / nx / ny)
            })
            .collect();
        let mut inside = Self {
            flags,
            dims: grid.dims,
        };
        if !closed {
            // Rays that leave through holes err along lines one point wide.
            for _ in 0..2 {
                inside.smooth(near, HOLE * grid.cell);
            }
        }
        inside
    }

    /// Whether the lattice point of this index is inside.
    pub fn at(&self, index: usize) -> bool {
        self.flags[index]
    }

    /// Lets points that are away from the skin follow most of their neighbours.
    fn smooth(&mut self, near: &[f32], skin: f32) {
        let flags = (0..self.flags.len())
            .into_par_iter()
            .with_min_len(self.dims[0])
            .map(|i| {
                let own = self.flags[i];
                if near[i].abs() <= skin {
                    return own;
                }
                let other = self.neighbours(i).filter(|j| self.flags[*j] != own);
                own != (other.count() > 3)
            })
            .collect();
        self.flags = flags;
    }

    /// Lays surface points into the holes of the skin, so that the distance
    /// does not jump from one side to the other.
    pub fn close_holes(&self, grid: &DistanceGrid, near: &[f32], feet: &mut [Vec3]) {
        let skin = HOLE * grid.cell;
        let point = |i: usize| {
            let [nx, ny, _] = self.dims;
            grid.point(i % nx, i / nx % ny, i / nx / ny)
        };
        feet.par_iter_mut()
            .with_min_len(self.dims[0])
            .enumerate()
            .filter(|(i, _)| near[*i].abs() > skin)
            .for_each(|(i, foot)| {
                let across = self
                    .neighbours(i)
                    .find(|j| self.flags[*j] != self.flags[i] && near[*j].abs() > skin);
                if let Some(other) = across {
                    *foot = point(i).midpoint(point(other));
                }
            });
    }

    /// The points next to point `i` along the axes.
    fn neighbours(&self, i: usize) -> impl Iterator<Item = usize> {
        let [nx, ny, nz] = self.dims;
        let steps = [
            (i % nx, nx, 1),
            (i / nx % ny, ny, nx),
            (i / nx / ny, nz, nx * ny),
        ];
        steps.into_iter().flat_map(move |(at, count, step)| {
            let before = (at > 0).then(|| i - step);
            let after = (at + 1 < count).then(|| i + step);
            before.into_iter().chain(after)
        })
    }
}

/// Where the columns of a grid cross the surface.
struct Votes {
    axes: [Axis; 3],
}

/// Crossings of the columns along one axis.
struct Axis {
    /// Number of columns along the next axis.
    width: usize,
    /// Crossings of column c are `crossings[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    /// Place along the column in cells, and +1 where a ray going up leaves
    /// the solid, -1 where it enters.
    crossings: Vec<(f32, i32)>,
}

impl Votes {
    pub fn cast(mesh: &Mesh, grid: &DistanceGrid) -> Self {
        let origin = grid.origin.as_dvec3();
        // In units of cells, so that lattice points have whole coordinates.
        let points: Vec<DVec3> = mesh
            .positions
            .par_iter()
            .map(|p| (p.as_dvec3() - origin) / f64::from(grid.cell))
            .collect();
        let axis = |axis: usize| Axis::new(mesh, &points, grid.dims, axis);
        let (x, (y, z)) = rayon::join(|| axis(0), || rayon::join(|| axis(1), || axis(2)));
        Self { axes: [x, y, z] }
    }

    /// Whether most rays from this cell say that it is inside.
    pub fn inside(&self, x: usize, y: usize, z: usize) -> bool {
        let votes =
            self.axes[0].votes(y, z, x) + self.axes[1].votes(z, x, y) + self.axes[2].votes(x, y, z);
        votes > 3
    }
}

impl Axis {
    fn new(mesh: &Mesh, points: &[DVec3], dims: [usize; 3], axis: usize) -> Self {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (width, height) = (dims[u], dims[v]);
        let mut found: Vec<(u32, (f32, i32))> = Vec::new();
        for triangle in &mesh.triangles {
            let corners = triangle.map(|i| points[i as usize]);
            let flat = corners.map(|p| [p[u], p[v]]);
            let range = |k: usize, n: usize| {
                let [a, b, c] = flat.map(|p| p[k]);
                let low = a.min(b).min(c).ceil().max(0.0) as usize;
                let high = a.max(b).max(c).floor().min(n as f64 - 1.0);
                low..(high + 1.0).max(0.0) as usize
            };
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            if normal[axis] == 0.0 {
                continue;
            }
            let sign = if normal[axis] > 0.0 { 1 } else { -1 };
            for j in range(1, height) {
                for i in range(0, width) {
                    let p = [i as f64, j as f64];
                    if !covers(triangle, flat, p, sign > 0) {
                        continue;
                    }
                    let along = corners[0][axis]
                        - (normal[u] * (p[0] - corners[0][u]) + normal[v] * (p[1] - corners[0][v]))
                            / normal[axis];
                    found.push(((j * width + i) as u32, (along as f32, sign)));
                }
            }
        }
        let mut starts = vec![0u32; width * height + 1];
        for (column, _) in &found {
            starts[*column as usize + 1] += 1;
        }
        for column in 0..width * height {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut crossings = vec![(0.0, 0); found.len()];
        for (column, crossing) in found {
            crossings[next[column as usize] as usize] = crossing;
            next[column as usize] += 1;
        }
        Self {
            width,
            starts,
            crossings,
        }
    }

    /// The votes of the two rays along this axis, each -1, 0 or 1.
    fn votes(&self, i: usize, j: usize, k: usize) -> i32 {
        let column = j * self.width + i;
        let range = self.starts[column] as usize..self.starts[column + 1] as usize;
        let (mut up, mut down) = (0, 0);
        for (along, sign) in &self.crossings[range] {
            if *along > k as f32 {
                up += sign;
            } else {
                down -= sign;
            }
        }
        up.clamp(-1, 1) + down.clamp(-1, 1)
    }
}

/// Whether the projection of a triangle covers `p`. Which side of an edge a
/// point is on is computed from the edge alone, so that of two triangles that
/// share it exactly one covers the point.
fn covers(triangle: &[u32; 3], flat: [[f64; 2]; 3], p: [f64; 2], counter: bool) -> bool {
    (0..3).all(|k| {
        let (a, b) = (k, (k + 1) % 3);
        let forward = triangle[a] < triangle[b];
        let (from, to) = if forward { (a, b) } else { (b, a) };
        let ([ax, ay], [bx, by]) = (flat[from], flat[to]);
        let left = (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) >= 0.0;
        left == (forward == counter)
    })
}
