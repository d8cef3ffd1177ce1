//! The name of a file that hair is exported to: what it says of the format, and whether it can
//! hold an animation.

use crate::{
    io::{
        cache::is_named_like_cache,
        strands::{self, Format},
    },
    project::export::check_name,
};
use std::path::{Path, PathBuf};

/// What stands for a number in the names of files where nothing else is said.
const NUMBER: &str = ".####";

/// The format that a name says; none of a cache, or where it says none.
pub(super) fn format(path: &Path) -> Option<&'static Format> {
    let ending = path.extension().unwrap_or_default();
    strands::writer(&ending.to_string_lossy()).map(|(format, _)| format)
}

/// Whether a file named like `path` holds one frame, and there is no place for a number in its
/// name.
pub(super) fn lacks_number(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    let writer = strands::writer(&ending.to_string_lossy());
    let holds_one = writer.is_some_and(|(_, writing)| writing.film.is_none());
    holds_one && strands::numbered(path, 1).is_none()
}

/// The name with another `ending`, if one is given, and with a place for a number where an
/// animation needs one, or without where not.
pub(super) fn fitted(path: &Path, ending: Option<&str>, moves: bool) -> PathBuf {
    let Some(stem) = path.file_stem() else {
        return path.into();
    };
    let own = path.extension().map(|ending| ending.to_string_lossy());
    let ending = ending.map(str::to_owned).or(own.map(Into::into));
    let stem = stem.to_string_lossy();
    let stem = stem.strip_suffix(NUMBER).unwrap_or(&stem);
    let named = |stem: &str| {
        let ending = ending.as_ref();
        path.with_file_name(ending.map_or(stem.to_owned(), |ending| format!("{stem}.{ending}")))
    };
    let plain = named(stem);
    match moves && lacks_number(&plain) {
        true => named(&format!("{stem}{NUMBER}")),
        false => plain,
    }
}

/// Why an animation cannot have the name `path`; none where it can.
pub(super) fn fault(path: &Path) -> Option<String> {
    if is_named_like_cache(path) {
        return None;
    }
    if let Err(fault) = check_name(path) {
        let mut letters = fault.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string());
        return Some(format!(
            "{}{}.",
            first.unwrap_or_default(),
            letters.as_str()
        ));
    }
    let name = fitted(path, None, true);
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    lacks_number(path).then(|| {
        format!("A file of this format holds one frame: name it {name}, or choose another format.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_place_for_a_number_where_a_format_needs_it() {
        for (name, ending, moves, wanted) in [
            ("a/h.usda", Some("obj"), true, "a/h.####.obj"),
            ("a/h.####.obj", Some("abc"), true, "a/h.abc"),
            ("h.####.obj", Some("ply"), true, "h.####.ply"),
            ("h.####.obj", None, false, "h.obj"),
            ("h.obj", None, true, "h.####.obj"),
            ("h.$F4.obj", None, true, "h.$F4.obj"),
            ("h.abc", None, true, "h.abc"),
            ("h.cache", None, true, "h.cache"),
            ("h.cache", Some("usda"), false, "h.usda"),
            ("h", Some("obj"), true, "h.####.obj"),
            ("h", None, true, "h"),
        ] {
            let named = fitted(Path::new(name), ending, moves);
            assert_eq!(named, Path::new(wanted), "{name} {ending:?} {moves}");
        }
    }

    #[test]
    fn a_name_that_no_animation_can_have_is_told_why() {
        let fault = |name: &str| fault(Path::new(name)).unwrap_or_default();
        assert!(fault("h.obj").contains("name it h.####.obj,"));
        assert!(fault("h.%4d.obj").starts_with("\"%4d\" in the name"));
        assert!(fault("h.##.##.obj").starts_with("The name h.##.##.obj has more"));
        for name in ["h.####.obj", "h.abc", "h.cache", "h.####.usda"] {
            assert_eq!(fault(name), "", "{name}");
        }
    }
}
