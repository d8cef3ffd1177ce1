//! Strands as soft strokes, drawn by the processor: what `shaders/stroke.*` draw in a
//! moving picture, and `shaders/ribbon.*` in any other, without a graphics card. A driver
//! that draws in software prepares them one by one on one thread, which takes longer than
//! their pixels; here every thread prepares and draws.
//!
//! The picture is cut into bands, and those into tiles. Segments are binned by the tiles
//! that they touch, batch by batch, and a tile takes its own batch by batch: they lie over
//! one another in the order of the list, whoever draws.

mod bins;
mod pixel;
mod screen_point;
#[cfg(test)]
mod tests;
mod tile;

pub use pixel::StrokePixel;
pub use screen_point::Area;

use crate::math::work::{Work, work};
use bins::SegmentBins;
use glam::{Mat4, Vec4};
use rayon::prelude::*;
use screen_point::{ScreenPoint, TILE};
use tile::Tile;

/// Segments that are binned together.
const BATCH: usize = 4096;

/// Segments of a tile whose ends are fetched together. They lie far apart in memory, and
/// what is asked for at once is waited for at once.
const TOGETHER: usize = 16;

/// What is drawn.
pub struct Strokes<'a> {
    /// Places of all points `[m]`; the fourth number is not read.
    pub points: &'a [[f32; 4]],
    /// Colours of the points, as `shaders/shade.vert` makes them for a moving picture or
    /// for any other; the fourth number is the strand's direction in the picture. `[rad]`
    pub colours: &'a [[f32; 4]],
    /// Numbers of the points that each segment joins, the farthest segment first.
    pub segments: &'a [[u32; 2]],
    /// To clip space.
    pub view_projection: Mat4,
    /// Size of the picture. `[px]`
    pub size: [u32; 2],
}

/// Draws strokes, and keeps its memory from frame to frame.
#[derive(Default)]
pub struct StrokeRaster {
    places: Vec<ScreenPoint>,
    bins: Vec<SegmentBins>,
}

impl StrokeRaster {
    /// Finds out where the `strokes` are. `width` is that of the point of that number
    /// at a distance of one. Answers the part of the picture that they may cover, which
    /// [`StrokeRaster::draw`] draws; `None` where they cover none. `[px m]`
    pub fn place(
        &mut self,
        strokes: &Strokes,
        width: impl Fn(usize) -> f32 + Sync,
    ) -> Option<Area> {
        let size = strokes.size.map(|side| side as f32);
        let to_clip = strokes.view_projection;
        let spot = |(i, point): (usize, &[f32; 4])| {
            let clip = to_clip * Vec4::new(point[0], point[1], point[2], 1.0);
            let near = clip.w.recip();
            ScreenPoint {
                at: [0, 1].map(|axis| (0.5 * clip[axis] * near + 0.5) * size[axis]),
                depth: match clip.w > 0.0 && clip.z >= -clip.w {
                    true => 0.5 * clip.z * near + 0.5,
                    false => f32::NAN,
                },
                width: width(i) * near,
            }
        };
        let points = strokes.points.par_iter().enumerate();
        points.map(spot).collect_into_vec(&mut self.places);
        let nothing = [f32::INFINITY, f32::INFINITY, -f32::INFINITY, -f32::INFINITY];
        let join = |a: [f32; 4], b: [f32; 4]| {
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[2].max(b[2]),
                a[3].max(b[3]),
            ]
        };
        let seen = |spot: &ScreenPoint| match spot.depth.is_nan() {
            true => nothing,
            false => {
                let ([x, y], reach) = (spot.at, spot.width + 1.0);
                [x - reach, y - reach, x + reach, y + reach]
            }
        };
        let bounds = self.places.par_iter().map(seen);
        let [left, low, right, high] = bounds.reduce(|| nothing, join);
        let inside = |v: f32, side: f32| v.clamp(0.0, side) as u32;
        let corner = [inside(left.floor(), size[0]), inside(low.floor(), size[1])];
        let end = [inside(right.ceil(), size[0]), inside(high.ceil(), size[1])];
        let size = [0, 1].map(|axis| end[axis].saturating_sub(corner[axis]));
        (size[0] > 0 && size[1] > 0).then_some(Area { corner, size })
    }

    /// Draws the `strokes` that were [placed](Self::place) over nothing, where nothing in
    /// front of them stands: `depths` has the depths of each pixel of the `area`, row after
    /// row from below. Writes `pixels` in that order, colours times cover and cover.
    pub fn draw<P: StrokePixel>(
        &mut self,
        strokes: &Strokes,
        area: Area,
        depths: &[P::Depths],
        pixels: &mut Vec<P>,
    ) {
        let [width, height] = area.size.map(|side| side as usize);
        let tiles = [width.div_ceil(TILE[0]), height.div_ceil(TILE[1])];
        let places = &self.places;
        let batches = strokes.segments.len().div_ceil(BATCH);
        self.bins
            .resize_with(batches.max(self.bins.len()), SegmentBins::default);
        let bins = &mut self.bins[..batches];
        bins.par_iter_mut()
            .zip(strokes.segments.par_chunks(BATCH))
            .for_each(|(batch, segments)| batch.bin(places, segments, area, tiles));
        let bins = &*bins;
        pixels.resize(width * height, P::of(P::EMPTY));
        let bands = pixels.par_chunks_mut(width * TILE[1]);
        let depths = depths.par_chunks(width * TILE[1]);
        bands.zip(depths).enumerate().for_each_init(
            || vec![P::EMPTY; TILE[0] * TILE[1]],
            |sums, (number, (pixels, depths))| {
                work(Band {
                    strokes,
                    places,
                    bins,
                    area,
                    number,
                    pixels,
                    depths,
                    sums,
                });
            },
        );
    }
}

/// A row of tiles.
struct Band<'a, P: StrokePixel> {
    strokes: &'a Strokes<'a>,
    places: &'a [ScreenPoint],
    bins: &'a [SegmentBins],
    area: Area,
    /// Which it is, from below.
    number: usize,
    /// What is drawn, row after row.
    pixels: &'a mut [P],
    /// Depths of the same pixels.
    depths: &'a [P::Depths],
    /// Room for a tile.
    sums: &'a mut [P::Sum],
}

impl<P: StrokePixel> Work for Band<'_, P> {
    #[inline(always)]
    fn run(self) {
        let width = self.area.size[0] as usize;
        let rows = self.pixels.len() / width;
        let columns = width.div_ceil(TILE[0]);
        for column in 0..columns {
            let corner = [column * TILE[0], self.number * TILE[1]];
            let mut tile = Tile::<P> {
                sums: self.sums,
                depths: &self.depths[corner[0]..],
                width,
                size: [TILE[0].min(width - corner[0]), rows],
                corner: [0, 1].map(|axis| (corner[axis] as u32 + self.area.corner[axis]) as f32),
            };
            let number = self.number * columns + column;
            let mut drawn = false;
            let segments = self.strokes.segments.chunks(BATCH);
            for (batch, segments) in self.bins.iter().zip(segments) {
                for together in batch.of_tile(number).chunks(TOGETHER) {
                    if !drawn {
                        tile.sums.fill(P::EMPTY);
                        drawn = true;
                    }
                    let mut ends = [[(ScreenPoint::default(), Vec4::ZERO); 2]; TOGETHER];
                    for (ends, segment) in ends.iter_mut().zip(together) {
                        for (end, i) in ends.iter_mut().zip(segments[*segment as usize]) {
                            let colour = self.strokes.colours[i as usize];
                            *end = (self.places[i as usize], Vec4::from(colour));
                        }
                    }
                    for ends in &ends[..together.len()] {
                        tile.stroke(*ends);
                    }
                }
            }
            tile.finish(&mut self.pixels[corner[0]..], drawn);
        }
    }
}
