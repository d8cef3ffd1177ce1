//! What carries the skin that a vertex meets, and where the planes go that the torso
//! does.

use crate::math::lanes::{Lane, LaneFrame, V3};
use glam::{DQuat, DVec3};

/// What a plane loses of its room each time that it is carried, so that rounding adds
/// up for a second or two only. `[m]`
pub(super) const WEAR: f64 = 4e-6;

/// What a plane loses besides for each metre that the torso moves: all before the head
/// can have come where it was far away.
pub(super) const NEARER: f64 = 0.15;

/// What carries the skin that a vertex meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The head: its plane stays where it is, as the head sees it.
    Head,
    /// The torso: its plane turns with that.
    Torso,
    /// Nothing: it moves by itself, and its plane is good for this substep only.
    Itself,
}

impl Carrier {
    /// Itself where it `moves`, else the head.
    pub fn of_moving(moves: bool) -> Self {
        match moves {
            true => Self::Itself,
            false => Self::Head,
        }
    }
}

/// How the torso turns in one substep, as the head sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsoTurn {
    /// Unit quaternion.
    pub rotation: DQuat,
    /// What it turns about. `[m]`
    pub pivot: DVec3,
}

impl TorsoTurn {
    /// None.
    pub const NONE: Self = Self {
        rotation: DQuat::IDENTITY,
        pivot: DVec3::ZERO,
    };

    /// Takes planes along whose normals are `normal` and whose distances from `root` are
    /// `offset`, of vertices that were at `place`: where they go, and how far the skin
    /// at the vertices does. `[m]`
    #[inline(always)]
    pub fn take<T: Lane>(
        &self,
        [root, place]: [V3<T>; 2],
        normal: V3<T>,
        offset: T,
    ) -> (V3<T>, T, V3<T>) {
        let turn = LaneFrame::turned(self.rotation);
        let pivot = V3::splat(self.pivot.to_array());
        let turned = turn.vector(normal);
        let offset = offset + (normal - turned).dot(root - pivot);
        let from = place - pivot;
        (turned, offset, turn.vector(from) - from)
    }
}

/// Sets or clears the bit of `lane`.
#[inline(always)]
pub(super) fn mark(mask: &mut u32, lane: usize, on: bool) {
    *mask = *mask & !(1 << lane) | (u32::from(on) << lane);
}

/// One in the lanes whose bit is set in `mask`.
#[inline(always)]
pub(super) fn in_lanes<T: Lane>(mask: u32) -> T {
    T::from_lanes(|lane| f64::from(mask >> lane & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn() -> TorsoTurn {
        TorsoTurn {
            rotation: DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.3),
            pivot: DVec3::new(0.02, -0.1, 0.03),
        }
    }

    fn taken(
        turn: TorsoTurn,
        [root, place, normal]: [DVec3; 3],
        offset: f64,
    ) -> (DVec3, f64, DVec3) {
        let v3 = |v: DVec3| V3::<f64>::splat(v.to_array());
        let (normal, offset, drift) = turn.take([v3(root), v3(place)], v3(normal), offset);
        (normal.get(0).into(), offset, drift.get(0).into())
    }

    #[test]
    fn a_plane_goes_where_its_points_go() {
        let turn = turn();
        let goes = |p: DVec3| turn.pivot + turn.rotation * (p - turn.pivot);
        let (root, normal) = (DVec3::new(0.05, 0.1, -0.02), DVec3::new(0.0, 0.8, 0.6));
        let foot = DVec3::new(0.1, -0.2, 0.04);
        let place = foot + 0.001 * normal;
        let (turned, there, drift) = taken(turn, [root, place, normal], normal.dot(foot - root));
        assert!((turned.dot(goes(foot) - root) - there).abs() < 1e-12);
        assert!(turned.distance(turn.rotation * normal) < 1e-12);
        assert!(drift.distance(goes(place) - place) < 1e-12);
    }

    #[test]
    fn no_turn_leaves_everything() {
        let (root, normal) = (DVec3::new(0.05, 0.1, -0.02), DVec3::new(0.0, 0.8, 0.6));
        let left = taken(TorsoTurn::NONE, [root, root * 2.0, normal], 0.25);
        assert_eq!(left, (normal, 0.25, DVec3::ZERO));
    }

    #[test]
    fn a_mask_tells_its_lanes() {
        let mut mask = 0;
        for lane in [0, 31] {
            mark(&mut mask, lane, true);
        }
        assert_eq!(mask, 1 | 1 << 31);
        mark(&mut mask, 31, false);
        assert_eq!(mask, 1);
        assert_eq!([1, 2].map(in_lanes::<f64>), [1.0, 0.0]);
    }
}
