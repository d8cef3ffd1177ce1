//! What all vertices of a lane group share in a substep, its beginning and end.

use super::{
    constants::{Limits, Rod},
    lanes::RodGroup,
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        contact::ContactSubstep,
        solver::{HeadTravel, StepInput, slowing::Slowing},
    },
};

/// The numbers of one substep.
pub(super) struct Substep<T> {
    /// Length. `[s]`
    pub h: T,
    /// One over it, and the square of that: what contact and pins are stiff by. `[1/s]`, `[1/s²]`
    pub per_second: T,
    pub mass_over_h2: T,
    /// Bending and twisting stiffness of the material. `[m⁴/s²]`
    pub bend: [T; 2],
    pub twist: T,
    /// Whether both bending stiffnesses are one.
    pub round: bool,
    /// Stiffness damping over the substep's length.
    pub damping: T,
    /// Whether nothing holds the roots.
    pub free: bool,
    /// Whether there is anything to meet, and what contact shares.
    pub meets: bool,
    pub contact: ContactSubstep<T>,
    /// Frame before the first edge, at the end of the substep.
    pub clamp: Q<T>,
    /// How far the head turns. `[rad]`
    pub root_spin: V3<T>,
    pub limits: Limits,
    /// Share of the last substep's differences.
    pub share: T,
    /// Gravity, and what hair that goes with the root does by rubbing. `[m/s²]`
    pub gravity: V3<T>,
    /// How fast air and rubbing slow a strand. `[1/s]`
    pub drag: T,
}

impl<T: Lane> Substep<T> {
    #[inline(always)]
    pub fn new(
        rod: &Rod,
        group: &mut RodGroup<T>,
        input: &StepInput,
        substep: usize,
        free: bool,
    ) -> Self {
        let rested = group.root_rest;
        group.move_roots_to(input.share(substep + 1));
        let (first, rest) = (group.first, group.root_rest);
        let mut head = HeadTravel::of_roots(first, rest, &mut group.root, input, substep);
        if group.root_motion.is_some() {
            head.hold_back(rested - rest);
        }
        let rooted = (!free).then_some(head.root_moved);
        let slowing = Slowing::new(input, 1.0, group.inverse_mass, rooted);
        let (from, to) = (&input.poses[substep], &input.poses[substep + 1]);
        let turn = to.rotation * from.rotation.conjugate();
        let mut spin = V3::splat(turn.to_scaled_axis().to_array().map(f64::from));
        if let Some(root_motion) = &group.root_motion {
            // What the skin itself turns is little: twice the vector part.
            let [before, after] =
                [substep, substep + 1].map(|i| root_motion.turn_at(input.share(i)));
            let own = after.mul_quat(before.conjugate()).canonical().v;
            spin = spin + head.now.vector(own + own);
        }
        let [major, minor] = rod.hair.material.bend;
        Self {
            h: T::splat(input.h),
            per_second: T::splat(1.0 / input.h),
            mass_over_h2: T::splat(1.0 / (input.h * input.h)),
            bend: [
                T::splat(major * group.acting),
                T::splat(minor * group.acting),
            ],
            twist: T::splat(rod.hair.material.twist * group.acting),
            round: rod.hair.material.is_round(),
            damping: T::splat(rod.damping / input.h),
            free,
            meets: input.skin.is_some(),
            contact: ContactSubstep::new(head, rest, input),
            clamp: group
                .turned(to.rotation, input.share(substep + 1))
                .mul_quat(group.clamp),
            root_spin: spin,
            limits: rod.limits,
            share: T::splat(match group.begins {
                true => 0.0,
                false => rod.integrator.share(),
            }),
            gravity: V3::splat(input.gravity).scale(T::splat(group.acting)) + slowing.lead,
            drag: slowing.share,
        }
    }
}
