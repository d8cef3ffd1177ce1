//! Contact inside an implicit solve: compliant, with a predicted active set and
//! Coulomb friction.
//!
//! A touching vertex gets a stiff spring along the normal and a softer one
//! across it, both stiffer where the last step's forces were large, so that
//! depth and creep stay below [`SKIN_DEPTH`] and [`SKIN_CREEP`] whatever the load. Which
//! vertices touch is predicted from the forces of the last pass; where the
//! solution disagrees, or has taken a vertex to skin that it knows nothing of, the strand
//! gets another pass. How a vertex finds its plane: `query`.

mod query;

use super::{
    cache::{AT_ONCE, has_plane},
    query::contact_query,
    response::recovery,
    stiffness::stiffness_under_load,
    surface::ContactQuery,
};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        state::Block,
        step::{HeadTravel, StepInput},
    },
};
use glam::DVec3;

/// Least stiffness of contact with the skin and of sticking to it, in masses over h².
const LEAST_STIFFNESS: [f64; 2] = [100.0, 100.0];

/// Depth and creep at which the skin carries a load. `[m]`
const SKIN_DEPTH: f64 = 5e-5;
const SKIN_CREEP: f64 = 2e-4;

/// Under a load no contact is stiffer by more than so many times the least: what cannot
/// be closed must not run away.
const MOST_UNDER_LOAD: f64 = 100.0;

/// A gap predicted wrong by more asks for another pass. `[m]`
const TOLERANCE: f64 = 5e-5;

/// A vertex this far from the skin has its plane. `[m]`
const PLANE_WITHIN: f64 = 0.002;

/// A vertex without a plane that has used up its room is still so far from where it would
/// touch. `[m]`
const SPARE: f64 = 0.5 * PLANE_WITHIN;

/// A pass may take a vertex so much farther along its plane than that holds. `[m]`
const BEYOND_PLANE: f64 = 0.001;

/// The first pass is expected to take a vertex farther than it is predicted to go, by a share
/// of that way.
const BEYOND_PREDICTION: f64 = 0.5;

/// And by so much besides, for a vertex that hardly moves. `[m]`
const CREEP: f64 = 2e-5;

/// How far a vertex may move along its plane before it queries again. On a
/// curve of 5 mm the plane is then off by 0.05 mm. With 1 mm the capstan of the validation
/// missed its tolerance of 3 %. `[m]`
const PLANE_HOLDS: f64 = 0.0007;

/// What a vertex remembers of contact from substep to substep; forces are for each
/// unit of linear density.
#[derive(Clone, Copy, Debug)]
pub struct ContactMemory<T> {
    /// Friction on the vertex. `[m²/s²]`
    pub friction: V3<T>,
    /// Normal force. `[m²/s²]`
    pub normal_force: T,
    /// How deep the vertex sat in the skin, at most zero. `[m]`
    pub depth: T,
    /// How far the vertex may move before it must query the skin again. `[m]`
    pub room: T,
}

impl<T: Lane> ContactMemory<T> {
    /// Of a vertex that has met nothing and must query at once.
    pub fn none() -> Self {
        Self {
            friction: V3::zero(),
            normal_force: T::zero(),
            depth: T::zero(),
            room: T::splat(AT_ONCE),
        }
    }

    /// Lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> ContactMemory<P> {
        ContactMemory {
            friction: self.friction.cut(first),
            normal_force: self.normal_force.cut(first),
            depth: self.depth.cut(first),
            room: self.room.cut(first),
        }
    }

    /// Puts `part` into lanes `first..`.
    #[inline(always)]
    pub fn paste<P: Lane>(&mut self, first: usize, part: &ContactMemory<P>) {
        self.friction.paste(first, part.friction);
        self.normal_force.paste(first, part.normal_force);
        self.depth.paste(first, part.depth);
        self.room.paste(first, part.room);
    }

    /// Forgets everything in the lanes where `mask` is one.
    #[inline(always)]
    pub fn forget(&mut self, mask: T) {
        let none = Self::none();
        self.friction = none.friction.select(mask, self.friction);
        self.normal_force = mask.choose(none.normal_force, self.normal_force);
        self.depth = mask.choose(none.depth, self.depth);
        self.room = mask.choose(none.room, self.room);
    }

    /// Lets the vertex query the skin before it moves: it is not what it was.
    pub fn invalidate(&mut self) {
        self.room = T::splat(AT_ONCE);
    }

    /// Notes that the vertex has moved, and by how much what it may meet has.
    #[inline(always)]
    pub fn moved(&mut self, moved: V3<T>, met: T) {
        self.room -= moved.length_bound() + met;
    }

    /// One in the lanes where `live` is one and the vertex must query the skin before it goes
    /// `ahead`. `[m]`
    #[inline(always)]
    pub fn needs_query(&self, ahead: T, live: T) -> T {
        self.room.less(ahead, live, T::zero())
    }
}

/// What all vertices share whose contact is solved for in a substep.
pub struct ContactSubstep<T> {
    /// How the head moves.
    pub head: HeadTravel<T>,
    /// Each strand's root, in the head's space. `[m]`
    root: V3<T>,
    /// Length of the substep. `[s]`
    h: T,
    still: bool,
    /// What hair keeps from the skin. `[m]`
    margin: f64,
    /// How far a body beside the head may move, as the head sees it. `[m]`
    pub body_travel: f64,
    /// How far the torso may, which counts for vertices without a plane. `[m]`
    torso_travel: f64,
    /// Coulomb friction.
    friction: f64,
}

impl<T: Lane> ContactSubstep<T> {
    /// A substep in which the head moves like that; `root` is each strand's, in
    /// the head's space. `[m]`
    #[inline(always)]
    pub fn new(head: HeadTravel<T>, root: V3<T>, input: &StepInput) -> Self {
        Self {
            head,
            root,
            h: T::splat(input.h),
            still: input.still,
            margin: input.margin,
            body_travel: input.body_travel,
            torso_travel: input.torso_travel,
            friction: input.friction,
        }
    }

    /// A direction of the head's space, in the world.
    #[inline(always)]
    pub fn to_world(&self, v: V3<T>) -> V3<T> {
        if self.still {
            v
        } else {
            self.head.now.vector(v)
        }
    }

    /// The place when the substep began of a vertex noted from the root's new place,
    /// as the head saw it, from the root. `[m]`
    #[inline(always)]
    pub fn start_in_head(&self, from: V3<T>) -> V3<T> {
        let before = &self.head.before;
        before.inverse_vector(from + self.head.root_moved)
    }

    /// Whether what hair touches may move otherwise than the head does.
    #[inline(always)]
    fn drifts(&self) -> bool {
        self.body_travel > 0.0 || self.torso_travel > 0.0
    }

    /// What vertex `i` of the strand in `lane` asks at `place`, in the head's space. `[m]`
    pub fn query_at<B: Lane>(
        &self,
        block: &Block<B>,
        i: usize,
        lane: usize,
        place: DVec3,
    ) -> ContactQuery {
        let there = [place.as_vec3(); 2];
        let (head, root) = (&self.head, self.root);
        contact_query(block, head, root, self.margin, i, lane, there)
    }

    /// Where a vertex of the strand in `lane` is in the head's space that is at `x` from its
    /// root. `[m]`
    pub fn in_head(&self, x: V3<T>, lane: usize) -> DVec3 {
        let x = V3::<f64>::splat(x.get(lane));
        let seen = self.head.now.lane(lane).inverse_vector(x);
        DVec3::from(self.root.get(lane)) + DVec3::from(seen.get(0))
    }

    /// Where the skin has taken the material point that was at `from`.
    #[inline(always)]
    pub fn carried(&self, from: V3<T>) -> V3<T> {
        if self.still {
            from
        } else {
            self.head.carried(from)
        }
    }
}

/// A vertex at the iterate, as contact sees it.
pub struct ContactVertex<T> {
    /// Place, from the root. `[m]`
    pub x: V3<T>,
    /// The same when the substep began. `[m]`
    pub from: V3<T>,
    /// Mass over h², for each unit of linear density. `[m/s²]`
    pub heavy: T,
    /// What the strand's inner forces balance. `[m²/s²]`
    pub net: V3<T>,
    /// What else pulls on it. `[m²/s²]`
    pub pull: V3<T>,
    /// Stiffness against displacement without contact. `[m/s²]`
    pub spring: T,
}

/// Contact of one vertex.
#[derive(Clone, Copy, Debug)]
pub struct CompliantContact<T> {
    /// Normal of the skin's tangent plane, in the head's space.
    pub plane: V3<T>,
    /// That plane's distance from the rest root. `[m]`
    pub offset: T,
    /// How far what has that plane moves by itself in the substep, in the
    /// head's space. `[m]`
    pub drift: V3<T>,
    /// Normal in the world.
    pub normal: V3<T>,
    /// Stiffness of contact where it is active, else zero.
    pub stiff: T,
    /// The same, active or not.
    pub spring: T,
    /// Stiffness of friction across the direction in which it pulls.
    pub stick: T,
    /// The same along that direction.
    pub along: T,
    /// That direction.
    pub way: V3<T>,
    /// Friction when the substep began.
    pub remembered: V3<T>,
    /// Friction at the iterate.
    pub friction: V3<T>,
    /// Gap at the iterate. `[m]`
    gap: T,
    /// The gap to be closed in this substep. `[m]`
    pub close: T,
    /// How far the first pass is expected to take the vertex; zero where it has a plane. `[m]`
    pub ahead: T,
}

impl<T: Lane> CompliantContact<T> {
    /// None.
    pub fn none() -> Self {
        let (zero, zero3) = (T::zero(), V3::zero());
        Self {
            plane: zero3,
            offset: zero,
            drift: zero3,
            normal: zero3,
            stiff: zero,
            stick: zero,
            along: zero,
            way: zero3,
            remembered: zero3,
            spring: zero,
            friction: zero3,
            gap: zero,
            close: zero,
            ahead: zero,
        }
    }

    /// Notes that the vertex is predicted to go by `way` in the substep, as the head sees
    /// it, `[m]` so that it queries before the first pass if that may use up its room: after it
    /// the whole strand would need another.
    #[inline(always)]
    pub fn expect_way(&mut self, way: V3<T>) {
        let ahead = way.length_bound() * T::splat(BEYOND_PREDICTION) + T::splat(CREEP);
        self.ahead = has_plane(self.offset, T::zero(), ahead);
    }

    /// How far what the vertex may meet moves in the substep, as the head sees it.
    #[inline(always)]
    pub fn met_moves(&self, s: &ContactSubstep<T>) -> T {
        let body = T::splat(s.body_travel);
        let none = T::splat(s.body_travel + s.torso_travel);
        has_plane(self.offset, body, none)
    }

    /// Hessian and forces of contact at the iterate.
    #[inline(always)]
    pub fn meet(
        &mut self,
        memory: &ContactMemory<T>,
        vertex: &ContactVertex<T>,
        s: &ContactSubstep<T>,
    ) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let normal = s.to_world(self.plane);
        self.normal = normal;
        self.gap = normal.dot(vertex.x) - self.offset;
        let heavy = vertex.heavy;
        let spring = vertex.spring.max(T::splat(1e-12));
        let along = normal.dot(vertex.pull);
        // Inner forces pull with -net; is the vertex expected to stay on the skin?
        let inner = normal.dot(vertex.net);
        let stays = (heavy * self.gap + along - inner).less(zero, one, zero);
        let load = T::splat(s.friction) * memory.normal_force * stays;
        let [normal_least, stick_least] = [
            T::splat(LEAST_STIFFNESS[0]) * heavy,
            T::splat(LEAST_STIFFNESS[1]) * heavy,
        ];
        self.spring = stiffness_under_load(
            normal_least,
            memory.normal_force,
            SKIN_DEPTH,
            MOST_UNDER_LOAD,
        );
        let hold = stiffness_under_load(stick_least, load, SKIN_CREEP, MOST_UNDER_LOAD);
        // Coulomb, as a spring that remembers the last step's friction and gives
        // way where it pulls harder than the load allows (Cundall and Strack 1979,
        // "A discrete numerical model for granular assemblies", the shear force of a
        // contact: increments add up and are cut off at the friction's limit). Slipping, the force keeps its size: it has no stiffness along its
        // own direction, or hair would start to slip as if through honey.
        let mut moved = vertex.x - s.carried(vertex.from);
        if s.drifts() {
            moved = moved - s.to_world(self.drift);
        }
        let slip = moved.across(normal);
        let trial = self.remembered.across(normal) - slip.scale(hold);
        let size = trial.dot(trial).max(T::splat(1e-18)).sqrt();
        let slips = load.less(size, one, zero);
        let loaded = zero.less(load, one, zero);
        let share = (load / size).min(one) * loaded;
        self.way = trial.scale(one / size);
        self.stick = hold * share;
        // Where the way has turned round since the last step it is no slide but a
        // tremble: there the force keeps the stiffness that calms it.
        let onward = zero.less(trial.dot(self.remembered), slips, zero);
        self.along = onward.choose(zero, self.stick);
        self.friction = trial.scale(share);
        self.close = self.gap + recovery(memory.depth, s.h);
        let predicted = self.close + (along - inner) / spring;
        self.stiff = predicted.less(zero, self.spring, zero);
    }

    /// Forces of contact after a displacement by `d`: what all of them together
    /// leave for the inner forces, and one where the active set was wrong.
    /// `free` is what pulls after it without contact, `spring` the stiffness
    /// against displacement there.
    #[inline(always)]
    pub fn settle(
        &self,
        memory: &mut ContactMemory<T>,
        s: &ContactSubstep<T>,
        d: V3<T>,
        live: T,
        free: V3<T>,
        spring: T,
    ) -> (V3<T>, T) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let normal = self.normal;
        let deeper = normal.dot(d);
        let left = self.close + deeper;
        let normal_force = (-(self.stiff * left)).max(zero);
        let rub = self.friction - self.resistance(d.across(normal));
        let net = free + rub - normal.scale(self.stiff * left);
        // The gap that would open without the contact's own force.
        let gap = left * (one + self.stiff / spring.max(T::splat(1e-12)));
        let tolerance = T::splat(TOLERANCE);
        let active = zero.less(self.stiff, one, zero);
        let too_far = tolerance.less(gap, one, zero);
        let too_deep = gap.less(-tolerance, one, zero);
        let wrong = active.choose(too_far, too_deep);
        // Friction remembers no more than Coulomb allows.
        let allowed = T::splat(s.friction) * normal_force;
        let size = rub.dot(rub).max(T::splat(1e-18)).sqrt();
        let kept = rub.scale((allowed / size).min(one));
        // What was to be held but takes more than the load allows, slides.
        // (The floor is for what has no mass, behind a strand's tip.)
        let most = allowed * T::splat(1.05) + spring.max(T::splat(1e-2)) * T::splat(1e-4);
        let wrong = wrong.max(most.less(size, one, zero)) * live;
        memory.friction = kept.select(live, memory.friction);
        memory.normal_force = live.choose(normal_force, memory.normal_force);
        memory.depth = live.choose((self.gap + deeper).min(zero), memory.depth);
        (net, wrong)
    }

    /// Potential of contact after the vertex has moved by `moved`.
    #[inline(always)]
    pub fn energy(&self, moved: V3<T>) -> T {
        let half = T::splat(0.5);
        let deeper = self.normal.dot(moved);
        let across = moved.across(self.normal);
        self.normal_energy(self.close + deeper) + half * self.resistance(across).dot(across)
            - self.friction.dot(moved)
    }

    /// The normal spring's part of that where a gap of `left` is to be closed: all of it at
    /// the iterate, `close`. `[m]`
    #[inline(always)]
    pub fn normal_energy(&self, left: T) -> T {
        let low = left.min(T::zero());
        T::splat(0.5) * self.spring * low * low
    }

    /// Stiffness of friction times a displacement `v` across the normal.
    #[inline(always)]
    fn resistance(&self, v: V3<T>) -> V3<T> {
        v.scale(self.stick) + self.way.scale((self.along - self.stick) * self.way.dot(v))
    }
}
