//! How hair was exported last: the dialog begins with that, also after the next start.
//!
//! It is kept in the state folder; losing it loses nothing.

use crate::project::{
    export::{AnimationOptions, ExportOptions, ExportStrands, ExportUp, LengthUnit},
    scene::Scene,
    state_folder,
};
use std::path::{Path, PathBuf};

/// Name of the file that remembers it.
const FILE: &str = "export";

/// Where hair goes that was exported nowhere yet.
const USUAL: &str = "hair.usda";

/// How long an animation is where nothing says it. `[s]`
const LENGTH: f64 = 2.0;

/// How hair was exported last.
#[derive(Debug, Default)]
pub struct ExportChoices {
    options: ExportOptions,
    /// Whether it was an animation.
    moves: bool,
    /// The number of the first frame of the last animation.
    start: Option<u32>,
    /// Whether that said how fast points go.
    velocities: bool,
    /// Whether the camera is to stay out of animations.
    no_camera: bool,
    /// Length and rate of the last animation since the program was started, behind those that
    /// the scene had for it then.
    length: Option<[(f64, f64); 2]>,
    /// The file of the last export since the program was started.
    last: Option<PathBuf>,
    kept: Option<PathBuf>,
}

/// When the last frame of an animation is `[s]`, and its rate `[1/s]`, as a scene has them: it
/// has the frames of a recording, or goes up to the last key.
fn length(scene: &Scene) -> (f64, f64) {
    let fps = f64::from(scene.capture.fps);
    // A recording of 3 s at 24 frames a second has 72, and the last is a frame before its end.
    let frames = scene.capture.frames();
    let recorded = frames.map(|frames| f64::from(frames.saturating_sub(1)) / fps);
    let head = scene.sim.motion.keyframes.keys().last();
    let head = head.map_or(0.0, |key| f64::from(key.time));
    let keyed = scene.sim.tracks.keys.end().max(head);
    let keyed = Some(keyed).filter(|seconds| *seconds > 0.0);
    (recorded.or(keyed).unwrap_or(LENGTH), fps)
}

impl ExportChoices {
    /// What is remembered; what the command line does without options where nothing is.
    pub fn load() -> Self {
        Self::at(state_folder::path().map(|folder| folder.join(FILE)))
    }

    /// What the file `kept` remembers; with none, nothing is remembered.
    pub(crate) fn at(kept: Option<PathBuf>) -> Self {
        let text = state_folder::remembered(kept.as_deref());
        let mut choices = Self {
            kept,
            ..Self::default()
        };
        let options = &mut choices.options;
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("strands", word)) => {
                    let mut all = ExportStrands::ALL.into_iter();
                    let found = all.find(|strands| strands_word(*strands) == word);
                    options.strands = found.unwrap_or_default();
                }
                Some(("unit", word)) => {
                    let unit = LengthUnit::ALL.into_iter().find(|unit| unit.name() == word);
                    options.unit = unit.unwrap_or_default();
                }
                Some(("up", word)) => {
                    let up = ExportUp::ALL.into_iter().find(|up| up.name() == word);
                    options.up = up.unwrap_or_default();
                }
                Some(("head", word)) => options.head = word == "on",
                Some(("write", word)) => choices.moves = word == "animation",
                Some(("first", word)) => choices.start = word.parse().ok(),
                Some(("velocities", word)) => choices.velocities = word == "on",
                Some(("camera", word)) => choices.no_camera = word == "off",
                // Another make of the program may know more.
                _ => {}
            }
        }
        choices
    }

    /// The choices.
    pub fn options(&self) -> ExportOptions {
        self.options
    }

    /// Where the hair might go.
    pub fn suggestion(&self) -> PathBuf {
        self.last.clone().unwrap_or_else(|| USUAL.into())
    }

    /// Whether it might be an animation.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// The animation that might be written of `scene`.
    pub fn animation(&self, scene: &Scene) -> AnimationOptions {
        let own = length(scene);
        let last = self.length.filter(|[of, _]| *of == own);
        let (seconds, fps) = last.map_or(own, |[_, last]| last);
        AnimationOptions {
            seconds,
            fps,
            start: self.start,
            velocities: self.velocities,
            camera: !self.no_camera,
        }
    }

    /// Hair of `scene` goes to `path`, by these choices: as it is now, or that `animation`.
    pub fn keep(
        &mut self,
        path: &Path,
        options: ExportOptions,
        animation: Option<AnimationOptions>,
        scene: &Scene,
    ) {
        let before = self.text();
        self.last = Some(path.into());
        self.options = options;
        self.moves = animation.is_some();
        if let Some(animation) = animation {
            (self.start, self.velocities) = (animation.start, animation.velocities);
            self.no_camera = !animation.camera;
            self.length = Some([length(scene), (animation.seconds, animation.fps)]);
        }
        let text = self.text();
        let Some(file) = self.kept.as_ref().filter(|_| text != before) else {
            return;
        };
        state_folder::keep(file, &text, "how hair is exported");
    }

    /// What is remembered from start to start.
    fn text(&self) -> String {
        let on = |is: bool| if is { "on" } else { "off" };
        let start = self.start.map(|start| start.to_string());
        format!(
            "strands {}\nunit {}\nup {}\nhead {}\nwrite {}\nfirst {}\nvelocities {}\n\
             camera {}\n",
            strands_word(self.options.strands),
            self.options.unit.name(),
            self.options.up.name(),
            on(self.options.head),
            if self.moves { "animation" } else { "moment" },
            start.as_deref().unwrap_or("usual"),
            on(self.velocities),
            on(!self.no_camera),
        )
    }
}

/// What strands are called in the file that remembers it.
fn strands_word(strands: ExportStrands) -> &'static str {
    match strands {
        ExportStrands::Guides => "guides",
        ExportStrands::File => "simulated",
        ExportStrands::All => "drawn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_remembered_from_start_to_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = || Some(folder.path().join("none yet").join(FILE));
        let mut choices = ExportChoices::at(kept());
        assert_eq!(choices.options(), ExportOptions::default());
        assert_eq!(choices.suggestion(), Path::new(USUAL));
        let options = ExportOptions {
            strands: ExportStrands::All,
            unit: LengthUnit::Mm,
            up: ExportUp::Z,
            head: true,
        };
        let scene = Scene::default();
        choices.keep(Path::new("out/a.abc"), options, None, &scene);
        assert_eq!(choices.suggestion(), Path::new("out/a.abc"));
        let again = ExportChoices::at(kept());
        assert_eq!(again.options(), options);
        assert_eq!(again.suggestion(), Path::new(USUAL));
        assert!(!again.moves());

        let options = ExportOptions {
            strands: ExportStrands::Guides,
            ..options
        };
        let animation = AnimationOptions {
            seconds: 3.5,
            fps: 60.0,
            start: Some(1001),
            velocities: true,
            camera: false,
        };
        choices.keep(Path::new("a.abc"), options, Some(animation), &scene);
        assert_eq!(choices.animation(&scene), animation);
        let again = ExportChoices::at(kept());
        assert_eq!(again.options(), options);
        assert!(again.moves());
        // Length and rate are those of the scene.
        let usual = AnimationOptions {
            seconds: LENGTH,
            fps: 24.0,
            ..animation
        };
        assert_eq!(again.animation(&scene), usual);
    }

    #[test]
    fn an_animation_is_as_long_as_the_scene_has_it() {
        let mut choices = ExportChoices::at(None);
        let mut scene = Scene::default();
        let seconds = |choices: &ExportChoices, scene: &Scene| choices.animation(scene).seconds;
        assert_eq!(seconds(&choices, &scene), LENGTH);
        scene.sim.tracks.keys.set_key("wind.strength", 4.5, 1.0);
        assert_eq!(seconds(&choices, &scene), 4.5);
        scene.capture.seconds = 3.0;
        scene.capture.fps = 30;
        let animation = choices.animation(&scene);
        assert_eq!(animation.frames(), 90, "as a recording has");
        assert_eq!((animation.seconds, animation.fps), (89.0 / 30.0, 30.0));
        // What was chosen counts until the scene has another length.
        let chosen = animation.with_frames(12);
        let options = ExportOptions::default();
        choices.keep(Path::new("a.abc"), options, Some(chosen), &scene);
        assert_eq!(choices.animation(&scene), chosen);
        scene.capture.seconds = 5.0;
        assert_eq!(choices.animation(&scene).frames(), 150);
    }

    #[test]
    fn a_damaged_file_does_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join(FILE);
        std::fs::write(&kept, "unit furlong\nup\nstrands drawn\nsize 2\n\u{1}").expect("written");
        let choices = ExportChoices::at(Some(kept)).options();
        let drawn = ExportOptions {
            strands: ExportStrands::All,
            ..ExportOptions::default()
        };
        assert_eq!(choices, drawn);
    }
}
