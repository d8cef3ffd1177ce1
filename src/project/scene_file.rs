//! Where a scene is saved, what it is called, and what is in the file.

use super::{scene::Scene, tools::belongs_to_hand};
use crate::{
    io::{cache, picture_scene},
    render::Bookmark,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A scene as far as a file system and a title know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFile {
    /// Where it was opened or saved last; none of one that never was.
    file: Option<PathBuf>,
    /// What it is called without a file.
    name: Option<String>,
    /// The scene as it was opened or saved.
    saved: Arc<Scene>,
}

impl SceneFile {
    /// One in the file `path`, which holds `scene`.
    pub fn of_file(path: PathBuf, scene: &Scene) -> Self {
        if picture_scene::holds_scene(&path) || cache::is_cache(&path) {
            // Nobody saves a scene over the picture or cache that it was in.
            let name = path.file_stem().map(|stem| stem.to_string_lossy());
            return Self::of_name(name.as_deref(), scene);
        }
        Self {
            file: Some(path),
            name: None,
            saved: Arc::new(scene.clone()),
        }
    }

    /// One without a file of its own, called like that, or not called anything.
    pub fn of_name(name: Option<&str>, scene: &Scene) -> Self {
        Self {
            file: None,
            name: name.map(Into::into),
            saved: Arc::new(scene.clone()),
        }
    }

    /// One in that file, or one without; `known` where the file cannot be read.
    pub fn of(file: Option<PathBuf>, known: &Scene) -> Self {
        let Some(path) = file else {
            return Self::of_name(None, known);
        };
        let mut scene = Scene::default();
        match scene.read(&path) {
            Ok(()) => Self::of_file(path, &scene),
            Err(_) => Self::of_file(path, known),
        }
    }

    /// The file that it is saved in.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// What it is called; none of one that has no name yet.
    pub fn name(&self) -> Option<String> {
        match &self.file {
            Some(file) => Some(file.file_stem()?.to_string_lossy().into_owned()),
            None => self.name.clone(),
        }
    }

    /// The same for people, who are told of all of them.
    pub fn called(&self) -> String {
        self.name().unwrap_or_else(|| "untitled".into())
    }

    /// Where to save it, for a dialog to begin with.
    pub fn suggestion(&self) -> PathBuf {
        match (&self.file, &self.name) {
            (Some(file), _) => file.clone(),
            (None, Some(name)) => format!("{name}.toml").into(),
            (None, None) => "scene.toml".into(),
        }
    }

    /// The title of a window that shows it: a dot marks what is not saved.
    pub fn title(&self, unsaved: bool) -> String {
        let dot = if unsaved { "● " } else { "" };
        match self.name() {
            None if !unsaved => "Lovelock".into(),
            _ => format!("{dot}{} - Lovelock", self.called()),
        }
    }

    /// Whether `scene` holds work that was not saved. Where the camera stands is
    /// no work, for looking around changes it; nor is how tools are set.
    pub fn is_unsaved(&self, scene: &Scene) -> bool {
        let saved = &*self.saved;
        if saved.handwork != scene.handwork {
            return true;
        }
        let lists = saved.lists().into_iter().zip(scene.lists());
        if lists.into_iter().any(|(a, b)| a.values() != b.values()) {
            return true;
        }
        let aside = |scene: &Scene| {
            let mut camera = scene.camera.clone();
            Bookmark::new(String::new(), &saved.camera).apply(&mut camera);
            camera
        };
        if aside(saved) != aside(scene) {
            return true;
        }
        let sections = saved.sections().into_iter().zip(scene.sections());
        let is_work = |section: &str| section != "camera" && !belongs_to_hand(section);
        let mut others = sections.filter(|(section, _)| is_work(section.section()));
        others.any(|(a, b)| (0..a.tunables().len()).any(|i| a.get(i) != b.get(i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_what_a_file_would_keep_but_for_the_look_around() {
        let mut scene = Scene::default();
        let file = SceneFile::of_name(None, &scene);
        assert!(!file.is_unsaved(&scene));
        (scene.camera.yaw, scene.camera.distance, scene.camera.fov) = (99.0, 2.0, 30.0);
        assert!(!file.is_unsaved(&scene), "looking around is no work");
        let change = |change: fn(&mut Scene)| {
            let mut scene = scene.clone();
            change(&mut scene);
            file.is_unsaved(&scene)
        };
        assert!(change(|s| s.sim.wind.on = true));
        assert!(change(|s| s.camera.aperture = 0.01));
        assert!(change(|s| s.look.grey = 0.5));
        assert!(change(|s| s.views.push(Bookmark::default())));
        assert!(change(|s| s.sim.colliders.push(Default::default())));
        assert!(change(|s| s.b.step.0.solver = "rod".into()));
    }

    #[test]
    fn the_title_names_the_scene_and_marks_what_is_not_saved() {
        let scene = Scene::default();
        let bare = SceneFile::of_name(None, &scene);
        assert_eq!(bare.title(false), "Lovelock");
        assert_eq!(bare.title(true), "● untitled - Lovelock");
        assert_eq!(bare.suggestion(), Path::new("scene.toml"));
        let example = SceneFile::of_name(Some("bob"), &scene);
        assert_eq!(example.title(false), "bob - Lovelock");
        assert_eq!(example.suggestion(), Path::new("bob.toml"));
        assert_eq!(example.path(), None, "saving it asks for a name");
        let file = SceneFile::of_file("a/my hair.toml".into(), &scene);
        assert_eq!(file.title(true), "● my hair - Lovelock");
        assert_eq!(file.suggestion(), Path::new("a/my hair.toml"));
    }
}
