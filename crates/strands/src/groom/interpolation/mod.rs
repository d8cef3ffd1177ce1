//! Strands that are not simulated follow simulated ones, the guides: where a guide
//! goes and turns, its neighbours go and turn with it.
//!
//! A strand keeps its rest shape. Each of its vertices remembers how far beside the
//! guides it lies at the same distance from the root, and goes where these go:
//! `x = Σ wᵢ gᵢ(s) + R(s) (x₀ − Σ wᵢ gᵢ₀(s))`. That is skinning (Magnenat-Thalmann et
//! al. 1988) with the guides as bones. Positions of guides are averaged only as far as
//! they have moved, so that curls that are out of step do not cancel, and `R`, the
//! guides' turn since rest (`stations`), turns the curl of the strand itself.

mod along;
mod choice;
mod links;
mod skin;
mod stations;

pub use choice::choose;

use crate::{
    groom::{Bundle, Groom},
    math::{
        Pose,
        work::{Work, work},
    },
    mesh::CollisionMesh,
};
use along::distances;
use glam::{Mat4, Vec3, Vec4};
use links::{GUIDES, Link};
use rayon::prelude::*;
use skin::Skin;
use stations::{Station, Stations};
use std::ops::Range;

/// Strands that a thread takes at once.
const BLOCK: usize = 128;

/// Vertices of a strand that are taken together.
const LANES: usize = 4;

/// In [`Vertex::station`].
const OUTSIDE: u32 = 1 << 31;

/// Vertices that rest nearer to the skin than this are never moved out of it: roots,
/// and what was modelled below it. `[m]`
const SKIN: f32 = 3e-4;

/// Hair beside guides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpolation {
    /// Where each strand begins in `vertices`, and one entry more: the end.
    starts: Vec<u32>,
    vertices: Vec<Vertex>,
    /// What each strand follows.
    links: Vec<Link>,
    stations: Stations,
    looks: Appearance,
}

/// How a vertex lies beside its guides at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Vertex {
    /// From the weighted middle of the guides to it. `[m]`
    beside: Vec3,
    /// The guides' stations that it goes with, and [`OUTSIDE`] where it is kept out of
    /// the head.
    station: u32,
}

impl Interpolation {
    /// Binds `strands`, rest curves root first `[m]`, to the strands of `groom`, which are
    /// on the head `body`. Without guides there is nothing to follow, and no strand.
    pub fn new(groom: &Groom, strands: &[Vec<Vec3>], body: &CollisionMesh) -> Self {
        let stations = Stations::new(groom);
        let links = links::link(groom, strands);
        if links.is_empty() {
            return Self::default();
        }
        let rest = stations.at_rest();
        let mut starts = vec![0u32];
        let ends = strands.iter().scan(0, |end, strand| {
            *end += strand.len() as u32;
            Some(*end)
        });
        starts.extend(ends);
        let vertices = strands
            .par_iter()
            .zip(&links)
            .flat_map_iter(|(strand, link)| {
                let (stations, rest) = (&stations, &rest);
                distances(strand).zip(strand).map(move |(distance, point)| {
                    let station = stations.nearest(distance);
                    let middle = Bones::new(stations, rest, link).blend(station).0;
                    let beside = *point - middle.truncate();
                    let outside = u32::from(body.grid.sample(*point) > SKIN) * OUTSIDE;
                    let station = station | outside;
                    Vertex { beside, station }
                })
            });
        Self {
            vertices: vertices.collect(),
            starts,
            links,
            stations,
            looks: Appearance::default(),
        }
    }

    /// Number of strands that follow.
    pub fn strands(&self) -> usize {
        self.links.len()
    }

    /// Number of their vertices.
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Where strand `index` lies among them.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// Which guide strand `index` is most like.
    pub fn guide(&self, index: usize) -> usize {
        self.links[index].guides[0] as usize
    }

    /// What each strand of `groom`, the guides, stands for: itself, and its share of those
    /// that follow it.
    pub fn bundles(&self, groom: &Groom) -> Vec<Bundle> {
        let mut bundles = vec![Bundle::ONE; groom.strands()];
        for (strand, link) in self.links.iter().enumerate() {
            let Some(first) = self.vertices.get(self.range(strand).start) else {
                continue;
            };
            let roots = link.guides.map(|guide| groom.strand(guide as usize)[0]);
            let middle: Vec3 = roots.iter().zip(link.weights).map(|(r, w)| *r * w).sum();
            let root = middle + first.beside;
            for ((guide, weight), own) in link.guides.iter().zip(link.weights).zip(roots) {
                let bundle = &mut bundles[*guide as usize];
                bundle.strands += weight;
                bundle.radius += weight * own.distance(root);
            }
        }
        for bundle in &mut bundles {
            bundle.radius /= (bundle.strands - 1.0).max(1e-3);
        }
        bundles
    }

    /// Writes where all vertices are when the guides' are at `positions` and the head
    /// `body` at `pose`, as many as [`vertices`](Self::vertices). They are moved out of
    /// the head, not out of a torso that stands while the head turns: guides keep hair
    /// away from that. Nothing is written if `positions` are of other guides. `[m]`
    pub fn write(&self, positions: &[Vec3], pose: &Pose, body: &CollisionMesh, out: &mut [Vec3]) {
        if out.len() != self.vertices.len() || !self.stations.suit(positions) {
            return;
        }
        let stations = self.stations.of(positions, pose.rotation);
        let skin = Skin::new(body, pose);
        let mut rest = out;
        let blocks = (0..self.strands()).step_by(BLOCK).map(|first| {
            let last = (first + BLOCK).min(self.strands());
            let count = (self.starts[last] - self.starts[first]) as usize;
            let (own, after) = std::mem::take(&mut rest).split_at_mut(count);
            rest = after;
            (first..last, own)
        });
        let blocks: Vec<_> = blocks.collect();
        blocks.into_par_iter().for_each(|(strands, out)| {
            work(Follow {
                all: self,
                stations: &stations,
                skin: &skin,
                strands,
                out,
            });
        });
    }

    /// Where all vertices are, as [`write`](Self::write) says. `[m]`
    pub fn posed(&self, positions: &[Vec3], pose: &Pose, body: &CollisionMesh) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; self.vertices.len()];
        self.write(positions, pose, body, &mut out);
        out
    }

    /// From now on they are as thick and coloured as `looks` say.
    pub fn set_looks(&mut self, looks: Appearance) {
        self.looks = looks;
    }

    /// `groom`, that of the guides, with the strands of this behind its own as they rest on
    /// the head `body`: all that is drawn. Nothing of it is tied, nor stiff.
    #[must_use]
    pub fn with_guides(&self, groom: &Groom, body: &CollisionMesh) -> Groom {
        let mut points = groom.points.clone();
        self.append(&mut points, &Pose::IDENTITY, body);
        let end = groom.points.len() as u32;
        let mut starts = groom.starts.clone();
        starts.extend(self.starts.iter().skip(1).map(|start| end + start));
        Groom {
            points,
            masses: vec![1.0; starts.len() - 1],
            starts,
            widths: [&groom.widths[..], &self.looks.widths].concat(),
            colours: [&groom.colours[..], &self.looks.colours].concat(),
            bands: groom.bands.clone(),
            ..Groom::default()
        }
    }

    /// Appends where all vertices are to `positions` of the guides, as
    /// [`write`](Self::write) does. `[m]`
    pub fn append(&self, positions: &mut Vec<Vec3>, pose: &Pose, body: &CollisionMesh) {
        let guides = positions.len();
        positions.resize(guides + self.vertices.len(), Vec3::ZERO);
        let (guides, own) = positions.split_at_mut(guides);
        self.write(guides, pose, body, own);
    }
}

/// What the file says of how strands look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// How thick hair is at each vertex, 1 is usual hair; empty where guides have none.
    pub widths: Vec<f32>,
    /// Linear RGB of each strand's root and tip; empty where guides have none.
    pub colours: Vec<[[f32; 3]; 2]>,
}

/// The guides of one strand.
struct Bones<'a> {
    stations: [&'a [Station]; GUIDES],
    weights: [f32; GUIDES],
}

impl<'a> Bones<'a> {
    fn new(all: &Stations, stations: &'a [Station], link: &Link) -> Self {
        Self {
            stations: link.guides.map(|guide| &stations[all.start(guide)..]),
            weights: link.weights,
        }
    }

    /// Writes where these vertices go; those that are to be are kept out of the head.
    #[inline(always)]
    fn pose(&self, vertices: &[Vertex; LANES], skin: &Skin, out: &mut [Vec3; LANES]) {
        let (mut middle, mut turn) = ([Vec4::ZERO; LANES], [Vec4::ZERO; LANES]);
        let mut outside = 0;
        for (lane, vertex) in vertices.iter().enumerate() {
            (middle[lane], turn[lane]) = self.blend(vertex.station & !OUTSIDE);
            outside |= (vertex.station / OUTSIDE) << lane;
        }
        let [mx, my, mz, _] = rows(middle);
        let [x, y, z, w] = rows(turn);
        let [a, b, c, _] = rows(vertices.map(|vertex| vertex.beside.extend(0.0)));
        // v + 2 (w u × v + u × (u × v)) / |q|²: v turned by a quaternion of any length.
        // Opposite turns have no middle, and where they meet v stays as it is.
        let across = [y * c - z * b, z * a - x * c, x * b - y * a];
        let [d, e, f] = across;
        let square = x * x + y * y + z * z + w * w;
        let double = Vec4::splat(2.0) / square.max(Vec4::splat(1e-12));
        let px = mx + (a + (d * w + (y * f - z * e)) * double);
        let py = my + (b + (e * w + (z * d - x * f)) * double);
        let pz = mz + (c + (f * w + (x * e - y * d)) * double);
        for (out, point) in out.iter_mut().zip(rows([px, py, pz, Vec4::ZERO])) {
            *out = point.truncate();
        }
        // Most hair is nowhere near.
        let near = skin.near(px, py, pz) & outside;
        if near != 0 {
            skin.keep_out(near, out);
        }
    }

    /// The weighted middle of the guides at a station, `[m]`, and how they have turned
    /// there: a quaternion of any length.
    #[inline(always)]
    fn blend(&self, station: u32) -> (Vec4, Vec4) {
        let (mut at, mut turn) = (Vec4::ZERO, Vec4::ZERO);
        for (stations, weight) in self.stations.iter().zip(self.weights) {
            let station = &stations[station as usize];
            at += station.at * weight;
            turn += station.turn * weight;
        }
        (at, turn)
    }
}

/// Rows of four columns.
#[inline(always)]
fn rows(columns: [Vec4; LANES]) -> [Vec4; LANES] {
    let [a, b, c, d] = columns;
    let rows = Mat4::from_cols(a, b, c, d).transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis]
}

/// Strands of one task.
struct Follow<'a> {
    all: &'a Interpolation,
    stations: &'a [Station],
    skin: &'a Skin<'a>,
    strands: Range<usize>,
    out: &'a mut [Vec3],
}

impl Work for Follow<'_> {
    #[inline(always)]
    fn run(self) {
        let all = self.all;
        let mut out = self.out;
        for strand in self.strands {
            let bones = Bones::new(&all.stations, self.stations, &all.links[strand]);
            let vertices = &all.vertices[all.range(strand)];
            let (own, after) = out.split_at_mut(vertices.len());
            out = after;
            let (groups, left) = vertices.as_chunks::<LANES>();
            let (to, to_left) = own.as_chunks_mut::<LANES>();
            for (vertices, out) in groups.iter().zip(to) {
                bones.pose(vertices, self.skin, out);
            }
            if let Some(first) = left.first() {
                let (mut few, mut out) = ([*first; LANES], [Vec3::ZERO; LANES]);
                few[..left.len()].copy_from_slice(left);
                bones.pose(&few, self.skin, &mut out);
                to_left.copy_from_slice(&out[..left.len()]);
            }
        }
    }
}
