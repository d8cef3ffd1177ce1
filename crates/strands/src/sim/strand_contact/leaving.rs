//! Contacts that slide over a joint: what a pair of edges remembers goes on to the pair
//! that has the contact next. Without it that pair begins as if nothing had pressed: for
//! a substep it carries less and rubs less.

use super::{
    edges::Edges,
    half_way::HalfWay,
    law::{EdgeMotion, PairContact, PairForce},
    segment::closest_points,
};
use crate::math::lanes::Lane;

/// What a pair remembers.
#[derive(Clone, Copy, Debug)]
pub struct PairMemory {
    /// What its first edge felt in the last substep.
    pub before: PairForce<f32>,
    /// The most that it has carried lately. `[m²/s²]`
    pub recent_load: f32,
}

/// A contact that leaves a pair of edges.
#[derive(Clone, Copy, Debug)]
pub struct Leaving {
    /// The pair, by the inner vertices of its edges.
    pub from: [u32; 2],
    /// The pair that it comes to.
    pub to: [u32; 2],
    /// What the former remembers.
    pub memory: PairMemory,
}

/// Where along its edge a contact is when the substep ends, on both edges made endless.
#[inline(always)]
pub fn ends_at<T: Lane>(a: &EdgeMotion<T>, b: &EdgeMotion<T>) -> [T; 2] {
    let (a, b) = (a.end(), b.end());
    closest_points(a[0] - b[0], a[1] - a[0], b[1] - b[0]).endless
}

/// The edge that has a contact which the one at that vertex has there.
pub fn next_edge(vertex: u32, at: f64) -> u32 {
    if at < 0.0 {
        vertex.wrapping_sub(1)
    } else if at > 1.0 {
        vertex + 1
    } else {
        vertex
    }
}

/// Whether those edges have a contact in this substep and may come closer than `distance`:
/// whether the pair list holds them shall not matter. `[m]`
pub fn may_touch(edges: &Edges, [a, b]: [u32; 2], distance: f32) -> bool {
    let [a, b] = [a, b].map(|vertex| edges.splat::<f32>(vertex as usize));
    let contact = PairContact::of(&a, &b);
    HalfWay::of(&a, &b).may_touch(&a, &b, &contact, distance) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn edge(start: [Vec3; 2], moved: Vec3) -> EdgeMotion<f32> {
        EdgeMotion {
            start: start.map(Into::into),
            moved: [moved.into(); 2],
            bounds: [0.0, 1.0],
        }
    }

    #[test]
    fn what_slides_over_a_joint_comes_to_the_next_edge() {
        let rail = edge([Vec3::ZERO, 0.01 * Vec3::X], Vec3::ZERO);
        let across = |x: f32, way: f32| {
            let middle = Vec3::new(x, 0.001, 0.0);
            let half = 0.02 * Vec3::Z;
            edge([middle - half, middle + half], way * Vec3::X)
        };
        for (x, way, next) in [(0.005, 0.004, 7), (0.009, 0.002, 8), (0.001, -0.002, 6)] {
            let [at, other] = ends_at(&rail, &across(x, way));
            assert_eq!(next_edge(7, at.into()), next, "{at}");
            assert_eq!(next_edge(40, other.into()), 40, "{other}");
        }
    }
}
