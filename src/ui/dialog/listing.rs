//! What lies in a folder, as a dialog lists it.

use std::path::Path;

/// Entries shown of a folder; nobody scrolls through more.
const MOST: usize = 500;

/// Something in the folder.
pub(super) struct ListedFile {
    pub name: String,
    pub folder: bool,
}

/// The folder above `folder`, the folders in it, and its files with these `endings`. Scenes
/// come before others that hold one: there may be hundreds of recorded pictures beside them.
pub(super) fn entries(folder: &Path, endings: &str) -> Vec<ListedFile> {
    let real = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut entries: Vec<ListedFile> = std::fs::read_dir(real)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let folder = entry.path().is_dir();
            let wanted = folder
                || Path::new(&name).extension().is_some_and(|found| {
                    let mut known = endings.split(' ');
                    known.any(|ending| found.eq_ignore_ascii_case(ending))
                });
            (wanted && !name.starts_with('.')).then_some(ListedFile { name, folder })
        })
        .collect();
    let is_scene = |name: &str| {
        Path::new(name)
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("toml"))
    };
    let later = |entry: &ListedFile| match entry.folder {
        true => 0,
        false => 1 + u8::from(!is_scene(&entry.name)),
    };
    entries.sort_by(|a, b| {
        let before = later(a).cmp(&later(b));
        before.then_with(|| natord::compare_ignore_case(&a.name, &b.name))
    });
    entries.truncate(MOST);
    entries.insert(
        0,
        ListedFile {
            name: "..".into(),
            folder: true,
        },
    );
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_then_scenes_then_pictures_as_people_count() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let names = [
            "take10.png",
            "Bob.toml",
            "take9.png",
            "a10.toml",
            "a9.toml",
            "b.txt",
        ];
        for name in names {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        for name in ["z", "y.toml"] {
            std::fs::create_dir(folder.path().join(name)).expect("created");
        }
        let found = entries(folder.path(), "toml png");
        let found: Vec<&str> = found.iter().map(|entry| entry.name.as_str()).collect();
        let expected = [
            "..",
            "y.toml",
            "z",
            "a9.toml",
            "a10.toml",
            "Bob.toml",
            "take9.png",
            "take10.png",
        ];
        assert_eq!(found, expected);
    }
}
