//! The order in which the triangles of a mesh are drawn: neighbours one after another, so
//! that a corner which several of them share is shaded once.

use crate::mesh::Mesh;
use glam::Vec3;

/// Triangles of a patch: a software driver (Mesa) shades the corners of so many together,
/// from 1024 indices at a time.
const PATCH: usize = 341;

/// Sorts some triangles of a mesh into patches.
pub(super) fn sort_into_patches(mesh: &Mesh, triangles: &mut [usize]) {
    let middle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize]);
        (a + b + c) / 3.0
    };
    let middles: Vec<Vec3> = mesh.triangles.iter().map(middle).collect();
    split(&middles, triangles);
}

/// Halves what is more than a patch across its longest side, and its halves.
fn split(middles: &[Vec3], triangles: &mut [usize]) {
    if triangles.len() <= PATCH {
        triangles.sort_unstable();
        return;
    }
    let places = || triangles.iter().map(|triangle| middles[*triangle]);
    let low = places().fold(Vec3::INFINITY, Vec3::min);
    let high = places().fold(Vec3::NEG_INFINITY, Vec3::max);
    let axis = (high - low).max_position();
    // Whole patches on this side.
    let half = (triangles.len() / 2).div_ceil(PATCH) * PATCH;
    let along = |triangle: &usize| middles[*triangle][axis];
    triangles.select_nth_unstable_by(half.min(triangles.len() - 1), |a, b| {
        along(a).total_cmp(&along(b)).then(a.cmp(b))
    });
    let (first, second) = triangles.split_at_mut(half);
    split(middles, first);
    split(middles, second);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load::load};
    use std::collections::HashSet;

    #[test]
    fn each_triangle_is_drawn_once_and_few_vertices_are_shaded_twice() {
        let mesh = load(&HeadParams::default())
            .expect("the built-in head")
            .mesh;
        let mut order: Vec<usize> = (0..mesh.triangles.len()).collect();
        let shaded = |order: &[usize]| -> usize {
            let patch = |patch: &[usize]| {
                let vertices = patch.iter().flat_map(|t| mesh.triangles[*t]);
                vertices.collect::<HashSet<u32>>().len()
            };
            order.chunks(PATCH).map(patch).sum()
        };
        let before = shaded(&order);
        sort_into_patches(&mesh, &mut order);
        let (after, vertices) = (shaded(&order), mesh.positions.len());
        println!("{vertices} vertices, {before} were shaded and {after} are");
        assert!((after as f32) < 1.35 * vertices as f32, "{after}");
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..mesh.triangles.len()));
    }

    #[test]
    fn a_mesh_of_any_size_is_sorted() {
        for count in [0, 1, PATCH, PATCH + 1, 2 * PATCH, 2 * PATCH + 1] {
            let middles = vec![Vec3::ZERO; count];
            let mut order: Vec<usize> = (0..count).collect();
            split(&middles, &mut order);
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..count), "{count}");
        }
    }
}
