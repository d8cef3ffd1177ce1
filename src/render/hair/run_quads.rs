//! The quads of ribbons that are drawn run by run. A run's quads share their corners, so
//! that two are computed for each point, and not six for each segment.

use crate::render::{
    RenderError,
    gl::{Buffer, Gl, Shape, VertexArray},
};
use std::ops::Range;

/// Consecutive segments of a strand that share a sort key where not every segment is
/// sorted: lines share their vertices, and of ribbons less is sent.
pub(super) const RUN: usize = 8;

/// Runs that are drawn as one copy of the same indices.
const BATCH: usize = 64;

/// Both numbers for the shader of ribbons.
pub(super) const DEFINE: &str = "#define RUN 8\n#define BATCH 64\n";

/// Corners of a run's quads: two a point.
const CORNERS: usize = 2 * (RUN + 1);

pub(super) struct RunQuads {
    array: VertexArray,
    /// What the array reads.
    _indices: Buffer,
}

impl RunQuads {
    /// # Errors
    /// When the driver has no room for them.
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let (array, mut indices) = (VertexArray::new(gl)?, Buffer::new(gl)?);
        indices.set(bytemuck::cast_slice(&batch()));
        array.indices(&indices);
        Ok(Self {
            array,
            _indices: indices,
        })
    }

    /// Draws `runs` of the order, by the bound program.
    pub fn draw(&self, runs: Range<usize>) {
        let whole = runs.len() / BATCH;
        let rest = (runs.len() % BATCH, 1, runs.start + whole * BATCH);
        for (count, copies, first) in [(BATCH, whole, runs.start), rest] {
            if count * copies > 0 {
                let indices = 6 * RUN * count;
                let base = CORNERS * first;
                self.array
                    .draw_copies(Shape::Triangles, indices, copies, base);
            }
        }
    }
}

/// Two triangles for each quad of a batch, by the numbers of their corners.
fn batch() -> Vec<u32> {
    let quads = (0..BATCH * RUN).map(|quad| quad / RUN * CORNERS + quad % RUN * 2);
    let corners = [0, 1, 2, 2, 1, 3];
    quads
        .flat_map(|first| corners.map(|corner| (first + corner) as u32))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_every_segment_of_its_runs_and_no_other() {
        let indices = batch();
        assert_eq!(indices.len(), 6 * RUN * BATCH);
        let mut seen: Vec<u32> = indices.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (0..(BATCH * CORNERS) as u32).collect::<Vec<u32>>());
        for quad in indices.chunks(6) {
            // Of one run, and between two points that follow one another.
            let [low, high] = [quad[0], quad[5]];
            assert_eq!(high, low + 3);
            assert_eq!(low as usize / CORNERS, high as usize / CORNERS);
            assert_eq!(low % 2, 0);
        }
        assert!(DEFINE.contains(&format!("RUN {RUN}\n")));
        assert!(DEFINE.contains(&format!("BATCH {BATCH}\n")));
    }
}
