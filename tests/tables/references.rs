//! Every paper of docs/references.md is named, with its year, where it is used.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// How far behind an author's name the year may stand. `[bytes]`
const NEAR: usize = 90;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of all files in `folder` and the folders in it that are text.
fn texts(folder: &Path, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    for path in paths {
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push(text);
        }
    }
}

/// The entries of the list, a line each.
fn entries(page: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in page.lines() {
        match (line.strip_prefix("- "), all.last_mut()) {
            (Some(begun), _) => all.push(begun.into()),
            (None, Some(entry)) if line.starts_with("  ") => {
                entry.push(' ');
                entry.push_str(line.trim());
            }
            _ => (),
        }
    }
    all
}

/// What a file may call an entry's source by: its first author's family name, the title
/// that he has ("Baron Rayleigh"), or another spelling in backticks.
fn names(entry: &str) -> Vec<&str> {
    let authors = entry.split(':').next().unwrap_or_default();
    let last = |author: &'_ str| -> Option<usize> { author.rfind(' ').map(|at| at + 1) };
    let mut parts = authors.split(", ");
    let first = parts.next().unwrap_or_default();
    let first = first.strip_suffix(" et al.").unwrap_or(first);
    let mut all = vec![&first[last(first).unwrap_or(0)..]];
    let titled = parts.filter_map(|part| part.strip_prefix("Baron "));
    all.extend(titled);
    all.extend(entry.split('`').skip(1).step_by(2));
    all
}

/// The years in an entry.
fn years(entry: &str) -> Vec<&str> {
    let words = entry.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|word| ("1700".."2100").contains(word))
        .collect()
}

/// Whether `text` has that name as a word and one of the years soon after it.
fn cites(text: &str, name: &str, years: &[&str]) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let end = (0..=NEAR.min(after.len()))
            .rev()
            .find(|end| after.is_char_boundary(*end));
        let soon = &after[..end.unwrap_or(0)];
        !inside(before.chars().next_back())
            && !inside(after.chars().next())
            && years.iter().any(|year| soon.contains(year))
    })
}

#[test]
fn every_reference_is_named_where_it_is_used() {
    let page = fs::read_to_string(root().join("docs/references.md")).expect("the list");
    let mut sources = Vec::new();
    for folder in ["src", "crates", "shaders", "examples", "tests"] {
        texts(&root().join(folder), &mut sources);
    }
    let all = entries(&page);
    assert!(all.len() > 60, "only {} entries were found", all.len());
    let unnamed: Vec<&String> = all
        .iter()
        .filter(|entry| {
            let (names, years) = (names(entry), years(entry));
            let named = |text: &String| names.iter().any(|name| cites(text, name, &years));
            !sources.iter().any(named)
        })
        .collect();
    assert!(
        unnamed.is_empty(),
        "no source file names these with their year: {unnamed:#?}"
    );
}

#[test]
fn a_source_that_nobody_names_is_found() {
    let page = "- J. W. Nobody, Baron Noone: *On\n  nothing*, Nowhere, 1877.\n- A. d'Un et al.: *B*, 2011.\n";
    let all = entries(page);
    assert_eq!(all.len(), 2);
    assert_eq!(
        (names(&all[0]), years(&all[0])),
        (vec!["Nobody", "Noone"], vec!["1877"])
    );
    assert_eq!(
        (names(&all[1]), years(&all[1])),
        (vec!["d'Un"], vec!["2011"])
    );
    assert!(cites("(Noone 1877, eq. 2)", "Noone", &["1877"]));
    assert!(!cites("Noone, who wrote much", "Noone", &["1877"]));
    assert!(!cites("Nooneson 1877", "Noone", &["1877"]));
}
