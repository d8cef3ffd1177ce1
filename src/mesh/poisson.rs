//! Even spacing: of many roots, those that keep the largest distance.
//!
//! Yuksel 2015, "Sample Elimination for Generating Poisson Disk Sample Sets":
//! of several times as many candidates the one with the closest neighbours is
//! taken out, again and again, until as many are left as are wanted.

use super::Root;
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};
use std::collections::BinaryHeap;

/// Candidates for each root that is wanted. More make the spacing evener by
/// little and cost as much again.
pub const CANDIDATES: usize = 5;

/// Exponent of the weight of a neighbour (section 3.1, alpha).
const ALPHA: i32 = 8;

/// A candidate: the square of the room it wants relative to the others, 1 where
/// hair is densest.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Where a strand might grow.
    pub root: Root,
    /// How dense hair is there, above 0 to 1.
    pub density: f32,
}

/// `wanted` of the `candidates`, evenly spaced on a surface with that `area`,
/// farther apart where hair is thinner; `[m²]`. The first of them are evenly
/// spaced too.
pub fn thin_out(candidates: &[Candidate], wanted: usize, area: f64) -> Vec<Root> {
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    let mut gone = Vec::new();
    let mut goal = wanted;
    // Halving again and again makes every beginning of the result even
    // (section 4.2).
    while left.len() > 1 && goal > 0 {
        let out = eliminate(candidates, &mut left, goal, area);
        if goal < wanted {
            gone.extend(out);
        }
        goal /= 2;
    }
    let order = left.into_iter().chain(gone.into_iter().rev());
    order.map(|i| candidates[i].root).collect()
}

/// Takes candidates out of `left` until `goal` are left; answers which, in order.
fn eliminate(
    candidates: &[Candidate],
    left: &mut Vec<usize>,
    goal: usize,
    area: f64,
) -> Vec<usize> {
    if left.len() <= goal {
        return Vec::new();
    }
    // The largest possible distance of so many on that area (equation 2).
    let largest = (area / (2.0 * 3f64.sqrt() * goal as f64)).sqrt() as f32;
    let place = |i: usize| candidates[left[i]].root.position;
    let tree = RTree::bulk_load(
        (0..left.len())
            .map(|i| GeomWithData::new(place(i).to_array(), i))
            .collect(),
    );
    // Where hair is thin it stands farther apart.
    let reach = |i: usize| 2.0 * largest / candidates[left[i]].density.max(0.02).sqrt();
    let near: Vec<Vec<(usize, f32)>> = (0..left.len())
        .into_par_iter()
        .map(|i| {
            let within = reach(i) * reach(i);
            let found = tree.locate_within_distance(place(i).to_array(), within);
            let mut near: Vec<(usize, f32)> = found
                .filter(|other| other.data != i)
                .map(|other| {
                    let distance = place(i).distance(place(other.data));
                    (other.data, (1.0 - distance / reach(i)).powi(ALPHA))
                })
                .collect();
            near.sort_unstable_by_key(|(other, _)| *other);
            near
        })
        .collect();
    // Whom each one weighs on: thin hair sees farther than dense hair does.
    let mut weighs_on: Vec<Vec<(usize, f32)>> = vec![Vec::new(); left.len()];
    for (i, near) in near.iter().enumerate() {
        for (other, weight) in near {
            weighs_on[*other].push((i, *weight));
        }
    }
    let mut weights: Vec<f32> = near
        .iter()
        .map(|near| near.iter().map(|(_, weight)| weight).sum())
        .collect();
    let entry = |weights: &[f32], i: usize| (weights[i].max(0.0).to_bits(), i);
    let mut heap: BinaryHeap<(u32, usize)> = (0..left.len()).map(|i| entry(&weights, i)).collect();
    let mut taken = vec![false; left.len()];
    let mut out = Vec::with_capacity(left.len() - goal);
    while out.len() < left.len() - goal {
        let Some((weight, i)) = heap.pop() else { break };
        // An entry is old where its weight has become less.
        if taken[i] || weight != entry(&weights, i).0 {
            continue;
        }
        taken[i] = true;
        out.push(left[i]);
        for (other, weight) in &weighs_on[i] {
            if !taken[*other] {
                weights[*other] -= weight;
                heap.push(entry(&weights, *other));
            }
        }
    }
    let mut index = 0;
    left.retain(|_| {
        index += 1;
        !taken[index - 1]
    });
    out
}
