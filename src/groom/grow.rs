//! Roots to rest curves.

use super::{Groom, GroomParams};
use crate::mesh::Root;

/// Grows one strand from each root. The same seed grows the same hair.
pub fn grow(roots: &[Root], params: &GroomParams, _seed: u32) -> Groom {
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    for root in roots {
        let n = params.vertices.max(2);
        for i in 0..n {
            groom
                .points
                .push(root.position + root.normal * (params.length * i as f32 / (n - 1) as f32));
        }
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(1.0);
    }
    groom
}
