//! What the subcommands that measure have in common: choosing rows of a table by
//! name, counting what is done, writing what was found for scripts.

use super::{
    output::{cannot_write, lines_are_all, lines_go_aside, make_folder_of, print_result, say},
    overrides::ALL,
    progress::CountBar,
    targets::{is_device, keep_own},
    usage::Usage,
};
use crate::{
    io::{self, stats::is_stdout, validation_table},
    param,
    sim::solver::Method,
};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

/// A row of a table that the command line knows by name.
pub trait Named: 'static {
    /// What one of them is called in messages.
    const WHAT: &'static str;
    /// Its name on the command line.
    fn id(&self) -> &'static str;
    /// What it is called in tables and the window, if otherwise.
    fn name(&self) -> &'static str {
        self.id()
    }
    /// What it is, in a sentence.
    fn about(&self) -> &'static str;

    /// Whether `word` is its name, or what tables call it.
    fn is_called(&self, word: &str) -> bool {
        let names = [self.id(), self.name()];
        names.iter().any(|name| name.eq_ignore_ascii_case(word))
    }
}

/// The rows of `all` that are asked for, each once, in the order of the table; all
/// where none is, or [`ALL`] are.
pub fn chosen<T: Named>(all: &'static [T], ids: &[String]) -> anyhow::Result<Vec<&'static T>> {
    for id in ids {
        if id != ALL && !all.iter().any(|row| row.is_called(id)) {
            let known: Vec<String> = all.iter().map(|row| row.id().into()).collect();
            let guess = param::guess(id, known.iter().cloned());
            let (what, known) = (T::WHAT, known.join(", "));
            let text = format!("there is no {what} \"{id}\"; it can be {known}{guess}");
            return Err(Usage(text).into());
        }
    }
    let every = ids.is_empty() || ids.iter().any(|id| id == ALL);
    let wanted = |row: &&T| every || ids.iter().any(|id| row.is_called(id));
    Ok(all.iter().filter(wanted).collect())
}

/// All that `--solver` lists, where a scene takes it, too: of the override's one method
/// [`allow_list`] makes a list. It must be read before the scene, which takes the values away.
#[derive(Clone, Debug, Default)]
pub struct SolverList(pub Vec<String>);

/// What [`SolverList`] reads: the option `--solver`, repeatable or with commas.
pub fn allow_list(solver: Arg) -> Arg {
    solver
        .action(ArgAction::Append)
        .value_delimiter(',')
        .help("Method to measure (repeatable, or a list with commas) [default: all]")
}

impl FromArgMatches for SolverList {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let ids = matches.get_many::<String>("solver").unwrap_or_default();
        Ok(Self(ids.cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SolverList {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Says what these rows are.
pub fn list<T: Named>(rows: &[&T]) -> anyhow::Result<()> {
    let width = rows.iter().map(|row| row.id().len()).max().unwrap_or(0);
    for row in rows {
        say!("{:<width$}  {}", row.id(), row.about())?;
    }
    Ok(())
}

/// Says how many rows of each method pass; a row is its method and whether it does.
pub fn say_passed(
    methods: &[&'static Method],
    rows: impl Iterator<Item = (&'static str, bool)> + Clone,
) -> anyhow::Result<()> {
    for method in methods {
        let own = rows.clone().filter(|(solver, _)| *solver == method.id);
        let passed = own.clone().filter(|(_, passes)| *passes).count();
        say!("{}: {passed} of {} pass", method.id, own.count())?;
    }
    Ok(())
}

/// Runs `work` under a bar that counts to `total`; `work` tells how many are done.
pub fn counted<R>(
    what: &'static str,
    total: usize,
    work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> R,
) -> R {
    let progress = Mutex::new(CountBar::new(what, total as u64));
    work(&|done, _| {
        if let Ok(mut progress) = progress.lock() {
            progress.at(done as u64);
        }
    })
}

/// An option that names a file of results.
pub struct ResultOption {
    /// The option.
    name: &'static str,
    /// How the file's name ends.
    ending: &'static str,
    /// Whether bytes are such a file's, which may be replaced.
    is_own: fn(&[u8]) -> bool,
}

/// `--json`.
const JSON: ResultOption = ResultOption {
    name: "--json",
    ending: "json",
    is_own: may_be_json,
};

/// `--csv`, of the validation.
pub const CSV: ResultOption = ResultOption {
    name: "--csv",
    ending: "csv",
    is_own: |bytes| bytes.is_empty() || validation_table::is(bytes),
};

impl ResultOption {
    /// Says before the long work, not after it, that the file cannot be written, or would
    /// replace one of another kind: a scene, say.
    pub fn probe(&self, path: &Path) -> anyhow::Result<()> {
        if is_stdout(path) {
            lines_go_aside();
            return Ok(());
        }
        let (name, ending) = (self.name, self.ending);
        let found = path.extension().map(|found| found.to_ascii_lowercase());
        if !is_device(path) && found.is_none_or(|found| found != ending) {
            return Err(Usage(format!(
                "{name} {}: let its name end in .{ending}, or say - for standard output",
                path.display()
            ))
            .into());
        }
        let another = format!("name another file with {name}");
        keep_own(name, path, self.is_own, &another)?;
        make_folder_of(path, name)?;
        io::probe(path).map_err(|error| cannot_write(path, &error))
    }
}

/// Writes a result to the file `path`, or to standard output.
pub fn write_result(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_stdout(path) {
        return print_result(text);
    }
    io::write_atomic(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// The file that `--json` names, if any, or `-` for standard output.
pub struct JsonFile<'a> {
    path: Option<&'a Path>,
    /// Whether a file is written, this one or another.
    any: bool,
}

impl<'a> JsonFile<'a> {
    /// Says before the long work what is wrong with the file; no other one is written.
    pub fn probe(path: &'a Option<PathBuf>) -> anyhow::Result<Self> {
        Self::beside(path, false)
    }

    /// The same where `others` says whether another file is written, too.
    pub fn beside(path: &'a Option<PathBuf>, others: bool) -> anyhow::Result<Self> {
        let path = path.as_deref();
        match path {
            Some(path) => JSON.probe(path)?,
            None if others => {}
            None => lines_are_all(),
        }
        Ok(Self {
            path,
            any: others || path.is_some(),
        })
    }

    /// Lines that are printed beside the file.
    pub fn lines(&self) -> Lines {
        Lines {
            are_all: !self.any,
            fault: Ok(()),
        }
    }

    /// Writes what `found` answers, where a file is wanted.
    pub fn write(&self, found: impl FnOnce() -> Value) -> anyhow::Result<()> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&found())? + "\n";
        write_result(path, &text)
    }

    /// Says where that was written, after the table.
    pub fn say_written(&self) -> anyhow::Result<()> {
        match self.path.filter(|path| !is_stdout(path)) {
            Some(path) => say!("\nwritten to {}", path.display()),
            None => Ok(()),
        }
    }
}

/// Whether a file may hold an object of JSON, or holds nothing.
fn may_be_json(bytes: &[u8]) -> bool {
    let mut marks = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    marks.next().is_none_or(|first| *first == b'{')
}

/// Lines that are printed while a file is still to be written. Where one cannot be printed
/// the work goes on for the file, and what was wrong is told after it.
#[must_use]
pub struct Lines {
    /// Whether no file is wanted: then the work ends at once.
    are_all: bool,
    fault: anyhow::Result<()>,
}

impl Lines {
    /// Lets `print` print, if all lines before it could be.
    pub fn print(&mut self, print: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        if self.fault.is_ok() {
            self.fault = print();
        }
        match self.are_all {
            true => std::mem::replace(&mut self.fault, Ok(())),
            false => Ok(()),
        }
    }

    /// What went wrong, once the file is written.
    pub fn end(self) -> anyhow::Result<()> {
        self.fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_rows_is_told_from_others() {
        for rows in ["", "\n", "{}", " \n{\"rows\": []}"] {
            assert!(may_be_json(rows.as_bytes()), "{rows}");
        }
        for other in ["version = 1\n", "# {\n", "[wind]\n", "\u{7f}ELF"] {
            assert!(!may_be_json(other.as_bytes()), "{other}");
        }
    }
}
