//! Where hair begins: at rest at time zero, or at rest on a head that is already moving.

use super::{
    SimParams, Simulation,
    air::WindState,
    deforming_head::DeformingHead,
    state::{Block, Row},
    volume::GridMotion,
};
use crate::math::lanes::{Lane, LaneFrame, V3};
use rayon::prelude::*;

impl Simulation {
    /// Puts hair to rest and head to where its motion begins, at time zero, without a jolt.
    pub fn reset(&mut self, params: &SimParams) {
        let params = &*params.at(params.motion.track_time(0.0));
        self.head.follow(&params.motion, self.time);
        (self.time, self.steps, self.softness) = (0.0, 0, None);
        self.head.restart();
        self.wind = WindState::default();
        // What lagged behind the rest curves does so no more.
        self.hair_volume.catch_up();
        self.cohesion.catch_up();
        if let Some(occlusion) = &mut self.wind_occlusion {
            occlusion.forget_winds();
        }
        // Bodies are where they are now, and came from nowhere.
        self.colliders.clear();
        self.strand_contact.forget();
        let pose = self.head.pose(0.0);
        self.grid_motion = GridMotion::still(pose);
        let stand = self.head.stand(0.0);
        self.torso.place(&params.torso, pose.rotation, stand);
        self.torso_head = pose.rotation;
        self.rest_on_head(None);
    }

    /// Lets hair that has just been made begin where `before` is, other hair on the same
    /// head: in its shape at rest, at that time, moving with the head and in the same wind.
    pub fn go_on_from(&mut self, before: &Self, params: &SimParams) {
        (self.time, self.steps) = (before.time, before.steps);
        self.head = before.head.clone();
        let params = &*self.params_now(params);
        self.wind = before.wind.clone();
        self.grid_motion = before.grid_motion;
        self.torso.go_on_from(&before.torso, &params.torso);
        self.torso_head = before.torso_head;
        let skin = before.deforming_head.as_deref();
        self.rest_on_head(skin.map(DeformingHead::share));
        let (ride, skin) = (self.grid_motion, !self.head_keeps_shape());
        let blocks = self.state.blocks.par_iter_mut();
        blocks.for_each(|block| block.ride(&ride, skin));
    }

    /// Puts the head to where the motion of `params` has it now, and the hair with it, rigidly:
    /// for a pose that changes while time stands still. Nothing whips when time goes on.
    pub fn pose_head(&mut self, params: &SimParams) {
        let params = &*self.params_now(params);
        self.head.stand_as(&params.motion, self.time);
        let goal = self.head.pose(self.time);
        if goal == self.pose {
            return;
        }
        self.take_along(goal);
        self.torso
            .place(&params.torso, goal.rotation, self.head.stand(self.time));
        self.torso_head = goal.rotation;
        if self.head_keeps_shape() {
            self.torso.move_roots(&mut self.state.blocks, Some(&goal));
        }
        self.invalidate();
    }

    /// Puts hair to rest on the head as `grid_motion` has it now, whose skin deforms by that
    /// `share`; all or nothing without one.
    fn rest_on_head(&mut self, share: Option<f64>) {
        let pose = self.grid_motion.now;
        self.pose = pose;
        self.state
            .blocks
            .par_iter_mut()
            .for_each(|block| block.reset(&pose));
        self.place_deforming_head(share);
        self.place_torso();
    }
}

impl Block<Row> {
    /// Gives hair at rest the velocity of the head that carries it. Where no `skin` moves
    /// the roots, those that are turned are held by the torso, which mostly stands. `[m/s]`
    fn ride(&mut self, head: &GridMotion, skin: bool) {
        let [now, before] = [head.now, head.before].map(|pose| LaneFrame::new(&pose));
        let root = now.point(self.root_rest) - before.point(self.root_rest);
        let rate = Row::splat(1.0 / head.seconds);
        let rate = match &self.root_motion {
            Some(root_motion) if !skin => {
                let turned = root_motion.now.v.dot(root_motion.now.v);
                Row::splat(1e-12).less(turned, Row::zero(), rate)
            }
            _ => rate,
        };
        let [now, before] = [head.now, head.before].map(|pose| self.rest_frame(&pose));
        for (velocity, rest) in self.velocity.iter_mut().zip(&self.rest) {
            let moved: V3<Row> = root + (now.vector(*rest) - before.vector(*rest));
            *velocity = moved.scale(rate);
        }
    }
}
