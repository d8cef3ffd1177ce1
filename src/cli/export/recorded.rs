//! Hair of a cache into files of other programs, as `lovelock convert` writes it.

use super::ExportArgs;
use crate::{
    cli::{targets::CommandFiles, usage::Usage},
    project::{
        built_scene::BuiltScene,
        export::{ExportPace, FrameExport},
        scene::Scene,
    },
};
use std::{ops::RangeInclusive, path::Path};

impl ExportArgs {
    /// The id of the format that was asked for.
    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// The first option that asks for more than a file and its format, but for those that are
    /// `allowed`; none where none does.
    pub fn option_but(&self, allowed: &[&str]) -> Option<&'static str> {
        let given = [
            ("--export-units", self.export_units.is_some()),
            ("--export-for", self.export_for.is_some()),
            ("--export-up", self.export_up.is_some()),
            ("--export-drawn", self.export_drawn),
            ("--export-strands", self.export_strands.is_some()),
            ("--export-head", self.export_head),
            ("--export-camera", self.export_camera),
        ];
        let pace = self.pace_option().map(|name| (name, true));
        let given = given.into_iter().chain(pace);
        let mut asked = given
            .into_iter()
            .filter(|(_, is)| *is)
            .map(|(name, _)| name);
        asked.find(|name| !allowed.contains(name))
    }

    /// The option that says which states of a simulation are written.
    fn pace_option(&self) -> Option<&'static str> {
        let fps = self.export_fps.map(|_| "--export-fps");
        fps.or(self.export_every.map(|_| "--export-every"))
    }

    /// `targets` with the files that are written, `what` names them.
    pub fn among_results(&self, what: &str, targets: CommandFiles) -> CommandFiles {
        match &self.export {
            Some(path) => self.named(what, path, targets),
            None => targets,
        }
    }

    /// Refuses what cannot be written of so many `frames` of the cache `file`, before the
    /// long work.
    pub fn check_recorded(&self, file: &Path, frames: &RangeInclusive<u32>) -> anyhow::Result<()> {
        if let Some(option) = self.pace_option() {
            return Err(Usage(format!(
                "{option} is for a simulation; a cache is written frame by frame, and --frames \
                 says which of them"
            ))
            .into());
        }
        let Some((target, format, writing)) = self.asked()? else {
            return Ok(());
        };
        let one = frames.start() == frames.end();
        self.check_animation(format, !one, "choose more with --frames")?;
        if one || self.numbered(&target).is_some() || writing.film.is_some() {
            return Ok(());
        }
        let (first, last) = (frames.start(), frames.end());
        let ending = format.endings.first().unwrap_or(&format.id);
        Err(Usage(format!(
            "{} has frames {first} to {last}, and a file of {} holds one: write \
             hair.####.{ending}, choose a frame like --frames {last}..{last}, or choose --format \
             abc, usda, usdc or usdz",
            file.display(),
            format.name,
        ))
        .into())
    }

    /// Begins what was asked for, with these `frames` of hair that was recorded at so many
    /// a second: a pose where it is one, or an animation.
    pub fn begin_recorded(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        frames: &RangeInclusive<u32>,
        fps: f64,
    ) -> anyhow::Result<Option<FrameExport>> {
        let (first, count) = (*frames.start() as usize, frames.clone().count());
        let plan = (count > 1).then_some((count, fps));
        let begun = self.begin_paced(stage, scene, ExportPace::End, plan, first)?;
        Ok(begun.map(|export| export.telling_moves(scene, "")))
    }
}
