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
    usage::{Usage, seconds, use_threads},
};
use crate::math::counted;
use crate::{
    io::{FrameFormat, frames::FrameWriter, scene::from_anywhere},
    project::{
        built_scene::{self, BuiltScene},
        scene::Scene,
    },
    render::{EnvironmentCache, Headless},
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
    #[arg(long, value_name = "KEY=A,B,...", required = true, value_parser = vary)]
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

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    key: String,
    values: Vec<String>,
}

/// `wind.strength=2,6`; commas within brackets belong to a value.
fn vary(text: &str) -> Result<Vary, String> {
    let wrong = || "write it as KEY=A,B, like wind.strength=2,6,10".to_string();
    let (key, list) = text.split_once('=').ok_or_else(wrong)?;
    let mut values = vec![String::new()];
    let mut depth = 0i32;
    for letter in list.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        match (letter, values.last_mut()) {
            (',', _) if depth <= 0 => values.push(String::new()),
            (_, Some(last)) => last.push(letter),
            _ => {}
        }
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().into()).collect();
    let key = key.trim().to_string();
    match key.is_empty() || values.iter().any(String::is_empty) {
        true => Err(wrong()),
        false => Ok(Vary { key, values }),
    }
}

/// What pictures are called, before their number.
const NAME: &str = "sweep";

/// The values of all combinations, the last parameter's changing fastest.
fn combinations(varied: &[Vary]) -> Vec<Vec<&str>> {
    let mut all = vec![Vec::new()];
    for vary in varied {
        let mut longer = Vec::with_capacity(all.len() * vary.values.len());
        for row in &all {
            for value in &vary.values {
                let mut row: Vec<&str> = row.clone();
                row.push(value);
                longer.push(row);
            }
        }
        all = longer;
    }
    all
}

impl Vary {
    /// The same as it is written for machines that work in another folder.
    ///
    /// # Errors
    /// When a file's name, with all its folders, would be taken for more than one.
    fn with_absolute_files(&self) -> Result<String, Usage> {
        let values = self.values.iter();
        let values: Vec<String> = values
            .map(|value| from_anywhere(&self.key, value))
            .collect();
        let text = format!("{}={}", self.key, values.join(","));
        farm::check_plain(&text)?;
        match vary(&text) {
            Ok(read) if read.values == values => Ok(text),
            _ => Err(Usage(format!(
                "{text} holds a comma or a bracket in the name of a folder, and commas part the \
                 values; put the files into another folder"
            ))),
        }
    }

    /// Refuses what is of a comparison.
    fn check(&self) -> Result<(), Usage> {
        match self.key.starts_with("b.") || self.key.starts_with("compare.") {
            true => Err(Usage(format!(
                "{} is of a comparison, and the pictures of a sweep show the first side alone; vary \
                 a parameter of that",
                self.key
            ))),
            false => Ok(()),
        }
    }
}

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
        let mut text = format!("picture,{}\n", keys.join(","));
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
            let mut varied = self.scene(scene, &all[number])?;
            varied.capture.transparent = false;
            let view = match &self.view {
                Some(name) => view_named(name, &mut varied).map_err(Usage)?,
                None => None,
            };
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

    /// The steps of a job of so many pictures.
    fn job(&self, scene: &Scene, count: usize) -> anyhow::Result<()> {
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
    args.vary.iter().try_for_each(Vary::check)?;
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
    if let Some(number) = args.only {
        if number >= count {
            return Err(Usage(format!(
                "there are {count} pictures, 0 to {}; --only {number} is none of them",
                count - 1
            ))
            .into());
        }
        args.draw(&scene, &all, number..number + 1)?;
        return say!("{}", args.out.join(file_name(number)).display());
    }
    let varied = ResultScene {
        path: args.out.join("sweep.toml"),
        scene: &scene,
        args: &args.scene,
        elsewhere: "name another folder with --out",
    };
    varied.check()?;
    if !args.sheet {
        args.draw(&scene, &all, 0..count)?;
    }
    varied.write()?;
    finish(args, &all, grid)
}

/// Makes the sheet and the table.
fn finish(args: &SweepArgs, all: &[Vec<&str>], grid: Grid) -> anyhow::Result<()> {
    let path = |number: usize| args.out.join(file_name(number));
    let pictures: Vec<PathBuf> = (0..all.len()).map(path).collect();
    let sheet = args.out.join("sheet.png");
    sweep_sheet::join(&pictures, args.size, grid, &sheet)?;
    let table = args.out.join("sweep.csv");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parted_at_commas_outside_brackets() {
        let found = vary("wind.direction=[1, 0, 0], [0,0,1]").expect("two vectors");
        assert_eq!(found.values, ["[1, 0, 0]", "[0,0,1]"]);
        let found = vary("sim.solver=pbd,rod").expect("two words");
        assert_eq!((found.key.as_str(), found.values.len()), ("sim.solver", 2));
        for wrong in ["", "=1", "a", "a=", "a=1,,2"] {
            assert!(vary(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_are_named_for_every_folder_and_what_is_no_file_stays() {
        let written = |text: &str| vary(text).expect("good").with_absolute_files();
        let here = std::env::current_dir().expect("a folder");
        let here = here.display();
        assert_eq!(
            written("import.file=a.usda,b/c.usda").expect("written"),
            format!("import.file={here}/a.usda,{here}/b/c.usda")
        );
        for same in [
            "wind.strength=2,6",
            "wind.direction=[1, 0, 0],[0, 0, 1]",
            "roots.density_map=/maps/a.png,/maps/b.png",
            "light.environment=sunset,/skies/a.hdr",
        ] {
            assert_eq!(written(same).expect("written"), same);
        }
        let parted = Vary {
            key: "head.file".into(),
            values: vec!["/a,b/head.obj".into()],
        };
        let error = parted.with_absolute_files().expect_err("two values").0;
        assert!(error.contains("another folder"), "{error}");
    }

    #[test]
    fn what_is_of_the_second_side_is_not_varied() {
        let check = |text: &str| vary(text).expect("good").check();
        assert!(check("b.pbd.iterations=1,2").is_err());
        assert!(check("compare.on=true,false").is_err());
        assert!(check("pbd.iterations=1,2").is_ok());
    }

    #[test]
    fn the_last_parameter_changes_fastest() {
        let varied = [vary("a=1,2"), vary("b=x,y")].map(|found| found.expect("good"));
        let wanted = [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]];
        assert_eq!(combinations(&varied), wanted);
    }
}
