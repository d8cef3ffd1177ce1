//! The head on its way: it follows what moves it without ever jumping.

use super::{
    MotionParams, MotionPreset, deforming_head::PlaybackState, head_place::HeadPlace,
    keyframes::shortest, motion, stand::Stand,
};
use crate::{
    math::Pose,
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
        let fade = (-HASTE * since).exp();
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
mod tests {
    use super::*;
    use crate::sim::keyframes::{Keyframe, Keyframes};

    const PRESETS: [MotionPreset; 10] = [
        MotionPreset::None,
        MotionPreset::Sway,
        MotionPreset::Nod,
        MotionPreset::Shake,
        MotionPreset::Tilt,
        MotionPreset::Spin,
        MotionPreset::Jump,
        MotionPreset::Walk,
        MotionPreset::HeadBang,
        MotionPreset::Keyframes,
    ];

    fn params(preset: MotionPreset) -> MotionParams {
        MotionParams {
            preset,
            amplitude: 40.0,
            travel: 0.2,
            frequency: 1.5,
            keyframes: keyframes(),
            ..MotionParams::default()
        }
    }

    /// Round once in both senses of the quaternion, and home.
    fn keyframes() -> Keyframes {
        let key = |(time, yaw, x)| Keyframe {
            time,
            rotation: [yaw, 10.0, 0.0],
            position: [x, 0.0, 0.0],
        };
        let keys = [(0.8, 120.0, 0.1), (1.6, -120.0, 0.0), (2.4, 20.0, 0.0)].map(key);
        let home = Keyframe {
            time: 0.0,
            rotation: [0.0; 3],
            position: [0.0; 3],
        };
        Keyframes::new([&[home], &keys[..]].concat()).expect("times grow")
    }

    fn head(params: &MotionParams) -> HeadMotion {
        let mesh = Mesh {
            positions: vec![Vec3::new(-0.1, -0.2, -0.1), Vec3::splat(0.1)],
            ..Mesh::default()
        };
        HeadMotion::new(&mesh, params)
    }

    /// Turning and moving speed at `time`. `[rad/s]`, `[m/s]`
    fn speed(head: &HeadMotion, time: f64) -> (DVec3, DVec3) {
        let h = 1e-5;
        let (a, b) = (head.place(time), head.place(time + h));
        let turn = shortest(b.rotation * a.rotation.conjugate());
        (turn / h, (b.offset - a.offset) / h)
    }

    /// How far place and speed on both sides of `time` differ, when `before`
    /// gives way to `after` there.
    fn step(before: &HeadMotion, after: &HeadMotion, time: f64) -> f64 {
        let (a, b) = (before.place(time), after.place(time));
        let turned = shortest(a.rotation * b.rotation.conjugate());
        let (u, v) = (speed(before, time - 1e-5), speed(after, time));
        let place = turned.length() + a.offset.distance(b.offset);
        // A speed may have changed a little in two hundred-thousandths of a second.
        1e3 * place + (u.0 - v.0).length() + u.1.distance(v.1)
    }

    #[test]
    fn every_motion_begins_at_rest_and_has_a_steady_speed() {
        for preset in PRESETS {
            let head = head(&params(preset));
            assert_eq!(head.pose(0.0), Pose::IDENTITY, "{preset:?}");
            let (spin, way) = speed(&head, 0.0);
            assert!(
                spin.length() + way.length() < 2e-3,
                "{preset:?} {spin} {way}"
            );
            let mut fastest: f64 = 0.0;
            for i in 1..40_000 {
                let time = f64::from(i) * 1e-4;
                let jolt = step(&head, &head, time);
                assert!(jolt < 0.02, "{preset:?} at {time}: {jolt}");
                let (spin, way) = speed(&head, time);
                fastest = fastest.max(spin.length() + way.length());
            }
            let rests = preset == MotionPreset::None;
            assert!(rests || fastest > 1.0, "{preset:?} moves: {fastest}");
        }
    }

    #[test]
    fn whatever_moves_it_next_the_head_goes_on_from_where_it_is() {
        for (i, from) in PRESETS.iter().enumerate() {
            for (k, to) in PRESETS.iter().enumerate() {
                let mut head = head(&params(*from));
                let time = 1.7 + 0.13 * (i + 3 * k) as f64;
                let mut next = params(*to);
                match k % 3 {
                    0 => next.amplitude = 5.0,
                    1 => next.frequency = 0.4,
                    _ => (next.yaw, next.x) = (150.0, -0.5),
                }
                let before = head.clone();
                head.follow(&next, time);
                let jolt = step(&before, &head, time);
                assert!(jolt < 0.02, "{from:?} to {to:?}: {jolt}");
                // In a moment it is where the motion wants it.
                let (place, goal) = (head.place(time + 3.0), head.goal(time + 3.0));
                assert_eq!(place, goal, "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn a_head_that_is_put_elsewhere_is_there_also_while_it_goes_to_another_motion() {
        let mut head = head(&params(MotionPreset::Shake));
        head.follow(&params(MotionPreset::Tilt), 1.3);
        let wanted = Pose {
            rotation: glam::Quat::from_rotation_y(0.7),
            translation: Vec3::new(0.1, -0.2, 0.3),
        };
        head.put(&wanted, 1.35);
        let there = head.pose(1.35);
        assert!(
            there.rotation.dot(wanted.rotation).abs() > 1.0 - 1e-6,
            "{there:?}"
        );
        assert!(
            there.translation.distance(wanted.translation) < 1e-5,
            "{there:?}"
        );
    }

    #[test]
    fn a_head_that_has_turned_far_goes_home_the_short_way() {
        for rounds in [0.6, 0.95, 1.05, 2.4] {
            let mut head = head(&params(MotionPreset::Spin));
            // The first moment at which it has turned by so much.
            let wanted = std::f64::consts::TAU * rounds;
            let (mut time, mut way) = (0.0, 0.0);
            while way < wanted {
                let (a, b) = (head.place(time).rotation, head.place(time + 1e-3).rotation);
                way += shortest(b * a.conjugate()).length();
                time += 1e-3;
            }
            head.follow(&params(MotionPreset::None), time);
            let step = |i: u32| {
                let at = |i: u32| head.place(time + 1e-3 * f64::from(i)).rotation;
                shortest(at(i + 1) * at(i).conjugate()).length()
            };
            let way: f64 = (0..3000).map(step).sum();
            // Half a round at most, and what it overshoots by at its speed.
            assert!(way < 5.0, "{rounds} rounds: {way} rad");
        }
    }

    #[test]
    fn a_mouse_that_jumps_moves_the_head_fast_and_no_faster() {
        let mut params = params(MotionPreset::None);
        let mut head = head(&params);
        head.follow(&params, 1.0);
        params.x = 0.5;
        params.yaw = 170.0;
        head.follow(&params, 1.0);
        let (mut spin, mut way): (f64, f64) = (0.0, 0.0);
        for i in 0..1000 {
            let (s, w) = speed(&head, 1.0 + 1e-3 * f64::from(i));
            (spin, way) = (spin.max(s.length()), way.max(w.length()));
        }
        assert!((1.5..3.0).contains(&way), "{way} m/s");
        assert!((8.0..16.0).contains(&spin), "{spin} rad/s");
        let there = head.pose(2.0).translation;
        assert!((there.x - 0.5).abs() < 0.2 && head.pose(9.0) == head.goal(9.0).pose(head.pivot));
    }

    #[test]
    fn a_slider_that_is_dragged_does_not_make_it_tremble() {
        // After a minute the least change of the frequency is many rounds.
        let mut params = params(MotionPreset::Nod);
        let mut head = head(&params);
        for i in 0..30 {
            let time = 60.0 + f64::from(i) / 60.0;
            params.frequency += 0.01;
            let before = head.goal(time);
            head.follow(&params, time);
            let turned = (head.goal(time).rotation * before.rotation.conjugate()).to_scaled_axis();
            assert!(turned.length() < 1e-6, "{turned}");
        }
    }
}
