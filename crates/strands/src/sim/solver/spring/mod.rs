//! Curly mass-spring hair: Iben, Meyer, Petrovic, Soares, Anderson, Witkin
//! 2013, "Artistic Simulation of Curly Hair".
//!
//! Three springs on each edge: one along it; one that draws it to its rest
//! direction in a frame carried along a smoothed form of the curve, so that a
//! curl bounces but does not turn about itself; and one along the smoothed
//! curve, the core, that keeps a curl from being drawn out. An edge longer than
//! its limit is cut short, from the root outwards. Velocities first, then
//! positions (semi-implicit Euler), in as many inner steps as the springs need.
//!
//! In one thing this is not the paper's method. There a spring pulls on the two
//! ends of its own edge alone; but its frame, and its smoothed edge, depend on
//! all edges nearer to the root, so such forces are the gradient of nothing and
//! pump energy, which the paper's strong damping (tens of milliseconds) hides.
//! Here each spring pulls on all that it depends on: forces are the gradient of
//! the same springs' energy, and hair may swing. Likewise the limit takes
//! velocity by impulses that keep momentum.
//!
//! Limitations: the frames follow the smoothed curve and not the material, so
//! hair has no twist of its own, and the smoothed curve lags behind towards the
//! tip; springs stiffer than the inner steps bear are made as soft as they must
//! be.

mod lanes;
mod rest;

pub use rest::SpringState;

use super::{
    Scratch, StepInput, attachment,
    dispatch::{Kernel, compiled},
    material::RodMaterial,
    particle::ParticleSubstep,
};
use crate::{
    math::lanes::{F, Lane},
    sim::{
        collide,
        params::{MaterialParams, SpringParams, StepParams},
        softness::Softness,
        state::{AttachmentKind, Block, Row},
        trace::{Observer, Trace, Unobserved},
    },
};
use lanes::{InnerStep, LaneGroup};
use rest::RestKey;

/// Name of the method in files and on the command line.
pub const ID: &str = "spring";

// Numbers of the corrections.
const STRETCH: usize = 0;
const BEND: usize = 1;
const CORE: usize = 2;
const LIMIT: usize = 3;
const CONTACT: usize = 4;
const FRICTION: usize = 5;

/// One step's worth of constants. Stiffnesses are for each unit of linear
/// density, as in [`RodMaterial`].
#[derive(Clone, Debug)]
pub struct Spring {
    /// Tension for each unit of strain along an edge and along the core. `[m²/s²]`
    stretch: f64,
    core: f64,
    /// `[m⁴/s²]`
    bend: f64,
    /// Damping ratios of an edge's own swing: stretch, bend, core.
    damping: [f64; 3],
    /// Longest that an edge may be, times its rest length.
    limit: f64,
    /// Most inner steps in a substep.
    most: u32,
    /// Share of the modelled weight that the rest state carries.
    carried: f64,
    recipe: RestKey,
}

impl Spring {
    /// Prepares a step.
    pub fn new(params: &SpringParams, material: &MaterialParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let density = super::material::line_density(material);
        let hair = RodMaterial::new(material, f64::from(params.bend) * softness.stiffness);
        let tension = |millinewton: f32| 1e-3 * f64::from(millinewton) / density;
        Self {
            stretch: tension(params.stretch),
            core: tension(params.core) * softness.stiffness,
            bend: 0.5 * (hair.bend[0] + hair.bend[1]),
            damping: [
                params.stretch_damping,
                params.bend_damping,
                params.core_damping,
            ]
            .map(f64::from),
            limit: 1.0 + f64::from(params.stretch_limit),
            most: params.most_steps,
            carried: softness.carried(params.sag_free),
            recipe: RestKey {
                bend_smoothing: 1e-3 * f64::from(params.bend_smoothing),
                core_smoothing: 1e-3 * f64::from(params.core_smoothing),
            },
        }
    }

    /// Advances one strand in f64: what the lanes are held against.
    pub fn advance_one(&self, block: &mut Block<f64>, input: &StepInput) {
        self.advance::<f64, f64, _>(block, &mut Scratch::new(), input, &mut Unobserved);
    }

    /// Advances one block by one whole step, `T::LANES` strands at a time.
    #[inline(always)]
    fn advance<B: Lane, T: Lane + 'static, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        note: &mut N,
    ) {
        let end = &input.poses[input.substeps];
        if block.rows <= block.pinned.max(1) {
            block.reset(end);
            return;
        }
        block.take_over(ID);
        if block.spring.made_for != Some(self.recipe) {
            rest::measure(block, self.recipe);
        }
        scratch.fit(block.rows);
        let mut bundles = std::mem::take(scratch.keep::<Vec<LaneGroup<T>>>());
        bundles.resize_with(block.strands.div_ceil(T::LANES), LaneGroup::default);
        let eased = block.ease(input.h * input.substeps as f64).max(1e-3);
        for (index, bundle) in bundles.iter_mut().enumerate() {
            bundle.load(self, block, index * T::LANES, input.h, eased);
        }
        input.accelerate(block, &mut scratch.push);
        for substep in 0..input.substeps {
            let part = ParticleSubstep::new(block, input, substep, self.carried);
            self.substep(block, scratch, &mut bundles, input, &part, substep, note);
        }
        *scratch.keep() = bundles;
        block.restore_nonfinite(end);
    }

    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "a step's parts, none of which owns another"
    )]
    fn substep<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        bundles: &mut [LaneGroup<T>],
        input: &StepInput,
        part: &ParticleSubstep<B>,
        substep: usize,
        note: &mut N,
    ) {
        for i in 0..block.rows {
            let start = block.position[i] - part.part.root_moved;
            scratch.before[i] = start;
            // Where it would go by itself, to see what it may meet.
            block.position[i] = start + block.velocity[i].scale(B::splat(input.h));
            collide::look(block, scratch, input, &part.part, i);
        }
        for (index, bundle) in bundles.iter_mut().enumerate() {
            let first = index * T::LANES;
            for tries in 0..=collide::SECOND_TRIES {
                bundle.take(block, scratch, input, part, first);
                Observer::<T>::begin(note, first, block.rows);
                let inner = InnerStep::new(self, bundle, block, input, substep, first);
                for step in 0..bundle.most_steps() {
                    bundle.inner_step(&inner, step, note);
                }
                bundle.shorten_all(&inner, note);
                let place = |i: usize| bundle.place(i);
                if tries == collide::SECOND_TRIES
                    || !collide::strayed(block, scratch, input, &part.part, first, place)
                {
                    break;
                }
            }
            bundle.give(block, first);
        }
        self.hold(block, scratch, input);
        for i in 0..block.rows {
            let moved = block.position[i] - scratch.before[i];
            let proximity = &mut block.proximity[i];
            proximity.last = moved.dot(moved).largest().sqrt();
            proximity.travel += proximity.last + input.head_travel;
        }
    }

    /// What hands and pins do to single vertices.
    fn hold<B: Lane>(&self, block: &mut Block<B>, scratch: &Scratch<B>, input: &StepInput) {
        for index in 0..block.attachments.len() {
            let held = block.attachments[index];
            let (i, lane) = (held.row, held.lane);
            if i >= block.rows {
                continue;
            }
            let start = scratch.before[i];
            match held.hold {
                AttachmentKind::Pin => attachment::pin(block, i),
                AttachmentKind::Hand => {
                    attachment::pull(block, i, start, block.velocity[i], input.h)
                }
            }
            let moved = (block.position[i] - start).scale(B::splat(1.0 / input.h));
            block.velocity[i].set(lane, moved.get(lane));
        }
    }
}

compiled!(Spring);

impl Kernel for Spring {
    const CORRECTIONS: &'static [&'static str] = &[
        "Stretch",
        "Bend",
        "Core",
        "Stretch limit",
        "Contact",
        "Friction",
    ];

    #[inline(always)]
    fn step<T: Lane + 'static>(
        &self,
        block: &mut Block<Row>,
        scratch: &mut Scratch<Row>,
        input: &StepInput,
    ) {
        self.advance::<Row, T, _>(block, scratch, input, &mut Unobserved);
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        self.advance::<Row, F<4>, _>(block, &mut Scratch::new(), input, trace);
    }
}
