//! The step of Position Based Dynamics.

use super::{
    curl_limit::CurlLimit,
    params::{ID, PbdParams},
};
use crate::{
    math::{
        elementary::pow,
        lanes::{Lane, V3},
    },
    sim::{
        attachment,
        constraint::{attach, distance, part_of, stiffness_per_pass},
        contact,
        params::StepParams,
        softness::Softness,
        solver::{
            BlockStep, Scratch,
            damping::damp,
            dispatch::{Kernel, compiled},
            particle::ParticleSubstep,
            stretch_limit::{GIVEN_BACK, between, give_back, limit_free, limited},
        },
        state::Block,
        trace::Observer,
    },
};

/// Sweeps along the strands that run behind one another.
const WAVE: usize = 6;

/// Vertices between them: a pass changes a vertex and the three before it.
const WAVE_GAP: usize = 4;

// Numbers of the corrections; bend and twist follow length.
const SHAPE: usize = 0;
const LENGTH: usize = 1;
const CONTACT: usize = 4;
const FRICTION: usize = 5;
const CURL_LIMIT: usize = 6;
const LIMIT: usize = 7;

/// Entries of the table that runs from root (first) to tip (last).
const FALLOFF: usize = 257;

/// Stiffnesses of one step, worked out once for all blocks.
#[derive(Clone, Debug)]
pub struct Pbd {
    passes: usize,
    stretch: f64,
    bend: f64,
    twist: f64,
    /// Shape stiffness from root to tip.
    shape: Vec<f64>,
    /// Share of a correction over one, two, three segments that the vertex
    /// nearer to the root takes.
    lean: [f64; 3],
    limit: f64,
    curl_limit: Option<CurlLimit>,
    damping: f64,
    /// Share of the modelled weight that the rest state carries.
    carried: f64,
}

impl Pbd {
    /// Prepares a step.
    pub fn new(params: &PbdParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let passes = f64::from(params.iterations);
        let limit = 1.0 + f64::from(params.stretch_limit);
        let per_second = f64::from(step.rate) * f64::from(step.substeps());
        let stiffness = |k: f64| stiffness_per_pass(k, passes, per_second);
        let soft = |k: f64| stiffness(softness.of_share(k));
        let shape = |i: usize| {
            let t = i as f64 / (FALLOFF - 1) as f64;
            let k = f64::from(params.shape_stiffness);
            soft(k * (1.0 + t * (f64::from(params.shape_tip) - 1.0)))
        };
        Self {
            passes: params.iterations as usize,
            stretch: stiffness(f64::from(params.stretch_stiffness)),
            bend: soft(f64::from(params.bend_stiffness)),
            twist: soft(f64::from(params.twist_stiffness)),
            shape: if params.shape_stiffness > 0.0 {
                (0..FALLOFF).map(shape).collect()
            } else {
                Vec::new()
            },
            lean: [1, 2, 3].map(|span| 1.0 / (1.0 + f64::from(params.mass_taper).powi(span))),
            limit,
            curl_limit: CurlLimit::new(params.curl_limit, limit, &softness),
            // Quoted for 1/60 s, applied once a step.
            damping: 1.0 - pow(1.0 - f64::from(params.damping), 60.0 / f64::from(step.rate)),
            carried: softness.carried(params.sag_free),
        }
    }

    /// Prediction, all passes and the velocities of one substep.
    ///
    /// A sweep waits for its own results, vertex after vertex. So up to
    /// [`WAVE`] of them run behind one another, far enough apart never to touch
    /// the same vertex: the processor overlaps them, and the bits are those of
    /// one sweep after the other.
    #[inline(always)]
    fn substep<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        whole: &ParticleSubstep<B>,
        lanes: &[ParticleSubstep<T>],
        note: &mut impl Observer<T>,
    ) {
        let rows = step.block.rows;
        let sweeps = self.passes + 2;
        let mut done = 0;
        while done < sweeps {
            let wave = WAVE.min(sweeps - done);
            for front in 0..rows + (wave - 1) * WAVE_GAP {
                for behind in 0..wave {
                    let i = front.wrapping_sub(behind * WAVE_GAP);
                    if i >= rows {
                        continue;
                    }
                    match done + behind {
                        0 => {
                            let (block, scratch) = (&mut *step.block, &mut *step.scratch);
                            scratch.ahead.prefetch(&whole.head, i);
                            for shared in lanes {
                                shared.predict(block, scratch, step.input, i);
                            }
                            whole.grip(block, scratch, step.input, i);
                            contact::update_planes::<B, T>(
                                block,
                                scratch,
                                step.input,
                                &whole.head,
                                i,
                            );
                        }
                        sweep if sweep <= self.passes => self.pass(step, lanes, i, note),
                        _ => self.end(step, whole, lanes, i, note),
                    }
                }
            }
            done += wave;
        }
    }

    /// Rest lengths over one, two and three segments, and the shape's pull.
    #[inline(always)]
    fn measure<T: Lane>(&self, block: &Block<T>, scratch: &mut Scratch<T>) {
        let last = block.count - T::splat(1.0);
        for i in 1..block.rows {
            // No closure: the compiler would not take that in, and then call functions
            // without the wide instructions.
            for span in 1..=3 {
                let d = block.rest[i] - block.rest[i.saturating_sub(span)];
                scratch.length_squared[i][span - 1] = d.dot(d);
            }
            if !self.shape.is_empty() {
                let place = T::splat(i as f64 * (FALLOFF - 1) as f64) / last;
                let mut pull = T::zero();
                if block.shortest == block.rows {
                    pull = T::splat(self.shape[place.get(0) as usize]);
                } else {
                    for lane in 0..T::LANES {
                        pull.set(
                            lane,
                            self.shape[(place.get(lane) as usize).min(FALLOFF - 1)],
                        );
                    }
                }
                scratch.pull[i] = match block.stiff(i, 0) {
                    Some(share) => part_of(pull, share),
                    None => pull,
                };
            }
        }
    }

    /// One pass over what holds row `i`.
    #[inline(always)]
    fn pass<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        lanes: &[ParticleSubstep<T>],
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        if i < step.block.pinned {
            return;
        }
        for shared in lanes {
            note.turn_to(shared.head.first);
            self.relax(step, shared.head.first, i, note);
        }
        attachment::pin(step.block, i);
    }

    /// Everything that pulls on vertex `i` from the root's side.
    #[inline(always)]
    fn relax<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        first: usize,
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        let (block, scratch) = (&mut *step.block, &mut *step.scratch);
        let mut p: V3<T> = block.position[i].cut(first);
        // A lane whose strand ended before this row must not be pulled.
        let alive = (i >= block.shortest).then(|| block.alive(i).cut::<T>(first));
        let masked = |k: T| alive.map_or(k, |alive| k * alive);
        if !self.shape.is_empty() {
            let target = if step.input.still {
                block.rest[i].cut(first)
            } else {
                scratch.target[i].cut(first)
            };
            let pull = attach(p, target, masked(scratch.pull[i].cut(first)));
            note.note(SHAPE, i, pull);
            p = p + pull;
        }
        for (span, k) in [(3, self.twist), (2, self.bend), (1, self.stretch)] {
            if span > i || (span > 1 && k == 0.0) {
                continue;
            }
            let j = i - span;
            let rest = scratch.length_squared[i][span - 1].cut(first);
            let other: V3<T> = block.position[j].cut(first);
            let mut k = T::splat(k);
            if span > 1
                && let Some(share) = block.stiff(i - 1, first)
            {
                // Bend and twist are those of the vertex that they turn at.
                k = part_of(k, share);
            }
            let correction = distance(other, p, rest, masked(k));
            // Inverse masses: none for a pinned vertex, else as the taper says.
            if j < block.pinned {
                note.note(LENGTH + span - 1, i, V3::zero() - correction);
                p = p - correction;
            } else {
                let lean = self.lean[span - 1];
                let (outer, inner) = (T::splat(1.0 - lean), T::splat(lean));
                note.note(LENGTH + span - 1, i, V3::zero() - correction.scale(outer));
                note.note(LENGTH + span - 1, j, correction.scale(inner));
                p = p - correction.scale(outer);
                block.position[j].paste(first, other + correction.scale(inner));
            }
        }
        if block.proximity[i].near {
            let normal: V3<T> = scratch.normal[i].cut(first);
            let push = contact::plane(p, normal, scratch.offset[i].cut(first));
            let pushed = scratch.pushed[i].cut::<T>(first) + push;
            scratch.pushed[i].paste(first, pushed);
            note.note(CONTACT, i, normal.scale(push));
            p = p + normal.scale(push);
        }
        block.position[i].paste(first, p);
    }

    /// What a substep ends with in row `i`.
    #[inline(always)]
    fn end<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        whole: &ParticleSubstep<B>,
        lanes: &[ParticleSubstep<T>],
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        let (block, input) = (&mut *step.block, step.input);
        if let Some(skin) = input.skin
            && i >= block.pinned
            && block.proximity[i].last > contact::ASIDE
        {
            // Strands that fall freely have no root to count from.
            let rooted = block.pinned > 0;
            for shared in lanes.iter().filter(|_| rooted) {
                note.turn_to(shared.head.first);
                self.limit_free(block, step.scratch, [i, shared.head.first], input.h, note);
            }
            whole.recheck(block, step.scratch, skin, input, i);
        }
        let mut farthest = T::zero();
        for shared in lanes {
            note.turn_to(shared.head.first);
            farthest = farthest.max(self.finish(step, shared, i, note));
        }
        contact::record_farthest::<B, T>(step.block, input, i, farthest.largest());
    }

    /// Curl limit and stretch limit of what has no plane in row `i`, before it is
    /// rechecked.
    #[inline(always)]
    fn limit_free<B: Lane, T: Lane>(
        &self,
        block: &mut Block<B>,
        scratch: &Scratch<B>,
        [i, first]: [usize; 2],
        h: f64,
        note: &mut impl Observer<T>,
    ) {
        let alive: T = block.alive(i).cut(first);
        if let Some(limit) = &self.curl_limit {
            let free = contact::has_plane(block.plane_offset[i].cut(first), T::zero(), alive);
            let p: V3<T> = block.position[i].cut(first);
            let kept = limit.apply(block, scratch, [i, first], p, free, h);
            note.note(CURL_LIMIT, i, kept - p);
            block.position[i].paste(first, kept);
        }
        let between = between(scratch.length_squared[i][0].cut::<T>(first), self.limit);
        let moved = limit_free(block, [i, first], between, alive, GIVEN_BACK / h);
        note.note(LIMIT, i, moved);
    }

    /// Friction, contact and stretch limit of vertex `i`, then its velocity.
    /// Answers how far it moved, as the head sees it. `[m]`
    #[inline(always)]
    fn finish<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        shared: &ParticleSubstep<T>,
        i: usize,
        note: &mut impl Observer<T>,
    ) -> T {
        let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
        let first = shared.head.first;
        let start: V3<T> = scratch.before[i].cut(first);
        let alive: T = block.alive(i).cut(first);
        let mut p: V3<T> = block.position[i].cut(first);
        let skin_moved = contact::carried_where_tracked(block, input, &shared.head, i, start);
        let mut bounce = None;
        if i >= block.pinned {
            // Strands that fall freely have no root to count from.
            if let Some(limit) = &self.curl_limit
                && block.pinned > 0
            {
                let kept = limit.apply(block, scratch, [i, first], p, alive, input.h);
                note.note(CURL_LIMIT, i, kept - p);
                p = kept;
            }
            let near = block.proximity[i].near;
            let mut skin = (V3::zero(), T::zero());
            if near {
                skin = (scratch.normal[i].cut(first), scratch.offset[i].cut(first));
                let (normal, offset) = skin;
                let carried = match skin_moved {
                    Some(carried) => carried,
                    None => contact::carried(block, input, &shared.head, i, start),
                };
                // The passes have pushed: friction answers the sum of that. The last push
                // comes after it and does not rub: it puts right what the curl limit or a
                // recheck leaves below the skin.
                let pushed: T = scratch.pushed[i].cut(first);
                let slid = p;
                p = contact::friction(p, start, carried, normal, pushed, input.friction);
                note.note(FRICTION, i, p - slid);
                let push = contact::plane(p, normal, offset);
                note.note(CONTACT, i, normal.scale(push));
                p = p + normal.scale(push);
                let (velocity, pushed) = (block.velocity[i].cut(first), pushed + push);
                bounce = contact::bounce_back(velocity, carried, normal, pushed, input);
            }
            if i > 0 {
                // Strain limiting: the outer vertex goes in or out along the segment.
                let inner: V3<T> = block.position[i - 1].cut(first);
                let square: T = scratch.length_squared[i][0].cut(first);
                let between = between(square, self.limit);
                let mut kept = limited(inner, p, between);
                if near {
                    kept = contact::on_skin(inner, kept, between, skin.0, skin.1);
                }
                note.note(LIMIT, i, kept - p);
                give_back(block, i - 1, first, p - kept, alive, GIVEN_BACK / input.h);
                p = kept;
            }
        }
        let moved = shared.arrive(block, i, [start, p], shared.per_h * alive, bounce) - start;
        let moved = match skin_moved {
            Some(carried) => moved - carried,
            None => moved,
        };
        let moved = moved.dot(moved).sqrt() * alive;
        contact::reduce_room(block, input, i, first, moved);
        moved
    }
}

compiled!(Pbd);

impl Kernel for Pbd {
    const CORRECTIONS: &'static [&'static str] = &[
        "Shape",
        "Length",
        "Bend",
        "Twist",
        "Contact",
        "Friction",
        "Curl limit",
        "Stretch limit",
    ];

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        step.block.take_over(ID);
        step.begin();
        self.measure(step.block, step.scratch);
        if let Some(limit) = &self.curl_limit {
            limit.measure(step.block, step.scratch);
        }
        if self.damping > 0.0 {
            damp::<B, T>(step.block, self.damping);
        }
        let mut lanes = Vec::with_capacity(B::LANES / T::LANES);
        for substep in 0..step.input.substeps {
            let whole = ParticleSubstep::new(step.block, step.input, substep, self.carried);
            lanes.clear();
            for first in (0..B::LANES).step_by(T::LANES) {
                note.begin(first, step.block.rows);
                lanes.push(whole.cut::<T>(first));
            }
            self.substep(step, &whole, &lanes, note);
            step.depenetrate(&whole.head, [2.0 - self.limit, self.limit]);
        }
    }
}
