//! Where guides are and how they have turned, at equal distances along them.
//!
//! The turn is that of the piece of the guide around a place: the rotation that best
//! brings its vertices from where they were at rest to where they are now (Müller et
//! al. 2005, "Meshless deformations based on shape matching", eq. 7). Unlike frames
//! carried along the strand it knows no drift, and a curl that is pulled long does not
//! spin it.

use super::along::distances;
use crate::{groom::Groom, math::nearest_rotation};
use glam::{Mat3, Quat, Vec3, Vec4};
use rayon::prelude::*;

/// Stations are at least so far apart: each place along a guide goes with the station
/// nearest to it. `[m]`
const SPACING: f32 = 0.002;

/// The most stations of a guide: their numbers are bytes.
const MOST: usize = 256;

/// The least room for them.
pub(super) const LEAST_ROOM: usize = 64;

/// The turn is found at one of so many stations, and between them is in between.
const TURNS: usize = 4;

/// Half the length of a guide's piece whose turn is taken. `[m]`
const HALF: f32 = 0.03;

/// How much the head's turn counts beside the piece's own: a straight piece says
/// nothing of its turn about itself.
const HEAD: f32 = 0.1;

/// The way from the root on which hair turns as the head does. `[m]`
const ROOT: f32 = 0.012;

/// A place on a guide. Never in two lines of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub(super) struct Station {
    /// x, y, z, and nothing. `[m]`
    pub at: Vec4,
    /// How it has turned since rest: a unit quaternion.
    pub turn: Vec4,
}

/// All stations of all guides at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stations {
    /// Where each guide begins among the vertices, and the end.
    vertices: Vec<u32>,
    /// Stations of each guide; beyond a tip they are at the tip.
    each: usize,
    /// Where they are, and of one of [`TURNS`] the piece around it.
    places: Vec<Place>,
    pieces: Vec<Piece>,
    /// The guides' vertices. `[m]`
    rest: Vec<Vec3>,
    /// From station to station. `[m]`
    spacing: f32,
}

/// Where a station is on its guide.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    /// The vertex before it, and how far it is to the next, 0..=1.
    edge: u32,
    t: f32,
}

/// The vertices around a station.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// The first of them, and the one after the last.
    from: u32,
    to: u32,
    /// Their middle. `[m]`
    middle: Vec3,
    /// Their mean square distance from it. `[m²]`
    spread: f32,
    /// How much the turn is the piece's own, 0 at the root.
    own: f32,
}

impl Stations {
    /// Those of all strands of `groom`.
    pub fn new(groom: &Groom) -> Self {
        let guides = || (0..groom.strands()).map(|guide| groom.strand(guide));
        let length = |strand: &[Vec3]| distances(strand).last().unwrap_or(0.0);
        let longest = guides().map(length).fold(0.0, f32::max);
        let spacing = SPACING.max(longest / (MOST - 1) as f32);
        let turns = (longest / spacing).ceil() as usize / TURNS + 2;
        let turns = turns.min((MOST - 1).div_ceil(TURNS) + 1);
        let mut out = Self {
            vertices: groom.starts.clone(),
            each: ((turns - 1) * TURNS + 1).min(MOST),
            rest: groom.points.clone(),
            spacing,
            ..Self::default()
        };
        for guide in guides() {
            let along: Vec<f32> = distances(guide).collect();
            let last = along.last().copied().unwrap_or(0.0);
            let at = |i: usize| (i as f32 * spacing).min(last);
            out.places
                .extend((0..out.each).map(|i| Place::at(&along, at(i))));
            let pieces = (0..turns).map(|i| Piece::around(guide, &along, at(i * TURNS)));
            out.pieces.extend(pieces);
        }
        out
    }

    /// Whether so many positions are those of the guides.
    pub fn suit(&self, positions: &[Vec3]) -> bool {
        positions.len() == self.rest.len()
    }

    /// The station of every guide that is nearest to a place so far from the root. `[m]`
    pub fn nearest(&self, distance: f32) -> u8 {
        ((distance / self.spacing).round() as usize).min(self.each - 1) as u8
    }

    /// A guide has room for so many among all, a power of two.
    pub fn room(&self) -> usize {
        self.each.next_power_of_two().max(LEAST_ROOM)
    }

    /// All stations at rest.
    pub fn at_rest(&self) -> Vec<Station> {
        self.of(&self.rest, Quat::IDENTITY)
    }

    /// All stations with the guides' vertices at `now` and the head turned by `head`
    /// since rest. `[m]`
    pub fn of(&self, now: &[Vec3], head: Quat) -> Vec<Station> {
        let turns = (self.each - 1).div_ceil(TURNS) + 1;
        let mut stations = vec![Station::default(); (self.vertices.len() - 1) * self.room()];
        let guides = stations.par_chunks_mut(self.room());
        let places = self.places.par_chunks(self.each);
        let all = guides.zip(places).zip(self.pieces.par_chunks(turns));
        all.enumerate()
            .for_each(|(guide, ((stations, places), pieces))| {
                let range = self.vertices[guide] as usize..self.vertices[guide + 1] as usize;
                let (rest, now) = (&self.rest[range.clone()], &now[range]);
                let turns = turns_of(pieces, rest, now, head);
                let last = now.len() - 1;
                for (i, (station, place)) in stations.iter_mut().zip(places).enumerate() {
                    let edge = place.edge as usize;
                    let at = now[edge].lerp(now[(edge + 1).min(last)], place.t);
                    let (k, t) = (i / TURNS, (i % TURNS) as f32 / TURNS as f32);
                    let turn = turns[k].lerp(turns[(k + 1).min(turns.len() - 1)], t);
                    let at = at.extend(0.0);
                    *station = Station { at, turn };
                }
            });
        stations
    }
}

impl Place {
    /// On a guide whose vertices are `along` it, the place `s` from its root. `[m]`
    fn at(along: &[f32], s: f32) -> Self {
        let edge = edge_at(along, s);
        let next = (edge + 1).min(along.len() - 1);
        let step = along[next] - along[edge];
        let t = ((s - along[edge]) / step.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        Self {
            edge: edge as u32,
            t,
        }
    }
}

/// The edge of a guide that has the place `s` from its root. `[m]`
fn edge_at(along: &[f32], s: f32) -> usize {
    let after = along.partition_point(|a| *a <= s).max(1) - 1;
    after.min(along.len().saturating_sub(2))
}

impl Piece {
    /// Of a guide whose vertices are `along` it, around the place `s` from its root. `[m]`
    fn around(guide: &[Vec3], along: &[f32], s: f32) -> Self {
        let (edge, count) = (edge_at(along, s), guide.len());
        // Three vertices at least, or as many as there are.
        let from = along
            .partition_point(|a| *a < s - HALF)
            .min(edge.saturating_sub(1));
        let to = along
            .partition_point(|a| *a <= s + HALF)
            .max((edge + 3).min(count));
        let piece = &guide[from..to];
        let middle = piece.iter().sum::<Vec3>() / piece.len() as f32;
        let squares: f32 = piece.iter().map(|p| p.distance_squared(middle)).sum();
        let near = (s / ROOT).min(1.0);
        Self {
            from: from as u32,
            to: to as u32,
            middle,
            spread: squares / piece.len() as f32,
            own: near * near * (3.0 - 2.0 * near),
        }
    }
}

/// Sums over the vertices up to one: positions now, and their products with those at
/// rest, both from the root.
#[derive(Clone, Copy, Default)]
struct Sum {
    now: Vec3,
    products: Mat3,
}

/// How these pieces of a guide have turned from where they were at `rest`: quaternions
/// on the side of `head`, for the sake of averages.
fn turns_of(pieces: &[Piece], rest: &[Vec3], now: &[Vec3], head: Quat) -> Vec<Vec4> {
    let mut sums = Vec::with_capacity(now.len() + 1);
    let mut sum = Sum::default();
    sums.push(sum);
    for (p, q) in now.iter().zip(rest) {
        let (p, q) = (*p - now[0], *q - rest[0]);
        sum.now += p;
        sum.products += Mat3::from_cols(p * q.x, p * q.y, p * q.z);
        sums.push(sum);
    }
    let mut turn = head;
    let of = |piece: &Piece| {
        let (from, to) = (&sums[piece.from as usize], &sums[piece.to as usize]);
        let middle = piece.middle - rest[0];
        let moved = to.now - from.now;
        let count = (piece.to - piece.from) as f32;
        let mut product = to.products
            - from.products
            - Mat3::from_cols(moved * middle.x, moved * middle.y, moved * middle.z);
        product += Mat3::from_quat(head) * (HEAD * count * piece.spread);
        turn = nearest_rotation(product, turn);
        let blended = head.lerp(turn, piece.own);
        let side = if blended.dot(head) < 0.0 { -1.0 } else { 1.0 };
        Vec4::from(blended) * side
    };
    pieces.iter().map(of).collect()
}
