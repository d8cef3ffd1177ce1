//! `lovelock simulate`: hair in motion without a window, and its numbers.

use super::{
    cache_recorder::{CacheRecorder, CacheTarget},
    export::{Export, ExportArgs},
    output::{lines_are_all, make_folder_of, say},
    overrides::SceneArgs,
    progress::CountBar,
    result_scene::ResultScene,
    targets::CommandFiles,
    usage::{seconds, use_threads},
};
use crate::math::counted;
use crate::{
    io::{
        panorama::BuiltIn,
        stats::{self, StatsRow},
    },
    project::{
        built_scene::{self, BuiltScene},
        scene::Scene,
    },
};
use clap::Args;
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Simulated time, at least one step
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Write numbers for every step, and beside them the scene they are of; the name ends
    /// in .csv or .json
    #[arg(long, value_name = "FILE", value_parser = stats_file)]
    stats: Option<PathBuf>,
    /// Write the hair of every frame (capture.fps of them a second), to be played
    /// in the window, drawn by render --cache or exported by convert; a cache that is there
    /// is kept
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Replace the cache that --cache names, where one is there
    #[arg(long, requires = "cache")]
    overwrite: bool,
    #[command(flatten)]
    export: ExportArgs,
}

impl SimulateArgs {
    /// The cache to write.
    fn cache(&self) -> Option<CacheTarget<'_>> {
        self.cache.as_deref().map(|path| CacheTarget {
            path,
            overwrite: self.overwrite,
            scene_name: self.scene.name(),
        })
    }
}

/// A file whose name ends in a format of statistics.
fn stats_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match stats::StatsFormat::of(&path) {
        Ok(_) => Ok(path),
        Err(_) => Err("let its name end in .csv or .json".into()),
    }
}

/// The scene that statistics are of: what made them can be made again.
fn scene_beside<'a>(stats: &Path, scene: &'a Scene, args: &'a SimulateArgs) -> ResultScene<'a> {
    let mut name = stats.as_os_str().to_owned();
    name.push(".toml");
    ResultScene {
        path: name.into(),
        scene,
        args: &args.scene,
        elsewhere: "name another file with --stats",
    }
}

/// Refuses what cannot be written, before the long work; makes the folders.
fn check_targets(args: &SimulateArgs, scene: &Scene) -> anyhow::Result<()> {
    let mut targets = CommandFiles::default().reads_scene(&args.scene, scene);
    if let Some(path) = &args.stats {
        let beside = scene_beside(path, scene, args);
        targets = targets.writes("--stats", path);
        targets = targets.writes_scene("the scene beside --stats", &beside.path);
    }
    if let Some(path) = &args.cache {
        targets = targets.writes_cache("--cache", path);
    }
    args.export.among(targets).check()?;
    if let Some(cache) = args.cache() {
        let export = args.export.target_name();
        cache.check("--cache", export.unwrap_or(Path::new("hair.abc")))?;
    }
    if let Some(path) = &args.stats {
        scene_beside(path, scene, args).check()?;
    }
    args.export.check()?;
    if let Some(path) = &args.cache {
        make_folder_of(path, "--cache")?;
    }
    if let Some(path) = &args.stats {
        make_folder_of(path, "--stats")?;
        stats::check(path)?;
    }
    Ok(())
}

pub fn run(args: &SimulateArgs) -> anyhow::Result<()> {
    // Reading the scene computes too, where it fits the groom to the head.
    use_threads(args.scene.overrides.threads)?;
    if args.stats.is_none() && args.cache.is_none() && !args.export.is_asked_for() {
        lines_are_all();
    }
    let scene = args.scene.read()?;
    check_targets(args, &scene)?;
    let mut stage = built_scene::build(&scene)?;
    say!("{}", stage.head.report.summary)?;
    let told = stage.bound.as_ref().map(|bound| &bound.summary);
    let carried = stage.carried.as_ref().map(|carried| &carried.summary);
    if let Some(told) = told.or(carried) {
        say!("hair: {told}")?;
    }
    if let Some(footage) = &stage.body.footage {
        say!("{}", footage.summary())?;
    }
    tell_what_is_missing(&scene, &stage)?;
    if scene.compare.on {
        say!("the scene compares two methods; the first one's hair alone is simulated here")?;
    }

    let rate = f64::from(scene.sim.step.rate);
    let frames = ((args.seconds * rate).round() as u64).max(1);
    let mut export = args.export.begin(&stage, &scene, frames)?;
    if let Some(export) = &mut export {
        export.step(&stage, &scene, 0, frames)?;
    }
    let mut rows = Vec::new();
    let begin = |to| CacheRecorder::begin(&to, &scene, &stage, args.seconds);
    let mut tape = args.cache().map(begin).transpose()?;
    let mut progress = CountBar::new("steps", frames);
    let mut stepping = 0.0;
    for frame in 1..=frames {
        let start = Instant::now();
        stage.simulation.step(&scene.sim);
        let seconds = start.elapsed().as_secs_f64();
        stepping += seconds;
        if let Some(tape) = &mut tape {
            tape.follow(&stage.simulation)?;
        }
        if args.stats.is_some() || frame == frames {
            let simulation = &stage.simulation;
            rows.push(StatsRow::new(
                frame,
                // A sum of steps would drift by rounding.
                frame as f64 / rate,
                1000.0 * seconds,
                &simulation.statistics(&scene.sim),
                simulation.state_hash(),
            ));
        }
        if let Some(export) = &mut export {
            export.step(&stage, &scene, frame, frames)?;
        }
        progress.at(frame);
    }
    drop(progress);
    if let Some(path) = &args.stats {
        stats::write(path, &rows)?;
        scene_beside(path, &scene, args).write()?;
    }
    let cached = tape.map(CacheRecorder::finish).transpose()?;
    let exported = export.map(Export::finish).transpose()?;
    summarise(&stage, &rows, frames, stepping)?;
    if let Some(path) = &args.stats {
        let scene = scene_beside(path, &scene, args);
        say!(
            "{:<12} {}, of the scene {}",
            "statistics",
            path.display(),
            scene.path.display()
        )?;
    }
    if let Some(cached) = cached {
        say!("{:<12} {cached}", "cache")?;
    }
    for line in exported.into_iter().flatten() {
        say!("{line}")?;
    }
    Ok(())
}

/// Tells what the scene names and is not there: it changes nothing here, and pictures or
/// the hair on another day.
fn tell_what_is_missing(scene: &Scene, stage: &BuiltScene) -> anyhow::Result<()> {
    let waiting = scene.handwork.fits(&stage.groom)?;
    if waiting > 0 {
        say!(
            "by hand: {} not there (thinned out, or never grown) and left out",
            counted(
                waiting,
                "strand that was cut, combed or pinned is",
                "strands that were cut, combed or pinned are"
            )
        )?;
    }
    let environment = &scene.light.environment;
    let built_in = environment.is_empty() || BuiltIn::named(environment).is_some();
    if !built_in && !Path::new(environment).is_file() {
        log::warn!(
            "light.environment: there is no file {environment}; pictures of this scene need it"
        );
    }
    Ok(())
}

fn summarise(
    stage: &BuiltScene,
    rows: &[StatsRow],
    frames: u64,
    stepping: f64,
) -> anyhow::Result<()> {
    let Some(last) = rows.last() else {
        return Ok(());
    };
    let line = |name: &str, text: String| say!("{name:<12} {text}");
    let groom = &stage.groom;
    line(
        "strands",
        format!(
            "{}, {}",
            groom.strands(),
            counted(groom.points.len(), "vertex", "vertices")
        ),
    )?;
    line(
        "simulated",
        format!(
            "{:.3} s in {}",
            last.time_s,
            counted(frames, "step", "steps")
        ),
    )?;
    line(
        "took",
        format!(
            "{stepping:.3} s, {:.3} ms a step, {:.2} times real time",
            1000.0 * stepping / frames as f64,
            last.time_s / stepping.max(1e-9)
        ),
    )?;
    line(
        "segments",
        format!(
            "{:.3} % longer, {:.3} % shorter at most; {:.4} % off on average",
            100.0 * last.max_stretch,
            100.0 * last.max_shortening,
            100.0 * last.mean_length_error
        ),
    )?;
    line(
        "below skin",
        format!(
            "{} vertices, {:.3} mm at most",
            last.penetrating_vertices,
            1000.0 * last.max_penetration_m
        ),
    )?;
    let elastic = match last.elastic {
        0.0 => String::new(),
        elastic => format!(", {elastic:.3e} J elastic"),
    };
    line(
        "energy",
        format!(
            "{:.3e} J kinetic, {:.3e} J potential{elastic}",
            last.kinetic, last.potential
        ),
    )?;
    if last.held > 0.0 {
        line(
            "groom hold",
            format!(
                "{:.0} % of the strands, joints x{:.2} stiffer than the material (outer half \
                 x{:.2}), at most x{:.1}; {:.1} % would need more, and sag",
                100.0 * last.held,
                last.hold_median,
                last.hold_outer_median,
                last.hold,
                100.0 * last.toppling
            ),
        )?;
    }
    if last.nonfinite > 0 {
        line(
            "put back",
            format!("{} strands whose numbers were not finite", last.nonfinite),
        )?;
    }
    line("state hash", last.state_hash.clone())
}
