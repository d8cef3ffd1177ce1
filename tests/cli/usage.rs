//! Help, wrong usage, wrong files.

use crate::program::{complaint, folder_with, lovelock, run, stderr, stdout, text};

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
        "validate",
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
    assert!(complaint(2, &["shak"]).contains("did you mean shake?"));
    assert!(complaint(2, &["bob"]).contains("--scene bob"));
    assert!(complaint(2, &["simulate", "--solver", "pbd,rod"]).contains("--compare takes two"));
    let far = complaint(2, &["simulate", "--solver", "foo"]);
    assert!(!far.contains("did you mean"), "{far}");
    assert!(complaint(2, &["simulate", "--solver", "RODS"]).contains("did you mean rod?"));
    for key in ["sim.solver=RODS", "b.sim.solver=RODS"] {
        assert!(complaint(2, &["simulate", "--set", key]).contains("did you mean rod?"));
    }
    assert!(complaint(2, &["--scene", "pony"]).contains("did you mean ponytail?"));
    assert!(complaint(2, &["my.obj"]).contains("--head my.obj"));
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    assert!(complaint(1, &[page]).contains("README.md is not a scene: "));
    for (name, content, code, told) in [
        (
            "notes.txt",
            "what I saw\n",
            1,
            "is neither a scene nor a groom: ",
        ),
        (
            "hair.txt",
            "0 0 0\n0 0 1\n",
            2,
            "is a groom, not a scene; write --groom",
        ),
        (
            "rows.json",
            "{ \"rows\": [] }\n",
            1,
            "rows.json is not a scene: ",
        ),
    ] {
        let (_folder, path) = folder_with(name, content.as_bytes());
        let line = complaint(code, &[text(&path)]);
        assert!(line.contains(told), "{line}");
    }
    let folder = env!("CARGO_MANIFEST_DIR");
    assert!(complaint(2, &["simulate", folder]).contains("is a folder; name"));
    let nowhere = complaint(1, &["info", "nosuch.obj"]);
    assert!(!nowhere.contains("(os error"), "{nowhere}");
    assert!(complaint(2, &["simulate", "--set", "wind.on=maybe"]).contains("true or false"));
    let unit = complaint(2, &["simulate", "--set", "wind.strength=6kmh"]);
    assert!(
        unit.contains("wants a number from 0 to 50 m/s, not"),
        "{unit}"
    );
    let own = ["--set", "wind.strength=6 m/s", "--set", "groom.length=0.2m"];
    let taken = run(&[&["simulate", "--seconds", "0", "--strands", "5"], &own[..]].concat());
    assert_eq!(taken.status.code(), Some(0), "{}", stderr(&taken));
    let negative = run(&["simulate", "--seconds", "-1"]);
    assert_eq!(negative.status.code(), Some(2));
    assert!(stderr(&negative).contains("give seconds, from 0 to 86400"));
    assert!(complaint(2, &["simulate", "--seed", "-3"]).contains("outside its range"));
    assert!(complaint(2, &["render"]).contains("--seconds S, --still or --cache"));
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
        &["simulate", "--export", "a.abc", "--export-every", "0"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!stderr(&output).contains("panic"));
    }
}

/// A number below zero is refused as a number, and not as an option that is not known.
#[test]
fn a_negative_number_is_a_value() {
    for (arguments, told) in [
        (&["--strands", "-3"][..], "roots.strands"),
        (&["simulate", "--vertices", "-3"], "groom.vertices"),
        (&["simulate", "--threads", "-3"], "-3 is not in 1..=1024"),
        (
            &["render", "--still", "--warmup", "-1"],
            "give seconds, from 0",
        ),
        (&["render", "--frames", "1", "--fps", "-1"], "capture.fps"),
        (
            &["sweep", "--vary", "a=1", "--seconds", "-1"],
            "give seconds, from 0",
        ),
        (
            &["simulate", "--export", "a.abc", "--export-fps", "-1"],
            "from 0.1 to 1000",
        ),
        (
            &["simulate", "--export", "a.abc", "--export-every", "-1"],
            "1 or more",
        ),
        (
            &["simulate", "--export", "a.abc", "--export-every", "0"],
            "1 or more",
        ),
        (
            &["simulate", "--export", "a.abc", "--export-start", "-1"],
            "-1 is not in 0",
        ),
        (&["simulate", "--set", "-1"], "KEY=VALUE"),
    ] {
        let said = stderr(&run(arguments));
        assert!(said.contains(told), "{arguments:?}: {said}");
        assert!(!said.contains("-- -"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_command_behind_options_is_told_to_go_first() {
    for (line, wanted) in [
        (
            &["--style", "coily", "render", "--frames", "1"][..],
            "lovelock render --style coily --frames 1\n",
        ),
        (
            &["--style", "coily", "render"],
            "lovelock render --style coily\n",
        ),
        (&["--frames", "1", "render"], "lovelock render --frames 1\n"),
        (
            &["--set", "import.file=my hair.abc", "simulate"],
            "lovelock simulate --set 'import.file=my hair.abc'\n",
        ),
    ] {
        let said = complaint(2, line);
        assert!(said.ends_with(wanted), "{said}");
        assert!(said.contains("write the command first: "), "{said}");
    }
    // The value of an option is no command, and a second command is no misspelt one.
    let output = run(&["--head", "render", "--nonsense"]);
    assert!(stderr(&output).contains("unexpected argument '--nonsense'"));
    let said = complaint(2, &["simulate", "render"]);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn helps_say_what_is_so() {
    let help = |command: &[&str]| {
        let text = stdout(&run(&[command, &["--help"]].concat()));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (command, wanted) in [
        (&[][..], "numbers for each step"),
        (&[], "print or write the numbers"),
        (&["simulate"], "at least one step"),
        (&["simulate"], ".usdz, .usd or .abc"),
        (&["farm"], "Number of frames"),
        (&["response"], "a list with commas"),
        (&["validate"], "a list with commas"),
    ] {
        let help = help(command);
        assert!(help.contains(wanted), "{wanted}: {help}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn devices_without_an_end_are_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("x.ply");
    let sky = ["render", "--still", "--set", "light.environment=/dev/zero"];
    for arguments in [
        &["simulate", "--groom", "/dev/zero"][..],
        &["simulate", "--param-file", "/dev/zero"],
        &["simulate", "/dev/zero"],
        &["convert", "/dev/zero", text(&out)],
        &sky,
    ] {
        let line = complaint(1, arguments);
        assert!(line.contains("/dev/zero"), "{line}");
        assert!(line.contains("a device or a pipe, and no file"), "{line}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_scene_may_come_through_a_pipe() {
    use std::{io::Write as _, process::Stdio};
    let mut child = lovelock()
        .args(["simulate", "/dev/stdin", "--seconds", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(b"version = 1\n[roots]\nstrands = 23\n")
        .expect("written");
    drop(pipe);
    let output = child.wait_with_output().expect("the program ends");
    assert!(
        stdout(&output).contains("strands      23, "),
        "{}",
        stdout(&output)
    );
}

#[test]
fn scenes_that_come_with_the_program_are_named_and_taken_by_name() {
    let listed = stdout(&run(&["--list-scenes"]));
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 15 && names.contains(&"bob"), "{listed}");
    assert!(listed.contains("A straight bob with a fringe"), "{listed}");

    // The same as from its file, wherever one is.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/pixie.toml");
    let few = ["--strands", "20", "--seconds", "0.1"];
    let told = |scene: &[&str]| {
        let output = run(&[&["simulate"], scene, &few].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let told = stdout(&output);
        let hash = told.lines().find(|line| line.starts_with("state hash"));
        hash.expect("a hash").to_string()
    };
    assert_eq!(told(&["--scene", "pixie"]), told(&[file]));

    for command in [&["simulate"][..], &["render", "--still"], &[]] {
        let arguments = [command, &["--scene", "pixi"]].concat();
        let line = complaint(2, &arguments);
        assert!(line.contains("did you mean pixie?"), "{line}");
    }
    let both = run(&["simulate", "--scene", "bob", file]);
    assert_eq!(both.status.code(), Some(2), "one scene, not two");
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
fn a_wrong_head_ends_every_command_with_1() {
    let cases: [(&str, &[u8]); 5] = [
        ("empty.obj", b""),
        (
            "noise.obj",
            &[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff],
        ),
        ("prose.obj", b"Dear head,\nplease grow some hair.\n"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"),
        ("range.obj", b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n"),
    ];
    for (name, content) in cases {
        let (folder, path) = folder_with(name, content);
        let out = folder.path().join("out");
        let line = complaint(1, &["simulate", "--head", text(&path)]);
        assert!(line.contains(name), "{line}");
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
    // A wall has no face that looks up.
    let (_folder, wall) = folder_with("wall.obj", b"v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nf 1 2 3\n");
    let set = ["--set", "roots.limit_angle=45", "--set", "head.up=y"];
    let line = complaint(
        1,
        &[&["simulate", "--head", text(&wall)], &set[..]].concat(),
    );
    assert!(
        line.contains("no hair can grow") && line.contains("roots.limit_angle"),
        "{line}"
    );
    let line = complaint(1, &["simulate", "--head", "no-such-head.obj"]);
    assert!(line.contains("no-such-head.obj"), "{line}");
}

#[test]
fn a_bad_sequence_ends_with_1_and_a_sentence() {
    let (folder, first) = folder_with("head.0001.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let run = |file: &std::path::Path| {
        complaint(
            1,
            &["simulate", "--seconds", "1", "--head-sequence", text(file)],
        )
    };
    assert!(run(&first).contains("the only frame"));
    let write = |name: &str, content: &str| {
        std::fs::write(folder.path().join(name), content).expect("written");
    };
    write("head.0003.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert!(run(&first).contains("frame 2 is missing: there is no "));
    write("head.0002.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n");
    assert!(run(&first).contains("head.0002.obj: it has 2 vertices and not 3"));
    write("head.0002.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    assert!(run(&first).contains("head.0002.obj, line 3: \"v 0 nan 0\""));
    write("head.obj", "v 0 0 0\n");
    assert!(run(&folder.path().join("head.obj")).contains("does not end in a number"));
    assert!(
        complaint(
            2,
            &["render", "--frames", "1", "--set", "motion.sequence_fps=0"]
        )
        .contains("outside its range 0.1 to 240")
    );
}
