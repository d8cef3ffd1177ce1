//! The methods, one file each, and what they share: scratch, and the input of
//! a step.

pub mod attachment;
pub mod damping;
pub mod der;
pub mod dispatch;
mod fabrik;
pub mod frames;
pub mod ftl;
pub mod material;
pub mod particle;
pub mod pbd;
pub mod prefetch;
pub mod rod;
pub mod shape;
pub mod spring;

use super::{
    SimParams,
    air::Air,
    collide::{CollisionSurface, QueryBatch},
    state::{Block, Row},
    trace::Trace,
};
use crate::math::{
    Pose,
    lanes::{Lane, LaneFrame, V3},
};
use prefetch::Prefetch;
use std::any::Any;

/// A method that can move a block of strands by one step.
pub trait Solver: Send + Sync {
    /// Advances one block by one whole step.
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput);
    /// Does the same, slower, and notes what each constraint did to a strand.
    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace);
    /// Names of what `explain` notes, in the order of its numbers.
    fn corrections(&self) -> &'static [&'static str];
}

/// A row of the table of methods.
pub struct Method {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in the panel.
    pub name: &'static str,
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
    /// Prepares one step under these tunables.
    pub prepare: fn(&SimParams) -> Box<dyn Solver>,
}

/// The methods, in the order of the number keys.
pub const SOLVERS: &[Method] = &[
    Method {
        id: pbd::ID,
        name: "Position Based Dynamics",
        source: "Müller et al. 2007",
        purpose: "fast",
        about: "Fast and always calm; its stiffnesses are sliders, not a material, and hair \
                stretches by a percent.",
        material: false,
        rods: false,
        led: true,
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(pbd::Pbd::new(
                &params.pbd,
                &params.step,
            )))
        },
    },
    Method {
        id: ftl::ID,
        name: "Dynamic Follow-The-Leader",
        source: "Müller, Kim, Chentanez 2012",
        purpose: "cheapest",
        about: "The cheapest, and never stretches: one pass from root to tip. Swings as if hair \
                were lighter towards the tip, and its curls are held by a slider.",
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(ftl::Ftl::new(
                &params.ftl,
                &params.step,
            )))
        },
        material: false,
        rods: false,
        led: false,
    },
    Method {
        id: shape::ID,
        name: "Shape constraints",
        source: "Han, Harada 2012; TressFX",
        purpose: "keeps the style",
        about: "Keeps the hairstyle as an artist wants it, up to moving rigidly with the head. \
                Not a material: what it holds it holds by sliders.",
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(shape::Shape::new(
                &params.shape,
                &params.step,
            )))
        },
        material: false,
        rods: false,
        led: true,
    },
    Method {
        id: spring::ID,
        name: "Curly springs",
        source: "Iben et al. 2013",
        purpose: "bouncy curls",
        about: "Springs along, across and around a curl, made for its bounce: it stretches and \
                comes back and never turns about itself. Has no twist, and stiff hair takes \
                many inner steps.",
        material: true,
        rods: false,
        led: true,
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(spring::Spring::new(
                &params.spring,
                &params.material,
                &params.step,
            )))
        },
    },
    Method {
        id: der::ID,
        name: "Discrete Elastic Rods",
        source: "Bergou et al. 2008",
        purpose: "true, explicit",
        about: "The reference for hair that bends and twists as its material says, with little \
                damping. Explicit: the stiffer the hair and the shorter its segments, the more \
                inner steps it costs; beyond `der.steps`, hair is softer than its material.",
        material: true,
        rods: true,
        led: false,
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(der::Der::new(
                &params.der,
                &params.material,
                &params.step,
            )))
        },
    },
    Method {
        id: rod::ID,
        name: "Kirchhoff rod",
        source: "Kirchhoff 1859; Bergou et al. 2008",
        purpose: "true to material",
        about: "Hair that bends, twists and hangs as its material says and never stretches. \
                Costs more than PBD when the head is shaken hard, and implicit Euler calms \
                long swings.",
        material: true,
        rods: true,
        led: false,
        prepare: |params| {
            Box::new(dispatch::Dispatched::new(rod::Rod::new(
                &params.rod,
                &params.material,
                &params.step,
            )))
        },
    },
];

/// The method of that id.
pub fn method(id: &str) -> Option<&'static Method> {
    SOLVERS.iter().find(|method| method.id == id)
}

/// What a step needs beside the strands; the same for every block.
#[derive(Clone)]
pub struct StepInput<'a> {
    /// Length of a substep. `[s]`
    pub h: f64,
    /// Number of substeps.
    pub substeps: usize,
    /// The head at the start and after each substep.
    pub poses: Vec<Pose>,
    /// Whether the head stays in its own space all step long.
    pub still: bool,
    /// How far a point of the skin may move in a substep. `[m]`
    pub head_travel: f64,
    /// How far a body beside the head may move in a substep, as the head sees
    /// it; part of `head_travel`, too. `[m]`
    pub body_travel: f64,
    /// Acceleration of gravity. `[m/s²]`
    pub gravity: [f64; 3],
    /// Air drag of a strand of ordinary mass. `[1/s]`
    pub drag: f64,
    /// The tunables of all forces.
    pub params: &'a SimParams,
    /// Simulated time at the start of the step. `[s]`
    pub time: f64,
    /// The air in this step.
    pub air: Air,
    /// What strands collide with, if anything.
    pub skin: Option<&'a dyn CollisionSurface>,
    /// How far gravity and wind may move a vertex within a substep. `[m]`
    pub reach: f64,
    /// Distance kept from the skin. `[m]`
    pub margin: f64,
    /// Coulomb friction.
    pub friction: f64,
    /// Share of the impact speed that bounces back.
    pub restitution: f64,
}

impl StepInput<'_> {
    /// The same step, left after so many of its substeps.
    pub fn cut(&self, substeps: usize) -> Self {
        let substeps = substeps.min(self.substeps);
        Self {
            substeps,
            poses: self.poses[..=substeps].to_vec(),
            ..self.clone()
        }
    }

    /// The head after `substep` substeps.
    #[inline(always)]
    pub fn frame<T: Lane>(&self, substep: usize) -> LaneFrame<T> {
        LaneFrame::new(&self.poses[substep])
    }

    /// Which share of the step is done after `substep` substeps.
    #[inline(always)]
    pub fn share(&self, substep: usize) -> f64 {
        // A step that is cut short has fewer substeps, no longer ones.
        substep as f64 / f64::from(self.params.step.substeps)
    }
}

/// How the head moves in one substep, as the strands of a block feel it.
pub struct HeadTravel<T> {
    /// The head when the substep begins.
    pub before: LaneFrame<T>,
    /// The head when it ends.
    pub now: LaneFrame<T>,
    /// The head as each strand's own skin has turned with it when the substep
    /// ends; none where the head does not deform.
    seat: Option<LaneFrame<T>>,
    /// How far each root travels. `[m]`
    pub root_moved: V3<T>,
    /// Which substep it is.
    pub substep: usize,
}

impl<T: Lane> HeadTravel<T> {
    /// Substep `substep`; takes the roots of `block` with it.
    #[inline(always)]
    pub fn new(block: &mut Block<T>, input: &StepInput, substep: usize) -> Self {
        let (before, now) = (input.frame(substep), input.frame::<T>(substep + 1));
        let turn = block.sit(input.share(substep + 1));
        let root = if input.still {
            block.root_rest
        } else {
            now.point(block.root_rest)
        };
        let root_moved = root - block.root;
        block.root = root;
        Self {
            before,
            now,
            seat: turn.map(|turn| now.of_axes(turn.axes())),
            root_moved,
            substep,
        }
    }

    /// Takes the rest curves into the world when the substep ends.
    #[inline(always)]
    pub fn seat(&self) -> &LaneFrame<T> {
        self.seat.as_ref().unwrap_or(&self.now)
    }

    /// The same of lanes `first..`; `now` is the head there.
    #[inline(always)]
    pub fn seat_of<P: Lane>(&self, now: LaneFrame<P>, first: usize) -> LaneFrame<P> {
        match &self.seat {
            Some(seat) => seat.cut(first),
            None => now,
        }
    }

    /// Where the head takes the material point that was at `start`, a place
    /// that was noted from the root's new place. `[m]`
    #[inline(always)]
    pub fn carried(&self, start: V3<T>) -> V3<T> {
        let start = start + self.root_moved;
        self.now.vector(self.before.inverse_vector(start))
    }
}

/// Memory of one thread: what a block needs within a step and not beyond.
pub struct Scratch<T> {
    /// What the air does to each vertex in this step, beside the drag of still
    /// air that is the same in all directions. `[m/s²]`
    pub push: Vec<V3<T>>,
    /// Positions at the start of the substep, from the root at its end. `[m]`
    pub before: Vec<V3<T>>,
    /// The rest curve under the head's pose. `[m]`
    pub target: Vec<V3<T>>,
    /// Squared rest distances to the vertices one, two and three before. `[m²]`
    pub length_squared: Vec<[T; 3]>,
    /// Shape stiffness of each vertex.
    pub pull: Vec<T>,
    /// Contact planes in the world: normal.
    pub normal: Vec<V3<T>>,
    /// Contact planes: offset from the root along that normal. `[m]`
    pub offset: Vec<T>,
    /// How far contact has pushed in this substep. `[m]`
    pub pushed: Vec<T>,
    /// Share of its pulls that each vertex feels where a grip leads a strand.
    pub free: Vec<T>,
    /// Vertices that look at the skin.
    pub looks: QueryBatch,
    /// The block that comes next.
    pub ahead: Prefetch,
    /// Whatever else a method wants to keep from block to block.
    kept: Option<Box<dyn Any + Send>>,
}

impl<T: Lane> Scratch<T> {
    /// Empty; grows with the first block.
    pub fn new() -> Self {
        Self {
            push: Vec::new(),
            before: Vec::new(),
            target: Vec::new(),
            length_squared: Vec::new(),
            pull: Vec::new(),
            normal: Vec::new(),
            offset: Vec::new(),
            pushed: Vec::new(),
            free: Vec::new(),
            looks: QueryBatch::default(),
            ahead: Prefetch::default(),
            kept: None,
        }
    }

    /// A method's own scratch: made when first asked for.
    pub fn keep<S: Default + Send + 'static>(&mut self) -> &mut S {
        if !self.kept.as_ref().is_some_and(|kept| kept.is::<S>()) {
            self.kept = None;
        }
        let kept = self.kept.get_or_insert_with(|| Box::new(S::default()));
        kept.downcast_mut()
            .expect("replaced above where of another type")
    }

    /// Makes room for `rows` rows.
    pub fn fit(&mut self, rows: usize) {
        if self.before.len() < rows {
            self.push.resize(rows, V3::zero());
            self.before.resize(rows, V3::zero());
            self.target.resize(rows, V3::zero());
            self.length_squared.resize(rows, [T::zero(); 3]);
            self.pull.resize(rows, T::zero());
            self.normal.resize(rows, V3::zero());
            self.offset.resize(rows, T::zero());
            self.pushed.resize(rows, T::zero());
            self.free.resize(rows, T::zero());
        }
    }
}

impl<T: Lane> Default for Scratch<T> {
    fn default() -> Self {
        Self::new()
    }
}
