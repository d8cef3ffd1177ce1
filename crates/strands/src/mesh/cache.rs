//! Distance grids on disk, so that a head is measured only once.
//!
//! A file is named by what it was made of: triangles, cell size, padding, and
//! the way of measuring. One that is damaged or of another make is as good as
//! none. Nothing is kept before [`open`] has named a folder: a library does not
//! write where it was not told to.

use super::{Mesh, distance::DistanceGrid};
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// Names the folder; empty for none.
pub const VARIABLE: &str = "LOVELOCK_CACHE";

/// Changes whenever the same head would be measured otherwise.
const MAKE: u32 = 1;

/// What every file begins with.
const MAGIC: u32 = 0x4c53_4446;

/// Older files are deleted beyond so many bytes.
const MOST_BYTES: u64 = 512 << 20;

static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();

/// From now on keeps grids in the folder that [`VARIABLE`] names, or in the
/// system's folder for such files; returns it.
pub fn open() -> Option<&'static Path> {
    FOLDER.get_or_init(folder).as_deref()
}

fn folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let Some(named) = path(VARIABLE) {
        return (!named.as_os_str().is_empty()).then_some(named);
    }
    let system = if cfg!(windows) {
        path("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        path("HOME").map(|home| home.join("Library/Caches"))
    } else {
        path("XDG_CACHE_HOME").or_else(|| path("HOME").map(|home| home.join(".cache")))
    };
    // A relative path here is a mistake (XDG base directories, version 0.8).
    let system = system.filter(|path| path.is_absolute())?;
    Some(system.join("lovelock"))
}

/// A hash of numbers (FNV-1a, a word at a time).
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn of(salt: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ salt)
    }
    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }
}

/// What names the grid of `mesh` on that lattice.
pub(super) fn key(mesh: &Mesh, grid: &DistanceGrid) -> u128 {
    let half = |salt: u64| {
        let mut hash = Hash::of(salt);
        hash.add(MAKE);
        for word in header(grid) {
            hash.add(word);
        }
        for p in &mesh.positions {
            for c in p.to_array() {
                hash.add(c.to_bits());
            }
        }
        mesh.triangles.iter().flatten().for_each(|i| hash.add(*i));
        hash.0
    };
    u128::from(half(0)) << 64 | u128::from(half(0x9e37_79b9_7f4a_7c15))
}

/// What tells the lattice.
fn header(grid: &DistanceGrid) -> [u32; 8] {
    let [x, y, z] = grid.dims.map(|n| n as u32);
    let origin = grid.origin.to_array().map(f32::to_bits);
    [
        MAGIC,
        x,
        y,
        z,
        origin[0],
        origin[1],
        origin[2],
        grid.cell.to_bits(),
    ]
}

fn file(folder: &Path, key: u128) -> PathBuf {
    folder.join(format!("{key:032x}.grid"))
}

/// The values kept for `key` on the lattice of `grid`, if there are any.
pub(super) fn read(key: u128, grid: &DistanceGrid) -> Option<Vec<f32>> {
    read_from(FOLDER.get()?.as_deref()?, key, grid)
}

fn read_from(folder: &Path, key: u128, grid: &DistanceGrid) -> Option<Vec<f32>> {
    let bytes = fs::read(file(folder, key)).ok()?;
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    let count = grid.dims.iter().product::<usize>();
    let head = header(grid);
    if bytes.len() != 4 * (head.len() + count + 2) || !words.starts_with(&head) {
        return None;
    }
    let (body, sum) = words.split_at(head.len() + count);
    if sum != checksum(body) {
        return None;
    }
    let values: Vec<f32> = body[head.len()..]
        .iter()
        .map(|w| f32::from_bits(*w))
        .collect();
    values.iter().all(|v| v.is_finite()).then_some(values)
}

fn checksum(words: &[u32]) -> [u32; 2] {
    let mut hash = Hash::of(1);
    words.iter().for_each(|word| hash.add(*word));
    [hash.0 as u32, (hash.0 >> 32) as u32]
}

/// Keeps the values of `grid`. That it cannot is no reason to complain.
pub(super) fn write(key: u128, grid: &DistanceGrid) {
    if let Some(folder) = FOLDER.get().and_then(|folder| folder.as_deref())
        && let Err(error) = write_to(folder, key, grid)
    {
        log::debug!("{}: {error}", folder.display());
    }
}

fn write_to(folder: &Path, key: u128, grid: &DistanceGrid) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut words = header(grid).to_vec();
    words.extend(grid.values.iter().map(|v| v.to_bits()));
    words.extend(checksum(&words));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    // Whole or not at all, also beside another program that does the same.
    let target = file(folder, key);
    let temporary = folder.join(format!("{key:032x}.{}.new", std::process::id()));
    let written = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(&bytes))
        .and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    prune(folder, &target)
}

/// Whether a file is a grid of this cache, by its name: others may use the folder too.
fn is_grid(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let key = name.and_then(|name| name.strip_suffix(".grid"));
    key.is_some_and(|key| key.len() == 32 && key.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Deletes the oldest grids where there are too many; never `newest`.
fn prune(folder: &Path, newest: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if is_grid(&path) && path != newest {
            let about = entry.metadata()?;
            files.push((about.modified()?, about.len(), path));
        }
    }
    files.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
    let mut bytes = 0;
    for (_, length, path) in files {
        bytes += length;
        if bytes > MOST_BYTES {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, Surface, load};

    #[test]
    fn a_grid_comes_back_to_the_last_bit_and_a_damaged_one_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let head = load(&HeadParams::default()).expect("the built-in head");
        let surface = Surface::new(&head.mesh);
        let bake = |cell| DistanceGrid::bake(&head.mesh, &surface, cell, 0.02);
        let (grid, coarse) = (bake(0.02), bake(0.03));
        let name = key(&head.mesh, &grid);
        assert_ne!(name, key(&head.mesh, &coarse), "another cell");
        let mut other = (*head.mesh).clone();
        other.positions[7].x += 1e-6;
        assert_ne!(name, key(&other, &grid), "another head");
        assert_eq!(read_from(folder, name, &grid), None);
        write_to(folder, name, &grid).expect("written");
        assert_eq!(read_from(folder, name, &grid).as_ref(), Some(&grid.values));
        assert_eq!(read_from(folder, name, &coarse), None, "another lattice");
        assert_eq!(fs::read_dir(folder).expect("listed").count(), 1);
        let path = file(folder, name);
        let whole = fs::read(&path).expect("read");
        for at in [0, 5, 30, 100, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, &bytes).expect("written");
            assert_eq!(read_from(folder, name, &grid), None, "byte {at}");
        }
        for length in [0, 3, 40, whole.len() - 4] {
            fs::write(&path, &whole[..length]).expect("written");
            assert_eq!(read_from(folder, name, &grid), None, "{length} bytes");
        }
        write_to(folder, name, &grid).expect("written over it");
        assert!(read_from(folder, name, &grid).is_some());
    }

    #[test]
    fn grids_of_others_are_not_this_caches() {
        let own = file(Path::new("folder"), 7);
        assert!(is_grid(&own), "{}", own.display());
        for name in ["terrain.grid", "0123.grid", "grid", ".grid", "x.obj"] {
            assert!(!is_grid(&Path::new("folder").join(name)), "{name}");
        }
    }
}
