//! Which edges may touch within a substep: found through cells of space.

use super::segment::closest_points;
use crate::{
    math::lanes::{F, Lane, V3},
    sim::solver::dispatch,
};
use glam::{UVec3, Vec3};
use rayon::prelude::*;

/// Pieces that are looked at together. A fixed number, so that the order of what is
/// found does not depend on threads.
const CHUNK: usize = 512;

/// Edges are looked at in pieces no longer than this: cells as wide as the longest edge
/// would hold too many of the others, and of short pieces there are too many. `[m]`
const PIECE: f32 = 0.008;

/// At most so many cells: where hair spreads wider they are larger.
const CELLS: f32 = 2e6;

/// Beyond the distance that is kept, a pair is taken in if half-way through the
/// substep it is nearer than this, or as far as the edges approach in half of it, up
/// to [`FARTHEST`]: strands that meet faster than 0.6 m/s may pass through one another
/// in a substep of 8 ms. `[m]`
const NEAREST: f64 = 5e-4;
const FARTHEST: f64 = 2.5e-3;

/// Share of their motion against each other by which edges may approach beside that
/// along the gap.
const SIDEWAYS: f64 = 0.25;

/// Middle, half and motion of an edge, half-way through the substep. `[m]`
type MovingEdge = [Vec3; 3];

/// The edges of all strands in a substep, each by its inner vertex.
#[derive(Clone, Copy, Debug)]
pub struct MovingEdges<'a> {
    /// Where the vertices were when it began. `[m]`
    pub start: &'a [Vec3],
    /// How far they move by themselves. `[m]`
    pub moved: &'a [Vec3],
    /// The strand of each.
    pub strands: &'a [u32],
}

impl MovingEdges<'_> {
    /// The edge that begins at `vertex`; none where that is its strand's last.
    fn edge(&self, vertex: usize) -> Option<MovingEdge> {
        let strand = self.strands[vertex];
        (self.strands.get(vertex + 1) == Some(&strand)).then(|| {
            let moved = [self.moved[vertex], self.moved[vertex + 1]];
            let [a, b] = [0, 1].map(|k| self.start[vertex + k] + moved[k] * 0.5);
            [(a + b) * 0.5, (b - a) * 0.5, (moved[0] + moved[1]) * 0.5]
        })
    }
}

/// A piece of an edge.
#[derive(Clone, Copy, Debug)]
struct Piece {
    middle: Vec3,
    vertex: u32,
    strand: u32,
    /// Which piece it is, of how many.
    number: u16,
    count: u16,
}

impl Piece {
    /// Whether it has the point at that share of its edge.
    fn has(&self, share: f32) -> bool {
        let at = (share * f32::from(self.count)) as u16;
        at.min(self.count - 1) == self.number
    }
}

/// Pieces of edges sorted into cells.
struct Cells {
    low: Vec3,
    per_metre: f32,
    size: UVec3,
    /// Where the pieces of each cell begin.
    firsts: Vec<u32>,
    pieces: Vec<Piece>,
    /// Their middles and motions, number by number, with room for a whole lot behind the
    /// last.
    numbers: [Vec<f32>; 6],
}

impl Cells {
    fn new(pieces: &[Piece], edges: &[MovingEdge], width: f32) -> Self {
        let (low, high) = pieces
            .par_chunks(CHUNK)
            .map(|chunk| {
                let places = chunk.iter().map(|piece| piece.middle);
                places.fold(
                    (Vec3::INFINITY, Vec3::NEG_INFINITY),
                    |(low, high), place| (low.min(place), high.max(place)),
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
            pieces: Vec::new(),
            numbers: Default::default(),
        };
        let places: Vec<u32> = pieces.par_iter().map(|piece| cells.place(piece)).collect();
        let mut firsts = vec![0u32; cells.size.element_product() as usize + 1];
        for place in &places {
            firsts[*place as usize + 1] += 1;
        }
        for i in 1..firsts.len() {
            firsts[i] += firsts[i - 1];
        }
        let mut next = firsts.clone();
        let mut order = vec![0u32; pieces.len()];
        for (piece, place) in places.iter().enumerate() {
            order[next[*place as usize] as usize] = piece as u32;
            next[*place as usize] += 1;
        }
        cells.pieces = order.par_iter().map(|i| pieces[*i as usize]).collect();
        cells.firsts = firsts;
        let all = &cells.pieces;
        cells
            .numbers
            .par_iter_mut()
            .enumerate()
            .for_each(|(which, numbers)| {
                numbers.extend(all.iter().map(|piece| match which {
                    0..3 => piece.middle[which],
                    _ => edges[piece.vertex as usize][2][which - 3],
                }));
                numbers.resize(pieces.len() + LOT, 0.0);
            });
        cells
    }

    fn place(&self, piece: &Piece) -> u32 {
        let at = ((piece.middle - self.low) * self.per_metre).as_uvec3();
        let at = at.min(self.size - UVec3::ONE);
        (at.z * self.size.y + at.y) * self.size.x + at.x
    }

    /// The runs of pieces that come after number `i` in its own cell and the 13
    /// neighbours that follow it: each pair is met once.
    fn after(&self, i: usize) -> [std::ops::Range<usize>; 5] {
        let cell = self.place(&self.pieces[i]) as usize;
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

/// All pairs of edges of two strands that may come closer than `distance` in the
/// substep, by their inner vertices, the smaller first; each once, in an order that
/// does not depend on threads. `[m]`
pub fn find_pairs(edges: &MovingEdges, distance: f32) -> Vec<(u32, u32)> {
    let vertices = 0..edges.start.len();
    let moving = |vertex| edges.edge(vertex).unwrap_or_default();
    let all: Vec<MovingEdge> = vertices.clone().into_par_iter().map(moving).collect();
    let pieces = vertices
        .into_par_iter()
        .with_min_len(CHUNK)
        .flat_map_iter(|vertex| {
            let [middle, half, _] = all[vertex];
            let strand = edges.strands[vertex];
            let count = match edges.strands.get(vertex + 1) == Some(&strand) {
                true => (2.0 * half.length() / PIECE).ceil().clamp(1.0, 64.0) as u16,
                false => 0,
            };
            let step = half / f32::from(count.max(1));
            (0..count).map(move |number| Piece {
                middle: middle - half + step * f32::from(2 * number + 1),
                vertex: vertex as u32,
                strand,
                number,
                count,
            })
        });
    let pieces: Vec<Piece> = pieces.collect();
    if pieces.is_empty() {
        return Vec::new();
    }
    // Not even the fastest two approach by more.
    let fastest = all.iter().map(|[_, _, moved]| moved.length_squared());
    let fastest = 2.0 * fastest.fold(0.0, f32::max).sqrt();
    let most = distance + NEAREST as f32 + farthest(fastest);
    let cells = Cells::new(&pieces, &all, PIECE + most);
    let found: Vec<Vec<(u32, u32)>> = (0..pieces.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut found = Vec::new();
            dispatch::work(Search {
                cells: &cells,
                edges: &all,
                pieces: chunk * CHUNK..((chunk + 1) * CHUNK).min(pieces.len()),
                distance,
                found: &mut found,
            });
            found
        })
        .collect();
    found.concat()
}

/// The most by which edges approach in half a substep that move so far against each
/// other in all of it. `[m]`
#[inline(always)]
fn farthest(way: f32) -> f32 {
    (0.5 * (1.0 + SIDEWAYS as f32) * way).min(FARTHEST as f32)
}

/// Candidates that are looked at together.
const LOT: usize = 16;

/// Finds the pairs of some pieces.
struct Search<'a> {
    cells: &'a Cells,
    edges: &'a [MovingEdge],
    pieces: std::ops::Range<usize>,
    distance: f32,
    found: &'a mut Vec<(u32, u32)>,
}

impl dispatch::Work for Search<'_> {
    #[inline(always)]
    fn run(mut self) {
        let cells = self.cells;
        let [x, y, z, u, v, w] = &cells.numbers;
        let near = self.distance + NEAREST as f32;
        let mut waiting = [0u32; 2 * LOT];
        for i in self.pieces.clone() {
            let piece = &cells.pieces[i];
            let [_, half, moved] = self.edges[piece.vertex as usize];
            let (middle, along) = (piece.middle, half.normalize_or_zero());
            let mut count = 0;
            for run in cells.after(i) {
                for first in run.clone().step_by(LOT) {
                    let lot = first..first + LOT;
                    let (x, y, z) = (&x[lot.clone()], &y[lot.clone()], &z[lot.clone()]);
                    let (u, v, w) = (&u[lot.clone()], &v[lot.clone()], &w[lot]);
                    // How far each is out of bounds: middles of pieces that may touch
                    // are nearer than a piece and `most`, and nearer to the line through
                    // the other piece than half a piece and that.
                    let mut out = [0.0f32; LOT];
                    for k in 0..LOT {
                        let (u, v, w) = (u[k] - moved.x, v[k] - moved.y, w[k] - moved.z);
                        let most = near + farthest((u * u + v * v + w * w).sqrt());
                        let (x, y, z) = (x[k] - middle.x, y[k] - middle.y, z[k] - middle.z);
                        let square = x * x + y * y + z * z;
                        let line = x * along.x + y * along.y + z * along.z;
                        let (sphere, tube) = (PIECE + most, 0.5 * PIECE + most);
                        let far = square - sphere * sphere;
                        let aside = square - line * line - tube * tube;
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
                        count += usize::from(cells.pieces[first + k].strand != piece.strand);
                    }
                    if count >= LOT {
                        self.take(i, &waiting[..LOT]);
                        waiting.copy_within(LOT.., 0);
                        count -= LOT;
                    }
                }
            }
            self.take(i, &waiting[..count]);
        }
    }
}

impl Search<'_> {
    /// Notes which of the pieces `others`, a lot at most, may touch piece `i`, and have
    /// the points where their edges are nearest to each other.
    #[inline(always)]
    fn take(&mut self, i: usize, others: &[u32]) {
        let piece = |i: u32| &self.cells.pieces[i as usize];
        let own = piece(i as u32);
        let here = self.edges[own.vertex as usize].map(|v| V3::splat(v.to_array().map(f64::from)));
        let mut there = [V3::<Lot>::zero(); 3];
        let mut first = Lot::splat(0.0);
        for (k, other) in others.iter().enumerate() {
            let vertex = piece(*other).vertex;
            for (lot, v) in there.iter_mut().zip(&self.edges[vertex as usize]) {
                (lot.x.0[k], lot.y.0[k], lot.z.0[k]) = (v.x, v.y, v.z);
            }
            first.0[k] = if vertex < own.vertex { 1.0 } else { 0.0 };
        }
        let (out, [s, t]) = ordered(&here, &there, first, self.distance);
        for (k, other) in others.iter().enumerate() {
            if out.0[k] < 0.0 {
                let other = piece(*other);
                let (a, b) = match other.vertex < own.vertex {
                    true => (other, own),
                    false => (own, other),
                };
                if a.has(s.0[k]) && b.has(t.0[k]) {
                    self.found.push((a.vertex, b.vertex));
                }
            }
        }
    }
}

/// Many edges side by side.
type Lot = F<LOT>;

/// As [`beyond`], of `b` and `a` where `swapped` is one: edges must always come in the
/// same order, for what is found must not depend on the pieces that found it.
#[inline(always)]
fn ordered<T: Lane>(a: &[V3<T>; 3], b: &[V3<T>; 3], swapped: T, distance: f32) -> (T, [T; 2]) {
    let either = |a: T, b: T| T::splat(0.5).less(swapped, b, a);
    let mix = |a: &V3<T>, b: &V3<T>| V3 {
        x: either(a.x, b.x),
        y: either(a.y, b.y),
        z: either(a.z, b.z),
    };
    let first = [mix(&a[0], &b[0]), mix(&a[1], &b[1]), mix(&a[2], &b[2])];
    let second = [mix(&b[0], &a[0]), mix(&b[1], &a[1]), mix(&b[2], &a[2])];
    beyond(&first, &second, distance)
}

/// How much too far the edges are to come closer than `distance` in the substep;
/// negative where they may. Each is given half-way by its middle, its half and its
/// motion. Beside it, where along the edges they are nearest. `[m²]`
#[inline(always)]
fn beyond<T: Lane>(a: &[V3<T>; 3], b: &[V3<T>; 3], distance: f32) -> (T, [T; 2]) {
    let two = T::splat(2.0);
    let apart = (a[0] - a[1]) - (b[0] - b[1]);
    let (edge_a, edge_b) = (a[1].scale(two), b[1].scale(two));
    let [s, t] = closest_points(apart, edge_a, edge_b).share;
    let gap = apart + edge_a.scale(s) - edge_b.scale(t);
    let square = gap.dot(gap);
    // They approach or part by that, and may turn on the way.
    let motion = a[2] - b[2];
    let straight = motion.dot(gap).abs() / (square + T::splat(1e-14)).sqrt();
    let way = motion.dot(motion).sqrt();
    let approach = (straight + way * T::splat(SIDEWAYS)) * T::splat(0.5);
    let reach = approach.min(T::splat(FARTHEST)) + T::splat(f64::from(distance) + NEAREST);
    (square - reach * reach, [s, t])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::signed;

    #[test]
    fn every_pair_that_is_near_is_found_once() {
        // Strands of two edges.
        let (mut start, mut moved, mut strands) = (Vec::new(), Vec::new(), Vec::new());
        for strand in 0..300u64 {
            let draw = |what: u64| signed(what, strand);
            let vector = |what: u64| Vec3::new(draw(what), draw(what + 1), draw(what + 2));
            let middle = 0.03 * vector(1);
            for (k, along) in [vector(4), Vec3::ZERO, vector(7)].into_iter().enumerate() {
                start.push(middle + 0.016 * along.normalize_or_zero());
                moved.push(2e-3 * vector(10 + 3 * k as u64));
                strands.push(strand as u32);
            }
        }
        let edges = MovingEdges {
            start: &start,
            moved: &moved,
            strands: &strands,
        };
        let mut found = find_pairs(&edges, 1e-3);
        found.sort_unstable();
        let mut all = Vec::new();
        for a in 0..start.len() {
            for b in a + 1..start.len() {
                let (Some(here), Some(there)) = (edges.edge(a), edges.edge(b)) else {
                    continue;
                };
                let [here, there] = [here, there].map(|edge| {
                    edge.map(|v| V3 {
                        x: v.x,
                        y: v.y,
                        z: v.z,
                    })
                });
                let near = beyond(&here, &there, 1e-3).0 < 0.0;
                if strands[a] != strands[b] && near {
                    all.push((a as u32, b as u32));
                }
            }
        }
        assert!(all.len() > 100, "{} pairs", all.len());
        assert_eq!(found, all);
    }
}
