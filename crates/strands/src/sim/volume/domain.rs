//! The space that the grid may fill: a box of bricks in the head's space.

/// Cells along each edge of a brick.
pub(super) const EDGE: usize = 4;

/// Cells of a brick, and nodes that are its own.
pub(super) const OWN: usize = EDGE * EDGE * EDGE;

/// Nodes along each edge that a brick keeps, so that all corners of each of its
/// cells lie in it: the last ones are the first ones of its neighbours.
pub(super) const ROW: usize = EDGE + 1;

/// Nodes that a brick keeps, and few more: the number of a cell's first node
/// takes seven bits.
pub(super) const NODES: usize = 1 << NODE_BITS;

/// Bits of the number of a node in its brick.
pub(super) const NODE_BITS: u32 = 7;

/// From the first node of a cell to behind its last one.
pub(super) const REACH: usize = ROW * ROW + ROW + 2;

/// Bricks along an axis at most: with cells of 5 mm, 3.2 m. Hair beyond counts
/// as at the edge.
const MOST: usize = 160;

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

    /// How much farther in a table the neighbour is that lies one brick on along
    /// the axes whose bits are set, x being the highest one.
    pub fn neighbour(&self, corner: usize) -> usize {
        let [x, y, z] = self.strides();
        (corner >> 2 & 1) * x + (corner >> 1 & 1) * y + (corner & 1) * z
    }

    /// The places that vertices may take along each axis, in cells.
    pub fn places(&self) -> [[f64; 2]; 3] {
        let edge = EDGE as f64;
        self.bricks
            .map(|bricks| [edge, edge * (bricks as f64 - 2.0) - 1.0 / 64.0])
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

/// The nodes that a brick shares with the neighbour at `corner` (see
/// [`Domain::neighbour`]), by rows along z. `deed` gets the number of a row's
/// first node among those that the brick keeps, its number among the neighbour's
/// own, and whether the row is of [`EDGE`] nodes: else it is of one.
#[inline(always)]
pub(super) fn shared(corner: usize, mut deed: impl FnMut(usize, usize, bool)) {
    let beyond = [corner >> 2 & 1, corner >> 1 & 1, corner & 1];
    let [x, y, _] = beyond.map(|beyond| if beyond == 1 { 1 } else { EDGE });
    let from = ((beyond[0] * ROW + beyond[1]) * ROW + beyond[2]) * EDGE;
    for x in 0..x {
        for y in 0..y {
            deed(
                from + (x * ROW + y) * ROW,
                (x * EDGE + y) * EDGE,
                beyond[2] == 0,
            );
        }
    }
}
