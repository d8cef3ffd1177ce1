//! Files that are chosen again.

use super::*;
use std::{
    fs,
    time::{Duration, SystemTime},
};

fn strands(program: &AppState) -> usize {
    let built = program.session.built();
    built.map_or(0, |built| built.groom.strands())
}

/// Writes a map that is that bright all over, some seconds later than the last one.
fn write_map(path: &Path, bright: u8, later: u64) {
    let picture = image::GrayImage::from_pixel(4, 4, image::Luma([bright]));
    picture.save(path).expect("written");
    touch(path, later);
}

fn touch(path: &Path, later: u64) {
    let file = fs::File::options().write(true).open(path);
    let time = SystemTime::now() + Duration::from_secs(later);
    file.and_then(|file| file.set_modified(time))
        .expect("a time");
}

/// Makes the head in a file wider.
fn widen(head: &Path) {
    let text = fs::read_to_string(head).expect("reads");
    let wider = |line: &str| match line.strip_prefix("v ") {
        Some(rest) => {
            let (x, rest) = rest.split_once(' ').expect("three numbers");
            let x: f32 = x.parse().expect("a number");
            format!("v {} {rest}\n", 1.2 * x)
        }
        None => format!("{line}\n"),
    };
    fs::write(head, text.lines().map(wider).collect::<String>()).expect("written");
}

#[test]
fn a_map_a_head_and_a_groom_that_are_chosen_again_are_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = AppState::small();
    program.wait("hair", |p| strands(p) == 10);
    let map = folder.path().join("map.png");
    write_map(&map, 255, 1);
    let place = program.document.scene().place("roots.density_map");
    let place = place.expect("a tunable");
    program.perform(Command::File(place, map.clone()));
    let stands = |p: &AppState| {
        let built = p.session.built();
        built.is_some_and(|built| built.scene.grows_like(p.document.scene()))
    };
    program.wait("all of the hair", stands);
    assert_eq!(strands(&program), 10);
    let before = program.document.scene().clone();
    write_map(&map, 128, 9);
    program.perform(Command::File(place, map));
    program.wait("half of the hair", |p| strands(p) < 8);
    assert_eq!(*program.document.scene(), before, "it names what it did");
    program.perform(Command::Undo);
    program.wait("hair without a map", |p| stands(p) && strands(p) == 10);

    let head = folder.path().join("head.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    fs::copy(built_in, &head).expect("copies");
    program.perform(Command::Head(head.clone()));
    program.wait("the head", |p| {
        stands(p) && !p.document.scene().head.file.is_empty()
    });
    let wide = |p: &AppState| p.session.bounds()[1].x - p.session.bounds()[0].x;
    let was = wide(&program);
    program.change(|scene| scene.head.turn = 90.0);
    program.wait("the head aside", stands);
    program.change(|scene| scene.head.turn = 0.0);
    program.wait("the head ahead", stands);
    widen(&head);
    program.perform(Command::Head(head));
    program.wait("the wider head", |p| wide(p) > 1.1 * was);

    let groom = folder.path().join("hair.obj");
    let one = "v 0 0.12 0\nv 0 0.16 0\nl 1 2\n";
    fs::write(&groom, one).expect("written");
    program.perform(Command::Groom(groom.clone()));
    program.wait("one strand", |p| strands(p) == 1);
    let two = format!("{one}v 0.01 0.12 0\nv 0.01 0.16 0\nl 3 4\n");
    fs::write(&groom, two).expect("written");
    program.perform(Command::Groom(groom));
    program.wait("two strands", |p| strands(p) == 2);
}

#[test]
fn hand_work_on_a_head_that_is_read_again_stays_where_it_fits_and_is_carried_where_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = folder.path().join("head.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    fs::copy(built_in, &head).expect("copies");
    let mut program = AppState::small();
    program.wait("hair", |p| strands(p) == 10);
    program.perform(Command::Head(head.clone()));
    let generation = |p: &AppState| p.session.built().map_or(0, |built| built.generation);
    let settled = |p: &AppState| {
        let idle = p.session.jobs().list().is_empty();
        idle && p.ui.hand.carry.waiting().is_none()
    };
    program.wait("the head", |p| {
        settled(p) && !p.document.scene().head.file.is_empty() && generation(p) > 1
    });
    let groom = program.session.built().expect("hair").groom.clone();
    let cut = |strand: usize| {
        let grown = groom.strand(strand);
        let curve = crate::groom::edit::cut(grown, 0.03).expect("is shorter");
        let edit = crate::groom::edit::EditedCurve::of(curve, &groom, strand);
        (groom.numbers.number(strand), edit)
    };
    program.change(|scene| {
        scene.handwork.edits = scene.handwork.edits.with((0..5).map(cut));
    });
    let before = program.document.scene().clone();
    let now = generation(&program);
    program.perform(Command::Head(head.clone()));
    program.wait("the same head", |p| generation(p) > now && settled(p));
    assert_eq!(*program.document.scene(), before, "nothing has changed");
    widen(&head);
    let now = generation(&program);
    program.perform(Command::Head(head));
    program.wait("another head in the file", |p| {
        generation(p) > now && settled(p)
    });
    let scene = program.document.scene();
    assert!(!scene.handwork.edits.is_empty());
    let groom = &program.session.built().expect("hair").groom;
    assert!(scene.handwork.fits(groom).is_ok());
}
