//! Density and velocity at the nodes of the bricks that hair is in, and the
//! slope that pushes crowded hair apart.

use super::{
    domain::{Domain, nodes},
    sample::{EDGE, NODES, Spot, weights},
    sums::{Node, Sums},
};
use rayon::prelude::*;

/// From quanta to numbers with units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Units {
    /// Velocity of one quantum of momentum over one of mass. `[m/s]`
    pub velocity: f64,
    /// Density of one quantum of mass, weighed by 64³. `[m/m³]`
    pub density: f64,
    /// Density at rest of one quantum of room over one of mass. `[m/m³]`
    pub room: f64,
    /// Length of a cell. `[m]`
    pub cell: f64,
}

/// What the slope is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slope {
    /// Nothing.
    None,
    /// Density beyond that at rest.
    Excess,
    /// Density.
    Density,
}

/// A node: velocity relative to the head `[m/s]`, the slope, downwards
/// `[m/m⁴]`, both in the head's space, and density `[m/m³]`.
pub(super) type Blend = [f32; 8];

/// Where a [`Blend`] has the slope.
pub(super) const SLOPE: usize = 3;

/// Where it has the density.
pub(super) const DENSITY: usize = 6;

/// The finished grid. The first brick is an empty one.
#[derive(Default)]
pub(super) struct Grid {
    domain: Domain,
    /// The first node of each brick; 0 where no hair is.
    table: Vec<u32>,
    /// Bricks with hair, in order.
    keys: Vec<u32>,
    nodes: Vec<[Blend; NODES]>,
    /// What the slope is taken of.
    field: Vec<[f32; NODES]>,
}

impl Grid {
    /// Brings the sums of all threads together.
    pub fn finish(&mut self, domain: &Domain, parts: &[Sums], units: Units, slope: Slope) {
        if self.domain != *domain {
            self.domain = *domain;
            self.table.clear();
            self.table.resize(domain.len(), 0);
        }
        for key in self.keys.drain(..) {
            self.table[key as usize] = 0;
        }
        self.keys.extend(parts.iter().flat_map(|part| &part.keys));
        self.keys.sort_unstable();
        self.keys.dedup();
        for (place, key) in self.keys.iter().enumerate() {
            self.table[*key as usize] = ((place + 1) * NODES) as u32;
        }
        let bricks = self.keys.len() + 1;
        self.nodes.resize(bricks, [[0.0; 8]; NODES]);
        let sloped = slope != Slope::None;
        self.field
            .resize(if sloped { bricks } else { 0 }, [0.0; NODES]);
        if let Some(empty) = self.field.first_mut() {
            *empty = [0.0; NODES];
        }
        let pairs = self.keys.par_iter().zip(&mut self.nodes[1..]);
        if !sloped {
            pairs.with_min_len(32).for_each(|(key, nodes)| {
                flow(&total(parts, *key), units, nodes);
            });
            return;
        }
        let pairs = pairs.zip(&mut self.field[1..]).with_min_len(32);
        pairs.for_each(|((key, nodes), field)| {
            let total = total(parts, *key);
            flow(&total, units, nodes);
            for ((field, node), total) in field.iter_mut().zip(nodes).zip(&total) {
                *field = match slope {
                    Slope::Excess => {
                        let rest = total[4] * (units.room / total[0].max(1.0));
                        (node[DENSITY] - rest as f32).max(0.0)
                    }
                    _ => node[DENSITY],
                };
            }
        });
        let (field, table, strides) = (&self.field, &self.table, domain.strides());
        let step = (0.5 / units.cell) as f32;
        let pairs = self.keys.par_iter().zip(&mut self.nodes[1..]);
        pairs.with_min_len(32).for_each(|(key, nodes)| {
            let find = |key: usize| &field[table[key] as usize / NODES];
            slopes(find, *key as usize, strides, step, nodes);
        });
    }

    /// Velocity and, where wanted, slope between the nodes around a place, times
    /// 64³.
    #[inline(always)]
    pub fn blend<const SLOPED: bool>(&self, spot: &Spot, lane: usize, sum: &mut Blend) {
        let w = weights(spot, lane);
        let around = nodes(&self.table, spot, lane);
        let all = self.nodes.as_flattened();
        for (w, at) in w.into_iter().zip(around) {
            let node = &all[at as usize];
            for c in 0..if SLOPED { DENSITY } else { SLOPE } {
                sum[c] += w * node[c];
            }
        }
    }

    /// The largest density of the nodes around a place. `[m/m³]`
    pub fn densest(&self, spot: &Spot, lane: usize) -> f32 {
        let w = weights(spot, lane);
        let around = nodes(&self.table, spot, lane);
        let near = w.into_iter().zip(around).filter(|(w, _)| *w > 0.0);
        near.fold(0.0, |most, (_, at)| {
            most.max(self.nodes.as_flattened()[at as usize][DENSITY])
        })
    }

    /// A node, counted from the corner of the domain; none where no hair is.
    pub fn node(&self, at: [i64; 3]) -> Option<Blend> {
        let (key, node) = self.domain.find(at)?;
        let first = *self.table.get(key)? as usize;
        (first > 0).then(|| self.nodes[first / NODES][node])
    }

    /// All bricks with hair.
    pub fn bricks(&self) -> &[[Blend; NODES]] {
        self.nodes.get(1..).unwrap_or(&[])
    }
}

/// The sums of all threads at the nodes of one brick.
#[inline(always)]
fn total(parts: &[Sums], key: u32) -> [Node; NODES] {
    let mut total = [[0.0; 5]; NODES];
    for nodes in parts.iter().filter_map(|part| part.brick(key)) {
        for (sum, node) in total.iter_mut().zip(nodes) {
            for (sum, value) in sum.iter_mut().zip(node) {
                *sum += value;
            }
        }
    }
    total
}

#[inline(always)]
fn flow(total: &[Node; NODES], units: Units, nodes: &mut [Blend; NODES]) {
    for (to, node) in nodes.iter_mut().zip(total) {
        let scale = units.velocity / node[0].max(1.0);
        *to = [
            (node[1] * scale) as f32,
            (node[2] * scale) as f32,
            (node[3] * scale) as f32,
            0.0,
            0.0,
            0.0,
            (node[0] * units.density) as f32,
            0.0,
        ];
    }
}

/// The slope at each node of a brick by central differences, downwards: between
/// nodes it is blended, so it has no jumps where a cell ends.
#[inline(always)]
fn slopes<'a>(
    find: impl Fn(usize) -> &'a [f32; NODES],
    key: usize,
    strides: [usize; 3],
    step: f32,
    nodes: &mut [Blend; NODES],
) {
    let own = find(key);
    for (axis, stride) in [EDGE * EDGE, EDGE, 1].into_iter().enumerate() {
        let (before, after) = (find(key - strides[axis]), find(key + strides[axis]));
        let far = (EDGE - 1) * stride;
        for (i, node) in nodes.iter_mut().enumerate() {
            let at = i / stride % EDGE;
            let low = if at == 0 {
                before[i + far]
            } else {
                own[i - stride]
            };
            let high = if at + 1 == EDGE {
                after[i - far]
            } else {
                own[i + stride]
            };
            node[SLOPE + axis] = (low - high) * step;
        }
    }
}
