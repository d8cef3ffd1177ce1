use super::*;
use crate::session::ready::Ready;
use std::time::{Duration, Instant};

fn small() -> Scene {
    let mut scene = Scene::default();
    scene.roots.strands = 30;
    scene.groom.vertices = 8;
    scene
}

fn start(scene: Scene) -> (SimHandle, BuildResult) {
    let worker = SimHandle::spawn(scene, None, || ()).expect("a thread");
    let built = wait_built(&worker);
    (worker, built)
}

fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed().as_secs() < 60, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

fn record(fps: u32) -> SimCommand {
    SimCommand::Record {
        fps,
        from_start: false,
    }
}

fn wait_built(worker: &SimHandle) -> BuildResult {
    wait("hair", || match worker.report() {
        Some(SimEvent::Built(built)) => Some(*built),
        Some(SimEvent::Failed { message, .. }) => panic!("{message}"),
        _ => None,
    })
}

#[test]
fn the_head_is_there_before_its_hair() {
    let worker = SimHandle::spawn(small(), Some(1), || ()).expect("a thread");
    let mut order = Vec::new();
    wait("hair", || match worker.report()? {
        SimEvent::Head(head, _) => {
            order.push(head.mesh.positions.len());
            None
        }
        SimEvent::Built(built) => {
            order.push(built.groom.strands());
            Some(())
        }
        _ => None,
    });
    assert!(order.len() == 2 && order[0] > 1000, "{order:?}");
    assert_eq!(order[1], 30);
}

#[test]
fn time_goes_on_stands_still_steps_and_begins_anew() {
    let (mut worker, built) = start(small());
    assert_eq!(built.groom.strands(), 30);
    let snapshot = wait("a tenth of a second", || {
        Some(worker.latest().clone()).filter(|s| s.time > 0.1)
    });
    assert_eq!(snapshot.positions.len(), 30 * 8);
    assert_eq!(snapshot.generation, built.generation);
    worker.order(SimCommand::Pause(true));
    // The step that was being made may still arrive.
    let still = wait("stillness", || {
        let before = worker.latest().serial;
        thread::sleep(Duration::from_millis(80));
        (worker.latest().serial == before).then(|| worker.latest().clone())
    });
    worker.order(SimCommand::Step);
    worker.order(SimCommand::Step);
    let stepped = wait("two steps", || {
        Some(worker.latest().time).filter(|time| *time > still.time + 0.03)
    });
    assert!((stepped - still.time - 2.0 / 60.0).abs() < 1e-9);
    worker.order(SimCommand::Reset);
    wait("the beginning", || {
        (worker.latest().time == 0.0).then_some(())
    });
}

#[test]
fn a_recording_waits_for_each_frame_and_misses_none() {
    let mut scene = small();
    // Faster than it could be shown, and no multiple of a step.
    scene.capture.fps = 24;
    let (mut worker, _) = start(scene);
    worker.order(record(24));
    let mut first = None;
    for frame in 0..30 {
        let time = wait("a frame", || {
            let snapshot = worker.latest();
            (snapshot.frame == Some(frame)).then_some(snapshot.time)
        });
        let start = *first.get_or_insert(time);
        let wanted = start + frame as f64 / 24.0;
        assert!((time - wanted).abs() < 1e-9, "frame {frame} at {time}");
        if frame == 10 {
            // Nothing comes before it is asked for.
            thread::sleep(Duration::from_millis(150));
            assert_eq!(worker.latest().frame, Some(10));
        }
        worker.order(SimCommand::NextFrame);
    }
    worker.order(SimCommand::EndRecording);
    wait("live hair", || {
        worker.latest().frame.is_none().then_some(())
    });
}

#[test]
fn a_recording_from_the_start_has_time_zero_in_its_first_frame() {
    let (mut worker, _) = start(small());
    wait("a tenth of a second", || {
        (worker.latest().time > 0.1).then_some(())
    });
    worker.order(SimCommand::Record {
        fps: 24,
        from_start: true,
    });
    let first = wait("a frame", || {
        let snapshot = worker.latest();
        snapshot.frame.map(|frame| (frame, snapshot.time))
    });
    assert_eq!(first, (0, 0.0));
}

#[test]
fn of_many_changes_the_last_counts_and_a_failure_keeps_the_old_hair() {
    let (mut worker, first) = start(small());
    for vertices in 9..=40 {
        let mut scene = small();
        scene.groom.vertices = vertices;
        worker.order(SimCommand::Scene(Box::new(scene)));
    }
    let mut count = 0;
    let last = wait("the newest hair", || match worker.report() {
        Some(SimEvent::Built(built)) => {
            count += 1;
            (built.groom.points.len() == 30 * 40).then_some(built.generation)
        }
        _ => None,
    });
    assert!(count < 32, "changes in between are left out: {count}");
    assert!(last > first.generation);
    let mut scene = small();
    scene.head.file = "none.obj".into();
    worker.order(SimCommand::Scene(Box::new(scene.clone())));
    let (message, failed) = wait("a complaint", || match worker.report() {
        Some(SimEvent::Failed { message, scene }) => Some((message, scene)),
        _ => None,
    });
    assert!(message.contains("none.obj"), "{message}");
    assert_eq!(failed.as_deref(), Some(&scene));
    let then = worker.latest().time;
    wait("the old hair to go on", || {
        let snapshot = worker.latest();
        (snapshot.generation == last && snapshot.time > then).then_some(())
    });
}

#[test]
fn other_hair_goes_on_at_the_same_time_and_another_scene_begins_anew() {
    let (mut worker, _) = start(small());
    wait("a tenth of a second", || {
        (worker.latest().time > 0.1).then_some(())
    });
    worker.order(SimCommand::Pause(true));
    let mut scene = small();
    let mut other = |change: fn(&mut Scene)| {
        change(&mut scene);
        worker.order(SimCommand::Scene(Box::new(scene.clone())));
        let generation = wait("other hair", || match worker.report() {
            Some(SimEvent::Built(built)) => Some(built.generation),
            _ => None,
        });
        let snapshot = worker.latest();
        assert_eq!(snapshot.generation, generation);
        snapshot.time
    };
    let longer = other(|scene| scene.groom.length = 0.3);
    assert!(longer > 0.1, "{longer}");
    assert_eq!(other(|scene| scene.groom.vertices = 12), longer);
    let nods = |scene: &mut Scene| {
        scene.sim.motion.preset = crate::sim::MotionPreset::Nod;
        scene.groom.vertices = 11;
    };
    assert_eq!(other(nods), longer);
    worker.order(SimCommand::BeginAnew);
    scene.groom.vertices = 10;
    worker.order(SimCommand::Scene(Box::new(scene.clone())));
    let time = wait("another scene", || match worker.report() {
        Some(SimEvent::Built(_)) => Some(worker.latest().time),
        _ => None,
    });
    assert_eq!(time, 0.0);
    // That was for one scene.
    scene.groom.vertices = 12;
    worker.order(SimCommand::Pause(false));
    wait("time to go on", || {
        (worker.latest().time > 0.1).then_some(())
    });
    worker.order(SimCommand::Scene(Box::new(scene)));
    let time = wait("other hair", || match worker.report() {
        Some(SimEvent::Built(_)) => Some(worker.latest().time),
        _ => None,
    });
    assert!(time > 0.1, "{time}");
}

#[test]
fn two_sides_alike_are_nowhere_apart_and_both_tell_of_a_strand() {
    let mut scene = small();
    scene.compare.on = true;
    let (mut worker, _) = start(scene.clone());
    // The same method and the same parameters.
    worker.order(SimCommand::Inspect(Some(3)));
    // However late the order reaches a busy machine's simulation: what counts is
    // how much was seen since, not how much time has gone by.
    let snapshot = wait("four samples of a strand", || {
        let snapshot = worker.latest().clone();
        (snapshot.stats_history.samples().len() > 3).then_some(snapshot)
    });
    let second = snapshot.second.as_ref().expect("a second side");
    assert_eq!(second.positions, snapshot.positions);
    for sample in snapshot.stats_history.samples() {
        let (reading, apart) = sample.second.expect("two sides");
        assert_eq!((reading, apart), (sample.first, [0.0, 0.0]));
    }
    let inspected = snapshot.inspected.expect("a strand");
    assert_eq!(second.inspected.as_ref(), Some(&inspected));
    assert_eq!((inspected.strand, inspected.speed.len()), (3, 8));
    assert!(inspected.corrections.iter().all(|c| c.moved.len() == 8));
    assert!(!inspected.corrections.is_empty());
    // Another method for one of them: apart, but at the same time.
    scene.b.step.0.solver = "rod".into();
    worker.order(SimCommand::Scene(Box::new(scene.clone())));
    let snapshot = wait("a difference", || {
        let snapshot = worker.latest().clone();
        let second = snapshot.second.as_ref()?;
        (second.positions != snapshot.positions).then_some(snapshot)
    });
    assert!(snapshot.second.is_some());
    scene.compare.on = false;
    worker.order(SimCommand::Scene(Box::new(scene)));
    wait("one side", || {
        worker.latest().second.is_none().then_some(())
    });
    worker.order(SimCommand::Inspect(Some(30)));
    wait("no such strand", || {
        worker.latest().inspected.is_none().then_some(())
    });
}

#[test]
fn slow_motion_shows_what_lies_between_the_steps() {
    let mut scene = small();
    scene.sim.step.speed = 0.05;
    let (mut worker, _) = start(scene);
    let mut times = Vec::new();
    wait("twenty states", || {
        let time = worker.latest().time;
        if times.last() != Some(&time) {
            times.push(time);
        }
        (times.len() >= 20).then_some(())
    });
    let steps = (times[19] - times[0]) * 60.0;
    assert!(steps < 10.0, "{steps} steps for twenty states");
    assert!(times.is_sorted());
}

#[test]
fn a_budget_reduces_live_steps_and_rewind_repeats_them() {
    let mut scene = small();
    // No step is that fast.
    scene.sim.step.budget = 1e-3;
    scene.sim.motion.preset = crate::sim::MotionPreset::Shake;
    let (mut worker, _) = start(scene.clone());
    let coarse = wait("the coarsest steps", || {
        let coarse = worker.latest().substepping?;
        (coarse.rate < scene.sim.step.rate && coarse.substeps == 2).then_some(coarse)
    });
    assert_eq!(coarse.rate, 30);
    let from = worker.latest().time;
    wait("a second of them", || {
        (worker.latest().time > from + 1.0).then_some(())
    });
    worker.order(SimCommand::Pause(true));
    let last = wait("stillness", || {
        let before = worker.latest().serial;
        thread::sleep(Duration::from_millis(80));
        (worker.latest().serial == before).then(|| worker.latest().clone())
    });
    // What was shown last lies between two steps; the last of them is one away.
    let mut go = |steps| {
        let before = worker.latest().serial;
        worker.order(SimCommand::Go(steps));
        wait("another moment", || {
            (worker.latest().serial != before).then(|| worker.latest().clone())
        })
    };
    let there = go(-1);
    let back = go(-20);
    assert!((there.time - back.time - 20.0 / 30.0).abs() < 1e-6);
    let again = go(20);
    assert_eq!(again.time, there.time);
    assert_eq!(again.positions, there.positions);
    assert!(last.time >= there.time && last.substepping == Some(coarse));
    // Recorded frames have full quality.
    worker.order(SimCommand::Pause(false));
    worker.order(record(30));
    let frame = wait("a frame", || {
        Some(worker.latest().clone()).filter(|snapshot| snapshot.frame.is_some())
    });
    assert_eq!(frame.substepping, None);
}

#[test]
fn hair_that_was_built_elsewhere_is_stepped_by_its_own_scene_under_a_budget() {
    let mut scene = small();
    scene.sim.step.budget = 1e-3;
    scene.sim.motion.preset = crate::sim::MotionPreset::Shake;
    let (mut worker, first) = start(scene.clone());
    wait("the coarsest steps", || {
        let coarse = worker.latest().substepping?;
        (coarse.rate < scene.sim.step.rate && coarse.substeps == 2).then_some(())
    });
    // Only its head rests.
    scene.sim.motion.preset = crate::sim::MotionPreset::None;
    scene.groom.vertices = 9;
    let ready = Ready::build(&scene, None, &|_| true).expect("builds");
    worker.order(SimCommand::Ready(Box::new(scene), Box::new(ready)));
    let later = wait("the new hair to move on", || {
        let snapshot = worker.latest();
        (snapshot.generation > first.generation && snapshot.time > 0.4).then(|| snapshot.clone())
    });
    assert_eq!(later.pose, crate::math::Pose::IDENTITY);
}
