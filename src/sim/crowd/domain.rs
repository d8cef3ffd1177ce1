//! The space that the grid may fill: a box of bricks in the head's space.

use super::sample::{EDGE, NODES, PARTS, Spot};

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

/// The eight nodes around a place in `table`, which has the first node of each
/// brick.
#[inline(always)]
pub(super) fn nodes(table: &[u32], spot: &Spot, lane: usize) -> [u32; 8] {
    let [x, y, z] = &spot.step;
    let (first, x, y, z) = (spot.first[lane], x[lane], y[lane], z[lane]);
    let (behind, above) = (first + x, first + y);
    let across = behind + y;
    [
        find(table, first),
        find(table, first + z),
        find(table, above),
        find(table, above + z),
        find(table, behind),
        find(table, behind + z),
        find(table, across),
        find(table, across + z),
    ]
}

/// A node, counted through all bricks of the domain, in `table`.
#[inline(always)]
fn find(table: &[u32], at: u32) -> u32 {
    table[at as usize / NODES] + at % NODES as u32
}
