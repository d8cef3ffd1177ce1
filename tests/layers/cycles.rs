//! No circle of files: within a layer, what a file names never names that file
//! again by way of others. Two files that name each other are left in peace.

use super::source::{module_of, named_paths, root, source_files, sources, tokens};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

/// A module of the program: one file.
struct File {
    /// Where it is, from the project's root.
    path: String,
    /// Paths that it shows under a name of its own, `pub use a::B`: name to path;
    /// `*` for all names of a module.
    shows: Vec<(String, Vec<String>)>,
    /// Its source without tests.
    source: String,
}

type Files = BTreeMap<Vec<String>, File>;

/// The source up to the tests at its end.
fn without_tests(source: &str) -> &str {
    let end = source.find("\n#[cfg(test)]\nmod tests {");
    &source[..end.unwrap_or(source.len())]
}

/// The source without `pub use ..;`, which only hands on what others declare.
fn without_shown(source: &str) -> String {
    let mut out = String::new();
    let mut skips = false;
    for line in source.lines() {
        let shows =
            line.starts_with("pub use ") || line.starts_with("pub(") && line.contains(") use ");
        skips |= shows;
        if !skips {
            out.push_str(line);
        }
        out.push('\n');
        skips &= !line.contains(';');
    }
    out
}

/// Names that a declaration at the top of `source` gives, private ones too.
fn declared(source: &str) -> BTreeSet<String> {
    let words = [
        "struct", "enum", "trait", "type", "fn", "const", "static", "mod", "union",
    ];
    let tokens = tokens(source);
    let mut depth = 0;
    let mut found = BTreeSet::new();
    for (i, (token, _)) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            // Declarations within `params! { .. }` and `choice! { .. }` count, too.
            word if depth <= 1 && words.contains(&word) => {
                found.insert(tokens.get(i + 1).map_or("", |t| t.0.as_str()).to_string());
            }
            _ => {}
        }
    }
    found
}

/// The statements `pub use ..;` and `pub(..) use ..;` of `source` as text.
fn shown(
    source: &str,
    module: &[String],
    children: &BTreeSet<String>,
) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut statement: Option<String> = None;
    for line in source.lines() {
        let start = line.trim_start();
        if statement.is_none()
            && start.starts_with("pub")
            && start.split_whitespace().any(|word| word == "use")
            && line == start
        {
            statement = Some(String::new());
        }
        if let Some(text) = &mut statement {
            text.push_str(line);
            text.push(' ');
            if line.contains(';') {
                let text = statement.take().unwrap_or_default();
                let tree = text.split_once(" use ").map_or("", |(_, tree)| tree);
                for (path, _) in paths_of(&format!("use {tree}"), module, children) {
                    let name = path.last().cloned().unwrap_or_default();
                    found.push((name, path));
                }
            }
        }
    }
    found
}

/// The paths that `source` names, those that begin with a child module among
/// them.
fn paths_of(
    source: &str,
    module: &[String],
    children: &BTreeSet<String>,
) -> Vec<(Vec<String>, usize)> {
    let tokens = tokens(source);
    let mut own = String::new();
    let mut line = 1;
    // `child::name` is `self::child::name`.
    for (i, (token, at)) in tokens.iter().enumerate() {
        while line < *at {
            own.push('\n');
            line += 1;
        }
        let text = |i: usize| tokens.get(i).map_or("", |t| t.0.as_str());
        let before = i.checked_sub(1).map_or("", |i| text(i));
        let leads = text(i + 1) == ":" && text(i + 2) == ":";
        let inner = before == ":" && i > 1 && text(i - 2) == ":";
        let starts = !inner && !matches!(before, "." | "mod");
        let in_tree = matches!(before, "{" | ",") && inside_use(&tokens, i);
        if children.contains(token) && leads && starts && !in_tree {
            own.push_str("crate::");
            own.push_str(&module.join("::"));
            own.push_str("::");
        }
        own.push_str(token);
        own.push(' ');
    }
    let own = own
        .replace("crate:: ::", "crate::")
        .replace("crate::::", "crate::");
    named_paths(&own, module)
}

/// Whether token `i` stands in the braces of a `use` with a common beginning.
fn inside_use(tokens: &[(String, usize)], i: usize) -> bool {
    let mut depth = 0;
    for k in (0..i).rev() {
        match tokens[k].0.as_str() {
            "}" => depth += 1,
            "{" if depth > 0 => depth -= 1,
            "{" => {
                let path = k > 2 && tokens[k - 1].0 == ":";
                return path;
            }
            ";" => return false,
            _ => {}
        }
    }
    false
}

fn files() -> Files {
    let mut paths: Vec<PathBuf> = Vec::new();
    for src in sources() {
        source_files(&src, &mut paths);
    }
    let mut files = Files::new();
    for path in &paths {
        let module = module_of(path);
        if module.last().is_some_and(|name| name == "tests")
            || matches!(module[0].as_str(), "lib" | "main")
        {
            continue;
        }
        let source = fs::read_to_string(path).expect("a source file");
        let path = path.strip_prefix(root()).expect("a path in the project");
        files.insert(
            module,
            File {
                path: path.display().to_string(),
                shows: Vec::new(),
                source: without_tests(&source).to_string(),
            },
        );
    }
    with_shows(files)
}

/// Notes what each file shows of others.
fn with_shows(mut files: Files) -> Files {
    let modules: Vec<Vec<String>> = files.keys().cloned().collect();
    for (module, file) in &mut files {
        let children = children(module, &modules);
        file.shows = shown(&file.source, module, &children);
    }
    files
}

fn children(module: &[String], modules: &[Vec<String>]) -> BTreeSet<String> {
    modules
        .iter()
        .filter(|other| other.len() == module.len() + 1 && other.starts_with(module))
        .filter_map(|other| other.last().cloned())
        .collect()
}

/// The file that has what `path` names, through all `pub use`; none where the
/// path is a module itself, whose names are looked up one by one.
fn home(path: &[String], files: &Files, depth: usize) -> Option<Vec<String>> {
    if depth > 8 || files.contains_key(path) {
        return None;
    }
    let length = (1..path.len())
        .rev()
        .find(|n| files.contains_key(&path[..*n]))?;
    let (module, rest) = path.split_at(length);
    let file = &files[module];
    let name = &rest[0];
    if !declared(&file.source).contains(name) {
        for (shown, from) in &file.shows {
            if shown == name {
                let mut on = from.clone();
                on.extend_from_slice(&rest[1..]);
                return match files.contains_key(&on) {
                    true => None,
                    false => home(&on, files, depth + 1).or(Some(module.to_vec())),
                };
            }
        }
        for (shown, from) in &file.shows {
            let all = &from[..from.len() - 1];
            if shown == "*"
                && files
                    .get(all)
                    .is_some_and(|f| declared(&f.source).contains(name))
            {
                return Some(all.to_vec());
            }
        }
    }
    Some(module.to_vec())
}

/// Which files each file names, within its own layer.
fn imports(files: &Files) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let modules: Vec<Vec<String>> = files.keys().cloned().collect();
    let mut graph = BTreeMap::new();
    for (module, file) in files {
        let mut names = children(module, &modules);
        let source = without_shown(&file.source);
        let mut paths = paths_of(&source, module, &names);
        // A module that is imported: `use super::collider;`, then `collider::push`.
        let mut aliases: Vec<(String, Vec<String>)> = paths
            .iter()
            .filter(|(path, _)| files.contains_key(path))
            .filter_map(|(path, _)| Some((path.last()?.clone(), path.clone())))
            .collect();
        aliases.sort();
        aliases.dedup();
        names.clear();
        let tokens = tokens(&source);
        let text = |i: usize| tokens.get(i).map_or("", |t| t.0.as_str());
        for (i, (_, line)) in tokens.iter().enumerate() {
            let leads = text(i + 1) == ":" && text(i + 2) == ":";
            let starts = i < 2 || text(i - 1) != ":" || text(i - 2) != ":";
            if leads && starts {
                for (_, path) in aliases.iter().filter(|(name, _)| name == text(i)) {
                    let mut k = i;
                    let mut path = path.clone();
                    while text(k + 1) == ":" && text(k + 2) == ":" {
                        path.push(text(k + 3).to_string());
                        k += 3;
                    }
                    paths.push((path, *line));
                }
            }
        }
        let named = paths
            .iter()
            // A macro's argument names something of where the macro is used.
            .filter(|(path, _)| path.last().is_some_and(|name| name != "$"))
            .filter_map(|(path, _)| home(path, files, 0))
            .filter(|home| home != module && home[0] == module[0])
            .collect();
        graph.insert(module.clone(), named);
    }
    graph
}

/// The groups of files of which each reaches each other.
fn circles(graph: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Vec<Vec<Vec<String>>> {
    let reach = |from: &Vec<String>| {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![from.clone()];
        while let Some(file) = waiting.pop() {
            for next in graph.get(&file).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    waiting.push(next.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<_, _> = graph
        .keys()
        .map(|file| (file.clone(), reach(file)))
        .collect();
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for file in graph.keys() {
        if done.contains(file) {
            continue;
        }
        let circle: Vec<_> = reached[file]
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|r| r.contains(file)))
            .cloned()
            .collect();
        done.extend(circle.iter().cloned());
        if circle.len() > 2 {
            found.push(circle);
        }
    }
    found
}

#[test]
fn no_circle_of_more_than_two_files() {
    let files = files();
    let graph = imports(&files);
    let links: usize = graph.values().map(BTreeSet::len).sum();
    assert!(links > 300, "only {links} imports were found");
    let circles = circles(&graph);
    let mut wrong = String::new();
    for circle in circles {
        wrong.push_str(&format!("\n{} files:\n", circle.len()));
        for module in &circle {
            let named: Vec<_> = graph[module]
                .iter()
                .filter(|other| circle.contains(other))
                .map(|other| other.join("::"))
                .collect();
            wrong.push_str(&format!(
                "  {} -> {}\n",
                files[module].path,
                named.join(", ")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "files that name one another in a circle:\n{wrong}"
    );
}

#[test]
fn planted_circles_are_found() {
    let planted = |sources: &[(&str, &str)]| {
        let file = |(module, source): &(&str, &str)| {
            let module: Vec<String> = module.split("::").map(String::from).collect();
            let file = File {
                path: module.join("/"),
                shows: Vec::new(),
                source: (*source).into(),
            };
            (module, file)
        };
        let files = with_shows(sources.iter().map(file).collect());
        circles(&imports(&files))
            .into_iter()
            .map(|circle| circle.len())
            .collect::<Vec<_>>()
    };
    let (b, c) = ("use super::c::C;\npub struct B;", "pub struct C;");
    // What hands names on is no part of a circle.
    let parent = "mod b;\nmod c;\npub use b::B;\npub use c::C;";
    let through = "use super::C;\npub struct B;";
    assert!(planted(&[("a", parent), ("a::b", b), ("a::c", c)]).is_empty());
    assert!(planted(&[("a", parent), ("a::b", through), ("a::c", c)]).is_empty());
    // Two files may name each other, three may not.
    let back = "use super::b::B;\npub struct C;";
    assert!(planted(&[("a", parent), ("a::b", b), ("a::c", back)]).is_empty());
    let user = "mod b;\nmod c;\npub struct A { b: b::B }";
    let up = "use super::{A, b};\npub struct C(b::B);";
    assert_eq!(planted(&[("a", user), ("a::b", b), ("a::c", up)]), [3]);
    // Not within tests at a file's end.
    let tested = "pub struct C;\n#[cfg(test)]\nmod tests { use super::super::b::B; }";
    assert_eq!(without_tests(tested), "pub struct C;");
}
