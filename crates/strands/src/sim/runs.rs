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
    /// So many fewer has the first one.
    early: usize,
}

impl Runs {
    /// Runs as near to `length` as may be, with segments of that length. `[m]`
    pub fn near(length: f64, segment: f64) -> Self {
        let segment = segment.max(f64::MIN_POSITIVE);
        Self {
            vertices: (length / segment).round().clamp(1.0, 8.0) as usize,
            early: 0,
        }
    }

    /// The same with no more vertices than `most`, which counts as one at least.
    pub fn at_most(self, most: usize) -> Self {
        let vertices = self.vertices.min(most.max(1));
        Self {
            vertices,
            early: self.early % vertices,
        }
    }

    /// The same with a first run that is shorter, by `number`: where strands that begin
    /// side by side have other numbers, their runs do not end side by side.
    pub fn staggered(self, number: usize) -> Self {
        Self {
            early: number % self.vertices,
            ..self
        }
    }

    /// How many runs end where a strand has so many vertices.
    #[inline(always)]
    pub fn whole(self, vertices: usize) -> usize {
        (vertices + self.early) / self.vertices
    }

    /// The runs of so many rows.
    #[inline(always)]
    pub fn count(self, rows: usize) -> usize {
        (rows + self.early).div_ceil(self.vertices)
    }

    /// The rows of a run among so many.
    #[inline(always)]
    pub fn rows(self, run: usize, rows: usize) -> Range<usize> {
        let end = (run + 1) * self.vertices - self.early;
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
            assert_eq!(runs.whole(7), if number == 5 { 3 } else { 2 });
        }
    }
}
