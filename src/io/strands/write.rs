//! Writing a groom of any format, and what is lost in it.

use super::{Attribute, Strands, StrandsError, Writing, parse, read::first_numbers};
use crate::{
    io::{self, reason},
    math::counted,
};
use std::path::Path;

/// Writes `strands` to `path`, whole or not at all, after they were read back
/// from what is written, and says what is not as it was, a sentence each.
///
/// # Errors
/// When the format cannot hold them, or the file cannot be written.
pub fn write(
    path: &Path,
    writing: &Writing,
    strands: &Strands,
) -> Result<Vec<String>, StrandsError> {
    write_while(path, writing, strands, &mut |_| true).map(Option::unwrap_or_default)
}

/// The same as long as one is to `go_on`, which is told the share of the work
/// that is done; none, and nothing has changed, where it was given up.
///
/// # Errors
/// Those of [`write`](fn@write).
pub fn write_while(
    path: &Path,
    writing: &Writing,
    strands: &Strands,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Result<Option<Vec<String>>, StrandsError> {
    let content = |fault| StrandsError::Content {
        path: path.into(),
        fault,
    };
    if !go_on(0.0) {
        return Ok(None);
    }
    let bytes = (writing.write)(strands).map_err(content)?;
    if !go_on(0.4) {
        return Ok(None);
    }
    let (_, back) = parse(&bytes, path).map_err(content)?;
    let lost = lost(strands, &back);
    drop(back);
    let written = io::write_while(path, &bytes, &mut |share| go_on(0.8 + 0.2 * share));
    let written = written.map_err(|error| StrandsError::Write {
        path: path.into(),
        reason: reason(&error),
    })?;
    Ok(written.then_some(lost))
}

/// How `back`, which was read from a file, differs from what was written.
pub fn lost(strands: &Strands, back: &Strands) -> Vec<String> {
    let mut lines = Vec::new();
    lost_points(&mut lines, strands, back);
    compared(&mut lines, "widths", &strands.widths, &back.widths);
    if !is_even(strands) && !back.widths.is_empty() && is_even(back) {
        lines.push(
            "tapering is not in the file: each strand has one width, from root to tip".into(),
        );
    }
    let [had, has] = [strands, back].map(|s| s.colours.as_flattened());
    compared(&mut lines, "colours", had, has);
    let [had, has] = [strands, back].map(|s| s.root_uvs.as_flattened());
    compared(&mut lines, "texture coordinates of roots", had, has);
    lost_columns(&mut lines, strands, back);
    if let (Some(metres), None) = (strands.metres_per_unit, back.metres_per_unit) {
        let unit = match metres {
            1.0 => "metres".into(),
            0.01 => "centimetres".into(),
            0.001 => "millimetres".into(),
            other => format!("{other} m"),
        };
        lines.push(format!("the file does not say its unit ({unit})"));
    }
    if strands.up.is_some() && back.up.is_none() {
        lines.push("the file does not say which axis points up".into());
    }
    lines
}

/// Says how many strands and points came back, and how far those moved.
fn lost_points(lines: &mut Vec<String>, strands: &Strands, back: &Strands) {
    if strands.starts == back.starts {
        let moved = strands.points.iter().zip(&back.points);
        let moved = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        if moved > 0.0 {
            lines.push(format!(
                "points moved by up to {moved:.2e} of the file's unit"
            ));
        }
    } else if strands.len() != back.len() {
        lines.push(format!(
            "{} of {} strands came back",
            back.len(),
            strands.len()
        ));
        let bare = (0..strands.len()).filter(|strand| strands.range(*strand).is_empty());
        let bare: Vec<usize> = bare.collect();
        if !bare.is_empty() {
            lines.push(format!(
                "{} dropped ({}, counted from 0)",
                counted(
                    bare.len(),
                    "strand without any point is",
                    "strands without any point are"
                ),
                first_numbers(&bare)
            ));
        }
    } else {
        let [min, max] = back.counts();
        let [least, most] = strands.counts();
        let range = |[from, to]: [usize; 2]| match from == to {
            true => from.to_string(),
            false => format!("{from} to {to}"),
        };
        lines.push(format!(
            "strands had {} points and have {}, evenly along their length",
            range([least, most]),
            range([min, max])
        ));
    }
}

/// Says which further columns did not come back, or not as they were.
fn lost_columns(lines: &mut Vec<String>, strands: &Strands, back: &Strands) {
    let mut missing = Vec::new();
    for column in &strands.attributes {
        let name = &column.name;
        let found = back.attributes.iter().find(|found| found.name == *name);
        match found {
            None if parts(&back.attributes, name) == column.each => lines.push(format!(
                "the column {name} is in the file as {name}_0 to {name}_{}",
                column.each - 1
            )),
            None => missing.push(&name[..]),
            Some(found) if strands.starts == back.starts && found != column => {
                lines.push(format!("the column {name} is not as it was"));
            }
            Some(_) => {}
        }
    }
    missing.sort_unstable();
    match &missing[..] {
        [] => {}
        [one] => lines.push(format!("the column {one} is not in the file")),
        [rest @ .., last] => lines.push(format!(
            "the columns {} and {last} are not in the file",
            rest.join(", ")
        )),
    }
}

/// Says what of numbers that a file `had` is not what it `has`.
fn compared(lines: &mut Vec<String>, what: &str, had: &[f32], has: &[f32]) {
    if had.is_empty() {
        return;
    }
    if has.is_empty() {
        lines.push(format!("{what} are not in the file"));
    } else if has.len() == had.len() {
        let differ = had.iter().zip(has).map(|(a, b)| (a - b).abs());
        let most = differ.fold(0.0, f32::max);
        let range = had.iter().fold(0.0f32, |most, v| most.max(v.abs()));
        if most > 0.0 {
            lines.push(format!(
                "{what} differ by up to {:.2} % of the largest",
                100.0 * most / range.max(f32::MIN_POSITIVE)
            ));
        }
    }
}

/// Whether each strand is as wide at its tip as at its root.
fn is_even(strands: &Strands) -> bool {
    (0..strands.len()).all(|strand| {
        let widths = strands
            .widths
            .get(strands.range(strand))
            .unwrap_or_default();
        widths.windows(2).all(|pair| pair[0] == pair[1])
    })
}

/// How many columns hold a number each of the rows of the one called `name`.
fn parts(columns: &[Attribute], name: &str) -> usize {
    let is = |column: &&Attribute| {
        let rest = column.name.strip_prefix(name);
        let number = rest.and_then(|rest| rest.strip_prefix('_'));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    columns.iter().filter(is).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapering_that_a_format_drops_is_named() {
        let strands = Strands {
            points: vec![glam::Vec3::ZERO; 4],
            starts: vec![0, 2, 4],
            widths: vec![3.0, 1.0, 2.0, 2.0],
            ..Strands::default()
        };
        let even = Strands {
            widths: vec![3.0, 3.0, 2.0, 2.0],
            ..strands.clone()
        };
        let told = lost(&strands, &even);
        assert!(
            told[0].starts_with("widths differ by up to 66.67 %"),
            "{told:?}"
        );
        assert!(
            told[1].starts_with("tapering is not in the file"),
            "{told:?}"
        );
        assert!(lost(&strands, &strands).is_empty() && lost(&even, &even).is_empty());
    }

    #[test]
    fn strands_that_a_format_drops_are_named() {
        let strands = Strands {
            points: vec![glam::Vec3::ZERO, glam::Vec3::ONE],
            starts: vec![0, 0, 2, 2],
            ..Strands::default()
        };
        let back = Strands {
            starts: vec![0, 2],
            ..strands.clone()
        };
        let told = lost(&strands, &back);
        assert_eq!(told[0], "1 of 3 strands came back");
        assert!(told[1].starts_with("2 strands without any point are dropped (0, 2,"));
    }
}
