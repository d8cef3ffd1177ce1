//! Where results go: no file that a command writes takes the place of another that it
//! writes, of one that it reads, or of one that is of another kind than itself. Hair replaces
//! hair of its format, a table a table with its heading; what somebody else wrote there stays
//! unless `--overwrite` says otherwise.

use super::{overrides::SceneArgs, result_kind::ResultKind, usage::Usage};
use crate::{
    io::{cache::is_cache, scene::file_named, strands},
    param::Value,
    project::scene::Scene,
};
use std::{
    fs,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

/// The files of a command, each with the words that name it in a sentence.
#[derive(Clone, Debug, Default)]
pub struct CommandFiles {
    read: Vec<(String, PathBuf)>,
    written: Vec<(String, PathBuf)>,
    /// Those of them that may replace a file of their kind, and no other.
    kinds: Vec<(PathBuf, ResultKind)>,
    /// Whether they may replace any other, too; none where no option says so.
    overwrites: Option<bool>,
    /// Those of them that are written as caches.
    caches: Vec<PathBuf>,
    /// What is written and sees by itself whether it is read.
    beside: Vec<(String, PathBuf)>,
}

impl CommandFiles {
    /// `path` is read: which `role`, as in "which --groom names".
    #[must_use]
    pub fn reads(mut self, role: &str, path: &Path) -> Self {
        self.read.push((role.into(), path.into()));
        self
    }

    /// The scene is read, and all files that the command line and it name.
    #[must_use]
    pub fn reads_scene(mut self, args: &SceneArgs, scene: &Scene) -> Self {
        let overrides = &args.overrides;
        let mut read = |role: &str, path: &PathBuf| self.read.push((role.into(), path.clone()));
        if let Some(file) = &args.file {
            read("is the scene", file);
        }
        for (role, file) in [
            ("--head names", &overrides.head),
            ("--head-sequence names", &overrides.head_sequence),
            ("--groom names", &overrides.groom),
            ("--rebind names", &overrides.rebind),
        ] {
            if let Some(file) = file {
                read(role, file);
            }
        }
        for file in &overrides.param_file {
            read("--param-file names", file);
        }
        for section in scene.sections() {
            for (index, tunable) in section.tunables().iter().enumerate() {
                let name = format!("{}.{}", section.section(), tunable.key);
                if let Value::Text(value) = section.get(index)
                    && let Some(file) = file_named(&name, &value)
                {
                    read(&format!("{name} names"), &file);
                }
            }
        }
        self
    }

    /// `path`, or each file of the pattern `path`, is written: what does that, as in
    /// "--stats". A device takes no file's place.
    #[must_use]
    pub fn writes(mut self, what: &str, path: &Path) -> Self {
        if !is_device(path) {
            self.written.push((what.into(), path.into()));
        }
        self
    }

    /// The same of a file that may replace one of its kind, and no other.
    #[must_use]
    pub fn writes_as(mut self, what: &str, path: &Path, kind: ResultKind) -> Self {
        if !is_device(path) {
            self.kinds.push((path.into(), kind));
        }
        self.writes(what, path)
    }

    /// Whether such files may replace those of other kinds, too: `--overwrite`.
    #[must_use]
    pub fn overwrites(self, overwrites: bool) -> Self {
        Self {
            overwrites: Some(overwrites),
            ..self
        }
    }

    /// `path` is written as a cache, which sees by itself whether it may replace another.
    #[must_use]
    pub fn writes_cache(mut self, what: &str, path: &Path) -> Self {
        self.caches.push(path.into());
        self.writes(what, path)
    }

    /// `path` is written, as a scene beside results that may be the one that is read where
    /// nothing of it would change.
    #[must_use]
    pub fn writes_scene(mut self, what: &str, path: &Path) -> Self {
        self.beside.push((what.into(), path.into()));
        self
    }

    /// Refuses what would be lost.
    ///
    /// # Errors
    /// When two files that are written are one, or one that is written is read, is a cache,
    /// or is of another kind than what is written.
    pub fn check(&self) -> Result<(), Usage> {
        for (what, path) in &self.written {
            if let Some((role, file)) = self.read.iter().find(|(_, file)| are_one(path, file)) {
                return Err(Usage(format!(
                    "{what} would replace {}, which {role}; name another file",
                    file.display()
                )));
            }
        }
        // Hair that took hours is no result of the same command.
        let is_other_cache = |path: &&PathBuf| !self.caches.contains(path) && is_cache(path);
        for (what, path) in &self.written {
            if Some(path).filter(is_other_cache).is_some() {
                return Err(Usage(format!(
                    "{what} would replace the cache {}; name another file",
                    path.display()
                )));
            }
        }
        let all: Vec<_> = self.written.iter().chain(&self.beside).collect();
        for (index, (what, path)) in all.iter().enumerate() {
            let mut before = all[..index].iter();
            if let Some((other, _)) = before.find(|(_, other)| are_one(path, other)) {
                return Err(Usage(format!(
                    "{other} and {what} would both write {}; name another file for one of them",
                    path.display()
                )));
            }
        }
        let what = |path: &Path| self.written.iter().find(|(_, written)| written == path);
        let how = match self.overwrites {
            Some(true) => return Ok(()),
            Some(false) => ", or say --overwrite",
            None => "",
        };
        for (path, kind) in &self.kinds {
            let Some(other) = kind.other_at(path) else {
                continue;
            };
            return Err(Usage(format!(
                "{} would take the place of {}, which is no {} and may be a file of your own; \
                 name another file{how}",
                what(path).map_or("the result", |(what, _)| what),
                other.display(),
                kind.name()
            )));
        }
        Ok(())
    }
}

/// Refuses to replace a file that no earlier run of a command wrote: what is there and
/// `is_result` does not know. `what` would do that, and `elsewhere` ends the sentence.
///
/// # Errors
/// When such a file is there.
pub fn keep_own(
    what: &str,
    path: &Path,
    is_result: impl FnOnce(&[u8]) -> bool,
    elsewhere: &str,
) -> Result<(), Usage> {
    match found(path) {
        Some(old) if !is_result(&old) => Err(Usage(format!(
            "{what} would take the place of {}, which is a file of your own; {elsewhere}",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// What is in the file at `path`, nothing where it cannot be read; none where no file is.
fn found(path: &Path) -> Option<Vec<u8>> {
    if is_device(path) {
        return None;
    }
    match fs::read(path).map_err(|error| error.kind()) {
        Err(ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
        old => Some(old.unwrap_or_default()),
    }
}

/// Whether `path` is there, and neither a file nor a folder.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether two names are of one file, or one of a pattern is.
fn are_one(a: &Path, b: &Path) -> bool {
    let [a, b] = [place(a), place(b)];
    // Two notations of one pattern.
    let first = |path: &Path| strands::numbered(path, 1);
    let alike = first(&a).is_some() && first(&a) == first(&b);
    a == b || alike || strands::is_of_pattern(&a, &b) || strands::is_of_pattern(&b, &a)
}

/// A file as the system knows it, whatever way its name takes to it; what is not there
/// yet lies in its folder.
pub fn place(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let mut place = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => _ = place.pop(),
            part => place.push(part),
        }
        if let Ok(found) = fs::canonicalize(&place) {
            place = found;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_is_known_by_any_of_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).expect("a folder");
        fs::write(at("there.csv"), "1").expect("written");
        for (a, b) in [
            ("there.csv", "in/../there.csv"),
            ("new.csv", "in/../new.csv"),
            ("out/new.csv", "out/../out/./new.csv"),
            ("in/hair.####.obj", "in/hair.0012.obj"),
            ("hair.0001.obj", "hair.####.obj"),
            ("hair.%04d.obj", "hair.####.obj"),
        ] {
            assert!(are_one(&at(a), &at(b)), "{a} {b}");
        }
        for (a, b) in [
            ("there.csv", "in/there.csv"),
            ("hair.####.obj", "hair.12.obj"),
            ("hair.####.obj", "hair.0012.ply"),
            ("hair.####.obj", "in/hair.0012.obj"),
            ("hair.####.obj", "hair.obj"),
        ] {
            assert!(!are_one(&at(a), &at(b)), "{a} {b}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_are_no_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).expect("a folder");
        std::os::unix::fs::symlink(at("in"), at("link")).expect("a link");
        assert!(are_one(&at("link/new.csv"), &at("in/new.csv")));
        let null = Path::new("/dev/null");
        let both = CommandFiles::default().writes("a", null).writes("b", null);
        assert!(both.check().is_ok());
        let (a, b) = (at("link/new.csv"), at("in/new.csv"));
        let both = CommandFiles::default().writes("--a", &a).writes("--b", &b);
        let said = both.check().expect_err("one file").0;
        assert!(said.starts_with("--a and --b would both write "), "{said}");
        let read = CommandFiles::default()
            .reads("--c names", &a)
            .writes("--b", &b);
        let said = read.check().expect_err("one file").0;
        assert!(said.contains(", which --c names; name another"), "{said}");
    }

    #[test]
    fn what_is_no_result_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let check = |path: &Path| keep_own("it", path, |old| old.starts_with(b"mine"), "go");
        assert!(check(&path).is_ok() && check(&path.join("below.csv")).is_ok());
        fs::write(&path, "yours").expect("written");
        assert!(check(&path).is_err());
        assert!(check(&path.join("below.csv")).is_ok(), "nothing is there");
        fs::write(&path, "mine too").expect("written");
        assert!(check(&path).is_ok());
    }
}
