//! Finds a lock of hair that is worth a look from near.

use crate::{groom::Groom, math::Pose};
use glam::{IVec2, Vec2, Vec3};
use std::collections::HashMap;

/// The side of the head that is searched: between the face and the head's
/// left. `[°]` from the face
const TOWARDS: f32 = 45.0;
/// Cells in which hair is counted, as it is seen from there. `[m]`
const CELL: f32 = 0.008;
/// So many cells to each side of a lock are in a close picture of it.
const ROUND: i32 = 5;
/// What lies deeper under the outermost hair of its cell is not seen. `[m]`
const SKIN: f32 = 0.012;
/// Hair that lies so much deeper than a lock is not of its surroundings: the
/// face may be before it. `[m]`
const DEEP: f32 = 0.05;
/// A close picture shows at least and at most so much to each side of its
/// middle. `[m]`
const NEAREST: f32 = 0.022;
const FARTHEST: f32 = 0.055;

/// A lock and the way to look at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lock {
    /// Near the middle of its strands. `[m]`
    pub middle: Vec3,
    /// Level, away from the head; unit length.
    pub outwards: Vec3,
    /// How far around the middle a picture should show it. `[m]`
    pub radius: f32,
}

/// A cell of the plane that is looked at.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The outermost vertex in it, along the line of sight. `[m]`
    front: Option<f32>,
    /// Vertices no deeper than [`SKIN`] under that.
    seen: u32,
}

impl Lock {
    /// The place on the head's front left where most hair is seen at once, near
    /// the middle of a strand there. `positions` are those of all vertices, in
    /// the groom's order, of hair on a head with these bounds at rest. `[m]`
    ///
    /// None where there is no hair, or positions of another groom.
    pub fn find(groom: &Groom, positions: &[Vec3], pose: &Pose, bounds: [Vec3; 2]) -> Option<Self> {
        if positions.len() != groom.points.len() {
            return None;
        }
        let centre = pose.point(0.5 * (bounds[0] + bounds[1]));
        let turn = TOWARDS.to_radians();
        let sight = pose.rotation * Vec3::new(turn.sin(), 0.0, turn.cos());
        let right = Vec3::Y.cross(sight).normalize_or(Vec3::X);
        let up = sight.cross(right);
        let see = |p: Vec3| {
            let p = p - centre;
            let at = (Vec2::new(p.dot(right), p.dot(up)) / CELL).floor();
            (at.as_ivec2(), p.dot(sight))
        };
        let mut cells: HashMap<_, Cell> = HashMap::new();
        let finite = || positions.iter().filter(|p| p.is_finite());
        for p in finite() {
            let (at, near) = see(*p);
            let cell = cells.entry(at).or_default();
            cell.front = Some(cell.front.map_or(near, |front| front.max(near)));
        }
        let is_seen = |cell: &Cell, near: f32| cell.front.is_some_and(|f| near > f - SKIN);
        for p in finite() {
            let (at, near) = see(*p);
            if let Some(cell) = cells.get_mut(&at)
                && is_seen(cell, near)
            {
                cell.seen += 1;
            }
        }
        let score = |strand: usize| {
            let curve = &positions[groom.range(strand)];
            let p = *curve.get(curve.len() / 2).filter(|p| p.is_finite())?;
            let (at, near) = see(p);
            // Hair at the rim of what is seen looks dense but is seen askew.
            let level = (p - centre).with_y(0.0).normalize_or_zero();
            let facing = level.dot(sight.with_y(0.0).normalize_or_zero());
            if facing < 0.7 || !cells.get(&at).is_some_and(|cell| is_seen(cell, near)) {
                return None;
            }
            let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
            let seen: u32 = around
                .filter_map(|(x, y)| cells.get(&(at + IVec2::new(x, y))))
                .map(|cell| cell.seen)
                .sum();
            // Hair should fill the picture: no face, no gap in it.
            let hairy = (-ROUND..=ROUND)
                .flat_map(|x| (-ROUND..=ROUND).map(move |y| IVec2::new(x, y)))
                .filter(|off| {
                    let front = cells.get(&(at + off)).and_then(|cell| cell.front);
                    front.is_some_and(|front| front > near - DEEP)
                })
                .count();
            let filled = hairy as f32 / ((2 * ROUND + 1) * (2 * ROUND + 1)) as f32;
            Some(seen as f32 * (facing * filled).powi(2))
        };
        let best = (0..groom.strands())
            .filter_map(|strand| Some((score(strand)?, strand)))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        // Hair that grows nowhere near there: any strand is better than none.
        let strand = best.map_or_else(
            || (0..groom.strands()).max_by_key(|strand| groom.range(*strand).len()),
            |(_, strand)| Some(strand),
        )?;
        Self::of(&positions[groom.range(strand)], centre)
    }

    /// Around the middle of one strand.
    fn of(curve: &[Vec3], centre: Vec3) -> Option<Self> {
        let part = |from: f32, to: f32| {
            let at = |share: f32| (share * curve.len() as f32) as usize;
            curve.get(at(from)..at(to).max(at(from) + 1).min(curve.len()))
        };
        // A curl winds around its middle line: the mean of some turns lies on it.
        let core = part(0.35, 0.65)?;
        let middle = core.iter().sum::<Vec3>() / core.len() as f32;
        let reach = part(0.25, 0.75)?
            .iter()
            .map(|p| p.distance(middle))
            .fold(0.0, f32::max);
        let outwards = (middle - centre).with_y(0.0).normalize_or(Vec3::Z);
        middle.is_finite().then_some(Self {
            middle,
            outwards,
            radius: reach.clamp(NEAREST, FARTHEST),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Vec3; 2] = [Vec3::splat(-0.1), Vec3::splat(0.1)];

    /// Straight strands of 20 vertices that hang from 2 cm over these places.
    fn curtain(tops: &[Vec3]) -> Groom {
        let strand = |top: &Vec3| -> Vec<Vec3> {
            let hang = |k: u8| *top + Vec3::Y * (0.02 - 0.004 * f32::from(k));
            (0..20).map(hang).collect()
        };
        Groom {
            points: tops.iter().flat_map(strand).collect(),
            starts: (0..=tops.len() as u32).map(|i| i * 20).collect(),
            masses: vec![1.0; tops.len()],
            ..Groom::default()
        }
    }

    /// A ring of strands around the head, and a denser bundle at `yaw` `[°]`.
    fn ring(yaw: f32, radius: f32) -> Groom {
        let at = |degrees: f32, radius: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            Vec3::new(sin, 0.0, cos) * radius
        };
        let mut tops: Vec<Vec3> = (0..72).map(|k| at(k as f32 * 5.0, 0.1)).collect();
        tops.extend((0..30).map(|k| at(yaw + 0.1 * k as f32, radius)));
        curtain(&tops)
    }

    fn found(groom: &Groom, pose: Pose) -> Option<Lock> {
        let positions: Vec<Vec3> = groom.points.iter().map(|p| pose.point(*p)).collect();
        Lock::find(groom, &positions, &pose, BOUNDS)
    }

    #[test]
    fn the_densest_lock_that_is_seen_on_the_front_left_is_found() {
        for yaw in [20.0f32, 40.0, 65.0] {
            let lock = found(&ring(yaw, 0.1), Pose::IDENTITY).expect("a lock");
            let azimuth = lock.middle.x.atan2(lock.middle.z).to_degrees();
            assert!((azimuth - yaw - 1.5).abs() < 8.0, "{azimuth} for {yaw}");
            assert!(lock.outwards.dot(lock.middle.with_y(0.0)) > 0.09);
            assert!((lock.middle.y + 0.018).abs() < 0.003, "{lock:?}");
        }
        // On the other side, or hidden behind a curtain, it is not looked at.
        for (yaw, radius) in [(-100.0, 0.1), (30.0, 0.06)] {
            let lock = found(&ring(yaw, radius), Pose::IDENTITY).expect("a lock");
            assert!(lock.middle.with_y(0.0).length() > 0.095, "{lock:?}");
            assert!(lock.middle.x > 0.0 && lock.middle.z > 0.0);
        }
    }

    #[test]
    fn the_lock_goes_with_the_head() {
        let pose = Pose {
            rotation: glam::Quat::from_rotation_y(1.2),
            translation: Vec3::new(0.3, -0.1, 0.2),
        };
        let groom = ring(40.0, 0.1);
        let rest = found(&groom, Pose::IDENTITY).expect("a lock");
        let moved = found(&groom, pose).expect("a lock");
        assert!(moved.middle.distance(pose.point(rest.middle)) < 0.02);
        assert!(moved.outwards.dot(pose.rotation * rest.outwards) > 0.98);
    }

    #[test]
    fn of_a_curl_the_middle_line_is_looked_at() {
        let helix = |k: u16| {
            let (sin, cos) = (f32::from(k) * 0.5).sin_cos();
            Vec3::new(0.1 + 0.01 * cos, -0.002 * f32::from(k), 0.1 + 0.01 * sin)
        };
        let curve: Vec<Vec3> = (0..100).map(helix).collect();
        let lock = Lock::of(&curve, Vec3::ZERO).expect("a lock");
        assert!(lock.middle.with_y(0.0).distance(Vec3::new(0.1, 0.0, 0.1)) < 0.002);
        assert_eq!(
            lock.radius,
            0.05f32.clamp(NEAREST, FARTHEST).min(lock.radius)
        );
    }

    #[test]
    fn no_hair_no_lock() {
        assert_eq!(found(&Groom::default(), Pose::IDENTITY), None);
        let groom = ring(40.0, 0.1);
        assert_eq!(Lock::find(&groom, &[], &Pose::IDENTITY, BOUNDS), None);
        // Hair behind only: still something.
        let groom = curtain(&[Vec3::NEG_Z * 0.1]);
        assert!(found(&groom, Pose::IDENTITY).is_some());
        let nan = vec![Vec3::NAN; groom.points.len()];
        assert_eq!(Lock::find(&groom, &nan, &Pose::IDENTITY, BOUNDS), None);
    }
}
