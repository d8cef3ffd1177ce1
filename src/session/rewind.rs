//! The last seconds, to go back to.
//!
//! Kept are whole simulations, some steps apart, and what each step between was
//! given: parameters, and what the hand held. A step is the same bits for the
//! same state and parameters, so any moment between is found by stepping on
//! from the simulation before it, and what follows from there, when nothing is
//! changed, is to the last bit what followed the first time.

use crate::{
    project::{comparison::Comparison, scene::Scene},
    sim::{Simulation, hand::Grab},
};
use std::{collections::VecDeque, sync::Arc};

/// Simulations are kept so many steps apart at least: a copy of one takes about
/// as long as a step.
const APART: usize = 10;

/// Bytes of a megabyte.
const MB: f64 = 1e6;

/// All that a step was given.
struct Given {
    scene: Scene,
    /// What the pins and the hand hold.
    held: Vec<Grab>,
}

/// A simulation, and the steps that were made from there.
struct Key {
    simulation: Simulation,
    comparison: Option<Comparison>,
    bytes: f64,
    /// What each step was given, and when it began. `[s]`
    steps: Vec<(Arc<Given>, f64)>,
}

/// What the window shows of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RewindRange {
    /// The earliest moment that can be gone back to. `[s]`
    pub from: f64,
    /// The latest that was simulated. `[s]`
    pub to: f64,
    /// What is kept. `[MB]`
    pub memory: f64,
}

/// The last seconds.
#[derive(Default)]
pub struct Rewind {
    keys: VecDeque<Key>,
    /// What the next step is given, unless that has changed.
    given: Option<Arc<Given>>,
    /// Whether what moves the hair was changed since one has gone back.
    changed: bool,
    /// Whether the next step begins elsewhere than the last one ended.
    leapt: bool,
    /// Steps that were gone back by.
    behind: usize,
    /// When the newest state is. `[s]`
    to: f64,
}

impl Rewind {
    /// Forgets everything: what follows is another head of hair.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// What moves the hair has changed, parameters or what the hand holds: it goes on
    /// otherwise than it did.
    pub fn change(&mut self) {
        self.renew();
        self.changed = true;
    }

    /// The next step is given something else, if it is a new one: what was ahead stays.
    pub fn renew(&mut self) {
        self.given = None;
    }

    /// The state was changed by something that is no step: the next one begins a new key.
    pub fn leap(&mut self) {
        self.change();
        self.leapt = true;
    }

    /// Takes down the step that is about to be made. What was ahead after a
    /// rewind is forgotten: this is another way on.
    pub fn note(
        &mut self,
        simulation: &Simulation,
        comparison: Option<&Comparison>,
        scene: &Scene,
        held: &[Grab],
    ) {
        self.forget_ahead();
        let params = &scene.rewind;
        let sides = if comparison.is_some() { 2.0 } else { 1.0 };
        let bytes = sides * simulation.bytes() as f64;
        let room = (f64::from(params.memory) * MB / bytes.max(1.0)).floor();
        if params.seconds <= 0.0 || room < 2.0 {
            self.clear();
            return;
        }
        let rate = f64::from(scene.sim.step.rate);
        let steps = f64::from(params.seconds) * rate;
        // The newest key is not yet full, and the oldest about to go.
        let apart = (steps / (room - 1.0)).ceil().max(APART as f64) as usize;
        let full = |key: &Key| key.steps.len() >= apart;
        if std::mem::take(&mut self.leapt) || self.keys.back().is_none_or(full) {
            self.keys.push_back(Key {
                simulation: simulation.clone(),
                comparison: comparison.cloned(),
                bytes,
                steps: Vec::with_capacity(apart.min(1 << 12)),
            });
        }
        let given = self.given.get_or_insert_with(|| {
            Arc::new(Given {
                scene: scene.clone(),
                held: held.to_vec(),
            })
        });
        if let Some(key) = self.keys.back_mut() {
            key.steps.push((given.clone(), simulation.time()));
        }
        self.to = simulation.time() + 1.0 / rate;
        self.drop_old(f64::from(params.seconds), f64::from(params.memory) * MB);
    }

    /// Whether a step on is one that was made already: one has gone back, and
    /// nothing was changed since.
    pub fn is_ahead(&self) -> bool {
        self.behind > 0 && !self.changed
    }

    fn forget_ahead(&mut self) {
        while self.behind > 0 {
            match self.keys.back_mut() {
                Some(key) if key.steps.len() > self.behind => {
                    key.steps.truncate(key.steps.len() - self.behind);
                    self.behind = 0;
                }
                Some(key) => {
                    self.behind -= key.steps.len();
                    self.keys.pop_back();
                }
                None => self.behind = 0,
            }
        }
    }

    fn drop_old(&mut self, seconds: f64, budget: f64) {
        while self.keys.len() > 1 {
            let bytes: f64 = self.keys.iter().map(|key| key.bytes).sum();
            // The key behind the oldest must reach back far enough by itself.
            let reaches = self.keys[1].simulation.time() <= self.to - seconds;
            if bytes <= budget && !reaches {
                break;
            }
            self.keys.pop_front();
        }
    }

    /// How far one can go back and forth; none when nothing is kept.
    pub fn reach(&self) -> Option<RewindRange> {
        let first = self.keys.front()?;
        Some(RewindRange {
            from: first.simulation.time(),
            to: self.to,
            memory: self.keys.iter().map(|key| key.bytes).sum::<f64>() / MB,
        })
    }

    fn steps(&self) -> usize {
        self.keys.iter().map(|key| key.steps.len()).sum()
    }

    /// The state so many steps before the present one, or after it where one
    /// has gone back; none where nothing would change.
    pub fn go(&mut self, steps: i64) -> Option<(Simulation, Option<Comparison>)> {
        let all = self.steps();
        let behind = (self.behind as i64)
            .saturating_sub(steps)
            .clamp(0, all as i64) as usize;
        if behind == self.behind {
            return None;
        }
        (self.behind, self.changed, self.leapt) = (behind, false, false);
        self.present(all - behind)
    }

    /// The state nearest to `time`; none where nothing would change. `[s]`
    pub fn seek(&mut self, time: f64) -> Option<(Simulation, Option<Comparison>)> {
        let all = self.steps();
        let begun = self.keys.iter().flat_map(|key| &key.steps).map(|s| s.1);
        let times: Vec<f64> = begun.chain([self.to]).collect();
        let after = times.partition_point(|t| *t < time).min(all);
        let nearer = after > 0 && time - times[after - 1] < times[after] - time;
        let index = after - usize::from(nearer);
        let steps = index as i64 - (all as i64 - self.behind as i64);
        self.go(steps)
    }

    /// The state before step `index`, counted from the oldest.
    fn present(&self, index: usize) -> Option<(Simulation, Option<Comparison>)> {
        let mut left = index;
        for (number, key) in self.keys.iter().enumerate() {
            let last = number + 1 == self.keys.len();
            if left < key.steps.len() || last {
                let mut simulation = key.simulation.clone();
                let mut comparison = key.comparison.clone();
                let mut before: Option<&Arc<Given>> = None;
                for (given, _) in key.steps.iter().take(left) {
                    if before.is_some_and(|before| !Arc::ptr_eq(before, given)) {
                        simulation.set_grabs(given.held.clone());
                        if let Some(comparison) = &mut comparison {
                            comparison.set_grabs(given.held.clone());
                            comparison.follow(&given.scene);
                        }
                    }
                    before = Some(given);
                    simulation.step(&given.scene.sim);
                    if let Some(comparison) = &mut comparison {
                        comparison.step();
                    }
                }
                return Some((simulation, comparison));
            }
            left -= key.steps.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        project::built_scene,
        sim::solver::{Integrator, RodParams},
    };
    use glam::Vec3;

    fn scene() -> Scene {
        let mut scene = Scene::default();
        scene.roots.strands = 40;
        scene.groom.vertices = 10;
        scene.sim.motion.preset = crate::sim::MotionPreset::Shake;
        scene.rewind.seconds = 2.0;
        scene
    }

    /// What changes on the way: parameters, methods, the hand.
    fn change(scene: &mut Scene, step: usize) -> Vec<Grab> {
        match step {
            25 => scene.sim.wind.on = true,
            47 => scene.sim.step.solver = "rod".into(),
            61 => scene.sim.step.set_substeps(5),
            83 => scene.sim.volume.on = true,
            110 => scene.sim.step.solver = "pbd".into(),
            _ => {}
        }
        match step {
            70..100 => vec![Grab {
                strand: 3,
                vertex: 9,
                place: Vec3::new(0.2, 0.1, 0.001 * step as f32),
                on_head: false,
                kind: crate::sim::attachment::AttachmentKind::Hand,
            }],
            _ => Vec::new(),
        }
    }

    #[test]
    fn from_every_moment_of_the_past_the_same_bits_follow() {
        let methods = ["pbd", "ftl", "shape", "spring", "der", "rod"].map(|id| (id, false));
        for (solver, touching) in methods.into_iter().chain([("rod", true)]) {
            let mut scene = scene();
            scene.sim.step.solver = solver.into();
            if touching {
                let rods = scene.sim.of_mut::<RodParams>();
                (rods.strand_contact, rods.integrator) = (true, Integrator::Bdf2);
            }
            let mut simulation = built_scene::build(&scene).expect("builds").simulation;
            let mut rewind = Rewind::default();
            let mut hashes = Vec::new();
            let mut last = Vec::new();
            for step in 0..150 {
                let grabbed = change(&mut scene, step);
                if grabbed != last {
                    simulation.set_grabs(grabbed.clone());
                    last = grabbed;
                }
                rewind.change();
                rewind.note(&simulation, None, &scene, &last);
                hashes.push((simulation.state_hash(), simulation.pose()));
                simulation.step(&scene.sim);
            }
            hashes.push((simulation.state_hash(), simulation.pose()));
            let reach = rewind.reach().expect("a past");
            assert!(
                reach.to - reach.from >= 2.0 && reach.to - reach.from < 2.2,
                "{reach:?}"
            );
            let all = rewind.steps();
            for index in (0..=all).rev().step_by(7).chain([0, 3, all]) {
                let now = all - rewind.behind;
                if let Some((found, _)) = rewind.go(index as i64 - now as i64) {
                    let hash = (found.state_hash(), found.pose());
                    assert!(hash == hashes[150 - all + index], "{solver}, step {index}");
                }
            }
            // By its time, too.
            let time = reach.from + 1.003;
            let (found, _) = rewind.seek(time).expect("another moment");
            assert!((found.time() - time).abs() <= 0.5 / 60.0 + 1e-9);
        }
    }

    #[test]
    fn a_step_after_going_back_begins_another_way() {
        let mut scene = scene();
        let mut simulation = built_scene::build(&scene).expect("builds").simulation;
        let mut rewind = Rewind::default();
        for _ in 0..60 {
            rewind.note(&simulation, None, &scene, &[]);
            simulation.step(&scene.sim);
        }
        let (mut simulation, _) = rewind.go(-35).expect("the past");
        assert_eq!(simulation.steps(), 25);
        // Forth again, but not beyond what was.
        assert_eq!(rewind.go(5).expect("forth").0.steps(), 30);
        assert_eq!(rewind.go(1000).expect("the end").0.steps(), 60);
        assert!(rewind.go(1).is_none());
        assert_eq!(rewind.go(-35).expect("the past").0.steps(), 25);
        rewind.renew();
        assert!(rewind.is_ahead(), "fewer substeps of a live step");
        scene.sim.wind.on = true;
        rewind.change();
        assert!(!rewind.is_ahead());
        for _ in 0..3 {
            rewind.note(&simulation, None, &scene, &[]);
            simulation.step(&scene.sim);
        }
        let reach = rewind.reach().expect("a past");
        assert!((reach.to - 28.0 / 60.0).abs() < 1e-9, "{reach:?}");
        let hash = simulation.state_hash();
        rewind.go(-3).expect("back");
        assert!(
            rewind.go(3).expect("forth").0.state_hash() == hash,
            "with the wind"
        );
        assert_eq!(rewind.go(-1000).expect("the begin").0.steps(), 0);
    }

    #[test]
    fn no_more_is_kept_than_memory_and_seconds_allow() {
        let mut scene = scene();
        scene.roots.strands = 4000;
        scene.groom.vertices = 32;
        scene.rewind.memory = 128;
        let mut simulation = built_scene::build(&scene).expect("builds").simulation;
        let one = simulation.bytes() as f64 / MB;
        assert!((8.5..16.0).contains(&one), "{one} MB");
        let mut rewind = Rewind::default();
        for _ in 0..150 {
            rewind.note(&simulation, None, &scene, &[]);
            simulation.step(&scene.sim);
            let reach = rewind.reach().expect("a past");
            assert!(reach.memory <= 128.0, "{reach:?}");
        }
        let reach = rewind.reach().expect("a past");
        assert!(reach.to - reach.from > 1.0, "{reach:?}");
        scene.rewind.memory = 16;
        rewind.note(&simulation, None, &scene, &[]);
        assert_eq!(rewind.reach(), None, "two states have no room");
        scene.rewind.seconds = 0.0;
        rewind.note(&simulation, None, &scene, &[]);
        assert_eq!(rewind.reach(), None);
    }
}
