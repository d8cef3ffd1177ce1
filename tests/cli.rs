//! The program from the outside, as a script or a person at a prompt meets it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

fn lovelock() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lovelock"));
    // What the tester's shell sets must not change what is tested.
    for variable in [
        "RUST_LOG",
        "LOVELOCK_LOG",
        "RUST_BACKTRACE",
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    lovelock()
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text on standard output")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text on standard error")
}

/// What the program says when it ends with `code` and a single line.
fn complaint(code: i32, arguments: &[&str]) -> String {
    let output = run(arguments);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert!(
        text.starts_with("lovelock: ") && text.lines().count() == 1,
        "{arguments:?} is not told in one line: {text}"
    );
    assert_eq!(stdout(&output), "", "{arguments:?}");
    text
}

/// A folder with one file of that name and content.
fn folder_with(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    (folder, path)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn assets(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets")
        .join(below)
}

/// A box of 20 x 25 x 20 that can only be meant in centimetres.
const CUBE_IN_CENTIMETRES: &str = "\
v -10 0 -10\nv 10 0 -10\nv 10 0 10\nv -10 0 10\n\
v -10 25 -10\nv 10 25 -10\nv 10 25 10\nv -10 25 10\n\
f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";

/// Heads made by others; they are not part of the project.
fn inputs() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/inputs");
    let inputs = std::env::var_os("LOVELOCK_INPUTS").map_or(beside, PathBuf::from);
    if inputs.is_dir() {
        return Some(inputs);
    }
    println!("skipped: there are no heads of others; name their folder in LOVELOCK_INPUTS");
    None
}

#[test]
fn help_and_version_are_no_failure() {
    for arguments in [["--help"], ["--version"]] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), "");
    }
    let help = stdout(&run(&["--help"]));
    for wanted in [
        "render",
        "simulate",
        "info",
        "bench",
        "--set",
        "--head",
        "Examples:",
    ] {
        assert!(help.contains(wanted), "--help does not tell of {wanted}");
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    assert!(complaint(2, &["--set", "strenth=3"]).contains("did you mean wind.strength?"));
    assert!(complaint(2, &["--strands", "0"]).contains("outside its range 1 to 200000"));
    assert!(complaint(2, &["rendr"]).contains("did you mean render?"));
    assert!(complaint(2, &["my.obj"]).contains("--head my.obj"));
    assert!(complaint(2, &["simulate", "--set", "wind.on=maybe"]).contains("true or false"));
    for arguments in [
        &["--nonsense"][..],
        &["--set", "wind.strength"],
        &["--threads", "0"],
        &["info"],
        &["render"],
        &["render", "--frames", "0"],
        &["render", "--frames", "3", "--seconds", "1"],
        &["render", "--frames", "3", "--size", "9x9"],
        &["simulate", "--seconds", "-1"],
        &["simulate", "--stats", "numbers.txt"],
        &["simulate", "--solver", "magic"],
        &["bench", "--threads", "1,0"],
        &["bench", "--threads", "two"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!stderr(&output).contains("panic"));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_window_names_render() {
    let line = complaint(1, &[]);
    assert!(
        line.contains("display") && line.contains("lovelock render"),
        "{line}"
    );
    assert!(!line.contains(".rs:"), "{line}");
}

#[test]
fn a_wrong_scene_is_named_with_its_line() {
    let (_folder, path) = folder_with("s.toml", b"version = 1\n[wind]\nstrength = 99\n");
    for arguments in [
        &["simulate", text(&path)][..],
        &["simulate", "--param-file", text(&path)],
        &["info", text(&path)],
        &[text(&path)],
    ] {
        let line = complaint(1, arguments);
        assert!(
            line.contains("s.toml:3: wind.strength = 99 is outside"),
            "{line}"
        );
    }
    assert!(complaint(1, &["simulate", "none.toml"]).contains("cannot read the scene none.toml"));
}

#[test]
fn info_tells_of_a_scene() {
    let (_folder, path) = folder_with(
        "s.toml",
        b"[roots]\nstrands = 20\n[groom]\nvertices = 9\n[wind]\ndirection = [0, 0.1, 1]\n",
    );
    let output = run(&["info", "--json", text(&path)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kind"], "scene");
    assert_eq!(
        (&json["strands"], &json["points"]),
        (&20.into(), &180.into())
    );
    assert_eq!(json["min_vertices"], json["max_vertices"]);
    assert_eq!(json["changed"]["wind.direction"][1], 0.1);
    let output = stdout(&run(&["info", text(&path)]));
    assert!(output.contains("20 with 180 vertices"), "{output}");
}

#[test]
fn info_tells_of_a_head_as_it_was_read() {
    let (_folder, path) = folder_with("cube.OBJ", CUBE_IN_CENTIMETRES.as_bytes());
    let output = run(&["info", "--json", text(&path)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kind"], "mesh");
    assert_eq!(
        (&json["vertices"], &json["triangles"]),
        (&8.into(), &12.into())
    );
    assert_eq!(json["bbox_min"], serde_json::json!([-10.0, 0.0, -10.0]));
    assert_eq!(json["bbox_max"], serde_json::json!([10.0, 25.0, 10.0]));
    assert_eq!(json["units"], "cm");
    assert_eq!(json["warnings"], serde_json::json!([]));

    let head = stdout(&run(&["info", "--json", text(&assets("head.obj"))]));
    let head: serde_json::Value = serde_json::from_str(&head).expect("JSON");
    assert_eq!(
        (&head["triangles"], &head["units"]),
        (&17_480.into(), &"m".into())
    );
    let shown = stdout(&run(&["info", text(&path)]));
    assert!(
        shown.contains("12, from 6 faces") && shown.contains("25.0 cm tall"),
        "{shown}"
    );
}

#[test]
fn every_real_head_is_told_of_and_every_wrong_one_refused_in_one_line() {
    let Some(inputs) = inputs() else { return };
    for (name, vertices, triangles, unit) in [
        ("digitalsalon_Head.OBJ", 12466, 24820, "m"),
        ("digitalsalon_female_head.obj", 10822, 21510, "cm"),
        ("digitalsalon_wig_head.obj", 964, 1920, "cm"),
        ("ict_generic_neutral.obj", 26719, 52220, "cm"),
        ("makehuman_base.obj", 19158, 36972, "dm"),
    ] {
        let path = inputs.join("heads").join(name);
        let output = run(&["info", "--json", text(&path)]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["vertices"], vertices, "{name}");
        assert_eq!(json["triangles"], triangles, "{name}");
        assert_eq!(json["units"], unit, "{name}");
    }
    for name in [
        "invalid-face-definition",
        "invalid-relative-vertex-index",
        "invalid-relative-texture-index",
        "line-prim",
        "points-prim",
        "issue-356-leading-spaces-newmtl",
    ] {
        let path = inputs.join("obj-torture").join(name).with_extension("obj");
        let line = complaint(1, &["info", text(&path)]);
        assert!(line.contains(name), "{line}");
    }
    let ply = inputs.join("hair/Bangs_head.ply");
    assert!(complaint(1, &["info", text(&ply)]).contains("Bangs_head.ply"));
}

#[test]
fn every_shipped_scene_is_read() {
    let mut scenes = 0;
    for entry in std::fs::read_dir(assets("scenes")).expect("assets/scenes") {
        let path = entry.expect("an entry").path();
        let output = run(&["info", "--json", text(&path)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        scenes += 1;
    }
    assert!(scenes >= 3, "only {scenes} scenes are shipped");
}

#[test]
fn a_file_of_an_unknown_kind_is_refused() {
    let (_folder, path) = folder_with("groom.hair", b"HAIR");
    assert!(complaint(1, &["info", text(&path)]).contains("neither a head (.obj) nor a scene"));
    assert!(complaint(1, &["info", "none.xyz"]).contains("no such file"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = lovelock()
        .args(["info", text(&assets("scenes/windy.toml"))])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_standard_output_is_told() {
    let full = std::fs::File::create("/dev/full").expect("/dev/full");
    let output = lovelock()
        .args(["info", text(&assets("scenes/windy.toml"))])
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("the disk is full"),
        "{}",
        stderr(&output)
    );
}

/// A head that is quick to read, and few strands on it.
const SMALL: &[&str] = &["--strands", "60", "--vertices", "12"];

/// Runs `simulate` on few strands with these arguments and statistics of the
/// given ending; returns the rows.
fn simulate(arguments: &[&str], ending: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stats").with_extension(ending);
    let mut all = vec!["simulate", "--stats", text(&path)];
    all.extend(SMALL);
    all.extend(arguments);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let written = std::fs::read_to_string(&path).expect("statistics");
    // Nothing but the statistics is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1);
    if ending == "json" {
        return serde_json::from_str(&written).expect("JSON");
    }
    let mut lines = written
        .lines()
        .map(|line| line.split(',').map(String::from));
    let names: Vec<String> = lines.next().expect("a heading").collect();
    let row = |cells: &mut dyn Iterator<Item = String>| {
        let cells = cells.map(serde_json::Value::from);
        names.iter().cloned().zip(cells).collect()
    };
    lines.map(|mut cells| row(&mut cells)).collect()
}

#[test]
fn simulate_writes_a_row_for_each_frame() {
    let columns = [
        "frame",
        "time_s",
        "step_ms",
        "max_stretch",
        "mean_stretch",
        "max_penetration_m",
        "penetrating_vertices",
        "kinetic_J",
        "potential_J",
        "nonfinite",
        "state_hash",
    ];
    for ending in ["csv", "json"] {
        let rows = simulate(&["--seconds", "0.5"], ending);
        assert_eq!(rows.len(), 30, "half a second at 60 frames a second");
        for (index, row) in rows.iter().enumerate() {
            let mut names: Vec<&String> = row.keys().collect();
            let mut wanted = columns.to_vec();
            names.sort();
            wanted.sort_unstable();
            assert_eq!(names, wanted);
            let number = |name: &str| match &row[name] {
                serde_json::Value::String(text) => text.parse().expect("a number"),
                value => value.as_f64().expect("a number"),
            };
            assert_eq!(number("frame"), (index + 1) as f64);
            assert!((number("time_s") - (index + 1) as f64 / 60.0).abs() < 1e-9);
            assert_eq!(number("nonfinite"), 0.0);
            assert!(number("max_stretch") >= number("mean_stretch").min(0.0));
            let hash = row["state_hash"].as_str().expect("a hash");
            assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok());
        }
    }
    let rate = simulate(&["--seconds", "0.5", "--set", "sim.rate=100"], "csv");
    assert_eq!(rate.len(), 50);
}

#[test]
fn simulate_gives_the_same_bits_for_any_number_of_threads() {
    let hashes = |arguments: &[&str]| -> Vec<String> {
        let rows = simulate(arguments, "json");
        let hash = |row: &serde_json::Map<_, _>| row["state_hash"].to_string();
        rows.iter().map(hash).collect()
    };
    let one = hashes(&[
        "--seconds",
        "0.4",
        "--set",
        "wind.on=true",
        "--threads",
        "1",
    ]);
    let mut different = one.clone();
    different.dedup();
    assert_eq!(different.len(), one.len(), "the hair does not move");
    for threads in ["2", "3"] {
        let more = hashes(&[
            "--seconds",
            "0.4",
            "--set",
            "wind.on=true",
            "--threads",
            threads,
        ]);
        assert_eq!(one, more, "{threads} threads");
    }
    let seed = hashes(&["--seconds", "0.4", "--set", "wind.on=true", "--seed", "2"]);
    assert_ne!(one, seed, "another seed grows the same hair");
}

#[test]
fn statistics_that_cannot_be_written_are_told_before_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("none").join("stats.csv");
    let started = std::time::Instant::now();
    let line = complaint(
        1,
        &["simulate", "--seconds", "86400", "--stats", text(&path)],
    );
    assert!(line.contains("cannot write the statistics"), "{line}");
    let path = path.with_extension("json");
    let line = complaint(1, &["bench", "--json", text(&path)]);
    assert!(line.contains("cannot write"), "{line}");
    assert!(started.elapsed().as_secs() < 30, "told after the work");
}

#[test]
fn a_wrong_head_ends_every_command_with_1() {
    let cases: [(&str, &[u8]); 6] = [
        ("empty.obj", b""),
        (
            "noise.obj",
            &[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff],
        ),
        ("prose.obj", b"Dear head,\nplease grow some hair.\n"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"),
        ("range.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n"),
        ("down.obj", b"v 0 0 0\nv 0.2 0 0\nv 0 0 0.2\nf 1 2 3\n"),
    ];
    for (name, content) in cases {
        let (folder, path) = folder_with(name, content);
        let out = folder.path().join("out");
        let line = complaint(1, &["simulate", "--head", text(&path)]);
        if name != "down.obj" {
            // A face that looks down is no fault of a line.
            assert!(line.contains(name), "{line}");
        }
        let same = complaint(
            1,
            &[
                "render",
                "--frames",
                "2",
                "--head",
                text(&path),
                "--out",
                text(&out),
            ],
        );
        assert_eq!(line, same);
        assert!(!out.exists(), "a folder was made for a head that is none");
    }
    let line = complaint(1, &["simulate", "--head", "no-such-head.obj"]);
    assert!(line.contains("no-such-head.obj"), "{line}");
}

/// Runs `render` on few strands with these arguments; none where no OpenGL is
/// and none is required.
fn render(arguments: &[&str]) -> Option<Output> {
    let mut all = vec!["render", "--size", "96x64"];
    all.extend(SMALL);
    all.extend(arguments);
    let output = run(&all);
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return None;
    }
    Some(output)
}

/// The frames in `folder`, decoded, in order; panics at a gap or a foreign file.
fn frames(folder: &Path, ending: &str) -> Vec<image::RgbImage> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the frames")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a plain name")
        })
        .collect();
    names.sort();
    let decode = |(index, name): (usize, &String)| {
        assert_eq!(*name, format!("render{index:04}.{ending}"));
        image::open(folder.join(name)).expect("a picture").to_rgb8()
    };
    names.iter().enumerate().map(decode).collect()
}

#[test]
fn render_writes_frames_that_move_and_never_overwrites() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("deep/renders");
    let arguments = [
        "--seconds",
        "0.25",
        "--out",
        text(&out),
        "--set",
        "wind.on=true",
    ];
    let Some(output) = render(&arguments) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let first = frames(&out, "png");
    assert_eq!(
        first.len(),
        6,
        "a quarter of a second at 24 frames a second"
    );
    assert!(first.iter().all(|frame| frame.dimensions() == (96, 64)));
    for pair in first.windows(2) {
        assert!(pair[0] != pair[1], "two frames are alike");
    }

    let arguments = ["--frames", "2", "--warmup", "0.5", "--out", text(&out)];
    render(&arguments).expect("what worked once works again");
    let all = frames(&out, "png");
    assert_eq!(all.len(), 8);
    assert!(all[..6] == first[..], "frames that were there have changed");
}

#[test]
fn render_writes_bmp_and_the_same_pictures_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folders = ["a", "b"].map(|name| folder.path().join(name));
    for (folder, format) in folders.iter().zip(["bmp", "png"]) {
        let arguments = [
            "--frames",
            "3",
            "--fps",
            "12",
            "--format",
            format,
            "--out",
            text(folder),
        ];
        let Some(output) = render(&arguments) else {
            return;
        };
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let bmp = frames(&folders[0], "bmp");
    assert_eq!(bmp.len(), 3);
    assert!(bmp == frames(&folders[1], "png"), "BMP and PNG differ");
}

#[test]
#[cfg(unix)]
fn a_render_that_is_interrupted_leaves_whole_frames() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    if render(&["--frames", "1", "--out", text(&out)]).is_none() {
        return;
    }
    let mut child = lovelock()
        .args([
            "render",
            "--frames",
            "100000",
            "--size",
            "640x360",
            "--out",
            text(&out),
        ])
        .args(SMALL)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let last = out.join("render0004.png");
    for _ in 0..600 {
        if last.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.expect("kill").success());
    let status = child.wait().expect("the program ends");
    assert!(!status.success());
    let mut count = 0;
    while out.join(format!("render{count:04}.png")).exists() {
        image::open(out.join(format!("render{count:04}.png"))).expect("a whole picture");
        count += 1;
    }
    let pictures = std::fs::read_dir(&out).expect("listed").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().starts_with("render")
    });
    assert!(
        count >= 5 && pictures.count() == count,
        "a gap or a half frame"
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_the_work() {
    let (_folder, path) = folder_with("file", b"");
    let Some(output) = render(&["--frames", "100000", "--out", text(&path)]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}
