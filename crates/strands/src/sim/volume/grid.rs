//! Density and velocity at the nodes of the bricks that hair is in, and what they
//! do to the hair there.

use super::{
    domain::{Domain, EDGE, NODES, OWN, shared},
    partial::{Nodes, PartialGrid},
    pressure::{BrickHair, Pressure, Push},
};
use rayon::prelude::*;

/// What the slope is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slope {
    /// Nothing.
    None,
    /// Pressure, where density is beyond that at rest.
    Excess,
    /// Density.
    Density,
}

/// What is done to each vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridForces {
    /// Share of the difference to the hair around it that a vertex loses.
    pub share: f32,
    /// What pushes.
    pub slope: Slope,
    /// Velocity gained down a slope of density, whatever the slope. `[m/s]`
    pub shift: f32,
    /// How hair pushes where it is denser than at rest.
    pub push: Push,
    /// Thinner hair is as sensitive to crowding as hair so dense at rest. `[m/m³]`
    pub thin: f32,
}

impl GridForces {
    /// Hair is only looked at: what it would gain is the velocity around it.
    pub const LOOK: Self = Self {
        share: 1.0,
        slope: Slope::None,
        shift: 0.0,
        push: Push {
            stiffness: 0.0,
            seconds: 1.0,
            most: 0.0,
        },
        thin: 0.0,
    };
}

/// A node: density `[m/m³]`, and the velocity that a vertex there gains, as three
/// numbers in the head's space. `[m/s]`
pub(super) type NodeValue = [f32; 4];

/// Where a [`NodeValue`] has the density.
pub(super) const DENSITY: usize = 0;

/// Bricks that one task works on at least.
const TOGETHER: usize = 32;

/// The finished grid. The first brick is an empty one.
#[derive(Default)]
pub(super) struct Grid {
    domain: Domain,
    /// Where each brick of the domain is; 0 where no hair is.
    table: Vec<u32>,
    /// Bricks with hair, in order.
    keys: Vec<u32>,
    /// What is there, at the bricks' own nodes.
    flows: Vec<[NodeValue; OWN]>,
    /// The density, where its slope is taken; else empty.
    field: Vec<[f32; OWN]>,
    /// Where crowded hair pushes.
    pressure: Pressure,
    /// The same at all nodes that a brick keeps.
    kept: Vec<Nodes>,
    /// The slope of the density at the bricks' own nodes and at all that they
    /// keep, where only its direction counts; else empty. `[m/m⁴]`
    slopes: Vec<[NodeValue; OWN]>,
    kept_slopes: Vec<Nodes>,
}

impl Grid {
    /// Brings the sums of all parts together.
    pub fn finish(&mut self, domain: &Domain, parts: &[PartialGrid], deed: &GridForces) {
        self.list(domain, parts);
        let bricks = self.keys.len() + 1;
        let direction = deed.slope == Slope::Density;
        let sloped = if direction { bricks } else { 0 };
        self.flows.resize(bricks, [[0.0; 4]; OWN]);
        self.kept.resize(bricks, [0.0; 4 * NODES]);
        self.field.resize(sloped, [0.0; OWN]);
        let flows = self.keys.par_iter().zip(&mut self.flows[1..]);
        let cells = (1.0 / domain.cell.powi(3)) as f32;
        let node = |[mass, x, y, z]: NodeValue| {
            // Smaller masses have no momentum either.
            let share = deed.share / mass.max(f32::MIN_POSITIVE);
            [mass * cells, x * share, y * share, z * share]
        };
        match deed.slope {
            Slope::None => flows.with_min_len(TOGETHER).for_each(|(key, flows)| {
                let (sums, _) = total::<false>(domain, parts, *key as usize);
                *flows = sums.map(node);
            }),
            Slope::Density => flows
                .zip(&mut self.field[1..])
                .with_min_len(TOGETHER)
                .for_each(|((key, flows), field)| {
                    let (sums, _) = total::<false>(domain, parts, *key as usize);
                    *flows = sums.map(node);
                    *field = flows.map(|flow| flow[DENSITY]);
                }),
            Slope::Excess => {
                self.pressure.resize(bricks);
                flows
                    .zip(&mut self.pressure.hair[1..])
                    .with_min_len(TOGETHER)
                    .for_each(|((key, flows), hair)| {
                        let (sums, rooms) = total::<true>(domain, parts, *key as usize);
                        *flows = sums.map(node);
                        note(hair, &sums, &rooms, cells, deed.thin);
                    });
            }
        }
        self.slopes.resize(sloped, [[0.0; 4]; OWN]);
        self.kept_slopes.resize(sloped, [0.0; 4 * NODES]);
        let (field, table) = (&self.field, &self.table);
        let around = |key: usize| slopes(domain, key, |key| &field[table[key] as usize]);
        if direction {
            let to = self.keys.par_iter().zip(&mut self.slopes[1..]);
            to.with_min_len(TOGETHER).for_each(|(key, to)| {
                let [x, y, z] = around(*key as usize);
                for (i, to) in to.iter_mut().enumerate() {
                    *to = [0.0, x[i], y[i], z[i]];
                }
            });
            keep(
                domain,
                &self.keys,
                table,
                &self.slopes,
                &mut self.kept_slopes,
            );
        } else if deed.slope == Slope::Excess {
            self.pressure.solve(domain, &self.keys, table, &deed.push);
            let pressure = &self.pressure;
            let to = self.flows[1..].par_iter_mut().enumerate();
            to.with_min_len(TOGETHER).for_each(|(at, flows)| {
                if let Some([x, y, z]) = pressure.gain(at + 1) {
                    for (i, flow) in flows.iter_mut().enumerate() {
                        flow[1] += x[i];
                        flow[2] += y[i];
                        flow[3] += z[i];
                    }
                }
            });
        }
        keep(domain, &self.keys, table, &self.flows, &mut self.kept);
    }

    /// Lists the bricks that the sums reach.
    fn list(&mut self, domain: &Domain, parts: &[PartialGrid]) {
        if self.domain != *domain {
            self.domain = *domain;
            self.table = vec![0; domain.len()];
            self.keys.clear();
        }
        for key in self.keys.drain(..) {
            self.table[key as usize] = 0;
        }
        for part in parts {
            for (key, reach) in part.keys.iter().zip(&part.reach).skip(1) {
                for corner in (0..8).filter(|corner| corner & !usize::from(*reach) == 0) {
                    let key = key + domain.neighbour(corner) as u32;
                    if self.table[key as usize] == 0 {
                        self.table[key as usize] = 1;
                        self.keys.push(key);
                    }
                }
            }
        }
        self.keys.sort_unstable();
        for (place, key) in self.keys.iter().enumerate() {
            self.table[*key as usize] = place as u32 + 1;
        }
    }

    /// What a brick keeps: density, and what vertices gain.
    #[inline(always)]
    pub fn kept(&self, key: usize) -> &Nodes {
        &self.kept[self.table[key] as usize]
    }

    /// The slope of the density at what a brick keeps, downwards.
    #[inline(always)]
    pub fn kept_slopes(&self, key: usize) -> &Nodes {
        &self.kept_slopes[self.table[key] as usize]
    }

    /// A node, counted from the corner of the domain; none where no hair is.
    pub fn node(&self, at: [i64; 3]) -> Option<NodeValue> {
        let (key, node) = self.domain.find(at)?;
        let brick = *self.table.get(key)? as usize;
        (brick > 0).then(|| self.flows[brick][node])
    }

    /// All bricks with hair.
    pub fn bricks(&self) -> &[[NodeValue; OWN]] {
        self.flows.get(1..).unwrap_or(&[])
    }
}

/// The sums of all parts at a brick's own nodes, which its neighbours have given
/// to as well; `ROOM`: with mass times density at rest.
#[inline(always)]
fn total<const ROOM: bool>(
    domain: &Domain,
    parts: &[PartialGrid],
    key: usize,
) -> ([NodeValue; OWN], [f32; OWN]) {
    let (mut total, mut all) = ([[0.0; 4]; OWN], [0.0; OWN]);
    for part in parts {
        for corner in 0..8 {
            let back = key.checked_sub(domain.neighbour(corner));
            let Some(brick) = back.and_then(|key| part.brick(key)) else {
                continue;
            };
            let (sums, rooms) = part.sums(brick);
            shared(corner, |kept, own, whole| {
                let to = total.as_flattened_mut();
                match whole {
                    true => add::<{ 4 * EDGE }>(to, 4 * own, sums, 4 * kept),
                    false => add::<4>(to, 4 * own, sums, 4 * kept),
                }
                match whole {
                    _ if !ROOM => {}
                    true => add::<EDGE>(&mut all, own, rooms, kept),
                    false => all[own] += rooms[kept],
                }
            });
        }
    }
    (total, all)
}

/// Notes what the hair at the nodes of a brick is like.
fn note(hair: &mut BrickHair, sums: &[NodeValue; OWN], rooms: &[f32; OWN], cells: f32, thin: f32) {
    for (i, [mass, momentum @ ..]) in sums.iter().enumerate() {
        let per_mass = 1.0 / mass.max(f32::MIN_POSITIVE);
        let rest = rooms[i] * per_mass;
        hair.mass[i] = *mass;
        hair.crowding[i] = (mass * cells - rest) / rest.max(thin);
        for (to, momentum) in hair.speed.iter_mut().zip(momentum) {
            to[i] = momentum * per_mass;
        }
    }
}

/// Adds `N` numbers.
#[inline(always)]
fn add<const N: usize>(to: &mut [f32], at: usize, from: &[f32], first: usize) {
    let to = to.get_mut(at..).and_then(|to| to.first_chunk_mut::<N>());
    let from = from.get(first..).and_then(|from| from.first_chunk::<N>());
    if let (Some(to), Some(from)) = (to, from) {
        for i in 0..N {
            to[i] += from[i];
        }
    }
}

/// Copies `N` numbers.
#[inline(always)]
fn copy<const N: usize>(to: &mut [f32], at: usize, from: &[f32], first: usize) {
    let to = to.get_mut(at..).and_then(|to| to.first_chunk_mut::<N>());
    let from = from.get(first..).and_then(|from| from.first_chunk::<N>());
    if let (Some(to), Some(from)) = (to, from) {
        *to = *from;
    }
}

/// Copies to each brick what it shares with its neighbours.
fn keep(
    domain: &Domain,
    keys: &[u32],
    table: &[u32],
    own: &[[NodeValue; OWN]],
    kept: &mut [Nodes],
) {
    let to = keys.par_iter().zip(&mut kept[1..]);
    to.with_min_len(TOGETHER).for_each(|(key, to)| {
        for corner in 0..8 {
            // Not even the last brick's neighbours are outside the domain.
            let neighbour = *key as usize + domain.neighbour(corner);
            let from = own[table[neighbour] as usize].as_flattened();
            shared(corner, |kept, own, whole| match whole {
                true => copy::<{ 4 * EDGE }>(to, 4 * kept, from, 4 * own),
                false => copy::<4>(to, 4 * kept, from, 4 * own),
            });
        }
    });
}

/// The slope of a field at each node of a brick by central differences,
/// downwards. Between nodes it is blended, so it has no jumps where a cell ends.
#[inline(always)]
fn slopes<'a>(
    domain: &Domain,
    key: usize,
    find: impl Fn(usize) -> &'a [f32; OWN],
) -> [[f32; OWN]; 3] {
    let (own, strides) = (find(key), domain.strides());
    let step = (0.5 / domain.cell) as f32;
    let mut slopes = [[0.0; OWN]; 3];
    for (axis, stride) in [EDGE * EDGE, EDGE, 1].into_iter().enumerate() {
        let (before, after) = (find(key - strides[axis]), find(key + strides[axis]));
        let far = (EDGE - 1) * stride;
        for (i, slope) in slopes[axis].iter_mut().enumerate() {
            let at = i / stride % EDGE;
            let low = match at {
                0 => before[i + far],
                _ => own[i - stride],
            };
            let high = match at + 1 {
                EDGE => after[i - far],
                _ => own[i + stride],
            };
            *slope = (low - high) * step;
        }
    }
    slopes
}
