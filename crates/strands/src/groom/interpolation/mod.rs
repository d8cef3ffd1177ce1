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
mod follow;
mod links;
mod skin;
mod stations;

pub use choice::choose;

use crate::{
    groom::{Bundle, Groom},
    math::{Pose, work::work},
    mesh::CollisionMesh,
};
use along::distances;
use follow::{Bones, Follow, VertexGroup};
use glam::Vec3;
use links::Link;
use rayon::prelude::*;
use skin::{LANES, Skin};
use stations::{LEAST_ROOM, Station, Stations};
use std::ops::Range;

/// Rooms that guides have for stations besides [`LEAST_ROOM`].
const MIDDLE_ROOM: usize = 2 * LEAST_ROOM;
const MOST_ROOM: usize = 4 * LEAST_ROOM;

/// Strands that a thread takes at once.
const BLOCK: usize = 128;

/// Vertices that rest nearer to the skin than this are never moved out of it: roots,
/// and what was modelled below it. `[m]`
const SKIN: f32 = 3e-4;

/// Hair beside guides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpolation {
    /// Where each strand begins among the vertices, and one entry more: the end.
    starts: Vec<u32>,
    /// The vertices, four of a strand at a time, and where each strand begins there.
    groups: Vec<VertexGroup>,
    first_groups: Vec<u32>,
    /// What each strand follows.
    links: Vec<Link>,
    stations: Stations,
    looks: Appearance,
}

impl Interpolation {
    /// Binds `strands`, rest curves root first `[m]`, to the strands of `groom`, which are
    /// on the head `body`. Without guides there is nothing to follow, and no strand.
    pub fn new(groom: &Groom, strands: &[Vec<Vec3>], body: &CollisionMesh) -> Self {
        // Shapes of all guides are of no use then.
        if strands.is_empty() {
            return Self::default();
        }
        let stations = Stations::new(groom);
        let links = links::link(groom, strands);
        if links.is_empty() {
            return Self::default();
        }
        let ends = |count: fn(&Vec<Vec3>) -> usize| {
            let ends = strands.iter().scan(0, move |end, strand| {
                *end += count(strand) as u32;
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect::<Vec<u32>>()
        };
        let groups = match stations.room() {
            LEAST_ROOM => grouped::<LEAST_ROOM>(&stations, strands, &links, body),
            MIDDLE_ROOM => grouped::<MIDDLE_ROOM>(&stations, strands, &links, body),
            _ => grouped::<MOST_ROOM>(&stations, strands, &links, body),
        };
        Self {
            groups,
            starts: ends(Vec::len),
            first_groups: ends(|strand| strand.len().div_ceil(LANES)),
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
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// Where strand `index` lies among them.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }

    /// Which guide strand `index` is most like.
    pub fn guide(&self, index: usize) -> usize {
        self.links[index].guides[0] as usize
    }

    /// The guides that strand `index` follows, and how much each counts: their sum is 1, and
    /// the first counts most.
    pub fn followed(&self, index: usize) -> ([u32; 3], [f32; 3]) {
        let link = &self.links[index];
        (link.guides, link.weights)
    }

    /// What each strand of `groom`, the guides, stands for: itself, and its share of those
    /// that follow it.
    pub fn bundles(&self, groom: &Groom) -> Vec<Bundle> {
        let mut bundles = vec![Bundle::ONE; groom.strands()];
        for (strand, link) in self.links.iter().enumerate() {
            if self.range(strand).is_empty() {
                continue;
            }
            let first = self.groups[self.first_groups[strand] as usize].beside(0);
            let roots = link.guides.map(|guide| groom.strand(guide as usize)[0]);
            let middle: Vec3 = roots.iter().zip(link.weights).map(|(r, w)| *r * w).sum();
            let root = middle + first;
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
        if out.len() != self.vertices() || !self.stations.suit(positions) {
            return;
        }
        let stations = self.stations.of(positions, pose.rotation);
        let skin = Skin::new(body, pose);
        match self.stations.room() {
            LEAST_ROOM => self.write_with::<LEAST_ROOM>(&stations, &skin, out),
            MIDDLE_ROOM => self.write_with::<MIDDLE_ROOM>(&stations, &skin, out),
            _ => self.write_with::<MOST_ROOM>(&stations, &skin, out),
        }
    }

    /// The same for guides that have room for `ROOM` stations.
    fn write_with<const ROOM: usize>(&self, stations: &[Station], skin: &Skin, out: &mut [Vec3]) {
        let (guides, _) = stations.as_chunks::<ROOM>();
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
                guides,
                skin,
                strands,
                out,
            });
        });
    }

    /// Where all vertices are, as [`write`](Self::write) says. `[m]`
    pub fn posed(&self, positions: &[Vec3], pose: &Pose, body: &CollisionMesh) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; self.vertices()];
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
        positions.resize(guides + self.vertices(), Vec3::ZERO);
        let (guides, own) = positions.split_at_mut(guides);
        self.write(guides, pose, body, own);
    }
}

/// How `strands` lie beside the guides that `links` say, which have room for `ROOM`
/// stations.
fn grouped<const ROOM: usize>(
    stations: &Stations,
    strands: &[Vec<Vec3>],
    links: &[Link],
    body: &CollisionMesh,
) -> Vec<VertexGroup> {
    let rest = stations.at_rest();
    let (guides, _) = rest.as_chunks::<ROOM>();
    let all = strands.par_iter().zip(links);
    let of = |(strand, link): (&Vec<Vec3>, &Link)| {
        let bones = Bones::new(guides, link);
        let mut groups = vec![VertexGroup::default(); strand.len().div_ceil(LANES)];
        for (i, (distance, point)) in distances(strand).zip(strand).enumerate() {
            let station = stations.nearest(distance);
            let beside = *point - bones.blend(station).0.truncate();
            let outside = body.grid.sample(*point) > SKIN;
            groups[i / LANES].set(i % LANES, beside, station, outside);
        }
        groups
    };
    all.flat_map_iter(of).collect()
}

/// What the file says of how strands look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// How thick hair is at each vertex, 1 is usual hair; empty where guides have none.
    pub widths: Vec<f32>,
    /// Linear RGB of each strand's root and tip; empty where guides have none.
    pub colours: Vec<[[f32; 3]; 2]>,
}
