//! The version of scene files, and how they name other files.

use crate::{groom::import::BUILT_IN, io::panorama::BuiltIn};
use std::path::{Path, PathBuf};

/// The newest layout of scene files that this program reads, and the one it writes.
pub const VERSION: i64 = 1;

/// A tunable that names a file; a relative name counts from the scene's folder.
pub(super) struct FileName {
    section: &'static str,
    key: &'static str,
    /// Names of what comes with the program, which are no files.
    built_in: &'static [&'static str],
}

const fn file(section: &'static str, key: &'static str) -> FileName {
    FileName {
        section,
        key,
        built_in: &[],
    }
}

const FILES: &[FileName] = &[
    file("head", "file"),
    file("import", "file"),
    FileName {
        built_in: &[BUILT_IN],
        ..file("import", "head")
    },
    file("motion", "sequence"),
    file("roots", "density_map"),
    file("roots", "length_map"),
    file("roots", "curl_map"),
    file("roots", "stiffness_map"),
    file("roots", "colour_map"),
    FileName {
        built_in: &BuiltIn::NAMES,
        ..file("light", "environment")
    },
];

/// The tunable `section.key`, if it names a file.
pub(super) fn names_file(section: &str, key: &str) -> Option<&'static FileName> {
    let mut files = FILES.iter();
    files.find(|file| (file.section, file.key) == (section, key))
}

/// `value` of the tunable called `name`, `section.key`, as it is in every working folder:
/// a file's name becomes absolute, anything else stays.
pub fn from_anywhere(name: &str, value: &str) -> String {
    match file_named(name, value) {
        Some(file) => std::path::absolute(file)
            .map_or_else(|_| value.into(), |path| path.to_string_lossy().into_owned()),
        None => value.into(),
    }
}

/// Whether the tunable called `name`, `section.key`, names a file.
pub fn takes_file(name: &str) -> bool {
    let parts = name.rsplit_once('.');
    parts.is_some_and(|(section, key)| names_file(section, key).is_some())
}

/// The file that `value` of the tunable called `name`, `section.key`, is; none where the
/// tunable names no file, or that is something that comes with the program.
pub fn file_named(name: &str, value: &str) -> Option<PathBuf> {
    let (section, key) = name.rsplit_once('.')?;
    let names = names_file(section, key)?;
    (!names.is_built_in(value)).then(|| value.into())
}

impl FileName {
    /// Whether that is not the name of a file.
    fn is_built_in(&self, file: &str) -> bool {
        file.is_empty() || self.built_in.contains(&file)
    }

    /// A file named in the scene `path`, as seen from the working folder.
    pub fn beside(&self, path: &Path, file: &str) -> String {
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.is_built_in(file) || folder.as_os_str().is_empty() {
            return file.into();
        }
        // An absolute `file` replaces the folder.
        folder.join(file).to_string_lossy().into_owned()
    }

    /// A file named from the working folder, as seen from the scene `path`: short
    /// where the file lies beside or below the scene, absolute elsewhere.
    pub fn relative_to(&self, path: &Path, file: &str) -> String {
        if self.is_built_in(file) {
            return file.into();
        }
        let (Ok(scene), Ok(full)) = (std::path::absolute(path), std::path::absolute(file)) else {
            return file.into();
        };
        let folder = scene.parent().unwrap_or(Path::new(""));
        full.strip_prefix(folder)
            .unwrap_or(&full)
            .to_string_lossy()
            .into_owned()
    }
}
