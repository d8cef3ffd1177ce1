//! The hair pass: strands as lines, with a gradient from root to tip.

use super::{
    RenderError,
    gl::{Buffer, Format, Gl, Program, Shape, State, VertexArray},
};
use crate::{groom::Groom, math::random};
use glam::Vec3;

/// Bytes of one position.
const POSITION: usize = size_of::<Vec3>();

pub(super) struct Hair {
    program: Program,
    array: VertexArray,
    /// One vertex of padding, all positions, one vertex of padding: so the
    /// same memory serves as "before", "here" and "after".
    positions: Buffer,
    along: Buffer,
    indices: Buffer,
    points: usize,
    /// How many indices the first so many strands take.
    ends: Vec<usize>,
}

impl Hair {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let hair = Self {
            program: Program::new(
                gl,
                "hair",
                include_str!("../../shaders/frame.glsl"),
                [
                    include_str!("../../shaders/hair.vert"),
                    include_str!("../../shaders/hair.frag"),
                ],
                &[("towards_lights", 0), ("open_air", 1)],
            )?,
            array: VertexArray::new(gl)?,
            positions: Buffer::new(gl)?,
            along: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
            points: 0,
            ends: Vec::new(),
        };
        for (index, offset) in [(0, 0), (1, POSITION), (2, 2 * POSITION)] {
            hair.array
                .attribute(index, &hair.positions, Format::Floats(3), POSITION, offset);
        }
        hair.array.attribute(3, &hair.along, Format::UnitPair, 4, 0);
        hair.array.indices(&hair.indices);
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
                along[point] = [(i * 65535 / last) as u16, luck as u16];
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

    /// Draws this `share` of them into the bound target, as lines so wide. `[px]`
    pub fn draw(&self, gl: &Gl, share: f32, width: f32) {
        let strands = (self.ends.len() as f32 * share.clamp(0.0, 1.0)).ceil() as usize;
        let Some(last) = strands.min(self.ends.len()).checked_sub(1) else {
            return;
        };
        gl.set_state(State {
            depth_test: true,
            depth_write: true,
            depth_bias: 0.0,
        });
        gl.set_line_width(width);
        self.program.bind();
        self.array.draw_indexed(Shape::Lines, self.ends[last]);
    }
}
