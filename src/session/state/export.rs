//! The hair as it is now, written by a job.

use super::Session;
use crate::{
    groom::Followers,
    io::{self, strands},
    project::{
        export::{ExportOptions, Exporter, head_beside},
        scene::Scene,
        sides::Side,
    },
    session::{
        jobs::{Cancelled, Queue},
        outcome::{ExportedHair, JobOutcome, name_of},
    },
};
use std::path::PathBuf;

impl Session {
    /// Writes the strands as they are now, in the unit and with the axis of the `options`.
    ///
    /// # Errors
    /// When the name's ending says no format, when files of the format do not know the axis,
    /// when there is no hair, or when the system gives no thread: one sentence.
    pub fn export(
        &mut self,
        path: PathBuf,
        scene: &Scene,
        options: ExportOptions,
    ) -> Result<(), String> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let Some((format, writing)) = strands::writer(&ending) else {
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
        let (up, _) = options
            .up
            .axis(built.file_axes, format)
            .map_err(|why| format!("{}: {why}; choose another axis", path.display()))?;
        let (pose, shape, scene) = (self.now().pose, self.now().shape.clone(), scene.clone());
        let title = format!("Exporting {}", name_of(&path));
        let started = self.start(Queue::Files, title, move |progress| {
            progress.at("planting the followers", 0.0)?;
            let mesh = &built.head.mesh;
            let go_on = || !progress.is_cancelled();
            let each = match options.drawn {
                true => scene.followers.each,
                false => 0,
            };
            let followers = Followers::plant_while(&built.groom, mesh, &built.bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("finding roots on the texture", 0.2)?;
            let (groom, origin) = (&built.groom, built.origin.clone());
            let metres = options.unit.metres();
            let exporter = Exporter::new(groom, origin, &built.body, followers, metres, &go_on);
            let mut exporter = exporter.with_up(up);
            if format.carries.columns {
                exporter = exporter.telling_guides();
            }
            progress.at("growing the followers", 0.3)?;
            let mut strands = exporter.strands(groom, &positions, &pose, &scene, &go_on);
            let places = match shape.is_empty() {
                true => &mesh.positions,
                false => &shape,
            };
            let within = options.head && format.carries.head.is_some();
            strands.head = within.then(|| exporter.worn_head(mesh, places, &pose));
            let mut told = |share| progress.at("writing", 0.5 + 0.5 * share).is_ok();
            let lost = match strands::write_while(&path, writing, &strands, &mut told) {
                Ok(Some(lost)) => lost,
                Ok(None) => return Err(Cancelled),
                Err(error) => return Ok(JobOutcome::Failed(error.to_string())),
            };
            let head = options.head.then(|| match within {
                true => path.clone(),
                false => head_beside(&path),
            });
            if let Some(head) = head.as_ref().filter(|_| !within) {
                let text = exporter.head(mesh, places, &pose);
                if let Err(error) = io::write_atomic(head, text.as_bytes()) {
                    let (path, why) = (head.display(), io::reason(&error));
                    let text = format!("the hair is exported, but cannot write {path}: {why}");
                    return Ok(JobOutcome::Failed(text));
                }
            }
            Ok(JobOutcome::Exported(Box::new(ExportedHair {
                bytes: std::fs::metadata(&path).map_or(0, |file| file.len()),
                path,
                head,
                strands: strands.len(),
                points: strands.points.len(),
                unit: options.unit,
                up,
                lost,
            })))
        });
        self.export_job = Some(started?);
        Ok(())
    }

    /// Whether hair is being written.
    pub fn is_exporting(&self) -> bool {
        self.export_job.is_some_and(|job| self.jobs.has(job))
    }
}
