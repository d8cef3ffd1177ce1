//! What there is to see of a session: head and hair, where they are now, and how
//! far what is under way has come.

use super::Session;
use crate::{
    groom::BindReport,
    mesh::HeadParams,
    project::{comparison::Measured, sides::Side},
    render::{HeadParts, Planted},
    session::{
        inspection::Inspection,
        jobs::Jobs,
        outcome::JobOutcome,
        recorder::Recorder,
        sim_handle::{BuildResult, Playing, Snapshot},
        validation_job::ValidationJob,
    },
    sim::{MotionParams, MotionPreset},
};
use glam::Vec3;
use std::sync::Arc;

/// A key that is set while others do not play follows the last one so much
/// later. `[s]`
const NEXT_KEY: f64 = 0.5;

impl Session {
    /// The head and the hair that are shown; none before the first.
    pub fn built(&self) -> Option<&BuildResult> {
        self.built.as_deref()
    }

    /// The same, shared.
    pub fn shared_built(&self) -> Option<Arc<BuildResult>> {
        self.built.clone()
    }

    /// How the groom of a file came onto the head; none of grown hair.
    pub fn bound(&self) -> Option<&BindReport> {
        self.built()?.bound.as_deref()
    }

    /// What the picture has to know of the first head, while there is no hair on
    /// it yet.
    pub fn bare_head(&self) -> Option<&Arc<HeadParts>> {
        self.bare_head.as_ref()
    }

    /// Smallest and largest coordinates of the head at rest. `[m]`
    pub fn bounds(&self) -> [Vec3; 2] {
        self.bounds
    }

    /// Whether a head or a hairstyle is being built.
    pub fn is_building(&self) -> bool {
        self.building || self.build_job.is_some()
    }

    /// How many files of a sequence are read and how many there are, while
    /// one is being read.
    pub fn reading(&self) -> Option<(usize, usize)> {
        self.reading.filter(|_| self.building)
    }

    /// Whether the hair stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The cache that is played; none while the hair is live.
    pub fn playing(&self) -> Option<&Playing> {
        self.playing.as_ref()
    }

    /// The newest state of the hair, and the head of hair that is shown.
    pub fn latest(&mut self) -> (&Snapshot, Option<&BuildResult>) {
        let snapshot = self.sim.latest();
        let second = snapshot.second.as_ref();
        self.measured = [
            snapshot.measured,
            second.map_or(snapshot.measured, |second| second.measured),
        ];
        (snapshot, self.built.as_deref())
    }

    /// The state that [`latest`](Self::latest) gave last.
    pub fn now(&self) -> &Snapshot {
        self.sim.now()
    }

    /// What was measured of that state on a side.
    pub fn measured(&self, side: Side) -> &Measured {
        &self.measured[side.index()]
    }

    /// The vertices of a side as they are shown, in the groom's order, in the
    /// world; none while they are those of other hair. `[m]`
    pub fn positions(&self, side: Side) -> Option<&[Vec3]> {
        self.positions_of(side).map(|positions| &positions[..])
    }

    /// The same, shared.
    pub fn shared_positions(&self, side: Side) -> Option<Arc<Vec<Vec3>>> {
        self.positions_of(side).cloned()
    }

    fn positions_of(&self, side: Side) -> Option<&Arc<Vec<Vec3>>> {
        let (built, now) = (self.built()?, self.now());
        let positions = match side {
            Side::A => &now.positions,
            Side::B => &now.second.as_ref()?.positions,
        };
        let known = now.generation == built.generation;
        (known && positions.len() == built.groom.points.len()).then_some(positions)
    }

    /// The vertices of one strand on a side, as they are shown. `[m]`
    pub fn strand(&self, side: Side, strand: usize) -> Option<&[Vec3]> {
        let built = self.built()?;
        if strand >= built.groom.strands() {
            return None;
        }
        self.positions(side)?.get(built.groom.range(strand))
    }

    /// What the simulation tells of the strand that is looked at, on a side; none
    /// while that is another one.
    pub fn inspection(&self, side: Side, strand: usize) -> Option<&Inspection> {
        let now = self.now();
        let found = match side {
            Side::A => now.inspected.as_ref(),
            Side::B => now.second.as_ref()?.inspected.as_ref(),
        };
        found.filter(|found| found.strand == strand)
    }

    /// The number of the frame that the head shows, from 1, and of how many;
    /// none where it plays none.
    pub fn frame(&self) -> Option<(usize, usize)> {
        let footage = self.built()?.body.footage.as_ref()?;
        Some((self.now().frame_shown? + 1, footage.frames()))
    }

    /// The time since the keyframes began to play. `[s]`
    pub fn clip_time(&self) -> f64 {
        (self.now().time - self.now().motion_begun).max(0.0)
    }

    /// Where among the keyframes of `motion` a key is set now: while they are
    /// played, where they are; else they begin with it, or go on with it. `[s]`
    pub fn key_time(&self, motion: &MotionParams) -> f64 {
        match (motion.preset, motion.keyframes.keys().last()) {
            (MotionPreset::Keyframes, _) => {
                let time = self.clip_time();
                motion.keyframes.wrapped(time, motion.repeat)
            }
            (_, Some(last)) => f64::from(last.time) + NEXT_KEY,
            (_, None) => 0.0,
        }
    }

    /// The time among the keys of numbers that change over time, with `motion`. `[s]`
    pub fn track_time(&self, motion: &MotionParams) -> f64 {
        motion.track_time(self.clip_time())
    }

    /// How tall the head is, or will be once it is built as `asked` for. `[m]`
    pub fn head_height(&self, asked: &HeadParams) -> Option<f32> {
        let built = self.built()?;
        let grown = asked.scale / built.head_params.scale;
        Some(built.head.report.height * grown)
    }

    /// The strands that are drawn; none before the first hair.
    pub fn planted(&self) -> Option<&Arc<Planted>> {
        self.planted.as_ref()
    }

    /// Whether so many followers are drawn for each guide.
    pub fn is_planted(&self, each: u32) -> bool {
        self.planted.as_ref().map(|planted| planted.each()) == Some(each)
    }

    /// The recordings.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The validation of the methods.
    pub fn validation(&self) -> &ValidationJob {
        &self.validation
    }

    /// What is being done beside the window.
    pub fn jobs(&self) -> &Jobs<JobOutcome> {
        &self.jobs
    }
}
