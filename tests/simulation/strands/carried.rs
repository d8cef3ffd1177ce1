//! Hair of one head on another.

use super::input;
use glam::{Quat, Vec3};
use lovelock::{
    groom::{
        Followers, ImportParams, bind,
        carry::{Carried, carry},
        import::Found,
    },
    io::strands::Strands,
    math::Pose,
    mesh::{
        CollisionMesh, HeadParams, LoadedHead, RootParams, Units, Up, load, root_at, roots,
        sequence,
    },
    project::{built_scene::build, export::Exporter, scene::Scene},
};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

/// A head as its parameters say, ready for hair.
struct Head {
    params: HeadParams,
    loaded: LoadedHead,
    body: CollisionMesh,
}

fn head(file: &str) -> Head {
    let params = HeadParams {
        file: file.into(),
        ..HeadParams::default()
    };
    let loaded = load(&params).expect("a head");
    let body = CollisionMesh::new(loaded.mesh.clone(), 0.006);
    Head {
        params,
        loaded,
        body,
    }
}

/// The built-in head with each vertex elsewhere, its faces as they are.
fn bent(folder: &Path, place: impl Fn(Vec3) -> Vec3) -> PathBuf {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.obj");
    let text = std::fs::read_to_string(built_in).expect("the built-in head");
    let mut out = String::new();
    for line in text.lines() {
        let Some(numbers) = line.strip_prefix("v ") else {
            let _ = writeln!(out, "{line}");
            continue;
        };
        let mut numbers = numbers.split_ascii_whitespace().map(|w| w.parse::<f32>());
        let mut next = || numbers.next().expect("three").expect("a number");
        let p = place(Vec3::new(next(), next(), next()));
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    let path = folder.join("bent.obj");
    std::fs::write(&path, out).expect("writes");
    path
}

/// Strands that leave the skin and fall along it.
fn fallen(head: &Head, count: u32) -> Strands {
    let params = RootParams {
        strands: count,
        ..RootParams::default()
    };
    let mut out = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for root in roots(&head.body.mesh, &params).expect("roots") {
        let mut at = root.position;
        let mut way = root.normal;
        for k in 0..20 {
            out.points.push(at);
            way = (way + Vec3::NEG_Y * 0.25).normalize();
            at += way * 0.008;
            let skin = head.body.surface.closest(at, 0.1).expect("near");
            // A few vertices of each strand lie a little below the skin.
            let least = if k % 7 == 6 { -0.0005 } else { 0.002 };
            if skin.distance < least {
                at += skin.normal * (least - skin.distance);
            }
        }
        out.starts.push(out.points.len() as u32);
    }
    out
}

fn carried(hair: &Strands, from: &Head, to: &Head) -> (Carried, Option<Vec<Vec3>>) {
    let twin = sequence::twin((&from.loaded, &from.params), (&to.loaded, &to.params));
    let params = ImportParams {
        units: Units::Metres,
        up: Up::Y,
        ..ImportParams::default()
    };
    let loose = Found::new();
    let loose = hair.loose(&loose);
    let carried = carry(&loose, &params, &from.body, &to.body, twin.as_deref());
    println!("{}", carried.report.summary);
    (carried, twin)
}

/// By how much the deepest vertex lies deeper in `to` than it did in `from`. `[m]`
fn deeper(hair: &Strands, carried: &Carried, from: &Head, to: &Head) -> f32 {
    let depth = |head: &Head, p: &Vec3| head.body.surface.signed_distance(*p).min(0.0);
    let both = hair.points.iter().zip(&carried.points);
    both.map(|(was, is)| carried.report.scale * depth(from, was) - depth(to, is))
        .fold(0.0, f32::max)
}

fn lengths(starts: &[u32], points: &[Vec3]) -> Vec<f32> {
    let strand = |p: &[u32]| &points[p[0] as usize..p[1] as usize];
    let length = |p: &[Vec3]| p.windows(2).map(|e| e[0].distance(e[1])).sum();
    starts.windows(2).map(|p| length(strand(p))).collect()
}

#[test]
fn a_root_keeps_its_triangle_and_its_place_there_on_a_stretched_head() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = head("");
    let path = bent(folder.path(), |p| {
        let bulge = 1.0 + 0.06 * (20.0 * p.y).sin() * (15.0 * p.z).cos();
        Vec3::new(1.15 * p.x * bulge, 1.05 * p.y, 0.97 * p.z * bulge)
    });
    let to = head(&path.display().to_string());
    assert_eq!(to.loaded.report.units, Units::Metres);
    let hair = fallen(&from, 400);
    let (carried, twin) = carried(&hair, &from, &to);
    let twin = twin.expect("the same faces");
    assert!(carried.report.same_faces);
    for (i, strand) in hair.iter().enumerate() {
        let skin = from.body.surface.closest(strand[0], 0.1).expect("near");
        let root = root_at(&from.body.mesh, skin.triangle, skin.point);
        let [a, b, c] = from.body.mesh.triangles[root.triangle as usize].map(|v| twin[v as usize]);
        let [u, v] = root.uv;
        let wanted = a + (b - a) * u + (c - a) * v;
        let found = carried.points[hair.starts[i] as usize];
        assert!(found.distance(wanted) < 2e-6, "{i}: {found} {wanted}");
    }
    let scale = carried.report.scale;
    assert!((1.0..1.15).contains(&scale), "{scale}");
    let [were, are] = [&hair.points, &carried.points].map(|p| lengths(&hair.starts, p));
    let odd = were
        .iter()
        .zip(&are)
        .map(|(a, b)| (b / (a * scale) - 1.0).abs());
    let mut odd: Vec<f32> = odd.collect();
    odd.sort_by(f32::total_cmp);
    println!(
        "lengths off by {} at the median, {} at most",
        odd[200], odd[399]
    );
    assert!(
        odd[200] < 0.02 && odd[399] < 0.25,
        "{} {}",
        odd[200],
        odd[399]
    );
    let deeper = deeper(&hair, &carried, &from, &to);
    assert!(deeper < 1e-4, "{deeper}");
}

#[test]
fn hair_turns_with_a_head_that_is_turned_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let turn = Quat::from_rotation_x(0.5) * Quat::from_rotation_y(0.3);
    let place = |p: Vec3| turn * p * 1.2 + Vec3::new(0.1, 0.05, -0.2);
    let from = head("");
    let path = bent(folder.path(), place);
    let mut to = head("");
    to.params.file = path.display().to_string();
    to.params.units = Units::Metres;
    to.params.up = Up::Y;
    to.loaded = load(&to.params).expect("a head");
    to.body = CollisionMesh::new(to.loaded.mesh.clone(), 0.006);
    let hair = fallen(&from, 100);
    let (carried, _) = carried(&hair, &from, &to);
    assert!((carried.report.scale - 1.2).abs() < 1e-3);
    for (was, is) in hair.points.iter().zip(&carried.points) {
        assert!(is.distance(place(*was)) < 2e-4, "{is} {}", place(*was));
    }
}

#[test]
fn heads_with_other_faces_get_hair_on_their_skin_and_tell_how_far_it_was() {
    let from = head("");
    let hair = fallen(&from, 300);
    for name in [
        "digitalsalon_wig_head.obj",
        "digitalsalon_female_head.obj",
        "ict_generic_neutral.obj",
    ] {
        let Some(path) = input(&format!("heads/{name}")) else {
            return;
        };
        let to = head(&path.display().to_string());
        println!("{name}");
        let (carried, twin) = carried(&hair, &from, &to);
        let report = &carried.report;
        assert!(twin.is_none() && !report.same_faces);
        assert!(
            (0.5..2.0).contains(&report.scale),
            "{name}: {}",
            report.summary
        );
        assert!(report.mean_distance < 0.012, "{name}: {}", report.summary);
        for start in &hair.starts[..300] {
            let root = carried.points[*start as usize];
            let apart = to.body.surface.signed_distance(root).abs();
            assert!(apart < 1e-5, "{name}: {apart}");
        }
        let deeper = deeper(&hair, &carried, &from, &to);
        assert!(deeper < 1e-3, "{name}: {deeper}");
    }
}

#[test]
fn a_scene_says_which_head_its_hair_was_made_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = bent(folder.path(), |p| p * Vec3::new(1.1, 1.0, 1.05));
    let from = head("");
    let mut hair = fallen(&from, 60);
    // In centimetres, with widths.
    hair.points.iter_mut().for_each(|p| *p *= 100.0);
    hair.widths = vec![0.01; hair.points.len()];
    let file = folder.path().join("hair.ply");
    std::fs::write(&file, super::content("ply", &hair)).expect("writes");
    let mut scene = Scene::default();
    scene.head.file = path.display().to_string();
    scene.import.head = "built-in".into();
    scene.import.file = file.display().to_string();
    let stage = build(&scene).expect("builds");
    let carried = stage.carried.as_ref().expect("carried");
    assert!(carried.same_faces, "{}", carried.summary);
    let exporter = Exporter::new(
        &stage.groom,
        stage.origin.clone(),
        &stage.body,
        Followers::default(),
        0.01,
        &|| true,
    );
    let out = exporter.strands(
        &stage.groom,
        &stage.groom.points,
        &Pose::IDENTITY,
        &scene,
        &|| true,
    );
    assert_eq!(out.starts, hair.starts, "order and counts");
    assert!(out.widths.iter().all(|w| (w - 0.01).abs() < 1e-6));
    for (i, start) in hair.starts[..60].iter().enumerate() {
        let (was, is) = (hair.points[*start as usize], out.points[*start as usize]);
        let wanted = was * Vec3::new(1.1, 1.0, 1.05);
        assert!(is.distance(wanted) < 2e-3, "{i}: {is} {wanted}");
    }
    // Bound as it is, without another head's word.
    let loose = Found::new();
    let bound = bind::bind(&hair.loose(&loose), &ImportParams::default(), &from.body);
    assert!(bound.expect("binds").report.warnings.is_empty());
    // Grown hair goes the same way, and a scene keeps the name.
    scene.import.file.clear();
    scene.roots.strands = 60;
    let grown = build(&scene).expect("builds");
    assert_eq!(grown.groom.strands(), 60);
    for i in 0..60 {
        let root = grown.groom.strand(i)[0];
        assert!(grown.body.surface.signed_distance(root).abs() < 1e-5);
    }
    let saved = folder.path().join("scene.toml");
    scene.write(&saved).expect("writes");
    let mut again = Scene::default();
    again.read(&saved).expect("reads");
    assert_eq!(again.import.head, "built-in");
}
