//! How a vertex would move if nothing held it: the part of a substep that the
//! methods share which move vertices one by one.

use super::{HeadTravel, Scratch, StepInput, slowing::Slowing};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment,
        contact::{self, CollisionSurface},
        softness,
        state::Block,
    },
};

/// What all vertices of a block share in one substep, or those that lie in some
/// of its lanes.
pub struct ParticleSubstep<T> {
    /// How the head moves.
    pub head: HeadTravel<T>,
    /// The tips' numbers.
    pub last: T,
    /// Length of the substep. `[s]`
    pub h: T,
    /// One over it. `[1/s]`
    pub per_h: T,
    /// Share of the velocity that drag and rubbing leave.
    pub damped: T,
    /// What gravity, and what the rest state carries of it, add to the velocity.
    /// `[m/s]`
    gain: V3<T>,
    /// What hair that goes with the root adds to it, by rubbing. `[m/s]`
    led: V3<T>,
    /// What `scratch.acceleration` is multiplied with; none where nothing gives one. `[s]`
    blown: Option<T>,
}

impl<T: Lane> ParticleSubstep<T> {
    /// Substep `substep`; takes the roots of `block` with it. The rest state
    /// carries a share of `carried` of the weight it was modelled under, where
    /// the head holds the roots.
    #[inline(always)]
    pub fn new(block: &mut Block<T>, input: &StepInput, substep: usize, carried: f64) -> Self {
        let carried = if block.pinned > 0 { carried } else { 0.0 };
        let head = HeadTravel::new(block, input, substep);
        let rooted = (block.pinned > 0).then_some(head.root_moved);
        let slowing = Slowing::new(input, input.h, block.inverse_mass, rooted);
        let h = T::splat(input.h);
        let damped = T::splat(1.0) / (T::splat(1.0) + slowing.share);
        let weight = V3::splat(input.gravity) + softness::support(&head.now, carried);
        Self {
            head,
            last: block.count - T::splat(1.0),
            h,
            per_h: T::splat(1.0 / input.h),
            damped,
            gain: weight.scale(h * damped),
            led: slowing.lead.scale(h * damped),
            blown: input.accelerates().then_some(h * damped),
        }
    }

    /// The same where only the share `ease` of weight and air acts, and where the
    /// method itself leaves the share `kept` of the velocity.
    #[inline(always)]
    pub fn eased(self, ease: f64, kept: f64) -> Self {
        Self {
            gain: self.gain.scale(T::splat(ease)),
            blown: self.blown.map(|share| share * T::splat(ease)),
            damped: self.damped * T::splat(kept),
            ..self
        }
    }

    /// The same of the strands in lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> ParticleSubstep<P> {
        ParticleSubstep {
            head: self.head.cut(first),
            last: self.last.cut(first),
            h: self.h.cut(first),
            per_h: self.per_h.cut(first),
            damped: self.damped.cut(first),
            gain: self.gain.cut(first),
            led: self.led.cut(first),
            blown: self.blown.map(|share| share.cut(first)),
        }
    }

    /// What becomes of a `velocity` of vertex `i` under gravity and in the air, if
    /// nothing holds it. `[m/s]`
    #[inline(always)]
    pub fn falling<B: Lane>(&self, scratch: &Scratch<B>, velocity: V3<T>, i: usize) -> V3<T> {
        let velocity = velocity.scale(self.damped) + (self.gain + self.led);
        match self.blown {
            Some(share) => {
                velocity
                    + scratch.acceleration[i]
                        .cut::<T>(self.head.first)
                        .scale(share)
            }
            None => velocity,
        }
    }

    /// Puts vertex `i`, which was at `start`, to `p`, or where a pin holds it; its
    /// velocity is the way times `per_h`, and what `bounce` adds. Answers where it
    /// is. `[m]`, `[1/s]`, `[m/s]`
    #[inline(always)]
    pub fn arrive<B: Lane>(
        &self,
        block: &mut Block<B>,
        i: usize,
        [start, mut p]: [V3<T>; 2],
        per_h: T,
        bounce: Option<V3<T>>,
    ) -> V3<T> {
        let first = self.head.first;
        block.position[i].paste(first, p);
        if !block.attachments.is_empty() {
            attachment::pin(block, i);
            p = block.position[i].cut(first);
        }
        let mut speed = (p - start).scale(per_h);
        if let Some(bounce) = bounce {
            speed = speed + bounce;
        }
        block.velocity[i].paste(first, speed);
        p
    }

    /// Gives a vertex of row `i` that constraints have yanked far from where it was
    /// expected the plane that it went through, if there is one.
    #[cold]
    #[inline(never)]
    pub fn recheck(
        &self,
        block: &mut Block<T>,
        scratch: &mut Scratch<T>,
        skin: &dyn CollisionSurface,
        input: &StepInput,
        i: usize,
    ) {
        let (start, x) = (scratch.before[i], block.position[i]);
        let velocity = match input.restitution > 0.0 {
            true => block.velocity[i],
            false => self.falling(scratch, block.velocity[i], i),
        };
        let expected = start + velocity.scale(T::splat(input.h));
        let came = [expected, x];
        contact::recheck_row(block, scratch, skin, input, &self.head, [i, 0], came);
    }

    /// Where the head takes the rest place of vertex `i`, from its root. `[m]`
    #[inline(always)]
    pub fn target<B: Lane>(&self, block: &Block<B>, input: &StepInput, i: usize) -> V3<T> {
        let rest = block.rest[i].cut(self.head.first);
        if input.still {
            rest
        } else {
            self.head.rest_frame().vector(rest)
        }
    }

    /// Vertex `i` where it would be if nothing held it; pinned ones with the
    /// head. Notes in `scratch` where it was, and its target if the head moves. Hands
    /// draw afterwards ([`grip`](Self::grip)).
    #[inline(always)]
    pub fn predict<B: Lane>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        i: usize,
    ) {
        let first = self.head.first;
        let start = block.position[i].cut(first) - self.head.root_moved;
        scratch.before[i].paste(first, start);
        if !input.still {
            let target = self.target(block, input, i);
            scratch.target[i].paste(first, target);
        }
        if i < block.pinned {
            let target = self.target(block, input, i);
            block.position[i].paste(first, target);
        } else {
            let velocity = self.falling(scratch, block.velocity[i].cut(first), i);
            if input.restitution > 0.0 {
                block.velocity[i].paste(first, velocity);
            }
            block.position[i].paste(first, start + velocity.scale(self.h));
        }
    }

    /// Lets hands draw at the vertices of row `i`, after they have been predicted.
    #[inline(always)]
    pub fn grip(&self, block: &mut Block<T>, scratch: &Scratch<T>, input: &StepInput, i: usize) {
        if i < block.pinned || block.attachments.is_empty() {
            return;
        }
        // With restitution the velocity noted in the prediction has fallen already.
        let velocity = match input.restitution > 0.0 {
            true => block.velocity[i],
            false => self.falling(scratch, block.velocity[i], i),
        };
        attachment::pull(block, i, scratch.before[i], velocity, input.h);
    }
}
