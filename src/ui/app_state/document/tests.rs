//! The scene as a document.

use super::*;
use crate::{
    io::cache::{Frame, Writer},
    param::Value,
    project::{export::ExportOptions, sides::Side},
    session::jobs::Cancelled,
    sim::hand::Pin,
};
use std::{fs, time::Duration};

fn wait(program: &mut AppState, what: &str, done: impl Fn(&AppState) -> bool) {
    let begun = Instant::now();
    while !done(program) {
        assert!(begun.elapsed().as_secs() < 60, "waited in vain for {what}");
        program.poll();
        program.session.latest();
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn idle(program: &AppState) -> bool {
    program.session.jobs().list().is_empty()
}

fn wait_for_title(program: &mut AppState, title: &str) {
    wait(program, title, |program| program.document.title() == title);
}

/// A program with hair of which a vertex is pinned.
fn pinned() -> AppState {
    let mut program = AppState::small();
    wait(&mut program, "hair", |program| {
        program.session.built().is_some()
    });
    program.change(|scene| {
        let pin = Pin {
            number: 1,
            vertex: 2,
            vertices: None,
            place: glam::Vec3::ZERO,
        };
        scene.handwork.pins = vec![pin].into();
    });
    program
}

#[test]
fn a_head_a_groom_or_a_map_that_fails_changes_nothing() {
    let mut program = pinned();
    let before = program.document.scene().clone();
    let place = before.place("roots.density_map").expect("a tunable");
    let map = Command::Set {
        place,
        value: Value::Text("none.png".into()),
        held: false,
    };
    for wish in [
        Command::Groom("none.hair".into()),
        Command::Head("none.obj".into()),
        Command::Rebind("none.obj".into()),
        Command::Sequence("none.0001.obj".into()),
        map,
    ] {
        program.perform(wish.clone());
        let at_once = matches!(wish, Command::Set { .. });
        assert_eq!(program.document.scene() != &before, at_once, "{wish:?}");
        wait(&mut program, "the way back", |p| {
            p.document.scene() == &before && idle(p)
        });
        // It is not tried again with every change.
        program.perform(Command::Toggle("wind.on"));
        let now = Instant::now();
        while now.elapsed() < Duration::from_millis(150) {
            program.poll();
            assert!(!program.session.is_building(), "{wish:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        program.perform(Command::Undo);
        assert_eq!(program.document.scene(), &before, "{wish:?}");
    }
    // What failed is no step on the way back.
    program.perform(Command::Undo);
    assert!(program.document.scene().handwork.pins.is_empty());
    assert!(!program.document.history().can_undo());
}

#[test]
fn a_window_that_begins_with_a_head_that_fails_shows_the_default_scene() {
    let mut scene = Scene::default();
    scene.head.file = "none.obj".into();
    let mut program = AppState::new(scene.clone(), Some(1), || ()).expect("a thread");
    program
        .document
        .begin(SceneFile::of_file("mine.toml".into(), &scene));
    wait(&mut program, "hair", |p| p.session.built().is_some());
    assert_eq!(program.document.scene(), &Scene::default());
    // It is not saved over the scene that failed.
    assert_eq!(program.document.title(), "Lovelock");
    assert!(program.ui.toasts.shows("cannot read the head none.obj") && program.ui.fault.is_none());
}

#[test]
fn a_scene_whose_head_fails_leaves_the_one_before_and_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong.toml");
    let text = "version = 1\n[head]\nfile = \"none.obj\"\n[wind]\non = true\n";
    fs::write(&wrong, text).expect("written");
    let mut program = pinned();
    let mine = folder.path().join("mine.toml");
    program.perform(Command::Save(mine));
    wait_for_title(&mut program, "mine - Lovelock");
    let before = program.document.scene().clone();
    program.perform(Command::Open(wrong));
    wait(&mut program, "the failure", idle);
    assert_eq!(program.document.scene(), &before);
    assert_eq!(program.document.title(), "mine - Lovelock");
    assert!(program.ui.toasts.dismiss(), "it is told");
    program.perform(Command::Redo);
    assert_eq!(
        program.document.scene(),
        &before,
        "it is no step to make again"
    );
}

#[test]
fn work_is_asked_about_before_another_scene_takes_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.toml");
    let mut other = Scene::default();
    (other.roots.strands, other.groom.vertices) = (9, 4);
    other.write(&path).expect("written");
    let mut program = AppState::small();
    assert_eq!(program.document.title(), "Lovelock");
    program.perform(Command::Toggle("wind.on"));
    let before = program.document.scene().clone();
    let open = Command::Open(path.clone());
    program.perform(open.clone());
    assert!(program.ui.question.is_some());
    // What comes in between is no answer.
    program.perform(Command::Close);
    program.perform(Command::Escape);
    assert!(program.ui.question.is_none() && program.document.scene() == &before);
    // Nobody is asked to give work up for what is no scene.
    std::fs::write(path.with_extension("json"), "{ \"a\": 1 }").expect("written");
    program.perform(Command::Open(path.with_extension("json")));
    assert!(program.ui.question.is_none() && program.ui.toasts.dismiss());
    program.perform(open.clone());
    program.perform(Command::Answer(Answer::No));
    wait_for_title(&mut program, "other - Lovelock");
    assert_eq!(program.document.scene(), &other);
    program.perform(Command::Undo);
    assert_eq!(program.document.title(), "● untitled - Lovelock");
    assert_eq!(program.document.scene(), &before);

    // Save, without a file: where to is asked; Esc there gives up both.
    program.perform(open.clone());
    program.perform(Command::Answer(Answer::Yes));
    assert!(program.ui.dialog.is_some());
    program.perform(Command::Escape);
    program.perform(Command::Save(folder.path().join("mine.toml")));
    wait_for_title(&mut program, "mine - Lovelock");
    // With a file it is saved there, and what was asked for goes on.
    program.perform(Command::Toggle("forces.gravity_on"));
    program.perform(open);
    program.perform(Command::Answer(Answer::Yes));
    wait_for_title(&mut program, "other - Lovelock");
    let mut mine = Scene::default();
    mine.read(&folder.path().join("mine.toml")).expect("read");
    assert!(!mine.sim.forces.gravity_on);
    program.perform(Command::Close);
    assert!(program.ui.over, "nothing is left to ask");
}

#[test]
fn a_disk_that_refuses_the_file_keeps_the_window_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("gone/mine.toml");
    fs::create_dir(folder.path().join("gone")).expect("made");
    let mut program = AppState::small();
    program.perform(Command::Save(file));
    wait_for_title(&mut program, "mine - Lovelock");
    program.perform(Command::Toggle("wind.on"));
    fs::remove_dir_all(folder.path().join("gone")).expect("removed");
    program.perform(Command::Close);
    program.perform(Command::Answer(Answer::Yes));
    wait(&mut program, "the failure", idle);
    assert!(!program.ui.over && program.document.title().starts_with('●'));
    // Saved elsewhere later, it does not close by itself.
    program.perform(Command::Save(folder.path().join("mine.toml")));
    wait_for_title(&mut program, "mine - Lovelock");
    assert!(!program.ui.over);
}

#[test]
fn what_follows_a_save_waits_until_the_file_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let mut program = AppState::small();
    program.perform(Command::Save(file.clone()));
    wait_for_title(&mut program, "mine - Lovelock");
    program.perform(Command::Toggle("wind.on"));
    // The disk is slow.
    let (go, wait_for_go) = std::sync::mpsc::channel();
    program.start(Queue::Quick, "Blocking".into(), move |_| {
        wait_for_go.recv().expect("somebody tells");
        Err(Cancelled)
    });
    program.perform(Command::Close);
    program.perform(Command::Answer(Answer::Yes));
    program.poll();
    assert!(!program.ui.over && program.document.title().starts_with('●'));
    // What is done meanwhile is not in the file.
    program.perform(Command::Toggle("forces.gravity_on"));
    go.send(()).expect("it waits");
    wait(&mut program, "the question", |p| p.ui.question.is_some());
    assert!(!program.ui.over && program.document.title().starts_with('●'));
    let mut mine = Scene::default();
    mine.read(&file).expect("read");
    assert!(mine.sim.wind.on && mine.sim.forces.gravity_on);
    program.perform(Command::Answer(Answer::Yes));
    wait(&mut program, "the end", |program| program.ui.over);
    mine.read(&file).expect("read");
    assert!(!mine.sim.forces.gravity_on);
}

#[test]
fn a_scene_that_opens_while_the_last_is_saved_keeps_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = AppState::small();
    let (go, wait_for_go) = std::sync::mpsc::channel();
    program.start(Queue::Quick, "Blocking".into(), move |_| {
        wait_for_go.recv().expect("somebody tells");
        Err(Cancelled)
    });
    program.perform(Command::Save(folder.path().join("mine.toml")));
    program.perform(Command::Example("default"));
    go.send(()).expect("it waits");
    wait(&mut program, "the file", idle);
    assert!(folder.path().join("mine.toml").is_file());
    assert_eq!(program.document.title(), "default - Lovelock");
}

#[test]
fn an_example_opens_without_a_file() {
    let mut program = AppState::small();
    program.perform(Command::Example("default"));
    assert_eq!(program.document.scene(), &Scene::default());
    assert_eq!(program.document.title(), "default - Lovelock");
    assert_eq!(program.document.file().path(), None);
    program.perform(Command::Example("none"));
    assert_eq!(program.document.title(), "default - Lovelock");
}

#[test]
fn the_hair_of_an_example_grows_on_the_head_at_hand() {
    let mut program = AppState::small();
    program.perform(Command::Example("windy"));
    program.perform(Command::HairOf("bob"));
    let windy = examples::find("windy").expect("there").scene();
    let bob = examples::find("bob").expect("there").scene();
    let (windy, bob) = (windy.expect("good"), bob.expect("good"));
    let scene = program.document.scene();
    assert_eq!(scene.groom, bob.groom);
    assert_eq!(scene.followers, bob.followers);
    assert_eq!(scene.roots.strands, bob.roots.strands);
    assert_ne!(bob.look, windy.look);
    assert_eq!(
        (&scene.head, &scene.look, &scene.light, &scene.camera),
        (&windy.head, &windy.look, &windy.light, &windy.camera)
    );
    assert_eq!(scene.sim.motion, windy.sim.motion);
    assert_eq!(program.document.title(), "● windy - Lovelock");
    program.perform(Command::Undo);
    assert_eq!(program.document.scene(), &windy);
}

#[test]
fn a_crash_is_made_good_with_the_file_it_was_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, mine) = (folder.path().join("state"), folder.path().join("mine.toml"));
    let mut program = AppState::small();
    program.keep_in(Some(&state));
    assert!(program.ui.question.is_none());
    program.perform(Command::Save(mine.clone()));
    wait_for_title(&mut program, "mine - Lovelock");
    program.perform(Command::Toggle("wind.on"));
    assert!(program.document.autosave_due().is_some());
    let kept = program.document.rescue().expect("kept");
    let work = program.document.scene().clone();
    drop(program);

    let mut program = AppState::small();
    program.keep_in(Some(&state));
    program.perform(Command::Close);
    assert!(program.ui.over, "one may close without an answer");
    drop(program);

    let mut program = AppState::small();
    program.keep_in(Some(&state));
    assert!(matches!(&program.ui.question, Some(Question::Left { name, .. }) if name == "mine"));
    program.perform(Command::Answer(Answer::Yes));
    assert_eq!(program.document.scene(), &work);
    assert_eq!(program.document.title(), "● mine - Lovelock");
    assert!(!kept.exists(), "it is this run's now");
    program.perform(Command::Save(mine));
    wait_for_title(&mut program, "mine - Lovelock");
    program.perform(Command::Close);
    assert!(program.ui.over);
    assert_eq!(fs::read_dir(&state).expect("a folder").count(), 0);
}

#[test]
fn a_damaged_autosave_is_told_of_once_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("autosave-1-1.toml"), "version = ").expect("written");
    let mut program = AppState::small();
    program.keep_in(Some(folder.path()));
    let before = program.document.scene().clone();
    program.perform(Command::Answer(Answer::Yes));
    assert_eq!(program.document.scene(), &before);
    drop(program);
    let mut program = AppState::small();
    program.keep_in(Some(folder.path()));
    assert!(program.ui.question.is_none());
    let aside = folder.path().join("autosave-1-1.toml.unreadable");
    assert!(aside.exists());
}

#[test]
fn what_was_to_follow_a_save_is_forgotten_with_its_dialog() {
    let mut program = AppState::small();
    program.perform(Command::Toggle("wind.on"));
    program.perform(Command::Close);
    program.perform(Command::Answer(Answer::Yes));
    assert!(program.ui.dialog.as_ref().is_some_and(Dialog::saves));
    // Something else takes the place of the dialog.
    program.perform(Command::Groom(String::new().into()));
    assert!(program.ui.dialog.is_none());
    let folder = tempfile::tempdir().expect("a folder");
    program.perform(Command::Save(folder.path().join("later.toml")));
    wait(&mut program, "the file", |program| {
        program.document.file().path().is_some() && idle(program)
    });
    assert!(!program.ui.over, "a save closed the window");
}

#[test]
fn a_key_that_is_held_is_one_step_to_undo_and_so_is_a_switch_with_its_slider() {
    let mut program = AppState::small();
    let before = program.document.scene().clone();
    for _ in 0..9 {
        program.perform(Command::TurnHead([-5, 0]));
    }
    program.release();
    for _ in 0..4 {
        program.perform(Command::ResizeBrush(true));
    }
    program.release();
    let place = |name: &str| before.place(name).expect("a tunable");
    let on = (place("wind.on"), Value::Bool(true));
    let strength = |value: f64| (place("wind.strength"), Value::Float(value));
    program.perform(Command::SetBoth {
        places: [on, strength(3.0)],
        held: true,
    });
    let (place, value) = strength(5.0);
    let held = true;
    program.perform(Command::Set { place, value, held });
    program.release();
    let wind = |program: &AppState| {
        let wind = &program.document.scene().sim.wind;
        (wind.on, wind.strength)
    };
    assert_eq!(wind(&program), (true, 5.0));
    program.perform(Command::Undo);
    assert_eq!(
        wind(&program),
        (before.sim.wind.on, before.sim.wind.strength)
    );
    // A brush stays as wide as it was made: that is no step.
    assert!(program.document.scene().hand.radius > before.hand.radius);
    assert!(program.document.scene().sim.motion.yaw != before.sim.motion.yaw);
    program.perform(Command::Undo);
    assert_eq!(
        program.document.scene().sim.motion.yaw,
        before.sim.motion.yaw
    );
    assert!(program.document.scene().hand.radius > before.hand.radius);
}

/// Nothing that reads files or builds hair is begun until somebody tells.
fn block(program: &mut AppState) -> std::sync::mpsc::Sender<()> {
    let (go, wait_for_go) = std::sync::mpsc::channel();
    program.start(Queue::Files, "Blocking".into(), move |_| {
        wait_for_go.recv().expect("somebody tells");
        Err(Cancelled)
    });
    go
}

#[test]
fn undo_and_a_later_choice_give_up_the_head_that_is_being_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = folder.path().join("other.obj");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    fs::copy(built_in, &head).expect("copied");
    let mut program = pinned();
    let pinned = program.document.scene().clone();
    // The head that is there is chosen again.
    let go = block(&mut program);
    program.perform(Command::Head(head.clone()));
    program.perform(Command::Head(pinned.head.file.clone().into()));
    go.send(()).expect("it waits");
    wait(&mut program, "the end", idle);
    assert_eq!(program.document.scene(), &pinned);

    let go = block(&mut program);
    program.perform(Command::Head(head));
    program.perform(Command::Undo);
    go.send(()).expect("it waits");
    wait(&mut program, "the end", idle);
    assert!(program.document.scene().head.file.is_empty());
    assert!(program.document.scene().handwork.pins.is_empty());
    program.perform(Command::Redo);
    assert_eq!(program.document.scene(), &pinned);
}

/// A cache of hair that stands still.
fn cache(path: &Path, scene: &Scene) {
    let stage = built_scene::build(scene).expect("builds");
    let header = playback::header(path, scene, &stage, 2);
    let mut writer = Writer::create(path, header).expect("created");
    for number in 0..2 {
        let frame = Frame {
            number,
            time: f64::from(number) / 24.0,
            pose: stage.simulation.pose(),
            positions: stage.groom.points.to_vec(),
            shape: Vec::new(),
        };
        writer.write(&frame).expect("written");
    }
}

#[test]
fn what_plays_is_in_hand_and_is_chosen_stays_with_its_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let (run, mine) = (
        folder.path().join("run.cache"),
        folder.path().join("mine.toml"),
    );
    let mut program = AppState::small();
    let scene = program.document.scene().clone();
    wait(&mut program, "hair", |p| p.session.built().is_some());
    cache(&run, &scene);
    scene.write(&mine).expect("written");
    // Neither needs other hair.
    for leave in [Command::Undo, Command::Open(mine)] {
        program.perform(Command::Play(run.clone()));
        wait(&mut program, "the cache", |p| p.session.playing().is_some());
        assert_eq!(program.document.file().called(), "run");
        program.perform(Command::Part);
        program.ui.bodies.row = Some(0);
        program.perform(leave);
        wait(&mut program, "live hair", |p| p.session.playing().is_none());
        assert!(idle(&program) && program.document.file().called() != "run");
        assert!(!program.ui.hand.parting.on && program.ui.bodies.row.is_none());
    }
}

#[test]
fn a_window_that_closes_asks_before_it_gives_an_export_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = AppState::small();
    wait(&mut program, "hair", |p| {
        p.session.positions(Side::A).is_some()
    });
    let go = block(&mut program);
    let path = folder.path().join("hair.usda");
    program.perform(Command::Export(path, ExportOptions::default()));
    for answer in [Answer::Cancel, Answer::Yes] {
        program.perform(Command::Close);
        assert!(matches!(program.ui.question, Some(Question::Busy { .. })));
        // Asked twice, it is one question.
        program.perform(Command::Close);
        program.perform(Command::Answer(answer));
        assert!(program.ui.question.is_none());
        assert_eq!(program.ui.over, answer == Answer::Yes);
    }
    go.send(()).expect("it waits");
    wait(&mut program, "the export", idle);
    // Nothing is left to ask.
    program.ui.over = false;
    program.perform(Command::Close);
    assert!(program.ui.over && program.ui.question.is_none());
}
