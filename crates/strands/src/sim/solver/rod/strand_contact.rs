//! Strand–strand contact in the solve of rods.
//!
//! A contact sits on an edge, at a share s of it: its point moves by D + s omega x e,
//! where D is the displacement of the edge's inner vertex. So it adds to the
//! quadratic of its edge, in D and omega (`sweep.rs`), with H the contact's
//! stiffness and b its gradient there: sum of H, of s H and of s² H; of b and of
//! s b.

use super::{
    edge_touch::{EdgeLoad, EdgeTouch, NONE, TakenSide},
    lanes::{RodGroup, RodNode},
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::strand_contact::{
        edge::{EdgeContacts, EdgeForce},
        params::ContactRound,
        plane::ContactPlanes,
    },
};
use glam::Vec3;

/// Where a contact's point is on its edge, of what `of` takes of the vertices.
#[inline(always)]
fn between<T: Lane>(
    nodes: &[RodNode<T>],
    edge: usize,
    at: T,
    of: impl Fn(&RodNode<T>) -> V3<T>,
) -> V3<T> {
    let (a, b) = (of(&nodes[edge]), of(&nodes[edge + 1]));
    a + (b - a).scale(at)
}

/// A number of each lane.
#[inline(always)]
fn number<T: Lane>(row: &T, lane: usize) -> f32 {
    match row.floats().get(lane) {
        Some(number) => *number,
        None => row.get(lane) as f32,
    }
}

impl<T: Lane> RodGroup<T> {
    /// Takes the contacts of the strands in hand, whose vertex counts are those of
    /// `counts`; roots must be where the substep takes them.
    #[inline(always)]
    pub fn take_edges<B: Lane>(
        &mut self,
        contacts: &EdgeContacts<B>,
        planes: &ContactPlanes,
        counts: &[usize],
    ) {
        let edges = &mut self.edges;
        edges.clear();
        edges.taken.clear();
        let end = (self.first + T::LANES).min(contacts.vertices.len());
        let strands = self.first.min(end)..end;
        for edge in 0..self.rows {
            for (lane, strand) in strands.clone().enumerate() {
                if edge + 1 >= counts[strand] {
                    continue;
                }
                let vertex = contacts.vertices[strand] as usize + edge;
                let first_side = planes.first_side(vertex) - contacts.first_side;
                for number in 0..planes.sides(vertex) {
                    if let Some(place) = planes.side(vertex, number) {
                        planes.fetch(place);
                        edges.taken.push(TakenSide {
                            edge: edge as u32,
                            lane: lane as u32,
                            side: first_side + number,
                            place,
                        });
                    }
                }
            }
        }
        // Asked for above, the planes are near now.
        let (mut first, mut last) = (0, usize::MAX);
        let (mut next, mut lane) = (0, usize::MAX);
        for taken in &edges.taken {
            if taken.edge as usize != last {
                // Edges up to this one begin behind those before.
                first = edges.touches.len();
                edges.firsts.resize(taken.edge as usize + 1, first as u32);
                (last, lane) = (taken.edge as usize, usize::MAX);
            }
            if taken.lane as usize != lane {
                (next, lane) = (first, taken.lane as usize);
            }
            if next == edges.touches.len() {
                edges.touches.push(EdgeTouch::none());
                edges.sides.resize(edges.sides.len() + T::LANES, NONE);
            }
            edges.touches[next].put(lane, planes.plane(taken.place), taken.place.which);
            edges.sides[next * T::LANES + lane] = taken.side;
            next += 1;
        }
        let end = edges.touches.len() as u32;
        edges.firsts.resize(self.rows + 1, end);
        let (light, one) = (self.inverse_mass, T::splat(1.0));
        for edge in 0..self.rows {
            for place in edges.of_edge(edge) {
                let touch = &mut edges.touches[place];
                touch.offset -= touch.normal.dot(self.root);
                for force in [
                    &mut touch.stiff,
                    &mut touch.hold,
                    &mut touch.load,
                    &mut touch.push_before,
                ] {
                    *force = *force * light;
                }
                touch.friction_before = touch.friction_before.scale(light);
                let force = touch.normal.scale(touch.push_before) + touch.friction_before;
                let (inner, outer) = (force.scale(one - touch.at), force.scale(touch.at));
                self.nodes[edge].strand = self.nodes[edge].strand + inner;
                self.nodes[edge + 1].strand = self.nodes[edge + 1].strand + outer;
            }
        }
    }

    /// Works out at the iterate what the contacts add to the quadratic of that edge;
    /// adds their potential. None where it has no contact.
    #[inline(always)]
    pub fn load_edge(&mut self, edge: usize) -> Option<EdgeLoad<T>> {
        let places = self.edges.of_edge(edge);
        if places.is_empty() {
            return None;
        }
        let mut load = EdgeLoad::none();
        for touch in &mut self.edges.touches[places] {
            touch.point = between(&self.nodes, edge, touch.at, |node| node.x);
            let from = between(&self.nodes, edge, touch.at, |node| node.from);
            touch.gap = touch.normal.dot(touch.point) - touch.offset;
            touch.rub(touch.point - from);
            self.edges.energy += touch.energy(V3::zero());
            let (n, s) = (touch.normal, touch.at);
            let stiff = Sym3::diagonal(touch.stick)
                .plus_outer(n, touch.stiff - touch.stick)
                .plus_outer(touch.way, touch.along - touch.stick);
            let gradient = n.scale(touch.stiff * touch.gap) - touch.friction;
            load.add(&stiff, gradient, s);
        }
        Some(load)
    }

    /// Potential of the contacts where the vertices are now.
    #[inline(always)]
    pub fn edge_energy(&self) -> T {
        let mut energy = T::zero();
        if self.edges.touches.is_empty() {
            return energy;
        }
        for edge in 0..self.rows {
            for touch in &self.edges.touches[self.edges.of_edge(edge)] {
                let d = between(&self.nodes, edge, touch.at, |node| node.x) - touch.point;
                energy += touch.energy(d);
            }
        }
        energy
    }

    /// Notes what the contacts do to the vertices where they are now, in the lanes
    /// where `live` is one: inner forces balance that, too. Answers their potential
    /// there.
    #[inline(always)]
    pub fn settle_edges(&mut self, live: T) -> T {
        let mut energy = T::zero();
        if self.edges.touches.is_empty() {
            return energy;
        }
        let one = T::splat(1.0);
        let keep = one - live;
        for node in &mut self.nodes[..self.rows] {
            node.strand = node.strand.scale(keep);
        }
        for edge in 0..self.rows {
            for touch in &self.edges.touches[self.edges.of_edge(edge)] {
                let d = between(&self.nodes, edge, touch.at, |node| node.x) - touch.point;
                energy += touch.energy(d);
                let (push, friction) = touch.forces(d);
                let force = (touch.normal.scale(push) + friction).scale(live);
                let (inner, outer) = (force.scale(one - touch.at), force.scale(touch.at));
                self.nodes[edge].strand = self.nodes[edge].strand + inner;
                self.nodes[edge + 1].strand = self.nodes[edge + 1].strand + outer;
            }
        }
        for node in &mut self.nodes[..self.rows] {
            node.memory.net = node.memory.net + node.strand.scale(live);
        }
        energy
    }

    /// Tells how far the vertices went and, where they met anything, what every
    /// contact has done.
    #[inline(always)]
    pub fn tell_edges<B: Lane>(&self, contacts: &mut EdgeContacts<B>, round: ContactRound) {
        for (moved, node) in contacts.moved.iter_mut().zip(&self.nodes) {
            moved.paste(self.first, node.x - node.from);
        }
        if round == ContactRound::Free || self.edges.touches.is_empty() {
            return;
        }
        let per_mass = T::splat(1.0) / self.inverse_mass.max(T::splat(1e-12));
        for edge in 0..self.rows {
            for place in self.edges.of_edge(edge) {
                let touch = &self.edges.touches[place];
                let d = between(&self.nodes, edge, touch.at, |node| node.x) - touch.point;
                let (push, friction) = touch.forces(d);
                let (push, friction) = (push * per_mass, friction.scale(per_mass));
                let sides = &self.edges.sides[place * T::LANES..(place + 1) * T::LANES];
                for (lane, side) in sides.iter().enumerate() {
                    if *side != NONE {
                        contacts.forces[*side as usize] = EdgeForce {
                            push: number(&push, lane),
                            friction: Vec3::new(
                                number(&friction.x, lane),
                                number(&friction.y, lane),
                                number(&friction.z, lane),
                            ),
                        };
                    }
                }
            }
        }
    }
}
