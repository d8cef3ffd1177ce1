//! Nothing is lost: work that is not saved, in the real window.

use super::driven_window::{DrivenWindow, wait_for};
use std::{fs, path::Path};

const HAIR: &[&str] = &[
    "--strands",
    "60",
    "--vertices",
    "10",
    "--set",
    "motion.preset=none",
    "--set",
    "followers.each=0",
];

fn wait_for_title(desk: &DrivenWindow, title: &str) {
    wait_for(title, || (desk.title() == title).then_some(()));
}

/// The autosaves in a folder.
fn kept(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| name.starts_with("autosave-") && name.ends_with(".toml"))
        .count()
}

fn wind(scene: &Path) -> Option<bool> {
    let scene: toml::Table = fs::read_to_string(scene).ok()?.parse().ok()?;
    scene.get("wind")?.get("on")?.as_bool()
}

#[test]
fn closing_and_opening_ask_what_to_do_with_the_changes() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    wait_for_title(&desk, "Lovelock");
    let light = desk.light();
    // Looking around is no work.
    desk.drag([400, 400], [500, 420]);
    desk.key("w");
    wait_for_title(&desk, "● untitled - Lovelock");

    // Esc: the window stays, with the changes.
    desk.ask_to_close();
    desk.wait_for_dialog(light);
    desk.key("Escape");
    desk.wait_for_light(light);
    assert!(desk.ended().is_none());
    // Undone it is as it was; each of two presses within a frame counts.
    desk.key("g");
    desk.keys(&["ctrl+z", "ctrl+z"]);
    wait_for_title(&desk, "Lovelock");
    desk.keys(&["ctrl+y", "ctrl+y", "ctrl+z"]);
    wait_for_title(&desk, "● untitled - Lovelock");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(desk.title(), "● untitled - Lovelock");

    // A scene that is dropped asks, too; D discards, and Ctrl+Z brings it back.
    let other = desk.folder.path().join("other.toml");
    fs::write(
        &other,
        "version = 1\n[roots]\nstrands = 60\n[groom]\nvertices = 9\n",
    )
    .expect("writes");
    desk.drop_file(&other);
    desk.wait_for_dialog(light);
    desk.look().keep("asked");
    desk.key("d");
    wait_for_title(&desk, "other - Lovelock");
    desk.wait_for_light(light);
    desk.key("ctrl+z");
    wait_for_title(&desk, "● untitled - Lovelock");

    // Return saves; without a file it asks for one, and then it closes.
    desk.ask_to_close();
    desk.wait_for_dialog(light);
    desk.key("Return");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let mine = desk.folder.path().join("mine.toml");
    desk.key("ctrl+a");
    desk.xdotool(&["type", "--delay", "20", &mine.display().to_string()]);
    desk.key("Return");
    let status = wait_for("the program's end", || desk.ended());
    assert_eq!(status.code(), Some(0), "{}", desk.said());
    assert_eq!(wind(&mine), Some(true));
    assert_eq!(kept(&desk.folder.path().join("state")), 0);
}

#[test]
fn after_a_crash_the_work_is_offered() {
    let state = tempfile::tempdir().expect("a folder");
    let state = state.path();
    fs::write(state.join("hint-read"), "").expect("writes");
    let Some(mut desk) = DrivenWindow::with(HAIR, Some(state)) else {
        return;
    };
    desk.wait_for_head();
    desk.key("w");
    wait_for("the autosave", || (kept(state) == 1).then_some(()));
    desk.crash();
    assert_eq!(kept(state), 1);

    let Some(mut desk) = DrivenWindow::with(HAIR, Some(state)) else {
        return;
    };
    // It is offered over whatever the window shows.
    wait_for_title(&desk, "Lovelock");
    std::thread::sleep(std::time::Duration::from_secs(3));
    desk.look().keep("offered");
    desk.key("Return");
    wait_for_title(&desk, "● untitled - Lovelock");
    assert_eq!(kept(state), 1, "it is kept until it is saved");
    // The question fades.
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(desk.save("again.toml")["wind"]["on"].as_bool(), Some(true));
    wait_for_title(&desk, "again - Lovelock");
    wait_for("the autosave to go", || (kept(state) == 0).then_some(()));
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
    assert_eq!(fs::read_dir(state).expect("a folder").count(), 1, "no lock");
}

#[test]
fn texts_come_from_other_programs_and_go_there() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    let light = desk.light();
    desk.key("ctrl+s");
    desk.wait_for_dialog(light);
    desk.key("ctrl+a");
    let path = desk.folder.path().join("pasted.toml");
    desk.copy(&path.display().to_string(), || desk.key("ctrl+v"));
    desk.key("ctrl+a");
    desk.key("ctrl+c");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(desk.clipboard(), Some(path.display().to_string()));
    desk.key("Return");
    wait_for("the file", || path.exists().then_some(()));
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}
