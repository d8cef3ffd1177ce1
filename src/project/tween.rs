//! The hair at times that lie between the simulation's steps.
//!
//! 24 frames a second do not divide 60 steps. Changing the step for a
//! recording would change how the hair moves, so the simulation keeps its own
//! steps, and a frame between two of them is their linear mean: what is
//! recorded is what was seen. Over 1/60 s the chord misses the true path by
//! a/8 (1/60 s)², a third of a millimetre at an acceleration of 10 m/s².

use crate::{
    math::Pose,
    sim::{SimParams, Simulation},
};
use glam::Vec3;
use rayon::prelude::*;

/// Hair and head at one time.
#[derive(Clone, Debug, Default)]
struct Moment {
    time: f64,
    pose: Pose,
    positions: Vec<Vec3>,
    /// The head's vertices in its own space; none while it is as its mesh has it.
    shape: Vec<Vec3>,
}

impl Moment {
    fn take(&mut self, simulation: &Simulation) {
        self.time = simulation.time();
        self.pose = simulation.pose();
        simulation.write_positions(&mut self.positions);
        take_shape(simulation, &mut self.shape);
    }
}

/// Writes the vertices of a head that deforms or whose torso is turned, in its own
/// space; nothing of one that is as its mesh has it. `[m]`
pub fn take_shape(simulation: &Simulation, shape: &mut Vec<Vec3>) {
    shape.clear();
    if let Some(now) = simulation.shape() {
        shape.extend_from_slice(&now);
    }
}

/// Two neighbouring states of a simulation, and what lies between.
#[derive(Clone, Debug, Default)]
pub struct Tween {
    before: Moment,
    after: Moment,
}

impl Tween {
    /// Begins at the simulation's present state.
    pub fn new(simulation: &Simulation) -> Self {
        let mut tween = Self::default();
        tween.restart(simulation);
        tween
    }

    /// Begins anew at the simulation's present state: after a reset or a step
    /// that this value did not make.
    pub fn restart(&mut self, simulation: &Simulation) {
        self.after.take(simulation);
        self.before.clone_from(&self.after);
    }

    /// One state, whatever the time: of hair that is not simulated here.
    pub fn show(&mut self, time: f64, pose: Pose, positions: &[Vec3], shape: &[Vec3]) {
        let after = &mut self.after;
        (after.time, after.pose) = (time, pose);
        after.positions.clear();
        after.positions.extend_from_slice(positions);
        after.shape.clear();
        after.shape.extend_from_slice(shape);
        self.before.clone_from(&self.after);
    }

    /// Takes on the state after a step that this value did not make.
    pub fn follow(&mut self, simulation: &Simulation) {
        std::mem::swap(&mut self.before, &mut self.after);
        self.after.take(simulation);
    }

    /// Makes one step.
    pub fn step(&mut self, simulation: &mut Simulation, params: &SimParams) {
        simulation.step(params);
        self.follow(simulation);
    }

    /// Makes the steps that are needed to know the state at `time` and returns
    /// how many. `[s]`
    pub fn advance_to(
        &mut self,
        time: f64,
        simulation: &mut Simulation,
        params: &SimParams,
    ) -> u32 {
        let mut steps = 0;
        while !self.covers(time) {
            self.step(simulation, params);
            steps += 1;
        }
        steps
    }

    /// Whether the state at `time` is known without another step. `[s]`
    pub fn covers(&self, time: f64) -> bool {
        // Sums of 1/60 miss k/24 by rounding; a state that is a nanosecond
        // early is the state.
        self.after.time >= time - 1e-9
    }

    /// Writes the positions at `time` and returns where the head is then; times
    /// outside the two states give the nearer one. `[s]`
    pub fn write(&self, time: f64, positions: &mut Vec<Vec3>) -> Pose {
        let (before, after) = (&self.before, &self.after);
        let t = self.share(time);
        if t > 0.9999 || before.positions.len() != after.positions.len() {
            positions.clone_from(&after.positions);
            return after.pose;
        }
        let pairs = before.positions.par_iter().zip(&after.positions);
        pairs
            .map(|(a, b)| a.lerp(*b, t))
            .with_min_len(1 << 14)
            .collect_into_vec(positions);
        before.pose.between(&after.pose, t)
    }

    /// How much of the way from the older state to the newer one is done at `time`.
    fn share(&self, time: f64) -> f32 {
        let span = self.after.time - self.before.time;
        match span > 0.0 {
            true => ((time - self.before.time) / span).clamp(0.0, 1.0) as f32,
            false => 1.0,
        }
    }

    /// Writes the head's vertices at `time`, in its own space; none while it is
    /// as its mesh has it. `[m]`
    pub fn write_shape(&self, time: f64, shape: &mut Vec<Vec3>) {
        let (before, after) = (&self.before.shape, &self.after.shape);
        let t = self.share(time);
        shape.clear();
        match before.len() == after.len() {
            true => shape.extend(before.iter().zip(after).map(|(a, b)| a.lerp(*b, t))),
            false => shape.extend_from_slice(after),
        }
    }

    /// Time of the newest state. `[s]`
    pub fn time(&self) -> f64 {
        self.after.time
    }

    /// Time `fraction` (0..=1) of the way between the two states. `[s]`
    pub fn time_at(&self, fraction: f64) -> f64 {
        self.before.time + (self.after.time - self.before.time) * fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{built_scene, scene::Scene};

    #[test]
    fn frames_fall_on_their_times_and_between_the_right_steps() {
        let mut scene = Scene::default();
        scene.roots.strands = 20;
        scene.groom.vertices = 8;
        let params = scene.sim.clone();
        let mut simulation = built_scene::build(&scene).expect("builds").simulation;
        let mut tween = Tween::new(&simulation);
        let mut positions = Vec::new();
        let mut steps = 0;
        for frame in 0..=48 {
            let time = f64::from(frame) / 24.0;
            steps += tween.advance_to(time, &mut simulation, &params);
            tween.write(time, &mut positions);
            // 60 steps a second for 24 frames: 2.5 a frame.
            assert_eq!(
                steps,
                (f64::from(frame) * 2.5).ceil() as u32,
                "frame {frame}"
            );
        }
        assert!((simulation.time() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn between_two_states_lies_their_mean() {
        let moment = |time, x: f32| Moment {
            time,
            pose: Pose {
                translation: Vec3::splat(x),
                ..Pose::IDENTITY
            },
            positions: vec![Vec3::splat(x), Vec3::splat(2.0 * x)],
            shape: Vec::new(),
        };
        let tween = Tween {
            before: moment(1.0, 0.0),
            after: moment(1.5, 4.0),
        };
        let mut positions = Vec::new();
        let pose = tween.write(1.125, &mut positions);
        assert_eq!(positions, [Vec3::splat(1.0), Vec3::splat(2.0)]);
        assert_eq!(pose.translation, Vec3::splat(1.0));
        tween.write(1.0, &mut positions);
        assert_eq!(positions[0], Vec3::ZERO);
        // Outside, the nearer state.
        tween.write(9.0, &mut positions);
        assert_eq!(positions[0], Vec3::splat(4.0));
        assert_eq!(tween.time_at(0.5), 1.25);
    }
}
