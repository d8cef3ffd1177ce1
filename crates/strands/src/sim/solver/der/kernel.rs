//! The step of discrete elastic rods.

use super::{
    elastic::Elastic,
    lanes::LaneGroup,
    params::{DerParams, ID, Minimiser},
    project::Inner,
    rest,
    state::{DerState, RestKey},
};

use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        contact,
        params::{MaterialParams, StepParams},
        softness::Softness,
        solver::{
            BlockFigures, HeadTravel, Scratch, StepInput,
            dispatch::{Kernel, compiled},
            material::RodMaterial,
        },
        state::{Block, Row},
        trace::Observer,
    },
};

/// Phase that the fastest vibration may advance in an inner step; 2 is where
/// symplectic Euler becomes unstable. `[rad]`
const PHASE: f64 = 1.4;

/// Neighbours move by no more than this share of their edge against each other
/// in an inner step, or the projection works too hard.
const SWEEP: f64 = 0.3;

/// Damping over stiffness may be no longer than this share of an inner step.
const DAMPED: f64 = 0.4;

/// Passes of the minimisation after another method has moved the strands.
const FIRST_PASSES: usize = 20;

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Der {
    /// Of the hair as it is.
    pub(super) material: RodMaterial,
    /// Of the hair that was modelled: what the rest shape is worked out for.
    modelled: RodMaterial,
    minimiser: Minimiser,
    /// Passes of the minimisation in an inner step.
    passes: usize,
    /// Projections in an inner step at most.
    projections: usize,
    /// Inner steps in a substep at most.
    steps: u32,
    /// Stiffness damping. `[s]`
    damping: f64,
    sag_free: bool,
    /// The largest groom hold that a joint may have.
    hold_cap: f64,
}

/// What all strands of a block share in a substep.
struct Substep<'a, B> {
    input: &'a StepInput<'a>,
    index: usize,
    part: &'a HeadTravel<B>,
    /// Whether another method has moved the block before.
    fresh: bool,
}

impl Der {
    /// Prepares a step.
    pub fn new(params: &DerParams, material: &MaterialParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let hair = |share: f64| RodMaterial::new(material, f64::from(params.stiffness) * share);
        Self {
            material: hair(softness.stiffness),
            modelled: hair(softness.modelled()),
            minimiser: params.minimiser,
            passes: params.passes as usize,
            projections: params.projections as usize,
            steps: params.steps,
            damping: f64::from(params.damping),
            sag_free: params.sag_free,
            hold_cap: f64::from(params.hold_cap),
        }
    }

    /// Advances one block by one whole step, `T::LANES` strands at a time.
    #[inline(always)]
    fn take<B: Lane, T: Lane>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        bundle: &mut LaneGroup<T>,
        input: &StepInput,
        note: &mut impl Observer<T>,
    ) {
        let end = &input.poses[input.substeps];
        if block.rows < 2 {
            block.reset(end);
            return;
        }
        scratch.fit(block.rows);
        let mut memory = block.memories.take::<DerState<B>>();
        let mut fresh = self.prepare(block, &mut memory, input);
        input.accelerate(block, &mut scratch.push);
        for index in 0..input.substeps {
            let part = HeadTravel::new(block, input, index);
            let h = B::splat(input.h);
            for i in 0..block.rows {
                let start = block.position[i] - part.root_moved;
                scratch.before[i] = start;
                block.position[i] = start + block.velocity[i].scale(h);
                contact::look(block, scratch, input, &part, i);
            }
            let s = Substep {
                input,
                index,
                part: &part,
                fresh,
            };
            for first in (0..B::LANES).step_by(T::LANES) {
                if first >= block.strands {
                    break;
                }
                for tries in 0..=contact::SECOND_TRIES {
                    bundle.load(block, &memory, &scratch.before, first);
                    bundle.feel(&scratch.push);
                    bundle.load_grips(block);
                    bundle.load_skin(block, scratch, input, &part);
                    note.begin(first, block.rows);
                    self.substep(block, &mut memory, bundle, &s, note);
                    let place = |i: usize| bundle.nodes[i].x;
                    if tries == contact::SECOND_TRIES
                        || !contact::strayed(block, scratch, input, &part, first, place)
                    {
                        break;
                    }
                }
                bundle.store(block, &mut memory);
            }
            fresh = false;
            for i in 0..block.rows {
                let moved = block.position[i] - scratch.before[i];
                contact::went(block, input, i, moved.dot(moved).largest().sqrt());
            }
            restore(block, &mut memory, &input.poses[index + 1]);
        }
        block.memories.put(memory);
    }

    /// Makes the block's memory fit the material, the groom and the steps;
    /// answers whether another method has moved it before.
    pub(super) fn prepare<B: Lane>(
        &self,
        block: &mut Block<B>,
        memory: &mut DerState<B>,
        input: &StepInput,
    ) -> bool {
        let recipe = RestKey {
            material: self.modelled,
            sag_free: self.sag_free,
            hold_cap: self.hold_cap,
            held: block.pinned > 0,
            rigid: self.minimiser == Minimiser::None,
            fastest: (PHASE * f64::from(self.steps) / input.h).powi(2),
        };
        if memory.made_for != Some(recipe) {
            rest::prepare(block, memory, recipe);
        }
        let fresh = block.moved_by != ID;
        if fresh {
            block.take_over(ID);
            rest::take_over(block, memory, &input.poses[0]);
        }
        fresh
    }

    /// One substep of the strands in hand.
    #[inline(always)]
    fn substep<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &Block<B>,
        memory: &mut DerState<B>,
        bundle: &mut LaneGroup<T>,
        s: &Substep<B>,
        note: &mut N,
    ) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let input = s.input;
        let mut elastic = Elastic {
            bend: self.material.bend.map(T::splat),
            twist: T::splat(self.material.twist),
            damping: zero,
        };
        let turn = Turn::new(block, bundle, s);
        bundle.turn();
        let clamp = turn.at(bundle, zero);
        bundle.frames(clamp, one);
        if s.fresh {
            for _ in 0..FIRST_PASSES {
                self.minimise(bundle, &elastic, one);
            }
            bundle.remember();
        }
        let root_moved: V3<T> = s.part.root_moved.cut(bundle.first);
        let speed = root_moved.scale(T::splat(1.0 / input.h));
        let steps = self.count(memory, bundle, speed, input.h);
        let part = one / steps;
        let h = T::splat(input.h) * part;
        elastic.damping = T::splat(self.damping).min(h * T::splat(DAMPED)) / h;
        let inverse_mass: T = block.inverse_mass.cut(bundle.first);
        let drag = T::splat(input.drag) * inverse_mass;
        let push = V3::splat(input.gravity);
        let most = steps.largest() as usize;
        for k in 0..most {
            let done = T::splat(k as f64);
            let active = done.less(steps, one, zero);
            let inner = Inner {
                active,
                h: h * active,
                rate: active / h,
                begun: (done * part).min(one),
                part: part * active,
                damped: one / (one + drag * h),
                push,
                root_moved,
                friction: input.friction,
                restitution: input.restitution,
                passes: self.projections,
            };
            let clamp = turn.at(bundle, inner.begun);
            bundle.frames(clamp, active);
            self.minimise(bundle, &elastic, active);
            bundle.forces(&elastic, clamp, active);
            bundle.predict(&inner, note);
            bundle.project(&inner, note);
            bundle.arrive(&inner);
        }
        if !bundle.free {
            bundle.nodes[0].x = V3::zero();
            bundle.nodes[0].memory.low = V3::zero();
        }
        let lanes = T::LANES.min(block.strands.saturating_sub(bundle.first));
        memory.effort.substeps += lanes as u64;
        for lane in 0..lanes {
            memory.effort.inner += steps.get(lane) as u64;
            memory.steps.set(bundle.first + lane, steps.get(lane));
        }
    }

    /// Turns the material frames to where twist is at rest.
    #[inline(always)]
    fn minimise<T: Lane>(&self, bundle: &mut LaneGroup<T>, elastic: &Elastic<T>, active: T) {
        match self.minimiser {
            Minimiser::None => (),
            Minimiser::Newton => {
                for _ in 0..self.passes {
                    bundle.newton(elastic, active);
                }
            }
            Minimiser::Bfgs => bundle.bfgs(elastic, active, 4 * self.passes),
        }
    }

    /// Inner steps that each strand needs as it is bent now; joints that need
    /// more than are allowed are made softer for this substep.
    #[inline(always)]
    fn count<B: Lane, T: Lane>(
        &self,
        memory: &mut DerState<B>,
        bundle: &mut LaneGroup<T>,
        root_velocity: V3<T>,
        h: f64,
    ) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let most = f64::from(self.steps);
        let fastest = T::splat((PHASE * most / h).powi(2));
        let bend = T::splat(self.material.bend[0]);
        let ratio = self.material.twist / self.material.bend[0];
        let mut needed = zero;
        let mut softened = zero;
        let mut inner = bundle.nodes[0].velocity;
        if !bundle.free {
            inner = root_velocity;
        }
        for i in 0..bundle.rows - 1 {
            let outer = bundle.nodes[i + 1].velocity;
            let node = &mut bundle.nodes[i];
            let against = outer - inner;
            inner = outer;
            let reach = node.memory.length * T::splat(SWEEP / PHASE);
            let sweep = against.dot(against) / (reach * reach).max(T::splat(1e-14));
            let exists = zero.less(node.memory.length, one, zero);
            needed = needed.max((sweep * exists).min(fastest));
            let frequency = node.memory.stiff
                * node.memory.quick
                * bend
                * rest::quickened(node.sharp, node.binormal, ratio);
            let over = frequency / fastest;
            // Rounding at rest is no reason to soften.
            softened = softened.max(T::splat(1.0001).less(over, one, zero));
            node.stiff = node.memory.stiff / over.max(one);
            needed = needed.max(frequency.min(fastest));
        }
        if self.minimiser == Minimiser::None {
            let mut holonomy = rest::Holonomy::new();
            for node in bundle.nodes[..bundle.rows - 1].iter().rev() {
                let square = node.binormal.dot(node.binormal);
                holonomy.add(bend * node.stiff, square, node.memory.quick);
            }
            needed += holonomy.square;
            let over = needed / fastest;
            softened = softened.max(T::splat(1.0001).less(over, one, zero));
            for node in &mut bundle.nodes[..bundle.rows - 1] {
                node.stiff = node.stiff / over.max(one);
            }
            needed = needed.min(fastest);
        }
        for lane in 0..T::LANES {
            let at = bundle.first + lane;
            let rest = memory.soft_at_rest.get(at);
            memory.softened.set(at, rest.max(softened.get(lane)));
        }
        let steps = needed.sqrt() * T::splat(h / PHASE);
        // The next whole number; lanes have no such operation.
        T::from_lanes(|lane| {
            let steps = steps.get(lane);
            let whole = if steps.is_finite() {
                steps.ceil()
            } else {
                most
            };
            whole.clamp(1.0, most)
        })
    }
}

/// What bending and twisting store in the strand in `lane`, under a head turned
/// by `rotation`, for each unit of linear density. `[m³/s²]`
fn elastic_energy<B: Lane>(
    block: &Block<B>,
    memory: &DerState<B>,
    lane: usize,
    rotation: glam::Quat,
    material: &RodMaterial,
) -> f64 {
    let mut bundle = LaneGroup::<f64>::new();
    bundle.load(block, memory, &block.position, lane);
    let turn = block.rest_turn::<f64>(rotation, 1.0, lane);
    let clamp = bundle.clamp.map(|v| turn.rotate(v));
    bundle.turn();
    bundle.frames(clamp, 0.0);
    bundle.energy(&Elastic {
        bend: material.bend,
        twist: material.twist,
        damping: 0.0,
    })
}

/// How the head turns the strands' clamps in a substep.
struct Turn<T> {
    still: bool,
    from: Q<T>,
    to: Q<T>,
    clamp: [V3<T>; 2],
}

impl<T: Lane> Turn<T> {
    #[inline(always)]
    fn new<B: Lane>(block: &Block<B>, bundle: &LaneGroup<T>, s: &Substep<B>) -> Self {
        let (from, to) = (&s.input.poses[s.index], &s.input.poses[s.index + 1]);
        let mut towards = to.rotation;
        if towards.dot(from.rotation) < 0.0 {
            towards = -towards;
        }
        let turned =
            |rotation, substep| block.rest_turn(rotation, s.input.share(substep), bundle.first);
        Self {
            still: s.input.still,
            from: turned(from.rotation, s.index),
            to: turned(towards, s.index + 1),
            clamp: bundle.clamp,
        }
    }

    /// The clamp after that share of the substep, in the world.
    #[inline(always)]
    fn at(&self, _bundle: &LaneGroup<T>, share: T) -> [V3<T>; 2] {
        if self.still {
            return self.clamp;
        }
        let rest = T::splat(1.0) - share;
        let q = Q {
            w: self.from.w * rest + self.to.w * share,
            v: self.from.v.scale(rest) + self.to.v.scale(share),
        }
        .normalized();
        self.clamp.map(|v| q.rotate(v))
    }
}

/// Puts strands back that hold a number which is not finite.
fn restore<B: Lane>(block: &mut Block<B>, state: &mut DerState<B>, pose: &Pose) {
    let mut turns = B::zero();
    for memory in &state.vertices {
        turns += memory.theta * B::zero();
    }
    block.restore_with(pose, turns, |lane| {
        for memory in &mut state.vertices {
            let theta = memory.rest_theta.get(lane);
            memory.theta.set(lane, theta);
            memory.low.set(lane, [0.0; 3]);
            for strain in &mut memory.strain {
                strain.set(lane, 0.0);
            }
        }
    });
}

compiled!(Der);

impl Kernel for Der {
    const CORRECTIONS: &'static [&'static str] =
        &["Bending and twist", "Length", "Contact", "Friction"];

    #[inline(always)]
    fn advance<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        note: &mut N,
    ) {
        let mut bundle: LaneGroup<T> = std::mem::take(scratch.keep());
        self.take(block, scratch, &mut bundle, input, note);
        *scratch.keep() = bundle;
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        let Some(memory) = block.memories.get::<DerState<Row>>() else {
            return BlockFigures::default();
        };
        if block.moved_by != ID {
            return BlockFigures {
                effort: memory.effort,
                ..BlockFigures::default()
            };
        }
        let lanes = 0..block.strands;
        let energy = |lane| elastic_energy(block, memory, lane, pose.rotation, &self.material);
        BlockFigures {
            elastic: lanes.clone().map(energy).collect(),
            hold: Some(Box::new(memory.spread.clone())),
            inner_steps: lanes.clone().map(|lane| memory.steps.get(lane)).collect(),
            softened: lanes
                .filter(|lane| memory.softened.get(*lane) > 0.5)
                .count(),
            effort: memory.effort,
        }
    }
}
