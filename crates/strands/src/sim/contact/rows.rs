//! Rows of vertices that query a surface side by side.

use super::surface::{ContactQuery, ContactResult};
use crate::math::{
    instructions::Instructions,
    lanes::Lane,
    work::{LaneWork, lane_work},
};

/// So many vertices query side by side at most.
const MOST: usize = 16;

/// A surface that answers a row of vertices at once.
pub trait RowSurface {
    /// What up to as many vertices meet as a `T` has lanes, which are at most `N`.
    fn query_row<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        results: &mut [ContactResult],
    );
}

/// What one vertex meets: a row of its own.
pub fn query_one(surface: &impl RowSurface, query: &ContactQuery) -> ContactResult {
    let mut met = [ContactResult::NONE];
    surface.query_row::<f32, 1>(&[*query], &mut met);
    let [met] = met;
    met
}

/// What many meet, all in one substep, by rows as wide as the registers of these
/// instructions; the bits are the same for all.
pub fn query_rows(
    surface: &impl RowSurface,
    instructions: Instructions,
    queries: &[ContactQuery],
    results: &mut [ContactResult],
) {
    debug_assert!(queries.windows(2).all(|w| w[0].substep == w[1].substep));
    let rows = Rows {
        surface,
        queries,
        results,
    };
    lane_work(instructions, rows);
}

struct Rows<'a, S> {
    surface: &'a S,
    queries: &'a [ContactQuery],
    results: &'a mut [ContactResult],
}

impl<S: RowSurface> LaneWork for Rows<'_, S> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let results = self.results.chunks_mut(T::LANES);
        for (queries, results) in self.queries.chunks(T::LANES).zip(results) {
            self.surface.query_row::<T, MOST>(queries, results);
        }
    }
}
