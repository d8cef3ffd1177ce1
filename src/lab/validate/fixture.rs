//! Strands set up for a test: one block, driven as the product drives it.

use super::theory::GRAVITY;
use crate::{
    groom::Groom,
    lab::hair::{DENSITY, DIAMETER, LINE_DENSITY},
    math::Pose,
    sim::{
        MaterialParams, MotionPreset, SimParams,
        contact::CollisionSurface,
        method_params::MethodParams,
        solver::{Method, Scratch, Solver, StepInput, method::Variant},
        state::{self, Block, LANES},
    },
};
use glam::{DVec3, Vec3};
use std::{
    f64::consts::PI,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Segments of a strand where a test says nothing else.
pub const SEGMENTS: usize = 64;

/// What all strands of one test share.
pub struct Harness<'a> {
    /// The method that is validated.
    pub method: &'static Method,
    /// How it is to run, if not as by default.
    pub variant: Option<&'static Variant>,
    /// Whether to shorten what takes longest.
    pub quick: bool,
    /// Set when nobody waits any more.
    pub cancel: &'a AtomicBool,
    /// The largest stretch seen, as bits.
    pub stretch: AtomicU64,
    /// Whether any strand has moved.
    pub moved: AtomicBool,
}

impl Harness<'_> {
    /// The largest share by which any segment was longer or shorter than at rest, not a
    /// number where a strand was put back; none where no strand has moved.
    pub fn largest_stretch(&self) -> Option<f64> {
        let moved = self.moved.load(Ordering::Relaxed);
        moved.then(|| f64::from_bits(self.stretch.load(Ordering::Relaxed)))
    }

    /// Keeps the largest `stretch`.
    pub fn saw_stretch(&self, stretch: f64) {
        self.moved.store(true, Ordering::Relaxed);
        // Bits of positive numbers, infinity and NaN too, rise as they do.
        self.stretch
            .fetch_max(stretch.abs().to_bits(), Ordering::Relaxed);
    }

    /// The settings of the live window, with nothing acting but gravity, on
    /// strands of `fibre`: sixty steps a second, and what [`Method::exact`] and
    /// [`Method::bare`] change of the method.
    pub fn live(&self, fibre: &Fibre) -> SimParams {
        let mut params = SimParams::default();
        params.step.solver = self.method.id.into();
        params.step.rate = 60;
        params.motion.preset = MotionPreset::None;
        params.volume.on = false;
        // Theory knows no direction of drag.
        params.forces.drag_along = 1.0;
        params.forces.drag = 0.0;
        params.collision.margin = 0.0;
        // A pull to the hairstyle is no property of a strand, and damping is
        // what a test asks for.
        (self.method.exact)(&mut params);
        (self.method.bare)(&mut params);
        self.vary(&mut params);
        fibre.apply(&mut params);
        params
    }

    fn vary(&self, params: &mut SimParams) {
        if let Some(variant) = self.variant {
            (variant.set)(params);
        }
    }

    /// The same, with all that the product does to hold its hairstyle and to calm
    /// it, and its hair.
    pub fn product(&self) -> SimParams {
        let mut params = self.live(&Fibre::hair());
        params.methods = MethodParams::default();
        self.vary(&mut params);
        params.step.substep_ms = SimParams::default().step.substep_ms;
        params.material = MaterialParams::default();
        params
    }
}

/// What a strand is made of.
#[derive(Clone, Copy, Debug)]
pub struct Fibre {
    /// Resistance to bending. `[N m²]`
    pub bending: f64,
    /// Resistance to twisting. `[N m²]`
    pub twisting: f64,
}

impl Fibre {
    /// Mass of a metre of hair. `[kg/m]`
    pub const DENSITY: f64 = LINE_DENSITY;

    /// Ordinary hair, 80 um thick: Young's modulus 3.9 GPa, shear 0.89 GPa.
    pub fn hair() -> Self {
        let fourth = DIAMETER.powi(4);
        Self {
            bending: 3.9e9 * PI * fourth / 64.0,
            twisting: 0.89e9 * PI * fourth / 32.0,
        }
    }

    /// As heavy, but so many times as stiff.
    pub fn times(self, factor: f64) -> Self {
        Self {
            bending: self.bending * factor,
            twisting: self.twisting * factor,
        }
    }

    /// The length at which weight times length squared over bending stiffness
    /// is `gamma`. `[m]`
    pub fn length(&self, gamma: f64) -> f64 {
        (gamma * self.bending / (Self::DENSITY * GRAVITY)).cbrt()
    }

    fn apply(&self, params: &mut SimParams) {
        let fourth = PI * DIAMETER.powi(4);
        params.material.diameter = (1e6 * DIAMETER) as f32;
        params.material.density = DENSITY as f32;
        params.material.ellipticity = 1.0;
        params.material.young = (1e-9 * 64.0 * self.bending / fourth) as f32;
        params.material.shear = (1e-9 * 32.0 * self.twisting / fourth) as f32;
    }
}

/// A curve in the plane z = 0 that leaves the origin at `angle` below the
/// horizon and turns with this curvature. The first segment lies as the curve
/// does in its middle. `[m]`, `[1/m]`
pub fn arc(length: f64, angle: f64, curvature: f64, segments: usize) -> Vec<DVec3> {
    let l = length / segments as f64;
    let mut p = DVec3::ZERO;
    let mut points = vec![p];
    for j in 0..segments {
        let a = angle - curvature * l * (j as f64 + 0.5);
        p += DVec3::new(a.cos(), -a.sin(), 0.0) * l;
        points.push(p);
    }
    points
}

/// A helix of that path length around the axis -y, from the origin. `[m]`
pub fn helix(length: f64, radius: f64, pitch: f64, segments: usize) -> Vec<DVec3> {
    let p = pitch / (2.0 * PI);
    let turn = 1.0 / (radius * radius + p * p).sqrt();
    let point = |i: usize| {
        let t = length * i as f64 / segments as f64 * turn;
        DVec3::new(radius * (t.cos() - 1.0), -p * t, radius * t.sin())
    };
    (0..=segments).map(point).collect()
}

/// Up to [`LANES`] strands in one block.
pub struct StrandFixture<'a> {
    harness: &'a Harness<'a>,
    solver: Box<dyn Solver>,
    scratch: Scratch<state::Row>,
    params: SimParams,
    rest_lengths: Vec<Vec<f64>>,
    time: f64,
    /// The strands.
    pub block: Block<state::Row>,
    /// What they touch.
    pub skin: Option<&'a dyn CollisionSurface>,
    /// Where the head, which carries that, is at a time; none where it rests. `[m]`
    pub head: Option<&'a (dyn Fn(f64) -> DVec3 + Sync)>,
    /// `[m/s²]`
    pub gravity: DVec3,
    /// Air drag. `[1/s]`
    pub drag: f64,
    /// Rubbing in the lock. `[1/s]`
    pub rub: f64,
    /// Coulomb friction.
    pub friction: f64,
}

impl<'a> StrandFixture<'a> {
    /// Strands with these rest curves, at rest.
    pub fn new(harness: &'a Harness, params: SimParams, strands: &[Vec<DVec3>]) -> Self {
        debug_assert!(strands.len() <= LANES);
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for strand in strands {
            groom.points.extend(strand.iter().map(|p| p.as_vec3()));
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        let block = Block::new(&groom, 0, strands.len(), &Pose::IDENTITY);
        let lengths = |lane: usize| {
            let p = |i: usize| DVec3::from(block.rest[i].get(lane));
            (1..block.counts[lane])
                .map(|i| p(i).distance(p(i - 1)))
                .collect()
        };
        Self {
            solver: harness.method.solver(&params),
            scratch: Scratch::new(),
            rest_lengths: (0..strands.len()).map(lengths).collect(),
            time: 0.0,
            skin: None,
            head: None,
            gravity: DVec3::new(0.0, -GRAVITY, 0.0),
            drag: 0.0,
            rub: 0.0,
            friction: f64::from(params.collision.friction),
            harness,
            params,
            block,
        }
    }

    /// The same, with all that the product does to hold its hairstyle.
    pub fn holding(harness: &'a Harness, strands: &[Vec<DVec3>]) -> Self {
        Self::new(harness, harness.product(), strands)
    }

    /// Tensions before and behind the part of strand 0 that touches something,
    /// and the angle between the two directions; none where nothing is touched,
    /// or where the method knows no tension.
    pub fn tensions(&self) -> Option<([f64; 2], f64)> {
        let forces = self.solver.forces(&self.block, 0)?;
        let touches = |i: &usize| forces.contact[*i] > 0.0;
        let count = self.block.counts[0];
        let first = (1..count - 1).find(touches)?;
        let last = (1..count - 1).rev().find(touches)?;
        let way = |i: usize| (self.block.point(i + 1, 0) - self.block.point(i, 0)).normalize();
        let force = |edge: usize| Fibre::DENSITY * forces.tension[edge];
        let angle = way(first - 1).angle_between(way(last));
        Some(([force(first - 1), force(last)], angle))
    }

    /// Energy stored in bending and twisting; none where the method has no such
    /// thing, or has not stepped yet. `[J]`
    pub fn elastic_energy(&self, lane: usize) -> Option<f64> {
        let figures = self.solver.figures(&self.block, &Pose::IDENTITY);
        figures
            .elastic
            .get(lane)
            .map(|energy| Fibre::DENSITY * energy)
    }

    /// Length of a step. `[s]`
    pub fn dt(&self) -> f64 {
        1.0 / f64::from(self.params.step.rate)
    }

    /// Simulated time. `[s]`
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Gives the strand in `lane` a velocity that depends on the vertex. `[m/s]`
    pub fn kick(&mut self, lane: usize, velocity: impl Fn(usize, DVec3) -> DVec3) {
        for i in 0..self.block.counts[lane] {
            let v = velocity(i, self.block.point(i, lane));
            self.block.velocity[i].set(lane, v.to_array());
        }
    }

    /// One step.
    pub fn step(&mut self) {
        let substeps = self.params.step.substeps() as usize;
        let h = self.dt() / substeps as f64;
        let pose = |substep: usize| match self.head {
            Some(place) => Pose {
                translation: place(self.time + h * substep as f64).as_vec3(),
                ..Pose::IDENTITY
            },
            None => Pose::IDENTITY,
        };
        let poses: Vec<Pose> = (0..=substeps).map(pose).collect();
        let travel = |pair: &[Pose]| pair[0].translation.distance(pair[1].translation);
        let head_travel = poses.windows(2).map(travel).fold(0.0, f32::max);
        let input = StepInput {
            poses,
            still: self.head.is_none(),
            head_travel: f64::from(head_travel),
            gravity: self.gravity.to_array(),
            drag: self.drag,
            rub: self.rub,
            skin: self.skin,
            reach: h * h * self.gravity.length(),
            friction: self.friction,
            ..StepInput::at_rest(&self.params, self.time)
        };
        self.solver.step(&mut self.block, &mut self.scratch, &input);
        self.time += self.dt();
        self.harness
            .saw_stretch(seen(self.stretch(), self.block.resets));
    }

    /// So many seconds of steps; `each` follows every step. Ends early when
    /// nobody waits any more.
    pub fn run(&mut self, seconds: f64, mut each: impl FnMut(&mut Self)) {
        let steps = (seconds / self.dt()).round() as u64;
        for step in 0..steps {
            if step.is_multiple_of(32) && self.harness.cancel.load(Ordering::Relaxed) {
                return;
            }
            self.step();
            each(self);
        }
    }

    /// Where the vertices of a strand are. `[m]`
    pub fn points(&self, lane: usize) -> Vec<DVec3> {
        (0..self.block.counts[lane])
            .map(|i| self.block.point(i, lane))
            .collect()
    }

    /// Where the tip of a strand is. `[m]`
    pub fn tip(&self, lane: usize) -> DVec3 {
        self.block.point(self.block.counts[lane] - 1, lane)
    }

    /// How fast vertex `i` moves. `[m/s]`
    pub fn velocity(&self, i: usize, lane: usize) -> DVec3 {
        DVec3::from(self.block.velocity[i].get(lane))
    }

    /// Mass of vertex `i`: of half the segments it ends. `[kg]`
    pub fn mass(&self, i: usize, lane: usize) -> f64 {
        let lengths = &self.rest_lengths[lane];
        let before = i.checked_sub(1).map_or(0.0, |i| lengths[i]);
        let after = lengths.get(i).copied().unwrap_or(0.0);
        0.5 * Fibre::DENSITY * (before + after)
    }

    /// Kinetic energy and energy of height. `[J]`
    pub fn mechanical_energy(&self, lane: usize) -> f64 {
        (0..self.block.counts[lane])
            .map(|i| {
                let (v, p) = (self.velocity(i, lane), self.block.point(i, lane));
                self.mass(i, lane) * (0.5 * v.length_squared() - self.gravity.dot(p))
            })
            .sum()
    }

    /// Largest share by which any segment is longer or shorter than at rest.
    fn stretch(&self) -> f64 {
        let strand = |(lane, lengths): (usize, &Vec<f64>)| {
            let p = |i: usize| DVec3::from(self.block.position[i].get(lane));
            let share = |(i, l): (usize, &f64)| (p(i + 1).distance(p(i)) / l - 1.0).abs();
            // NaN is larger than anything.
            lengths.iter().enumerate().map(share).fold(0.0, worse)
        };
        self.rest_lengths
            .iter()
            .enumerate()
            .map(strand)
            .fold(0.0, worse)
    }
}

/// A stretch as the bench counts it: none is small where a strand blew up and was put back.
pub fn seen(stretch: f64, resets: u64) -> f64 {
    if resets > 0 { f64::NAN } else { stretch }
}

/// The larger; not a number is larger than anything.
pub fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// Where and when a curve through zero crosses it upwards; the periods between.
#[derive(Default)]
pub struct Crossings {
    last: Option<(f64, f64)>,
    times: Vec<f64>,
}

impl Crossings {
    /// The value at a time.
    pub fn add(&mut self, time: f64, value: f64) {
        if let Some((before, old)) = self.last
            && old < 0.0
            && value >= 0.0
        {
            self.times
                .push(before + (time - before) * old / (old - value));
        }
        self.last = Some((time, value));
    }

    /// The mean time between crossings. `[s]`
    pub fn period(&self) -> f64 {
        match self.times.as_slice() {
            [first, .., last] => (last - first) / (self.times.len() - 1) as f64,
            _ => f64::NAN,
        }
    }
}

/// A point as the product's grips take it.
pub fn place(p: DVec3) -> Vec3 {
    p.as_vec3()
}
