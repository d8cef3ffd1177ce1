//! Strokes of a hand that works on both sides of the head.

use super::*;
use crate::{
    groom::{
        edit::{self, EditedCurve},
        ragged::RAGGED_REACH,
    },
    project::scene::Scene,
    ui::{brush::SPARED, command::Command, pick_ray, tool::Tool},
};
use egui::{Pos2, Rect, pos2, vec2};
use glam::Vec3;
use std::collections::BTreeMap;

const RECT: Rect = Rect {
    min: Pos2::ZERO,
    max: pos2(800.0, 600.0),
};

/// A program with hair at rest, seen from the front, whose hand works on both sides.
fn mirrored(tool: Tool) -> AppState {
    let mut scene = Scene::default();
    scene.roots.strands = 1500;
    scene.groom.vertices = 12;
    scene.hand.mirror = true;
    scene.hand.radius = 0.02;
    (scene.hand.grow, scene.hand.lift) = (0.02, 0.02);
    scene.camera.yaw = 0.0;
    let mut program = AppState::new(scene, Some(1), || ()).expect("a thread");
    program.session.pause();
    program.wait("hair", |p| p.session.positions(Side::A).is_some());
    program.perform(Command::Tool(tool));
    program
}

fn sight(program: &AppState, p: Vec3) -> PickRay {
    let camera = &program.ui.camera;
    let matrix = camera.projection(RECT.aspect_ratio()) * camera.view();
    let ndc = matrix.project_point3(p);
    let part = vec2(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y);
    PickRay::new(camera, RECT, RECT.min + part * RECT.size())
}

/// A place of the hair before the head's left, where the eye sees it.
fn seen(program: &AppState) -> Vec3 {
    let groom = program.session.built().expect("hair").groom.clone();
    let points = program.session.positions(Side::A).expect("places");
    let strands = (0..groom.strands()).map(|strand| points[groom.range(strand)][6]);
    let aside = strands.filter(|p| (0.05..0.09).contains(&p.x));
    let look = &program.document.scene().look;
    let under = |p: &Vec3| {
        let sight = sight(program, *p);
        pick_ray::strand(&program.session, look, Side::A, &sight)
    };
    let mut seen = aside.filter(|p| under(p).is_some());
    seen.next().expect("a strand")
}

fn stroke(program: &mut AppState, from: Vec3, by: Vec3, pinned: bool) {
    let begin = sight(program, from);
    assert!(program.grab(Side::A, &begin), "there is hair");
    for step in 1..=4 {
        let to = sight(program, from + by * (0.25 * step as f32));
        program.drag(&to);
    }
    program.let_go(pinned);
    program.release();
    program.wait("the stroke", |p| p.ui.hand.strokes.is_idle());
}

/// How the curves of strands changed whose roots are on the head's right and left: how many,
/// how far the tips went to the left on average, and what is left of their length.
fn changed(program: &AppState) -> [(usize, f32, f32); 2] {
    let built = program.session.built().expect("hair");
    let mut sums = [(0, 0.0, 0.0); 2];
    for (number, edit) in program.document.scene().handwork.edits.iter() {
        let strand = built.groom.strand_numbered(number).expect("its strand");
        let grown = built.groom.strand(strand);
        let sum = &mut sums[usize::from(grown[0].x > 0.0)];
        let length = crate::groom::edit::length;
        sum.0 += 1;
        sum.1 += edit.curve[11].x - grown[11].x;
        sum.2 += length(&edit.curve) / length(grown);
    }
    sums.map(|(n, way, left)| (n, way / n.max(1) as f32, left / n.max(1) as f32))
}

#[test]
fn scissors_comb_and_brushes_work_on_both_sides_as_one_entry_to_undo() {
    for tool in [Tool::Cut, Tool::Comb, Tool::Smooth, Tool::Grow, Tool::Lift] {
        let mut program = mirrored(tool);
        let place = seen(&program);
        let by = Vec3::new(0.03, 0.0, 0.0);
        stroke(&mut program, place, by, false);
        let [right, left] = changed(&program);
        assert!(right.0 > 2 && left.0 > 2, "{tool:?}: {right:?}, {left:?}");
        match tool {
            Tool::Cut => assert!(right.2 < 0.95 && left.2 < 0.95, "{right:?}, {left:?}"),
            Tool::Grow => assert!(right.2 > 1.05 && left.2 > 1.05, "{right:?}, {left:?}"),
            Tool::Smooth => {
                let kept = |side: (usize, f32, f32)| (side.2 - 1.0).abs() < 1e-5;
                assert!(kept(right) && kept(left), "{right:?}, {left:?}");
            }
            Tool::Lift => assert!(left.1 > 0.001 && right.1 < -0.001, "{right:?}, {left:?}"),
            _ => assert!(left.1 > 0.002 && right.1 < -0.002, "{right:?}, {left:?}"),
        }
        let done = program.document.scene().handwork.edits.clone();
        program.perform(Command::Undo);
        assert!(program.document.scene().handwork.is_empty(), "{tool:?}");
        assert!(!program.document.history().can_undo(), "{tool:?}");
        program.perform(Command::Redo);
        assert!(program.document.scene().handwork.edits == done, "{tool:?}");
        program.perform(Command::Undo);
        // And on one side alone.
        program.perform(Command::Toggle("hand.mirror"));
        stroke(&mut program, place, by, false);
        let [right, left] = changed(&program);
        assert!(left.0 > 2 && right.0 == 0, "{tool:?}: {right:?}, {left:?}");
    }
}

#[test]
fn hair_is_pulled_and_pinned_on_both_sides_and_no_strand_twice() {
    let mut program = mirrored(Tool::Pull);
    let place = seen(&program);
    let begin = sight(&program, place);
    assert!(program.grab(Side::A, &begin));
    let to = sight(&program, place + Vec3::new(0.03, 0.0, 0.0));
    program.drag(&to);
    let pulled = program.ui.hand.pulled().expect("in the hand");
    let mut strands: Vec<usize> = pulled.iter().map(|pulled| pulled.strand).collect();
    let there = pulled.iter().filter(|p| p.mirrored.is_some()).count();
    assert!(
        there > 0 && there < strands.len(),
        "{there} of {}",
        strands.len()
    );
    strands.sort_unstable();
    strands.dedup();
    assert_eq!(strands.len(), pulled.len(), "no strand twice");
    // The hair here goes to the head's left, that there to its right.
    let mut ways = [(0.0, 0.0); 2];
    for (pulled, grab) in pulled.iter().zip(program.ui.hand.held()) {
        let sum = &mut ways[usize::from(pulled.mirrored.is_some())];
        *sum = (sum.0 + (grab.place - pulled.from).x, sum.1 + pulled.share);
    }
    let [left, right] = ways.map(|(way, shares)| way / shares);
    assert!(left > 0.01 && right < -0.01, "{left} and {right} m");
    program.let_go(true);
    let pins = program.document.scene().handwork.pins.clone();
    assert_eq!(pins.len(), strands.len());
    assert!(
        pins.iter().any(|pin| pin.place.x > 0.03) && pins.iter().any(|pin| pin.place.x < -0.03)
    );
}

/// How long each strand is that was worked on. `[m]`
fn lengths(program: &AppState) -> BTreeMap<usize, f32> {
    let edits = &program.document.scene().handwork.edits;
    let length = |(number, edit): (usize, &EditedCurve)| (number, edit::length(&edit.curve));
    edits.iter().map(length).collect()
}

#[test]
fn ragged_scissors_leave_more_of_each_strand_and_do_not_eat_it_up() {
    let mut program = mirrored(Tool::Cut);
    let place = seen(&program);
    let by = Vec3::new(0.03, 0.0, 0.0);
    stroke(&mut program, place, by, false);
    let even = lengths(&program);
    let mut program = mirrored(Tool::Cut);
    program.change(|scene| scene.hand.ragged = 100.0);
    stroke(&mut program, place, by, false);
    let ragged = lengths(&program);
    assert!(
        ragged.len() > 10 && ragged.len() <= even.len(),
        "{} of {}",
        ragged.len(),
        even.len()
    );
    // An end of up to SPARED is left on; strands of few vertices are measured anew, too.
    let most = RAGGED_REACH + SPARED + 3e-3;
    let mut more = Vec::new();
    for (number, long) in &ragged {
        let left = long - even[number];
        assert!((-2e-4..most).contains(&left), "{number}: {left} m");
        more.push(left);
    }
    more.sort_by(f32::total_cmp);
    let spread = more[more.len() - 1] - more[0];
    assert!(spread > 0.3 * RAGGED_REACH, "each elsewhere: {spread} m");
    // Strands of few vertices are measured anew when they are cut, a few millimetres shorter;
    // the hair moves a little meanwhile.
    let lost = |now: &BTreeMap<usize, f32>| {
        let lost = ragged.iter().map(|(number, long)| long - now[number]);
        lost.sum::<f32>() / ragged.len() as f32
    };
    let mut after = Vec::new();
    for _ in 0..4 {
        stroke(&mut program, place, by, false);
        after.push(lost(&lengths(&program)));
    }
    assert!(after[3] < 0.15 * RAGGED_REACH, "{after:?} m on average");
    assert!(after[3] - after[2] < 5e-4, "it ends: {after:?} m");
}

#[test]
fn a_way_smooths_as_much_in_many_moves_as_in_few() {
    let bent = |moves: u32| {
        let mut program = mirrored(Tool::Smooth);
        let place = seen(&program);
        let begin = sight(&program, place);
        assert!(program.grab(Side::A, &begin), "there is hair");
        for step in 1..=moves {
            let by = Vec3::new(0.028 * step as f32 / moves as f32, 0.0, 0.0);
            program.drag(&sight(&program, place + by));
        }
        program.let_go(false);
        program.wait("the stroke", |p| p.ui.hand.strokes.is_idle());
        let groom = program.session.built().expect("hair").groom.clone();
        let edits = program.document.scene().handwork.edits.clone();
        let moved = |(number, edit): (usize, &EditedCurve)| {
            let strand = groom.strand_numbered(number).expect("its strand");
            let moved = groom.strand(strand).iter().zip(edit.curve.iter());
            moved.map(|(a, b)| a.distance(*b)).sum::<f32>()
        };
        edits.iter().map(moved).sum::<f32>()
    };
    let (few, many) = (bent(2), bent(14));
    assert!((0.8..1.25).contains(&(many / few)), "{many} m and {few} m");
}

#[test]
fn smoothed_hair_is_in_the_scene_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("smooth.toml");
    let mut program = mirrored(Tool::Smooth);
    program.change(|scene| {
        scene.hand.smooth = 0.8;
        scene.hand.smooth_curls = 0.25;
        scene.hand.ragged = 40.0;
    });
    let place = seen(&program);
    stroke(&mut program, place, Vec3::new(0.03, 0.0, 0.0), false);
    program.perform(Command::Save(file.clone()));
    program.wait("the file", |p| p.document.title() == "smooth - Lovelock");
    let mut saved = Scene::default();
    saved.read(&file).expect("good");
    let scene = program.document.scene();
    assert_eq!(saved.hand, scene.hand);
    let (back, edits) = (&saved.handwork.edits, &scene.handwork.edits);
    assert!(edits.len() > 4 && back.len() == edits.len());
    for ((n, a), (m, b)) in back.iter().zip(edits.iter()) {
        let off = a
            .curve
            .iter()
            .zip(b.curve.iter())
            .map(|(a, b)| a.distance(*b));
        assert!(n == m && off.fold(0.0, f32::max) < 1e-6);
    }
}
