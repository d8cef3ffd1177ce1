//! Where hair grows.

use super::{bust, from_text};
use glam::Vec3;
use lovelock::mesh::{Growth, Measure, Mesh, Root, RootParams, Sequence, roots, scatter};

fn params(strands: u32) -> RootParams {
    RootParams {
        strands,
        ..RootParams::default()
    }
}

/// The bust without its groups.
fn nameless() -> Mesh {
    let mut mesh = Mesh::clone(&bust());
    mesh.groups.clear();
    mesh
}

fn check_on_triangle(mesh: &Mesh, root: &Root) {
    let [u, v] = root.uv;
    assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6, "{root:?}");
    let [a, b, c] = mesh.corners(root.triangle as usize);
    let p = a + (b - a) * u + (c - a) * v;
    assert!(p.distance(root.position) < 1e-7, "{root:?}");
    let normal = (b - a).cross(c - a).normalize();
    assert!((root.position - a).dot(normal).abs() < 1e-6);
    assert!((root.normal.length() - 1.0).abs() < 1e-5 && root.normal.dot(normal) > 0.5);
}

#[test]
fn every_root_lies_on_its_triangle_in_the_scalp() {
    let mesh = bust();
    let scalp = mesh
        .groups
        .iter()
        .find(|g| g.name == "scalp")
        .unwrap()
        .triangles
        .clone();
    for sequence in [Sequence::Halton, Sequence::Random] {
        let planted = roots(
            &mesh,
            &RootParams {
                sequence,
                ..params(5000)
            },
        )
        .unwrap();
        assert_eq!(planted.len(), 5000);
        for root in &planted {
            check_on_triangle(&mesh, root);
            assert!(scalp.contains(&(root.triangle as usize)));
        }
    }
}

#[test]
fn roots_are_uniform_over_the_area() {
    let mesh = bust();
    let scalp = mesh
        .groups
        .iter()
        .find(|g| g.name == "scalp")
        .unwrap()
        .triangles
        .clone();
    let total: f32 = scalp.clone().map(|i| mesh.area_normal(i).length()).sum();
    let n = 60_000;
    for sequence in [Sequence::Halton, Sequence::Random] {
        let planted = roots(
            &mesh,
            &RootParams {
                sequence,
                ..params(n)
            },
        )
        .unwrap();
        // Triangles in runs of twenty: a chi-square test of their counts.
        let mut counts = vec![0.0; mesh.triangles.len()];
        // Within triangles: the four parts that the mid-edges cut off.
        let mut quarters = [0.0f32; 4];
        for root in &planted {
            counts[root.triangle as usize] += 1.0;
            let [u, v] = root.uv;
            let part = [u, v, 1.0 - u - v].iter().position(|w| *w > 0.5);
            quarters[part.unwrap_or(3)] += 1.0;
        }
        let runs: Vec<usize> = scalp.clone().collect();
        let (mut chi, mut freedom) = (0.0f32, -1.0f32);
        for run in runs.chunks(20) {
            let area: f32 = run.iter().map(|i| mesh.area_normal(*i).length()).sum();
            let found: f32 = run.iter().map(|i| counts[*i]).sum();
            let expected = n as f32 * area / total;
            chi += (found - expected).powi(2) / expected;
            freedom += 1.0;
        }
        // Random: chi-square has mean `freedom`, deviation sqrt(2 freedom).
        let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(chi < limit, "{sequence:?}: {chi} of {freedom}");
        if sequence == Sequence::Halton {
            assert!(
                chi < 0.3 * freedom,
                "an even sequence is evener: {chi} of {freedom}"
            );
        }
        for count in quarters {
            assert!((count / n as f32 - 0.25).abs() < 0.01, "{quarters:?}");
        }
    }
}

#[test]
fn halton_leaves_no_clumps() {
    // Distance to the nearest other root, as a part of the mean spacing.
    let mesh = bust();
    let tightest = |sequence| {
        let planted = roots(
            &mesh,
            &RootParams {
                sequence,
                ..params(300)
            },
        )
        .unwrap();
        let mut near: Vec<f32> = planted
            .iter()
            .enumerate()
            .map(|(i, a)| {
                let others = planted.iter().enumerate().filter(|(j, _)| *j != i);
                others
                    .map(|(_, b)| a.position.distance(b.position))
                    .fold(f32::INFINITY, f32::min)
            })
            .collect();
        near.sort_by(f32::total_cmp);
        near[near.len() / 10]
    };
    let (even, random) = (tightest(Sequence::Halton), tightest(Sequence::Random));
    assert!(even > 1.5 * random, "{even} {random}");
}

#[test]
fn the_seed_decides_and_fewer_are_the_first_of_more() {
    let mesh = bust();
    for sequence in [Sequence::Halton, Sequence::Random] {
        let with = |strands, seed| {
            let params = RootParams {
                sequence,
                seed,
                ..params(strands)
            };
            roots(&mesh, &params).unwrap()
        };
        assert_eq!(with(1000, 1), with(1000, 1));
        assert_eq!(with(100, 1), with(1000, 1)[..100]);
        let (a, b) = (with(1000, 1), with(1000, 2));
        let same = a
            .iter()
            .zip(&b)
            .filter(|(a, b)| a.position.distance(b.position) < 1e-4);
        assert!(same.count() < 10);
    }
}

#[test]
fn limit_angle_and_reach_are_honoured() {
    let mesh = nameless();
    let height = Measure::of(&mesh).head;
    let crown = mesh.bounds()[1].y;
    let mut before = 0.0;
    for angle in [10.0, 40.0, 75.0, 120.0] {
        for reach in [0.03, 0.12] {
            let params = RootParams {
                limit_angle: angle,
                reach: reach / height,
                tilt: 0.0,
                ..params(2000)
            };
            let planted = roots(&mesh, &params).unwrap();
            let mut widest = 0.0f32;
            for root in planted {
                check_on_triangle(&mesh, &root);
                let normal = mesh.area_normal(root.triangle as usize).normalize();
                let lean = normal.angle_between(Vec3::Y).to_degrees();
                assert!(lean <= angle + 0.1, "{lean}");
                // A face counts where its middle is.
                assert!(root.position.y > crown - reach - 0.01);
                widest = widest.max(lean);
            }
            if reach == 0.12 {
                assert!(widest > before, "a wider angle reaches further");
                before = widest;
            }
        }
    }
    // A named scalp is used whole, unless that is switched off.
    let scalp = bust();
    let narrow = RootParams {
        limit_angle: 5.0,
        ..params(1000)
    };
    let lean = |params: &RootParams| {
        let leans = roots(&scalp, params).unwrap().into_iter().map(|root| {
            let normal = scalp.area_normal(root.triangle as usize).normalize();
            normal.angle_between(Vec3::Y).to_degrees()
        });
        leans.fold(0.0, f32::max)
    };
    assert!(lean(&narrow) > 60.0);
    assert!(
        lean(&RootParams {
            use_scalp: false,
            ..narrow
        }) < 5.1
    );
}

#[test]
fn a_head_without_a_place_for_hair_says_what_to_change() {
    // A wall that leans forward: nothing looks up.
    let wall = from_text("v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0.1\nf 1 2 3 4\n");
    let error = roots(&wall, &params(10)).unwrap_err().to_string();
    assert!(error.starts_with("test.obj: "), "{error}");
    assert!(
        error.contains("90°") && error.contains("roots.limit_angle"),
        "{error}"
    );
    // A table with its only upward face far below a mast.
    let mast = from_text(
        "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\nf 1 2 3 4\nv 0 0 2\nv 1 0 2\nv 0 3 2\nf 5 6 7\n",
    );
    let low = RootParams {
        limit_angle: 60.0,
        reach: 0.1,
        ..params(10)
    };
    let error = roots(&mast, &low).unwrap_err().to_string();
    assert!(
        error.contains("0.1 head heights") && error.contains("roots.reach"),
        "{error}"
    );
    assert!(!error.contains('\n'));
}

#[test]
fn without_a_named_scalp_hair_grows_where_the_scalp_is() {
    // The sculptor's own groups are the judge.
    let (mesh, named) = (nameless(), bust());
    let group = |name: &str| {
        let found = named.groups.iter().find(|g| g.name == name).unwrap();
        found.triangles.clone()
    };
    let (scalp, ears) = (group("scalp"), group("ears"));
    for limit_angle in [90.0, 105.0] {
        let params = RootParams {
            limit_angle,
            ..params(4000)
        };
        let planted = roots(&mesh, &params).unwrap();
        let within = |range: &std::ops::Range<usize>| {
            let inside = |root: &&Root| range.contains(&(root.triangle as usize));
            planted.iter().filter(inside).count()
        };
        println!("{limit_angle}: {} {}", within(&scalp), within(&ears));
        assert!(within(&scalp) > 3700 && within(&ears) < 60);
    }
    // Neither brows nor lids nor the top of the nose.
    let lowest = roots(&mesh, &params(4000)).unwrap();
    let front = lowest.iter().filter(|root| root.position.z > 0.06);
    assert!(front.map(|r| r.position.y).fold(f32::INFINITY, f32::min) > 0.04);
}

#[test]
fn nothing_is_planted_under_a_roof() {
    // Two plates, one above the other.
    let plate = |y: f32| format!("v 0 {y} 0\nv 1 {y} 0\nv 1 {y} -1\nv 0 {y} -1\nf -4 -3 -2 -1\n");
    let mesh = from_text(&(plate(0.0) + &plate(0.05)));
    let flat = RootParams {
        tilt: 0.0,
        ..params(500)
    };
    let planted = roots(&mesh, &flat).unwrap();
    assert!(planted.iter().all(|root| root.position.y > 0.04));
    // Nor on a patch by itself, unless it is large.
    for (side, share) in [(0.3, 0.0), (0.8, 0.39)] {
        let patch = format!(
            "v 2 0 0\nv {0} 0 0\nv {0} 0 -{side}\nv 2 0 -{side}\nf -4 -3 -2 -1\n",
            2.0 + side
        );
        let mesh = from_text(&(plate(0.0) + &patch));
        let planted = roots(&mesh, &flat).unwrap();
        let on_patch = planted.iter().filter(|root| root.position.x > 1.5).count();
        assert!(
            (on_patch as f32 / 500.0 - share).abs() < 0.02,
            "{side}: {on_patch}"
        );
    }
}

/// The distance from each root to its nearest neighbour. `[m]`
fn nearest(planted: &[Root]) -> Vec<f32> {
    let others = |i: usize| planted.iter().enumerate().filter(move |(j, _)| *j != i);
    planted
        .iter()
        .enumerate()
        .map(|(i, a)| {
            others(i)
                .map(|(_, b)| a.position.distance(b.position))
                .fold(f32::INFINITY, f32::min)
        })
        .collect()
}

#[test]
fn poisson_disks_keep_their_distance_and_so_does_every_beginning() {
    let mesh = bust();
    let params = RootParams {
        sequence: Sequence::Poisson,
        ..params(1200)
    };
    let planted = roots(&mesh, &params).unwrap();
    assert_eq!(planted.len(), 1200);
    planted
        .iter()
        .for_each(|root| check_on_triangle(&mesh, root));
    let scalp = mesh.groups.iter().find(|g| g.name == "scalp").unwrap();
    let area: f32 = scalp
        .triangles
        .clone()
        .map(|i| 0.5 * mesh.area_normal(i).length())
        .sum();
    for count in [1200, 600, 300, 75] {
        // The distance of a hexagonal lattice of as many is the largest there is.
        let largest = (2.0 * area / (3f32.sqrt() * count as f32)).sqrt();
        let least = nearest(&planted[..count])
            .into_iter()
            .fold(f32::INFINITY, f32::min);
        assert!(least > 0.64 * largest, "{count}: {least} of {largest}");
    }
    assert_eq!(planted, roots(&mesh, &params).unwrap(), "the seed decides");
    let fewer = RootParams {
        strands: 300,
        ..params.clone()
    };
    assert_eq!(planted[..300], roots(&mesh, &fewer).unwrap());
    let other = RootParams { seed: 2, ..params };
    assert_ne!(planted, roots(&mesh, &other).unwrap());
}

/// A grey ramp over the texture coordinates, and what it says at one.
fn ramp(folder: &std::path::Path) -> String {
    let path = folder.join("ramp.png");
    image::GrayImage::from_fn(256, 256, |x, _| image::Luma([x as u8]))
        .save(&path)
        .unwrap();
    path.display().to_string()
}

fn u_of(mesh: &Mesh, root: &Root) -> f32 {
    let [a, b, c] = mesh.uvs[root.triangle as usize];
    (a + (b - a) * root.uv[0] + (c - a) * root.uv[1])
        .x
        .rem_euclid(1.0)
}

#[test]
fn density_follows_its_map() {
    let mesh = bust();
    let folder = tempfile::tempdir().unwrap();
    let map = ramp(folder.path());
    let everywhere = roots(
        &mesh,
        &RootParams {
            sequence: Sequence::Halton,
            ..params(200_000)
        },
    );
    // What the scalp holds of each eighth of the ramp, times how bright it is.
    let mut expected = [0.0f64; 8];
    for root in everywhere.unwrap() {
        let u = f64::from(u_of(&mesh, &root));
        expected[(8.0 * u) as usize] += u;
    }
    let sum: f64 = expected.iter().sum();
    for (sequence, strands) in [
        (Sequence::Halton, 100_000),
        (Sequence::Random, 100_000),
        (Sequence::Poisson, 100_000),
    ] {
        let params = RootParams {
            sequence,
            density_map: map.clone(),
            ..params(strands)
        };
        let planted = roots(&mesh, &params).unwrap();
        let share = planted.len() as f64 / f64::from(strands);
        assert!(
            (share / (sum / 200_000.0) - 1.0).abs() < 0.02,
            "{share} are left"
        );
        let mut found = [0.0f64; 8];
        for root in &planted {
            found[(8.0 * u_of(&mesh, root)) as usize] += 1.0;
        }
        for (eighth, (found, expected)) in found.iter().zip(expected).enumerate() {
            let expected = expected / sum * planted.len() as f64;
            if expected > 1000.0 {
                let off = found / expected - 1.0;
                assert!(
                    off.abs() < 0.05,
                    "{sequence:?}, eighth {eighth}: {off:.3} off"
                );
            }
        }
    }
}

#[test]
fn maps_say_how_long_curly_and_stiff_hair_is() {
    let mesh = bust();
    let folder = tempfile::tempdir().unwrap();
    let params = RootParams {
        length_map: ramp(folder.path()),
        curl_map: ramp(folder.path()),
        stiffness_map: ramp(folder.path()),
        ..params(500)
    };
    for root in roots(&mesh, &params).unwrap() {
        let u = u_of(&mesh, &root);
        // Half a texel at the ends, where the picture repeats.
        if (0.01..0.99).contains(&u) {
            assert!((root.length - u).abs() < 0.01, "{} at {u}", root.length);
            assert_eq!([root.curl, root.stiffness], [root.length; 2]);
        }
    }
}

#[test]
fn maps_that_cannot_be_used_say_why() {
    let mesh = bust();
    let folder = tempfile::tempdir().unwrap();
    let with = |map: &std::path::Path, mesh: &Mesh| {
        let params = RootParams {
            density_map: map.display().to_string(),
            ..params(100)
        };
        roots(mesh, &params).unwrap_err().to_string()
    };
    let missing = with(&folder.path().join("none.png"), &mesh);
    assert!(missing.contains("there is no such file"), "{missing}");
    let black = folder.path().join("black.png");
    image::GrayImage::new(8, 8).save(&black).unwrap();
    let barren = with(&black, &mesh);
    assert!(barren.contains("no strand is left"), "{barren}");
    let bare = Mesh {
        uvs: Vec::new(),
        ..Mesh::clone(&mesh)
    };
    let unmapped = with(&black, &bare);
    assert!(unmapped.contains("no texture coordinates"), "{unmapped}");
}

/// `left` must be those of `all` that are farther than 40 mm from `middle`; at
/// the rim it may be either.
fn check_thinned(all: &[Root], left: &[Root], middle: Vec3) {
    let far = |root: &Root| root.position.distance(middle);
    assert!(left.len() < all.len() - 100 && left.len() > all.len() / 3);
    assert!(left.iter().all(|root| far(root) > 0.0399));
    let mut rest = left.iter();
    for root in all.iter().filter(|root| far(root) > 0.0401) {
        assert!(
            rest.any(|other| other == root),
            "{root:?} is gone or has moved"
        );
    }
}

#[test]
fn the_brush_thins_out_what_it_touches_and_nothing_else() {
    let mesh = bust();
    let whole = roots(&mesh, &params(3000)).unwrap();
    let middle = whole[0].position;
    let [x, y, z] = (middle * 1e3).to_array();
    let with = |painted: String| RootParams {
        painted,
        ..params(3000)
    };
    let touch = format!("{x} {y} {z} 40 1 -1");
    let bald = roots(&mesh, &with(touch.clone())).unwrap();
    check_thinned(&whole, &bald, middle);
    let back = format!("{x} {y} {z} 40 1 -1; {x} {y} {z} 45 1 1");
    assert!(
        roots(&mesh, &with(back)).unwrap() == whole,
        "all grows again"
    );
    // So are the strands between.
    let more = |params: &RootParams| {
        let growth = Growth::read(&mesh, params, None).unwrap();
        scatter::more_roots(&mesh, params, &growth, 3).unwrap()
    };
    let all = more(&params(3000));
    assert_eq!(all.len(), 9000);
    check_thinned(&all, &more(&with(touch)), middle);
    let wrong = roots(&mesh, &with("1 2".into())).unwrap_err().to_string();
    assert!(
        wrong.contains("roots.painted") && wrong.contains("dab 1"),
        "{wrong}"
    );
    let none = roots(&mesh, &with("0 0 0 2000 1 -1".into()))
        .unwrap_err()
        .to_string();
    assert!(none.contains("no strand is left"), "{none}");
}

#[test]
fn length_curl_and_stiffness_can_be_painted_without_moving_a_root() {
    let mesh = bust();
    let whole = roots(&mesh, &params(800)).unwrap();
    let middle = whole[0].position;
    let [x, y, z] = (middle * 1e3).to_array();
    let painted = RootParams {
        painted_length: format!("{x} {y} {z} 40 1 -0.75"),
        painted_curl: format!("{x} {y} {z} 40 1 -1; {x} {y} {z} 40 1 0.5"),
        painted_stiffness: format!("{x} {y} {z} 40 1 -0.875"),
        ..params(800)
    };
    let planted = roots(&mesh, &painted).unwrap();
    assert_eq!(planted.len(), whole.len());
    let mut touched = 0;
    for (root, before) in planted.iter().zip(&whole) {
        assert_eq!(root.position, before.position);
        let wanted = match root.position.distance(middle) {
            far if far > 0.0401 => [1.0; 3],
            near if near < 0.0399 => {
                touched += 1;
                [0.25, 0.5, 0.125]
            }
            _ => continue,
        };
        let found = [root.length, root.curl, root.stiffness];
        let off = (Vec3::from(found) - Vec3::from(wanted)).abs().element_sum();
        assert!(off < 1e-5, "{found:?} at {}", root.position);
    }
    assert!(touched > 50, "{touched}");
    let wrong = RootParams {
        painted_curl: "1 2 3".into(),
        ..params(10)
    };
    let wrong = roots(&mesh, &wrong).unwrap_err().to_string();
    assert!(wrong.contains("roots.painted_curl"), "{wrong}");
}

#[test]
fn a_colour_map_says_which_colour_hair_has() {
    let mesh = bust();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reds.png");
    // 188 of 255 is half of the light.
    image::RgbImage::from_fn(256, 256, |x, _| image::Rgb([x as u8, 0, 188]))
        .save(&path)
        .unwrap();
    let coloured = RootParams {
        colour_map: path.display().to_string(),
        ..params(400)
    };
    let linear = |c: f32| ((c + 0.055) / 1.055).powf(2.4);
    let mut checked = 0;
    for root in roots(&mesh, &coloured).unwrap() {
        let u = u_of(&mesh, &root);
        // Half a texel at the ends, where the picture repeats.
        if (0.05..0.99).contains(&u) {
            let off = Vec3::from(root.colour.unwrap()) - Vec3::new(linear(u), 0.0, 0.503);
            assert!(off.abs().max_element() < 0.01, "{off} at {u}");
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
    let plain = roots(&mesh, &params(10)).unwrap();
    assert!(plain.iter().all(|root| root.colour.is_none()));
}

#[test]
fn heads_of_all_sizes_carry_hair_in_the_same_places() {
    let mesh = nameless();
    let faces = |mesh: &Mesh| {
        let planted = roots(mesh, &params(3000)).unwrap();
        let mut faces: Vec<u32> = planted.iter().map(|root| root.triangle).collect();
        faces.sort_unstable();
        faces.dedup();
        faces
    };
    let wanted = faces(&mesh);
    for size in [0.5, 2.0] {
        let mut other = mesh.clone();
        other.positions.iter_mut().for_each(|p| *p *= size);
        let got = faces(&other);
        let both = got.iter().filter(|face| wanted.binary_search(face).is_ok());
        let share = both.count() as f32 / wanted.len() as f32;
        assert!(share > 0.97, "{size}: {share}");
    }
}

#[test]
fn the_usual_reach_is_what_it_was_in_metres() {
    let mesh = nameless();
    let reach = 0.12 / Measure::of(&mesh).head;
    println!("{reach}");
    let planted = |reach: f32| {
        roots(
            &mesh,
            &RootParams {
                reach,
                ..params(2000)
            },
        )
        .unwrap()
    };
    assert_eq!(planted(reach), planted(RootParams::default().reach));
}
