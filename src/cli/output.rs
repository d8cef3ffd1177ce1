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

/// Prints to standard output; a reader that went away is no failure and no panic.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::output::print_line(format_args!($($text)*)) };
}
pub(super) use say;

pub fn print_line(text: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
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
    let reason = match error.kind() {
        // The file itself need not be there.
        io::ErrorKind::NotFound => "its folder is not there; make that first".into(),
        _ => crate::io::reason(error),
    };
    anyhow::anyhow!("cannot write {}: {reason}", path.display())
}

/// Makes a folder, and those above it; how to choose `another` ends the sentence that
/// says why not.
pub fn make_folder(folder: &Path, another: &str) -> anyhow::Result<()> {
    let shown = folder.display();
    fs::create_dir_all(folder).map_err(|error| match folder.exists() && !folder.is_dir() {
        true => anyhow::anyhow!("{shown} is not a folder; name another {another}"),
        false => anyhow::anyhow!(
            "cannot make the folder {shown}: {}; name another {another}",
            crate::io::reason(&error)
        ),
    })
}

/// Makes the folder of a file that `option` names.
pub fn make_folder_of(file: &Path, option: &str) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if folder != Path::new("") => make_folder(folder, &format!("with {option}")),
        _ => Ok(()),
    }
}
