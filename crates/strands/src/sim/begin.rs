//! Where hair begins: at rest at time zero, or at rest on a head that is already moving.

use super::{
    SimParams, Simulation,
    air::WindState,
    state::{Block, Row},
    volume::GridMotion,
};
use crate::math::lanes::{Lane, LaneFrame, V3};
use rayon::prelude::*;

impl Simulation {
    /// Puts hair to rest and head to where its motion begins, at time zero, without a jolt.
    pub fn reset(&mut self, params: &SimParams) {
        self.head.follow(&params.motion, self.time);
        (self.time, self.steps) = (0.0, 0);
        self.head.restart();
        self.breeze = WindState::default();
        // What lagged behind the rest curves does so no more.
        self.hair_volume.catch_up();
        self.cohesion.catch_up();
        if let Some(occlusion) = &mut self.wind_occlusion {
            occlusion.forget_winds();
        }
        // Bodies are where they are now, and came from nowhere.
        self.colliders.clear();
        self.ride = GridMotion::still(self.head.pose(0.0));
        self.strand_contact.forget();
        self.rest_on_head(params);
    }

    /// Lets hair that has just been made begin where `before` is, other hair on the same
    /// head: in its shape at rest, at that time, moving with the head and in the same wind.
    pub fn go_on_from(&mut self, before: &Self, params: &SimParams) {
        (self.time, self.steps) = (before.time, before.steps);
        self.head = before.head.clone();
        self.breeze = before.breeze.clone();
        self.ride = before.ride;
        self.rest_on_head(params);
        // Roots that leave the head stand still, as the torso mostly does.
        let (ride, all) = (self.ride, !self.head_keeps_shape());
        let blocks = self.state.blocks.par_iter_mut();
        blocks
            .filter(|block| all || block.root_motion.is_none())
            .for_each(|block| block.ride(&ride));
    }

    /// Puts hair to rest on the head as `ride` has it now.
    fn rest_on_head(&mut self, params: &SimParams) {
        let pose = self.ride.now;
        (self.pose, self.torso_head) = (pose, pose.rotation);
        let stand = self.head.stand(self.time);
        self.torso.place(&params.torso, pose.rotation, stand);
        self.state
            .blocks
            .par_iter_mut()
            .for_each(|block| block.reset(&pose));
        self.place_deforming_head();
        self.place_torso();
    }
}

impl Block<Row> {
    /// Gives hair at rest the velocity of the head that carries it. `[m/s]`
    fn ride(&mut self, head: &GridMotion) {
        let [now, before] = [head.now, head.before].map(|pose| LaneFrame::new(&pose));
        let rate = Lane::splat(1.0 / head.seconds);
        let root = now.point(self.root_rest) - before.point(self.root_rest);
        for (velocity, rest) in self.velocity.iter_mut().zip(&self.rest) {
            let moved: V3<Row> = root + (now.vector(*rest) - before.vector(*rest));
            *velocity = moved.scale(rate);
        }
    }
}
