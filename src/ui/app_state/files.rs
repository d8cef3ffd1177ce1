//! Heads, grooms and caches opened, and files dropped on the window.

use super::AppState;
use crate::{
    groom::fit_verdict::FitVerdict,
    io::name_of,
    param::Value,
    project::{
        built_scene,
        document::{take_groom, take_head},
        history::ParamPlace,
        playback, rebind,
        tie_report::SCARCE_TIE,
    },
    render::LightParams,
    session::{
        dropped_file::DroppedFile,
        jobs::Queue,
        outcome::{JobOutcome, ReadFor},
        sim_handle::{BuildResult, SimCommand},
    },
    ui::{command::Command, groom_rows},
};
use std::path::{Path, PathBuf};

/// How the message about a groom that is astray begins.
const MISFIT: &str = "The groom does not fit this head";

/// Why hair stays on the head that it is on.
const NO_REBIND: &str = "Hair is carried between heads whose unit and axis are judged and that \
                         do not move: set this head's unit, axis, turn, flip and scale back to \
                         their defaults and play no animated head, then try again";

impl AppState {
    /// Plays a cache, whose scene becomes the scene, or a groom that moves, which becomes
    /// the scene's hair.
    pub(super) fn play(&mut self, path: &Path) {
        if self.session.recorder().is_recording() {
            self.ui.toasts.error("Stop the recording first");
            return;
        }
        self.close_dialog();
        let title = format!("Opening {}", name_of(path));
        let (path, base) = (path.to_path_buf(), self.document.scene().clone());
        self.make_read(title, move || {
            let opened = playback::open(&path, &base).map_err(|error| error.to_string());
            let (reader, scene) = opened?;
            built_scene::check_solvers(&scene).map_err(|error| error.to_string())?;
            Ok((scene, ReadFor::Play(Box::new(reader))))
        });
    }

    /// Lets the hair be live again, where a cache plays or is about to.
    pub(super) fn leave_cache(&mut self) {
        if self.session.playing().is_some() {
            self.session.stop_recording();
        }
        self.session.order(SimCommand::Leave);
    }

    /// Takes that head.
    pub(super) fn take_head_file(&mut self, path: &Path) {
        self.close_dialog();
        let (file, title) = (
            path.display().to_string(),
            format!("Opening {}", name_of(path)),
        );
        let scene = self.document.scene();
        let plays = !scene.sim.motion.sequence.is_empty();
        if file == scene.head.file && !plays && self.read_again(&title, &file, true) {
            return;
        }
        if self.lies_well() && rebind::can_rebind(self.document.scene()) {
            self.ui.toasts.tell(
                "The hair is carried along from the head before; open its file again to have it \
                 where that says",
            );
            let path = path.to_path_buf();
            return self.make(title, move |scene| rebind::rebind(scene, &path));
        }
        self.make(title, move |scene| take_head(scene, file.clone()));
    }

    /// Whether hair from a file lies on its head as if it belonged there.
    fn lies_well(&self) -> bool {
        let bound = self.session.built().and_then(|built| built.bound.as_ref());
        bound.is_some_and(|bound| {
            bound.better.is_none() && bound.figures.verdict() != FitVerdict::Doubtful
        })
    }

    /// Builds head and hair of the scene again, in which somebody has chosen a `file` once more
    /// that it names already: it may have changed. All files, or maps alone; false where nothing
    /// is built yet, or there is no such file.
    fn read_again(&mut self, title: &str, file: &str, all: bool) -> bool {
        let scene = self.document.scene();
        let built = self.session.built();
        if file.is_empty() || !built.is_some_and(|built| built.scene.grows_like(scene)) {
            return false;
        }
        let mut scene = scene.clone();
        // Whether it belongs to the hair that comes of it is asked once that is there.
        scene.handwork = Default::default();
        if let Err(message) = self.session.build_again(title.into(), scene, all) {
            self.ui.toasts.error(message);
        }
        true
    }

    /// Takes the hair from that file, or lets it grow.
    pub(super) fn take_groom(&mut self, path: Option<PathBuf>) {
        self.close_dialog();
        self.ui.places = false;
        let title = match &path {
            Some(path) => format!("Opening {}", name_of(path)),
            None => "Growing hair".into(),
        };
        let file = path.map_or_else(String::new, |path| path.display().to_string());
        let same = file == self.document.scene().import.file;
        if same && self.read_again(&title, &file, true) {
            return;
        }
        self.make(title, move |scene| {
            take_groom(scene, file.clone());
        });
    }

    /// Carries the hair to that head.
    pub(super) fn rebind(&mut self, path: PathBuf) {
        self.close_dialog();
        if !rebind::can_rebind(self.document.scene()) {
            self.ui.toasts.error(NO_REBIND);
            return;
        }
        let title = format!("Carrying the hair to {}", name_of(&path));
        self.make(title, move |scene| rebind::rebind(scene, &path));
    }

    /// Turns, sizes and places the groom so that it is nearest to the head.
    pub(super) fn fit_groom(&mut self) {
        let bound = self.session.built().and_then(|built| built.bound.clone());
        let Some(better) = bound.and_then(|bound| bound.better) else {
            return;
        };
        self.make("Fitting the hair to the head".into(), move |scene| {
            scene.import = better.apply(&scene.import);
        });
    }

    /// Says what is odd about a head; of an unclear size until somebody answers.
    pub(super) fn tell_head(&mut self, built: &BuildResult) {
        let report = &built.head.report;
        if report.unsure {
            self.ui.toasts.ask(format!(
                "{}: {}",
                report.name, "its size is unclear; choose its unit or its height under \"Head\""
            ));
        }
        let odd = report.warnings.iter();
        // What is asked is not told as well.
        let odd = odd.filter(|text| !(report.unsure && text.contains("its size is unclear")));
        for warning in odd.take(2) {
            self.ui
                .toasts
                .caution(format!("{}: {warning}", report.name));
        }
    }

    /// Says how a groom came onto the head, and that a tie holds next to nothing, once.
    pub(super) fn tell_groom(&mut self, built: &BuildResult, before: Option<&BuildResult>) {
        let scarce = |built: &BuildResult| built.tie.as_ref().is_some_and(|tie| tie.is_scarce);
        let was = before.is_some_and(scarce);
        if was && !scarce(built) {
            self.ui.toasts.retract(SCARCE_TIE);
        }
        if let Some(tie) = built.tie.as_ref().filter(|tie| tie.is_scarce && !was) {
            self.ui.toasts.caution(tie.text.clone());
        }
        let last = before.and_then(|old| old.bound.clone());
        if last != built.bound {
            self.ui.toasts.retract(MISFIT);
            for warning in last.iter().flat_map(|old| &old.warnings) {
                self.ui.toasts.retract(warning);
            }
        }
        let Some(bound) = built
            .bound
            .as_ref()
            .filter(|now| last.as_ref() != Some(*now))
        else {
            return;
        };
        // What somebody places by hand says so in the panel.
        if self.ui.places {
            return;
        }
        if let Some(better) = &bound.better {
            let text = format!(
                "{MISFIT}: its roots are {:.0} mm from the skin. A fit brings them to {:.1} mm on \
                 average",
                // As the panel has it.
                1e3 * bound.figures.median,
                1e3 * better.distance
            );
            let fit = (groom_rows::FIT.to_string(), Command::FitGroom);
            let place = (groom_rows::PLACE.to_string(), Command::Placing);
            self.ui.toasts.offer(text, vec![fit, place]);
            return;
        }
        self.ui.toasts.tell(bound.summary.clone());
        if bound.figures.verdict() == FitVerdict::Doubtful {
            let place = (groom_rows::PLACE.to_string(), Command::Placing);
            let text = format!("{MISFIT}: {}", bound.figures);
            self.ui.toasts.offer(text, vec![place]);
        }
        for warning in groom_rows::warnings(bound).take(2) {
            self.ui.toasts.caution(warning.clone());
        }
    }

    /// Lets a picture say where hair grows.
    fn lay_map(&mut self, path: &Path) {
        let Some(place) = self.document.scene().place("roots.density_map") else {
            return;
        };
        self.ui.toasts.tell(format!(
            "{} says now where hair grows (Ctrl+Z takes it away)",
            path.display()
        ));
        self.take_file(place, path);
    }

    /// Lets the tunable at that place name that file, as one change. A file that it names
    /// already is read again: it may have changed.
    pub(super) fn take_file(&mut self, place: ParamPlace, path: &Path) {
        self.close_dialog();
        let (scene, file) = (self.document.scene(), path.display().to_string());
        let now = scene
            .sections()
            .get(place.0)
            .map(|params| params.get(place.1));
        let maps = scene.sections().get(place.0).map(|params| params.section()) == Some("roots");
        if now == Some(Value::Text(file.clone())) {
            let title = format!("Reading {}", name_of(path));
            self.read_again(&title, &file, !maps);
            return;
        }
        self.perform(Command::Set {
            place,
            value: Value::Text(path.display().to_string()),
            held: false,
        });
    }

    /// Lets that environment light the picture: a file, one that comes with the program,
    /// or none. The scene names it once it is read. A file that is named already is read
    /// again: it may have changed.
    pub(super) fn take_environment(&mut self, name: String) {
        self.close_dialog();
        if name.is_empty() {
            self.session.forget_choice();
            return self.change(|scene| scene.light.environment = name);
        }
        let light = LightParams {
            environment: name,
            ..self.document.scene().light.clone()
        };
        if let Err(error) = self.session.choose_environment(light) {
            self.ui.toasts.error(error);
        }
    }

    /// Looks at a file that was dropped on the window, beside it.
    pub fn dropped(&mut self, path: PathBuf) {
        let title = format!("Looking at {}", name_of(&path));
        self.start(Queue::Quick, title, move |_| {
            let found = DroppedFile::of(path);
            Ok(found.map_or_else(JobOutcome::Failed, JobOutcome::Dropped))
        });
    }

    /// Does what a dropped file is meant for.
    pub(super) fn take_dropped(&mut self, file: DroppedFile) {
        self.perform(match file {
            DroppedFile::Sequence(path) => Command::Sequence(path),
            DroppedFile::Groom(path) => Command::Groom(path),
            DroppedFile::Head(path) => Command::Head(path),
            DroppedFile::Scene(path) => Command::Open(path),
            DroppedFile::Recorded(path) => Command::Play(path),
            DroppedFile::Map(path) => return self.lay_map(&path),
            DroppedFile::Environment(path) => Command::Environment(path.display().to_string()),
        });
    }
}

#[cfg(test)]
mod tests;
