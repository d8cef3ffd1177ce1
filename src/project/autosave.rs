//! What was not saved, on disk: written some seconds after a change, gone when
//! the program ends in order, offered on the next start after it did not.
//!
//! Every running program has a file of its own and holds a lock beside it. The
//! system releases the lock however the program ends; an autosave whose lock is
//! free was left behind.

use super::{scene::Scene, scene_file::SceneFile};
use crate::io;
use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::{Duration, Instant, SystemTime},
};

/// So long after a change it is written; more changes until then cost nothing.
const WAIT: Duration = Duration::from_secs(4);

/// How the files' names begin.
const PREFIX: &str = "autosave-";

/// Where the file says which scene it is of.
const OF: &str = "# Autosave of ";

/// The autosave of this run.
#[derive(Debug, Default)]
pub struct Autosave {
    place: Option<Place>,
    /// When there is something to write.
    due: Option<Instant>,
    writing: Option<JoinHandle<std::io::Result<()>>>,
}

#[derive(Debug)]
struct Place {
    file: PathBuf,
    lock: PathBuf,
    /// Locked as long as it is open.
    _held: File,
}

impl Autosave {
    /// One in that folder, which is made; without a folder nothing is kept.
    pub fn open(folder: Option<&Path>) -> Self {
        let place = folder.and_then(|folder| {
            Place::take(folder)
                .inspect_err(|error| log::warn!("no autosave in {}: {error}", folder.display()))
                .ok()
        });
        Self {
            place,
            ..Self::default()
        }
    }

    /// There is something new to keep.
    pub fn changed(&mut self, now: Instant) {
        if self.place.is_some() {
            self.due.get_or_insert(now + WAIT);
        }
    }

    /// When to [`tick`](Self::tick) next.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Writes `scene` if that is due, on another thread.
    ///
    /// # Errors
    /// When the last one could not be written: one sentence.
    pub fn tick(&mut self, now: Instant, of: &SceneFile, scene: &Scene) -> Result<(), String> {
        let outcome = match self.writing.take() {
            Some(writing) if !writing.is_finished() => {
                self.writing = Some(writing);
                return Ok(());
            }
            Some(writing) => self.ended(writing),
            None => Ok(()),
        };
        if let Some(place) = &self.place
            && self.due.is_some_and(|due| due <= now)
        {
            self.due = None;
            let (file, of, scene) = (place.file.clone(), of.clone(), scene.clone());
            let begun = std::thread::Builder::new().name("autosave".into());
            let begun = begun.spawn(move || write(&file, &of, &scene));
            match begun {
                Ok(writing) => self.writing = Some(writing),
                Err(error) => log::warn!("no thread for the autosave: {error}"),
            }
        }
        outcome
    }

    /// Waits for what is being written.
    fn ended(&self, writing: JoinHandle<std::io::Result<()>>) -> Result<(), String> {
        match (writing.join(), &self.place) {
            (Ok(Err(error)), Some(place)) => Err(format!(
                "The autosave {} cannot be written: {}",
                place.file.display(),
                io::reason(&error)
            )),
            _ => Ok(()),
        }
    }

    fn settle(&mut self) {
        if let Some(writing) = self.writing.take()
            && let Err(message) = self.ended(writing)
        {
            log::warn!("{message}");
        }
    }

    /// Writes `scene` at once: the program is about to fail. Where to, if that
    /// went well.
    pub fn write_now(&mut self, of: &SceneFile, scene: &Scene) -> Option<&Path> {
        self.settle();
        self.due = None;
        let place = self.place.as_ref()?;
        match write(&place.file, of, scene) {
            Ok(()) => Some(&place.file),
            Err(error) => {
                log::warn!("{}: {error}", place.file.display());
                None
            }
        }
    }

    /// There is nothing to keep any more: all is saved or given up.
    pub fn clear(&mut self) {
        self.settle();
        self.due = None;
        if let Some(place) = &self.place {
            // It need not be there.
            let _ = fs::remove_file(&place.file);
        }
    }

    /// The program ends in order: leaves nothing behind.
    pub fn end(&mut self) {
        self.clear();
        if let Some(place) = self.place.take() {
            let _ = fs::remove_file(&place.lock);
        }
    }

    /// Makes what another run has left behind the autosave of this one.
    pub fn adopt(&mut self, left: Left) {
        self.settle();
        if let Some(place) = &self.place
            && let Err(error) = fs::rename(&left.file, &place.file)
        {
            log::warn!("{}: {error}", left.file.display());
        }
        let _ = fs::remove_file(&left.lock);
    }
}

impl Place {
    fn take(folder: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(folder)?;
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let name = format!("{PREFIX}{}-{}", since.as_nanos(), std::process::id());
        let lock = folder.join(format!("{name}.lock"));
        let held = File::create(&lock)?;
        match held.try_lock() {
            Ok(()) => {}
            // Some file systems know no locks: it is an autosave all the same.
            Err(error) => log::debug!("{}: {error}", lock.display()),
        }
        Ok(Self {
            file: folder.join(format!("{name}.toml")),
            lock,
            _held: held,
        })
    }
}

fn write(file: &Path, of: &SceneFile, scene: &Scene) -> std::io::Result<()> {
    let of = of.path().and_then(|of| std::path::absolute(of).ok());
    let of = of.map(|of| of.display().to_string());
    let of = of.filter(|of| !of.contains('\n')).unwrap_or_default();
    let text = format!("{OF}{of}\n{}", scene.text(file));
    io::write_atomic(file, text.as_bytes())
}

/// An autosave that another run has left behind.
#[derive(Debug)]
pub struct Left {
    file: PathBuf,
    lock: PathBuf,
    /// No other program offers it meanwhile.
    _held: Option<File>,
}

impl Left {
    /// The newest one in that folder.
    pub fn find(folder: &Path) -> Option<Self> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(PREFIX)
        });
        let mut left = Vec::new();
        for path in paths {
            let ends = |ending: &str| path.extension().is_some_and(|e| e == ending);
            let lock = path.with_extension("lock");
            let held = File::open(&lock).ok();
            let taken = held.as_ref().map(File::try_lock);
            if matches!(taken, Some(Err(TryLockError::WouldBlock))) {
                // Its program is running.
                continue;
            }
            if ends("toml") {
                let changed = fs::metadata(&path).and_then(|found| found.modified());
                let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
                left.push((changed, path, lock, held));
            } else if ends("lock") && !path.with_extension("toml").exists() {
                // That run had nothing to keep when it ended.
                let _ = fs::remove_file(&path);
            }
        }
        let newest = left.into_iter().max_by_key(|(changed, ..)| *changed);
        newest.map(|(_, file, lock, held)| Self {
            file,
            lock,
            _held: held,
        })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The file of the scene that it is of; none where that never had one.
    pub fn of(&self) -> Option<PathBuf> {
        let text = fs::read_to_string(&self.file).ok()?;
        let of = text.lines().next()?.strip_prefix(OF)?.trim();
        (!of.is_empty()).then(|| of.into())
    }

    /// How long ago it was written, in words.
    pub fn age(&self) -> String {
        let changed = fs::metadata(&self.file).and_then(|found| found.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        ago(age.unwrap_or_default())
    }

    /// Deletes it.
    pub fn delete(self) {
        for path in [&self.file, &self.lock] {
            // It need not be there.
            let _ = fs::remove_file(path);
        }
    }

    /// Puts it out of the way, for nobody to be asked about it again; where it
    /// is then.
    pub fn set_aside(self) -> PathBuf {
        let aside = self.file.with_extension("toml.unreadable");
        let _ = fs::remove_file(&self.lock);
        match fs::rename(&self.file, &aside) {
            Ok(()) => aside,
            Err(_) => self.file,
        }
    }
}

/// So long ago, in words.
pub fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let count = |n: u64, what: &str| match n {
        1 => format!("1 {what} ago"),
        _ => format!("{n} {what}s ago"),
    };
    match minutes {
        0 => "just now".into(),
        1..60 => count(minutes, "minute"),
        60..1440 => count(minutes / 60, "hour"),
        _ => count(minutes / 1440, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    fn windy() -> Scene {
        let mut scene = Scene::default();
        scene.sim.wind.on = true;
        scene
    }

    /// Ticks until nothing is left to do.
    fn wait(autosave: &mut Autosave, scene: &Scene) {
        let document = SceneFile::of_file("/there/my.toml".into(), &Scene::default());
        let late = Instant::now() + 2 * WAIT;
        autosave.tick(late, &document, scene).expect("written");
        autosave.settle();
    }

    #[test]
    fn a_change_is_written_once_it_is_due_and_gone_after_a_good_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("state");
        let mut autosave = Autosave::open(Some(&folder));
        let now = Instant::now();
        autosave.changed(now);
        autosave.changed(now + WAIT / 2);
        assert_eq!(autosave.due(), Some(now + WAIT), "a drag cannot put it off");
        let document = SceneFile::default();
        autosave.tick(now, &document, &windy()).expect("early");
        assert_eq!(files(&folder), 1, "the lock alone");
        wait(&mut autosave, &windy());
        assert_eq!((files(&folder), autosave.due()), (2, None));
        assert!(Left::find(&folder).is_none(), "its program is running");
        autosave.clear();
        assert_eq!(files(&folder), 1);
        autosave.changed(now);
        wait(&mut autosave, &windy());
        autosave.end();
        assert_eq!(files(&folder), 0);
    }

    #[test]
    fn what_a_crash_has_left_is_found_once_and_goes_on_as_the_next_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut crashed = Autosave::open(Some(folder.path()));
        crashed.changed(Instant::now());
        wait(&mut crashed, &windy());
        // Its lock goes with it, its file does not.
        drop(crashed);
        let left = Left::find(folder.path()).expect("it was left");
        assert_eq!(left.of(), Some("/there/my.toml".into()));
        assert_eq!(left.age(), "just now");
        assert!(Left::find(folder.path()).is_none(), "it is being offered");
        let mut scene = Scene::default();
        scene.read(left.file()).expect("a scene");
        assert_eq!(scene, windy());
        let mut next = Autosave::open(Some(folder.path()));
        next.adopt(left);
        assert_eq!(files(folder.path()), 2, "one file, one lock");
        drop(next);
        let left = Left::find(folder.path()).expect("it was left again");
        left.delete();
        assert_eq!(files(folder.path()), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_is_told_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path().join("state");
        let mut autosave = Autosave::open(Some(&state));
        fs::remove_dir_all(&state).expect("removed");
        autosave.changed(Instant::now());
        let late = Instant::now() + 2 * WAIT;
        let document = SceneFile::default();
        autosave.tick(late, &document, &windy()).expect("begun");
        while autosave.writing.as_ref().is_some_and(|w| !w.is_finished()) {
            std::thread::yield_now();
        }
        let told = autosave.tick(late, &document, &windy());
        let told = told.expect_err("it cannot be written");
        assert!(told.contains("no such file or folder"), "{told}");
        // A file where the folder should be.
        let mut none = Autosave::open(Some(Path::new("/dev/null/x")));
        none.changed(Instant::now());
        assert_eq!(none.due(), None);
    }

    #[test]
    fn ages_are_told_as_people_do() {
        let words = |seconds| ago(Duration::from_secs(seconds));
        assert_eq!(words(59), "just now");
        assert_eq!(words(61), "1 minute ago");
        assert_eq!(words(3 * 3600), "3 hours ago");
        assert_eq!(words(50 * 3600), "2 days ago");
    }
}
