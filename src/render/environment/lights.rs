//! The lights of an environment: what is brighter than the room around it, taken out in
//! cones.
//!
//! Other methods (median cut, Debevec 2005) share out all of the light among lights. With
//! four that would give an overcast sky four sharp shadows; here what is as bright as the
//! room stays light from everywhere.

use super::BRIGHTNESS;
use crate::io::panorama::Panorama;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Half the opening of the cone that one light gathers fully, and where it ends. `[°]`
const FULL: f64 = 25.0;
const END: f64 = 40.0;
/// A cone with less light over the room's than this is none: mean brightness within it,
/// in multiples of the room's.
const STANDS_OUT: f64 = 1.8;
/// A light with a smaller share of all light than this is none.
const LEAST: f64 = 0.01;
/// Width of the grid on which cones are looked for. `[px]`
const COARSE: usize = 64;

/// Light from one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Light {
    /// Unit length.
    pub towards: Vec3,
    /// Irradiance of a surface that faces it.
    pub colour: Vec3,
}

/// Light from a part of the sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Where most of its light comes from; unit length.
    pub towards: DVec3,
    /// Mean radiance.
    pub light: DVec3,
    /// Its size. `[sr]`
    pub solid: f64,
}

impl Cell {
    fn luminance(&self) -> f64 {
        self.light.dot(BRIGHTNESS)
    }

    /// All light of a picture in cells, at most `width` around the horizon.
    pub fn all_of(picture: &Panorama, width: usize) -> Vec<Self> {
        let (from_width, from_height) = (picture.width(), picture.height());
        let width = width.min(from_width);
        let height = (width / 2).max(1);
        let none = Self {
            towards: DVec3::ZERO,
            light: DVec3::ZERO,
            solid: 0.0,
        };
        let directions = picture.directions();
        let mut cells = vec![none; width * height];
        // Texels of a cell are added in one order, whatever thread does it.
        let rows = cells.par_chunks_mut(width).enumerate();
        rows.for_each(|(row, cells)| {
            let first = |row: usize| (row * from_height).div_ceil(height);
            for y in first(row)..first(row + 1) {
                let solid = picture.solid_angle(y);
                let texels = &picture.texels()[y * from_width..][..from_width];
                for (x, texel) in texels.iter().enumerate() {
                    let towards = Vec3::from(directions.at(x, y)).as_dvec3();
                    let cell = &mut cells[x * width / from_width];
                    cell.add(towards, Vec3::from(*texel).as_dvec3(), solid);
                }
            }
            cells.iter_mut().for_each(|cell| *cell = cell.mean());
        });
        cells
    }

    fn add(&mut self, towards: DVec3, light: DVec3, solid: f64) {
        // A little for those that are dark.
        self.towards += towards * (solid * (light.dot(BRIGHTNESS) + 1e-9));
        self.light += light * solid;
        self.solid += solid;
    }

    fn mean(self) -> Self {
        Self {
            towards: self.towards.normalize_or(DVec3::Y),
            light: self.light / self.solid.max(f64::MIN_POSITIVE),
            solid: self.solid,
        }
    }
}

/// How much of the light at this cosine to its middle a cone gathers, 0..=1.
fn gathers(cosine: f64) -> f64 {
    let [full, end] = [FULL, END].map(|angle| angle.to_radians().cos());
    let x = ((cosine - end) / (full - end)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// How bright the room is beside what is bright in it: the mean of what is cut at twice
/// that mean.
fn room(cells: &[Cell]) -> f64 {
    let whole: f64 = cells.iter().map(|cell| cell.solid).sum();
    let mean = |most: f64| {
        let cut = |cell: &Cell| cell.luminance().min(most) * cell.solid;
        cells.iter().map(cut).sum::<f64>() / whole
    };
    (0..12).fold(mean(f64::INFINITY), |level, _| mean(2.0 * level))
}

/// Takes up to four lights out of `cells`, the strongest first, and beside them what is
/// to be given back to all directions, as radiance times solid angle: a light from a cone
/// shines a little less on a surface that faces it than its parts have together.
///
/// So as much light falls on each point as before, and it comes from the same side.
pub(super) fn take(cells: &mut [Cell]) -> ([Light; 4], DVec3) {
    let none = Light {
        towards: Vec3::Y,
        colour: Vec3::ZERO,
    };
    let (mut lights, mut spread) = (Vec::new(), DVec3::ZERO);
    let level = room(cells);
    let all: f64 = cells.iter().map(|cell| cell.luminance() * cell.solid).sum();
    for _ in 0..4 {
        let Some(middle) = brightest(cells, level) else {
            break;
        };
        // Where its light comes from is the middle of what is gathered.
        let gathered = |middle: DVec3, cell: &Cell| {
            let over = 1.0 - level / cell.luminance().max(f64::MIN_POSITIVE);
            cell.light * (over.max(0.0) * gathers(cell.towards.dot(middle)))
        };
        let mean = |middle: DVec3| -> DVec3 {
            let part = |cell: &Cell| {
                let light = gathered(middle, cell);
                cell.towards * (light.dot(BRIGHTNESS) * cell.solid)
            };
            cells.iter().map(part).sum()
        };
        let middle = mean(mean(middle).normalize_or(middle)).normalize_or(middle);
        let (mut sum, mut towards) = (DVec3::ZERO, DVec3::ZERO);
        for cell in cells.iter() {
            let light = gathered(middle, cell) * cell.solid;
            sum += light;
            towards += cell.towards * light.dot(BRIGHTNESS);
        }
        let brightness = sum.dot(BRIGHTNESS);
        if brightness < LEAST * all {
            break;
        }
        for cell in cells.iter_mut() {
            cell.light -= gathered(middle, cell);
        }
        let share = (towards.length() / brightness).min(1.0);
        spread += sum * (1.0 - share);
        lights.push(Light {
            towards: towards.normalize_or(middle).as_vec3(),
            colour: (sum * share).as_vec3(),
        });
    }
    let bright = |light: &Light| light.colour.as_dvec3().dot(BRIGHTNESS);
    lights.sort_by(|a, b| bright(b).total_cmp(&bright(a)));
    lights.resize(4, none);
    let lights = std::array::from_fn(|index| lights[index]);
    (lights, spread)
}

/// A cell of the grid on which cones are looked for: sums over its solid angle.
#[derive(Clone, Copy, Default)]
struct CoarseCell {
    /// Towards its middle; unit length once it is whole.
    middle: DVec3,
    luminance: f64,
    /// Luminance over the room's.
    over: f64,
    solid: f64,
}

impl CoarseCell {
    /// `cells`, whose rows are twice as long as there are rows, joined to at most
    /// [`COARSE`] a row.
    fn all_of(cells: &[Cell], level: f64) -> Vec<Self> {
        let fine = ((2.0 * cells.len() as f64).sqrt().round() as usize).max(2);
        let width = fine.min(COARSE);
        let (height, rows) = (width / 2, fine / 2);
        let mut joined = vec![Self::default(); width * height];
        for (index, cell) in cells.iter().enumerate() {
            let (x, y) = (index % fine, (index / fine).min(rows - 1));
            let to = &mut joined[y * height / rows * width + x * width / fine];
            to.middle += cell.towards * cell.solid;
            to.luminance += cell.luminance() * cell.solid;
            to.over += (cell.luminance() - level).max(0.0) * cell.solid;
            to.solid += cell.solid;
        }
        let joined = joined.into_iter().map(|cell| Self {
            middle: cell.middle.normalize_or(DVec3::Y),
            ..cell
        });
        joined.collect()
    }
}

/// The middle of the cone that has the most light over the room's `level`; none where
/// none stands out.
fn brightest(cells: &[Cell], level: f64) -> Option<DVec3> {
    let coarse = CoarseCell::all_of(cells, level);
    let (mut most, mut found) = (0.0, None);
    for cone in &coarse {
        let (mut over, mut luminance, mut solid) = (0.0, 0.0, 0.0);
        for cell in &coarse {
            let part = gathers(cell.middle.dot(cone.middle));
            over += part * cell.over;
            luminance += part * cell.luminance;
            solid += part * cell.solid;
        }
        if over > most && luminance > STANDS_OUT * level * solid {
            (most, found) = (over, Some(cone.middle));
        }
    }
    found
}
