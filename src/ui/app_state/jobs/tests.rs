//! Jobs as the program uses them.

use super::*;
use crate::{
    param::Value,
    project::{
        export::{ExportOptions, ExportStrands, ExportUp, LengthUnit},
        sides::Side,
    },
    ui::{
        command::{Answer, Command},
        pick_ray::PickRay,
        tool::Tool,
    },
};
use egui::{Rect, pos2, vec2};
use std::{
    path::{Path, PathBuf},
    sync::mpsc::{Sender, channel},
    time::Duration,
};

/// A program with hair, and a folder.
fn start() -> (AppState, tempfile::TempDir) {
    let mut program = AppState::small();
    program.wait("hair", |p| p.session.positions(Side::A).is_some());
    (program, tempfile::tempdir().expect("a folder"))
}

/// Nothing else is done in that queue until somebody tells.
fn block(program: &mut AppState, queue: Queue) -> Sender<()> {
    let (go, wait_for_go) = channel();
    program.start(queue, "Blocking".into(), move |_| {
        wait_for_go.recv().expect("somebody tells");
        Err(Cancelled)
    });
    go
}

fn last(program: &AppState) -> u64 {
    program.session.jobs().list().last().expect("a job").number
}

fn idle(program: &AppState) -> bool {
    program.session.jobs().list().is_empty()
}

fn scene(folder: &Path, name: &str, strands: u32) -> PathBuf {
    let path = folder.join(name);
    let mut scene = Scene::default();
    scene.roots.strands = strands;
    scene.groom.vertices = 5;
    scene.write(&path).expect("writes");
    path
}

#[test]
fn a_scene_is_there_when_its_hair_is_and_not_before() {
    let (mut program, folder) = start();
    let before = program.document.scene().clone();
    let go = block(&mut program, Queue::Files);
    let first = scene(folder.path(), "first.toml", 20);
    let second = scene(folder.path(), "second.toml", 30);
    program.perform(Command::Open(first));
    assert!(program.session.is_building() && *program.document.scene() == before);
    // Of two, the newer one counts.
    program.perform(Command::Open(second));
    go.send(()).expect("it waits");
    program.wait("the scene", |p| p.document.scene().roots.strands == 30);
    let strands = |p: &AppState| p.session.built().map_or(0, |built| built.groom.strands());
    program.wait("its hair", |p| strands(p) == 30);
    assert!(!program.session.is_building());
    // One entry to undo, and it is never built twice.
    program.perform(Command::Undo);
    assert_eq!(*program.document.scene(), before);
    program.wait("the old hair", |p| strands(p) == 10);
}

#[test]
fn what_fails_or_is_cancelled_leaves_everything_as_it_was() {
    let (mut program, folder) = start();
    let before = program.document.scene().clone();
    let wrong = folder.path().join("wrong.toml");
    std::fs::write(&wrong, "version = 1\n[head]\nfile = \"none.obj\"\n").expect("writes");
    program.perform(Command::Open(wrong));
    program.wait("the failure", idle);
    program.perform(Command::Head(folder.path().join("none.obj")));
    program.wait("the failure", idle);
    assert!(*program.document.scene() == before && !program.session.is_building());
    assert!(!program.document.history().can_undo());

    let go = block(&mut program, Queue::Files);
    let path = scene(folder.path(), "a.toml", 20);
    program.perform(Command::Open(path.clone()));
    program.perform(Command::CancelJob(last(&program)));
    let drawn = ExportOptions {
        strands: ExportStrands::All,
        unit: LengthUnit::Cm,
        up: ExportUp::Z,
        head: true,
    };
    program.perform(Command::Export(folder.path().join("a.usda"), drawn));
    program.perform(Command::CancelJob(last(&program)));
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    assert!(*program.document.scene() == before && !program.session.is_building());
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(entries.count(), 2, "two scenes and nothing else");

    program.perform(Command::Export(folder.path().join("a.usda"), drawn));
    program.wait("the export", idle);
    let read = strands_of(&folder.path().join("a.usda"));
    // And the fine hairs of the hairline, 12 in 100.
    let count = 10 * (1 + before.followers.each as usize);
    assert_eq!(read, count + count * 12 / 100);
}

#[test]
fn hair_is_carried_to_another_head_and_back() {
    let (mut program, folder) = start();
    let before = program.document.scene().clone();
    let head = folder.path().join("other.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    std::fs::copy(built_in, &head).expect("copies");
    program.perform(Command::AskRebind);
    assert!(program.ui.dialog.is_some(), "it is asked which");
    program.perform(Command::Rebind(head.clone()));
    program.wait("the hair on the other head", idle);
    assert!(program.ui.dialog.is_none());
    let scene = program.document.scene();
    assert_eq!(scene.head.file, head.display().to_string());
    assert_eq!(scene.import.head, "built-in");
    program.perform(Command::Undo);
    assert_eq!(*program.document.scene(), before);
    program.wait("the old head", idle);
    // A head whose unit was set is not one to carry from; it is told.
    program.change(|scene| scene.head.flip = true);
    program.wait("the head on its head", idle);
    while program.ui.toasts.dismiss() {}
    let turned = program.document.scene().clone();
    program.perform(Command::Rebind(head));
    assert!(program.ui.toasts.dismiss(), "it is told why not");
    assert_eq!(*program.document.scene(), turned);
}

fn strands_of(path: &Path) -> usize {
    let (_, strands) = crate::io::strands::read(path).expect("reads");
    strands.len()
}

#[test]
fn followers_follow_the_scene_and_a_cancelled_number_is_taken_back() {
    let (mut program, _folder) = start();
    let place = program
        .document
        .scene()
        .place("followers.each")
        .expect("a tunable");
    let set = |each| Command::Set {
        place,
        value: Value::Int(each),
        held: false,
    };
    let drawn = |p: &AppState| p.session.planted().map_or(0, |planted| planted.strands());
    let each = program.document.scene().followers.each;
    assert_eq!(drawn(&program), 10 * (1 + each as usize));
    program.perform(set(3));
    program.wait("followers", |p| drawn(p) == 40 && idle(p));

    let go = block(&mut program, Queue::Hair);
    program.perform(set(7));
    program.poll();
    assert!(
        !program
            .session
            .is_planted(program.document.scene().followers.each)
    );
    program.perform(Command::CancelJob(last(&program)));
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    assert_eq!(
        (program.document.scene().followers.each, drawn(&program)),
        (3, 40)
    );
    assert!(
        program
            .session
            .is_planted(program.document.scene().followers.each)
    );
}

#[test]
fn a_stroke_is_one_entry_however_late_it_is_done() {
    let (mut program, _folder) = start();
    program.perform(Command::Tool(Tool::Cut));
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
    let sight = |p: &AppState, x: f32, y: f32| PickRay::new(&p.ui.camera, rect, pos2(x, y));
    let go = block(&mut program, Queue::Hand);
    let stroke = |program: &mut AppState, y: f32| {
        let from = sight(program, 60.0, y);
        assert!(program.grab(Side::A, &from));
        for x in [300.0, 500.0, 740.0] {
            let to = sight(program, x, y);
            program.drag(&to);
        }
        program.let_go(false);
        program.release();
    };
    stroke(&mut program, 420.0);
    stroke(&mut program, 330.0);
    program.poll();
    assert!(
        program.document.scene().handwork.is_empty(),
        "nothing is done yet"
    );
    go.send(()).expect("it waits");
    program.wait("the strokes", |p| p.ui.hand.strokes.is_idle());
    let count = |p: &AppState| p.document.scene().handwork.edits.len();
    assert!(count(&program) > 0);
    program.perform(Command::Undo);
    assert!(
        count(&program) > 0 || program.document.history().can_undo(),
        "one of two"
    );
    program.perform(Command::Undo);
    assert_eq!(count(&program), 0);
    assert!(
        !program.document.history().can_undo(),
        "two strokes, two entries"
    );

    // What is undone meanwhile stays so.
    let go = block(&mut program, Queue::Hand);
    stroke(&mut program, 420.0);
    program.perform(Command::Undo);
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    assert_eq!(count(&program), 0);
}

/// A small Radiance picture of even light.
fn even() -> Vec<u8> {
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n".to_vec();
    bytes.extend([128, 128, 128, 129].repeat(32));
    bytes
}

fn is_lit(program: &AppState) -> bool {
    let light = &program.document.scene().light;
    program.session.has_lighting(light)
}

/// Lets an environment light the picture, and waits for it.
fn light_by(program: &mut AppState, name: &str) {
    program.perform(Command::Environment(name.into()));
    program.wait(name, |program| {
        program.document.scene().light.environment == name && idle(program)
    });
    assert!(is_lit(program) && program.session.environment().is_some());
}

/// Lets the scene ask for the softboxes, and cancels that before they are read.
fn give_up_softboxes(program: &mut AppState) {
    let go = block(program, Queue::Quick);
    program.change(|scene| scene.light.environment = "softboxes".into());
    program.poll();
    let job = last(program);
    program.perform(Command::CancelJob(job));
    go.send(()).expect("it waits");
    program.wait("the end", idle);
}

#[test]
fn a_chosen_environment_is_named_once_it_is_read_and_a_bad_one_changes_nothing() {
    let (mut program, folder) = start();
    light_by(&mut program, "sunset");
    let bad = folder.path().join("bad.hdr");
    std::fs::write(&bad, "#?RADIANCE\n").expect("written");
    while program.ui.toasts.dismiss() {}
    let name = bad.display().to_string();
    let lit = program.session.environment().cloned();
    program.perform(Command::Environment(name.clone()));
    program.wait("the bad one", idle);
    assert!(program.ui.toasts.dismiss(), "it is told");
    let now = |program: &AppState| {
        let name = program.document.scene().light.environment.clone();
        (name, program.session.environment().cloned())
    };
    assert!(now(&program) == ("sunset".into(), lit.clone()));
    // One that is given up changes nothing either, nor does a closed dialog.
    std::fs::write(&bad, even()).expect("written");
    let go = block(&mut program, Queue::Quick);
    program.perform(Command::Environment(name.clone()));
    let job = last(&program);
    program.perform(Command::CancelJob(job));
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    program.perform(Command::AskEnvironment);
    program.perform(Command::Escape);
    assert!(program.ui.dialog.is_none() && now(&program) == ("sunset".into(), lit));
    // The file is sound now.
    light_by(&mut program, &name);
    // It may change, and is read when it is chosen once more.
    let before = program.session.environment().cloned();
    program.perform(Command::Environment(name.clone()));
    program.wait("the same", idle);
    assert!(
        program.session.environment().is_some() && program.session.environment() != before.as_ref()
    );
    program.perform(Command::Undo);
    program.wait("the sunset again", is_lit);
    assert_eq!(program.document.scene().light.environment, "sunset");
    assert!(program.session.environment().is_some());
    program.perform(Command::Undo);
    program.wait("three-point light", is_lit);
    assert!(program.document.scene().light.environment.is_empty());
    assert!(program.session.environment().is_none());
}

#[test]
fn a_scene_whose_environment_is_missing_keeps_its_name_and_says_why_it_is_dark() {
    let (mut program, folder) = start();
    light_by(&mut program, "overcast");
    let path = folder.path().join("sky.hdr");
    let name = path.display().to_string();
    program.change(|scene| scene.light.environment = name.clone());
    program.wait("the missing one", is_lit);
    assert_eq!(program.document.scene().light.environment, name);
    assert!(program.session.environment().is_none());
    let fault = program.session.environment_fault().expect("it says why");
    assert!(fault.starts_with(&name), "{fault}");
    // It is there now, and chosen once more.
    std::fs::write(&path, even()).expect("written");
    light_by(&mut program, &name);
    assert_eq!(program.session.environment_fault(), None);
    // One that is given up while a scene asks for it: what lights the picture stays.
    give_up_softboxes(&mut program);
    assert_eq!(program.document.scene().light.environment, name);
    assert!(is_lit(&program) && program.session.environment().is_some());
}

#[test]
fn there_and_back_keeps_the_light_and_a_choice_is_of_its_scene() {
    let (mut program, folder) = start();
    light_by(&mut program, "sunset");
    let lit = program.session.environment().cloned();
    let go = block(&mut program, Queue::Quick);
    program.change(|scene| scene.light.environment = "overcast".into());
    program.poll();
    assert!(!is_lit(&program));
    program.perform(Command::Undo);
    program.poll();
    assert!(is_lit(&program) && program.session.environment() == lit.as_ref());
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    assert!(is_lit(&program) && program.session.environment() == lit.as_ref());

    // What is chosen is forgotten with an undo, and with the scene.
    for leave in [Command::Undo, Command::Example("bob")] {
        program.perform(Command::Redo);
        let go = block(&mut program, Queue::Quick);
        program.perform(Command::Environment("softboxes".into()));
        program.perform(leave);
        go.send(()).expect("it waits");
        program.wait("the end", idle);
        let name = &program.document.scene().light.environment;
        assert_ne!(name, "softboxes");
        assert!(is_lit(&program));
    }

    // A file that could not be read is named as that again, reason and all.
    let name = folder.path().join("none.hdr").display().to_string();
    program.change(|scene| scene.light.environment = name.clone());
    program.wait("the missing one", is_lit);
    let fault = program.session.environment_fault().map(str::to_owned);
    assert!(fault.is_some());
    give_up_softboxes(&mut program);
    assert_eq!(program.document.scene().light.environment, name);
    assert_eq!(program.session.environment_fault(), fault.as_deref());
}

#[test]
fn what_was_read_lately_is_there_at_once_unless_its_file_was_written() {
    let (mut program, folder) = start();
    let path = folder.path().join("sky.hdr");
    std::fs::write(&path, even()).expect("written");
    let name = path.display().to_string();
    light_by(&mut program, &name);
    let sky = program.session.environment().cloned();
    light_by(&mut program, "sunset");
    let sunset = program.session.environment().cloned();
    for (command, wanted) in [(Command::Undo, &sky), (Command::Redo, &sunset)] {
        program.perform(command);
        program.poll();
        assert!(idle(&program) && is_lit(&program));
        assert!(program.session.environment() == wanted.as_ref());
    }
    let file = std::fs::File::options().write(true).open(&path);
    let later = std::time::SystemTime::now() + Duration::from_secs(9);
    file.and_then(|file| file.set_modified(later))
        .expect("a time");
    program.perform(Command::Undo);
    program.poll();
    assert!(!is_lit(&program), "it is read again");
    program.wait("the sky", is_lit);
    assert!(program.session.environment() != sky.as_ref());
}

#[test]
fn a_scene_that_was_opened_keeps_the_environment_whose_reading_is_cancelled() {
    let (mut program, folder) = start();
    light_by(&mut program, "sunset");
    let path = folder.path().join("other.toml");
    let mut other = program.document.scene().clone();
    other.light.environment = "overcast".into();
    other.write(&path).expect("writes");
    let go = block(&mut program, Queue::Quick);
    program.perform(Command::Open(path));
    program.perform(Command::Answer(Answer::No));
    program.wait("the scene", |program| {
        program.document.scene().light.environment == "overcast"
    });
    program.poll();
    program.perform(Command::CancelJob(last(&program)));
    go.send(()).expect("it waits");
    program.wait("the end", idle);
    // The sunset is of another scene.
    assert_eq!(program.document.scene().light.environment, "overcast");
    assert!(program.session.environment().is_none() && is_lit(&program));
    assert!(program.session.environment_fault().is_some(), "it says why");
    assert!(!program.document.is_unsaved());
    // That one has it again.
    program.perform(Command::Undo);
    program.wait("the sunset", is_lit);
    assert_eq!(program.document.scene().light.environment, "sunset");
    assert!(program.session.environment().is_some());
}

#[test]
fn a_blur_that_is_dragged_is_worked_out_beside_the_window() {
    let (mut program, _folder) = start();
    light_by(&mut program, "softboxes");
    let go = block(&mut program, Queue::Quick);
    let show = |program: &mut AppState, blur: f32| {
        program.change(|scene| {
            scene.light.environment_seen = true;
            scene.light.environment_blur = blur;
        });
        program.poll();
    };
    let before = program.session.environment().cloned();
    for step in 0..20 {
        show(&mut program, 0.2 + 0.02 * step as f32);
        assert!(!is_lit(&program) && program.session.environment() == before.as_ref());
    }
    // The first of the blurs, and the one that is wanted when it is there.
    assert_eq!(
        program.session.jobs().list().len(),
        2,
        "the block and one blur"
    );
    go.send(()).expect("it waits");
    program.wait("the blur", is_lit);
    let environment = program.session.environment().expect("it lights");
    assert!(environment.is_seen_as(&program.document.scene().light));
}
