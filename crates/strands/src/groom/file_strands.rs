//! Which strands of a file are simulated, and where the file's points lie along
//! them: so that what is written has the file's strands again, in its order and
//! with its points, wherever the hair has gone.

use super::{fit::Placement, interpolation::Interpolation, settled::From};
use crate::{math::Pose, mesh::Up};
use glam::{Quat, Vec3};
use std::{ops::Range, sync::Arc};

/// The strands of a file, as far as a groom has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileStrands {
    /// Strands in the file.
    pub count: usize,
    /// The number in the file of each simulated strand.
    pub numbers: Vec<u32>,
    /// The same of those that follow them.
    pub followers: Vec<u32>,
    /// How these follow, in their order.
    pub following: Arc<Interpolation>,
    /// Those that cannot be simulated, for they have no length: they ride on the head.
    pub rigid: Vec<RigidStrand>,
    /// Of one of the file's units. `[m]`
    pub metres: f32,
    /// Where each simulated strand begins in `places`, and one entry more.
    starts: Vec<u32>,
    places: Vec<Place>,
    /// How the file's points come onto the head.
    pub(super) placement: Option<Placement>,
    /// Where in the file the vertices of each simulated strand are that has places.
    from: Vec<From>,
    /// Where each simulated strand begins in `from`, and one entry more.
    from_starts: Vec<u32>,
}

/// A strand without length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidStrand {
    /// Its number in the file.
    pub number: u32,
    /// Its points in the head's space. `[m]`
    pub points: Vec<Vec3>,
}

/// Where a point of the file lies beside a simulated strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The edge that it belongs to.
    pub edge: u32,
    /// How far along it, 0..=1.
    pub along: f32,
    /// How far beside it, at rest in the head's space. `[m]`
    pub aside: Vec3,
}

impl FileStrands {
    /// How the file's points came onto the head; none where strands were not placed.
    pub fn placement(&self) -> Option<Placement> {
        self.placement
    }

    /// The file's axis that points up; none of hair that no file says.
    pub fn up(&self) -> Option<Up> {
        self.placement.map(|placement| placement.up)
    }

    /// None yet, of a file with `count` strands in units of so many `metres`.
    pub fn new(count: usize, metres: f32) -> Self {
        Self {
            count,
            metres,
            starts: vec![0],
            from_starts: vec![0],
            ..Self::default()
        }
    }

    /// Adds a simulated strand, number `number` of the file, whose points in the
    /// file lie at these places, and whose vertices are `from` there; without places
    /// they are its vertices.
    pub(super) fn add(&mut self, number: u32, places: &[Place], from: &[From]) {
        self.numbers.push(number);
        if !places.is_empty() {
            self.from.extend_from_slice(from);
        }
        self.from_starts.push(self.from.len() as u32);
        self.places.extend_from_slice(places);
        self.starts.push(self.places.len() as u32);
    }

    /// Where the points of the file lie that simulated strand `strand` has; empty
    /// where they are its vertices.
    pub fn places(&self, strand: usize) -> &[Place] {
        let range: Option<Range<usize>> = (|| {
            let [from, to] = [strand, strand + 1].map(|i| self.starts.get(i).copied());
            Some(from? as usize..to? as usize)
        })();
        range.map_or(&[], |range| &self.places[range])
    }

    /// Writes where the vertices of the simulated strands are, one strand after the
    /// other, once the file's `points` have moved, whose strands begin at `starts`: as
    /// the file has them, their roots not yet on the skin. `[m]`
    pub fn carry(&self, points: &[Vec3], starts: &[u32], out: &mut Vec<Vec3>) {
        let Some(placement) = &self.placement else {
            return;
        };
        for (strand, number) in self.numbers.iter().enumerate() {
            let number = *number as usize;
            let own = &points[starts[number] as usize..starts[number + 1] as usize];
            let place = |i: usize| placement.place(own[i]).to_array();
            let ends = [strand, strand + 1].map(|i| self.from_starts[i] as usize);
            match &self.from[ends[0]..ends[1]] {
                [] => out.extend(own.iter().map(|p| placement.place(*p))),
                from => out.extend(from.iter().map(|from| Vec3::from(from.value(0, place)))),
            }
        }
    }

    /// Whether simulated strand `strand`, which has so many `vertices` now, still is
    /// that of the file, which has so many `points`, vertex by vertex: what was cut or combed
    /// is, for it has as many as before.
    pub fn fits(&self, strand: usize, vertices: usize, points: usize) -> bool {
        match self.places(strand).last() {
            Some(last) => last.edge as usize + 2 == vertices,
            None => vertices == points,
        }
    }

    /// Writes where the file's points of simulated strand `strand` are whose
    /// vertices were at `rest` in the head's space and are at `now`, with the head at
    /// `pose`. `[m]`
    pub fn write(
        &self,
        strand: usize,
        rest: &[Vec3],
        now: &[Vec3],
        pose: &Pose,
        out: &mut Vec<Vec3>,
    ) {
        let places = self.places(strand);
        if places.is_empty() {
            return out.extend_from_slice(now);
        }
        out.extend(places.iter().map(|place| {
            let i = place.edge as usize;
            let j = (i + 1).min(now.len() - 1);
            let on = now[i].lerp(now[j], place.along);
            if place.aside == Vec3::ZERO {
                return on;
            }
            // What lies beside an edge turns with it.
            let was = pose.vector((rest[j] - rest[i]).normalize_or_zero());
            let is = (now[j] - now[i]).normalize_or_zero();
            let turn = match was == Vec3::ZERO || is == Vec3::ZERO {
                true => Quat::IDENTITY,
                false => Quat::from_rotation_arc(was, is),
            };
            on + turn * pose.vector(place.aside)
        }));
    }
}

impl Place {
    /// Where `point` lies beside the strand with these `vertices`, as part `along`
    /// of edge `edge`. `[m]`
    pub fn beside(vertices: &[Vec3], edge: usize, along: f32, point: Vec3) -> Self {
        let next = vertices[(edge + 1).min(vertices.len() - 1)];
        Self {
            edge: edge as u32,
            along,
            aside: point - vertices[edge].lerp(next, along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_between_vertices_turn_with_their_edge() {
        let rest = [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0];
        let file = [Vec3::ZERO, Vec3::new(0.1, 0.5, 0.0), Vec3::Y, Vec3::Y * 2.0];
        let places = [(0, 0.0), (0, 0.5), (1, 0.0), (1, 1.0)];
        let places: Vec<Place> = places
            .iter()
            .zip(file)
            .map(|((edge, along), point)| Place::beside(&rest, *edge, *along, point))
            .collect();
        let mut strands = FileStrands::new(1, 1.0);
        strands.add(0, &places, &[]);
        let mut out = Vec::new();
        strands.write(0, &rest, &rest, &Pose::IDENTITY, &mut out);
        assert_eq!(out, file);
        // The strand lies down along x: what was at its right is below it.
        let now = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        out.clear();
        strands.write(0, &rest, &now, &Pose::IDENTITY, &mut out);
        assert!(out[1].distance(Vec3::new(0.5, -0.1, 0.0)) < 1e-6, "{out:?}");
        assert_eq!((out[0], out[3]), (Vec3::ZERO, Vec3::X * 2.0));
    }

    #[test]
    fn a_strand_without_places_is_its_vertices() {
        let mut strands = FileStrands::new(2, 1.0);
        strands.add(1, &[], &[]);
        let now = [Vec3::X, Vec3::Y];
        let mut out = Vec::new();
        strands.write(0, &now, &now, &Pose::IDENTITY, &mut out);
        assert_eq!(out, now);
        assert_eq!(strands.numbers, [1]);
    }
}
