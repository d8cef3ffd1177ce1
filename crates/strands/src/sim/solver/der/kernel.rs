//! The step of discrete elastic rods.

use super::{
    elastic::Elastic,
    lanes::DerGroup,
    params::{DerParams, ID, Minimiser},
    project::Inner,
    rest,
    state::{DerRestKey, DerState},
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
        solver::{
            BlockFigures, BlockStep, HeadTravel, StepInput,
            block_step::ease_in,
            dispatch::{Kernel, compiled},
            material::{RodHair, RodMaterial},
            slowing::Slowing,
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
const SHEAR: f64 = 0.3;

/// Rounding at rest is no reason to soften.
const ROUNDED: f64 = 1.0001;

/// Damping over stiffness may be no longer than this share of an inner step.
const DAMPED: f64 = 0.4;

/// Passes of the minimisation after another method has moved the strands.
const FIRST_PASSES: usize = 20;

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Der {
    pub(super) hair: RodHair,
    minimiser: Minimiser,
    /// Passes of the minimisation in an inner step.
    passes: usize,
    /// Projections in an inner step at most.
    projections: usize,
    /// Inner steps in a substep at most.
    steps: u32,
    /// Stiffness damping. `[s]`
    damping: f64,
}

/// What all strands of a block share in a substep.
struct BlockSubstep<'a, B> {
    input: &'a StepInput<'a>,
    index: usize,
    part: &'a HeadTravel<B>,
    /// Whether another method has moved the block before.
    fresh: bool,
    /// Share of stiffness and weight that acts yet, shortly after that.
    acting: f64,
}

impl Der {
    /// Prepares a step.
    pub fn new(params: &DerParams, material: &MaterialParams, step: &StepParams) -> Self {
        Self {
            hair: RodHair::new(
                material,
                step,
                params.stiffness,
                params.sag_free.then_some(params.hold_cap),
            ),
            minimiser: params.minimiser,
            passes: params.passes as usize,
            projections: params.projections as usize,
            steps: params.steps,
            damping: f64::from(params.damping),
        }
    }

    /// Makes the block's memory fit the material, the groom and the steps;
    /// answers whether another method has moved it before.
    pub(super) fn prepare<B: Lane>(
        &self,
        block: &mut Block<B>,
        memory: &mut DerState<B>,
        input: &StepInput,
    ) -> bool {
        let recipe = DerRestKey {
            rest: self.hair.rest_key(block),
            rigid: self.minimiser == Minimiser::None,
            fastest: (PHASE * f64::from(self.steps) / input.h).powi(2),
        };
        let round = |recipe: &DerRestKey| recipe.rest.material.is_round();
        let before = memory.made_for.as_ref().map(round);
        if memory.made_for != Some(recipe) {
            rest::prepare(block, memory, recipe);
        }
        // The axes of an ellipse lie otherwise than the frames of a round hair.
        let turned = before.is_some_and(|before| before != round(&recipe));
        let fresh = block.moved_by != ID || turned;
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
        group: &mut DerGroup<T>,
        s: &BlockSubstep<B>,
        note: &mut N,
    ) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let input = s.input;
        let [major, minor] = self.hair.material.bend;
        let mut elastic = Elastic {
            bend: [T::splat(major * s.acting), T::splat(minor * s.acting)],
            twist: T::splat(self.hair.material.twist * s.acting),
            damping: zero,
        };
        let turn = Turn::new(block, group, s);
        group.turn();
        let clamp = turn.at(zero);
        group.frames(clamp, one, None);
        if s.fresh {
            for _ in 0..FIRST_PASSES {
                self.minimise(group, &elastic, one);
            }
            group.remember();
        }
        let root_moved: V3<T> = s.part.root_moved.cut(group.first);
        let speed = root_moved.scale(T::splat(1.0 / input.h));
        let steps = self.count(memory, group, speed, input.h);
        let part = one / steps;
        let h = T::splat(input.h) * part;
        elastic.damping = T::splat(self.damping).min(h * T::splat(DAMPED)) / h;
        let inverse_mass: T = block.inverse_mass.cut(group.first);
        let rooted = (!group.free).then_some(root_moved);
        let slowing = Slowing::new(input, 1.0, inverse_mass, rooted);
        let acceleration = V3::splat(input.gravity).scale(T::splat(s.acting)) + slowing.lead;
        let most = steps.largest() as usize;
        let mut gone = None;
        for k in 0..most {
            let done = T::splat(k as f64);
            let active = done.less(steps, one, zero);
            let inner = Inner {
                active,
                h: h * active,
                rate: active / h,
                begun: (done * part).min(one),
                part: part * active,
                damped: one / (one + slowing.share * h),
                acceleration,
                root_moved,
                friction: input.friction,
                restitution: input.restitution,
                passes: self.projections,
            };
            let clamp = turn.at(inner.begun);
            group.frames(clamp, active, gone.as_ref());
            self.minimise(group, &elastic, active);
            group.depart(&elastic, clamp, &inner, note);
            group.project(&inner, note);
            gone = Some(inner);
        }
        if let Some(gone) = &gone {
            group.arrive(gone);
        }
        if !group.free {
            group.nodes[0].x = V3::zero();
            group.nodes[0].memory.low = V3::zero();
        }
        let lanes = T::LANES.min(block.strands.saturating_sub(group.first));
        memory.effort.substeps += lanes as u64;
        for lane in 0..lanes {
            memory.effort.inner += steps.get(lane) as u64;
            memory.steps.set(group.first + lane, steps.get(lane));
        }
    }

    /// Turns the material frames to where twist is at rest.
    #[inline(always)]
    fn minimise<T: Lane>(&self, group: &mut DerGroup<T>, elastic: &Elastic<T>, active: T) {
        match self.minimiser {
            Minimiser::None => (),
            Minimiser::Newton => {
                for _ in 0..self.passes {
                    group.newton(elastic, active);
                }
            }
            Minimiser::Bfgs => group.bfgs(elastic, active, 4 * self.passes),
        }
    }

    /// Inner steps that each strand needs as it is bent now; joints that need
    /// more than are allowed are made softer for this substep.
    #[inline(always)]
    fn count<B: Lane, T: Lane>(
        &self,
        memory: &mut DerState<B>,
        group: &mut DerGroup<T>,
        root_velocity: V3<T>,
        h: f64,
    ) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let most = f64::from(self.steps);
        let fastest = T::splat((PHASE * most / h).powi(2));
        let bend = T::splat(self.hair.material.bend[0]);
        let ratio = self.hair.material.twist / self.hair.material.bend[0];
        let mut needed = zero;
        let mut excess = zero;
        let mut inner = group.nodes[0].velocity;
        if !group.free {
            inner = root_velocity;
        }
        for i in 0..group.rows - 1 {
            let outer = group.nodes[i + 1].velocity;
            let node = &mut group.nodes[i];
            let against = outer - inner;
            inner = outer;
            let reach = node.memory.length * T::splat(SHEAR / PHASE);
            let shear = against.dot(against) / (reach * reach).max(T::splat(1e-14));
            let exists = zero.less(node.memory.length, one, zero);
            needed = needed.max((shear * exists).min(fastest));
            let frequency = node.memory.stiff
                * node.memory.quick
                * bend
                * rest::quickened(node.sharp, node.binormal, ratio);
            let over = frequency / fastest;
            excess = excess.max(over);
            node.stiff = node.memory.stiff / over.max(one);
            needed = needed.max(frequency.min(fastest));
        }
        if self.minimiser == Minimiser::None {
            let mut holonomy = rest::Holonomy::new();
            for node in group.nodes[..group.rows - 1].iter().rev() {
                let square = node.binormal.dot(node.binormal);
                holonomy.add(bend * node.stiff, square, node.memory.quick);
            }
            needed += holonomy.square;
            let over = needed / fastest;
            excess = excess.max(one) * over.max(one);
            for node in &mut group.nodes[..group.rows - 1] {
                node.stiff = node.stiff / over.max(one);
            }
            needed = needed.min(fastest);
        }
        for lane in 0..T::LANES {
            let at = group.first + lane;
            let rest = memory.excess_at_rest.get(at);
            // Joints that were softened at rest may ask for more as they are bent now.
            memory
                .excess
                .set(at, rest.max(1.0) * excess.get(lane).max(1.0));
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
    let mut group = DerGroup::<f64>::default();
    group.load(block, memory, &block.position, lane);
    let turn = block.rest_turn::<f64>(rotation, 1.0, lane);
    let clamp = group.clamp.map(|v| turn.rotate(v));
    group.turn();
    group.frames(clamp, 0.0, None);
    group.energy(&Elastic {
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
    fn new<B: Lane>(block: &Block<B>, group: &DerGroup<T>, s: &BlockSubstep<B>) -> Self {
        let (from, to) = (&s.input.poses[s.index], &s.input.poses[s.index + 1]);
        let mut towards = to.rotation;
        if towards.dot(from.rotation) < 0.0 {
            towards = -towards;
        }
        let share = [s.input.share(s.index), s.input.share(s.index + 1)];
        Self {
            still: s.input.still,
            from: block.rest_turn(from.rotation, share[0], group.first),
            to: block.rest_turn(towards, share[1], group.first),
            clamp: group.clamp,
        }
    }

    /// The clamp after that share of the substep, in the world.
    #[inline(always)]
    fn at(&self, share: T) -> [V3<T>; 2] {
        if self.still {
            return self.clamp;
        }
        let rest = T::splat(1.0) - share;
        let q = Q {
            w: self.from.w * rest + self.to.w * share,
            v: self.from.v.scale(rest) + self.to.v.scale(share),
        }
        .normalized();
        // (No closure: one that is not inlined is compiled without the wide instructions.)
        [q.rotate(self.clamp[0]), q.rotate(self.clamp[1])]
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

    fn moves<B: Lane>(&self, block: &Block<B>) -> bool {
        block.rows > 1
    }

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        let mut memory = step.block.memories.take::<DerState<B>>();
        let mut fresh = self.prepare(step.block, &mut memory, step.input);
        step.begin();
        let acting = step.block.ease(step.seconds());
        ease_in(&mut step.scratch.acceleration, acting);
        let mut group: DerGroup<T> = std::mem::take(step.scratch.keep());
        for index in 0..step.input.substeps {
            let part = HeadTravel::new(step.block, step.input, index);
            step.query_ahead::<T>(&part);
            let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
            let s = BlockSubstep {
                input,
                index,
                part: &part,
                fresh,
                acting,
            };
            for first in (0..block.strands).step_by(T::LANES) {
                for tries in 0..=contact::SECOND_TRIES {
                    group.load(block, &memory, &scratch.before, first);
                    group.load_attachments(block);
                    group.load_surroundings(block, scratch, input, &part);
                    note.begin(first, block.rows);
                    self.substep(block, &mut memory, &mut group, &s, note);
                    let place = |i: usize| group.nodes[i].x;
                    if tries == contact::SECOND_TRIES
                        || !contact::recheck_rows(block, scratch, input, &part, first, place)
                    {
                        break;
                    }
                }
                group.store(block, &mut memory);
            }
            fresh = false;
            step.arrive::<T>(&part);
            step.depenetrate(&part, [1.0; 2]);
            restore(step.block, &mut memory, &step.input.poses[index + 1]);
        }
        *step.scratch.keep() = group;
        step.block.memories.put(memory);
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        let Some(memory) = block.memories.get::<DerState<Row>>() else {
            return BlockFigures::default();
        };
        // What acts is what stores it.
        let energy = |lane| {
            let all = elastic_energy(block, memory, lane, pose.rotation, &self.hair.material);
            block.acting_share() * all
        };
        BlockFigures::of(block, ID, memory.effort, || BlockFigures {
            elastic: (0..block.strands).map(energy).collect(),
            hold: Some(Box::new(memory.spread.clone())),
            inner_steps: block.values(memory.steps),
            softened: (block.values(memory.excess).iter())
                .filter(|excess| **excess > ROUNDED)
                .count(),
            steps_needed: f64::from(self.steps)
                * (block.values(memory.excess).iter())
                    .fold(0.0, |most: f64, excess| most.max(*excess))
                    .sqrt(),
            ..BlockFigures::default()
        })
    }

    fn groom_hold(&self, block: &Block<Row>, lane: usize) -> Option<Vec<f64>> {
        let memory = block.memories.get::<DerState<Row>>()?;
        (block.moved_by == ID).then(|| memory.hold.of_strand(block, lane))
    }
}
