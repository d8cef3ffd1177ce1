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
    math::lanes::{Lane, V3},
    sim::{
        collide,
        constraint::{attach, distance, plane, stiffness_per_pass},
        params::PbdParams,
        solver::{Part, Scratch, StepInput, Wind, damping::damp, dispatch::Kernel},
        state::{Block, Grip, Hold, Row},
    },
};

/// How fast a hand would draw a whole strand to its place: critically damped,
/// with this rate. `[1/s]`
const HAND: f64 = 40.0;

/// A hand pulls no harder than so many strands weigh on Earth.
const HAND_LIMIT: f64 = 30.0 * 9.81;

/// Name of the method in files and on the command line.
pub const ID: &str = "pbd";

/// Share of what the stretch limit takes from an outer vertex that the inner
/// one gets back as velocity: s_damping of Müller, Kim, Chentanez 2012, "Fast
/// Simulation of Inextensible Hair and Fur", eq. 9. Without it a limit that is
/// always reached shakes the strand.
const GIVEN_BACK: f64 = 0.9;

/// Sweeps along the strands that run behind one another.
const WAVE: usize = 6;

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
    pub fn advance<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
    ) {
        let end = &input.poses[input.substeps];
        if block.rows <= block.pinned {
            block.reset(end);
            return;
        }
        block.take_over(ID);
        self.measure(block, scratch);
        let wind = input.wind(block);
        if self.damping > 0.0 {
            damp(block, self.damping);
        }
        for substep in 0..input.substeps {
            let part = Substep::new(block, input, substep, &wind);
            self.substep(block, scratch, input, &part);
        }
        block.restore_nonfinite(end);
    }

    /// Prediction, all passes and the velocities of one substep.
    ///
    /// A sweep waits for its own results, vertex after vertex. So up to
    /// [`WAVE`] of them run behind one another, far enough apart never to touch
    /// the same vertex: the processor overlaps them, and the bits are those of
    /// one sweep after the other.
    #[inline(always)]
    fn substep<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        part: &Substep<T>,
    ) {
        let sweeps = self.passes + 2;
        let mut done = 0;
        while done < sweeps {
            let wave = WAVE.min(sweeps - done);
            for front in 0..block.rows + (wave - 1) * WAVE_GAP {
                for behind in 0..wave {
                    let i = front.wrapping_sub(behind * WAVE_GAP);
                    if i >= block.rows {
                        continue;
                    }
                    match done + behind {
                        0 => {
                            part.predict(block, scratch, input, i);
                            collide::look(block, scratch, input, &part.shared, i);
                        }
                        sweep if sweep <= self.passes => self.relax(block, scratch, input, i),
                        _ => self.finish(block, scratch, input, part, i),
                    }
                }
            }
            done += wave;
        }
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

    /// Everything that pulls on vertex `i` from the root's side.
    #[inline(always)]
    fn relax<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        i: usize,
    ) {
        if i < block.pinned {
            return;
        }
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
            if j < block.pinned {
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
        pin(block, i);
    }

    /// Friction, contact and stretch limit of vertex `i`, then its velocity.
    #[inline(always)]
    fn finish<T: Lane>(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        part: &Substep<T>,
        i: usize,
    ) {
        let start = scratch.before[i];
        let alive = block.alive(i);
        let mut p = block.position[i];
        let mut bounce = None;
        if i >= block.pinned {
            let (normal, offset) = (scratch.normal[i], scratch.offset[i]);
            let near = block.watch[i].near;
            if near {
                let carried = part.shared.carried(start) - start;
                p = collide::friction(p, start, carried, normal, scratch.pushed[i], input.friction);
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
            if i > 0 {
                // Strain limiting: the outer vertex comes in along the segment.
                let inner = block.position[i - 1];
                let d = p - inner;
                let longest = scratch.length_squared[i][0] * T::splat(self.limit * self.limit);
                let share = longest / d.dot(d).max(longest).max(T::splat(1e-16));
                let mut kept = inner + d.scale(share.sqrt());
                if near {
                    kept = on_skin(inner, kept, longest, normal, offset);
                }
                let given_back = T::splat(GIVEN_BACK / input.h) * alive;
                block.velocity[i - 1] = block.velocity[i - 1] + (p - kept).scale(given_back);
                p = kept;
            }
        }
        block.position[i] = p;
        pin(block, i);
        let moved = block.position[i] - start;
        block.velocity[i] = moved.scale(T::splat(1.0 / input.h) * alive);
        if let Some(bounce) = bounce {
            block.velocity[i] = block.velocity[i] + bounce;
        }
        let watch = &mut block.watch[i];
        watch.last = moved.dot(moved).largest().sqrt();
        watch.travel += watch.last + input.head_travel;
    }
}

impl Kernel for Pbd {
    #[inline(always)]
    fn step<T: Lane + 'static>(
        &self,
        block: &mut Block<Row>,
        scratch: &mut Scratch<Row>,
        input: &StepInput,
    ) {
        self.advance(block, scratch, input);
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

/// Where a grip wants its vertex, from the strand's root. `[m]`
fn target<T: Lane>(block: &Block<T>, grip: &Grip) -> [f64; 3] {
    let root = block.root.get(grip.lane);
    let target = grip.target.to_array().map(f64::from);
    [0, 1, 2].map(|axis| target[axis] - root[axis])
}

/// Puts the vertices of row `i` that are pinned onto their targets.
#[inline(always)]
fn pin<T: Lane>(block: &mut Block<T>, i: usize) {
    for index in 0..block.grips.len() {
        let grip = block.grips[index];
        if grip.row == i && grip.hold == Hold::Pin {
            let target = target(block, &grip);
            block.position[i].set(grip.lane, target);
        }
    }
}

/// Where a hand draws a vertex within `h`: one implicit step of a critically
/// damped spring, `v' = (v + h w^2 (target - x)) / (1 + h w)^2`. The vertex
/// alone bears what the hand does to the strand, so `w^2` grows with their number.
fn drawn<T: Lane>(block: &Block<T>, grip: &Grip, start: V3<T>, speed: V3<T>, h: f64) -> [f64; 3] {
    let count = block.count.get(grip.lane);
    let (start, speed) = (start.get(grip.lane), speed.get(grip.lane));
    let target = target(block, grip);
    let pull = [0, 1, 2].map(|axis| HAND * HAND * count * (target[axis] - start[axis]));
    let strength = pull.iter().map(|p| p * p).sum::<f64>().sqrt();
    let share = (HAND_LIMIT * count / strength.max(1e-12)).min(1.0);
    let slow = (1.0 + h * HAND * count.sqrt()).powi(2);
    [0, 1, 2].map(|axis| start[axis] + h * (speed[axis] + h * share * pull[axis]) / slow)
}

/// What all vertices share in one substep.
struct Substep<T> {
    shared: Part<T>,
    /// Share of the velocity that drag leaves, and what forces add to it.
    damped: T,
    gain: V3<T>,
}

impl<T: Lane> Substep<T> {
    #[inline(always)]
    fn new(block: &mut Block<T>, input: &StepInput, substep: usize, wind: &Wind<T>) -> Self {
        // Drag implicitly, so that no strength of it can overshoot.
        let drag = T::splat(input.drag * input.h) * block.inverse_mass;
        let damped = T::splat(1.0) / (T::splat(1.0) + drag);
        let air = wind.at(substep, input.substeps).scale(drag);
        Self {
            shared: Part::new(block, input, substep),
            damped,
            gain: (V3::splat(input.gravity).scale(T::splat(input.h)) + air).scale(damped),
        }
    }

    /// Vertex `i` where it would be if nothing held it; pinned ones with the head.
    #[inline(always)]
    fn predict(&self, block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput, i: usize) {
        scratch.before[i] = block.position[i] - self.shared.root_moved;
        if !input.still {
            scratch.target[i] = self.shared.now.vector(block.rest[i]);
        }
        if i < block.pinned {
            block.position[i] = if input.still {
                block.rest[i]
            } else {
                scratch.target[i]
            };
        } else {
            let velocity = block.velocity[i].scale(self.damped) + self.gain;
            if input.restitution > 0.0 {
                block.velocity[i] = velocity;
            }
            block.position[i] = scratch.before[i] + velocity.scale(T::splat(input.h));
            for index in 0..block.grips.len() {
                let grip = block.grips[index];
                if grip.row == i && grip.hold == Hold::Hand {
                    let (start, speed) = (scratch.before[i], velocity);
                    let drawn = drawn(block, &grip, start, speed, input.h);
                    block.position[i].set(grip.lane, drawn);
                }
            }
        }
    }
}
