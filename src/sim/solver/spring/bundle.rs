//! The strands that one set of registers takes side by side, and one inner step.

use super::{
    super::{Scratch, StepInput, particle::Substep},
    BEND, CONTACT, CORE, FRICTION, LIMIT, STRETCH, Spring,
    rest::{Adjoint, Carried, Smooth},
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{collide::on_skin, state::Block, trace::Note},
};

/// Share of the largest stable inner step that is taken: springs that bend and
/// turn are not quite the springs of the estimate.
const CAUTION: f64 = 0.7;

/// No inner step is longer: even soft springs shake where gravity and the limit
/// take turns more slowly. `[s]`
const LONGEST_STEP: f64 = 5e-4;

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// A vertex and the edge that leaves it.
#[derive(Clone, Copy, Debug)]
struct Node<T> {
    /// Place, from the root. `[m]`
    x: V3<T>,
    velocity: V3<T>,
    /// The edge at rest, in the frame before it. `[m]`
    local: V3<T>,
    /// Rest length of the edge, and of the core's. `[m]`
    length: T,
    core_length: T,
    /// Stiffnesses and dampings of the edge's springs, for each unit of linear
    /// density. `[m/s²]`, `[m/s]`
    stretch: T,
    bend: T,
    core: T,
    damping: [T; 3],
    /// One over the mass for each unit of linear density; none behind a
    /// strand's tip. `[1/m]`
    inverse_mass: T,
}

/// Strands side by side.
pub(super) struct Bundle<T> {
    nodes: Vec<Node<T>>,
    strains: Vec<Strain<T>>,
    jerks: Vec<Jerk<T>>,
    touches: Vec<Touch<T>>,
    /// Rows that may meet the skin in this substep.
    near: Vec<bool>,
    /// Whether any edge was past its limit in this inner step.
    taut: bool,
    /// Where pinned vertices are to be at the end of the substep. `[m]`
    goals: Vec<V3<T>>,
    rows: usize,
    pinned: usize,
    /// Inner steps that each strand takes in a substep.
    steps: T,
    most: usize,
    fresh: [T; 2],
    inverse_mass: T,
}

impl<T: Lane> Default for Bundle<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            strains: Vec::new(),
            jerks: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            taut: false,
            goals: Vec::new(),
            rows: 0,
            pinned: 0,
            steps: T::splat(1.0),
            most: 1,
            fresh: [T::splat(1.0); 2],
            inverse_mass: T::splat(1.0),
        }
    }
}

/// What the inner steps of a substep share.
pub(super) struct Inner<T> {
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
    /// The head at both ends.
    turn: [Q<T>; 2],
    still: bool,
    limit: T,
}

impl<T: Lane> Inner<T> {
    #[inline(always)]
    pub fn new<B: Lane>(
        spring: &Spring,
        bundle: &Bundle<T>,
        block: &Block<B>,
        input: &StepInput,
        substep: usize,
        air: V3<T>,
    ) -> Self {
        let one = T::splat(1.0);
        let share = one / bundle.steps;
        let h = T::splat(input.h) * share;
        let drag = T::splat(input.drag) * bundle.inverse_mass * h;
        let damped = one / (one + drag);
        let head = |substep: usize| Q::splat(input.poses[substep].rotation);
        let mut turn = [head(substep), head(substep + 1)];
        if block.pinned == 0 {
            // No head holds the strand: the frame rides on its first edge.
            let rest = turn[0].rotate(bundle.nodes[0].local);
            let now = bundle.nodes[1].x - bundle.nodes[0].x;
            let ride = Carried::new(Q::identity(), rest);
            let mut ride = ride;
            ride.go(now);
            turn = turn.map(|q| ride.frame.then_after(q));
        }
        Self {
            h,
            per_substep: T::splat(1.0 / input.h),
            friction: input.friction,
            restitution: input.restitution,
            share,
            gain: (V3::splat(input.gravity).scale(h) + air.scale(drag)).scale(damped),
            damped,
            turn,
            still: input.still,
            limit: T::splat(spring.limit),
        }
    }
}

impl<T: Lane> Bundle<T> {
    /// Takes what lasts the whole step of lanes `first..` of `block`: masses,
    /// springs, and how many inner steps they need in a substep of `h`. Of its
    /// stiffness against bending the share `eased` acts yet.
    #[inline(always)]
    pub fn load<B: Lane>(
        &mut self,
        spring: &Spring,
        block: &Block<B>,
        first: usize,
        h: f64,
        eased: f64,
    ) {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        self.rows = block.rows;
        self.pinned = block.pinned;
        self.fresh = [0, 1].map(|k: usize| block.spring.fresh[k].cut(first));
        self.inverse_mass = block.inverse_mass.cut(first);
        self.nodes.clear();
        self.goals.resize(block.rows, V3::zero());
        self.strains.resize(block.rows, Strain::none());
        self.touches.resize(block.rows, Touch::none());
        self.near.resize(block.rows, false);
        self.jerks.clear();
        self.jerks.resize(block.rows, Jerk::none());
        let count: T = block.count.cut(first);
        let shortest = T::splat(SHORTEST);
        // Edges around the mean decide on the number of inner steps.
        let mut total = zero;
        for edge in &block.spring.edges {
            total += edge.length.cut(first);
        }
        let mean = (total / (count - one).max(one)).max(shortest);
        let springs = [spring.stretch, spring.bend * eased, spring.core * eased];
        let [along, across, core] = springs.map(T::splat);
        // An edge's swing: its springs, and its neighbours' that bend with it.
        let omega = rate(along, across, core, mean, mean);
        let zeta = spring.damping.iter().sum::<f64>();
        // Semi-implicit Euler with damping stays stable while
        // y² + 8 zeta y < 4 for y = omega h.
        let y = CAUTION * 4.0 / (4.0 * zeta + (16.0 * zeta * zeta + 4.0).sqrt());
        let fewest = (h / LONGEST_STEP).ceil();
        let most = f64::from(spring.most).max(fewest);
        let needed = omega * T::splat(h / y);
        self.steps = T::from_lanes(|lane| needed.get(lane).ceil().clamp(fewest, most));
        self.most = self.steps.largest() as usize;
        let bearable = self.steps * T::splat(y / h);
        let mut before = zero;
        for i in 0..block.rows {
            let edge = &block.spring.edges[i];
            let exists = T::splat((i + 1) as f64).less(count, one, zero);
            let rest: T = edge.length.cut(first);
            let length = rest.max(shortest);
            let mass = (before + length * exists) * half;
            // The lighter of the two ends is what an edge can shake.
            let lighter = if i == 0 { length } else { length.min(before) };
            before = length * exists;
            let swing = rate(along, across, core, length, lighter);
            let soft = (bearable / swing.max(T::splat(1e-9))).min(one);
            let soft = soft * soft * exists;
            let core_rest: T = edge.core.cut(first);
            let core_length = core_rest.max(shortest);
            let stretch = along / length * soft;
            let bend = across / (length * length * length) * soft;
            let core = core / core_length * soft;
            let end = lighter;
            let damping = [
                (stretch, spring.damping[0]),
                (bend, spring.damping[1]),
                (core, spring.damping[2]),
            ]
            .map(|(k, zeta)| (k * end).sqrt() * T::splat(2.0 * zeta) * exists);
            let present = T::splat(i as f64).less(count, one, zero);
            self.nodes.push(Node {
                x: V3::zero(),
                velocity: V3::zero(),
                local: edge.local.cut(first),
                length: rest,
                core_length: core_rest,
                stretch,
                bend,
                core,
                damping,
                inverse_mass: present / mass.max(shortest * half),
            });
        }
    }

    /// Most inner steps that any strand takes.
    pub fn most_steps(&self) -> usize {
        self.most
    }

    /// Takes places and velocities of lanes `first..` at a substep's start.
    #[inline(always)]
    pub fn take<B: Lane>(
        &mut self,
        block: &Block<B>,
        scratch: &Scratch<B>,
        input: &StepInput,
        part: &Substep<B>,
        first: usize,
    ) {
        for i in 0..self.rows {
            let node = &mut self.nodes[i];
            node.x = scratch.before[i].cut(first);
            node.velocity = block.velocity[i].cut(first);
            self.near[i] = block.watch[i].near;
            if self.near[i] {
                let start = scratch.before[i];
                self.touches[i] = Touch {
                    normal: scratch.normal[i].cut(first),
                    offset: scratch.offset[i].cut(first),
                    carried: (part.part.carried(start) - start).cut(first),
                };
            }
        }
        for i in 0..self.pinned.min(self.rows) {
            self.goals[i] = part.target(block, input, i).cut(first);
            let way = self.goals[i] - self.nodes[i].x;
            self.nodes[i].velocity = way.scale(T::splat(1.0 / input.h));
        }
    }

    /// Gives places and velocities back.
    #[inline(always)]
    pub fn give<B: Lane>(&self, block: &mut Block<B>, first: usize) {
        for i in 0..self.rows {
            let pinned = i < self.pinned;
            let x = if pinned {
                self.goals[i]
            } else {
                self.nodes[i].x
            };
            block.position[i].paste(first, x);
            block.velocity[i].paste(first, self.nodes[i].velocity);
        }
    }

    /// Inner step number `step`: forces from root to tip, since frames are
    /// carried that way; what they do to the edges upstream, and the motion,
    /// from tip to root.
    #[inline(always)]
    pub fn inner_step<N: Note<T>>(&mut self, s: &Inner<T>, step: usize, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        // Strands that need fewer steps have done theirs.
        let live = T::splat(step as f64).less(self.steps, one, zero);
        self.taut = false;
        self.forces(s, step, live, note);
        self.speed(s, live, note);
        if self.taut {
            self.jerk();
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
    fn touch<N: Note<T>>(&mut self, s: &Inner<T>, i: usize, live: T, behind: T, note: &mut N) {
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
    fn forces<N: Note<T>>(&mut self, s: &Inner<T>, step: usize, live: T, note: &mut N) {
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
    fn speed<N: Note<T>>(&mut self, s: &Inner<T>, live: T, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let h = s.h * live;
        let gain = s.gain.scale(live);
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
                node.velocity = (node.velocity + push).scale(damped) + gain.scale(exists);
            }
            pulled = force;
        }
    }

    /// Takes vertex `i` towards the one before it where their edge is past the
    /// limit, and notes that the edge is taut.
    #[inline(always)]
    fn shorten<N: Note<T>>(&mut self, s: &Inner<T>, i: usize, live: T, note: &mut N) {
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
        self.jerks[i - 1].taut = taut;
        if !T::splat(0.5).any_less(taut) {
            return;
        }
        self.taut = true;
        let share = (longest / square).sqrt();
        let back = d.scale((share - one) * taut);
        self.nodes[i].x = node.x + back;
        note.note(LIMIT, i, back);
    }

    /// The jerks of taut edges: pulls at both ends, all at once, that leave no
    /// velocity which would stretch them further. They keep momentum and only
    /// take energy, so places put right by the limit feed nothing.
    #[inline(always)]
    fn jerk(&mut self) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut before, mut over, mut so_far) = (V3::zero(), zero, zero);
        for i in 0..self.rows - 1 {
            let (node, next) = (&self.nodes[i], &self.nodes[i + 1]);
            let taut = self.jerks[i].taut;
            let d = next.x - node.x;
            let along = d.scale(one / d.dot(d).max(T::splat(1e-18)).sqrt());
            let (here, there) = (self.lightness(i), self.lightness(i + 1));
            // One row of a symmetric tridiagonal system, eliminated root first.
            let shared = here * along.dot(before);
            let pivot = here + there - shared * shared * over;
            let pull = (next.velocity - node.velocity).dot(along) + shared * so_far;
            over = taut / pivot.max(T::splat(1e-9));
            so_far = pull * over;
            before = along;
            let jerk = &mut self.jerks[i];
            (jerk.along, jerk.pull, jerk.over) = (along, so_far, over);
        }
        let (mut after, mut outer) = (V3::zero(), zero);
        for i in (0..self.rows - 1).rev() {
            let jerk = self.jerks[i];
            let there = self.lightness(i + 1);
            let shared = there * jerk.along.dot(after);
            // An edge pulls and does not push.
            let pull = (jerk.pull + shared * outer * jerk.over).max(zero);
            let impulse = jerk.along.scale(pull);
            let (here, next) = (self.lightness(i), self.nodes[i + 1].velocity);
            self.nodes[i + 1].velocity = next - impulse.scale(there);
            self.nodes[i].velocity = self.nodes[i].velocity + impulse.scale(here);
            (after, outer) = (jerk.along, pull);
        }
    }

    /// One over the mass of vertex `i`; none where the head holds it.
    #[inline(always)]
    fn lightness(&self, i: usize) -> T {
        if i < self.pinned {
            T::zero()
        } else {
            self.nodes[i].inverse_mass
        }
    }

    /// The last word on lengths, when all inner steps are done.
    #[inline(always)]
    pub fn shorten_all<N: Note<T>>(&mut self, s: &Inner<T>, note: &mut N) {
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

/// The skin before a vertex.
#[derive(Clone, Copy, Debug)]
struct Touch<T> {
    /// Tangent plane at the substep's end: n.x = offset, from the root. `[m]`
    normal: V3<T>,
    offset: T,
    /// How far the skin there moves in the substep. `[m]`
    carried: V3<T>,
}

impl<T: Lane> Touch<T> {
    fn none() -> Self {
        Self {
            normal: V3::zero(),
            offset: T::zero(),
            carried: V3::zero(),
        }
    }
}

/// A taut edge.
#[derive(Clone, Copy, Debug)]
struct Jerk<T> {
    /// One where the edge is past its limit.
    taut: T,
    along: V3<T>,
    /// What the elimination left: right side and one over the pivot.
    pull: T,
    over: T,
}

impl<T: Lane> Jerk<T> {
    fn none() -> Self {
        Self {
            taut: T::zero(),
            along: V3::zero(),
            pull: T::zero(),
            over: T::zero(),
        }
    }
}

/// What the springs of an edge do.
#[derive(Clone, Copy, Debug)]
struct Strain<T> {
    /// Pulls on both ends of the edge itself. `[m²/s²]`
    force: V3<T>,
    /// Pulls on the smoothed edge that is the core's. `[m²/s²]`
    core: V3<T>,
    /// Pulls on the smoothed edge before, whose frame the edge bends in. `[m²/s²]`
    upstream: V3<T>,
    /// Torque about that smoothed edge. `[m³/s²]`
    twist: T,
    /// Curvature binormal between that smoothed edge and this one.
    turn: V3<T>,
    /// One over the length of this smoothed edge. `[1/m]`
    inverse: T,
}

impl<T: Lane> Strain<T> {
    #[inline(always)]
    fn none() -> Self {
        Self {
            force: V3::zero(),
            core: V3::zero(),
            upstream: V3::zero(),
            twist: T::zero(),
            turn: V3::zero(),
            inverse: T::zero(),
        }
    }
}

/// The fastest swing of an edge of that `length` whose lighter end has half of
/// `end` as mass. `[1/s]`
#[inline(always)]
fn rate<T: Lane>(along: T, across: T, core: T, length: T, end: T) -> T {
    // Neighbouring edges take their part in bending: four times the spring.
    let stiffness = (along + core) / length + across / (length * length * length) * T::splat(4.0);
    (stiffness * T::splat(4.0) / end).sqrt()
}
