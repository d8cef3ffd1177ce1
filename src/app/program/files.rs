//! Scenes written and read, and files dropped on the window.

use super::Program;
use crate::{
    app::{
        command::Command,
        export::Exporter,
        playback,
        scene::Scene,
        stage, wig,
        worker::{Built, Order},
    },
    groom::ImportParams,
    io::{cache, strands},
    mesh::footage,
    param::Value,
};
use std::path::{Path, PathBuf};

impl Program {
    pub(super) fn save(&mut self, path: PathBuf) {
        match self.scene.write(&path) {
            Ok(()) => {
                self.toasts.tell(format!("Saved {}", path.display()));
                self.recent.note(&path);
                self.scene_file = Some(path);
                self.dialog = None;
            }
            Err(error) => self.toasts.error(error.to_string()),
        }
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        if cache::is_cache(&path) {
            return self.play(&path);
        }
        let mut scene = Scene::default();
        let read = scene.read(&path);
        let checked = read
            .map_err(|error| error.to_string())
            .and_then(|()| stage::check_solvers(&scene).map_err(|error| error.to_string()));
        match checked {
            Ok(()) => {
                self.change(|old| {
                    *old = scene;
                    Ok(())
                });
                self.toasts.tell(format!("Opened {}", path.display()));
                self.recent.note(&path);
                self.scene_file = Some(path);
                self.dialog = None;
            }
            Err(message) => self.toasts.error(message),
        }
    }

    /// Plays a cache; the scene in it becomes the scene.
    pub(super) fn play(&mut self, path: &Path) {
        if self.recorder.is_recording() {
            self.toasts.error("Stop the recording first");
            return;
        }
        let opened = playback::open(path).map_err(|error| error.to_string());
        let checked = opened.and_then(|(reader, scene)| {
            stage::check_solvers(&scene).map_err(|error| error.to_string())?;
            Ok((reader, scene))
        });
        match checked {
            Ok((reader, scene)) => {
                let told = reader.told();
                if told.contains(';') {
                    self.toasts.error(format!("{}: {told}", path.display()));
                }
                self.dialog = None;
                self.scene_file = None;
                self.change(|old| {
                    *old = scene;
                    Ok(())
                });
                self.paused = false;
                self.worker.order(Order::Pause(false));
                self.worker.order(Order::Play(Box::new(reader)));
            }
            Err(message) => self.toasts.error(message),
        }
    }

    /// Takes the hair from that file, or lets it grow.
    pub(super) fn take_groom(&mut self, path: Option<PathBuf>) {
        self.dialog = None;
        let file = path.map_or_else(String::new, |path| path.display().to_string());
        self.change(|scene| {
            // How another file was fitted says nothing of this one.
            scene.import = ImportParams {
                file,
                guides: scene.import.guides,
                ..ImportParams::default()
            };
            Ok(())
        });
    }

    /// Turns, sizes and places the groom so that it is nearest to the head.
    pub(super) fn fit_groom(&mut self) {
        let bound = self.built().and_then(|built| built.bound.clone());
        let Some(better) = bound.and_then(|bound| bound.better) else {
            return;
        };
        self.change(|scene| {
            scene.import = better.apply(&scene.import);
            Ok(())
        });
    }

    /// Writes all drawn strands as they are now, in centimetres.
    pub(super) fn export(&mut self, path: PathBuf) {
        self.dialog = None;
        let done = self.try_export(&path);
        match done {
            Ok(lost) => {
                let lost = match lost.is_empty() {
                    true => String::new(),
                    false => format!("; {}", lost.join("; ")),
                };
                self.toasts
                    .tell(format!("Exported {}{lost}", path.display()));
            }
            Err(message) => self.toasts.error(message),
        }
    }

    fn try_export(&self, path: &Path) -> Result<Vec<String>, String> {
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
        let (Some(built), now) = (self.built(), self.now()) else {
            return Err("there is no hair yet".into());
        };
        if now.positions.len() != built.groom.points.len() {
            return Err("the hair is just being built; try again".into());
        }
        let head = (&*built.head.mesh, &built.body.surface);
        let each = self.scene().followers.each;
        let exporter = Exporter::new(
            &built.groom,
            built.bound.as_deref(),
            head,
            &built.bed,
            each,
            0.01,
        );
        let strands = exporter.strands(&built.groom, &now.positions, &now.pose, self.scene());
        strands::write(path, writing, &strands).map_err(|error| error.to_string())
    }

    /// Says how a groom came onto the head, once.
    pub(super) fn tell_groom(&mut self, built: &Built) {
        let last = self.built().and_then(|old| old.bound.clone());
        let Some(bound) = built
            .bound
            .as_ref()
            .filter(|now| last.as_ref() != Some(*now))
        else {
            return;
        };
        if let Some(better) = &bound.better {
            self.toasts.tell(format!(
                "The groom does not fit this head: its roots are {:.0} mm from the skin. \
                 \"Fit to the head\" under \"{}\" brings them to {:.1} mm",
                1e3 * bound.mean_distance,
                wig::TITLE,
                1e3 * better.distance
            ));
            return;
        }
        self.toasts.tell(bound.summary.clone());
        for warning in bound.warnings.iter().take(2) {
            self.toasts.tell(warning.clone());
        }
    }

    /// Lets a picture say where hair grows.
    fn lay_map(&mut self, path: &Path) {
        let Some(place) = self.scene.place("roots.density_map") else {
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

    /// Takes in a file that was dropped on the window.
    pub fn dropped(&mut self, path: PathBuf) {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            // A frame of many is meant to be played; one that only has a number
            // in its name is not.
            Some("obj") if footage::is_frame(&path) => self.perform(Command::Sequence(path)),
            // Lines without faces are hair, whatever else is in an OBJ.
            Some("obj") if strands::is_hair(&path) => self.perform(Command::Groom(path)),
            Some("obj") => self.perform(Command::Head(path)),
            Some("toml") => self.perform(Command::Open(path)),
            Some("png" | "jpg" | "jpeg" | "tga" | "bmp") => self.lay_map(&path),
            _ if strands::is_named_like_groom(&path) => self.perform(Command::Groom(path)),
            _ if cache::is_cache(&path) => self.play(&path),
            _ => self.toasts.error(format!(
                "{} is neither a head (.obj), a groom (.hair, .tfx, .data, .ply, .usda, ...), a \
                 scene (.toml), a density map (.png, .jpg) nor a cache",
                path.display()
            )),
        }
    }
}
