//! What can be seen of a simulation from outside; nothing here changes it.

use super::{
    CollisionMode, SimParams, Simulation, Statistics, VolumeParams, bent_skin,
    contact::CollisionSurface,
    measure::measure,
    skin,
    state::StrandState,
    torso::{BentSurface, NeckBend},
    volume::{self, GridSlice, HairVolume, SlicePlane},
};
use crate::{
    groom::Groom,
    math::Pose,
    mesh::{CollisionMesh, Surface},
};
use glam::Vec3;
use std::{borrow::Cow, sync::Arc};

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

    /// Memory that a copy takes, near enough. `[bytes]`
    pub fn bytes(&self) -> usize {
        let blocks = self.state.blocks.iter().map(|block| block.bytes());
        let head = self.deforming_head.as_ref();
        blocks.sum::<usize>() + self.strand_contact.bytes() + head.map_or(0, |head| head.bytes())
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

    /// The head's vertices in its own space, where it deforms or its torso is
    /// turned; none where it is as its mesh has it. `[m]`
    pub fn shape(&self) -> Option<Cow<'_, [Vec3]>> {
        let deforming_head = self
            .deforming_head
            .as_ref()
            .filter(|deforming_head| !deforming_head.rests());
        let skin = deforming_head.map(|deforming_head| deforming_head.positions());
        if self.torso.bend().is_straight() {
            return skin.map(Cow::Borrowed);
        }
        let mut shape = Vec::new();
        let rest = skin.unwrap_or(&self.body.mesh.positions);
        self.torso.write_shape(rest, &mut shape);
        Some(Cow::Owned(shape))
    }

    /// How far a place in the head's space is from its skin as that is now;
    /// negative below it. `[m]`
    pub fn distance(&self, place: Vec3) -> f32 {
        let bend = [self.torso.bend()];
        match bend[0].is_straight() {
            true => self.surface().signed_distance(place),
            false => BentSurface::new(self.surface(), &bend).distance(place),
        }
    }

    /// The neck as it is bent now, for what is drawn or measured on the skin.
    pub fn neck(&self) -> NeckBend {
        self.torso.bend()
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
        let params = &*self.params_now(params);
        let bent = match params.collision.mode {
            CollisionMode::Off => None,
            _ => bent_skin(&self.deforming_head),
        };
        let bend = [self.torso.bend()];
        let turned = (!bend[0].is_straight()).then(|| {
            let vertices = self.groom.points.len();
            let skin = bent.or_else(|| skin(&self.body, &params.collision, vertices))?;
            Some(BentSurface::new(skin, &bend))
        });
        let turned = turned.flatten();
        let skin = match &turned {
            Some(turned) => Some(turned as &dyn CollisionSurface),
            None => bent,
        };
        Statistics {
            touching: self.strand_contact.figures().touching as u32,
            ..measure(&self.state, &self.body, skin, self.pose, params)
        }
    }

    /// The space that the hair fills. `[m³]`
    pub fn volume(&self) -> f64 {
        volume::volume(&self.state, &self.grid_motion)
    }

    /// A cut through the density and the motion of the hair, as `params` has
    /// the grid; `lens` keeps what is needed again for the next one.
    pub fn slice(
        &self,
        lens: &mut HairVolume,
        params: &VolumeParams,
        cut: &SlicePlane,
    ) -> GridSlice {
        lens.slice(&self.state, &self.grid_motion, params, cut)
    }

    /// A hash of positions and velocities, equal for equal bits.
    pub fn state_hash(&self) -> u64 {
        self.state.hash()
    }
}
