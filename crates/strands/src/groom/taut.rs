//! The way that combed hair takes from its root to a tie: a taut thread on the head.

use super::centre_line::length_of;
use crate::{
    math::{elementary::sin, smoothstep},
    mesh::CollisionMesh,
};
use glam::Vec3;

/// Distance that combed hair keeps from the skin. `[m]`
pub(super) const STANDOFF: f32 = 0.003;

/// Points of a strand's way from the root to the tie, before it is given its vertices,
/// and rounds in which the thread is drawn taut.
const FINE: [usize; 2] = [40, 40];

/// The same where only the way's length is wanted.
const ROUGH: [usize; 2] = [14, 12];

/// The head as hair is combed over it.
#[derive(Clone, Copy)]
pub struct CombedHead<'a> {
    /// The head.
    pub body: &'a CollisionMesh,
    /// The middle of all roots. `[m]`
    pub centre: Vec3,
    /// How far they reach from it. `[m]`
    pub reach: f32,
}

impl CombedHead<'_> {
    /// The way from a root to `end`, in the end so high over the skin as `layer` says
    /// besides what hair keeps from it at least. `[m]`
    pub fn way(&self, root: Vec3, end: Vec3, layer: f32) -> Vec<Vec3> {
        self.thread(root, end, layer, FINE)
    }

    /// How long it is, about, where nothing lies below. `[m]`
    pub fn rough_way(&self, root: Vec3, end: Vec3) -> f32 {
        length_of(&self.thread(root, end, 0.0, ROUGH))
    }

    fn thread(&self, root: Vec3, end: Vec3, layer: f32, [count, rounds]: [usize; 2]) -> Vec<Vec3> {
        let last = count - 1;
        let share = |i: usize| i as f32 / last as f32;
        let way = root.distance(end);
        let wanted = |i: usize| {
            let s = share(i) * way;
            (0.6 * s).min(STANDOFF + layer * (s / 0.05).min(1.0))
        };
        // Around the head first, and not through it: over the crown from the face.
        let (from, to) = (root - self.centre, end - self.centre);
        let over = smoothstep(1.5, 2.6, from.angle_between(to));
        let between = from.normalize_or(Vec3::Y) + to.normalize_or(Vec3::Y) + Vec3::Y * over;
        let between = between.normalize_or(Vec3::Y) * (0.5 * (from.length() + to.length()));
        let mut points: Vec<Vec3> = (0..=last)
            .map(|i| match 2.0 * share(i) {
                t if t < 1.0 => self.centre + arc(from, between, t),
                t => self.centre + arc(between, to, t - 1.0),
            })
            .collect();
        points[0] = root;
        points[last] = end;
        for round in 0..rounds {
            let pulled = if round == 0 { 0.0 } else { 0.5 };
            for i in 1..last {
                let straight = 0.5 * (points[i - 1] + points[i + 1]);
                let mut point = points[i].lerp(straight, pulled);
                for _ in 0..if round == 0 { 4 } else { 1 } {
                    let (distance, normal) = self.body.grid.sample_with_normal(point);
                    if distance < wanted(i) {
                        point += normal * (wanted(i) - distance);
                    }
                }
                points[i] = point;
            }
        }
        points
    }
}

/// The point at share `t` of the way from `from` to `to` around the origin.
fn arc(from: Vec3, to: Vec3, t: f32) -> Vec3 {
    let turn = from.angle_between(to).max(1e-3);
    (from * sin((1.0 - t) * turn) + to * sin(t * turn)) / sin(turn).max(1e-3)
}
