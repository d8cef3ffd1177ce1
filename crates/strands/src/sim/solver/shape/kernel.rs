//! The step of shape constraints.

use super::{
    constants::{GLOBAL, LENGTH, LOCAL, Shape, Shared, Work},
    params::{ID, LengthSolver},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment,
        constraint::part_of,
        contact::{self, Limits, SurfaceMotion},
        solver::{
            Scratch, StepInput,
            dispatch::{Kernel, compiled},
            frames::{self, Bishop},
            particle::ParticleSubstep,
            prefetch,
        },
        state::Block,
        trace::Observer,
    },
};

/// Vertices between sweeps that run behind one another: each looks so far ahead
/// and changes a vertex and the one before it.
const WAVE_GAP: usize = frames::REACH + 1;

impl Shape {
    #[inline(always)]
    fn cut<B: Lane, T: Lane>(
        &self,
        block: &Block<B>,
        shared: &ParticleSubstep<B>,
        input: &StepInput,
        substep: usize,
        first: usize,
        ease: f64,
    ) -> Shared<T> {
        let last = block.count.cut::<T>(first) - T::splat(1.0);
        let root_moved: V3<T> = shared.part.root_moved.cut(first);
        // Beyond the threshold the strands are carried: they feel the rest.
        let way = root_moved.dot(root_moved).sqrt();
        let [share, speed] = self.shock;
        let beyond = way - T::splat(speed * input.h);
        let shock = beyond.max(T::zero()) / way.max(T::splat(1e-12)) * T::splat(share);
        let now = input.frame(substep + 1);
        Shared {
            first,
            drift: SurfaceMotion::new(&input.frame(substep), &now, root_moved),
            seat: shared.part.seat_of(now, first),
            now,
            root_moved,
            damped: shared.damped.cut(first),
            gain: shared.gain.cut(first),
            blown: shared.blown.map(|share| share.cut(first)),
            shock,
            shocked: T::zero().any_less(shock),
            global: T::splat(self.global[0] * ease),
            slope: T::splat((self.global[1] - self.global[0]) * ease) / last,
            // A vertex at the very end of the range is inside.
            reach: last * T::splat(self.range) + T::splat(1e-3),
            local: T::splat(self.local * ease),
            h: T::splat(input.h),
            per_h: T::splat(1.0 / input.h),
        }
    }

    /// Prediction, all passes and the velocities of one substep. Sweeps run
    /// behind one another, as in `pbd.rs`, as far as none waits for the tip.
    #[inline(always)]
    fn substep<B: Lane, T: Lane>(
        &self,
        work: &mut Work<B>,
        hands: &[Shared<T>],
        frames: &mut Vec<Bishop<T>>,
        note: &mut impl Observer<T>,
    ) {
        frames.clear();
        for _ in 0..self.passes {
            for hand in hands {
                frames.push(work.block.shape.root(&hand.seat, hand.first));
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
            self.wave(work, hands, frames, [from, to], note);
            if to <= self.passes + 1 {
                for hand in hands {
                    note.turn_to(hand.first);
                    self.solve_lengths(work, hand, note);
                }
                if !work.block.attachments.is_empty() {
                    for i in 0..work.block.rows {
                        attachment::pin(work.block, i);
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
        work: &mut Work<B>,
        hands: &[Shared<T>],
        frames: &mut [Bishop<T>],
        [from, to]: [usize; 2],
        note: &mut impl Observer<T>,
    ) {
        let rows = work.block.rows;
        for front in 0..rows + (to - from - 1) * WAVE_GAP {
            for sweep in from..to {
                let i = front.wrapping_sub((sweep - from) * WAVE_GAP);
                if i >= rows {
                    continue;
                }
                if sweep == 0 {
                    work.scratch.ahead.prefetch(&work.shared.part, i);
                    for hand in hands {
                        note.turn_to(hand.first);
                        predict(work, hand, i, note);
                    }
                    grip_and_look(work, i);
                } else if sweep <= self.passes {
                    for (index, hand) in hands.iter().enumerate() {
                        note.turn_to(hand.first);
                        let frame = &mut frames[(sweep - 1) * hands.len() + index];
                        self.relax(work, hand, frame, i, note);
                    }
                    if !work.block.attachments.is_empty() {
                        attachment::pin(work.block, i.saturating_sub(1));
                        attachment::pin(work.block, i);
                    }
                } else {
                    let mut farthest = T::zero();
                    for hand in hands {
                        note.turn_to(hand.first);
                        farthest = farthest.max(self.finish(work, hand, i, note));
                    }
                    if work.input.skin.is_some() {
                        let farthest = farthest.largest().sqrt();
                        contact::ride(work.block, work.input, i, farthest);
                    }
                }
            }
        }
    }

    /// Local shape and, edge by edge, length of the edge that ends in vertex `i`.
    #[inline(always)]
    fn relax<B: Lane, T: Lane>(
        &self,
        work: &mut Work<B>,
        hand: &Shared<T>,
        frame: &mut Bishop<T>,
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        if i == 0 {
            return;
        }
        let (block, first) = (&mut *work.block, hand.first);
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
    work: &mut Work<B>,
    hand: &Shared<T>,
    i: usize,
    note: &mut impl Observer<T>,
) {
    let (block, first) = (&mut *work.block, hand.first);
    let mut start = block.position[i].cut::<T>(first) - hand.root_moved;
    let rest: V3<T> = block.rest[i].cut(first);
    let target = if work.input.still {
        rest
    } else {
        hand.seat.vector(rest)
    };
    work.scratch.target[i].paste(first, start);
    let mut p = target;
    if i >= block.pinned {
        if hand.shocked {
            start = start + hand.drift.at(start).scale(hand.shock);
        }
        let velocity = hand.falling(block, work.scratch, i);
        if work.input.restitution > 0.0 {
            block.velocity[i].paste(first, velocity);
        }
        p = start + velocity.scale(hand.h);
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
    work.scratch.before[i].paste(first, start);
    block.position[i].paste(first, p);
}

/// Lets grips draw at row `i`, and the row look at the skin.
#[inline(always)]
fn grip_and_look<B: Lane>(work: &mut Work<B>, i: usize) {
    let (block, input) = (&mut *work.block, work.input);
    if i < block.pinned {
        block.proximity[i].near = false;
        return;
    }
    if !block.attachments.is_empty() {
        let start = work.scratch.before[i];
        let speed = work.shared.falling(block, work.scratch, i);
        attachment::pull(block, i, start, speed, input.h);
    }
    let Some(skin) = input.skin else {
        block.proximity[i].near = false;
        return;
    };
    let limits = Limits::riding(&block.proximity[i], input);
    if limits.passed(&block.proximity[i]) {
        let part = &work.shared.part;
        contact::look_again(block, work.scratch, i, skin, input, part, limits);
    }
}

impl<T: Lane> Shared<T> {
    /// The velocity of vertex `i` if nothing held it.
    #[inline(always)]
    fn falling<B: Lane>(&self, block: &Block<B>, scratch: &Scratch<B>, i: usize) -> V3<T> {
        let velocity = block.velocity[i].cut::<T>(self.first).scale(self.damped) + self.gain;
        match self.blown {
            Some(share) => velocity + scratch.push[i].cut::<T>(self.first).scale(share),
            None => velocity,
        }
    }
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
    fn advance<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        note: &mut N,
    ) {
        let end = &input.poses[input.substeps];
        if block.rows <= block.pinned {
            block.reset(end);
            return;
        }
        let seconds = input.h * input.substeps as f64;
        let ease = block.take_over_shape(ID, seconds);
        scratch.fit(block.rows);
        prefetch::prefetch_queries(block, input);
        input.accelerate(block, &mut scratch.push);
        let mut hands = Vec::with_capacity(B::LANES / T::LANES);
        let mut frames = Vec::with_capacity(self.passes * B::LANES / T::LANES);
        for substep in 0..input.substeps {
            let mut shared = ParticleSubstep::new(block, input, substep, self.carried);
            shared.gain = shared.gain.scale(B::splat(ease));
            shared.blown = shared.blown.map(|share| share * B::splat(ease));
            shared.damped = shared.damped * B::splat(self.kept);
            hands.clear();
            for first in (0..B::LANES).step_by(T::LANES) {
                note.begin(first, block.rows);
                hands.push(self.cut(block, &shared, input, substep, first, ease));
            }
            let mut work = Work {
                block,
                scratch,
                input,
                shared: &shared,
            };
            self.substep(&mut work, &hands, &mut frames, note);
        }
        block.restore_nonfinite(end);
    }
}
