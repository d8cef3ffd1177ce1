//! What a text is in which no surface is found: the mistakes that whole files are made
//! with, each by its own name.

use super::MeshError;
use std::path::Path;

/// So much of the beginning of a file is looked at. `[bytes]`
const BEGINNING: usize = 512;

/// What is wrong with an OBJ file that was refused with `error`, said better where that
/// is known.
pub(super) fn explained(error: MeshError, bytes: &[u8], path: &Path) -> MeshError {
    let readable = matches!(
        error,
        MeshError::NotObj { .. }
            | MeshError::Truncated { .. }
            | MeshError::NoFaces { .. }
            | MeshError::BadFaces { .. }
    );
    let found = readable.then(|| explain(bytes)).flatten();
    match found {
        Some((line, what, cure)) => MeshError::NoSurface {
            path: path.into(),
            line,
            what,
            cure,
        },
        None => error,
    }
}

/// The line, what it shows, and what to do.
fn explain(bytes: &[u8]) -> Option<(usize, String, &'static str)> {
    if only_comments(bytes) {
        let what = "there are comments and nothing else".into();
        return Some((1, what, "export the model with its faces"));
    }
    let (mut surfaces, mut curves, mut first) = (0, 0, None);
    for (number, line) in (1..).zip(bytes.split(|b| *b == b'\n')) {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                if let Some(word) = words.find(|word| has_decimal_comma(word)) {
                    let what = format!("the number \"{word}\" has a decimal comma");
                    let cure = "export the model with decimal points, as English has them, or \
                                replace the commas of these lines";
                    return Some((number, what, cure));
                }
            }
            Some("f") => return None,
            Some("surf") => {
                surfaces += 1;
                first = first.or(Some(number));
            }
            Some("curv" | "curv2") => {
                curves += 1;
                first = first.or(Some(number));
            }
            _ => {}
        }
    }
    let what = match (surfaces, curves) {
        (0, _) => format!("there are {curves} free-form curves (curv) and no faces"),
        _ => format!("there are {surfaces} free-form surfaces (surf) and no faces"),
    };
    let cure = "convert them to polygons (in Maya Modify, Convert, NURBS to Polygons; in Blender \
                Object, Convert, Mesh) and export the model again";
    first.map(|line| (line, what, cure))
}

/// Whether a word is a number but for a comma in place of the point.
pub fn has_decimal_comma(word: &str) -> bool {
    word.matches(',').count() == 1 && word.replacen(',', ".", 1).parse::<f64>().is_ok()
}

/// Whether all lines with words are comments, and there are some.
pub fn only_comments(bytes: &[u8]) -> bool {
    let lines = bytes.split(|b| *b == b'\n' || *b == b'\r');
    let mut lines = lines.map(<[u8]>::trim_ascii).filter(|l| !l.is_empty());
    let mut any = false;
    lines.all(|line| {
        any = true;
        line.starts_with(b"#") && !line.starts_with(b"#usda")
    }) && any
}

/// Whether this is text of two bytes a letter, with or without a mark that says so.
pub fn is_utf16(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let text = |b: u8| b.is_ascii_graphic() || b.is_ascii_whitespace();
    let pairs = || bytes[..bytes.len().min(BEGINNING)].chunks_exact(2);
    let all = |which: &dyn Fn(&[u8]) -> bool| pairs().len() >= 4 && pairs().all(which);
    all(&|pair| text(pair[0]) && pair[1] == 0) || all(&|pair| pair[0] == 0 && text(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_two_bytes_a_letter_is_known_and_numbers_are_not_taken_for_it() {
        let wide = |big: bool| -> Vec<u8> {
            let letters = "v 0 1 2\r\nf 1 2 3\r\n".encode_utf16();
            let bytes = |c: u16| {
                if big {
                    c.to_be_bytes()
                } else {
                    c.to_le_bytes()
                }
            };
            letters.flat_map(bytes).collect()
        };
        assert!(is_utf16(&wide(false)) && is_utf16(&wide(true)));
        let numbers: Vec<u8> = (0..64u32).flat_map(u32::to_le_bytes).collect();
        assert!(!is_utf16(&numbers) && !is_utf16(b"v 0 1 2\n") && !is_utf16(b"v\0"));
    }

    #[test]
    fn comments_and_commas_are_told_from_others() {
        assert!(only_comments(b"# a\n\n  # b\r\n") && !only_comments(b"\n") && !only_comments(b""));
        assert!(!only_comments(b"#usda 1.0\n") && !only_comments(b"# a\nv 0 0 0\n"));
        assert!(has_decimal_comma("-0,5e3") && !has_decimal_comma("1,2,3"));
        assert!(!has_decimal_comma("a,b") && !has_decimal_comma("0.5"));
    }
}
