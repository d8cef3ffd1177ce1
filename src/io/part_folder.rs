//! Files that come together or not at all: written in a hidden folder beside their places,
//! and moved there once all of them are whole.

use super::files::{begin_part, no_file, places, remove_left_over};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Files on their way. Where it is dropped before they are [kept](Self::keep), nothing is
/// left of them, and what stood in their places is as it was.
pub struct PartFolder {
    temporary: PathBuf,
}

/// A file in its place, and where the one lies that stood there before, if one did.
type Moved = (PathBuf, Option<PathBuf>);

impl PartFolder {
    /// Begins files that shall stand beside `path`, or there.
    ///
    /// # Errors
    /// When its folder is not there or cannot be written to, or `path` is a device.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let Some((target, temporary)) = places(path)? else {
            return Err(no_file());
        };
        remove_left_over(&target);
        let (temporary, ()) = begin_part(&temporary, |place| fs::create_dir(place))?;
        Ok(Self { temporary })
    }

    /// Where the file is written that shall stand at `path`.
    pub fn place(&self, path: &Path) -> PathBuf {
        self.temporary.join(path.file_name().unwrap_or_default())
    }

    /// Moves the `files`, each of which was written to its [place](Self::place), to where they
    /// shall stand. Where that fails for one of them, all is as it was before; what cannot be
    /// put back stays in the hidden folder.
    ///
    /// # Errors
    /// When one cannot be moved: which, and why.
    pub fn keep(self, files: &[PathBuf]) -> Result<(), (PathBuf, io::Error)> {
        let mut moved: Vec<Moved> = Vec::with_capacity(files.len());
        for file in files {
            if let Err(error) = self.put(file, &mut moved) {
                if !undo(moved) {
                    std::mem::forget(self);
                }
                return Err((file.clone(), error));
            }
        }
        // The new names are on the disk only when their folder is, see `PartFile`.
        let folder = moved.first().and_then(|(file, _)| file.parent());
        if let Some(Ok(folder)) = folder.map(fs::File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Moves one file, and notes how that is undone.
    fn put(&self, file: &Path, moved: &mut Vec<Moved>) -> io::Result<()> {
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(file).unwrap_or_else(|_| file.into());
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let before = match target.exists() {
            true => {
                let old = self.temporary.join(format!("{}.old", moved.len()));
                fs::rename(&target, &old)?;
                Some(old)
            }
            false => None,
        };
        moved.push((target.clone(), before));
        fs::rename(self.place(file), target)
    }
}

/// Puts back what stood in the places of files; whether that is all of it.
fn undo(moved: Vec<Moved>) -> bool {
    let mut all = true;
    for (file, before) in moved.into_iter().rev() {
        match before {
            Some(before) => all &= fs::rename(before, file).is_ok(),
            // The new file may not have come there yet.
            None => drop(fs::remove_file(file)),
        }
    }
    all
}

/// What was not kept is of no use.
impl Drop for PartFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("lists").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn files_come_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let read = |name: &str| fs::read_to_string(path(name)).expect("reads");
        fs::write(path("h.1.obj"), "old").expect("written");
        let files = [path("h.1.obj"), path("h.2.obj")];
        let begin = || {
            let part = PartFolder::beside(&path("h.#.obj")).expect("begins");
            for file in &files {
                fs::write(part.place(file), "new").expect("written");
            }
            part
        };
        drop(begin());
        assert_eq!(names(folder.path()), ["h.1.obj"]);
        assert_eq!(read("h.1.obj"), "old");

        // The second cannot be moved: the first goes back.
        fs::create_dir(path("h.2.obj")).expect("a folder");
        let (file, _) = begin().keep(&files).expect_err("a folder is in the way");
        assert_eq!(file, files[1]);
        assert_eq!(read("h.1.obj"), "old");
        fs::remove_dir(path("h.2.obj")).expect("removed");
        assert_eq!(names(folder.path()), ["h.1.obj"]);

        begin().keep(&files).expect("kept");
        assert_eq!(names(folder.path()), ["h.1.obj", "h.2.obj"]);
        assert_eq!(
            (read("h.1.obj"), read("h.2.obj")),
            ("new".into(), "new".into())
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_stopped_process_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        // No process has so large a number.
        let dead = folder.path().join(".h.#.obj.4194999.part");
        fs::create_dir(&dead).expect("a folder");
        fs::write(dead.join("h.1.obj"), "half").expect("written");
        let part = PartFolder::beside(&folder.path().join("h.#.obj"));
        assert!(!dead.exists());
        drop(part.expect("begins"));
        assert!(names(folder.path()).is_empty());
    }
}
