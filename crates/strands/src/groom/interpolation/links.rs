//! Which guides a strand follows: those that are rooted near it and have its shape.

use super::along::distances;
use crate::groom::Groom;
use glam::Vec3;
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};

/// So many guides are followed at most.
pub(super) const GUIDES: usize = 3;

/// So many of those with the nearest roots are compared.
const ASKED: usize = 16;

/// Places along a strand at which shapes are compared, besides the root.
const PLACES: usize = 8;

/// How much the distance of roots counts; that of shapes counts for the rest.
const ROOTS: f32 = 0.5;

/// What nearness is no longer told apart. `[m²]`
const SAME: f32 = 2e-6;

/// The guides of a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub guides: [u32; GUIDES],
    /// Their sum is 1, and the first is the greatest.
    pub weights: [f32; GUIDES],
}

/// A strand in few numbers: its root, and from there to places along it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shape {
    pub root: Vec3,
    /// Distance between the places. `[m]`
    step: f32,
    pub places: [Vec3; PLACES],
}

impl Shape {
    /// That of a strand with these vertices.
    pub fn of(strand: &[Vec3]) -> Self {
        let root = strand.first().copied().unwrap_or_default();
        let along: Vec<f32> = distances(strand).collect();
        let length = along.last().copied().unwrap_or(0.0);
        let step = length / PLACES as f32;
        let mut places = [Vec3::ZERO; PLACES];
        for (i, place) in places.iter_mut().enumerate() {
            *place = at(strand, &along, (i + 1) as f32 * step) - root;
        }
        Self { root, step, places }
    }

    /// How unlike `other` is at the same distances from the root: the mean square of
    /// distances, that of the roots among them. `[m²]`
    pub fn unlike(&self, other: &Self) -> f32 {
        let away = other.root - self.root;
        let apart = |i: usize| {
            let s = (i + 1) as f32 * self.step / other.step.max(1e-9);
            // Between two places; beyond the tip there is nothing to follow but the tip.
            let k = (s as usize).min(PLACES);
            let place = |k: usize| match k {
                0 => Vec3::ZERO,
                k => other.places[k.min(PLACES) - 1],
            };
            let there = place(k).lerp(place(k + 1), s.min(PLACES as f32) - k as f32);
            (away + there).distance_squared(self.places[i])
        };
        let shapes: f32 = (0..PLACES).map(apart).sum::<f32>() / PLACES as f32;
        ROOTS * away.length_squared() + (1.0 - ROOTS) * shapes
    }
}

/// The point of a strand so far from its root. `[m]`
fn at(strand: &[Vec3], along: &[f32], s: f32) -> Vec3 {
    let after = along.partition_point(|a| *a < s).clamp(1, strand.len() - 1);
    let (a, b) = (along[after - 1], along[after]);
    let t = ((s - a) / (b - a).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    strand[after - 1].lerp(strand[after], t)
}

pub(super) type Roots = RTree<GeomWithData<[f32; 3], usize>>;

/// Finds those of `shapes` with the nearest roots.
pub(super) fn roots(shapes: &[Shape]) -> Roots {
    let entry = |(i, shape): (usize, &Shape)| GeomWithData::new(shape.root.to_array(), i);
    RTree::bulk_load(shapes.iter().enumerate().map(entry).collect())
}

/// Those of `guides` that `strand` is most like, and how unlike they are, the most
/// alike first. `[m²]`
pub(super) fn nearest(strand: &Shape, guides: &[Shape], roots: &Roots) -> Vec<(f32, usize)> {
    let near = roots
        .nearest_neighbor_iter(strand.root.to_array())
        .take(ASKED);
    let mut all: Vec<(f32, usize)> = near
        .map(|entry| (strand.unlike(&guides[entry.data]), entry.data))
        .collect();
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

/// The guides of each of `strands`; none at all without guides.
pub(super) fn link(groom: &Groom, strands: &[Vec<Vec3>]) -> Vec<Link> {
    let guides: Vec<Shape> = (0..groom.strands())
        .into_par_iter()
        .map(|guide| Shape::of(groom.strand(guide)))
        .collect();
    let tree = roots(&guides);
    let one = |strand: &Vec<Vec3>| {
        let near = nearest(&Shape::of(strand), &guides, &tree);
        let (_, first) = *near.first()?;
        let mut link = Link {
            guides: [first as u32; GUIDES],
            weights: [0.0; GUIDES],
        };
        for (i, (unlike, guide)) in near.into_iter().take(GUIDES).enumerate() {
            link.guides[i] = guide as u32;
            link.weights[i] = 1.0 / (unlike + SAME);
        }
        let sum: f32 = link.weights.iter().sum();
        link.weights = link.weights.map(|weight| weight / sum);
        Some(link)
    };
    strands.par_iter().filter_map(one).collect()
}
