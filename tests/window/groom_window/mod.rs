//! Hair from files in the real window: dropped, fitted, saved, exported.

use super::driven_window::{DrivenWindow, Shot, wait_for};
use glam::Vec3;
use lovelock::{
    io::strands::{self, Strands},
    mesh::{self, HeadParams, RootParams, load},
};
use std::{path::Path, thread::sleep, time::Duration};

/// Straight hair on the upper head, as another program might have it: z up, in
/// a unit of its own, and beside the head.
fn write_groom(path: &Path) {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let params = RootParams {
        strands: 400,
        ..RootParams::default()
    };
    let mut out = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for root in mesh::roots(&head.mesh, &params).expect("roots") {
        for k in 0..6 {
            let p = root.position + root.normal * (0.012 * k as f32);
            out.points
                .push(Vec3::new(p.x, -p.z, p.y) * 30.0 + Vec3::new(8.0, 3.0, 1.0));
        }
        out.starts.push(out.points.len() as u32);
    }
    let (_, writing) = strands::written()
        .find(|(format, _)| format.id == "data")
        .expect("is written");
    strands::write(path, writing, &out).expect("writes");
}

/// The middle of the first wide button in the colour of what is best to do.
fn find_button(shot: &Shot) -> Option<[usize; 2]> {
    let lit = |x: usize, y: usize| {
        let colours = shot.at(x, y).into_iter().zip([128u8, 84, 50]);
        colours.into_iter().all(|(a, b)| a.abs_diff(b) < 6)
    };
    for y in 100..shot.height - 60 {
        let Some(x) = (940..shot.width - 20).find(|x| lit(*x, y)) else {
            continue;
        };
        let width = (x..shot.width).take_while(|x| lit(*x, y)).count();
        if width > 200 {
            return Some([x + width / 2, y + 8]);
        }
    }
    None
}

#[test]
fn a_groom_that_does_not_fit_is_dropped_fitted_saved_and_seen_again() {
    // A head that sways would be seen elsewhere in the second window, by as long as
    // the key takes that pauses it.
    let hair = ["--strands", "200", "--vertices", "12"];
    let at_rest = ["--set", "motion.preset=none"];
    let Some(mut desk) = DrivenWindow::new(&[hair.as_slice(), &at_rest].concat()) else {
        return;
    };
    let groom = desk.folder.path().join("wig.data");
    write_groom(&groom);
    desk.wait_for_head();
    desk.key("space");
    let grown = desk.still();
    desk.drop_file(&groom);
    let button = wait_for("the offer to fit", || find_button(&desk.look()));
    let bald = desk.still();
    let gone = bald.difference(&grown);
    assert!(gone > 0.05, "the hair is not on the head any more: {gone}");
    let astray = desk.save("astray.toml");
    let import = &astray["import"];
    let file = import["file"].as_str().expect("a name");
    assert!(file.ends_with("wig.data"), "{import}");
    assert!(import.get("scale").is_none(), "{import}");

    desk.point(button);
    desk.xdotool(&["click", "1"]);
    let no_offer = || find_button(&desk.look()).is_none().then_some(());
    wait_for("the offer to go", no_offer);
    desk.point([400, 400]);
    // Messages go by themselves.
    sleep(Duration::from_secs(6));
    let fitted = desk.still();
    fitted.keep("groom-fitted");
    let there = fitted.difference(&bald);
    assert!(there > 0.05, "the hair is on the head: {there}");
    let scene = desk.save("fitted.toml");
    let import = &scene["import"];
    assert_eq!(import["up"].as_str(), Some("z"), "{import}");
    assert!(import.get("turn").is_none(), "{import}");
    let metres = match import["units"].as_str() {
        Some("dm") => 0.1,
        Some("cm") => 0.01,
        other => panic!("{other:?}"),
    };
    let scale = import["scale"].as_float().expect("a number") * metres;
    assert!((scale * 30.0 - 1.0).abs() < 0.06, "{import}");

    // One undo takes it off, one redo puts it on again.
    desk.key("ctrl+z");
    wait_for("the offer to come back", || find_button(&desk.look()));
    desk.key("ctrl+y");
    wait_for("the offer to go", no_offer);

    // Exported, it is a file that is read again.
    let file = desk.folder.path().join("out.usda");
    desk.fill_dialog("ctrl+e", &file);
    let (_, back) = wait_for("the export", || strands::read(&file).ok());
    // As the command line writes it without options: the file's strands, in metres.
    assert_eq!(back.metres_per_unit, Some(1.0));
    assert_eq!(back.len(), 400);

    // Another window with the saved scene shows the same.
    let path = desk.folder.path().join("fitted.toml").display().to_string();
    let Some(mut again) = DrivenWindow::new(&[&path]) else {
        return;
    };
    again.wait_for_head();
    again.key("space");
    sleep(Duration::from_secs(6));
    let seen = again.still();
    seen.keep("groom-again");
    let differs = seen.difference(&fitted);
    let bare = seen.difference(&bald);
    assert!(
        differs < 0.5 * bare,
        "the same hair on the same head: {differs} {bare}"
    );
    for desk in [&mut desk, &mut again] {
        assert_eq!(desk.close().code(), Some(0));
    }
}
