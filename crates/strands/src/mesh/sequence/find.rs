//! Finds the files of a sequence from the name of one of them.

use super::SequenceError;
use crate::mesh::error::reason;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The digits at the end of a file's stem, with what stands before them and
/// the ending behind: `head.0012.obj` is `head.`, `0012`, `.obj`.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let dot = name.rfind('.')?;
    let (stem, ending) = name.split_at(dot);
    let digits = stem.len() - stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = stem.split_at(digits);
    (!number.is_empty()).then_some((before, number, ending))
}

/// Whether `path` is one of several files whose names differ by their numbers.
pub fn is_frame(path: &Path) -> bool {
    matches!(files(path), Ok(_) | Err(SequenceError::Missing { .. }))
}

/// All files of the sequence that the file `one` is part of, in their order.
///
/// # Errors
/// When the name has no number, the folder cannot be read, a number is missing
/// or there is only one.
pub fn files(one: &Path) -> Result<Vec<PathBuf>, SequenceError> {
    let unnumbered = || SequenceError::Unnumbered { path: one.into() };
    let failed = |error: std::io::Error| SequenceError::Read {
        path: one.into(),
        reason: reason(&error),
    };
    let name = one.file_name().ok_or_else(unnumbered)?.to_string_lossy();
    let (before, number, ending) = parts(&name).ok_or_else(unnumbered)?;
    let folder = match one.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut found: BTreeMap<u64, (String, PathBuf)> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let other = entry.file_name();
        let Some(other) = other.to_str() else {
            continue;
        };
        let Some((its_before, digits, its_ending)) = parts(other) else {
            continue;
        };
        let alike = its_before == before && its_ending.eq_ignore_ascii_case(ending);
        let Some(at) = digits.parse().ok().filter(|_| alike) else {
            continue;
        };
        // Where head.1.obj lies beside head.0001.obj, the one that is written
        // like the file that was named.
        let suits = digits.len() == number.len();
        if suits || !found.contains_key(&at) {
            let path = one.with_file_name(other);
            found.insert(at, (digits.into(), path));
        }
    }
    let named: Option<u64> = number.parse().ok();
    if named.is_none_or(|named| !found.contains_key(&named)) {
        return Err(SequenceError::Read {
            path: one.into(),
            reason: "no such file".into(),
        });
    }
    let (Some((first, (_, path))), Some((last, _))) =
        (found.first_key_value(), found.last_key_value())
    else {
        return Err(unnumbered());
    };
    if first == last {
        return Err(SequenceError::Single { path: path.clone() });
    }
    // No number beyond the gap is worth looking at: so many files are not there.
    let gap = found
        .keys()
        .zip(*first..)
        .find(|(at, wanted)| *at != wanted);
    if let Some((_, wanted)) = gap {
        let width = found
            .values()
            .find_map(|(digits, _)| digits.starts_with('0').then_some(digits.len()))
            .unwrap_or(1);
        let name = format!("{before}{wanted:0width$}{ending}");
        return Err(SequenceError::Missing {
            path: one.with_file_name(name),
            number: wanted,
            first: *first,
            last: *last,
        });
    }
    Ok(found.into_values().map(|(_, path)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_apart_from_its_number() {
        assert_eq!(parts("head.0012.obj"), Some(("head.", "0012", ".obj")));
        assert_eq!(parts("name_000001.OBJ"), Some(("name_", "000001", ".OBJ")));
        assert_eq!(parts("name1.obj"), Some(("name", "1", ".obj")));
        assert_eq!(parts("7.obj"), Some(("", "7", ".obj")));
        assert_eq!(parts("head.obj"), None);
        assert_eq!(parts("head2b.obj"), None);
        assert_eq!(parts("12"), None);
    }
}
