//! What the inspector is told of a strand, against what happened to it.

use glam::Vec3;
use lovelock::{
    project::{built_scene, scene::Scene},
    sim::{Simulation, solver::SOLVERS, trace::Trace},
};

fn windy(solver: &str) -> (Simulation, Scene) {
    let mut scene = Scene::default();
    scene.roots.strands = 70;
    scene.sim.step.solver = solver.into();
    scene.sim.wind.on = true;
    (
        built_scene::build(&scene).expect("builds").simulation,
        scene,
    )
}

fn largest(moved: &[Vec3]) -> f32 {
    moved.iter().map(|v| v.length()).fold(0.0, f32::max)
}

fn correction<'a>(trace: &'a Trace, name: &str) -> &'a [Vec3] {
    let mut all = trace.corrections.iter();
    let found = all.find(|correction| correction.name == name);
    &found.expect("a correction of that name").moved
}

/// The strand is stepped again for the inspector: it must change nothing, and
/// whoever looks must see a method's own corrections.
#[test]
fn looking_changes_nothing_and_every_method_tells() {
    for method in SOLVERS.iter() {
        let (mut seen, scene) = windy(method.id);
        let (mut unseen, _) = windy(method.id);
        assert!(seen.trace().is_none(), "nobody asked");
        seen.inspect(Some(41));
        for _ in 0..40 {
            seen.step(&scene.sim);
            unseen.step(&scene.sim);
        }
        let id = method.id;
        assert_eq!(seen.state_hash(), unseen.state_hash(), "{id}");
        let trace = seen.trace().expect("asked for");
        assert_eq!(trace.strand, 41);
        assert!(!trace.corrections.is_empty(), "{id} tells nothing");
        let vertices = seen.groom().strand(41).len();
        for correction in &trace.corrections {
            let (name, moved) = (correction.name, &correction.moved);
            assert_eq!(moved.len(), vertices, "{id}: {name}");
            assert!(moved.iter().all(|v| v.is_finite()), "{id}: {name}");
            assert!(largest(moved) < 0.05, "{id}: {name} {}", largest(moved));
        }
        let sum: f32 = trace.corrections.iter().map(|c| largest(&c.moved)).sum();
        assert!(sum > 1e-6, "{id}: hair in wind is held by something");
        seen.inspect(None);
        seen.step(&scene.sim);
        assert!(seen.trace().is_none());
        seen.inspect(Some(70));
        seen.step(&scene.sim);
        assert!(seen.trace().is_none(), "there is no such strand");
    }
}

/// In the last substep of a rod at rest gravity moves each vertex down, and
/// inner forces, contact and friction move it up again, all of them together.
#[test]
fn at_rest_the_corrections_undo_what_gravity_does() {
    let mut scene = Scene::default();
    scene.roots.strands = 40;
    scene.sim.step.solver = "rod".into();
    lovelock::sim::solver::set_sag_free(&mut scene.sim, false);
    scene.sim.motion.amplitude = 0.0;
    // Neighbours pull as well.
    scene.sim.volume.on = false;
    let mut simulation = built_scene::build(&scene).expect("builds").simulation;
    for _ in 0..600 {
        simulation.step(&scene.sim);
    }
    let h = 1.0 / 240.0f32;
    let fallen = 9.81 * h * h;
    let mut touching = 0;
    for strand in 0..40 {
        simulation.inspect(Some(strand));
        simulation.step(&scene.sim);
        let trace = simulation.trace().expect("asked for");
        let vertices = simulation.groom().strand(strand).len();
        for i in 3..vertices {
            let sum: Vec3 = trace.corrections.iter().map(|c| c.moved[i]).sum();
            let left = (sum - Vec3::Y * fallen).length();
            assert!(left < 0.05 * fallen, "vertex {i} is left {left} m");
        }
        touching += correction(trace, "Contact")
            .iter()
            .filter(|moved| moved.length() > 0.01 * fallen)
            .count();
    }
    assert!(touching > 20, "{touching} vertices lie on the head");
}
