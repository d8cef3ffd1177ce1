//! From scenes to hair.

use super::*;

fn small() -> Scene {
    let mut scene = Scene::default();
    scene.roots.strands = 40;
    scene.groom.vertices = 8;
    scene
}

#[test]
fn the_default_head_grows_as_many_strands_as_were_asked_for() {
    let stage = build(&small()).expect("builds");
    assert_eq!(stage.groom.strands(), 40);
    assert_eq!(stage.groom.points.len(), 40 * 8);
    assert!(stage.head.report.warnings.is_empty());
}

#[test]
fn a_change_of_hair_keeps_the_head_and_a_failure_harms_nothing() {
    let mut scene = small();
    let stage = build(&scene).expect("builds");
    assert!(stage.suits(&scene));
    scene.sim.wind.on = true;
    assert!(stage.suits(&scene), "the wind needs no new hair");
    scene.groom.length = 0.1;
    assert!(!stage.suits(&scene));
    let other = stage.rebuilt(&scene, UNTOLD).expect("builds");
    assert!(Arc::ptr_eq(&stage.body, &other.body), "the same head");
    assert!(other.suits(&scene));
    scene.head.file = "no such file.obj".into();
    let message = other
        .rebuilt(&scene, UNTOLD)
        .err()
        .expect("fails")
        .to_string();
    assert!(message.contains("no such file.obj"), "{message}");
    assert_eq!(other.groom.strands(), 40);
}

#[test]
fn building_tells_its_parts_and_stops_at_any_of_them() {
    let parts = std::sync::Mutex::new(Vec::new());
    let told = |told: Told| {
        if let Ok(mut parts) = parts.lock() {
            parts.push(told);
        }
        true
    };
    build_told(&small(), &told).expect("builds");
    let parts = parts.into_inner().expect("nobody failed");
    let shares = parts.iter().filter_map(|told| match told {
        Told::Part(_, share) => Some(*share),
        Told::Files(..) | Told::Still => None,
    });
    let shares: Vec<f32> = shares.collect();
    assert!(shares.len() >= 4 && shares.is_sorted(), "{parts:?}");
    for last in 0..parts.len() {
        let left = std::sync::atomic::AtomicUsize::new(last);
        let stop = |_: Told| {
            let count = left.load(std::sync::atomic::Ordering::Relaxed);
            left.store(
                count.saturating_sub(1),
                std::sync::atomic::Ordering::Relaxed,
            );
            count > 0
        };
        let given_up = build_told(&small(), &stop);
        assert!(matches!(given_up, Err(BuildError::GivenUp)), "part {last}");
    }
}

#[test]
fn an_unknown_solver_is_refused_by_name() {
    let mut scene = small();
    scene.sim.step.solver = "pdb".into();
    let message = build(&scene).err().expect("refused").to_string();
    assert!(
        message.contains("\"pdb\"") && message.contains("pbd"),
        "{message}"
    );
}
