//! What each constraint of a method did to one strand, for the strand inspector.
//!
//! A step has no side effects, so what it did to a strand can be seen by doing
//! it again with a copy of the strand's block: the same bits, and nothing to
//! pay in the blocks that nobody looks at.

use super::{
    solver::{Solver, StepInput},
    state::{Block, Row},
};
use crate::math::lanes::{Lane, V3};
use glam::Vec3;

/// Listens to a method's corrections.
pub trait Observer<T> {
    /// Whether anybody listens; what is only done to be told can be left out
    /// where nobody does.
    fn listens(&self) -> bool;
    /// A substep begins for the strands in lanes `first..` of the block, with
    /// `rows` vertices.
    fn begin(&mut self, first: usize, rows: usize);
    /// What follows is about the strands in lanes `first..`.
    fn turn_to(&mut self, first: usize);
    /// Correction number `which` of the method's list moved vertex `row` of
    /// those strands. `[m]`
    fn note(&mut self, which: usize, row: usize, moved: V3<T>);
}

/// Hears nothing and costs nothing.
pub struct Unobserved;

impl<T> Observer<T> for Unobserved {
    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }
    #[inline(always)]
    fn begin(&mut self, _first: usize, _rows: usize) {}
    #[inline(always)]
    fn turn_to(&mut self, _first: usize) {}
    #[inline(always)]
    fn note(&mut self, _which: usize, _row: usize, _moved: V3<T>) {}
}

/// What one kind of correction did to a strand.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// Its name.
    pub name: &'static str,
    /// How far it moved each vertex in the last substep, in all. `[m]`
    pub moved: Vec<Vec3>,
}

/// What the method at work did to one strand in the last substep.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The strand, in the groom's order.
    pub strand: usize,
    /// One entry for each kind of correction that the method knows.
    pub corrections: Vec<Correction>,
    /// The strand's lane in its block.
    lane: usize,
    /// First lane of the strands that are being told of.
    first: usize,
}

impl<T: Lane> Observer<T> for Trace {
    fn listens(&self) -> bool {
        !self.corrections.is_empty()
    }

    fn begin(&mut self, first: usize, rows: usize) {
        self.first = first;
        if !(first..first + T::LANES).contains(&self.lane) {
            return;
        }
        for correction in &mut self.corrections {
            correction.moved.clear();
            correction.moved.resize(rows, Vec3::ZERO);
        }
    }

    fn turn_to(&mut self, first: usize) {
        self.first = first;
    }

    fn note(&mut self, which: usize, row: usize, moved: V3<T>) {
        let Some(lane) = self.lane.checked_sub(self.first) else {
            return;
        };
        let correction = self.corrections.get_mut(which);
        let sum = correction.and_then(|correction| correction.moved.get_mut(row));
        if let Some(sum) = sum.filter(|_| lane < T::LANES) {
            *sum += Vec3::from_array(moved.get(lane).map(|c| c as f32));
        }
    }
}

impl Trace {
    /// A trace that records nothing.
    pub(super) fn unread() -> Self {
        Self {
            strand: 0,
            corrections: Vec::new(),
            lane: 0,
            first: 0,
        }
    }
}

/// A strand's block as it was before a step.
pub(super) struct Watched {
    strand: usize,
    lane: usize,
    block: Block<Row>,
}

impl Watched {
    /// Strand `strand` of the groom, which sits in lane `lane` of `block`.
    pub fn new(strand: usize, block: &Block<Row>, lane: usize) -> Self {
        Self {
            strand,
            lane,
            block: block.clone(),
        }
    }

    /// Does the step again and answers what was done, and the block after it.
    pub fn trace(mut self, solver: &dyn Solver, input: &StepInput) -> (Trace, Block<Row>) {
        let correction = |name: &&'static str| Correction {
            name,
            moved: Vec::new(),
        };
        let mut trace = Trace {
            strand: self.strand,
            corrections: solver.corrections().iter().map(correction).collect(),
            lane: self.lane,
            first: 0,
        };
        solver.explain(&mut self.block, input, &mut trace);
        for correction in &mut trace.corrections {
            correction.moved.truncate(self.block.counts[self.lane]);
        }
        (trace, self.block)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        groom::{GroomParams, grow},
        mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
        sim::{SimParams, Simulation, solver::SOLVERS},
    };
    use std::sync::Arc;

    /// Else the inspector would tell of another strand than the one on show.
    #[test]
    fn a_step_done_again_ends_in_the_same_bits() {
        let head = load(&HeadParams::default()).expect("the head");
        let roots = RootParams {
            strands: 50,
            ..RootParams::default()
        };
        let roots = scatter::roots(&head.mesh, &roots).expect("roots");
        let body = Arc::new(CollisionMesh::new(head.mesh, 0.004));
        let groom = Arc::new(grow::grow(&roots, &GroomParams::default(), 1, &body));
        for method in SOLVERS.iter() {
            let mut params = SimParams::default();
            params.step.solver = method.id.into();
            params.wind.on = true;
            let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
            for _ in 0..30 {
                simulation.step(&params);
            }
            let solver = method.solver(&params);
            simulation.inspect(Some(37));
            simulation.step_with(&params, solver.as_ref(), None);
            let (_, again) = simulation.trace.as_ref().expect("asked for");
            let (block, count) = (&simulation.state.blocks[1], again.counts[5]);
            for i in 0..count {
                let (here, there) = (block.position[i].get(5), again.position[i].get(5));
                assert_eq!(here, there, "{}: vertex {i}", method.id);
            }
        }
    }
}
