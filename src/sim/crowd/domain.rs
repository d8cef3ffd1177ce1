//! The space that the grid may fill: a box of bricks in the head's space.

use super::sample::{EDGE, NODES, PARTS};

/// Bricks along an axis at most: with cells of 5 mm, 3.2 m. Hair beyond counts
/// as at the edge.
const MOST: usize = 160;

/// There is no such brick.
pub(super) const NONE: u32 = 1 << 31;

/// A box of bricks. The outermost ones stay empty, so every brick with hair
/// has neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Domain {
    /// Length of a cell. `[m]`
    pub cell: f64,
    /// Its lower corner. `[m]`
    pub low: [f64; 3],
    /// Bricks along each axis.
    pub bricks: [usize; 3],
}

impl Domain {
    /// With room for everything from `low` to `high`. `[m]`
    pub fn around(low: [f64; 3], high: [f64; 3], cell: f64) -> Self {
        let brick = cell * EDGE as f64;
        let mut domain = Self {
            cell,
            low,
            bricks: [4; 3],
        };
        for axis in 0..3 {
            let bricks = ((high[axis] - low[axis]) / brick).ceil().max(1.0) as usize + 3;
            domain.bricks[axis] = bricks.min(MOST);
            let middle = 0.5 * (low[axis] + high[axis]);
            domain.low[axis] = middle - 0.5 * brick * domain.bricks[axis] as f64;
        }
        domain
    }

    /// Number of bricks.
    pub fn len(&self) -> usize {
        self.bricks.iter().product()
    }

    /// How much farther in a table the next brick along each axis is.
    pub fn strides(&self) -> [usize; 3] {
        [self.bricks[1] * self.bricks[2], self.bricks[2], 1]
    }

    /// The same for the eight bricks that a cell may reach.
    pub fn ways(&self) -> [u32; 8] {
        let [x, y, z] = self.strides();
        [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|way: usize| ((way >> 2 & 1) * x + (way >> 1 & 1) * y + (way & 1) * z) as u32)
    }

    /// The places that vertices may take along each axis, in parts of a cell.
    pub fn places(&self) -> [[f64; 2]; 3] {
        let brick = EDGE as f64 * f64::from(PARTS);
        self.bricks
            .map(|bricks| [brick, brick * (bricks as f64 - 2.0) - 1.0])
    }

    /// The brick of a node, and the node in it; none at the edge.
    pub fn find(&self, at: [i64; 3]) -> Option<(usize, usize)> {
        let (mut key, mut node) = (0, 0);
        for (place, bricks) in at.into_iter().zip(self.bricks) {
            let place = usize::try_from(place).ok()?;
            if place / EDGE >= bricks {
                return None;
            }
            key = key * bricks + place / EDGE;
            node = node * EDGE + place % EDGE;
        }
        Some((key, node))
    }
}

/// The eight nodes around a place whose first node is the index: which of the
/// bricks further on (bit 2: along x, 1: y, 0: z), times 64, and which node.
pub(super) static CORNERS: [[u16; 8]; NODES] = corners();

const fn corners() -> [[u16; 8]; NODES] {
    let mut table = [[0; 8]; NODES];
    let mut node = 0;
    while node < NODES {
        let mut corner = 0;
        while corner < 8 {
            let x = node / 16 + (corner >> 2 & 1);
            let y = node / 4 % 4 + (corner >> 1 & 1);
            let z = node % 4 + (corner & 1);
            let way = (x / 4) * 4 + (y / 4) * 2 + z / 4;
            table[node][corner] = (way * 64 + (x % 4) * 16 + (y % 4) * 4 + z % 4) as u16;
            corner += 1;
        }
        node += 1;
    }
    table
}

/// The eight nodes around a place in `table`, which has the first node of each
/// brick.
#[inline(always)]
pub(super) fn nodes(table: &[u32], ways: &[u32; 8], brick: u32, node: u32) -> [u32; 8] {
    let mut around = [0; 8];
    for (at, corner) in around.iter_mut().zip(&CORNERS[node as usize % NODES]) {
        let way = ways[usize::from(*corner) / NODES % 8];
        *at = table[(brick + way) as usize] + u32::from(*corner) % NODES as u32;
    }
    around
}
