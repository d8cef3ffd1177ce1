//! The torso's part in a step of the simulation.

use super::{SimParams, Simulation, torso::HeadStep};
use crate::math::Pose;
use rayon::prelude::*;

impl Simulation {
    /// Lets the torso stay while the head goes through `poses`, or follow. How far
    /// it moves in a substep as the head sees it, and as the hair in the world
    /// does. `[m]`
    pub(super) fn turn_torso(
        &mut self,
        params: &SimParams,
        seconds: f64,
        jumps: bool,
        poses: &[Pose],
    ) -> [f64; 2] {
        let substeps = params.step.substeps() as usize;
        let anew = self.torso.step(
            &params.torso,
            &HeadStep {
                // What the hair did not feel of the head's motion the torso did.
                head: [self.torso_head, poses[substeps].rotation],
                stand: self.head.stand(self.time + seconds),
                seconds,
                substeps,
                jumps,
            },
        );
        self.torso_head = poses[substeps].rotation;
        if anew {
            self.invalidate();
        }
        // Where frames of a sequence deform the head now, they know of its roots.
        if self.head_keeps_shape() {
            let at_once = jumps.then_some(&poses[0]);
            self.torso.move_roots(&mut self.state.blocks, at_once);
        }
        let [seen, in_world] = self.torso.travel();
        // Hair that rides along with the head is moved against the torso.
        match params.motion.inertia < 1.0 {
            true => [seen, in_world.max(seen)],
            false => [seen, in_world],
        }
    }

    /// Whether no frame of a sequence deforms the head now.
    pub(super) fn head_keeps_shape(&self) -> bool {
        let head = self.deforming_head.as_ref();
        head.is_none_or(|head| head.rests())
    }

    /// Hair that is rooted on the torso where that is when time begins.
    pub(super) fn place_torso(&mut self) {
        if !self.head_keeps_shape() {
            return;
        }
        let (pose, blocks) = (self.pose, &mut self.state.blocks);
        self.torso.move_roots(blocks, Some(&pose));
        let moved = blocks
            .par_iter_mut()
            .filter(|block| block.root_motion.is_some());
        moved.for_each(|block| block.reset(&pose));
    }
}
