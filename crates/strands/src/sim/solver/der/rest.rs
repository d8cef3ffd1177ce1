//! The shape an elastic rod has without stress: the groom's rest curve, or the
//! one that gravity bends into it.
//!
//! Sag-free: tip to root, what hangs on an edge is known, so is the derivative
//! that the energy must have over its tangent. Two stresses a joint, the same
//! in both frames, answer it; the stress of twist follows from the frames'
//! balance. It is the inverse of the very gradients that move the strand, so
//! the groom is an equilibrium to rounding.

use super::{
    joint::{cosine_sine, joint, spin, transport, turned, vector, wrapped},
    state::{DerRestKey, DerState, DerVertex},
};
use crate::{
    math::{
        Pose,
        elementary::sin_cos,
        lanes::{Lane, V3},
    },
    sim::{
        forces::GRAVITY,
        solver::{
            groom_hold::{HoldProfile, bend_roll, groom_hold, spread},
            material::RodMaterial,
        },
        state::Block,
    },
};

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// Natural curvature and twist of a joint may differ from the groom's by no
/// more: hair that is too limp to be held so sags, it does not coil up. `[1]`
const MOST_BENT: f64 = 0.6;

/// How much faster than a straight joint one vibrates that is bent like this:
/// bending stiffens as 1/cos^4 of half the angle, and twist as stiff as `ratio`
/// times bending joins in.
#[inline(always)]
pub(super) fn quickened<T: Lane>(sharp: T, binormal: V3<T>, ratio: f64) -> T {
    let square = binormal.dot(binormal);
    let half = T::splat(0.5);
    sharp * sharp * (T::splat(1.0) + T::splat(0.25 * ratio) * square) + half * sharp * square
}

/// The rest curve: tangents and Bishop frame in the head's space.
struct Curve<T> {
    clamp: [V3<T>; 2],
    tangent: Vec<V3<T>>,
    bishop: Vec<V3<T>>,
    /// Components of the binormals on the Bishop frame.
    bend: Vec<[T; 2]>,
    /// Angle of the material frame from it. `[rad]`
    theta: Vec<T>,
}

impl<T: Lane> Curve<T> {
    fn new(block: &Block<T>, round: bool) -> Self {
        let edges = block.rows - 1;
        let mut tangent = Vec::with_capacity(edges);
        let mut before = V3::splat([0.0, 0.0, 1.0]);
        for i in 0..edges {
            let d = block.rest[i + 1] - block.rest[i];
            let squared = d.dot(d);
            let tiny = T::splat(1e-14);
            let exists = tiny.less(squared, block.alive(i + 1), T::zero());
            let t = d.scale(T::splat(1.0) / squared.max(tiny).sqrt());
            before = t.select(exists, before);
            tangent.push(before);
        }
        // The clamp lies half an edge before the middle of the first edge: it
        // follows with the curvature of the next joint, half its bend back.
        let first = tangent[0];
        let mut clamp = first;
        if edges > 1 {
            let middle = first + tangent[1];
            let square = middle.dot(middle).max(T::splat(1e-6));
            let middle = middle.scale(T::splat(1.0) / square.sqrt());
            clamp = first.scale(T::splat(2.0) * first.dot(middle)) - middle;
            clamp = clamp.scale(T::splat(1.0) / clamp.dot(clamp).max(T::splat(1e-6)).sqrt());
        }
        // Any direction across it: the axis farthest from it.
        let pick = |axis: [f64; 3], other: [f64; 3]| {
            let near = T::splat(0.7).less(clamp.x.abs(), T::splat(1.0), T::zero());
            V3::splat(axis).select(near, V3::splat(other))
        };
        let side = clamp.cross(pick([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]));
        let side = side.scale(T::splat(1.0) / side.dot(side).max(T::splat(1e-6)).sqrt());
        let mut curve = Self {
            clamp: [clamp, side],
            tangent,
            bishop: Vec::new(),
            bend: Vec::new(),
            theta: vec![T::zero(); edges],
        };
        curve.carry_frame();
        if !round {
            curve.align_material_frames(block);
        }
        curve
    }

    fn carry_frame(&mut self) {
        let [mut before, mut u] = self.clamp;
        self.bishop.clear();
        self.bend.clear();
        for t in &self.tangent {
            let joint = joint(before, *t);
            let v = before.cross(u);
            self.bend
                .push([joint.binormal.dot(u), joint.binormal.dot(v)]);
            u = transport(u, before, *t);
            self.bishop.push(u);
            before = *t;
        }
    }

    /// Turns the material frames so that the curl bends about the long axis of
    /// an elliptic cross-section, as hair grows: the rest twist.
    fn align_material_frames(&mut self, block: &Block<T>) {
        let mut clamp = self.clamp[1];
        let side = self.clamp[0].cross(clamp);
        for lane in 0..T::LANES {
            let mut first = None;
            let mut roll = 0.0;
            for i in 0..self.theta.len() {
                if i + 1 < block.counts[lane] {
                    roll = bend_roll(self.bend[i].map(|c| c.get(lane)), roll);
                }
                let begin = *first.get_or_insert(roll);
                self.theta[i].set(lane, roll - begin);
            }
            let (sine, cosine) = sin_cos(first.unwrap_or(0.0));
            let (u, v) = (clamp.get(lane), side.get(lane));
            clamp.set(lane, [0, 1, 2].map(|k| cosine * u[k] + sine * v[k]));
        }
        self.clamp[1] = clamp;
        self.carry_frame();
    }

    /// Cosine and sine of the angle of the frame before joint `i`, and it.
    fn before(&self, i: usize) -> (V3<T>, V3<T>, [T; 2]) {
        match i.checked_sub(1) {
            Some(i) => (
                self.tangent[i],
                self.bishop[i],
                cosine_sine(wrapped(self.theta[i])),
            ),
            None => (self.clamp[0], self.clamp[1], [T::splat(1.0), T::zero()]),
        }
    }
}

/// What the holonomy adds to the square of the fastest frequency where frames
/// are not at rest but follow the Bishop frame: moving a joint spins the frames
/// of all joints behind it. Joint after joint from the tip; a bound by the
/// trace.
pub(super) struct Holonomy<T> {
    /// Stiffness of all joints behind against a common spin.
    behind: T,
    /// The bound so far. `[1/s²]`
    pub square: T,
}

impl<T: Lane> Holonomy<T> {
    pub fn new() -> Self {
        Self {
            behind: T::zero(),
            square: T::zero(),
        }
    }

    /// The next joint: its bending stiffness, square of its binormal, and
    /// [`DerVertex::quick`].
    #[inline(always)]
    pub fn add(&mut self, bending: T, square: T, quick: T) {
        self.behind += bending * square;
        self.square += self.behind * square * quick * T::splat(1.0 / 16.0);
    }
}

/// Masses, stiffnesses and the shape without stress of every strand of `block`.
pub(super) fn prepare<T: Lane>(block: &Block<T>, state: &mut DerState<T>, recipe: DerRestKey) {
    let curve = Curve::new(block, recipe.rest.material.is_round());
    state.vertices.resize(block.rows, DerVertex::new());
    state.clamp = curve.clamp;
    if !state
        .made_for
        .is_some_and(|made| made.rest.holds_like(&recipe.rest))
    {
        state.hold = match recipe.rest.cap() {
            Some(cap) => groom_hold(block, &recipe.rest.held_for, cap),
            None => HoldProfile::none(),
        };
        state.spread = spread(block, &state.hold);
    }
    masses(block, &mut state.vertices, recipe.rest.held);
    state.excess_at_rest = stiffnesses(block, &mut state.vertices, &curve, &state.hold, &recipe);
    let mut theta = T::zero();
    for i in 0..block.rows - 1 {
        let (_, _, angle) = curve.before(i);
        let memory = &mut state.vertices[i];
        let [a, b] = turned(angle, curve.bend[i]);
        let [c, d] = turned(cosine_sine(wrapped(curve.theta[i])), curve.bend[i]);
        memory.rest = [a, b, c, d];
        memory.rest_twist = curve.theta[i] - theta;
        memory.rest_theta = curve.theta[i];
        theta = curve.theta[i];
    }
    if recipe.rest.cap().is_some() {
        carry_the_weight(
            block,
            &mut state.vertices,
            &curve,
            &recipe.rest.material,
            &state.hold,
        );
    }
    state.made_for = Some(recipe);
}

/// Rest lengths and masses.
fn masses<T: Lane>(block: &Block<T>, vertices: &mut [DerVertex<T>], held: bool) {
    let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
    let last = block.rows - 1;
    let mut before = zero;
    for (i, memory) in vertices.iter_mut().enumerate() {
        let mut after = zero;
        if i < last {
            let d = block.rest[i + 1] - block.rest[i];
            after = d.dot(d).sqrt().max(T::splat(SHORTEST)) * block.alive(i + 1);
        }
        memory.length = after;
        let mass = (before + after) * half;
        let tiny = T::splat(0.1 * SHORTEST);
        memory.inverse_mass = tiny.less(mass, one / mass.max(tiny), zero);
        if i == 0 && held {
            memory.inverse_mass = zero;
        }
        before = after;
    }
}

/// Where twist is not minimised: what all joints add to the square of the fastest frequency
/// counts from this share of what is allowed on.
const ADDED: f64 = 1e-3;

/// Stiffness of every joint, as stiff as the allowed number of inner steps can
/// bear, and how fast it vibrates. Answers [`DerState::excess`].
fn stiffnesses<T: Lane>(
    block: &Block<T>,
    vertices: &mut [DerVertex<T>],
    curve: &Curve<T>,
    hold: &HoldProfile<T>,
    recipe: &DerRestKey,
) -> T {
    let (zero, one) = (T::zero(), T::splat(1.0));
    let k = T::splat;
    let material = &recipe.rest.material;
    let mut excess = zero;
    for i in 0..block.rows {
        if i + 1 == block.rows || (i == 0 && !recipe.rest.held) {
            vertices[i].stiff = zero;
            vertices[i].quick = zero;
            continue;
        }
        let alive = block.alive(i + 1);
        let length = vertices[i].length;
        let after = one / length.max(k(SHORTEST));
        let w = vertices[i].inverse_mass;
        let w_next = vertices[i + 1].inverse_mass;
        let (span, quick) = if i == 0 {
            (length * k(0.5), k(4.0) * after * after * w_next)
        } else {
            let inner = vertices[i - 1].length;
            let w_before = vertices[i - 1].inverse_mass;
            let before = one / inner.max(k(SHORTEST));
            let all = k(2.0) * (before + after);
            // Gershgorin's bound, shared: half of a vertex's own for its joint,
            // a quarter for each of its neighbours'; the tip has only one.
            let tip = if i + 2 < block.rows {
                block.alive(i + 2).choose(k(4.0), one)
            } else {
                one
            };
            let quick = (k(4.0) * before * all * w_before)
                .max(k(2.0) * (before + after) * all * w)
                .max(tip * after * all * w_next);
            ((inner + length) * k(0.5), quick)
        };
        let (before, ..) = curve.before(i);
        let joint = joint(before, curve.tangent[i]);
        let ratio = material.twist / material.bend[0];
        let memory = &mut vertices[i];
        memory.quick = quick;
        let mut stiff = alive * hold.at(i) / span.max(k(SHORTEST));
        if let Some(share) = block.stiff(i, 0) {
            stiff = stiff * share;
        }
        let frequency =
            stiff * quick * k(material.bend[0]) * quickened(joint.sharp, joint.binormal, ratio);
        let allowed = k(recipe.fastest) / frequency.max(k(1e-6));
        memory.stiff = stiff * allowed.min(one);
        excess = excess.max(alive * frequency / k(recipe.fastest));
    }
    if recipe.rigid {
        let bend = k(material.bend[0]);
        let mut holonomy = Holonomy::new();
        for i in (0..block.rows - 1).rev() {
            let [p, q] = curve.bend[i];
            let memory = &vertices[i];
            holonomy.add(bend * memory.stiff, p * p + q * q, memory.quick);
        }
        // Joints alone take all that is allowed; together with the rest less.
        let all = holonomy.square + k(recipe.fastest);
        let more = k(ADDED * recipe.fastest).less(holonomy.square, one, zero);
        let share = more.choose(k(recipe.fastest) / all, one);
        for memory in vertices.iter_mut() {
            memory.stiff = memory.stiff * share;
        }
        // A bound: nothing is taken once what all add is so little, and joints as stiff as
        // their material add more than softened ones.
        let added = holonomy.square / k(ADDED * recipe.fastest);
        excess = excess.max(one) * added.max(one);
    }
    excess
}

/// Bends the shape without stress until gravity makes the groom of it.
fn carry_the_weight<T: Lane>(
    block: &Block<T>,
    vertices: &mut [DerVertex<T>],
    curve: &Curve<T>,
    material: &RodMaterial,
    hold: &HoldProfile<T>,
) {
    let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
    let k = T::splat;
    let mut weight = zero;
    let mut outer_pull = V3::zero();
    let (mut moment, mut outer_spin) = (zero, zero);
    for i in (0..block.rows - 1).rev() {
        let w = vertices[i + 1].inverse_mass;
        weight += zero.less(w, one / w.max(k(1e-9)), zero);
        let (before, u_before, angle_before) = curve.before(i);
        let (t, u) = (curve.tangent[i], curve.bishop[i]);
        let angle = cosine_sine(wrapped(curve.theta[i]));
        let joint = joint(before, t);
        let memory = &mut vertices[i];
        let (v, v_before) = (t.cross(u), before.cross(u_before));
        let a = turned(angle_before, curve.bend[i]);
        let b = turned(angle, curve.bend[i]);
        // Across the edge, the derivative over its tangent is the weight that
        // hangs on it times its length.
        let known = moment + outer_spin;
        let mut wanted = V3::zero() - outer_pull;
        wanted.y -= weight * memory.length * k(GRAVITY);
        // What a unit of either stress gives, and what needs none.
        let of = |stress: [T; 2], known: T| {
            let sum =
                vector(angle_before, stress, u_before, v_before) + vector(angle, stress, u, v);
            let moment = known + spin(stress, b);
            joint.pull(before, t, sum, moment)
        };
        let none = of([zero, zero], known);
        let unit = [of([one, zero], zero)[1], of([zero, one], zero)[1]];
        let side = wanted - none[1];
        let (r0, r1) = (side.dot(u), side.dot(v));
        let [m00, m10] = [unit[0].dot(u), unit[0].dot(v)];
        let [m01, m11] = [unit[1].dot(u), unit[1].dot(v)];
        let determinant = m00 * m11 - m01 * m10;
        let regular = k(0.05).less(determinant.abs(), one, zero);
        let inverse = regular / regular.choose(determinant, one);
        let alive = block.alive(i + 1);
        let stress = [
            (r0 * m11 - m01 * r1) * inverse * alive,
            (m00 * r1 - r0 * m10) * inverse * alive,
        ];
        let [pull_before, _] = of(stress, known);
        outer_pull = pull_before;
        moment = known + spin(stress, b);
        outer_spin = spin(stress, a);
        // The curvature without stress that leaves these stresses.
        let (most, carried) = (k(MOST_BENT), hold.carried(i));
        let bent = |stress: T, stiffness: f64| {
            let stiff = memory.stiff * half * k(stiffness);
            stress / stiff.max(k(1e-20))
        };
        let by = [
            bent(stress[0], material.bend[0]),
            bent(stress[1], material.bend[1]),
        ];
        let size = (by[0] * by[0] + by[1] * by[1]).sqrt().max(k(1e-9));
        let by = by.map(|by| by * (most / size).min(one) * carried);
        let twist = bent(moment, 2.0 * material.twist).min(most).max(-most) * carried;
        for (rest, by) in memory.rest.iter_mut().zip([by[0], by[1], by[0], by[1]]) {
            *rest -= by;
        }
        memory.rest_twist += twist;
    }
}

/// Takes the block as another method left it: lengths are made right without a
/// speed, the material frames begin as at rest.
pub(super) fn take_over<T: Lane>(block: &mut Block<T>, state: &mut DerState<T>, pose: &Pose) {
    let frame = block.rest_frame(pose);
    let clamp = state.clamp.map(|v| frame.vector(v));
    let mut before = clamp[0];
    let mut place = block.position[0];
    for i in 0..block.rows {
        let memory = &mut state.vertices[i];
        memory.theta = memory.rest_theta;
        memory.low = V3::zero();
        let length = memory.length;
        let old = block.position[i];
        block.position[i] = place;
        if i + 1 < block.rows {
            let (t, _) = super::joint::direction(block.position[i + 1] - old, before);
            if i == 0 {
                let u = transport(clamp[1], clamp[0], t);
                state.carried = [t, u];
            }
            place = place + t.scale(length);
            before = t;
        }
    }
}
