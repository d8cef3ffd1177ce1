//! Shader files that are looked at while the program runs, for whoever writes
//! them.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// A file and what is known of it.
struct File {
    path: PathBuf,
    content: String,
    changed: Option<SystemTime>,
}

/// The files that some texts were put together from.
pub(super) struct Watch {
    files: Vec<File>,
    pub looked: Instant,
}

impl Watch {
    /// Watches those files of `folder` that the texts hold word for word. Files
    /// that were changed since the program was built are not among them.
    pub fn new(folder: &Path, texts: &[String], now: Instant) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let file = |path: PathBuf| {
            let content = fs::read_to_string(&path).ok()?;
            let held = !content.is_empty() && texts.iter().any(|text| text.contains(&content));
            held.then(|| File {
                changed: time(&path),
                content,
                path,
            })
        };
        Self {
            files: entries.filter_map(|entry| file(entry.path())).collect(),
            looked: now,
        }
    }

    /// Puts what is new in the files into `texts`; true when there was anything.
    /// Looks at most once a second.
    pub fn refresh(&mut self, texts: &mut [String], now: Instant) -> bool {
        if now.saturating_duration_since(self.looked) < PAUSE {
            return false;
        }
        self.looked = now;
        let mut fresh = false;
        for file in &mut self.files {
            let changed = time(&file.path);
            if changed == file.changed {
                continue;
            }
            // An editor may be writing; the next look finds the rest.
            let Ok(content) = fs::read_to_string(&file.path) else {
                continue;
            };
            file.changed = changed;
            if content.is_empty() || content == file.content {
                continue;
            }
            for text in texts.iter_mut() {
                *text = text.replace(&file.content, &content);
            }
            file.content = content;
            fresh = true;
        }
        fresh
    }
}

fn time(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_in_a_file_comes_into_the_texts_that_hold_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str, age: u64| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("written");
            let time = SystemTime::now() - Duration::from_secs(age);
            let file = fs::File::options().write(true).open(path).expect("opened");
            file.set_modified(time).expect("a time");
        };
        write("a.vert", "// one\n", 90);
        write("b.frag", "// two\n", 90);
        write("c.frag", "// of another program\n", 90);
        let start = Instant::now();
        let mut texts = ["#define X\n// one\n".to_string(), "// one\n// two\n".into()];
        let before = texts.clone();
        let mut watch = Watch::new(folder.path(), &texts, start);
        let later = |seconds: u64| start + Duration::from_secs(seconds);
        assert!(!watch.refresh(&mut texts, later(5)) && texts == before);
        write("a.vert", "// uno\n", 60);
        write("c.frag", "// changed too\n", 60);
        assert!(!watch.refresh(&mut texts, later(5)), "not twice a second");
        assert!(watch.refresh(&mut texts, later(6)));
        assert_eq!(texts[0], "#define X\n// uno\n");
        assert_eq!(texts[1], "// uno\n// two\n");
        // And again; an empty file is one that is being written.
        write("a.vert", "", 50);
        assert!(!watch.refresh(&mut texts, later(7)));
        write("a.vert", "// one\n", 40);
        assert!(watch.refresh(&mut texts, later(8)) && texts == before);
    }
}
