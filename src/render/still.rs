//! Stills: many pictures of the same moment, each a fraction of a pixel aside
//! and from another place on the lens, averaged; of any size, tile by tile.
//!
//! A picture of fine hair takes a processor seconds: it is drawn bit by bit, so
//! that a window can answer in between.

use super::{
    Lens, RenderError, Renderer, View, frame::Part, gl::Target, hair::HairDrawParams,
    renderer::Before, sum::Sum, targets::Targets,
};
use glam::Vec2;
use std::f32::consts::TAU;

/// The longest side of a tile. `[px]`
pub(super) const TILE: u32 = 2048;

/// So many pieces of strands are drawn at a time: by the driver, and by the processor,
/// which is swifter and reads what stands there each time.
const PIECES: [usize; 2] = [1 << 17, 1 << 20];

/// How a still is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// Pictures that are averaged, at least 1.
    pub samples: u32,
    /// What they are taken through.
    pub lens: Lens,
}

/// The offset of sample `index` within a pixel, -0.5..0.5 on both axes, and its
/// place on a lens of radius 1. The first is in the middle of both.
///
/// Roberts 2018, "The unreasonable effectiveness of quasirandom sequences": R2
/// for the pixel, its four-dimensional sister for the lens.
fn offsets(index: u32) -> (Vec2, Vec2) {
    let i = f64::from(index);
    let part = |pace: f64| ((0.5 + i * pace).fract()) as f32;
    let pixel = Vec2::new(part(0.754_877_666), part(0.569_840_291)) - 0.5;
    let radius = ((i * 0.856_674_884).fract() as f32).sqrt();
    let angle = TAU * (i * 0.733_891_857).fract() as f32;
    (pixel, Vec2::from_angle(angle) * radius)
}

/// A still on its way: some more of a picture with each call of
/// [`Renderer::expose`].
pub struct Still {
    exposure: Exposure,
    size: [u32; 2],
    /// Lower left corner and size of each tile. `[px]`
    tiles: Vec<[[u32; 2]; 2]>,
    /// Pictures taken so far, of all tiles.
    taken: u32,
    /// Of the picture that is being taken, how many pieces of the strands are
    /// drawn, and of how many; none before it is begun.
    pieces: Option<[usize; 2]>,
    stroke: Option<HairDrawParams>,
    /// What it is drawn into, so that the renderer's own picture stays.
    targets: Option<Targets>,
    /// The pictures of this tile so far, by their shares.
    sum: Option<Target>,
    pixels: Vec<u8>,
    /// Bytes of a pixel.
    bytes: usize,
}

impl Still {
    /// Width, height, and three bytes a pixel (red, green, blue; sRGB), four of a
    /// transparent picture, as [`Renderer::read`] has them; top row first, black
    /// where it is not done.
    pub fn into_pixels(self) -> (u32, u32, Vec<u8>) {
        (self.size[0], self.size[1], self.pixels)
    }

    /// Whether it has no backdrop.
    fn is_transparent(&self) -> bool {
        self.bytes == 4
    }

    fn pictures(&self) -> u32 {
        self.tiles.len() as u32 * self.exposure.samples.max(1)
    }

    /// Whether all its pictures are taken.
    pub fn is_done(&self) -> bool {
        self.taken >= self.pictures()
    }

    /// The share of it that is taken, 0..=1.
    pub fn share(&self) -> f32 {
        let begun = self
            .pieces
            .map_or(0.0, |[drawn, all]| drawn as f32 / all.max(1) as f32);
        (self.taken as f32 + begun) / self.pictures() as f32
    }
}

impl Renderer {
    /// The view as a still: width, height, and the bytes of its pixels, as
    /// [`Still::into_pixels`] has them. Sides may be longer than the driver's own
    /// limit. `progress` is told the share that is done, 0..=1.
    ///
    /// # Errors
    /// When the driver makes no pictures.
    pub fn still(
        &mut self,
        view: &View,
        exposure: &Exposure,
        progress: &mut dyn FnMut(f32),
    ) -> Result<(u32, u32, Vec<u8>), RenderError> {
        let mut still = self.begin_still(view.size, exposure, TILE);
        while !still.is_done() {
            self.expose(view, &mut still)?;
            progress(still.share());
        }
        Ok(still.into_pixels())
    }

    /// A still of `size` with nothing on it, in tiles with sides of at most
    /// `tile` or what the driver bears. `[px]`
    pub fn begin_still(&self, size: [u32; 2], exposure: &Exposure, tile: u32) -> Still {
        let [width, height] = size.map(|side| side.max(1));
        let side = tile.min(self.gl.max_size()).max(1);
        let tiles = (0..height.div_ceil(side)).flat_map(|row| {
            (0..width.div_ceil(side)).map(move |column| {
                let origin = [column * side, row * side];
                let size = [side.min(width - origin[0]), side.min(height - origin[1])];
                [origin, size]
            })
        });
        let bytes = if self.transparent { 4 } else { 3 };
        Still {
            exposure: *exposure,
            size: [width, height],
            tiles: tiles.collect(),
            taken: 0,
            pieces: None,
            stroke: None,
            targets: None,
            sum: None,
            pixels: vec![0; bytes * width as usize * height as usize],
            bytes,
        }
    }

    /// Goes on with the next picture of `still`, which is of `view`; no other frame
    /// may be drawn and nothing uploaded until it is done. Until then
    /// [`Renderer::present`] shows the frame from before, then the last tile.
    ///
    /// # Errors
    /// When the driver makes no pictures.
    pub fn expose(&mut self, view: &View, still: &mut Still) -> Result<(), RenderError> {
        self.gl.others_drew();
        let samples = still.exposure.samples.max(1);
        let index = still.taken % samples;
        let Some(&[origin, size]) = still.tiles.get((still.taken / samples) as usize) else {
            return Ok(());
        };
        let (jitter, lens) = offsets(index);
        let part = Part {
            full: still.size,
            origin,
            size,
            jitter: if samples > 1 { jitter } else { Vec2::ZERO },
            lens: lens * still.exposure.lens.aperture,
            focus: still.exposure.lens.focus_before(view.camera),
            share: 1.0 / samples as f32,
        };
        std::mem::swap(&mut self.targets, &mut still.targets);
        let done = self.take_picture(view, still, &part);
        if done.is_err() || !still.is_done() {
            std::mem::swap(&mut self.targets, &mut still.targets);
        }
        done
    }

    /// Some more of that part of `still`, in targets of its own.
    fn take_picture(
        &mut self,
        view: &View,
        still: &mut Still,
        part: &Part,
    ) -> Result<(), RenderError> {
        let samples = still.exposure.samples.max(1);
        let index = still.taken % samples;
        let taken = self.go_on(view, still, part)?;
        if taken {
            still.pieces = None;
            still.taken += 1;
            if index == 0 {
                still.sum = Some(Sum::begin(&self.gl, part.size, still.sum.take())?);
            }
            if let Some((targets, light)) = self.targets.as_ref().and_then(Targets::to_tone)
                && let Some(sum) = &still.sum
            {
                let backdrop = (!still.is_transparent()).then_some(&targets.backdrop);
                self.sum.add(&self.gl, sum, light, backdrop);
            }
        }
        self.gl.finish();
        if taken && index + 1 == samples {
            self.develop(still, part.origin, part.size);
        }
        if still.is_done() {
            still.sum = None;
        }
        Ok(())
    }

    /// Begins a picture of `still`, or draws some more of its strands; true when
    /// all are drawn.
    fn go_on(&mut self, view: &View, still: &mut Still, part: &Part) -> Result<bool, RenderError> {
        let ([drawn, all], stroke) = match still.pieces.zip(still.stroke) {
            Some(begun) => begun,
            None => {
                // Through one place of the lens a backdrop, which has no fine edges, is the
                // same in all.
                let again = !still.taken.is_multiple_of(still.exposure.samples.max(1));
                let before = Before {
                    hair: still.stroke,
                    backdrop: again && still.exposure.lens.aperture <= 0.0,
                };
                let stroke = *still.stroke.insert(self.begin(view, part, false, before)?);
                ([0, self.pieces(view, &stroke)], stroke)
            }
        };
        let pieces = PIECES[usize::from(stroke.by_processor.is_some())];
        let end = (drawn + pieces).min(all);
        self.draw_strands(view, &stroke, drawn..end)?;
        still.pieces = Some([end, all]);
        if end == all {
            self.resolve();
        }
        Ok(end == all)
    }

    /// Puts the tile that is done into its place.
    fn develop(&self, still: &mut Still, origin: [u32; 2], size: [u32; 2]) {
        let (Some(targets), Some(sum)) = (&self.targets, &still.sum) else {
            return;
        };
        let [width, height] = still.size;
        targets.finished.bind();
        // The backdrop is in the sum.
        self.tone.draw(&self.gl, sum, None);
        let (_, _, rgb) = match still.is_transparent() {
            true => targets.finished.read_rgba(),
            false => targets.finished.read_rgb(),
        };
        // OpenGL counts tiles from the bottom, files rows from the top.
        let top = height - origin[1] - size[1];
        let row = still.bytes * size[0] as usize;
        for (y, line) in rgb.chunks_exact(row).enumerate() {
            let at = (top as usize + y) * width as usize + origin[0] as usize;
            let at = still.bytes * at;
            still.pixels[at..at + row].copy_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::FollowerParams,
        io::panorama::Panorama,
        math::Pose,
        render::{Camera, CameraParams, Environment, Headless, LightParams, LookParams},
    };
    use glam::Vec3;
    use std::sync::Arc;

    #[test]
    fn a_lens_blurs_the_environment_and_only_then_is_it_drawn_for_each_picture() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
        let camera = Camera::new(
            &CameraParams::default(),
            [Vec3::splat(-0.1), Vec3::splat(0.1)],
        );
        let light = LightParams {
            environment_seen: true,
            environment_blur: 0.0,
            ..LightParams::default()
        };
        // Upright stripes.
        let stripes = Panorama::of(2048, |[x, _, z]| {
            let side = (80.0 * f32::atan2(x, z)).sin();
            [1.0 + 0.8 * side.signum(); 3]
        });
        let environment = Arc::new(Environment::new(&stripes).seen_as(&light));
        let view = View {
            camera: &camera,
            look: &LookParams::default(),
            followers: &FollowerParams::default(),
            light: &light,
            environment: Some(&environment),
            pose: Pose::IDENTITY,
            size: [96, 64],
            exact: true,
            swift: false,
        };
        let mut still = |samples, aperture| {
            let lens = Lens {
                aperture,
                ..Lens::default()
            };
            let exposure = Exposure { samples, lens };
            renderer.take_traffic();
            let taken = renderer.still(&view, &exposure, &mut |_| {});
            (taken.expect("a still").2, renderer.take_traffic().draws)
        };
        let ((once, _), (sharp, few)) = (still(1, 0.0), still(9, 0.0));
        let (blurred, many) = still(9, 0.05);
        assert_eq!(
            many,
            few + 8,
            "the backdrop is drawn once, and for each place"
        );
        let off = once.iter().zip(&sharp).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(off <= Some(1), "{off:?}");
        // The topmost rows, over the horizon.
        let contrast = |picture: &[u8]| {
            let row = &picture[..8 * 96 * 3];
            let mean = row.iter().map(|p| f32::from(*p)).sum::<f32>() / row.len() as f32;
            let squares = row.iter().map(|p| (f32::from(*p) - mean).powi(2));
            (squares.sum::<f32>() / row.len() as f32).sqrt()
        };
        let [before, after] = [&sharp, &blurred].map(|picture| contrast(picture));
        assert!(before > 20.0 && after < 0.4 * before, "{before} {after}");
        assert_eq!(renderer.gl_error(), None);
        drop(renderer);
        drop(headless);
    }

    #[test]
    fn samples_cover_pixel_and_lens_evenly() {
        let (mut middle, mut on_lens) = (Vec2::ZERO, Vec2::ZERO);
        let mut quadrants = [0; 4];
        for index in 0..256 {
            let (pixel, lens) = offsets(index);
            assert!(pixel.abs().max_element() <= 0.5 && lens.length() <= 1.0);
            middle += pixel / 256.0;
            on_lens += lens / 256.0;
            quadrants[usize::from(lens.x > 0.0) + 2 * usize::from(lens.y > 0.0)] += 1;
        }
        assert!(
            middle.length() < 0.01 && on_lens.length() < 0.03,
            "{middle} {on_lens}"
        );
        assert!(
            quadrants.iter().all(|n| (54..=74).contains(n)),
            "{quadrants:?}"
        );
        assert_eq!(offsets(0), (Vec2::ZERO, Vec2::ZERO));
    }
}
