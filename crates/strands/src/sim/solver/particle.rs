//! How a vertex would move if nothing held it: the part of a substep that the
//! methods share which move vertices one by one.

use super::{HeadTravel, Scratch, StepInput};
use crate::{
    math::lanes::{Lane, V3},
    sim::{attachment, softness, state::Block},
};

/// What all vertices of a block share in one substep.
pub struct ParticleSubstep<T> {
    /// How the head moves.
    pub part: HeadTravel<T>,
    /// Share of the velocity that drag leaves.
    pub damped: T,
    /// What gravity, and what the rest state carries of it, add to the velocity.
    /// `[m/s]`
    pub gain: V3<T>,
    /// What `scratch.push` is multiplied with; none where no air acts. `[s]`
    pub blown: Option<T>,
}

impl<T: Lane> ParticleSubstep<T> {
    /// Substep `substep`; takes the roots of `block` with it. The rest state
    /// carries a share of `carried` of the weight it was modelled under, where
    /// the head holds the roots.
    #[inline(always)]
    pub fn new(block: &mut Block<T>, input: &StepInput, substep: usize, carried: f64) -> Self {
        // Drag implicitly, so that no strength of it can overshoot.
        let drag = T::splat(input.drag * input.h) * block.inverse_mass;
        let damped = T::splat(1.0) / (T::splat(1.0) + drag);
        let carried = if block.pinned > 0 { carried } else { 0.0 };
        let part = HeadTravel::new(block, input, substep);
        let weight = V3::splat(input.gravity) + softness::support(&part.now, carried);
        Self {
            part,
            damped,
            gain: weight.scale(T::splat(input.h) * damped),
            blown: input.air.acts().then_some(T::splat(input.h) * damped),
        }
    }

    /// The velocity of vertex `i` under gravity and in the air, if nothing
    /// held it. `[m/s]`
    #[inline(always)]
    pub fn falling(&self, block: &Block<T>, scratch: &Scratch<T>, i: usize) -> V3<T> {
        let velocity = block.velocity[i].scale(self.damped) + self.gain;
        match self.blown {
            Some(share) => velocity + scratch.push[i].scale(share),
            None => velocity,
        }
    }

    /// Where the head takes the rest place of vertex `i`, from its root. `[m]`
    #[inline(always)]
    pub fn target(&self, block: &Block<T>, input: &StepInput, i: usize) -> V3<T> {
        if input.still {
            block.rest[i]
        } else {
            self.part.seat().vector(block.rest[i])
        }
    }

    /// Vertex `i` where it would be if nothing held it; pinned ones with the
    /// head. Notes in `scratch` where it was, and its target if the head moves.
    #[inline(always)]
    pub fn predict(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        input: &StepInput,
        i: usize,
    ) {
        let start = block.position[i] - self.part.root_moved;
        scratch.before[i] = start;
        if !input.still {
            scratch.target[i] = self.target(block, input, i);
        }
        if i < block.pinned {
            block.position[i] = self.target(block, input, i);
        } else {
            let velocity = self.falling(block, scratch, i);
            if input.restitution > 0.0 {
                block.velocity[i] = velocity;
            }
            block.position[i] = start + velocity.scale(T::splat(input.h));
            attachment::pull(block, i, start, velocity, input.h);
        }
    }
}
