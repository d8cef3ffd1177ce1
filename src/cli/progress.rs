//! How far long work is: a bar on a terminal, a plain line now and then
//! elsewhere, both on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Counts `total` pieces of work called `what`, in the plural.
pub struct CountBar {
    bar: Option<ProgressBar>,
    what: &'static str,
    total: u64,
    started: Instant,
    told: Instant,
}

impl CountBar {
    pub fn new(what: &'static str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos} of {len} {msg}, {eta} left");
            ProgressBar::new(total)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_message(what)
        });
        let started = Instant::now();
        Self {
            bar,
            what,
            total,
            started,
            told: started,
        }
    }

    /// Says that `done` pieces are finished.
    pub fn at(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if done < self.total && self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let left = self.started.elapsed().as_secs_f64() / done.max(1) as f64
                * (self.total - done) as f64;
            // Progress that cannot be told does not stop the work.
            let _ = writeln!(
                std::io::stderr().lock(),
                "lovelock: {done} of {} {}, about {left:.0} s left",
                self.total,
                self.what
            );
        }
    }
}

impl Drop for CountBar {
    fn drop(&mut self) {
        // Also when the work fails: the error's line belongs under no bar.
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Names what is being done, where nobody knows how long it takes.
pub struct Activity {
    line: Option<ProgressBar>,
    told: Instant,
}

impl Activity {
    pub fn new() -> Self {
        let line = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("  {msg} ...");
            ProgressBar::new_spinner()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        Self {
            line,
            told: Instant::now(),
        }
    }

    /// Says that `what` comes now.
    pub fn at(&mut self, what: &str) {
        if let Some(line) = &self.line {
            line.set_message(what.to_string());
            line.tick();
        } else if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            // Progress that cannot be told does not stop the work.
            let _ = writeln!(std::io::stderr().lock(), "lovelock: {what}");
        }
    }

    /// Takes the line away while something else is printed.
    pub fn hide(&self, print: impl FnOnce()) {
        match &self.line {
            Some(line) => line.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
