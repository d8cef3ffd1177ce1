//! Position Based Dynamics the plain way, to compare with.

use crate::{
    groom::Groom,
    sim::{CollisionMode, MotionPreset, SimParams, state::PINNED},
};
use glam::Vec3;

/// Passes over all constraints in a substep.
pub(super) const ITERATIONS: u32 = 10;
/// How strongly segments keep their length, and curls their bend.
const STRETCH_STIFFNESS: f32 = 1.0;
const BEND_STIFFNESS: f32 = 0.3;
/// How strongly the hairstyle pulls each vertex to its place.
const SHAPE_STIFFNESS: f32 = 0.0032;

/// What acts on the textbook's strands beside their constraints: gravity and the
/// drag of still air.
pub(super) fn params() -> SimParams {
    let mut params = SimParams::default();
    params.collision.mode = CollisionMode::Off;
    params.motion.preset = MotionPreset::None;
    params.volume.on = false;
    params
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
pub(super) struct Textbook {
    strands: Vec<TextbookStrand>,
}

impl Textbook {
    pub fn new(groom: &Groom) -> Self {
        let strand = |index: usize| {
            let rest = groom.strand(index).to_vec();
            let particle = |(i, p): (usize, &Vec3)| Particle {
                position: *p,
                before: *p,
                velocity: Vec3::ZERO,
                inverse_mass: if i < PINNED { 0.0 } else { 1.0 },
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

    pub fn substep(&mut self, h: f32, params: &SimParams) {
        let per_pass = |k: f32| 1.0 - (1.0 - k).powf(1.0 / ITERATIONS as f32);
        let (stretch, bend) = (per_pass(STRETCH_STIFFNESS), per_pass(BEND_STIFFNESS));
        let shape = per_pass(SHAPE_STIFFNESS);
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
            for _ in 0..ITERATIONS {
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

    pub fn max_stretch(&self) -> f64 {
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
