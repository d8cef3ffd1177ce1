//! Rest curves of all strands, and what each strand is like.

use super::{Band, StrandNumbers};
use glam::Vec3;
use std::ops::Range;

/// Rest curves of all strands, in the head's space. Strands may have different
/// vertex counts.
#[derive(Clone, Debug, Default)]
pub struct Groom {
    /// Vertices of all strands, one strand after the other, root first. `[m]`
    pub points: Vec<Vec3>,
    /// Where each strand begins in `points`, and one entry more: the end.
    pub starts: Vec<u32>,
    /// Mass of each strand relative to the mean: 1 is ordinary hair.
    pub masses: Vec<f32>,
    /// Stiffness of each vertex as a share of what its method says; empty where
    /// that is 1 everywhere.
    pub stiffness: Vec<f32>,
    /// Linear RGB of each strand's root and tip; empty where hair has the colour
    /// that the look says.
    pub colours: Vec<[[f32; 3]; 2]>,
    /// How thick hair is at each vertex, 1 as much as the look says; empty where
    /// it is so everywhere.
    pub widths: Vec<f32>,
    /// Vertices that are bound to the head where they are: strand and vertex.
    pub ties: Vec<[u32; 2]>,
    /// What hair is bound with.
    pub bands: Vec<Band>,
    /// What each strand stands for in the hair around it; empty where each is one strand.
    pub bundles: Vec<Bundle>,
    /// What each strand is known by.
    pub numbers: StrandNumbers,
    /// The length that each strand was to have, before chance and the hairstyle changed
    /// it; empty where nobody says. `[m]`
    pub lengths: Vec<f32>,
}

/// Strands that one stands for: itself, and those that follow it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bundle {
    /// How many.
    pub strands: f32,
    /// How far the others are from it, on average. `[m]`
    pub radius: f32,
}

impl Bundle {
    /// One strand.
    pub const ONE: Self = Self {
        strands: 1.0,
        radius: 0.0,
    };
}

impl Default for Bundle {
    fn default() -> Self {
        Self::ONE
    }
}

impl Groom {
    /// Number of strands.
    pub fn strands(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// What strand `index` stands for.
    pub fn bundle(&self, index: usize) -> Bundle {
        self.bundles.get(index).copied().unwrap_or(Bundle::ONE)
    }

    /// What a strand stands for on average, and how far a strand that follows is from its
    /// guide on average.
    pub fn mean_bundle(&self) -> Bundle {
        if self.bundles.is_empty() {
            return Bundle::ONE;
        }
        let (mut followers, mut apart) = (0.0, 0.0);
        for bundle in &self.bundles {
            let following = f64::from(bundle.strands - 1.0).max(0.0);
            followers += following;
            apart += following * f64::from(bundle.radius);
        }
        let radius = if followers > 0.0 {
            apart / followers
        } else {
            0.0
        };
        Bundle {
            strands: (1.0 + followers / self.bundles.len() as f64) as f32,
            radius: radius as f32,
        }
    }

    /// Indices into `points` of strand `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// The rest curve of strand `index`, root first. `[m]`
    pub fn strand(&self, index: usize) -> &[Vec3] {
        &self.points[self.range(index)]
    }

    /// The strand with that number, where it grows.
    pub fn strand_numbered(&self, number: usize) -> Option<usize> {
        let strand = self.numbers.strand(number);
        strand.filter(|strand| *strand < self.strands())
    }

    /// Which strands are tied.
    pub fn tied(&self) -> Vec<bool> {
        let mut tied = vec![false; self.strands()];
        for [strand, _] in &self.ties {
            if let Some(tied) = tied.get_mut(*strand as usize) {
                *tied = true;
            }
        }
        tied
    }

    /// The length that strand `index` was to have; a metre where nobody says. `[m]`
    pub fn length(&self, index: usize) -> f32 {
        self.lengths.get(index).copied().unwrap_or(1.0)
    }

    /// The longest edge of all rest curves. `[m]`
    pub fn longest_edge(&self) -> f32 {
        let longest = |strand: usize| {
            let edges = self.strand(strand).windows(2);
            edges
                .map(|edge| edge[0].distance(edge[1]))
                .fold(0.0, f32::max)
        };
        (0..self.strands()).map(longest).fold(0.0, f32::max)
    }
}
