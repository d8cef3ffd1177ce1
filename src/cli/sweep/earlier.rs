//! What an earlier sweep left in the folder that another one is to go to: no table stands
//! beside pictures of other values.

use super::{NAME, SHEET, TABLE};
use crate::{
    cli::{farm::ELSEWHERE, output::cannot_write, sweep_table::SweepTable, usage::Usage},
    io::picture_scene,
    math::counted,
};
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// The results of a sweep in a folder.
#[derive(Debug, Default)]
pub struct EarlierSweep {
    folder: PathBuf,
    /// Table and sheet, as far as they are there.
    whole: Vec<PathBuf>,
    /// Pictures, by number.
    pictures: Vec<(usize, PathBuf)>,
    /// Tables of pictures that were drawn alone.
    rows: Vec<(usize, PathBuf)>,
}

impl EarlierSweep {
    /// That in `folder`: files that a sweep would have written, by name and content. Pictures
    /// are its own beside a table, or where they hold a scene; a sheet is, beside a table.
    pub fn within(folder: &Path) -> Self {
        let is_table = |path: &Path| fs::read(path).is_ok_and(|bytes| SweepTable::is(&bytes));
        let mut found = Self {
            folder: folder.into(),
            ..Self::default()
        };
        let table = folder.join(TABLE);
        let sheet = folder.join(SHEET);
        let has_table = is_table(&table);
        let is_picture = |path: &Path| match has_table {
            true => begins_as_picture(path),
            false => picture_scene::holds_scene(path),
        };
        let whole = [
            (has_table, table),
            (has_table && begins_as_picture(&sheet), sheet),
        ];
        let whole = whole.into_iter().filter(|(is, _)| *is);
        found.whole = whole.map(|(_, path)| path).collect();
        // No folder, no files.
        let entries = fs::read_dir(folder).into_iter().flatten();
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().and_then(|name| name.to_str());
            let Some((number, ending)) = name.and_then(numbered) else {
                continue;
            };
            match ending {
                _ if !path.is_file() => {}
                "png" if is_picture(&path) => found.pictures.push((number, path)),
                "csv" if is_table(&path) => found.rows.push((number, path)),
                _ => {}
            }
        }
        found.pictures.sort();
        found.rows.sort();
        found
    }

    /// All of its files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let numbered = self.pictures.iter().chain(&self.rows);
        let whole = self.whole.iter().map(PathBuf::as_path);
        whole.chain(numbered.map(|(_, path)| path.as_path()))
    }

    /// Refuses to mix another sweep with it.
    ///
    /// # Errors
    /// When there is anything of it.
    pub fn refuse(&self) -> Result<(), Usage> {
        let names = self.whole.iter().filter_map(|path| path.file_name());
        let mut parts: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        for (count, one, more) in [
            (self.pictures.len(), "picture", "pictures"),
            (self.rows.len(), "row", "rows"),
        ] {
            if count > 0 {
                parts.push(counted(count, one, more));
            }
        }
        if parts.is_empty() {
            return Ok(());
        }
        Err(Usage(format!(
            "{} holds an earlier sweep ({}); say --overwrite to replace it, or {ELSEWHERE}",
            self.folder.display(),
            parts.join(", ")
        )))
    }

    /// Removes it.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove(&self) -> anyhow::Result<()> {
        for path in self.files() {
            fs::remove_file(path).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(())
    }

    /// Warns of pictures that a sheet of so many does not have.
    pub fn warn_of_others(&self, count: usize) {
        let others = self.pictures.iter().filter(|(number, _)| *number >= count);
        if let Some((_, first)) = others.clone().next() {
            log::warn!(
                "{} not in this sheet but of another sweep, from {} on; remove what you no longer \
                 want",
                counted(others.count(), "picture is", "pictures are"),
                first.display()
            );
        }
    }
}

fn begins_as_picture(path: &Path) -> bool {
    let mut bytes = [0; 8];
    let file = File::open(path).ok().filter(|_| path.is_file());
    let read = file.map(|mut file| file.read_exact(&mut bytes));
    read.is_some_and(|read| read.is_ok()) && picture_scene::is_picture(&bytes)
}

/// Number and ending of a file of a sweep.
fn numbered(name: &str) -> Option<(usize, &str)> {
    let (digits, ending) = name.strip_prefix(NAME)?.split_once('.')?;
    let plain = digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((digits.parse().ok().filter(|_| plain)?, ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_sweep_are_known_by_name_and_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: &[u8]| {
            fs::write(folder.path().join(name), bytes).expect("written");
        };
        let (png, table) = (
            &b"\x89PNG\r\n\x1a\n"[..],
            &b"picture,wind.strength [m/s],"[..],
        );
        for (name, bytes) in [
            ("sweep0000.png", &b"a picture of mine"[..]),
            ("sweep12.png", png),
            ("sweeping0003.png", png),
            ("sweep0001.csv", b"time,mass\n"),
            ("sweep.toml", b"version = 1\n"),
        ] {
            write(name, bytes);
        }
        // A sheet of somebody's, without any table beside it.
        write("sheet.png", png);
        let none = EarlierSweep::within(folder.path());
        assert!(none.refuse().is_ok(), "{none:?}");
        assert!(
            EarlierSweep::within(&folder.path().join("no"))
                .refuse()
                .is_ok()
        );
        for (name, bytes) in [
            ("sheet.png", png),
            ("sweep.csv", table),
            ("sweep0002.png", png),
            ("sweep0003.png", png),
            ("sweep0003.csv", table),
        ] {
            write(name, bytes);
        }
        fs::create_dir(folder.path().join("sweep0004.png")).expect("a folder");
        let found = EarlierSweep::within(folder.path());
        let said = found.refuse().expect_err("there is one").0;
        assert!(
            said.contains("(sweep.csv, sheet.png, 2 pictures, 1 row); say --overwrite"),
            "{said}"
        );
        found.remove().expect("removed");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 6);
    }
}
