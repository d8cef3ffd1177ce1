//! The law of contact between two edges: where it is, and how stiff.

use super::{segment::closest_points, side_force::SideForce};
use crate::{
    math::lanes::{Lane, V3},
    sim::contact::stiffness_under_load,
};

/// No side of a pair takes less of what that must give way.
const LIGHTEST_SHARE: f64 = 0.01;

/// Least stiffness of a pair, along the normal and of sticking, in inertias of the mass.
const LEAST_STIFFNESS: [f64; 2] = [20.0, 10.0];

/// Under a load no pair is stiffer by more than so many times the least.
const MOST_UNDER_LOAD: f64 = 10.0;

/// Depth and creep at which a pair carries its load. `[m]`
const PAIR_DEPTH: f64 = 1e-4;
const PAIR_CREEP: f64 = 2e-4;

/// How fast what overlaps when a substep begins is pushed apart: faster, and it
/// would be flung apart. Slower than out of the skin: both sides are hair. `[m/s]`
const PAIR_RECOVERY: f64 = 0.1;

/// A gap wider than this share of the distance to be kept is no contact yet.
const OPEN: f64 = 0.1;

/// A gap wider than this will not close by what other contacts do in the substep. `[m]`
pub const MAY_CLOSE: f64 = 5e-4;

/// An edge in a substep, or many side by side.
#[derive(Clone, Copy, Debug)]
pub struct EdgeMotion<T> {
    /// Where its ends were when the substep began. `[m]`
    pub start: [V3<T>; 2],
    /// How far they have moved since then, as far as is known. `[m]`
    pub moved: [V3<T>; 2],
    /// Between which shares of it it has contacts.
    pub bounds: [T; 2],
}

impl<T: Lane> EdgeMotion<T> {
    /// Its ends half-way through the substep. `[m]`
    #[inline(always)]
    pub fn half_way(&self) -> [V3<T>; 2] {
        let half = T::splat(0.5);
        [
            self.start[0] + self.moved[0].scale(half),
            self.start[1] + self.moved[1].scale(half),
        ]
    }

    /// Its ends when the substep is over. `[m]`
    #[inline(always)]
    pub fn end(&self) -> [V3<T>; 2] {
        let ([inner, outer], moved) = (self.start, self.moved);
        [inner + moved[0], outer + moved[1]]
    }

    /// Its length when the substep began. `[m]`
    #[inline(always)]
    pub fn length(&self) -> T {
        let edge = self.start[1] - self.start[0];
        edge.dot(edge).sqrt()
    }

    /// One where it has a contact at that share of it made endless, else zero.
    #[inline(always)]
    fn has(&self, endless: T) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let low = endless.less(self.bounds[0], zero, one);
        self.bounds[1].less(endless, zero, low)
    }
}

/// The point between two ends.
#[inline(always)]
pub fn between<T: Lane>(ends: &[V3<T>; 2], share: T) -> V3<T> {
    ends[0] + (ends[1] - ends[0]).scale(share)
}

/// The contact of two edges, or of many pairs of edges side by side.
///
/// All of it is that of the beginning of the substep: a normal taken where the edges
/// are expected would push hair onwards after it has crossed, and add energy.
#[derive(Clone, Copy, Debug)]
pub struct PairContact<T> {
    /// Where on each edge, as a share of it from its inner end.
    pub at: [T; 2],
    /// From the second edge to the first.
    pub normal: V3<T>,
    /// Distance of the middle lines. `[m]`
    pub width: T,
    /// One where these edges have the contact, zero where others beside them have it.
    pub own: T,
}

impl<T: Lane> PairContact<T> {
    /// That of the edges `a` and `b`.
    #[inline(always)]
    pub fn of(a: &EdgeMotion<T>, b: &EdgeMotion<T>) -> Self {
        let apart = a.start[0] - b.start[0];
        let edges = (a.start[1] - a.start[0], b.start[1] - b.start[0]);
        let found = closest_points(apart, edges.0, edges.1);
        let own = a.has(found.endless[0]) * b.has(found.endless[1]);
        let at = found.share;
        let apart = between(&a.start, at[0]) - between(&b.start, at[1]);
        let width = (apart.dot(apart) + T::splat(1e-14)).sqrt();
        Self {
            at,
            normal: apart.scale(T::splat(1.0) / width),
            width,
            own,
        }
    }

    /// By how much the edges part whose ends move so. `[m]`
    #[inline(always)]
    pub fn parting(&self, a: &[V3<T>; 2], b: &[V3<T>; 2]) -> T {
        let moved = between(a, self.at[0]) - between(b, self.at[1]);
        self.normal.dot(moved)
    }
}

/// What a pair of edges is, and what is known of its forces before it is solved.
#[derive(Clone, Copy, Debug)]
pub struct PairLoad<T> {
    /// Distance that the middle lines keep. `[m]`
    pub distance: T,
    /// Mean length of the two edges: their mass for each unit of linear density. `[m]`
    pub mass: T,
    /// Share of what the pair must give way that the first side takes: half between
    /// strands of equal mass, less beside a lighter one.
    pub share: T,
    /// Normal force as known now. `[m²/s²]`
    pub load: T,
    /// The most that the contact has carried lately. `[m²/s²]`
    pub recent_load: T,
}

/// What one edge of a pair has its contact with.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairSide<T> {
    /// How far along the normal away from the other edge its point is from where it
    /// must be. `[m]`
    pub gap: T,
    /// Stiffness along the normal; nothing where the edge does not touch the other.
    /// `[m/s²]`
    pub stiff: T,
    /// Stiffness of sticking. `[m/s²]`
    pub stick: T,
    /// Friction holds no more than this. `[m²/s²]`
    pub load: T,
}

/// What an edge of a pair feels.
#[derive(Clone, Copy, Debug)]
pub struct PairForce<T> {
    /// Normal force. `[m²/s²]`
    pub normal_force: T,
    /// Friction. `[m²/s²]`
    pub friction: V3<T>,
}

impl<T: Lane> PairForce<T> {
    /// Nothing.
    pub fn none() -> Self {
        Self {
            normal_force: T::zero(),
            friction: V3::zero(),
        }
    }
}

/// What every pair shares in a round.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Coulomb friction.
    pub friction: f32,
    /// Length of the substep. `[s]`
    pub h: f32,
    /// How much a vertex is against being moved in a substep, in masses over h²: 1 by
    /// implicit Euler, 9/4 by BDF2, which has a longer memory.
    pub inertia: f32,
    /// Whether edges have moved as if they touched nothing, and another round follows.
    pub expects: bool,
}

impl ContactLaw {
    /// The forces on both edges of a pair whose points have moved by `moved`, and which
    /// felt `before` in the last substep. `[m]`
    #[inline(always)]
    pub fn forces<T: Lane>(
        &self,
        contact: &PairContact<T>,
        moved: [V3<T>; 2],
        pair: &PairLoad<T>,
        before: &PairForce<T>,
    ) -> [SideForce<T>; 2] {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let lightest = T::splat(LIGHTEST_SHARE);
        let h = f64::from(self.h);
        let normal = contact.normal;
        let gap_before = contact.width - pair.distance;
        let relative = moved[0] - moved[1];
        let gap = gap_before + normal.dot(relative);
        let unit = pair.mass * T::splat(f64::from(self.inertia) / (h * h));
        let stiff = stiffness_under_load(
            unit * T::splat(LEAST_STIFFNESS[0]),
            pair.recent_load,
            PAIR_DEPTH,
            MOST_UNDER_LOAD,
        );
        // What overlapped before is pushed apart slowly, but not less hard than it was
        // pressed together: else no load above stiffness times recovery would be borne,
        // and a taut strand would cut through another.
        let pressed = pair.load / stiff.max(T::splat(1e-12));
        let apart = pressed.max(T::splat(PAIR_RECOVERY * h));
        let close = gap + (-gap_before - apart).max(zero);
        let open = T::splat(OPEN) * pair.distance;
        let touches = open.less(gap, zero, contact.own);
        let contact = Closing {
            close,
            unit,
            load: pair.load,
            stiff: stiff * touches,
        };
        let sides = [
            self.side(&contact, pair.share.max(lightest)),
            self.side(&contact, (one - pair.share).max(lightest)),
        ];
        // Both rub on the plane, which moves so.
        let drift = moved[0] - relative.scale(pair.share);
        let friction = before.friction.across(normal);
        let (none, [own, other]) = (V3::zero(), sides);
        [
            self.felt(&own, normal, friction, [moved[0], drift]),
            self.felt(&other, none - normal, none - friction, [moved[1], drift]),
        ]
    }

    /// What an edge feels whose point has moved by the first of `moved` while the plane
    /// moved by the second, and which felt that friction in the last substep.
    #[inline(always)]
    fn felt<T: Lane>(
        &self,
        side: &PairSide<T>,
        normal: V3<T>,
        friction: V3<T>,
        moved: [V3<T>; 2],
    ) -> SideForce<T> {
        match self.expects {
            true => SideForce::expected(side, normal, friction, moved),
            false => SideForce::of(side, normal, friction, moved),
        }
    }

    /// The force of a pair on its first edge: what both edges have felt should be one
    /// force and its opposite, and the side that gives way more knows it better.
    #[inline(always)]
    pub fn agreed<T: Lane>(
        &self,
        share: T,
        own: &PairForce<T>,
        other: &PairForce<T>,
    ) -> PairForce<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let rest = one - share;
        let normal_force = (own.normal_force * share + other.normal_force * rest).max(zero);
        let friction = own.friction.scale(share) - other.friction.scale(rest);
        let most = normal_force * T::splat(f64::from(self.friction));
        let size = friction.dot(friction).sqrt();
        let kept = most.less(size, most / size, one);
        PairForce {
            normal_force,
            friction: friction.scale(kept),
        }
    }

    /// What the edge of a pair has its contact with that gives way by that share.
    #[inline(always)]
    fn side<T: Lane>(&self, pair: &Closing<T>, share: T) -> PairSide<T> {
        let (zero, half) = (T::zero(), T::splat(0.5));
        // Both sides meet half-way: each takes its share of the gap.
        let way = share * pair.close;
        let predicted = way - pair.load / pair.unit.max(T::splat(1e-12));
        let both = T::splat(1.0) / share;
        // Friction answers to what the contact is sure to carry.
        let carried = pair.load.min(-predicted * pair.unit * (half * both + half));
        let load = T::splat(f64::from(self.friction)) * carried;
        let least = pair.unit * T::splat(LEAST_STIFFNESS[1]);
        PairSide {
            gap: way,
            stiff: predicted.less(zero, pair.stiff * both, zero),
            stick: stiffness_under_load(least, load, PAIR_CREEP, MOST_UNDER_LOAD) * both,
            load,
        }
    }
}

/// How a pair closes.
#[derive(Clone, Copy, Debug)]
struct Closing<T> {
    /// What is left of the gap. `[m]`
    close: T,
    /// The mass's inertia in a substep. `[m/s²]`
    unit: T,
    /// Normal force as known now. `[m²/s²]`
    load: T,
    /// Stiffness of the contact. `[m/s²]`
    stiff: T,
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// What presses on the first edge of a pair that stands so deep, having carried
    /// `load` lately; the other edge does not give way.
    fn push(depth: f32, load: f32) -> f32 {
        let law = ContactLaw {
            friction: 0.3,
            h: 1.0 / 120.0,
            inertia: 1.0,
            expects: false,
        };
        let normal = V3::from(Vec3::Y);
        let contact = PairContact {
            at: [0.5; 2],
            normal,
            width: 0.01 - depth,
            own: 1.0,
        };
        let pair = PairLoad {
            distance: 0.01,
            mass: 0.01,
            share: 1.0,
            load,
            recent_load: load,
        };
        let before = PairForce {
            normal_force: load,
            friction: V3::zero(),
        };
        let [own, _] = law.forces(&contact, [V3::zero(); 2], &pair, &before);
        own.at(normal, V3::zero()).normal_force
    }

    #[test]
    fn a_contact_goes_on_bearing_what_it_bears() {
        // More than the recovery of a pair alone would bear at its stiffest.
        for load in [30.0, 60.0] {
            let borne = push(0.003, load);
            assert!((borne / load - 1.0).abs() < 1e-3, "{borne} of {load}");
        }
        // No more than the spring does that deep.
        assert!(push(0.001, 60.0) < 40.0);
        // What has borne nothing is pushed apart slowly.
        assert!(push(0.003, 0.0) < 3.0);
    }
}
