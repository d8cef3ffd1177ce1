//! The step of curly springs.

use super::{
    constants::Spring,
    lanes::{InnerStep, SpringGroup},
    params::ID,
    rest::{self, SpringState},
};
use crate::{
    math::lanes::Lane,
    sim::{
        attachment, contact,
        solver::{
            BlockStep, Scratch, StepInput,
            dispatch::{Kernel, compiled},
            particle::ParticleSubstep,
        },
        state::Block,
        trace::Observer,
    },
};

impl Spring {
    #[inline(always)]
    fn substep<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        step: &mut BlockStep<B>,
        groups: &mut [SpringGroup<T>],
        part: &ParticleSubstep<B>,
        note: &mut N,
    ) {
        // To see what the vertices may meet.
        step.query_ahead::<T>(&part.head);
        let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
        for (index, group) in groups.iter_mut().enumerate() {
            let first = index * T::LANES;
            for tries in 0..=contact::SECOND_TRIES {
                group.take(block, scratch, input, part, first);
                Observer::<T>::begin(note, first, block.rows);
                let inner = InnerStep::new(self, group, block, input, &part.head, first);
                for step in 0..group.inner_steps() {
                    group.inner_step(&inner, step, note);
                }
                group.limit_all(&inner, note);
                let place = |i: usize| group.place(i);
                if tries == contact::SECOND_TRIES
                    || !contact::recheck_rows(block, scratch, input, &part.head, first, place)
                {
                    break;
                }
            }
            group.give(block, first);
        }
        self.pull(block, scratch, input);
        step.arrive::<T>(&part.head);
        step.depenetrate(&part.head, [2.0 - self.limit, self.limit]);
    }

    /// What hands and pins do to single vertices.
    fn pull<B: Lane>(&self, block: &mut Block<B>, scratch: &Scratch<B>, input: &StepInput) {
        if block.attachments.is_empty() {
            return;
        }
        for i in 0..block.rows {
            let (start, speed) = (scratch.before[i], block.velocity[i]);
            attachment::pin(block, i);
            attachment::pull(block, i, start, speed, input.h);
            let moved = (block.position[i] - start).scale(B::splat(1.0 / input.h));
            for held in block.attachments.iter().filter(|held| held.row == i) {
                block.velocity[i].set(held.lane, moved.get(held.lane));
            }
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

    fn moves<B: Lane>(&self, block: &Block<B>) -> bool {
        block.rows > block.pinned.max(1)
    }

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        step.block.take_over(ID);
        let eased = step.block.ease(step.seconds()).max(1e-3);
        step.begin();
        let block = &mut *step.block;
        let mut memory = block.memories.take::<SpringState<B>>();
        if memory.made_for != Some(self.recipe) {
            *memory = rest::measure(block, self.recipe);
        }
        let mut groups = std::mem::take(step.scratch.keep::<Vec<SpringGroup<T>>>());
        groups.resize_with(block.strands.div_ceil(T::LANES), SpringGroup::default);
        for (index, group) in groups.iter_mut().enumerate() {
            group.load(self, block, &memory, index * T::LANES, step.input.h, eased);
        }
        block.memories.put(memory);
        for substep in 0..step.input.substeps {
            let part = ParticleSubstep::new(step.block, step.input, substep, self.carried);
            self.substep(step, &mut groups, &part, note);
        }
        *step.scratch.keep() = groups;
    }
}
