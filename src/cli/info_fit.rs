//! `lovelock info GROOM`: what of a groom each format loses; with `--head HEAD` how it
//! lies to a head, and what `--fit` would do.

use crate::{
    groom::{Better, fit_verdict::FitFigures},
    io::strands::{self, Strands},
    project::{built_scene::BuildError, fitted, scene::Scene},
};
use serde::Serialize;
use std::path::Path;

/// So many strands are written to see what a format loses.
const SAMPLE: usize = 300;

/// How a groom lies to a head.
#[derive(Debug, Serialize)]
pub struct HeadFit {
    /// One sentence: size, unit, axis, distance.
    pub summary: String,
    /// Roots to skin. `[m]`
    mean_distance_m: f32,
    largest_distance_m: f32,
    /// How it lies, in figures.
    pub lies: Lies,
    /// What `--fit` sets; none where it changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fit: Option<FitOffer>,
    /// What is left out or taken otherwise on import.
    pub warnings: Vec<String>,
}

/// How a groom lies to a head, in figures.
#[derive(Debug, Serialize)]
pub struct Lies {
    /// `well`, `fairly` or `doubtful`.
    verdict: &'static str,
    /// The same in one line, with the figures that say so.
    pub told: String,
    median_distance_m: f32,
    largest_distance_m: f32,
    on_scalp_share: f32,
    deep_share: f32,
    mean_length_m: f32,
    breadth_m: f32,
}

impl Lies {
    fn new(figures: &FitFigures) -> Self {
        Self {
            verdict: figures.verdict().name(),
            told: figures.to_string(),
            median_distance_m: figures.median,
            largest_distance_m: figures.largest,
            on_scalp_share: figures.on_scalp,
            deep_share: figures.deep,
            mean_length_m: figures.length,
            breadth_m: figures.breadth,
        }
    }
}

/// What `--fit` sets.
#[derive(Debug, Serialize)]
pub struct FitOffer {
    units: &'static str,
    up: &'static str,
    turn: f32,
    scale: f32,
    offset: [f32; 3],
    /// Whether it is taken for hair of a part of the head, at its own size.
    is_part: bool,
    /// Roots to skin on average, then. `[m]`
    distance_m: f32,
    /// The same in words.
    #[serde(skip)]
    pub told: String,
}

impl FitOffer {
    fn new(better: &Better) -> Self {
        Self {
            units: better.units.name(),
            up: better.up.name(),
            turn: better.turn,
            scale: better.scale,
            offset: better.offset,
            is_part: better.is_part,
            distance_m: better.distance,
            told: better.to_string(),
        }
    }
}

/// What a format does not keep of a groom.
#[derive(Debug, Serialize)]
pub struct FormatLoss {
    /// The format's name on the command line.
    pub format: &'static str,
    /// A sentence each; none where nothing is lost.
    pub lost: Vec<String>,
}

/// How the groom in `file` lies to the head, of which each strand has `points` points
/// where it lists points alone; without a `head` to the built-in bust.
pub fn fit(file: &Path, head: Option<&Path>, points: u32) -> Result<HeadFit, BuildError> {
    let mut scene = Scene::default();
    scene.head.file = head.map_or_else(String::new, |head| head.display().to_string());
    scene.import.file = file.display().to_string();
    scene.import.points = points;
    let report = fitted::bound(&scene)?.unwrap_or_default();
    Ok(HeadFit {
        fit: report.better.as_ref().map(FitOffer::new),
        lies: Lies::new(&report.figures),
        mean_distance_m: report.mean_distance,
        largest_distance_m: report.largest_distance,
        summary: report.summary,
        warnings: report.warnings,
    })
}

/// What each format would lose of these strands, as some of them show.
pub fn losses(strands: &Strands) -> Vec<FormatLoss> {
    let some = sample(strands);
    let lost = |writing: &strands::Writing, name: &str| {
        let bytes = match (writing.write)(&some) {
            Ok(bytes) => bytes,
            Err(fault) => return vec![fault.text],
        };
        match strands::parse(&bytes, Path::new(name)) {
            Ok((_, back)) => strands::lost(&some, &back),
            Err(fault) => vec![fault.text],
        }
    };
    strands::written()
        .map(|(format, writing)| FormatLoss {
            format: format.id,
            lost: lost(writing, &format!("x.{}", format.endings[0])),
        })
        .collect()
}

/// The first strands, with all that is said of them.
fn sample(strands: &Strands) -> Strands {
    let count = strands.len().min(SAMPLE);
    let points = strands.starts.get(count).map_or(0, |end| *end as usize);
    let cut = |n: usize, all: usize| n.min(all);
    Strands {
        points: strands.points[..points].to_vec(),
        starts: strands.starts[..=count].to_vec(),
        widths: strands.widths[..cut(points, strands.widths.len())].to_vec(),
        colours: strands.colours[..cut(points, strands.colours.len())].to_vec(),
        root_uvs: strands.root_uvs[..cut(count, strands.root_uvs.len())].to_vec(),
        attributes: (strands.attributes.iter())
            .map(|column| match column.of {
                strands::Of::Groom => column.clone(),
                strands::Of::Strand => column.picked(0..count),
                strands::Of::Point => column.picked(0..points),
            })
            .collect(),
        up: strands.up,
        metres_per_unit: strands.metres_per_unit,
        ..Strands::default()
    }
}
