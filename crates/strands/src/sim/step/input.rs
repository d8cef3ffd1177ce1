//! What a step is given beside the strands.

use crate::{
    math::{
        Pose,
        lanes::{Lane, LaneFrame, V3},
    },
    sim::{
        air::{Air, WindState},
        contact::{CollisionSurface, TorsoTurn},
        params::SimParams,
        state::Block,
        strand_contact::{params::ContactRound, plane::ContactSolve},
    },
};

/// What a step needs beside the strands; the same for every block.
#[derive(Clone)]
pub struct StepInput<'a> {
    /// Length of a substep. `[s]`
    pub h: f64,
    /// Number of substeps.
    pub substeps: usize,
    /// Substeps of the same step that were taken before.
    pub done: usize,
    /// Which solve of the substep it is, where strands touch one another, and what
    /// they meet.
    pub strand_contact: Option<ContactSolve<'a>>,
    /// The head at the start and after each substep.
    pub poses: Vec<Pose>,
    /// Whether the head stays in its own space all step long.
    pub still: bool,
    /// How far a point of the skin may move in a substep. `[m]`
    pub head_travel: f64,
    /// How far a body beside the head may move in a substep, as the head sees
    /// it; part of `head_travel`, too. `[m]`
    pub body_travel: f64,
    /// How far the torso may move in a substep, as the head sees it. It counts for
    /// vertices without a plane: one that is near it queries in each substep. `[m]`
    pub torso_travel: f64,
    /// Acceleration of gravity. `[m/s²]`
    pub gravity: [f64; 3],
    /// Air drag of a strand of ordinary mass, by the linear law. `[1/s]`
    pub drag: f64,
    /// How fast hair that rubs in its lock slows what swings against its root. `[1/s]`
    pub rub: f64,
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

impl<'a> StepInput<'a> {
    /// A step at that time on a head that rests, in steady air, where nothing pulls on
    /// the strands and they touch nothing.
    pub fn at_rest(params: &'a SimParams, time: f64) -> Self {
        let substeps = params.step.substeps() as usize;
        Self {
            h: 1.0 / (f64::from(params.step.rate) * substeps as f64),
            substeps,
            done: 0,
            strand_contact: None,
            poses: vec![Pose::IDENTITY; substeps + 1],
            still: true,
            head_travel: 0.0,
            body_travel: 0.0,
            torso_travel: 0.0,
            gravity: [0.0; 3],
            drag: 0.0,
            rub: 0.0,
            params,
            time,
            air: WindState::steady(params, time),
            skin: None,
            reach: 0.0,
            margin: 0.0,
            friction: 0.0,
            restitution: 0.0,
        }
    }
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

    /// Substep `substep` of the step, by itself.
    pub fn only(&self, substep: usize) -> Self {
        Self {
            substeps: 1,
            done: self.done + substep,
            poses: self.poses[substep..=substep + 1].to_vec(),
            time: self.time + self.h * substep as f64,
            ..self.clone()
        }
    }

    /// Whether strands stay where they are, and only tell where they would go.
    #[inline(always)]
    pub fn is_trial(&self) -> bool {
        matches!(
            self.strand_contact.map(|solve| solve.round),
            Some(ContactRound::Free | ContactRound::Trial)
        )
    }

    /// Whether what hair touches may move otherwise than the head does.
    #[inline(always)]
    pub fn drifts(&self) -> bool {
        self.body_travel > 0.0 || self.torso_travel > 0.0
    }

    /// How what goes with the torso turns in that substep, as the head sees it.
    pub fn torso_turn(&self, substep: usize) -> TorsoTurn {
        self.skin
            .map_or(TorsoTurn::NONE, |skin| skin.torso_turn(substep))
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
        (self.done + substep) as f64 / f64::from(self.params.step.substeps())
    }
}

impl StepInput<'_> {
    /// Whether anything beside gravity and the drag of still air moves vertices.
    #[inline(always)]
    pub fn accelerates(&self) -> bool {
        self.air.acts()
    }

    /// Works out how the vertices of `block` are accelerated in this step by all but gravity
    /// and the drag of still air. What acts here must be counted in
    /// [`accelerates`](Self::accelerates) and in [`reach`](Self::reach). `[m/s²]`
    #[inline(always)]
    pub fn accelerate<T: Lane>(&self, block: &Block<T>, acceleration: &mut Vec<V3<T>>) {
        acceleration.clear();
        acceleration.resize(block.rows, V3::zero());
        self.air.accelerate(block, acceleration);
    }
}
