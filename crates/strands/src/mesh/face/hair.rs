//! Grows brows and lashes.

use super::{
    features::{FACE_HAIR_POINTS, FaceHair},
    plan::{FacePlan, HairStrip},
};
use crate::{
    math::{elementary::pow, piecewise, random},
    mesh::Surface,
};
use glam::{Vec2, Vec3};

/// Hairs of a brow, of an upper and of a lower lid, on each side.
const BROW: u64 = 250;
const UPPER: u64 = 150;
const LOWER: u64 = 70;

/// Their diameters. They are thicker than true ones, which have 70 to 100 micrometres:
/// they are fewer. `[m]`
const BROW_WIDTH: f32 = 1.25e-4;
const UPPER_WIDTH: f32 = 2.0e-4;
const LOWER_WIDTH: f32 = 1.3e-4;

/// How deep roots sit in the skin. `[m]`
const ROOT: f32 = 0.0003;
/// No point of a hair comes nearer to the skin. `[m]`
const CLEAR: f32 = 0.00006;

/// Ways of a brow's hair along it: of what grows at its lower and at its upper border,
/// against the way outwards. Place along the brow, degrees.
const LOWER_WAYS: [(f32, f32); 5] = [
    (0.0, 82.0),
    (0.2, 55.0),
    (0.45, 34.0),
    (0.75, 6.0),
    (1.0, -28.0),
];
const UPPER_WAYS: [(f32, f32); 5] = [
    (0.0, 70.0),
    (0.2, 36.0),
    (0.45, 2.0),
    (0.75, -24.0),
    (1.0, -40.0),
];
/// Their length along the brow. `[m]`
const LENGTHS: [(f32, f32); 4] = [(0.0, 0.0058), (0.3, 0.0086), (0.7, 0.0080), (1.0, 0.0050)];

/// All of them, those of both sides in turn.
pub(super) fn grow(plan: &FacePlan, surface: &Surface) -> Vec<FaceHair> {
    let mut hairs: Vec<(u64, FaceHair)> = Vec::new();
    let mut add = |index: u64, hair: Option<FaceHair>| {
        // Which come first is chance.
        hairs.extend(hair.map(|hair| (random::hash(0xb70e, index), hair)));
    };
    for side in 0..2 {
        for i in 0..BROW {
            let id = 1000 * side + i;
            add(id, brow(&plan.brows[side as usize], surface, id, i));
        }
        for (first, count, strips, upper) in [
            (BROW, UPPER, &plan.upper_lashes, true),
            (BROW + UPPER, LOWER, &plan.lower_lashes, false),
        ] {
            for i in 0..count {
                let place = (i as f32 + 0.5) / count as f32;
                let id = 1000 * side + first + i;
                add(id, lash(&strips[side as usize], surface, id, place, upper));
            }
        }
    }
    hairs.sort_by_key(|(order, _)| *order);
    hairs.into_iter().map(|(_, hair)| hair).collect()
}

/// A strip with its length.
struct Course<'a> {
    strip: &'a HairStrip,
    /// Length of the line up to each point. `[m]`
    marks: Vec<f32>,
}

impl<'a> Course<'a> {
    fn new(strip: &'a HairStrip) -> Self {
        let mut marks = vec![0.0];
        let mut length = 0.0;
        for pair in strip.points.windows(2) {
            length += pair[0].distance(pair[1]);
            marks.push(length);
        }
        Self { strip, marks }
    }

    fn length(&self) -> f32 {
        self.marks.last().copied().unwrap_or(0.0)
    }

    /// The point and the size at `s`, 0 at the nose and 1 at the outer end. `[m]`
    fn at(&self, s: f32) -> (Vec3, f32) {
        let at = s.clamp(0.0, 1.0) * self.length();
        let of = |value: fn(&Vec3) -> f32| {
            let values = self.strip.points.iter().map(value);
            piecewise(self.marks.iter().copied().zip(values), at)
        };
        let place = Vec3::new(of(|p| p.x), of(|p| p.y), of(|p| p.z));
        let sizes = self.strip.sizes.iter().copied();
        (place, piecewise(self.marks.iter().copied().zip(sizes), at))
    }

    /// One on the left side, minus one on the right.
    fn side(&self) -> f32 {
        self.strip.points.first().map_or(1.0, |p| p.x.signum())
    }
}

/// A hair of a brow; none where no skin is behind it.
fn brow(strip: &HairStrip, surface: &Surface, id: u64, index: u64) -> Option<FaceHair> {
    let course = Course::new(strip);
    let draw = |slot: u64| random::uniform(0xb70 + slot, id);
    // Evenly over the strip, thinner where it begins; half as many rows as columns of it.
    let s = pow(random::halton(index + 1, 2), 0.9);
    let across = 2.0 * random::halton(index + 1, 3) - 1.0;
    let (middle, half) = course.at(s);
    let root = before_skin(surface, middle + Vec3::Y * (across * half))?;
    let long = piecewise(LENGTHS, s) * (0.75 + 0.45 * draw(1));
    let step = long / (FACE_HAIR_POINTS - 1) as f32;
    let stray = 9.0 * (draw(2) + draw(3) - 1.0);
    let mut points = [root; FACE_HAIR_POINTS];
    let mut at = root;
    for (k, point) in points.iter_mut().enumerate() {
        let t = k as f32 / (FACE_HAIR_POINTS - 1) as f32;
        // Over the skin, which it hardly leaves; the tip lies down.
        let rise = 0.0011 * t * (1.0 - 0.62 * t) + CLEAR * 2.0;
        let near = surface.closest(at, 0.03)?;
        *point = match k {
            0 => near.point - near.normal * ROOT,
            _ => near.point + near.normal * rise,
        };
        let here = s + t * long / course.length();
        let share = 0.5 + 0.5 * across;
        let way = piecewise(LOWER_WAYS, here) * (1.0 - share) + piecewise(UPPER_WAYS, here) * share;
        let way = Vec2::from_angle((way + stray).to_radians());
        let way = Vec3::new(course.side() * way.x, way.y, 0.0);
        at = near.point + way.reject_from_normalized(near.normal).normalize_or_zero() * step;
    }
    Some(FaceHair {
        points,
        width: BROW_WIDTH * (0.8 + 0.4 * draw(4)),
        eumelanin: 0.9,
    })
}

/// A lash at `place` of a lid, 0..=1.
fn lash(
    strip: &HairStrip,
    surface: &Surface,
    id: u64,
    place: f32,
    upper: bool,
) -> Option<FaceHair> {
    let course = Course::new(strip);
    let draw = |slot: u64| random::uniform(0x1a5 + slot, id);
    // Three lean towards one another.
    let shared = random::signed(0x1a4, id / 3);
    let s = place + 0.012 * (draw(1) - 0.5);
    let (middle, size) = course.at(s);
    let root = before_skin(surface, middle + Vec3::Y * (0.0004 * (draw(2) - 0.5)))?;
    let long = size * (0.72 + 0.36 * draw(3));
    let step = long / (FACE_HAIR_POINTS - 1) as f32;
    // They fan out, away from the nose.
    let fan = course.side() * (-0.28 + 0.85 * s) + 0.10 * shared + 0.12 * (draw(4) - 0.5);
    let (begin, end) = match upper {
        true => (Vec3::new(fan, -0.75, 0.62), Vec3::new(1.3 * fan, 0.12, 0.9)),
        false => (
            Vec3::new(fan, -0.62, 0.62),
            Vec3::new(1.2 * fan, -0.75, 0.35),
        ),
    };
    let skin = surface.closest(root, 0.01)?;
    let mut points = [skin.point - skin.normal * ROOT; FACE_HAIR_POINTS];
    let mut at = skin.point;
    for (k, point) in points.iter_mut().enumerate().skip(1) {
        let t = k as f32 / (FACE_HAIR_POINTS - 1) as f32;
        at += begin.lerp(end, t).normalize_or(Vec3::Z) * step;
        // A lid is round: what would go into it lies on it.
        let near = surface.closest(at, 0.03)?;
        if near.distance < 2.0 * CLEAR {
            at = near.point + near.normal * (2.0 * CLEAR);
        }
        *point = at;
    }
    Some(FaceHair {
        points,
        width: if upper { UPPER_WIDTH } else { LOWER_WIDTH },
        eumelanin: 5.0,
    })
}

/// The skin behind a point that is before it.
fn before_skin(surface: &Surface, from: Vec3) -> Option<Vec3> {
    let hit = surface.ray(from, Vec3::NEG_Z, 0.2)?;
    Some(from + Vec3::NEG_Z * hit.distance)
}
