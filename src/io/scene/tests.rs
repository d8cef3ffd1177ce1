//! Scene files read and written, and those that are refused.

use super::*;
use crate::{
    mesh::HeadParams,
    param::Params,
    sim::{
        WindParams,
        collider::{Collider, Shape},
        hand::Handwork,
        solver::PbdParams,
    },
};
use std::path::Path;

#[derive(Default, Debug, PartialEq, Clone)]
struct Three {
    head: HeadParams,
    pbd: PbdParams,
    wind: WindParams,
    colliders: Vec<Collider>,
}

impl Three {
    fn read(&mut self, path: &Path) -> Result<(), SceneError> {
        read(
            path,
            &mut [&mut self.head, &mut self.pbd, &mut self.wind],
            &mut [&mut self.colliders],
            &mut Handwork::default(),
        )
    }
}

/// Writes `text` into a folder of its own and reads it as a scene.
fn scene(text: &str) -> (tempfile::TempDir, Three, Result<(), String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    let mut three = Three::default();
    let result = three.read(&path).map_err(|error| {
        error
            .to_string()
            .replace(&format!("{}/", folder.path().display()), "")
    });
    (folder, three, result)
}

fn refused(text: &str) -> String {
    let (_folder, three, result) = scene(text);
    assert_eq!(three, Three::default(), "a refused scene changed a value");
    result.expect_err("a wrong scene was read")
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("all.toml");
    let mut written = Three::default();
    written.pbd.iterations = 9;
    written.pbd.stretch_limit = 0.25;
    written.wind.on = true;
    written.wind.strength = 7.0;
    written.wind.direction = [0.0, -0.1, 2.0];
    written.head.file = folder.path().join("a \"b\".obj").display().to_string();
    written.colliders = vec![
        Collider {
            name: "ball \"1\"".into(),
            centre: [0.1, -0.25, 0.0],
            radius: 0.07,
            follows_head: false,
            ..Collider::default()
        },
        Collider {
            kind: Shape::Ellipsoid,
            radii: [0.1, 0.002, 0.3],
            rotation: [10.0, -20.5, 0.0],
            ..Collider::default()
        },
        Collider {
            kind: Shape::Capsule,
            on: false,
            start: [-0.2, -0.2, 0.0],
            end: [0.2, -0.2, 0.0],
            radius: 0.06,
            ..Collider::default()
        },
    ];
    let sections: [&dyn Params; 3] = [&written.head, &written.pbd, &written.wind];
    write(
        &path,
        &sections,
        &[&written.colliders],
        &Handwork::default(),
    )
    .expect("written");
    let text = std::fs::read_to_string(&path).expect("read");
    assert!(text.contains("strength = 7.0  # m/s, 0 to 50\n"), "{text}");
    assert!(
        !text.contains("bend_stiffness"),
        "a default was written: {text}"
    );
    assert!(
        !text.contains(&folder.path().display().to_string()),
        "{text}"
    );
    let mut back = Three::default();
    back.read(&path).expect("read back");
    assert_eq!(back, written);
    // Nothing but the scene is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1);
}

#[test]
fn a_head_is_found_beside_its_scene() {
    let (folder, three, result) = scene("[head]\nfile = \"heads/a.obj\"\n");
    result.expect("read");
    assert_eq!(
        Path::new(&three.head.file),
        folder.path().join("heads/a.obj")
    );
    let (_folder, three, _) = scene("[head]\nfile = \"/tmp/a.obj\"\n");
    assert_eq!(three.head.file, "/tmp/a.obj");
}

#[test]
fn whole_numbers_serve_as_reals() {
    let (_folder, three, result) = scene("[wind]\nstrength = 3\ndirection = [0, 1, 0.5]\n");
    result.expect("read");
    assert_eq!(
        (three.wind.strength, three.wind.direction),
        (3.0, [0.0, 1.0, 0.5])
    );
}

#[test]
fn mistakes_are_named_with_their_line() {
    assert_eq!(
        refused("version = 1\n\n[wind]\nstrength = 4\nstrenth = 5\n"),
        "s.toml:5: there is no parameter wind.strenth; did you mean wind.strength?"
    );
    assert_eq!(
        refused("[wind]\nstrength = 90\n"),
        "s.toml:2: wind.strength = 90 is outside its range 0 to 50 m/s"
    );
    assert_eq!(
        refused("\n[wnd]\nstrength = 9\n"),
        "s.toml:2: there is no section [wnd]; did you mean [wind]?"
    );
    assert_eq!(
        refused("[pbd]\niterations = 2.5\n"),
        "s.toml:2: pbd.iterations wants a whole number from 1 to 64, not 2.5"
    );
    assert_eq!(
        refused("[wind]\non = 1\ndirection = [0, 1]\n"),
        "s.toml:2: wind.on wants true or false, not 1"
    );
    assert!(refused("[wind]\ndirection = [0, 1]\n").contains("not a list of 2 values"));
    assert!(refused("[wind]\nstrength = nan\n").starts_with("s.toml:2: wind.strength = NaN"));
    assert!(refused("[head]\nfile = 1979-05-27\n").contains("s.toml:2: head.file wants a text"));
    assert!(refused("wind = 3\n").contains("s.toml:1: wind is a section"));
    assert!(refused("[wind]\non = true\n[wind]\n").starts_with("s.toml:3: "));
    assert!(refused("[wind]\non = \n").starts_with("s.toml:2: "));
    assert_eq!(
        refused("version = 2\n[hat]\n"),
        "s.toml:1: this is a scene of version 2, and only versions up to 1 are known; use a newer lovelock"
    );
    assert!(refused("version = \"x\"\n").contains("s.toml:1: the version wants"));
    // The first mistake of the file is told, whatever its name.
    assert!(refused("[wind]\nb = 1\na = 1\n").starts_with("s.toml:2: "));
}

#[test]
fn a_list_is_read_whole_and_its_mistakes_are_named() {
    let (_folder, three, result) =
        scene("[[collider]]\nradius = 0.1\n\n[[collider]]\nkind = \"capsule\"\nend = [0, 1, 0]\n");
    result.expect("read");
    assert_eq!(three.colliders.len(), 2);
    assert_eq!(three.colliders[0].radius, 0.1);
    assert_eq!(three.colliders[1].end, [0.0, 1.0, 0.0]);
    let sphere = "[[collider]]\nkind = \"sphere\"\n";
    let said = |line: &str| refused(&format!("{sphere}{line}\n"));
    assert_eq!(
        said("radius = 0"),
        "s.toml:3: collider.radius = 0 is outside its range 0.001 to 5 m"
    );
    assert!(said("radius = -0.1").contains("s.toml:3: collider.radius = -0.1 is outside"));
    assert!(said("radius = nan").contains("s.toml:3: collider.radius = NaN is outside"));
    assert!(said("centre = [0, inf, 0]").contains("collider.centre = [0, inf, 0] is outside"));
    assert!(said("centre = [0, 1]").contains("not a list of 2 values"));
    assert_eq!(
        said("radii = [1, 1, 1]"),
        "s.toml:3: a sphere has no radii; it has kind, name, on, follows_head, centre, radius"
    );
    assert_eq!(
        said("radus = 1"),
        "s.toml:3: there is no parameter collider.radus; did you mean collider.radius?"
    );
    assert_eq!(
        refused("[[collider]]\nkind = \"cube\"\n"),
        "s.toml:2: collider.kind wants one of sphere, ellipsoid, capsule, not \"cube\""
    );
    assert!(
        refused("[[collider]]\nkind = \"ellipsoid\"\nradii = [0.1, 0, 0.1]\n")
            .contains("s.toml:3: collider.radii = [0.1, 0, 0.1] is outside its range 0.001")
    );
    assert!(refused("[collider]\nradius = 0.1\n").contains("s.toml:1: collider is a list"));
    assert!(refused("collider = [1]\n").contains("s.toml:1: collider is a list"));
    assert!(refused("[[colider]]\n").contains("did you mean [collider]?"));
}

#[test]
fn a_file_that_is_no_scene_is_refused() {
    let message = |path: &Path| {
        Three::default()
            .read(path)
            .expect_err("read something that is no scene")
            .to_string()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(message(&folder.path().join("none.toml")).contains("there is no such file"));
    assert!(message(folder.path()).contains("it is a folder"));
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).expect("written");
    assert!(message(&binary).contains("not a text file"));
}

#[test]
fn a_scene_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("none").join("s.toml");
    let error =
        write(&path, &[], &[], &Handwork::default()).expect_err("written into a missing folder");
    assert!(
        error.to_string().starts_with("cannot write the scene"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}
