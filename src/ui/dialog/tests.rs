//! Paths that are asked for.

use super::{
    endings::{ANIMATIONS_OUT, GROOMS_OUT},
    *,
};
use crate::project::export::{ExportOptions, ExportStrands, ExportUp, FileAxes, TargetProgram};
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

/// Rows with these choices, of this moment.
fn rows(options: ExportOptions) -> ExportRows {
    ExportRows {
        options,
        moves: false,
        animation: AnimationOptions {
            seconds: 0.125,
            fps: 24.0,
            start: None,
            velocities: false,
            camera: true,
        },
        strands: [10, 10, 20],
        points: 12.0,
        head: 100,
        from_file: false,
        axes: FileAxes::default(),
    }
}

#[test]
fn what_is_written_has_an_ending_that_says_its_format() {
    let hair = Dialog::export("h.usda".into(), rows(ExportOptions::default()));
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
    assert_eq!(lacks(open("b.toml"), "toml"), NO_FILE);
    assert_eq!(
        lacks(open("a"), "toml"),
        "",
        "as it was typed when it was saved"
    );
    assert_eq!(lacks(open("b"), "toml"), NO_FILE);
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
        strands: ExportStrands::All,
        up: ExportUp::X,
        ..ExportOptions::default()
    };
    for (name, up) in [("h.data", ExportUp::X), ("h.usda", ExportUp::Head)] {
        let path = folder.path().join(name);
        let mut dialog = Dialog::export(path.clone(), rows(options));
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
    let path = folder.path().join("h.data");
    let mut dialog = Dialog::export(path.clone(), rows(options));
    assert_eq!(
        dialog.export_choices().map(|rows| rows.options),
        Some(options)
    );
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
    let rows = dialog.export.as_mut().expect("rows");
    rows.options.head = false;
    assert!(dialog.taken(Some(&path)).is_empty());
}

#[test]
fn an_animation_needs_a_name_that_holds_it_and_replaces_nothing_unasked() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let options = ExportOptions::default();
    let moving = ExportRows {
        moves: true,
        ..rows(options)
    };
    let path = |name: &str| folder.path().join(name);
    for number in [2, 4, 5] {
        std::fs::write(path(&format!("h.000{number}.obj")), "").expect("written");
    }
    // Where a file holds one frame, there is one a frame.
    let mut dialog = Dialog::export(path("h.obj"), moving);
    assert_eq!(dialog.path, path("h.####.obj").display().to_string());
    typed(&ctx, &mut dialog, "");
    assert_eq!(draw(&ctx, &mut dialog, vec![enter()]), None);
    let taken = dialog.taken(Some(&path("h.####.obj")));
    assert_eq!(taken, [path("h.0002.obj"), path("h.0004.obj")]);
    assert_eq!(dialog.doomed, taken);
    draw(&ctx, &mut dialog, Vec::new());
    let done = draw(&ctx, &mut dialog, vec![enter()]);
    let command = |name: &str| Command::ExportAnimation(path(name), options, moving.animation);
    assert_eq!(done, Some(command("h.####.obj")));
    // A name that was typed is told what is wrong with it.
    dialog.path = path("h.obj").display().to_string();
    let lacks = dialog.lacks(Some(&path("h.obj")), &ANIMATIONS_OUT);
    assert!(lacks.is_some_and(|told| told.contains("name it h.####.obj")));
    draw(&ctx, &mut dialog, Vec::new());
    assert_eq!(draw(&ctx, &mut dialog, vec![enter()]), None);
    for name in ["new.abc", "new.cache"] {
        let mut dialog = Dialog::export(path(name), moving);
        typed(&ctx, &mut dialog, "");
        assert_eq!(draw(&ctx, &mut dialog, vec![enter()]), Some(command(name)));
    }
    // A moment has no number, and no cache holds it.
    assert!(
        !Dialog::export(path("h.####.obj"), rows(options))
            .path
            .contains('#')
    );
    let still = Dialog::export(path("h.cache"), rows(options));
    assert!(!still.fits(&path("h.cache"), &GROOMS_OUT));
}

#[test]
fn a_file_for_a_program_has_its_format_unit_and_axis() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let path = |name: &str| folder.path().join(name);
    let moving = ExportRows {
        moves: true,
        ..rows(ExportOptions::default())
    };
    let mut dialog = Dialog::export(path("h.obj"), moving);
    let found = |dialog: &mut Dialog, events| {
        let input = RawInput {
            events,
            ..RawInput::default()
        };
        ctx.run_ui(input, |ui| {
            dialog.show(ui.ctx());
        })
    };
    found(&mut dialog, Vec::new());
    let output = found(&mut dialog, Vec::new());
    let button = output.shapes.iter().find_map(|shape| match &shape.shape {
        egui::Shape::Text(text) if text.galley.text() == "Unreal" => {
            Some(text.visual_bounding_rect().center())
        }
        _ => None,
    });
    let pos = button.expect("a button for Unreal");
    let press = |pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    found(&mut dialog, vec![Event::PointerMoved(pos), press(true)]);
    found(&mut dialog, vec![press(false)]);
    let wanted = path("h.abc");
    assert_eq!(dialog.path, wanted.display().to_string());
    let options = dialog.export.as_ref().expect("rows").options;
    assert!(TargetProgram::Unreal.takes(&wanted, options));
    assert!(!TargetProgram::Maya.takes(&wanted, options));
}

/// The middle of each text of the dialog, once it is laid out.
fn texts(ctx: &Context, dialog: &mut Dialog) -> Vec<(String, egui::Pos2)> {
    let mut output = egui::FullOutput::default();
    for _ in 0..4 {
        output = ctx.run_ui(RawInput::default(), |ui| {
            dialog.show(ui.ctx());
        });
    }
    let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) => Some((
            text.galley.text().to_string(),
            text.visual_bounding_rect().center(),
        )),
        _ => None,
    });
    texts.collect()
}

#[test]
fn no_row_moves_when_an_animation_is_chosen() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("h.usda");
    let mut dialog = Dialog::export(path, rows(ExportOptions::default()));
    let still = texts(&ctx, &mut dialog);
    dialog.export.as_mut().expect("rows").moves = true;
    let moving = texts(&ctx, &mut dialog);
    for wanted in [
        "This moment",
        "Animation",
        "Unreal",
        "Strands",
        "mark as guides",
        "Unit",
        "Length",
        "Size",
        "Cancel",
    ] {
        let at = |texts: &[(String, egui::Pos2)]| {
            let found = texts.iter().find(|(text, _)| text == wanted);
            found.unwrap_or_else(|| panic!("{wanted}: {texts:?}")).1
        };
        assert_eq!(at(&still), at(&moving), "{wanted}");
    }
}

#[test]
fn the_same_strands_are_asked_for_once_and_may_be_marked_as_guides() {
    let (ctx, folder) = (Context::default(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("h.usda");
    let asked = |strands, from_file| {
        let rows = ExportRows {
            strands,
            from_file,
            ..rows(ExportOptions::default())
        };
        let texts = texts(&ctx, &mut Dialog::export(path.clone(), rows));
        let has = |start: &str| {
            texts
                .iter()
                .filter(|text| text.0.starts_with(start))
                .count()
        };
        ["Simulated: ", "The file's: ", "mark as guides"].map(has)
    };
    assert_eq!(asked([10, 10, 20], false), [1, 0, 1]);
    assert_eq!(asked([10, 10, 20], true), [0, 1, 1]);
    assert_eq!(asked([10, 30, 30], true), [1, 1, 0], "they are different");
}

#[test]
fn many_files_are_told_by_the_first_and_the_last() {
    let files: Vec<PathBuf> = (1..=48).map(|i| format!("a/h.{i:04}.obj").into()).collect();
    let note = |sure| replaced::note(&files, Some(Path::new("a/h.####.obj")), sure);
    assert_eq!(note(false), "48 files, h.0001.obj to h.0048.obj, exist.");
    assert!(
        note(true).ends_with("what is in 48 files, h.0001.obj to h.0048.obj, now will be gone.")
    );
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
