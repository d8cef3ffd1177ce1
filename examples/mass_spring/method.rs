//! A method of one's own: an explicit mass-spring strand, the kind that the first
//! hair programs had (Rosenblum, Carlson, Tripp 1991, "Simulating the Structure and
//! Dynamics of Human Hair"). It shows all that a method needs, in one file.
//!
//! A spring along every edge keeps its length, a spring over two edges keeps the
//! curl, and a weak one draws each vertex to where the hairstyle has it. Many small
//! steps of symplectic Euler, for explicit springs blow up in large ones.

use lovelock::{
    math::lanes::{Lane as _, V3},
    param, params,
    sim::{
        SimParams, attachment,
        contact::{self, MovingPlane},
        solver::{
            HeadTravel, Method, Scratch, Solver, StepInput,
            bench_plan::{BenchCase, BenchPlan, QUICK_STEPS, size},
        },
        state::{Block, Row},
        trace::Trace,
    },
};

/// Name of the method, and of its parameters.
pub const ID: &str = "mass";

params! {
    /// Explicit masses and springs.
    pub struct MassParams: "mass" {
        /// How fast an edge's own spring swings.
        stretch: f32 = 3000.0, param::log_float(10.0, 4000.0), "1/s", "Stretch rate";
        /// How fast the spring over two edges swings.
        bend: f32 = 120.0, param::log_float(1.0, 1000.0), "1/s", "Bend rate";
        /// How fast the hairstyle draws a vertex to its place.
        shape: f32 = 6.0, param::log_float(0.0, 100.0), "1/s", "Shape rate";
        /// How fast inner motion dies away.
        damping: f32 = 3.0, param::float(0.0, 50.0), "1/s", "Damping";
        /// Inner steps in each substep.
        steps: u32 = 16u32, param::int(1, 256), "", "Inner steps";
    }
}

/// The row of the table.
pub const METHOD: Method = Method {
    id: ID,
    name: "Mass and springs",
    title: "Mass-spring solver",
    source: "Rosenblum, Carlson, Tripp 1991",
    purpose: "an example",
    about: "Explicit springs along the strand and over two edges: easy to read, and it \
            stretches.",
    material: false,
    rods: false,
    led: true,
    tension: false,
    params: || Box::new(MassParams::default()),
    // One kernel for all processors: the width is of no concern here.
    prepare: |params, _| Box::new(MassSpring(params.of())),
    bare,
    exact: |_| (),
    converge: |_| (),
    variants: &[],
    bench: BenchPlan {
        sizes: &[size(500, 30, 4)],
        cases: &[BenchCase::DEFAULT],
        ..QUICK_STEPS
    },
    status: Method::silent,
};

/// Without what draws to the hairstyle, and without damping.
fn bare(params: &mut SimParams) {
    let own: &mut MassParams = params.of_mut();
    own.shape = 0.0;
    own.damping = 0.0;
}

/// One step of it.
struct MassSpring(MassParams);

impl MassSpring {
    /// Accelerations by the springs, in `scratch.target`, which nothing else needs. `[m/s²]`
    fn springs(&self, block: &Block<Row>, scratch: &mut Scratch<Row>, part: &HeadTravel<Row>) {
        let square = |rate: f32| f64::from(rate).powi(2);
        let shape = Row::splat(square(self.0.shape));
        for i in 0..block.rows {
            let goal = part.seat().vector(block.rest[i]);
            scratch.target[i] = (goal - block.position[i]).scale(shape);
        }
        for (apart, rate) in [(1, self.0.stretch), (2, self.0.bend)] {
            let stiffness = Row::splat(0.5 * square(rate));
            for i in apart..block.rows {
                let length = |places: &[V3<Row>]| {
                    let d = places[i] - places[i - apart];
                    (d, d.dot(d).max(Row::splat(1e-20)).sqrt())
                };
                let ((_, rest), (d, now)) = (length(&block.rest), length(&block.position));
                // Only where there is a strand.
                let pull = d.scale(stiffness * block.alive(i) * (now - rest) / now);
                scratch.target[i] = scratch.target[i] - pull;
                scratch.target[i - apart] = scratch.target[i - apart] + pull;
            }
        }
    }

    fn substep(
        &self,
        block: &mut Block<Row>,
        scratch: &mut Scratch<Row>,
        input: &StepInput,
        part: &HeadTravel<Row>,
    ) {
        let rows = block.rows;
        for i in 0..rows {
            scratch.before[i] = block.position[i] - part.root_moved;
            // Where it would go by itself: what may it meet?
            block.position[i] = scratch.before[i] + block.velocity[i].scale(Row::splat(input.h));
            contact::look(block, scratch, input, part, i);
        }
        block.position.copy_from_slice(&scratch.before[..rows]);
        let steps = f64::from(self.0.steps);
        let h = input.h / steps;
        let drag = Row::splat(input.drag) * block.inverse_mass + Row::splat(self.0.damping.into());
        let kept = Row::splat(1.0) / (Row::splat(1.0) + drag * Row::splat(h));
        for done in 1..=self.0.steps {
            self.springs(block, scratch, part);
            let ahead = 1.0 - f64::from(done) / steps;
            for i in 0..rows {
                if i < block.pinned {
                    let goal = part.seat().vector(block.rest[i]);
                    let way = goal - scratch.before[i];
                    block.position[i] = goal - way.scale(Row::splat(ahead));
                    continue;
                }
                let force = scratch.target[i] + scratch.push[i] + V3::splat(input.gravity);
                let velocity = (block.velocity[i] + force.scale(Row::splat(h))).scale(kept);
                let start = block.position[i];
                let mut place = start + velocity.scale(Row::splat(h));
                if block.proximity[i].near {
                    let skin = MovingPlane::new(block, scratch, input, part, i);
                    place = touch(start, place, &skin, h / input.h, ahead, input);
                }
                block.velocity[i] = (place - start).scale(Row::splat(1.0 / h));
                block.position[i] = place;
            }
        }
        for i in 0..rows {
            let (start, velocity) = (scratch.before[i], block.velocity[i]);
            attachment::pull(block, i, start, velocity, input.h);
            attachment::pin(block, i);
            let moved = block.position[i] - start;
            contact::went(block, input, i, moved.dot(moved).largest().sqrt());
        }
    }
}

/// Where a vertex goes that would go from `start` to `place` in an inner step, which is
/// `share` of the substep and has the share `ahead` still before it. What `skin` goes in
/// the substep, it goes little by little, and lets out what lies in it without haste: all
/// of it within the first inner step would be a blow.
fn touch(
    start: V3<Row>,
    place: V3<Row>,
    skin: &MovingPlane<Row>,
    share: f64,
    ahead: f64,
    input: &StepInput,
) -> V3<Row> {
    let normal = skin.normal;
    let moved = skin.carried.scale(Row::splat(share));
    let offset = skin.offset - normal.dot(skin.carried) * Row::splat(ahead);
    let depth = normal.dot(start + moved) - offset;
    let sunk = contact::recovery(depth, Row::splat(share * input.h));
    let push = contact::plane(place, normal, offset - sunk);
    let out = place + normal.scale(push);
    contact::friction(out, start, moved, normal, push, input.friction)
}

impl Solver for MassSpring {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        block.take_over(ID);
        scratch.fit(block.rows);
        input.accelerate(block, &mut scratch.push);
        for substep in 0..input.substeps {
            let part = HeadTravel::new(block, input, substep);
            self.substep(block, scratch, input, &part);
        }
        block.restore_nonfinite(&input.poses[input.substeps]);
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, _trace: &mut Trace) {
        self.step(block, &mut Scratch::new(), input);
    }

    fn corrections(&self) -> &'static [&'static str] {
        &[]
    }
}
