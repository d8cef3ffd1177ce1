//! An inner step's motion: symplectic Euler, then the projection onto edges of
//! rest length and out of the skin (Bergou et al. 2008, section 8; Goldenthal
//! et al. 2007, "Efficient Simulation of Inextensible Cloth", fast projection).
//!
//! What is projected is the way that each vertex goes, not where it arrives:
//! rounding stays small beside the way, however short the step.

use super::{
    elastic::{Elastic, Pulled},
    joint::direction,
    lanes::{DerGroup, Held},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment::{self, AttachmentKind},
        contact,
        solver::{
            fabrik::ROUNDS,
            speed_limit::{FASTEST, bounded},
        },
        trace::Observer,
    },
};
use glam::DVec3;

/// Numbers of what [`Observer`] is told.
const ELASTIC: usize = 0;
const LENGTH: usize = 1;
const CONTACT: usize = 2;
const FRICTION: usize = 3;

/// The elastic force moves no vertex by more than this share of an edge in one
/// inner step.
const KICK: f64 = 0.1;

/// Lengths are right to this share.
const TOLERANCE: f64 = 1e-6;

/// Where the passes end before lengths are right to this share, segments follow
/// one another from the root.
const WRONG: f64 = 1e-4;

/// Of an edge that may move only across itself so much mobility is left.
const STUCK: f64 = 0.02;

/// The numbers of one inner step; zero in the lanes that have no more to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inner<T> {
    /// One where the strand takes part.
    pub active: T,
    /// Length, and one over it. `[s]`, `[1/s]`
    pub h: T,
    pub rate: T,
    /// Share of the substep that lies before, and this step's share.
    pub begun: T,
    pub part: T,
    /// Share of the velocity that air leaves; gravity. `[m/s²]`
    pub damped: T,
    pub acceleration: V3<T>,
    /// How far the head takes the roots in the substep. `[m]`
    pub root_moved: V3<T>,
    /// Coulomb friction, and the share of the impact that bounces back.
    pub friction: f64,
    pub restitution: f64,
    /// Projections at most.
    pub passes: usize,
}

/// Gives each vertex the way that it goes if no edge holds it.
struct Departure<'a, T, N> {
    inner: &'a Inner<T>,
    note: &'a mut N,
}

impl<T: Lane, N: Observer<T>> Pulled<T> for Departure<'_, T, N> {
    #[inline(always)]
    fn vertex(&mut self, group: &mut DerGroup<T>, i: usize, pull: V3<T>) {
        let s = self.inner;
        let before = group.nodes[i.saturating_sub(1)].memory.length;
        let node = &mut group.nodes[i];
        // Behind the tip there is no edge: take the one before.
        let here = node.memory.length;
        let length = T::zero().less(here, here.min(before), before);
        let mut pull = pull.scale(node.memory.inverse_mass * s.h);
        let limit = length * T::splat(KICK) * s.rate;
        let (size, most) = (pull.dot(pull), limit * limit);
        let mut velocity = node.velocity;
        if most.any_less(size) {
            // What asks for more is about to break: it is slowed as well.
            let share = (most / size.max(most).max(T::splat(1e-30))).sqrt();
            let share = share.min(T::splat(1.0));
            pull = pull.scale(share);
            velocity = velocity.scale(share);
        }
        self.note.note(ELASTIC, i, pull.scale(s.h));
        let exists = T::zero().less(node.memory.inverse_mass, s.h, T::zero());
        let velocity =
            (velocity + pull + (s.acceleration + node.acceleration).scale(s.h)).scale(s.damped);
        node.way = bounded(velocity).scale(exists);
    }
}

impl<T: Lane> DerGroup<T> {
    /// Where every vertex would go if no edge held it, in one walk with the forces: a row
    /// of strands is larger than the nearest memory of a processor. `clamp` is that of the
    /// frames.
    #[inline(always)]
    pub fn depart(
        &mut self,
        elastic: &Elastic<T>,
        clamp: [V3<T>; 2],
        s: &Inner<T>,
        note: &mut impl Observer<T>,
    ) {
        self.forces(elastic, clamp, s.active, &mut Departure { inner: s, note });
        if !self.free {
            self.nodes[0].way = s.root_moved.scale(s.part);
        }
        self.grip(s);
    }

    /// What hands and pins make of the ways.
    #[inline(always)]
    fn grip(&mut self, s: &Inner<T>) {
        for held in &self.holds {
            let node = &mut self.nodes[held.row];
            let lane = held.lane;
            let (h, x) = (s.h.get(lane), node.x.get(lane));
            if h <= 0.0 || node.memory.inverse_mass.get(lane) <= 0.0 {
                continue;
            }
            let way = match held.kind {
                AttachmentKind::Hand => {
                    let speed = node.way.get(lane).map(|way| way / h);
                    let there = attachment::drawn(held.count, held.target, x, speed, h);
                    [0, 1, 2].map(|axis| there[axis] - x[axis])
                }
                AttachmentKind::Pin => {
                    // As much of what is left as of the time that is left.
                    let part = s.part.get(lane);
                    let share = part / (1.0 - s.begun.get(lane)).max(part);
                    let way = [0, 1, 2].map(|axis| share * (held.target[axis] - x[axis]));
                    let length = way.iter().map(|c| c * c).sum::<f64>().sqrt();
                    let most = FASTEST * h;
                    way.map(|c| c * (most / length.max(most)))
                }
            };
            node.way.set(lane, way);
        }
    }

    /// Fast projection: Newton passes on all lengths at once, each one
    /// tridiagonal solve, contact between them.
    #[inline(always)]
    pub fn project(&mut self, s: &Inner<T>, note: &mut impl Observer<T>) {
        let zero = T::zero();
        let mut live = s.active;
        for i in 0..self.rows {
            if self.near[i] {
                self.touches[i].active = zero;
                self.touches[i].pushed = zero;
            }
        }
        for pass in 1..=s.passes {
            self.eliminate();
            let tolerance = if pass == s.passes { WRONG } else { TOLERANCE };
            live = self.substitute(s, live, pass == 1, tolerance, note);
            if !live.any() {
                return;
            }
        }
        self.follow(live);
    }

    /// Puts every vertex at its segment's length from the one before, in the
    /// lanes where `wrong` is one: what no more passes are allowed for, in the
    /// wildest motion. It costs momentum, not shape. What lies before a pin is drawn
    /// there first, and the pin gives way only where it is out of reach.
    #[inline(always)]
    pub(super) fn follow(&mut self, wrong: T) {
        if !wrong.any() {
            return;
        }
        let mut before = None;
        for at in 0..self.holds.len() {
            let Held { lane, row, .. } = self.holds[at];
            if self.holds[at].is_pin() && wrong.get(lane) > 0.5 {
                let anchor = before.filter(|(other, _)| *other == lane);
                self.reach(anchor.map_or(0, |(_, row)| row), row, lane);
                before = Some((lane, row));
            }
        }
        for i in 0..self.rows - 1 {
            let start = self.edge(i);
            let inner = self.nodes[i].way;
            let edge = start + (self.nodes[i + 1].way - inner);
            let node = &self.nodes[i];
            let (t, _) = direction(edge, node.tangent);
            let way = inner + t.scale(node.memory.length) - start;
            let outer = &mut self.nodes[i + 1];
            let exists = T::zero().less(outer.memory.inverse_mass, wrong, T::zero());
            outer.way = way.select(exists, outer.way);
        }
    }

    /// Draws the vertices between `anchor` and `row` to where the latter goes, in one
    /// lane: there and back (Aristidou, Lasenby 2011, "FABRIK").
    fn reach(&mut self, anchor: usize, row: usize, lane: usize) {
        let pinned = self.nodes[row].way.get(lane);
        for _ in 0..ROUNDS {
            self.nodes[row].way.set(lane, pinned);
            for i in (anchor + 1..row).rev() {
                let way = self.way_beside(i, lane, [i + 1, i]);
                self.nodes[i].way.set(lane, way);
            }
            for i in anchor..row {
                let way = self.way_beside(i, lane, [i, i + 1]);
                self.nodes[i + 1].way.set(lane, way);
            }
        }
    }

    /// The way of vertex `to` that puts it at the length of segment `i` from vertex
    /// `from`, the other one of that segment. `[m]`
    fn way_beside(&self, i: usize, lane: usize, [from, to]: [usize; 2]) -> [f64; 3] {
        let way = |row: usize| DVec3::from(self.nodes[row].way.get(lane));
        let sign = if to > from { 1.0 } else { -1.0 };
        let start = DVec3::from(self.edge(i).get(lane)) * sign;
        let tangent = DVec3::from(self.nodes[i].tangent.get(lane)) * sign;
        let edge = (start + way(to) - way(from)).try_normalize();
        let length = self.nodes[i].memory.length.get(lane);
        (way(from) + edge.unwrap_or(tangent) * length - start).to_array()
    }

    /// Linear system of the lengths after the way, eliminated from the root.
    #[inline(always)]
    fn eliminate(&mut self) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut side, mut pivot) = (zero, zero);
        let mut before = self.nodes[0].tangent;
        for i in 0..self.rows - 1 {
            let edge = self.edge(i) + (self.nodes[i + 1].way - self.nodes[i].way);
            let (t, _) = direction(edge, before);
            let node = &self.nodes[i];
            let length = node.memory.length;
            let (w, w_next) = (
                node.memory.inverse_mass,
                self.nodes[i + 1].memory.inverse_mass,
            );
            let mut across = before.dot(t);
            let (mut here, mut there) = (one, one);
            // A vertex that the skin holds up does not move into or out of it.
            if self.near[i] {
                let touch = &self.touches[i];
                let along = touch.plane.normal.dot(t) * touch.active;
                here -= along * along;
                across -= along * touch.plane.normal.dot(before);
            }
            if self.near[i + 1] {
                let touch = &self.touches[i + 1];
                let along = touch.plane.normal.dot(t) * touch.active;
                there -= along * along;
            }
            let mut wrong = edge.dot(t) - length;
            let mut off = w * across;
            if i + 1 >= self.shortest {
                wrong = zero.less(length, wrong, zero);
                off = zero.less(length, off, zero);
            }
            let share = off * pivot;
            side = wrong + share * side;
            let least = (w + w_next) * T::splat(STUCK) + T::splat(1e-9);
            pivot = one / (w * here + w_next * there - share * off).max(least);
            before = t;
            let node = &mut self.nodes[i];
            node.tangent = t;
            node.side = side;
            node.pivot = pivot;
            node.off = off;
        }
    }

    /// The ways after the solution, and what the skin says to them. Returns in which of
    /// the `live` lanes some length is wrong by a larger share than `tolerance` then.
    #[inline(always)]
    fn substitute(
        &mut self,
        s: &Inner<T>,
        live: T,
        first: bool,
        tolerance: f64,
        note: &mut impl Observer<T>,
    ) -> T {
        let zero = T::zero();
        let allowed = T::splat(2.0 * tolerance);
        let mut wrong = zero;
        let last = self.rows - 1;
        let (mut tension, mut off) = (zero, zero);
        let mut pull = V3::zero();
        for i in (0..=last).rev() {
            let mut inner = V3::zero();
            if i > 0 {
                let node = &self.nodes[i - 1];
                tension = (node.side + off * tension) * node.pivot;
                off = node.off;
                inner = node.tangent.scale(tension * live);
            }
            let mut change = (pull - inner).scale(self.nodes[i].memory.inverse_mass);
            pull = inner;
            if self.near[i] {
                let touch = &self.touches[i];
                let stays = touch
                    .plane
                    .normal
                    .scale(touch.plane.normal.dot(change) * touch.active);
                change = change - stays;
            }
            let node = &mut self.nodes[i];
            node.way = node.way + change;
            note.note(LENGTH, i, change);
            if self.near[i] && (i > 0 || self.free) {
                self.touch(s, i, live, first, note);
            }
            if i < last {
                // Of a length that is nearly right, the square is wrong by twice the share.
                let edge = self.edge(i) + (self.nodes[i + 1].way - self.nodes[i].way);
                let length = self.nodes[i].memory.length;
                let square = length * length;
                let error = (edge.dot(edge) - square).abs();
                let exists = zero.less(length, live, zero);
                wrong = wrong.max((allowed * square).less(error, exists, zero));
            }
        }
        wrong
    }

    /// Contact of vertex `i`: out of the plane, and friction on the way there.
    #[inline(always)]
    fn touch(&mut self, s: &Inner<T>, i: usize, live: T, first: bool, note: &mut impl Observer<T>) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (node, touch) = (&mut self.nodes[i], &mut self.touches[i]);
        let normal = touch.plane.normal;
        // The plane moves with the skin; what lay deep comes out slowly.
        let to_go = one - s.begun;
        let moves = normal.dot(touch.plane.carried);
        let gap = (normal.dot(node.x) - touch.plane.offset) + normal.dot(node.memory.low);
        let slack = contact::recovery(gap + to_go * moves, s.h);
        let arrives = gap + normal.dot(node.way) + (to_go - s.part) * moves + slack;
        let exists = zero.less(node.memory.inverse_mass, live, zero);
        let push = (-arrives).max(zero) * exists;
        if !zero.any_less(push) {
            return;
        }
        let mut way = node.way + normal.scale(push);
        touch.pushed += push;
        note.note(CONTACT, i, normal.scale(push));
        if first {
            let carry = touch.plane.carried.scale(s.part);
            let rubbed = contact::friction(way, V3::zero(), carry, normal, push, s.friction);
            let rubbed = rubbed.select(zero.less(push, one, zero), way);
            note.note(FRICTION, i, rubbed - way);
            way = rubbed;
        }
        touch.active = zero.less(push, one, touch.active);
        node.way = way;
    }

    /// Positions and velocities after the way.
    #[inline(always)]
    pub fn arrive(&mut self, s: &Inner<T>) {
        for i in 0..self.rows {
            self.arrive_at(s, i);
        }
    }

    /// The same of vertex `i`.
    #[inline(always)]
    pub(super) fn arrive_at(&mut self, s: &Inner<T>, i: usize) {
        let node = &mut self.nodes[i];
        let mut velocity = bounded(node.way.scale(s.rate));
        if s.restitution > 0.0 && self.near[i] {
            let touch = &self.touches[i];
            let skin = touch.plane.carried.scale(s.part * s.rate);
            let speed = node.velocity - skin;
            let normal = touch.plane.normal;
            let bounce = contact::bounce(speed, normal, touch.pushed, s.restitution);
            velocity = velocity + bounce;
        }
        // The rounding of the sum is kept for the next one.
        let (x, low) = (&mut node.x, &mut node.memory.low);
        add(&mut x.x, &mut low.x, node.way.x, s.active);
        add(&mut x.y, &mut low.y, node.way.y, s.active);
        add(&mut x.z, &mut low.z, node.way.z, s.active);
        node.velocity = velocity.select(s.active, node.velocity);
    }
}

/// Adds `step` to a number whose rounding error is `low` (Kahan 1965).
#[inline(always)]
fn add<T: Lane>(x: &mut T, low: &mut T, step: T, active: T) {
    let step = step + *low;
    let sum = *x + step;
    let rest = step - (sum - *x);
    *low = active.choose(rest, *low);
    *x = active.choose(sum, *x);
}
