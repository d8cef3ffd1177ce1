//! The simulation at one moment, as the window sees it.

use super::{
    budget::Substepping, inspection::Inspection, rewind::RewindRange, stats_history::StatsHistory,
    strand_colours::StrandColours,
};
use crate::{math::Pose, project::comparison::Measured, sim::volume::GridSlice};
use glam::Vec3;
use std::sync::Arc;

/// The simulation at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Which head of hair this is.
    pub generation: u64,
    /// Differs from snapshot to snapshot; 0 for none yet.
    pub serial: u64,
    /// Number of the recorded frame that this is, counted from the start of the
    /// recording.
    pub frame: Option<u64>,
    /// In the groom's order, in world space. `[m]`
    pub positions: Arc<Vec<Vec3>>,
    /// Where the head is.
    pub pose: Pose,
    /// Which frame of its sequence the head shows, from 0; none where it plays none.
    pub frame_shown: Option<usize>,
    /// The head's vertices in its own space; none while it is as its mesh has it. `[m]`
    pub shape: Vec<Vec3>,
    /// Simulated time. `[s]`
    pub time: f64,
    /// When the head's motion began: times of keyframes count from there. `[s]`
    pub motion_begun: f64,
    /// Where in the cache that is; none of live hair.
    pub playing: Option<PlayPosition>,
    /// The time that a pause goes on to by itself. `[s]`
    pub ahead: Option<f64>,
    /// What can be gone back to.
    pub reach: Option<RewindRange>,
    /// Measured every few steps.
    pub measured: Measured,
    /// The strand that is looked at.
    pub inspected: Option<Inspection>,
    /// The cut through the hair, where it is wanted.
    pub slice: Option<GridSlice>,
    /// Where the hair is held, where that is wanted.
    pub colours: Option<StrandColours>,
    /// The second side, where there is one.
    pub second: Option<SecondSnapshot>,
    /// What was measured over the last seconds.
    pub stats_history: StatsHistory,
    /// Real time that a step of all sides takes, smoothed. `[ms]`
    pub step_ms: f64,
    /// Rate and substeps as reduced by the time budget; `None` at full quality.
    pub substepping: Option<Substepping>,
    /// Simulated seconds per real second; none before it was measured.
    pub real_time: Option<f64>,
}

/// What is shared, to be written to: where somebody still reads it, another one.
pub(super) fn unshared(positions: &mut Arc<Vec<Vec3>>) -> &mut Vec<Vec3> {
    if Arc::get_mut(positions).is_none() {
        *positions = Arc::default();
    }
    Arc::make_mut(positions)
}

/// The second side at the same moment.
#[derive(Clone, Debug, Default)]
pub struct SecondSnapshot {
    /// In the groom's order, in world space. `[m]`
    pub positions: Arc<Vec<Vec3>>,
    /// Measured together with the first side.
    pub measured: Measured,
    /// The same strand as of the first side.
    pub inspected: Option<Inspection>,
    /// The same cut as of the first side.
    pub slice: Option<GridSlice>,
    /// Where this side's hair is held, where that is wanted.
    pub colours: Option<StrandColours>,
}

/// Where a cache that plays stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayPosition {
    /// The frame that is shown.
    pub frame: u32,
    /// The first and the last there are.
    pub ends: [u32; 2],
    /// Frames in a simulated second. `[1/s]`
    pub fps: f64,
    /// Whether it begins anew after the last frame.
    pub looping: bool,
}
