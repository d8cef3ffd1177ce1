//! Paths that are asked for.

use super::*;
use crate::project::export::{ExportOptions, ExportUp};
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
    let hair = Dialog::export("h.usda".into(), ExportRows::default());
    assert!(hair.fits(Path::new("h.USDA"), &GROOMS_OUT));
    assert!(!hair.fits(Path::new("h.xyz"), &GROOMS_OUT));
    assert!(!Dialog::save("s.toml".into()).fits(Path::new("s.txt"), "toml"));
    assert!(Dialog::open(None, Vec::new()).fits(Path::new("s.txt"), "toml"));
}

/// Draws the dialog in a window after these events; what was decided.
fn draw(ctx: &Context, dialog: &mut Dialog, events: Vec<Event>) -> Option<Command> {
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
}

/// Types that text.
fn typed(ctx: &Context, dialog: &mut Dialog, text: &str) {
    for _ in 0..2 {
        draw(ctx, dialog, Vec::new());
    }
    draw(ctx, dialog, vec![Event::Text(text.into())]);
}

#[test]
fn typing_begins_at_the_end_of_the_path_whatever_the_dialog_before_was_left_at() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let last = folder.path().join("a.toml");
    let mut first = Dialog::open(Some(&last), Vec::new());
    let all = first.path.chars().count();
    typed(&ctx, &mut first, "z");
    assert_eq!(first.path.chars().count(), all + 1);
    assert!(first.path.ends_with('z'));
    // That one is left with its caret in the middle.
    first.path = "/a".into();
    typed(&ctx, &mut first, "");
    let mut second = Dialog::open(Some(&last), Vec::new());
    let before = second.path.clone();
    typed(&ctx, &mut second, "ZZZ");
    assert_eq!(second.path, format!("{before}ZZZ"));
    // Where something is written, the name is typed over.
    let mut third = Dialog::save(folder.path().join("old.toml"));
    typed(&ctx, &mut third, "new");
    assert_eq!(
        third.path,
        folder.path().join("new.toml").display().to_string()
    );
}

#[test]
fn a_path_that_leads_nowhere_is_told_why() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.toml"), "").expect("written");
    let lacks = |dialog: Dialog, endings: &str| {
        let target = dialog.target("toml");
        dialog.lacks(target.as_deref(), endings).unwrap_or_default()
    };
    let open = |name: &str| Dialog {
        path: folder.path().join(name).display().to_string(),
        ..Dialog::open(None, Vec::new())
    };
    assert_eq!(lacks(open("a.toml"), "toml"), "");
    assert_eq!(lacks(open("b.toml"), "toml"), "There is no such file.");
    for nowhere in ["none/b.toml", "none/"] {
        let told = lacks(open(nowhere), "toml");
        assert!(told.starts_with("There is no folder ") && told.contains("none"));
    }
    assert!(lacks(open(""), "toml").starts_with("Type the name"));
    let save = |name: &str| Dialog::save(folder.path().join(name));
    assert_eq!(lacks(save("b.toml"), "toml"), "");
    assert_eq!(lacks(save("b.txt"), "toml"), "Its ending must be .toml.");
    assert!(lacks(save("none/b.toml"), "toml").starts_with("There is no folder "));
}

fn enter() -> Event {
    Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

#[test]
fn hair_is_exported_by_what_is_chosen_as_far_as_the_file_can_hold_it() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let options = ExportOptions {
        drawn: true,
        up: ExportUp::X,
        ..ExportOptions::default()
    };
    let rows = ExportRows {
        options,
        ..ExportRows::default()
    };
    for (name, up) in [("h.data", ExportUp::X), ("h.usda", ExportUp::Head)] {
        let path = folder.path().join(name);
        let mut dialog = Dialog::export(path.clone(), rows);
        typed(&ctx, &mut dialog, "");
        let done = draw(&ctx, &mut dialog, vec![enter()]);
        let wanted = ExportOptions { up, ..options };
        assert_eq!(done, Some(Command::Export(path, wanted)), "{name}");
    }
}

#[test]
fn the_head_s_file_is_not_replaced_unasked_either() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let head = folder.path().join("head_h.obj");
    std::fs::write(&head, "").expect("written");
    let options = ExportOptions {
        head: true,
        ..ExportOptions::default()
    };
    let rows = ExportRows {
        options,
        ..ExportRows::default()
    };
    let path = folder.path().join("h.data");
    let mut dialog = Dialog::export(path.clone(), rows);
    assert_eq!(dialog.export_choices(), Some(options));
    typed(&ctx, &mut dialog, "");
    assert_eq!(draw(&ctx, &mut dialog, vec![enter()]), None);
    let taken = dialog.taken(Some(&path));
    assert_eq!(taken, [head]);
    assert_eq!(
        replaced::note(&taken, Some(&path), false),
        "head_h.obj exists."
    );
    draw(&ctx, &mut dialog, Vec::new());
    let done = draw(&ctx, &mut dialog, vec![enter()]);
    assert_eq!(done, Some(Command::Export(path.clone(), options)));
    // Without the head nothing is replaced.
    dialog.export.options.head = false;
    assert!(dialog.taken(Some(&path)).is_empty());
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
    let draw = |dialog: &mut Dialog, events| draw(&ctx, dialog, events);
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
