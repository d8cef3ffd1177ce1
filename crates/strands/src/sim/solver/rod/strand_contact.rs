//! Strand–strand contact in the solve of rods.
//!
//! A contact sits on an edge, at a share s of it: its point moves by D + s omega x e,
//! where D is the displacement of the edge's inner vertex. So it adds to the
//! quadratic of its edge, in D and omega (`sweep.rs`), with H the contact's
//! stiffness and b its gradient there: sum of H, of s H and of s² H; of b and of
//! s b.

use super::{
    edge_touch::{EdgeLoad, EdgeTouch},
    lanes::{RodGroup, RodNode},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::strand_contact::{
        edge::{EdgeContacts, EdgeForce},
        params::ContactRound,
    },
};
use glam::Vec3;

/// Adds to one lane.
#[inline(always)]
fn add<T: Lane>(row: &mut T, lane: usize, value: f32) {
    match row.floats_mut().get_mut(lane) {
        Some(sum) => *sum += value,
        None => row.set(lane, row.get(lane) + f64::from(value)),
    }
}

#[inline(always)]
fn add3<T: Lane>(row: &mut V3<T>, lane: usize, value: Vec3) {
    add(&mut row.x, lane, value.x);
    add(&mut row.y, lane, value.y);
    add(&mut row.z, lane, value.z);
}

#[inline(always)]
fn vector<T: Lane>(row: &V3<T>, lane: usize) -> Vec3 {
    let number = |row: &T| match row.floats().get(lane) {
        Some(number) => *number,
        None => row.get(lane) as f32,
    };
    Vec3::new(number(&row.x), number(&row.y), number(&row.z))
}

/// Where a contact's point is on its edge, of what `of` takes of the vertices.
#[inline(always)]
fn between<T: Lane>(
    touch: &EdgeTouch,
    nodes: &[RodNode<T>],
    of: impl Fn(&RodNode<T>) -> &V3<T>,
) -> Vec3 {
    let (j, lane) = (touch.edge as usize, touch.lane as usize);
    let (a, b) = (vector(of(&nodes[j]), lane), vector(of(&nodes[j + 1]), lane));
    a + (b - a) * touch.plane.at
}

impl<T: Lane> RodGroup<T> {
    /// Takes the contacts of the strands in hand; roots must be where the substep
    /// takes them.
    pub fn take_edges<B: Lane>(&mut self, contacts: &EdgeContacts<B>) {
        let first = self.first;
        self.edges.clear();
        self.edges.on.resize(self.rows, false);
        for side in contacts.of_lanes(first, T::LANES) {
            let (pair, mut plane) = (&contacts.pairs[side], contacts.planes[side]);
            if plane.stiff <= 0.0 {
                continue;
            }
            let (lane, edge) = (usize::from(pair.lane) - first, usize::from(pair.edge));
            let light = self.inverse_mass.get(lane) as f32;
            plane.offset -= plane.normal.dot(vector(&self.root, lane));
            for force in [&mut plane.stiff, &mut plane.hold, &mut plane.load] {
                *force *= light;
            }
            plane.before.push *= light;
            plane.before.friction *= light;
            let force = plane.normal * plane.before.push + plane.before.friction;
            add3(&mut self.nodes[edge].strand, lane, force * (1.0 - plane.at));
            add3(&mut self.nodes[edge + 1].strand, lane, force * plane.at);
            self.edges.on[edge] = true;
            self.edges.touches.push(EdgeTouch {
                side: side as u32,
                lane: lane as u32,
                edge: edge as u32,
                plane,
                light,
                point: Vec3::ZERO,
                gap: 0.0,
                friction: Vec3::ZERO,
                way: Vec3::ZERO,
                stick: 0.0,
                along: 0.0,
            });
        }
    }

    /// Works out at the iterate what the contacts add to the quadratics of their
    /// edges; answers their potential.
    pub fn load_edges(&mut self) -> T {
        let mut energy = T::zero();
        let edges = &mut self.edges;
        if edges.touches.is_empty() {
            return energy;
        }
        edges.loads.resize(self.rows, EdgeLoad::none());
        for (load, on) in edges.loads.iter_mut().zip(&edges.on) {
            if *on {
                *load = EdgeLoad::none();
            }
        }
        for touch in &mut edges.touches {
            touch.point = between(touch, &self.nodes, |node| &node.x);
            let from = between(touch, &self.nodes, |node| &node.from);
            touch.gap = touch.plane.normal.dot(touch.point) - touch.plane.offset;
            touch.rub(touch.point - from);
            let lane = touch.lane as usize;
            add(&mut energy, lane, touch.energy(Vec3::ZERO));
            let (n, w, s) = (touch.plane.normal, touch.way, touch.plane.at);
            let (stick, stiff) = (touch.stick, touch.plane.stiff - touch.stick);
            let along = touch.along - touch.stick;
            let h = [
                stick + stiff * n.x * n.x + along * w.x * w.x,
                stiff * n.x * n.y + along * w.x * w.y,
                stiff * n.x * n.z + along * w.x * w.z,
                stick + stiff * n.y * n.y + along * w.y * w.y,
                stiff * n.y * n.z + along * w.y * w.z,
                stick + stiff * n.z * n.z + along * w.z * w.z,
            ];
            let gradient = n * (touch.plane.stiff * touch.gap) - touch.friction;
            let load = &mut edges.loads[touch.edge as usize];
            for (sum, scale) in load.stiff.iter_mut().zip([1.0, s, s * s]) {
                add(&mut sum.xx, lane, h[0] * scale);
                add(&mut sum.xy, lane, h[1] * scale);
                add(&mut sum.xz, lane, h[2] * scale);
                add(&mut sum.yy, lane, h[3] * scale);
                add(&mut sum.yz, lane, h[4] * scale);
                add(&mut sum.zz, lane, h[5] * scale);
            }
            add3(&mut load.gradient[0], lane, gradient);
            add3(&mut load.gradient[1], lane, gradient * s);
        }
        edges.energy = energy;
        energy
    }

    /// Potential of the contacts where the vertices are now.
    pub fn edge_energy(&self) -> T {
        let mut energy = T::zero();
        for touch in &self.edges.touches {
            let d = between(touch, &self.nodes, |node| &node.x) - touch.point;
            add(&mut energy, touch.lane as usize, touch.energy(d));
        }
        energy
    }

    /// Notes what the contacts do to the vertices where they are now, in the lanes
    /// where `live` is one: inner forces balance that, too.
    pub fn settle_edges(&mut self, live: T) {
        if self.edges.touches.is_empty() {
            return;
        }
        let keep = T::splat(1.0) - live;
        for node in &mut self.nodes[..self.rows] {
            node.strand = node.strand.scale(keep);
        }
        for touch in &self.edges.touches {
            let (lane, edge) = (touch.lane as usize, touch.edge as usize);
            if live.get(lane) < 0.5 {
                continue;
            }
            let d = between(touch, &self.nodes, |node| &node.x) - touch.point;
            let (push, friction) = touch.forces(d);
            let force = touch.plane.normal * push + friction;
            add3(
                &mut self.nodes[edge].strand,
                lane,
                force * (1.0 - touch.plane.at),
            );
            add3(
                &mut self.nodes[edge + 1].strand,
                lane,
                force * touch.plane.at,
            );
        }
        for node in &mut self.nodes[..self.rows] {
            node.memory.net = node.memory.net + node.strand.scale(live);
        }
    }

    /// Tells how far the vertices went and, where they met anything, what every
    /// contact has done.
    pub fn tell_edges<B: Lane>(&self, contacts: &mut EdgeContacts<B>, round: ContactRound) {
        let first = self.first;
        for (moved, node) in contacts.moved.iter_mut().zip(&self.nodes) {
            moved.paste(first, node.x - node.from);
        }
        if round == ContactRound::Free {
            return;
        }
        for side in contacts.of_lanes(first, T::LANES) {
            contacts.forces[side] = EdgeForce::default();
        }
        for touch in &self.edges.touches {
            let d = between(touch, &self.nodes, |node| &node.x) - touch.point;
            let (push, friction) = touch.forces(d);
            let per_mass = 1.0 / touch.light.max(1e-12);
            contacts.forces[touch.side as usize] = EdgeForce {
                push: push * per_mass,
                friction: friction * per_mass,
            };
        }
    }
}
