//! The scenes that come with the program: their files are in the binary, so that
//! they are there wherever the program is.
//!
//! A new one is a file under assets/scenes and a row here;
//! `assets/thumbnails.sh` takes the pictures anew.

use super::scene::Scene;
use crate::{io::scene::SceneError, param};
use std::path::PathBuf;

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name on the command line and in the window: that of its file.
    pub name: &'static str,
    /// Its scene file.
    pub text: &'static str,
    /// Whether it is one of a series to compare methods by, and not a hairstyle.
    pub study: bool,
}

/// A row of the table: a file under assets/scenes.
macro_rules! example {
    ($name:literal) => {
        Example {
            name: $name,
            text: include_str!(concat!("../../assets/scenes/", $name, ".toml")),
            study: false,
        }
    };
    (study $name:literal) => {
        Example {
            name: $name,
            text: include_str!(concat!("../../assets/scenes/study/", $name, ".toml")),
            study: true,
        }
    };
}

/// All of them, in the order in which they are shown.
pub const EXAMPLES: &[Example] = &[
    example!("default"),
    example!("wavy"),
    example!("windy"),
    example!("ringlets"),
    example!("bob"),
    example!("layered"),
    example!("fringe"),
    example!("pixie"),
    example!("coily"),
    example!("afro"),
    example!("ponytail"),
    example!("braid"),
    example!("bun"),
    example!(study "long-straight"),
    example!(study "long-straight-crowd"),
    example!(study "long-wavy"),
    example!(study "long-wavy-crowd"),
    example!(study "long-curly"),
    example!(study "long-curly-crowd"),
    example!(study "short-straight"),
    example!(study "short-straight-crowd"),
    example!(study "short-wavy"),
    example!(study "short-wavy-crowd"),
    example!(study "short-curly"),
    example!(study "short-curly-crowd"),
];

/// The example of that name.
pub fn find(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.name == name)
}

/// What to say of a name that no example has.
pub fn unknown(name: &str) -> String {
    let names = EXAMPLES.iter().map(|example| example.name.to_string());
    let guess = param::guess(name, names);
    let end = if guess.is_empty() { "; " } else { " " };
    format!("there is no built-in scene {name}{guess}{end}lovelock --list-scenes names them all")
}

impl Example {
    /// What it shows, in a sentence: the first one of its file's first lines.
    pub fn about(&self) -> String {
        let lines = self.text.lines().map_while(|line| line.strip_prefix('#'));
        let text = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        let end = text.find(". ").map_or(text.len(), |end| end + 1);
        text[..end].into()
    }

    /// The name as a title: "Long straight crowd".
    pub fn title(&self) -> String {
        let mut letters = self.name.replace('-', " ").chars().collect::<Vec<_>>();
        if let Some(first) = letters.first_mut() {
            first.make_ascii_uppercase();
        }
        letters.into_iter().collect()
    }

    /// The name that its file would have if it were saved.
    pub fn file_name(&self) -> PathBuf {
        format!("{}.toml", self.name).into()
    }

    /// The scene.
    ///
    /// # Errors
    /// When its text is wrong, which the tests rule out.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        let mut scene = Scene::default();
        scene.read_text(&self.file_name(), self.text)?;
        Ok(scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{param::Value, project::built_scene};
    use std::{collections::BTreeSet, fs, path::Path};

    #[test]
    fn every_scene_file_has_a_row() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenes");
        let names = |folder: &Path| -> BTreeSet<String> {
            fs::read_dir(folder)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
                .map(|path| path.file_stem().expect("a name").to_string_lossy().into())
                .collect()
        };
        for (study, folder) in [(false, folder.clone()), (true, folder.join("study"))] {
            let rows = EXAMPLES.iter().filter(|example| example.study == study);
            let rows: BTreeSet<String> = rows.map(|example| example.name.into()).collect();
            assert_eq!(rows, names(&folder), "src/project/examples.rs lists them");
        }
    }

    #[test]
    fn every_example_can_be_read_without_its_folder() {
        for example in EXAMPLES {
            let scene = example.scene().expect(example.name);
            built_scene::check_solvers(&scene).expect(example.name);
            // Whatever it names would have to be in the binary, too.
            for section in scene.sections() {
                for (index, tunable) in section.tunables().iter().enumerate() {
                    if let Value::Text(text) = section.get(index)
                        && Value::Text(text.clone()) != tunable.default
                    {
                        assert!(
                            !text.contains(['/', '.']),
                            "{}: {}.{} names the file {text}",
                            example.name,
                            section.section(),
                            tunable.key
                        );
                    }
                }
            }
            assert!(example.about().len() > 20, "{}", example.name);
            assert!(example.about().ends_with('.'), "{}", example.about());
        }
        assert_eq!(find("bob").map(Example::title), Some("Bob".into()));
        assert_eq!(
            find("long-curly-crowd").map(Example::title),
            Some("Long curly crowd".into())
        );
        let all = "lovelock --list-scenes names them all";
        let slip = "there is no built-in scene boob; did you mean bob?";
        assert_eq!(unknown("boob"), format!("{slip} {all}"));
        let wild = "there is no built-in scene zeppelin";
        assert_eq!(unknown("zeppelin"), format!("{wild}; {all}"));
    }

    /// A scene in a folder of its own still finds the files beside it.
    #[test]
    fn a_scene_file_finds_what_lies_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.toml");
        fs::write(&path, "version = 1\n[head]\nfile = \"bust.obj\"\n").expect("written");
        let mut scene = Scene::default();
        scene.read(&path).expect("read");
        assert_eq!(Path::new(&scene.head.file), folder.path().join("bust.obj"));
    }
}
