//! What several tests need: grooms of known shape and the input of a step.
#![allow(dead_code, reason = "each test program uses its own part of this")]

pub mod block;

use glam::Vec3;
use lovelock::{
    groom::Groom,
    sim::{
        SimParams,
        air::WindState,
        contact::{CollisionSurface, Tangent},
        solver::StepInput,
    },
};

/// The default settings, but no rest state carries the hair's weight: every
/// method falls and hangs as its own forces let it.
pub fn falling() -> SimParams {
    let mut params = SimParams::default();
    lovelock::sim::solver::set_sag_free(&mut params, false);
    params
}

/// A groom of the given rest curves, each of ordinary mass.
pub fn groom(strands: &[Vec<Vec3>]) -> Groom {
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    for strand in strands {
        groom.points.extend(strand);
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(1.0);
    }
    groom
}

/// A straight strand.
pub fn straight(root: Vec3, direction: Vec3, length: f32, vertices: usize) -> Vec<Vec3> {
    (0..vertices)
        .map(|i| root + direction * (length * i as f32 / (vertices - 1) as f32))
        .collect()
}

/// A helix that leaves `root` along -y with zero radius.
pub fn helix(root: Vec3, radius: f32, pitch: f32, length: f32, vertices: usize) -> Vec<Vec3> {
    let point = |i: usize| {
        let s = length * i as f32 / (vertices - 1) as f32;
        let r = radius * (s / (0.2 * length)).min(1.0);
        let turn = std::f32::consts::TAU * s / pitch;
        root + Vec3::new(r * turn.cos(), -s, r * turn.sin())
    };
    (0..vertices).map(point).collect()
}

/// A helix of even curvature and torsion that leaves `root` downwards, of that
/// length along the curve.
pub fn coil(root: Vec3, radius: f32, pitch: f32, length: f32, vertices: usize) -> Vec<Vec3> {
    let rise = pitch / std::f32::consts::TAU;
    let point = |i: usize| {
        let s = length * i as f32 / (vertices - 1) as f32;
        let turn = s / radius.hypot(rise);
        let side = Vec3::new(turn.cos() - 1.0, 0.0, turn.sin()) * radius;
        root + side + Vec3::NEG_Y * (rise * turn)
    };
    (0..vertices).map(point).collect()
}

/// One step on a head that rests, as `Simulation` would set it up.
pub fn input<'a>(params: &'a SimParams, skin: Option<&'a dyn CollisionSurface>) -> StepInput<'a> {
    let rest = StepInput::at_rest(params, 0.0);
    let gravity = if params.forces.gravity_on {
        -f64::from(params.forces.gravity)
    } else {
        0.0
    };
    StepInput {
        gravity: [0.0, gravity, 0.0],
        drag: WindState::steady(params, 0.0).isotropic(),
        skin,
        reach: rest.h * rest.h * gravity.abs(),
        margin: f64::from(params.collision.margin),
        friction: f64::from(params.collision.friction),
        restitution: f64::from(params.collision.restitution),
        ..rest
    }
}

/// A floor: the half-space below `height` is solid.
pub struct Floor {
    /// Where it lies. `[m]`
    pub height: f32,
}

impl CollisionSurface for Floor {
    fn tangent(&self, _from: Vec3, to: Vec3) -> Tangent {
        Tangent {
            normal: Vec3::Y,
            offset: self.height,
            distance: to.y - self.height,
        }
    }
    fn distance(&self, p: Vec3) -> f32 {
        p.y - self.height
    }
}

/// A ball about the origin of that radius. `[m]`
pub struct Ball(pub f32);

impl CollisionSurface for Ball {
    fn tangent(&self, _from: Vec3, to: Vec3) -> Tangent {
        Tangent {
            normal: to.normalize_or(Vec3::Y),
            offset: self.0,
            distance: self.distance(to),
        }
    }
    fn distance(&self, p: Vec3) -> f32 {
        p.length() - self.0
    }
}
