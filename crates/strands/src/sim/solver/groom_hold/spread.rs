//! How the groom hold is spread over joints: counts, of which medians follow
//! without all joints being sorted.

use super::profile::HoldProfile;
use crate::{
    math::{
        elementary::{log2, pow},
        lanes::Lane,
    },
    sim::state::Block,
};

/// Classes an octave: a median is right within 2.2 %.
const PER_OCTAVE: f64 = 16.0;

/// Up to eight octaves, the largest cap that may be set.
const CLASSES: usize = 129;

/// Joints counted by their hold, on a logarithmic scale.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldSpread {
    /// Of all joints, and of the outer half of each strand.
    counts: [[u32; CLASSES]; 2],
    /// Strands of which some joint is held.
    pub held: usize,
    /// Strands that would topple even with the largest hold allowed, and have none.
    pub toppling: usize,
    /// The largest hold of any joint.
    pub largest: f64,
}

impl Default for HoldSpread {
    fn default() -> Self {
        Self {
            counts: [[0; CLASSES]; 2],
            held: 0,
            toppling: 0,
            largest: 1.0,
        }
    }
}

impl HoldSpread {
    /// Counts the joints of the strands of `block`.
    pub(super) fn of<T: Lane>(block: &Block<T>, hold: &HoldProfile<T>) -> Self {
        let mut out = Self::default();
        for lane in 0..block.strands {
            let joints = block.counts[lane].saturating_sub(1);
            let mut most: f64 = 1.0;
            for j in 0..joints {
                let here = hold.at(j).get(lane);
                most = most.max(here);
                let class = (PER_OCTAVE * log2(here.max(1.0))).round() as usize;
                let class = class.min(CLASSES - 1);
                out.counts[0][class] += 1;
                if 2 * j >= joints {
                    out.counts[1][class] += 1;
                }
            }
            out.held += usize::from(most > 1.0);
            out.largest = out.largest.max(most);
            let topples = hold.topples.map_or(0.0, |topples| topples.get(lane));
            out.toppling += usize::from(topples > 0.5);
        }
        out
    }

    /// Adds what `other` counted.
    pub fn add(&mut self, other: &Self) {
        for (all, more) in self.counts.iter_mut().zip(&other.counts) {
            for (all, more) in all.iter_mut().zip(more) {
                *all += more;
            }
        }
        self.held += other.held;
        self.toppling += other.toppling;
        self.largest = self.largest.max(other.largest);
    }

    /// Median of the hold over all joints; 1 where there are none.
    pub fn median(&self) -> f64 {
        median(&self.counts[0])
    }

    /// The same over the outer half of each strand.
    pub fn outer_median(&self) -> f64 {
        median(&self.counts[1])
    }
}

fn median(counts: &[u32; CLASSES]) -> f64 {
    let all: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    let mut below = 0;
    let class = counts.iter().position(|count| {
        below += u64::from(*count);
        2 * below >= all
    });
    pow(2f64, class.unwrap_or(0) as f64 / PER_OCTAVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(classes: &[usize]) -> HoldSpread {
        let mut out = HoldSpread::default();
        for class in classes {
            out.counts[0][*class] += 1;
        }
        out
    }

    #[test]
    fn a_median_lies_in_the_middle_class() {
        assert_eq!(HoldSpread::default().median(), 1.0);
        assert_eq!(spread(&[0, 0, 64]).median(), 1.0);
        assert_eq!(spread(&[0, 16, 64]).median(), 2.0);
        let mut all = spread(&[0, 64]);
        all.add(&spread(&[64, 64, 128]));
        assert_eq!((all.median(), all.outer_median()), (16.0, 1.0));
    }
}
