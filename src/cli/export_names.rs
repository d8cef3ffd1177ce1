//! Names of the files beside those that an export writes.

use crate::{io::strands, math::counted};
use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// What to say of files of a pattern beside those that were `written`.
pub fn older(pattern: &Path, written: &RangeInclusive<usize>) -> Option<String> {
    let left = strands::left_over(pattern, written.clone());
    let (first, last) = (left.first()?, left.last()?);
    let name = |number: usize| {
        let path = strands::numbered(pattern, number).unwrap_or_default();
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
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

/// The name of the head that belongs to a file. A frame's number stays, also where it is all
/// that follows the last dot: `hair.0001` without an ending.
pub fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if !ending.chars().all(|c| c.is_ascii_digit()) => stem,
        _ => &name,
    };
    path.with_file_name(format!("head_{stem}.obj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_has_a_head_of_its_own() {
        for (file, head) in [
            ("out/hair.0007.ply", "out/head_hair.0007.obj"),
            ("out/hair.0007", "out/head_hair.0007.obj"),
            ("out/hair0007", "out/head_hair0007.obj"),
            ("hair.abc", "head_hair.obj"),
        ] {
            assert_eq!(beside(Path::new(file)), Path::new(head));
        }
    }
}
