//! Grown hair: rooted where it should be, outside the head, curled as asked.

use glam::Vec3;
use lovelock::{
    groom::{Groom, GroomParams, Handedness, grow, styles::STYLES},
    mesh::{CollisionMesh, HeadParams, Parting, Root, RootParams, load, scatter},
    param::Ramp,
};
use std::sync::LazyLock;

static BODY: LazyLock<CollisionMesh> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the built-in head");
    CollisionMesh::new(head.mesh, 0.004)
});

fn roots(strands: u32) -> Vec<Root> {
    let params = RootParams {
        strands,
        ..RootParams::default()
    };
    scatter::roots(&BODY.mesh, &params).expect("roots")
}

fn grown(strands: u32, params: &GroomParams) -> Groom {
    grow::grow(&roots(strands), params, 1, &BODY)
}

#[test]
fn every_strand_stands_on_a_root_of_its_own_and_outside_the_head() {
    for style in STYLES {
        let params = (style.params)();
        let groom = grown(500, &params);
        assert_eq!(groom.strands(), 500);
        let mut planted: Vec<[u32; 3]> = roots(500)
            .iter()
            .map(|root| root.position.to_array().map(f32::to_bits))
            .collect();
        let mut found: Vec<[u32; 3]> = (0..500)
            .map(|i| groom.strand(i)[0].to_array().map(f32::to_bits))
            .collect();
        planted.sort_unstable();
        found.sort_unstable();
        assert_eq!(planted, found, "{}: the roots, in another order", style.id);
        let mut deepest = f32::MIN;
        for i in 0..500 {
            let strand = groom.strand(i);
            assert_eq!(strand.len(), params.vertices as usize);
            assert!(strand.iter().all(|p| p.is_finite()));
            for p in &strand[2..] {
                deepest = deepest.max(-BODY.surface.signed_distance(*p));
            }
        }
        assert!(
            deepest < 0.0,
            "{}: a vertex lies {deepest} m below the skin",
            style.id
        );
    }
}

#[test]
fn a_helix_is_as_wide_and_turns_as_often_as_was_asked_for() {
    let params = GroomParams {
        vertices: 128,
        length: 0.2,
        length_spread: 0.0,
        curl_radius: 0.006,
        curl_pitch: 0.03,
        curl_spread: 0.0,
        curl_start: 0.1,
        phase_spread: 0.0,
        locks: 0,
        frizz: 0.0,
        handedness: Handedness::Right,
        ..GroomParams::default()
    };
    let groom = grown(60, &params);
    let turn = (params.curl_pitch / params.length * 127.0).round() as usize;
    let mut widths = Vec::new();
    for i in 0..60 {
        let strand = groom.strand(i);
        // The mean of one turn is a point of the axis there.
        for k in 60..110 {
            let axis = strand[k - turn / 2..k - turn / 2 + turn]
                .iter()
                .sum::<Vec3>()
                / turn as f32;
            widths.push(axis.distance(strand[k]));
        }
    }
    widths.sort_by(f32::total_cmp);
    let median = widths[widths.len() / 2];
    assert!((median - 0.006).abs() < 0.0012, "median radius {median} m");
    // A helix of that radius and pitch is sqrt(1 + (2 pi r / p)²) times as long
    // as its axis; a tenth of the strand has not reached the radius.
    let longer = (1.0 + (std::f32::consts::TAU * 0.006 / 0.03f32).powi(2)).sqrt();
    let length = |i: usize| {
        groom
            .strand(i)
            .windows(2)
            .map(|w| w[0].distance(w[1]))
            .sum::<f32>()
    };
    let mean = (0..60).map(length).sum::<f32>() / 60.0 / 0.2;
    assert!(
        (mean / longer - 1.0).abs() < 0.12,
        "{mean} times as long, {longer} expected"
    );
}

#[test]
fn straight_hair_has_its_length_and_spread_is_honoured() {
    let straight = GroomParams {
        vertices: 40,
        length: 0.2,
        length_spread: 0.0,
        curl_radius: 0.0,
        frizz: 0.0,
        locks: 0,
        ..GroomParams::default()
    };
    let lengths = |params: &GroomParams| -> Vec<f32> {
        let groom = grown(400, params);
        (0..400)
            .map(|i| {
                groom
                    .strand(i)
                    .windows(2)
                    .map(|w| w[0].distance(w[1]))
                    .sum()
            })
            .collect()
    };
    for length in lengths(&straight) {
        assert!((length - 0.2).abs() < 0.012, "{length} m");
    }
    let spread = lengths(&GroomParams {
        length_spread: 0.4,
        ..straight
    });
    let (low, high) = spread
        .iter()
        .fold((f32::MAX, f32::MIN), |(a, b), l| (a.min(*l), b.max(*l)));
    assert!(low < 0.14 && high > 0.26, "{low} to {high} m");
}

#[test]
fn the_same_seed_grows_the_same_hair_and_neighbours_are_neighbours() {
    let params = GroomParams::default();
    let groom = grown(1000, &params);
    assert_eq!(groom.points, grown(1000, &params).points);
    let other = grow::grow(&roots(1000), &params, 2, &BODY);
    assert_ne!(groom.points, other.points);
    // Blocks of strands must lie together on the scalp.
    let root = |i: usize| groom.strand(i)[0];
    let apart = (1..1000)
        .map(|i| root(i).distance(root(i - 1)))
        .sum::<f32>()
        / 999.0;
    let anywhere = (1..1000)
        .map(|i| root(i).distance(root((i * 379) % 1000)))
        .sum::<f32>()
        / 999.0;
    assert!(
        apart < 0.25 * anywhere,
        "{apart} m from one to the next, {anywhere} m at random"
    );
    let (low, high) = groom
        .masses
        .iter()
        .fold((f32::MAX, f32::MIN), |(a, b), m| (a.min(*m), b.max(*m)));
    assert!(
        low > 0.69 && low < 0.72 && high > 1.28 && high < 1.31,
        "masses {low} to {high}"
    );
}

#[test]
fn trimmed_hair_ends_at_one_level_and_a_fringe_falls_over_the_forehead() {
    let mut params = (STYLES[0].params)();
    (params.length, params.frizz) = (0.3, 0.0);
    let lowest = |groom: &Groom, strand: usize| {
        let heights = groom.strand(strand).iter().map(|p| p.y);
        heights.fold(f32::INFINITY, f32::min)
    };
    let long = grown(400, &params);
    let crown = roots(400)
        .iter()
        .map(|r| r.position.y)
        .fold(f32::MIN, f32::max);
    let level = crown - 0.16;
    let below =
        |groom: &Groom, by: f32| (0..400).filter(|s| lowest(groom, *s) < level - by).count();
    assert!(below(&long, 0.05) > 250, "hair that is long enough to cut");
    params.trim = 0.16;
    let bob = grown(400, &params);
    // What is rooted below the level keeps a stub; a lock's width is left.
    let low = (0..400)
        .filter(|s| bob.strand(*s)[0].y < level + 0.01)
        .count();
    assert!(
        below(&bob, 0.012) <= low,
        "{} hang below",
        below(&bob, 0.012)
    );
    let at_level = (0..400)
        .filter(|s| (lowest(&bob, *s) - level).abs() < 0.012)
        .count();
    assert!(at_level > 250, "only {at_level} end at the level");

    params.fringe = 0.07;
    let front = grown(400, &params);
    let ahead = |groom: &Groom| {
        let tip = |s: &usize| groom.strand(*s).last().expect("a tip").z - groom.strand(*s)[0].z;
        (0..400).filter(|s| tip(s) > 0.01).count()
    };
    assert!(
        ahead(&front) >= ahead(&bob) + 15,
        "{} {}",
        ahead(&bob),
        ahead(&front)
    );
    for strand in 0..400 {
        let points = front.strand(strand);
        for p in &points[2..] {
            assert!(BODY.surface.signed_distance(*p) > 0.0, "in the head at {p}");
        }
    }
}

#[test]
fn a_fringe_is_closed_and_cut_level_wherever_it_is_rooted() {
    let mut params = (STYLES[0].params)();
    (params.length, params.frizz, params.length_spread) = (0.3, 0.0, 0.0);
    (params.fringe, params.sleek) = (0.08, 1.0);
    let groom = grown(2000, &params);
    let tip = |s: usize| *groom.strand(s).last().expect("a tip");
    let forward = |s: &usize| tip(*s).z > groom.strand(*s)[0].z + 0.01;
    let middle = |s: &usize| groom.strand(*s)[0].x.abs() < 0.025;
    let fringe: Vec<usize> = (0..2000).filter(forward).filter(middle).collect();
    assert!(fringe.len() > 60, "{} fall forward", fringe.len());
    let mut heights: Vec<f32> = fringe.iter().map(|s| tip(*s).y).collect();
    heights.sort_by(f32::total_cmp);
    let (low, high) = (heights[heights.len() / 10], heights[heights.len() * 9 / 10]);
    assert!(high - low < 0.012, "from {low} to {high}");
    let rooted = fringe.iter().map(|s| groom.strand(*s)[0].y);
    let apart = rooted.clone().fold(f32::MIN, f32::max) - rooted.fold(f32::MAX, f32::min);
    assert!(apart > 0.015, "all are rooted alike: {apart}");
}

#[test]
fn sleek_hair_hangs_at_the_head_where_other_hair_stands_off() {
    let mut params = (STYLES[0].params)();
    (params.length, params.frizz, params.length_spread) = (0.3, 0.0, 0.0);
    let mut stands_off = |sleek: f32| {
        params.sleek = sleek;
        let groom = grown(1000, &params);
        let mut aside: Vec<f32> = (0..1000)
            .filter_map(|s| {
                groom
                    .strand(s)
                    .iter()
                    .find(|p| p.y < groom.strand(s)[0].y - 0.15)
            })
            .map(|p| p.x.abs())
            .collect();
        for p in (0..1000).flat_map(|s| &groom.strand(s)[2..]) {
            assert!(BODY.surface.signed_distance(*p) > 0.0, "in the head at {p}");
        }
        aside.sort_by(f32::total_cmp);
        aside[aside.len() * 9 / 10]
    };
    let [loose, half, sleek] = [0.0, 0.5, 1.0].map(&mut stands_off);
    println!("{loose} {half} {sleek}");
    assert!(
        half < loose - 0.015 && sleek < half - 0.005,
        "{loose} {half} {sleek}"
    );
}

/// How much a strand turns in its last quarter. `[rad]`
fn turning(strand: &[Vec3]) -> f32 {
    let tail = &strand[strand.len() * 3 / 4..];
    let angle = |three: &[Vec3]| (three[1] - three[0]).angle_between(three[2] - three[1]);
    tail.windows(3).map(angle).sum()
}

#[test]
fn a_curl_goes_along_the_strand_as_its_ramp_says() {
    let with = |curl_ramp: Ramp| GroomParams {
        curl_ramp,
        frizz: 0.0,
        ..GroomParams::default()
    };
    let level = grown(200, &with(Ramp::level(1.0)));
    let plain = grown(
        200,
        &GroomParams {
            frizz: 0.0,
            ..GroomParams::default()
        },
    );
    assert_eq!(level.points, plain.points, "1 all the way changes nothing");
    let straight = grown(200, &with(Ramp([1.0, 1.0, 1.0, 0.0, 0.0])));
    let sum = |groom: &Groom| (0..200).map(|i| turning(groom.strand(i))).sum::<f32>();
    let (curled, straight) = (sum(&level), sum(&straight));
    assert!(straight < 0.25 * curled, "{straight} of {curled}");
}

#[test]
fn strands_differ_as_their_style_spreads() {
    // Without curls and locks a strand's shape is its path: droop and volume.
    let with = |style_spread: f32| GroomParams {
        style_spread,
        curl_radius: 0.0,
        locks: 0,
        frizz: 0.0,
        length_spread: 0.0,
        ..GroomParams::default()
    };
    let [even, spread] = [0.0, 0.6].map(|spread| grown(200, &with(spread)));
    // Neighbours, by how far their tips are from each other.
    let apart = |groom: &Groom| {
        let tip = |strand: usize| *groom.strand(strand).last().expect("a tip");
        (1..200).map(|i| tip(i).distance(tip(i - 1))).sum::<f32>() / 199.0
    };
    let (even, spread) = (apart(&even), apart(&spread));
    assert!(spread > 1.2 * even, "{spread} m, {even} m without");
}

/// What is thinned out leaves the curls of the others alone.
#[test]
fn a_strand_keeps_its_curls_while_its_neighbours_go() {
    let params = GroomParams {
        locks: 0,
        ..GroomParams::default()
    };
    let all = roots(300);
    let half: Vec<Root> = all
        .iter()
        .filter(|root| root.number % 3 > 0)
        .copied()
        .collect();
    let groom = grow::grow(&half, &params, 1, &BODY);
    // The middle of all roots is a little elsewhere, and so is the path.
    let whole = grow::grow(&all, &params, 1, &BODY);
    let length = |strand: &[Vec3]| -> f32 { strand.windows(2).map(|e| e[0].distance(e[1])).sum() };
    let at = |groom: &Groom, root: Vec3| {
        let found = (0..groom.strands()).find(|i| groom.strand(*i)[0] == root);
        length(groom.strand(found.expect("grows")))
    };
    for root in &half {
        let (a, b) = (at(&groom, root.position), at(&whole, root.position));
        assert!((a / b - 1.0).abs() < 0.1, "{a} and {b}");
    }
}

/// Straight hair, each strand alone, parted along a text of points or in the
/// middle.
fn parted(text: &str) -> Groom {
    let straight = STYLES.iter().find(|style| style.id == "straight");
    let params = GroomParams {
        locks: 0,
        frizz: 0.0,
        sleek: 0.0,
        ..(straight.expect("a style").params)()
    };
    let parting = Parting::parse(text).expect("points");
    grow::grow_parted(&roots(3000), &params, 1, &BODY, parting.on(&BODY))
}

/// The middle line from the face down to the nape, drawn on the skin.
fn to_the_nape() -> String {
    let line = (0..=40).map(|i| {
        let angle = 0.5 + 3.0 * i as f32 / 40.0;
        Vec3::new(0.0, 0.15 * angle.sin() - 0.02, 0.15 * angle.cos())
    });
    let line: Vec<Vec3> = line.collect();
    Parting::of(&line, &BODY.mesh).to_string()
}

/// How much hair hangs behind the middle of the neck, as a share of what hangs
/// to both sides of that.
fn behind_the_neck(groom: &Groom) -> f32 {
    let crown = BODY.mesh.bounds()[1].y;
    let level = crown - 0.2..crown - 0.14;
    let (mut middle, mut beside) = (0.0f32, 0.0f32);
    for p in &groom.points {
        match p.x.abs() {
            _ if p.z > -0.03 || !level.contains(&p.y) => {}
            ..0.015 => middle += 1.0,
            0.03..0.045 => beside += 0.5,
            _ => {}
        }
    }
    middle / beside.max(1.0)
}

#[test]
fn no_two_streams_meet_at_the_back_of_the_head() {
    let (usual, split) = (parted(""), parted(&to_the_nape()));
    let [usual, split] = [usual, split].map(|groom| behind_the_neck(&groom));
    println!("{usual} {split}");
    assert!(usual > 0.6, "the neck is bare: {usual}");
    // What a parting down to the nape does, and every style once had.
    assert!(split < 0.5 * usual, "{split} {usual}");
}

#[test]
fn hair_falls_to_both_sides_of_a_line_that_is_drawn() {
    // On the left of the head, from the hairline to the crown.
    let line: Vec<Vec3> = (0..=20)
        .map(|i| Vec3::new(0.035, 0.16, 0.09 - 0.006 * i as f32))
        .collect();
    let text = Parting::of(&line, &BODY.mesh).to_string();
    let line = Parting::parse(&text).expect("points").on(&BODY);
    let line = line.expect("a line");
    assert!(line.len() > 20);
    for p in &line {
        let nearest = BODY.surface.closest(*p, f32::MAX).expect("skin");
        assert!(nearest.distance.abs() < 1e-5, "it lies on the skin");
    }
    let (usual, parted) = (parted(""), parted(&text));
    // Hair between the middle and the line goes over to the right, and only
    // there.
    let towards = |groom: &Groom, range: std::ops::Range<f32>| {
        let mut shares = (0.0f32, 0.0f32);
        for strand in 0..groom.strands() {
            let points = groom.strand(strand);
            let root = points[0];
            if range.contains(&root.x) && (-0.01..0.05).contains(&root.z) && root.y > 0.08 {
                let there = points[5];
                shares.0 += f32::from(u8::from(there.x > root.x));
                shares.1 += 1.0;
            }
        }
        assert!(shares.1 > 20.0, "{shares:?}");
        shares.0 / shares.1
    };
    let aside = line.iter().map(|p| p.x);
    let (near, far) = aside.fold((1.0f32, 0.0f32), |(near, far), x| (near.min(x), far.max(x)));
    assert!(near > 0.015, "{near} {far}");
    let between = [&usual, &parted].map(|groom| towards(groom, 0.005..near - 0.002));
    let beyond = [&usual, &parted].map(|groom| towards(groom, far + 0.006..far + 0.03));
    println!("{between:?} {beyond:?}");
    assert!(between[0] > 0.9 && between[1] < 0.1, "{between:?}");
    assert!(beyond[0] > 0.9 && beyond[1] > 0.9, "{beyond:?}");
    // On a head of twice the size the same text is the same line.
    let head = load(&HeadParams {
        scale: 2.0,
        ..HeadParams::default()
    });
    let large = CollisionMesh::new(head.expect("the built-in head").mesh, 0.008);
    let again = Parting::parse(&text).expect("points").on(&large);
    let again = again.expect("a line");
    let [min, max] = BODY.mesh.bounds();
    let middle = min.midpoint(max);
    for (a, b) in line.iter().zip(&again) {
        assert!(
            (2.0 * (*a - middle)).distance(*b - middle) < 2e-3,
            "{a} {b}"
        );
    }
}
