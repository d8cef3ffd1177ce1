//! Where the set stands: the floor, and the column on it that carries a bust.

use super::pieces::Pieces;
use crate::mesh::Mesh;
use glam::{Vec3, Vec3Swizzles};
use std::collections::{BTreeMap, HashMap};

/// Where the set stands, from the head's shape at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    /// Under the middle of the bust's base. `[m]`
    pub place: Vec3,
    /// How far the bust reaches from there. `[m]`
    pub radius: f32,
    /// Height of the column that carries the bust. `[m]`
    pub stand: f32,
    /// Its radius. `[m]`
    pub column: f32,
    /// Whether its foot goes with the bust: into an opening that is not in the middle a
    /// column would lean as soon as the bust turns round.
    pub follows: bool,
    /// Height of the bust's lowest place. `[m]`
    base: f32,
    /// How far the column reaches up from there. `[m]`
    reach: f32,
    /// How far that is above the floor at least. `[m]`
    least: f32,
}

/// Between the lowest hair and the floor. `[m]`
const CLEAR: f32 = 0.03;
/// Hair that hangs so far below the bust has all of that. `[m]`
const SETTLED: f32 = 0.05;
/// The tallest stand. `[m]`
const TALLEST: f32 = 1.5;
/// The column's radius, as a share of the bust's.
const COLUMN: f32 = 0.5;
/// A bust whose opening is not level is so far above the floor at least. `[m]`
const RAISED: f32 = 0.05;

impl Floor {
    /// The floor under a head with these bounds, and the opening below if that is not
    /// level. `[m]`
    pub fn under([min, max]: [Vec3; 2], opening: Option<&Opening>) -> Self {
        let middle = (min + max) * 0.5;
        if !middle.is_finite() {
            return Self::under([Vec3::splat(-0.1), Vec3::splat(0.1)], None);
        }
        let size = max - min;
        let radius = (0.25 * (size.x + size.z)).max(0.01);
        let floor = Self {
            place: Vec3::new(middle.x, min.y, middle.z),
            radius,
            stand: 0.0,
            column: COLUMN * radius,
            follows: false,
            base: min.y,
            reach: 0.0,
            least: 0.0,
        };
        let Some(opening) = opening else {
            return floor;
        };
        // Whatever the hair: it would rest on one point of its rim.
        let floor = Self {
            place: opening.middle.with_y(min.y),
            column: opening.column,
            follows: true,
            reach: (opening.middle.y - min.y).max(0.0),
            least: RAISED,
            ..floor
        };
        floor.below(&[])
    }

    /// The same where hair that rests at these `places` hangs free.
    ///
    /// The stand grows out of the floor as hair grows longer than the bust, so that nothing
    /// jumps under a slider; and it depends on what is shown alone, so that a file shows
    /// what the window does.
    #[must_use]
    pub fn below(self, places: &[Vec3]) -> Self {
        let low = places.iter().fold(self.base, |low, p| low.min(p.y));
        let hangs = self.base - low;
        let clear = CLEAR * (hangs / SETTLED).min(1.0);
        let height = (hangs + clear).max(self.least).min(TALLEST);
        Self {
            place: self.place.with_y(self.base - height),
            stand: height + self.reach,
            ..self
        }
    }
}

/// The opening of a hollow bust that is not level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Its middle, at the height of its highest place. `[m]`
    pub middle: Vec3,
    /// The radius of a column that reaches up to there within the bust. `[m]`
    pub column: f32,
}

/// A rim whose heights differ by no more is level. `[m]`
const LEVEL: f32 = 0.02;
/// One whose heights differ by more, as a share of the head's, is that of a mask.
const STEEP: f32 = 0.35;
/// The column keeps that share of the way to the bust's inside.
const WITHIN: f32 = 0.8;
/// The thinnest column. `[m]`
const THINNEST: f32 = 0.01;

impl Opening {
    /// That of `mesh` below; none where it is closed there, or level.
    pub fn of(mesh: &Mesh) -> Option<Self> {
        let [min, max] = mesh.bounds();
        let rims = rims(mesh).into_iter();
        let size = |[low, high]: &[Vec3; 2]| (high - low).xz().element_sum();
        let [low, high] = rims
            .filter(|[low, _]| low.y <= min.y + LEVEL)
            .max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let spread = high.y - low.y;
        if spread <= LEVEL || spread > STEEP * (max.y - min.y) {
            return None;
        }
        let middle = low.midpoint(high).with_y(high.y);
        let sides = mesh.triangles.iter().flat_map(|triangle| {
            let [a, b, c] = triangle.map(|v| mesh.positions[v as usize]);
            [[a, b], [b, c], [c, a]]
        });
        let points = sides.flat_map(|[a, b]| [0.0, 0.25, 0.5, 0.75].map(|t| a.lerp(b, t)));
        let inside = points
            .filter(|p| p.y <= middle.y)
            .map(|p| p.xz().distance(middle.xz()))
            .fold(f32::INFINITY, f32::min);
        let wanted = COLUMN * 0.25 * size(&[low, high]);
        let column = wanted.min(WITHIN * inside);
        (column >= THINNEST).then_some(Self { middle, column })
    }
}

/// The bounds of each line of edges at which a surface ends. `[m]`
fn rims(mesh: &Mesh) -> Vec<[Vec3; 2]> {
    let mut edges: HashMap<[u32; 2], u32> = HashMap::with_capacity(2 * mesh.triangles.len());
    for [a, b, c] in mesh.triangles.iter().copied() {
        for [a, b] in [[a, b], [b, c], [c, a]] {
            *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let open = edges.iter().filter(|(_, count)| **count == 1);
    let ends: Vec<[u32; 2]> = open.map(|(ends, _)| *ends).collect();
    let mut rims = Pieces::new(mesh.positions.len());
    ends.iter().for_each(|[a, b]| rims.join(*a, *b));
    // In the order of their vertices, or two alike would be either in turn.
    let mut bounds: BTreeMap<u32, [Vec3; 2]> = BTreeMap::new();
    for v in ends.as_flattened() {
        let p = mesh.positions[*v as usize];
        let [low, high] = bounds.entry(rims.first(*v)).or_insert([p; 2]);
        (*low, *high) = (low.min(p), high.max(p));
    }
    bounds.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};

    const BOUNDS: [Vec3; 2] = [Vec3::splat(-0.1), Vec3::splat(0.1)];

    #[test]
    fn hair_that_hangs_lower_than_the_bust_has_room_over_the_floor() {
        let floor = Floor::under(BOUNDS, None);
        let hair = |low: f32| floor.below(&[Vec3::ZERO, Vec3::new(0.1, low, 0.0)]);
        assert_eq!((hair(-0.1).stand, hair(-0.1).place), (0.0, floor.place));
        let long = hair(-0.3);
        assert!((long.stand - 0.23).abs() < 1e-6 && (long.place.y + 0.33).abs() < 1e-6);
        // Shorter again, and nothing that is no place.
        let again = long.below(&[Vec3::ZERO]);
        assert!((again.place.y + 0.1).abs() < 1e-6 && again.stand == 0.0);
        assert_eq!(floor.below(&[Vec3::NAN]).stand, 0.0);
        assert_eq!(hair(-90.0).stand, TALLEST);
    }

    #[test]
    fn the_floor_sinks_without_a_jump_as_hair_grows() {
        let opening = Opening {
            middle: Vec3::new(0.0, -0.04, -0.03),
            column: 0.03,
        };
        for opening in [None, Some(&opening)] {
            let floor = Floor::under(BOUNDS, opening);
            let at = |step: u32| floor.below(&[Vec3::NEG_Y * (0.05 + 0.001 * step as f32)]);
            for step in 0..200 {
                let [before, after] = [at(step), at(step + 1)];
                let sinks = before.place.y - after.place.y;
                assert!((0.0..0.002).contains(&sinks), "{step}: {sinks}");
                assert!((before.stand + before.place.y - after.stand - after.place.y).abs() < 1e-6);
            }
        }
        // One that is not level stands on its column without any hair.
        let floor = Floor::under(BOUNDS, Some(&opening));
        assert!((floor.place.y + 0.1 + RAISED).abs() < 1e-6 && floor.follows);
        assert!((floor.place.y + floor.stand + 0.04).abs() < 1e-6);
        assert_eq!(floor.place.xz(), opening.middle.xz());
    }

    /// A pipe with a lid, whose lower rim leans.
    fn pipe(lean: f32) -> Mesh {
        let count = 24u32;
        let ring = |height: f32, lean: f32| {
            (0..count).map(move |i| {
                let angle = i as f32 / count as f32 * std::f32::consts::TAU;
                let (x, z) = angle.sin_cos();
                Vec3::new(0.1 * x, height + lean * z, 0.1 * z - 0.02)
            })
        };
        let mut positions: Vec<Vec3> = ring(0.0, lean).chain(ring(0.3, 0.0)).collect();
        positions.push(Vec3::new(0.0, 0.3, -0.02));
        let triangles = (0..count).flat_map(|i| {
            let j = (i + 1) % count;
            let (up, next) = (count + i, count + j);
            [[i, j, next], [i, next, up], [up, next, 2 * count]]
        });
        Mesh {
            positions,
            triangles: triangles.collect(),
            ..Mesh::default()
        }
    }

    #[test]
    fn an_opening_that_leans_is_found_and_the_column_is_within_it() {
        let opening = Opening::of(&pipe(0.03)).expect("an opening");
        assert!(opening.middle.distance(Vec3::new(0.0, 0.03, -0.02)) < 1e-3);
        assert!((opening.column - 0.05).abs() < 0.005, "{opening:?}");
        // Level, or a mask, or closed.
        assert!(Opening::of(&pipe(0.005)).is_none());
        assert!(Opening::of(&pipe(0.1)).is_none());
        let head = load(&HeadParams::default()).expect("the built-in head");
        assert!(Opening::of(&head.mesh).is_none());
        assert!(Opening::of(&Mesh::default()).is_none());
    }
}
