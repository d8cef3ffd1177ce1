//! Where guides are and how they have turned, at equal distances along them.
//!
//! The turn is that of the piece of the guide around a place: the rotation that best
//! brings its vertices from where they were at rest to where they are now (Müller et
//! al. 2005, "Meshless deformations based on shape matching", eq. 7). Unlike frames
//! carried along the strand it knows no drift, and a curl that is pulled long does not
//! spin it.

use super::along::distances;
use crate::groom::Groom;
use glam::{Mat3, Quat, Vec3, Vec4};
use rayon::prelude::*;

/// Stations are at least so far apart. `[m]`
const SPACING: f32 = 0.004;

/// The most stations of the longest guide.
const MOST: f32 = 96.0;

/// Half the length of a guide's piece whose turn is taken. `[m]`
const HALF: f32 = 0.03;

/// How much the head's turn counts beside the piece's own: a straight piece says
/// nothing of its turn about itself.
const HEAD: f32 = 0.1;

/// The way from the root on which hair turns as the head does. `[m]`
const ROOT: f32 = 0.012;

/// Iterations are enough when they turn by less. `[rad]`
const ENOUGH: f32 = 1e-4;

/// The most of them.
const MOST_ITERATIONS: usize = 12;

/// A place on a guide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    /// Where each guide begins among the stations, and the end.
    starts: Vec<u32>,
    places: Vec<Place>,
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
    /// Vertices of the piece around it: the first, and the one after the last.
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
    pub fn new(groom: &Groom) -> Self {
        let length = |strand: &[Vec3]| -> f32 {
            strand
                .windows(2)
                .map(|edge| edge[0].distance(edge[1]))
                .sum()
        };
        let guides = || (0..groom.strands()).map(|guide| groom.strand(guide));
        let longest = guides().map(length).fold(0.0, f32::max);
        let spacing = SPACING.max(longest / MOST);
        let mut out = Self {
            vertices: groom.starts.clone(),
            starts: vec![0],
            rest: groom.points.clone(),
            spacing,
            places: Vec::new(),
        };
        for guide in guides() {
            out.places.extend(places(guide, spacing));
            out.starts.push(out.places.len() as u32);
        }
        out
    }

    /// From station to station. `[m]`
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Whether so many positions are those of the guides.
    pub fn suit(&self, positions: &[Vec3]) -> bool {
        positions.len() == self.rest.len()
    }

    /// Stations `k` and `k + 1` of a guide; beyond its tip, the last.
    #[inline]
    pub fn pair(&self, guide: u32, k: u32) -> [usize; 2] {
        let guide = guide as usize;
        let (start, last) = (self.starts[guide], self.starts[guide + 1] - 1);
        [k, k + 1].map(|k| (start + k).min(last) as usize)
    }

    /// All stations at rest.
    pub fn at_rest(&self) -> Vec<Station> {
        self.of(&self.rest, Quat::IDENTITY)
    }

    /// All stations with the guides' vertices at `now` and the head turned by `head`
    /// since rest. `[m]`
    pub fn of(&self, now: &[Vec3], head: Quat) -> Vec<Station> {
        let guides = self.starts.len().saturating_sub(1);
        let one = |guide: usize| {
            let range = self.vertices[guide] as usize..self.vertices[guide + 1] as usize;
            let own = self.starts[guide] as usize..self.starts[guide + 1] as usize;
            stations(
                &self.places[own],
                &self.rest[range.clone()],
                &now[range],
                head,
            )
        };
        (0..guides).into_par_iter().flat_map_iter(one).collect()
    }
}

/// The stations of a guide with these vertices, at least its root.
fn places(guide: &[Vec3], spacing: f32) -> Vec<Place> {
    let along: Vec<f32> = distances(guide).collect();
    let (count, length) = (guide.len(), along.last().copied().unwrap_or(0.0));
    let stations = (length / spacing).ceil() as usize + 1;
    let mut edge = 0;
    let place = |i: usize| {
        let s = (i as f32 * spacing).min(length);
        while edge + 2 < count && along[edge + 1] < s {
            edge += 1;
        }
        let next = (edge + 1).min(count - 1);
        let step = along[next] - along[edge];
        let t = ((s - along[edge]) / step.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
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
        Place {
            edge: edge as u32,
            t,
            from: from as u32,
            to: to as u32,
            middle,
            spread: squares / piece.len() as f32,
            own: near * near * (3.0 - 2.0 * near),
        }
    };
    (0..stations).map(place).collect()
}

/// Sums over the vertices up to one: positions now, and their products with those at
/// rest, both from the root.
#[derive(Clone, Copy, Default)]
struct Sum {
    now: Vec3,
    products: Mat3,
}

fn stations(places: &[Place], rest: &[Vec3], now: &[Vec3], head: Quat) -> Vec<Station> {
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
    let station = |place: &Place| {
        let (edge, t) = (place.edge as usize, place.t);
        let at = now[edge].lerp(now[(edge + 1).min(now.len() - 1)], t);
        let (from, to) = (&sums[place.from as usize], &sums[place.to as usize]);
        let middle = place.middle - rest[0];
        let moved = to.now - from.now;
        let count = (place.to - place.from) as f32;
        let mut product = to.products
            - from.products
            - Mat3::from_cols(moved * middle.x, moved * middle.y, moved * middle.z);
        product += Mat3::from_quat(head) * (HEAD * count * place.spread);
        turn = nearest_rotation(product, turn);
        let mut blended = match place.own {
            1.0 => turn,
            own => head.lerp(turn, own),
        };
        // The quaternion's sign is that of the head's, for the sake of averages.
        if blended.dot(head) < 0.0 {
            blended = -blended;
        }
        Station {
            at: at.extend(0.0),
            turn: Vec4::from(blended),
        }
    };
    places.iter().map(station).collect()
}

/// The rotation nearest to `matrix`, found from `start` on (Müller et al. 2016, "A robust
/// method to extract the rotational part of deformations", algorithm 1).
fn nearest_rotation(matrix: Mat3, start: Quat) -> Quat {
    let mut q = start;
    let scale = matrix.x_axis.length() + matrix.y_axis.length() + matrix.z_axis.length();
    for _ in 0..MOST_ITERATIONS {
        let r = Mat3::from_quat(q);
        let turn = r.x_axis.cross(matrix.x_axis)
            + r.y_axis.cross(matrix.y_axis)
            + r.z_axis.cross(matrix.z_axis);
        let along =
            r.x_axis.dot(matrix.x_axis) + r.y_axis.dot(matrix.y_axis) + r.z_axis.dot(matrix.z_axis);
        let turn = turn / (along.abs() + 1e-6 * scale + f32::MIN_POSITIVE);
        let angle = turn.length();
        if !angle.is_finite() || angle < ENOUGH {
            break;
        }
        q = (Quat::from_axis_angle(turn / angle, angle) * q).normalize();
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rotation_is_found_from_far_away() {
        for (axis, angle) in [
            (Vec3::X, 0.3),
            (Vec3::new(0.6, 0.0, 0.8), 2.5),
            (Vec3::Y, -1.2),
        ] {
            let turn = Quat::from_axis_angle(axis, angle);
            let stretched = Mat3::from_quat(turn) * Mat3::from_diagonal(Vec3::new(3.0, 1.0, 0.5));
            let found = nearest_rotation(stretched, Quat::IDENTITY);
            assert!(found.dot(turn).abs() > 0.999_99, "{axis} {angle}: {found}");
        }
        let none = nearest_rotation(Mat3::ZERO, Quat::IDENTITY);
        assert_eq!(none, Quat::IDENTITY);
    }
}
