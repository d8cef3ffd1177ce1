//! Strokes that the processor draws, on their way into the picture: colours and
//! depths come from OpenGL, and what was drawn goes back as a layer over it.

use super::{
    draw_params::{HairDrawParams, LayerFormat, Widths},
    strands::Drawn,
    stroke_raster::{Area, StrokePixel, StrokeRaster, Strokes},
};
use crate::render::{
    RenderError,
    frame::FrameBlock,
    gl::{Blend, Buffer, Gl, Program, State, Target, Texture, TextureFormat, units},
    screen,
};
use bytemuck::Pod;
use glam::Vec4;

/// Samples of the largest picture whose strokes the processor draws: each takes up to 40
/// bytes besides the picture.
const MOST_SAMPLES: u64 = 16 << 20;

/// Strokes that the processor draws.
pub(super) struct StrokeLayer {
    raster: StrokeRaster,
    program: Program,
    displayed: Layer<[u8; 4]>,
    light: Layer<Vec4>,
    /// For several samples a pixel; none where the driver has no such shaders.
    sampled: Option<SampledLayer>,
    colours: Vec<[f32; 4]>,
    /// Whether `colours` are those in the buffer.
    known: bool,
    depths: Vec<f32>,
    /// Where each guide begins, and the widths of the guides' vertices, 1 is the
    /// diameter; none where they have none.
    guide_widths: Option<(Vec<u32>, Vec<f32>)>,
}

/// A pixel that a texture can hold.
trait LayerPixel: StrokePixel + Pod {
    const FORMAT: TextureFormat;
    /// Texels that it takes, beside each other.
    const TEXELS: u32;
}

impl LayerPixel for [u8; 4] {
    const FORMAT: TextureFormat = TextureFormat::Display;
    const TEXELS: u32 = 1;
}

impl LayerPixel for Vec4 {
    const FORMAT: TextureFormat = TextureFormat::Light;
    const TEXELS: u32 = 1;
}

impl LayerPixel for [Vec4; 4] {
    const FORMAT: TextureFormat = TextureFormat::Light;
    const TEXELS: u32 = 4;
}

/// What was drawn, before and after it is given to OpenGL.
struct Layer<P> {
    pixels: Vec<P>,
    /// With the size of the picture. `[px]`
    texture: Option<(Texture, [u32; 2])>,
}

/// The strands that are drawn, and their points.
pub(super) struct DrawnPoints<'a> {
    pub drawn: &'a Drawn,
    pub points: &'a [[f32; 4]],
}

/// Strokes that are placed in a part of the picture.
struct PlacedStrokes<'a> {
    raster: &'a mut StrokeRaster,
    strokes: &'a Strokes<'a>,
    area: Area,
}

/// What a layer of several samples has besides.
struct SampledLayer {
    layer: Layer<[Vec4; 4]>,
    program: Program,
    depths_program: Program,
    /// Depths of a picture's pixels.
    target: Option<Target>,
    depths: Vec<[f32; 4]>,
}

impl<P: LayerPixel> Layer<P> {
    const EMPTY: Self = Self {
        pixels: Vec::new(),
        texture: None,
    };

    /// Draws the strokes over `target`, which has these `depths` there.
    ///
    /// # Errors
    /// When the driver has no room for them.
    fn draw(
        &mut self,
        gl: &Gl,
        program: &Program,
        placed: PlacedStrokes,
        depths: &[P::Depths],
        target: &Target,
    ) -> Result<(), RenderError> {
        let PlacedStrokes {
            raster,
            strokes,
            area,
        } = placed;
        raster.draw(strokes, area, depths, &mut self.pixels);
        let texture = match self.texture.take() {
            Some((texture, size)) if size == target.size => texture,
            _ => {
                let texture = Texture::new(gl, P::FORMAT)?;
                texture.resize(across::<P>(target.size));
                texture
            }
        };
        let (texture, _) = self.texture.insert((texture, target.size));
        let pixels = bytemuck::cast_slice(&self.pixels);
        texture.set_part(across::<P>(area.corner), across::<P>(area.size), pixels);
        texture.bind(units::PICTURE);
        target.bind_part(area.corner, area.size);
        gl.set_state(State {
            blend: Blend::Over,
            ..State::FLAT
        });
        program.bind();
        gl.draw_screen();
        target.bind();
        Ok(())
    }
}

/// Pixels as texels.
fn across<P: LayerPixel>([x, y]: [u32; 2]) -> [u32; 2] {
    [P::TEXELS * x, y]
}

impl SampledLayer {
    fn new(gl: &Gl) -> Result<Self, RenderError> {
        let define = "#extension GL_ARB_sample_shading : require\n#define SAMPLED\n";
        let layer = include_str!("../../../shaders/layer.frag");
        let depths = include_str!("../../../shaders/depths.frag");
        Ok(Self {
            layer: Layer::EMPTY,
            program: screen::program(gl, "layer (sampled)", define, layer)?,
            depths_program: screen::program(gl, "depths", "", depths)?,
            target: None,
            depths: Vec::new(),
        })
    }

    /// Reads the depths of all samples in a part of `target`, if it has some.
    ///
    /// # Errors
    /// When the driver has no room for them.
    fn read_depths(&mut self, gl: &Gl, target: &Target, area: Area) -> Result<(), RenderError> {
        let Some(depths) = &target.depths else {
            return Ok(());
        };
        let to = match self.target.take() {
            Some(to) if to.size == target.size => to,
            _ => Target::texture(gl, TextureFormat::Sum, target.size, false)?,
        };
        to.bind_part(area.corner, area.size);
        depths.bind(units::PICTURE);
        gl.set_state(State::FLAT);
        self.depths_program.bind();
        gl.draw_screen();
        to.read_light(area.corner, area.size, &mut self.depths);
        self.target = Some(to);
        Ok(())
    }
}

impl StrokeLayer {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let fragment = include_str!("../../../shaders/layer.frag");
        let sampled = gl.is_software() && gl.shades_samples();
        Ok(Self {
            raster: StrokeRaster::default(),
            program: screen::program(gl, "layer", "", fragment)?,
            displayed: Layer::EMPTY,
            light: Layer::EMPTY,
            sampled: sampled.then(|| SampledLayer::new(gl)).transpose()?,
            colours: Vec::new(),
            known: false,
            depths: Vec::new(),
            guide_widths: None,
        })
    }

    /// What it can draw over `target`: colours of a display in a `swift` frame, light in
    /// any other; none where that target is not for it.
    pub fn format(&self, gl: &Gl, target: &Target, swift: bool) -> Option<LayerFormat> {
        let pixels = target.size.map(u64::from).iter().product::<u64>();
        let fits = 4 * target.size[0] <= gl.max_size() && 4 * pixels <= MOST_SAMPLES;
        match target.samples {
            _ if pixels > MOST_SAMPLES => None,
            1 if swift => Some(LayerFormat::Display),
            1 => Some(LayerFormat::Light),
            4 if self.sampled.is_some() && target.depths.is_some() && fits => {
                Some(LayerFormat::SampledLight)
            }
            _ => None,
        }
    }

    /// Takes where each guide begins and the widths of all their vertices, if they have
    /// widths of their own.
    pub fn set_widths(&mut self, widths: Option<(Vec<u32>, Vec<f32>)>) {
        self.guide_widths = widths;
    }

    /// The colours in the buffer are others now.
    pub fn forget_colours(&mut self) {
        self.known = false;
    }

    /// Reads the colours of the first `count` points, where they are others than before.
    pub fn read(&mut self, count: usize, colours: &Buffer) {
        if !self.known || self.colours.len() != count {
            self.colours.resize(count, [0.0; 4]);
            colours.read(bytemuck::cast_slice_mut(&mut self.colours));
            self.known = true;
        }
    }

    /// Draws the `segments` between these points, the farthest first, over `target`.
    ///
    /// # Errors
    /// When the driver has no room for them.
    pub fn draw(
        &mut self,
        gl: &Gl,
        stroke: &HairDrawParams,
        frame: &FrameBlock,
        strands: &DrawnPoints,
        segments: &[[u32; 2]],
        target: &Target,
    ) -> Result<(), RenderError> {
        let Some(format) = stroke.by_processor else {
            return Ok(());
        };
        let strokes = Strokes {
            points: strands.points,
            colours: &self.colours,
            segments,
            view_projection: frame.view_projection(),
            size: target.size,
        };
        let magnified = stroke.width * frame.pixels_at_one();
        let along: Vec<f32> = (0..stroke.points)
            .map(|i| i as f32 / (stroke.points - 1) as f32)
            .collect();
        let taper: Vec<f32> = along.iter().map(|t| frame.taper(*t)).collect();
        let drawn = strands.drawn;
        let width = |point: usize| {
            let (strand, i) = (point / stroke.points, point % stroke.points);
            let of_guide = |widths: &(Vec<u32>, Vec<f32>)| {
                own_width(widths, drawn.guides[strand] as usize, along[i])
            };
            let of_guide = self.guide_widths.as_ref().map_or(1.0, of_guide);
            magnified
                * drawn.fineness(strand, frame.single(), |id| frame.fly_away(id))
                * match stroke.widths {
                    Widths::Ramp => taper[i],
                    Widths::Level => of_guide * taper[i],
                    Widths::Own => of_guide,
                }
        };
        let Some(area) = self.raster.place(&strokes, width) else {
            return Ok(());
        };
        let (program, strokes) = (&self.program, &strokes);
        let placed = PlacedStrokes {
            raster: &mut self.raster,
            strokes,
            area,
        };
        if format == LayerFormat::SampledLight
            && let Some(sampled) = &mut self.sampled
        {
            sampled.read_depths(gl, target, area)?;
            let (program, depths) = (&sampled.program, &sampled.depths);
            return sampled.layer.draw(gl, program, placed, depths, target);
        }
        target.read_depth(area.corner, area.size, &mut self.depths);
        let depths = &self.depths;
        match format {
            LayerFormat::Display => self.displayed.draw(gl, program, placed, depths, target),
            _ => self.light.draw(gl, program, placed, depths, target),
        }
    }
}

/// Width of a guide at `t`, 0 at the root and 1 at the tip, as shaders/width.glsl has it.
fn own_width((starts, widths): &(Vec<u32>, Vec<f32>), guide: usize, t: f32) -> f32 {
    let [start, end] = [starts[guide], starts[guide + 1]].map(|i| i as usize);
    let last = end - start - 1;
    let x = t.clamp(0.0, 1.0) * last as f32;
    let k = (x as usize).min(last.saturating_sub(1));
    let [from, to] = [widths[start + k], widths[start + (k + 1).min(last)]];
    from + (to - from) * (x - k as f32)
}
