//! What is told of files that would be replaced.

use crate::io::name_of;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// More files are told by the first and the last.
const MOST: usize = 3;

/// That the files `taken` exist, where `target` is the one that was named; or, once they are
/// to be replaced for `sure`, what that does.
pub(super) fn note(taken: &[PathBuf], target: Option<&Path>, sure: bool) -> String {
    if let [first, .., last] = taken
        && taken.len() > MOST
    {
        let files = format!(
            "{} files, {} to {}",
            taken.len(),
            name_of(first),
            name_of(last)
        );
        return match sure {
            true => format!("Press Enter or Replace again: what is in {files}, now will be gone."),
            false => format!("{files}, exist."),
        };
    }
    let own = if sure { "this file" } else { "This file" };
    let names = taken
        .iter()
        .map(|file| match Some(file.as_path()) == target {
            true => Cow::Borrowed(own),
            false => Cow::Owned(name_of(file)),
        });
    let names = names.collect::<Vec<_>>().join(" and ");
    match (sure, taken.len()) {
        (_, 0) => String::new(),
        (true, _) => {
            format!("Press Enter or Replace again: what is in {names} now will be gone.")
        }
        (false, 1) => format!("{names} exists."),
        (false, _) => format!("{names} exist."),
    }
}
