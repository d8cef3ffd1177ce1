//! Standard output: lines that a reader may stop reading.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Standard output was closed by whoever read it (`lovelock ... | head`), and nothing
/// else was wanted.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub struct OutputClosed;

/// Whether the lines are all that the command line asks for.
static LINES_ALONE: AtomicBool = AtomicBool::new(false);

/// Declares that no file is written: [`say!`] fails with [`OutputClosed`] once nobody reads
/// the lines, and the work ends. Otherwise they are dropped, and the files are finished.
pub fn lines_are_all() {
    LINES_ALONE.store(true, Ordering::Relaxed);
}

/// Whether standard output is for a result, and lines go to standard error.
static LINES_ASIDE: AtomicBool = AtomicBool::new(false);

/// Keeps standard output for a result that is asked for there, by `-` in place of a file:
/// lines go to standard error.
pub fn lines_go_aside() {
    LINES_ASIDE.store(true, Ordering::Relaxed);
}

/// Prints a result to standard output; [`OutputClosed`] where nobody reads it.
pub fn print_result(text: &str) -> anyhow::Result<()> {
    crate::io::print_all(text.as_bytes()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::anyhow!(
            "cannot write to standard output: {}",
            crate::io::reason(&error)
        ),
    })
}

/// Prints to standard output; a reader that went away is no failure and no panic.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::output::print_line(format_args!($($text)*)) };
}
pub(super) use say;

pub fn print_line(text: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
    if LINES_ASIDE.load(Ordering::Relaxed) {
        // The result is what was asked for.
        let _ = writeln!(io::stderr().lock(), "{text}");
        return Ok(());
    }
    let Err(error) = writeln!(io::stdout().lock(), "{text}") else {
        return Ok(());
    };
    match error.kind() {
        io::ErrorKind::BrokenPipe if LINES_ALONE.load(Ordering::Relaxed) => {
            Err(OutputClosed.into())
        }
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(anyhow::anyhow!(
            "cannot write to standard output: {}",
            crate::io::reason(&error)
        )),
    }
}

/// What is said of a file that cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    let reason = crate::io::write_reason(path, error);
    anyhow::anyhow!("cannot write {}: {reason}", path.display())
}

/// Makes a folder of results and those above it where they are not there, and says so; how to
/// choose `another` ends the sentence that says why not.
pub fn make_folder(folder: &Path, another: &str) -> anyhow::Result<()> {
    let shown = folder.display();
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| match folder.exists() && !folder.is_dir() {
        true => anyhow::anyhow!("{shown} is not a folder; name another {another}"),
        false => anyhow::anyhow!(
            "cannot make the folder {shown}: {}; name another {another}",
            crate::io::reason(&error)
        ),
    })?;
    say_made(folder)
}

/// Says that a folder was made that was not there.
pub fn say_made(folder: &Path) -> anyhow::Result<()> {
    say!("{:<12} {}", "new folder", folder.display())
}

/// Makes the folder of a file that `option` names.
pub fn make_folder_of(file: &Path, option: &str) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if folder != Path::new("") => make_folder(folder, &format!("with {option}")),
        _ => Ok(()),
    }
}
