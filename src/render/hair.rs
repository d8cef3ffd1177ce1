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
    index_count: usize,
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
                &[],
            )?,
            array: VertexArray::new(gl)?,
            positions: Buffer::new(gl)?,
            along: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
            points: 0,
            index_count: 0,
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
        let strands = || (0..groom.strands()).map(|strand| groom.range(strand));
        let mut along = vec![[0u16; 2]; groom.points.len()];
        let mut indices = Vec::with_capacity(groom.points.len() * 2);
        for (strand, range) in strands().enumerate() {
            let luck = (random::uniform(0x5eed, strand as u64) * 65535.0) as u16;
            let last = range.len().saturating_sub(1).max(1);
            for (i, point) in range.clone().enumerate() {
                along[point] = [(i * 65535 / last) as u16, luck];
                if point + 1 < range.end {
                    indices.extend([point as u32, point as u32 + 1]);
                }
            }
        }
        self.along.set(bytemuck::cast_slice(&along));
        self.indices.set(bytemuck::cast_slice(&indices));
        self.index_count = indices.len();
        self.points = groom.points.len();
        self.upload(&groom.points);
    }

    /// Takes new positions, as many as the groom has points; others are for a
    /// groom that is gone, and are let go.
    pub fn upload(&mut self, positions: &[Vec3]) {
        if positions.len() == self.points {
            self.positions
                .orphan(POSITION, bytemuck::cast_slice(positions), POSITION);
        }
    }

    /// Draws them into the bound target.
    pub fn draw(&self, gl: &Gl) {
        if self.index_count == 0 {
            return;
        }
        gl.set_state(State {
            depth_test: true,
            depth_write: true,
            depth_bias: 0.0,
        });
        self.program.bind();
        self.array.draw_indexed(Shape::Lines, self.index_count);
    }
}
