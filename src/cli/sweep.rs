//! `lovelock sweep`: a picture and numbers for each combination of some parameters' values,
//! and a labelled sheet of them all; alone, or as a job for a render farm.

mod earlier;

use super::{
    farm,
    method_warnings::warnings,
    no_effect::Unused,
    output::{cannot_write, make_folder, say},
    overrides::{self, SceneArgs},
    picture::{Shot, picture_and, view_named},
    progress::CountBar,
    render::size,
    result_kind::ResultKind,
    result_scene::ResultScene,
    step_figures::{self, Probe},
    sweep_sheet::{self, Grid, LONGEST},
    sweep_table::{SweepNumbers, SweepTable},
    targets::{CommandFiles, keep_own},
    usage::{Usage, seconds, use_threads},
    vary::{self, Vary, combinations},
};
use crate::math::counted;
use crate::{
    io::{FrameFormat, frames::FrameWriter, scene::file_named},
    project::{
        built_scene::{self, BuiltScene},
        scene::Scene,
        tween::Tween,
    },
    render::{EnvironmentCache, Headless, ViewPreset},
};
use clap::Args;
use earlier::EarlierSweep;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct SweepArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// A parameter and the values that it takes in turn (repeatable: every combination
    /// is drawn)
    #[arg(long, value_name = "KEY=A,B,...", required = true, value_parser = vary::parse)]
    vary: Vec<Vary>,
    /// Simulated time before a picture
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: f64,
    /// Width and height of each picture
    #[arg(long, value_name = "WxH", default_value = "480x480", value_parser = size)]
    size: [u32; 2],
    /// Where to look from, as for render
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Average so many pictures for each one
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=4096))]
    samples: u32,
    /// Tell where that vertex is, too, of strands and vertices counted from 0: 0:12, or 0:tip
    /// (repeatable)
    #[arg(long, value_name = "STRAND:VERTEX", value_parser = step_figures::probe)]
    probe: Vec<Probe>,
    /// Write the numbers alone: draw nothing, and need no OpenGL
    #[arg(long, conflicts_with_all = ["only", "sheet", "job"])]
    no_pictures: bool,
    /// Draw this picture alone, counted from 0, and no sheet
    #[arg(long, value_name = "N", conflicts_with_all = ["sheet", "job"])]
    only: Option<usize>,
    /// Make the sheet of pictures that are there, and draw none
    #[arg(long, conflicts_with = "job")]
    sheet: bool,
    /// Draw nothing: write a job for a render farm, as lovelock farm does
    #[arg(long)]
    job: bool,
    /// Replace an earlier sweep in that folder: remove its pictures, sheet and table
    #[arg(long, conflicts_with_all = ["only", "sheet", "job"])]
    overwrite: bool,
    /// Folder that the pictures, sheet.png, the numbers sweep.csv and the scene sweep.toml go to
    #[arg(long, value_name = "FOLDER", default_value = "sweep")]
    out: PathBuf,
}

/// What pictures are called, before their number.
const NAME: &str = "sweep";

/// The picture of them all.
const SHEET: &str = "sheet.png";

/// What each of them shows, and the numbers of its hair.
const TABLE: &str = "sweep.csv";

impl SweepArgs {
    /// `scene` with the values of one combination.
    fn scene(&self, scene: &Scene, values: &[&str]) -> anyhow::Result<Scene> {
        let mut varied = scene.clone();
        for (vary, value) in self.vary.iter().zip(values) {
            overrides::set(&mut varied, &vary.key, value)?;
        }
        built_scene::check_solvers(&varied).map_err(|error| Usage(error.to_string()))?;
        // What cannot be done to that hair is left out.
        varied.drop_handwork(scene);
        Ok(varied)
    }

    /// The same as it is drawn, and where to look from.
    fn drawn(&self, scene: &Scene, values: &[&str]) -> anyhow::Result<(Scene, Option<ViewPreset>)> {
        let mut varied = self.scene(scene, values)?;
        varied.capture.transparent = false;
        // Files beside the pictures are named as seen from there.
        varied.capture.folder = self.out.display().to_string();
        let view = match &self.view {
            Some(name) => view_named(name, &mut varied).map_err(Usage)?,
            None => None,
        };
        Ok((varied, view))
    }

    /// The files that are written must be none of those that are read.
    fn check_targets(&self, scene: &Scene) -> Result<(), Usage> {
        let mut targets = CommandFiles::default().reads_scene(&self.scene, scene);
        for vary in &self.vary {
            let files = vary.values.iter();
            for file in files.filter_map(|value| file_named(&vary.key, value)) {
                targets = targets.reads("--vary names", &file);
            }
        }
        if self.overwrite {
            // What goes is none of what is read.
            let gone = EarlierSweep::within(&self.out);
            let gone = gone.files().fold(targets.clone(), |targets, file| {
                targets.writes("a file of the earlier sweep", file)
            });
            gone.check()?;
        }
        if !self.sheet && !self.no_pictures {
            let pictures = match self.only {
                Some(number) => file_name(number),
                None => format!("{NAME}####.png"),
            };
            targets = targets.writes("a picture of the sweep", &self.out.join(pictures));
        }
        if let Some(number) = self.only {
            targets = targets.writes("the row of a picture", &self.out.join(row_name(number)));
        }
        if self.only.is_none() {
            if !self.no_pictures {
                let sheet = self.out.join(SHEET);
                targets = targets.writes_as("the sheet", &sheet, ResultKind::Picture);
            }
            targets = targets.writes("the table of the sweep", &self.out.join(TABLE));
        }
        targets.check()
    }

    /// What stands in the picture of a combination.
    fn labels(&self, values: &[&str]) -> Vec<String> {
        let pairs = self.vary.iter().zip(values);
        pairs.map(|(vary, value)| vary.label(value)).collect()
    }

    /// The table of the sweep.
    fn table(&self) -> SweepTable<'_> {
        SweepTable::new(&self.vary, &self.probe, !self.no_pictures)
    }

    /// Builds and moves the combinations of these numbers, one after the other, and draws
    /// them where there is something to draw with; the row of each.
    fn make(
        &self,
        scene: &Scene,
        all: &[Vec<&str>],
        numbers: std::ops::Range<usize>,
        mut easel: Option<SweepEasel>,
    ) -> anyhow::Result<Vec<String>> {
        let mut progress = CountBar::new(
            if self.no_pictures { "runs" } else { "pictures" },
            numbers.len() as u64,
        );
        let mut stage: Option<BuiltScene> = None;
        let (mut rows, mut warned) = (Vec::new(), false);
        for (done, number) in numbers.enumerate() {
            let (varied, view) = self.drawn(scene, &all[number])?;
            let built = match &stage {
                // The head is kept where it is the same.
                Some(stage) => stage.rebuilt(&varied, &|_| true)?,
                None => built_scene::build(&varied)?,
            };
            let labels = self.labels(&all[number]);
            let (name, measured) = match &mut easel {
                Some(easel) => {
                    let shot = Shot {
                        size: self.size,
                        samples: self.samples,
                        view,
                        time: self.seconds,
                        labels: &labels,
                    };
                    let measured = self.draw(easel, &built, &varied, &shot)?;
                    (file_name(number), measured)
                }
                None => {
                    let mut simulation = built.simulation.clone();
                    let mut tween = Tween::new(&simulation);
                    tween.advance_to(self.seconds, &mut simulation, &varied.sim);
                    let measured = self.table().measure(&built, &simulation, &varied.sim)?;
                    (number.to_string(), measured)
                }
            };
            for warning in warnings(&varied.sim, &measured.statistics, "") {
                if !std::mem::replace(&mut warned, true) {
                    log::warn!("{}: {warning}", labels.join(", "));
                }
            }
            rows.push(self.table().row(&name, &all[number], &measured));
            stage = Some(built);
            progress.at(done as u64 + 1);
        }
        if let Some(easel) = easel {
            easel.writer.finish()?;
        }
        Ok(rows)
    }

    /// What pictures are drawn with, the first of which has that number; none where none are.
    fn easel(&self, first: usize) -> anyhow::Result<Option<SweepEasel>> {
        if self.no_pictures {
            return Ok(None);
        }
        let context = Headless::new()?;
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        Ok(Some(SweepEasel {
            context,
            writer: FrameWriter::open_at(&self.out, NAME, FrameFormat::Png, first)?,
            environments: EnvironmentCache::default(),
        }))
    }

    /// Draws one of them, and measures its hair.
    fn draw(
        &self,
        easel: &mut SweepEasel,
        built: &BuiltScene,
        scene: &Scene,
        shot: &Shot,
    ) -> anyhow::Result<SweepNumbers> {
        let mut measured = None;
        let SweepEasel {
            context,
            writer,
            environments,
        } = easel;
        let taken = picture_and(context, built, scene, environments, shot, |simulation| {
            measured = Some(self.table().measure(built, simulation, &scene.sim)?);
            Ok(())
        })?;
        writer.carry_scene(scene.picture_text().as_deref());
        writer.write(taken.size[0], taken.size[1], taken.pixels)?;
        measured.ok_or_else(|| anyhow::anyhow!("the picture shows no hair"))
    }

    /// Refuses pictures of another sweep.
    fn check_pictures(&self, scene: &Scene, all: &[Vec<&str>]) -> anyhow::Result<()> {
        for (number, values) in all.iter().enumerate() {
            let (wanted, _) = self.drawn(scene, values)?;
            vary::check_picture(&self.out.join(file_name(number)), &self.vary, &wanted)?;
        }
        Ok(())
    }

    /// The steps of a job of so many pictures.
    fn job(&self, scene: &Scene, count: usize) -> anyhow::Result<()> {
        if !scene.capture.scene {
            return Err(Usage(
                "the sheet of a job is made of pictures that say what they show; leave \
                 capture.scene on"
                    .into(),
            )
            .into());
        }
        let mut common = vec!["sweep".to_string(), "{{Param.Scene}}".into()];
        for vary in &self.vary {
            common.extend(["--vary".into(), vary.with_absolute_files()?]);
        }
        for probe in &self.probe {
            common.extend(["--probe".into(), probe.to_string()]);
        }
        if let Some(view) = &self.view {
            farm::check_plain(view)?;
            common.extend(["--view".into(), view.clone()]);
        }
        let [width, height] = self.size;
        for (name, value) in [
            ("--seconds", self.seconds.to_string()),
            ("--size", format!("{width}x{height}")),
            ("--samples", self.samples.to_string()),
            ("--out", "{{Param.Pictures}}".into()),
        ] {
            common.extend([name.into(), value]);
        }
        if let Some(threads) = self.scene.overrides.threads {
            common.extend(["--threads".into(), threads.to_string()]);
        }
        let with = |more: &[&str]| {
            let more = more.iter().map(|word| (*word).to_string());
            let arguments = common.iter().cloned().chain(more).collect();
            farm::runs("{{Param.Lovelock}}", arguments)
        };
        let steps = vec![
            json!({
                "name": "Draw",
                "parameterSpace": { "taskParameterDefinitions": [{
                    "name": "Picture", "type": "INT", "range": format!("0-{}", count - 1),
                }] },
                "script": with(&["--only", "{{Task.Param.Picture}}"]),
            }),
            json!({
                "name": "Sheet",
                "dependencies": [{ "dependsOn": "Draw" }],
                "script": with(&["--sheet"]),
            }),
        ];
        let parameters = [
            farm::path("Scene", "FILE", "IN", "scene.toml"),
            farm::path("Pictures", "DIRECTORY", "OUT", "pictures"),
        ];
        farm::write_scene(&self.out, &self.scene, scene)?;
        let name = format!("Lovelock: sweep of {}", farm::called(&self.scene));
        let about = format!("{count} pictures, drawn one a task, and a sheet of them");
        let job = farm::template(&name, &about, &parameters, steps);
        let job = farm::write(&self.out, &job)?;
        say!("{}: {about}", job.display())
    }
}

/// What pictures are drawn with.
struct SweepEasel {
    context: Headless,
    writer: FrameWriter,
    environments: EnvironmentCache,
}

/// What the row of a picture is called that was drawn alone.
fn row_name(number: usize) -> String {
    format!("{NAME}{number:04}.csv")
}

/// What the picture of that number is called.
fn file_name(number: usize) -> String {
    format!("{NAME}{number:04}.png")
}

pub fn run(args: &SweepArgs) -> anyhow::Result<()> {
    // Reading the scene computes too, where it fits the groom to the head.
    use_threads(args.scene.overrides.threads)?;
    vary::check(&args.vary)?;
    let mut scene = args.scene.read()?;
    if scene.compare.on {
        say!("the scene compares two methods; the pictures show the first one's hair alone")?;
        scene.compare.on = false;
    }
    let counts: Vec<usize> = args.vary.iter().map(|vary| vary.values.len()).collect();
    let count = counts.iter().try_fold(1usize, |all, n| all.checked_mul(*n));
    let most = farm::MOST_TASKS;
    let Some(count) = count.filter(|count| *count <= most) else {
        return Err(Usage(format!(
            "there are more than {most} combinations; give fewer values"
        ))
        .into());
    };
    let all = combinations(&args.vary);
    // A wrong value is told before the long work, and one that changes nothing.
    let keys = || args.vary.iter().map(|vary| &vary.key[..]);
    let mut unused = Unused::of(&args.scene, keys()).without_remedy(keys());
    for values in &all {
        let varied = args.scene(&scene, values)?;
        unused.keep_idle(&varied, &[&varied.sim.step.solver]);
        for (vary, value) in args.vary.iter().zip(values).filter(|_| !args.sheet) {
            vary.check_file(value)?;
        }
    }
    if let Some(view) = &args.view {
        view_named(view, &mut scene.clone()).map_err(Usage)?;
    }
    let grid = Grid::of(&counts, args.size[0]);
    if !args.no_pictures && grid.size(args.size).is_none() {
        return Err(Usage(format!(
            "{} x {} pictures of {}x{} are more than a sheet's {LONGEST} pixels a side; say a \
             smaller --size",
            grid.columns, grid.rows, args.size[0], args.size[1]
        ))
        .into());
    }
    if !args.sheet {
        unused.warn();
    }
    if args.job {
        return args.job(&scene, count);
    }
    if let Some(number) = args.only.filter(|number| *number >= count) {
        return Err(Usage(format!(
            "there are {count} pictures, 0 to {}; --only {number} is none of them",
            count - 1
        ))
        .into());
    }
    args.check_targets(&scene)?;
    if let Some(number) = args.only {
        let row = args.out.join(row_name(number));
        keep_own("the row", &row, SweepTable::is, farm::ELSEWHERE)?;
        make_folder(&args.out, "with --out")?;
        let easel = args.easel(number)?;
        let rows = args.make(&scene, &all, number..number + 1, easel)?;
        write_table(&row, &args.table().text(&rows))?;
        return say!("{}", args.out.join(file_name(number)).display());
    }
    let varied = ResultScene {
        path: args.out.join("sweep.toml"),
        scene: &scene,
        args: &args.scene,
        elsewhere: farm::ELSEWHERE,
    };
    varied.check()?;
    let table = args.out.join(TABLE);
    keep_own("the table", &table, SweepTable::is, farm::ELSEWHERE)?;
    let earlier = EarlierSweep::within(&args.out);
    if !args.sheet && !args.overwrite {
        earlier.refuse()?;
    }
    make_folder(&args.out, "with --out")?;
    let rows = match args.sheet {
        true => {
            args.check_pictures(&scene, &all)?;
            earlier.warn_of_others(count);
            let found = |(number, values): (usize, &Vec<&str>)| {
                let own = args.out.join(row_name(number));
                let name = file_name(number);
                args.table().row_found(&name, values, &own, &table)
            };
            all.iter().enumerate().map(found).collect()
        }
        false => {
            let easel = args.easel(0)?;
            // Now that there is something to draw with.
            earlier.remove()?;
            args.make(&scene, &all, 0..count, easel)?
        }
    };
    varied.write()?;
    finish(args, &all, grid, &rows)
}

fn write_table(path: &Path, text: &str) -> anyhow::Result<()> {
    crate::io::write_atomic(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// Makes the sheet and the table.
fn finish(args: &SweepArgs, all: &[Vec<&str>], grid: Grid, rows: &[String]) -> anyhow::Result<()> {
    let table = args.out.join(TABLE);
    write_table(&table, &args.table().text(rows))?;
    let tell_what_is_alike = || {
        let mut alike = args.table().without_effect(all, rows).into_iter();
        alike.try_for_each(|key| {
            say!(
                "{key} made no difference to the hair: with each of its values it ended in the same state"
            )
        })
    };
    if args.no_pictures {
        let count = counted(all.len(), "combination", "combinations");
        say!("{}: {count}", table.display())?;
        return tell_what_is_alike();
    }
    let path = |number: usize| args.out.join(file_name(number));
    let pictures: Vec<PathBuf> = (0..all.len()).map(path).collect();
    let sheet = args.out.join(SHEET);
    sweep_sheet::join(&pictures, args.size, grid, &sheet)?;
    say!(
        "{}: {} in {} and {}",
        sheet.display(),
        counted(all.len(), "picture", "pictures"),
        counted(grid.columns, "column", "columns"),
        counted(grid.rows, "row", "rows")
    )?;
    tell_what_is_alike()
}
