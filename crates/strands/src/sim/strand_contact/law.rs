//! The law of contact between two edges: where they meet, and how stiff that is.

use super::{
    edge::{EdgeForce, EdgePair},
    segment::closest_of,
};
use glam::Vec3;

/// Least stiffness along the normal and of sticking, in masses over h².
const STIFFNESS: [f32; 2] = [20.0, 10.0];

/// No contact is stiffer than so many times the least and that.
const STIFFEST: f32 = 10.0;

/// Depth and creep at which a load is carried. `[m]`
const DEPTH: f32 = 1e-4;
const CREEP: f32 = 2e-4;

/// How fast what overlaps when a substep begins is pushed apart: faster, and it
/// would be flung apart. `[m/s]`
const RECOVERY: f32 = 0.1;

/// How far beyond its end an edge still has a contact, in its length: less, and
/// where two edges of a bent strand join there would be none.
const BEYOND: f32 = 0.15;

/// A gap wider than this share of the distance to be kept is no contact yet.
const OPEN: f32 = 0.1;

/// A gap wider than this will not close by what other contacts do in the substep. `[m]`
const NEAR: f32 = 1e-3;

/// What one side of a pair meets in a round, for a strand of ordinary linear
/// density: a plane half-way between both edges, with a spring along its normal
/// and friction across.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgePlane {
    /// Where on the edge, as a share of it from its inner end.
    pub at: f32,
    /// From the other strand to this one.
    pub normal: Vec3,
    /// How far along the normal, in the world, the point must be. `[m]`
    pub offset: f32,
    /// Stiffness along the normal; nothing where the edges do not touch. `[m/s²]`
    pub stiff: f32,
    /// Stiffness of sticking. `[m/s²]`
    pub hold: f32,
    /// Friction holds no more than this. `[m²/s²]`
    pub load: f32,
    /// How far the plane moves in the substep. `[m]`
    pub drift: Vec3,
    /// The forces of the last substep.
    pub before: EdgeForce,
}

/// An edge in a substep: where its ends were, and how far they move. `[m]`
#[derive(Clone, Copy, Debug)]
pub struct EdgeMotion {
    /// When the substep began.
    pub start: [Vec3; 2],
    /// Since then, as far as is known.
    pub moved: [Vec3; 2],
}

impl EdgeMotion {
    #[inline(always)]
    fn at(ends: [Vec3; 2], share: f32) -> Vec3 {
        ends[0] + (ends[1] - ends[0]) * share
    }
}

/// What is known of the forces of a pair before it is solved.
#[derive(Clone, Copy, Debug)]
pub struct ContactForces {
    /// Normal force as known now. `[m²/s²]`
    pub load: f32,
    /// The most that the contact has carried lately. `[m²/s²]`
    pub held: f32,
    /// What it did in the last substep.
    pub before: EdgeForce,
}

/// What every pair shares in a substep.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Coulomb friction.
    pub friction: f32,
    /// Length of the substep. `[s]`
    pub h: f32,
}

impl ContactLaw {
    /// The force of a pair on its side `side`: what both sides have felt should be
    /// one force and its opposite, and the side that gives way more knows it better.
    #[inline(always)]
    pub fn agreed(&self, forces: &[EdgeForce], side: usize, pair: &EdgePair) -> EdgeForce {
        let (here, there) = (&forces[side], &forces[pair.back as usize]);
        let share = pair.share;
        let push = (here.push * share + there.push * (1.0 - share)).max(0.0);
        let friction = here.friction * share - there.friction * (1.0 - share);
        let (most, size) = (self.friction * push, friction.length());
        let kept = if size > most { most / size } else { 1.0 };
        EdgeForce {
            push,
            friction: friction * kept,
        }
    }

    /// What `own` meets of `other`, a plane without stiffness where they do not touch
    /// yet; nothing where they are not even near. `forces` is asked only where they
    /// may touch.
    ///
    /// The normal is that where the substep began: one taken where the edges are
    /// expected would push hair onwards after it has crossed, and add energy.
    #[inline(always)]
    pub fn meet(
        &self,
        pair: &EdgePair,
        own: &EdgeMotion,
        other: &EdgeMotion,
        forces: impl FnOnce() -> ContactForces,
    ) -> Option<EdgePlane> {
        let (a, b) = (own.start[1] - own.start[0], other.start[1] - other.start[0]);
        let apart = own.start[0] - other.start[0];
        // Both sides must find the same points, to the last bit.
        let found = match pair.vertices[0] < pair.vertices[1] {
            true => closest_of(apart, a, b),
            false => closest_of(-apart, b, a).swapped(),
        };
        for ([first, last], endless) in pair.ends.iter().zip(found.endless) {
            // Else the edge beside it has the contact.
            if (!first && endless < -BEYOND) || (!last && endless > 1.0 + BEYOND) {
                return None;
            }
        }
        let [s, t] = found.share;
        let points = [EdgeMotion::at(own.start, s), EdgeMotion::at(other.start, t)];
        let moved = [EdgeMotion::at(own.moved, s), EdgeMotion::at(other.moved, t)];
        let apart = points[0] - points[1];
        let width = (apart.length_squared() + 1e-14).sqrt();
        let normal = apart * (1.0 / width);
        let gap_before = width - pair.distance;
        let relative = moved[0] - moved[1];
        let gap = gap_before + normal.dot(relative);
        // What overlapped before is pushed apart slowly.
        let slack = (-gap_before - RECOVERY * self.h).max(0.0);
        let close = gap + slack;
        if gap > OPEN * pair.distance {
            return (gap < NEAR).then(EdgePlane::default);
        }
        let ContactForces { load, held, before } = forces();
        let unit = pair.mass / (self.h * self.h);
        let share = pair.share;
        let predicted = share * close - load / unit;
        if predicted >= 0.0 {
            return Some(EdgePlane::default());
        }
        let least = STIFFNESS[0] * unit;
        let both = 1.0 / share;
        let stiff = (least + (held / DEPTH).min(STIFFEST * least)) * both;
        // Friction answers to what the contact is sure to carry.
        let carried = load.min(-predicted * unit * (0.5 * both + 0.5));
        let limit = self.friction * carried;
        let least = STIFFNESS[1] * unit;
        let hold = (least + (limit / CREEP).min(STIFFEST * least)) * both;
        // Both sides meet half-way: each takes its share of the gap.
        let plane = points[0] + moved[0] - normal * (share * close);
        Some(EdgePlane {
            at: s,
            normal,
            offset: normal.dot(plane),
            stiff,
            hold,
            load: limit,
            drift: moved[0] - relative * share,
            before: EdgeForce {
                push: before.push,
                friction: before.friction - normal * normal.dot(before.friction),
            },
        })
    }
}
