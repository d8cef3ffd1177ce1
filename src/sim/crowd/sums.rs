//! Sums of mass and momentum over the nodes of the bricks that hair is in: one
//! thread's share of the hair.

use super::{
    domain::{Domain, NONE, nodes},
    rest::Kind,
    sample::{NODES, Samples, Spot, weights},
};
use crate::sim::state::{Block, Row};

/// At a node: mass, momentum, and mass times the density that it had at rest;
/// in quanta times 64³.
pub(super) type Node = [f64; 5];

/// Sums at the nodes of some bricks. All are whole numbers below 2^53: exact,
/// whatever the order in which they are summed.
#[derive(Default)]
pub(super) struct Sums {
    domain: Domain,
    /// The first node of each brick.
    table: Vec<u32>,
    /// The bricks that are in use.
    pub keys: Vec<u32>,
    nodes: Vec<Node>,
}

impl Sums {
    /// Forgets everything but the memory.
    pub fn clear(&mut self, domain: &Domain) {
        if self.domain != *domain {
            self.domain = *domain;
            self.table.clear();
            self.table.resize(domain.len(), NONE);
        }
        for key in self.keys.drain(..) {
            self.table[key as usize] = NONE;
        }
    }

    /// The sums of a brick.
    pub fn brick(&self, key: u32) -> Option<&[Node]> {
        let first = *self.table.get(key as usize)? as usize;
        self.nodes.get(first..first + NODES)
    }

    /// Makes room for the bricks that a cell reaches.
    #[cold]
    fn open(&mut self, spot: &Spot, lane: usize) -> [u32; 8] {
        for corner in 0..8 {
            let step = |axis: usize| (corner >> axis & 1) * spot.step[axis][lane];
            let key = (spot.first[lane] + step(0) + step(1) + step(2)) as usize / NODES;
            if self.table[key] != NONE {
                continue;
            }
            let first = self.keys.len() * NODES;
            self.table[key] = first as u32;
            self.keys.push(key as u32);
            match self.nodes.get_mut(first..first + NODES) {
                Some(nodes) => nodes.fill([0.0; 5]),
                None => self.nodes.resize(first + NODES, [0.0; 5]),
            }
        }
        nodes(&self.table, spot, lane)
    }

    /// Adds the free vertices of a block; `ROOM`: with the density at rest.
    #[inline(always)]
    pub fn add<const ROOM: bool>(&mut self, block: &Block<Row>, kind: &Kind, samples: &Samples) {
        for lane in 0..block.strands {
            let (mass, shares) = (f64::from(kind.mass.0[lane]), kind.shares[lane]);
            for i in block.pinned..block.counts[lane] {
                let p = &samples.momentum[i];
                let value = [
                    mass,
                    f64::from(p.x.0[lane]),
                    f64::from(p.y.0[lane]),
                    f64::from(p.z.0[lane]),
                ];
                let room = match ROOM {
                    true => f64::from(kind.room[i].0[lane]),
                    false => 0.0,
                };
                let first = i * kind.most;
                for spot in &samples.spots[first..first + shares] {
                    let mut at = nodes(&self.table, spot, lane);
                    if at.iter().fold(0, |all, at| all | at) & NONE != 0 {
                        at = self.open(spot, lane);
                    }
                    let w = weights(spot, lane);
                    for (w, at) in w.into_iter().zip(at) {
                        let w = f64::from(w);
                        let sums = &mut self.nodes[at as usize];
                        *sums = [
                            sums[0] + w * value[0],
                            sums[1] + w * value[1],
                            sums[2] + w * value[2],
                            sums[3] + w * value[3],
                            if ROOM { sums[4] + w * room } else { 0.0 },
                        ];
                    }
                }
            }
        }
    }
}
