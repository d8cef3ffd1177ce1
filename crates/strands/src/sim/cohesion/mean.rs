//! What the strands of a lock are on the average, height by height.

use super::heights::{HEIGHTS, Heights, Modelled, Motion, Stored, load, store};
use crate::math::lanes::{F, Lane, V3};

/// Some vertices of a strand.
pub(super) struct Vertices {
    /// From the strand's root or tie, in the world's directions. `[m]`
    pub place: V3<Heights>,
    /// Of a tied strand against its tie. `[m/s]`
    pub velocity: V3<Heights>,
    /// Where they were modelled, from there in the head's space. `[m]`
    pub rest: V3<Heights>,
    /// As length of ordinary hair. `[m]`
    pub mass: Heights,
}

impl Vertices {
    #[inline(always)]
    pub fn new(motion: &Motion, modelled: &Modelled) -> Self {
        Self {
            place: load(&motion.place),
            velocity: load(&motion.velocity),
            rest: load(&modelled.place),
            mass: F(modelled.mass),
        }
    }
}

/// A lock at some heights: the mean of its strands.
#[derive(Clone, Copy)]
pub(super) struct Mean {
    /// As those of [`Vertices`].
    pub place: V3<Heights>,
    pub velocity: V3<Heights>,
    pub rest: V3<Heights>,
}

impl Mean {
    const NUMBERS: usize = 9;

    #[inline(always)]
    fn rows(&self) -> [Stored; Self::NUMBERS] {
        let [a, b, c] = [self.place, self.velocity, self.rest].map(store);
        [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
    }

    #[inline(always)]
    fn of_rows(r: [Stored; Self::NUMBERS]) -> Self {
        Self {
            place: load(&[r[0], r[1], r[2]]),
            velocity: load(&[r[3], r[4], r[5]]),
            rest: load(&[r[6], r[7], r[8]]),
        }
    }
}

/// A mean that is being made.
pub(super) struct Sum {
    mean: Mean,
    weight: Heights,
}

impl Sum {
    #[inline(always)]
    pub fn new() -> Self {
        let zero = V3::zero();
        Self {
            mean: Mean {
                place: zero,
                velocity: zero,
                rest: zero,
            },
            weight: Heights::zero(),
        }
    }

    #[inline(always)]
    pub fn add(&mut self, vertices: &Vertices, weight: Heights) {
        let mean = &mut self.mean;
        mean.place = mean.place + vertices.place.scale(weight);
        mean.velocity = mean.velocity + vertices.velocity.scale(weight);
        mean.rest = mean.rest + vertices.rest.scale(weight);
        self.weight += weight;
    }

    #[inline(always)]
    fn mean(&self) -> Mean {
        // Before the tie and behind the tip a lock weighs nothing, and here and there behind a
        // tie.
        let share = Heights::splat(1.0) / self.weight.max(Heights::splat(f32::MIN_POSITIVE.into()));
        Mean {
            place: self.mean.place.scale(share),
            velocity: self.mean.velocity.scale(share),
            rest: self.mean.rest.scale(share),
        }
    }
}

/// The means of a lock at all its heights. Below the first and beyond the last height
/// the same is repeated, as far as the turn looks.
#[derive(Default)]
pub(super) struct Means {
    /// Each number of all heights, one after the other.
    numbers: [Vec<f32>; Mean::NUMBERS],
    /// What each height weighs. `[m]`
    weights: Vec<f32>,
    /// How far it is repeated on each side.
    pub beyond: usize,
}

impl Means {
    #[inline(always)]
    pub fn resize(&mut self, groups: usize, beyond: usize) {
        self.beyond = beyond;
        for numbers in &mut self.numbers {
            numbers.resize(groups * HEIGHTS + 2 * beyond, 0.0);
        }
        self.weights.resize(groups * HEIGHTS, 0.0);
    }

    /// The means at the heights from `first`, which may be `beyond` lower or higher,
    /// on.
    #[inline(always)]
    pub fn get(&self, first: usize) -> Mean {
        let mut rows = [[0.0; HEIGHTS]; Mean::NUMBERS];
        for (row, numbers) in rows.iter_mut().zip(&self.numbers) {
            if let Some(from) = numbers.get(first..).and_then(|from| from.first_chunk()) {
                *row = *from;
            }
        }
        Mean::of_rows(rows)
    }

    #[inline(always)]
    pub fn set(&mut self, group: usize, sum: &Sum) {
        let first = group * HEIGHTS;
        if let Some(to) = self.weights.get_mut(first..first + HEIGHTS) {
            to.copy_from_slice(&sum.weight.0);
        }
        let first = first + self.beyond;
        for (row, numbers) in sum.mean().rows().into_iter().zip(&mut self.numbers) {
            if let Some(to) = numbers.get_mut(first..first + HEIGHTS) {
                to.copy_from_slice(&row);
            }
        }
    }

    /// Fills heights that weigh nothing, once the lock has begun, with those before them, and
    /// repeats the first and the last of `heights` heights.
    #[inline(always)]
    pub fn close(&mut self, heights: usize) {
        let (first, last) = (self.beyond, self.beyond + heights - 1);
        let begun = self.weights.iter().position(|weight| *weight > 0.0);
        for height in begun.unwrap_or(heights)..heights {
            if self.weights[height] == 0.0 {
                for numbers in &mut self.numbers {
                    numbers[first + height] = numbers[first + height - 1];
                }
            }
        }
        for numbers in &mut self.numbers {
            let ends = [numbers[first], numbers[last]];
            numbers[..first].fill(ends[0]);
            numbers[last + 1..].fill(ends[1]);
        }
    }
}
