//! Scenes written and read, and files dropped on the window.

use super::{
    AppState,
    jobs::{Done, ReadFor, name_of},
};
use crate::{
    groom::{Followers, ImportParams},
    io::{cache, strands},
    mesh::{HeadParams, sequence},
    param::Value,
    project::{built_scene, compare::Side, document::drop_sequence, export::Exporter, playback},
    session::{
        jobs::{Cancelled, Queue},
        sim_handle::BuildResult,
    },
    ui::{command::Command, groom_rows},
};
use std::path::{Path, PathBuf};

/// How the message about a groom that is astray begins.
const MISFIT: &str = "The groom does not fit this head";

impl AppState {
    /// Plays a cache; the scene in it becomes the scene.
    pub(super) fn play(&mut self, path: &Path) {
        if self.recorder.is_recording() {
            self.toasts.error("Stop the recording first");
            return;
        }
        self.dialog = None;
        let title = format!("Opening {}", name_of(path));
        let path = path.to_path_buf();
        self.make_read(title, move || {
            let opened = playback::open(&path).map_err(|error| error.to_string());
            let (reader, scene) = opened?;
            built_scene::check_solvers(&scene).map_err(|error| error.to_string())?;
            Ok((scene, ReadFor::Play(Box::new(reader))))
        });
    }

    /// Takes that head.
    pub(super) fn take_head_file(&mut self, path: &Path) {
        self.dialog = None;
        let file = path.display().to_string();
        self.make(format!("Opening {}", name_of(path)), move |scene| {
            // How another file was read says nothing of this one.
            scene.head = HeadParams {
                file: file.clone(),
                ..HeadParams::default()
            };
            drop_sequence(scene);
        });
    }

    /// Takes the hair from that file, or lets it grow.
    pub(super) fn take_groom(&mut self, path: Option<PathBuf>) {
        self.dialog = None;
        let title = match &path {
            Some(path) => format!("Opening {}", name_of(path)),
            None => "Growing hair".into(),
        };
        let file = path.map_or_else(String::new, |path| path.display().to_string());
        self.make(title, move |scene| {
            // How another file was fitted says nothing of this one.
            scene.import = ImportParams {
                file: file.clone(),
                guides: scene.import.guides,
                ..ImportParams::default()
            };
        });
    }

    /// Turns, sizes and places the groom so that it is nearest to the head.
    pub(super) fn fit_groom(&mut self) {
        let bound = self.built().and_then(|built| built.bound.clone());
        let Some(better) = bound.and_then(|bound| bound.better) else {
            return;
        };
        self.make("Fitting the hair to the head".into(), move |scene| {
            scene.import = better.apply(&scene.import);
        });
    }

    /// Writes all drawn strands as they are now, in centimetres.
    pub(super) fn export(&mut self, path: PathBuf) {
        self.dialog = None;
        if let Err(message) = self.try_export(path) {
            self.toasts.error(message);
        }
    }

    fn try_export(&mut self, path: PathBuf) -> Result<(), String> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let ending = ending.to_lowercase();
        let known = strands::written().find(|(format, _)| format.id == ending);
        let Some((_, writing)) = known else {
            return Err(format!(
                "{}: no format is named .{ending}; let the name end in .{}",
                path.display(),
                strands::written_names(", .")
            ));
        };
        let Some(built) = self.built.clone() else {
            return Err("there is no hair yet".into());
        };
        let Some(positions) = self.shared_positions(Side::A) else {
            return Err("the hair is just being built; try again".into());
        };
        let (pose, scene) = (self.now().pose, self.document.scene().clone());
        let title = format!("Exporting {}", name_of(&path));
        self.start(Queue::Files, title, move |progress| {
            progress.at("planting the strands between", 0.0)?;
            let head = (&*built.head.mesh, &built.body.surface);
            let go_on = || !progress.is_cancelled();
            let each = scene.followers.each;
            let followers = Followers::plant_while(&built.groom, head.0, &built.bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("finding roots on the texture", 0.2)?;
            let (groom, bound) = (&built.groom, built.bound.as_deref());
            let exporter = Exporter::new(groom, bound, head, followers, 0.01, &go_on);
            progress.at("growing the strands between", 0.3)?;
            let strands = exporter.strands(groom, &positions, &pose, &scene, &go_on);
            let mut told = |share| progress.at("writing", 0.5 + 0.5 * share).is_ok();
            match strands::write_while(&path, writing, &strands, &mut told) {
                Ok(Some(lost)) => Ok(Done::Exported(path, lost)),
                Ok(None) => Err(Cancelled),
                Err(error) => Ok(Done::Failed(error.to_string())),
            }
        });
        Ok(())
    }

    /// Says what is odd about a head; of an unclear size until somebody answers.
    pub(super) fn tell_head(&mut self, built: &BuildResult) {
        let report = &built.head.report;
        if report.unsure {
            self.toasts.ask(format!(
                "{}: {}",
                report.name, "its size is unclear; choose its unit or its height under \"Head\""
            ));
        }
        let odd = report.warnings.iter();
        // What is asked is not told as well.
        let odd = odd.filter(|text| !(report.unsure && text.contains("its size is unclear")));
        for warning in odd.take(2) {
            self.toasts.warn(warning.clone());
        }
    }

    /// Says how a groom came onto the head, once.
    pub(super) fn tell_groom(&mut self, built: &BuildResult) {
        let last = self.built().and_then(|old| old.bound.clone());
        if last != built.bound {
            self.toasts.retract(MISFIT);
        }
        let Some(bound) = built
            .bound
            .as_ref()
            .filter(|now| last.as_ref() != Some(*now))
        else {
            return;
        };
        if let Some(better) = &bound.better {
            let text = format!(
                "{MISFIT}: its roots are {:.0} mm from the skin. A fit brings them to {:.1} mm",
                1e3 * bound.mean_distance,
                1e3 * better.distance
            );
            let fit = (groom_rows::FIT.to_string(), Command::FitGroom);
            self.toasts.offer(text, vec![fit]);
            return;
        }
        self.toasts.tell(bound.summary.clone());
        for warning in bound.warnings.iter().take(2) {
            self.toasts.warn(warning.clone());
        }
    }

    /// Lets a picture say where hair grows.
    pub(super) fn lay_map(&mut self, path: &Path) {
        let Some(place) = self.document.scene().place("roots.density_map") else {
            return;
        };
        self.toasts.tell(format!(
            "{} says now where hair grows (Ctrl+Z takes it away)",
            path.display()
        ));
        self.perform(Command::Set {
            place,
            value: Value::Text(path.display().to_string()),
            held: false,
        });
    }

    /// Looks at a file that was dropped on the window, beside it.
    pub fn dropped(&mut self, path: PathBuf) {
        let title = format!("Looking at {}", name_of(&path));
        self.start(Queue::Quick, title, move |_| Ok(meant(path)));
    }
}

/// What a file is dropped for.
fn meant(path: PathBuf) -> Done {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    Done::Dropped(match ending.as_deref() {
        // A frame of many is meant to be played; one that only has a number
        // in its name is not.
        Some("obj") if sequence::is_frame(&path) => Command::Sequence(path),
        // Lines without faces are hair, whatever else is in an OBJ.
        Some("obj") if strands::is_hair(&path) => Command::Groom(path),
        Some("obj") => Command::Head(path),
        Some("toml") => Command::Open(path),
        Some("png" | "jpg" | "jpeg" | "tga" | "bmp") => return Done::Map(path),
        _ if strands::is_named_like_groom(&path) => Command::Groom(path),
        _ if cache::is_cache(&path) => Command::Play(path),
        _ => {
            return Done::Failed(format!(
                "{} is neither a head (.obj), a groom (.hair, .tfx, .data, .ply, .usda, ...), a \
                 scene (.toml), a density map (.png, .jpg) nor a cache",
                path.display()
            ));
        }
    })
}
