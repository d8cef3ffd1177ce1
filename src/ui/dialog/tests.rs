//! Paths that are asked for.

use super::*;
use egui::{Event, Modifiers, RawInput};

#[test]
fn a_scene_is_saved_with_an_ending_and_a_folder_is_no_file() {
    let dialog = |purpose, path: &str| Dialog::new(purpose, path.into());
    let target = |purpose, path: &str| dialog(purpose, path).target("toml");
    assert_eq!(target(Purpose::Save, "a/b"), Some("a/b.toml".into()));
    assert_eq!(target(Purpose::Save, "a/b.toml"), Some("a/b.toml".into()));
    assert_eq!(target(Purpose::Open, " b "), Some("b".into()));
    assert_eq!(target(Purpose::Open, "a/"), None);
    assert_eq!(target(Purpose::Open, ""), None);
    assert_eq!(target(Purpose::Open, "."), None);
}

#[test]
fn what_is_written_has_an_ending_that_says_its_format() {
    let hair = Dialog::export("h.usda".into());
    assert!(hair.fits(Path::new("h.USDA"), &GROOMS_OUT));
    assert!(!hair.fits(Path::new("h.xyz"), &GROOMS_OUT));
    assert!(!Dialog::save("s.toml".into()).fits(Path::new("s.txt"), "toml"));
    assert!(Dialog::open(None, Vec::new()).fits(Path::new("s.txt"), "toml"));
}

#[test]
fn a_map_is_chosen_among_pictures_and_named_by_its_parameter() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["b.png", "a.JPG", "head.obj", "scene.toml"] {
        std::fs::write(folder.path().join(name), "").expect("writes");
    }
    let (ctx, place) = (Context::default(), (3, 5));
    let last = folder.path().join("gone.png");
    let dialog = Dialog::parameter(place, "roots.length_map", &last);
    let mut dialog = dialog.expect("it names a file");
    let draw = |dialog: &mut Dialog, events: Vec<Event>| {
        let input = RawInput {
            events,
            ..RawInput::default()
        };
        let mut command = None;
        let mut output = ctx.run_ui(input, |ui| {
            command = dialog.show(ui.ctx()).or(command.take());
        });
        output.textures_delta.clear();
        command
    };
    assert_eq!(draw(&mut dialog, Vec::new()), None);
    let names: Vec<_> = dialog.entries.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["..", "a.JPG", "b.png"]);
    let map = folder.path().join("b.png");
    dialog.path = map.display().to_string();
    assert_eq!(draw(&mut dialog, Vec::new()), None);
    let enter = Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let chosen = draw(&mut dialog, vec![enter]);
    assert_eq!(chosen, Some(Command::File(place, map)));
    assert!(Dialog::parameter(place, "roots.parting", &last).is_none());
}

#[test]
fn the_list_has_folders_first_and_only_fitting_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["b.toml", "A.TOML", "c.obj", ".hidden.toml"] {
        std::fs::write(folder.path().join(name), "").expect("writes");
    }
    std::fs::create_dir(folder.path().join("z")).expect("makes a folder");
    let mut dialog = Dialog::save(folder.path().join("new.toml"));
    dialog.list("toml");
    let names: Vec<_> = dialog.entries.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["..", "z", "A.TOML", "b.toml"]);
}
