//! The hair as it is now, written by a job.

use super::Session;
use crate::{
    groom::Followers,
    io::{
        self, name_of,
        scene::file_named,
        strands::{self, Format, Writing},
    },
    mesh::sequence::is_frame,
    param::Value,
    project::{
        export::{ExportOptions, Exporter, HeadGoes},
        scene::Scene,
        sides::Side,
    },
    session::{
        jobs::{Cancelled, Queue},
        outcome::{ExportedHair, JobOutcome},
    },
};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

impl Session {
    /// Writes the strands as they are now, in the unit and with the axis of the `options`.
    ///
    /// # Errors
    /// When the name's ending says no format, when files of the format do not know the axis,
    /// when the head would replace a file of the scene, when the file is being written already,
    /// when there is no hair, or when the system gives no thread: one sentence.
    pub fn export(
        &mut self,
        path: PathBuf,
        scene: &Scene,
        options: ExportOptions,
    ) -> Result<(), String> {
        self.check_free(&path)?;
        let (format, writing) = writer(&path)?;
        let Some(built) = self.built.clone() else {
            return Err("there is no hair yet".into());
        };
        let Some(positions) = self.shared_positions(Side::A) else {
            return Err("the hair is just being built; try again".into());
        };
        let axis = options.up.axis(built.file_axes, format);
        let (up, _) = axis.map_err(|why| odd_axis(&path, why))?;
        let goes = HeadGoes::of(options.head, format);
        let beside = goes.file(&path);
        let replaced = beside.as_deref().and_then(|head| named_by(scene, head));
        if let (Some(head), Some(name)) = (&beside, replaced) {
            return Err(format!(
                "the head would replace {}, which {name} names; give the hair another name, or \
                 leave the head out",
                head.display()
            ));
        }
        let (pose, shape, scene) = (self.now().pose, self.now().shape.clone(), scene.clone());
        let title = format!("Exporting {}", name_of(&path));
        let written = path.clone();
        let started = self.start(Queue::Files, title, move |progress| {
            progress.at("planting the followers", 0.0)?;
            let mesh = &built.head.mesh;
            let go_on = || !progress.is_cancelled();
            let each = options.strands.followers(scene.followers.each);
            let followers = Followers::plant_while(&built.groom, mesh, &built.bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("finding roots on the texture", 0.2)?;
            let (groom, origin) = (&built.groom, built.origin.clone());
            let metres = options.unit.metres();
            let exporter = Exporter::new(groom, origin, &built.body, followers, metres, &go_on);
            let exporter = exporter.for_file(options.strands, format, up);
            progress.at("growing the followers", 0.3)?;
            let mut strands = exporter.strands(groom, &positions, &pose, &scene, &go_on);
            let places = match shape.is_empty() {
                true => &mesh.positions,
                false => &shape,
            };
            let within = matches!(goes, HeadGoes::Within(_));
            strands.head = within.then(|| exporter.worn_head(mesh, places, &pose));
            let mut told = |share| progress.at("writing", 0.5 + 0.5 * share).is_ok();
            let lost = match strands::write_while(&path, writing, &strands, &mut told) {
                Ok(Some(lost)) => lost,
                Ok(None) => return Err(Cancelled),
                Err(error) => return Ok(JobOutcome::Failed(error.to_string())),
            };
            if let Some(head) = &beside {
                let text = exporter.head(mesh, places, &pose);
                if let Err(error) = io::write_atomic(head, text.as_bytes()) {
                    let (path, why) = (head.display(), io::reason(&error));
                    let text = format!("the hair is exported, but cannot write {path}: {why}");
                    return Ok(JobOutcome::Failed(text));
                }
            }
            Ok(JobOutcome::Exported(Box::new(ExportedHair {
                bytes: std::fs::metadata(&path).map_or(0, |file| file.len()),
                head: beside.or_else(|| within.then(|| path.clone())),
                path,
                strands: strands.len(),
                points: strands.points.len(),
                unit: options.unit,
                up,
                lost,
            })))
        });
        self.exports.push((started?, written));
        Ok(())
    }

    /// Whether hair is being written.
    pub fn is_exporting(&self) -> bool {
        self.exports.iter().any(|(job, _)| self.jobs.has(*job))
    }

    /// Refuses to write what another job writes.
    pub(super) fn check_free(&mut self, path: &Path) -> Result<(), String> {
        let Self { exports, jobs, .. } = self;
        exports.retain(|(job, _)| jobs.has(*job));
        match exports.iter().any(|(_, other)| meet(other, path)) {
            true => Err(format!(
                "{} is being written already; wait until that is done, or choose another name",
                path.display()
            )),
            false => Ok(()),
        }
    }
}

/// Whether two names, of a file or of a pattern of files, stand for the same file, however
/// they are written.
fn meet(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
    // Two patterns meet in their first files.
    let first = |path: &Path| strands::numbered(path, 1).unwrap_or_else(|| path.into());
    let (a, b) = (whole(a), whole(b));
    let covers = |pattern, file| strands::is_of_pattern(pattern, file);
    first(&a) == first(&b) || covers(&a, &b) || covers(&b, &a)
}

/// The format that the name of a file says.
pub(super) fn writer(path: &Path) -> Result<(&'static Format, &'static Writing), String> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    strands::writer(&ending).ok_or_else(|| {
        format!(
            "{}: no format is named .{ending}; let the name end in .{}",
            path.display(),
            strands::written_names(", .")
        )
    })
}

/// What is said where a file cannot say which axis points up.
pub(super) fn odd_axis(path: &Path, why: &str) -> String {
    format!("{}: {why}; choose another axis", path.display())
}

/// The key of the scene that names the file `path`, or another frame of the same head.
pub(super) fn named_by(scene: &Scene, path: &Path) -> Option<String> {
    let place = fs::canonicalize(path).ok()?;
    scene.sections().iter().find_map(|section| {
        section
            .tunables()
            .iter()
            .enumerate()
            .find_map(|(index, tunable)| {
                let name = format!("{}.{}", section.section(), tunable.key);
                let Value::Text(value) = section.get(index) else {
                    return None;
                };
                let file = file_named(&name, &value)?;
                let file = fs::canonicalize(file).ok()?;
                let is_it = file == place;
                let is_beside = || is_frame(&file) && unnumbered(&file) == unnumbered(&place);
                (is_it || name == "motion.sequence" && is_beside()).then_some(name)
            })
    })
}

/// What the files of a moving head have in common: the name but for the number at the end of
/// its stem, and the ending.
fn unnumbered(path: &Path) -> (PathBuf, Option<&OsStr>) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    (path.with_file_name(stem), path.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_scene_names_are_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let text = |name: &str| path(name).to_string_lossy().into_owned();
        for name in [
            "head_a.obj",
            "head_b.0001.obj",
            "head_b.0002.obj",
            "head_c.obj",
            "head_d.obj",
        ] {
            fs::write(path(name), "").expect("written");
        }
        let mut scene = Scene::default();
        scene.head.file = text("./head_a.obj");
        scene.sim.motion.sequence = text("head_b.0001.obj");
        scene.import.file = text("head_c.obj");
        for (name, key) in [
            ("head_a.obj", Some("head.file")),
            ("head_b.0002.obj", Some("motion.sequence")),
            ("head_c.obj", Some("import.file")),
            ("head_d.obj", None),
            ("not_there.obj", None),
        ] {
            assert_eq!(named_by(&scene, &path(name)).as_deref(), key, "{name}");
        }
    }

    #[test]
    fn names_of_the_same_file_meet_however_they_are_written() {
        let met =
            |a: &str, b: &str| meet(Path::new(a), Path::new(b)) && meet(b.as_ref(), a.as_ref());
        assert!(met("h.abc", "./h.abc"));
        assert!(met("h.####.obj", "h.$F4.obj"));
        assert!(met("h.####.obj", "./h.0007.obj"));
        assert!(!met("h.abc", "h.usda"));
        assert!(!met("h.####.obj", "other/h.0007.obj"));
        assert!(!met("h.####.obj", "h.####.ply"));
    }
}
