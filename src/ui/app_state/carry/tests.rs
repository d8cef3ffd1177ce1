//! Hand work goes along to other hair.

use super::*;
use crate::{
    groom::edit::{self, EditedCurve},
    param::Value,
    project::sides::Side,
    sim::hand::Pin,
    ui::{
        command::Command,
        hand::drag::{HandDrag, PulledStrand},
        pick_ray::PickRay,
    },
};
use egui::{Rect, pos2, vec2};
use std::{fs, path::PathBuf};

/// Whether the hair of the scene is there, and nothing is under way.
fn settled(program: &AppState) -> bool {
    let built = program.session.built();
    let stands = built.is_some_and(|built| built.scene.grows_like(program.document.scene()));
    stands && program.session.jobs().list().is_empty() && program.ui.hand.carry.waiting().is_none()
}

/// A program with hair of which half of the strands are cut, and one is pinned.
fn worked() -> AppState {
    let mut program = AppState::small();
    program.wait("hair", |p| p.session.positions(Side::A).is_some());
    let groom = program.session.built().expect("hair").groom.clone();
    let cut = |strand: usize| {
        let grown = groom.strand(strand);
        let curve = edit::cut(grown, 0.5 * edit::length(grown)).expect("is shorter");
        let edit = EditedCurve::of(curve, &groom, strand);
        (groom.numbers.number(strand), edit)
    };
    let pin = Pin {
        number: groom.numbers.number(1),
        vertex: 2,
        vertices: Some(4),
        place: groom.strand(1)[2],
    };
    program.change(|scene| {
        scene.handwork.edits = scene.handwork.edits.with((0..5).map(cut));
        scene.handwork.pins = [pin].into();
    });
    program
}

fn other_head(folder: &tempfile::TempDir) -> PathBuf {
    let head = folder.path().join("other.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    fs::copy(built_in, &head).expect("copies");
    head
}

#[test]
fn hand_work_goes_along_to_another_head_as_part_of_that_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = other_head(&folder);
    let mut program = worked();
    let before = program.document.scene().clone();
    // But for the camera, which frames each head.
    let alike = |a: &Scene, b: &Scene| a.grows_like(b) && a.handwork == b.handwork;
    for choose in [Command::Head(head.clone()), Command::Rebind(head)] {
        program.perform(choose.clone());
        program.wait("the other head", |p| {
            settled(p) && p.document.scene().head.file.ends_with("other.obj")
        });
        let there = program.document.scene().clone();
        assert_eq!(there.handwork.edits.len(), 5, "{choose:?}");
        assert_eq!(there.handwork.pins.len(), 1, "{choose:?}");
        let built = program.session.built().expect("hair");
        assert!(there.handwork.fits(&built.groom).is_ok());
        program.perform(Command::Undo);
        assert!(alike(program.document.scene(), &before), "{choose:?}");
        program.wait("the old head", settled);
        assert!(alike(program.document.scene(), &before), "{choose:?}");
        program.perform(Command::Redo);
        assert!(alike(program.document.scene(), &there), "{choose:?}");
        program.wait("the other head again", settled);
        assert!(alike(program.document.scene(), &there), "{choose:?}");
        program.perform(Command::Undo);
        program.wait("the old head", settled);
    }
}

#[test]
fn a_head_that_is_sized_to_and_fro_leaves_no_trace_on_hand_work() {
    let mut program = worked();
    let before = program.document.scene().clone();
    let place = before.place("head.scale").expect("a tunable");
    for (scale, held) in [(1.1, true), (1.3, true), (1.0, false)] {
        program.perform(Command::Set {
            place,
            value: Value::Float(scale),
            held,
        });
        program.wait("the head", settled);
        assert_eq!(program.document.scene().handwork.edits.len(), 5, "{scale}");
    }
    let after = program.document.scene().clone();
    assert!(after.grows_like(&before));
    assert!(
        after
            .handwork
            .edits
            .unlike(&before.handwork.edits)
            .is_empty()
    );
    // Several sizes that came while hair was built for none of them.
    for scale in [1.2, 1.4] {
        program.perform(Command::Set {
            place,
            value: Value::Float(scale),
            held: false,
        });
    }
    program.wait("the head", settled);
    assert_eq!(program.document.scene().handwork.edits.len(), 5);
    assert_eq!(program.document.scene().handwork.pins.len(), 1);
    // The first of both never had what came along to the second.
    program.perform(Command::Undo);
    assert!(program.document.scene().handwork.is_empty());
    program.wait("the first size", settled);
    assert_eq!(program.document.scene().handwork.edits.len(), 5);
    assert_eq!(program.document.scene().handwork.pins.len(), 1);
}

#[test]
fn other_roots_take_hand_work_over_and_other_hair_drops_it() {
    let mut program = worked();
    program.change(|scene| scene.roots.seed += 1);
    program.wait("other roots", settled);
    let work = &program.document.scene().handwork;
    assert!(!work.edits.is_empty() && work.pins.len() == 1);
    let folder = tempfile::tempdir().expect("a folder");
    let groom = folder.path().join("hair.obj");
    fs::write(&groom, "v 0 0.12 0\nv 0 0.16 0\nl 1 2\n").expect("written");
    while program.ui.toasts.dismiss() {}
    program.perform(Command::Groom(groom));
    program.wait("other hair", |p| {
        settled(p) && !p.document.scene().import.file.is_empty()
    });
    assert!(program.document.scene().handwork.is_empty());
    program.perform(Command::Undo);
    program.wait("the hair before", settled);
    assert!(!program.document.scene().handwork.is_empty());
}

/// Other hair is wanted by the time that hand work has been carried.
#[test]
fn what_was_carried_to_hair_that_is_not_wanted_any_more_goes_on_to_what_is() {
    let mut program = worked();
    let work = program.document.scene().handwork.clone();
    let generation = program.session.built().expect("hair").generation;
    program.change(|scene| scene.head.scale = 1.2);
    program.take_carried(generation, work);
    let waits = |program: &AppState| program.ui.hand.carry.waiting().is_some();
    assert!(program.document.scene().handwork.is_empty() && waits(&program));
    program.wait("the head", settled);
    let work = &program.document.scene().handwork;
    assert_eq!((work.edits.len(), work.pins.len()), (5, 1));
    let built = program.session.built().expect("hair");
    assert!(work.fits(&built.groom).is_ok());
}

#[test]
fn undo_and_redo_of_something_else_leave_what_waits_and_redo_lets_it_wait_anew() {
    let mut program = worked();
    let work = program.document.scene().handwork.clone();
    let waits = |program: &AppState| program.ui.hand.carry.waiting().is_some();
    program.change(|scene| scene.head.scale = 1.2);
    program.perform(Command::Redo);
    assert!(waits(&program), "there was nothing to redo");
    program.change(|scene| scene.sim.wind.on ^= true);
    program.perform(Command::Undo);
    assert!(waits(&program), "the wind is no hair");
    program.perform(Command::Undo);
    assert!(!waits(&program) && program.document.scene().handwork == work);
    program.perform(Command::Redo);
    assert!(waits(&program) && program.document.scene().handwork.is_empty());
    program.wait("the head", settled);
    let carried = &program.document.scene().handwork;
    assert_eq!((carried.edits.len(), carried.pins.len()), (5, 1));
    program.perform(Command::Undo);
    assert!(program.document.scene().handwork == work);
}

#[test]
fn what_waits_is_dropped_where_hair_of_a_file_is_chosen_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let groom = folder.path().join("hair.obj");
    let mut program = worked();
    let root = program.session.built().expect("hair").groom.strand(1)[0];
    // Right at the root of a strand that is worked on.
    let [x, y, z] = root.to_array();
    let text = format!("v {x} {y} {z}\nv {x} {} {z}\nl 1 2\n", y + 0.04);
    fs::write(&groom, text).expect("written");
    program.change(|scene| scene.head.scale = 1.2);
    program.change(|scene| {
        scene.head.scale = 1.0;
        scene.import.file = groom.display().to_string();
    });
    program.wait("other hair", settled);
    assert!(program.document.scene().handwork.is_empty());
    assert!(program.ui.toasts.dismiss(), "it is told");
}

#[test]
fn a_scene_is_saved_once_hand_work_has_come_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = folder.path().join("mine.toml");
    let mut program = worked();
    program.keep_in(Some(&folder.path().join("state")));
    program.change(|scene| scene.head.scale = 1.2);
    assert!(program.document.autosave_due().is_some());
    program.perform(Command::Save(mine.clone()));
    assert!(program.ui.saving.is_none(), "the scene lacks hand work");
    assert!(program.autosave_due().is_none(), "nor is that kept");
    program.wait("the file", |p| p.document.title() == "mine - Lovelock");
    let mut saved = Scene::default();
    saved.read(&mine).expect("good");
    let work = &saved.handwork;
    assert_eq!((work.edits.len(), work.pins.len()), (5, 1));
}

#[test]
fn a_pin_that_is_set_while_others_come_along_costs_none_of_them() {
    let mut program = worked();
    let groom = program.session.built().expect("hair").groom.clone();
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
    let sight = PickRay::new(&program.ui.camera, rect, rect.center());
    let pulled = PulledStrand {
        strand: 3,
        vertex: 2,
        from: groom.strand(3)[2],
        share: 1.0,
        mirrored: None,
    };
    program.change(|scene| scene.head.scale = 1.2);
    program.ui.hand.drag = Some(HandDrag::begin(Side::A, &sight, 0.5, vec![pulled]));
    program.let_go(true);
    assert!(program.document.scene().handwork.is_empty());
    program.wait("the head", settled);
    let work = &program.document.scene().handwork;
    assert_eq!((work.edits.len(), work.pins.len()), (5, 1));
}

#[test]
fn hair_of_a_file_that_lies_well_goes_along_to_another_head() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = AppState::small();
    program.wait("hair", settled);
    let groom = program.session.built().expect("hair").groom.clone();
    // The format of Yuksel et al. 2009: how many strands, and of each its points.
    let mut bytes = (groom.strands() as i32).to_le_bytes().to_vec();
    for strand in 0..groom.strands() {
        let points = groom.strand(strand);
        bytes.extend((points.len() as i32).to_le_bytes());
        bytes.extend(
            points
                .iter()
                .flat_map(|p| p.to_array())
                .flat_map(f32::to_le_bytes),
        );
    }
    let file = folder.path().join("hair.data");
    fs::write(&file, bytes).expect("written");
    program.perform(Command::Groom(file));
    program.wait("the groom", |p| {
        settled(p) && p.session.built().is_some_and(|built| built.bound.is_some())
    });

    // A head that is larger by a tenth.
    let head = folder.path().join("larger.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    let text = fs::read_to_string(built_in).expect("reads");
    let larger = text.lines().map(|line| match line.strip_prefix("v ") {
        Some(place) => {
            let scaled = place.split_whitespace().map(|number| {
                let number: f32 = number.parse().expect("a number");
                format!(" {}", 1.1 * number)
            });
            format!("v{}\n", scaled.collect::<String>())
        }
        None => format!("{line}\n"),
    });
    fs::write(&head, larger.collect::<String>()).expect("written");
    program.perform(Command::Head(head));
    program.wait("the larger head", |p| {
        settled(p) && p.document.scene().head.file.ends_with("larger.obj")
    });
    assert!(!program.document.scene().import.head.is_empty());
    let bound = program
        .session
        .built()
        .and_then(|built| built.bound.clone());
    let off = bound.expect("hair of a file").mean_distance;
    assert!(off < 1e-3, "{off}");
    assert!(program.ui.toasts.shows("The hair is carried along"));
}
