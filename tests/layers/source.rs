//! Rust source as the tests of its structure see it: files, tokens, named paths.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Source text without comments, strings and character literals, cut into
/// identifiers and single punctuation marks, each with its line.
pub fn tokens(source: &str) -> Vec<(String, usize)> {
    let text: Vec<char> = source.chars().collect();
    let at = |i: usize| text.get(i).copied().unwrap_or('\0');
    let (mut out, mut i, mut line) = (Vec::new(), 0, 1);
    while i < text.len() {
        let c = text[i];
        if c == '/' && at(i + 1) == '/' {
            while i < text.len() && text[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            while i < text.len() {
                if text[i] == '/' && at(i + 1) == '*' {
                    depth += 1;
                    i += 2;
                } else if text[i] == '*' && at(i + 1) == '/' {
                    depth -= 1;
                    i += 2;
                    if depth == 0 {
                        break;
                    }
                } else {
                    line += usize::from(text[i] == '\n');
                    i += 1;
                }
            }
        } else if c == 'r'
            && (at(i + 1) == '"' || at(i + 1) == '#' && matches!(at(i + 2), '"' | '#'))
        {
            let hashes = text[i + 1..].iter().take_while(|c| **c == '#').count();
            i += hashes + 2;
            while i < text.len() {
                line += usize::from(text[i] == '\n');
                let closes = text[i] == '"'
                    && text[i + 1..]
                        .iter()
                        .take(hashes)
                        .filter(|c| **c == '#')
                        .count()
                        == hashes;
                i += 1;
                if closes {
                    i += hashes;
                    break;
                }
            }
        } else if c == '"' {
            i += 1;
            while i < text.len() && text[i] != '"' {
                line += usize::from(text[i] == '\n');
                i += if text[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            // A character; a lone quote is a lifetime.
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < text.len() && text[i] != '\'' {
                i += 1;
            }
            i += 1;
        } else if c.is_alphanumeric() || c == '_' {
            let start = i;
            while i < text.len() && (text[i].is_alphanumeric() || text[i] == '_') {
                i += 1;
            }
            out.push((text[start..i].iter().collect(), line));
        } else {
            line += usize::from(c == '\n');
            if !c.is_whitespace() {
                out.push((c.to_string(), line));
            }
            i += 1;
        }
    }
    out
}

/// All paths of the crate that `source` names, as segments from the crate's
/// root, with their lines. `module` is where the file stands.
pub fn named_paths(source: &str, module: &[String]) -> Vec<(Vec<String>, usize)> {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |t| t.0.as_str());
    let separator = |i: usize| text(i) == ":" && text(i + 1) == ":";
    let mut found = Vec::new();
    // Modules written in place, `mod tests { .. }`, move what `super` means.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let mut i = 0;
    while i < tokens.len() {
        match text(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|(_, opened)| *opened <= depth);
            }
            "mod" if text(i + 2) == "{" => inline.push((text(i + 1).into(), depth + 1)),
            "crate" | "super" if i < 2 || !separator(i - 2) => {
                let mut base: Vec<String> = if text(i) == "crate" {
                    Vec::new()
                } else {
                    let mut base = module.to_vec();
                    base.extend(inline.iter().map(|(name, _)| name.clone()));
                    base.pop();
                    base
                };
                let mut next = i + 1;
                while separator(next) && text(next + 2) == "super" {
                    base.pop();
                    next += 3;
                }
                if separator(next) {
                    branch(&tokens, next + 2, &base, &mut found);
                } else if text(i - 1) != "(" {
                    // `pub(crate)` names nothing; a bare `crate` names all.
                    found.push((base, tokens[i].1));
                }
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Collects the paths of one tree such as `a::{b, c::{d, e}}`, from `start` on;
/// returns where it ends.
fn branch(
    tokens: &[(String, usize)],
    start: usize,
    base: &[String],
    found: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.0.as_str());
    let mut i = start;
    if text(i) == "{" {
        i += 1;
        while i < tokens.len() && text(i) != "}" {
            i = branch(tokens, i, base, found);
            // `as name`, commas.
            while i < tokens.len() && !matches!(text(i), "," | "}") {
                i += 1;
            }
            i += usize::from(text(i) == ",");
        }
        return i + 1;
    }
    let mut path = base.to_vec();
    match text(i) {
        // `use super::{self, ..}` names the base itself.
        "self" => {}
        "super" => {
            path.pop();
        }
        name => path.push(name.into()),
    }
    let line = tokens.get(i).map_or(0, |t| t.1);
    i += 1;
    if text(i) == ":" && text(i + 1) == ":" && text(i + 2) != "<" {
        return branch(tokens, i + 2, &path, found);
    }
    found.push((path, line));
    i
}

pub fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be listed") {
        let path = entry.expect("an entry of src").path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders with the source of the program's crates; all their layers are one
/// order.
pub fn sources() -> [PathBuf; 2] {
    ["crates/strands/src", "src"].map(|src| root().join(src))
}

/// Where a file stands: `src/sim/solver/mod.rs` is `["sim", "solver"]`.
pub fn module_of(path: &Path) -> Vec<String> {
    let inside = sources()
        .iter()
        .find_map(|src| path.strip_prefix(src).ok().map(Path::to_path_buf))
        .expect("a path in src");
    let mut module: Vec<String> = inside
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}
