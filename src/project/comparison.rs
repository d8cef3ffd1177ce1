//! The second side on the simulation's thread, in step with the first: the same
//! groom, head, forces and clock, another method or other parameters.

use super::{scene::Scene, tween::Tween};
use crate::{
    math::Pose,
    sim::{SimParams, Simulation, Statistics, hand::Grab},
};
use glam::Vec3;
use rayon::prelude::*;

/// What was measured of one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Of the whole head of hair.
    pub statistics: Statistics,
    /// Share of strands and substeps that took another Newton pass, between the
    /// last two measurements.
    pub extra_passes: f32,
}

impl Measured {
    /// Measures the present state.
    pub fn take(&mut self, simulation: &Simulation, params: &SimParams) {
        let before = self.statistics.effort;
        self.statistics = simulation.statistics(params);
        self.extra_passes = self.statistics.extra_passes(&before);
    }
}

/// The second side.
#[derive(Clone)]
pub struct Comparison {
    simulation: Simulation,
    params: SimParams,
    tween: Option<Tween>,
    /// What was measured of it last.
    pub measured: Measured,
}

impl Comparison {
    /// Goes on from where the first side is, as a copy of it.
    pub fn of(first: &Simulation, tween: Option<&Tween>, scene: &Scene) -> Self {
        Self {
            simulation: first.clone(),
            params: scene.second(),
            tween: tween.cloned(),
            measured: Measured::default(),
        }
    }

    /// Takes over changed parameters.
    pub fn follow(&mut self, scene: &Scene) {
        self.params = scene.second();
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// What it moves with.
    pub fn params(&self) -> &SimParams {
        &self.params
    }

    /// From now on tells what is done to that strand, or to none.
    pub fn inspect(&mut self, strand: Option<usize>) {
        self.simulation.inspect(strand);
    }

    /// Holds these vertices, and no others.
    pub fn set_grabs(&mut self, grabs: Vec<Grab>) {
        self.simulation.set_grabs(grabs);
    }

    /// Gives strands other rest curves.
    pub fn reshape<'a>(&mut self, curves: impl IntoIterator<Item = (usize, &'a [Vec3])>) {
        self.simulation.reshape(curves, &self.params);
        self.tween = None;
    }

    /// Keeps the last two states, or stops keeping them.
    pub fn keep_tween(&mut self, keep: bool) {
        match keep {
            true if self.tween.is_none() => self.tween = Some(Tween::new(&self.simulation)),
            true => {}
            false => self.tween = None,
        }
    }

    /// One step, to be made whenever the first side makes one.
    pub fn step(&mut self) {
        match &mut self.tween {
            Some(tween) => tween.step(&mut self.simulation, &self.params),
            None => self.simulation.step(&self.params),
        }
    }

    /// Puts the head to where its motion has it now, and the hair with it.
    pub fn pose_head(&mut self) {
        self.simulation.pose_head(&self.params);
    }

    /// Hair to rest, time to zero.
    pub fn reset(&mut self) {
        self.simulation.reset(&self.params);
        self.tween = None;
    }

    /// Measures the present state.
    pub fn measure(&mut self) {
        self.measured.take(&self.simulation, &self.params);
    }

    /// Writes the positions at `time`, which the two states cover if it is not
    /// now, and answers where the head is then.
    pub fn write(&self, time: f64, positions: &mut Vec<Vec3>) -> Pose {
        match &self.tween {
            Some(tween) => tween.write(time, positions),
            None => {
                self.simulation.write_positions(positions);
                self.simulation.pose()
            }
        }
    }
}

/// Mean and largest distance between the same vertices of two sides. `[m]`
pub fn distance(a: &[Vec3], b: &[Vec3]) -> [f32; 2] {
    if a.len() != b.len() || a.is_empty() {
        return [0.0; 2];
    }
    let part = |(a, b): (&[Vec3], &[Vec3])| {
        let far = a.iter().zip(b).map(|(a, b)| a.distance(*b));
        far.fold((0.0f64, 0.0f32), |(sum, most), d| {
            (sum + f64::from(d), most.max(d))
        })
    };
    let parts = a.par_chunks(1 << 14).zip(b.par_chunks(1 << 14));
    // Summed up in their order, whichever thread comes first.
    let parts: Vec<_> = parts.map(part).collect();
    let start = (0.0, 0.0f32);
    let (sum, most) = (parts.iter()).fold(start, |a, b| (a.0 + b.0, a.1.max(b.1)));
    [(sum / a.len() as f64) as f32, most]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::built_scene;
    use crate::sim::solver::PbdParams;

    /// The same method with the same parameters is the same to the last bit,
    /// whatever is changed meanwhile; the other one is not.
    #[test]
    fn two_sides_alike_stay_alike_to_the_last_bit() {
        let mut scene = Scene::default();
        scene.roots.strands = 70;
        scene.groom.vertices = 12;
        let mut stage = built_scene::build(&scene).expect("builds");
        let first = &mut stage.simulation;
        // It may begin at any time.
        for _ in 0..7 {
            first.step(&scene.sim);
        }
        scene.compare.on = true;
        scene.b.take(&scene.sim);
        let mut comparison = Comparison::of(first, None, &scene);
        let mut other = Comparison::of(first, None, &scene);
        let (mut one, mut two) = (Vec::new(), Vec::new());
        for step in 0..300 {
            match step {
                40 => scene.sim.wind.on = true,
                80 => scene.sim.of_mut::<PbdParams>().bend_stiffness = 0.2,
                120 => scene.sim.step.solver = "rod".into(),
                160 => scene.sim.step.rate = 90,
                200 => scene.sim.motion.amplitude = 50.0,
                _ => {}
            }
            scene.b.take(&scene.sim);
            comparison.follow(&scene);
            scene.b.of_mut::<PbdParams>().bend_stiffness = 0.9;
            scene.b.step.0.solver = "pbd".into();
            other.follow(&scene);
            if step == 220 {
                first.reset(&scene.sim);
                comparison.reset();
                other.reset();
            }
            // A recording begins in the middle of it.
            comparison.keep_tween((100..250).contains(&step));
            first.step(&scene.sim);
            comparison.step();
            other.step();
            assert_eq!(
                first.state_hash(),
                comparison.simulation().state_hash(),
                "{step}"
            );
            assert_eq!(first.time(), other.simulation().time());
            assert_eq!(first.pose(), other.simulation().pose());
        }
        first.write_positions(&mut one);
        comparison.write(first.time(), &mut two);
        assert_eq!(distance(&one, &two), [0.0, 0.0]);
        other.write(first.time(), &mut two);
        let [mean, most] = distance(&one, &two);
        assert!(most > mean && mean > 1e-3, "{mean} {most}");
    }

    #[test]
    fn the_distance_is_that_of_the_same_vertices() {
        let a = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let b = a.map(|p| p + Vec3::new(0.0, 0.003, 0.004) * (p.x + 1.0));
        let [mean, most] = distance(&a, &b);
        assert!((mean - 0.00625).abs() < 1e-6 && (most - 0.01).abs() < 1e-6);
        assert_eq!(distance(&a, &b[1..]), [0.0; 2]);
    }
}
