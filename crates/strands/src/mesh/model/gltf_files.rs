//! Bytes that a glTF names: in the file itself, in its own text, or in files beside it.

use crate::mesh::files::{LARGEST_FILE, read_file};
use base64::{Engine, engine::general_purpose::STANDARD};
use gltf::buffer::Source;
use std::{borrow::Cow, path::Path};

/// The buffers of a document, each at least as long as it says.
///
/// # Errors
/// Which buffer is missing, and what to do.
pub fn buffers<'b>(
    document: &gltf::Document,
    blob: Option<&'b [u8]>,
    path: &Path,
) -> Result<Vec<Cow<'b, [u8]>>, String> {
    let mut out = Vec::new();
    for buffer in document.buffers() {
        let bytes: Cow<[u8]> = match buffer.source() {
            Source::Bin => match blob {
                Some(blob) => Cow::Borrowed(blob),
                None => return Err("its binary part is missing; export it again".into()),
            },
            Source::Uri(uri) => Cow::Owned(named(uri, path)?),
        };
        if bytes.len() < buffer.length() {
            return Err(format!(
                "a buffer has {} bytes where {} are promised; the file is cut off or damaged, \
                 export it again",
                bytes.len(),
                buffer.length()
            ));
        }
        out.push(bytes);
    }
    Ok(out)
}

/// What a URI names: what it holds itself, or a file beside the model's.
///
/// # Errors
/// What is missing, and what to do.
pub fn named(uri: &str, path: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let coded = data.split_once(";base64,").map(|(_, coded)| coded);
        let decoded = coded.and_then(|coded| STANDARD.decode(coded).ok());
        return decoded
            .ok_or_else(|| "data in its text is not base64; export it again, as .glb".into());
    }
    let name = urlencoding::decode(uri).unwrap_or(Cow::Borrowed(uri));
    let file = path.with_file_name("").join(name.replace('\\', "/"));
    read_file(&file, LARGEST_FILE).map_err(|error| {
        let shown: String = name.chars().take(80).collect();
        let missing = format!("the file {shown} that it names cannot be read");
        match file.exists() {
            true => format!("{missing}: {error}"),
            false => format!("{missing}; put it beside the model, or export as .glb"),
        }
    })
}
