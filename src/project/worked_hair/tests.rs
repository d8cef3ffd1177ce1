//! Hand work on other hair.

use super::*;
use crate::{
    groom::edit::{self, EditedCurve, Edits},
    project::{
        built_scene::{BuiltScene, build},
        document::take_head,
        rebind::rebind,
    },
    sim::hand::Pin,
};
use glam::{Quat, Vec3};
use std::{fs, path::PathBuf};

/// The head that comes with the program, with its vertices moved.
fn moved_head(folder: &tempfile::TempDir, name: &str, moved: impl Fn(Vec3) -> Vec3) -> PathBuf {
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    let text = fs::read_to_string(built_in).expect("reads");
    let line = |line: &str| {
        let numbers = line.strip_prefix("v ").map(|rest| {
            let numbers = rest.split_whitespace().map(|word| word.parse::<f32>());
            let numbers: Vec<f32> = numbers.collect::<Result<_, _>>().expect("numbers");
            moved(Vec3::from_slice(&numbers))
        });
        numbers.map_or_else(
            || line.to_string(),
            |p| format!("v {} {} {}", p.x, p.y, p.z),
        )
    };
    let lines: Vec<String> = text
        .lines()
        // Normals are worked out anew.
        .filter(|line| !line.starts_with("vn "))
        .map(line)
        .collect();
    let path = folder.path().join(name);
    fs::write(&path, lines.join("\n") + "\n").expect("written");
    path
}

fn small() -> Scene {
    let mut scene = Scene::default();
    scene.roots.strands = 300;
    scene.groom.vertices = 24;
    scene
}

fn hair(scene: &Scene, built: &BuiltScene) -> WorkedHair {
    let file = built.bound.as_ref().map(|bound| &bound.file);
    WorkedHair::new(scene, &built.head, &built.body, &built.groom, file)
}

/// Hair of which that on the head's left is cut to a half, and that above its brows turned
/// forward.
fn work(built: &BuiltScene) -> Handwork {
    let groom = &built.groom;
    let turn = Quat::from_rotation_x(-0.7);
    let edit = |strand: usize| {
        let grown = groom.strand(strand);
        let root = grown[0];
        let mut curve = grown.to_vec();
        if root.x > 0.0 {
            curve = edit::cut(grown, 0.5 * edit::length(grown)).expect("is shorter");
        }
        if root.z > 0.03 {
            let (pivot, rest) = (curve[1], &mut curve[2..]);
            rest.iter_mut()
                .for_each(|p| *p = pivot + turn * (*p - pivot));
        }
        let edit = EditedCurve::of(curve, groom, strand);
        (root.x > 0.0 || root.z > 0.03).then(|| (groom.numbers.number(strand), edit))
    };
    let pin = Pin {
        number: groom.numbers.number(7),
        vertex: 12,
        vertices: Some(24),
        place: groom.strand(7)[12],
    };
    Handwork {
        edits: Edits::default().with((0..groom.strands()).filter_map(edit)),
        pins: [pin].into(),
    }
}

/// Share that is left of each strand that was worked on, and the angle by which it is turned
/// as a whole; by the number of the strand. `[rad]`
fn done(work: &Handwork, built: &BuiltScene) -> Vec<(usize, f32, f32)> {
    let curves = work.curves(&built.groom, &built.body.grid);
    assert_eq!(curves.len(), work.edits.len(), "all of it fits");
    let mut done: Vec<(usize, f32, f32)> = (curves.iter())
        .map(|(strand, curve)| {
            let grown = built.groom.strand(*strand);
            let share = edit::length(curve) / edit::length(grown);
            let left = edit::first(grown, share);
            let chord = |curve: &[Vec3]| curve[curve.len() - 1] - curve[1];
            let angle = chord(curve).angle_between(chord(&left));
            (built.groom.numbers.number(*strand), share, angle)
        })
        .collect();
    done.sort_by_key(|(number, ..)| *number);
    done
}

#[test]
fn work_on_carried_hair_is_on_the_same_strands_of_the_other_head() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = small();
    let built = build(&scene).expect("builds");
    let work = work(&built);
    // Another head's faces are others; these are the same.
    let wide = |p: Vec3| p * Vec3::new(1.15, 1.05, 1.1) + Vec3::new(0.02, 0.0, 0.01);
    let path = moved_head(&folder, "wide.obj", wide);
    let mut other = scene.clone();
    rebind(&mut other, &path);
    assert!(can_carry(&scene, &other));
    let there = build(&other).expect("builds");
    let (from, to) = (hair(&scene, &built), hair(&other, &there));
    let carried = from.carried(&work, &to);
    assert!(carried.fits(&there.groom).is_ok());
    let (before, after) = (done(&work, &built), done(&carried, &there));
    assert_eq!(before.len(), after.len());
    for ((number, share, angle), (again, its_share, its_angle)) in before.iter().zip(&after) {
        assert_eq!(number, again);
        assert!(
            (share - its_share).abs() < 0.02,
            "{number}: {its_share} for {share}"
        );
        // Hair that lies on the skin is turned less far where that is in its way.
        let less = *angle > 0.1 && *its_angle < *angle;
        assert!(
            less || (angle - its_angle).abs() < 0.12,
            "{number}: {its_angle} for {angle}"
        );
    }
    let [pin] = &carried.pins[..] else {
        panic!("one pin")
    };
    let strand = there.groom.strand_numbered(pin.number).expect("its strand");
    let off = pin.place.distance(there.groom.strand(strand)[12]);
    assert!(off < 0.01, "{off} m from where the strand lies");
    // And from there back: it grows there as it did.
    let home = from.carried(&work, &from);
    assert!(home.edits.unlike(&work.edits).is_empty());
}

#[test]
fn work_is_at_the_same_places_of_hair_that_grows_anew_on_another_head() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = small();
    let built = build(&scene).expect("builds");
    let work = work(&built);
    let worked = |work: &Handwork, built: &BuiltScene| {
        let groom = &built.groom;
        let mut side = [[0.0f32; 2]; 2];
        for strand in 0..groom.strands() {
            let root = groom.strand(strand)[0];
            let curve = work.edits.curve(groom, strand, &built.body.grid);
            let grown = edit::length(groom.strand(strand));
            let left = curve.map_or(grown, |curve| edit::length(&curve));
            let [min, max] = built.body.mesh.bounds();
            let right = root.x > 0.5 * (min.x + max.x);
            let sum = &mut side[usize::from(right)];
            *sum = [sum[0] + left, sum[1] + grown];
        }
        side.map(|[left, grown]| left / grown)
    };
    assert_eq!(
        worked(&work, &built)[0],
        1.0,
        "the other side is as long as it was"
    );
    let stretched = |p: Vec3| p * Vec3::new(1.1, 1.05, 1.1) + Vec3::new(0.0, 0.02, 0.01);
    let path = moved_head(&folder, "stretched.obj", stretched);
    // The same head, whose faces are cut in another way.
    let text = fs::read_to_string(&path).expect("reads");
    let turned: Vec<String> = text
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(rest) => {
                let mut words: Vec<&str> = rest.split_whitespace().collect();
                words.rotate_left(1);
                format!("f {}", words.join(" "))
            }
            None => line.to_string(),
        })
        .collect();
    let cut = folder.path().join("cut.obj");
    fs::write(&cut, turned.join("\n") + "\n").expect("written");
    for path in [path, cut] {
        let mut other = scene.clone();
        take_head(&mut other, path.display().to_string());
        let there = build(&other).expect("builds");
        let carried = hair(&scene, &built).carried(&work, &hair(&other, &there));
        assert!(carried.fits(&there.groom).is_ok());
        let count = |work: &Handwork| work.edits.len() as f32;
        let ratio = count(&carried) / count(&work);
        assert!((0.9..1.1).contains(&ratio), "{ratio} times as many strands");
        let [left, right] = worked(&carried, &there);
        assert!(left > 0.97, "{left} of the uncut side is left");
        assert!(
            (0.45..0.65).contains(&right),
            "{right} of the cut side is left"
        );
        assert_eq!(carried.pins.len(), 1);
        // No strand goes deeper into the head than it grows there.
        let grid = &there.body.grid;
        for (strand, curve) in carried.curves(&there.groom, grid) {
            let deepest =
                |points: &[Vec3]| points.iter().map(|p| grid.sample(*p)).fold(1.0, f32::min);
            let [now, grown] = [&curve[2..], &there.groom.strand(strand)[2..]].map(deepest);
            assert!(now > grown.min(0.0) - 2e-3, "{now} m for {grown}");
        }
    }
}

#[test]
fn work_on_hair_of_a_file_goes_along_when_that_is_turned_and_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let grown = build(&small()).expect("builds");
    let (mut points, mut lines) = (String::new(), String::new());
    for strand in 0..grown.groom.strands() {
        let range = grown.groom.range(strand);
        for p in &grown.groom.points[range.clone()] {
            points += &format!("v {} {} {}\n", p.x, p.y, p.z);
        }
        let numbers: Vec<String> = range.map(|i| (i + 1).to_string()).collect();
        lines += &format!("l {}\n", numbers.join(" "));
    }
    let path = folder.path().join("hair.obj");
    fs::write(&path, points + &lines).expect("written");
    let mut scene = small();
    scene.import.file = path.display().to_string();
    let built = build(&scene).expect("builds");
    let work = work(&built);
    for turn in [0.0, 20.0, 180.0] {
        let mut other = scene.clone();
        other.import.turn = turn;
        other.groom.stiffness_spread = 0.3;
        let there = build(&other).expect("builds");
        let carried = hair(&scene, &built).carried(&work, &hair(&other, &there));
        assert!(carried.fits(&there.groom).is_ok());
        assert_eq!(carried.edits.len(), work.edits.len());
        let sum = |work: &Handwork, built: &BuiltScene| {
            let done = done(work, built);
            let n = done.len() as f32;
            [
                done.iter().map(|(_, share, _)| share).sum::<f32>() / n,
                done.iter().map(|(.., angle)| angle).sum::<f32>() / n,
            ]
        };
        let ([share, angle], [its_share, its_angle]) = (sum(&work, &built), sum(&carried, &there));
        assert!(
            (share - its_share).abs() < 0.02,
            "{turn}°: {its_share} for {share}"
        );
        assert!(
            (angle - its_angle).abs() < 0.1,
            "{turn}°: {its_angle} for {angle}"
        );
    }
}
