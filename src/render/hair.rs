//! The hair pass: strands as lines, with a gradient from root to tip.

use super::{
    RenderError,
    gl::{Buffer, Format, Gl, Program, Shape, State, VertexArray},
};
use crate::{groom::Groom, math::random};
use glam::Vec3;

/// Bytes of one position.
const POSITION: usize = size_of::<Vec3>();

/// The most lines that are drawn for one segment of a strand.
pub(super) const ROUNDEST: u32 = 4;

pub(super) struct Hair {
    straight: Program,
    /// Reads every vertex once.
    array: VertexArray,
    rounded: Program,
    /// Reads four vertices for each segment, and draws a curve through them.
    curves: VertexArray,
    /// One vertex of padding, all positions, one vertex of padding: so the
    /// same memory serves as "before", "here" and "after".
    positions: Buffer,
    along: Buffer,
    indices: Buffer,
    /// The lines of one curve. Kept only to live as long as `curves`.
    _curve: Buffer,
    points: usize,
    /// How many indices the first so many strands take.
    ends: Vec<usize>,
}

/// How strands are drawn.
pub(super) struct Stroke {
    /// The share of them, 0..=1.
    pub share: f32,
    /// How wide. `[px]`
    pub width: f32,
    /// Lines for each segment, 1..=[`ROUNDEST`].
    pub lines: u32,
}

impl Hair {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let program = |name, define: &str| {
            let frame = include_str!("../../shaders/frame.glsl");
            let shaders = [
                include_str!("../../shaders/hair.vert"),
                include_str!("../../shaders/hair.frag"),
            ];
            let samplers = [("towards_lights", 0), ("open_air", 1)];
            Program::new(gl, name, &format!("{define}{frame}"), shaders, &samplers)
        };
        let mut curve = Buffer::new(gl)?;
        let lines: Vec<u32> = (0..ROUNDEST).flat_map(|line| [line, line + 1]).collect();
        curve.set(bytemuck::cast_slice(&lines));
        let hair = Self {
            straight: program("hair", "")?,
            array: VertexArray::new(gl)?,
            rounded: program("hair (rounded)", "#define ROUNDED\n")?,
            curves: VertexArray::new(gl)?,
            positions: Buffer::new(gl)?,
            along: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
            _curve: curve,
            points: 0,
            ends: Vec::new(),
        };
        let (three, pair) = (Format::Floats(3), Format::UnitPair);
        for array in [&hair.array, &hair.curves] {
            for index in 0..3 {
                array.attribute(
                    index,
                    &hair.positions,
                    three,
                    POSITION,
                    index as usize * POSITION,
                );
            }
            array.attribute(3, &hair.along, pair, 4, 0);
        }
        hair.array.indices(&hair.indices);
        hair.curves
            .attribute(4, &hair.positions, three, POSITION, 3 * POSITION);
        hair.curves.attribute(5, &hair.along, pair, 4, 4);
        (0..6).for_each(|index| hair.curves.each_instance(index));
        hair.curves.indices(&hair._curve);
        Ok(hair)
    }

    /// Takes over which points make which strand, and the rest positions.
    pub fn set_groom(&mut self, groom: &Groom) {
        let mut along = vec![[0u16; 2]; groom.points.len()];
        let mut order: Vec<(u64, usize)> = (0..groom.strands())
            .map(|strand| (random::hash(0x5eed, strand as u64), strand))
            .collect();
        // In a random order, so that the first so many are an even choice.
        order.sort_unstable();
        let mut indices = Vec::with_capacity(groom.points.len() * 2);
        self.ends.clear();
        for (luck, strand) in order {
            let range = groom.range(strand);
            let last = range.len().saturating_sub(1).max(1);
            for (i, point) in range.clone().enumerate() {
                along[point] = [(i * 65535 / last) as u16, (luck >> 48) as u16];
                if point + 1 < range.end {
                    indices.extend([point as u32, point as u32 + 1]);
                }
            }
            self.ends.push(indices.len());
        }
        self.along.set(bytemuck::cast_slice(&along));
        self.indices.set(bytemuck::cast_slice(&indices));
        self.points = groom.points.len();
        self.upload(&groom.points);
    }

    /// Takes new positions, as many as the groom has points; others are for a
    /// groom that is gone, and are let go: then `false`.
    pub fn upload(&mut self, positions: &[Vec3]) -> bool {
        let fits = positions.len() == self.points;
        if fits {
            self.positions
                .orphan(POSITION, bytemuck::cast_slice(positions), POSITION);
        }
        fits
    }

    /// Draws them into the bound target.
    pub fn draw(&self, gl: &Gl, stroke: &Stroke) {
        let strands = (self.ends.len() as f32 * stroke.share.clamp(0.0, 1.0)).ceil() as usize;
        let Some(last) = strands.min(self.ends.len()).checked_sub(1) else {
            return;
        };
        gl.set_state(State {
            depth_test: true,
            depth_write: true,
            depth_bias: 0.0,
        });
        gl.set_line_width(stroke.width);
        if stroke.lines > 1 {
            // One curve from every point to the next; the shader leaves out
            // those from a tip to another strand's root.
            let lines = 2 * stroke.lines.min(ROUNDEST) as usize;
            self.rounded.bind();
            self.curves
                .draw_instances(Shape::Lines, lines, self.points.saturating_sub(1));
        } else {
            self.straight.bind();
            self.array.draw_indexed(Shape::Lines, self.ends[last]);
        }
    }
}
