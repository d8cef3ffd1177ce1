//! `lovelock info`: what is in a head, groom, scene or cache file.

use super::{
    info_fit::{self, FormatLoss, HeadFit},
    logging::log_is_asked_for,
    output::say,
};
use crate::math::{counted, length_text};
use crate::{
    io::{
        cache::{self, Reader},
        picture_scene, strands,
    },
    mesh::{self, HeadParams},
    param::{Params, Value},
    project::scene::Scene,
};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Poses in a second of a head that does not say it. `[1/s]`
const UNTOLD: f64 = 24.0;

#[derive(Debug, Args)]
pub struct InfoArgs {
    /// The file: a head, a groom, a scene or a cache
    #[arg(help = format!(
        "The file: a head (.obj, .glb, .usda, ...), a groom ({}), a scene (.toml, or a picture that holds one) or a cache",
        strands::endings_text()
    ))]
    file: PathBuf,
    /// Say how the groom lies to this head, or without a name to the built-in one, and what
    /// --fit would do
    #[arg(long, value_name = "HEAD")]
    head: Option<Option<PathBuf>>,
    /// Points of each strand, of a groom that lists points alone [default: by their leaps]
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    points: u32,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What is told of a file; a field that its kind does not have is left out.
#[derive(Debug, Default, Serialize)]
struct Report {
    kind: &'static str,
    /// Which format a groom is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faces: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<String>>,
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
    units: Option<&'static str>,
    /// The axis that points up: as a groom's file says, or as a head was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<&'static str>,
    /// How tall the head is once its unit is applied. `[m]`
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<f32>,
    /// Strands that were cut or combed by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    edited: Option<usize>,
    /// Vertices that are pinned to the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<usize>,
    /// Frames of a cache that are whole, or poses of a groom or head that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fps: Option<f64>,
    /// From the first frame to the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Positions are multiples of it. `[m]`
    #[serde(skip_serializing_if = "Option::is_none")]
    quantum_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_frame: Option<u64>,
    warnings: Vec<String>,
    /// How the groom lies to the head that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    head_fit: Option<HeadFit>,
    /// What each format loses of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<Vec<FormatLoss>>,
    /// A scene's values that differ from the defaults, by `section.key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<serde_json::Map<String, serde_json::Value>>,
}

pub fn run(args: &InfoArgs) -> anyhow::Result<()> {
    if !log_is_asked_for() {
        // Warnings are part of what is told here.
        log::set_max_level(log::LevelFilter::Error);
    }
    let ending = args.file.extension().map(|e| e.to_ascii_lowercase());
    let report = match ending {
        _ if args.head.is_some() => groom_report(args)?,
        _ if strands::is_head(&args.file) => mesh_report(&args.file)?,
        _ if strands::is_named_like_groom(&args.file) => groom_report(args)?,
        Some(ending) if ending == "obj" => groom_report(args)?,
        Some(ending) if ending == "toml" => scene_report(&args.file)?,
        _ if picture_scene::holds_scene(&args.file) => scene_report(&args.file)?,
        _ if cache::is_cache(&args.file) => cache_report(&args.file)?,
        _ => {
            let file = args.file.display();
            std::fs::metadata(&args.file).map_err(|error| {
                anyhow::anyhow!("cannot read {file}: {}", crate::io::reason(&error))
            })?;
            anyhow::bail!(
                "{file} is neither a head (.obj, .glb, .usda, ...), a groom ({}), a scene (.toml) \
                 nor a cache of hair; give one of these",
                strands::endings_text()
            );
        }
    };
    if args.json {
        return say!("{}", serde_json::to_string_pretty(&report)?);
    }
    print(&args.file, &report)
}

/// What is in a head's file, in the file's own unit.
fn mesh_report(file: &Path) -> anyhow::Result<Report> {
    let read = mesh::read::read(file)?;
    let mut report = Report {
        kind: "mesh",
        vertices: Some(read.vertices),
        triangles: Some(read.triangles),
        faces: Some(read.faces),
        groups: Some(read.mesh.groups.iter().map(|g| g.name.clone()).collect()),
        bbox_min: Some(read.bounds[0].to_array()),
        bbox_max: Some(read.bounds[1].to_array()),
        warnings: read.warnings,
        ..Report::default()
    };
    let params = HeadParams {
        file: file.display().to_string(),
        ..HeadParams::default()
    };
    match mesh::load(&params) {
        Ok(head) => {
            report.units = Some(head.report.units.name());
            report.up = Some(head.report.up.name());
            report.height_m = Some(head.report.height);
            report.warnings = head.report.warnings;
        }
        // It can be told of, though no hair will grow on it.
        Err(error) => report.warnings.push(error.to_string()),
    }
    let poses = mesh::read::poses(file);
    if poses > 1 {
        let fps = mesh::read::rate(file).unwrap_or(UNTOLD);
        report.frames = u32::try_from(poses).ok();
        report.fps = Some(fps);
        report.seconds = Some((poses - 1) as f64 / fps);
    }
    Ok(report)
}

/// What is in a groom's file, in the file's own unit.
fn groom_report(args: &InfoArgs) -> anyhow::Result<Report> {
    let (file, points) = (&args.file, args.points);
    let (format, strands) = strands::read_each(file, points as usize)?;
    let head = args.head.as_ref();
    let head_fit = head.map(|head| info_fit::fit(file, head.as_deref(), points));
    let [min, max] = strands.counts();
    let [from, to] = strands.bounds().unwrap_or_default();
    let metres = strands.metres_per_unit;
    let moving = strands::MovingStrands::open(file)?;
    if let Some(moving) = &moving {
        // Sees whether all can be played.
        moving.each(&mut |_, _| true)?;
    }
    let fps = moving.as_ref().map(strands::MovingStrands::rate);
    let named = [(1.0, "m"), (0.1, "dm"), (0.01, "cm"), (0.001, "mm")];
    let named = metres.map(|metres| {
        let same = |(unit, _): &(f64, &str)| (metres / unit - 1.0).abs() < 1e-4;
        named
            .into_iter()
            .find(same)
            .map_or("other", |(_, name)| name)
    });
    Ok(Report {
        kind: "groom",
        format: Some(format.name),
        strands: Some(strands.len() as u64),
        points: Some(strands.points.len() as u64),
        min_vertices: Some(min as u64),
        max_vertices: Some(max as u64),
        bbox_min: Some(from.to_array()),
        bbox_max: Some(to.to_array()),
        units: Some(named.unwrap_or("unknown")),
        up: strands.up.map(|up| up.name()),
        frames: moving.map(|moving| moving.poses() as u32),
        fps,
        seconds: fps.map(|fps| (strands.poses - 1) as f64 / fps),
        head_fit: head_fit.transpose()?,
        losses: Some(info_fit::losses(&strands)),
        warnings: match &args.head {
            // What import says of it tells of strands that are unlike the others.
            Some(_) => strands.notes,
            None => strands.warnings(),
        },
        ..Report::default()
    })
}

fn scene_report(file: &Path) -> anyhow::Result<Report> {
    let mut scene = Scene::default();
    scene.read(file)?;
    let strands = u64::from(scene.roots.strands);
    let vertices = u64::from(scene.groom.vertices);
    Ok(Report {
        kind: "scene",
        strands: Some(strands),
        points: Some(strands * vertices),
        min_vertices: Some(vertices),
        max_vertices: Some(vertices),
        units: Some(scene.head.units.name()),
        edited: Some(scene.handwork.edits.len()),
        pinned: Some(scene.handwork.pins.len()),
        changed: Some(changed(&scene.sections())),
        ..Report::default()
    })
}

/// What is in a cache; every frame is read, to see whether it is unharmed.
fn cache_report(file: &Path) -> anyhow::Result<Report> {
    let mut reader = Reader::open(file)?;
    let mut scene = Scene::default();
    scene.read_text(file, &reader.header().scene)?;
    let mut warnings = Vec::new();
    if !reader.is_whole() {
        warnings.push(reader.told());
    }
    let mut whole = 0;
    for number in (0..reader.end())
        .filter(|number| reader.has(*number))
        .collect::<Vec<_>>()
    {
        match reader.verify(number) {
            Ok(()) => whole += 1,
            Err(error) => warnings.push(error.to_string()),
        }
    }
    let header = reader.header();
    let vertices = || {
        header
            .starts
            .windows(2)
            .map(|ends| u64::from(ends[1] - ends[0]))
    };
    Ok(Report {
        kind: "cache",
        strands: Some(header.strands() as u64),
        points: Some(header.points() as u64),
        min_vertices: Some(vertices().min().unwrap_or(0)),
        max_vertices: Some(vertices().max().unwrap_or(0)),
        units: Some("m"),
        frames: Some(whole),
        fps: Some(header.fps),
        seconds: Some(f64::from(reader.end().saturating_sub(1)) / header.fps),
        quantum_m: Some(header.quantum),
        bytes: Some(reader.bytes()),
        bytes_per_frame: Some(reader.frame_bytes()),
        changed: Some(changed(&scene.sections())),
        warnings,
        ..Report::default()
    })
}

fn changed(sections: &[&dyn Params]) -> serde_json::Map<String, serde_json::Value> {
    let mut all = serde_json::Map::new();
    let list = |numbers: &[f32]| -> serde_json::Value {
        // Through text, so that 0.1 is told as 0.1.
        let number = |c: &f32| c.to_string().parse::<f64>().unwrap_or(f64::from(*c));
        numbers.iter().map(number).collect()
    };
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
                Value::Vector(v) => list(&v),
                Value::Ramp(v) => list(&v.0),
            };
            all.insert(format!("{}.{}", section.section(), tunable.key), value);
        }
    }
    all
}

fn print(file: &Path, report: &Report) -> anyhow::Result<()> {
    say!("{}: a {}", file.display(), report.kind)?;
    if let Some(format) = report.format {
        row("format", format.into())?;
    }
    print_mesh(report)?;
    if let (Some(strands), Some(points)) = (report.strands, report.points) {
        row(
            "strands",
            format!(
                "{strands} with {} in all",
                counted(points, "vertex", "vertices")
            ),
        )?;
    }
    if let (Some(min), Some(max)) = (report.bbox_min, report.bbox_max) {
        row("from", format!("{:.4} {:.4} {:.4}", min[0], min[1], min[2]))?;
        row("to", format!("{:.4} {:.4} {:.4}", max[0], max[1], max[2]))?;
    }
    print_frames(report)?;
    print_axes(report)?;
    print_handwork(report)?;
    for (key, value) in report.changed.iter().flatten() {
        say!("  {key} = {value}")?;
    }
    for warning in &report.warnings {
        row("warning", warning.clone())?;
    }
    if let Some(fit) = &report.head_fit {
        row("on the head", fit.summary.clone())?;
        row("lies", fit.lies.told.clone())?;
        for warning in &fit.warnings {
            row("on import", warning.clone())?;
        }
        let fits = "changes nothing: no better fit is known".into();
        row(
            "--fit",
            fit.fit.as_ref().map_or(fits, |fit| fit.told.clone()),
        )?;
    }
    for FormatLoss { format, lost } in report.losses.iter().flatten() {
        let lost = match lost.is_empty() {
            true => "nothing is lost".into(),
            false => lost.join("; "),
        };
        row(&format!("as {format}"), lost)?;
    }
    Ok(())
}

/// One line: what it tells, and that.
fn row(name: &str, value: String) -> anyhow::Result<()> {
    say!("  {name:<11} {value}")
}

/// What a mesh is made of.
fn print_mesh(report: &Report) -> anyhow::Result<()> {
    if let Some(vertices) = report.vertices {
        row("vertices", vertices.to_string())?;
    }
    if let (Some(triangles), Some(faces)) = (report.triangles, report.faces) {
        row(
            "triangles",
            format!("{triangles}, from {}", counted(faces, "face", "faces")),
        )?;
    }
    if let Some(groups) = report.groups.as_ref().filter(|groups| !groups.is_empty()) {
        let shown = groups
            .iter()
            .take(8)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = match groups.len().saturating_sub(8) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        row("groups", format!("{shown}{more}"))?;
    }
    Ok(())
}

/// How many frames or poses there are, how exact and how large they are.
fn print_frames(report: &Report) -> anyhow::Result<()> {
    if let (Some(frames), Some(fps), Some(seconds)) = (report.frames, report.fps, report.seconds) {
        let (name, whole) = match report.kind {
            "cache" => ("frames", " whole"),
            _ => ("poses", ""),
        };
        // What was divided is not whole to the last digit.
        let fps = (1e4 * fps).round() / 1e4;
        let told = format!("{frames}{whole}, {fps} a second: {seconds:.2} s");
        row(name, told)?;
    }
    if let (Some(quantum), Some(each), Some(bytes)) =
        (report.quantum_m, report.bytes_per_frame, report.bytes)
    {
        row("accuracy", format!("{:.2} µm", 5e5 * quantum))?;
        row(
            "size",
            format!(
                "{:.1} MB, {:.1} kB a frame",
                1e-6 * bytes as f64,
                1e-3 * each as f64
            ),
        )?;
    }
    Ok(())
}

/// The unit that the file is in, and its axis that points up.
fn print_axes(report: &Report) -> anyhow::Result<()> {
    if let Some(units) = report.units {
        let height = report.height_m.map_or_else(String::new, |height| {
            format!(", which makes it {} tall", length_text(height))
        });
        row("unit", format!("{units}{height}"))?;
    }
    if let Some(up) = report.up {
        row("up", up.into())?;
    }
    Ok(())
}

/// How much was done by hand.
fn print_handwork(report: &Report) -> anyhow::Result<()> {
    for (name, [one, many], count) in [
        (
            "by hand",
            ["strand cut or combed", "strands cut or combed"],
            report.edited,
        ),
        (
            "pins",
            ["vertex pinned to the head", "vertices pinned to the head"],
            report.pinned,
        ),
    ] {
        if let Some(count) = count.filter(|count| *count > 0) {
            row(name, counted(count, one, many))?;
        }
    }
    Ok(())
}
