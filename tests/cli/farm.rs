//! `lovelock farm` and `lovelock sweep`: jobs, pictures and their sheet.

use crate::program::{SMALL, complaint, folder_with, run, stderr, stdout, text};
use lovelock::{
    io::{FrameFormat, frames::FrameWriter},
    project::scene::Scene,
};
use serde_json::Value;
use std::{fs, path::Path};

fn job(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("job.json")).expect("a job");
    serde_json::from_str(&text).expect("JSON")
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// The same where pictures are drawn; none where no OpenGL is and none is required.
fn drawn(arguments: &[&str]) -> Option<String> {
    let output = run(arguments);
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{message}");
    Some(stdout(&output))
}

#[test]
fn a_job_simulates_once_and_draws_every_frame_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("job");
    let mut arguments = vec!["farm", "--scene", "bob", "--frames", "50", "--chunk", "24"];
    arguments.extend(["--size", "640x360", "--set", "capture.fps=25"]);
    arguments.extend(["--out", text(&out)]);
    let told = done(&[&arguments, SMALL].concat());
    assert!(told.contains("50 frames at 25 frames a second"), "{told}");
    let job = job(&out);
    assert_eq!(job["specificationVersion"], "jobtemplate-2023-09");
    let names: Vec<&Value> = (0..3).map(|step| &job["steps"][step]["name"]).collect();
    assert_eq!(names, ["Simulate", "Render", "Join"]);
    let seconds = &job["steps"][0]["script"]["actions"]["onRun"]["args"][3];
    assert_eq!(seconds, "2");
    let render = &job["steps"][1];
    assert_eq!(render["dependencies"][0]["dependsOn"], "Simulate");
    let frames = &render["parameterSpace"]["taskParameterDefinitions"][0];
    assert_eq!(
        frames["range"].to_string(),
        r#"["0..23","24..47","48..49"]"#
    );
    // It can be moved: nothing in it says where it was made.
    assert!(!job.to_string().contains(text(folder.path())));
    let scene = fs::read_to_string(out.join("scene.toml")).expect("the scene");
    assert!(scene.contains("strands = 60") && !scene.contains(text(folder.path())));
}

#[test]
fn what_no_job_can_be_is_said_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("job");
    let farm = |more: &[&str]| {
        let line = complaint(2, &[&["farm", "--out", text(&out)], more].concat());
        assert!(!out.exists(), "{line}");
        line
    };
    let line = farm(&["--frames", "5000", "--chunk", "1"]);
    assert!(line.contains("say --chunk 5 or more"), "{line}");
    let line = farm(&["--frames", "86401", "--set", "capture.fps=1"]);
    assert!(line.contains("more than the 86400 s"), "{line}");
    let line = farm(&["--frames", "5", "--view", "{{Param.Scene}}"]);
    assert!(line.contains("takes for a variable"), "{line}");
    let line = farm(&["--frames", "5", "--view", "bak"]);
    assert!(line.contains("did you mean back?"), "{line}");
    let line = farm(&["--frames", "5", "--set", "sim.solver=rods"]);
    assert!(line.contains("did you mean rod?"), "{line}");
    // A scene of one's own may name a method that is gone.
    let (_folder, scene) = folder_with("s.toml", b"[sim]\nsolver = \"rods\"\n");
    let line = complaint(
        1,
        &["farm", text(&scene), "--frames", "5", "--out", text(&out)],
    );
    assert!(
        line.contains("did you mean rod?") && !out.exists(),
        "{line}"
    );
}

#[test]
fn no_scene_of_ones_own_is_replaced_and_that_of_an_earlier_run_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let own = "# by hand\nversion = 1\n";
    let names = ["scene.toml", "sweep.toml", "run.csv.toml"].map(|n| folder.path().join(n));
    names
        .iter()
        .for_each(|path| fs::write(path, own).expect("written"));
    let stats = folder.path().join("run.csv");
    let farm = |seed| ["farm", "--frames", "5", "--out", out, "--seed", seed];
    let simulate = |seed| {
        [
            "simulate",
            "--seconds",
            "0",
            "--stats",
            text(&stats),
            "--seed",
            seed,
        ]
    };
    let vary = ["sweep", "--vary", "wind.strength=1,2", "--out", out];
    for command in [&farm("1")[..], &vary[..], &simulate("1")[..]] {
        let line = complaint(2, command);
        assert!(line.contains("would take the place of"), "{line}");
    }
    for path in &names {
        assert_eq!(fs::read_to_string(path).expect("still there"), own);
        fs::remove_file(path).expect("removed");
    }
    // A later run replaces what an earlier one wrote, but for the scene that it reads.
    for seed in ["2", "3"] {
        done(&farm(seed));
        done(&[&simulate(seed)[..], SMALL].concat());
    }
    for (path, command) in [(&names[0], farm("4")), (&names[2], farm("4"))] {
        assert!(
            fs::read_to_string(path)
                .expect("a scene")
                .contains("seed = 3")
        );
        let reads_it = [&command[..1], &[text(path)], &command[1..]].concat();
        let output = run(&reads_it);
        let code = if *path == names[0] { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

#[test]
fn a_sweep_draws_each_combination_and_a_sheet() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("sweep");
    let mut arguments = vec!["sweep", "--vary", "wind.direction=[1, 0, 0],[0, 0, 1]"];
    arguments.extend(["--vary", "roots.strands=40,80,120", "--vertices", "12"]);
    arguments.extend(["--set", "wind.on=true", "--set", "wind.strength=20"]);
    arguments.extend(["--seconds", "0.3", "--size", "64x48", "--samples", "1"]);
    arguments.extend(["--probe", "3:tip", "--out", text(&out)]);
    let Some(told) = drawn(&arguments) else {
        return;
    };
    assert!(
        told.contains("6 pictures in 3 columns and 2 rows"),
        "{told}"
    );
    let sheet = image::open(out.join("sheet.png"))
        .expect("the sheet")
        .to_rgb8();
    assert_eq!(sheet.dimensions(), (3 * 70 + 6, 2 * 54 + 6));
    let table = fs::read_to_string(out.join("sweep.csv")).expect("the table");
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("picture,wind.direction,roots.strands,time_s,max_stretch,"));
    assert!(rows[0].ends_with(",probe_3_tip_x_m,probe_3_tip_y_m,probe_3_tip_z_m"));
    assert!(
        rows[5].starts_with("sweep0004.png,\"[0, 0, 1]\",80,0.3"),
        "{}",
        rows[5]
    );
    let picture = |number: usize| {
        let path = out.join(format!("sweep{number:04}.png"));
        image::open(path).expect("a picture").to_rgb8()
    };
    assert!(picture(0) != picture(2), "the number of strands shows");
    assert!(picture(0) != picture(3), "the wind shows");
    // One picture again is the same picture; the sheet wants all of them.
    let before = picture(4);
    fs::remove_file(out.join("sweep0004.png")).expect("removed");
    let line = complaint(1, &[&arguments[..], &["--sheet"]].concat());
    assert!(line.contains("sweep0004.png; draw it again"), "{line}");
    done(&[&arguments[..], &["--only", "4"]].concat());
    assert!(picture(4) == before, "it is drawn otherwise");
    let alone = fs::read_to_string(out.join("sweep0004.csv")).expect("its row");
    assert_eq!(alone.lines().collect::<Vec<_>>(), [rows[0], rows[5]]);
    // A sheet keeps the numbers of the table, and takes those of pictures drawn alone.
    done(&[&arguments[..], &["--sheet"]].concat());
    assert_eq!(
        fs::read_to_string(out.join("sweep.csv")).ok(),
        Some(table.clone())
    );
    fs::remove_file(out.join("sweep.csv")).expect("removed");
    done(&[&arguments[..], &["--sheet"]].concat());
    let again = fs::read_to_string(out.join("sweep.csv")).expect("the table");
    let again: Vec<&str> = again.lines().collect();
    assert_eq!(again[5], rows[5]);
    assert!(
        again[1].starts_with("sweep0000.png,\"[1, 0, 0]\",40,,"),
        "{}",
        again[1]
    );
}

/// The rows of a table, without its heading, as names and cells.
fn cells(table: &str) -> Vec<std::collections::BTreeMap<&str, &str>> {
    let mut lines = table.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().expect("a heading").collect();
    lines
        .map(|cells| names.iter().copied().zip(cells).collect())
        .collect()
}

#[test]
fn a_sweep_without_pictures_has_the_numbers_of_simulate() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, stats] = ["sweep", "run.csv"].map(|name| folder.path().join(name));
    let common = ["--seconds", "0.1", "--probe", "0:2", "--probe", "0:tip"];
    let sweep = ["sweep", "--vary", "sim.solver=pbd,rod", "--no-pictures"];
    done(&[&sweep[..], &common, SMALL, &["--out", text(&out)]].concat());
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["sweep.csv", "sweep.toml"]);
    let table = fs::read_to_string(out.join("sweep.csv")).expect("the table");
    let found = cells(&table);
    assert_eq!(found.len(), 2);
    for (number, solver) in ["pbd", "rod"].into_iter().enumerate() {
        let simulate = ["simulate", "--solver", solver, "--stats", text(&stats)];
        done(&[&simulate[..], &common, SMALL].concat());
        let run = fs::read_to_string(&stats).expect("the statistics");
        let last = cells(&run).pop().expect("a step");
        let row = &found[number];
        assert_eq!(
            (row["combination"], row["sim.solver"]),
            (&number.to_string()[..], solver)
        );
        for (name, cell) in &last {
            if !["frame", "step_ms", "time_s"].contains(name) {
                assert_eq!(row.get(name), Some(cell), "{solver}, {name}");
            }
        }
        assert_eq!(row["elastic_J"].is_empty(), solver == "pbd");
    }
    assert_ne!(found[0]["probe_0_tip_y_m"], found[1]["probe_0_tip_y_m"]);
}

/// Pictures of these strengths of the wind, as a sweep draws them.
fn pictures(out: &Path, strengths: &[f32], with_scene: bool) {
    let mut writer = FrameWriter::open_at(out, "sweep", FrameFormat::Png, 0).expect("begun");
    for strength in strengths {
        let mut scene = Scene::default();
        scene.sim.wind.strength = *strength;
        scene.capture.scene = with_scene;
        writer.carry_scene(scene.picture_text().as_deref());
        writer.write(32, 16, vec![90; 3 * 32 * 16]).expect("taken");
    }
    writer.finish().expect("written");
}

#[test]
fn a_sheet_is_of_pictures_of_this_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path();
    let sheet = |values: &str, code: i32| {
        let vary = format!("wind.strength={values}");
        let sweep = ["sweep", "--vary", &vary, "--sheet", "--size", "32x16"];
        let output = run(&[&sweep[..], &["--out", text(out)]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        stderr(&output)
    };
    pictures(out, &[2.0, 6.3], true);
    let line = sheet("2,10", 1);
    let told = line.contains("sweep0001.png shows another wind.strength");
    assert!(told && line.contains("draw it again"), "{line}");
    assert!(!out.join("sweep.csv").exists(), "a table that lies");
    let none = sheet("2,6.3", 0);
    assert!(!none.contains("another sweep"), "{none}");
    assert!(out.join("sheet.png").is_file() && out.join("sweep.csv").is_file());
    // What lies beside them is not passed over.
    pictures(out, &[2.0, 6.3, 9.0], true);
    let line = sheet("2,6.3", 0);
    let told = line.contains("1 picture is not in this sheet but of another sweep");
    assert!(told && line.contains("sweep0002.png on"), "{line}");
    pictures(out, &[2.0, 6.3], false);
    let line = sheet("2,6.3", 1);
    let told = line.contains("sweep0000.png holds no scene");
    assert!(told && line.contains("draw it again"), "{line}");
}

#[test]
fn a_sweep_that_cannot_be_is_said_before_the_work() {
    let sweep = |more: &[&str]| complaint(2, &[&["sweep"], more].concat());
    let line = sweep(&["--vary", "wind.strength=2,600"]);
    assert!(line.contains("wind.strength = 600 is outside"), "{line}");
    let line = sweep(&["--vary", "sim.solver=pbd,rodd"]);
    assert!(line.contains("there is no solver \"rodd\""), "{line}");
    let line = sweep(&["--vary", "wind.strength=1,2", "--size", "16384x16384"]);
    assert!(line.contains("say a smaller --size"), "{line}");
    let line = sweep(&["--vary", "wind.strength=1,2", "--only", "2"]);
    assert!(line.contains("0 to 1; --only 2 is none of them"), "{line}");
    let line = sweep(&["--vary", "wind.strength=1,2", "--vary", "wind.strength=3"]);
    assert!(
        line.contains("--vary wind.strength is there twice"),
        "{line}"
    );
    // A file is missed before the pictures that need none are drawn.
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("sweep");
    for (key, values) in [
        ("light.environment", "sunset,nothere.hdr"),
        ("head.file", "nothere.obj"),
        ("import.file", "nothere.abc"),
        ("roots.density_map", "nothere.png"),
    ] {
        let vary = format!("{key}={values}");
        let line = complaint(1, &["sweep", "--vary", &vary, "--out", text(&out)]);
        let missed = values.rsplit(',').next().expect("a file");
        assert!(
            line.contains(&format!("{key} = {missed}: there is no such")),
            "{line}"
        );
        assert!(!out.exists(), "{line}");
    }
    let ten = "=0,1,2,3,4,5,6,7,8,9";
    let [a, b, c, d] =
        ["wind.strength", "fan.strength", "sim.seconds", "x"].map(|k| k.to_string() + ten);
    let line = sweep(&["--vary", &a, "--vary", &b, "--vary", &c, "--vary", &d]);
    assert!(line.contains("more than 1024 combinations"), "{line}");
}
