//! What every subcommand takes and refuses alike.

use anyhow::Context as _;

/// A wrong command line that the parser could not see; ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// A word that names neither a command nor a file, where either could stand; the
/// command line knows which command was meant.
#[derive(Debug, thiserror::Error)]
#[error("there is no command or scene file {0}")]
pub struct UnknownName(pub String);

/// No longer span of simulated time is taken: a day. `[s]`
pub const LONGEST: f64 = 86_400.0;

/// A span of simulated time on the command line, with its unit or without. `[s]`
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim();
    let number = number.strip_suffix('s').unwrap_or(number).trim_end();
    number
        .parse()
        .ok()
        .filter(|seconds| (0.0..=LONGEST).contains(seconds))
        .ok_or_else(|| format!("give seconds, from 0 to {LONGEST}"))
}

/// Lets everything parallel run on so many threads, or on all cores.
pub fn use_threads(threads: Option<u16>) -> anyhow::Result<()> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .with_context(|| format!("cannot start {threads} threads; ask for fewer with --threads"))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_span_may_have_its_unit() {
        for (text, wanted) in [("2", 2.0), ("2s", 2.0), (" 0.5 s", 0.5)] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
        for text in ["2ss", "2 m", "-1", "s", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
