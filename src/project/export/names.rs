//! Names of the files that an export writes, and of those beside them.

use crate::{
    io::{name_of, strands},
    math::counted,
};
use std::{ops::RangeInclusive, path::Path};

/// What to say of files of a pattern beside those that were `written`.
pub fn older(pattern: &Path, written: &RangeInclusive<usize>) -> Option<String> {
    let left = strands::left_over(pattern, written.clone());
    let (first, last) = (left.first()?, left.last()?);
    let name = |number: usize| {
        let path = strands::numbered(pattern, number).unwrap_or_default();
        name_of(&path)
    };
    let which = match first == last {
        true => name(*first),
        false => format!("{} to {}", name(*first), name(*last)),
    };
    Some(format!(
        "{}, {which}; remove what does not belong to this animation",
        counted(
            left.len(),
            "older file of this pattern stays",
            "older files of this pattern stay"
        )
    ))
}

/// Refuses a name with a place for a number that is written in a way that is not known, and
/// one with two places.
///
/// # Errors
/// When it has one: one sentence.
pub fn check_name(path: &Path) -> Result<(), String> {
    if let Some(second) = strands::second_place(path) {
        return Err(format!(
            "the name {} has more than one place for a frame's number; keep one, and write \
             \"{second}\" otherwise",
            name_of(path)
        ));
    }
    match strands::unknown_notation(path) {
        Some(piece) => Err(format!(
            "\"{piece}\" in the name {} is no place for a frame's number that is known; write {}, \
             or give the file another name",
            name_of(path),
            strands::NOTATIONS
        )),
        None => Ok(()),
    }
}
