//! `lovelock render`: numbered pictures without a window.

use super::{
    Usage,
    overrides::{self, SceneArgs},
    progress::Progress,
    say,
};
use clap::Args;
use lovelock::{
    app::{scene::Scene, stage, tween::Tween},
    io::frames::{FRAME, FrameWriter},
    render::{Camera, Headless, Renderer, View},
};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// How many pictures
    #[arg(long, value_name = "N", conflicts_with = "seconds", required_unless_present = "seconds",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: Option<u32>,
    /// How much simulated time, in place of --frames
    #[arg(long, value_name = "S", value_parser = super::seconds)]
    seconds: Option<f64>,
    /// Simulated time before the first picture
    #[arg(long, value_name = "S", default_value = "0", value_parser = super::seconds)]
    warmup: f64,
    /// Pictures for each simulated second [default: 24]
    #[arg(long, value_name = "N")]
    fps: Option<String>,
    /// Width and height of the pictures
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Folder that the pictures go to; numbering goes on after those that are there [default: renders]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// File format of the pictures: png or bmp [default: png]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

/// `1280x720`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.trim().parse().ok().filter(|n| (16..=8192).contains(n));
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "write it as WIDTHxHEIGHT, each from 16 to 8192".into())
}

impl RenderArgs {
    /// The scene; what is said about the capture goes through its tunables.
    fn scene(&self) -> anyhow::Result<Scene> {
        let mut scene = self.scene.read()?;
        let out = self.out.as_ref().map(|path| path.display().to_string());
        for (key, value) in [
            ("capture.fps", &self.fps),
            ("capture.format", &self.format),
            ("capture.folder", &out),
        ] {
            if let Some(value) = value {
                overrides::set(&mut scene, key, value)?;
            }
        }
        Ok(scene)
    }
}

pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let scene = args.scene()?;
    let fps = f64::from(scene.capture.fps);
    let frames = match (args.frames, args.seconds) {
        (Some(frames), _) => frames,
        (None, Some(seconds)) => ((seconds * fps).round() as u32).max(1),
        (None, None) => return Err(Usage("say --frames N or --seconds S".into()).into()),
    };
    super::use_threads(args.scene.overrides.threads)?;

    let mut stage = stage::build(&scene)?;
    say!("{}", stage.head.report.summary)?;
    let context = Headless::new()?;
    let mut renderer = Renderer::new(context.gl())?;
    renderer.set_head(&stage.head.mesh);
    renderer.set_groom(&stage.groom);
    let camera = Camera::new(&scene.camera, stage.head.mesh.bounds());
    let mut writer = FrameWriter::open(
        Path::new(&scene.capture.folder),
        FRAME,
        scene.capture.format,
    )?;

    let simulation = &mut stage.simulation;
    let mut tween = Tween::new(simulation);
    let mut positions = Vec::new();
    let mut progress = Progress::new("frames", u64::from(frames));
    let mut ends: Option<(PathBuf, PathBuf)> = None;
    for frame in 0..frames {
        // Counted from the start: a sum of 1/fps would drift.
        let time = args.warmup + f64::from(frame) / fps;
        tween.advance_to(time, simulation, &scene.sim);
        let pose = tween.write(time, &mut positions);
        renderer.upload_positions(&positions);
        renderer.frame(&View {
            camera: &camera,
            look: &scene.look,
            pose,
            size: args.size,
        })?;
        let (width, height, rgb) = renderer.read_rgb();
        let path = writer.write(width, height, rgb)?;
        ends = Some((ends.map_or_else(|| path.clone(), |(first, _)| first), path));
        progress.at(u64::from(frame) + 1);
    }
    let written = writer.finish()?.written;
    drop(progress);
    if let Some((first, last)) = ends {
        let frames = if written == 1 { "frame" } else { "frames" };
        say!(
            "{written} {frames}, {} to {}: {:.2} s at {fps} frames a second",
            first.display(),
            last.display(),
            f64::from(written) / fps
        )?;
    }
    Ok(())
}
