//! The pairs of edges that may touch in a substep, and what they remember.

use super::{
    edges::{BATCH, Edges, ends},
    law::{ContactLaw, EdgeMotion, PairContact},
    leaving::{Leaving, may_touch},
    pair_batch::{PairBatch, Plan, Remember},
    plane::{ContactPlanes, TASK, TaskPlanes},
};
use crate::math::{
    instructions::Instructions,
    lanes::{Lane, V3},
    work::{LaneWork, lane_work},
};
use glam::Vec3;
use rayon::prelude::*;

/// Batches that one task takes.
const BATCHES: usize = TASK / BATCH;

/// What does not change while strands move.
#[derive(Clone, Copy, Debug)]
pub struct PairMaterial<'a> {
    /// All vertices of the groom as modelled, in the head's space. `[m]`
    pub rest: &'a [Vec3],
    /// One over the mass of each strand, as a share of ordinary hair's.
    pub inverse_masses: &'a [f32],
    /// Distance that the middle lines keep. `[m]`
    pub thickness: f32,
}

/// All pairs.
#[derive(Debug, Default)]
pub struct PairList {
    /// Sorted by their first edge, then by their second.
    batches: Vec<PairBatch>,
    /// Room for the next ones.
    spare: Vec<PairBatch>,
    /// Where the pairs begin whose first edge has its inner vertex there.
    firsts: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// What they do.
    pub planes: ContactPlanes,
    /// Contacts that slide on to other pairs.
    leaving: Vec<Leaving>,
}

/// A copy has what the pairs remember; room and planes come with the next search.
impl Clone for PairList {
    fn clone(&self) -> Self {
        Self {
            batches: self.batches.clone(),
            firsts: self.firsts.clone(),
            count: self.count,
            leaving: self.leaving.clone(),
            ..Self::default()
        }
    }
}

/// Where the entries of each of so many begin, and where the last one's end.
fn prefix(count: usize, entries: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut firsts = vec![0u32; count + 1];
    for entry in entries {
        firsts[entry as usize + 1] += 1;
    }
    for i in 0..count {
        firsts[i + 1] += firsts[i];
    }
    firsts
}

impl PairList {
    /// Memory that a copy takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        size_of_val(&self.batches[..])
            + size_of_val(&self.firsts[..])
            + size_of_val(&self.leaving[..])
    }

    /// Takes other pairs of edges; what is found again keeps its forces.
    pub fn replace(
        &mut self,
        found: &[Vec<(u32, u32)>],
        edges: &Edges,
        material: &PairMaterial,
        instructions: Instructions,
    ) {
        let vertices = edges.vertices.len();
        let all = || found.iter().flatten();
        let firsts = prefix(vertices, all().map(|(a, _)| *a));
        let count = firsts[vertices] as usize;
        // Both edges of each pair, sorted by the first.
        let mut pairs = vec![[0u32; 2]; count];
        let mut next = firsts.clone();
        for (a, b) in all() {
            let place = &mut next[*a as usize];
            pairs[*place as usize] = [*a, *b];
            *place += 1;
        }
        let mut rest = &mut pairs[..];
        let mut buckets = Vec::new();
        for first in (0..vertices).step_by(1024) {
            let end = (first + 1024).min(vertices);
            let (part, more) = rest.split_at_mut((firsts[end] - firsts[first]) as usize);
            buckets.push((first..end, part));
            rest = more;
        }
        buckets.into_par_iter().for_each(|(range, part)| {
            let base = firsts[range.start];
            for vertex in range {
                let [first, end] = [vertex, vertex + 1].map(|v| (firsts[v] - base) as usize);
                part[first..end].sort_unstable();
            }
        });
        let mut batches = std::mem::take(&mut self.spare);
        batches.resize(count.div_ceil(BATCH), PairBatch::none());
        let before = &*self;
        batches
            .par_iter_mut()
            .with_min_len(BATCHES)
            .enumerate()
            .for_each(|(number, batch)| {
                batch.forget();
                for k in 0..BATCH.min(count - number * BATCH) {
                    let pair = number * BATCH + k;
                    let [a, b] = pairs[pair];
                    (batch.vertices[0][k], batch.vertices[1][k]) = (a, b);
                    if let Some(old) = before.place(a, b) {
                        batch.remember(k, &before.batches[old / BATCH], old % BATCH);
                    }
                }
                lane_work(
                    instructions,
                    Measure {
                        batch,
                        edges,
                        material,
                    },
                );
                // Behind the last pair there is nothing, and nothing meets it.
                let end = BATCH.min(count - number * BATCH);
                batch.pair.distance.0[end..].fill(-1.0);
            });
        let tasks = batches.len().div_ceil(BATCHES);
        self.planes.tasks.resize_with(tasks, TaskPlanes::default);
        self.spare = std::mem::replace(&mut self.batches, batches);
        (self.firsts, self.count) = (firsts, count);
    }

    /// The number of the pair of those edges.
    fn place(&self, a: u32, b: u32) -> Option<usize> {
        let first = *self.firsts.get(a as usize)? as usize;
        let end = *self.firsts.get(a as usize + 1)? as usize;
        (first..end).find(|pair| self.batches[pair / BATCH].vertices[1][pair % BATCH] == b)
    }

    /// Hands over what pairs remember whose contact has slid on to edges that may come
    /// closer than `distance` in this substep. `[m]`
    pub fn hand_over(&mut self, edges: &Edges, distance: f32) {
        let mut leaving = std::mem::take(&mut self.leaving);
        for Leaving { from, to, memory } in leaving.drain(..) {
            let [to_a, to_b] = to;
            let Some(place) = self.place(to_a, to_b) else {
                continue;
            };
            if !may_touch(edges, to, distance) {
                continue;
            }
            self.batches[place / BATCH].add_memory(place % BATCH, &memory);
            if let Some(place) = self.place(from[0], from[1]) {
                self.batches[place / BATCH].clear_memory(place % BATCH);
            }
        }
        self.leaving = leaving;
    }

    /// Works out what every edge meets in the next round, once its strands have moved as
    /// far as `edges` says. The first round decides which pairs may come closer than
    /// `distance`. `[m]`
    pub fn plan(
        &mut self,
        edges: &Edges,
        law: &ContactLaw,
        distance: f32,
        first: bool,
        instructions: Instructions,
    ) {
        let batches = self.batches.par_chunks_mut(BATCHES);
        batches
            .zip(&mut self.planes.tasks)
            .for_each(|(batches, planes)| {
                lane_work(
                    instructions,
                    Plan {
                        batches,
                        planes,
                        edges,
                        law,
                        distance,
                        first,
                    },
                );
            });
        self.planes.sort(edges.vertices.len());
    }

    /// Notes what each pair did in the substep and carries in the long run; answers how
    /// many press against each other.
    pub fn remember(
        &mut self,
        edges: &Edges,
        law: &ContactLaw,
        instructions: Instructions,
    ) -> usize {
        let batches = self.batches.par_chunks_mut(BATCHES);
        let found = batches.map(|batches| {
            let (mut touching, mut leaving) = (0, Vec::new());
            lane_work(
                instructions,
                Remember {
                    batches,
                    edges,
                    law,
                    touching: &mut touching,
                    leaving: &mut leaving,
                },
            );
            (touching, leaving)
        });
        let found: Vec<(usize, Vec<Leaving>)> = found.collect();
        let mut sum = 0;
        for (touching, leaving) in found {
            sum += touching;
            self.leaving.extend(leaving);
        }
        sum
    }
}

/// Measures pairs on the groom as modelled.
struct Measure<'a> {
    batch: &'a mut PairBatch,
    edges: &'a Edges,
    material: &'a PairMaterial<'a>,
}

impl LaneWork for Measure<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let thickness = T::splat(f64::from(self.material.thickness));
        for first in (0..BATCH).step_by(T::LANES) {
            let (a, own) = self.gather::<T>(&self.batch.vertices[0][first..]);
            let (b, other) = self.gather::<T>(&self.batch.vertices[1][first..]);
            let pair = &mut self.batch.pair;
            // What the groom has closer keeps that distance.
            let distance = PairContact::of(&a, &b).width.min(thickness);
            pair.distance.paste(first, distance);
            let mass = (a.length() + b.length()) * T::splat(0.5);
            pair.mass.paste(first, mass);
            pair.share.paste(first, own / (own + other));
        }
    }
}

impl Measure<'_> {
    /// The edges at those vertices on the groom as modelled, and one over their masses.
    #[inline(always)]
    fn gather<T: Lane>(&self, at: &[u32]) -> (EdgeMotion<T>, T) {
        let mut rows = [[0.0; 16]; BATCH];
        for (row, vertex) in rows.iter_mut().zip(&at[..T::LANES]) {
            let vertex = *vertex as usize;
            let (a, b) = (self.material.rest[vertex], self.material.rest[vertex + 1]);
            let mass = self.material.inverse_masses[self.edges.strands[vertex] as usize];
            row[..8].copy_from_slice(&[a.x, a.y, a.z, b.x, b.y, b.z, mass, 0.0]);
        }
        let (start, [mass, _]) = ends(&rows, 0);
        let edge = EdgeMotion {
            start,
            moved: [V3::zero(); 2],
            bounds: [T::zero(); 2],
        };
        (edge, mass)
    }
}
