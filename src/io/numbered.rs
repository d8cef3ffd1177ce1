//! Files of one name with a number each, of which none replaces another.

use super::files::make_folder;
use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// So many numbers are tried.
const MOST: u32 = 100_000;

/// Writes `text` to `name` with the first free number and that ending, such as `plot0003.csv`,
/// in `folder`, which is made where it is not there. Returns the file's path.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_numbered(folder: &Path, name: &str, ending: &str, text: &str) -> io::Result<PathBuf> {
    make_folder(folder)?;
    for number in 0..MOST {
        let path = folder.join(format!("{name}{number:04}.{ending}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("all numbers are taken; empty the folder"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn no_file_replaces_another() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inner = folder.path().join("new");
        let write = |text: &str| write_numbered(&inner, "plot", "csv", text).expect("written");
        let (one, two) = (write("a"), write("b"));
        assert_eq!(one, inner.join("plot0000.csv"));
        assert_eq!(two, inner.join("plot0001.csv"));
        assert_eq!(fs::read_to_string(one).expect("read"), "a");
        assert!(
            write_numbered(&two, "plot", "csv", "").is_err(),
            "no folder"
        );
    }
}
