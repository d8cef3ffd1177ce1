//! Which edges may touch within a step: found through cells of space.

use super::segment::closest_points;
use crate::{
    math::lanes::{F, Lane, V3},
    sim::solver::dispatch,
};
use glam::{UVec3, Vec3};
use rayon::prelude::*;

/// Edges that are looked at together. A fixed number, so that the order of what is
/// found does not depend on threads.
const CHUNK: usize = 512;

/// Edges are looked at in pieces of this length: cells as wide as the longest edge
/// would hold too many of the others. `[m]`
const PIECE: f32 = 0.004;

/// At most so many cells: where hair spreads wider they are larger.
const CELLS: f32 = 2e6;

/// Beyond the distance that is kept, a pair is taken in if it is nearer than this,
/// or as far as the edges approach in half a step, up to [`FARTHEST`]. `[m]`
const NEAREST: f64 = 5e-4;
const FARTHEST: f64 = 2e-3;

/// Share of their speed against each other by which edges may approach beside that
/// along the gap.
const SIDEWAYS: f64 = 0.25;

/// An edge half a step on.
#[derive(Clone, Copy, Debug)]
pub struct MovingEdge {
    /// Its inner vertex, counted over all strands.
    pub vertex: u32,
    /// Its strand.
    pub strand: u32,
    /// Its middle, and from there to its outer end. `[m]`
    pub middle: Vec3,
    pub half: Vec3,
    /// `[m/s]`
    pub velocity: Vec3,
}

/// Edges sorted into cells.
struct Cells {
    low: Vec3,
    per_metre: f32,
    size: UVec3,
    /// Where the edges of each cell begin.
    firsts: Vec<u32>,
    edges: Vec<MovingEdge>,
    /// Their middles, halves and velocities, number by number, with room for a whole
    /// lot behind the last.
    numbers: [Vec<f32>; 9],
}

impl Cells {
    fn new(edges: &[MovingEdge], width: f32) -> Self {
        let reach = |edge: &MovingEdge| (edge.middle, edge.middle);
        let (low, high) = edges
            .par_chunks(CHUNK)
            .map(|chunk| {
                chunk.iter().map(reach).fold(
                    (Vec3::INFINITY, Vec3::NEG_INFINITY),
                    |(low, high), (a, b)| (low.min(a), high.max(b)),
                )
            })
            .reduce(
                || (Vec3::INFINITY, Vec3::NEG_INFINITY),
                |a, b| (a.0.min(b.0), a.1.max(b.1)),
            );
        let mut width = width;
        let room = |width: f32| ((high - low) / width).floor() + Vec3::splat(3.0);
        while room(width).element_product() > CELLS {
            width *= 1.3;
        }
        let mut cells = Self {
            // One cell more on each side: neighbours need no check.
            low: low - Vec3::splat(width),
            per_metre: 1.0 / width,
            size: room(width).as_uvec3() + UVec3::ONE,
            firsts: Vec::new(),
            edges: Vec::new(),
            numbers: Default::default(),
        };
        let places: Vec<u32> = edges.par_iter().map(|edge| cells.place(edge)).collect();
        let mut firsts = vec![0u32; cells.size.element_product() as usize + 1];
        for place in &places {
            firsts[*place as usize + 1] += 1;
        }
        for i in 1..firsts.len() {
            firsts[i] += firsts[i - 1];
        }
        let mut next = firsts.clone();
        let mut order = vec![0u32; edges.len()];
        for (edge, place) in places.iter().enumerate() {
            order[next[*place as usize] as usize] = edge as u32;
            next[*place as usize] += 1;
        }
        cells.edges = order.par_iter().map(|edge| edges[*edge as usize]).collect();
        cells.firsts = firsts;
        for (which, numbers) in cells.numbers.iter_mut().enumerate() {
            numbers.resize(edges.len() + LOT, f32::MAX);
            let all = numbers.par_iter_mut().zip(&cells.edges);
            all.for_each(|(number, edge)| {
                let vectors = [edge.middle, edge.half, edge.velocity];
                *number = vectors[which / 3][which % 3];
            });
        }
        cells
    }

    fn place(&self, edge: &MovingEdge) -> u32 {
        let at = ((edge.middle - self.low) * self.per_metre).as_uvec3();
        let at = at.min(self.size - UVec3::ONE);
        (at.z * self.size.y + at.y) * self.size.x + at.x
    }

    /// The runs of edges that come after `edge`, which is number `i`, in its own
    /// cell and the 13 neighbours that follow it: each pair is met once.
    fn after(&self, edge: &MovingEdge, i: usize) -> [std::ops::Range<usize>; 5] {
        let cell = self.place(edge) as usize;
        let (row, slab) = (self.size.x as usize, (self.size.x * self.size.y) as usize);
        let run =
            |middle: usize| self.firsts[middle - 1] as usize..self.firsts[middle + 2] as usize;
        let own = i + 1..self.firsts[cell + 2] as usize;
        let above = cell + slab;
        [
            own,
            run(cell + row),
            run(above - row),
            run(above),
            run(above + row),
        ]
    }
}

impl MovingEdge {
    /// The same in pieces none of which is longer than `most`. `[m]`
    fn pieces(&self, most: f32) -> impl Iterator<Item = Self> + use<> {
        let count = (2.0 * self.half.length() / most).ceil().clamp(1.0, 64.0);
        let (edge, half) = (*self, self.half / count);
        (0..count as u32).map(move |i| Self {
            middle: edge.middle - edge.half + half * (2 * i + 1) as f32,
            half,
            ..edge
        })
    }
}

/// All pairs of edges of two strands that may come closer than `distance` within
/// `seconds`, by their inner vertices, the smaller first; in order. `[m]`, `[s]`
pub fn find_pairs(edges: &[MovingEdge], distance: f32, seconds: f32) -> Vec<(u32, u32)> {
    let pieces = edges.par_iter().flat_map_iter(|edge| edge.pieces(PIECE));
    let edges: &[MovingEdge] = &pieces.collect::<Vec<_>>();
    let longest = PIECE;
    if edges.is_empty() {
        return Vec::new();
    }
    let most = distance + (NEAREST + FARTHEST) as f32;
    let cells = Cells::new(edges, longest + most);
    // Middles of edges that touch are nearer than that, and nearer to the line
    // through the other edge than half an edge more.
    let (sphere, tube) = ((longest + most).powi(2), (0.5 * longest + most).powi(2));
    let found: Vec<Vec<(u32, u32)>> = (0..edges.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut found = Vec::new();
            dispatch::work(Search {
                cells: &cells,
                edges: chunk * CHUNK..((chunk + 1) * CHUNK).min(edges.len()),
                bounds: [sphere, tube],
                distance,
                seconds,
                found: &mut found,
            });
            found
        })
        .collect();
    let mut found = found.concat();
    // Two edges may meet with several of their pieces.
    found.par_sort_unstable();
    found.dedup();
    found
}

/// Candidates that are looked at together.
const LOT: usize = 16;

/// Finds the pairs of some edges.
struct Search<'a> {
    cells: &'a Cells,
    edges: std::ops::Range<usize>,
    bounds: [f32; 2],
    distance: f32,
    seconds: f32,
    found: &'a mut Vec<(u32, u32)>,
}

impl dispatch::Work for Search<'_> {
    #[inline(always)]
    fn run(mut self) {
        let cells = self.cells;
        let [sphere, tube] = self.bounds;
        let [x, y, z, ..] = &cells.numbers;
        let mut waiting = [0u32; 2 * LOT];
        for i in self.edges.clone() {
            let edge = &cells.edges[i];
            let (middle, along) = (edge.middle, edge.half.normalize_or_zero());
            let mut count = 0;
            for run in cells.after(edge, i) {
                for first in run.clone().step_by(LOT) {
                    let lot = first..first + LOT;
                    let (x, y, z) = (&x[lot.clone()], &y[lot.clone()], &z[lot]);
                    // How far each is out of bounds.
                    let mut out = [0.0f32; LOT];
                    for k in 0..LOT {
                        let (x, y, z) = (x[k] - middle.x, y[k] - middle.y, z[k] - middle.z);
                        let square = x * x + y * y + z * z;
                        let line = x * along.x + y * along.y + z * along.z;
                        let (far, aside) = (square - sphere, square - line * line - tube);
                        out[k] = if far > aside { far } else { aside };
                    }
                    let mut any = false;
                    for out in &out {
                        any |= *out <= 0.0;
                    }
                    if !any {
                        continue;
                    }
                    for (k, out) in out.iter().enumerate().take(run.end - first) {
                        if *out > 0.0 {
                            continue;
                        }
                        waiting[count] = (first + k) as u32;
                        count += usize::from(cells.edges[first + k].strand != edge.strand);
                    }
                    if count >= LOT {
                        self.take(edge, &waiting[..LOT]);
                        waiting.copy_within(LOT.., 0);
                        count -= LOT;
                    }
                }
            }
            self.take(edge, &waiting[..count]);
        }
    }
}

impl Search<'_> {
    /// Notes which of the edges `others`, a lot at most, may touch `edge`.
    #[inline(always)]
    fn take(&mut self, edge: &MovingEdge, others: &[u32]) {
        let mut lot = [Lot::splat(0.0); 9];
        for (lot, numbers) in lot.iter_mut().zip(&self.cells.numbers) {
            for (number, other) in lot.0.iter_mut().zip(others) {
                *number = numbers[*other as usize];
            }
        }
        let [x, y, z, a, b, c, u, v, w] = lot;
        let there = [
            V3 { x, y, z },
            V3 { x: a, y: b, z: c },
            V3 { x: u, y: v, z: w },
        ];
        let here = [edge.middle, edge.half, edge.velocity];
        let here = here.map(|v| V3::splat(v.to_array().map(f64::from)));
        let out = beyond(&here, &there, self.distance, self.seconds);
        for (other, out) in others.iter().zip(out.0) {
            if out < 0.0 {
                let (a, b) = (edge.vertex, self.cells.edges[*other as usize].vertex);
                self.found.push((a.min(b), a.max(b)));
            }
        }
    }
}

/// Many edges side by side.
type Lot = F<LOT>;

/// How much too far the edges are to come closer than `distance` within `seconds`;
/// negative where they may. Each is given by its middle, its half and its velocity.
/// `[m²]`
#[inline(always)]
fn beyond<T: Lane>(a: &[V3<T>; 3], b: &[V3<T>; 3], distance: f32, seconds: f32) -> T {
    let two = T::splat(2.0);
    let apart = (a[0] - a[1]) - (b[0] - b[1]);
    let (edge_a, edge_b) = (a[1].scale(two), b[1].scale(two));
    let [s, t] = closest_points(apart, edge_a, edge_b).share;
    let gap = apart + edge_a.scale(s) - edge_b.scale(t);
    let square = gap.dot(gap);
    // They approach or part by that, and may turn on the way.
    let velocity = a[2] - b[2];
    let straight = velocity.dot(gap).abs() / (square + T::splat(1e-14)).sqrt();
    let speed = velocity.dot(velocity).sqrt();
    let approach = straight + speed * T::splat(SIDEWAYS);
    let approach = approach * T::splat(0.5 * f64::from(seconds));
    let reach = approach.min(T::splat(FARTHEST)) + T::splat(f64::from(distance) + NEAREST);
    square - reach * reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::signed;

    #[test]
    fn every_pair_that_is_near_is_found_once() {
        let edges: Vec<MovingEdge> = (0..900)
            .map(|i| {
                let draw = |what: u64| signed(what, i);
                let vector = |what: u64| Vec3::new(draw(what), draw(what + 1), draw(what + 2));
                MovingEdge {
                    vertex: i as u32,
                    strand: i as u32 / 3,
                    middle: 0.03 * vector(1),
                    half: 0.008 * vector(4).normalize_or(Vec3::X),
                    velocity: 0.5 * vector(7),
                }
            })
            .collect();
        let found = find_pairs(&edges, 1e-3, 1.0 / 60.0);
        let mut all = Vec::new();
        for (i, a) in edges.iter().enumerate() {
            for b in &edges[i + 1..] {
                let pieces = a
                    .pieces(PIECE)
                    .flat_map(|a| b.pieces(PIECE).map(move |b| (a, b)));
                let near = |(a, b): (MovingEdge, MovingEdge)| {
                    let [a, b] = [a, b].map(|edge| {
                        [edge.middle, edge.half, edge.velocity].map(|v| V3 {
                            x: v.x,
                            y: v.y,
                            z: v.z,
                        })
                    });
                    beyond(&a, &b, 1e-3, 1.0 / 60.0) < 0.0
                };
                if a.strand != b.strand && pieces.into_iter().any(near) {
                    all.push((a.vertex, b.vertex));
                }
            }
        }
        assert!(all.len() > 100, "{} pairs", all.len());
        assert_eq!(found, all);
    }
}
