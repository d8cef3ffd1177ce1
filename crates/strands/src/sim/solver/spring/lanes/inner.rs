//! One inner step: spring forces, the velocities that follow, impulses of edges at
//! their limits, contact, motion.

use super::SpringGroup;
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        softness,
        solver::{
            HeadTravel, StepInput,
            slowing::Slowing,
            spring::constants::{CONTACT, FRICTION, Spring},
        },
        state::Block,
        trace::Observer,
    },
};

/// Share of a tension's stiffness across its edge that velocities are solved with.
const TENSION: f64 = 0.5;

/// What the inner steps of a substep share.
pub struct InnerStep<T> {
    /// Length of an inner step. `[s]`
    pub(super) h: T,
    /// One over the substep. `[1/s]`
    per_substep: T,
    friction: f64,
    restitution: f64,
    /// Share of the substep that an inner step is.
    pub(super) share: T,
    /// What outer forces add to the velocity of a vertex that nothing holds. `[m/s]`
    gain: V3<T>,
    /// What the push of moving air is multiplied with. `[s]`
    blown: T,
    /// Share of its velocity that drag and rubbing take.
    slowed: T,
    /// Mass and drag over the mass.
    pub(super) heavier: T,
    /// What a tension for each length of its edge is multiplied with. `[s²]`
    pub(super) turned: T,
    /// The head at both ends.
    pub(super) turn: [Q<T>; 2],
    pub(super) still: bool,
    /// Shortest and longest that an edge may be, times its rest length.
    pub(super) limits: [T; 2],
}

impl<T: Lane> InnerStep<T> {
    #[inline(always)]
    pub fn new<B: Lane>(
        spring: &Spring,
        group: &SpringGroup<T>,
        block: &Block<B>,
        input: &StepInput,
        head: &HeadTravel<B>,
        first: usize,
    ) -> Self {
        let one = T::splat(1.0);
        let substep = head.substep;
        let share = one / T::splat(group.steps as f64);
        let h = T::splat(input.h) * share;
        let rooted = (block.pinned > 0).then(|| head.root_moved.cut(first));
        let slowing = Slowing::new(input, 1.0, group.inverse_mass, rooted);
        let drag = slowing.share * h;
        let heavier = one + drag;
        let (begins, ends) = (substep, substep + 1);
        let turn = [
            block.rest_turn(input.poses[begins].rotation, input.share(begins), first),
            block.rest_turn(input.poses[ends].rotation, input.share(ends), first),
        ];
        let carried = match block.pinned {
            0 => V3::zero(),
            _ => softness::support(&input.frame(substep + 1), spring.carried),
        };
        Self {
            h,
            per_substep: T::splat(1.0 / input.h),
            friction: input.friction,
            restitution: input.restitution,
            share,
            gain: (V3::splat(input.gravity) + carried).scale(h / heavier * group.eased)
                + slowing.lead.scale(h / heavier),
            blown: h / heavier * group.eased,
            slowed: drag / heavier,
            heavier,
            turned: h * h * T::splat(TENSION),
            turn,
            still: input.still,
            limits: [2.0 - spring.limit, spring.limit].map(T::splat),
        }
    }
}

impl<T: Lane> SpringGroup<T> {
    /// What gravity, air and drag add to the velocity of vertex `i`, were it alone;
    /// nothing where the head or a pin holds it and behind a tip. `[m/s]`
    #[inline(always)]
    pub(super) fn outer(&self, s: &InnerStep<T>, i: usize) -> V3<T> {
        if i < self.pinned {
            return V3::zero();
        }
        let (zero, one) = (T::zero(), T::splat(1.0));
        let node = &self.nodes[i];
        let exists = zero.less(node.inverse_mass, one, zero);
        let free = exists * (one - node.held);
        (s.gain + node.acceleration.scale(s.blown) - node.velocity.scale(s.slowed)).scale(free)
    }

    /// Inner step number `step`: forces from root to tip, since frames are
    /// carried that way; what they do to the edges upstream, and the elimination,
    /// from tip to root; velocities and motion from root to tip.
    #[inline(always)]
    pub fn inner_step<N: Observer<T>>(&mut self, s: &InnerStep<T>, step: usize, note: &mut N) {
        self.limited = false;
        self.forces(s, step, note);
        self.eliminate(s, note);
        self.accelerate(s, note);
        if self.limited {
            self.hold_limits(s);
        }
        let left = T::splat(1.0 / (self.steps - step) as f64);
        let behind = s.share * T::splat((self.steps - step - 1) as f64);
        for i in 0..self.rows {
            if i < self.pinned {
                // The rest of the way in even parts.
                let way = self.goals[i] - self.nodes[i].x;
                self.nodes[i].x = self.nodes[i].x + way.scale(left);
                continue;
            }
            if self.near[i] {
                self.touch(s, i, behind, note);
            } else {
                let node = &mut self.nodes[i];
                node.x = node.x + node.velocity.scale(s.h);
            }
        }
    }

    /// Moves vertex `i`, which may meet the skin: what would take it through is
    /// taken from its velocity, and friction takes no more along the skin than
    /// its share of that. The skin is `behind` its place by that share of the
    /// substep's motion.
    #[inline(always)]
    fn touch<N: Observer<T>>(&mut self, s: &InnerStep<T>, i: usize, behind: T, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (node, touch) = (&mut self.nodes[i], &self.touches[i]);
        let normal = touch.normal;
        let exists = zero.less(node.inverse_mass, one, zero);
        let offset = touch.offset - normal.dot(touch.carried) * behind;
        let skin = touch.carried.scale(s.per_substep);
        let gap = normal.dot(node.x) - offset;
        // As fast as just reaches the skin; below it, as fast as the skin.
        let least = zero.less(gap, -gap / s.h, normal.dot(skin));
        let mut stop = (least - normal.dot(node.velocity)).max(zero) * exists;
        if s.restitution > 0.0 {
            let impact = normal.dot(skin - node.velocity).max(zero);
            stop += zero.less(stop, impact * T::splat(s.restitution), zero);
        }
        let velocity = node.velocity + normal.scale(stop);
        let slide = (velocity - skin).across(normal);
        let size = slide.dot(slide).max(T::splat(1e-18)).sqrt();
        let rub = slide.scale((stop * T::splat(s.friction) / size).min(one));
        node.velocity = velocity - rub;
        let x = node.x + node.velocity.scale(s.h);
        // What a curved or turning skin still leaves below is put right.
        let push = (offset - normal.dot(x)).max(zero) * exists;
        node.x = x + normal.scale(push);
        note.note(CONTACT, i, normal.scale(push + stop * s.h));
        note.note(FRICTION, i, V3::zero() - rub.scale(s.h));
    }
}
