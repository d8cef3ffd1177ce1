//! Heads that are read frame by frame from a sequence of files.

use glam::{Quat, Vec3};
use lovelock::{
    groom::Groom,
    math::Pose,
    mesh::{
        HeadParams, MeshSequence,
        sequence::{self, Play},
    },
    project::{
        built_scene::{self, BuiltScene},
        scene::Scene,
    },
    session::sim_handle::{SimCommand, SimEvent, SimHandle},
    sim::{
        MotionPreset, SimParams, Simulation, TorsoMode,
        head::HeadMotion,
        keyframes::{Keyframe, Keyframes},
        solver::{PbdParams, SOLVERS},
    },
};
use std::{path::Path, time::Instant};
use tempfile::TempDir;

const HEAD: &str = include_str!("../../assets/head.obj");

/// The built-in head with its vertices moved, as a file's text.
fn moved(change: impl Fn(Vec3) -> Vec3) -> String {
    let mut text = String::with_capacity(HEAD.len() + 1000);
    for line in HEAD.lines() {
        match line.strip_prefix("v ") {
            Some(numbers) => {
                let numbers: Vec<f32> = numbers
                    .split_whitespace()
                    .map(|n| n.parse().expect("a number"))
                    .collect();
                let p = change(Vec3::from_slice(&numbers));
                text += &format!("v {:.7} {:.7} {:.7}\n", p.x, p.y, p.z);
            }
            None => text = text + line + "\n",
        }
    }
    text
}

/// Writes so many frames, numbered as `name` says, from number `first` on.
fn write(
    count: usize,
    name: impl Fn(usize) -> String,
    change: impl Fn(usize, Vec3) -> Vec3,
) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for frame in 0..count {
        let text = moved(|p| change(frame, p));
        std::fs::write(folder.path().join(name(frame)), text).expect("written");
    }
    folder
}

/// The skin swells by 12 mm beside the crown, the jaw drops by 15 mm, and all
/// of it turns and moves.
fn bulge(share: f32, p: Vec3) -> Vec3 {
    let out = p - Vec3::new(0.04, 0.1, 0.0);
    let swell = 0.012 * share * (-out.length_squared() / (2.0 * 0.03f32.powi(2))).exp();
    let jaw = ((-0.02 - p.y) / 0.03).clamp(0.0, 1.0) * (p.z / 0.03).clamp(0.0, 1.0);
    let p = p + Vec3::new(0.4, 1.0, 0.1) * swell - Vec3::Y * (0.015 * share * jaw);
    Quat::from_rotation_y(0.5 * share) * p + Vec3::new(0.03, 0.0, 0.0) * share
}

/// From rest to the bulge in a third of a second.
fn bulging(frames: usize) -> TempDir {
    let last = (frames - 1) as f32;
    write(
        frames,
        |i| format!("head.{:04}.obj", i + 1),
        |i, p| {
            let s = i as f32 / last;
            bulge(s * s * (3.0 - 2.0 * s), p)
        },
    )
}

fn scene(file: &Path, params: impl FnOnce(&mut SimParams)) -> Scene {
    let mut scene = Scene::default();
    scene.roots.strands = 60;
    scene.groom.vertices = 24;
    let motion = &mut scene.sim.motion;
    motion.preset = MotionPreset::Sequence;
    motion.sequence = file.display().to_string();
    motion.sequence_play = Play::Hold;
    // Stiff enough that hair tells of the head and not of itself.
    scene.sim.of_mut::<PbdParams>().shape_stiffness = 0.02;
    scene.sim.of_mut::<PbdParams>().bend_stiffness = 0.6;
    params(&mut scene.sim);
    scene
}

fn places(simulation: &Simulation) -> Vec<Vec3> {
    let mut out = Vec::new();
    simulation.write_positions(&mut out);
    out
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    let apart = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    apart.fold(0.0, f32::max)
}

#[test]
fn a_head_turned_rigidly_moves_as_keyframes_would_move_it() {
    let key = |time, rotation, position| Keyframe {
        time,
        rotation,
        position,
    };
    let keys = vec![
        key(0.0, [0.0; 3], [0.0; 3]),
        key(0.35, [30.0, 10.0, 0.0], [0.02, 0.0, 0.01]),
        key(0.7, [-25.0, 0.0, 12.0], [0.0, 0.03, 0.0]),
        key(1.0, [5.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ];
    let rate = |sim: &mut SimParams| {
        sim.step.rate = 48;
        sim.motion.preset = MotionPreset::Keyframes;
        sim.motion.keyframes = Keyframes::new(keys).expect("in order");
        sim.motion.sequence.clear();
        // Files move all of the bust.
        sim.torso.mode = TorsoMode::Off;
    };
    let by_keys = scene(Path::new(""), rate);
    let mut wanted = built_scene::build(&by_keys).expect("builds").simulation;
    let (mut poses, mut hair) = (vec![wanted.pose()], Vec::new());
    for step in 1..=48 {
        wanted.step(&by_keys.sim);
        if step % 2 == 0 {
            poses.push(wanted.pose());
            hair.push(places(&wanted));
        }
    }
    let folder = write(
        poses.len(),
        |i| format!("a{i}.obj"),
        |i, p| poses[i].point(p),
    );
    let by_files = scene(&folder.path().join("a7.obj"), |sim| sim.step.rate = 48);
    let BuiltScene {
        mut simulation,
        body,
        ..
    } = built_scene::build(&by_files).expect("builds");
    let footage = body.footage.clone().expect("a sequence");
    assert!(!footage.deforms(), "rigid to a twentieth of a millimetre");
    assert_eq!(footage.frames(), 25);
    assert!(simulation.shape().is_none());
    for frame in 1..poses.len() {
        simulation.step(&by_files.sim);
        simulation.step(&by_files.sim);
        let (found, pose): (Pose, Pose) = (simulation.pose(), poses[frame]);
        // At the points of the head, not at the origin.
        for p in [Vec3::ZERO, Vec3::new(0.1, 0.1, 0.1), Vec3::NEG_Y * 0.2] {
            let off = found.point(p).distance(pose.point(p));
            assert!(off < 1e-5, "frame {frame}: {off} m");
        }
        let off = farthest(&places(&simulation), &hair[frame - 1]);
        assert!(off < 4e-3, "frame {frame}: hair {off} m");
    }
}

/// Where each root is rooted: triangle, shares of its corners, height.
fn plants(stage: &BuiltScene) -> Vec<([u32; 3], [f32; 2], f32)> {
    let mesh = &stage.body.mesh;
    let plant = |strand| {
        let root = stage.groom.strand(strand)[0];
        let near = stage.body.surface.closest(root, 1.0).expect("near");
        let triangle = mesh.triangles[near.triangle as usize];
        let [a, b, c] = triangle.map(|v| mesh.positions[v as usize]);
        let n = (b - a).cross(c - a);
        let u = (root - a).cross(c - a).dot(n) / n.length_squared();
        let v = (b - a).cross(root - a).dot(n) / n.length_squared();
        (triangle, [u, v], (root - a).dot(n.normalize()))
    };
    (0..stage.groom.strands()).map(plant).collect()
}

#[test]
fn roots_stay_on_their_triangles_and_hair_out_of_the_skin() {
    let folder = bulging(9);
    for method in SOLVERS.iter() {
        let file = folder.path().join("head.0001.obj");
        let scene = scene(&file, |sim| sim.step.solver = method.id.into());
        let mut stage = built_scene::build(&scene).expect("builds");
        let plants = plants(&stage);
        let rest: Vec<Vec3> = (0..stage.groom.strands())
            .map(|strand| {
                let strand = stage.groom.strand(strand);
                strand[1] - strand[0]
            })
            .collect();
        let mesh = stage.body.mesh.clone();
        let (mut turned, mut raised): (f32, f32) = (0.0, 0.0);
        for step in 0..300 {
            stage.simulation.step(&scene.sim);
            let (hair, pose) = (places(&stage.simulation), stage.simulation.pose());
            let shape = stage.simulation.shape().expect("a head that deforms");
            for (strand, (triangle, [u, v], lift)) in plants.iter().enumerate() {
                let [a, b, c] = triangle.map(|v| shape[v as usize]);
                let n = (b - a).cross(c - a).normalize();
                let place = a + (b - a) * *u + (c - a) * *v + n * *lift;
                let start = stage.groom.starts[strand] as usize;
                let off = hair[start].distance(pose.point(place));
                assert!(off < 1e-5, "{} step {step}: {off} m", method.id);
                raised = raised.max(place.distance(stage.groom.strand(strand)[0]));
                // The strand leaves its skin at the same angle as at rest.
                let [ra, rb, rc] = triangle.map(|v| mesh.positions[v as usize]);
                let rest_normal = (rb - ra).cross(rc - ra).normalize();
                let way = pose.rotation.conjugate() * (hair[start + 1] - hair[start]);
                let before = rest[strand].angle_between(rest_normal);
                // Curls of rods bend before their first edge.
                let slack = if scene.sim.step.solver == "pbd" {
                    0.02
                } else {
                    0.6
                };
                assert!(
                    (way.angle_between(n) - before).abs() < slack,
                    "{} step {step}: {} and {before}",
                    method.id,
                    way.angle_between(n)
                );
                turned = turned.max(n.angle_between(rest_normal));
            }
        }
        assert!(turned > 0.15 && raised > 0.006, "{turned} rad, {raised} m");
        let stats = stage.simulation.statistics(&scene.sim);
        assert!(
            stats.max_penetration < 1e-3,
            "{}: {} m deep",
            method.id,
            stats.max_penetration
        );
        assert_eq!(stats.nonfinite, 0, "{}", method.id);
        assert!(
            stats.max_stretch < 0.06,
            "{}: {}",
            method.id,
            stats.max_stretch
        );
    }
}

#[test]
fn frames_are_met_and_the_way_between_them_is_smooth() {
    let folder = bulging(5);
    let file = folder.path().join("head.0002.obj");
    let (head, film) =
        sequence::read(&file, &HeadParams::default(), &|_, _| true).expect("a sequence");
    assert!(film.deforms() && film.frames() == 5);
    let place = |phase: f64, play| {
        let blend = film.blend(phase, play);
        let (rotation, way) = film.stand(&blend);
        let mut shape = vec![Vec3::ZERO; head.mesh.positions.len()];
        film.offsets(&blend, 1.0, &mut shape);
        let places = shape.iter().zip(&head.mesh.positions);
        places
            .map(|(o, p)| (rotation * (*p + *o).as_dvec3() + way).as_vec3())
            .collect::<Vec<_>>()
    };
    for frame in 0..5 {
        let s = frame as f32 / 4.0;
        let s = s * s * (3.0 - 2.0 * s);
        let wanted: Vec<Vec3> = head.mesh.positions.iter().map(|p| bulge(s, *p)).collect();
        for play in [Play::Loop, Play::Hold, Play::PingPong] {
            let off = farthest(&place(frame as f64, play), &wanted);
            assert!(off < 1e-6, "{play:?} frame {frame}: {off} m");
        }
    }
    // It ends elsewhere than it begins: a loop jumps, and nothing else does.
    assert!(film.cuts(4.9, 5.1, Play::Loop) && !film.cuts(3.9, 4.1, Play::Loop));
    assert!(!film.cuts(4.9, 5.1, Play::Hold) && !film.cuts(4.9, 5.1, Play::PingPong));
    // Five frames last five intervals: after the last one comes the first.
    let again = farthest(&place(5.0, Play::Loop), &place(0.0, Play::Loop));
    assert!(again < 1e-7, "after a round: {again} m");
    assert_eq!(film.nearest(4.9, Play::Loop), 4);
    let on = farthest(&place(4.001, Play::Loop), &place(4.0, Play::Loop));
    assert!(
        on < 1e-4,
        "beyond the last frame it goes straight on: {on} m"
    );
    let h = 1e-3;
    for play in [Play::Hold, Play::PingPong] {
        for i in 0..160 {
            let phase = f64::from(i) * 0.05;
            let [a, b, c] = [phase - h, phase, phase + h].map(|t| place(t.max(0.0), play));
            // Speeds on both sides, in metres a frame.
            let jolt = (0..a.len()).map(|v| {
                let (before, after) = ((b[v] - a[v]) / h as f32, (c[v] - b[v]) / h as f32);
                before.distance(after)
            });
            let jolt = jolt.fold(0.0, f32::max);
            assert!(phase == 0.0 || jolt < 2e-3, "{play:?} at {phase}: {jolt}");
        }
    }
    let last = place(100.0, Play::Hold);
    assert_eq!(last, place(4.0, Play::Hold), "it holds");
    let there = farthest(&place(5.0, Play::PingPong), &place(3.0, Play::PingPong));
    assert!(there < 1e-7, "and comes back: {there}");
}

#[test]
fn a_head_without_simulation_has_the_shape_that_it_has_with_one() {
    let folder = bulging(9);
    let file = folder.path().join("head.0001.obj");
    let scene = scene(&file, |sim| sim.torso.mode = TorsoMode::Off);
    let mut built = built_scene::build(&scene).expect("builds");
    let (mesh, footage) = (built.head.mesh.clone(), built.body.footage.clone());
    let alone = HeadMotion::new(&mesh, &scene.sim.motion).playing(footage);
    let mut shape = Vec::new();
    for _ in 0..30 {
        built.simulation.step(&scene.sim);
    }
    alone.write_shape(built.simulation.time(), &mesh, &mut shape);
    let wanted = built.simulation.shape().expect("it deforms");
    assert_eq!(shape.len(), wanted.len());
    assert!(farthest(&shape, &wanted) < 1e-6);
    assert!(farthest(&shape, &mesh.positions) > 0.01, "not as at rest");
    // Nothing deforms a head that keyframes move.
    let mut keys = scene.sim.motion.clone();
    keys.preset = MotionPreset::Keyframes;
    HeadMotion::new(&mesh, &keys)
        .playing(built.body.footage.clone())
        .write_shape(0.5, &mesh, &mut shape);
    assert!(shape.is_empty());
}

#[test]
fn neither_a_loop_that_jumps_nor_a_reset_whips() {
    let folder = bulging(9);
    let file = folder.path().join("head.0009.obj");
    for method in SOLVERS.iter() {
        let scene = scene(&file, |sim| {
            sim.step.solver = method.id.into();
            sim.motion.sequence_play = Play::Loop;
        });
        let mut simulation = built_scene::build(&scene).expect("builds").simulation;
        let mut before = simulation.clone();
        let mut jumped = 0;
        let (mut at, mut hashes) = (0, Vec::new());
        while jumped < 2 {
            let seen = simulation.pose();
            before.clone_from(&simulation);
            simulation.step(&scene.sim);
            at += 1;
            hashes.push(simulation.state_hash());
            let turn = seen.rotation.angle_between(simulation.pose().rotation);
            // A third of a second for half a radian: usually 0.03 in a step.
            if turn < 0.3 {
                continue;
            }
            jumped += 1;
            // The hair came along: it moves as fast as it did, no faster.
            let speed = |s: &Simulation| s.statistics(&scene.sim).kinetic;
            assert!(
                speed(&simulation) < 1.5 * speed(&before) + 1e-5,
                "{}: {} J, then {} J",
                method.id,
                speed(&before),
                speed(&simulation)
            );
        }
        simulation.reset(&scene.sim);
        let again = (0..at).map(|_| {
            simulation.step(&scene.sim);
            simulation.state_hash()
        });
        assert_eq!(again.collect::<Vec<_>>(), hashes, "{}", method.id);
    }
}

#[test]
fn another_motion_lets_the_shape_go_without_a_jolt_and_back() {
    let folder = bulging(5);
    let file = folder.path().join("head.0001.obj");
    // A torso that turns on its own way back is another shape.
    let mut scene = scene(&file, |sim| sim.torso.mode = TorsoMode::Off);
    let mut simulation = built_scene::build(&scene).expect("builds").simulation;
    let mesh = simulation.body().mesh.positions.clone();
    let shape = |s: &Simulation| {
        s.shape()
            .map_or_else(|| mesh.clone(), std::borrow::Cow::into_owned)
    };
    for _ in 0..60 {
        simulation.step(&scene.sim);
    }
    let bent = shape(&simulation);
    assert!(farthest(&bent, &mesh) > 8e-3);
    for preset in [MotionPreset::None, MotionPreset::Sequence] {
        scene.sim.motion.preset = preset;
        let mut before = shape(&simulation);
        for _ in 0..120 {
            simulation.step(&scene.sim);
            let now = shape(&simulation);
            let way = farthest(&before, &now);
            assert!(way < 3e-3, "{preset:?}: {way} m in a step");
            before = now;
        }
        let end = if preset == MotionPreset::None {
            &mesh
        } else {
            &bent
        };
        assert!(farthest(&before, end) < 1e-6, "{preset:?}");
    }
}

/// Roots low in the neck stay with a torso that stands, whether or not the head has frames
/// that it does not play.
#[test]
fn a_sequence_that_does_not_play_leaves_the_neck_alone() {
    let folder = bulging(3);
    let file = folder.path().join("head.0001.obj");
    let roots = |sequence: bool| {
        let mut scene = scene(&file, |sim| sim.motion.preset = MotionPreset::Shake);
        scene.head.file = file.display().to_string();
        if !sequence {
            scene.sim.motion.sequence.clear();
        }
        (scene.roots.reach, scene.roots.limit_angle) = (1.5, 150.0);
        (scene.roots.use_scalp, scene.roots.strands) = (false, 300);
        let mut simulation = built_scene::build(&scene).expect("builds").simulation;
        for _ in 0..37 {
            simulation.step(&scene.sim);
        }
        if sequence {
            // Its first frame is the head at rest: roots that the torso has moved come back.
            let mut played = simulation.clone();
            let mut playing = scene.clone();
            playing.sim.motion.preset = MotionPreset::Sequence;
            played.reset(&playing.sim);
            let fresh = built_scene::build(&playing).expect("builds").simulation;
            let apart = farthest(&places(&played), &places(&fresh));
            assert!(apart < 1e-6, "{apart} m from a scene that is opened");
        }
        let (now, pose) = (places(&simulation), simulation.pose());
        let groom = simulation.groom().clone();
        let root = |strand: usize| pose.inverse_point(now[groom.range(strand).start]);
        let roots: Vec<Vec3> = (0..groom.strands()).map(root).collect();
        let rest: Vec<Vec3> = (0..groom.strands()).map(|s| groom.strand(s)[0]).collect();
        (roots, rest)
    };
    let ((with, _), (without, rest)) = (roots(true), roots(false));
    assert!(farthest(&without, &rest) > 2e-3, "no root is in the neck");
    let apart = farthest(&with, &without);
    assert!(apart < 1e-6, "{apart} m apart");
}

/// Hair of two vertices does nothing but go with the skin.
#[test]
fn stubble_goes_with_the_skin_by_every_method() {
    let folder = bulging(5);
    let file = folder.path().join("head.0001.obj");
    let scene = scene(&file, |_| {});
    let stage = built_scene::build(&scene).expect("builds");
    let strands = stage.groom.strands();
    let two = |strand: usize| stage.groom.strand(strand)[..2].to_vec();
    let stubble = Groom {
        points: (0..strands).flat_map(two).collect(),
        starts: (0..=strands as u32).map(|strand| 2 * strand).collect(),
        masses: vec![1.0; strands],
        ..Groom::default()
    };
    for solver in SOLVERS.iter() {
        let mut sim = scene.sim.clone();
        sim.step.solver = solver.id.into();
        let mut hair = Simulation::new(stage.groom.clone(), stage.body.clone(), &sim);
        let mut short = Simulation::new(stubble.clone().into(), stage.body.clone(), &sim);
        assert!(
            short.bytes() > 100 * stage.body.mesh.triangles.len(),
            "the skin is copied"
        );
        for _ in 0..60 {
            hair.step(&sim);
            short.step(&sim);
        }
        let (hair, short) = (places(&hair), places(&short));
        for strand in 0..strands {
            let long = stage.groom.range(strand).start;
            let apart = hair[long].distance(short[2 * strand]);
            assert!(apart < 1e-5, "{}: {apart} m apart", solver.id);
        }
    }
}

#[test]
fn the_bits_do_not_depend_on_the_threads() {
    let folder = bulging(5);
    let file = folder.path().join("head.0001.obj");
    for method in SOLVERS.iter() {
        let scene = scene(&file, |sim| sim.step.solver = method.id.into());
        let hash = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("threads").install(|| {
                let mut simulation = built_scene::build(&scene).expect("builds").simulation;
                for _ in 0..30 {
                    simulation.step(&scene.sim);
                }
                simulation.state_hash()
            })
        };
        assert_eq!(hash(1), hash(3), "{}", method.id);
    }
}

/// What is said of the sequence that `file` is one of.
fn refused(file: &Path) -> String {
    let read: Result<(_, MeshSequence), _> =
        sequence::read(file, &HeadParams::default(), &|_, _| true);
    read.expect_err("refused").to_string()
}

#[test]
fn what_is_wrong_with_a_sequence_is_said_in_one_sentence() {
    let name = |i: usize| format!("face_{:06}.obj", i + 10);
    let folder = write(5, name, |i, p| p + Vec3::X * (0.01 * i as f32));
    let path = |i: usize| folder.path().join(name(i));
    let said = |message: String, parts: &[&str]| {
        assert!(!message.contains('\n'), "{message}");
        for part in parts {
            assert!(message.contains(part), "{message} lacks {part}");
        }
    };
    // A file of the same name with fewer zeroes is no other frame.
    std::fs::write(folder.path().join("face_11.obj"), "nonsense").expect("written");
    sequence::read(&path(3), &HeadParams::default(), &|_, _| true).expect("it is a sequence");
    // Two frames are wrong: the first one is told of.
    std::fs::write(path(3), moved(|p| p) + "f 1 2 5\n").expect("written");
    std::fs::write(path(4), "v 0 0 0\n").expect("written");
    said(
        refused(&path(0)),
        &["face_000013.obj", "faces", "face_000010.obj"],
    );
    let mut other = moved(|p| p);
    let face = other.rfind("\nf ").expect("a face");
    let line = 2 + other[..face].matches('\n').count();
    other.replace_range(face.., "\nf 1 2 5\n");
    std::fs::write(path(3), other).expect("written");
    said(
        refused(&path(0)),
        &["face_000013.obj", &format!("line {line} ")],
    );
    std::fs::write(path(3), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    said(
        refused(&path(0)),
        &["face_000013.obj", "3 vertices", "8742"],
    );
    for bad in ["nan", "inf", "1e99", "x", ""] {
        let text = moved(|p| p).replacen("\nv ", &format!("\nv {bad} "), 1);
        let text = if bad.is_empty() {
            moved(|p| p).replacen("\nv ", "\nv 1\nv ", 1)
        } else {
            text
        };
        std::fs::write(path(3), text).expect("written");
        said(refused(&path(0)), &["face_000013.obj, line "]);
    }
    std::fs::remove_file(path(3)).expect("removed");
    std::fs::remove_file(path(2)).expect("removed");
    said(
        refused(&path(4)),
        &["frame 12 is missing", "face_000012.obj"],
    );
    std::fs::remove_file(path(4)).expect("removed");
    std::fs::remove_file(path(1)).expect("removed");
    std::fs::remove_file(folder.path().join("face_11.obj")).expect("removed");
    said(refused(&path(0)), &["face_000010.obj", "only frame"]);
    said(refused(&path(7)), &["face_000017.obj", "no such file"]);
    said(
        refused(&folder.path().join("face.obj")),
        &["face.obj", "number"],
    );
    said(refused(Path::new("no folder/face.1.obj")), &["face.1.obj"]);
}

/// A head in USD whose points move as `points` says.
fn layer(points: &str, corners: &str) -> String {
    format!(
        "#usda 1.0\ndef Mesh \"a\" {{\nint[] faceVertexCounts = [3, 3]\n\
         int[] faceVertexIndices = [{corners}]\n{points}\n}}\n"
    )
}

#[test]
fn what_is_wrong_with_a_file_of_poses_is_said_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let square = "(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)";
    let still = format!("point3f[] points = [{square}]");
    let grown = format!(
        "point3f[] points.timeSamples = {{ 1: [{square}], 2: [{square}], 3: [{square}, (0, 0, 1)] }}"
    );
    let corners = "0, 1, 2, 0, 2, 3";
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    for (name, text, wanted) in [
        (
            "still.usda",
            layer(&still, corners),
            "still.usda holds one pose",
        ),
        (
            "broken.usda",
            layer("point3f[] points = [(0,", corners),
            "broken.usda, line ",
        ),
        (
            "grown.usda",
            layer(&grown, corners),
            "grown.usda, frame 3: it has 5 vertices and not 4",
        ),
    ] {
        let said = refused(&write(name, text));
        assert!(said.contains(wanted) && !said.contains('\n'), "{said}");
    }
    let first = write("a.1.usda", layer(&still, corners));
    write("a.2.usda", layer(&still, "0, 1, 2, 0, 3, 2"));
    let said = refused(&first);
    assert!(
        said.contains("a.2.usda: face 2 joins other vertices"),
        "{said}"
    );
}

#[test]
fn a_bad_sequence_leaves_the_running_hair_alone() {
    let folder = bulging(3);
    let file = folder.path().join("head.0001.obj");
    let good = scene(&file, |_| ());
    let worker = SimHandle::spawn(good.clone(), Some(1), || ()).expect("a thread");
    let wait = |what: &str, look: &mut dyn FnMut(SimEvent) -> bool| {
        let begun = Instant::now();
        loop {
            if worker.report().is_some_and(&mut *look) {
                return;
            }
            assert!(begun.elapsed().as_secs() < 60, "waited in vain for {what}");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    };
    let mut read = Vec::new();
    wait("hair", &mut |report| {
        if let SimEvent::Reading(done, all) = report {
            read.push((done, all));
        }
        matches!(report, SimEvent::Built(_))
    });
    assert_eq!(read.first(), Some(&(0, 3)));
    assert_eq!(read.iter().max(), Some(&(3, 3)), "{read:?}");
    std::fs::remove_file(folder.path().join("head.0002.obj")).expect("removed");
    let mut bad = good.clone();
    bad.sim.motion.sequence = folder.path().join("head.0003.obj").display().to_string();
    worker.order(SimCommand::Scene(Box::new(bad)));
    let mut said = String::new();
    wait("a complaint", &mut |report| match report {
        SimEvent::Failed { message, scene } => {
            said = message;
            scene.is_some()
        }
        _ => false,
    });
    assert!(said.contains("frame 2 is missing"), "{said}");
    let mut worker = worker;
    let then = worker.latest().time;
    let begun = Instant::now();
    while worker.latest().time <= then || worker.latest().shape.is_empty() {
        assert!(begun.elapsed().as_secs() < 60, "the old hair stands still");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}
