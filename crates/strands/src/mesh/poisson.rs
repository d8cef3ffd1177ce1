//! Even spacing: the next root is always the candidate that is farthest from
//! all roots before it, so that every beginning of them is as even as the whole.
//!
//! Mitchell 1991, "Spectrally Optimal Sampling for Distribution Ray Tracing"
//! (section 4, best candidates), with candidates that stay until they are taken;
//! Gonzalez 1985, "Clustering to Minimize the Maximum Intercluster Distance".

use super::Root;
use rstar::RTree;
use std::collections::BinaryHeap;

/// Candidates that join before each root. More space roots evener by little and
/// cost as much again.
const CANDIDATES: usize = 5;

/// Takes roots out of a stream of candidates without an end.
pub struct Spaced<I> {
    stream: I,
    taken: RTree<[f32; 3]>,
    waiting: Vec<Root>,
    /// The square of how far a candidate was from all that were taken, as bits,
    /// which for such numbers sort alike; and which one it was.
    farthest: BinaryHeap<(u32, usize)>,
}

impl<I: Iterator<Item = Root>> Spaced<I> {
    /// None taken yet of that stream.
    pub fn new(stream: I) -> Self {
        Self {
            stream,
            taken: RTree::new(),
            waiting: Vec::new(),
            farthest: BinaryHeap::new(),
        }
    }

    fn distance(&self, candidate: usize) -> u32 {
        let place = self.waiting[candidate].position;
        let near = self.taken.nearest_neighbor(place.to_array());
        near.map_or(f32::MAX, |near| place.distance_squared((*near).into()))
            .to_bits()
    }
}

impl<I: Iterator<Item = Root>> Iterator for Spaced<I> {
    type Item = Root;

    fn next(&mut self) -> Option<Root> {
        let first = self.waiting.len();
        self.waiting.extend(self.stream.by_ref().take(CANDIDATES));
        for candidate in first..self.waiting.len() {
            let distance = self.distance(candidate);
            self.farthest.push((distance, candidate));
        }
        loop {
            // Distances only become less: what is still as far as when it was
            // last looked at is the farthest of all.
            let (was, candidate) = self.farthest.pop()?;
            let is = self.distance(candidate);
            if is == was {
                let root = self.waiting[candidate];
                self.taken.insert(root.position.to_array());
                return Some(root);
            }
            self.farthest.push((is, candidate));
        }
    }
}
