//! Position Based Dynamics: Müller, Heidelberger, Hennix, Ratcliff 2007,
//! "Position Based Dynamics", algorithm 1.
//!
//! Each substep predicts, lets the collision constraints be generated, passes
//! over all constraints from the root outwards, and takes the velocity from the
//! change of position. Three spans of distance constraints hold a curl: one
//! segment (length), two (bend), three (twist); position constraints hold the
//! hairstyle.
//!
//! Limitations: stiffness depends on the iteration count where passes do not
//! converge; three distances fix a curl's shape but not its handedness; the
//! stretch limit moves only the outer vertex, which costs momentum.

use crate::{
    math::lanes::{Frame, Lane, V3},
    sim::{
        collide,
        constraint::{attach, distance, plane, stiffness_per_pass},
        params::PbdParams,
        solver::{Scratch, StepInput},
        state::{Block, PINNED},
    },
};

/// Share of what the stretch limit takes from an outer vertex that the inner
/// one gets back as velocity: s_damping of Müller, Kim, Chentanez 2012, "Fast
/// Simulation of Inextensible Hair and Fur", eq. 9. Without it a limit that is
/// always reached shakes the strand.
const GIVEN_BACK: f64 = 0.9;

/// Passes that run behind one another.
const WAVE: usize = 4;

/// Vertices between them: a pass changes a vertex and the three before it.
const WAVE_GAP: usize = 4;

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
    damping: f64,
}

impl Pbd {
    /// Prepares a step of `substeps` parts at `rate` steps a second.
    pub fn new(params: &PbdParams, rate: u32, substeps: u32) -> Self {
        let passes = f64::from(params.iterations);
        let per_second = f64::from(rate) * f64::from(substeps);
        let stiffness = |k: f64| stiffness_per_pass(k, passes, per_second);
        let shape = |i: usize| {
            let t = i as f64 / (FALLOFF - 1) as f64;
            let k = f64::from(params.shape_stiffness);
            stiffness(k * (1.0 + t * (f64::from(params.shape_tip) - 1.0)))
        };
        Self {
            passes: params.iterations as usize,
            stretch: stiffness(f64::from(params.stretch_stiffness)),
            bend: stiffness(f64::from(params.bend_stiffness)),
            twist: stiffness(f64::from(params.twist_stiffness)),
            shape: if params.shape_stiffness > 0.0 {
                (0..FALLOFF).map(shape).collect()
            } else {
                Vec::new()
            },
            lean: [1, 2, 3].map(|span| 1.0 / (1.0 + f64::from(params.mass_taper).powi(span))),
            limit: 1.0 + f64::from(params.stretch_limit),
            // Quoted for 1/60 s, applied once a step.
            damping: 1.0 - (1.0 - f64::from(params.damping)).powf(60.0 / f64::from(rate)),
        }
    }

    /// Advances one block by one whole step.
    #[inline(always)]
    pub fn step<T: Lane>(&self, block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput) {
        if block.rows <= PINNED {
            block.reset(&input.poses[input.substeps]);
            return;
        }
        self.measure(block, scratch);
        let wind = input.wind(block);
        if self.damping > 0.0 {
            damp(block, self.damping);
        }
        for substep in 0..input.substeps {
            let (before, now) = (input.frame::<T>(substep), input.frame::<T>(substep + 1));
            predict(
                block,
                scratch,
                input,
                &now,
                &wind.at(substep, input.substeps),
            );
            collide::look(block, scratch, input, &before, &now);
            self.relax(block, scratch, input);
            self.finish(block, scratch, input, &before, &now);
        }
        restore_nonfinite(block, input);
    }

    /// Rest lengths over one, two and three segments, and the shape's pull.
    #[inline(always)]
    fn measure<T: Lane>(&self, block: &Block<T>, scratch: &mut Scratch<T>) {
        scratch.fit(block.rows);
        let last = block.count - T::splat(1.0);
        for i in 1..block.rows {
            let length = |span: usize| {
                let d = block.rest[i] - block.rest[i.saturating_sub(span)];
                d.dot(d)
            };
            scratch.length_squared[i] = [length(1), length(2), length(3)];
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
                scratch.pull[i] = pull;
            }
        }
    }

    /// All passes over all constraints, each from the root outwards.
    ///
    /// A sweep waits for its own results, vertex after vertex. So up to
    /// [`WAVE`] passes run behind one another, far enough apart never to touch
    /// the same vertex: the processor overlaps them, and the bits are those of
    /// one pass after the other.
    #[inline(always)]
    fn relax<T: Lane>(&self, block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput) {
        let mut done = 0;
        while done < self.passes {
            let wave = WAVE.min(self.passes - done);
            for front in PINNED..block.rows + (wave - 1) * WAVE_GAP {
                for behind in 0..wave {
                    let i = front.wrapping_sub(behind * WAVE_GAP);
                    if (PINNED..block.rows).contains(&i) {
                        self.relax_row(block, scratch, input, i);
                    }
                }
            }
            done += wave;
        }
    }

    /// Everything that pulls on vertex `i` from the root's side.
    #[inline(always)]
    fn relax_row<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        i: usize,
    ) {
        let mut p = block.position[i];
        // A lane whose strand ended before this row must not be pulled.
        let alive = (i >= block.shortest).then(|| block.alive(i));
        let masked = |k: T| alive.map_or(k, |alive| k * alive);
        if !self.shape.is_empty() {
            let target = if input.still {
                block.rest[i]
            } else {
                scratch.target[i]
            };
            p = p + attach(p, target, masked(scratch.pull[i]));
        }
        for (span, k) in [(3, self.twist), (2, self.bend), (1, self.stretch)] {
            if span > i || (span > 1 && k == 0.0) {
                continue;
            }
            let j = i - span;
            let rest = scratch.length_squared[i][span - 1];
            let correction = distance(block.position[j], p, rest, masked(T::splat(k)));
            // Inverse masses: none for a pinned vertex, else as the taper says.
            if j < PINNED {
                p = p - correction;
            } else {
                let lean = self.lean[span - 1];
                p = p - correction.scale(T::splat(1.0 - lean));
                block.position[j] = block.position[j] + correction.scale(T::splat(lean));
            }
        }
        if block.watch[i].near {
            let push = plane(p, scratch.normal[i], scratch.offset[i]);
            scratch.pushed[i] += push;
            p = p + scratch.normal[i].scale(push);
        }
        block.position[i] = p;
    }

    /// Friction, stretch limit and a last look at contact, from the root
    /// outwards; then the velocities.
    #[inline(always)]
    fn finish<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        before: &Frame<T>,
        now: &Frame<T>,
    ) {
        let per_h = T::splat(1.0 / input.h);
        let given_back = T::splat(GIVEN_BACK / input.h);
        let limit = T::splat(self.limit * self.limit);
        for i in 0..block.rows {
            let start = scratch.before[i];
            let alive = block.alive(i);
            let mut p = block.position[i];
            let mut bounce = None;
            if i >= PINNED {
                if block.watch[i].near {
                    let (normal, offset) = (scratch.normal[i], scratch.offset[i]);
                    let carried = now.point(before.inverse_point(start)) - start;
                    p = collide::friction(
                        p,
                        start,
                        carried,
                        normal,
                        scratch.pushed[i],
                        input.friction,
                    );
                    let push = plane(p, normal, offset);
                    p = p + normal.scale(push);
                    if input.restitution > 0.0 {
                        let pushed = scratch.pushed[i] + push;
                        bounce = Some(collide::bounce(
                            block.velocity[i],
                            normal,
                            pushed,
                            input.restitution,
                        ));
                    }
                }
                // Strain limiting: the outer vertex comes in along the segment.
                let inner = block.position[i - 1];
                let d = p - inner;
                let (now_long, longest) = (d.dot(d), scratch.length_squared[i][0] * limit);
                let share = longest / now_long.max(longest).max(T::splat(1e-16));
                let mut kept = inner + d.scale(share.sqrt());
                if block.watch[i].near {
                    kept = on_skin(inner, kept, longest, scratch.normal[i], scratch.offset[i]);
                }
                block.velocity[i - 1] =
                    block.velocity[i - 1] + (p - kept).scale(given_back * alive);
                p = kept;
            }
            block.position[i] = p;
            let moved = p - start;
            block.velocity[i] = moved.scale(per_h * alive);
            if let Some(bounce) = bounce {
                block.velocity[i] = block.velocity[i] + bounce;
            }
            let watch = &mut block.watch[i];
            watch.last = moved.dot(moved).largest().sqrt();
            watch.travel += watch.last + input.head_travel;
        }
    }
}

/// Where a vertex `p` that the stretch limit drew below the skin goes instead:
/// along the tangent plane, no farther from `inner` than the squared length
/// `longest` allows. The length has the last word: where the plane is out of
/// reach, the vertex goes straight towards it.
#[inline(always)]
fn on_skin<T: Lane>(inner: V3<T>, p: V3<T>, longest: T, normal: V3<T>, offset: T) -> V3<T> {
    let tiny = T::splat(1e-16);
    let d = p - inner;
    let along = d - normal.scale(normal.dot(d));
    let rise = (offset - normal.dot(inner)).min(longest.sqrt());
    let reach = (longest - rise * rise).max(T::zero());
    let stride = (reach / along.dot(along).max(reach).max(tiny)).sqrt();
    let slid = inner + normal.scale(rise) + along.scale(stride);
    let below = normal.dot(p);
    let pick = |slid: T, p: T| below.less(offset, slid, p);
    V3 {
        x: pick(slid.x, p.x),
        y: pick(slid.y, p.y),
        z: pick(slid.z, p.z),
    }
}

/// Velocities under gravity, wind and drag (drag implicitly, so that no
/// strength of it can overshoot), then positions as if nothing held them.
#[inline(always)]
fn predict<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    input: &StepInput,
    now: &Frame<T>,
    wind: &V3<T>,
) {
    let h = T::splat(input.h);
    let drag = T::splat(input.drag * input.h) * block.inverse_mass;
    let damped = T::splat(1.0) / (T::splat(1.0) + drag);
    let gain = (V3::splat(input.gravity).scale(h) + wind.scale(drag)).scale(damped);
    for i in 0..block.rows {
        scratch.before[i] = block.position[i];
        scratch.pushed[i] = T::zero();
        let target = if input.still {
            block.rest[i]
        } else {
            now.point(block.rest[i])
        };
        scratch.target[i] = target;
        if i < PINNED {
            block.position[i] = target;
        } else {
            let v = block.velocity[i].scale(damped) + gain;
            block.velocity[i] = v;
            block.position[i] = block.position[i] + v.scale(h);
        }
    }
}

/// Takes the share `k` of the inner motion away and leaves the motion of the
/// strand as a whole (section 3.5): dv_i = k (v_cm + omega x r_i - v_i).
#[inline(always)]
fn damp<T: Lane>(block: &mut Block<T>, k: f64) {
    let rows = block.rows;
    let one = T::splat(1.0);
    let (mut centre, mut drift) = (V3::zero(), V3::zero());
    for i in 0..rows {
        centre = centre + block.position[i].scale(block.alive(i));
        drift = drift + block.velocity[i].scale(block.alive(i));
    }
    let share = one / block.count;
    let (centre, drift) = (centre.scale(share), drift.scale(share));
    // Angular momentum and inertia about the centre, unit masses.
    let mut momentum = V3::zero();
    let (mut xx, mut yy, mut zz, mut xy, mut xz, mut yz) = (
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
        T::zero(),
    );
    for i in 0..rows {
        let r = (block.position[i] - centre).scale(block.alive(i));
        momentum = momentum + r.cross(block.velocity[i]);
        xx += r.x * r.x;
        yy += r.y * r.y;
        zz += r.z * r.z;
        xy += r.x * r.y;
        xz += r.x * r.z;
        yz += r.y * r.z;
    }
    // A straight strand has no inertia about itself: the floor makes the
    // matrix regular without changing any turn that moves a vertex.
    let floor = (xx + yy + zz) * T::splat(1e-4) + T::splat(1e-12);
    let (a, b, c) = (yy + zz + floor, xx + zz + floor, xx + yy + floor);
    let (d, e, f) = (-xy, -xz, -yz);
    let (ca, cb, cc) = (b * c - f * f, e * f - d * c, d * f - e * b);
    let inverse = one / (a * ca + d * cb + e * cc);
    let turn = V3 {
        x: (ca * momentum.x + cb * momentum.y + cc * momentum.z) * inverse,
        y: (cb * momentum.x + (a * c - e * e) * momentum.y + (d * e - a * f) * momentum.z)
            * inverse,
        z: (cc * momentum.x + (d * e - a * f) * momentum.y + (a * b - d * d) * momentum.z)
            * inverse,
    };
    let k = T::splat(k);
    for i in PINNED..rows {
        let rigid = drift + turn.cross(block.position[i] - centre);
        block.velocity[i] =
            block.velocity[i] + (rigid - block.velocity[i]).scale(k * block.alive(i));
    }
}

/// Puts strands back that hold a number which is not finite.
#[inline(always)]
fn restore_nonfinite<T: Lane>(block: &mut Block<T>, input: &StepInput) {
    let mut sum = T::zero();
    for i in 0..block.rows {
        let v = block.velocity[i];
        sum += (v.x + v.y + v.z) * T::zero();
    }
    // Zero times anything finite is zero; times infinity or NaN it is NaN.
    for lane in 0..T::LANES {
        if sum.get(lane) != 0.0 {
            block.reset_lane(lane, &input.poses[input.substeps]);
        }
    }
}
