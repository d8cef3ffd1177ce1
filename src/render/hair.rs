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

/// Sets of positions that take turns, so that writing one never waits for a
/// frame that still reads another.
const TURNS: usize = 3;

/// Positions, and what reads them.
struct Positions {
    /// One vertex of padding, all positions, one vertex of padding: so the
    /// same memory serves as "before", "here" and "after".
    buffer: Buffer,
    /// Reads every vertex once.
    straight: VertexArray,
    /// Reads four vertices for each segment.
    rounded: VertexArray,
}

/// The number by which a strand is drawn or left out, and shaded: 0..=65535.
fn luck(strand: usize) -> u16 {
    (random::hash(0x5eed, strand as u64) >> 48) as u16
}

/// Whether strand `strand` is among the `share` (0..=1) that is drawn.
pub fn is_drawn(strand: usize, share: f32) -> bool {
    f32::from(luck(strand)) / 65535.0 <= share
}

pub(super) struct Hair {
    straight: Program,
    rounded: Program,
    positions: Vec<Positions>,
    /// Which of them holds the latest.
    turn: usize,
    along: Buffer,
    indices: Buffer,
    // Kept only to live as long as the arrays that read it.
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
        let (along, indices) = (Buffer::new(gl)?, Buffer::new(gl)?);
        // The lines of one curve.
        let mut curve = Buffer::new(gl)?;
        let lines: Vec<u32> = (0..ROUNDEST).flat_map(|line| [line, line + 1]).collect();
        curve.set(bytemuck::cast_slice(&lines));
        let positions: Result<_, _> = (0..TURNS)
            .map(|_| Positions::new(gl, &along, &indices, &curve))
            .collect();
        Ok(Self {
            straight: program("hair", "")?,
            rounded: program("hair (rounded)", "#define ROUNDED\n")?,
            positions: positions?,
            turn: 0,
            along,
            indices,
            _curve: curve,
            points: 0,
            ends: Vec::new(),
        })
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
        for (_, strand) in order {
            let range = groom.range(strand);
            let last = range.len().saturating_sub(1);
            for (i, point) in range.clone().enumerate() {
                // The one vertex of a strand without segments is a tip.
                let t = (i * 65535).checked_div(last).unwrap_or(65535);
                along[point] = [t as u16, luck(strand)];
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
            self.turn = (self.turn + 1) % TURNS;
            let buffer = &mut self.positions[self.turn].buffer;
            buffer.write(POSITION, bytemuck::cast_slice(positions), POSITION);
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
        let positions = &self.positions[self.turn];
        if stroke.lines > 1 {
            // One curve from every point to the next; the shader leaves out
            // those from a tip to another strand's root.
            let lines = 2 * stroke.lines.min(ROUNDEST) as usize;
            let segments = self.points.saturating_sub(1);
            self.rounded.bind();
            positions
                .rounded
                .draw_instances(Shape::Lines, lines, segments);
        } else {
            self.straight.bind();
            positions
                .straight
                .draw_indexed(Shape::Lines, self.ends[last]);
        }
    }
}

impl Positions {
    fn new(gl: &Gl, along: &Buffer, indices: &Buffer, curve: &Buffer) -> Result<Self, RenderError> {
        let this = Self {
            buffer: Buffer::new(gl)?,
            straight: VertexArray::new(gl)?,
            rounded: VertexArray::new(gl)?,
        };
        let (three, pair) = (Format::Floats(3), Format::UnitPair);
        for (array, vertices) in [(&this.straight, 3), (&this.rounded, 4)] {
            // Before, here, after, beyond: shader locations 0, 1, 2 and 4.
            for (index, vertex) in [0, 1, 2, 4].into_iter().zip(0..vertices) {
                array.attribute(index, &this.buffer, three, POSITION, vertex * POSITION);
            }
            array.attribute(3, along, pair, 4, 0);
        }
        this.rounded.attribute(5, along, pair, 4, 4);
        (0..6).for_each(|index| this.rounded.each_instance(index));
        this.straight.indices(indices);
        this.rounded.indices(curve);
        Ok(this)
    }
}
