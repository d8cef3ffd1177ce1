//! What a step costs, beside a textbook implementation in the same run.
//!
//! Machines are shared and noisy: compare ratios within one run, and trust the
//! smallest of several times.

use super::{CollisionMode, MotionPreset, SimParams, Simulation};
use crate::{
    groom::{Groom, GroomParams, grow},
    mesh::{Body, HeadParams, MeshError, RootParams, Sequence, load, scatter},
};
use glam::Vec3;
use std::{sync::Arc, time::Instant};

/// One measurement.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// Method; `textbook` for the array-of-structs comparison.
    pub solver: String,
    /// Number of strands.
    pub strands: usize,
    /// Vertices of each strand.
    pub vertices: usize,
    /// Substeps a step.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Threads used.
    pub threads: usize,
    /// Wall-clock time for each vertex and substep, best of several steps. `[ns]`
    pub ns_per_vertex_substep: f64,
    /// How many times as fast as the textbook at this size, wall clock.
    pub ratio_to_textbook: f64,
    /// Simulated time over wall-clock time at 60 steps a second, median step.
    pub real_time_factor: f64,
    /// Largest relative lengthening of any segment at the end.
    pub max_stretch: f64,
    /// Peak memory of the process while this row ran; 0 where the system does
    /// not tell. `[bytes]`
    pub peak_bytes: u64,
}

/// A particle as textbooks write it.
struct Particle {
    position: Vec3,
    before: Vec3,
    velocity: Vec3,
    inverse_mass: f32,
}

/// A strand as textbooks write it: everything on the heap, one struct a
/// particle.
struct TextbookStrand {
    particles: Vec<Particle>,
    rest: Vec<Vec3>,
    lengths: Vec<f32>,
    bends: Vec<f32>,
}

/// Position Based Dynamics the plain way: Müller et al. 2007 with distance,
/// bending and position constraints, one strand after the other.
struct Textbook {
    strands: Vec<TextbookStrand>,
}

impl Textbook {
    fn new(groom: &Groom) -> Self {
        let strand = |index: usize| {
            let rest = groom.strand(index).to_vec();
            let particle = |(i, p): (usize, &Vec3)| Particle {
                position: *p,
                before: *p,
                velocity: Vec3::ZERO,
                inverse_mass: if i < super::state::PINNED { 0.0 } else { 1.0 },
            };
            TextbookStrand {
                particles: rest.iter().enumerate().map(particle).collect(),
                lengths: rest.windows(2).map(|w| w[0].distance(w[1])).collect(),
                bends: rest.windows(3).map(|w| w[0].distance(w[2])).collect(),
                rest,
            }
        };
        Self {
            strands: (0..groom.strands()).map(strand).collect(),
        }
    }

    fn substep(&mut self, h: f32, iterations: u32, params: &SimParams) {
        let per_pass = |k: f32| 1.0 - (1.0 - k).powf(1.0 / iterations as f32);
        let (stretch, bend) = (
            per_pass(params.pbd.stretch_stiffness),
            per_pass(params.pbd.bend_stiffness),
        );
        let shape = per_pass(params.pbd.shape_stiffness);
        let gravity = Vec3::new(0.0, -params.forces.gravity, 0.0);
        let damping = 1.0 / (1.0 + h * params.forces.drag);
        for strand in &mut self.strands {
            for p in &mut strand.particles {
                p.before = p.position;
                if p.inverse_mass > 0.0 {
                    p.velocity = (p.velocity + gravity * h) * damping;
                    p.position += p.velocity * h;
                }
            }
            for _ in 0..iterations {
                for (i, length) in strand.lengths.iter().enumerate() {
                    project(&mut strand.particles, i, i + 1, *length, stretch);
                }
                for (i, length) in strand.bends.iter().enumerate() {
                    project(&mut strand.particles, i, i + 2, *length, bend);
                }
                for (p, rest) in strand.particles.iter_mut().zip(&strand.rest) {
                    if p.inverse_mass > 0.0 {
                        p.position += (*rest - p.position) * shape;
                    }
                }
            }
            for p in &mut strand.particles {
                p.velocity = (p.position - p.before) / h;
            }
        }
    }

    fn max_stretch(&self) -> f64 {
        let strand = |s: &TextbookStrand| {
            s.particles
                .windows(2)
                .zip(&s.lengths)
                .map(|(w, l)| w[0].position.distance(w[1].position) / l - 1.0)
                .fold(0.0f32, f32::max)
        };
        f64::from(self.strands.iter().map(strand).fold(0.0, f32::max))
    }
}

fn project(particles: &mut [Particle], a: usize, b: usize, length: f32, stiffness: f32) {
    let weight = particles[a].inverse_mass + particles[b].inverse_mass;
    if weight == 0.0 {
        return;
    }
    let d = particles[b].position - particles[a].position;
    let now = d.length();
    let correction = d * (stiffness * (now - length) / (now * weight));
    let (wa, wb) = (particles[a].inverse_mass, particles[b].inverse_mass);
    particles[a].position += correction * wa;
    particles[b].position -= correction * wb;
}

/// Runs the whole bench; `report` sees each row as it is measured.
///
/// # Errors
/// When the built-in head cannot be read.
pub fn run(
    quick: bool,
    threads: &[usize],
    report: &mut dyn FnMut(&Row),
) -> Result<Vec<Row>, MeshError> {
    let mut rows = Vec::new();
    let head = load(&HeadParams::default())?;
    let body = Arc::new(Body::new(head.mesh, 0.004));
    let sizes: &[(usize, usize)] = if quick {
        &[(500, 30), (5_000, 32)]
    } else {
        &[(500, 30), (5_000, 32), (100_000, 32)]
    };
    for &(strands, vertices) in sizes {
        let roots = RootParams {
            strands: strands as u32,
            sequence: Sequence::Halton,
            ..RootParams::default()
        };
        let roots = scatter::roots(&body.mesh, &roots)?;
        let groom = GroomParams {
            vertices: vertices as u32,
            ..GroomParams::default()
        };
        let groom = Arc::new(grow::grow(&roots, &groom, 1, &body));
        // The same constraints and forces as the textbook's.
        let mut plain = SimParams::default();
        plain.pbd.iterations = 10;
        plain.pbd.twist_stiffness = 0.0;
        plain.pbd.damping = 0.0;
        plain.collision.mode = CollisionMode::Off;
        plain.motion.preset = MotionPreset::None;
        let textbook = textbook_row(&groom, vertices, &plain);
        let base = textbook.ns_per_vertex_substep;
        push(&mut rows, textbook, report);
        for &count in threads {
            let row = lovelock_row(
                "10 iterations, the textbook's constraints",
                &groom,
                &body,
                vertices,
                &plain,
                count,
                base,
            );
            push(&mut rows, row, report);
        }
        let mut full = SimParams::default();
        full.pbd.iterations = 10;
        full.collision.mode = CollisionMode::Grid;
        let live = SimParams {
            pbd: super::PbdParams::default(),
            ..full.clone()
        };
        let mut windy = live.clone();
        windy.wind.on = true;
        for (name, params) in [
            ("10 iterations, contact", &full),
            ("default settings", &live),
            ("default settings, wind", &windy),
        ] {
            for &count in threads {
                push(
                    &mut rows,
                    lovelock_row(name, &groom, &body, vertices, params, count, base),
                    report,
                );
            }
        }
    }
    Ok(rows)
}

fn push(rows: &mut Vec<Row>, row: Row, report: &mut dyn FnMut(&Row)) {
    report(&row);
    rows.push(row);
}

fn textbook_row(groom: &Groom, vertices: usize, params: &SimParams) -> Row {
    reset_peak();
    let mut textbook = Textbook::new(groom);
    let (substeps, h) = (
        params.step.substeps,
        1.0 / (params.step.rate * params.step.substeps) as f32,
    );
    let steps = repeats(groom.points.len(), 4_000_000);
    let mut times = Vec::new();
    for _ in 0..steps {
        let begun = Instant::now();
        for _ in 0..substeps {
            textbook.substep(h, params.pbd.iterations, params);
        }
        times.push(begun.elapsed().as_secs_f64());
    }
    let (best, median) = best_and_median(times);
    Row {
        name: "textbook: one struct a particle".into(),
        solver: "textbook".into(),
        strands: groom.strands(),
        vertices,
        substeps,
        iterations: params.pbd.iterations,
        threads: 1,
        ns_per_vertex_substep: best * 1e9 / (groom.points.len() as f64 * f64::from(substeps)),
        ratio_to_textbook: 1.0,
        real_time_factor: 1.0 / (f64::from(params.step.rate) * median),
        max_stretch: textbook.max_stretch(),
        peak_bytes: peak_bytes(),
    }
}

fn lovelock_row(
    name: &str,
    groom: &Arc<Groom>,
    body: &Arc<Body>,
    vertices: usize,
    params: &SimParams,
    threads: usize,
    base: f64,
) -> Row {
    reset_peak();
    let mut times = Vec::new();
    let mut simulation = Simulation::new(groom.clone(), body.clone(), params);
    let steps = repeats(groom.points.len(), 40_000_000);
    let mut work = || {
        for _ in 0..steps {
            let begun = Instant::now();
            simulation.step(params);
            times.push(begun.elapsed().as_secs_f64());
        }
        simulation.statistics(params)
    };
    // Where no pool can be made, the caller's threads do.
    let statistics = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    let (best, median) = best_and_median(times);
    let ns = best * 1e9 / (groom.points.len() as f64 * f64::from(params.step.substeps));
    Row {
        name: name.into(),
        solver: params.step.solver.clone(),
        strands: groom.strands(),
        vertices,
        substeps: params.step.substeps,
        iterations: params.pbd.iterations,
        threads,
        ns_per_vertex_substep: ns,
        ratio_to_textbook: base / ns,
        real_time_factor: 1.0 / (f64::from(params.step.rate) * median),
        max_stretch: f64::from(statistics.max_stretch),
        peak_bytes: peak_bytes(),
    }
}

/// Steps worth taking: enough to settle and to find a quiet moment.
fn repeats(points: usize, work: usize) -> usize {
    (work / points.max(1)).clamp(3, 240)
}

fn best_and_median(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

/// Starts a new peak-memory reading where the system offers one.
fn reset_peak() {
    // Linux only; elsewhere the reading is 0 anyhow.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Peak memory since [`reset_peak`]. `[bytes]`
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line
        .and_then(|line| line.split_whitespace().next())
        .and_then(|n| n.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
