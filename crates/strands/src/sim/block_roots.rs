//! The roots of a block on a head that deforms, or on a torso that stays.

use super::{root_motion::shifted, state::Block};
use crate::math::{
    Pose,
    lanes::{Lane, LaneFrame},
    rotation::Q,
};

impl<T: Lane> Block<T> {
    /// Lets the roots go to where they are after that share of the step;
    /// answers how far their skin is turned then, if it can be.
    #[inline(always)]
    pub fn move_roots_to(&mut self, share: f64) -> Option<Q<T>> {
        let root_motion = self.root_motion.as_deref_mut()?;
        let root = root_motion.root_at(share);
        root_motion.now = root_motion.turn_at(share);
        let turn = root_motion.now;
        let moved = root - self.root_rest;
        self.root_rest = root;
        if moved.dot(moved).largest() > 0.0 {
            // Planes are noted from the root.
            for i in 0..self.rows {
                if self.proximity[i].near {
                    let offset = self.plane_offset[i];
                    self.plane_offset[i] = shifted(offset, self.plane_normal[i].dot(moved));
                }
            }
        }
        Some(turn)
    }

    /// The same where the planes are moved already.
    pub(super) fn settle(&mut self, share: f64) {
        if let Some(root_motion) = self.root_motion.as_deref_mut() {
            (self.root_rest, root_motion.now) =
                (root_motion.root_at(share), root_motion.turn_at(share));
        }
    }

    /// Takes the rest curves into the world under a head at `pose`.
    #[inline(always)]
    pub fn rest_frame(&self, pose: &Pose) -> LaneFrame<T> {
        let frame = LaneFrame::new(pose);
        match &self.root_motion {
            Some(root_motion) => frame.of_axes(root_motion.now.axes()),
            None => frame,
        }
    }

    /// How a head turned by `rotation` turns the rest curve in `lane` now.
    pub(super) fn rest_rotation(&self, rotation: glam::Quat, lane: usize) -> glam::Quat {
        let Some(root_motion) = &self.root_motion else {
            return rotation;
        };
        let ([x, y, z], w) = (root_motion.now.v.get(lane), root_motion.now.w.get(lane));
        rotation * glam::DQuat::from_xyzw(x, y, z, w).as_quat()
    }

    /// How a head that is turned by `rotation` turns the rest curves after that
    /// share of the step.
    #[inline(always)]
    pub fn rest_turn<P: Lane>(&self, rotation: glam::Quat, share: f64, first: usize) -> Q<P> {
        let head = Q::splat(rotation);
        match &self.root_motion {
            Some(root_motion) => head.mul_quat(root_motion.turn_at(share).cut(first)),
            None => head,
        }
    }

    /// Lets strands and all that they remember jump to the end of the step with
    /// their skin, under a head at `pose`: nothing feels it.
    pub(super) fn jump(&mut self, pose: &Pose) {
        let Some(root_motion) = self.root_motion.as_deref() else {
            return;
        };
        let head = Q::splat(pose.rotation);
        let inner = root_motion.turn[1].mul_quat(root_motion.turn[0].conjugate());
        let turn = head.mul_quat(inner).mul_quat(head.conjugate()).normalized();
        for v in self.position.iter_mut().chain(&mut self.velocity) {
            *v = turn.rotate(*v);
        }
        for memory in self.memories.iter_mut() {
            memory.carry(turn);
        }
        if let Some(root_motion) = self.root_motion.as_deref_mut() {
            root_motion.root[0] = root_motion.root[1];
            root_motion.turn[0] = root_motion.turn[1];
        }
        self.move_roots_to(1.0);
        self.root = LaneFrame::new(pose).point(self.root_rest);
        self.invalidate();
    }
}
