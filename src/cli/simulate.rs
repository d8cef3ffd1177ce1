//! `lovelock simulate`: hair in motion without a window, and its numbers.

use super::{
    cache_recorder::{self, CacheTarget},
    compared,
    export::{self, ExportArgs},
    method_warnings::{tell_tie, warnings, worse},
    no_effect::warn_of_unused,
    output::{lines_are_all, lines_go_aside, make_folder_of, print_result, say},
    overrides::SceneArgs,
    progress::CountBar,
    result_kind::ResultKind,
    result_scene::ResultScene,
    step_figures::{self, Probe, Probes, SideFigures, StepFigures, StepGauge, StepMade},
    targets::CommandFiles,
    usage::{seconds, use_threads},
};
use crate::math::counted;
use crate::{
    io::{
        panorama::BuiltIn,
        stats::{self, StatsFormat, StatsRow, StatsTable},
    },
    project::{
        built_scene::{self, BuiltScene},
        cache_recorder::CacheRecorder,
        comparison::Comparison,
        scene::Scene,
    },
    sim::{SimParams, Statistics},
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
    /// in .csv or .json, or is - for CSV on standard output
    #[arg(long, value_name = "FILE", value_parser = stats_file)]
    stats: Option<PathBuf>,
    /// Tell where that vertex is, too, of strands and vertices counted from 0: 0:12, or 0:tip
    /// (repeatable)
    #[arg(long, value_name = "STRAND:VERTEX", value_parser = step_figures::probe)]
    probe: Vec<Probe>,
    /// Two methods side by side, like pbd,rod, and how far apart they come: in --stats the
    /// columns of the second begin with "b_". Cache and export hold the first one's hair. The
    /// second takes parameters of its own from keys that begin with "b."
    #[arg(long, value_name = "ID,ID", conflicts_with = "solver")]
    compare: Option<String>,
    /// Write the hair of every frame (capture.fps of them a second), to be played
    /// in the window, drawn by render --cache or exported by convert; a cache that is there
    /// is kept
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Replace the cache that --cache names, where one is there, and files of another kind
    /// that --export and --stats name
    #[arg(long)]
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
    match StatsFormat::of(&path) {
        Ok(_) => Ok(path),
        Err(_) => Err("let its name end in .csv or .json, or say - for standard output".into()),
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
    let files = CommandFiles::default().overwrites(args.overwrite);
    let mut targets = files.reads_scene(&args.scene, scene);
    let stats = args.stats.as_ref().filter(|path| !stats::is_stdout(path));
    if let Some(path) = stats {
        let beside = scene_beside(path, scene, args);
        let kind = ResultKind::Statistics(StatsFormat::of(path)?);
        targets = targets.writes_as("--stats", path, kind);
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
    if let Some(path) = stats {
        scene_beside(path, scene, args).check()?;
    }
    args.export.check()?;
    if let Some(path) = &args.cache {
        make_folder_of(path, "--cache")?;
    }
    if let Some(path) = stats {
        make_folder_of(path, "--stats")?;
        stats::check(path)?;
    }
    Ok(())
}

pub fn run(args: &SimulateArgs) -> anyhow::Result<()> {
    // Reading the scene computes too, where it fits the groom to the head.
    use_threads(args.scene.overrides.threads)?;
    if args.stats.as_deref().is_some_and(stats::is_stdout) {
        lines_go_aside();
    }
    if args.stats.is_none() && args.cache.is_none() && !args.export.is_asked_for() {
        lines_are_all();
    }
    let mut scene = args.scene.read()?;
    if let Some(methods) = &args.compare {
        compared::put_side_by_side(&mut scene, methods)?;
    }
    let second = &scene.b.step.0.solver[..];
    let second = Some(second).filter(|_| scene.compare.on);
    let solvers = [Some(&scene.sim.step.solver[..]), second];
    let solvers: Vec<&str> = solvers.into_iter().flatten().collect();
    warn_of_unused(&args.scene, &scene, &solvers);
    check_targets(args, &scene)?;
    let mut stage = built_scene::build(&scene)?;
    tell_what_is_built(&stage)?;
    tell_what_is_missing(&scene, &stage)?;
    let mut second = second_side(args, &scene, &stage)?;
    let probes = Probes::new(&args.probe, &stage.groom)?;
    let mut gauge = StepGauge::new(probes);

    let rate = f64::from(scene.sim.step.rate);
    let frames = ((args.seconds * rate).round() as u64).max(1);
    let mut export = args.export.begin(&stage, &scene, frames)?;
    if let Some(export) = &mut export {
        export.step(&stage, &scene, 0, frames)?;
    }
    let (mut table, mut last) = (StatsTable::default(), None);
    let mut worst = [Statistics::default(); 2];
    let begin = |to: CacheTarget| to.record(&scene, &stage, args.seconds);
    let mut tape = args.cache().map(begin).transpose()?;
    let mut progress = CountBar::new("steps", frames);
    let mut stepping = 0.0;
    for frame in 1..=frames {
        let start = Instant::now();
        stage.simulation.step(&scene.sim);
        let seconds = start.elapsed().as_secs_f64();
        stepping += seconds;
        let start = Instant::now();
        if let Some(second) = &mut second {
            second.step();
        }
        let second_took = start.elapsed().as_secs_f64();
        if let Some(tape) = &mut tape {
            tape.follow(&stage.simulation)?;
        }
        if args.stats.is_some() || frame == frames {
            let step = StepMade {
                frame,
                // A sum of steps would drift by rounding.
                time_s: frame as f64 / rate,
                step_ms: [seconds, second_took].map(|seconds| 1000.0 * seconds),
            };
            let figures = gauge.take(&step, &stage.simulation, &scene.sim, second.as_ref());
            let other = figures.second.as_ref().map(|(side, _)| side.measured);
            worst[0] = worse(worst[0], &figures.first.measured);
            worst[1] = worse(worst[1], &other.unwrap_or_default());
            if args.stats.is_some() {
                table.push(gauge.cells(&figures));
            }
            last = Some(figures);
        }
        if let Some(export) = &mut export {
            export.step(&stage, &scene, frame, frames)?;
        }
        progress.at(frame);
    }
    drop(progress);
    // First what took the longest: no statistics that cannot be written, or that nobody
    // reads, are a reason to lose it.
    let writer = tape.map(CacheRecorder::into_writer);
    let finish = |(writer, path): (_, &PathBuf)| cache_recorder::finish(writer, path);
    let cached = writer.zip(args.cache.as_ref()).map(finish).transpose()?;
    let exported = export.map(export::finish).transpose()?;
    if let Some(path) = &args.stats {
        match stats::is_stdout(path) {
            true => print_result(&table.csv())?,
            false => {
                stats::write(path, &table)?;
                scene_beside(path, &scene, args).write()?;
            }
        }
    }
    if let Some(last) = &last {
        summarise(&stage, &last.first.row, frames, stepping)?;
        if second.is_some() {
            say!("\nthe first side, {}", scene.sim.step.solver)?;
        }
        tell_measured(&last.first.row)?;
        tell_of_sides(&gauge, last, second.as_ref())?;
    }
    tell_tie(&scene, &stage.groom);
    tell_warnings(&scene.sim, &worst[0], "");
    if let Some(second) = &second {
        tell_warnings(second.params(), &worst[1], "b.");
    }
    tell_files(args, &scene, cached, exported)
}

/// Tells what the method of a side warns of, at its worst.
fn tell_warnings(params: &SimParams, worst: &Statistics, side: &str) {
    for warning in warnings(params, worst, side) {
        log::warn!("{warning}");
    }
}

/// Tells which files were written.
fn tell_files(
    args: &SimulateArgs,
    scene: &Scene,
    cached: Option<String>,
    exported: Option<Vec<String>>,
) -> anyhow::Result<()> {
    let stats = args.stats.as_ref().filter(|path| !stats::is_stdout(path));
    if let Some(path) = stats {
        let scene = scene_beside(path, scene, args);
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

/// Tells what head and hair are.
fn tell_what_is_built(stage: &BuiltScene) -> anyhow::Result<()> {
    say!("{}", stage.head.report.summary)?;
    let told = stage.bound.as_ref().map(|bound| &bound.summary);
    let carried = stage.carried.as_ref().map(|carried| &carried.summary);
    if let Some(told) = told.or(carried) {
        say!("hair: {told}")?;
    }
    if let Some(footage) = &stage.body.footage {
        say!("{}", footage.summary())?;
    }
    Ok(())
}

/// The second side, where the scene compares and somebody asks for it.
fn second_side(
    args: &SimulateArgs,
    scene: &Scene,
    stage: &BuiltScene,
) -> anyhow::Result<Option<Comparison>> {
    if !scene.compare.on {
        return Ok(None);
    }
    // Without a table nobody would see the second side, which takes as long as the first.
    if args.stats.is_some() || args.compare.is_some() {
        return Ok(Some(Comparison::of(&stage.simulation, None, scene)));
    }
    say!(
        "the scene compares two methods; the first one's hair alone is simulated here: \
         --stats tells of both"
    )?;
    Ok(None)
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

/// Tells where probed vertices are, and what the second side has done.
fn tell_of_sides(
    gauge: &StepGauge,
    last: &StepFigures,
    second: Option<&Comparison>,
) -> anyhow::Result<()> {
    let probes = |side: &SideFigures| {
        let mut lines = gauge.probe_lines(side).into_iter();
        lines.try_for_each(|line| say!("{:<12} {line}", "probe"))
    };
    probes(&last.first)?;
    let (Some((side, [mean, most])), Some(second)) = (&last.second, second) else {
        return Ok(());
    };
    say!("\nthe second side, {}", second.params().step.solver)?;
    tell_measured(&side.row)?;
    probes(side)?;
    say!(
        "{:<12} {:.3} mm on average, {:.3} mm at most\n",
        "apart",
        1000.0 * mean,
        1000.0 * most
    )
}

/// One line of the summary.
fn line(name: &str, text: &str) -> anyhow::Result<()> {
    say!("{name:<12} {text}")
}

fn summarise(
    stage: &BuiltScene,
    last: &StatsRow,
    frames: u64,
    stepping: f64,
) -> anyhow::Result<()> {
    let groom = &stage.groom;
    line(
        "strands",
        &format!(
            "{}, {}",
            groom.strands(),
            counted(groom.points.len(), "vertex", "vertices")
        ),
    )?;
    line(
        "simulated",
        &format!(
            "{:.3} s in {}",
            last.time_s,
            counted(frames, "step", "steps")
        ),
    )?;
    line(
        "took",
        &format!(
            "{stepping:.3} s, {:.3} ms a step, {:.2} times real time",
            1000.0 * stepping / frames as f64,
            last.time_s / stepping.max(1e-9)
        ),
    )
}

/// What was measured of a side at the end.
fn tell_measured(last: &StatsRow) -> anyhow::Result<()> {
    line(
        "segments",
        &format!(
            "{:.3} % longer, {:.3} % shorter at most; {:.4} % off on average",
            100.0 * last.max_stretch,
            100.0 * last.max_shortening,
            100.0 * last.mean_length_error
        ),
    )?;
    line(
        "below skin",
        &format!(
            "{} vertices, {:.3} mm at most",
            last.penetrating_vertices,
            1000.0 * last.max_penetration_m
        ),
    )?;
    let elastic = last
        .elastic
        .map(|elastic| format!(", {elastic:.3e} J elastic"));
    let elastic = elastic.unwrap_or_default();
    line(
        "energy",
        &format!(
            "{:.3e} J kinetic, {:.3e} J potential{elastic}",
            last.kinetic, last.potential
        ),
    )?;
    if last.held > 0.0 {
        line(
            "groom hold",
            &format!(
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
            &format!("{} strands whose numbers were not finite", last.nonfinite),
        )?;
    }
    line("state hash", &last.state_hash)
}
