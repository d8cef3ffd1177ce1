//! Strand–strand contact in the solve of rods.
//!
//! A contact sits on an edge, at a share s of it: its point moves by D + s omega x e,
//! where D is the displacement of the edge's inner vertex. So it adds to the
//! quadratic of its edge, in D and omega (`sweep.rs`), with H the contact's
//! stiffness and b its gradient there: sum of H, of s H and of s² H; of b and of
//! s b. However many contacts an edge has, these sums are all that the solve needs.

use super::{
    edge_load::{EdgeLoad, NONE, TakenSide},
    lanes::RodGroup,
};
use crate::{
    math::lanes::{Lane, V3},
    sim::strand_contact::{
        edge::EdgeContacts,
        plane::{ContactPlanes, EdgeSum},
    },
};

impl<T: Lane> RodGroup<T> {
    /// Takes the contacts of the strands in hand, whose vertex counts are those of
    /// `counts`, as they were worked out where the last round left the vertices.
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
                for place in planes.of_edge(vertex) {
                    planes.fetch(*place);
                    edges.taken.push(TakenSide {
                        edge: edge as u32,
                        lane: lane as u32,
                        place: *place,
                    });
                }
            }
        }
        if edges.taken.is_empty() {
            return;
        }
        // Asked for above, the planes are near now.
        edges.places.resize(self.rows, NONE);
        let of_one_edge = |a: &TakenSide, b: &TakenSide| (a.edge, a.lane) == (b.edge, b.lane);
        for taken in edges.taken.chunk_by(of_one_edge) {
            let mut sum = EdgeSum::default();
            for taken in taken {
                sum.add(planes.load(taken.place));
            }
            let place = &mut edges.places[taken[0].edge as usize];
            if *place == NONE {
                *place = edges.loads.len() as u32;
                edges.loads.push(EdgeLoad::none());
            }
            edges.loads[*place as usize].put(taken[0].lane as usize, &sum);
        }
        for load in &mut edges.loads {
            load.scale(self.inverse_mass);
        }
        for (node, moved) in self.nodes[..self.rows].iter().zip(&contacts.moved) {
            edges.origins.push(node.from + moved.cut(self.first));
        }
        for edge in 0..self.rows {
            if let Some(load) = self.edges.of_edge(edge) {
                let [force, outer] = load.before;
                self.nodes[edge].strand = self.nodes[edge].strand + (force - outer);
                self.nodes[edge + 1].strand = self.nodes[edge + 1].strand + outer;
            }
        }
    }

    /// What the contacts of that edge do where its ends are now, and its first moment;
    /// and their potential. None where it has no contact.
    #[inline(always)]
    pub fn edge_forces(&self, edge: usize) -> Option<([V3<T>; 2], T)> {
        let load = self.edges.of_edge(edge)?;
        let inner = self.nodes[edge].x - self.edges.origins[edge];
        let outer = self.nodes[edge + 1].x - self.edges.origins[edge + 1];
        let more = outer - inner;
        let forces = load.forces(inner, more);
        let twice = inner.dot(forces[0] + load.force[0]) + more.dot(forces[1] + load.force[1]);
        Some((forces, T::splat(-0.5) * twice))
    }

    /// Potential of the contacts where the vertices are now.
    #[inline(always)]
    pub fn edge_energy(&self) -> T {
        let mut energy = T::zero();
        for edge in 0..self.edges.places.len() {
            if let Some((_, here)) = self.edge_forces(edge) {
                energy += here;
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
        if self.edges.places.is_empty() {
            return energy;
        }
        let keep = T::splat(1.0) - live;
        for node in &mut self.nodes[..self.rows] {
            node.strand = node.strand.scale(keep);
        }
        for edge in 0..self.rows {
            if let Some(([force, outer], here)) = self.edge_forces(edge) {
                energy += here;
                let (inner, outer) = ((force - outer).scale(live), outer.scale(live));
                self.nodes[edge].strand = self.nodes[edge].strand + inner;
                self.nodes[edge + 1].strand = self.nodes[edge + 1].strand + outer;
            }
        }
        for node in &mut self.nodes[..self.rows] {
            node.memory.net = node.memory.net + node.strand.scale(live);
        }
        energy
    }

    /// Records how far the vertices went.
    #[inline(always)]
    pub fn record_displacements<B: Lane>(&self, contacts: &mut EdgeContacts<B>) {
        for (moved, node) in contacts.moved.iter_mut().zip(&self.nodes) {
            moved.paste(self.first, node.x - node.from);
        }
    }
}
