//! Standard output: lines that a reader may stop reading.

use std::io::{self, Write as _};

/// Standard output was closed by whoever read it (`lovelock ... | head`).
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub struct OutputClosed;

/// Prints to standard output; a reader that went away is no failure and no panic.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::output::print_line(format_args!($($text)*)) };
}
pub(super) use say;

pub fn print_line(text: std::fmt::Arguments<'_>) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}").map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::anyhow!(
            "cannot write to standard output: {}",
            crate::io::reason(&error)
        ),
    })
}
