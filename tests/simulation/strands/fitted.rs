//! Strands of a file on a head.

use super::input;
use glam::Vec3;
use lovelock::{
    groom::{ImportParams, bind, import::Found},
    io::strands::{self, Strands},
    math::random,
    mesh::{CollisionMesh, HeadParams, Up, load, obj},
};
use std::path::Path;

fn bound(strands: &Strands, params: &ImportParams, body: &CollisionMesh) -> bind::Bound {
    bind::bind(&strands.loose(&Found::new()), params, body).expect("binds")
}

#[test]
fn a_groom_comes_back_to_its_head_whatever_its_unit_and_axis() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let mut grown = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for (i, root) in common_roots(&body, 300).into_iter().enumerate() {
        let tip = Vec3::new(0.03, 0.1, 0.02);
        let count = 3 + i % 5;
        let points = (0..count).map(|k| root + tip * k as f32 / (count - 1) as f32);
        grown.points.extend(points);
        grown.starts.push(grown.points.len() as u32);
    }
    for (scale, turned) in [(1.0, false), (100.0, false), (1000.0, true), (10.0, true)] {
        let mut file = grown.clone();
        for p in &mut file.points {
            *p *= scale;
            if turned {
                *p = Vec3::new(p.x, -p.z, p.y);
            }
        }
        let bound = bound(&file, &ImportParams::default(), &body);
        assert_eq!(bound.groom.strands(), 300);
        let report = &bound.report;
        assert!(report.largest_distance < 1e-5, "{}", report.summary);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let total: f32 = (0..300).map(|i| bound.groom.strand(i)[0].y).sum();
        let wanted: f32 = grown.iter().map(|strand| strand[0].y).sum();
        assert!((total / wanted - 1.0).abs() < 1e-4, "{total} {wanted}");
    }
    // Guides are some of them, and the others follow.
    let params = ImportParams {
        guides: 100,
        ..ImportParams::default()
    };
    let few = bound(&grown, &params, &body);
    let following = &few.report.file.following;
    assert_eq!((few.groom.strands(), following.strands()), (100, 200));
    // Off the head it is said, with what would help.
    let mut off = grown.clone();
    off.points
        .iter_mut()
        .for_each(|p| *p += Vec3::new(0.0, 0.3, 0.1));
    let params = ImportParams {
        units: lovelock::mesh::Units::Metres,
        up: Up::Y,
        ..ImportParams::default()
    };
    let report = bound(&off, &params, &body).report;
    assert!(
        report.warnings[0].contains("does not fit this head"),
        "{report:?}"
    );
    let params = report.better.expect("an offer").apply(&params);
    let better = bound(&off, &params, &body).report;
    assert!(
        better.mean_distance < 0.5 * report.mean_distance,
        "{better:?}"
    );
}

/// Points on the upper head.
fn common_roots(body: &CollisionMesh, count: u32) -> Vec<Vec3> {
    let params = lovelock::mesh::RootParams {
        strands: count,
        ..lovelock::mesh::RootParams::default()
    };
    let roots = lovelock::mesh::roots(&body.mesh, &params).expect("roots");
    roots.into_iter().map(|root| root.position).collect()
}

#[test]
fn odd_strands_are_dropped_or_made_coarser_with_a_count() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let root = common_roots(&body, 1)[0];
    let mut file = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    let mut add = |points: Vec<Vec3>| {
        file.points.extend(points);
        file.starts.push(file.points.len() as u32);
    };
    add(vec![root]);
    add(vec![]);
    add(vec![root; 9]);
    add((0..1000)
        .map(|i| root + Vec3::Y * (i as f32 * 1e-4))
        .collect());
    add(vec![
        root,
        root,
        root + Vec3::Y * 0.05,
        root + Vec3::Y * 0.05,
        root + Vec3::Y * 0.1,
    ]);
    let bound = bound(&file, &ImportParams::default(), &body);
    let report = &bound.report;
    assert_eq!((report.dropped, report.resampled), (3, 1));
    assert_eq!(report.warnings.len(), 2, "{:?}", report.warnings);
    let mut counts: Vec<usize> = (0..2).map(|i| bound.groom.strand(i).len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [3, 512]);
    for i in 0..2 {
        let strand = bound.groom.strand(i);
        assert!(
            strand
                .windows(2)
                .all(|edge| edge[0].distance(edge[1]) > 1e-5)
        );
    }
}

#[test]
fn a_matched_pair_lands_on_its_head() {
    let (Some(head), Some(hair)) = (
        input("heads/digitalsalon_female_head.obj"),
        input("hair/harolongo.data"),
    ) else {
        return;
    };
    let params = HeadParams {
        file: head.display().to_string(),
        ..HeadParams::default()
    };
    let head = load(&params).expect("the head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let (_, strands) = strands::read(&hair).expect("the hair");
    let bound = bound(&strands, &ImportParams::default(), &body);
    let report = bound.report;
    assert_eq!(bound.groom.strands(), 7905);
    assert!(report.mean_distance < 0.006, "{}", report.summary);
    assert!(report.largest_distance < 0.012, "{}", report.summary);
    assert!(
        report.summary.contains("the unit is cm, y is up"),
        "{}",
        report.summary
    );
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

/// Points of a file with another axis up, turned, larger and elsewhere.
fn astray(points: &mut [Vec3], way: usize) {
    for p in points {
        *p = match way {
            0 => *p * 14.0 + Vec3::new(3.0, -9.0, 1.0),
            1 => Vec3::new(p.x, -p.z, p.y) * 370.0,
            2 => Vec3::new(p.y, p.z, p.x) * 0.8 + 5.0,
            3 => Vec3::new(-p.x, p.y, -p.z) * 250.0,
            _ => Vec3::new(p.z, p.x, p.y) * 2.0 - 1.0,
        };
    }
}

/// Which way up and round each of them is brought back.
const WAYS: [(Up, f32); 5] = [
    (Up::Y, 0.0),
    (Up::Z, 0.0),
    (Up::X, 0.0),
    (Up::Y, 180.0),
    (Up::Z, -90.0),
];

#[test]
fn hair_that_lies_astray_is_fitted_to_the_head_again() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let mut grown = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for root in common_roots(&body, 300) {
        let out = body.surface.closest(root, f32::MAX).expect("skin").normal;
        let points = (0..5).map(|k| {
            let along = 0.03 * k as f32;
            root + out * along.min(0.05) - Vec3::Y * (along - 0.05).max(0.0)
        });
        grown.points.extend(points);
        grown.starts.push(grown.points.len() as u32);
    }
    for (way, wanted) in WAYS.into_iter().enumerate() {
        let mut file = grown.clone();
        astray(&mut file.points, way);
        let params = ImportParams::default();
        let report = bound(&file, &params, &body).report;
        let better = report.better.expect("an offer");
        assert_eq!((better.up, better.turn), wanted, "{way}: {better}");
        assert!(
            report
                .warnings
                .last()
                .expect("said")
                .contains("or fit it: import.units")
        );
        let fitted = bound(&file, &better.apply(&params), &body);
        let report = fitted.report;
        assert!(report.mean_distance < 0.004, "{way}: {}", report.summary);
        // Some hang into the shoulders, as they did before.
        let told = report.warnings.iter();
        let told = told.filter(|text| !text.contains("below the skin")).count();
        assert_eq!((&report.better, told), (&None, 0), "{way}");
        let middle = |roots: Vec<Vec3>| roots.iter().sum::<Vec3>() / roots.len() as f32;
        let back = middle((0..300).map(|i| fitted.groom.strand(i)[0]).collect());
        let there = middle(grown.iter().map(|strand| strand[0]).collect());
        assert!(back.distance(there) < 0.012, "{way}: {back} {there}");
    }
}

#[test]
fn no_offer_brings_roots_farther_from_the_skin() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let mut offers = 0;
    for case in 0..10u64 {
        let draw = |k: u64| random::uniform(0xf17, 8 * case + k);
        // Some of a head's hair, a little off, too large or too small.
        let few = 40 + (200.0 * draw(0)) as u32;
        let size = (1.2 * (draw(1) - 0.5)).exp();
        let away = 0.06 * Vec3::new(draw(2) - 0.5, draw(3) - 0.5, draw(4) - 0.5);
        let mut file = Strands {
            starts: vec![0],
            ..Strands::default()
        };
        for root in common_roots(&body, few) {
            if root.x > 0.05 * (draw(5) - 0.5) {
                continue;
            }
            let points = (0..4).map(|k| (root + Vec3::NEG_Y * (0.02 * k as f32)) * size + away);
            file.points.extend(points);
            file.starts.push(file.points.len() as u32);
        }
        let params = ImportParams {
            units: lovelock::mesh::Units::Metres,
            up: Up::Y,
            ..ImportParams::default()
        };
        let before = bound(&file, &params, &body).report;
        let Some(better) = &before.better else {
            continue;
        };
        offers += 1;
        let after = bound(&file, &better.apply(&params), &body).report;
        println!(
            "{case}: {:.5} {:.5}",
            before.mean_distance, after.mean_distance
        );
        assert!(
            after.mean_distance < before.mean_distance,
            "{case}: {better}"
        );
        // It keeps its word.
        let promised = (better.distance - after.mean_distance).abs();
        assert!(promised < 1e-5, "{case}: {better}, {}", after.summary);
    }
    assert!(offers > 2, "{offers}");
}

#[test]
fn hair_goes_where_its_head_goes() {
    let near = load(&HeadParams::default()).expect("the built-in head");
    let away = glam::DVec3::new(-1000.0, 0.0, 500.0);
    let mut text = String::new();
    for p in &near.mesh.positions {
        let p = (p.as_dvec3() + away) * 100.0;
        text += &format!("v {} {} {}\n", p.x, p.y, p.z);
    }
    for [a, b, c] in &near.mesh.triangles {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    let body = CollisionMesh::new(near.mesh, 0.006);
    let mut file = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for root in common_roots(&body, 200) {
        let points = (0..4).map(|k| root + Vec3::new(0.0, 0.01, 0.01) * k as f32);
        // In metres, as another program may write what belongs to it.
        file.points
            .extend(points.map(|p| (p.as_dvec3() + away).as_vec3()));
        file.starts.push(file.points.len() as u32);
    }
    for (turn, flip, scale) in [(0.0, false, 1.0), (90.0, false, 1.0), (30.0, true, 1.7)] {
        let params = HeadParams {
            turn,
            flip,
            scale,
            ..HeadParams::default()
        };
        let read = obj::parse(text.as_bytes(), Path::new("far.obj")).expect("a head");
        let head = load::place(read, &params).expect("a head");
        let mut body = CollisionMesh::new(head.mesh, 0.006);
        body.placing = Some(head.report.placing);
        let bound = bound(&file, &ImportParams::default(), &body);
        let report = bound.report;
        // Coordinates in f32 are no finer a kilometre away.
        assert!(report.largest_distance < 2e-4 * scale, "{}", report.summary);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        assert!(report.summary.contains("put right with the head"));
        let first = bound.groom.strand(0);
        let way = head
            .report
            .placing
            .righting
            .direction(Vec3::new(0.0, 1.0, 1.0));
        let along = (first[3] - first[0]).normalize().dot(way.normalize());
        assert!(along > 0.98, "{turn}: {along}");
    }
}

#[test]
fn hair_of_another_head_sits_on_this_one_whichever_way_it_comes() {
    let Some(hair) = input("hair/harolongo.data") else {
        return;
    };
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let (_, strands) = strands::read(&hair).expect("the hair");
    for (way, wanted) in WAYS.into_iter().enumerate() {
        let mut file = strands.clone();
        file.points.iter_mut().for_each(|p| *p *= 0.01);
        astray(&mut file.points, way);
        let report = bound(&file, &ImportParams::default(), &body).report;
        let better = report.better.expect("an offer");
        assert_eq!((better.up, better.turn), wanted, "{way}: {better}");
        assert!(better.distance < 0.002, "{way}: {better}");
    }
}

#[test]
fn widths_and_colours_of_a_file_go_with_their_strands() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let mut file = Strands {
        starts: vec![0],
        metres_per_unit: Some(0.01),
        ..Strands::default()
    };
    // Strands of one colour each, darker towards the tip.
    for (i, root) in common_roots(&body, 40).into_iter().enumerate() {
        let count = if i == 7 { 300 } else { 3 + i % 4 };
        for k in 0..count {
            let t = k as f32 / (count - 1) as f32;
            file.points.push((root + Vec3::Y * 0.1 * t) * 100.0);
            file.widths.push(0.01 + 0.001 * i as f32);
            file.colours.push([i as f32 / 40.0, root.x + 0.5, 1.0 - t]);
        }
        file.starts.push(file.points.len() as u32);
    }
    let all = bound(&file, &ImportParams::default(), &body);
    let own = &all.report.own;
    assert_eq!(own.colours.len(), all.groom.points.len());
    let mut seen = Vec::new();
    for strand in 0..40 {
        let range = all.groom.range(strand);
        let points = &all.groom.points[range.clone()];
        let colours = &own.colours[range.clone()];
        let number = (colours[0][0] * 40.0).round();
        seen.push(number as usize);
        for (k, [red, green, blue]) in colours.iter().enumerate() {
            assert_eq!(*red, number / 40.0);
            assert!((green - 0.5 - points[0].x).abs() < 1e-5, "its own root");
            let t = k as f32 / (points.len() - 1) as f32;
            assert!((blue - (1.0 - t)).abs() < 1e-5, "{blue} {t}");
        }
        let width = 0.01 * (0.01 + 0.001 * number);
        assert!(
            own.widths[range.clone()]
                .iter()
                .all(|w| (w - width).abs() < 1e-9)
        );
        // Drawn as wide, where the look has its usual 75 micrometres.
        let drawn = &all.groom.widths[range];
        assert!(drawn.iter().all(|w| (w * 75e-6 - width).abs() < 1e-9));
    }
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..40), "every strand once");
    let params = ImportParams {
        own_colours: false,
        ..ImportParams::default()
    };
    let own = bound(&file, &params, &body).report.own;
    assert!(own.colours.is_empty());
    assert_eq!(own.widths.len(), all.groom.points.len());
    let params = ImportParams {
        own_widths: false,
        ..ImportParams::default()
    };
    assert!(bound(&file, &params, &body).groom.widths.is_empty());
}

#[test]
fn blenders_curves_begin_where_they_are_rooted() {
    let Some(path) = input("hair/hair-blender-3.0.1.usda") else {
        return;
    };
    let (_, file) = strands::read(&path).expect("reads");
    let note = file.notes.join("; ");
    assert!(note.contains("the curves are cubic (bspline)"), "{note}");
    let drawn = file.clone().evaluated();
    assert_eq!((drawn.len(), drawn.counts()), (1000, [17, 17]));
    for (control, curve) in file.iter().zip(drawn.iter()) {
        assert!(curve[0].distance(control[0]) < 1e-5);
        assert!(curve[16].distance(control[8]) < 1e-5);
        // (a + 4 b + c) / 6 between the first two pieces.
        let middle = (control[0] + control[1] * 4.0 + control[2]) / 6.0;
        assert!(curve[2].distance(middle) < 1e-5);
    }
    let grey = drawn.colours.as_flattened();
    assert!(grey.len() == 51_000 && grey.iter().all(|c| (c - 0.8).abs() < 1e-6));
}

#[test]
fn a_mohawk_runs_from_the_forehead_to_the_nape() {
    let Some(hair) = input("hair/Ratboy_mohawk_v4.tfx") else {
        return;
    };
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let (_, strands) = strands::read(&hair).expect("the hair");
    let params = ImportParams::default();
    let report = bound(&strands, &params, &body).report;
    let better = report.better.expect("an offer");
    assert_eq!((better.up, better.turn), (Up::Y, 0.0), "{better}");
    let fitted = bound(&strands, &better.apply(&params), &body);
    let roots = (0..fitted.groom.strands()).map(|i| fitted.groom.strand(i)[0]);
    let middle = roots.clone().map(|p| p.x).sum::<f32>() / roots.len() as f32;
    assert!(middle.abs() < 0.02, "on both sides: {middle}");
}
