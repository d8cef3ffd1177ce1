//! Scene files: every tunable that differs from its default, as TOML.
//!
//! ```toml
//! version = 1
//!
//! [wind]
//! on = true
//! strength = 6.0  # m/s, 0 to 50
//! ```
//!
//! A table is a section of tunables and a key is a tunable, so a new tunable
//! needs no code here; a list of things alike is an array of tables,
//! `[[collider]]`. Reading is strict: a key that nobody knows is more often
//! a slip of the pen than a wish to be ignored.

mod handwork;
mod keyframes;
mod list;
mod save;

pub use save::{text, write};

use crate::{
    groom::edit::Edits,
    param::{self, List, ParamError, Params, RowValues, Tunable, Value},
    sim::hand::{Grasp, Handwork},
};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use thiserror::Error;
use toml::de::{DeTable, DeValue};

/// The newest layout of scene files that this program reads, and the one it writes.
pub const VERSION: i64 = 1;

/// Tunables that name a file; a relative name counts from the scene's folder.
const PATHS: &[(&str, &str)] = &[
    ("head", "file"),
    ("import", "file"),
    ("motion", "sequence"),
    ("roots", "density_map"),
    ("roots", "length_map"),
    ("roots", "curl_map"),
];

/// Why a scene file was refused; the text names the file and the line.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("cannot read the scene {}: {reason}", path.display())]
    Read {
        /// the scene file
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// The file is not TOML.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what is wrong with it
        message: String,
    },
    /// A key or value that no section takes.
    #[error("{}:{line}: {source}", path.display())]
    Value {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what is wrong with it
        source: Box<ParamError>,
    },
    /// A table or key that is no section.
    #[error("{}:{line}: there is no section [{name}]; did you mean [{nearest}]?", path.display())]
    Section {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what was written
        name: String,
        /// the nearest valid name
        nearest: String,
    },
    /// The file was written by a newer program.
    #[error(
        "{}:{line}: this is a scene of version {found}, and only versions up to {VERSION} are known; use a newer lovelock",
        path.display()
    )]
    Version {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// the version in the file
        found: String,
    },
    /// The file cannot be written.
    #[error("cannot write the scene {}: {reason}", path.display())]
    Write {
        /// the scene file
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
}

/// Reads the scene file `path` into `sections`, `lists` and `handwork`. What the
/// file does not name keeps its value, a list that it names is replaced; if
/// anything in the file is wrong, all of them keep theirs.
pub fn read(
    path: &Path,
    sections: &mut [&mut dyn Params],
    lists: &mut [&mut dyn List],
    handwork: &mut Handwork,
) -> Result<(), SceneError> {
    let bytes = std::fs::read(path).map_err(|error| SceneError::Read {
        path: path.into(),
        reason: super::reason(&error),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| SceneError::Read {
        path: path.into(),
        reason: "it is not a text file".into(),
    })?;
    read_text(path, &text, sections, lists, handwork)
}

/// The same for the text of a scene that lies in the file `path`, among other
/// things.
pub fn read_text(
    path: &Path,
    text: &str,
    sections: &mut [&mut dyn Params],
    lists: &mut [&mut dyn List],
    handwork: &mut Handwork,
) -> Result<(), SceneError> {
    let Contents {
        changes,
        rows,
        edits,
        pins,
    } = parse(path, text, sections, lists)?;
    for (list, rows) in rows {
        lists[list].set_values(&rows);
    }
    if let Some(edits) = edits {
        handwork.edits = edits;
    }
    if let Some(pins) = pins {
        handwork.pins = pins.into();
    }
    for (section, index, value, line) in changes {
        sections[section]
            .set(index, value)
            .map_err(|source| SceneError::Value {
                path: path.into(),
                line,
                source: source.into(),
            })?;
    }
    Ok(())
}

/// Section, tunable, its checked value, and the line it stands on.
type Change = (usize, usize, Value, usize);

/// A list, and the rows it should have.
type Rows = (usize, Vec<RowValues>);

/// All that a file says.
#[derive(Default)]
struct Contents {
    changes: Vec<Change>,
    rows: Vec<Rows>,
    edits: Option<Edits>,
    pins: Option<Vec<Grasp>>,
}

fn parse(
    path: &Path,
    text: &str,
    sections: &[&mut dyn Params],
    lists: &[&mut dyn List],
) -> Result<Contents, SceneError> {
    let line_of = |span: Range<usize>| {
        let before = &text.as_bytes()[..span.start.min(text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    };
    let document = DeTable::parse(text).map_err(|error| SceneError::Syntax {
        path: path.into(),
        line: error.span().map_or(1, line_of),
        message: error.message().replace('\n', "; "),
    })?;

    let mut contents = Contents::default();
    for (name, place, table) in tables(document.get_ref(), sections) {
        let (name, line) = (name.as_str(), line_of(place));
        if name == "version" {
            check_version(path, line, table)?;
            continue;
        }
        if let Some(number) = lists.iter().position(|list| list.name() == name) {
            let list = &*lists[number];
            contents
                .rows
                .push((number, list::rows(path, &line_of, line, list, table)?));
            continue;
        }
        let wrong = |span: Option<Range<usize>>, below: usize, message| SceneError::Syntax {
            path: path.into(),
            line: below + span.map_or(line, &line_of),
            message,
        };
        if name == handwork::CURVES {
            contents.edits = Some(handwork::curves(table, wrong)?);
            continue;
        }
        if name == handwork::PIN {
            let wrong = |span, message| wrong(span, 0, message);
            contents.pins = Some(handwork::pins(table, wrong)?);
            continue;
        }
        if let Some((number, index)) = keyframes::place(name, sections) {
            let value = keyframes::read(table, |span, message| wrong(span, 0, message))?;
            contents.changes.push((number, index, value, line));
            continue;
        }
        let Some(number) = sections.iter().position(|s| s.section() == name) else {
            return Err(unknown_section(path, line, name, sections, lists));
        };
        let section = &sections[number];
        let Some(table) = table.as_table() else {
            return Err(SceneError::Syntax {
                path: path.into(),
                line,
                message: format!("{name} is a section: write [{name}] and its keys below it"),
            });
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let tunables = section.tunables();
        for (key, value) in entries {
            let line = line_of(key.span());
            let key: &str = key.get_ref();
            let refuse = |source: ParamError| SceneError::Value {
                path: path.into(),
                line,
                source: source.into(),
            };
            let Some(index) = tunables.iter().position(|t| t.key == key) else {
                return Err(refuse(unknown_key(name, key, sections)));
            };
            let value = value_of(name, &tunables[index], value.get_ref())
                .and_then(|value| param::check(name, &tunables[index], value))
                .map_err(refuse)?;
            let value = match value {
                Value::Text(file) if PATHS.contains(&(name, key)) => {
                    Value::Text(beside(path, &file))
                }
                other => other,
            };
            contents.changes.push((number, index, value, line));
        }
    }
    Ok(contents)
}

/// The tables of a document, each with its whole name and place: `[b.pbd]` is a
/// table of its own where `b.pbd` is a section.
fn tables<'a>(
    document: &'a DeTable<'a>,
    sections: &[&mut dyn Params],
) -> Vec<(String, Range<usize>, &'a DeValue<'a>)> {
    let mut tables = Vec::new();
    for (name, table) in document {
        let (place, name, table) = (name.span(), name.get_ref(), table.get_ref());
        let above = |section: &str| section.split_once('.').is_some_and(|(a, _)| a == name);
        match table.as_table() {
            Some(inner) if sections.iter().any(|s| above(s.section())) => {
                tables.extend(inner.iter().map(|(key, table)| {
                    let full = format!("{name}.{}", key.get_ref());
                    (full, key.span(), table.get_ref())
                }));
            }
            _ => tables.push((name.to_string(), place, table)),
        }
    }
    // They come in the order of their names; errors should come in the order
    // of the file.
    tables.sort_by_key(|(_, place, _)| place.start);
    tables
}

fn check_version(path: &Path, line: usize, value: &DeValue<'_>) -> Result<(), SceneError> {
    match value
        .as_integer()
        .and_then(|v| v.as_str().parse::<i64>().ok())
    {
        Some(1..=VERSION) => Ok(()),
        Some(found) if found > VERSION => Err(SceneError::Version {
            path: path.into(),
            line,
            found: found.to_string(),
        }),
        _ => Err(SceneError::Syntax {
            path: path.into(),
            line,
            message: format!("the version wants to be a whole number from 1 to {VERSION}"),
        }),
    }
}

fn unknown_section(
    path: &Path,
    line: usize,
    name: &str,
    sections: &[&mut dyn Params],
    lists: &[&mut dyn List],
) -> SceneError {
    let lists = lists.iter().map(|list| list.name().to_string());
    let others = [handwork::CURVES, handwork::PIN].map(String::from);
    let names = sections
        .iter()
        .map(|s| s.section().to_string())
        .chain(lists)
        .chain(others);
    SceneError::Section {
        path: path.into(),
        line,
        name: name.into(),
        nearest: param::nearest(name, names).unwrap_or_default(),
    }
}

/// The nearest key is looked for in the section first: `stifness` under `[pbd]`
/// is hardly meant for another table.
fn unknown_key(section: &str, key: &str, sections: &[&mut dyn Params]) -> ParamError {
    let full = format!("{section}.{key}");
    let names = sections.iter().flat_map(|s| {
        let prefix = s.section();
        s.tunables()
            .into_iter()
            .map(move |t| format!("{prefix}.{}", t.key))
            .collect::<Vec<_>>()
    });
    ParamError::Unknown {
        nearest: param::nearest(&full, names).unwrap_or_default(),
        key: full,
    }
}

/// A TOML value as the tunable's kind of value; the range is checked later.
fn value_of(section: &str, tunable: &Tunable, value: &DeValue<'_>) -> Result<Value, ParamError> {
    let refuse = |got: String| ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: param::wanted(&tunable.kind),
        got,
    };
    let number = |value: &DeValue<'_>| match value {
        DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix())
            .ok()
            .map(|v| v as f64),
        DeValue::Float(v) => v.as_str().parse::<f64>().ok(),
        _ => None,
    };
    match value {
        DeValue::String(v) => Ok(Value::Text(v.to_string())),
        DeValue::Boolean(v) => Ok(Value::Bool(*v)),
        DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix())
            .map(Value::Int)
            .map_err(|_| refuse(v.to_string())),
        DeValue::Float(v) => v
            .as_str()
            .parse()
            .map(Value::Float)
            .map_err(|_| refuse(v.to_string())),
        DeValue::Array(items) => {
            let numbers: Option<Vec<f32>> = items
                .iter()
                .map(|item| number(item.get_ref()).map(|v| v as f32))
                .collect();
            match numbers.and_then(|n| <[f32; 3]>::try_from(n).ok()) {
                Some(vector) => Ok(Value::Vector(vector)),
                None => Err(refuse(format!("a list of {} values", items.len()))),
            }
        }
        DeValue::Datetime(v) => Err(refuse(v.to_string())),
        DeValue::Table(_) => Err(refuse("a table".into())),
    }
}

/// A file named in the scene `path`, as seen from the working folder.
fn beside(path: &Path, file: &str) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    if file.is_empty() || folder.as_os_str().is_empty() {
        return file.into();
    }
    // An absolute `file` replaces the folder.
    folder.join(file).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mesh::HeadParams,
        sim::{
            PbdParams, WindParams,
            collider::{Collider, Shape},
        },
    };

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
        assert!(
            refused("[head]\nfile = 1979-05-27\n").contains("s.toml:2: head.file wants a text")
        );
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
        let (_folder, three, result) = scene(
            "[[collider]]\nradius = 0.1\n\n[[collider]]\nkind = \"capsule\"\nend = [0, 1, 0]\n",
        );
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
        let error = write(&path, &[], &[], &Handwork::default())
            .expect_err("written into a missing folder");
        assert!(
            error.to_string().starts_with("cannot write the scene"),
            "{error}"
        );
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    }
}
