//! Files of one name with a number each, of which none replaces another.
//!
//! Two rules say which number is next. A table that is small enough to be written at once
//! takes the first number that is free, also one of a file that is gone: making the file
//! claims the number. Pictures and videos, which take their time, go on after the highest
//! number there is: a run of frames that began in a gap would meet the file at its end.

use super::files::make_folder;
use std::{
    fs::{self, OpenOptions},
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

/// One more than the highest number in `folder` among files called `name`, digits, and a dot
/// with an ending that `counts`; zero without any.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn number_after(
    folder: &Path,
    name: &str,
    counts: impl Fn(&str) -> bool,
) -> io::Result<u32> {
    let mut next = 0;
    for entry in fs::read_dir(folder)? {
        let file = entry?.file_name();
        let number = file.to_str().and_then(|file| {
            let rest = file.strip_prefix(name)?;
            let (digits, ending) = rest.split_once('.').unwrap_or((rest, ""));
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .parse::<u32>()
                .ok()
                .filter(|_| plain && counts(ending))
        });
        if let Some(number) = number {
            next = next.max(number.saturating_add(1));
        }
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_after_the_highest_number_of_files_that_count() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let next = || {
            let counts = |ending: &str| ending == "mp4";
            number_after(folder.path(), "video", counts).expect("reads")
        };
        assert_eq!(next(), 0);
        for (file, wanted) in [
            ("video0002.mp4", 3),
            ("video0007.txt", 3),
            ("video12x.mp4", 3),
            ("video+9.mp4", 3),
            ("video0005.part.mp4", 3),
            ("video0010.mp4", 11),
            ("video0004.mp4", 11),
        ] {
            fs::write(folder.path().join(file), "").expect("writes");
            assert_eq!(next(), wanted, "{file}");
        }
    }

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
