//! What the subcommands that measure have in common: choosing rows of a table by
//! name, counting what is done, writing what was found for scripts.

use super::{
    output::{cannot_write, lines_are_all, say},
    progress::CountBar,
    usage::Usage,
};
use crate::{io, param, sim::solver::Method};
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
    /// What it is, in a sentence.
    fn about(&self) -> &'static str;
}

/// The rows of `all` that are asked for, each once, in the order of the table; all
/// where none is.
pub fn chosen<T: Named>(all: &'static [T], ids: &[String]) -> anyhow::Result<Vec<&'static T>> {
    for id in ids {
        if !all.iter().any(|row| row.id() == id) {
            let known: Vec<String> = all.iter().map(|row| row.id().into()).collect();
            let guess = param::guess(id, known.iter().cloned());
            let (what, known) = (T::WHAT, known.join(", "));
            let text = format!("there is no {what} \"{id}\"; it can be {known}{guess}");
            return Err(Usage(text).into());
        }
    }
    let wanted = |row: &&T| ids.is_empty() || ids.iter().any(|id| id == row.id());
    Ok(all.iter().filter(wanted).collect())
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

/// The file that `--json` names, if any.
pub struct JsonFile<'a>(Option<&'a Path>);

impl<'a> JsonFile<'a> {
    /// Says before the long work, not after it, that the file cannot be written.
    pub fn probe(path: &'a Option<PathBuf>) -> anyhow::Result<Self> {
        let path = path.as_deref();
        match path {
            Some(path) => io::probe(path).map_err(|error| cannot_write(path, &error))?,
            None => lines_are_all(),
        }
        Ok(Self(path))
    }

    /// Writes what `found` answers, where a file is wanted.
    pub fn write(&self, found: impl FnOnce() -> Value) -> anyhow::Result<()> {
        let Some(path) = self.0 else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&found())? + "\n";
        io::write_atomic(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
    }

    /// Says where that was written, after the table.
    pub fn say_written(&self) -> anyhow::Result<()> {
        match self.0 {
            Some(path) => say!("\nwritten to {}", path.display()),
            None => Ok(()),
        }
    }
}
