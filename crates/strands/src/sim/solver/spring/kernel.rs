//! The step of curly springs.

use super::{
    constants::Spring,
    lanes::{InnerStep, LaneGroup},
    params::ID,
    rest::{self, SpringState},
};
use crate::{
    math::lanes::Lane,
    sim::{
        attachment::{self, AttachmentKind},
        contact,
        solver::{
            Scratch, StepInput,
            dispatch::{Kernel, compiled},
            particle::ParticleSubstep,
        },
        state::Block,
        trace::Observer,
    },
};

impl Spring {
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
            contact::look(block, scratch, input, &part.part, i);
        }
        for (index, bundle) in bundles.iter_mut().enumerate() {
            let first = index * T::LANES;
            for tries in 0..=contact::SECOND_TRIES {
                bundle.take(block, scratch, input, part, first);
                Observer::<T>::begin(note, first, block.rows);
                let inner = InnerStep::new(self, bundle, block, input, substep, first);
                for step in 0..bundle.most_steps() {
                    bundle.inner_step(&inner, step, note);
                }
                bundle.shorten_all(&inner, note);
                let place = |i: usize| bundle.place(i);
                if tries == contact::SECOND_TRIES
                    || !contact::strayed(block, scratch, input, &part.part, first, place)
                {
                    break;
                }
            }
            bundle.give(block, first);
        }
        self.hold(block, scratch, input);
        for i in 0..block.rows {
            let moved = block.position[i] - scratch.before[i];
            contact::went(block, input, i, moved.dot(moved).largest().sqrt());
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
    fn advance<B: Lane, T: Lane, N: Observer<T>>(
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
        let mut memory = block.memories.take::<SpringState<B>>();
        if memory.made_for != Some(self.recipe) {
            *memory = rest::measure(block, self.recipe);
        }
        scratch.fit(block.rows);
        let mut bundles = std::mem::take(scratch.keep::<Vec<LaneGroup<T>>>());
        bundles.resize_with(block.strands.div_ceil(T::LANES), LaneGroup::default);
        let eased = block.ease(input.h * input.substeps as f64).max(1e-3);
        for (index, bundle) in bundles.iter_mut().enumerate() {
            bundle.load(self, block, &memory, index * T::LANES, input.h, eased);
        }
        block.memories.put(memory);
        input.accelerate(block, &mut scratch.push);
        for substep in 0..input.substeps {
            let part = ParticleSubstep::new(block, input, substep, self.carried);
            self.substep(block, scratch, &mut bundles, input, &part, substep, note);
        }
        *scratch.keep() = bundles;
        block.restore_nonfinite(end);
    }
}
