//! What vertices gain from other strands in a step, and when they do.
//!
//! Locks and hair against hair are worked out once a step, as changes of velocity. Gained
//! at once, such a change is a blow: hair that the others hold up starts each step with it,
//! and falls back in the substeps behind it. A method that solves for where forces balance
//! never gets there. Where it asks for that, what is gained acts as a force all step long.

use super::state::{Block, Row, StrandState};
use crate::math::lanes::{Lane, V3};
use rayon::prelude::*;

impl<T: Lane> Block<T> {
    /// Lets vertex `row` gain that velocity from other strands. `[m/s]`
    #[inline(always)]
    pub fn gain(&mut self, row: usize, gain: V3<T>) {
        let gain = gain.scale(self.alive(row));
        let to = match self.gained.is_empty() {
            true => &mut self.velocity,
            false => &mut self.gained,
        };
        to[row] = to[row] + gain;
    }

    /// Adds the `acceleration` by which the vertices gain in `seconds` what they have not gained
    /// at once. No bound says beforehand how far that moves them, as none did of the blow: when
    /// rods query the skin follows from how far they went in the last substep. `[m/s²]`
    #[inline(always)]
    pub fn accelerate_by_gains(&self, acceleration: &mut [V3<T>], seconds: f64) {
        let per_second = T::splat(1.0 / seconds);
        for (acceleration, gained) in acceleration.iter_mut().zip(&self.gained) {
            *acceleration = *acceleration + gained.scale(per_second);
        }
    }
}

impl StrandState {
    /// Lets what is gained from now on act all step long, or at once again; what was gained
    /// before has acted.
    pub(super) fn spread_gains(&mut self, spread: bool) {
        self.blocks
            .par_iter_mut()
            .for_each(|block: &mut Block<Row>| {
                block.gained.clear();
                if spread {
                    block.gained.resize(block.rows, V3::zero());
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{groom::Groom, math::Pose};
    use glam::Vec3;

    #[test]
    fn what_is_spread_is_gained_in_the_whole_step() {
        // The second strand ends a vertex before the first.
        let groom = Groom {
            points: [0.0, 1.0, 2.0, 0.0, 1.0].map(|x| x * Vec3::X).to_vec(),
            starts: vec![0, 3, 5],
            masses: vec![1.0; 2],
            ..Groom::default()
        };
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        let gain = V3::splat([0.0, 0.5, 0.0]);
        let of = |row: &V3<Row>| [0, 1].map(|lane| row.get(lane)[1]);
        state.spread_gains(true);
        state.blocks[0].gain(2, gain);
        state.blocks[0].gain(2, gain);
        let mut acceleration = vec![V3::zero(); 3];
        state.blocks[0].accelerate_by_gains(&mut acceleration, 0.125);
        assert_eq!(of(&acceleration[2]), [8.0, 0.0]);
        assert_eq!(of(&state.blocks[0].velocity[2]), [0.0; 2]);
        // In the next step nothing is left of it.
        state.spread_gains(true);
        acceleration.fill(V3::zero());
        state.blocks[0].accelerate_by_gains(&mut acceleration, 0.125);
        assert_eq!(of(&acceleration[2]), [0.0; 2]);
        state.spread_gains(false);
        state.blocks[0].gain(2, gain);
        assert_eq!(of(&state.blocks[0].velocity[2]), [0.5, 0.0]);
    }
}
