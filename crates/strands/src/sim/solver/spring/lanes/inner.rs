//! One inner step: spring forces, impulses of taut edges, contact, motion.

use super::{SpringGroup, Strain};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        contact::on_skin,
        softness,
        solver::{
            StepInput,
            spring::{
                constants::{BEND, CONTACT, CORE, FRICTION, LIMIT, STRETCH, Spring},
                rest::{Adjoint, Carried, Smooth},
            },
        },
        state::Block,
        trace::Observer,
    },
};

/// What the inner steps of a substep share.
pub struct InnerStep<T> {
    /// Length of an inner step. `[s]`
    h: T,
    /// One over the substep. `[1/s]`
    per_substep: T,
    friction: f64,
    restitution: f64,
    /// Share of the substep that an inner step is.
    share: T,
    /// What outer forces and air add to the velocity, and what drag leaves of it.
    gain: V3<T>,
    damped: T,
    /// What the push of moving air is multiplied with. `[s]`
    blown: T,
    /// The head at both ends.
    turn: [Q<T>; 2],
    still: bool,
    limit: T,
}

impl<T: Lane> InnerStep<T> {
    #[inline(always)]
    pub fn new<B: Lane>(
        spring: &Spring,
        group: &SpringGroup<T>,
        block: &Block<B>,
        input: &StepInput,
        substep: usize,
        first: usize,
    ) -> Self {
        let one = T::splat(1.0);
        let share = one / group.steps;
        let h = T::splat(input.h) * share;
        let drag = T::splat(input.drag) * group.inverse_mass * h;
        let damped = one / (one + drag);
        let head = |substep: usize| {
            let rotation = input.poses[substep].rotation;
            block.rest_turn(rotation, input.share(substep), first)
        };
        let mut turn = [head(substep), head(substep + 1)];
        if block.pinned == 0 {
            // No head holds the strand: the frame rides on its first edge.
            let rest = turn[0].rotate(group.nodes[0].local);
            let now = group.nodes[1].x - group.nodes[0].x;
            let ride = Carried::new(Q::identity(), rest);
            let mut ride = ride;
            ride.go(now);
            turn = turn.map(|q| ride.frame.mul_quat(q));
        }
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
            gain: (V3::splat(input.gravity) + carried).scale(h * damped * group.eased),
            blown: h * damped * group.eased,
            damped,
            turn,
            still: input.still,
            limit: T::splat(spring.limit),
        }
    }
}

impl<T: Lane> SpringGroup<T> {
    /// Inner step number `step`: forces from root to tip, since frames are
    /// carried that way; what they do to the edges upstream, and the motion,
    /// from tip to root.
    #[inline(always)]
    pub fn inner_step<N: Observer<T>>(&mut self, s: &InnerStep<T>, step: usize, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        // Strands that need fewer steps have done theirs.
        let live = T::splat(step as f64).less(self.steps, one, zero);
        self.taut = false;
        self.forces(s, step, live, note);
        self.speed(s, live, note);
        if self.taut {
            self.apply_edge_impulses();
        }
        let (h, left) = (s.h * live, (self.steps - T::splat(step as f64)).max(one));
        let behind = (one - s.share * T::splat(step as f64 + 1.0)).max(zero);
        for i in 0..self.rows {
            if i < self.pinned {
                // The rest of the way in even parts.
                let way = self.goals[i] - self.nodes[i].x;
                self.nodes[i].x = self.nodes[i].x + way.scale(live / left);
                continue;
            }
            if self.near[i] {
                self.touch(s, i, live, behind, note);
            } else {
                let node = &mut self.nodes[i];
                node.x = node.x + node.velocity.scale(h);
            }
        }
    }

    /// Moves vertex `i`, which may meet the skin: what would take it through is
    /// taken from its velocity, and friction takes no more along the skin than
    /// its share of that. The skin is `behind` its place by that share of the
    /// substep's motion.
    #[inline(always)]
    fn touch<N: Observer<T>>(
        &mut self,
        s: &InnerStep<T>,
        i: usize,
        live: T,
        behind: T,
        note: &mut N,
    ) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (node, touch) = (&mut self.nodes[i], &self.touches[i]);
        let normal = touch.normal;
        let exists = zero.less(node.inverse_mass, live, zero);
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
        let slide = velocity - skin;
        let slide = slide - normal.scale(normal.dot(slide));
        let size = slide.dot(slide).max(T::splat(1e-18)).sqrt();
        let rub = slide.scale((stop * T::splat(s.friction) / size).min(one));
        node.velocity = velocity - rub;
        let h = s.h * live;
        let x = node.x + node.velocity.scale(h);
        // What a curved or turning skin still leaves below is put right.
        let push = (offset - normal.dot(x)).max(zero) * exists;
        node.x = x + normal.scale(push);
        note.note(CONTACT, i, normal.scale(push + stop * h));
        note.note(FRICTION, i, V3::zero() - rub.scale(h));
    }

    /// Edges past the limit are cut short, and each edge's springs are read.
    #[inline(always)]
    fn forces<N: Observer<T>>(&mut self, s: &InnerStep<T>, step: usize, live: T, note: &mut N) {
        let one = T::splat(1.0);
        let mut frame = s.turn[1];
        if !s.still {
            let t = (s.share * T::splat(step as f64)).min(one);
            frame = Q {
                w: s.turn[0].w + (s.turn[1].w - s.turn[0].w) * t,
                v: s.turn[0].v + (s.turn[1].v - s.turn[0].v).scale(t),
            }
            .normalized();
        }
        let first = self.nodes[1].x - self.nodes[0].x;
        let drift = self.nodes[1].velocity - self.nodes[0].velocity;
        let (mut smooth, mut core) = (Smooth::new(first), Smooth::new(first));
        let mut core_drift = Smooth::new(drift);
        let mut carried = Carried::new(frame, first);
        for i in 0..self.rows {
            // The next vertex first: the edge between must not be too long.
            self.shorten(s, i + 1, live, note);
            let node = &self.nodes[i];
            let mut strain = Strain::none();
            if i + 1 < self.rows {
                let next = &self.nodes[i + 1];
                let edge = next.x - node.x;
                let speed = next.velocity - node.velocity;
                let length = edge.dot(edge).max(T::splat(1e-18)).sqrt();
                let along = edge.scale(one / length);
                let rate = speed.dot(along);
                let tension = node.stretch * (length - node.length) + node.damping[0] * rate;
                let stretch = along.scale(tension);
                // Bending: towards the rest edge in the frame before (eq. 6).
                let target = carried.frame.rotate(node.local);
                let spring = (edge - target).scale(node.bend);
                let bend = spring + (speed - along.scale(rate)).scale(node.damping[1]);
                // Turned by a small w, the frame takes energy -w.(t x f).
                let torque = spring.cross(target);
                strain.upstream = torque.cross(carried.tangent).scale(carried.inverse);
                strain.twist = torque.dot(carried.tangent);
                let (d, drift) = if i == 0 {
                    (edge, speed)
                } else {
                    strain.turn = carried.go(smooth.next(edge, self.fresh[0]));
                    (
                        core.next(edge, self.fresh[1]),
                        core_drift.next(speed, self.fresh[1]),
                    )
                };
                strain.inverse = carried.inverse;
                // Core: along the smoothed curve (eq. 8).
                let reach = d.dot(d).max(T::splat(1e-18)).sqrt();
                let direction = d.scale(one / reach);
                let tension =
                    node.core * (reach - node.core_length) + node.damping[2] * drift.dot(direction);
                strain.core = direction.scale(tension);
                strain.force = stretch + bend;
                if N::LISTENS {
                    let share = s.h * s.h * live;
                    for (row, share) in [
                        (i, node.inverse_mass * share),
                        (i + 1, -(next.inverse_mass * share)),
                    ] {
                        note.note(STRETCH, row, stretch.scale(share));
                        note.note(BEND, row, bend.scale(share));
                    }
                }
            }
            self.strains[i] = strain;
        }
    }

    /// What each edge feels of the springs that depend on it through the
    /// smoothed curves (the smoothing's adjoint), and the velocities that follow.
    #[inline(always)]
    fn speed<N: Observer<T>>(&mut self, s: &InnerStep<T>, live: T, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let h = s.h * live;
        let (gain, blown) = (s.gain.scale(live), s.blown * live);
        let damped = one + (s.damped - one) * live;
        let (mut bend, mut core) = (Adjoint::new(), Adjoint::new());
        let mut twist = zero;
        // Of the edge that leaves the vertex.
        let (mut pulled, mut told) = (V3::zero(), [V3::zero(); 2]);
        for i in (0..self.rows).rev() {
            // Of the edge that comes to it.
            let (mut force, mut parts) = (V3::zero(), [V3::zero(); 2]);
            if i > 0 {
                let before = &self.strains[i - 1];
                // Bending of edge i turns the frame on smoothed edge i - 1; a
                // turn about that edge comes from all turns before it.
                let next = &self.strains[i];
                twist += next.twist;
                let half = T::splat(0.5) * before.inverse;
                let holonomy = before.turn.scale(twist) + next.turn.scale(twist - next.twist);
                let source = next.upstream - holonomy.scale(half);
                let (b, c) = if i > 1 {
                    (
                        bend.next(source, self.fresh[0]),
                        core.next(before.core, self.fresh[1]),
                    )
                } else {
                    (
                        bend.first(source, self.fresh[0]),
                        core.first(before.core, self.fresh[1]),
                    )
                };
                force = before.force + b + c;
                if N::LISTENS {
                    parts = [b, c];
                }
            }
            let node = &mut self.nodes[i];
            if N::LISTENS {
                let share = node.inverse_mass * h * h;
                note.note(BEND, i, (told[0] - parts[0]).scale(share));
                note.note(CORE, i, (told[1] - parts[1]).scale(share));
                told = parts;
            }
            if i >= self.pinned {
                let exists = zero.less(node.inverse_mass, one, zero);
                let push = (pulled - force).scale(node.inverse_mass * h);
                let outer = gain + node.push.scale(blown);
                node.velocity = (node.velocity + push).scale(damped) + outer.scale(exists);
            }
            pulled = force;
        }
    }

    /// Takes vertex `i` towards the one before it where their edge is past the
    /// limit, and notes that the edge is taut.
    #[inline(always)]
    fn shorten<N: Observer<T>>(&mut self, s: &InnerStep<T>, i: usize, live: T, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        if i >= self.rows || i < self.pinned.max(1) {
            return;
        }
        let inner = &self.nodes[i - 1];
        let node = &self.nodes[i];
        let longest = inner.length * s.limit;
        let longest = longest * longest;
        let d = node.x - inner.x;
        let square = d.dot(d).max(T::splat(1e-18));
        let exists = zero.less(node.inverse_mass, one, zero);
        let taut = longest.less(square, live * exists, zero);
        self.edge_impulses[i - 1].taut = taut;
        if !T::splat(0.5).any_less(taut) {
            return;
        }
        self.taut = true;
        let share = (longest / square).sqrt();
        let back = d.scale((share - one) * taut);
        self.nodes[i].x = node.x + back;
        note.note(LIMIT, i, back);
    }

    /// The impulses of taut edges: pulls at both ends, all at once, that leave no
    /// velocity which would stretch them further. They keep momentum and only
    /// take energy, so places put right by the limit feed nothing.
    #[inline(always)]
    fn apply_edge_impulses(&mut self) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut before, mut over, mut so_far) = (V3::zero(), zero, zero);
        for i in 0..self.rows - 1 {
            let (node, next) = (&self.nodes[i], &self.nodes[i + 1]);
            let taut = self.edge_impulses[i].taut;
            let d = next.x - node.x;
            let along = d.scale(one / d.dot(d).max(T::splat(1e-18)).sqrt());
            let (here, there) = (self.inverse_mass(i), self.inverse_mass(i + 1));
            // One row of a symmetric tridiagonal system, eliminated root first.
            let shared = here * along.dot(before);
            let pivot = here + there - shared * shared * over;
            let pull = (next.velocity - node.velocity).dot(along) + shared * so_far;
            over = taut / pivot.max(T::splat(1e-9));
            so_far = pull * over;
            before = along;
            let edge = &mut self.edge_impulses[i];
            (edge.along, edge.pull, edge.over) = (along, so_far, over);
        }
        let (mut after, mut outer) = (V3::zero(), zero);
        for i in (0..self.rows - 1).rev() {
            let edge = self.edge_impulses[i];
            let there = self.inverse_mass(i + 1);
            let shared = there * edge.along.dot(after);
            // An edge pulls and does not push.
            let pull = (edge.pull + shared * outer * edge.over).max(zero);
            let impulse = edge.along.scale(pull);
            let (here, next) = (self.inverse_mass(i), self.nodes[i + 1].velocity);
            self.nodes[i + 1].velocity = next - impulse.scale(there);
            self.nodes[i].velocity = self.nodes[i].velocity + impulse.scale(here);
            (after, outer) = (edge.along, pull);
        }
    }

    /// One over the mass of vertex `i`; none where the head holds it.
    #[inline(always)]
    fn inverse_mass(&self, i: usize) -> T {
        if i < self.pinned {
            T::zero()
        } else {
            self.nodes[i].inverse_mass
        }
    }

    /// The last word on lengths, when all inner steps are done.
    #[inline(always)]
    pub fn shorten_all<N: Observer<T>>(&mut self, s: &InnerStep<T>, note: &mut N) {
        for i in 0..self.rows {
            self.shorten(s, i, T::splat(1.0), note);
            if self.near[i] && i >= self.pinned.max(1) {
                let longest = self.nodes[i - 1].length * s.limit;
                let (inner, touch) = (self.nodes[i - 1].x, &self.touches[i]);
                let x = self.nodes[i].x;
                let kept = on_skin(inner, x, longest * longest, touch.normal, touch.offset);
                let exists = T::zero().less(self.nodes[i].inverse_mass, T::splat(1.0), T::zero());
                let kept = kept.select(exists, x);
                note.note(CONTACT, i, kept - x);
                self.nodes[i].x = kept;
            }
        }
    }
}
