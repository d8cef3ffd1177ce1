//! `lovelock sweep`: a picture for each combination of some parameters' values, and
//! a labelled sheet of them all; alone, or as a job for a render farm.

use super::{
    farm,
    output::{cannot_write, say},
    overrides::{self, SceneArgs},
    picture::{Shot, picture, view_named},
    progress::CountBar,
    render::size,
    result_scene::ResultScene,
    sweep_sheet::{self, Grid, LONGEST},
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
    },
    render::{EnvironmentCache, Headless, ViewPreset},
};
use clap::Args;
use serde_json::json;
use std::{fmt::Write as _, path::PathBuf};

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
    /// Draw this picture alone, counted from 0, and no sheet
    #[arg(long, value_name = "N", conflicts_with_all = ["sheet", "job"])]
    only: Option<usize>,
    /// Make the sheet of pictures that are there, and draw none
    #[arg(long, conflicts_with = "job")]
    sheet: bool,
    /// Draw nothing: write a job for a render farm, as lovelock farm does
    #[arg(long)]
    job: bool,
    /// Folder that the pictures, sheet.png, sweep.csv and the scene sweep.toml go to
    #[arg(long, value_name = "FOLDER", default_value = "sweep")]
    out: PathBuf,
}

/// What pictures are called, before their number.
const NAME: &str = "sweep";

/// The picture of them all.
const SHEET: &str = "sheet.png";

/// What each of them shows.
const TABLE: &str = "sweep.csv";

/// How the table begins.
const PICTURE: &str = "picture,";

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
        if !self.sheet {
            let pictures = match self.only {
                Some(number) => file_name(number),
                None => format!("{NAME}####.png"),
            };
            targets = targets.writes("a picture of the sweep", &self.out.join(pictures));
        }
        if self.only.is_none() {
            targets = targets.writes("the sheet", &self.out.join(SHEET));
            targets = targets.writes("the table of the sweep", &self.out.join(TABLE));
        }
        targets.check()
    }

    /// What stands in the picture of a combination.
    fn labels(&self, values: &[&str]) -> Vec<String> {
        let line = |(vary, value): (&Vary, &&str)| format!("{} = {value}", vary.key);
        self.vary.iter().zip(values).map(line).collect()
    }

    /// The pictures and their values as a table.
    fn table(&self, all: &[Vec<&str>]) -> String {
        let quoted = |text: &str| match text.contains([',', '"']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_string(),
        };
        let keys: Vec<String> = self.vary.iter().map(|vary| quoted(&vary.key)).collect();
        let mut text = format!("{PICTURE}{}\n", keys.join(","));
        for (number, values) in all.iter().enumerate() {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            let _ = writeln!(text, "{},{}", file_name(number), values.join(","));
        }
        text
    }

    /// Draws the combinations of these numbers.
    fn draw(
        &self,
        scene: &Scene,
        all: &[Vec<&str>],
        numbers: std::ops::Range<usize>,
    ) -> anyhow::Result<()> {
        let context = Headless::new()?;
        let mut progress = CountBar::new("pictures", numbers.len() as u64);
        let first = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        let mut writer = FrameWriter::open_at(&self.out, NAME, FrameFormat::Png, first)?;
        let mut stage: Option<BuiltScene> = None;
        let mut environments = EnvironmentCache::default();
        for (done, number) in numbers.enumerate() {
            let (varied, view) = self.drawn(scene, &all[number])?;
            let built = match &stage {
                // The head is kept where it is the same.
                Some(stage) => stage.rebuilt(&varied, &|_| true)?,
                None => built_scene::build(&varied)?,
            };
            let shot = Shot {
                size: self.size,
                samples: self.samples,
                view,
                time: self.seconds,
                labels: &self.labels(&all[number]),
            };
            let taken = picture(&context, &built, &varied, &mut environments, &shot)?;
            writer.carry_scene(varied.picture_text().as_deref());
            writer.write(taken.size[0], taken.size[1], taken.pixels)?;
            stage = Some(built);
            progress.at(done as u64 + 1);
        }
        writer.finish()?;
        Ok(())
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
    // A wrong value is told before the long work.
    for values in &all {
        args.scene(&scene, values)?;
        for (vary, value) in args.vary.iter().zip(values).filter(|_| !args.sheet) {
            vary.check_file(value)?;
        }
    }
    if let Some(view) = &args.view {
        view_named(view, &mut scene.clone()).map_err(Usage)?;
    }
    let grid = Grid::of(&counts);
    if grid.size(args.size).is_none() {
        return Err(Usage(format!(
            "{} x {} pictures of {}x{} are more than a sheet's {LONGEST} pixels a side; say a \
             smaller --size",
            grid.columns, grid.rows, args.size[0], args.size[1]
        ))
        .into());
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
        args.draw(&scene, &all, number..number + 1)?;
        return say!("{}", args.out.join(file_name(number)).display());
    }
    let varied = ResultScene {
        path: args.out.join("sweep.toml"),
        scene: &scene,
        args: &args.scene,
        elsewhere: farm::ELSEWHERE,
    };
    varied.check()?;
    let is_table = |old: &[u8]| old.starts_with(PICTURE.as_bytes());
    keep_own(
        "the table",
        &args.out.join(TABLE),
        is_table,
        farm::ELSEWHERE,
    )?;
    match args.sheet {
        true => args.check_pictures(&scene, &all)?,
        false => args.draw(&scene, &all, 0..count)?,
    }
    varied.write()?;
    finish(args, &all, grid)
}

/// Makes the sheet and the table.
fn finish(args: &SweepArgs, all: &[Vec<&str>], grid: Grid) -> anyhow::Result<()> {
    let path = |number: usize| args.out.join(file_name(number));
    let pictures: Vec<PathBuf> = (0..all.len()).map(path).collect();
    let sheet = args.out.join(SHEET);
    sweep_sheet::join(&pictures, args.size, grid, &sheet)?;
    let table = args.out.join(TABLE);
    crate::io::write_atomic(&table, args.table(all).as_bytes())
        .map_err(|error| cannot_write(&table, &error))?;
    say!(
        "{}: {} in {} and {}",
        sheet.display(),
        counted(all.len(), "picture", "pictures"),
        counted(grid.columns, "column", "columns"),
        counted(grid.rows, "row", "rows")
    )
}
