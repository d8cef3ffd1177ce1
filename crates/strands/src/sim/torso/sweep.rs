//! How far a turning torso comes towards a vertex.

use crate::{
    math::lanes::{Lane, V3},
    sim::solver::HeadTravel,
};
use glam::Vec3;

/// How the torso turns in each substep of a step, as the head sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsoTurn {
    /// What it turns about. `[m]`
    pub pivot: Vec3,
    /// Axis times angle. `[rad]`
    pub turn: Vec3,
}

/// The same in the world, seen from roots.
#[derive(Clone, Copy, Debug)]
pub struct TorsoSweep<T> {
    turn: V3<T>,
    /// From the pivot to each root. `[m]`
    arm: V3<T>,
}

impl<T: Lane> TorsoSweep<T> {
    /// Of strands that are rooted at `root`, in the head's space. `[m]`
    #[inline(always)]
    pub fn new(torso: &TorsoTurn, head: &HeadTravel<T>, root: V3<T>) -> Self {
        let wide = |v: Vec3| v.to_array().map(f64::from);
        Self {
            turn: head.now.vector(V3::splat(wide(torso.turn))),
            arm: head.now.vector(root - V3::splat(wide(torso.pivot))),
        }
    }

    /// By how much a vertex at `x`, from its root, may come nearer to the torso in a
    /// substep because that turns: no more than if the torso stayed and the vertex
    /// went round with its distance from the axis. `[m]`
    #[inline(always)]
    pub fn nearer(&self, x: V3<T>) -> T {
        let way = self.turn.cross(x + self.arm);
        way.dot(way).sqrt()
    }
}
