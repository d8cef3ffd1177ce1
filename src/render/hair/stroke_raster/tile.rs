//! One tile: strokes over one another, pixel by pixel.

use super::{
    pixel::{FLAT, StrokePixel, rounded, roundness},
    screen_point::{ScreenPoint, TILE},
};
use glam::{Vec2, Vec4};

/// Strokes up to this width are drawn a row or column at a time, which is fast; in wider
/// ones the ends of the segments would show. `[px]`
const WALKED: f32 = 4.0;

/// A tile that is drawn.
pub(super) struct Tile<'a, P: StrokePixel> {
    /// What lies over one another.
    pub sums: &'a mut [P::Sum],
    /// Depths, from the tile's first pixel on.
    pub depths: &'a [P::Depths],
    /// From a row to the next in `depths`.
    pub width: usize,
    /// Columns and rows.
    pub size: [usize; 2],
    /// The lower left corner in the picture. `[px]`
    pub corner: [f32; 2],
}

impl<P: StrokePixel> Tile<'_, P> {
    /// Draws a segment over what is there.
    #[inline(always)]
    pub fn stroke(&mut self, [a, b]: [(ScreenPoint, Vec4); 2]) {
        let [x, y] = [0, 1].map(|axis| (b.0.at[axis] - a.0.at[axis]).abs());
        if a.0.width.max(b.0.width) > WALKED {
            self.ribbon([a, b]);
        } else if x < y {
            self.walk::<1>([a, b]);
        } else {
            self.walk::<0>([a, b]);
        }
    }

    /// Draws a wide segment, cut where it joins the next as shaders/ribbon.vert has it:
    /// across the direction that the strand has there.
    #[inline(always)]
    fn ribbon(&mut self, [a, b]: [(ScreenPoint, Vec4); 2]) {
        let [from, to] = [a, b].map(|(end, _)| {
            let [x, y] = [0, 1].map(|axis| end.at[axis] - self.corner[axis] - 0.5);
            Vec2::new(x, y)
        });
        let way = to - from;
        let length = way.length();
        if length < 1e-6 {
            return;
        }
        let along = way / length;
        let joints = [a, b].map(|(_, light)| {
            let joint = Vec2::from_angle(light.w);
            joint * joint.dot(along).signum()
        });
        let most = 0.5 * a.0.width.max(b.0.width) + 0.5;
        // Along a row the strand is so much wider than across.
        let slant = most / along.y.abs();
        let lean = way.x / way.y;
        let low = (from.y.min(to.y) - most).ceil().max(0.0);
        let high = (from.y.max(to.y) + most).floor() + 1.0;
        let high = high.clamp(0.0, self.size[1] as f32);
        for row in low as usize..high as usize {
            let y = row as f32;
            let [mut left, mut right] = [from.x.min(to.x) - most, from.x.max(to.x) + most];
            let middle = from.x + (y - from.y) * lean;
            // Not where it lies along the row.
            if middle.is_finite() && slant.is_finite() {
                (left, right) = (left.max(middle - slant), right.min(middle + slant));
            }
            let right = (right.floor() + 1.0).clamp(0.0, self.size[0] as f32);
            for column in left.ceil().max(0.0) as usize..right as usize {
                let at = Vec2::new(column as f32, y);
                let [begun, to_go] = [(at - from).dot(joints[0]), -(at - to).dot(joints[1])];
                if begun < 0.0 || to_go <= 0.0 {
                    continue;
                }
                let share = begun / (begun + to_go);
                let mix = |from: f32, to: f32| from + (to - from) * share;
                let off = (at - from).perp_dot(along).abs();
                let wide = mix(a.0.width, b.0.width);
                let cover = (0.5 * wide + 0.5 - off).clamp(0.0, wide.min(1.0));
                let light = (a.1 + (b.1 - a.1) * share).with_w(1.0);
                let light = match P::ROUND && wide > FLAT {
                    true => rounded(light, off, wide, roundness(wide)),
                    false => light,
                };
                let sum = &mut self.sums[row * TILE[0] + column];
                let depths = self.depths[row * self.width + column];
                P::over(sum, light, cover, mix(a.0.depth, b.0.depth), depths);
            }
        }
    }

    /// The same for a segment whose longer side is along `AXIS`: as OpenGL has it, one
    /// cross section for each column, or row, whose middle it passes.
    #[inline(always)]
    fn walk<const AXIS: usize>(&mut self, [mut a, mut b]: [(ScreenPoint, Vec4); 2]) {
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
            let round = if P::ROUND { roundness(wide) } else { 0.0 };
            // An empty range where the stroke is outside.
            for j in from as usize..to.max(0.0) as usize {
                let off = (j as f32 - middle).abs() * straight;
                let cover = (reach - off).clamp(0.0, most);
                let light = match P::ROUND && wide > FLAT {
                    true => rounded(light, off, wide, round),
                    false => light,
                };
                let depths = self.depths[deep + j * next];
                P::over(&mut self.sums[first + j * step], light, cover, here, depths);
            }
        }
    }

    /// Writes its pixels; nothing where none was `drawn`.
    #[inline(always)]
    pub fn finish(&self, to: &mut [P], drawn: bool) {
        let rows = to.chunks_mut(self.width).take(self.size[1]);
        for (row, sums) in rows.zip(self.sums.chunks_exact(TILE[0])) {
            for (pixel, sum) in row[..self.size[0]].iter_mut().zip(sums) {
                *pixel = P::of(if drawn { *sum } else { P::EMPTY });
            }
        }
    }
}
