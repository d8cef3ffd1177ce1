//! Numbers that change over time: hair, light and camera follow their keys, whoever simulates
//! and draws which part.

use crate::program::{SMALL, complaint, folder_with, run, stderr, text};
use std::{fs, path::Path};

/// Wind that rises after half a second.
const RISES: &str = "[[track]]\nparameter = \"wind.strength\"\ntimes = [0, 0.5, 0.8]\n\
                     values = [0, 0, 15]\n";

/// The hair's hash after each step of a second.
fn hashes(scene: &str, more: &[&str]) -> Vec<String> {
    let head = "version = 1\n[wind]\non = true\n[motion]\npreset = \"shake\"\n";
    let (folder, path) = folder_with("s.toml", format!("{head}{scene}").as_bytes());
    let stats = folder.path().join("stats.csv");
    let mut all = vec!["simulate", text(&path), "--seconds", "1"];
    all.extend(["--stats", text(&stats)]);
    all.extend(SMALL);
    all.extend(more);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let stats = fs::read_to_string(&stats).expect("statistics");
    let mut lines = stats.lines().map(|line| line.split(','));
    let mut names = lines.next().expect("a heading");
    let column = names.position(|name| name == "state_hash").expect("a hash");
    lines
        .map(|mut row| row.nth(column).expect("a hash").into())
        .collect()
}

#[test]
fn wind_that_rises_later_moves_hair_from_then_on() {
    let calm = hashes("", &["--set", "wind.strength=0"]);
    let windy = hashes(RISES, &["--threads", "1"]);
    assert_eq!(calm[..30], windy[..30], "half a second without wind");
    assert!((32..60).all(|i| calm[i] != windy[i]));
    assert_eq!(windy, hashes(RISES, &["--threads", "3"]));
    // The same as on the command line, in the text that a scene has it as.
    let keys = "tracks.keys=wind.strength 0 0 0.5 0 0.8 15";
    assert_eq!(windy, hashes("", &["--set", keys]));
    // Held until then, it is all there at once.
    let held = hashes("", &["--set", "tracks.keys=wind.strength 0 0 hold 0.5 15"]);
    assert_eq!(calm[..30], held[..30], "half a second without wind");
    assert!(held[30] != calm[30] && held[31] != windy[31]);
    // What is said there of the number itself counts more than the scene's keys.
    assert_eq!(calm, hashes(RISES, &["--set", "wind.strength=0"]));
}

/// Draws pictures on few strands into `out`; false where no OpenGL is and none is required.
fn render(scene: &Path, out: &Path, more: &[&str]) -> bool {
    let mut all = vec!["render", text(scene), "--size", "96x64", "--out", text(out)];
    all.extend(more);
    let output = run(&all);
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return false;
    }
    assert_eq!(output.status.code(), Some(0), "{message}");
    true
}

fn picture(folder: &Path, number: u32) -> image::RgbImage {
    let path = folder.join(format!("render{number:04}.png"));
    image::open(path).expect("a picture").to_rgb8()
}

#[test]
fn light_and_camera_follow_their_keys_whoever_draws_which_part() {
    let scene = "version = 1\n[roots]\nstrands = 60\n[groom]\nvertices = 12\n\
                 [motion]\npreset = \"none\"\n\
                 [[track]]\nparameter = \"look.exposure\"\ntimes = [0, 0.3]\nvalues = [1, 0.1]\n\
                 [[track]]\nparameter = \"camera.distance\"\ntimes = [0, 0.3]\nvalues = [2, 0.7]\n";
    let (folder, path) = folder_with("s.toml", scene.as_bytes());
    let at = |name: &str| folder.path().join(name);
    let cache = at("run.cache");
    if !render(&path, &at("live"), &["--frames", "8"]) {
        return;
    }
    let mean = |picture: &image::RgbImage| {
        let sum = picture.as_raw().iter().map(|v| f64::from(*v)).sum::<f64>();
        sum / picture.as_raw().len() as f64
    };
    let [first, last] = [0, 7].map(|number| picture(&at("live"), number));
    assert!(mean(&last) < 0.6 * mean(&first), "the light fades");
    // The other way round: the light stays, and the camera alone moves.
    let steady = ["--frames", "8", "--view", "front"];
    assert!(render(&path, &at("front"), &steady));
    let lit = [
        "--frames",
        "8",
        "--set",
        "tracks.keys=camera.distance 0 2 0.3 0.7",
    ];
    assert!(render(&path, &at("near"), &lit));
    let [far, near] = [0, 7].map(|number| picture(&at("near"), number));
    assert!(far != near, "the camera comes nearer");
    assert!(far == first, "all begins alike");

    let seconds = ["--seconds", "0.34", "--cache", text(&cache)];
    let output = run(&[&["simulate", text(&path)][..], &seconds].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let draw = |name: &str, part: &str| {
        let (out, size) = (at(name), ["--size", "96x64"]);
        let cache = ["render", "--cache", text(&cache), "--frames", part];
        let output = run(&[&cache[..], &size, &["--out", text(&out)]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    draw("all", "0..7");
    draw("parts", "4..7");
    draw("parts", "0..3");
    for number in 0..8 {
        let [all, part] = ["all", "parts"].map(|name| picture(&at(name), number));
        assert!(all == part, "picture {number}");
        // And but for the cache's quantum as without one.
        let live = picture(&at("live"), number);
        let apart = all.as_raw().iter().zip(live.as_raw());
        let apart: f64 = apart.map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
        assert!(
            apart < all.as_raw().len() as f64,
            "picture {number}: {apart}"
        );
    }
}

#[test]
fn a_track_that_cannot_be_is_refused_in_a_line() {
    let (_folder, path) = folder_with(
        "s.toml",
        b"[[track]]\nparameter = \"sim.speed\"\ntimes = [0]\nvalues = [1]\n",
    );
    let said = complaint(1, &["simulate", text(&path), "--seconds", "0.1"]);
    assert!(
        said.contains("s.toml:2: sim.speed cannot be keyed"),
        "{said}"
    );
    for (keys, wanted) in [
        ("wind.strenght 0 1", "did you mean wind.strength?"),
        (
            "wind.strength 0 99",
            "wind.strength = 99 is outside its range",
        ),
        ("wind.strength 0", "tracks.keys wants"),
        ("wind.strength 0 1 bouncy 2 3", "linear, hold or eased"),
    ] {
        let set = format!("tracks.keys={keys}");
        let said = complaint(2, &["simulate", "--set", &set, "--seconds", "0.1"]);
        assert!(said.contains(wanted), "{said}");
    }
}
