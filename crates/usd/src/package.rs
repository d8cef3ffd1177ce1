//! Packages, `.usdz`: zip archives of files that are stored as they are, a layer first.

use crate::UsdError;
use rawzip::{CompressionMethod, ZipArchive};

/// A package in memory.
#[derive(Debug)]
pub struct Package<'a> {
    files: Vec<(String, &'a [u8])>,
}

/// Whether a zip archive's first file is named like a layer.
pub(crate) fn is(bytes: &[u8]) -> bool {
    // The local header that begins the file says how long the name behind it is.
    let length = match bytes.get(26..28) {
        Some([low, high]) if bytes.starts_with(b"PK\x03\x04") => {
            usize::from(*low) | usize::from(*high) << 8
        }
        _ => return false,
    };
    let name = bytes.get(30..30 + length).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let endings: [&[u8]; 3] = [b".usd", b".usda", b".usdc"];
    endings.iter().any(|ending| name.ends_with(ending))
}

impl<'a> Package<'a> {
    /// The package in the bytes of a file.
    ///
    /// # Errors
    /// When its directory is damaged, or a file in it is compressed.
    pub fn open(bytes: &'a [u8]) -> Result<Self, UsdError> {
        let damaged = |_| UsdError::whole("the directory of the package is damaged");
        let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
        let mut entries = archive.entries();
        let mut files = Vec::new();
        while let Some(entry) = entries.next_entry().map_err(damaged)? {
            if entry.is_dir() {
                continue;
            }
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            if entry.compression_method() != CompressionMethod::STORE {
                return Err(UsdError::whole(format!(
                    "{name} is compressed in the package, where USD wants it stored"
                )));
            }
            let (from, to) = archive
                .get_entry(entry.wayfinder())
                .map_err(damaged)?
                .compressed_data_range();
            let end = usize::try_from(to).unwrap_or(usize::MAX);
            let content = usize::try_from(from)
                .ok()
                .and_then(|from| bytes.get(from..end));
            files.push((
                name,
                content.ok_or_else(|| UsdError::whole("a file of the package is cut off"))?,
            ));
        }
        Ok(Self { files })
    }

    /// The content of its first file, which is its layer.
    ///
    /// # Errors
    /// When it is empty.
    pub fn layer(&self) -> Result<&'a [u8], UsdError> {
        let first = self.files.first().map(|(_, content)| *content);
        first.ok_or_else(|| UsdError::whole("the package is empty"))
    }

    /// The content of the file of that name.
    pub fn file(&self, name: &str) -> Option<&'a [u8]> {
        let name = name.trim_start_matches("./");
        let found = self.files.iter().find(|(known, _)| known == name);
        found.map(|(_, content)| *content)
    }
}
