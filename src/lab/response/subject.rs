//! Head, hair and settings of the response test.

use crate::{
    groom::Groom,
    mesh::CollisionMesh,
    sim::{MotionPreset, SimParams, TorsoMode, solver::Method},
};
use std::sync::Arc;

/// Head, hair and settings that the acts begin with.
pub struct Subject {
    /// The head.
    pub body: Arc<CollisionMesh>,
    /// The hair.
    pub groom: Arc<Groom>,
    /// The scene's settings; an act switches wind, fan and head motion off first.
    pub params: SimParams,
}

impl Subject {
    /// The settings under which `method` rests before an act.
    pub(super) fn resting(&self, method: &Method) -> SimParams {
        // What is measured does not change by itself.
        let mut params = self.params.at(0.0).into_owned();
        params.tracks = Default::default();
        params.step.solver = method.id.into();
        params.wind.on = false;
        params.fan.on = false;
        params.forces.gravity_on = true;
        params.motion.preset = MotionPreset::None;
        // What is measured is hair on one rigid piece, for every head alike.
        params.torso.mode = TorsoMode::Off;
        params
    }
}
