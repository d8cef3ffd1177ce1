//! What a hand does to hair in motion, with every method.

use glam::Vec3;
use lovelock::{
    groom::{
        TieStyle,
        edit::{self, EditedCurve, Edits},
        styles::STYLES,
    },
    project::{
        built_scene,
        document::take_style,
        scene::{HandworkLoss, Scene},
    },
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        attachment::AttachmentKind,
        hand::{Grab, Handwork, Pin},
        solver::SOLVERS,
        state::LANES,
    },
};

/// Ringlets on the head, that have come to rest for a while.
fn ringlets(solver: &str, steps: usize) -> (Simulation, SimParams) {
    let mut scene = Scene::default();
    scene.roots.strands = 96;
    scene.groom.vertices = 20;
    scene.sim.step.solver = solver.into();
    scene.sim.motion.preset = MotionPreset::None;
    scene.sim.collision.mode = CollisionMode::Grid;
    let mut simulation = built_scene::build(&scene).expect("builds").simulation;
    for _ in 0..steps {
        simulation.step(&scene.sim);
    }
    (simulation, scene.sim)
}

fn places(simulation: &Simulation) -> Vec<Vec3> {
    let mut out = Vec::new();
    simulation.write_positions(&mut out);
    out
}

fn strand(simulation: &Simulation, places: &[Vec3], index: usize) -> Vec<Vec3> {
    places[simulation.groom().range(index)].to_vec()
}

fn fastest(simulation: &Simulation, strand: usize) -> f64 {
    let block = &simulation.state().blocks[strand / LANES];
    let speed = |i: usize| {
        let v = block.velocity[i].get(strand % LANES);
        v.iter().map(|c| c * c).sum::<f64>().sqrt()
    };
    (0..block.rows).map(speed).fold(0.0, f64::max)
}

#[test]
fn cut_hair_is_as_short_as_it_was_cut_and_does_not_jump() {
    for method in SOLVERS.iter() {
        let id = method.id;
        let (mut simulation, params) = ringlets(id, 20);
        let cut = [5, 40, 41, 95];
        let groom = simulation.groom().clone();
        let half = |s: &usize| {
            let rest = groom.strand(*s);
            (
                *s,
                edit::cut(rest, 0.5 * edit::length(rest)).expect("longer"),
            )
        };
        let curves: Vec<(usize, Vec<Vec3>)> = cut.iter().map(half).collect();
        let before = places(&simulation);
        simulation.reshape(curves.iter().map(|(s, c)| (*s, &c[..])), &params);
        let after = places(&simulation);
        for index in 0..96 {
            let (old, new) = (
                strand(&simulation, &before, index),
                strand(&simulation, &after, index),
            );
            if !cut.contains(&index) {
                assert_eq!(old, new, "{id}: strand {index} was not touched");
                continue;
            }
            assert_eq!(old[0], new[0]);
            // The curve stays where it was, only its end is gone.
            for p in &new {
                let on = |edge: &[Vec3]| {
                    let d = edge[1] - edge[0];
                    let t = (*p - edge[0]).dot(d) / d.length_squared().max(1e-12);
                    p.distance(edge[0] + d * t.clamp(0.0, 1.0))
                };
                let off = old.windows(2).map(on).fold(f32::MAX, f32::min);
                assert!(off < 0.004, "{id}: {off} m beside the old curve");
            }
        }
        let (mut most, mut usual) = (0.0f64, 0.0f64);
        for _ in 0..120 {
            simulation.step(&params);
            for index in 0..96 {
                let speed = fastest(&simulation, index);
                match cut.contains(&index) {
                    true => most = most.max(speed),
                    false => usual = usual.max(speed),
                }
            }
        }
        assert!(
            most < 2.0 * usual + 0.5,
            "{id}: {most} m/s where cut, {usual} elsewhere"
        );
        let end = places(&simulation);
        for (s, curve) in &curves {
            let (long, wanted) = (
                edit::length(&strand(&simulation, &end, *s)),
                edit::length(curve),
            );
            let spare = if id == "spring" { 0.08 } else { 0.02 };
            assert!(
                (long / wanted - 1.0).abs() < spare,
                "{id}: {long} m for {wanted}"
            );
        }
        assert_eq!(simulation.statistics(&params).nonfinite, 0, "{id}");
    }
}

#[test]
fn uncut_hair_grows_back() {
    let (mut simulation, params) = ringlets("pbd", 20);
    let groom = simulation.groom().clone();
    let cut = edit::cut(groom.strand(7), 0.03).expect("longer");
    simulation.reshape([(7, &cut[..])], &params);
    for _ in 0..30 {
        simulation.step(&params);
    }
    simulation.reshape([(7, groom.strand(7))], &params);
    for _ in 0..240 {
        simulation.step(&params);
    }
    let long = edit::length(&strand(&simulation, &places(&simulation), 7));
    assert!((long / edit::length(groom.strand(7)) - 1.0).abs() < 0.02);
    assert!(fastest(&simulation, 7) < 0.3);
}

#[test]
fn a_pin_goes_with_the_head_and_a_hand_stays_where_it_is() {
    for method in SOLVERS.iter() {
        let id = method.id;
        let (mut simulation, mut params) = ringlets(id, 10);
        let rest = simulation.groom().strand(50)[12];
        let pull = Vec3::new(0.0, 0.01, 0.0);
        let grab = |strand, on_head, kind, place| Grab {
            strand,
            vertex: 12,
            place,
            on_head,
            kind,
        };
        let elsewhere = simulation.groom().strand(20)[12] + pull;
        simulation.set_grabs(vec![
            grab(50, true, AttachmentKind::Pin, rest + pull),
            grab(20, false, AttachmentKind::Hand, elsewhere),
            // Nobody.
            grab(96, true, AttachmentKind::Pin, rest),
            grab(usize::MAX, true, AttachmentKind::Pin, rest),
            Grab {
                vertex: 500,
                ..grab(3, true, AttachmentKind::Pin, rest)
            },
        ]);
        params.motion.preset = MotionPreset::Sway;
        for _ in 0..90 {
            simulation.step(&params);
        }
        let now = places(&simulation);
        let wanted = simulation.pose().point(rest + pull);
        let off = strand(&simulation, &now, 50)[12].distance(wanted);
        assert!(off < 0.003, "{id}: the pin is {off} m off");
        let off = strand(&simulation, &now, 20)[12].distance(elsewhere);
        assert!(off < 0.05, "{id}: the hand is {off} m off");
        let free = places(&simulation);
        simulation.set_grabs(Vec::new());
        for _ in 0..90 {
            simulation.step(&params);
        }
        let now = places(&simulation);
        let way = strand(&simulation, &now, 50)[12].distance(strand(&simulation, &free, 50)[12]);
        assert!(way > 0.002, "{id}: let go, it moves: {way} m");
    }
}

/// The largest lengthening of any of a strand's segments.
fn stretch(simulation: &Simulation, places: &[Vec3], index: usize) -> f32 {
    let (rest, now) = (
        simulation.groom().strand(index),
        strand(simulation, places, index),
    );
    let long = |line: &[Vec3], i: usize| line[i].distance(line[i - 1]);
    (1..rest.len())
        .map(|i| long(&now, i) / long(rest, i) - 1.0)
        .fold(0.0, f32::max)
}

#[test]
fn what_is_held_out_of_reach_is_drawn_straight_and_not_longer() {
    for method in SOLVERS.iter() {
        let id = method.id;
        let (mut simulation, params) = ringlets(id, 10);
        let groom = simulation.groom().clone();
        // Away from the head, three times as far as the strand is long.
        let out = |index: usize| {
            let curve = groom.strand(index);
            let way = (curve[0] - Vec3::new(0.0, 0.02, 0.0)).normalize();
            curve[0] + way * 3.0 * edit::length(curve)
        };
        let grab = |strand: usize, vertex, kind| Grab {
            strand,
            vertex,
            place: out(strand),
            on_head: kind == AttachmentKind::Pin,
            kind,
        };
        simulation.set_grabs(vec![
            grab(50, 19, AttachmentKind::Pin),
            grab(20, 12, AttachmentKind::Hand),
            // The middle at its own reach, the tip from there.
            grab(70, 10, AttachmentKind::Pin),
            grab(70, 19, AttachmentKind::Pin),
            // A pin goes before a hand.
            grab(30, 8, AttachmentKind::Pin),
            Grab {
                place: -out(30),
                ..grab(30, 14, AttachmentKind::Hand)
            },
        ]);
        let mut worst: f32 = 0.0;
        for step in 0..120 {
            simulation.step(&params);
            let now = places(&simulation);
            let most = [50, 20, 70, 30].map(|index| stretch(&simulation, &now, index));
            let most = most.into_iter().fold(0.0, f32::max);
            if step >= 30 {
                worst = worst.max(most);
            }
        }
        let shown = simulation.statistics(&params).max_stretch;
        println!("{id}: stretch {worst}, shown {shown}");
        assert!(worst < 0.05, "{id}: stretched by {worst}");
        assert!(shown < 0.05, "{id}: {shown} shown");
        // It is drawn out towards the pin, not left alone and not behind its root.
        let now = places(&simulation);
        let curve = strand(&simulation, &now, 50);
        let way = simulation.pose().rotation * (out(50) - groom.strand(50)[0]).normalize();
        let reached = (curve[19] - curve[0]).dot(way) / edit::length(groom.strand(50));
        println!("{id}: reaches {reached} of its length");
        assert!(reached > 0.93, "{id}: reaches {reached} of its length");
    }
}

#[test]
fn a_hand_takes_its_lock_along_at_once() {
    for method in SOLVERS.iter() {
        let id = method.id;
        let (mut simulation, params) = ringlets(id, 20);
        let start = places(&simulation);
        let tip = strand(&simulation, &start, 50)[15];
        let way = (tip - Vec3::new(0.0, tip.y, 0.0)).normalize() * 0.05;
        simulation.set_grabs(vec![Grab {
            strand: 50,
            vertex: 15,
            place: tip + way,
            on_head: false,
            kind: AttachmentKind::Hand,
        }]);
        let mut left = Vec::new();
        let mut worst: f32 = 0.0;
        for _ in 0..30 {
            simulation.step(&params);
            let now = places(&simulation);
            let here = strand(&simulation, &now, 50)[15];
            left.push(here.distance(tip + way) / 0.05);
            worst = worst.max(stretch(&simulation, &now, 50));
        }
        println!("{id}: left {left:.2?}, stretch {worst:.3}");
        // What hangs below the hand goes along.
        let now = places(&simulation);
        let gone = strand(&simulation, &now, 50)[19] - strand(&simulation, &start, 50)[19];
        let gone = gone.dot(way.normalize()) / 0.05;
        println!("{id}: the tip has gone {gone:.2} of the way");
        assert!(gone > 0.3, "{id}: the tip has gone {gone} of the way");
        // Rods bear as much of a soft hand as their material does.
        let [soon, late] = match ["der", "rod"].contains(&id) {
            true => [0.7, 0.7],
            false => [0.35, 0.2],
        };
        assert!(left[8] < soon, "{id}: after 0.15 s {} is left", left[8]);
        assert!(left[29] < late, "{id}: {} stays left", left[29]);
        assert!(worst < 0.05, "{id}: stretched by {worst}");
    }
}

/// A scene in which some strands are cut and one is pinned.
fn worked() -> (Scene, Handwork) {
    let mut scene = Scene::default();
    scene.roots.strands = 64;
    scene.groom.vertices = 12;
    scene.sim.motion.preset = MotionPreset::None;
    let groom = built_scene::build(&scene).expect("builds").groom;
    let short = |strand| {
        let curve = edit::cut(groom.strand(strand), 0.05)?;
        Some((
            groom.numbers.number(strand),
            EditedCurve::of(curve, &groom, strand),
        ))
    };
    let work = Handwork {
        edits: Edits::default().with([3, 33, 63].into_iter().filter_map(short)),
        pins: [Pin {
            number: groom.numbers.number(10),
            vertex: 11,
            vertices: Some(12),
            place: groom.strand(10)[11] + Vec3::new(0.0, 0.02, 0.0),
        }]
        .into(),
    };
    (scene, work)
}

#[test]
fn a_scene_keeps_what_was_done_by_hand() {
    let (mut scene, work) = worked();
    scene.handwork = work.clone();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bob.toml");
    scene.write(&path).expect("written");
    let mut back = Scene::default();
    back.read(&path).expect("read back");
    assert_eq!(back.handwork.pins, work.pins);

    let stage = built_scene::build(&back).expect("builds");
    let mut simulation = stage.simulation;
    let start = places(&simulation);
    for index in 0..64 {
        let long = edit::length(&strand(&simulation, &start, index));
        let cut = [3, 33, 63].contains(&index);
        assert_eq!((long - 0.05).abs() < 1e-4, cut, "strand {index}: {long} m");
    }
    for _ in 0..120 {
        simulation.step(&back.sim);
    }
    let end = places(&simulation);
    let pinned = strand(&simulation, &end, 10)[11];
    let off = pinned.distance(work.pins[0].place);
    assert!(off < 0.002, "the pin holds: {off} m off");
    let long = edit::length(&strand(&simulation, &end, 33));
    assert!(
        (long - 0.05).abs() < 0.001,
        "short hair stays short: {long}"
    );

    // Reset keeps what was done, too.
    simulation.reset(&back.sim);
    assert_eq!(places(&simulation), start);
}

#[test]
fn work_on_other_hair_is_refused_and_hair_that_grows_elsewhere_is_whole() {
    let (mut scene, work) = worked();
    scene.handwork = work.clone();
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut other = scene.clone();
        change(&mut other);
        let message = built_scene::build(&other)
            .err()
            .expect("refused")
            .to_string();
        assert!(message.contains("[handwork]"), "{message}");
        message
    };
    let elsewhere = refused(&|s| s.roots.seed += 1);
    assert!(elsewhere.contains("is rooted"), "{elsewhere}");
    let pinned = refused(&|s| {
        let pin = Pin {
            vertex: 12,
            ..s.handwork.pins[0]
        };
        s.handwork.pins = [pin].into();
    });
    assert!(
        pinned.contains("is pinned at vertex 12 and has 12"),
        "{pinned}"
    );
    // A scene of before curves were kept as they grew.
    let unknown = |(number, edit): (usize, &EditedCurve)| {
        let grown = None;
        (
            number,
            EditedCurve {
                grown,
                ..edit.clone()
            },
        )
    };
    let unknown = Edits::default().with(work.edits.iter().map(unknown));
    let long = refused(&|s| {
        s.handwork.edits = unknown.clone();
        s.groom.vertices = 14;
    });
    assert!(long.contains("had 12 vertices and has 14"), "{long}");
    let mut before = scene.clone();
    before.handwork.edits = unknown;
    let mut fewer = before.clone();
    fewer.groom.vertices = 10;
    assert_eq!(fewer.drop_handwork(&before), Some(HandworkLoss::Part));
    assert!(fewer.handwork.edits.is_empty() && fewer.handwork.pins == work.pins);

    let mut other = scene.clone();
    other.roots.seed += 1;
    assert_eq!(other.drop_handwork(&scene), Some(HandworkLoss::All));
    assert!(other.handwork.is_empty());
    let mut same = scene.clone();
    same.sim.wind.on = true;
    assert!(same.drop_handwork(&scene).is_none() && same.handwork == work);
}

/// An artist cuts and combs, and then goes on with the sliders of the hairstyle.
#[test]
fn what_was_done_by_hand_stays_when_the_hairstyle_changes() {
    let (mut scene, mut work) = worked();
    let before = built_scene::build(&scene).expect("builds");
    // Combed to the head's left, as far as it goes.
    let combed: Vec<usize> = (20..30).collect();
    let comb = |strand: &usize| {
        let (groom, aside) = (&before.groom, |i| Vec3::X * 0.02 * i as f32);
        let curve = edit::combed(groom.strand(*strand), aside, |_, place| place);
        let edit = EditedCurve::of(curve, groom, *strand);
        (groom.numbers.number(*strand), edit)
    };
    work.edits = work.edits.with(combed.iter().map(comb));
    let pin = Pin {
        vertex: 5,
        ..work.pins[0]
    };
    work.pins = [pin].into();
    scene.handwork = work.clone();
    let aside = |points: &[Vec3]| points[points.len() - 1].x - points[0].x;
    type Change = fn(&mut Scene);
    let changes: [(&str, Change); 6] = [
        ("wider curls", |s| s.groom.curl_radius = 0.014),
        ("no curls", |s| s.groom.curl_radius = 0.0),
        ("more vertices", |s| s.groom.vertices = 40),
        ("volume", |s| s.groom.volume = 0.05),
        ("coils", |s| take_style(s, &STYLES[3])),
        ("other locks", |s| s.groom.locks = 20),
    ];
    for (name, change) in changes {
        let mut other = scene.clone();
        change(&mut other);
        assert_eq!(other.drop_handwork(&scene), None, "{name}");
        let stage = built_scene::build(&other).expect("builds");
        let (groom, edits) = (&stage.groom, &other.handwork.edits);
        for strand in [3, 33, 63] {
            let curve = edits.curve(groom, strand, &stage.body.grid).expect("cut");
            let was = share_of_path(before.groom.strand(strand), 0.05);
            let is = share_of_path(groom.strand(strand), edit::length(&curve));
            assert!((is - was).abs() < 0.02, "{name}: {is} left, {was} before");
        }
        for strand in &combed {
            let curve = edits
                .curve(groom, *strand, &stage.body.grid)
                .expect("combed");
            let (grows, lies) = (aside(groom.strand(*strand)), aside(&curve));
            let long = groom.length(*strand);
            assert!(
                lies > grows + 0.2 * long || lies > 0.6 * long,
                "{name}: {lies}, grows {grows}, {long} m long"
            );
        }
        // The pin holds the same share of its strand.
        let grab = other.handwork.grabs(groom).next().expect("pinned");
        let last = (groom.strand(grab.strand).len() - 1) as f64;
        let wanted = (last * 5.0 / 11.0).round() as usize;
        assert_eq!(grab.vertex, wanted, "{name}");
    }

    // Hair that is tied lies in another way; it is as short as before.
    let mut tied = scene.clone();
    tied.groom.tie = TieStyle::Ponytail;
    assert_eq!(tied.drop_handwork(&scene), Some(HandworkLoss::Combing));
    assert_eq!(tied.handwork.edits.len(), 3);
    assert!(tied.handwork.pins.is_empty());
    let stage = built_scene::build(&tied).expect("builds");
    for strand in [3, 33, 63] {
        let (groom, edits) = (&stage.groom, &tied.handwork.edits);
        let curve = edits.curve(groom, strand, &stage.body.grid).expect("cut");
        let is = edit::length(&curve) / edit::length(groom.strand(strand));
        let was = share_of_path(before.groom.strand(strand), 0.05);
        assert!((is - was).abs() < 0.02, "tied: {is} left, {was} before");
    }
}

#[test]
fn what_was_done_by_hand_stays_while_hair_is_planted_and_thinned_out() {
    let (mut scene, work) = worked();
    scene.handwork = work.clone();
    let before = built_scene::build(&scene).expect("builds");
    let cut = |scene: &Scene| {
        let stage = built_scene::build(scene).expect("builds");
        let start = places(&stage.simulation);
        let short = |strand: &usize| {
            let line = self::strand(&stage.simulation, &start, *strand);
            (edit::length(&line) - 0.05).abs() < 1e-4
        };
        let numbers = &stage.groom.numbers;
        let strands = (0..stage.groom.strands()).filter(short);
        let mut cut: Vec<usize> = strands.map(|strand| numbers.number(strand)).collect();
        cut.sort_unstable();
        (cut, stage)
    };
    let mut all: Vec<usize> = work.edits.iter().map(|(number, _)| number).collect();
    all.sort_unstable();

    // More of it between: the same strands are short, wherever they lie now.
    let mut denser = scene.clone();
    denser.roots.strands = 96;
    assert_eq!(denser.drop_handwork(&scene), None);
    let (short, stage) = cut(&denser);
    assert_eq!(short, all);
    let pin = work.pins[0].number;
    let moved = stage.groom.strand_numbered(pin).expect("grows");
    assert_eq!(
        stage.groom.strand(moved)[0],
        before.groom.strand(10)[0],
        "the pinned strand"
    );

    // Half of it, and all of it again: what is thinned out waits.
    let mut thin = scene.clone();
    thin.roots.strands = 24;
    assert_eq!(thin.drop_handwork(&scene), None);
    let (left, _) = cut(&thin);
    let few: Vec<usize> = all.iter().copied().filter(|n| *n < 24).collect();
    assert_eq!(left, few);
    let mut again = thin.clone();
    again.roots.strands = 64;
    assert_eq!(again.drop_handwork(&thin), None);
    assert_eq!(cut(&again).0, all);

    // Hair that grows half as long was cut there, too.
    let mut short = scene.clone();
    short.groom.length *= 0.5;
    assert_eq!(short.drop_handwork(&scene), None);
    let stage = built_scene::build(&short).expect("builds");
    let start = places(&stage.simulation);
    for (number, edit) in work.edits.iter() {
        let strand = stage.groom.strand_numbered(number).expect("grows");
        let long = edit::length(&self::strand(&stage.simulation, &start, strand));
        let is = share_of_path(stage.groom.strand(strand), long);
        let was = share_of_path(edit.grown.as_ref().expect("known"), 0.05);
        assert!((is - was).abs() < 0.02, "{number}: {is} left, {was} before");
        assert!(
            (edit.length / scene.groom.length - 1.0).abs() < 1e-5,
            "{number}"
        );
    }
}

/// The share of a strand's edges before the place so far along it. `[m]`
fn share_of_path(points: &[Vec3], along: f32) -> f32 {
    let mut left = along;
    for (edge, ends) in points.windows(2).enumerate() {
        let long = ends[0].distance(ends[1]);
        if left < long {
            return (edge as f32 + left / long) / (points.len() - 1) as f32;
        }
        left -= long;
    }
    1.0
}

/// Hands hold the same vertex of two strands of a block.
#[test]
fn a_hand_does_not_feel_another_hand() {
    for method in SOLVERS.iter() {
        let pull = |strands: &[usize]| {
            let (mut simulation, params) = ringlets(method.id, 5);
            let now = places(&simulation);
            let grab = |strand: &usize| Grab {
                strand: *strand,
                vertex: 12,
                place: now[simulation.groom().range(*strand)][12] + Vec3::new(0.02, 0.01, 0.03),
                on_head: false,
                kind: AttachmentKind::Hand,
            };
            simulation.set_grabs(strands.iter().map(grab).collect());
            // Neighbours meet in the grid and in locks from the second step on.
            simulation.step(&params);
            [3, 9].map(|index| strand(&simulation, &places(&simulation), index))
        };
        let [none, one, both] = [&[][..], &[3], &[3, 7]].map(pull);
        assert_eq!(one, both, "{}", method.id);
        assert!(one[0] != none[0] && one[1] == none[1], "{}", method.id);
    }
}
