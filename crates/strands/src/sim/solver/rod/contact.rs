//! Contact of rods inside the solve: compliant, with a predicted active set and
//! Coulomb friction.
//!
//! A touching vertex gets a stiff spring along the normal and a softer one
//! across it, both stiffer where the last step's forces were large, so that
//! depth and creep stay below [`DEPTH`] and [`CREEP`] whatever the load. Which
//! vertices touch is predicted from the forces of the last pass; where the
//! solution disagrees the strand gets another pass.

use super::{
    lanes::{Contact, LaneGroup, Node},
    substep::Substep,
};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::{CollisionSurface, ContactQuery, NO_PLANE},
        state::Block,
    },
};
use glam::{DVec3, Vec3};

/// Least stiffness of contact and of sticking, in masses over h².
const STIFFNESS: [f64; 2] = [100.0, 100.0];

/// Depth and creep at which a load is carried. `[m]`
const DEPTH: f64 = 5e-5;
const CREEP: f64 = 2e-4;

/// No contact is stiffer than so many times the least: what cannot be closed
/// must not run away.
const STIFFEST: f64 = 100.0;

/// Hair that starts deep in the skin leaves it no faster. `[m/s]`
const RECOVERY: f64 = 0.5;

/// A gap predicted wrong by more asks for another pass. `[m]`
const TOLERANCE: f64 = 5e-5;

/// A vertex this far from the skin has its plane. `[m]`
const NEAR: f64 = 0.002;

/// How far a vertex may move along its plane before it looks again. On a
/// curve of 5 mm the plane is then off by 0.1 mm. `[m]`
const SLACK: f64 = 0.001;

/// At least `least` masses over h², more under a load that must be carried
/// within `way`.
#[inline(always)]
fn stiffness<T: Lane>(heavy: T, least: f64, load: T, way: f64) -> T {
    let least = T::splat(least) * heavy;
    least + (load * T::splat(1.0 / way)).min(least * T::splat(STIFFEST))
}

/// What of `v` lies across `normal`.
#[inline(always)]
fn across<T: Lane>(normal: V3<T>, v: V3<T>) -> V3<T> {
    v - normal.scale(normal.dot(v))
}

/// Hessian and forces of contact at the iterate. `pull` is what else pulls on
/// the vertex there, `spring` the stiffness against displacement without contact.
#[inline(always)]
pub(super) fn meet<T: Lane>(
    node: &Node<T>,
    touch: &mut Contact<T>,
    s: &Substep<T>,
    pull: V3<T>,
    spring: T,
) {
    let (zero, one) = (T::zero(), T::splat(1.0));
    let memory = &node.memory;
    let normal = s.to_world(touch.plane);
    touch.normal = normal;
    touch.gap = normal.dot(node.x) - touch.offset;
    let heavy = node.mass * s.mass_over_h2;
    let spring = spring.max(T::splat(1e-12));
    let along = normal.dot(pull);
    // Inner forces pull with -net; is the vertex expected to stay on the skin?
    let inner = normal.dot(memory.net);
    let stays = (heavy * touch.gap + along - inner).less(zero, one, zero);
    let load = T::splat(s.friction) * memory.push * stays;
    touch.spring = stiffness(heavy, STIFFNESS[0], memory.push, DEPTH);
    let hold = stiffness(heavy, STIFFNESS[1], load, CREEP);
    // Coulomb, as a spring that remembers the last step's friction and gives
    // way where it pulls harder than the load allows (Cundall and Strack
    // 1979). Slipping, the force keeps its size: it has no stiffness along its
    // own direction, or hair would start to slip as if through honey.
    let mut moved = node.x - s.carried(node.from);
    if s.body_travel > 0.0 {
        moved = moved - s.to_world(touch.drift);
    }
    let slip = across(normal, moved);
    let trial = across(normal, touch.remembered) - slip.scale(hold);
    let size = trial.dot(trial).max(T::splat(1e-18)).sqrt();
    let slips = load.less(size, one, zero);
    let loaded = zero.less(load, one, zero);
    let share = (load / size).min(one) * loaded;
    touch.way = trial.scale(one / size);
    touch.stick = hold * share;
    // Where the way has turned round since the last step it is no slide but a
    // tremble: there the force keeps the stiffness that calms it.
    let onward = zero.less(trial.dot(touch.remembered), slips, zero);
    touch.along = T::splat(0.5).less(onward, zero, touch.stick);
    touch.friction = trial.scale(share);
    // What lay deep before comes out no faster than the recovery speed.
    let slack = (-memory.depth - T::splat(RECOVERY) * s.h).max(zero);
    touch.close = touch.gap + slack;
    let predicted = touch.close + (along - inner) / spring;
    touch.stiff = predicted.less(zero, touch.spring, zero);
}

/// Forces of contact after a displacement by `d`: what all of them together
/// leave for the inner forces, and one where the active set was wrong.
/// `free` is what pulls after it without contact.
#[inline(always)]
pub(super) fn settle<T: Lane>(
    node: &mut Node<T>,
    touch: &Contact<T>,
    s: &Substep<T>,
    d: V3<T>,
    live: T,
    free: V3<T>,
    spring: T,
) -> (V3<T>, T) {
    let (zero, one) = (T::zero(), T::splat(1.0));
    let normal = touch.normal;
    let deeper = normal.dot(d);
    let left = touch.close + deeper;
    let push = (-(touch.stiff * left)).max(zero);
    let rub = touch.friction - touch.resistance(across(normal, d));
    let net = free + rub - normal.scale(touch.stiff * left);
    // The gap that would open without the contact's own force.
    let gap = left * (one + touch.stiff / spring.max(T::splat(1e-12)));
    let tolerance = T::splat(TOLERANCE);
    let active = zero.less(touch.stiff, one, zero);
    let too_far = tolerance.less(gap, one, zero);
    let too_deep = gap.less(-tolerance, one, zero);
    let wrong = T::splat(0.5).less(active, too_far, too_deep);
    // Friction remembers no more than Coulomb allows.
    let allowed = T::splat(s.friction) * push;
    let size = rub.dot(rub).max(T::splat(1e-18)).sqrt();
    let kept = rub.scale((allowed / size).min(one));
    // What was to be held but takes more than the load allows, slides.
    // (The floor is for what has no mass, behind a strand's tip.)
    let most = allowed * T::splat(1.05) + spring.max(T::splat(1e-2)) * T::splat(1e-4);
    let wrong = wrong.max(most.less(size, one, zero)) * live;
    let memory = &mut node.memory;
    let half = T::splat(0.5);
    memory.friction = kept.select(live, memory.friction);
    memory.push = half.less(live, push, memory.push);
    memory.depth = half.less(live, (touch.gap + deeper).min(zero), memory.depth);
    (net, wrong)
}

/// Potential of contact after the vertex has moved by `moved`.
#[inline(always)]
pub(super) fn energy<T: Lane>(touch: &Contact<T>, moved: V3<T>) -> T {
    let half = T::splat(0.5);
    let deeper = touch.normal.dot(moved);
    let low = (touch.close + deeper).min(T::zero());
    let across = across(touch.normal, moved);
    half * touch.spring * low * low + half * touch.resistance(across).dot(across)
        - touch.friction.dot(moved)
}

impl<T: Lane> Contact<T> {
    /// Stiffness of friction times a displacement `v` across the normal.
    #[inline(always)]
    fn resistance(&self, v: V3<T>) -> V3<T> {
        v.scale(self.stick) + self.way.scale((self.along - self.stick) * self.way.dot(v))
    }
}

impl<T: Lane> LaneGroup<T> {
    /// Lets every vertex look at the skin that may have come near since it
    /// looked last, in the lanes where `live` is one.
    #[inline(always)]
    pub fn look<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
        live: T,
    ) {
        let first = usize::from(!s.free);
        for i in first..self.rows {
            let room = self.nodes[i].memory.room;
            let wants = room.less(T::zero(), live, T::zero());
            if T::splat(0.5).any_less(wants) {
                self.look_again(block, s, skin, i, wants);
            }
        }
    }

    #[inline(always)]
    fn look_again<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
        i: usize,
        wants: T,
    ) {
        let node = &mut self.nodes[i];
        let touch = &mut self.touches[i];
        let start = s.start_in_head(node.from);
        let from = self.root_rest + start;
        let to = self.root_rest + s.in_head(node.x);
        let rest = self.root_rest + block.rest[i].cut(self.first);
        let point = |v: [f64; 3]| Vec3::from_array(v.map(|c| c as f32));
        for lane in 0..T::LANES {
            if wants.get(lane) < 0.5 {
                continue;
            }
            if i >= block.counts[self.first + lane] {
                touch.plane.set(lane, [0.0, 1.0, 0.0]);
                touch.offset.set(lane, NO_PLANE);
                node.memory.room.set(lane, f64::from(f32::MAX));
                continue;
            }
            let met = skin.query(&ContactQuery {
                from: point(from.get(lane)),
                to: point(to.get(lane)),
                root: point(self.root_rest.get(lane)),
                rest: point(rest.get(lane)),
                margin: s.margin,
                clearance: block.clearance[i].get(self.first + lane),
                substep: s.index,
            });
            let tangent = met.tangent;
            touch.drift.set(lane, met.drift.to_array().map(f64::from));
            let gap = f64::from(tangent.distance) - met.keep;
            // A fast vertex may end far from where it was expected.
            let way = DVec3::from(from.get(lane)).distance(DVec3::from(to.get(lane)));
            if gap > NEAR + way {
                touch.plane.set(lane, [0.0, 1.0, 0.0]);
                touch.offset.set(lane, NO_PLANE);
                node.memory.room.set(lane, gap - 0.5 * NEAR);
                node.memory.push.set(lane, 0.0);
                node.memory.depth.set(lane, 0.0);
                node.memory.friction.set(lane, [0.0; 3]);
                touch.remembered.set(lane, [0.0; 3]);
            } else {
                let normal = tangent.normal.as_dvec3();
                let root = DVec3::from(self.root_rest.get(lane));
                let offset = f64::from(tangent.offset) - normal.dot(root) + met.keep;
                if touch.offset.get(lane) <= NO_PLANE {
                    // Met for the first time: what lay inside before the
                    // substep must not be flung out of it.
                    let start = normal.dot(DVec3::from(start.get(lane))) - offset;
                    node.memory.depth.set(lane, start.min(0.0));
                }
                touch.plane.set(lane, normal.to_array());
                touch.offset.set(lane, offset);
                // A plane that moves by itself is good for now only.
                let room = if met.moves { -1.0 } else { SLACK };
                node.memory.room.set(lane, room);
            }
        }
        self.near[i] = T::splat(0.1 * NO_PLANE).any_less(touch.offset);
    }
}
