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
            let goal = part.rest_frame().vector(block.rest[i]);
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
            contact::update_planes::<Row, Row>(block, scratch, input, part, i);
        }
        block.position.copy_from_slice(&scratch.before[..rows]);
        let steps = f64::from(self.0.steps);
        let h = input.h / steps;
        let drag = Row::splat(input.drag) * block.inverse_mass + Row::splat(self.0.damping.into());
        let kept = Row::splat(1.0) / (Row::splat(1.0) + drag * Row::splat(h));
        let contact_plane = |i: usize| {
            let near = block.proximity[i].near;
            near.then(|| MovingPlane::new(block, scratch, input, part, i))
        };
        let planes: Vec<_> = (0..rows).map(contact_plane).collect();
        for step in 1..=self.0.steps {
            self.springs(block, scratch, part);
            let remaining = 1.0 - f64::from(step) / steps;
            for (i, plane) in planes.iter().enumerate() {
                if i < block.pinned {
                    // Roots move evenly through the substep, as the skin does.
                    let target = part.rest_frame().vector(block.rest[i]);
                    let displacement = target - scratch.before[i];
                    block.position[i] = target - displacement.scale(Row::splat(remaining));
                    continue;
                }
                let force = scratch.target[i] + scratch.acceleration[i] + V3::splat(input.gravity);
                let velocity = (block.velocity[i] + force.scale(Row::splat(h))).scale(kept);
                let start = block.position[i];
                let mut end = start + velocity.scale(Row::splat(h));
                if let Some(plane) = plane {
                    end = resolve_contact(start, end, plane, h, remaining, input);
                }
                block.velocity[i] = (end - start).scale(Row::splat(1.0 / h));
                block.position[i] = end;
            }
        }
        for i in 0..rows {
            let (start, velocity) = (scratch.before[i], block.velocity[i]);
            attachment::pull(block, i, start, velocity, input.h);
            attachment::pin(block, i);
            contact::record_motion::<Row, Row>(block, input, part, i, start);
        }
    }
}

/// Resolves contact for the vertices of a row that move from `start` to `end` in an inner
/// step of `h` seconds, and returns where they end. `remaining` is the share of the substep
/// that is still to come.
///
/// `plane` is given for the end of the substep and moves there evenly. Were it there from
/// the first inner step on, the skin would hit the hair at many times its own speed; a
/// vertex that lies in the skin leaves it at a limited speed for the same reason.
fn resolve_contact(
    start: V3<Row>,
    end: V3<Row>,
    plane: &MovingPlane<Row>,
    h: f64,
    remaining: f64,
    input: &StepInput,
) -> V3<Row> {
    let normal = plane.normal;
    let carried = plane.carried.scale(Row::splat(h / input.h));
    let offset = plane.offset - normal.dot(plane.carried) * Row::splat(remaining);
    let depth = normal.dot(start + carried) - offset;
    let allowed = contact::recovery(depth, Row::splat(h));
    let push = contact::plane(end, normal, offset - allowed);
    let outside = end + normal.scale(push);
    contact::friction(outside, start, carried, normal, push, input.friction)
}

impl Solver for MassSpring {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        block.take_over(ID);
        scratch.fit(block.rows);
        input.accelerate(block, &mut scratch.acceleration);
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
