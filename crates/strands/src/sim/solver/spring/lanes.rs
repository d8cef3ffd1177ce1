//! The strands that one set of registers takes side by side.

mod forces;
mod inner;
mod limit;
mod solve;

pub(super) use inner::InnerStep;

use self::{forces::Strain, solve::Eliminated};
use super::{constants::Spring, rest::SpringState};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment,
        contact::MovingPlane,
        solver::{Scratch, StepInput, particle::ParticleSubstep},
        state::Block,
    },
};

/// No inner step is longer. `[s]`
const LONGEST_STEP: f64 = 1.4e-3;

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// A vertex and the edge that leaves it.
#[derive(Clone, Copy, Debug)]
struct SpringNode<T> {
    /// Place, from the root. `[m]`
    x: V3<T>,
    velocity: V3<T>,
    /// What moving air does to it. `[m/s²]`
    acceleration: V3<T>,
    /// The edge at rest, in the frame before it. `[m]`
    local: V3<T>,
    /// Rest length of the edge, and of the core's. `[m]`
    length: T,
    core_length: T,
    /// Stiffnesses of the edge's springs, for each unit of linear density. `[m/s²]`
    stretch: T,
    bend: T,
    core: T,
    /// Their dampings; that of stretch with what its spring gains within an inner
    /// step. `[m/s]`
    damping: [T; 3],
    /// What the edge resists changes of its ends' velocities with, beside their
    /// masses: in all directions, and along. `[m]`
    across: T,
    along: T,
    /// Mass for each unit of linear density, not zero behind a tip. `[m]`
    mass: T,
    /// One over it; none behind a strand's tip. `[1/m]`
    inverse_mass: T,
    /// One in the lanes where a pin holds it.
    held: T,
}

/// What a pinned vertex weighs beside its mass: many times what any strand does, so that
/// what pulls on it moves the strand and not the pin. `[m]`
const PINNED_MASS: f64 = 1e3;

impl<T: Lane> SpringNode<T> {
    /// What it resists a change of its velocity with, before air drags on it. `[m]`
    #[inline(always)]
    fn inertia(&self) -> T {
        self.mass + self.held * T::splat(PINNED_MASS)
    }
}

/// Strands side by side.
pub(super) struct SpringGroup<T> {
    nodes: Vec<SpringNode<T>>,
    strains: Vec<Strain<T>>,
    eliminated: Vec<Eliminated<T>>,
    /// 1 where the edge that leaves a vertex was longer than its limit, -1 where it was
    /// shorter.
    over: Vec<T>,
    touches: Vec<MovingPlane<T>>,
    /// Rows that may meet the skin in this substep.
    near: Vec<bool>,
    /// Whether any edge was in this inner step.
    limited: bool,
    /// Where pinned vertices are to be at the end of the substep. `[m]`
    goals: Vec<V3<T>>,
    rows: usize,
    pinned: usize,
    /// Inner steps in a substep.
    steps: usize,
    fresh: [T; 2],
    /// What an inner step changes of the velocity of a root that no head holds. `[m/s]`
    root_change: V3<T>,
    inverse_mass: T,
    /// Share of the springs, of the weight and of the air that act yet.
    eased: T,
}

impl<T: Lane> Default for SpringGroup<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            strains: Vec::new(),
            eliminated: Vec::new(),
            over: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            limited: false,
            goals: Vec::new(),
            rows: 0,
            pinned: 0,
            steps: 1,
            fresh: [T::splat(1.0); 2],
            root_change: V3::zero(),
            inverse_mass: T::splat(1.0),
            eased: T::splat(1.0),
        }
    }
}

impl<T: Lane> SpringGroup<T> {
    /// Takes what lasts the whole step of lanes `first..` of `block`: masses,
    /// springs, and how many inner steps a substep of `h` is cut into. Of its
    /// stiffness against bending the share `eased` acts yet, and as much of what
    /// that carries: hair with its whole weight on soft springs would fall.
    #[inline(always)]
    pub fn load<B: Lane>(
        &mut self,
        spring: &Spring,
        block: &Block<B>,
        memory: &SpringState<B>,
        first: usize,
        h: f64,
        eased: f64,
    ) {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        self.rows = block.rows;
        self.pinned = block.pinned;
        self.fresh = [0, 1].map(|k: usize| memory.fresh[k].cut(first));
        self.inverse_mass = block.inverse_mass.cut(first);
        self.eased = T::splat(eased);
        self.nodes.clear();
        self.goals.resize(block.rows, V3::zero());
        self.strains.resize(block.rows, Strain::none());
        self.touches.resize(block.rows, MovingPlane::none());
        self.near.resize(block.rows, false);
        self.eliminated.resize(block.rows, Eliminated::none());
        self.over.clear();
        self.over.resize(block.rows, zero);
        let count: T = block.count.cut(first);
        let shortest = T::splat(SHORTEST);
        let springs = [spring.stretch, spring.bend * eased, spring.core * eased];
        let [along, across, core] = springs.map(T::splat);
        self.steps = (h / LONGEST_STEP).ceil().clamp(1.0, f64::from(spring.most)) as usize;
        let h = T::splat(h / self.steps as f64);
        let stiffer: T = memory.stiffer.cut(first);
        let mut before = zero;
        for i in 0..block.rows {
            let edge = &memory.edges[i];
            let exists = T::splat((i + 1) as f64).less(count, one, zero);
            let rest: T = edge.length.cut(first);
            let length = rest.max(shortest);
            let mass = (before + length * exists) * half;
            // The lighter of the two ends is what an edge can shake.
            let lighter = if i == 0 { length } else { length.min(before) };
            before = length * exists;
            // An edge turns at the vertex that it leaves.
            let share = block.stiff(i, first).unwrap_or(one);
            let (across, core) = (across * share, core * share);
            let core_rest: T = edge.core.cut(first);
            let core_length = core_rest.max(shortest);
            let stretch = along / length * exists;
            let bend = across / (length * length * length) * exists;
            let core = core / core_length * exists;
            // It is heavier by what the edge resists besides: damped for the masses alone,
            // stiff swings would hardly die out.
            let held = bend * stiffer + core;
            let heavy = lighter + held * h * h;
            let damping: [T; 3] = [
                (stretch, spring.damping[0]),
                (bend, spring.damping[1]),
                (core, spring.damping[2]),
            ]
            .map(|(k, zeta)| (k * heavy).sqrt() * T::splat(2.0 * zeta) * exists);
            let pull = damping[0] + stretch * h;
            let mass = mass.max(shortest * half);
            let present = T::splat(i as f64).less(count, one, zero);
            self.nodes.push(SpringNode {
                x: V3::zero(),
                velocity: V3::zero(),
                acceleration: V3::zero(),
                local: edge.local.cut(first),
                length: rest,
                core_length: core_rest,
                stretch,
                bend,
                core,
                damping: [pull, damping[1], damping[2]],
                across: (damping[1] + damping[2] + held * h) * h,
                along: pull * h,
                mass,
                inverse_mass: present / mass,
                held: zero,
            });
        }
    }

    /// Inner steps in a substep.
    pub fn inner_steps(&self) -> usize {
        self.steps
    }

    /// Takes places and velocities of lanes `first..` at a substep's start.
    #[inline(always)]
    pub fn take<B: Lane>(
        &mut self,
        block: &Block<B>,
        scratch: &Scratch<B>,
        input: &StepInput,
        part: &ParticleSubstep<B>,
        first: usize,
    ) {
        let head = part.head.cut(first);
        for i in 0..self.rows {
            let node = &mut self.nodes[i];
            node.held = T::zero();
            node.x = scratch.before[i].cut(first);
            node.velocity = block.velocity[i].cut(first);
            node.acceleration = scratch.acceleration[i].cut(first);
            self.near[i] = block.proximity[i].near;
            if self.near[i] {
                self.touches[i] = MovingPlane::new(block, scratch, input, &head, i);
            }
        }
        for i in 0..self.pinned.min(self.rows) {
            self.goals[i] = part.target(block, input, i).cut(first);
            let way = self.goals[i] - self.nodes[i].x;
            self.nodes[i].velocity = way.scale(T::splat(1.0 / input.h));
        }
        // A pin that only put its vertex back at the substep's end would lift what hangs
        // on it: a pendulum would gain energy.
        for (row, lane, target) in attachment::pins::<B, T>(block, first) {
            let node = &mut self.nodes[row];
            let from = node.x.get(lane);
            let speed = [0, 1, 2].map(|axis| (target[axis] - from[axis]) / input.h);
            node.velocity.set(lane, speed);
            node.held.set(lane, 1.0);
        }
    }

    /// Where vertex `i` is now, from the root. `[m]`
    #[inline(always)]
    pub fn place(&self, i: usize) -> V3<T> {
        self.nodes[i].x
    }

    /// Gives places and velocities back.
    #[inline(always)]
    pub fn give<B: Lane>(&self, block: &mut Block<B>, first: usize) {
        for i in 0..self.rows {
            let pinned = i < self.pinned;
            let x = if pinned {
                self.goals[i]
            } else {
                self.nodes[i].x
            };
            block.position[i].paste(first, x);
            block.velocity[i].paste(first, self.nodes[i].velocity);
        }
    }
}
