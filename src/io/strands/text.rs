//! Words and numbers of text files, with the lines they stand on.

use super::Fault;
use crate::mesh::has_decimal_comma;

/// The words of a line, as bytes may have them.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|c| c.is_ascii_whitespace())
        .filter(|word| !word.is_empty())
}

/// A word as a number; `line` is for the message, from 1.
pub fn number<T: std::str::FromStr>(word: Option<&[u8]>, line: usize) -> Result<T, Fault> {
    let Some(word) = word else {
        return Err(Fault::line(
            line,
            "a number is missing; the file is cut off or damaged, export it again".into(),
        ));
    };
    let text = std::str::from_utf8(word).unwrap_or_default();
    text.parse().map_err(|_| {
        if has_decimal_comma(text) {
            let what = format!(
                "the number \"{text}\" has a decimal comma; export the file again with decimal \
                 points, as English has them"
            );
            return Fault::line(line, what);
        }
        let shown: String = String::from_utf8_lossy(word).chars().take(30).collect();
        Fault::line(
            line,
            format!("\"{shown}\" is no number that can stand here; export the file again"),
        )
    })
}

/// The lines of a file with their numbers, from 1; the end of a line may be
/// of any system.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = bytes.split(|c| *c == b'\n').enumerate();
    lines.map(|(i, line)| (i + 1, line.strip_suffix(b"\r").unwrap_or(line)))
}
