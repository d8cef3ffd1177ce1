//! The head on its way: it follows what moves it without ever jumping.

use super::{
    MotionParams, MotionPreset, deforming_head::PlaybackState, head_place::HeadPlace,
    keyframes::shortest, motion, stand::Stand,
};
use crate::{
    math::{Pose, elementary::exp},
    mesh::{Mesh, MeshSequence},
};
use glam::{DQuat, DVec3, Vec3};
use std::sync::Arc;

/// How fast the head comes to where it shall be when something else moves it
/// from now on: critically damped. A mouse that jumps half a metre moves it at
/// 2.6 m/s at most. `[1/s]`
const HASTE: f64 = 14.0;

/// After this time it is there, to the last bit. `[s]`
const THERE: f64 = 32.0 / HASTE;

/// Step of the differences that tell a speed. `[s]`
const MOMENT: f64 = 1e-5;

/// What moves a head, and how far it still is from there.
#[derive(Clone, Debug)]
pub struct HeadMotion {
    /// The point that the head turns about. `[m]`
    pub pivot: Vec3,
    /// No point of the skin is farther from the pivot. `[m]`
    pub radius: f32,
    params: MotionParams,
    footage: Option<Arc<MeshSequence>>,
    /// When the preset motion began. `[s]`
    begun: f64,
    /// Rounds of it that a changed frequency must not undo.
    rounds: f64,
    /// Where something has put it.
    base: HeadPlace,
    lag: Lag,
}

/// How far the head is behind: turn as axis times angle, and way, when they
/// were noted, and how fast both changed then.
#[derive(Clone, Copy, Debug, Default)]
struct Lag {
    since: f64,
    turn: [DVec3; 2],
    way: [DVec3; 2],
    any: bool,
}

impl HeadMotion {
    /// A head at the begin of its motion.
    pub fn new(mesh: &Mesh, params: &MotionParams) -> Self {
        let [low, high] = mesh.bounds();
        // The middle of its lower half, where a neck is.
        let pivot = Vec3::new(
            0.5 * (low.x + high.x),
            low.y + 0.3 * (high.y - low.y),
            0.5 * (low.z + high.z),
        );
        Self {
            pivot,
            radius: (high - pivot).max(pivot - low).length(),
            params: params.clone(),
            footage: None,
            begun: 0.0,
            rounds: 0.0,
            base: HeadPlace::HOME,
            lag: Lag::default(),
        }
    }

    /// The same head, which has these frames to play.
    pub fn playing(mut self, footage: Option<Arc<MeshSequence>>) -> Self {
        self.footage = footage;
        self
    }

    /// When the motion that it follows began: from there keyframes count. `[s]`
    pub fn begun(&self) -> f64 {
        self.begun
    }

    /// How long before `time` the motion of `params` began; one that it does not follow yet
    /// begins then. `[s]`
    pub fn since(&self, params: &MotionParams, time: f64) -> f64 {
        match self.params.preset == params.preset {
            true => time - self.begun,
            false => 0.0,
        }
    }

    /// Where the head is at `time`, as things stand. `[s]`
    pub fn pose(&self, time: f64) -> Pose {
        self.place(time).pose(self.pivot)
    }

    /// How the whole person stands at `time`, as things stand: what turns the head
    /// beyond that is the neck. `[s]`
    pub fn stand(&self, time: f64) -> Stand {
        let whole = matches!(
            self.params.preset,
            MotionPreset::Spin | MotionPreset::Sequence
        );
        let own = match whole {
            true => self.own(time).rotation,
            false => DQuat::IDENTITY,
        };
        Stand {
            rotation: self.base.rotation * own,
            whole,
        }
    }

    /// From `time` on the head moves as `params` say. It goes there from where
    /// it is and as fast as it is.
    pub fn follow(&mut self, params: &MotionParams, time: f64) {
        self.change(params, time, true);
    }

    /// The same, but it is there at once, as while time stands still; it keeps only its speed.
    pub fn stand_as(&mut self, params: &MotionParams, time: f64) {
        self.change(params, time, false);
    }

    /// From `time` on the head moves as `params` say: from where it is, or from where they
    /// have it.
    fn change(&mut self, params: &MotionParams, time: f64, from_there: bool) {
        if self.params == *params {
            return;
        }
        let old = self.clone();
        let (before, now) = (self.params.clone(), params);
        if before.preset != now.preset {
            (self.begun, self.rounds) = (time, 0.0);
        } else {
            let clock = motion::clock(now.preset, time - self.begun);
            self.rounds += (rate(&before) - rate(now)) * clock;
        }
        self.params = params.clone();
        let places = [time, time + MOMENT].map(|t| old.place(t));
        self.start_from(places, time);
        if !from_there {
            (self.lag.turn[0], self.lag.way[0]) = (DVec3::ZERO, DVec3::ZERO);
        }
    }

    /// Something has put the head to `pose`: from now on it moves about there.
    pub fn put(&mut self, pose: &Pose, time: f64) {
        let rotation = pose.rotation.as_dquat().normalize();
        let pivot = self.pivot.as_dvec3();
        let offset = pose.translation.as_dvec3() - (pivot - rotation * pivot);
        (self.base, self.lag) = (HeadPlace::HOME, Lag::default());
        let own = self.place(time);
        self.base = HeadPlace {
            rotation: rotation * own.rotation.conjugate(),
            offset: offset - own.offset,
        };
    }

    /// Puts the head back to the begin of its motion.
    pub fn restart(&mut self) {
        (self.begun, self.rounds, self.lag) = (0.0, 0.0, Lag::default());
        self.base = HeadPlace::HOME;
    }

    /// Notes how far the head is from its motion, when it is and a moment later
    /// would be at those places.
    fn start_from(&mut self, places: [HeadPlace; 2], time: f64) {
        self.lag = Lag::default();
        let goals = [time, time + MOMENT].map(|t| self.goal(t));
        let apart = |i: usize| {
            let turn = places[i].rotation * goals[i].rotation.conjugate();
            (shortest(turn), places[i].offset - goals[i].offset)
        };
        let ((turn, way), (turn_then, way_then)) = (apart(0), apart(1));
        let mut spin = (turn_then - turn) / MOMENT;
        if spin.length() * MOMENT > 1.0 {
            // Half a turn either way: which one is no speed.
            spin = DVec3::ZERO;
        }
        self.lag = Lag {
            since: time,
            turn: [turn, spin],
            way: [way, (way_then - way) / MOMENT],
            any: true,
        };
    }

    /// Where the motion itself wants the head.
    fn goal(&self, time: f64) -> HeadPlace {
        let hand = motion::hand(&self.params);
        self.base.after(&hand.after(&self.own(time)))
    }

    /// Where the preset motion alone would have it.
    fn own(&self, time: f64) -> HeadPlace {
        let since = time - self.begun;
        let rounds = self.rounds(time);
        match self.params.preset {
            MotionPreset::None => HeadPlace::HOME,
            MotionPreset::Keyframes => self.params.keyframes.at(since, self.params.repeat),
            MotionPreset::Sequence => self.filmed(rounds),
            _ => motion::preset(&self.params, since, rounds),
        }
    }

    /// Rounds of the preset motion, or frames of the sequence, done at `time`.
    fn rounds(&self, time: f64) -> f64 {
        let since = time - self.begun;
        rate(&self.params) * motion::clock(self.params.preset, since) + self.rounds
    }

    /// Where the sequence has the head, so many frames after its first.
    fn filmed(&self, phase: f64) -> HeadPlace {
        let Some(footage) = &self.footage else {
            return HeadPlace::HOME;
        };
        let (rotation, way) = footage.stand(&footage.blend(phase, self.params.sequence_play));
        let pivot = self.pivot.as_dvec3();
        HeadPlace {
            rotation,
            offset: way + rotation * pivot - pivot,
        }
    }

    /// Writes the places of all vertices of `mesh` at `time` `[s]`, in the head's own space;
    /// none where no sequence deforms it. `[m]`
    pub fn write_shape(&self, time: f64, mesh: &Mesh, places: &mut Vec<Vec3>) {
        places.clear();
        let PlaybackState { phase, play, on } = self.playback(time);
        let Some(footage) = (self.footage.as_ref()).filter(|footage| on && footage.deforms())
        else {
            return;
        };
        places.resize(mesh.positions.len(), Vec3::ZERO);
        footage.offsets(&footage.blend(phase, play), 1.0, places);
        for (place, rest) in places.iter_mut().zip(&mesh.positions) {
            *place += *rest;
        }
    }

    /// What the sequence makes of the head's shape at `time`. `[s]`
    pub(super) fn playback(&self, time: f64) -> PlaybackState {
        PlaybackState {
            phase: self.rounds(time),
            play: self.params.sequence_play,
            on: self.params.preset == MotionPreset::Sequence,
        }
    }

    /// Whether the sequence jumps from its last frame to its first between two
    /// times. `[s]`
    pub fn cuts(&self, from: f64, to: f64) -> bool {
        let Some(footage) = &self.footage else {
            return false;
        };
        let playback = self.playback(to);
        playback.on && footage.cuts(self.rounds(from), playback.phase, playback.play)
    }

    fn place(&self, time: f64) -> HeadPlace {
        let goal = self.goal(time);
        let since = time - self.lag.since;
        if !self.lag.any || since > THERE {
            return goal;
        }
        // x'' = -2 w x' - w² x
        let fade = exp(-HASTE * since);
        let left = |[x, v]: [DVec3; 2]| (x + (v + x * HASTE) * since) * fade;
        HeadPlace {
            rotation: DQuat::from_scaled_axis(left(self.lag.turn)) * goal.rotation,
            offset: goal.offset + left(self.lag.way),
        }
    }
}

/// Rounds of a preset motion, or frames of a sequence, in a second.
fn rate(params: &MotionParams) -> f64 {
    f64::from(match params.preset {
        MotionPreset::Sequence => params.sequence_fps,
        _ => params.frequency,
    })
}

#[cfg(test)]
mod tests;
