//! What a method of moving strands is: what it can do, and its row in the table.

use super::{
    Scratch, StepInput,
    bench_plan::BenchPlan,
    effort::Effort,
    groom_hold::HoldSpread,
    instructions::{Instructions, Width},
};
use crate::{
    math::Pose,
    param::Value,
    sim::{
        SimParams, Statistics,
        method_params::MethodSection,
        state::{Block, Row},
        strand_contact::params::StrandContactParams,
        trace::Trace,
    },
};

/// A method that can move a block of strands by one step. Beside the step it
/// tells what it knows of the strands: most methods have nothing to tell.
///
/// What a step does beside moving vertices (a [`Kernel`](super::dispatch::Kernel) is spared the
/// last of it):
///
/// 1. [`Block::take_over`]: what another method has left in the block is forgotten;
///    [`Scratch::fit`] makes room.
/// 2. [`StepInput::accelerate`], once: wind and drag.
/// 3. In each substep [`HeadTravel::new`](super::HeadTravel::new) takes the roots with the head;
///    [`contact`](crate::sim::contact) finds the planes that vertices may meet, and is told by
///    `record_motion` how far they went; [`attachment`](crate::sim::attachment) does what hands and
///    pins do.
/// 4. [`Block::restore_nonfinite`]: nothing that is not finite leaves it.
///
/// `examples/mass_spring` has all of it in one file.
pub trait Solver: Send + Sync {
    /// Advances one block by one whole step.
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput);
    /// Does the same, slower, and notes what each constraint did to a strand.
    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace);
    /// Names of what `explain` notes, in the order of its numbers.
    fn corrections(&self) -> &'static [&'static str];

    /// What the method knows of the strands of a block, under a head at `pose`.
    fn figures(&self, _block: &Block<Row>, _pose: &Pose) -> BlockFigures {
        BlockFigures::default()
    }

    /// Forces within and on the strand in `lane`; none where the method knows no
    /// forces, or has not moved the block.
    fn forces(&self, _block: &Block<Row>, _lane: usize) -> Option<StrandForces> {
        None
    }

    /// The instructions that its step is compiled for; what is worked out beside the step
    /// keeps to them.
    fn instructions(&self) -> Instructions {
        Instructions::widest()
    }

    /// How strands touch one another, where the method takes that into its solve.
    fn strand_contact(&self) -> Option<StrandContactParams> {
        None
    }

    /// Whether what strands gain from others acts all step long, not at once. A method that
    /// looks back two substeps must ask for it: no memory of a method is told of such a blow,
    /// and to that method it would look like motion.
    fn spreads_gains(&self) -> bool {
        false
    }

    /// How many times stiffer than its material each joint of the strand in `lane`
    /// is made so that it holds the groom, from the root; none where the method
    /// holds none, or has not moved the block.
    fn groom_hold(&self, _block: &Block<Row>, _lane: usize) -> Option<Vec<f64>> {
        None
    }
}

/// What a method tells of the strands of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockFigures {
    /// Energy of bending and twisting of each strand, for each unit of its linear
    /// density; empty where the method has no such thing. `[m³/s²]`
    pub elastic: Vec<f64>,
    /// How many times stiffer than its material each joint is made so that it
    /// holds the groom; none where none can be.
    pub hold: Option<Box<HoldSpread>>,
    /// Inner steps of each strand in the last substep; empty where there are none.
    pub inner_steps: Vec<f64>,
    /// Strands that are softer than their material.
    pub softened: usize,
    /// Inner steps that would have to be allowed so that none is.
    pub steps_needed: f64,
    /// What the solver has had to do since the hair was grown.
    pub effort: Effort,
}

impl BlockFigures {
    /// Of a method that has done so much for `block`; `now` is what it knows of the
    /// strands, asked for only where it is the one that moves them.
    pub fn of(
        block: &Block<Row>,
        method: &str,
        effort: Effort,
        now: impl FnOnce() -> Self,
    ) -> Self {
        let figures = match block.moved_by == method {
            true => now(),
            false => Self::default(),
        };
        Self { effort, ..figures }
    }
}

/// Forces of one strand, for each unit of its linear density. `[m²/s²]`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrandForces {
    /// What pulls along each edge, from the root.
    pub tension: Vec<f64>,
    /// Normal force of contact on each vertex.
    pub contact: Vec<f64>,
}

/// A line that a method has to say of itself while it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusLine {
    /// The line.
    pub text: String,
    /// What it means.
    pub help: &'static str,
    /// What mends it, where the line is a warning.
    pub remedy: Option<Remedy>,
}

/// A change of a parameter that ends what a method warns of.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// What it does, in words for a button.
    pub label: String,
    /// Name of the parameter, `section.key`.
    pub parameter: &'static str,
    /// Its new value.
    pub value: Value,
}

/// What is known of a method while it runs.
#[derive(Clone, Copy, Debug)]
pub struct MethodStatus<'a> {
    /// The parameters that it runs with.
    pub params: &'a SimParams,
    /// What was measured last.
    pub statistics: &'a Statistics,
    /// Share of strands and substeps that took an extra pass lately.
    pub extra_passes: f32,
}

/// Another way to run a method, such as by a second integrator.
pub struct Variant {
    /// Name in tables, behind that of the method.
    pub name: &'static str,
    /// Whether the method runs so.
    pub is_on: fn(&SimParams) -> bool,
    /// Makes it run so.
    pub set: fn(&mut SimParams),
}

/// A row of the table of methods.
pub struct Method {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in the panel.
    pub name: &'static str,
    /// Title of the section of its parameters.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What it is for, in three words at most.
    pub purpose: &'static str,
    /// What it is good for and where it ends, in a sentence or two.
    pub about: &'static str,
    /// Whether it moves hair of a material, by its stiffness and weight.
    pub material: bool,
    /// Whether its strands are elastic rods: they bend and twist by a material.
    pub rods: bool,
    /// Whether a hand draws single vertices, against which the rest of the strand
    /// pulls: then the strand is taken along from outside, by its length.
    pub led: bool,
    /// Its parameters, at their defaults.
    pub params: fn() -> Box<dyn MethodSection>,
    /// Whether it knows the forces in a strand, [`Solver::forces`].
    pub tension: bool,
    /// Prepares one step under these parameters, with instructions as wide as
    /// asked for.
    pub prepare: fn(&SimParams, Width) -> Box<dyn Solver>,
    /// Turns off what is no property of a strand, such as a pull to the hairstyle
    /// or damping, so that strands can be held against theory.
    pub bare: fn(&mut SimParams),
    /// Lets it take steps as short and as many as it needs to be held against
    /// theory.
    pub exact: fn(&mut SimParams),
    /// Lets it iterate until its solution of a step has converged.
    pub converge: fn(&mut SimParams),
    /// Other ways to run it that are held against theory, too.
    pub variants: &'static [Variant],
    /// What of it the bench measures.
    pub bench: BenchPlan,
    /// What it has to say under its parameters while it runs.
    pub status: fn(&MethodStatus) -> Vec<StatusLine>,
}

impl Method {
    /// Prepares one step with the widest instructions of this processor.
    pub fn solver(&self, params: &SimParams) -> Box<dyn Solver> {
        (self.prepare)(params, Width::Widest)
    }

    /// A method that has nothing to say while it runs.
    pub fn silent(_: &MethodStatus) -> Vec<StatusLine> {
        Vec::new()
    }
}
