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
mod stations;

pub use choice::choose;

use crate::{groom::Groom, math::Pose, mesh::CollisionMesh};
use along::distances;
use glam::{Mat3A, Vec3, Vec3A, Vec4};
use links::{GUIDES, Link};
use rayon::prelude::*;
use stations::{Station, Stations};

/// Strands that a thread takes at once.
const BLOCK: usize = 128;

/// Vertices that rest nearer to the skin than this are never moved out of it: roots,
/// and what was modelled below it. `[m]`
const SKIN: f32 = 3e-4;

/// Hair beside guides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpolation {
    /// Where each strand begins in `vertices`, and one entry more: the end.
    starts: Vec<u32>,
    vertices: Vec<Vertex>,
    /// Whether each is kept out of the head.
    outside: Vec<bool>,
    /// What each strand follows.
    links: Vec<Link>,
    stations: Stations,
    looks: Appearance,
}

/// Steps out of the head at most.
const WAYS: usize = 4;

/// How a vertex lies beside its guides at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Vertex {
    /// From the weighted middle of the guides to it. `[m]`
    beside: Vec3,
    /// The guides' stations that it goes with.
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
                    let beside = *point - Vec3::from(middle);
                    Vertex { beside, station }
                })
            });
        let outside = |point: &Vec3| body.grid.sample(*point) > SKIN;
        Self {
            vertices: vertices.collect(),
            outside: strands
                .par_iter()
                .flat_map_iter(|strand| strand.iter().map(outside))
                .collect(),
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
    pub fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// Which guide strand `index` is most like.
    pub fn guide(&self, index: usize) -> usize {
        self.links[index].guides[0] as usize
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
        blocks.into_par_iter().for_each(|(strands, own)| {
            let base = self.starts[strands.start] as usize;
            for strand in strands {
                let bones = Bones::new(&self.stations, &stations, &self.links[strand]);
                let range = self.range(strand);
                let own = &mut own[range.start - base..range.end - base];
                let outside = &self.outside[range.clone()];
                for ((vertex, outside), out) in self.vertices[range].iter().zip(outside).zip(own) {
                    let (middle, turn) = bones.blend(vertex.station);
                    let point = middle + turned(turn, Vec3A::from(vertex.beside));
                    *out = match outside {
                        true => skin.keep_out(point).into(),
                        false => point.into(),
                    };
                }
            }
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

/// The head's skin where the head is now.
struct Skin<'a> {
    body: &'a CollisionMesh,
    pose: &'a Pose,
    back: Mat3A,
    /// Below it there is a torso, which need not be where the head would have it. `[m]`
    neck: f32,
}

impl<'a> Skin<'a> {
    fn new(body: &'a CollisionMesh, pose: &'a Pose) -> Self {
        Self {
            body,
            pose,
            back: Mat3A::from_quat(pose.rotation.conjugate()),
            neck: body.neck.map_or(f32::MIN, |neck| neck.centre.y),
        }
    }

    /// The nearest point that is not inside the head.
    #[inline]
    fn keep_out(&self, point: Vec3A) -> Vec3A {
        let own = self.back * (point - Vec3A::from(self.pose.translation));
        let grid = &self.body.grid;
        // Most hair is.
        if grid.is_well_outside(own) || own.y < self.neck || grid.sample(own.into()) >= 0.0 {
            return point;
        }
        // The way out is straight only near the skin.
        let mut out = Vec3::from(own);
        for _ in 0..WAYS {
            let (distance, normal) = grid.sample_with_normal(out);
            if distance >= 0.0 {
                break;
            }
            out -= normal * distance;
        }
        self.pose.point(out).into()
    }
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

    /// The weighted middle of the guides at a station, and how they have turned there: a
    /// quaternion of any length. `[m]`
    #[inline]
    fn blend(&self, station: u32) -> (Vec3A, Vec4) {
        let (mut at, mut turn) = (Vec4::ZERO, Vec4::ZERO);
        for (stations, weight) in self.stations.iter().zip(self.weights) {
            let station = &stations[station as usize];
            at += station.at * weight;
            turn += station.turn * weight;
        }
        (Vec3A::from_vec4(at), turn)
    }
}

/// `v` turned by a quaternion of any length; opposite turns have no middle, and where
/// they meet `v` stays as it is.
#[inline]
fn turned(turn: Vec4, v: Vec3A) -> Vec3A {
    let u = Vec3A::from_vec4(turn);
    let across = u.cross(v);
    let double = 2.0 / turn.length_squared().max(1e-12);
    v + (across * turn.w + u.cross(across)) * double
}
