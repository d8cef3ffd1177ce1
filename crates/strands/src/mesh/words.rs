//! The words of an OBJ line: numbers, pieces to show, and the marks of other
//! formats.

use super::is_utf16;

/// How often something happened, and where first.
#[derive(Default)]
pub(super) struct Tally {
    count: usize,
    pub first: Option<(usize, String)>,
}

impl Tally {
    pub fn add(&mut self, line: usize, why: impl FnOnce() -> String) {
        self.count += 1;
        // Some lines are looked at again when all are read.
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, why()));
        }
    }

    /// "3 faces left out, the first in line 12: ..."
    pub fn sentence(&self, what: &str, consequence: &str) -> Option<String> {
        let (line, why) = self.first.as_ref()?;
        Some(if self.count == 1 {
            format!("line {line}: {why}; this {what} is {consequence}")
        } else {
            format!(
                "{} {what}s are {consequence}, the first in line {line}: {why}",
                self.count
            )
        })
    }
}

/// Parses up to `N` finite numbers, at least `needed`; more words (a weight, a
/// colour) are left aside. Gives back the words as they stand.
pub(super) fn numbers<'a, const N: usize>(
    words: impl Iterator<Item = &'a str>,
    needed: usize,
) -> Result<([f32; N], [&'a str; N]), String> {
    let mut values = [0.0; N];
    let mut texts = ["0"; N];
    let mut count = 0;
    for word in words.take(N) {
        // A number with a hash in it ("1.#IND") is no comment.
        if word.starts_with('#') {
            break;
        }
        match word.parse::<f32>() {
            Ok(value) if value.is_finite() => {
                values[count] = value;
                texts[count] = word;
                count += 1;
            }
            Ok(_) => return Err(format!("\"{}\" is not a finite number", shown(word))),
            Err(_) => return Err(format!("\"{}\" is not a number", shown(word))),
        }
    }
    if count < needed {
        return Err(format!("{count} numbers where {needed} are needed"));
    }
    Ok((values, texts))
}

pub(super) fn write_entry<const N: usize>(text: &mut String, keyword: &str, words: [&str; N]) {
    text.push_str(keyword);
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
    text.push('\n');
}

/// A piece of a foreign file, safe to print.
pub(super) fn shown(text: &str) -> String {
    let mut piece: String = text
        .chars()
        .map(|c| if c.is_control() { '.' } else { c })
        .take(40)
        .collect();
    if text.chars().nth(40).is_some() {
        piece.push('…');
    }
    piece
}

/// What to do with a file of another format.
pub(super) const EXPORT: &str = "export the model as OBJ, USD, glTF or Alembic";

/// Names the format of a file that begins like another kind of file, and what to do with it.
pub(super) fn foreign(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const BEGINNINGS: [(&[u8], &str); 15] = [
        (b"ply", "a PLY file"),
        (b"solid", "an STL file"),
        (b"glTF", "a glTF file"),
        (b"Kaydara FBX", "an FBX file"),
        (b"; FBX", "an FBX file"),
        (b"BLENDER", "a Blender file"),
        (b"#usda", "a USD file"),
        (b"PXR-USDC", "a USD file"),
        (b"HAIR", "a HAIR groom"),
        (b"<", "XML or a web page"),
        (b"{", "JSON"),
        (b"//Maya ASCII", "a Maya scene"),
        (b"FOR4", "a Maya scene"),
        (b"FOR8", "a Maya scene"),
        (b"\x89HDF", "an HDF5 file, as old Alembic is"),
    ];
    const WRAPPED: [(&[u8], &str, &str); 3] = [
        (
            b"PK\x03\x04",
            "a zip archive",
            "unpack it and choose the model in it",
        ),
        (
            b"\x1f\x8b",
            "a gzip archive",
            "unpack it and choose the model in it",
        ),
        (
            b"version https://git-lfs",
            "a Git LFS pointer",
            "fetch the real file with git lfs pull",
        ),
    ];
    if is_utf16(bytes) {
        return Some(("UTF-16 text", "save it as UTF-8"));
    }
    let mut wrapped = WRAPPED.iter();
    if let Some((_, name, cure)) = wrapped.find(|(b, ..)| bytes.starts_with(b)) {
        return Some((name, cure));
    }
    if let Some((_, name)) = BEGINNINGS.iter().find(|(b, _)| bytes.starts_with(b)) {
        return Some((name, EXPORT));
    }
    let beginning = &bytes[..bytes.len().min(1024)];
    let control = |b: &u8| *b < 0x20 && !b.is_ascii_whitespace() && *b != 0x0b;
    let odd = beginning.iter().filter(|b| control(b)).count();
    (odd * 20 > beginning.len()).then_some(("binary data", EXPORT))
}
