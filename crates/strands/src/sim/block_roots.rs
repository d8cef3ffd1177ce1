//! How the strands of a block sit on a head that deforms.

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
    pub fn sit(&mut self, share: f64) -> Option<Q<T>> {
        let seat = self.seat.as_deref_mut()?;
        let root = seat.root_at(share);
        seat.now = seat.turn_at(share);
        let turn = seat.now;
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
        if let Some(seat) = self.seat.as_deref_mut() {
            (self.root_rest, seat.now) = (seat.root_at(share), seat.turn_at(share));
        }
    }

    /// Takes the rest curves into the world under a head at `pose`.
    #[inline(always)]
    pub fn rest_frame(&self, pose: &Pose) -> LaneFrame<T> {
        let frame = LaneFrame::new(pose);
        match &self.seat {
            Some(seat) => frame.of_axes(seat.now.axes()),
            None => frame,
        }
    }

    /// How a head turned by `rotation` turns the rest curve in `lane` now.
    pub(super) fn rest_rotation(&self, rotation: glam::Quat, lane: usize) -> glam::Quat {
        let Some(seat) = &self.seat else {
            return rotation;
        };
        let ([x, y, z], w) = (seat.now.v.get(lane), seat.now.w.get(lane));
        rotation * glam::DQuat::from_xyzw(x, y, z, w).as_quat()
    }

    /// How a head that is turned by `rotation` turns the rest curves after that
    /// share of the step.
    #[inline(always)]
    pub fn rest_turn<P: Lane>(&self, rotation: glam::Quat, share: f64, first: usize) -> Q<P> {
        let head = Q::splat(rotation);
        match &self.seat {
            Some(seat) => head.mul_quat(seat.turn_at(share).cut(first)),
            None => head,
        }
    }

    /// Lets strands and all that they remember jump to the end of the step with
    /// their skin, under a head at `pose`: nothing feels it.
    pub(super) fn jump(&mut self, pose: &Pose) {
        let Some(seat) = self.seat.as_deref() else {
            return;
        };
        let head = Q::splat(pose.rotation);
        let inner = seat.turn[1].mul_quat(seat.turn[0].conjugate());
        let turn = head.mul_quat(inner).mul_quat(head.conjugate()).normalized();
        for v in self.position.iter_mut().chain(&mut self.velocity) {
            *v = turn.rotate(*v);
        }
        for memory in self.memories.iter_mut() {
            memory.carry(turn);
        }
        if let Some(seat) = self.seat.as_deref_mut() {
            seat.root[0] = seat.root[1];
            seat.turn[0] = seat.turn[1];
        }
        self.sit(1.0);
        self.root = LaneFrame::new(pose).point(self.root_rest);
        self.invalidate();
    }
}
