//! `lovelock farm`: a job that render farms take, as an Open Job Description
//! template (specification 2023-09).
//!
//! The template simulates once into a cache, draws the cache's frames in chunks
//! that any machine may take, and joins them. It lies beside the scene it is of, and
//! names everything relative to itself, so that the folder can be moved.

use super::{
    output::{cannot_write, make_folder, say},
    overrides::SceneArgs,
    picture::view_named,
    render::size,
    result_scene::ResultScene,
    targets::keep_own,
    usage::{LONGEST, Usage},
};
use crate::io;
use crate::math::counted;
use crate::project::{built_scene, scene::Scene};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct FarmArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Number of frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: u32,
    /// How many frames a machine draws in one go
    #[arg(long, value_name = "N", default_value = "24", value_parser = clap::value_parser!(u32).range(1..))]
    chunk: u32,
    /// Width and height of the pictures [default: capture.size, else 1280x720]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Where to look from, as for render
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Average so many pictures for each one, as for render
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    samples: Option<u32>,
    /// Draw every strand, however thin, as for render
    #[arg(long)]
    all_strands: bool,
    /// Folder that the job goes to: scene.toml and job.json
    #[arg(long, value_name = "FOLDER", default_value = "farm")]
    out: PathBuf,
}

/// The specification that templates follow.
const SPECIFICATION: &str = "jobtemplate-2023-09";

/// The specification allows no more values of a task's parameter.
pub const MOST_TASKS: usize = 1024;

/// Joins the frames; a part of the template, so that farm machines need nothing but
/// the program, bash and ffmpeg.
const JOIN: &str = include_str!("../../make_video.sh");

/// A template: its parameters (name, kind, whether it is read, default) and steps.
pub fn template(name: &str, about: &str, parameters: &[Value], steps: Vec<Value>) -> Value {
    let program = json!({
        "name": "Lovelock", "type": "STRING", "default": "lovelock",
        "description": "The program, as the machines of the farm call it",
    });
    let parameters: Vec<&Value> = [&program].into_iter().chain(parameters).collect();
    // The specification's limits: 128 characters, none of control.
    let name: String = name.chars().filter(|c| !c.is_control()).take(128).collect();
    json!({
        "specificationVersion": SPECIFICATION,
        "name": name,
        "description": about,
        "parameterDefinitions": parameters,
        "steps": steps,
    })
}

/// A parameter that is a file's or a folder's path beside the template.
pub fn path(name: &str, kind: &str, flow: &str, default: &str) -> Value {
    json!({
        "name": name, "type": "PATH", "objectType": kind, "dataFlow": flow, "default": default,
    })
}

/// What a step runs.
pub fn runs(command: &str, arguments: Vec<String>) -> Value {
    json!({ "actions": { "onRun": { "command": command, "args": arguments } } })
}

/// A list of words.
fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).into()).collect()
}

/// The chunks of so many frames: first and last number, `A..B`.
fn chunks(frames: u32, chunk: u32) -> Vec<String> {
    let starts = (0..frames).step_by(chunk.max(1) as usize);
    starts
        .map(|first| {
            let last = first.saturating_add(chunk - 1).min(frames - 1);
            format!("{first}..{last}")
        })
        .collect()
}

impl FarmArgs {
    /// The steps of the job at so many frames a second.
    fn steps(&self, fps: u32) -> Vec<Value> {
        let seconds = (f64::from(self.frames) / f64::from(fps)).to_string();
        let mut simulate = words(&[
            "simulate",
            "{{Param.Scene}}",
            "--seconds",
            &seconds,
            "--cache",
            "{{Param.Cache}}",
            // A step that failed is run again.
            "--overwrite",
        ]);
        let mut render = words(&[
            "render",
            "--cache",
            "{{Param.Cache}}",
            "--frames",
            "{{Task.Param.Frames}}",
            "--out",
            "{{Param.Pictures}}",
        ]);
        if let Some(threads) = self.scene.overrides.threads {
            simulate.extend(["--threads".into(), threads.to_string()]);
            render.extend(["--threads".into(), threads.to_string()]);
        }
        let mut option = |name: &str, value: Option<String>| {
            render.extend(value.into_iter().flat_map(|value| [name.into(), value]));
        };
        option("--size", self.size.map(|[w, h]| format!("{w}x{h}")));
        option("--view", self.view.clone());
        option("--samples", self.samples.map(|samples| samples.to_string()));
        if self.all_strands {
            render.push("--all-strands".into());
        }
        let join = words(&[
            "{{Task.File.Join}}",
            "--folder",
            "{{Param.Pictures}}",
            "--output",
            "{{Param.Video}}",
            "--fps",
            &fps.to_string(),
            "--keep",
        ]);
        let mut joining = runs("bash", join);
        joining["embeddedFiles"] = json!([
            { "name": "Join", "type": "TEXT", "filename": "make_video.sh", "data": JOIN }
        ]);
        vec![
            json!({ "name": "Simulate", "script": runs("{{Param.Lovelock}}", simulate) }),
            json!({
                "name": "Render",
                "dependencies": [{ "dependsOn": "Simulate" }],
                "parameterSpace": { "taskParameterDefinitions": [{
                    "name": "Frames", "type": "STRING", "range": chunks(self.frames, self.chunk),
                }] },
                "script": runs("{{Param.Lovelock}}", render),
            }),
            json!({
                "name": "Join",
                "dependencies": [{ "dependsOn": "Render" }],
                "script": joining,
            }),
        ]
    }
}

/// Refuses text that a template would take for one of its own variables.
pub fn check_plain(text: &str) -> Result<(), Usage> {
    match text.contains("{{") {
        true => Err(Usage(format!(
            "{text} holds \"{{{{\", which a job template takes for a variable; call it otherwise"
        ))),
        false => Ok(()),
    }
}

/// What a job is called.
const JOB: &str = "job.json";

/// Writes `template` as `job.json` into `folder`.
pub fn write(folder: &Path, template: &Value) -> anyhow::Result<PathBuf> {
    let path = folder.join(JOB);
    let text = format!("{template:#}\n");
    io::write_atomic(&path, text.as_bytes()).map_err(|error| cannot_write(&path, &error))?;
    Ok(path)
}

/// How to choose another folder than one that holds somebody's own files.
pub const ELSEWHERE: &str = "name another folder with --out";

/// Makes the folder of a job, and writes its scene there; never over one of somebody's own,
/// nor where the job itself would take the place of another file.
pub fn write_scene(folder: &Path, args: &SceneArgs, scene: &Scene) -> anyhow::Result<()> {
    let is_job = |old: &[u8]| {
        let key = b"\"specificationVersion\"";
        old.windows(key.len()).any(|bytes| bytes == key)
    };
    keep_own("the job", &folder.join(JOB), is_job, ELSEWHERE)?;
    let scene = ResultScene {
        path: folder.join("scene.toml"),
        scene,
        args,
        elsewhere: ELSEWHERE,
    };
    scene.check()?;
    make_folder(folder, "with --out")?;
    scene.write()
}

/// What a job is called: as its scene.
pub fn called(scene: &SceneArgs) -> String {
    let name = scene.name().unwrap_or_else(|| "hair".into());
    name.replace("{{", "")
}

pub fn run(args: &FarmArgs) -> anyhow::Result<()> {
    let mut scene = args.scene.read()?;
    scene.capture.check()?;
    if let Some(view) = &args.view {
        check_plain(view)?;
        // The machines look from where the scene says; a slip is told here and now.
        view_named(view, &mut scene.clone()).map_err(Usage)?;
    }
    let fps = scene.capture.fps;
    if f64::from(args.frames) / f64::from(fps) > LONGEST {
        return Err(Usage(format!(
            "{} frames at {fps} a second are more than the {LONGEST} s that are simulated; say \
             fewer --frames, or a higher --set capture.fps",
            args.frames
        ))
        .into());
    }
    let tasks = args.frames.div_ceil(args.chunk) as usize;
    if tasks > MOST_TASKS {
        return Err(Usage(format!(
            "{tasks} chunks are more than the {MOST_TASKS} that a job may have; say --chunk {} or \
             more",
            args.frames.div_ceil(MOST_TASKS as u32)
        ))
        .into());
    }
    if scene.compare.on {
        say!("the scene compares two methods; a cache holds the first one's hair alone")?;
        scene.compare.on = false;
    }
    // The machines would refuse it one by one.
    built_scene::check_solvers(&scene)?;
    write_scene(&args.out, &args.scene, &scene)?;
    let about = format!(
        "{} at {fps} frames a second: simulated once, drawn in {} of up to {}, joined",
        counted(args.frames, "frame", "frames"),
        counted(tasks, "chunk", "chunks"),
        args.chunk
    );
    let parameters = [
        path("Scene", "FILE", "IN", "scene.toml"),
        path("Cache", "FILE", "OUT", "hair.cache"),
        path("Pictures", "DIRECTORY", "OUT", "pictures"),
        path("Video", "FILE", "OUT", "video.mp4"),
    ];
    let name = format!("Lovelock: {}", called(&args.scene));
    let job = write(
        &args.out,
        &template(&name, &about, &parameters, args.steps(fps)),
    )?;
    say!("{}: {about}", job.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_hold_every_frame_once() {
        assert_eq!(chunks(5, 2), ["0..1", "2..3", "4..4"]);
        assert_eq!(chunks(4, 2), ["0..1", "2..3"]);
        assert_eq!(chunks(3, u32::MAX), ["0..2"]);
        assert_eq!(chunks(1, 1), ["0..0"]);
    }

    #[test]
    fn the_joining_script_fits_into_a_template() {
        // Braces would be variables, and 32 KiB is what the specification allows.
        assert!(!JOIN.contains("{{") && JOIN.len() < 32_768);
    }
}
