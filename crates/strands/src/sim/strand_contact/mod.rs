//! Strand–strand contact: strands that touch push and rub against one another,
//! within the solve of a method that takes it in.
//!
//! Strands are chains of round edges. In each substep both edges of a pair that may
//! touch meet a plane half-way between them: a spring along its normal, Coulomb
//! friction across. So each strand is still solved by itself, against planes that
//! stand still. Where they stand is found in rounds: the first lets strands go as if
//! nothing touched; from it follows which pairs may touch. The next ones meet planes half-way
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
mod edges;
mod half_way;
pub mod law;
mod leaving;
mod pair_batch;
mod pair_list;
mod pairs;
pub mod params;
pub mod plane;
mod search_margins;
mod segment;
mod side_force;
#[cfg(test)]
mod tests;

use super::{
    solver::{Solver, StepInput},
    state::StrandState,
    vertices::transpose,
};
use crate::math::{Pose, lanes::V3};
use edge::EdgeContacts;
use edges::Edges;
use glam::Vec3;
use half_way::farthest_apart;
use law::ContactLaw;
use pair_list::{PairList, PairMaterial};
use pairs::find_pairs;
use params::{ContactRound, StrandContactParams};
use plane::ContactSolve;
use search_margins::SearchMargins;

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

/// What touches, in a few numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandContactFigures {
    /// Pairs of edges that may touch before the next search.
    pub pairs: usize,
    /// Pairs that press against each other.
    pub touching: usize,
}

/// All strand–strand contacts, and how they are found and solved.
#[derive(Default)]
pub struct StrandContact {
    /// The edges and their motion.
    edges: Edges,
    /// The groom as modelled, in the head's space, and how often it was changed. `[m]`
    rest: Option<(u64, Vec<Vec3>)>,
    /// One over the mass of each strand, as a share of ordinary hair's.
    inverse_masses: Vec<f32>,
    /// The pairs that may touch, and what they remember.
    pairs: PairList,
    /// For how long they hold all that may.
    margins: SearchMargins,
    /// Thickness that they were found for. `[m]`
    thickness: f32,
    figures: StrandContactFigures,
}

/// A copy counts the vertices anew; the forces that strands remember go with it.
impl Clone for StrandContact {
    fn clone(&self) -> Self {
        Self {
            pairs: self.pairs.clone(),
            ..Self::default()
        }
    }
}

impl StrandContact {
    /// What touches.
    pub fn figures(&self) -> StrandContactFigures {
        self.figures
    }

    /// Memory that a copy takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        self.pairs.bytes()
    }

    /// Lets go of everything where strands touch no longer.
    pub fn rest(&mut self, state: &mut StrandState) {
        // A copy knows nothing of the edges, but its strands remember their forces.
        let mut blocks = state.blocks.iter();
        if blocks.any(|block| block.strand_contacts.is_some()) {
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
        let Touching { params, input, .. } = *step;
        let instructions = step.solver.instructions();
        self.index_vertices(state);
        self.gather_positions(state);
        self.edges.bound(params.thickness);
        let mut law = ContactLaw {
            friction: params.friction,
            h: input.h as f32,
            inertia: params.inertia,
            expects: params.rounds > 1,
        };
        // Free of contact, hair that touches goes together where forces take it: a
        // contact that began from where it is would hold it back.
        self.solve(state, step, ContactRound::Free);
        self.find(state, step);
        self.pairs.hand_over(&self.edges, params.thickness);
        for round in 1..=params.rounds {
            let (thickness, first) = (params.thickness, round == 1);
            self.pairs
                .plan(&self.edges, &law, thickness, first, instructions);
            law.expects = false;
            let round = match round < params.rounds {
                true => ContactRound::Trial,
                false => ContactRound::Final,
            };
            self.solve(state, step, round);
        }
        self.figures.touching = self.pairs.remember(&self.edges, &law, instructions);
    }

    /// Lets the method solve for all strands, and gathers how far their vertices went.
    fn solve(&mut self, state: &mut StrandState, step: &Touching, round: ContactRound) {
        let input = StepInput {
            strand_contact: Some(ContactSolve {
                round,
                planes: &self.pairs.planes,
            }),
            ..step.input.clone()
        };
        state.advance(step.solver, &input);
        self.gather_displacements(state);
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
        if self.edges.firsts.len() == strands + 1 {
            return;
        }
        let counts = state.blocks.iter();
        let counts = counts.flat_map(|block| block.counts[..block.strands].iter().copied());
        self.edges = Edges::new(counts);
        self.rest = None;
        let mut firsts = self.edges.firsts.iter();
        for block in &mut state.blocks {
            let firsts: Vec<u32> = firsts.by_ref().take(block.strands).copied().collect();
            if let Some(contacts) = &mut block.strand_contacts {
                contacts.vertices = firsts;
            }
        }
    }

    /// Notes where every vertex is.
    fn gather_positions(&mut self, state: &StrandState) {
        transpose(
            &state.blocks,
            &mut self.edges.vertices,
            |block| (&block.position, block.root),
            |vertex, place| vertex.start = place,
        );
    }

    /// Gathers from all blocks how far their vertices went.
    fn gather_displacements(&mut self, state: &StrandState) {
        transpose(
            &state.blocks,
            &mut self.edges.vertices,
            |block| {
                let contacts = block.strand_contacts.as_ref();
                let moved = contacts.map_or(&[][..], |contacts| &contacts.moved);
                (moved, V3::zero())
            },
            |vertex, moved| vertex.moved = moved,
        );
    }

    /// The groom as modelled; answers whether it has changed.
    fn measure_rest(&mut self, state: &StrandState) -> bool {
        if self
            .rest
            .as_ref()
            .is_some_and(|(edits, _)| *edits == state.edits)
        {
            return false;
        }
        let mut rest = vec![Vec3::ZERO; self.edges.vertices.len()];
        transpose(
            &state.blocks,
            &mut rest,
            |block| (&block.rest, block.root_rest),
            |vertex, place| *vertex = place,
        );
        self.rest = Some((state.edits, rest));
        let blocks = state.blocks.iter();
        let masses = blocks.flat_map(|block| &block.inverse_mass.0[..block.strands]);
        self.inverse_masses = masses.copied().collect();
        true
    }

    /// Finds the pairs that may touch in this substep; what is found again keeps its
    /// forces.
    fn find(&mut self, state: &StrandState, step: &Touching) {
        let (thickness, head) = (step.params.thickness, [0, 1].map(|i| step.input.poses[i]));
        if self.measure_rest(state) || self.thickness != thickness {
            self.margins.forget();
            self.thickness = thickness;
        }
        if self
            .margins
            .are_valid(&self.edges, &head, farthest_apart(thickness))
        {
            return;
        }
        self.margins.draw(&self.edges, &head);
        let margins = self.margins.margins();
        let instructions = step.solver.instructions();
        let found = find_pairs(&self.edges, thickness, margins, instructions);
        let material = PairMaterial {
            rest: self.rest.as_ref().map_or(&[][..], |(_, rest)| &rest[..]),
            inverse_masses: &self.inverse_masses,
            thickness,
        };
        self.pairs
            .replace(&found, &self.edges, &material, instructions);
        self.figures.pairs = self.pairs.count;
    }
}
