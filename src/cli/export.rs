//! `lovelock simulate --export`: hair into files of other programs.

use super::{output::say, usage::Usage};
use crate::math::counted;
use crate::{
    groom::Followers,
    io::{
        self,
        strands::{self, Film, Format, Writing},
    },
    project::{built_scene::BuiltScene, export::Exporter, scene::Scene},
};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// A larger film is not read again to see what it lost. `[bytes]`
pub const MOST_READ_BACK: u64 = 200 << 20;

/// What to write of the hair.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Export")]
pub struct ExportArgs {
    /// Write the hair: the pose at the end; with #### for a number in the name
    /// a file for each frame; as .abc, .usda, .usdc or .usdz with --export-every one file with all
    #[arg(long, value_name = "PATTERN")]
    export: Option<PathBuf>,
    /// hair, tfx, data, bin, ply, obj, usda, usdc, usdz or abc [default: by the name's ending]
    #[arg(long, value_name = "FORMAT", requires = "export")]
    format: Option<String>,
    /// Length unit of the file
    #[arg(long, value_name = "UNIT", default_value = "m", requires = "export")]
    export_units: LengthUnit,
    /// An animation: a frame after each N steps of the simulation, and the
    /// beginning [default: as near to capture.fps as whole steps come]
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u64).range(1..))]
    export_every: Option<u64>,
    /// Followers too, not the simulated strands alone
    #[arg(long, requires = "export")]
    export_drawn: bool,
    /// The head too, as OBJ beside each file, its name behind "head_"
    #[arg(long, requires = "export")]
    export_head: bool,
}

/// A length unit of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub enum LengthUnit {
    /// Metres
    #[default]
    M,
    /// Centimetres
    Cm,
    /// Millimetres
    Mm,
}

/// What is written while the hair moves.
pub struct Export {
    target: PathBuf,
    format: &'static Format,
    writing: &'static Writing,
    exporter: Exporter,
    film: Option<Box<dyn Film>>,
    /// Steps from frame to frame; none writes the end alone.
    every: Option<u64>,
    head: bool,
    positions: Vec<glam::Vec3>,
    frames: usize,
    lost: Vec<String>,
}

impl ExportArgs {
    /// One pose into the file `path`: of the `format` of that id or, without one,
    /// of its name's; with followers where what is `drawn` is meant; with the head.
    pub fn of_pose(
        path: PathBuf,
        format: Option<String>,
        unit: LengthUnit,
        drawn: bool,
        head: bool,
    ) -> Self {
        Self {
            export_every: strands::numbered(&path, 1).map(|_| 1),
            export: Some(path),
            format,
            export_units: unit,
            export_drawn: drawn,
            export_head: head,
        }
    }

    /// Writes the hair of `stage` as it is now; returns what the file does not hold,
    /// a sentence each.
    ///
    /// # Errors
    /// When the format is unknown or the file cannot be written.
    pub fn pose(&self, stage: &BuiltScene, scene: &Scene) -> anyhow::Result<Vec<String>> {
        let Some(mut export) = self.begin(stage, scene, 1)? else {
            return Ok(Vec::new());
        };
        export.step(stage, scene, 1, 1)?;
        Ok(export.lost)
    }

    /// Refuses what cannot be written, before the long work.
    pub fn check(&self) -> anyhow::Result<()> {
        self.target().map(|_| ())
    }

    /// Where to write, and as what; none when nothing was asked for.
    fn target(&self) -> anyhow::Result<Option<(PathBuf, &'static Format, &'static Writing)>> {
        let Some(target) = self.export.clone() else {
            return Ok(None);
        };
        let ending = target
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        let id = self.format.clone().or(ending).unwrap_or_default();
        let known = strands::written().find(|(format, _)| format.id == id);
        let Some((format, writing)) = known else {
            return Err(Usage(format!(
                "\"{id}\" is no format that is written; choose --format {}",
                strands::written_names(", ")
            ))
            .into());
        };
        let numbered = strands::numbered(&target, 1);
        let filmed = writing.film.is_some();
        if self.export_every.is_some() && numbered.is_none() && !filmed {
            return Err(Usage(format!(
                "an animation needs a number in each file's name: write --export \
                 hair.####.{id}, or choose --format abc, usda, usdc or usdz"
            ))
            .into());
        }
        let first = numbered.unwrap_or_else(|| target.clone());
        io::probe(&first).map_err(|error| {
            anyhow::anyhow!("cannot write {}: {}", first.display(), io::reason(&error))
        })?;
        Ok(Some((target, format, writing)))
    }

    /// Begins what was asked for.
    pub fn begin(
        &self,
        stage: &BuiltScene,
        scene: &Scene,
        steps: u64,
    ) -> anyhow::Result<Option<Export>> {
        let Some((target, format, writing)) = self.target()? else {
            return Ok(None);
        };
        let numbered = strands::numbered(&target, 1).is_some();
        let rate = f64::from(scene.sim.step.rate);
        let usual = (rate / f64::from(scene.capture.fps)).round().max(1.0) as u64;
        let every = match (self.export_every, numbered) {
            (None, false) => None,
            (every, _) => Some(every.unwrap_or(usual)),
        };
        let metres = match self.export_units {
            LengthUnit::M => 1.0,
            LengthUnit::Cm => 0.01,
            LengthUnit::Mm => 0.001,
        };
        let film = match (every, writing.film) {
            (Some(every), Some(begin)) if !numbered => {
                let frames = 1 + (steps / every) as usize;
                let film = begin(&target, frames, rate / every as f64);
                Some(film.map_err(|error| fault(&target, &error))?)
            }
            _ => None,
        };
        let each = match self.export_drawn {
            true => scene.followers.each,
            false => 0,
        };
        let followers = Followers::plant(&stage.groom, &stage.head.mesh, &stage.bed, each);
        Ok(Some(Export {
            target,
            format,
            writing,
            exporter: Exporter::new(
                &stage.groom,
                stage.origin.clone(),
                &stage.body,
                followers,
                metres,
                &|| true,
            ),
            film,
            every,
            head: self.export_head,
            positions: Vec::new(),
            frames: 0,
            lost: Vec::new(),
        }))
    }
}

fn fault(path: &Path, error: &std::io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot write {}: {}", path.display(), io::reason(error))
}

impl Export {
    /// Takes the pose after `step` of `steps`, if it is one to write.
    pub fn step(
        &mut self,
        stage: &BuiltScene,
        scene: &Scene,
        step: u64,
        steps: u64,
    ) -> anyhow::Result<()> {
        let due = match self.every {
            Some(every) => step.is_multiple_of(every),
            None => step == steps,
        };
        if !due {
            return Ok(());
        }
        self.frames += 1;
        let simulation = &stage.simulation;
        simulation.write_positions(&mut self.positions);
        let pose = simulation.pose();
        let strands = self
            .exporter
            .strands(&stage.groom, &self.positions, &pose, scene, &|| true);
        let path = strands::numbered(&self.target, self.frames);
        let path = path.unwrap_or_else(|| self.target.clone());
        match &mut self.film {
            Some(film) => film.add(&strands).map_err(|error| fault(&path, &error))?,
            None => {
                for line in strands::write(&path, self.writing, &strands)? {
                    if !self.lost.contains(&line) && self.lost.len() < 8 {
                        self.lost.push(line);
                    }
                }
            }
        }
        if self.head && (self.film.is_none() || self.frames == 1) {
            let mesh = &stage.head.mesh;
            let shape = simulation.shape();
            let places = shape.as_deref().unwrap_or(&mesh.positions);
            let text = self.exporter.head(mesh, places, &pose);
            let path = beside(&path);
            io::write_atomic(&path, text.as_bytes()).map_err(|error| fault(&path, &error))?;
        }
        Ok(())
    }

    /// Ends the writing and tells what was written and what was lost.
    pub fn finish(mut self) -> anyhow::Result<()> {
        if let Some(film) = self.film.take() {
            film.finish().map_err(|error| fault(&self.target, &error))?;
            // A reader takes a whole file into memory.
            let size = std::fs::metadata(&self.target).map_or(0, |metadata| metadata.len());
            if size <= MOST_READ_BACK {
                let (_, back) = strands::read(&self.target)?;
                self.lost.push(format!(
                    "read back: {}, {} in the first frame",
                    counted(back.len(), "strand", "strands"),
                    counted(back.points.len(), "point", "points")
                ));
            }
        }
        let files = match self.frames {
            1 => String::new(),
            frames => format!(", {frames} frames"),
        };
        say!(
            "{:<12} {}{files}, {}",
            "exported",
            self.target.display(),
            self.format.name
        )?;
        for line in &self.lost {
            say!("{:<12} {line}", "")?;
        }
        Ok(())
    }
}

/// The name of the head that belongs to a file.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("head_{name}"))
        .with_extension("obj")
}
