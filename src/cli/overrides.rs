//! From a scene file and the overrides on the command line to a scene.

use super::{
    output::say,
    usage::{UnknownName, Usage},
};
use crate::{
    groom::{
        ImportParams,
        fit_near::NearFit,
        styles::{self, STYLES, Style},
    },
    io::{
        cache::{Reader, is_cache},
        strands,
    },
    project::{
        built_scene,
        document::{drop_sequence, play_sequence, take_groom, take_head, take_style},
        examples::{self, Example},
        fitted::{self, Fitted},
        rebind,
        scene::Scene,
    },
    render::pigment::{self, PIGMENTS, Pigment},
    sim::solver::{Method, SOLVERS, method},
};
use clap::Args;
use std::path::{Path, PathBuf};

/// What a list takes in place of all names that it may have.
pub const ALL: &str = "all";

/// A scene file, and what is to differ from it.
#[derive(Clone, Debug, Default, Args)]
pub struct SceneArgs {
    /// Scene file to start from; without one, curls on the built-in head
    #[arg(value_name = "SCENE.toml")]
    pub file: Option<PathBuf>,
    /// Scene that comes with the program to start from, like bob; lovelock
    /// --list-scenes names them all
    #[arg(long = "scene", value_name = "NAME", conflicts_with = "file")]
    pub example: Option<String>,
    // No clap help: a doc comment here would be the command's.
    #[allow(missing_docs)]
    #[command(flatten)]
    pub overrides: Overrides,
}

/// Overrides; they follow the scene file in the order of `apply`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Overrides")]
pub struct Overrides {
    /// Another head in any unit: .obj, .glb, .gltf, .usda, .usdc, .usdz, .usd or .abc
    #[arg(long, value_name = "FILE")]
    pub head: Option<PathBuf>,
    /// An animated head: any file of a sequence of files with the same faces,
    /// like head.0001.obj, or an Alembic archive (.abc) or USD file; the first pose is the
    /// head, and all are played
    #[arg(long, value_name = "FILE", conflicts_with = "head")]
    pub head_sequence: Option<PathBuf>,
    /// A groom from a file in place of grown hair
    #[arg(long, value_name = "FILE", help = format!(
        "A groom from a file in place of grown hair: {}", strands::endings_text()
    ))]
    pub groom: Option<PathBuf>,
    /// Carry the hair from the head given by --head, or the scene's, to this one
    #[arg(long, value_name = "FILE", conflicts_with = "head_sequence")]
    pub rebind: Option<PathBuf>,
    /// Turn, size and place the groom so that its roots are nearest to the head
    #[arg(long)]
    pub fit: bool,
    /// Bring a groom that lies nearly right to the skin, at its size: here moves and turns it
    /// to where it sits best near by, drop moves it alone
    #[arg(long, value_name = "HOW", conflicts_with = "fit")]
    pub fit_near: Option<NearFitChoice>,
    /// Method that moves the strands
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Hairstyle: straight, wavy, curly or coily
    #[arg(long, value_name = "NAME")]
    pub style: Option<String>,
    /// Hair colour: black, dark-brown, brown, chestnut, auburn, copper, blond, platinum, grey, ...
    #[arg(long, value_name = "NAME")]
    pub colour: Option<String>,
    /// Motion of the head, as lively as the panel's button makes it: none, sway, nod,
    /// shake, tilt, spin, jump, walk, head-bang, or the scene's keyframes
    #[arg(long, value_name = "NAME", conflicts_with = "head_sequence")]
    pub motion: Option<String>,
    /// Number of strands
    #[arg(long, value_name = "N")]
    pub strands: Option<String>,
    /// Vertices of each strand
    #[arg(long, value_name = "N")]
    pub vertices: Option<String>,
    /// Another seed, another head of hair
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
    /// Threads that simulate; the result does not depend on them (without it, one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Any parameter, like wind.strength=6 or "groom.length=10 cm" (repeatable;
    /// docs/parameters.md lists them all).
    /// Bodies beside the head have no name here: give them in a scene or a
    /// parameter file, as `[[collider]]`
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Parameters from a file of the scene format, on top of the scene (repeatable)
    #[arg(long, value_name = "FILE")]
    pub param_file: Vec<PathBuf>,
}

/// `key=value`, told apart at the first equals sign.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("write it as KEY=VALUE, like wind.strength=6".into()),
    }
}

impl SceneArgs {
    /// The scene that the arguments describe.
    pub fn read(&self) -> anyhow::Result<Scene> {
        let mut scene = Scene::default();
        if let Some(file) = &self.file {
            check_scene_name(file)?;
            let named = file.extension().is_some_and(|ending| ending == "toml");
            let read = scene.read(file).map_err(anyhow::Error::new);
            match read {
                Err(error) if !named && file.is_file() => {
                    return Err(error.context(no_scene(file)));
                }
                read => read?,
            }
        }
        if let Some(example) = self.example()? {
            scene = example.scene()?;
        }
        self.lay_over(scene)
    }

    /// What the scene is called: as its file, or in it where that is a cache, or as it comes
    /// with the program; none of the default.
    pub fn name(&self) -> Option<String> {
        let stem = |file: &PathBuf| Some(file.file_stem()?.to_string_lossy().into_owned());
        let within = |file: &PathBuf| {
            let cache = is_cache(file).then(|| Reader::open(file).ok())??;
            cache.header().scene_name().map(str::to_string)
        };
        let named = self.file.as_ref();
        let named = named.and_then(|file| within(file).or_else(|| stem(file)));
        named.or(self.example.clone())
    }

    /// The scene that `--scene` names.
    pub fn example(&self) -> Result<Option<&'static Example>, Usage> {
        let Some(name) = &self.example else {
            return Ok(None);
        };
        match examples::find(name) {
            None => Err(Usage(examples::unknown(name))),
            found => Ok(found),
        }
    }

    /// That scene with all that the arguments say of another one.
    pub fn lay_over(&self, mut scene: Scene) -> anyhow::Result<Scene> {
        let before = scene.clone();
        self.overrides.apply(&mut scene)?;
        if let Some(loss) = scene.drop_handwork(&before) {
            log::warn!("other hair than in the scene grows: {loss}");
        }
        if self.overrides.fit {
            let scale = |(key, _): &(String, String)| key == "import.scale";
            fit(&mut scene, self.overrides.set.iter().any(scale))?;
        }
        if let Some(how) = self.overrides.fit_near {
            fit_near(&mut scene, how)?;
        }
        Ok(scene)
    }
}

/// What is done to a groom that lies nearly right.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum NearFitChoice {
    Here,
    Drop,
}

/// Brings a groom that lies nearly right to the skin, and tells what that took.
fn fit_near(scene: &mut Scene, how: NearFitChoice) -> anyhow::Result<()> {
    if scene.import.file.is_empty() {
        let text = "--fit-near brings a groom to the head, and there is none; give --groom FILE";
        return Err(Usage(text.into()).into());
    }
    let how = match how {
        NearFitChoice::Here => NearFit::Here,
        NearFitChoice::Drop => NearFit::Drop,
    };
    if let Some(import) = fitted::fitted_near(scene, how)? {
        tell_placed(&import)?;
        scene.import = import;
    }
    Ok(())
}

/// Tells how the groom is placed.
fn tell_placed(import: &ImportParams) -> anyhow::Result<()> {
    let [x, y, z] = import.offset;
    say!(
        "{:<12} import.units {}, up {}, turn {}°, scale {}, offset {x} {y} {z} m",
        "fitted",
        import.units.name(),
        import.up.name(),
        import.turn,
        import.scale
    )?;
    Ok(())
}

/// Brings the groom to the head, and tells what that took.
fn fit(scene: &mut Scene, keeps_scale: bool) -> anyhow::Result<()> {
    if scene.import.file.is_empty() {
        let text = "--fit brings a groom to the head, and there is none; give --groom FILE";
        return Err(Usage(text.into()).into());
    }
    match fitted::fitted(scene, keeps_scale)? {
        Some(Fitted::Better(import)) => {
            tell_placed(&import)?;
            scene.import = import;
        }
        Some(Fitted::AsItIs(apart)) => say!(
            "{:<12} nothing to change: the roots are {:.1} mm from the skin on average",
            "fitted",
            1e3 * apart
        )?,
        // How far off they are is told when the scene is built.
        Some(Fitted::NoBetter) => say!(
            "{:<12} nothing is changed: no better place on this head is known",
            "fitted"
        )?,
        None => {}
    }
    Ok(())
}

impl Overrides {
    fn apply(&self, scene: &mut Scene) -> anyhow::Result<()> {
        let text = |path: &PathBuf| path.display().to_string();
        let (head, groom) = (self.head.as_ref().map(text), self.groom.as_ref().map(text));
        // What the scene says of the files that it names is not said of others.
        if let Some(head) = &head {
            match scene.head.file == *head {
                true => drop_sequence(scene),
                false => take_head(scene, head.clone()),
            }
        }
        if let Some(groom) = groom.as_ref().filter(|file| scene.import.file != **file) {
            take_groom(scene, groom.clone());
        }
        for file in &self.param_file {
            scene.read(file)?;
        }
        if let Some(id) = &self.style {
            take_style(scene, style(id)?);
        }
        if let Some(id) = &self.colour {
            colour(id)?.apply_to(&mut scene.look);
            scene.unkey(&[
                "look.eumelanin",
                "look.pheomelanin",
                "look.dye",
                "look.grey",
            ]);
        }
        if let Some(file) = &self.head_sequence {
            play_sequence(scene, file);
        }
        let shorthands = [
            ("head.file", &head),
            ("import.file", &groom),
            ("sim.solver", &self.solver),
            ("roots.strands", &self.strands),
            ("groom.vertices", &self.vertices),
            ("roots.seed", &self.seed),
        ];
        if let Some(ids) = self.solver.as_deref().filter(|ids| ids.contains(',')) {
            let text = "--solver takes one method here; --compare takes two, side by side, and \
                        sweep runs each of several with --vary sim.solver=";
            return Err(Usage(format!("{text}{ids}")).into());
        }
        for (key, value) in shorthands {
            if let Some(value) = value {
                set(scene, key, value)?;
            }
        }
        if let Some(name) = &self.motion {
            set(scene, "motion.preset", name)?;
            let motion = &mut scene.sim.motion;
            motion.choose(motion.preset);
            scene.unkey(&["motion.amplitude", "motion.travel", "motion.frequency"]);
        }
        // What is set of a head is that of the last one.
        let of_head = |key: &str| key.starts_with("head.") && key != "head.file";
        let is_last = |key: &str| self.rebind.is_some() && of_head(key);
        for (key, value) in self.set.iter().filter(|(key, _)| !is_last(key)) {
            set(scene, key, value)?;
        }
        if let Some(head) = &self.rebind {
            carry_to(scene, head)?;
        }
        for (key, value) in self.set.iter().filter(|(key, _)| is_last(key)) {
            set(scene, key, value)?;
        }
        Ok(())
    }
}

/// Carries the hair of the scene's head onto that one.
fn carry_to(scene: &mut Scene, head: &Path) -> Result<(), Usage> {
    if !rebind::can_rebind(scene) {
        return Err(Usage(
            "--rebind carries hair from a head that does not move and is as its file has it; \
             leave out the scene's head.turn, flip and scale, and head sequences"
                .into(),
        ));
    }
    rebind::rebind(scene, head);
    Ok(())
}

fn colour(id: &str) -> Result<&'static Pigment, Usage> {
    pigment::pigment(id).ok_or_else(|| {
        let ids: Vec<&str> = PIGMENTS.iter().map(|pigment| pigment.id).collect();
        Usage(format!(
            "there is no hair colour {id}; choose one of {}",
            ids.join(", ")
        ))
    })
}

fn style(id: &str) -> Result<&'static Style, Usage> {
    if let Some(style) = styles::style(id) {
        return Ok(style);
    }
    let ids: Vec<&str> = STYLES.iter().map(|style| style.id).collect();
    Err(Usage(format!(
        "there is no style {id}; choose one of {}",
        ids.join(", ")
    )))
}

/// Sets one tunable from the command line; a refusal is wrong usage.
pub fn set(scene: &mut Scene, key: &str, value: &str) -> anyhow::Result<()> {
    let solvers = |scene: &Scene| {
        let second = &scene.b.step.0;
        [scene.sim.step.solver.clone(), second.solver.clone()]
    };
    let before = solvers(scene);
    scene.set_by_name(key, value).map_err(Usage)?;
    // A method is a text to a scene.
    for (now, before) in solvers(scene).iter().zip(&before) {
        if now != before {
            built_scene::check_solver(now).map_err(|error| Usage(error.to_string()))?;
        }
    }
    Ok(())
}

/// The methods asked for, each once, in the order of the table; all where none is, or
/// [`ALL`] are.
pub fn methods(ids: &[String]) -> anyhow::Result<Vec<&'static Method>> {
    for id in ids {
        if id != ALL && method(id).is_none() {
            let why = built_scene::check_solver(id).err();
            return Err(Usage(why.map_or_else(String::new, |e| e.to_string())).into());
        }
    }
    let every = ids.is_empty() || ids.iter().any(|id| id == ALL);
    let wanted = |method: &&Method| every || ids.iter().any(|id| id == method.id);
    Ok(SOLVERS.iter().filter(wanted).collect())
}

/// Whether the file is named as any text may be, and is no groom by its content.
fn is_other_text(file: &Path) -> bool {
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "txt") && !strands::holds_strands(file)
}

/// What a file is not that could not be read as a scene, as the begin of a sentence.
fn no_scene(file: &Path) -> String {
    let shown = file.display();
    match is_other_text(file) {
        true => format!("{shown} is neither a scene nor a groom"),
        false => format!("{shown} is not a scene"),
    }
}

/// Catches what else people put where a scene file belongs: a head without `--head`, a
/// folder, and a misspelt command.
fn check_scene_name(file: &Path) -> anyhow::Result<()> {
    let ending = file.extension().map(|e| e.to_ascii_lowercase());
    let named = ending.is_some_and(|e| e == "obj" || e == "glb" || e == "gltf");
    if named || file.is_file() && strands::is_head(file) {
        let file = file.display();
        return Err(Usage(format!(
            "{file} is a head, not a scene; write --head {file}"
        ))
        .into());
    }
    if strands::is_named_like_groom(file) && !is_other_text(file) {
        let file = file.display();
        return Err(Usage(format!(
            "{file} is a groom, not a scene; write --groom {file}"
        ))
        .into());
    }
    if file.is_dir() {
        let file = file.display();
        return Err(Usage(format!("{file} is a folder; name a scene's .toml file")).into());
    }
    if file.components().count() == 1 && file.extension().is_none() && !file.exists() {
        let name = file.display().to_string();
        if examples::find(&name).is_some() {
            return Err(Usage(format!(
                "there is no file {name}; the scene that comes with the program is --scene {name}"
            ))
            .into());
        }
        return Err(UnknownName(name).into());
    }
    Ok(())
}
