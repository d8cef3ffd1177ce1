//! The strands that one set of registers takes side by side.

mod inner;

pub(super) use inner::InnerStep;

use super::{constants::Spring, rest::SpringState};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::MovingPlane,
        solver::{Scratch, StepInput, particle::ParticleSubstep},
        state::Block,
    },
};

/// Share of the largest stable inner step that is taken: springs that bend and
/// turn are not quite the springs of the estimate.
const CAUTION: f64 = 0.7;

/// No inner step is longer: even soft springs shake where gravity and the limit
/// take turns more slowly. `[s]`
const LONGEST_STEP: f64 = 5e-4;

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// A vertex and the edge that leaves it.
#[derive(Clone, Copy, Debug)]
struct SpringNode<T> {
    /// Place, from the root. `[m]`
    x: V3<T>,
    velocity: V3<T>,
    /// What moving air does to it. `[m/s²]`
    push: V3<T>,
    /// The edge at rest, in the frame before it. `[m]`
    local: V3<T>,
    /// Rest length of the edge, and of the core's. `[m]`
    length: T,
    core_length: T,
    /// Stiffnesses and dampings of the edge's springs, for each unit of linear
    /// density. `[m/s²]`, `[m/s]`
    stretch: T,
    bend: T,
    core: T,
    damping: [T; 3],
    /// One over the mass for each unit of linear density; none behind a
    /// strand's tip. `[1/m]`
    inverse_mass: T,
}

/// Strands side by side.
pub(super) struct SpringGroup<T> {
    nodes: Vec<SpringNode<T>>,
    strains: Vec<Strain<T>>,
    edge_impulses: Vec<EdgeImpulse<T>>,
    touches: Vec<MovingPlane<T>>,
    /// Rows that may meet the skin in this substep.
    near: Vec<bool>,
    /// Whether any edge was past its limit in this inner step.
    taut: bool,
    /// Where pinned vertices are to be at the end of the substep. `[m]`
    goals: Vec<V3<T>>,
    rows: usize,
    pinned: usize,
    /// Inner steps that each strand takes in a substep.
    steps: T,
    most: usize,
    fresh: [T; 2],
    inverse_mass: T,
    /// Share of the springs, of the weight and of the air that act yet.
    eased: T,
}

impl<T: Lane> Default for SpringGroup<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            strains: Vec::new(),
            edge_impulses: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            taut: false,
            goals: Vec::new(),
            rows: 0,
            pinned: 0,
            steps: T::splat(1.0),
            most: 1,
            fresh: [T::splat(1.0); 2],
            inverse_mass: T::splat(1.0),
            eased: T::splat(1.0),
        }
    }
}

impl<T: Lane> SpringGroup<T> {
    /// Takes what lasts the whole step of lanes `first..` of `block`: masses,
    /// springs, and how many inner steps they need in a substep of `h`. Of its
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
        self.edge_impulses.clear();
        self.edge_impulses.resize(block.rows, EdgeImpulse::none());
        let count: T = block.count.cut(first);
        let shortest = T::splat(SHORTEST);
        // Edges around the mean decide on the number of inner steps.
        let mut total = zero;
        for edge in &memory.edges {
            total += edge.length.cut(first);
        }
        let mean = (total / (count - one).max(one)).max(shortest);
        let springs = [spring.stretch, spring.bend * eased, spring.core * eased];
        let [along, across, core] = springs.map(T::splat);
        // An edge's swing: its springs, and its neighbours' that bend with it.
        let mut stiffest = one;
        if !block.stiffness.is_empty() {
            let shares = block.stiffness.iter().map(|share| share.cut::<T>(first));
            stiffest = shares.fold(zero, T::max);
        }
        let omega = rate(along, across * stiffest, core * stiffest, mean, mean);
        let zeta = spring.damping.iter().sum::<f64>();
        // Semi-implicit Euler with damping stays stable while
        // y² + 8 zeta y < 4 for y = omega h.
        let y = CAUTION * 4.0 / (4.0 * zeta + (16.0 * zeta * zeta + 4.0).sqrt());
        let fewest = (h / LONGEST_STEP).ceil();
        let most = f64::from(spring.most).max(fewest);
        let needed = omega * T::splat(h / y);
        self.steps = T::from_lanes(|lane| needed.get(lane).ceil().clamp(fewest, most));
        self.most = self.steps.largest() as usize;
        let bearable = self.steps * T::splat(y / h);
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
            let swing = rate(along, across, core, length, lighter);
            let soft = (bearable / swing.max(T::splat(1e-9))).min(one);
            let soft = soft * soft * exists;
            let core_rest: T = edge.core.cut(first);
            let core_length = core_rest.max(shortest);
            let stretch = along / length * soft;
            let bend = across / (length * length * length) * soft;
            let core = core / core_length * soft;
            let end = lighter;
            let damping = [
                (stretch, spring.damping[0]),
                (bend, spring.damping[1]),
                (core, spring.damping[2]),
            ]
            .map(|(k, zeta)| (k * end).sqrt() * T::splat(2.0 * zeta) * exists);
            let present = T::splat(i as f64).less(count, one, zero);
            self.nodes.push(SpringNode {
                x: V3::zero(),
                velocity: V3::zero(),
                push: V3::zero(),
                local: edge.local.cut(first),
                length: rest,
                core_length: core_rest,
                stretch,
                bend,
                core,
                damping,
                inverse_mass: present / mass.max(shortest * half),
            });
        }
    }

    /// Most inner steps that any strand takes.
    pub fn most_steps(&self) -> usize {
        self.most
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
        let head = part.part.cut(first);
        for i in 0..self.rows {
            let node = &mut self.nodes[i];
            node.x = scratch.before[i].cut(first);
            node.velocity = block.velocity[i].cut(first);
            node.push = scratch.push[i].cut(first);
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

/// A taut edge.
#[derive(Clone, Copy, Debug)]
struct EdgeImpulse<T> {
    /// One where the edge is past its limit.
    taut: T,
    along: V3<T>,
    /// What the elimination left: right side and one over the pivot.
    pull: T,
    over: T,
}

impl<T: Lane> EdgeImpulse<T> {
    fn none() -> Self {
        Self {
            taut: T::zero(),
            along: V3::zero(),
            pull: T::zero(),
            over: T::zero(),
        }
    }
}

/// What the springs of an edge do.
#[derive(Clone, Copy, Debug)]
struct Strain<T> {
    /// Pulls on both ends of the edge itself. `[m²/s²]`
    force: V3<T>,
    /// Pulls on the smoothed edge that is the core's. `[m²/s²]`
    core: V3<T>,
    /// Pulls on the smoothed edge before, whose frame the edge bends in. `[m²/s²]`
    upstream: V3<T>,
    /// Torque about that smoothed edge. `[m³/s²]`
    twist: T,
    /// Curvature binormal between that smoothed edge and this one.
    turn: V3<T>,
    /// One over the length of this smoothed edge. `[1/m]`
    inverse: T,
}

impl<T: Lane> Strain<T> {
    #[inline(always)]
    fn none() -> Self {
        Self {
            force: V3::zero(),
            core: V3::zero(),
            upstream: V3::zero(),
            twist: T::zero(),
            turn: V3::zero(),
            inverse: T::zero(),
        }
    }
}

/// The fastest swing of an edge of that `length` whose lighter end has half of
/// `end` as mass. `[1/s]`
#[inline(always)]
fn rate<T: Lane>(along: T, across: T, core: T, length: T, end: T) -> T {
    // Neighbouring edges take their part in bending: four times the spring.
    let stiffness = (along + core) / length + across / (length * length * length) * T::splat(4.0);
    (stiffness * T::splat(4.0) / end).sqrt()
}
