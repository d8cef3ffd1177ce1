//! Undo and redo of parameter changes.
//!
//! A change is kept as the values that differ, not as a whole scene: undoing
//! the wind must not turn the camera back, which moved meanwhile by itself.

mod target;

pub use super::scene::ParamPlace;
pub use target::ChangeTarget;

use super::{scene::Scene, scene_file::SceneFile, tools::belongs_to_hand};
use crate::{
    param::{RowValues, Value},
    render::CameraParams,
    sim::hand::Handwork,
};

/// Changes that can be undone; older ones are forgotten.
const DEPTH: usize = 500;

/// One tunable before and after.
#[derive(Clone, Debug, PartialEq)]
struct Difference {
    place: ParamPlace,
    before: Value,
    after: Value,
}

/// A list before and after, row by row.
#[derive(Clone, Debug, PartialEq)]
struct ListDifference {
    list: usize,
    before: Vec<RowValues>,
    after: Vec<RowValues>,
}

/// All that one entry takes back.
#[derive(Clone, Debug, Default, PartialEq)]
struct Change {
    tunables: Vec<Difference>,
    lists: Vec<ListDifference>,
    /// Before and after.
    handwork: Option<[Handwork; 2]>,
    /// Before and after, where another scene was opened.
    opened: Option<Box<[Opened; 2]>>,
}

/// A scene that another one took the place of, or that took it.
#[derive(Clone, Debug, PartialEq)]
struct Opened {
    file: SceneFile,
    /// Where one looked from last: looking around is no entry.
    camera: CameraParams,
}

/// What was changed, most recent last.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// What is still held: a slider, a handle, the brush.
    held: Option<ChangeTarget>,
    /// The document that the last step led to, if it led to another one.
    crossed: Option<SceneFile>,
}

impl History {
    /// Remembers that `before` became `after`. Changes of the same `target` while it is
    /// `held` (a slider being dragged), and the one that comes with letting it go, become
    /// one entry.
    pub fn record(
        &mut self,
        before: &Scene,
        after: &Scene,
        target: Option<ChangeTarget>,
        held: bool,
    ) {
        let differences = differences(before, after);
        if differences == Change::default() {
            return;
        }
        self.undone.clear();
        let same_drag = target.is_some() && target == self.held;
        self.held = target.filter(|_| held);
        match self.done.last_mut() {
            Some(last) if same_drag => {
                merge(last, differences);
                last.drop_equal();
                if *last == Change::default() {
                    // Back where the drag began; if it goes on, that is another entry.
                    self.done.pop();
                    self.held = None;
                }
            }
            _ => self.done.push(differences),
        }
        if self.done.len() > DEPTH {
            self.done.remove(0);
        }
    }

    /// Remembers that another scene was opened: `before` became `after`.
    pub fn record_opened(&mut self, before: &Scene, after: &Scene, files: [SceneFile; 2]) {
        self.undone.clear();
        self.held = None;
        let [old, new] = files;
        let opened = |file, scene: &Scene| Opened {
            file,
            camera: scene.camera.clone(),
        };
        self.done.push(Change {
            opened: Some([opened(old, before), opened(new, after)].into()),
            ..differences(before, after)
        });
        if self.done.len() > DEPTH {
            self.done.remove(0);
        }
    }

    /// The scene at hand was saved there: the way back to it, and forth, leads to `file`.
    pub fn rename(&mut self, file: &SceneFile) {
        for (changes, side) in [(&mut self.done, 1), (&mut self.undone, 0)] {
            let mut nearest = changes.iter_mut().rev();
            if let Some(opened) = nearest.find_map(|change| change.opened.as_mut()) {
                opened[side].file.clone_from(file);
            }
        }
    }

    /// The document that [`undo`](Self::undo) or [`redo`](Self::redo) has gone back
    /// or forth to, once.
    pub fn take_crossed(&mut self) -> Option<SceneFile> {
        self.crossed.take()
    }

    /// Takes the last change back for good, as if it had never been.
    pub fn forget_last(&mut self, scene: &mut Scene) -> bool {
        let undone = self.undo(scene);
        self.undone.clear();
        undone
    }

    /// What the last change has made of the scene came to nothing in part: now
    /// it is like `scene`. Where nothing is left of the change, it goes.
    pub fn amend(&mut self, scene: &Scene) {
        self.held = None;
        let Some(last) = self.done.last_mut() else {
            return;
        };
        let sections = scene.sections();
        for difference in &mut last.tunables {
            let (section, index) = difference.place;
            difference.after = sections[section].get(index);
        }
        let lists = scene.lists();
        for difference in &mut last.lists {
            difference.after = lists[difference.list].values();
        }
        if let Some([_, after]) = &mut last.handwork {
            after.clone_from(&scene.handwork);
        }
        last.drop_equal();
        if *last == Change::default() {
            self.done.pop();
        }
    }

    /// The hand work of `scene` was carried to its hair: the last change that has brought other
    /// hair, or has changed hand work, has left that.
    pub fn amend_handwork(&mut self, scene: &Scene) {
        let mut then = scene.clone();
        for change in self.done.iter_mut().rev() {
            if let Some([_, after]) = &mut change.handwork {
                after.clone_from(&scene.handwork);
                return;
            }
            let later = then.clone();
            change.clone().apply(&mut then, false);
            if !then.grows_like(&later) {
                // An earlier change has dropped it, and this one came before it was there again.
                change.handwork = Some([Handwork::default(), scene.handwork.clone()]);
                return;
            }
        }
    }

    /// The mouse button was released: the next change is another entry.
    pub fn release(&mut self) {
        self.held = None;
    }

    /// Takes the last change back; false when there is none.
    pub fn undo(&mut self, scene: &mut Scene) -> bool {
        self.held = None;
        let Some(mut change) = self.done.pop() else {
            return false;
        };
        self.crossed = change.apply(scene, false);
        self.undone.push(change);
        true
    }

    /// Makes the last undone change again; false when there is none.
    pub fn redo(&mut self, scene: &mut Scene) -> bool {
        self.held = None;
        let Some(mut change) = self.undone.pop() else {
            return false;
        };
        self.crossed = change.apply(scene, true);
        self.done.push(change);
        true
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

fn differences(before: &Scene, after: &Scene) -> Change {
    let mut out = Change::default();
    let pairs = before.sections().into_iter().zip(after.sections());
    for (section, (before, after)) in pairs.enumerate() {
        if belongs_to_hand(before.section()) {
            continue;
        }
        for index in 0..before.tunables().len() {
            let (before, after) = (before.get(index), after.get(index));
            if before != after {
                out.tunables.push(Difference {
                    place: (section, index),
                    before,
                    after,
                });
            }
        }
    }
    let pairs = before.lists().into_iter().zip(after.lists());
    for (list, (before, after)) in pairs.enumerate() {
        let (before, after) = (before.values(), after.values());
        if before != after {
            out.lists.push(ListDifference {
                list,
                before,
                after,
            });
        }
    }
    if before.handwork != after.handwork {
        out.handwork = Some([before.handwork.clone(), after.handwork.clone()]);
    }
    out
}

/// Continues `change` by what came after it.
fn merge(change: &mut Change, later: Change) {
    for difference in later.tunables {
        let mut all = change.tunables.iter_mut();
        match all.find(|d| d.place == difference.place) {
            Some(earlier) => earlier.after = difference.after,
            None => change.tunables.push(difference),
        }
    }
    for difference in later.lists {
        let mut all = change.lists.iter_mut();
        match all.find(|d| d.list == difference.list) {
            Some(earlier) => earlier.after = difference.after,
            None => change.lists.push(difference),
        }
    }
    change.handwork = match (change.handwork.take(), later.handwork) {
        (Some([before, _]), Some([_, after])) => Some([before, after]),
        (earlier, later) => earlier.or(later),
    };
}

impl Change {
    /// Takes the values after it (`forward`) or before it. Answers the document that this
    /// leads to, if it is another one.
    fn apply(&mut self, scene: &mut Scene, forward: bool) -> Option<SceneFile> {
        let left = scene.camera.clone();
        if let Some(states) = &self.handwork {
            scene.handwork = states[usize::from(forward)].clone();
        }
        let mut sections = scene.sections_mut();
        for difference in &self.tunables {
            let (section, index) = difference.place;
            let value = match forward {
                true => &difference.after,
                false => &difference.before,
            };
            if let Err(error) = sections[section].set(index, value.clone()) {
                // It was allowed before, so it is allowed again.
                log::error!("undo: {error}");
            }
        }
        let mut lists = scene.lists_mut();
        for difference in &self.lists {
            lists[difference.list].set_values(match forward {
                true => &difference.after,
                false => &difference.before,
            });
        }
        let opened = self.opened.as_mut()?;
        opened[usize::from(!forward)].camera = left;
        let other = &opened[usize::from(forward)];
        scene.camera.clone_from(&other.camera);
        Some(other.file.clone())
    }

    /// Forgets what is the same before and after.
    fn drop_equal(&mut self) {
        self.tunables.retain(|d| d.before != d.after);
        self.lists.retain(|d| d.before != d.after);
        self.handwork.take_if(|[before, after]| before == after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(history: &mut History, scene: &mut Scene, held: bool, f: impl Fn(&mut Scene)) {
        let before = scene.clone();
        f(scene);
        history.record(&before, scene, Some(ChangeTarget::Tunable((0, 0))), held);
    }

    #[test]
    fn undo_and_redo_walk_to_and_fro() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        let start = scene.clone();
        change(&mut history, &mut scene, false, |s| s.sim.wind.on = true);
        change(&mut history, &mut scene, false, |s| s.groom.length = 0.3);
        let end = scene.clone();
        assert!(history.undo(&mut scene) && scene.sim.wind.on && scene != end);
        assert!(history.undo(&mut scene));
        assert_eq!(scene, start);
        assert!(!history.undo(&mut scene) && !history.can_undo());
        assert!(history.redo(&mut scene) && history.redo(&mut scene));
        assert_eq!(scene, end);
        assert!(!history.redo(&mut scene) && !history.can_redo());
        // A new change closes the way forward.
        history.undo(&mut scene);
        change(&mut history, &mut scene, false, |s| s.groom.length = 0.4);
        assert!(!history.can_redo());
    }

    #[test]
    fn a_drag_is_one_entry_and_two_drags_are_two() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        let start = scene.clone();
        for drag in 0..2 {
            for i in 1..20 {
                change(&mut history, &mut scene, true, |s| {
                    s.groom.length = 0.1 * (drag + 1) as f32 + 0.001 * i as f32;
                });
            }
            // The button goes up in the same frame as the last movement, or
            // in one without.
            if drag == 0 {
                change(&mut history, &mut scene, false, |s| s.groom.length = 0.12);
            } else {
                history.release();
            }
        }
        assert!(history.undo(&mut scene));
        assert!((scene.groom.length - 0.12).abs() < 1e-6);
        assert!(history.undo(&mut scene));
        assert_eq!(scene, start);
        assert!(!history.can_undo());
    }

    #[test]
    fn undoing_leaves_alone_what_moved_by_itself() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        change(&mut history, &mut scene, false, |s| s.sim.wind.on = true);
        scene.camera.yaw = 77.0;
        history.undo(&mut scene);
        assert!(!scene.sim.wind.on && scene.camera.yaw == 77.0);
    }

    #[test]
    fn rows_come_and_go_and_a_drag_of_one_is_one_entry() {
        use crate::sim::collider::Collider;
        let (mut history, mut scene) = (History::default(), Scene::default());
        change(&mut history, &mut scene, false, |s| {
            s.sim.colliders.push(Collider::default());
        });
        for i in 1..9 {
            change(&mut history, &mut scene, true, |s| {
                s.sim.colliders[0].radius = 0.05 + 0.01 * i as f32;
            });
        }
        history.release();
        let end = scene.clone();
        assert!(history.undo(&mut scene));
        assert_eq!(scene.sim.colliders, [Collider::default()]);
        assert!(history.undo(&mut scene) && scene == Scene::default());
        assert!(history.redo(&mut scene) && history.redo(&mut scene) && scene == end);
    }

    #[test]
    fn the_way_back_leads_over_an_opened_scene_to_its_document() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        let documents = ["one", "two"].map(|name| SceneFile::of_name(Some(name), &scene));
        change(&mut history, &mut scene, false, |s| s.sim.wind.on = true);
        let before = std::mem::take(&mut scene);
        history.record_opened(&before, &scene, documents.clone());
        change(&mut history, &mut scene, false, |s| s.groom.length = 0.3);
        assert!(history.undo(&mut scene) && history.take_crossed().is_none());
        assert!(history.undo(&mut scene) && scene == before);
        assert_eq!(history.take_crossed().as_ref(), Some(&documents[0]));
        assert!(history.redo(&mut scene) && scene == Scene::default());
        assert_eq!(history.take_crossed().as_ref(), Some(&documents[1]));
        assert!(history.forget_last(&mut scene) && scene == before);
        assert!(!history.can_redo(), "as if it had never been");
    }

    #[test]
    fn each_scene_on_the_way_has_the_file_it_was_saved_in_and_where_one_looked_from() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        let named = |name| SceneFile::of_name(Some(name), &Scene::default());
        let yaws = |scene: &Scene| [scene.camera.yaw, scene.camera.distance];
        let start = yaws(&scene);
        let before = scene.clone();
        scene.camera.yaw = 40.0;
        history.record_opened(&before, &scene, ["one", "two"].map(named));
        // Looked around, and saved as another file.
        (scene.camera.yaw, scene.camera.distance) = (50.0, 2.0);
        history.rename(&named("three"));
        assert!(history.undo(&mut scene));
        assert_eq!(history.take_crossed(), Some(named("one")));
        assert_eq!(yaws(&scene), start);
        history.rename(&named("zero"));
        assert!(history.redo(&mut scene));
        assert_eq!(history.take_crossed(), Some(named("three")));
        assert_eq!(yaws(&scene), [50.0, 2.0]);
        assert!(history.undo(&mut scene));
        assert_eq!(history.take_crossed(), Some(named("zero")));
    }

    #[test]
    fn a_drag_out_and_back_is_no_entry_and_goes_on_as_one_of_its_own() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        change(&mut history, &mut scene, false, |s| s.sim.wind.on = true);
        let start = scene.groom.length;
        for length in [start + 0.1, start] {
            change(&mut history, &mut scene, true, |s| s.groom.length = length);
        }
        change(&mut history, &mut scene, true, |s| s.groom.length = 0.3);
        assert!(history.undo(&mut scene) && scene.sim.wind.on);
        assert_eq!(scene.groom.length, start);
        assert!(history.undo(&mut scene) && !scene.sim.wind.on && !history.can_undo());
    }

    #[test]
    fn a_change_that_came_to_nothing_is_no_entry_and_half_a_one_keeps_its_half() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        change(&mut history, &mut scene, false, |s| s.groom.length = 0.3);
        change(&mut history, &mut scene, false, |s| {
            s.head.file = "none.obj".into();
            s.sim.wind.on = true;
        });
        scene.head.file.clear();
        history.amend(&scene);
        assert!(history.undo(&mut scene) && !scene.sim.wind.on);
        assert!(history.redo(&mut scene) && scene.head.file.is_empty());
        change(&mut history, &mut scene, false, |s| {
            s.head.file = "x".into()
        });
        scene.head.file.clear();
        history.amend(&scene);
        assert!(history.undo(&mut scene) && !scene.sim.wind.on);
        assert!(history.undo(&mut scene) && scene == Scene::default());
    }

    #[test]
    fn a_change_that_changes_nothing_is_no_entry() {
        let (mut history, mut scene) = (History::default(), Scene::default());
        change(&mut history, &mut scene, false, |_| {});
        assert!(!history.can_undo());
    }
}
