//! The scenes of single strands that come with the program, for comparing methods.

use crate::program::{run, stderr, text};
use lovelock::lab::validate::theory;
use std::{fs, path::PathBuf};

fn experiment(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("assets/experiments")
        .join(name)
}

fn lines_of<'a>(obj: &'a str, kind: &'static str) -> impl Iterator<Item = &'a str> {
    obj.lines().filter(move |line| line.starts_with(kind))
}

/// Where each strand's tip is after so many seconds with this method. `[m]`
fn tips(name: &str, method: &str, seconds: &str) -> Vec<[f64; 3]> {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("hair.obj");
    let scene = experiment(name);
    let output = run(&[
        "simulate",
        text(&scene),
        "--solver",
        method,
        "--seconds",
        seconds,
        "--export",
        text(&out),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let exported = fs::read_to_string(out).expect("exported");
    let numbers = |line: &str| -> Vec<f64> {
        let words = line.split_whitespace().skip(1);
        words.map(|word| word.parse().expect("a number")).collect()
    };
    let points: Vec<_> = lines_of(&exported, "v ").map(numbers).collect();
    lines_of(&exported, "l ")
        .map(|line| {
            let last = *numbers(line).last().expect("a strand") as usize;
            points[last - 1][..3].try_into().expect("three numbers")
        })
        .collect()
}

/// What the scene's strands are made of: the defaults of material.density,
/// material.young and material.diameter.
const WEIGHT_OVER_STIFFNESS: f64 = 1320.0 * 9.81 * 4.0 / (3.9e9 * 40e-6 * 40e-6);

#[test]
fn strands_in_a_wall_sag_as_elastica_does() {
    // Where each strand is clamped, in the scene's hair, and how long it is.
    let clamped = [
        (0.06, 0.04),
        (0.04, 0.06),
        (0.015, 0.08),
        (-0.015, 0.1),
        (-0.05, 0.12),
    ];
    for (method, allowed) in [("rod", 0.001), ("der", 0.01)] {
        let tips = tips("cantilever.toml", method, "6");
        for ([x, y, _], (height, length)) in tips.into_iter().zip(clamped) {
            let gamma = WEIGHT_OVER_STIFFNESS * length * length * length;
            let [across, down] = theory::clamped(gamma, 0.0);
            let off = (x - length * across).hypot(height - y - length * down);
            assert!(off < allowed * length, "{method}, {length} m: {off} m off");
        }
    }
}

#[test]
fn a_wide_helix_is_drawn_longer_and_threads_hang() {
    let helices = tips("helices.toml", "rod", "3");
    let longer: Vec<_> = helices.iter().map(|tip| -tip[1] - 0.096).collect();
    assert!(longer.is_sorted() && longer[0] > 0.0, "{longer:?}");
    let threads = tips("threads.toml", "rod", "10");
    for ([_, y, _], hangs) in threads
        .into_iter()
        .zip([0.02, -0.02, -0.065, -0.115, -0.17])
    {
        assert!((y - hangs).abs() < 0.005, "{y} where {hangs} is expected");
    }
}
