//! What all vertices of a lane group share in a substep, its beginning and end.

use super::{
    constants::{Limits, Rod},
    lanes::LaneGroup,
};
use crate::{
    math::{
        lanes::{Lane, LaneFrame, V3},
        rotation::Q,
    },
    sim::solver::StepInput,
};

/// The numbers of one substep.
pub(super) struct Substep<T> {
    /// Length. `[s]`
    pub h: T,
    /// What multiplies a mass against displacement: 1/h² and air drag. `[1/s²]`
    pub inertia: T,
    /// The first part of that. `[1/s²]`
    pub mass_over_h2: T,
    /// Bending and twisting stiffness of the material. `[m⁴/s²]`
    pub bend: [T; 2],
    pub twist: T,
    /// Whether both bending stiffnesses are one.
    pub round: bool,
    /// Stiffness damping over the substep's length.
    pub damping: T,
    /// Coulomb friction.
    pub friction: f64,
    /// Whether nothing holds the roots.
    pub free: bool,
    /// Whether there is anything to meet.
    pub contact: bool,
    /// Frame before the first edge, at the end of the substep.
    pub clamp: Q<T>,
    /// How far the head turns. `[rad]`
    pub root_spin: V3<T>,
    pub limits: Limits,
    pub still: bool,
    /// Which substep it is.
    pub index: usize,
    /// What hair keeps from the skin. `[m]`
    pub margin: f64,
    /// How far a body beside the head may move, as the head sees it. `[m]`
    pub body_travel: f64,
    pub before: LaneFrame<T>,
    pub now: LaneFrame<T>,
    pub root_moved: V3<T>,
    /// Length of the step as the integrator weighs it, and gravity. `[s]`, `[m/s²]`
    pub weighed: T,
    pub gravity: V3<T>,
    pub drag: T,
}

impl<T: Lane> Substep<T> {
    #[inline(always)]
    pub fn new(
        rod: &Rod,
        bundle: &mut LaneGroup<T>,
        input: &StepInput,
        substep: usize,
        free: bool,
    ) -> Self {
        let now: LaneFrame<T> = input.frame(substep + 1);
        bundle.sit(input.share(substep + 1));
        let root = if input.still {
            bundle.root_rest
        } else {
            now.point(bundle.root_rest)
        };
        let root_moved = root - bundle.root;
        bundle.root = root;
        let (from, to) = (&input.poses[substep], &input.poses[substep + 1]);
        let turn = to.rotation * from.rotation.conjugate();
        let mut spin = V3::splat(turn.to_scaled_axis().to_array().map(f64::from));
        if let Some(seat) = &bundle.seat {
            // What the skin itself turns is little: twice the vector part.
            let [before, after] = [substep, substep + 1].map(|i| seat.turn_at(input.share(i)));
            let own = after.mul_quat(before.conjugate()).canonical().v;
            spin = spin + now.vector(own + own);
        }
        // BDF2 weighs a step as an implicit Euler step of 2/3 of its length.
        let weighed = if bundle.history.is_empty() {
            input.h
        } else {
            input.h * 2.0 / 3.0
        };
        let drag = T::splat(input.drag) * bundle.inverse_mass;
        let mass_over_h2 = T::splat(1.0 / (weighed * weighed));
        Self {
            h: T::splat(input.h),
            inertia: mass_over_h2 + drag * T::splat(1.0 / weighed),
            mass_over_h2,
            bend: rod.material.bend.map(T::splat),
            twist: T::splat(rod.material.twist),
            round: rod.material.is_round(),
            damping: T::splat(rod.damping / input.h),
            friction: input.friction,
            free,
            contact: input.skin.is_some(),
            clamp: bundle
                .turned(to.rotation, input.share(substep + 1))
                .mul_quat(bundle.clamp),
            root_spin: spin,
            limits: rod.limits,
            still: input.still,
            index: substep,
            margin: input.margin,
            body_travel: input.body_travel,
            before: input.frame(substep),
            now,
            root_moved,
            weighed: T::splat(weighed),
            gravity: V3::splat(input.gravity),
            drag,
        }
    }

    /// A direction of the head's space, in the world.
    #[inline(always)]
    pub fn to_world(&self, v: V3<T>) -> V3<T> {
        if self.still { v } else { self.now.vector(v) }
    }

    /// A place from the root, in the head's directions.
    #[inline(always)]
    pub fn in_head(&self, x: V3<T>) -> V3<T> {
        self.now.inverse_vector(x)
    }

    /// The same of a place when the substep began, noted from the root's new place.
    #[inline(always)]
    pub fn start_in_head(&self, from: V3<T>) -> V3<T> {
        self.before.inverse_vector(from + self.root_moved)
    }

    /// Where the skin has taken the material point that was at `from`.
    #[inline(always)]
    pub fn carried(&self, from: V3<T>) -> V3<T> {
        if self.still {
            from
        } else {
            self.now.vector(self.start_in_head(from))
        }
    }
}
