//! Files that are written whole or not at all, and what stands in their way in
//! plain words.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _, Write as _},
    iter,
    path::{Path, PathBuf},
};

/// Bytes that are written between two questions whether to go on.
const PIECE: usize = 1 << 20;

/// Writes a file whole or not at all: to a temporary name beside `path`, then
/// renamed. What stood there before survives any failure.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_while(path, bytes, &mut |_| true).map(|_| ())
}

/// The same as long as one is to `go_on`, which is told the share that is
/// written; false, and nothing has changed, where it was given up.
pub fn write_while(
    path: &Path,
    bytes: &[u8],
    go_on: &mut dyn FnMut(f32) -> bool,
) -> io::Result<bool> {
    if places(path)?.is_none() {
        return fs::write(path, bytes).map(|()| true);
    }
    let (part, mut file) = PartFile::create(path)?;
    for (index, piece) in bytes.chunks(PIECE).enumerate() {
        if !go_on((index * PIECE) as f32 / bytes.len() as f32) {
            return Ok(false);
        }
        file.write_all(piece)?;
    }
    file.sync_all()?;
    if !go_on(1.0) {
        return Ok(false);
    }
    part.keep(&file).map(|()| true)
}

/// A file that is written under a temporary name, and gets its own when it is whole;
/// where it is dropped before, nothing is left of it.
pub(super) struct PartFile {
    target: PathBuf,
    temporary: PathBuf,
}

impl PartFile {
    /// Begins a file that shall stand at `path`; it can be read, too.
    pub fn create(path: &Path) -> io::Result<(Self, fs::File)> {
        let Some((target, temporary)) = places(path)? else {
            // Renamed over, a device would be gone.
            return Err(no_file());
        };
        remove_left_over(&target);
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let (temporary, file) = begin_part(&temporary, |place| options.open(place))?;
        Ok((Self { target, temporary }, file))
    }

    /// Gives `file`, which [`create`](Self::create) began and all of which was written,
    /// its name.
    pub fn keep(self, file: &fs::File) -> io::Result<()> {
        file.sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        // The new name is on the disk only when its folder is. Where a folder
        // cannot be opened or synced the file is there all the same.
        if let Some(folder) = self.target.parent()
            && let Ok(folder) = fs::File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Removes temporary files and folders for `target` of processes that were stopped. Only where
/// the system says which processes there are.
pub(super) fn remove_left_over(target: &Path) {
    let (Some(name), Some(folder)) = (target.file_name(), target.parent()) else {
        return;
    };
    let processes = Path::new("/proc");
    if !processes.join("self").exists() {
        return;
    }
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let start = format!(".{}.", name.to_string_lossy());
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let found = file.file_name();
        let found = found.to_string_lossy();
        let number = found
            .strip_prefix(&start)
            .and_then(|rest| rest.strip_suffix(".part"))
            // What was not the process's first for this place has a second number.
            .and_then(|numbers| numbers.split('.').next()?.parse::<u32>().ok());
        if number.is_some_and(|number| !processes.join(number.to_string()).exists()) {
            let left = file.path();
            let _ = fs::remove_file(&left).or_else(|_| fs::remove_dir_all(&left));
        }
    }
}

/// What was not kept is of no use.
impl Drop for PartFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

/// A file's name without its folder, as it is told.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Sees whether [`write_atomic`] can write to `path`; changes nothing.
pub fn probe(path: &Path) -> io::Result<()> {
    let Some((target, temporary)) = places(path)? else {
        return Ok(());
    };
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let (temporary, _) = begin_part(&temporary, |place| fs::File::create_new(place))?;
    fs::remove_file(&temporary)
}

/// Has a file or folder made by `make`, which must not take one that is there, under the
/// `temporary` name or one like it; answers with that name. Another one of this process may be on
/// its way to the same place, or a stopped one have had this one's number, as where each starts
/// with the same.
pub(super) fn begin_part<T>(
    temporary: &Path,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let names = (1..100).map(|n| temporary.with_extension(format!("{n}.part")));
    for name in iter::once(temporary.to_path_buf()).chain(names) {
        match make(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (name, made)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// What is said of a device, which may have no end when it is read and is no file when it
/// is written.
pub(super) fn no_file() -> io::Error {
    io::Error::other("it is a device or a pipe, and no file")
}

/// The bytes of the file at `path`; what is no file is not read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    match found.is_file() || found.is_dir() {
        // A folder fails by itself.
        true => fs::read(path),
        false => Err(no_file()),
    }
}

/// The same, or up to `most` bytes out of a pipe: `program <(edit scene.toml)`.
pub fn read_file_or_pipe(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !is_pipe(&fs::metadata(path)?) {
        return read_file(path);
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!(
            "more than {} MB come out of this pipe",
            most >> 20
        ))),
        false => Ok(bytes),
    }
}

#[cfg(unix)]
fn is_pipe(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Makes the folder `folder`, and those above it.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // "File exists" is what the system says.
        io::ErrorKind::AlreadyExists => io::Error::other("it is not a folder"),
        _ => error,
    })
}

/// Where a file really lies and the temporary name beside it; none for a
/// device or a pipe, which cannot be replaced.
pub(super) fn places(path: &Path) -> io::Result<Option<(PathBuf, PathBuf)>> {
    let target = match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => return Ok(None),
        // A link stays a link: what it points to is replaced.
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_path_buf(),
    };
    let Some(name) = target.file_name() else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    let temporary = target.with_file_name(hidden);
    Ok(Some((target, temporary)))
}

/// The reason of a file error in plain words, without the system's error number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::NotADirectory => "a part of its path is not a folder".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".into(),
        _ => {
            let text = error.to_string();
            match text.find(" (os error") {
                Some(end) => text[..end].to_string(),
                None => text,
            }
        }
    }
}

/// Why the file `path` cannot be written, in plain words.
pub fn write_reason(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        // The file itself need not be there.
        io::ErrorKind::NotFound if is_folder(path.parent()) => {
            "its folder takes no new files; name another folder".into()
        }
        io::ErrorKind::NotFound => "its folder is not there; make that first".into(),
        _ => reason(error),
    }
}

/// Whether the folder of a file is there; that of a name alone is where one works.
fn is_folder(folder: Option<&Path>) -> bool {
    folder.is_some_and(|folder| folder == Path::new("") || folder.is_dir())
}

/// Writes to standard output, all of it.
///
/// # Errors
/// When that is closed, or cannot be written.
pub fn print_all(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced_by_a_file() {
        let refused = PartFile::create(Path::new("/dev/null")).map(|_| ());
        let said = refused.expect_err("no file").to_string();
        assert_eq!(said, "it is a device or a pipe, and no file");
    }

    #[cfg(unix)]
    #[test]
    fn what_may_have_no_end_is_not_read() {
        for device in ["/dev/zero", "/dev/null"] {
            let device = Path::new(device);
            for read in [read_file(device), read_file_or_pipe(device, 8)] {
                let refused = read.expect_err("no file").to_string();
                assert_eq!(refused, "it is a device or a pipe, and no file");
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        fs::write(&path, b"12345678901").expect("written");
        let read = read_file_or_pipe(&path, 8).expect("a file of any length");
        assert_eq!(read, read_file(&path).expect("reads"));
        assert!(read_file(folder.path()).is_err());
        let file = make_folder(&path).expect_err("a file").to_string();
        assert_eq!(file, "it is not a folder");
    }

    #[test]
    fn two_files_on_their_way_to_one_place_do_not_mix() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let begin = || PartFile::create(&path).expect("begins");
        let ((one, mut first), (other, mut second)) = (begin(), begin());
        first.write_all(b"longer").expect("writes");
        second.write_all(b"short").expect("writes");
        probe(&path).expect("can be written to");
        one.keep(&first).expect("ends");
        assert_eq!(fs::read(&path).expect("reads"), b"longer");
        other.keep(&second).expect("ends");
        assert_eq!(fs::read(&path).expect("reads"), b"short");
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }

    #[test]
    fn a_file_has_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let (part, mut file) = PartFile::create(&path).expect("begins");
        file.write_all(b"new").expect("writes");
        assert!(!path.exists());
        part.keep(&file).expect("ends");
        assert_eq!(fs::read(&path).expect("reads"), b"new");
        drop(PartFile::create(&path).expect("begins"));
        assert_eq!(fs::read(&path).expect("reads"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_stopped_process_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        // No process has so large a number; the first always runs.
        let dead = folder.path().join(".a.bin.4194999.part");
        let alive = folder.path().join(".a.bin.1.part");
        let other = folder.path().join(".b.bin.4194999.part");
        for left in [&dead, &alive, &other] {
            fs::write(left, "half").expect("writes");
        }
        write_atomic(&path, b"new").expect("writes");
        assert!(!dead.exists() && alive.exists() && other.exists());
    }

    #[test]
    fn a_file_that_is_given_up_stays_as_it_was_and_leaves_no_half() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        fs::write(&path, "old").expect("writes");
        let bytes = vec![7u8; 2 * PIECE + 10];
        for last in 0..4 {
            let mut asked = 0;
            let mut shares = Vec::new();
            let written = write_while(&path, &bytes, &mut |share| {
                asked += 1;
                shares.push(share);
                asked <= last
            });
            assert!(!written.expect("no error"), "given up at {last}");
            assert!(shares.is_sorted() && shares.iter().all(|s| (0.0..=1.0).contains(s)));
            assert_eq!(fs::read(&path).expect("reads"), b"old");
            assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
        }
        assert!(write_while(&path, &bytes, &mut |_| true).expect("no error"));
        assert_eq!(fs::read(&path).expect("reads"), bytes);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }
}
