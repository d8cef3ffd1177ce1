//! The hair as it is now, written by a job.

use super::Session;
use crate::{
    groom::Followers,
    io::strands,
    project::{export::Exporter, scene::Scene, sides::Side},
    session::{
        jobs::{Cancelled, Queue},
        outcome::{JobOutcome, name_of},
    },
};
use std::path::PathBuf;

impl Session {
    /// Writes all drawn strands as they are now, in centimetres.
    ///
    /// # Errors
    /// When the name's ending says no format, when there is no hair, or when the
    /// system gives no thread: one sentence.
    pub fn export(&mut self, path: PathBuf, scene: &Scene) -> Result<(), String> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let Some((_, writing)) = strands::writer(&ending) else {
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
        let (pose, scene) = (self.now().pose, scene.clone());
        let title = format!("Exporting {}", name_of(&path));
        let started = self.start(Queue::Files, title, move |progress| {
            progress.at("planting the followers", 0.0)?;
            let mesh = &built.head.mesh;
            let go_on = || !progress.is_cancelled();
            let each = scene.followers.each;
            let followers = Followers::plant_while(&built.groom, mesh, &built.bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("finding roots on the texture", 0.2)?;
            let (groom, origin) = (&built.groom, built.origin.clone());
            let exporter = Exporter::new(groom, origin, &built.body, followers, 0.01, &go_on);
            progress.at("growing the followers", 0.3)?;
            let strands = exporter.strands(groom, &positions, &pose, &scene, &go_on);
            let mut told = |share| progress.at("writing", 0.5 + 0.5 * share).is_ok();
            match strands::write_while(&path, writing, &strands, &mut told) {
                Ok(Some(lost)) => Ok(JobOutcome::Exported(path, lost)),
                Ok(None) => Err(Cancelled),
                Err(error) => Ok(JobOutcome::Failed(error.to_string())),
            }
        });
        self.export_job = Some(started?);
        Ok(())
    }

    /// Whether hair is being written.
    pub fn is_exporting(&self) -> bool {
        self.export_job.is_some_and(|job| self.jobs.has(job))
    }
}
