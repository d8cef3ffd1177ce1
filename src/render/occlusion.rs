//! How much hair and head lie between a point and the light: a coarse grid of
//! optical depths around the hair, swept slice by slice away from each light.
//!
//! The hair's density is its projected area per volume, so an optical depth of
//! one is one strand in the way on average. The head counts as an opaque shell
//! a little under its skin.

mod leap;
mod samples;
#[cfg(test)]
mod tests;

pub(super) use samples::{Shell, samples, shell};

use super::every_third::Third;
use super::gl::{Gl, Texture, TextureFormat, units};
use super::look::widening;
use super::{HeadParts, RenderError};
use crate::groom::file_attributes;
use crate::math::Pose;
use glam::{IVec3, Vec2, Vec3};
use leap::Leap;
use rayon::prelude::*;
use samples::CELL;
use std::sync::Arc;

/// Largest number of cells along an axis; larger boxes have larger cells.
const CELLS: i32 = 56;
/// Hair farther than this from the head's centre casts no shade. `[m]`
const REACH: f32 = 1.2;
/// Optical depth of the head's shell.
const SHELL: f32 = 8.0;
/// The head's depth counts so many times beside the hair's, through which light finds
/// its way: none finds one through a head.
const OPAQUE: f32 = 4.0;
/// How fast the openness of the air falls off with the optical depth in the way. Light
/// scatters around corners: it falls off more slowly than past opaque things. Taste; shaders
/// take openness back to a depth by it (shaders/fibre.glsl).
pub(super) const OPENNESS_FALL: f32 = 0.35;
/// Share of its own cell's depth that is in the way of a point in it: half on average, less
/// the strand itself. Taste.
const OWN_CELL: f32 = 0.35;
/// Diameter of a human hair. `[m]`
const HAIR: f32 = file_attributes::USUAL;

/// Extent of the box in multiples of the cell, so that a box that follows the hair
/// does not flicker.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lattice {
    low: IVec3,
    size: IVec3,
    cell: f32,
}

impl Lattice {
    /// The box around `bounds` with a cell of air on every side.
    fn around([min, max]: [Vec3; 2]) -> Self {
        if !(max - min).is_finite() || (max - min).min_element() < 0.0 {
            return Self::around([Vec3::ZERO; 2]);
        }
        let longest = (max - min).max_element();
        // Cells grow in steps of a quarter, so that they rarely change size.
        let mut cell = CELL;
        while longest / cell > (CELLS - 4) as f32 {
            cell *= 1.25;
        }
        let low = (min / cell).floor().as_ivec3() - 1;
        let high = (max / cell).ceil().as_ivec3() + 1;
        // Odd, for no power of two is: where the processor draws, the driver compiles all
        // shaders that read a picture once more when a side becomes one, for seconds.
        let size = (high - low).max(IVec3::splat(2)) | 1;
        Self { low, size, cell }
    }

    fn len(&self) -> usize {
        (self.size.x * self.size.y * self.size.z) as usize
    }

    /// Adds `amount` to the eight cells around `p` by trilinear weights; points outside
    /// the box add nothing.
    fn spread(&self, cells: &mut [Vec2], p: Vec3, amount: Vec2) {
        let q = p / self.cell - self.low.as_vec3() - 0.5;
        // Truncation is the floor of numbers that are not negative.
        let i = q.as_ivec3();
        if !q.cmpge(Vec3::ZERO).all() || (i + 1).cmpge(self.size).any() {
            return;
        }
        let f = q - i.as_vec3();
        let (row, slice) = (self.size.x as usize, (self.size.x * self.size.y) as usize);
        let first = i.x as usize + i.y as usize * row + i.z as usize * slice;
        for (z, wz) in [(0, 1.0 - f.z), (slice, f.z)] {
            for (y, wy) in [(0, 1.0 - f.y), (row, f.y)] {
                let here = first + y + z;
                cells[here] += amount * (wz * wy * (1.0 - f.x));
                cells[here + 1] += amount * (wz * wy * f.x);
            }
        }
    }
}

/// The boxes and the texture they are read from.
pub(super) struct Occlusion {
    /// Three boxes of the same places, one behind the other:
    /// - optical depth of hair and head towards the four lights,
    /// - mean unoccluded direction, its length growing as occlusion is more one-sided,
    ///   and share of open air,
    /// - hair without the head: depth towards key, fill and rims; share of open air.
    boxes: Texture,
    samples: Vec<(u32, f32)>,
    /// Positions of the samples near the head, and their lengths. `[m]`
    sample_points: Vec<(Vec3, f32)>,
    leap: Leap,
    /// Whether hair or head are others than those that the boxes are of.
    dirty: bool,
    /// Width of hair that each simulated strand represents. `[m]`
    cover: f32,
    parts: Option<Arc<HeadParts>>,
    /// The places of the head's vertices where its skin is deformed; else empty. `[m]`
    deformed: Vec<Vec3>,
    middle: Vec3,
    lattice: Lattice,
    /// Hair and head: optical depth for each metre.
    density: Vec<Vec2>,
    head_density: Vec<f32>,
    head_done: Option<(Lattice, Pose)>,
    swept: Option<([Vec3; 4], Pose)>,
    /// Number of updates of the texture.
    sweeps: u64,
    /// Placement of the box that the texture covers.
    place: Place,
}

/// Placement of the box, for the shaders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The lowest corner. `[m]`
    pub low: Vec3,
    /// One over the size. `[1/m]`
    pub scale: Vec3,
}

impl Place {
    fn of(lattice: &Lattice) -> Self {
        Self {
            low: lattice.low.as_vec3() * lattice.cell,
            scale: 1.0 / (lattice.size.as_vec3() * lattice.cell),
        }
    }
}

impl Occlusion {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let lattice = Lattice::around([Vec3::ZERO; 2]);
        Ok(Self {
            boxes: Texture::new(gl, TextureFormat::Volume)?,
            samples: Vec::new(),
            sample_points: Vec::new(),
            leap: Leap::default(),
            dirty: false,
            cover: HAIR,
            parts: None,
            deformed: Vec::new(),
            middle: Vec3::ZERO,
            lattice,
            density: vec![Vec2::ZERO; lattice.len()],
            head_density: Vec::new(),
            head_done: None,
            swept: None,
            sweeps: 0,
            place: Place::of(&lattice),
        })
    }

    /// Takes the head that blocks light.
    pub fn take_head(&mut self, parts: &Arc<HeadParts>) {
        self.parts = Some(parts.clone());
        let [min, max] = parts.bounds;
        let middle = (min + max) * 0.5;
        self.middle = Some(middle)
            .filter(|middle| middle.is_finite())
            .unwrap_or_default();
        self.deformed.clear();
        self.head_done = None;
        self.swept = None;
    }

    /// Deforms the head's skin: `positions` of all vertices of its mesh in the head's
    /// space; any other number of them restores the rest shape. `[m]`
    pub fn deform_head(&mut self, positions: &[Vec3]) {
        let parts = self.parts.as_deref();
        let vertices = parts.map_or(0, |parts| parts.made.bones.normals.len());
        self.deformed.clear();
        if positions.len() == vertices {
            self.deformed.extend_from_slice(positions);
        }
        self.head_done = None;
        self.dirty = true;
    }

    /// Takes the points that sample the hair of so many strands.
    pub fn take_groom(&mut self, samples: &[(u32, f32)], strands: usize) {
        self.samples = samples.to_vec();
        self.cover = cover(strands, strands);
    }

    /// Scales the density so that `strands` simulated strands shade like `drawn` ones.
    pub fn set_cover(&mut self, strands: usize, drawn: usize) {
        let cover = cover(strands, drawn);
        // Without hair the cover is zero.
        let change = if self.cover > 0.0 {
            cover / self.cover
        } else {
            1.0
        };
        self.density.iter_mut().for_each(|cell| cell.x *= change);
        self.cover = cover;
        self.swept = None;
    }

    /// Takes new positions of the hair in world space. `[m]`
    pub fn spread(&mut self, positions: &[Vec3], pose: Pose) {
        self.leap.follow(positions, &self.samples);
        let middle = pose.point(self.middle);
        let near = |p: &Vec3| p.distance_squared(middle) < REACH * REACH;
        let points = self.samples.iter();
        let points = points
            .filter_map(|(point, length)| positions.get(*point as usize).map(|p| (*p, *length)))
            .filter(|(p, _)| near(p));
        self.sample_points.clear();
        self.sample_points.extend(points);
        self.dirty = true;
    }

    /// Places the box around the samples and computes the hair's density in it.
    fn rebuild_density(&mut self) {
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let points = self.sample_points.iter();
        let bounds = points.fold(start, |[min, max], (p, _)| [min.min(*p), max.max(*p)]);
        self.lattice = Lattice::around(bounds);
        self.density.clear();
        self.density.resize(self.lattice.len(), Vec2::ZERO);
        let scale = self.cover / self.lattice.cell.powi(3);
        for (p, length) in &self.sample_points {
            self.lattice
                .spread(&mut self.density, *p, Vec2::new(length * scale, 0.0));
        }
        self.dirty = false;
    }

    /// Whether hair came so far since the texture was updated that late shade would be seen.
    pub fn has_leapt(&self, pose: Pose) -> bool {
        self.dirty && self.leap.is_far(pose)
    }

    /// Updates the texture if hair, head or lights have changed; in `swift` frames only in
    /// its own third of them, unless the lights have changed. `lights` are unit directions
    /// towards them.
    pub fn update(&mut self, lights: [Vec3; 4], pose: Pose, swift: Option<Third>) -> Place {
        if !self.dirty && self.swept == Some((lights, pose)) {
            return self.place;
        }
        let same_lights = self.swept.is_some_and(|(before, _)| before == lights);
        if same_lights && swift.is_some_and(|third| !third.makes(Third::Shade)) {
            return self.place;
        }
        if self.dirty {
            self.rebuild_density();
        }
        self.place = Place::of(&self.lattice);
        self.place_head(pose);
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [axis, -axis]);
        let ways: Vec<Vec3> = lights
            .into_iter()
            .chain(axes.as_flattened().iter().copied())
            .collect();
        let sweeps = ways.par_iter();
        let sweeps = sweeps.map(|way| sweep(&self.density, &self.lattice, *way));
        let sweeps: Vec<Vec<Vec2>> = sweeps.collect();
        let (depths, axes) = sweeps.split_at(lights.len());
        // As an exponential begins; then more slowly.
        let open = |depth: f32| {
            let x = OPENNESS_FALL * depth;
            1.0 / (1.0 + x + 0.5 * x * x)
        };
        let n = self.lattice.len();
        let mut numbers = vec![[0.0; 4]; 3 * n];
        let (towards, others) = numbers.split_at_mut(n);
        let (around, alone) = others.split_at_mut(n);
        for i in 0..n {
            let [key, fill, rim, rim2] = [0, 1, 2, 3].map(|light: usize| depths[light][i]);
            towards[i] = [key, fill, rim, rim2].map(|depth| depth.x + OPAQUE * depth.y);
            let mut bent = [0.0; 4];
            let mut hair_open = 0.0;
            for (axis, ways) in axes.chunks_exact(2).enumerate() {
                let (up, down) = (&ways[0], &ways[1]);
                let (u, d) = (
                    open(up[i].x + OPAQUE * up[i].y),
                    open(down[i].x + OPAQUE * down[i].y),
                );
                bent[axis] = u - d;
                bent[3] += (u + d) / 6.0;
                hair_open += (open(up[i].x) + open(down[i].x)) / 6.0;
            }
            around[i] = bent;
            alone[i] = [key.x, fill.x, 0.5 * (rim.x + rim2.x), hair_open];
        }
        let [x, y, z] = self.lattice.size.to_array().map(|s| s as usize);
        self.boxes
            .set_volume(units::OCCLUSION, [x, y, 3 * z], &numbers);
        self.swept = Some((lights, pose));
        self.leap.shaded(pose);
        self.sweeps += 1;
        self.place
    }

    /// Lets shaders read the boxes.
    pub fn bind(&self) {
        self.boxes.bind(units::OCCLUSION);
    }

    /// Number of updates of the texture, which tells whether it has changed.
    pub fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// Adds the head's shell to the density, computed again if box or pose changed.
    fn place_head(&mut self, pose: Pose) {
        if self.head_done != Some((self.lattice, pose)) {
            let (lattice, positions) = (&self.lattice, &self.deformed);
            self.head_density = match self.parts.as_deref() {
                None => vec![0.0; lattice.len()],
                Some(parts) if positions.is_empty() => {
                    head_density(lattice, parts.shell.iter().copied(), pose)
                }
                Some(parts) => {
                    let triangles = &parts.made.bones.triangles;
                    let shell = parts.shell.iter();
                    head_density(
                        lattice,
                        shell.map(|part| part.on(triangles, positions)),
                        pose,
                    )
                }
            };
            self.head_done = Some((*lattice, pose));
        }
        for (cell, head) in self.density.iter_mut().zip(&self.head_density) {
            cell.y = *head;
        }
    }
}

/// Optical depth for each metre of a head with this shell, in each cell.
fn head_density(lattice: &Lattice, shell: impl Iterator<Item = Shell>, pose: Pose) -> Vec<f32> {
    let mut cells = vec![Vec2::ZERO; lattice.len()];
    let volume = lattice.cell.powi(3);
    for shell in shell {
        // The shell lies under the skin, so that it does not shade the roots.
        let inner = shell.position - shell.normal * (1.4 * lattice.cell);
        let amount = Vec2::new(0.0, SHELL * shell.area / volume);
        lattice.spread(&mut cells, pose.point(inner), amount);
    }
    cells.iter().map(|cell| cell.y).collect()
}

/// Optical depth (hair, head) from each cell towards a light in `direction`
/// (unit). One slice is reached from the one before it by linear interpolation.
fn sweep(density: &[Vec2], lattice: &Lattice, direction: Vec3) -> Vec<Vec2> {
    let size = lattice.size.to_array().map(|s| s as usize);
    let strides = [1, size[0], size[0] * size[1]];
    let d = direction.to_array();
    let a = (0..3).fold(
        0,
        |best, i| if d[i].abs() > d[best].abs() { i } else { best },
    );
    let [b, c] = [(a + 1) % 3, (a + 2) % 3];
    let step = lattice.cell / d[a].abs().max(1e-6);
    // Where the ray to the light crosses the slice before, in cells.
    let [shift_b, shift_c] = [b, c].map(|i| d[i] / d[a].abs().max(1e-6));
    let [whole_b, whole_c] = [shift_b.floor(), shift_c.floor()];
    let (fb, fc) = (shift_b - whole_b, shift_c - whole_c);
    let weights = [
        (1.0 - fb) * (1.0 - fc),
        fb * (1.0 - fc),
        (1.0 - fb) * fc,
        fb * fc,
    ];
    // A margin of two empty cells makes tests for the border unnecessary.
    const MARGIN: usize = 2;
    let row = size[b] + 2 * MARGIN;
    let mut before = vec![Vec2::ZERO; row * (size[c] + 2 * MARGIN)];
    let mut after = before.clone();
    let mut depths = vec![Vec2::ZERO; density.len()];
    for k in 0..size[a] {
        let slice = if d[a] > 0.0 { size[a] - 1 - k } else { k };
        for j in 0..size[c] {
            let from_c = (j + MARGIN) as isize + whole_c as isize;
            for i in 0..size[b] {
                let from = from_c * row as isize + (i + MARGIN) as isize + whole_b as isize;
                let from = from as usize;
                let reached = before[from] * weights[0]
                    + before[from + 1] * weights[1]
                    + before[from + row] * weights[2]
                    + before[from + row + 1] * weights[3];
                let cell = slice * strides[a] + i * strides[b] + j * strides[c];
                let own = density[cell] * step;
                depths[cell] = reached + own * OWN_CELL;
                after[(j + MARGIN) * row + i + MARGIN] = reached + own;
            }
        }
        std::mem::swap(&mut before, &mut after);
    }
    depths
}

/// Width of hair that one of `strands` represents where `drawn` are drawn: few thick
/// strands block as much light as many thin ones, up to a limit. `[m]`
fn cover(strands: usize, drawn: usize) -> f32 {
    let width = HAIR * widening(drawn);
    width * drawn as f32 / strands.max(1) as f32
}
