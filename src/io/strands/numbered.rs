//! Names with a place for a frame's number, as other programs write them, too: `####`,
//! `%04d`, `$F4` and `<F4>` are the same.

use std::{
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// What may stand for a number, for sentences.
pub const NOTATIONS: &str = "####, %04d, $F4 or <F4>";

/// The most digits that a number can be asked to have.
const LONGEST: usize = 12;

/// A file's name with a number in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    before: String,
    /// So many digits at least.
    digits: usize,
    behind: String,
}

impl Pattern {
    /// That of the name of the file `path`, if it has a place for a number.
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy();
        let mut starts = name.char_indices().map(|(start, _)| start);
        starts.find_map(|start| {
            let (digits, length) = notation(&name[start..])?;
            Some(Self {
                before: name[..start].into(),
                digits,
                behind: name[start + length..].into(),
            })
        })
    }

    fn name(&self, number: usize) -> String {
        let digits = self.digits;
        format!("{}{number:0digits$}{}", self.before, self.behind)
    }

    /// The number in the name of a file of this pattern.
    fn number(&self, name: &str) -> Option<usize> {
        let middle = name.strip_prefix(&self.before)?;
        let middle = middle.strip_suffix(&self.behind)?;
        let number = middle.parse().ok()?;
        // 7 and 00007 are none of ####.
        (self.name(number) == name).then_some(number)
    }
}

/// How many digits a notation at the beginning of `text` asks for, and how long it is.
fn notation(text: &str) -> Option<(usize, usize)> {
    let run = |text: &str, is: fn(&char) -> bool| text.chars().take_while(is).count();
    let width = |rest: &str| {
        let length = run(rest, char::is_ascii_digit);
        let digits = match length {
            0 => Some(1),
            _ => rest[..length].parse().ok(),
        };
        digits
            .filter(|digits| (1..=LONGEST).contains(digits))
            .map(|digits| (digits, length))
    };
    // What goes on in letters is a word.
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
    let hashes = run(text, |c| *c == '#');
    if hashes > 0 {
        return Some((hashes.min(LONGEST), hashes));
    }
    if let Some(rest) = text.strip_prefix('%') {
        let zero = usize::from(rest.starts_with('0'));
        let (digits, length) = width(&rest[zero..])?;
        let rest = rest[zero + length..].strip_prefix('d')?;
        let padded = (zero == 1) == (length > 0);
        return (padded && ends(rest)).then_some((digits, 2 + zero + length));
    }
    if let Some(rest) = text.strip_prefix("$F") {
        let (digits, length) = width(rest)?;
        return ends(&rest[length..]).then_some((digits, 2 + length));
    }
    let rest = text.strip_prefix("<F")?;
    let (digits, length) = width(rest)?;
    rest[length..]
        .starts_with('>')
        .then_some((digits, 3 + length))
}

/// What in a file's name looks like a place for a number, and is none that is known.
pub fn unknown_notation(path: &Path) -> Option<String> {
    if Pattern::of(path).is_some() {
        return None;
    }
    let name = path.file_name()?.to_string_lossy();
    let mut starts = name.char_indices().map(|(start, _)| &name[start..]);
    starts.find_map(|text| {
        let closed = |end: char| text.find(end).map(|end| &text[..=end]);
        let after = |is: fn(char) -> bool| {
            let rest = &text[1..];
            rest.find(|c| !is(c)).unwrap_or(rest.len())
        };
        let found = match text.chars().next()? {
            '%' => {
                let length = after(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | ' '));
                let mut rest = text[1 + length..].chars();
                let kind = rest.next().filter(|c| "diuxXvVfF".contains(*c));
                let whole = !rest.next().is_some_and(char::is_alphanumeric);
                kind.filter(|_| whole).map(|_| &text[..2 + length])
            }
            '$' => {
                let length = after(|c| c.is_ascii_alphanumeric());
                (length > 0).then(|| &text[..=length])
            }
            '<' => closed('>').filter(|piece| piece.len() > 2),
            '{' => closed('}').filter(|piece| {
                let inner = piece.trim_matches(['{', '}']);
                inner.is_empty() || inner.contains(':') || inner.to_lowercase().contains("frame")
            }),
            '@' => Some(&text[..=after(|c| c == '@')]).filter(|piece| piece.len() > 1),
            _ => None,
        };
        found.map(str::to_string)
    })
}

/// The second place for a number in a file's name, which has room for one.
pub fn second_place(path: &Path) -> Option<String> {
    let behind = Pattern::of(path)?.behind;
    let mut starts = behind.char_indices().map(|(start, _)| start);
    starts.find_map(|start| {
        let (_, length) = notation(&behind[start..])?;
        Some(behind[start..start + length].into())
    })
}

/// The file of that number where `pattern` has a place for one in its name.
pub fn numbered(pattern: &Path, number: usize) -> Option<PathBuf> {
    let name = Pattern::of(pattern)?.name(number);
    Some(pattern.with_file_name(name))
}

/// Whether `path` is a file of `pattern`, which has a place for a number in its name.
pub fn is_of_pattern(pattern: &Path, path: &Path) -> bool {
    let found = Pattern::of(pattern).zip(path.file_name());
    found.is_some_and(|(names, name)| {
        let number = names.number(&name.to_string_lossy());
        number.is_some() && pattern.parent() == path.parent()
    })
}

/// Numbers of all files of a pattern that are there, in rising order.
pub fn present(pattern: &Path) -> Vec<usize> {
    let Some(names) = Pattern::of(pattern) else {
        return Vec::new();
    };
    let folder = pattern.parent().filter(|folder| *folder != Path::new(""));
    let Ok(files) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return Vec::new();
    };
    let files = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut numbers: Vec<usize> = files.filter_map(|name| names.number(&name)).collect();
    numbers.sort_unstable();
    numbers
}

/// The same of those that stand beside the files that were `written`: of an earlier, longer
/// export, say.
pub fn left_over(pattern: &Path, written: RangeInclusive<usize>) -> Vec<usize> {
    let mut numbers = present(pattern);
    numbers.retain(|number| !written.contains(number));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_earlier_export_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "h.0001.obj",
            "h.0007.obj",
            "h.0012.obj",
            "h.x.obj",
            "h.3.obj",
        ] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        for name in ["h.####.obj", "h.%04d.obj", "h.$F4.obj", "h.<F4>.obj"] {
            let pattern = folder.path().join(name);
            assert_eq!(left_over(&pattern, 1..=7), [12], "{name}");
            assert_eq!(left_over(&pattern, 2..=6), [1, 7, 12], "{name}");
        }
        assert_eq!(present(&folder.path().join("h.####.obj")), [1, 7, 12]);
        assert!(left_over(&folder.path().join("h.obj"), 1..=1).is_empty());
    }

    #[test]
    fn numbers_go_where_other_programs_write_them() {
        for (pattern, wanted) in [
            ("h.####.obj", "h.0012.obj"),
            ("h#.obj", "h12.obj"),
            ("h.%04d.obj", "h.0012.obj"),
            ("h.%06d.obj", "h.000012.obj"),
            ("h.%d.obj", "h.12.obj"),
            ("h.$F4.obj", "h.0012.obj"),
            ("h_$F.obj", "h_12.obj"),
            ("h.<F4>.obj", "h.0012.obj"),
            ("h.<F>.obj", "h.12.obj"),
            ("100%.####.obj", "100%.0012.obj"),
        ] {
            let named = numbered(&Path::new("out").join(pattern), 12);
            assert_eq!(named, Some(Path::new("out").join(wanted)), "{pattern}");
            assert!(is_of_pattern(Path::new(pattern), Path::new(wanted)));
            assert_eq!(unknown_notation(Path::new(pattern)), None, "{pattern}");
        }
        assert!(!is_of_pattern(
            Path::new("h.####.obj"),
            Path::new("h.12.obj")
        ));
        assert!(!is_of_pattern(
            Path::new("a/h.#.obj"),
            Path::new("b/h.1.obj")
        ));
        // Numbers of more digits than were asked for.
        assert!(is_of_pattern(Path::new("h.##.obj"), Path::new("h.123.obj")));
    }

    #[test]
    fn a_second_place_for_a_number_is_found() {
        for (name, second) in [
            ("shot#3.%04d.ply", Some("%04d")),
            ("h.##.##.obj", Some("##")),
            ("h.####.obj", None),
            ("h.obj", None),
        ] {
            assert_eq!(second_place(Path::new(name)).as_deref(), second, "{name}");
        }
    }

    #[test]
    fn a_notation_that_is_not_known_is_named() {
        for (name, piece) in [
            ("h.%4d.obj", "%4d"),
            ("h.%V.obj", "%V"),
            ("h.$FF.obj", "$FF"),
            ("h.$N4.obj", "$N4"),
            ("h.<frame>.obj", "<frame>"),
            ("h.<f4>.obj", "<f4>"),
            ("h.{frame:04}.obj", "{frame:04}"),
            ("h.{:04d}.obj", "{:04d}"),
            ("h.@@@@.obj", "@@@@"),
            ("h.%099d.obj", "%099d"),
        ] {
            assert_eq!(numbered(Path::new(name), 1), None, "{name}");
            assert_eq!(unknown_notation(Path::new(name)).as_deref(), Some(piece));
        }
        for name in [
            "h.obj",
            "50%dry.obj",
            "h{final}.obj",
            "a@b.obj",
            "5$.obj",
            "a<b.obj",
        ] {
            assert_eq!(numbered(Path::new(name), 1), None, "{name}");
            assert_eq!(unknown_notation(Path::new(name)), None, "{name}");
        }
    }
}
