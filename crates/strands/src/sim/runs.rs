//! Runs of vertices: what acts over many segments, like hair on the hair around it,
//! sees a few vertices in a row as one.
//!
//! All vertices of a run gain the same velocity, so that what runs give each other
//! is what their vertices give each other.

use std::ops::Range;

/// How the rows of a block are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Vertices of a run; the last one of a strand may have fewer.
    vertices: usize,
    /// The first run of a strand has so many fewer.
    offset: usize,
}

impl Runs {
    /// Runs of about `length`, where segments are as long as `segment`. `[m]`
    pub fn near(length: f64, segment: f64) -> Self {
        let segment = segment.max(f64::MIN_POSITIVE);
        Self {
            vertices: (length / segment).round().clamp(1.0, 8.0) as usize,
            offset: 0,
        }
    }

    /// The same with at most so many vertices in a run, but one at least.
    pub fn at_most(self, most: usize) -> Self {
        let vertices = self.vertices.min(most.max(1));
        Self {
            vertices,
            offset: self.offset % vertices,
        }
    }

    /// The same with ends that are shifted by so many vertices: runs of strands that begin
    /// side by side need not end side by side.
    pub fn staggered(self, number: usize) -> Self {
        Self {
            offset: number % self.vertices,
            ..self
        }
    }

    /// How many runs end within so many vertices.
    #[inline(always)]
    pub fn whole(self, vertices: usize) -> usize {
        (vertices + self.offset) / self.vertices
    }

    /// How many runs so many rows have.
    #[inline(always)]
    pub fn count(self, rows: usize) -> usize {
        (rows + self.offset).div_ceil(self.vertices)
    }

    /// The run of a row.
    #[inline(always)]
    pub fn of(self, row: usize) -> usize {
        (row + self.offset) / self.vertices
    }

    /// The rows of a run, where there are so many in all.
    #[inline(always)]
    pub fn rows(self, run: usize, rows: usize) -> Range<usize> {
        let end = (run + 1) * self.vertices - self.offset;
        end.saturating_sub(self.vertices)..rows.min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_run() {
        for (length, segment) in [(0.01, 0.02), (0.01, 0.006), (0.01, 0.0037), (1.0, 0.0)] {
            let runs = Runs::near(length, segment);
            for rows in [1, 2, 7, 64] {
                let all: Vec<usize> = (0..runs.count(rows))
                    .flat_map(|run| runs.rows(run, rows))
                    .collect();
                assert_eq!(all, (0..rows).collect::<Vec<_>>());
                for run in 0..runs.count(rows) {
                    assert!(runs.rows(run, rows).all(|row| runs.of(row) == run));
                }
                let mut whole = (0..runs.whole(rows)).map(|run| runs.rows(run, rows));
                assert!(whole.all(|whole| whole.len() == runs.rows(0, 64).len()));
            }
        }
        assert_eq!(Runs::near(0.01, 0.006).rows(1, 64), 2..4);
        assert_eq!(Runs::near(0.01, 0.0036).at_most(2).rows(1, 64), 2..4);
        assert_eq!(Runs::near(0.01, 0.006).at_most(0).rows(1, 64), 1..2);
    }

    #[test]
    fn staggered_runs_end_elsewhere() {
        for (number, ends) in [(0, [3, 6, 7]), (1, [2, 5, 7]), (5, [1, 4, 7])] {
            let runs = Runs::near(0.003, 0.001).staggered(number);
            assert_eq!(runs.count(7), 3);
            let found: Vec<_> = (0..3).map(|run| runs.rows(run, 7).end).collect();
            assert_eq!(found, ends);
            assert_eq!(runs.rows(0, 7).start, 0);
            assert!((0..3).all(|run| runs.rows(run, 7).all(|row| runs.of(row) == run)));
            assert_eq!(runs.whole(7), if number == 5 { 3 } else { 2 });
        }
    }
}
