//! A scene: every tunable of a run, in one value that can be compared, copied
//! (undo keeps copies) and written to one file.

use super::{
    growth_inputs::GrowthInputs,
    sides::{CompareParams, SecondParams, Side},
};
use crate::{
    groom::{FollowerParams, GroomParams, ImportParams, TieStyle},
    io::{self, CaptureParams, scene::SceneError},
    mesh::{HeadParams, RootParams},
    param::{self, List, Params},
    project::tools::{HandParams, RewindParams, SliceParams, StrandColourParams},
    render::{Bookmark, CameraParams, LightParams, LookParams},
    sim::{
        SimParams,
        hand::Handwork,
        solver::hold_all,
        tracks::{check_tracks, track_name},
    },
};
use std::{borrow::Cow, fmt, path::Path};

/// One tunable: number of its section, number in the section.
pub type ParamPlace = (usize, usize);

/// What a change of the hair takes of what was done to it by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandworkLoss {
    /// What was combed and pinned; cuts stay.
    Combing,
    /// What a scene of an earlier version tells too little of.
    Part,
    /// All of it.
    All,
}

impl HandworkLoss {
    /// What `after` has not of what was done `before`; none where it has it all.
    pub fn between(before: &Handwork, after: &Handwork) -> Option<Self> {
        let same = before.pins == after.pins && before.edits.unlike(&after.edits).is_empty();
        match after.is_empty() {
            _ if same => None,
            true => Some(Self::All),
            false => Some(Self::Part),
        }
    }
}

impl fmt::Display for HandworkLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Combing => "what was combed and pinned is gone, cuts stay",
            Self::Part => "some of what was cut, combed and pinned is gone",
            Self::All => "what was cut, combed and pinned is gone",
        })
    }
}

/// Everything that a scene file can say.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Which head.
    pub head: HeadParams,
    /// Where strands are rooted.
    pub roots: RootParams,
    /// A groom from a file in place of a grown one.
    pub import: ImportParams,
    /// The hairstyle.
    pub groom: GroomParams,
    /// Strands drawn between the simulated ones.
    pub followers: FollowerParams,
    /// What was cut, combed and pinned of it.
    pub handwork: Handwork,
    /// How the hand works.
    pub hand: HandParams,
    /// The simulation.
    pub sim: SimParams,
    /// Whether a second method moves the same hair beside it.
    pub compare: CompareParams,
    /// What that method has of its own.
    pub b: SecondParams,
    /// Hair and set.
    pub look: LookParams,
    /// The lights.
    pub light: LightParams,
    /// Where the picture is taken from.
    pub camera: CameraParams,
    /// Views that are kept.
    pub views: Vec<Bookmark>,
    /// A cut through the hair.
    pub slice: SliceParams,
    /// Where the hair is held.
    pub colours: StrandColourParams,
    /// Recording.
    pub capture: CaptureParams,
    /// What can be gone back to.
    pub rewind: RewindParams,
    /// Whose poses are played and not simulated, a groom's file; empty for none. No scene
    /// file says it.
    pub played: String,
}

impl Default for Scene {
    fn default() -> Self {
        let mut sim = SimParams::default();
        hold_all(&mut sim);
        Self {
            head: HeadParams::default(),
            roots: RootParams::default(),
            import: ImportParams::default(),
            groom: GroomParams::default(),
            followers: FollowerParams::default(),
            handwork: Handwork::default(),
            hand: HandParams::default(),
            sim,
            compare: CompareParams::default(),
            b: SecondParams::default(),
            look: LookParams::default(),
            light: LightParams::default(),
            camera: CameraParams::default(),
            views: Vec::new(),
            slice: SliceParams::default(),
            colours: StrandColourParams::default(),
            capture: CaptureParams::default(),
            rewind: RewindParams::default(),
            played: String::new(),
        }
    }
}

impl Scene {
    /// Whether the camera's lens is open, or its aperture has keys.
    pub fn opens_lens(&self) -> bool {
        let track = self.sim.tracks.keys.of("camera.aperture");
        self.camera.aperture > 0.0 || track.is_some()
    }

    /// All sections, in the order of files and panel.
    pub fn sections(&self) -> Vec<&dyn Params> {
        let mut all: Vec<&dyn Params> = vec![
            &self.head,
            &self.roots,
            &self.import,
            &self.groom,
            &self.followers,
            &self.hand,
        ];
        all.extend(self.sim.sections());
        let more: [&dyn Params; 8] = [
            &self.look,
            &self.light,
            &self.camera,
            &self.slice,
            &self.colours,
            &self.capture,
            &self.rewind,
            &self.compare,
        ];
        all.extend(more);
        all.extend(self.b.sections());
        all
    }

    /// All sections, to be changed.
    pub fn sections_mut(&mut self) -> Vec<&mut dyn Params> {
        let mut all: Vec<&mut dyn Params> = vec![
            &mut self.head,
            &mut self.roots,
            &mut self.import,
            &mut self.groom,
            &mut self.followers,
            &mut self.hand,
        ];
        all.extend(self.sim.sections_mut());
        let more: [&mut dyn Params; 8] = [
            &mut self.look,
            &mut self.light,
            &mut self.camera,
            &mut self.slice,
            &mut self.colours,
            &mut self.capture,
            &mut self.rewind,
            &mut self.compare,
        ];
        all.extend(more);
        all.extend(self.b.sections_mut());
        all
    }

    /// All lists, in the order of files.
    pub fn lists(&self) -> Vec<&dyn List> {
        vec![&self.sim.colliders, &self.views]
    }

    /// All lists, to be changed.
    pub fn lists_mut(&mut self) -> Vec<&mut dyn List> {
        vec![&mut self.sim.colliders, &mut self.views]
    }

    /// Reads the scene file `path` on top of this scene.
    ///
    /// # Errors
    /// When anything in the file is wrong; then nothing is changed.
    pub fn read(&mut self, path: &Path) -> Result<(), SceneError> {
        self.take(|sections, lists, work| io::scene::read(path, sections, lists, work))
    }

    /// The same for the text of a scene within the file `path`.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_text(&mut self, path: &Path, text: &str) -> Result<(), SceneError> {
        self.take(|sections, lists, work| io::scene::read_text(path, text, sections, lists, work))
    }

    fn take<T>(
        &mut self,
        read: impl FnOnce(&mut [&mut dyn Params], &mut [&mut dyn List], &mut Handwork) -> T,
    ) -> T {
        // Sections and lists lie in one value.
        let mut colliders = std::mem::take(&mut self.sim.colliders);
        let mut views = std::mem::take(&mut self.views);
        let mut handwork = std::mem::take(&mut self.handwork);
        let read = read(
            &mut self.sections_mut(),
            &mut [&mut colliders, &mut views],
            &mut handwork,
        );
        (self.sim.colliders, self.views, self.handwork) = (colliders, views, handwork);
        read
    }

    /// What differs from the defaults, as the text of a scene in the file `path`.
    pub fn text(&self, path: &Path) -> String {
        io::scene::text(path, &self.sections(), &self.lists(), &self.handwork)
    }

    /// The text that its pictures hold, if they shall. Where they lie is not part of it:
    /// they may be given away.
    pub fn picture_text(&self) -> Option<String> {
        let beside = Path::new(&self.capture.folder).join("picture.png");
        let mut anywhere = self.clone();
        anywhere.capture.folder = CaptureParams::default().folder;
        self.capture.scene.then(|| anywhere.text(&beside))
    }

    /// Writes what differs from the defaults to `path`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), SceneError> {
        io::scene::write(path, &self.sections(), &self.lists(), &self.handwork)
    }

    /// Drops what was done by hand to the hair of `before` and cannot be done to this one,
    /// unless it was changed since. Hair that grows in another shape, shorter, longer or
    /// more densely keeps all of it, but for what a scene of an earlier version tells too
    /// little of; hair that is bound in another way keeps its cuts.
    pub fn drop_handwork(&mut self, before: &Self) -> Option<HandworkLoss> {
        // Asked with each move of a slider: copies are made only where there is any.
        if self.handwork.is_empty() || self.handwork != before.handwork {
            return None;
        }
        let before_that = self.handwork.clone();
        if !GrowthInputs::of(self).keeps_strands_of(&GrowthInputs::of(before)) {
            self.handwork = Handwork::default();
        } else if self.groom.tie != before.groom.tie {
            let tied = before.groom.tie != TieStyle::None;
            let (edits, lost) = self.handwork.edits.uncombed(tied);
            let lost = lost || !self.handwork.pins.is_empty();
            self.handwork = Handwork {
                edits,
                pins: [].into(),
            };
            let some = !self.handwork.is_empty();
            return lost.then_some(if some {
                HandworkLoss::Combing
            } else {
                HandworkLoss::All
            });
        } else if !self.groom.shapes_like(&before.groom) {
            let as_many = self.groom.vertices == before.groom.vertices;
            self.handwork = self.handwork.on_another_shape(as_many);
        }
        HandworkLoss::between(&before_that, &self.handwork)
    }

    /// Whether the same head and the same hair are built of both.
    pub fn grows_like(&self, other: &Self) -> bool {
        GrowthInputs::of(self).suit(other)
    }

    /// Takes over all that head and hair are built of.
    pub fn grow_like(&mut self, other: &Self) {
        if self.sim.motion.sequence != other.sim.motion.sequence {
            // It says whether the sequence is played.
            self.sim.motion.preset = other.sim.motion.preset;
        }
        GrowthInputs::of(other).write_to(self);
    }

    /// Where the tunable `name` (`section.key`) stands.
    pub fn place(&self, name: &str) -> Option<ParamPlace> {
        let (section, key) = name.rsplit_once('.')?;
        let all = self.sections();
        let number = all.iter().position(|params| params.section() == section)?;
        let tunables = all[number].tunables();
        let index = tunables.iter().position(|tunable| tunable.key == key)?;
        Some((number, index))
    }

    /// Sets the tunable `name` (`section.key`) from text. What is said last counts: a number
    /// loses the keys that it had over time.
    ///
    /// # Errors
    /// One sentence on what is wrong; then nothing is changed.
    pub fn set_by_name(&mut self, name: &str, text: &str) -> Result<(), String> {
        let tracks = self.sim.tracks.clone();
        param::set_by_name(&mut self.sections_mut(), name, text)
            .map_err(|error| error.to_string())?;
        if let Err(message) = check_tracks(&self.sim.tracks.keys, &self.sections()) {
            self.sim.tracks = tracks;
            return Err(message);
        }
        self.unkey(&[name]);
        Ok(())
    }

    /// Takes their keys over time from the numbers of those names (`section.key`).
    pub fn unkey(&mut self, names: &[&str]) {
        for name in names {
            if let Some((section, key)) = name.rsplit_once('.') {
                self.sim.tracks.keys.remove(&track_name(section, key));
            }
        }
    }

    /// The id of the method of a side.
    pub fn solver(&self, side: Side) -> &str {
        match side {
            Side::A => &self.sim.step.solver,
            Side::B => &self.b.step.0.solver,
        }
    }

    /// The parameters that a side is simulated with.
    pub fn params_of(&self, side: Side) -> Cow<'_, SimParams> {
        match side {
            Side::A => Cow::Borrowed(&self.sim),
            Side::B => Cow::Owned(self.second()),
        }
    }

    /// The parameters that the second side is simulated with.
    pub fn second(&self) -> SimParams {
        let mut params = self.sim.clone();
        self.b.lay_over(&mut params);
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::tools::StrandQuantity;

    /// Reads `text` as a scene; the folder's name is taken out of a complaint.
    fn read(text: &str) -> Result<Scene, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).expect("written");
        let mut scene = Scene::default();
        let read = scene.read(&path).map_err(|error| error.to_string());
        let place = format!("{}/", folder.path().display());
        read.map(|()| scene)
            .map_err(|text| text.replace(&place, ""))
    }

    #[test]
    fn the_groom_hold_of_older_scenes_is_what_strands_are_coloured_by() {
        for (text, wanted) in [
            ("[hold]\non = true\n", StrandQuantity::Hold),
            ("[hold]\non = false\n", StrandQuantity::Nothing),
            ("[colours]\nshow = \"length\"\n", StrandQuantity::Length),
        ] {
            let scene = read(&format!("version = 1\n{text}")).expect("reads");
            assert_eq!(scene.colours.show, wanted, "{text}");
        }
    }

    #[test]
    fn views_survive_the_file_in_their_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        let mut scene = Scene::default();
        scene.camera.yaw = -170.25;
        scene.camera.shift_y = 0.031;
        scene.views = vec![
            Bookmark::new("from \"behind\"".into(), &scene.camera),
            Bookmark::default(),
            Bookmark {
                fov: 60.0,
                distance: 0.125,
                ..Bookmark::new("Nähe".into(), &CameraParams::default())
            },
        ];
        scene.write(&path).expect("written");
        let mut again = Scene::default();
        again.read(&path).expect("read");
        assert_eq!(again, scene);
        assert_eq!(again.views[1].title(1), "View 2");
    }

    #[test]
    fn a_wrong_view_is_refused_with_its_line_and_the_nearest_name() {
        let start = "version = 1\n[[view]]\nname = \"a\"\n";
        for (text, wanted) in [
            (
                "pitsch = 3",
                "s.toml:4: there is no parameter view.pitsch; did you mean view.pitch?",
            ),
            (
                "fov = 300",
                "s.toml:4: view.fov = 300 is outside its range 5 to 100 °",
            ),
            (
                "yaw = \"left\"",
                "s.toml:4: view.yaw wants a number from -360 to 360 °, not \"left\"",
            ),
        ] {
            assert_eq!(
                read(&format!("{start}{text}\n")).err().as_deref(),
                Some(wanted)
            );
        }
        let section = read("[[viev]]\nyaw = 3\n").err().unwrap_or_default();
        assert!(section.contains("did you mean [view]"), "{section}");
        let table = read("[view]\nyaw = 3\n").err().unwrap_or_default();
        assert!(table.contains("write [[view]]"), "{table}");
        let scene = read(&format!("{start}yaw = -90\n")).expect("a good one");
        assert_eq!((scene.views.len(), scene.views[0].yaw), (1, -90.0));
    }
}
