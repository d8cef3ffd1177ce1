//! `lovelock render`: numbered pictures without a window.

use super::{
    cache_recorder::{CacheFrames, Span},
    compared,
    headless_session::HeadlessSession,
    method_warnings::{tell_tie, warnings},
    no_effect::warn_of_unused,
    output::{say, say_made},
    overrides::{self, SceneArgs},
    picture::view_named,
    progress::CountBar,
    usage::{Usage, seconds, use_threads},
};
use crate::math::counted;
use crate::{
    groom::MOST_FOLLOWERS,
    io::frames::{FRAME, FrameWriter},
    project::{built_scene, playback, scene::Scene},
    render::{Environment, Exposure, FULL_HEAD, Headless, Lens, ViewPreset},
    sim::SimParams,
};
use clap::Args;
use std::{
    f32::consts::TAU,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, Args)]
pub struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// How many pictures, where neither --seconds, --still, --cache nor the scene's
    /// capture.seconds says it; with --cache also from which frame to which, both included, like 0..99
    #[arg(
        long,
        value_name = "N|A..B",
        conflicts_with = "seconds",
        allow_negative_numbers = true
    )]
    frames: Option<Span>,
    /// Draw what lovelock simulate --cache has written, or the poses of a groom that
    /// moves (.abc, .usda, ...), all of it without --frames: the frames keep their numbers, so that several machines can each draw a part
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["file", "example", "seconds", "still", "compare", "warmup", "fps"])]
    cache: Option<PathBuf>,
    /// How much simulated time, in place of --frames
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// One clean picture, an average of 64, of any size
    #[arg(long, conflicts_with_all = ["frames", "seconds", "turntable"])]
    still: bool,
    /// Average so many pictures for each one: smooth edges, and the blur of a lens
    /// where camera.aperture asks for it [default: 64 for --still, else
    /// capture.frame_samples, or 4 with --turntable and 16 with an open lens]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    samples: Option<u32>,
    /// Draw every strand, however thin. Without a graphics card, strands too thin for
    /// the size of the picture are else merged: fewer are drawn, each wider
    #[arg(long)]
    all_strands: bool,
    /// Draw 100,000 strands, as many as a head has, each as thin as a hair: more
    /// followers, and a picture that takes several times as long
    #[arg(long)]
    full_head: bool,
    /// Two to six methods side by side in one picture, like pbd,rod. The second
    /// takes parameters of its own from keys that begin with "b.", as in
    /// --set b.pbd.bend_stiffness=0.1
    #[arg(long, value_name = "ID,ID", conflicts_with = "solver")]
    compare: Option<String>,
    /// Where to look from: front, three-quarter, side, back, top, curl (a lock
    /// from near), or the name of a view that the scene keeps
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Let the camera go once round the head while the pictures are taken
    #[arg(long)]
    turntable: bool,
    /// Simulated time before the first picture
    #[arg(long, value_name = "S", default_value = "0", value_parser = seconds)]
    warmup: f64,
    /// Pictures for each simulated second [default: capture.fps, 24 unless the scene says otherwise]
    #[arg(long, value_name = "N")]
    fps: Option<String>,
    /// Width and height of the pictures [default: capture.size, else 1280x720]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Folder that the pictures go to; numbering goes on after those that are there [default: capture.folder, renders unless the scene says otherwise]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// File format of the pictures: png or bmp [default: capture.format, png unless the scene says otherwise]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

/// Width and height where neither an option nor the scene says. `[px]`
const SIZE: [u32; 2] = [1280, 720];

/// The longest side of a picture. `[px]`
pub const LONGEST: u32 = 16384;

/// A size on the command line, `1280x720`. `[px]`
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|n| (16..=LONGEST).contains(n))
    };
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| format!("write it as WIDTHxHEIGHT, each from 16 to {LONGEST}"))
}

impl RenderArgs {
    /// The scene; what is said about the capture goes through its tunables.
    fn scene(&self, film: Option<Scene>) -> anyhow::Result<Scene> {
        let mut scene = match film {
            Some(scene) => {
                let mut scene = self.scene.lay_over(scene)?;
                playback::keep_to_frames(&mut scene);
                scene
            }
            None => self.scene.read()?,
        };
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

    /// Where `--view` says to look from; a view that the scene keeps becomes the
    /// scene's camera.
    fn view(&self, scene: &mut Scene) -> anyhow::Result<Option<ViewPreset>> {
        let Some(name) = &self.view else {
            return Ok(None);
        };
        view_named(name, scene).map_err(|text| Usage(text).into())
    }

    /// What each side of the picture is simulated with.
    fn sides(&self, scene: &Scene) -> anyhow::Result<Vec<SimParams>> {
        let Some(ids) = &self.compare else {
            return Ok(match scene.compare.on {
                true => vec![scene.sim.clone(), scene.second()],
                false => vec![scene.sim.clone()],
            });
        };
        let ids = compared::methods(ids, 6)?;
        let mut scene = scene.clone();
        compared::inherit(&mut scene);
        let side = |(index, id): (usize, &str)| {
            let mut params = match index {
                1 => scene.second(),
                _ => scene.sim.clone(),
            };
            params.step.solver = id.into();
            params
        };
        Ok(ids.into_iter().enumerate().map(side).collect())
    }

    /// The numbers of the pictures, of which there are `fps` a second. `[1/s]`
    fn numbers(
        &self,
        scene: &Scene,
        film: Option<&CacheFrames>,
        fps: f64,
    ) -> anyhow::Result<RangeInclusive<u32>> {
        Ok(match (film, self.frames, self.seconds) {
            (Some(film), span, _) => film.span(span)?,
            (None, Some(Span::Count(frames)), _) => 0..=frames - 1,
            (None, Some(Span::Part(..)), _) => {
                return Err(Usage("--frames A..B wants a cache: say --cache FILE".into()).into());
            }
            (None, None, Some(seconds)) => 0..=((seconds * fps).round() as u32).max(1) - 1,
            (None, None, None) if self.still => 0..=0,
            (None, None, None) => match scene.capture.frames() {
                Some(frames) => 0..=frames - 1,
                None => {
                    let how =
                        "how many pictures? Say --frames N, --seconds S, --still or --cache FILE";
                    return Err(Usage(how.into()).into());
                }
            },
        })
    }
}

pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    // Reading the scene computes too, where it fits the groom to the head.
    use_threads(args.scene.overrides.threads)?;
    let open = |path: &PathBuf| CacheFrames::open(path);
    let (mut film, scene) = args.cache.as_ref().map(open).transpose()?.unzip();
    let mut scene = args.scene(scene)?;
    scene.capture.check()?;
    let view = args.view(&mut scene)?;
    let fps = film
        .as_ref()
        .map_or(f64::from(scene.capture.fps), CacheFrames::fps);
    let numbers = args.numbers(&scene, film.as_ref(), fps)?;
    let first = *numbers.start();
    let frames = *numbers.end() - first + 1;
    let round = film.as_ref().map_or(frames, CacheFrames::end);
    let sides = args.sides(&scene)?;
    if film.is_none() {
        let solvers: Vec<&str> = sides.iter().map(|side| &side.step.solver[..]).collect();
        warn_of_unused(&args.scene, &scene, &solvers);
    }
    // A file that cannot be read is told before the work.
    let environment = Environment::load(&scene.light)?.map(Arc::new);
    let stage = built_scene::build(&scene)?;
    say!("{}", stage.head.report.summary)?;
    tell_tie(&scene, &stage.groom);
    if let Some(footage) = &stage.body.footage {
        say!("{}", footage.summary())?;
    }
    if let Some(film) = &mut film {
        film.wear(&stage)?;
    }
    if args.full_head {
        let simulated = (stage.groom.strands() as u32).max(1);
        let each = FULL_HEAD.div_ceil(simulated) - 1;
        scene.followers.each = each.max(scene.followers.each).min(MOST_FOLLOWERS);
    }
    let context = Headless::new()?;
    let size = args.size.or(scene.capture.pixels()).unwrap_or(SIZE);
    let mut session =
        HeadlessSession::new(&context, &stage, &scene, environment, sides, view, size)?;
    let each = scene
        .capture
        .frame_samples(args.turntable, scene.opens_lens());
    let several = Some(each).filter(|samples| *samples > 1);
    let samples = args.samples.or(args.still.then_some(64)).or(several);
    if let Some(samples) = samples {
        session.expose(Exposure {
            samples,
            lens: Lens::of(&scene.camera),
        });
    }
    if args.all_strands {
        session.draw_all_strands();
    }
    let (folder, format) = (Path::new(&scene.capture.folder), scene.capture.format);
    let is_new = !folder.is_dir();
    let mut writer = match &mut film {
        Some(film) => {
            // Where the camera looks must not depend on who draws which frame.
            let frame = film.frame(film.first())?;
            session.show(frame);
            session.aim(frame.time)?;
            FrameWriter::open_at(folder, FRAME, format, first)?
        }
        None => FrameWriter::open(folder, FRAME, format)?,
    };

    if is_new {
        say_made(folder)?;
    }
    session.write_view(&mut scene.camera);
    writer.carry_scene(scene.picture_text().as_deref());

    let each = u64::from(samples.unwrap_or(1));
    let what = if each > 1 { "exposures" } else { "frames" };
    let mut progress = CountBar::new(what, u64::from(frames) * each);
    let mut ends: Option<(PathBuf, PathBuf)> = None;
    // Counted from the start: a sum of 1/fps would drift.
    let moment = |frame: u32| args.warmup + f64::from(frame) / fps;
    for number in numbers {
        let frame = number - first;
        let live = film.is_none();
        let time = match &mut film {
            Some(film) => {
                let frame = film.frame(number)?;
                session.show(frame);
                frame.time
            }
            None => moment(frame),
        };
        if args.turntable {
            session.turn(TAU * number as f32 / round as f32);
        }
        let mut told = |share| progress.at(u64::from(frame) * each + (share * each as f32) as u64);
        let next = (live && frame + 1 < frames).then(|| moment(frame + 1));
        let (width, height, rgb) = session.picture(time, next, &mut told)?;
        let path = writer.write(width, height, rgb)?;
        ends = Some((ends.map_or_else(|| path.clone(), |(first, _)| first), path));
    }
    let written = writer.finish()?.written;
    drop(progress);
    if film.is_none() {
        tell_warnings(&session);
    }
    if let Some((first, last)) = ends {
        tell_pictures(written, [&first, &last], fps)?;
        let [drawn, all] = session.drawn();
        if drawn < all {
            say!(
                "without a graphics card {drawn} of {all} strands are drawn at this size, each \
                 wider; --all-strands draws them all"
            )?;
        }
    }
    Ok(())
}

/// Tells which pictures were `written`: from the first to the last of `ends`.
fn tell_pictures(written: u32, ends: [&Path; 2], fps: f64) -> anyhow::Result<()> {
    let [first, last] = ends.map(Path::display);
    match written {
        1 => say!("1 picture, {first}"),
        _ => say!(
            "{}, {first} to {last}: {:.2} s at {fps} frames a second",
            counted(written, "frame", "frames"),
            f64::from(written) / fps
        ),
    }
}

/// Tells what the methods warn of at the end, each once.
fn tell_warnings(session: &HeadlessSession) {
    let mut told = Vec::new();
    for (number, (simulation, params)) in session.simulations().enumerate() {
        let side = if number == 1 { "b." } else { "" };
        let measured = simulation.statistics(params);
        for warning in warnings(params, &measured, side) {
            if !told.contains(&warning) {
                log::warn!("{warning}");
                told.push(warning);
            }
        }
    }
}
