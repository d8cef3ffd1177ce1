//! Hair and head: nothing ends below the skin, nothing passes through it.

use crate::common::{Floor, falling, groom, input, straight};
use glam::Vec3;
use lovelock::{
    groom::{GroomParams, grow},
    math::{
        Pose,
        lanes::{F, V3},
        random::{signed, uniform},
    },
    mesh::{CollisionMesh, HeadParams, RootParams, Sequence, load, scatter},
    sim::{
        CollisionMode, MotionPreset, Simulation,
        contact::{self, CollisionSurface, Tangent},
        solver::{PbdParams, SOLVERS, Scratch, dispatch::Kernel as _, pbd::Pbd},
        state::{Block, PINNED},
    },
};
use std::sync::Arc;

fn body() -> Arc<CollisionMesh> {
    let head = load(&HeadParams::default()).expect("the built-in head");
    Arc::new(CollisionMesh::new(head.mesh, falling().collision.cell))
}

/// The deepest vertex below the true surface, pinned ones left out. `[m]`
fn deepest(simulation: &Simulation) -> f32 {
    let mut positions = Vec::new();
    simulation.write_positions(&mut positions);
    let (groom, pose) = (simulation.groom(), simulation.pose());
    let mut deepest = f32::MIN;
    for strand in 0..groom.strands() {
        for i in groom.range(strand).skip(PINNED) {
            let p = pose.inverse_point(positions[i]);
            deepest = deepest.max(-simulation.body().surface.signed_distance(p));
        }
    }
    deepest
}

#[test]
fn after_ten_seconds_no_vertex_is_deeper_than_half_a_millimetre() {
    let body = body();
    // How deep the worst one gets hangs on single hairs, so always on the same.
    let roots = RootParams {
        strands: 160,
        sequence: Sequence::Halton,
        ..RootParams::default()
    };
    let roots = scatter::roots(&body.mesh, &roots).expect("roots");
    let groom = Arc::new(grow::grow(
        &roots,
        &GroomParams {
            vertices: 32,
            ..GroomParams::default()
        },
        1,
        &body,
    ));
    for mode in [CollisionMode::Mesh, CollisionMode::Grid] {
        for (wind, shape, preset) in [
            (false, 0.02, MotionPreset::None),
            (true, 0.02, MotionPreset::Sway),
            (true, 0.0, MotionPreset::None),
            (false, 0.0, MotionPreset::Nod),
        ] {
            let mut params = falling();
            params.collision.mode = mode;
            params.wind.on = wind;
            params.wind.strength = 8.0;
            params.of_mut::<PbdParams>().shape_stiffness = shape;
            params.motion.preset = preset;
            let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
            for _ in 0..600 {
                simulation.step(&params);
            }
            let depth = deepest(&simulation);
            println!(
                "{mode:?}, wind {wind}, shape {shape}, {preset:?}: deepest {:.3} mm",
                depth * 1e3
            );
            assert!(
                depth < 5e-4,
                "{mode:?}, wind {wind}, shape {shape}, {preset:?}: {depth} m"
            );
            let stretch = simulation.statistics(&params).max_stretch;
            assert!(
                stretch < params.of::<PbdParams>().stretch_limit + 1e-4,
                "stretch {stretch}"
            );
        }
    }
}

#[test]
fn a_vertex_at_ten_metres_a_second_does_not_tunnel() {
    let body = body();
    let skins: [(&str, &dyn CollisionSurface); 2] = [("mesh", &body.surface), ("grid", &body.grid)];
    let [low, high] = body.mesh.bounds();
    for (name, skin) in skins {
        let (mut entered, mut through, mut worst) = (0, 0, f32::MIN);
        for case in 0..4000u64 {
            // From anywhere around the head straight towards a point in it, as
            // far as 10 m/s carries in a substep of 1/240 s.
            let draw = |salt: u64| {
                Vec3::new(
                    signed(salt, 3 * case),
                    signed(salt, 3 * case + 1),
                    signed(salt, 3 * case + 2),
                )
            };
            let from = (low + high) * 0.5 + draw(1) * (high - low);
            let aim = (low + high) * 0.5 + draw(2) * (high - low) * 0.4;
            let Some(hit) = body.surface.ray(from, (aim - from).normalize(), 1.0) else {
                continue;
            };
            if hit.normal.dot(aim - from) >= 0.0 || body.surface.signed_distance(from) < 0.0 {
                continue;
            }
            let way = (aim - from).normalize();
            let start = from + way * (hit.distance - 10.0 / 240.0 * uniform(3, case)).max(0.0);
            let end = start + way * (10.0 / 240.0);
            let tangent = skin.tangent(start, end);
            let margin = falling().collision.margin;
            let out = |tangent: Tangent, p: Vec3| {
                p + tangent.normal * (tangent.offset + margin - tangent.normal.dot(p)).max(0.0)
            };
            let mut place = out(tangent, end);
            entered += 1;
            worst = worst.max(-body.surface.signed_distance(place));
            // One plane stands for a curved skin over 4 cm of way; the looks of
            // the next substeps mend what is left.
            for _ in 0..4 {
                place = out(skin.tangent(place, place), place);
            }
            assert!(
                body.surface.signed_distance(place) > -5e-4,
                "{name}: from {start} to {end}, left inside at {place}"
            );
            // And on the side it came from, where the skin looks the same way: an
            // ear is a few millimetres thick.
            let skin = body.surface.closest(place, 0.05).expect("near the head");
            through += usize::from(skin.normal.dot(hit.normal) < -0.3);
            // A straight way back crosses no more of the head than its chin;
            // through the head would be 0.13 m.
            let inside = (1..50)
                .filter(|i| {
                    body.surface
                        .signed_distance(start.lerp(place, *i as f32 / 50.0))
                        < 0.0
                })
                .count();
            let crossed = place.distance(start) * inside as f32 / 50.0;
            assert!(
                crossed < 0.06,
                "{name}: from {start} to {end}, {crossed} m of head crossed to {place}"
            );
        }
        assert!(entered > 1000, "only {entered} ways met the head");
        println!("{name}: {through} of {entered} ended on another side");
        assert!(
            200 * through < entered,
            "{name}: {through} of {entered} passed"
        );
        println!(
            "{name}: {entered} ways, deepest after one look {:.2} mm",
            worst.max(0.0) * 1e3
        );
    }
}

#[test]
fn a_lock_thrown_at_the_head_comes_back() {
    let body = body();
    for mode in [CollisionMode::Mesh, CollisionMode::Grid] {
        let mut params = falling();
        params.collision.mode = mode;
        params.of_mut::<PbdParams>().shape_stiffness = 0.0;
        params.motion.preset = MotionPreset::None;
        // Roots in front of the face, strands that fly into it at 10 m/s.
        let strands: Vec<Vec<Vec3>> = (0..32)
            .map(|i| {
                straight(
                    Vec3::new(-0.06 + 0.004 * i as f32, 0.06, 0.2),
                    Vec3::NEG_Y,
                    0.25,
                    32,
                )
            })
            .collect();
        let all = groom(&strands);
        let mut block = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
        for i in PINNED..32 {
            block.velocity[i] = V3::splat([0.0, 0.0, -10.0 * i as f64 / 31.0]);
        }
        let skin: &dyn CollisionSurface = if mode == CollisionMode::Mesh {
            &body.surface
        } else {
            &body.grid
        };
        let pbd = Pbd::new(&params.of::<PbdParams>(), &params.step);
        let mut scratch = Scratch::new();
        let mut met = false;
        for step in 0..180 {
            pbd.advance_rows(&mut block, &mut scratch, &input(&params, Some(skin)));
            for i in PINNED..32 {
                for lane in 0..32 {
                    let p = block.point(i, lane).as_vec3();
                    met |= body.surface.signed_distance(p) < 0.003;
                    assert!(
                        p.z > -0.06,
                        "{mode:?}: strand {lane} went through the head at step {step}"
                    );
                    if step > 120 {
                        assert!(
                            body.surface.signed_distance(p) > -5e-4,
                            "{mode:?}: strand {lane} stayed inside at {p}"
                        );
                    }
                }
            }
        }
        assert!(met, "the strands must have met the face");
    }
}

#[test]
fn friction_takes_no_more_than_coulomb_allows() {
    let lane = V3::<f64>::splat;
    let up = lane([0.0, 1.0, 0.0]);
    let slide = |length: f64, pushed: f64| {
        let p = contact::friction(
            lane([length, 0.0, 0.0]),
            lane([0.0; 3]),
            lane([0.0; 3]),
            up,
            pushed,
            0.5,
        );
        p.get(0)[0]
    };
    assert_eq!(slide(0.4, 1.0), 0.0, "held: 0.4 is less than mu times 1");
    assert!(
        (slide(0.8, 1.0) - 0.3).abs() < 1e-15,
        "slides on by what friction cannot hold"
    );
    assert_eq!(slide(0.8, 0.0), 0.8, "no contact, no friction");
    let carried = contact::friction(
        lane([0.0; 3]),
        lane([0.0; 3]),
        lane([0.2, 0.0, 0.0]),
        up,
        1.0,
        0.5,
    );
    assert_eq!(
        carried.get(0)[0],
        0.2,
        "a moving skin takes the strand along"
    );
}

#[test]
fn a_bouncing_strand_returns_the_share_it_should() {
    // A strand lies over a floor and falls onto it flat.
    let floor = Floor { height: -0.1 };
    let rest = straight(Vec3::ZERO, Vec3::X, 0.2, 12);
    let rebound = |restitution: f32| {
        let mut params = falling();
        params.of_mut::<PbdParams>().shape_stiffness = 0.0;
        params.of_mut::<PbdParams>().damping = 0.0;
        params.forces.drag = 0.0;
        params.collision.restitution = restitution;
        let all = groom(std::slice::from_ref(&rest));
        let mut block = Block::<f64>::new(&all, 0, 1, &Pose::IDENTITY);
        let pbd = Pbd::new(&params.of::<PbdParams>(), &params.step);
        let mut scratch = Scratch::new();
        let mut fastest = f64::MIN;
        for _ in 0..60 {
            pbd.advance_rows(&mut block, &mut scratch, &input(&params, Some(&floor)));
            assert!(block.point(11, 0).y > -0.1, "below the floor");
            fastest = fastest.max(block.velocity[11].get(0)[1]);
        }
        fastest
    };
    assert!(
        rebound(0.8) > rebound(0.0) + 0.3,
        "a lively strand leaves the floor faster"
    );
}

#[test]
fn roots_inside_the_head_stay_calm() {
    let body = body();
    let strands: Vec<Vec<Vec3>> = (0..64)
        .map(|i| {
            let p = Vec3::new(
                0.002 * (i % 8) as f32 - 0.008,
                0.08 - 0.004 * (i / 8) as f32,
                0.0,
            );
            straight(p, Vec3::new(0.3, 1.0, 0.1).normalize(), 0.15, 24)
        })
        .collect();
    let groom = Arc::new(groom(&strands));
    for mode in [CollisionMode::Mesh, CollisionMode::Grid] {
        let mut params = falling();
        params.collision.mode = mode;
        let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
        for step in 0..300 {
            simulation.step(&params);
            let statistics = simulation.statistics(&params);
            assert_eq!(statistics.nonfinite, 0);
            assert!(
                statistics.kinetic < 1e-3,
                "{mode:?}: {} J at step {step}",
                statistics.kinetic
            );
        }
    }
}

#[test]
fn hair_that_sank_in_comes_out_when_collision_is_switched_on() {
    let body = body();
    let strands: Vec<Vec<Vec3>> = (0..32u8)
        .map(|i| {
            let top = Vec3::new(0.002 * f32::from(i) - 0.03, 0.2, 0.0);
            let root = body.surface.closest(top, 1.0).expect("skin").point;
            straight(
                root + 0.002 * Vec3::Y,
                Vec3::new(0.1, 0.2, 1.0).normalize(),
                0.2,
                24,
            )
        })
        .collect();
    let groom = Arc::new(groom(&strands));
    let mut sank = 0;
    for method in SOLVERS.iter() {
        let mut params = falling();
        params.step.solver = method.id.into();
        params.motion.preset = MotionPreset::None;
        params.collision.mode = CollisionMode::Off;
        let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
        for _ in 0..40 {
            simulation.step(&params);
        }
        let sunk = deepest(&simulation);
        params.collision.mode = CollisionMode::Mesh;
        for _ in 0..120 {
            simulation.step(&params);
        }
        let left = deepest(&simulation);
        println!(
            "{}: {:.1} mm deep, then {:.1}",
            method.id,
            1e3 * sunk,
            1e3 * left
        );
        sank += u32::from(sunk > 0.004);
        assert!(left < 0.003, "{}: {sunk} {left}", method.id);
    }
    assert!(sank > 2, "{sank} of the methods let hair sink");
}
