//! The edges of a mesh and the triangles that meet there.

use super::Mesh;

/// One triangle's side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The edge's lower and higher vertex.
    pub ends: [u32; 2],
    /// The triangle.
    pub triangle: u32,
    /// Its corner at which the edge begins.
    pub corner: u8,
    /// Whether it runs from the lower vertex to the higher.
    pub forward: bool,
}

/// All sides of all triangles, those of one edge next to each other.
pub(super) fn sides(mesh: &Mesh) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * mesh.triangles.len());
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        for corner in 0..3 {
            let (a, b) = (triangle[corner], triangle[(corner + 1) % 3]);
            sides.push(Side {
                ends: [a.min(b), a.max(b)],
                triangle: index as u32,
                corner: corner as u8,
                forward: a < b,
            });
        }
    }
    sides.sort_unstable();
    sides
}

/// The sides of one edge after the other.
pub(super) fn edges(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|a, b| a.ends == b.ends)
}
