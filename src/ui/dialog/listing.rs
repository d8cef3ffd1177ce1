//! What lies in a folder, as a dialog lists it.

use std::path::Path;

/// Entries shown of a folder; nobody scrolls through more.
const MOST: usize = 500;

/// Something in the folder.
pub(super) struct ListedFile {
    pub name: String,
    pub folder: bool,
}

/// The folder above `folder`, the folders in it, and its files with these `endings`.
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
    entries.sort_by_key(|entry| (!entry.folder, entry.name.to_lowercase()));
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
