//! Strokes that the processor draws, on their way into the picture: points, colours and
//! depths come from OpenGL, and what was drawn goes back as a layer over it.

use super::{
    draw_params::{HairDrawParams, Widths},
    strands::Drawn,
    stroke_raster::{StrokeRaster, Strokes},
};
use crate::render::{
    RenderError,
    frame::FrameBlock,
    gl::{Blend, Buffer, Gl, Program, State, Target, Texture, TextureFormat, units},
    screen,
};

/// Strokes that the processor draws.
pub(super) struct StrokeLayer {
    raster: StrokeRaster,
    program: Program,
    /// What was drawn, and its size. `[px]`
    texture: Option<(Texture, [u32; 2])>,
    points: Vec<[f32; 4]>,
    colours: Vec<[f32; 4]>,
    /// Whether `colours` are those in the buffer.
    known: bool,
    depths: Vec<f32>,
    /// Where each guide begins, and the widths of the guides' vertices, 1 is the
    /// diameter; none where they have none.
    guide_widths: Option<(Vec<u32>, Vec<f32>)>,
}

impl StrokeLayer {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let fragment = include_str!("../../../shaders/layer.frag");
        Ok(Self {
            raster: StrokeRaster::default(),
            program: screen::program(gl, "layer", "", fragment)?,
            texture: None,
            points: Vec::new(),
            colours: Vec::new(),
            known: false,
            depths: Vec::new(),
            guide_widths: None,
        })
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

    /// Reads the first `count` points and their colours, those only where they are
    /// others than before.
    pub fn read(&mut self, count: usize, points: &Buffer, colours: &Buffer) {
        self.points.resize(count, [0.0; 4]);
        points.read(bytemuck::cast_slice_mut(&mut self.points));
        if !self.known || self.colours.len() != count {
            self.colours.resize(count, [0.0; 4]);
            colours.read(bytemuck::cast_slice_mut(&mut self.colours));
            self.known = true;
        }
    }

    /// Draws the `segments` between these points, the farthest first, over `target`.
    pub fn draw(
        &mut self,
        gl: &Gl,
        stroke: &HairDrawParams,
        frame: &FrameBlock,
        drawn: &Drawn,
        segments: &[[u32; 2]],
        target: &Target,
    ) {
        let strokes = Strokes {
            points: &self.points,
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
            return;
        };
        target.read_depth(area.corner, area.size, &mut self.depths);
        let pixels = self.raster.draw(&strokes, area, &self.depths);
        if self
            .texture
            .as_ref()
            .is_none_or(|(_, size)| *size != target.size)
        {
            self.texture = Texture::new(gl, TextureFormat::Display)
                .ok()
                .map(|texture| {
                    texture.resize(target.size);
                    (texture, target.size)
                });
        }
        let Some((texture, _)) = &self.texture else {
            return;
        };
        texture.set_part(area.corner, area.size, pixels);
        texture.bind(units::PICTURE);
        target.bind_part(area.corner, area.size);
        gl.set_state(State {
            blend: Blend::Over,
            ..State::FLAT
        });
        self.program.bind();
        gl.draw_screen();
        target.bind();
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
