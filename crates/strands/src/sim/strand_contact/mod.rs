//! Strand–strand contact: strands that touch push and rub against one another,
//! within the solve of a method that takes it in.
//!
//! Strands are chains of round edges. In each substep both edges of a pair that may
//! touch meet a plane half-way between them: a spring along its normal, Coulomb
//! friction across. So each strand is still solved by itself, against planes that
//! stand still. Where they stand is found in rounds: the first lets strands go as if
//! nothing touched; it tells which pairs may touch. The next ones meet planes half-way
//! between where the last one ended.
//!
//! Planes that stand still block what both strands of a pair do together. A round
//! takes that back by a share of m / (m + 2 k), with m the mass over h² and k the
//! stiffness, but of what they do against each other it leaves as little: that is
//! why the first round is free. (With planes placed by the strands' velocities,
//! a swinging tail of hair gained energy until it flew.) A round is one step of
//! majorisation and minimisation of the incremental potential (Hunter and Lange
//! 2004, "A tutorial on MM algorithms"): each lowers it.
//!
//! Daviet 2023, "Interactive hair simulation on the GPU using ADMM", has Coulomb
//! friction between strands within a time step by another splitting.
//!
//! Limitations: a strand does not touch itself; edges that have passed through each
//! other before they are seen stay so; what three and more strands do against one
//! another converges by half in each round, so a heap of hair is softer than two
//! strands.

pub mod edge;
pub mod law;
mod pairs;
pub mod params;
mod segment;
#[cfg(test)]
mod tests;

use super::{
    solver::{Solver, StepInput},
    state::{LANES, StrandState},
    vertices::{transpose, vector},
};
use crate::math::Pose;
use edge::{EdgeContacts, EdgeForce, EdgePair};
use glam::Vec3;
use law::{ContactForces, ContactLaw, EdgeMotion, EdgePlane};
use pairs::{MovingEdges, find_pairs};
use params::{ContactRound, StrandContactParams};
use rayon::prelude::*;
use segment::closest_of;

/// Shown the number of substeps done, the hair and the head after them.
type Seen<'a> = &'a mut dyn FnMut(usize, &StrandState, &Pose);

/// What a step of touching strands is taken with.
#[derive(Clone, Copy)]
pub struct Touching<'a> {
    /// How they touch.
    pub params: &'a StrandContactParams,
    /// The method.
    pub solver: &'a dyn Solver,
    /// What it needs beside the strands.
    pub input: &'a StepInput<'a>,
}

/// Share of a contact's load that it forgets in a substep: what it is stiff by
/// shall not flicker.
const FORGETTING: f32 = 0.1;

/// Share of a pair's mass that counts as the other strand's at most.
const LIGHTEST_SHARE: f32 = 0.01;

/// What touches, in a few numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandContactFigures {
    /// Pairs of edges that may touch.
    pub pairs: usize,
    /// Pairs that press against each other.
    pub touching: usize,
}

/// All strand–strand contacts, and how they are found and solved.
#[derive(Default)]
pub struct StrandContact {
    /// The first vertex of each strand, counted over all, and their number.
    firsts: Vec<u32>,
    /// The strand of each vertex.
    strands: Vec<u32>,
    /// The groom as modelled, in the head's space, and how often it was changed. `[m]`
    rest: Option<(u64, Vec<Vec3>)>,
    /// Where all vertices were when the substep began. `[m]`
    start: Vec<Vec3>,
    /// How far they move in it, as far as is known. `[m]`
    moved: Vec<Vec3>,
    /// Where the pairs of each vertex' edge begin.
    sides: Vec<u32>,
    /// The other edge of each, by its inner vertex.
    others: Vec<u32>,
    /// What each edge has felt of it.
    forces: Vec<EdgeForce>,
    /// Normal force of each, smoothed over time. `[m²/s²]`
    held: Vec<f32>,
    figures: StrandContactFigures,
}

/// A copy finds the pairs anew; the forces that strands remember go with them.
impl Clone for StrandContact {
    fn clone(&self) -> Self {
        Self {
            sides: self.sides.clone(),
            others: self.others.clone(),
            forces: self.forces.clone(),
            held: self.held.clone(),
            ..Self::default()
        }
    }
}

impl StrandContact {
    /// What touches.
    pub fn figures(&self) -> StrandContactFigures {
        self.figures
    }

    /// Lets go of everything where strands touch no longer.
    pub fn rest(&mut self, state: &mut StrandState) {
        if !self.firsts.is_empty() {
            self.forget();
            for block in &mut state.blocks {
                block.strand_contacts = None;
            }
        }
    }

    /// Forgets what touched.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Moves all strands by one step, and shows them after each substep but the
    /// last.
    pub fn step(&mut self, state: &mut StrandState, step: &Touching, mut see: Option<Seen>) {
        let input = step.input;
        for substep in 0..input.substeps {
            let part = Touching {
                input: &input.only(substep),
                ..*step
            };
            self.substep(state, &part);
            if let Some(see) = see.as_mut().filter(|_| substep + 1 < input.substeps) {
                see(substep + 1, state, &part.input.poses[1]);
            }
        }
    }

    /// Moves all strands by one substep.
    fn substep(&mut self, state: &mut StrandState, step: &Touching) {
        let Touching {
            params,
            solver,
            input,
        } = *step;
        self.index_vertices(state);
        self.gather_positions(state);
        let law = ContactLaw {
            friction: params.friction,
            h: input.h as f32,
        };
        let input = |round| StepInput {
            strand_contact: Some(round),
            ..input.clone()
        };
        // Free of contact, hair that touches goes together where forces take it: a
        // contact that began from where it is would hold it back.
        state.advance(solver, &input(ContactRound::Free));
        self.gather_displacements(state);
        self.find(state, params);
        let before = self.forces.clone();
        for round in 1..=params.rounds {
            self.plan(state, &law, &before, round == 1);
            let round = match round < params.rounds {
                true => ContactRound::Trial,
                false => ContactRound::Final,
            };
            state.advance(solver, &input(round));
            self.gather_displacements(state);
            self.gather_forces(state);
        }
        self.update_loads(state, &law);
    }

    /// Counts all vertices, strand after strand, where that has not been done; makes
    /// room in the blocks for what they find.
    fn index_vertices(&mut self, state: &mut StrandState) {
        for block in &mut state.blocks {
            if block.strand_contacts.is_none() {
                block.strand_contacts = Some(Box::new(EdgeContacts::new(block.rows)));
            }
        }
        let strands: usize = state.blocks.iter().map(|block| block.strands).sum();
        if self.firsts.len() == strands + 1 {
            return;
        }
        (self.firsts, self.strands, self.rest) = (vec![0], Vec::new(), None);
        for block in &state.blocks {
            for count in &block.counts[..block.strands] {
                let strand = self.firsts.len() as u32 - 1;
                let vertices = self.strands.len() + count;
                self.strands.resize(vertices, strand);
                self.firsts.push(vertices as u32);
            }
        }
    }

    fn vertices(&self) -> usize {
        self.firsts.last().map_or(0, |count| *count as usize)
    }

    /// Notes where every vertex is.
    fn gather_positions(&mut self, state: &StrandState) {
        let vertices = self.vertices();
        self.start.resize(vertices, Vec3::ZERO);
        self.moved.resize(vertices, Vec3::ZERO);
        transpose(&state.blocks, &mut self.start, |block, i, lane| {
            vector(&block.position[i], lane) + vector(&block.root, lane)
        });
    }

    /// The groom as modelled.
    fn measure_rest(&mut self, state: &StrandState) {
        if self
            .rest
            .as_ref()
            .is_some_and(|(edits, _)| *edits == state.edits)
        {
            return;
        }
        let mut rest = vec![Vec3::ZERO; self.vertices()];
        transpose(&state.blocks, &mut rest, |block, i, lane| {
            vector(&block.rest[i], lane) + vector(&block.root_rest, lane)
        });
        self.rest = Some((state.edits, rest));
    }

    /// Finds the pairs that may touch in this substep; what is found again keeps its
    /// forces.
    fn find(&mut self, state: &mut StrandState, params: &StrandContactParams) {
        self.measure_rest(state);
        let edges = MovingEdges {
            start: &self.start,
            moved: &self.moved,
            strands: &self.strands,
        };
        let pairs = find_pairs(&edges, params.thickness);
        self.sort(&pairs);
        self.distribute(state, params);
        self.figures.pairs = pairs.len();
    }

    /// Lists both sides of each pair by the edge they belong to.
    fn sort(&mut self, pairs: &[(u32, u32)]) {
        let vertices = self.vertices();
        let mut sides = vec![0u32; vertices + 1];
        for (a, b) in pairs {
            sides[*a as usize + 1] += 1;
            sides[*b as usize + 1] += 1;
        }
        for i in 1..sides.len() {
            sides[i] += sides[i - 1];
        }
        let mut next = sides.clone();
        let mut others = vec![0u32; 2 * pairs.len()];
        for (a, b) in pairs {
            for (own, other) in [(*a, *b), (*b, *a)] {
                others[next[own as usize] as usize] = other;
                next[own as usize] += 1;
            }
        }
        let mut forces = vec![EdgeForce::default(); others.len()];
        let mut held = vec![0.0; others.len()];
        // Many strands at a time, each with its own part of the lists.
        let (mut parts, mut left) = (
            Vec::new(),
            (&mut others[..], &mut forces[..], &mut held[..]),
        );
        for first in (0..self.firsts.len() - 1).step_by(LANES) {
            let end = (first + LANES).min(self.firsts.len() - 1);
            let edges = self.firsts[first] as usize..self.firsts[end] as usize;
            let count = (sides[edges.end] - sides[edges.start]) as usize;
            let (a, b, c) = left;
            let ((a, d), (b, e), (c, f)) = (
                a.split_at_mut(count),
                b.split_at_mut(count),
                c.split_at_mut(count),
            );
            parts.push((edges, a, b, c));
            left = (d, e, f);
        }
        let before = &*self;
        parts
            .into_par_iter()
            .for_each(|(edges, others, forces, held)| {
                let first = sides[edges.start];
                for own in edges {
                    let here = [own, own + 1].map(|i| (sides[i] - first) as usize);
                    others[here[0]..here[1]].sort_unstable();
                    for side in here[0]..here[1] {
                        if let Some(old) = before.side(own as u32, others[side]) {
                            forces[side] = before.forces[old as usize];
                            held[side] = before.held[old as usize];
                        }
                    }
                }
            });
        (self.sides, self.others, self.forces) = (sides, others, forces);
        self.held = held;
    }

    /// Where the edge at vertex `own` lists that at `other`.
    fn side(&self, own: u32, other: u32) -> Option<u32> {
        let first = *self.sides.get(own as usize)?;
        let end = *self.sides.get(own as usize + 1)?;
        let here = &self.others[first as usize..end as usize];
        let at = here.binary_search(&other).ok()?;
        Some(first + at as u32)
    }

    /// Gives each block its pairs.
    fn distribute(&self, state: &mut StrandState, params: &StrandContactParams) {
        let rest = self.rest.as_ref().map_or(&[][..], |(_, rest)| &rest[..]);
        let masses: Vec<f32> = state
            .blocks
            .iter()
            .flat_map(|block| (0..block.strands).map(|lane| block.inverse_mass.0[lane]))
            .collect();
        let pair = |side: usize, own: u32, lane: usize, strand: usize| {
            let other = self.others[side];
            let there = self.strands[other as usize] as usize;
            let ends = [(own, strand), (other, there)].map(|(vertex, strand)| {
                let (first, end) = (self.firsts[strand], self.firsts[strand + 1]);
                [vertex == first, vertex + 2 == end]
            });
            let edges = [own, other].map(|vertex| {
                let inner = rest[vertex as usize];
                (inner, rest[vertex as usize + 1] - inner)
            });
            let ((x, a), (y, b)) = (edges[0], edges[1]);
            let [s, t] = closest_of(x - y, a, b).share;
            let at_rest = (x + a * s - y - b * t).length();
            let both = masses[strand] + masses[there];
            EdgePair {
                lane: lane as u16,
                edge: (own - self.firsts[strand]) as u16,
                vertices: [own, other],
                back: self.side(other, own).unwrap_or(side as u32),
                ends,
                share: (masses[strand] / both).max(LIGHTEST_SHARE),
                // What the groom has closer keeps that distance.
                distance: params.thickness.min(at_rest),
                mass: 0.5 * (a.length() + b.length()),
            }
        };
        let blocks = state.blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            let Some(contacts) = &mut block.strand_contacts else {
                return;
            };
            contacts.clear();
            for lane in 0..block.strands {
                let strand = number * LANES + lane;
                for own in self.firsts[strand]..self.firsts[strand + 1] {
                    let here = self.sides[own as usize]..self.sides[own as usize + 1];
                    contacts
                        .pairs
                        .extend(here.map(|side| pair(side as usize, own, lane, strand)));
                }
                contacts.firsts[lane + 1] = contacts.pairs.len() as u32;
            }
            contacts.finish(block.strands);
        });
    }

    /// Works out what every edge meets in the next round; after the first one, only
    /// where edges were near.
    fn plan(&self, state: &mut StrandState, law: &ContactLaw, before: &[EdgeForce], anew: bool) {
        let (start, moved, forces) = (&self.start, &self.moved, &self.forces);
        let held = &self.held;
        let motion = |vertex: u32| {
            let i = vertex as usize;
            EdgeMotion {
                start: [start[i], start[i + 1]],
                moved: [moved[i], moved[i + 1]],
            }
        };
        let sides = &self.sides;
        let first_vertex = &self.firsts;
        let blocks = state.blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            let Some(contacts) = &mut block.strand_contacts else {
                return;
            };
            let first = sides[first_vertex[number * LANES] as usize] as usize;
            let EdgeContacts {
                pairs,
                planes,
                near,
                ..
            } = &mut **contacts;
            if anew {
                near.clear();
                near.extend(0..pairs.len() as u32);
                planes.fill(EdgePlane::default());
            }
            near.retain(|i| {
                let (pair, plane) = (&pairs[*i as usize], &mut planes[*i as usize]);
                let side = first + *i as usize;
                let [own, other] = pair.vertices.map(motion);
                let met = law.meet(pair, &own, &other, || {
                    let load = law.agreed(forces, side, pair).push;
                    ContactForces {
                        load,
                        held: held[side].max(load),
                        before: law.agreed(before, side, pair),
                    }
                });
                *plane = met.unwrap_or_default();
                met.is_some()
            });
        });
    }

    /// Hears from all blocks how far their vertices went.
    fn gather_displacements(&mut self, state: &StrandState) {
        transpose(
            &state.blocks,
            &mut self.moved,
            |block, i, lane| match &block.strand_contacts {
                Some(contacts) => vector(&contacts.moved[i], lane),
                None => Vec3::ZERO,
            },
        );
    }

    /// Hears from all blocks what their contacts have felt.
    fn gather_forces(&mut self, state: &StrandState) {
        let mut left = &mut self.forces[..];
        for contacts in state
            .blocks
            .iter()
            .filter_map(|b| b.strand_contacts.as_ref())
        {
            let (part, more) = left.split_at_mut(contacts.forces.len());
            part.copy_from_slice(&contacts.forces);
            left = more;
        }
    }

    /// Notes what each contact carries in the long run, and what touches.
    fn update_loads(&mut self, state: &StrandState, law: &ContactLaw) {
        let (mut side, mut touching) = (0, 0);
        for contacts in state
            .blocks
            .iter()
            .filter_map(|b| b.strand_contacts.as_ref())
        {
            for pair in &contacts.pairs {
                let push = law.agreed(&self.forces, side, pair).push;
                let held = &mut self.held[side];
                *held = push.max(*held + FORGETTING * (push - *held));
                touching += usize::from(push > 0.0);
                side += 1;
            }
        }
        self.figures.touching = touching / 2;
    }
}
