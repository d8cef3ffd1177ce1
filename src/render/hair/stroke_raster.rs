//! Strands as soft strokes, drawn by the processor: what `shaders/stroke.*` draw, for a
//! moving picture without a graphics card. A driver that draws in software prepares
//! lines one by one on one thread, which takes longer than their pixels; here every
//! thread prepares and draws.
//!
//! The picture is cut into bands, and those into tiles. Parts of the list of segments
//! are noted under the tiles that they touch, and a tile takes its segments part by
//! part: they lie over one another in the order of the list, whoever draws.

use crate::sim::solver::dispatch::{self, Work};
use glam::{Mat4, Vec4};
use rayon::prelude::*;

/// Width and height of a tile. `[px]`
const TILE: [usize; 2] = [64, 32];

/// Segments that are noted together.
const PART: usize = 4096;

/// What is drawn.
pub struct Strokes<'a> {
    /// Places of all points `[m]`; the fourth number is not read.
    pub points: &'a [[f32; 4]],
    /// Display colours of the points, 0..=1; the fourth number is not read.
    pub colours: &'a [[f32; 4]],
    /// Numbers of the points that each segment joins, the farthest segment first.
    pub segments: &'a [[u32; 2]],
    /// To clip space.
    pub view_projection: Mat4,
    /// Size of the picture. `[px]`
    pub size: [u32; 2],
}

/// A rectangle of the picture: its lower left corner, its width and height. `[px]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The lower left corner.
    pub corner: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

/// A point in the picture.
#[derive(Clone, Copy, Default)]
struct Spot {
    /// From the lower left corner. `[px]`
    at: [f32; 2],
    /// As a depth buffer has it: 0 near, 1 far; not a number behind the eye.
    depth: f32,
    /// Width of the strand. `[px]`
    width: f32,
}

/// Segments by the tiles that they touch.
#[derive(Default)]
struct Part {
    /// Tile and segment, in the list's order.
    noted: Vec<[u32; 2]>,
    /// Where the segments of each tile begin in `sorted`, and the end.
    starts: Vec<u32>,
    /// Numbers of the segments, tile after tile, in the list's order within each.
    sorted: Vec<u32>,
}

/// Draws strokes, and keeps its memory from frame to frame.
#[derive(Default)]
pub struct StrokeRaster {
    spots: Vec<Spot>,
    parts: Vec<Part>,
    pixels: Vec<[u8; 4]>,
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
            Spot {
                at: [0, 1].map(|axis| (0.5 * clip[axis] * near + 0.5) * size[axis]),
                depth: match clip.w > 0.0 {
                    true => 0.5 * clip.z * near + 0.5,
                    false => f32::NAN,
                },
                width: width(i) * near,
            }
        };
        let points = strokes.points.par_iter().enumerate();
        points.map(spot).collect_into_vec(&mut self.spots);
        let nothing = [f32::INFINITY, f32::INFINITY, -f32::INFINITY, -f32::INFINITY];
        let join = |a: [f32; 4], b: [f32; 4]| {
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[2].max(b[2]),
                a[3].max(b[3]),
            ]
        };
        let seen = |spot: &Spot| match spot.depth.is_nan() {
            true => nothing,
            false => {
                let ([x, y], reach) = (spot.at, spot.width + 1.0);
                [x - reach, y - reach, x + reach, y + reach]
            }
        };
        let bounds = self.spots.par_iter().map(seen);
        let [left, low, right, high] = bounds.reduce(|| nothing, join);
        let inside = |v: f32, side: f32| v.clamp(0.0, side) as u32;
        let corner = [inside(left.floor(), size[0]), inside(low.floor(), size[1])];
        let end = [inside(right.ceil(), size[0]), inside(high.ceil(), size[1])];
        let size = [0, 1].map(|axis| end[axis].saturating_sub(corner[axis]));
        (size[0] > 0 && size[1] > 0).then_some(Area { corner, size })
    }

    /// Draws the `strokes` that were [placed](Self::place) over nothing, where nothing in
    /// front of them stands: `depth` has the depth of each pixel of the `area`, row after
    /// row from below. Answers its pixels in that order, colours times cover and cover.
    pub fn draw(&mut self, strokes: &Strokes, area: Area, depth: &[f32]) -> &[[u8; 4]] {
        let [width, height] = area.size.map(|side| side as usize);
        let tiles = [width.div_ceil(TILE[0]), height.div_ceil(TILE[1])];
        let spots = &self.spots;
        let parts = strokes.segments.len().div_ceil(PART);
        self.parts
            .resize_with(parts.max(self.parts.len()), Part::default);
        let parts = &mut self.parts[..parts];
        parts
            .par_iter_mut()
            .zip(strokes.segments.par_chunks(PART))
            .for_each(|(part, segments)| part.note(spots, segments, area, tiles));
        let parts = &*parts;
        self.pixels.resize(width * height, [0; 4]);
        let bands = self.pixels.par_chunks_mut(width * TILE[1]);
        let depths = depth.par_chunks(width * TILE[1]);
        bands.zip(depths).enumerate().for_each_init(
            || vec![Vec4::ZERO; TILE[0] * TILE[1]],
            |colours, (number, (pixels, depths))| {
                dispatch::work(Band {
                    strokes,
                    spots,
                    parts,
                    area,
                    number,
                    pixels,
                    depths,
                    colours,
                });
            },
        );
        &self.pixels
    }
}

/// A row of tiles.
struct Band<'a> {
    strokes: &'a Strokes<'a>,
    spots: &'a [Spot],
    parts: &'a [Part],
    area: Area,
    /// Which it is, from below.
    number: usize,
    /// What is drawn, row after row.
    pixels: &'a mut [[u8; 4]],
    /// Depths of the same pixels.
    depths: &'a [f32],
    /// Room for a tile's colours.
    colours: &'a mut [Vec4],
}

impl Work for Band<'_> {
    #[inline(always)]
    fn run(self) {
        let width = self.area.size[0] as usize;
        let rows = self.pixels.len() / width;
        let columns = width.div_ceil(TILE[0]);
        for column in 0..columns {
            let corner = [column * TILE[0], self.number * TILE[1]];
            let mut tile = Tile {
                colours: self.colours,
                depths: &self.depths[corner[0]..],
                width,
                size: [TILE[0].min(width - corner[0]), rows],
                corner: [0, 1].map(|axis| (corner[axis] as u32 + self.area.corner[axis]) as f32),
            };
            let number = self.number * columns + column;
            let mut drawn = false;
            let segments = self.strokes.segments.chunks(PART);
            for (part, segments) in self.parts.iter().zip(segments) {
                for segment in part.of_tile(number) {
                    if !drawn {
                        tile.colours.fill(Vec4::ZERO);
                        drawn = true;
                    }
                    let ends = segments[*segment as usize].map(|i| i as usize);
                    let ends = ends.map(|i| (self.spots[i], Vec4::from(self.strokes.colours[i])));
                    tile.stroke(ends);
                }
            }
            tile.finish(&mut self.pixels[corner[0]..], drawn);
        }
    }
}

impl Part {
    /// Notes which of `tiles` columns and rows in the `area` its `segments` touch.
    fn note(&mut self, spots: &[Spot], segments: &[[u32; 2]], area: Area, tiles: [usize; 2]) {
        self.noted.clear();
        self.starts.clear();
        self.starts.resize(tiles[0] * tiles[1] + 1, 0);
        let corner = area.corner.map(|side| side as f32);
        for (number, ends) in segments.iter().enumerate() {
            let [a, b] = ends.map(|i| &spots[i as usize]);
            if !(a.depth + b.depth).is_finite() {
                continue;
            }
            let reach = 0.71 * a.width.max(b.width) + 1.0;
            let range = |axis: usize| {
                let [from, to] = [a.at[axis].min(b.at[axis]), a.at[axis].max(b.at[axis])];
                let first = (from - reach - corner[axis]) / TILE[axis] as f32;
                let last = (to + reach - corner[axis]) / TILE[axis] as f32;
                // What is outside has an empty range.
                first.max(0.0) as usize..((last + 1.0).max(0.0) as usize).min(tiles[axis])
            };
            for row in range(1) {
                for column in range(0) {
                    let tile = row * tiles[0] + column;
                    self.noted.push([tile as u32, number as u32]);
                    self.starts[tile + 1] += 1;
                }
            }
        }
        // A counting sort keeps the order within a tile.
        for tile in 1..self.starts.len() {
            self.starts[tile] += self.starts[tile - 1];
        }
        self.sorted.clear();
        self.sorted.resize(self.noted.len(), 0);
        for [tile, segment] in self.noted.iter().rev() {
            let end = &mut self.starts[*tile as usize + 1];
            *end -= 1;
            self.sorted[*end as usize] = *segment;
        }
        // Each start is now where the tile before it begins.
        self.starts.remove(0);
        self.starts.push(self.noted.len() as u32);
    }

    /// The segments that touch that tile.
    #[inline(always)]
    fn of_tile(&self, tile: usize) -> &[u32] {
        &self.sorted[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// A tile that is drawn.
struct Tile<'a> {
    /// Colours times cover, and cover.
    colours: &'a mut [Vec4],
    /// Depths, from the tile's first pixel on.
    depths: &'a [f32],
    /// From a row to the next in `depths`.
    width: usize,
    /// Columns and rows.
    size: [usize; 2],
    /// The lower left corner in the picture. `[px]`
    corner: [f32; 2],
}

impl Tile<'_> {
    /// Draws a segment over what is there.
    #[inline(always)]
    fn stroke(&mut self, [a, b]: [(Spot, Vec4); 2]) {
        let [x, y] = [0, 1].map(|axis| (b.0.at[axis] - a.0.at[axis]).abs());
        match x < y {
            true => self.walk::<1>([a, b]),
            false => self.walk::<0>([a, b]),
        }
    }

    /// The same for a segment whose longer side is along `AXIS`: as OpenGL has it, one
    /// cross section for each column, or row, whose middle it passes.
    #[inline(always)]
    fn walk<const AXIS: usize>(&mut self, [mut a, mut b]: [(Spot, Vec4); 2]) {
        let across = 1 - AXIS;
        if b.0.at[AXIS] < a.0.at[AXIS] {
            std::mem::swap(&mut a, &mut b);
        }
        let start = a.0.at[AXIS] - self.corner[AXIS] - 0.5;
        let side = a.0.at[across] - self.corner[across] - 0.5;
        let length = b.0.at[AXIS] - a.0.at[AXIS];
        let last = (start + length).ceil().min(self.size[AXIS] as f32);
        let first = start.ceil().max(0.0);
        if first >= last {
            return;
        }
        let per_pixel = length.recip();
        let slope = (b.0.at[across] - a.0.at[across]) * per_pixel;
        let slant = (1.0 + slope * slope).sqrt();
        let straight = slant.recip();
        let [width, depth] = [[a.0.width, b.0.width], [a.0.depth, b.0.depth]]
            .map(|[from, to]| [from, (to - from) * per_pixel]);
        let colour = [a.1, (b.1 - a.1) * per_pixel];
        for i in first as usize..last as usize {
            let along = i as f32 - start;
            let middle = side + slope * along;
            let wide = width[0] + width[1] * along;
            let here = depth[0] + depth[1] * along;
            let light = (colour[0] + colour[1] * along).with_w(1.0);
            let (reach, most) = (0.5 * wide + 0.5, wide.min(1.0));
            let from = (middle - reach * slant).ceil().max(0.0);
            let to = (middle + reach * slant).floor() + 1.0;
            let to = to.min(self.size[across] as f32);
            // From pixel to pixel across, in the tile and in the depths.
            let [first, step, next] = match AXIS {
                0 => [i, TILE[0], self.width],
                _ => [i * TILE[0], 1, 1],
            };
            let deep = if AXIS == 0 { i } else { i * self.width };
            // An empty range where the stroke is outside.
            for j in from as usize..to.max(0.0) as usize {
                let off = (j as f32 - middle).abs() * straight;
                let cover = (reach - off).clamp(0.0, most);
                let seen = self.depths[deep + j * next] >= here;
                // Nothing hidden is left out by a branch: nobody could foretell it.
                let cover = if seen { cover } else { 0.0 };
                let pixel = &mut self.colours[first + j * step];
                *pixel += (light - *pixel) * cover;
            }
        }
    }

    /// Writes its pixels; nothing where none was `drawn`.
    #[inline(always)]
    fn finish(&self, to: &mut [[u8; 4]], drawn: bool) {
        let rows = to.chunks_mut(self.width).take(self.size[1]);
        for (row, colours) in rows.zip(self.colours.chunks_exact(TILE[0])) {
            for (pixel, colour) in row[..self.size[0]].iter_mut().zip(colours) {
                *pixel = match drawn {
                    true => (*colour * 255.0 + 0.5).to_array().map(|v| v as u8),
                    false => [0; 4],
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    const SIZE: [u32; 2] = [200, 90];

    /// To a picture in which a metre takes a pixel, seen along -z from far away.
    fn flat() -> Mat4 {
        let [w, h] = SIZE.map(|side| side as f32);
        let scale = Vec3::new(2.0 / w, 2.0 / h, -0.2);
        Mat4::from_translation(Vec3::NEG_ONE) * Mat4::from_scale(scale)
    }

    /// Draws segments between these places `[px]` of one width `[px]`, white and black in
    /// turn, before something that stands at `depth`. Answers four numbers a pixel.
    fn drawn(places: &[Vec3], width: f32, depth: f32) -> Vec<[u8; 4]> {
        let points: Vec<[f32; 4]> = places.iter().map(|p| [p.x, p.y, p.z, 0.0]).collect();
        let colours: Vec<[f32; 4]> = (0..places.len())
            .map(|i| if i % 4 < 2 { [1.0; 4] } else { [0.0; 4] })
            .collect();
        let segments: Vec<[u32; 2]> = (0..places.len() as u32 / 2)
            .map(|i| [2 * i + 1, 2 * i])
            .collect();
        let strokes = Strokes {
            points: &points,
            colours: &colours,
            segments: &segments,
            view_projection: flat(),
            size: SIZE,
        };
        let mut raster = StrokeRaster::default();
        let mut picture = vec![[0; 4]; (SIZE[0] * SIZE[1]) as usize];
        let Some(area) = raster.place(&strokes, |_| width) else {
            return picture;
        };
        let depths = vec![depth; (area.size[0] * area.size[1]) as usize];
        let pixels = raster.draw(&strokes, area, &depths);
        for (row, pixels) in pixels.chunks(area.size[0] as usize).enumerate() {
            let from = (row + area.corner[1] as usize) * SIZE[0] as usize;
            let from = from + area.corner[0] as usize;
            picture[from..from + pixels.len()].copy_from_slice(pixels);
        }
        picture
    }

    fn cover(picture: &[[u8; 4]]) -> f64 {
        picture.iter().map(|p| f64::from(p[3]) / 255.0).sum()
    }

    #[test]
    fn a_stroke_covers_its_length_times_its_width() {
        for (from, to) in [
            ([20.3, 40.7], [150.9, 43.1]),
            ([20.3, 10.7], [90.9, 80.1]),
            ([100.2, 4.4], [91.0, 84.5]),
            ([150.0, 80.0], [61.3, 21.9]),
        ] {
            let ends = [from, to].map(|[x, y]| Vec3::new(x, y, -5.0));
            let length = f64::from(ends[0].distance(ends[1]));
            for width in [0.4, 1.0, 2.5, 6.0] {
                let area = cover(&drawn(&ends, width, 1.0));
                let wanted = length * f64::from(width);
                // A round-off of each pixel, and an end that is cut along the pixels.
                assert!(
                    (area / wanted - 1.0).abs() < 0.03,
                    "{from:?} to {to:?}, {width} px: {area} for {wanted}"
                );
            }
        }
    }

    #[test]
    fn pieces_of_a_strand_join_without_a_gap_or_an_overlap() {
        let bend = |i: f32| Vec3::new(20.0 + 1.7 * i, 45.0 + 0.2 * i, -5.0);
        let whole = cover(&drawn(&[bend(0.0), bend(80.0)], 0.8, 1.0));
        let pieces: Vec<Vec3> = (0..80u8)
            .flat_map(|i| [bend(i.into()), bend(f32::from(i) + 1.0)])
            .collect();
        let pieces = cover(&drawn(&pieces, 0.8, 1.0));
        assert!((pieces / whole - 1.0).abs() < 0.01, "{pieces} for {whole}");
    }

    #[test]
    fn what_stands_in_front_hides_strokes_and_the_last_lies_on_top() {
        let across = |z: f32| {
            [
                Vec3::new(10.0, 45.5, z),
                Vec3::new(190.0, 45.5, z),
                Vec3::new(100.5, 5.0, z),
                Vec3::new(100.5, 85.0, z),
            ]
        };
        // Five of ten metres away: in the middle of the depths.
        assert!(cover(&drawn(&across(-5.0), 4.0, 0.49)) == 0.0);
        let picture = drawn(&across(-5.0), 4.0, 0.51);
        let at = |x: usize, y: usize| picture[y * SIZE[0] as usize + x];
        assert_eq!(at(60, 45), [255; 4], "the first is white");
        assert_eq!(
            at(100, 45),
            [0, 0, 0, 255],
            "the second lies over it in black"
        );
        assert_eq!(at(60, 60), [0; 4], "and beside them nothing is");
    }

    #[test]
    fn what_is_outside_of_the_picture_or_not_a_number_does_no_harm() {
        let far = 1e9;
        let ends = [
            Vec3::new(-far, 20.0, -5.0),
            Vec3::new(far, 70.0, -5.0),
            Vec3::new(50.0, -far, -5.0),
            Vec3::new(50.0, far, -5.0),
            Vec3::new(f32::NAN, 1.0, -5.0),
            Vec3::new(1.0, 1.0, -5.0),
            Vec3::new(300.0, 300.0, -5.0),
            Vec3::new(400.0, 300.0, -5.0),
            Vec3::new(70.0, 30.0, -5.0),
            Vec3::new(70.0, 30.0, -5.0),
        ];
        let picture = drawn(&ends, 2.0, 1.0);
        assert!(cover(&picture) > 0.0);
        let alone = drawn(&ends[6..8], 2.0, 1.0);
        assert!(cover(&alone) == 0.0);
    }

    #[test]
    fn threads_do_not_change_the_picture() {
        let places: Vec<Vec3> = (0..30_000u64)
            .map(|i| {
                let at = |salt| 0.5 + 0.5 * crate::math::random::signed(salt, i);
                Vec3::new(200.0 * at(1), 90.0 * at(2), -10.0 * at(3))
            })
            .collect();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| drawn(&places, 1.3, 0.6))
        };
        assert!(with(1) == with(3));
    }
}
