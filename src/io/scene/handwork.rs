//! Hair work in a scene file: `[handwork]` with the rest curves that were cut
//! and combed, a line each, and a table `[[pin]]` for each pin.

use super::{SceneError, keyframes};
use crate::{
    groom::edit::{EditedCurve, Edits},
    sim::hand::{Handwork, Pin},
};
use glam::{DVec3, Vec3};
use std::{collections::BTreeMap, fmt::Write as _, ops::Range};
use toml::de::{DeTable, DeValue};

/// The table of curves.
pub(super) const CURVES: &str = "handwork";

/// Its keys: what was cut and combed, and what grew there before.
const EDITED: &str = "curves";
const GROWN: &str = "grown";

/// The tables of pins.
pub(super) const PIN: &str = "pin";

/// Numbers of a file to the metre.
const MICROMETRES: f64 = 1e6;

/// Digits after the point of such a number, and those where vertices lie so close
/// together that the first would bring two of them to one place.
const DIGITS: [u32; 2] = [1, 4];

/// Nothing on a head is farther from the origin. `[µm]`
const FARTHEST: f64 = 1e8;

/// Strands have so many vertices.
const VERTICES: std::ops::RangeInclusive<usize> = 2..=512;

/// Reads the curves; `refuse` makes an error of a place in the file, a number
/// of lines below it, and a sentence.
pub(super) fn curves(
    value: &DeValue<'_>,
    refuse: impl Fn(Option<Range<usize>>, usize, String) -> SceneError,
) -> Result<Edits, SceneError> {
    let Some(table) = value.as_table() else {
        let message = format!("{CURVES} is a section: write [{CURVES}] and its keys below it");
        return Err(refuse(None, 0, message));
    };
    let (mut edits, mut grown) = (BTreeMap::new(), BTreeMap::new());
    for (key, value) in table {
        let name: &str = key.get_ref();
        let all = match name {
            EDITED => &mut edits,
            GROWN => &mut grown,
            _ => {
                let message = format!("[{CURVES}] has {EDITED} and {GROWN}, not {name}");
                return Err(refuse(Some(key.span()), 0, message));
            }
        };
        let DeValue::String(text) = value.get_ref() else {
            let message = format!("{name} wants a text, a strand on each line");
            return Err(refuse(Some(key.span()), 0, message));
        };
        // A line break right behind the quotes is no part of the text.
        for (line, text) in text.lines().enumerate() {
            let wrong = |message: String| {
                refuse(Some(value.span()), line + 1, format!("{name}: {message}"))
            };
            if text.trim().is_empty() {
                continue;
            }
            let (number, edit) = edit(text).map_err(wrong)?;
            if all.insert(number, edit).is_some() {
                return Err(wrong(format!("strand {number} comes twice")));
            }
        }
    }
    for (number, before) in grown {
        let Some(edit) = edits.get_mut(&number) else {
            let message = format!("{GROWN} has strand {number}, and {EDITED} has not");
            return Err(refuse(None, 0, message));
        };
        let (now, then) = (edit.curve.len(), before.curve.len());
        if now != then {
            let message = format!("strand {number} has {now} vertices, and {then} as it has grown");
            return Err(refuse(None, 0, message));
        }
        edit.grown = Some(before.curve);
    }
    Ok(Edits::default().with(edits))
}

/// One line: the strand's number, the length that it was to have, a colon, its root, and the way
/// from each vertex to the next.
fn edit(line: &str) -> Result<(usize, EditedCurve), String> {
    let head = |words: &str| {
        let mut words = words.split_ascii_whitespace();
        let number: usize = words.next()?.parse().ok()?;
        let length: f64 = words.next()?.parse().ok()?;
        let whole = words.next().is_none() && length > 0.0 && length <= FARTHEST;
        whole.then_some((number, (length / MICROMETRES) as f32))
    };
    let parts = line.split_once(':');
    let parts = parts.and_then(|(words, rest)| Some((head(words)?, rest)));
    let Some(((strand, length), rest)) = parts else {
        return Err(
            "a line begins with the number of its strand, the length that it was to have, and a \
             colon"
                .into(),
        );
    };
    let numbers: Option<Vec<f64>> = rest
        .split_ascii_whitespace()
        .map(|word| word.parse().ok().filter(|v: &f64| v.abs() <= FARTHEST))
        .collect();
    let Some(numbers) = numbers else {
        return Err(format!(
            "strand {strand} has something that is no number from -{FARTHEST} to {FARTHEST} µm"
        ));
    };
    let (triples, left) = numbers.as_chunks::<3>();
    if !left.is_empty() || !VERTICES.contains(&triples.len()) {
        return Err(format!(
            "strand {strand} has {} numbers; it wants three for each of 2 to 512 vertices",
            numbers.len()
        ));
    }
    let mut place = DVec3::ZERO;
    let mut curve: Vec<Vec3> = Vec::with_capacity(triples.len());
    for triple in triples {
        place += DVec3::from_array(*triple);
        let point = (place / MICROMETRES).as_vec3();
        if curve.last() == Some(&point) {
            return Err(format!(
                "strand {strand} has two vertices in one place, the second is its {}.",
                curve.len()
            ));
        }
        curve.push(point);
    }
    let edit = EditedCurve {
        curve: curve.into(),
        grown: None,
        length,
    };
    Ok((strand, edit))
}

/// Reads all tables `[[pin]]`; `refuse` makes an error of a place in the file
/// and a sentence.
pub(super) fn pins(
    value: &DeValue<'_>,
    refuse: impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Vec<Pin>, SceneError> {
    let how = format!("write [[{PIN}]] and its keys below it");
    let DeValue::Array(items) = value else {
        return Err(refuse(None, format!("each pin is a table: {how}")));
    };
    let one = |item: &toml::Spanned<DeValue<'_>>| match item.get_ref().as_table() {
        Some(table) => pin(table, item.span(), &refuse),
        None => Err(refuse(Some(item.span()), how.clone())),
    };
    items.iter().map(one).collect()
}

fn pin(
    table: &DeTable<'_>,
    span: Range<usize>,
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Pin, SceneError> {
    let (mut number, mut vertex, mut vertices, mut place) = (None, None, None, None);
    let whole = |value: &DeValue<'_>| match value {
        DeValue::Integer(v) => usize::from_str_radix(v.as_str(), v.radix()).ok(),
        _ => None,
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in entries {
        let wrong = |message: &str| Err(refuse(Some(name.span()), message.into()));
        let value = value.get_ref();
        match &**name.get_ref() {
            "number" => match whole(value) {
                Some(found) => number = Some(found),
                None => return wrong("number wants that of a strand, from 0"),
            },
            "vertex" => match whole(value).filter(|v| *v > 0) {
                Some(number) => vertex = Some(number),
                None => return wrong("vertex wants a number from 1; the root, 0, is fixed anyway"),
            },
            "vertices" => match whole(value).filter(|v| VERTICES.contains(v)) {
                Some(number) => vertices = Some(number),
                None => return wrong("vertices wants the number that the strand had, 2 to 512"),
            },
            "place" => {
                let numbers = match value {
                    DeValue::Array(items) => items
                        .iter()
                        .map(|v| keyframes::number(v.get_ref()))
                        .collect(),
                    _ => None,
                };
                let three = numbers.and_then(|v: Vec<f32>| <[f32; 3]>::try_from(v).ok());
                match three.filter(|v| v.iter().all(|c| c.abs() <= 10.0)) {
                    Some(three) => place = Some(Vec3::from_array(three)),
                    None => {
                        return wrong(
                            "place wants three numbers from -10 to 10 m, like [0, 0.1, 0]",
                        );
                    }
                }
            }
            other => {
                let message = format!("a pin has number, vertex, vertices and place, not {other}");
                return Err(refuse(Some(name.span()), message));
            }
        }
    }
    match (number, vertex, place) {
        (Some(number), Some(vertex), Some(place)) => Ok(Pin {
            number,
            vertex,
            vertices,
            place,
        }),
        _ => Err(refuse(
            Some(span),
            "a pin wants number, vertex and place".into(),
        )),
    }
}

/// What stands in the file for `handwork`.
pub(super) fn text(handwork: &Handwork) -> String {
    let mut out = String::new();
    if !handwork.edits.is_empty() {
        let _ = write!(
            out,
            "\n# What was cut and combed, a strand on each line: its number, the length that it was\n\
             # to have, its root and the way from each vertex to the next, in micrometres of the\n\
             # resting head's space.\n\
             [{CURVES}]\n{EDITED} = '''\n"
        );
        for (number, edit) in handwork.edits.iter() {
            line(&mut out, number, &edit.curve, edit.length);
        }
        out.push_str("'''\n");
        let known = |(number, edit): (usize, &EditedCurve)| {
            Some((number, edit.grown.clone()?, edit.length))
        };
        let mut grown = handwork.edits.iter().filter_map(known).peekable();
        if grown.peek().is_some() {
            let _ = write!(
                out,
                "# What grew there before, by which other hair is cut and combed likewise.\n\
                 {GROWN} = '''\n"
            );
            for (number, curve, length) in grown {
                line(&mut out, number, &curve, length);
            }
            out.push_str("'''\n");
        }
    }
    for pin in handwork.pins.iter() {
        let (number, vertex) = (pin.number, pin.vertex);
        let _ = write!(out, "\n[[{PIN}]]\nnumber = {number}\nvertex = {vertex}\n");
        if let Some(vertices) = pin.vertices {
            let _ = writeln!(out, "vertices = {vertices}");
        }
        let [x, y, z] = pin.place.to_array();
        let _ = writeln!(
            out,
            "place = [{x:?}, {y:?}, {z:?}]  # m, in the resting head's space"
        );
    }
    out
}

fn line(out: &mut String, number: usize, curve: &[Vec3], length: f32) {
    let _ = write!(out, "{number} {:.0}:", f64::from(length) * MICROMETRES);
    // Places are rounded, not ways: errors must not add up.
    let rounded = |p: &Vec3, parts: i64| {
        let parts = MICROMETRES * parts as f64;
        p.to_array().map(|v| (f64::from(v) * parts).round() as i64)
    };
    let [few, more] = DIGITS;
    let parts = 10i64.pow(few);
    let meets = |pair: &[Vec3]| rounded(&pair[0], parts) == rounded(&pair[1], parts);
    let digits = match curve.windows(2).any(meets) {
        true => more,
        false => few,
    };
    let (parts, width) = (10i64.pow(digits), digits as usize);
    let mut before = [0; 3];
    for point in curve {
        let here = rounded(point, parts);
        for axis in 0..3 {
            let way = here[axis] - before[axis];
            let sign = if way < 0 { "-" } else { "" };
            let (whole, part) = (way.abs() / parts, way.abs() % parts);
            let _ = match part {
                0 => write!(out, " {sign}{whole}"),
                _ => write!(out, " {sign}{whole}.{part:0width$}"),
            };
        }
        before = here;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::scene::{read, write};

    fn read_text(text: &str) -> Result<Handwork, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).expect("written");
        let mut handwork = Handwork::default();
        let done = read(&path, &mut [], &mut [], &mut handwork).map_err(|error| {
            let folder = format!("{}/", folder.path().display());
            error.to_string().replace(&folder, "")
        });
        if done.is_err() {
            assert!(handwork.is_empty(), "a refused scene changed something");
        }
        done.map(|()| handwork)
    }

    fn work() -> Handwork {
        let curl = |strand: usize| {
            let points = (0..32).map(move |i| {
                let t = i as f32 * 0.4 + strand as f32;
                Vec3::new(0.01 * t.cos(), 0.2 - 0.004 * i as f32, -0.01 * t.sin())
            });
            let points: Vec<Vec3> = points.collect();
            let grown = points.iter().map(|p| *p + Vec3::X * 0.01 * p.y).collect();
            let edit = EditedCurve {
                curve: points.into(),
                grown: (strand > 0).then_some(grown),
                length: 0.22,
            };
            (strand, edit)
        };
        Handwork {
            edits: Edits::default().with([curl(7), curl(0), curl(99_999)]),
            pins: [
                (3, 5, None, Vec3::new(0.125, -0.01, 0.0)),
                (0, 31, Some(32), Vec3::splat(1e-7)),
            ]
            .map(|(number, vertex, vertices, place)| Pin {
                number,
                vertex,
                vertices,
                place,
            })
            .into(),
        }
    }

    #[test]
    fn what_was_done_is_written_and_read_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        let written = work();
        write(&path, &[], &[], &written).expect("written");
        let mut back = Handwork::default();
        read(&path, &mut [], &mut [], &mut back).expect("read back");
        assert_eq!(back.pins, written.pins);
        assert_eq!(back.edits.len(), 3);
        for ((number, edit), (again, read)) in written.edits.iter().zip(back.edits.iter()) {
            assert_eq!((again, read.curve.len()), (number, edit.curve.len()));
            for (a, b) in read.curve.iter().zip(edit.curve.iter()) {
                assert!(a.distance(*b) < 2e-7, "{number}: {a} for {b}");
            }
            assert_eq!(read.grown.is_some(), edit.grown.is_some(), "{number}");
            let grown = |edit: &EditedCurve| edit.grown.iter().flat_map(|g| g.to_vec()).collect();
            let (then, was): (Vec<Vec3>, Vec<Vec3>) = (grown(read), grown(edit));
            for (a, b) in then.iter().zip(&was) {
                assert!(a.distance(*b) < 2e-7, "{number}: {a} for {b}");
            }
            let off = (edit.length - read.length).abs();
            assert!(off < 1e-6, "{number}: {} m long", read.length);
        }
        // Rounded once, it stays as it is.
        let first = std::fs::read(&path).expect("read");
        write(&path, &[], &[], &back).expect("written again");
        assert_eq!(std::fs::read(&path).expect("read"), first);
    }

    #[test]
    fn vertices_close_together_stay_apart() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        // A hair of 0.2 mm with as many vertices as there can be; two fall together at
        // tenths of a micrometre.
        let mut points: Vec<Vec3> = (0..512)
            .map(|i| Vec3::new(0.1, 0.2 + 4e-7 * i as f32, -0.05))
            .collect();
        points[300] = points[299] + Vec3::Y * 1.5e-8;
        assert_ne!(points[300], points[299]);
        let mut written = work();
        let edit = EditedCurve {
            curve: points.into(),
            grown: None,
            length: 2e-4,
        };
        let close = (11, edit);
        written.edits = written.edits.with([close.clone()]);
        write(&path, &[], &[], &written).expect("written");
        let mut back = Handwork::default();
        read(&path, &mut [], &mut [], &mut back).expect("read back");
        let (_, read) = back.edits.iter().nth(2).expect("the third strand");
        assert_eq!(read.curve, close.1.curve);
    }

    #[test]
    fn a_file_that_names_no_work_leaves_what_was_done() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        std::fs::write(&path, "version = 1\n").expect("written");
        let before = work();
        let mut handwork = before.clone();
        read(&path, &mut [], &mut [], &mut handwork).expect("read");
        assert_eq!(handwork, before);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let refused = |text: &str| read_text(text).expect_err("refused");
        let line = |text: &str| refused(&format!("[handwork]\ncurves = '''\n{text}\n'''\n"));
        assert_eq!(
            line("0 9: 0 0 0 1 2 3\n4 5 6"),
            "s.toml:4: curves: a line begins with the number of its strand, the length that it \
             was to have, and a colon"
        );
        assert!(line("-1 9: 0 0 0 1 2 3").starts_with("s.toml:3: curves: a line begins"));
        assert_eq!(
            line("8 9: 0 0 0 1 2"),
            "s.toml:3: curves: strand 8 has 5 numbers; it wants three for each of 2 to 512 vertices"
        );
        assert!(line("8 9: 0 0 0").contains("has 3 numbers"));
        for wrong in ["8", "8 0", "8 -5", "8 nan", "8 1 2", "8 x"] {
            let told = line(&format!("{wrong}: 0 0 0 1 2 3"));
            assert!(told.contains("a line begins with"), "{wrong}: {told}");
        }
        assert!(line("8 9: 0 0 nan 1 2 3").contains("something that is no number"));
        assert!(line("8 9: 0 0 1e9 1 2 3").contains("something that is no number"));
        assert!(line("8 9: 1 2 3 0 0 0").contains("two vertices in one place"));
        assert!(
            line("8 9: 0 0 0 1 2 3\n8 9: 0 0 0 1 2 3")
                .contains("s.toml:4: curves: strand 8 comes twice")
        );
        assert!(
            refused("[handwork]\ncurve = ''\n")
                .contains("s.toml:2: [handwork] has curves and grown, not curve")
        );
        let grown = |text: &str| {
            let curves = "0 9: 0 0 0 1 2 3";
            refused(&format!(
                "[handwork]\ncurves = '''\n{curves}\n'''\ngrown = '''\n{text}\n'''\n"
            ))
        };
        assert!(grown("1 9: 0 0 0 1 2").contains("s.toml:6: grown: strand 1 has 5 numbers"));
        assert!(
            grown("1 9: 0 0 0 1 2 3").contains("grown has strand 1, and curves has not"),
            "{}",
            grown("1 9: 0 0 0 1 2 3")
        );
        assert!(
            grown("0 9: 0 0 0 1 2 3 1 2 3")
                .contains("strand 0 has 2 vertices, and 3 as it has grown")
        );
        assert!(refused("[handwork]\ncurves = 3\n").contains("s.toml:2: curves wants a text"));
        assert!(refused("handwork = 3\n").contains("s.toml:1: handwork is a section"));
        let pin = |text: &str| refused(&format!("[[pin]]\nnumber = 3\n{text}\n"));
        assert!(pin("vertex = 2").contains("s.toml:1: a pin wants number, vertex and place"));
        assert!(pin("vertex = 0").contains("s.toml:3: vertex wants a number from 1"));
        assert!(pin("vertices = 1").contains("s.toml:3: vertices wants the number"));
        assert!(pin("place = [0, 1]").contains("s.toml:3: place wants three numbers"));
        assert!(pin("place = [0, 1, inf]").contains("s.toml:3: place wants three numbers"));
        assert!(
            pin("knot = 1")
                .contains("s.toml:3: a pin has number, vertex, vertices and place, not knot")
        );
        assert!(refused("[pin]\nnumber = 1\n").contains("s.toml:1: each pin is a table"));
    }
}
