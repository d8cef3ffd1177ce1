//! Bodies and the head as one collision surface.

use super::{Collider, ColliderPlace};
use crate::{
    math::Pose,
    mesh::solid::{ClosestPoint, Primitive},
    sim::contact::{
        Carrier, CollisionSurface, ContactQuery, ContactResult, PointNumbers, PointRow, RECOVERY,
        Tangent, TorsoTurn,
    },
};
use glam::{DVec3, Vec3};

/// A body that moves faster between two steps does not move but jumps: hair
/// that it covers then comes out slowly. `[m/s]`
const JUMP: f64 = 6.0;

/// Farther away the distance need not be exact. `[m]`
const SIGHT: f64 = 0.06;

/// A way that is shorter asks the nearest point alone. `[m]`
const SHORT: f64 = 1e-4;

/// A body in one substep, as the head sees it.
#[derive(Clone, Copy, Debug)]
struct SubstepPose {
    before: ColliderPlace,
    now: ColliderPlace,
    /// Its shape when the substep ends.
    solid: Primitive,
    /// By how much it grew in the substep, along its own axes.
    grew: DVec3,
    moves: bool,
}

/// One body over a step.
#[derive(Clone, Debug)]
struct Moving {
    moments: Vec<SubstepPose>,
    /// In the world, when the step begins.
    begins: (ColliderPlace, Primitive),
}

/// All bodies that are on, over one step.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    all: Vec<Moving>,
    /// How far hair may come out of a body in a substep. `[m]`
    recovery: f64,
    /// How far any point of a body moves in a substep, as the head sees it. `[m]`
    pub travel: f64,
    /// Whether a body came, went or jumped: what hair saw before is void.
    pub anew: bool,
}

impl Bodies {
    /// The bodies of `now` while the head goes through `poses`, one for each end
    /// of a substep of `h` seconds. Where `before` (the last step's) has the
    /// same body elsewhere, it moves from there.
    pub fn new(before: &[Collider], now: &[Collider], poses: &[Pose], h: f64) -> Self {
        let substeps = poses.len().saturating_sub(1);
        let mut bodies = Self {
            recovery: RECOVERY * h,
            ..Self::default()
        };
        let count = |all: &[Collider]| all.iter().filter(|body| body.on).count();
        bodies.anew = count(before) != count(now);
        for (index, body) in now.iter().enumerate().filter(|(_, body)| body.on) {
            let (place, solid) = (body.place(), body.solid());
            let seconds = h * substeps as f64;
            let alike = |a: &Collider| (a.kind, a.follows_head, a.on, a.name.clone());
            let old = match before.len() == now.len() {
                true => before.get(index).filter(|old| alike(old) == alike(body)),
                // One came or went, and the places in the list mean nothing; nobody moves
                // another one at that moment.
                false => before.iter().find(|old| *old == body),
            };
            let old = old
                .map(|old| (old.place(), old.solid()))
                .filter(|(start, _)| start.centre.distance(place.centre) <= JUMP * seconds);
            bodies.anew |= old.is_none();
            let from = old.unwrap_or((place, solid));
            let seen = |t: usize| {
                let share = t as f64 / substeps.max(1) as f64;
                let own = from.0.between(&place, share);
                let solid = between(&from.1, &solid, share);
                let place = match body.follows_head {
                    true => own,
                    false => in_head(&poses[t], &own),
                };
                (place, solid)
            };
            let moments: Vec<SubstepPose> = (0..substeps)
                .map(|substep| {
                    let ((before, was), (now, solid)) = (seen(substep), seen(substep + 1));
                    SubstepPose {
                        before,
                        now,
                        solid,
                        grew: grown(&was, &solid),
                        moves: before != now || was != solid,
                    }
                })
                .collect();
            for moment in &moments {
                bodies.travel = bodies.travel.max(moment.travel());
            }
            let begins = match body.follows_head {
                true => from.0.under(&poses[0]),
                false => from.0,
            };
            bodies.all.push(Moving {
                moments,
                begins: (begins, from.1),
            });
        }
        bodies
    }

    /// Bodies that stand still, under a head at `pose`.
    pub fn resting(colliders: &[Collider], pose: Pose) -> Self {
        Self::new(&[], colliders, &[pose, pose], 1.0 / 240.0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How deep a place in the world lies in a body when the step begins, and
    /// the way out; none outside of all. `margin` is added to each body. `[m]`
    pub fn depth_in_world(&self, p: DVec3, margin: f64) -> Option<(f64, DVec3)> {
        let mut deepest: Option<(f64, DVec3)> = None;
        for (place, solid) in self.all.iter().map(|body| &body.begins) {
            let local = place.inverse_point(p);
            if solid.bound(local) > margin {
                continue;
            }
            let foot = solid.closest(local);
            let depth = margin - foot.distance;
            if depth > 0.0 && deepest.is_none_or(|(most, _)| depth > most) {
                deepest = Some((depth, place.rotation * foot.normal));
            }
        }
        deepest
    }

    /// How deep a vertex at `p` lies in any body when the step ends, beyond
    /// where its rest place `rest` lies if the strand is rooted in that body
    /// at `root`; all in the head's space. Negative outside. `[m]`
    pub fn depth(&self, root: Vec3, rest: Vec3, p: Vec3) -> f64 {
        let mut deepest = f64::NEG_INFINITY;
        for moment in self.all.iter().filter_map(|body| body.moments.last()) {
            let p = moment.now.inverse_point(p.as_dvec3());
            if moment.solid.bound(p) < 0.0 {
                let keep = moment.keep(root, rest, 0.0);
                deepest = deepest.max(keep - moment.solid.closest(p).distance);
            }
        }
        deepest
    }

    /// The body that `query` meets first or deepest, if any is as near as `gap`
    /// beyond what is kept from it. `[m]`
    fn query(&self, query: &ContactQuery, mut gap: f64) -> Option<ContactResult> {
        let mut found = None;
        for body in &self.all {
            let Some(moment) = body.moments.get(query.substep) else {
                continue;
            };
            let to = moment.now.inverse_point(query.to.as_dvec3());
            // Where it was, as the body saw it then.
            let from = moment.before.inverse_point(query.from.as_dvec3()) * moment.grew;
            let length = from.distance(to);
            let bound = moment.solid.bound(to);
            if bound > SIGHT && moment.solid.bound(from) > length {
                if bound - query.margin < gap {
                    gap = bound - query.margin;
                    found = Some(ContactResult {
                        tangent: Tangent::far(bound as f32),
                        keep: query.margin,
                        carrier: Carrier::Head,
                        drift: Vec3::ZERO,
                        holds: 1.0,
                    });
                }
                continue;
            }
            let near = moment.solid.closest(from);
            let start = near.distance;
            let entry = (start > 0.0 && length > SHORT.max(start))
                .then(|| moment.solid.entry(from, to))
                .flatten();
            let foot = entry.unwrap_or_else(|| moment.solid.closest(to));
            let foot = way_back(&near, from, to)
                .filter(|back| back.normal.dot(foot.normal) < 0.0)
                .unwrap_or(foot);
            let keep = moment.keep(query.root, query.rest, query.margin);
            if foot.distance - keep >= gap {
                continue;
            }
            gap = foot.distance - keep;
            // What lay deep when the substep began comes out slowly.
            let allowed = start + self.recovery;
            found = Some(moment.meeting(&foot, keep.min(allowed)));
        }
        found
    }
}

impl SubstepPose {
    /// How far any point of the body moves. `[m]`
    fn travel(&self) -> f64 {
        if !self.moves {
            return 0.0;
        }
        let turn = self.before.rotation.angle_between(self.now.rotation);
        // The angle between almost equal rotations is noisy, but small.
        let turn = if turn.is_finite() { turn } else { 0.0 };
        let grew = (DVec3::ONE - DVec3::ONE / self.grew).abs().max_element();
        self.before.centre.distance(self.now.centre) + self.solid.reach() * (turn + grew)
    }

    /// How far a vertex stays away: `margin`, but where its strand is rooted in
    /// this body no farther than its rest place, or a hairstyle would be thrown
    /// off by a body that lies around its roots. `[m]`
    fn keep(&self, root: Vec3, rest: Vec3, margin: f64) -> f64 {
        let inside = self.now.inverse_point(root.as_dvec3());
        if self.solid.bound(inside) > margin || self.solid.closest(inside).distance > margin {
            return margin;
        }
        let rest = self.now.inverse_point(rest.as_dvec3());
        margin.min(self.solid.closest(rest).distance)
    }

    fn meeting(&self, foot: &ClosestPoint, keep: f64) -> ContactResult {
        let normal = self.now.rotation * foot.normal;
        let point = self.now.point(foot.point);
        let drift = match self.moves {
            true => point - self.before.point(foot.point / self.grew),
            false => DVec3::ZERO,
        };
        ContactResult {
            tangent: Tangent {
                normal: normal.as_vec3(),
                offset: normal.dot(point) as f32,
                distance: foot.distance as f32,
            },
            keep,
            carrier: Carrier::of_moving(self.moves),
            drift: drift.as_vec3(),
            holds: 1.0,
        }
    }
}

/// The plane that a vertex already in a body, `near` its surface, goes away from on its
/// way. Where that is past the body's middle, the nearest surface is the one that the
/// vertex must not come to: a thin body would be passed in two substeps. `[m]`
fn way_back(near: &ClosestPoint, from: DVec3, to: DVec3) -> Option<ClosestPoint> {
    (near.distance <= 0.0 && near.normal.dot(to - from) < 0.0).then(|| ClosestPoint {
        distance: near.normal.dot(to - near.point),
        ..*near
    })
}

/// A body of the world as a head at `pose` sees it.
fn in_head(pose: &Pose, place: &ColliderPlace) -> ColliderPlace {
    let back = pose.rotation.as_dquat().conjugate();
    ColliderPlace {
        rotation: back * place.rotation,
        centre: back * (place.centre - pose.translation.as_dvec3()),
    }
}

fn between(a: &Primitive, b: &Primitive, t: f64) -> Primitive {
    let mix = |a: f64, b: f64| a + (b - a) * t;
    match (*a, *b) {
        (Primitive::Ellipsoid { radii: a }, Primitive::Ellipsoid { radii: b }) => {
            Primitive::Ellipsoid {
                radii: a.lerp(b, t),
            }
        }
        (
            Primitive::Capsule { half, radius },
            Primitive::Capsule {
                half: longer,
                radius: thicker,
            },
        ) => Primitive::Capsule {
            half: mix(half, longer),
            radius: mix(radius, thicker),
        },
        _ => *b,
    }
}

/// By how much a body grows from `a` to `b` along its own axes.
fn grown(a: &Primitive, b: &Primitive) -> DVec3 {
    match (*a, *b) {
        (Primitive::Ellipsoid { radii: a }, Primitive::Ellipsoid { radii: b }) => b / a,
        (
            Primitive::Capsule { radius, .. },
            Primitive::Capsule {
                radius: thicker, ..
            },
        ) => {
            let along = b.reach() / a.reach();
            DVec3::new(thicker / radius, along, thicker / radius)
        }
        _ => DVec3::ONE,
    }
}

/// The head's own skin, if it has one, and the bodies beside it.
pub struct Union<'a> {
    /// The head.
    pub head: Option<&'a dyn CollisionSurface>,
    /// The bodies.
    pub bodies: &'a Bodies,
}

impl Union<'_> {
    /// What a vertex meets of the head, or a body that is nearer.
    fn nearer(&self, query: &ContactQuery, head: ContactResult) -> ContactResult {
        let gap = head.gap();
        self.bodies.query(query, gap).unwrap_or(head)
    }
}

impl CollisionSurface for Union<'_> {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        self.query(&ContactQuery::of_point(from, to, 0)).tangent
    }

    fn distance(&self, p: Vec3) -> f32 {
        let head = self.head.map_or(f32::MAX, |head| head.distance(p));
        // Far away from everything a bound is as good.
        let bodies = self
            .bodies
            .all
            .iter()
            .filter_map(|body| body.moments.last());
        bodies.fold(head, |least, moment| {
            let p = moment.now.inverse_point(p.as_dvec3());
            least.min(moment.solid.closest(p).distance as f32)
        })
    }

    fn clear(&self, points: &PointRow, substep: usize) -> PointNumbers {
        let mut clear = match self.head {
            Some(head) => head.clear(points, substep),
            None => PointNumbers::splat(f32::MAX),
        };
        let moments = self.bodies.all.iter();
        for moment in moments.filter_map(|body| body.moments.get(substep)) {
            clear.change(points, |p, own| {
                if own == f32::MIN {
                    return own;
                }
                let there = moment.now.inverse_point(p.as_dvec3());
                own.min(moment.solid.bound(there) as f32)
            });
        }
        clear
    }

    fn query(&self, query: &ContactQuery) -> ContactResult {
        let head = match self.head {
            Some(head) => head.query(query),
            None => ContactResult::NONE,
        };
        self.nearer(query, head)
    }

    fn query_all(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        match self.head {
            Some(head) => head.query_all(queries, results),
            None => results.fill(ContactResult::NONE),
        }
        for (query, result) in queries.iter().zip(results) {
            *result = self.nearer(query, *result);
        }
    }

    fn torso_turn(&self, substep: usize) -> TorsoTurn {
        self.head
            .map_or(TorsoTurn::NONE, |head| head.torso_turn(substep))
    }

    fn identity(&self) -> usize {
        // Bodies may come and go; what hair knows of the head stays.
        self.head.map_or(1, CollisionSurface::identity)
    }
}
