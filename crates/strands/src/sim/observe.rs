//! What can be seen of a simulation from outside; nothing here changes it.

use super::{
    CollisionMode, SimParams, Simulation, Statistics, VolumeParams, bent_skin,
    measure::measure,
    state::StrandState,
    volume::{self, GridSlice, HairVolume, SlicePlane},
};
use crate::{
    groom::Groom,
    math::Pose,
    mesh::{CollisionMesh, Surface},
};
use glam::Vec3;
use std::sync::Arc;

impl Simulation {
    /// Simulated time. `[s]`
    pub fn time(&self) -> f64 {
        self.time
    }

    /// When the motion that the head follows began: times of keyframes count from
    /// there. `[s]`
    pub fn motion_begun(&self) -> f64 {
        self.head.begun()
    }

    /// Steps since the start or the last reset.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Wall-clock time that the last step took. `[s]`
    pub fn step_seconds(&self) -> f64 {
        self.step_seconds
    }

    /// The groom being moved.
    pub fn groom(&self) -> &Arc<Groom> {
        &self.groom
    }

    /// The head it moves on.
    pub fn body(&self) -> &Arc<CollisionMesh> {
        &self.body
    }

    /// Where the head is now.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// The head's vertices in its own space, where it deforms; none where it is
    /// as its mesh has it. `[m]`
    pub fn shape(&self) -> Option<&[Vec3]> {
        let deforming_head = self
            .deforming_head
            .as_ref()
            .filter(|deforming_head| !deforming_head.rests())?;
        Some(deforming_head.positions())
    }

    /// The frame of its sequence that the head is nearest to, from 0; none
    /// where it plays none.
    pub fn frame(&self) -> Option<usize> {
        let footage = self.body.footage.as_ref()?;
        let playback = self.head.playback(self.time);
        playback
            .on
            .then(|| footage.nearest(playback.phase, playback.play))
    }

    /// The head's surface as it is now, in the head's space.
    pub fn surface(&self) -> &Surface {
        match &self.deforming_head {
            Some(deforming_head) if !deforming_head.rests() => deforming_head.surface(),
            _ => &self.body.surface,
        }
    }

    /// The strands in their blocks.
    pub fn state(&self) -> &StrandState {
        &self.state
    }

    /// Writes all positions in the groom's order, in world space. `[m]`
    pub fn write_positions(&self, out: &mut Vec<Vec3>) {
        self.state.write_positions(out);
    }

    /// Measures the present state; costs about as much as a substep.
    pub fn statistics(&self, params: &SimParams) -> Statistics {
        let bent = match params.collision.mode {
            CollisionMode::Off => None,
            _ => bent_skin(&self.deforming_head),
        };
        Statistics {
            touching: self.strand_contact.figures().touching as u32,
            ..measure(&self.state, &self.body, bent, self.pose, params)
        }
    }

    /// The space that the hair fills. `[m³]`
    pub fn volume(&self) -> f64 {
        volume::volume(&self.state, &self.ride)
    }

    /// A cut through the density and the motion of the hair, as `params` has
    /// the grid; `lens` keeps what is needed again for the next one.
    pub fn slice(
        &self,
        lens: &mut HairVolume,
        params: &VolumeParams,
        cut: &SlicePlane,
    ) -> GridSlice {
        lens.slice(&self.state, &self.ride, params, cut)
    }

    /// A hash of positions and velocities, equal for equal bits.
    pub fn state_hash(&self) -> u64 {
        self.state.hash()
    }
}
