//! What binds hair: a ring around strands, which goes where they go.

use glam::Vec3;

/// So many of a hundred strands are within it; the others are squeezed in.
const WITHIN: usize = 92;
/// Followers lie so much farther out than the strands that they follow. `[m]`
const ROOM: f32 = 0.0025;
/// Around hair that winds about itself, it lies so much lower than the middle of that
/// winding, and is so wide, as shares of its radius: around its foot.
const UNDER: [f32; 2] = [0.1, 0.95];

/// A ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandRing {
    /// `[m]`
    pub middle: Vec3,
    /// Across its plane; unit length.
    pub axis: Vec3,
    /// `[m]`
    pub radius: f32,
}

/// A ring around hair, which goes with the edges of some strands.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The first vertex of each edge in the groom's points; the next one is its end.
    edges: Vec<u32>,
    /// Whether hair winds around the ring's axis and does not go along it.
    wound: bool,
    /// `[m]`
    radius: f32,
}

impl Band {
    /// Around the edges of hair at `points` that begin at these vertices; `wound` tells
    /// whether they go around its middle and not through it. None where they have no
    /// direction. `[m]`
    pub fn around(points: &[Vec3], edges: Vec<u32>, wound: bool) -> Option<Self> {
        let mut band = Self {
            edges,
            wound,
            radius: 0.0,
        };
        let BandRing { middle, axis, .. } = band.ring(points)?;
        let mut distances: Vec<f32> = band
            .edges
            .iter()
            .map(|vertex| (points[*vertex as usize] - middle).reject_from_normalized(axis))
            .map(Vec3::length)
            .collect();
        distances.sort_unstable_by(f32::total_cmp);
        band.radius = distances[(distances.len() - 1) * WITHIN / 100] + ROOM;
        Some(band)
    }

    /// Where it is when the groom's vertices are there; none where they are others or
    /// have no direction. `[m]`
    pub fn ring(&self, positions: &[Vec3]) -> Option<BandRing> {
        let edges = self.edges.iter();
        let edges: Option<Vec<[Vec3; 2]>> = edges
            .map(|vertex| {
                let at = *vertex as usize;
                Some([*positions.get(at)?, *positions.get(at + 1)?])
            })
            .collect();
        let edges = edges.filter(|edges| !edges.is_empty())?;
        let middle = edges.iter().map(|[from, _]| *from).sum::<Vec3>() / edges.len() as f32;
        let along = |[from, to]: &[Vec3; 2]| match self.wound {
            true => (*from - middle).cross(*to - *from),
            false => *to - *from,
        };
        let axis = edges.iter().map(along).sum::<Vec3>().try_normalize()?;
        let [lower, wider] = if self.wound { UNDER } else { [0.0, 1.0] };
        // The way hair winds says nothing of what is up: the first turn is the lowest.
        let axis = if self.wound {
            self.outwards(positions, axis)
        } else {
            axis
        };
        Some(BandRing {
            middle: middle - axis * (lower * self.radius),
            axis,
            radius: wider * self.radius,
        })
    }

    /// That axis, or its opposite: the one to which wound hair goes on.
    fn outwards(&self, positions: &[Vec3], axis: Vec3) -> Vec3 {
        let rise = |vertex: &u32| {
            let next = positions.get(*vertex as usize + 1).copied();
            next.unwrap_or_default() - positions[*vertex as usize]
        };
        let rise: Vec3 = self.edges.iter().map(rise).sum();
        if rise.dot(axis) < 0.0 { -axis } else { axis }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};
    use glam::Quat;
    use std::f32::consts::TAU;

    /// Strands of two vertices through a circle of 1 cm around `middle`.
    fn bundle(middle: Vec3, turn: Quat) -> Vec<Vec3> {
        (0..100)
            .flat_map(|i| {
                let angle = TAU * i as f32 / 100.0;
                let at = Vec3::new(cos(angle), 0.0, sin(angle)) * 0.01;
                [at, at + Vec3::Y * 0.005].map(|p| middle + turn * p)
            })
            .collect()
    }

    #[test]
    fn a_band_goes_with_the_strands_that_it_binds() {
        let edges: Vec<u32> = (0..100).map(|i| 2 * i).collect();
        let rest = bundle(Vec3::ZERO, Quat::IDENTITY);
        let band = Band::around(&rest, edges, false).expect("a band");
        let turn = Quat::from_rotation_z(0.7);
        let at = Vec3::new(0.1, 0.2, 0.3);
        let ring = band.ring(&bundle(at, turn)).expect("a ring");
        assert!(ring.middle.distance(at) < 1e-5, "{ring:?}");
        assert!(ring.axis.distance(turn * Vec3::Y) < 1e-4, "{ring:?}");
        assert!((ring.radius - 0.01 - ROOM).abs() < 1e-5, "{ring:?}");
        assert_eq!(band.ring(&rest[..50]), None);
        assert_eq!(Band::around(&rest, Vec::new(), false), None);
    }

    #[test]
    fn around_wound_hair_it_lies_across_the_winding() {
        let coil: Vec<Vec3> = (0..200)
            .map(|i| {
                let angle = TAU * i as f32 / 100.0;
                Vec3::new(0.02 * cos(angle), 1e-5 * i as f32, 0.02 * sin(angle))
            })
            .collect();
        let band = Band::around(&coil, (0..100).collect(), true).expect("a band");
        let ring = band.ring(&coil).expect("a ring");
        assert!(ring.axis.y > 0.99, "{ring:?}");
        assert!((0.02..0.025).contains(&ring.radius), "{ring:?}");
        // Under the middle of the turn.
        assert!(ring.middle.y < 0.0, "{ring:?}");
    }
}
