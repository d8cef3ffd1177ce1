//! The step of shape constraints.

use super::{
    constants::{GLOBAL, LENGTH, LOCAL, Shape, ShapeLanes},
    params::{ID, LengthSolver},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment,
        constraint::part_of,
        contact::{self, SurfaceMotion},
        solver::{
            BlockStep,
            dispatch::{Kernel, compiled},
            frames::{self, Bishop},
            particle::ParticleSubstep,
        },
        state::Block,
        trace::Observer,
    },
};

/// Vertices between sweeps that run behind one another: each looks so far ahead
/// and changes a vertex and the one before it.
const WAVE_GAP: usize = frames::REACH + 1;

/// Rows that went so far in the last substep are rechecked: a shape may pull a vertex
/// through the skin past the plane that it knew. `[m]`
const FAST: f64 = 1e-3;

impl Shape {
    #[inline(always)]
    fn lanes<T: Lane>(&self, shared: ParticleSubstep<T>, h: f64, ease: f64) -> ShapeLanes<T> {
        let (last, root_moved) = (shared.last, shared.head.root_moved);
        // Beyond the threshold the strands are carried: they feel the rest.
        let way = root_moved.dot(root_moved).sqrt();
        let [share, speed] = self.shock;
        let beyond = way - T::splat(speed * h);
        let shock = beyond.max(T::zero()) / way.max(T::splat(1e-12)) * T::splat(share);
        ShapeLanes {
            drift: SurfaceMotion::new(&shared.head),
            shared,
            shock,
            shocked: T::zero().any_less(shock),
            global: T::splat(self.global[0] * ease),
            slope: T::splat((self.global[1] - self.global[0]) * ease) / last,
            // A vertex at the very end of the range is inside.
            reach: last * T::splat(self.range) + T::splat(1e-3),
            local: T::splat(self.local * ease),
        }
    }

    /// Prediction, all passes and the velocities of one substep. Sweeps run
    /// behind one another, as in `pbd/kernel.rs`, as far as none waits for the tip.
    #[inline(always)]
    fn substep<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        whole: &ParticleSubstep<B>,
        lanes: &[ShapeLanes<T>],
        frames: &mut Vec<Bishop<T>>,
        note: &mut impl Observer<T>,
    ) {
        frames.clear();
        for _ in 0..self.passes {
            for hand in lanes {
                let head = &hand.shared.head;
                frames.push(step.block.shape.root(head.rest_frame(), head.first));
            }
        }
        let all = self.passes + 2;
        let mut from = 0;
        while from < all {
            let to = match self.length {
                LengthSolver::GaussSeidel => all,
                // Each pass ends with the solve; the first one predicts as well.
                LengthSolver::Tridiagonal => (from + 1).max(2),
            };
            self.wave(step, whole, lanes, frames, [from, to], note);
            if to <= self.passes + 1 {
                for hand in lanes {
                    let first = hand.shared.head.first;
                    note.turn_to(first);
                    self.solve_lengths(step, first, note);
                }
                if !step.block.attachments.is_empty() {
                    for i in 0..step.block.rows {
                        attachment::pin(step.block, i);
                    }
                }
            }
            from = to;
        }
    }

    /// Sweeps number `from` to `to`, behind one another: the prediction, the
    /// passes, the end.
    #[inline(always)]
    fn wave<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        whole: &ParticleSubstep<B>,
        lanes: &[ShapeLanes<T>],
        frames: &mut [Bishop<T>],
        [from, to]: [usize; 2],
        note: &mut impl Observer<T>,
    ) {
        let rows = step.block.rows;
        for front in 0..rows + (to - from - 1) * WAVE_GAP {
            for sweep in from..to {
                let i = front.wrapping_sub((sweep - from) * WAVE_GAP);
                if i >= rows {
                    continue;
                }
                if sweep == 0 {
                    step.scratch.ahead.prefetch(&whole.head, i);
                    for hand in lanes {
                        note.turn_to(hand.shared.head.first);
                        predict(step, hand, i, note);
                    }
                    grip_and_query::<B, T>(step, whole, i);
                } else if sweep <= self.passes {
                    for (index, hand) in lanes.iter().enumerate() {
                        note.turn_to(hand.shared.head.first);
                        let frame = &mut frames[(sweep - 1) * lanes.len() + index];
                        self.relax(step.block, hand, frame, i, note);
                    }
                    if !step.block.attachments.is_empty() {
                        attachment::pin(step.block, i.saturating_sub(1));
                        attachment::pin(step.block, i);
                    }
                } else {
                    if let Some(skin) = step.input.skin
                        && i >= step.block.pinned
                        && step.block.proximity[i].last > FAST
                    {
                        for hand in lanes.iter().filter(|_| i > 0) {
                            note.turn_to(hand.shared.head.first);
                            self.limit_free(step, hand.shared.head.first, i, note);
                        }
                        whole.recheck(step.block, step.scratch, skin, step.input, i);
                    }
                    let mut farthest = T::zero();
                    for hand in lanes {
                        note.turn_to(hand.shared.head.first);
                        farthest = farthest.max(self.finish(step, hand, i, note));
                    }
                    if step.input.skin.is_some() {
                        contact::record_farthest::<B, T>(
                            step.block,
                            step.input,
                            i,
                            farthest.largest(),
                        );
                    }
                }
            }
        }
    }

    /// Local shape and, edge by edge, length of the edge that ends in vertex `i`.
    #[inline(always)]
    fn relax<B: Lane, T: Lane>(
        &self,
        block: &mut Block<B>,
        hand: &ShapeLanes<T>,
        frame: &mut Bishop<T>,
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        if i == 0 {
            return;
        }
        let first = hand.shared.head.first;
        let inner: V3<T> = block.position[i - 1].cut(first);
        let p: V3<T> = block.position[i].cut(first);
        let length: T = block.shape.lengths[i].cut(first);
        if frames::turns(i) {
            let (from, to) = frames::chord(i, block.rows);
            let chord = block.position[to].cut::<T>(first) - block.position[from].cut(first);
            *frame = frame.towards(chord, length);
        }
        if i < block.pinned {
            return;
        }
        let edge = p - inner;
        let rest = frame.edge(block.shape.edges[i].cut(first));
        let mut local = hand.local;
        if let Some(share) = block.stiff(i - 1, first) {
            // The edge turns at the vertex that it leaves.
            local = part_of(local, share);
        }
        let drawn = edge + (rest - edge).scale(local);
        let kept = match self.length {
            LengthSolver::GaussSeidel => {
                let now = drawn.dot(drawn).max(T::splat(1e-20)).sqrt();
                drawn.scale(length / now)
            }
            LengthSolver::Tridiagonal => drawn,
        };
        let mut share = T::splat(if i > block.pinned { 0.5 } else { 0.0 });
        if i >= block.shortest {
            // What lies behind a tip pulls at nothing.
            share = share * block.alive(i).cut(first);
        }
        let (outer, change) = (T::splat(1.0) - share, kept - edge);
        note.note(LOCAL, i, (drawn - edge).scale(outer));
        note.note(LOCAL, i - 1, (edge - drawn).scale(share));
        note.note(LENGTH, i, (kept - drawn).scale(outer));
        note.note(LENGTH, i - 1, (drawn - kept).scale(share));
        let mut place = p + change.scale(outer);
        if i >= block.shortest {
            place = place.select(block.alive(i).cut(first), inner);
        }
        block.position[i].paste(first, place);
        if i > block.pinned {
            block.position[i - 1].paste(first, inner - change.scale(share));
        }
    }
}

/// Vertex `i` where it would be if only the global shape held it; pinned ones
/// with the head. Notes in `scratch` where it was (`target`), and where it was
/// once the head has handed it its share of motion (`before`).
#[inline(always)]
fn predict<B: Lane, T: Lane>(
    step: &mut BlockStep<B>,
    hand: &ShapeLanes<T>,
    i: usize,
    note: &mut impl Observer<T>,
) {
    let (block, scratch, shared) = (&mut *step.block, &mut *step.scratch, &hand.shared);
    let first = shared.head.first;
    let mut start = block.position[i].cut::<T>(first) - shared.head.root_moved;
    let target = shared.target(block, step.input, i);
    scratch.target[i].paste(first, start);
    let mut p = target;
    if i >= block.pinned {
        if hand.shocked {
            start = start + hand.drift.at(start).scale(hand.shock);
        }
        let velocity = shared.falling(scratch, block.velocity[i].cut(first), i);
        if step.input.restitution > 0.0 {
            block.velocity[i].paste(first, velocity);
        }
        p = start + velocity.scale(shared.h);
        let place = T::splat(i as f64);
        let mut pull = place.less(hand.reach, hand.global + hand.slope * place, T::zero());
        if let Some(share) = block.stiff(i, first) {
            pull = part_of(pull, share);
        }
        let pull = (target - p).scale(pull);
        note.note(GLOBAL, i, pull);
        p = p + pull;
        if i >= block.shortest {
            // What lies behind a tip goes with it.
            let alive = block.alive(i).cut(first);
            p = p.select(alive, block.position[i - 1].cut(first));
        }
    }
    scratch.before[i].paste(first, start);
    block.position[i].paste(first, p);
}

/// Lets grips draw at row `i`, and the row query the skin; `T` is a register.
#[inline(always)]
fn grip_and_query<B: Lane, T: Lane>(step: &mut BlockStep<B>, whole: &ParticleSubstep<B>, i: usize) {
    let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
    whole.grip(block, scratch, input, i);
    contact::turn_torso_planes(block, input, &whole.head, i, |_| scratch.before[i]);
    contact::query_if_needed::<B, T>(block, scratch, input, &whole.head, i);
}

compiled!(Shape);

impl Kernel for Shape {
    const CORRECTIONS: &'static [&'static str] = &[
        "Global shape",
        "Local shape",
        "Length",
        "Contact",
        "Friction",
        "Stretch limit",
    ];

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        let ease = step.block.take_over_shape(ID, step.seconds());
        step.begin();
        let mut lanes = Vec::with_capacity(B::LANES / T::LANES);
        let mut frames = Vec::with_capacity(self.passes * B::LANES / T::LANES);
        for substep in 0..step.input.substeps {
            let whole = ParticleSubstep::new(step.block, step.input, substep, self.carried)
                .eased(ease, self.kept);
            lanes.clear();
            for first in (0..B::LANES).step_by(T::LANES) {
                note.begin(first, step.block.rows);
                lanes.push(self.lanes(whole.cut(first), step.input.h, ease));
            }
            self.substep(step, &whole, &lanes, &mut frames, note);
            step.depenetrate(&whole.head, [0.0, self.limit]);
        }
    }
}
