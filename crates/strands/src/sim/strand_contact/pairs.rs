//! Which edges may touch within a substep: found through cells of space.

#[cfg(test)]
mod tests;

use super::{
    edges::{BATCH, EdgeNumbers, EdgeRows, Edges, lanes},
    half_way::{FARTHEST, HalfWay, NEAREST, SIDEWAYS, farthest, number},
    law::{EdgeMotion, PairContact},
};
use crate::math::{
    instructions::Instructions,
    lanes::{Lane, V3, set_bits},
    work::{LaneWork, lane_work},
};
use glam::{UVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Pieces that are looked at together. A fixed number, so that the order of what is
/// found does not depend on threads.
const CHUNK: usize = 512;

/// Longer edges are looked at in pieces: cells as wide as the longest edge would hold
/// too many of the others. `[m]`
const PIECE: f32 = 0.016;

/// At most so many cells: where hair spreads wider they are larger.
const CELLS: f32 = 2e6;

/// A piece of an edge.
#[derive(Clone, Copy, Debug)]
struct Piece {
    middle: Vec3,
    half: Vec3,
    /// How far its edge goes in the substep. `[m]`
    moved: Vec3,
    vertex: u32,
    strand: u32,
    /// Which piece it is, of how many.
    number: u16,
    count: u16,
    /// The margin around it. `[m]`
    margin: f32,
}

impl Piece {
    /// Whether it has the point at that share of its edge.
    #[inline(always)]
    fn has(&self, share: f64) -> bool {
        let at = (share * f64::from(self.count)) as u16;
        self.count == 1 || at.min(self.count - 1) == self.number
    }

    /// The pieces of the edge at that vertex, half-way through the substep.
    fn of(edges: &Edges, vertex: usize, margin: f32) -> impl Iterator<Item = Self> {
        let [a, b] = match edges.is_edge(vertex) {
            true => [vertex, vertex + 1],
            false => [vertex; 2],
        }
        .map(|vertex| edges.vertices[vertex].start + edges.vertices[vertex].moved * 0.5);
        let (middle, half) = ((a + b) * 0.5, (b - a) * 0.5);
        let next = (vertex + 1).min(edges.vertices.len() - 1);
        let moved = (edges.vertices[vertex].moved + edges.vertices[next].moved) * 0.5;
        // What is not finite is nowhere.
        let is_somewhere = middle.is_finite() && half.is_finite();
        let count = match edges.is_edge(vertex) && is_somewhere {
            true => (2.0 * half.length() / PIECE).ceil().clamp(1.0, 64.0) as u16,
            false => 0,
        };
        let half = half / f32::from(count.max(1));
        let strand = edges.strands[vertex];
        (0..count).map(move |number| Self {
            middle: middle + half * (f32::from(2 * number + 1) - f32::from(count)),
            half,
            moved,
            vertex: vertex as u32,
            strand,
            number,
            count,
            margin,
        })
    }
}

/// Numbers of a piece that many are looked at by: middle, half, size, motion, margin.
const NUMBERS: usize = 13;
const MARGIN: usize = 12;

/// Pieces of edges sorted into cells.
struct Cells {
    low: Vec3,
    per_metre: f32,
    size: UVec3,
    /// Where the pieces of each cell begin.
    firsts: Vec<u32>,
    pieces: Vec<Piece>,
    /// Their numbers, one after the other, with room for a whole batch behind the last.
    numbers: [Vec<f32>; NUMBERS],
    /// The edges that they are of: what is looked at together lies close together here.
    edges: Vec<EdgeNumbers>,
}

impl Cells {
    fn new(pieces: &[Piece], edges: &Edges, width: f32) -> Self {
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
        let room = |width: f32| (((high - low) / width).floor() + Vec3::ONE).max(Vec3::ONE);
        while room(width).element_product() > CELLS {
            width *= 1.3;
        }
        let mut cells = Self {
            low,
            per_metre: 1.0 / width,
            size: room(width).as_uvec3(),
            firsts: Vec::new(),
            pieces: Vec::new(),
            numbers: Default::default(),
            edges: Vec::new(),
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
        let of = |piece: &Piece| edges.numbers(piece.vertex as usize);
        cells.edges = cells.pieces.par_iter().map(of).collect();
        // Some pieces after the others: all of their numbers while they are near.
        for pieces in cells.pieces.chunks(CHUNK) {
            for (which, numbers) in cells.numbers.iter_mut().enumerate() {
                let axis = which % 3;
                match which / 3 {
                    0 => numbers.extend(pieces.iter().map(|piece| piece.middle[axis])),
                    1 => numbers.extend(pieces.iter().map(|piece| piece.half[axis])),
                    2 => numbers.extend(pieces.iter().map(|piece| piece.half[axis].abs())),
                    3 => numbers.extend(pieces.iter().map(|piece| piece.moved[axis])),
                    _ => numbers.extend(pieces.iter().map(|piece| piece.margin)),
                }
            }
        }
        for numbers in &mut cells.numbers {
            numbers.resize(cells.pieces.len() + BATCH, 0.0);
        }
        cells
    }

    fn place(&self, piece: &Piece) -> u32 {
        let at = self.cell(piece.middle);
        (at.z * self.size.y + at.y) * self.size.x + at.x
    }

    /// The cell of that place, or the nearest one.
    #[inline(always)]
    fn cell(&self, place: Vec3) -> UVec3 {
        let at = ((place - self.low) * self.per_metre)
            .max(Vec3::ZERO)
            .as_uvec3();
        at.min(self.size - UVec3::ONE)
    }

    /// The pieces in that run of cells along the first axis that come after piece `i`.
    #[inline(always)]
    fn run(&self, [first, last]: [UVec3; 2], [y, z]: [u32; 2], i: usize) -> Range<usize> {
        let row = ((z * self.size.y + y) * self.size.x) as usize;
        let begin = self.firsts[row + first.x as usize] as usize;
        let end = self.firsts[row + last.x as usize + 1] as usize;
        begin.max(i + 1)..end
    }

    /// A vector of the pieces from `first` on.
    #[inline(always)]
    fn vectors<T: Lane>(&self, which: usize, first: usize) -> V3<T> {
        let end = first + T::LANES;
        V3 {
            x: lanes(&self.numbers[3 * which][first..end]),
            y: lanes(&self.numbers[3 * which + 1][first..end]),
            z: lanes(&self.numbers[3 * which + 2][first..end]),
        }
    }

    /// A vector of piece `i`, in every place.
    #[inline(always)]
    fn splat<T: Lane>(&self, which: usize, i: usize) -> V3<T> {
        V3 {
            x: number(self.numbers[3 * which][i]),
            y: number(self.numbers[3 * which + 1][i]),
            z: number(self.numbers[3 * which + 2][i]),
        }
    }
}

/// All pairs of edges of two strands that may come closer than `distance` in the
/// substep, by their inner vertices, the smaller first; each once, in an order that
/// does not depend on threads. With margins around edges, all that are no farther apart
/// than these let them come that close. `[m]`
pub fn find_pairs(
    edges: &Edges,
    distance: f32,
    margins: Option<&[f32]>,
    instructions: Instructions,
) -> Vec<Vec<(u32, u32)>> {
    let vertices = 0..edges.vertices.len();
    let margin = |vertex: usize| margins.map_or(0.0, |margins| margins[vertex]);
    let pieces = vertices
        .into_par_iter()
        .with_min_len(CHUNK)
        .flat_map_iter(|vertex| Piece::of(edges, vertex, margin(vertex)));
    let pieces: Vec<Piece> = pieces.collect();
    // Not even the fastest two approach by more.
    let fastest = edges.vertices.iter().map(|v| v.moved.length_squared());
    let fastest = 2.0 * fastest.fold(0.0, f32::max).sqrt();
    let most = match margins {
        None => farthest(fastest),
        Some(margins) => 2.0 * margins.iter().fold(0.0, |a, b| b.max(a)),
    };
    let most = distance + NEAREST + most;
    let sizes = pieces.iter().map(|piece| piece.half.abs());
    let largest = sizes.fold(Vec3::ZERO, Vec3::max);
    if pieces.is_empty() {
        return Vec::new();
    }
    let width = largest.max_element() + 0.5 * most;
    let cells = Cells::new(&pieces, edges, width);
    (0..pieces.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut found = Vec::new();
            lane_work(
                instructions,
                Search {
                    cells: &cells,
                    pieces: chunk * CHUNK..((chunk + 1) * CHUNK).min(pieces.len()),
                    distance,
                    margins: margins.is_some(),
                    most,
                    largest,
                    found: &mut found,
                },
            );
            found
        })
        .collect()
}

/// Finds the pairs of some pieces.
struct Search<'a> {
    cells: &'a Cells,
    pieces: Range<usize>,
    distance: f32,
    /// Whether margins decide what is taken in.
    margins: bool,
    /// No pair is taken in that is farther apart. `[m]`
    most: f32,
    /// No piece goes farther from its middle along the axes. `[m]`
    largest: Vec3,
    found: &'a mut Vec<(u32, u32)>,
}

impl LaneWork for Search<'_> {
    #[inline(always)]
    fn run<T: Lane>(mut self) {
        let cells = self.cells;
        let mut waiting = Waiting {
            pieces: [[0; 2]; 2 * BATCH],
            count: 0,
            rows: [[[0.0; 16]; BATCH]; 2],
        };
        for i in self.pieces.clone() {
            let piece = &cells.pieces[i];
            let own = OwnPiece::<T> {
                middle: cells.splat(0, i),
                half: cells.splat(1, i),
                size: cells.splat(2, i) + V3::splat([f64::from(self.most); 3]),
                moved: cells.splat(3, i),
                margin: number(piece.margin),
            };
            // Rows of cells before the own one hold pieces that looked at this one.
            let reach = piece.half.abs() + self.largest + Vec3::splat(self.most);
            let (low, high) = (
                cells.cell(piece.middle - reach),
                cells.cell(piece.middle + reach),
            );
            let middle = cells.cell(piece.middle);
            for z in middle.z..=high.z {
                let first = if z == middle.z { middle.y } else { low.y };
                for y in first..=high.y {
                    let run = cells.run([low, high], [y, z], i);
                    self.search_run(i, run, &own, &mut waiting);
                }
            }
        }
        self.take::<T>(&waiting.pieces[..waiting.count], &mut waiting.rows);
    }
}

/// Pairs of pieces that wait until there are enough of them to be looked at together.
struct Waiting {
    pieces: [[u32; 2]; 2 * BATCH],
    count: usize,
    /// Room for their edges.
    rows: [EdgeRows; 2],
}

/// A piece in every lane: middle, half, the size of the box around it and whatever may
/// touch it, motion, and margin. `[m]`
struct OwnPiece<T> {
    middle: V3<T>,
    half: V3<T>,
    size: V3<T>,
    moved: V3<T>,
    margin: T,
}

impl Search<'_> {
    /// Searches the pieces of a run beside piece `i` for those it may touch.
    #[inline(always)]
    fn search_run<T: Lane>(
        &mut self,
        i: usize,
        run: Range<usize>,
        own: &OwnPiece<T>,
        waiting: &mut Waiting,
    ) {
        let cells = self.cells;
        let strand = cells.pieces[i].strand;
        let mut first = run.start;
        while first < run.end {
            // How far the boxes around both are apart, beyond what a pair may be.
            let apart = cells.vectors::<T>(0, first) - own.middle;
            let sizes = cells.vectors::<T>(2, first) + own.size;
            let x = apart.x.abs() - sizes.x;
            let y = apart.y.abs() - sizes.y;
            let z = apart.z.abs() - sizes.z;
            let out = x.max(y).max(z);
            if out.any_less(T::zero()) {
                let mut near = self.near(out, apart, own, first);
                if run.end - first < T::LANES {
                    near &= (1 << (run.end - first)) - 1;
                }
                for other in set_bits(near).map(|lane| first + lane) {
                    waiting.pieces[waiting.count] = [i as u32, other as u32];
                    waiting.count += usize::from(cells.pieces[other].strand != strand);
                }
                if waiting.count >= T::LANES {
                    self.take::<T>(&waiting.pieces[..T::LANES], &mut waiting.rows);
                    waiting.pieces.copy_within(T::LANES.., 0);
                    waiting.count -= T::LANES;
                }
            }
            first += T::LANES;
        }
    }

    /// One bit for each piece of a batch that may touch the own one: neither boxes nor
    /// lines are farther apart than as far as they approach. `out` is how far boxes are
    /// apart beyond the most, `apart` how far the middles are. `[m]`
    #[inline(always)]
    fn near<T: Lane>(&self, out: T, apart: V3<T>, own: &OwnPiece<T>, first: usize) -> u32 {
        let more = if self.margins {
            own.margin + lanes(&self.cells.numbers[MARGIN][first..first + T::LANES])
        } else {
            let relative = self.cells.vectors::<T>(3, first) - own.moved;
            let way = relative.dot(relative).sqrt();
            let approach = way * number(0.5 * (1.0 + SIDEWAYS));
            approach.min(number(FARTHEST))
        };
        let reach = more + number(self.distance + NEAREST);
        let boxes = out + (number::<T>(self.most) - reach);
        // The lines through both are as far apart as their middles are across both.
        let across = own.half.cross(self.cells.vectors(1, first));
        let far = apart.dot(across);
        let lines = reach * reach * across.dot(across) * number(1.001) + T::splat(1e-24);
        boxes.bits_less(T::zero()) & (far * far).bits_less(lines)
    }

    /// Notes which of these pairs of pieces, a batch at most, may touch, and have the
    /// points where their edges are nearest to each other.
    #[inline(always)]
    fn take<T: Lane>(&mut self, pairs: &[[u32; 2]], rows: &mut [EdgeRows; 2]) {
        if pairs.is_empty() {
            return;
        }
        let pieces = &self.cells.pieces;
        // Edges must always come in the same order, for what is found must not depend
        // on the pieces that found it.
        let mut ordered = [[0; 2]; BATCH];
        let mut margins = [0.0; BATCH];
        for (k, [one, other]) in pairs.iter().enumerate() {
            let swapped = pieces[*other as usize].vertex < pieces[*one as usize].vertex;
            let both = match swapped {
                true => [*other, *one],
                false => [*one, *other],
            };
            ordered[k] = both;
            margins[k] = pieces[*one as usize].margin + pieces[*other as usize].margin;
            rows[0][k] = self.cells.edges[both[0] as usize];
            rows[1][k] = self.cells.edges[both[1] as usize];
        }
        let (a, b) = (EdgeMotion::<T>::of(&rows[0]), EdgeMotion::of(&rows[1]));
        let half_way = HalfWay::of(&a, &b);
        let [s, t] = half_way.at;
        let taken = if self.margins {
            let reach = lanes::<T>(&margins) + number(self.distance + NEAREST);
            half_way.apart.less(reach, T::splat(1.0), T::zero())
        } else {
            half_way.may_touch(&a, &b, &PairContact::of(&a, &b), self.distance)
        };
        let mut found = T::zero().bits_less(taken);
        if pairs.len() < T::LANES {
            found &= (1 << pairs.len()) - 1;
        }
        for k in set_bits(found) {
            let (a, b) = (
                &pieces[ordered[k][0] as usize],
                &pieces[ordered[k][1] as usize],
            );
            if a.has(s.get(k)) && b.has(t.get(k)) {
                self.found.push((a.vertex, b.vertex));
            }
        }
    }
}
