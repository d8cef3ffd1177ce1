//! Makes vertices at the same place one vertex.

use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Vertices nearer than this part of the model's size are one: programs file
/// double vertices along seams, and print them rounded.
const REACH: f64 = 1e-6;
/// Side of the cells in which neighbours are looked up, in reaches.
const CELL: f64 = 16.0;
/// The end of a chain.
const END: u32 = u32::MAX;

/// Vertices found so far.
pub(super) struct Weld {
    pub positions: Vec<Vec3>,
    reach: f64,
    /// The latest vertex in each cell, and the one before it for each vertex.
    latest: HashMap<[i64; 3], u32>,
    before: Vec<u32>,
}

impl Weld {
    /// For a model of this size.
    pub fn new(size: f32) -> Self {
        Self {
            positions: Vec::new(),
            reach: (REACH * f64::from(size)).max(f64::from(f32::MIN_POSITIVE)),
            latest: HashMap::new(),
            before: Vec::new(),
        }
    }

    /// The index of the vertex at `p`, a new one where none is near.
    pub fn vertex(&mut self, p: Vec3) -> u32 {
        let scaled = p.as_dvec3() / (self.reach * CELL);
        // The cells that a ball of one reach around the point touches.
        let low = (scaled - 1.0 / CELL).floor();
        let high = (scaled + 1.0 / CELL).floor();
        let cell = |p: DVec3| p.to_array().map(|c| c as i64);
        let ([x0, y0, z0], [x1, y1, z1]) = (cell(low), cell(high));
        for x in x0..=x1 {
            for y in y0..=y1 {
                for z in z0..=z1 {
                    if let Some(found) = self.in_cell([x, y, z], p) {
                        return found;
                    }
                }
            }
        }
        let index = self.positions.len() as u32;
        self.positions.push(p);
        let before = self.latest.insert(cell(scaled.floor()), index);
        self.before.push(before.unwrap_or(END));
        index
    }

    fn in_cell(&self, cell: [i64; 3], p: Vec3) -> Option<u32> {
        let mut index = *self.latest.get(&cell)?;
        while index != END {
            let other = self.positions[index as usize];
            if other.as_dvec3().distance(p.as_dvec3()) <= self.reach {
                return Some(index);
            }
            index = self.before[index as usize];
        }
        None
    }
}
