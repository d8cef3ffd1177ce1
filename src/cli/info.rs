//! `lovelock info`: what is in a head or scene file.

use super::say;
use clap::Args;
use lovelock::{
    app::scene::Scene,
    io::scene,
    param::{Params, Value},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct InfoArgs {
    /// The file: a head (.obj) or a scene (.toml)
    file: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What is told of a file; a field that its kind does not have is left out.
#[derive(Debug, Default, Serialize)]
struct Report {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strands: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_vertices: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_vertices: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bbox_min: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bbox_max: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<String>,
    warnings: Vec<String>,
    /// A scene's values that differ from the defaults, by `section.key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<serde_json::Map<String, serde_json::Value>>,
}

pub fn run(args: &InfoArgs) -> anyhow::Result<()> {
    let ending = args.file.extension().map(|e| e.to_ascii_lowercase());
    let report = match ending {
        Some(ending) if ending == "toml" => scene_report(&args.file)?,
        _ => {
            let file = args.file.display();
            std::fs::metadata(&args.file).map_err(|error| {
                anyhow::anyhow!("cannot read {file}: {}", lovelock::io::reason(&error))
            })?;
            anyhow::bail!("{file} is neither a head (.obj) nor a scene (.toml); give one of these");
        }
    };
    if args.json {
        return say!("{}", serde_json::to_string_pretty(&report)?);
    }
    print(&args.file, &report)
}

fn scene_report(file: &Path) -> anyhow::Result<Report> {
    let mut scene = Scene::default();
    scene::read(file, &mut scene.sections_mut())?;
    let strands = u64::from(scene.roots.strands);
    let vertices = u64::from(scene.groom.vertices);
    Ok(Report {
        kind: "scene",
        strands: Some(strands),
        points: Some(strands * vertices),
        min_vertices: Some(vertices),
        max_vertices: Some(vertices),
        units: Some(scene.head.units.name().into()),
        changed: Some(changed(&scene.sections())),
        ..Report::default()
    })
}

fn changed(sections: &[&dyn Params]) -> serde_json::Map<String, serde_json::Value> {
    let mut all = serde_json::Map::new();
    for section in sections {
        for (index, tunable) in section.tunables().iter().enumerate() {
            let value = section.get(index);
            if value == tunable.default {
                continue;
            }
            let value = match value {
                Value::Float(v) => v.into(),
                Value::Int(v) => v.into(),
                Value::Bool(v) => v.into(),
                Value::Choice(v) => v.into(),
                Value::Text(v) => v.into(),
                // Through text, so that 0.1 is told as 0.1.
                Value::Vector(v) => v
                    .map(|c| c.to_string().parse::<f64>().unwrap_or(f64::from(c)))
                    .to_vec()
                    .into(),
            };
            all.insert(format!("{}.{}", section.section(), tunable.key), value);
        }
    }
    all
}

fn print(file: &Path, report: &Report) -> anyhow::Result<()> {
    say!("{}: a {}", file.display(), report.kind)?;
    let row = |name: &str, value: String| say!("  {name:<11} {value}");
    if let Some(vertices) = report.vertices {
        row("vertices", vertices.to_string())?;
    }
    if let Some(triangles) = report.triangles {
        row("triangles", triangles.to_string())?;
    }
    if let (Some(strands), Some(points)) = (report.strands, report.points) {
        row(
            "strands",
            format!("{strands} with {points} vertices in all"),
        )?;
    }
    if let (Some(min), Some(max)) = (report.bbox_min, report.bbox_max) {
        row("from", format!("{:.4} {:.4} {:.4}", min[0], min[1], min[2]))?;
        row("to", format!("{:.4} {:.4} {:.4}", max[0], max[1], max[2]))?;
    }
    if let Some(units) = &report.units {
        row("units", units.clone())?;
    }
    for (key, value) in report.changed.iter().flatten() {
        say!("  {key} = {value}")?;
    }
    for warning in &report.warnings {
        row("warning", warning.clone())?;
    }
    Ok(())
}
