//! Which segments touch which tiles.

use super::screen_point::{Area, ScreenPoint, TILE};

/// Segments by the tiles that they touch.
#[derive(Default)]
pub(super) struct SegmentBins {
    /// Tile and segment, in the list's order.
    touched: Vec<[u32; 2]>,
    /// Where the segments of each tile begin in `sorted`, and the end.
    starts: Vec<u32>,
    /// Numbers of the segments, tile after tile, in the list's order within each.
    sorted: Vec<u32>,
}

impl SegmentBins {
    /// Finds which of `tiles` columns and rows in the `area` its `segments` touch.
    pub(super) fn bin(
        &mut self,
        places: &[ScreenPoint],
        segments: &[[u32; 2]],
        area: Area,
        tiles: [usize; 2],
    ) {
        self.touched.clear();
        self.starts.clear();
        self.starts.resize(tiles[0] * tiles[1] + 1, 0);
        let corner = area.corner.map(|side| side as f32);
        for (number, ends) in segments.iter().enumerate() {
            let [a, b] = ends.map(|i| &places[i as usize]);
            if !(a.depth + b.depth).is_finite() {
                continue;
            }
            let reach = 0.71 * a.width.max(b.width) + 1.0;
            let range = |axis: usize| {
                let [from, to] = [a.at[axis].min(b.at[axis]), a.at[axis].max(b.at[axis])];
                let first = (from - reach - corner[axis]) / TILE[axis] as f32;
                let last = (to + reach - corner[axis]) / TILE[axis] as f32;
                // What is outside has an empty range.
                first.max(0.0) as usize..((last + 1.0).max(0.0) as usize).min(tiles[axis])
            };
            for row in range(1) {
                for column in range(0) {
                    let tile = row * tiles[0] + column;
                    self.touched.push([tile as u32, number as u32]);
                    self.starts[tile + 1] += 1;
                }
            }
        }
        // A counting sort keeps the order within a tile.
        for tile in 1..self.starts.len() {
            self.starts[tile] += self.starts[tile - 1];
        }
        self.sorted.clear();
        self.sorted.resize(self.touched.len(), 0);
        for [tile, segment] in self.touched.iter().rev() {
            let end = &mut self.starts[*tile as usize + 1];
            *end -= 1;
            self.sorted[*end as usize] = *segment;
        }
        // Each start is now where the tile before it begins.
        self.starts.remove(0);
        self.starts.push(self.touched.len() as u32);
    }

    /// The segments that touch that tile.
    #[inline(always)]
    pub(super) fn of_tile(&self, tile: usize) -> &[u32] {
        &self.sorted[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}
