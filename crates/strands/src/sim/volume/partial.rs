//! Sums of mass and momentum over the nodes of the bricks that hair is in: one
//! part of the hair.

use super::{
    anchor::GridAnchor,
    domain::{Domain, EDGE, NODES, ROW},
    layout::SampleLayout,
    weights::Vertices,
};
use crate::{
    math::lanes::Lane,
    sim::state::{Block, Row},
};

/// What a brick's nodes are given: mass and momentum of each.
pub(super) type Nodes = [f32; 4 * NODES];

/// Sums at the nodes of some bricks, in the order of the hair.
#[derive(Default)]
pub(super) struct PartialGrid {
    domain: Domain,
    /// Where each brick of the domain is, 0 where there is none. Zeros need no
    /// memory until one is written there.
    table: Vec<u32>,
    /// The bricks that are in use; the first one stands for none.
    pub keys: Vec<u32>,
    /// Mass `[m]`, as length of ordinary hair, and momentum `[m²/s]`.
    nodes: Vec<Nodes>,
    /// Mass times the density that it had at rest.
    rooms: Vec<[f32; NODES]>,
    /// Along which axes each brick's hair reaches the next one: x is bit 2, as in
    /// the number of a corner.
    pub reach: Vec<u8>,
}

impl PartialGrid {
    /// Forgets everything but the memory.
    pub fn clear(&mut self, domain: &Domain) {
        if self.domain != *domain {
            self.domain = *domain;
            self.table = vec![0; domain.len()];
            self.keys.clear();
        }
        for key in self.keys.drain(..) {
            self.table[key as usize] = 0;
        }
        self.keys.push(0);
    }

    /// Where a brick is.
    #[inline(always)]
    pub fn brick(&self, key: usize) -> Option<usize> {
        match self.table.get(key) {
            None | Some(0) => None,
            Some(brick) => Some(*brick as usize),
        }
    }

    /// The sums of a brick, and its mass times density at rest.
    #[inline(always)]
    pub fn sums(&self, brick: usize) -> (&Nodes, &[f32; NODES]) {
        (&self.nodes[brick], &self.rooms[brick])
    }

    /// Makes room for a brick.
    #[cold]
    #[inline(never)]
    fn open(&mut self, key: usize) -> usize {
        let brick = self.keys.len();
        self.table[key] = brick as u32;
        self.keys.push(key as u32);
        if self.nodes.len() <= brick {
            self.nodes.resize(brick + 1, [0.0; 4 * NODES]);
            self.rooms.resize(brick + 1, [0.0; NODES]);
        }
        self.nodes[brick].fill(0.0);
        self.rooms[brick].fill(0.0);
        brick
    }

    /// Adds the free vertices of a block; `ROOM`: with the density at rest;
    /// `REST`: as their rest curves lie.
    #[inline(always)]
    pub fn add<const ROOM: bool, const REST: bool>(
        &mut self,
        block: &Block<Row>,
        kind: &SampleLayout,
        anchor: &GridAnchor<Row>,
    ) {
        for run in kind.free_runs(block) {
            let rows = kind.rows(block, run);
            let vertices = Vertices::new::<REST>((block, kind, anchor), rows);
            let mass = vertices.mass;
            let momentum = vertices.speed.scale(mass);
            let room = if ROOM {
                kind.room[run] * mass
            } else {
                Row::zero()
            };
            for k in 0..kind.most {
                let spots = vertices.spots::<REST>((block, kind, anchor), run, k);
                for lane in kind.lanes(run, k) {
                    let key = spots.key(lane);
                    let brick = match self.brick(key) {
                        Some(brick) => brick,
                        None => self.open(key),
                    };
                    let value = [
                        mass.0[lane],
                        momentum.x.0[lane],
                        momentum.y.0[lane],
                        momentum.z.0[lane],
                    ];
                    spots.add(lane, value, &mut self.nodes[brick]);
                    if ROOM {
                        spots.add_one(lane, room.0[lane], &mut self.rooms[brick]);
                    }
                }
            }
        }
    }

    /// Notes where bricks reach their neighbours' nodes.
    pub fn close(&mut self) {
        let nodes = self.nodes.iter().take(self.keys.len());
        self.reach.clear();
        self.reach.extend(nodes.map(|nodes| {
            let mass = |x: usize, y: usize, z: usize| nodes[4 * ((x * ROW + y) * ROW + z)];
            let mut faces = [0.0; 3];
            for a in 0..ROW {
                for b in 0..ROW {
                    faces[0] += mass(a, b, EDGE);
                    faces[1] += mass(a, EDGE, b);
                    faces[2] += mass(EDGE, a, b);
                }
            }
            let bit = |axis: usize| u8::from(faces[axis] > 0.0) << axis;
            bit(0) | bit(1) | bit(2)
        }));
    }
}
