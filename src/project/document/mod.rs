//! What is being worked on: the scene, the way back to what it was, the file that
//! it is saved in, and what is kept of it should the program end out of order.

mod edits;
mod keeping;

pub use edits::{
    drop_sequence, keep_size, play_sequence, set_collider_param, set_param, take_groom, take_hair,
    take_head, take_style,
};

use super::{
    autosave::{Autosave, Left},
    history::{ChangeTarget, History},
    recent::Recent,
    scene::{HandworkLoss, Scene},
    scene_file::SceneFile,
    tools::HandParams,
};
use crate::{render::CameraParams, sim::hand::Handwork};
use std::path::{Path, PathBuf};

/// The scene at hand with all that belongs to it as a document.
pub struct Document {
    scene: Scene,
    history: History,
    file: SceneFile,
    /// Whether the scene holds work that is not saved.
    unsaved: bool,
    /// Counts the scenes that took the place of others.
    opened: u64,
    /// What was done to hair by hand, until other hair is there in its place.
    dropped: Option<Handwork>,
    autosave: Autosave,
    /// What a run that did not end in order has left.
    left: Option<Left>,
    recent: Recent,
}

/// What a change has done.
pub struct Changed {
    /// The scene before it.
    pub before: Scene,
    /// What went of what was cut, combed and pinned, because other hair grows.
    pub dropped: Option<HandworkLoss>,
}

/// A step of undo or redo.
pub struct HistoryStep {
    /// The scene before it.
    pub before: Scene,
    /// Whether it has led to another document.
    pub crossed: bool,
}

impl Document {
    /// One of a scene that has no file yet.
    pub fn new(scene: Scene) -> Self {
        Self {
            file: SceneFile::of_name(None, &scene),
            history: History::default(),
            unsaved: false,
            opened: 0,
            dropped: None,
            autosave: Autosave::default(),
            left: None,
            recent: Recent::load(),
            scene,
        }
    }

    /// The parameters now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What can be undone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What it is called, and where it is saved.
    pub fn file(&self) -> &SceneFile {
        &self.file
    }

    /// Whether the scene holds work that is not saved.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// The title of a window that shows it.
    pub fn title(&self) -> String {
        self.file.title(self.unsaved)
    }

    /// How many scenes took the place of others: differs from one to the next.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Scenes that were opened or saved last, the last one first.
    pub fn recent(&self) -> Vec<PathBuf> {
        self.recent.list()
    }

    /// A scene was opened or saved there.
    pub fn note_recent(&mut self, path: &Path) {
        self.recent.note(path);
    }

    /// Changes the scene, and remembers the change: one of the same `target` as the
    /// last, while that is `held`, becomes part of it.
    ///
    /// # Errors
    /// Those of `change`; the scene is then as it was.
    pub fn change(
        &mut self,
        target: Option<ChangeTarget>,
        held: bool,
        change: impl FnOnce(&mut Scene) -> Result<(), String>,
    ) -> Result<Changed, String> {
        let before = self.scene.clone();
        if let Err(message) = change(&mut self.scene) {
            self.scene = before;
            return Err(message);
        }
        let dropped = self.scene.drop_handwork(&before);
        if dropped.is_some() {
            // What was lost first is what was done to the hair that stands.
            self.dropped.get_or_insert_with(|| before.handwork.clone());
        }
        self.history.record(&before, &self.scene, target, held);
        self.weigh();
        Ok(Changed { before, dropped })
    }

    /// Notes where the camera is. Looking around is neither work nor undone.
    pub fn set_camera(&mut self, camera: CameraParams) {
        self.scene.camera = camera;
    }

    /// The next change is another entry to undo.
    pub fn release(&mut self) {
        self.history.release();
    }

    /// Takes the last change back; none where there is none.
    pub fn undo(&mut self) -> Option<HistoryStep> {
        self.walk(History::undo)
    }

    /// Makes the last undone change again; none where there is none.
    pub fn redo(&mut self) -> Option<HistoryStep> {
        self.walk(History::redo)
    }

    fn walk(&mut self, step: impl Fn(&mut History, &mut Scene) -> bool) -> Option<HistoryStep> {
        let before = self.scene.clone();
        if !step(&mut self.history, &mut self.scene) {
            return None;
        }
        let crossed = self.history.take_crossed();
        let step = HistoryStep {
            before,
            crossed: crossed.is_some(),
        };
        if let Some(file) = crossed {
            self.file = file;
            self.opened += 1;
        }
        // If that hair cannot be built any more, this is what was done to the hair that
        // stays.
        if !self.scene.grows_like(&step.before) {
            self.dropped = Some(step.before.handwork.clone());
        }
        self.weigh();
        Some(step)
    }

    /// Another scene takes the place of this one; that can be undone. The tools in hand stay
    /// as they are set. Answers the scene before.
    pub fn replace(&mut self, mut scene: Scene, file: SceneFile) -> Scene {
        scene.hand.clone_from(&self.scene.hand);
        let before = std::mem::replace(&mut self.scene, scene);
        let old = std::mem::replace(&mut self.file, file);
        self.opened += 1;
        let files = [old, self.file.clone()];
        self.history.record_opened(&before, &self.scene, files);
        self.dropped = None;
        self.weigh();
        before
    }

    /// Sets the tools in hand like that.
    pub fn set_tools(&mut self, hand: HandParams) {
        self.scene.hand = hand;
    }

    /// The scene at hand is in that file, as it was opened or saved.
    pub fn begin(&mut self, file: SceneFile) {
        self.history.rename(&file);
        self.file = file;
        self.weigh();
    }

    /// The hair of the scene is there: what was dropped for it does not come back.
    pub fn settle(&mut self) {
        self.dropped = None;
    }

    /// The hair that stands has this hand work, which was carried to it from the hair before:
    /// the change that has brought it has left that. Answers the scene before.
    pub fn amend_handwork(&mut self, work: Handwork) -> Scene {
        let before = self.scene.clone();
        self.scene.handwork = work;
        self.history.amend_handwork(&self.scene);
        self.weigh();
        before
    }

    /// Head and hair of the scene cannot be built: goes back to what `stands`, with
    /// what was cut, combed and pinned of that. Answers the scene before.
    pub fn give_way(&mut self, stands: &Scene) -> Scene {
        let before = self.scene.clone();
        let (mut scene, mut history) = (self.scene.clone(), self.history.clone());
        if history.forget_last(&mut scene) && scene.grows_like(stands) {
            // The last change is what cannot be built: all of it goes.
            if let Some(file) = history.take_crossed() {
                self.file = file;
                self.opened += 1;
            }
            (self.scene, self.history) = (scene, history);
        } else {
            self.scene.grow_like(stands);
            if let Some(work) = self.dropped.take() {
                self.scene.handwork = work;
            }
            self.history.amend(&self.scene);
        }
        self.weigh();
        before
    }
}

#[cfg(test)]
impl Document {
    /// The parameters, to be changed without anything following: tests of what is
    /// drawn need no simulation of it.
    pub fn scene_mut(&mut self) -> &mut Scene {
        &mut self.scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::GroomParams;

    fn lengthen(document: &mut Document, by: f32, held: bool) -> Changed {
        let length = document.scene().place("groom.length");
        let change = |scene: &mut Scene| {
            scene.groom.length += by;
            Ok(())
        };
        document
            .change(length.map(ChangeTarget::Tunable), held, change)
            .expect("allowed")
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut document = Document::new(Scene::default());
        let refused = document.change(None, false, |scene| {
            scene.sim.wind.on = true;
            Err("no".into())
        });
        assert_eq!(refused.err().as_deref(), Some("no"));
        assert_eq!(document.scene(), &Scene::default());
        assert!(!document.history().can_undo() && !document.is_unsaved());
    }

    #[test]
    fn a_drag_is_one_step_and_the_way_back_ends_where_it_began() {
        let mut document = Document::new(Scene::default());
        for _ in 0..5 {
            lengthen(&mut document, 0.001, true);
        }
        document.release();
        assert!(document.is_unsaved() && document.title().starts_with('●'));
        let step = document.undo().expect("a step");
        assert!(!step.crossed && step.before.groom != GroomParams::default());
        assert_eq!(document.scene(), &Scene::default());
        assert!(!document.is_unsaved() && document.undo().is_none());
    }

    #[test]
    fn tools_stay_as_they_are_set_through_undo_and_other_scenes() {
        let mut document = Document::new(Scene::default());
        lengthen(&mut document, 0.001, false);
        let wider = |scene: &mut Scene| {
            scene.hand.radius = 0.06;
            Ok(())
        };
        document.change(None, false, wider).expect("allowed");
        document
            .undo()
            .expect("the length, for a reach is no entry");
        assert_eq!(document.scene().groom, GroomParams::default());
        assert!(!document.is_unsaved() && document.undo().is_none());
        let mut other = Scene::default();
        other.hand.radius = 0.01;
        let file = SceneFile::of_name(Some("fine"), &other);
        document.replace(other, file);
        assert_eq!(document.scene().hand.radius, 0.06);
        assert!(!document.is_unsaved());
    }

    #[test]
    fn undo_crosses_to_the_scene_before_and_its_name() {
        let mut document = Document::new(Scene::default());
        let mut other = Scene::default();
        other.sim.wind.on = true;
        let file = SceneFile::of_name(Some("windy"), &other);
        document.replace(other, file);
        assert_eq!((document.opened(), document.is_unsaved()), (1, false));
        assert_eq!(document.title(), "windy - Lovelock");
        assert!(document.undo().is_some_and(|step| step.crossed));
        assert_eq!(document.title(), "Lovelock");
        assert_eq!(
            document.opened(),
            2,
            "what is saved meanwhile is of another"
        );
    }

    #[test]
    fn hair_that_cannot_be_built_gives_way_to_what_stands() {
        let mut document = Document::new(Scene::default());
        let stands = document.scene().clone();
        lengthen(&mut document, 0.1, false);
        document.give_way(&stands);
        assert_eq!(document.scene(), &stands);
        assert!(
            !document.history().can_undo(),
            "it is no step on the way back"
        );
        // What was done after it stays.
        lengthen(&mut document, 0.1, false);
        let wind = |scene: &mut Scene| {
            scene.sim.wind.on ^= true;
            Ok(())
        };
        document.change(None, false, wind).expect("allowed");
        document.give_way(&stands);
        assert!(document.scene().grows_like(&stands) && document.scene().sim.wind.on);
    }

    #[test]
    fn hair_that_cannot_be_grown_again_leaves_none_of_its_cuts_on_the_hair_that_stays() {
        let mut document = Document::new(Scene::default());
        let change = |document: &mut Document, change: &dyn Fn(&mut Scene)| {
            let change = |scene: &mut Scene| {
                change(scene);
                Ok(())
            };
            document.change(None, false, change).expect("allowed");
        };
        change(&mut document, &|scene| {
            let (number, vertex, place) = (1, 2, glam::Vec3::Y);
            let pin = crate::sim::hand::Pin {
                number,
                vertex,
                vertices: None,
                place,
            };
            scene.handwork.pins = [pin].into();
        });
        change(&mut document, &|scene| scene.roots.seed = 2);
        assert!(document.scene().handwork.is_empty(), "other hair");
        document.settle();
        let stands = document.scene().clone();
        document.undo().expect("back to the hair before");
        assert!(!document.scene().handwork.is_empty());
        document.give_way(&stands);
        assert!(document.scene().grows_like(&stands));
        assert!(document.scene().handwork.is_empty(), "its pins go with it");
    }
}
