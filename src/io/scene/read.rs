//! Reading a scene file.

use super::{
    SceneError, handwork, keyframes,
    layout::{VERSION, names_file},
    list, older, tracks,
    value::value_of,
};
use crate::{
    groom::edit::Edits,
    io::{cache, picture_scene, read_file_or_pipe, reason},
    param::{self, List, ParamError, Params, RowValues, Value},
    sim::hand::{Handwork, Pin},
};
use std::{io::Cursor, ops::Range, path::Path};
use toml::de::{DeTable, DeValue};

/// No scene that comes through a pipe is longer. `[bytes]`
const LONGEST: u64 = 256 << 20;

/// Whether `path` is a cache; what comes through a pipe is none, and is read once.
fn is_cache(path: &Path) -> bool {
    path.is_file() && cache::is_cache(path)
}

/// Reads the scene file `path`, or the scene in the picture or cache `path`, into `sections`, `lists` and `handwork`. What the
/// file does not name keeps its value, a list that it names is replaced; if
/// anything in the file is wrong, all of them keep theirs.
pub fn read(
    path: &Path,
    sections: &mut [&mut dyn Params],
    lists: &mut [&mut dyn List],
    handwork: &mut Handwork,
) -> Result<(), SceneError> {
    let unread = |reason: String| SceneError::Read {
        path: path.into(),
        reason,
    };
    if is_cache(path) {
        let text = cache::scene_text(path).map_err(|error| unread(error.to_string()))?;
        return read_text(path, &text, sections, lists, handwork);
    }
    let bytes = read_file_or_pipe(path, LONGEST).map_err(|error| unread(reason(&error)))?;
    let text = match picture_scene::is_picture(&bytes) {
        true => picture_text(path, bytes)?,
        false => String::from_utf8(bytes).map_err(|_| unread("it is not a text file".into()))?,
    };
    read_text(path, &text, sections, lists, handwork)
}

/// The scene in the picture `path`, which holds these bytes.
fn picture_text(path: &Path, bytes: Vec<u8>) -> Result<String, SceneError> {
    let unread = |reason: String| SceneError::Read {
        path: path.into(),
        reason,
    };
    let whole = picture_scene::is_whole(Cursor::new(&bytes));
    let text = picture_scene::scene_text(Cursor::new(bytes)).map_err(|error| match whole {
        true => unread(error.to_string()),
        false => {
            unread("the picture is cut off within its scene; copy the whole file again".into())
        }
    })?;
    let text = text.ok_or_else(|| {
        unread(
            "there is no scene in this picture; PNG pictures that Lovelock takes hold \
             theirs, unless capture.scene is off"
                .into(),
        )
    })?;
    if !whole {
        log::warn!("{}: {}", path.display(), picture_scene::CUT_OFF);
    }
    Ok(text)
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
    pins: Option<Vec<Pin>>,
}

/// The file that is read, for errors that name their line.
struct SceneText<'a> {
    path: &'a Path,
    text: &'a str,
}

impl SceneText<'_> {
    /// The line on which that begins, from 1.
    fn line_of(&self, span: Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    /// What is wrong on that line.
    fn wrong(&self, line: usize, message: String) -> SceneError {
        SceneError::Syntax {
            path: self.path.into(),
            line,
            message,
        }
    }
}

fn parse(
    path: &Path,
    text: &str,
    sections: &[&mut dyn Params],
    lists: &[&mut dyn List],
) -> Result<Contents, SceneError> {
    let file = SceneText { path, text };
    let line_of = |span| file.line_of(span);
    let document = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, line_of);
        file.wrong(line, error.message().replace('\n', "; "))
    })?;

    let mut contents = Contents::default();
    for (name, place, table) in tables(document.get_ref(), sections) {
        let (name, line) = (older::section(&name), line_of(place));
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
        let refuse =
            |span: Option<Range<usize>>, message| file.wrong(span.map_or(line, line_of), message);
        if name == handwork::CURVES {
            let wrong = |span: Option<Range<usize>>, below: usize, message| {
                file.wrong(below + span.map_or(line, line_of), message)
            };
            contents.edits = Some(handwork::curves(table, wrong)?);
            continue;
        }
        if name == handwork::PIN {
            contents.pins = Some(handwork::pins(table, refuse)?);
            continue;
        }
        if let Some((number, index)) = keyframes::place(name, sections) {
            let value = keyframes::read(table, refuse)?;
            contents.changes.push((number, index, value, line));
            continue;
        }
        if let Some((number, index)) = tracks::place(name, sections) {
            let value = tracks::read(table, sections, refuse)?;
            contents.changes.push((number, index, value, line));
            continue;
        }
        let Some(number) = sections.iter().position(|s| s.section() == name) else {
            return Err(unknown_section(path, line, name, sections, lists));
        };
        let Some(table) = table.as_table() else {
            let message = format!("{name} is a section: write [{name}] and its keys below it");
            return Err(file.wrong(line, message));
        };
        let changes = section_changes(&file, document.get_ref(), sections, number, table)?;
        contents.changes.extend(changes);
    }
    Ok(contents)
}

/// What the `table` of the section of that number says, in the order of the file.
fn section_changes(
    file: &SceneText<'_>,
    document: &DeTable<'_>,
    sections: &[&mut dyn Params],
    number: usize,
    table: &DeTable<'_>,
) -> Result<Vec<Change>, SceneError> {
    let name = sections[number].section();
    let tunables = sections[number].tunables();
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut changes = Vec::new();
    for (key, value) in entries {
        let line = file.line_of(key.span());
        let key: &str = key.get_ref();
        let refuse = |source: ParamError| SceneError::Value {
            path: file.path.into(),
            line,
            source: source.into(),
        };
        let older = older::renamed(name, key, value.get_ref(), document);
        let place = older.as_ref().map_or(key, |(key, _)| *key);
        let Some(index) = tunables.iter().position(|t| t.key == place) else {
            return Err(refuse(param::unknown(format!("{name}.{key}"), sections)));
        };
        let read = match older {
            Some((_, value)) => Ok(value),
            None => value_of(name, &tunables[index], value.get_ref()),
        };
        let value = read
            .and_then(|value| param::check(name, &tunables[index], value))
            .map_err(refuse)?;
        if (name, key) == tracks::TUNABLE {
            tracks::check(&value, sections).map_err(|message| file.wrong(line, message))?;
        }
        let value = match (value, names_file(name, key)) {
            (Value::Text(path), Some(names)) => Value::Text(names.beside(file.path, &path)),
            (other, _) => other,
        };
        changes.push((number, index, value, line));
    }
    Ok(changes)
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
    let others = [handwork::CURVES, handwork::PIN, "keyframe", "track"].map(String::from);
    let names = sections
        .iter()
        .map(|s| s.section().to_string())
        .chain(lists)
        .chain(others);
    let meant = param::nearest(name, names);
    SceneError::Section {
        path: path.into(),
        line,
        name: name.into(),
        guess: meant.map_or_else(String::new, |meant| format!("; did you mean [{meant}]?")),
    }
}
