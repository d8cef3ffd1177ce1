//! From a scene to hair in motion: head, roots, groom, simulation.
//!
//! The window and the headless commands build here, so both mean the same by
//! the same scene.

mod error;
mod imported;

pub use error::BuildError;
pub(super) use imported::import;

use super::{
    export::{FileAxes, Origin},
    growth_inputs::GrowthInputs,
    made_for::OtherHead,
    scene::Scene,
};
use crate::math::counted;
use crate::{
    groom::{
        Bed, BindReport, Groom, ImportParams,
        carry::CarryReport,
        fit_near::{NearFit, near_fit},
        grow,
    },
    mesh::{
        self, CollisionMesh, Growth, HeadParams, LoadedHead, MeshError, MeshSequence, Parting,
        Places, SequenceError, sequence,
    },
    param,
    sim::{
        Simulation,
        hand::Handwork,
        solver::{SOLVERS, method},
    },
};
use imported::{BoundImport, Wig};
use std::{path::Path, sync::Arc};

/// What is being built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// So many files of a sequence are read, of so many.
    Files(usize, usize),
    /// A part of the work, in words, and the share of all that is done before it.
    Part(&'static str, f32),
    /// The same as before: asked in the midst of it whether to go on.
    Still,
}

/// Told what is being built; where it answers false, that is given up.
pub type BuildProgress<'a> = &'a (dyn Fn(Told) -> bool + Sync);

/// Nobody waits for it; it is never given up.
const UNTOLD: BuildProgress = &|_| true;

/// Tells of the part that comes next.
fn next(progress: BuildProgress, part: &'static str, share: f32) -> Result<(), BuildError> {
    match progress(Told::Part(part, share)) {
        true => Ok(()),
        false => Err(BuildError::GivenUp),
    }
}

/// Everything that a scene stands for.
pub struct BuiltScene {
    /// The head, with what was found while reading it.
    pub head: LoadedHead,
    /// The head as hair collides with it.
    pub body: Arc<CollisionMesh>,
    /// The hair's rest curves.
    pub groom: Arc<Groom>,
    /// Where followers are rooted.
    pub bed: Bed,
    /// How the groom of a file came onto the head; none of grown hair.
    pub bound: Option<Arc<BindReport>>,
    /// How it came from the head that it was made for, where that is another.
    pub carried: Option<CarryReport>,
    /// The file that it comes from; none of grown hair.
    pub origin: Option<Origin>,
    /// Hair in motion, at rest at time zero.
    pub simulation: Simulation,
    inputs: GrowthInputs,
    handwork: Handwork,
    /// What a file holds, where hair grows and how, while they are still those.
    kept: Kept,
}

/// What takes long to make and outlives a change of hair.
#[derive(Clone, Default)]
struct Kept {
    strands: Option<Arc<Wig>>,
    made_for: Option<Arc<OtherHead>>,
    places: Option<Places>,
    growth: Option<Arc<Growth>>,
}

/// Builds everything that `scene` says.
///
/// # Errors
/// When the head cannot be read, has no place for hair, or the solver is
/// unknown; the text is one sentence that says what to do.
pub fn build(scene: &Scene) -> Result<BuiltScene, BuildError> {
    build_told(scene, UNTOLD)
}

/// The same; `progress` is told what is being built.
///
/// # Errors
/// Those of [`build`], and [`BuildError::GivenUp`].
pub fn build_told(scene: &Scene, progress: BuildProgress) -> Result<BuiltScene, BuildError> {
    build_shown(scene, progress, &|_| ())
}

/// The same; `show` is handed the head as soon as that is read, long before there
/// is hair on it.
///
/// # Errors
/// Those of [`build`].
pub fn build_shown(
    scene: &Scene,
    progress: BuildProgress,
    show: &dyn Fn(&LoadedHead),
) -> Result<BuiltScene, BuildError> {
    check_solvers(scene)?;
    next(progress, "reading the head", 0.0)?;
    let sequence = &scene.sim.motion.sequence;
    if sequence.is_empty() {
        let head = mesh::load(&scene.head).map_err(BuildError::Head)?;
        show(&head);
        return bake(head, None, Kept::default(), scene, progress);
    }
    let files = |done, all| progress(Told::Files(done, all));
    let read = sequence::read(Path::new(sequence), &scene.head, &files);
    let (head, footage) = read.map_err(|error| match error {
        MeshError::MeshSequence(SequenceError::GivenUp) => BuildError::GivenUp,
        error => BuildError::Head(error),
    })?;
    show(&head);
    let footage = Some(Arc::new(footage));
    bake(head, footage, Kept::default(), scene, progress)
}

/// Refuses a scene with a solver that does not exist.
///
/// # Errors
/// The sentence names what there is.
pub fn check_solvers(scene: &Scene) -> Result<(), BuildError> {
    check_solver(&scene.sim.step.solver)?;
    match scene.compare.on {
        true => check_solver(&scene.b.step.0.solver),
        false => Ok(()),
    }
}

/// Refuses a solver that does not exist.
pub fn check_solver(id: &str) -> Result<(), BuildError> {
    if method(id).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = SOLVERS.iter().map(|method| method.id).collect();
    let guess = match known.len() {
        0 | 1 => String::new(),
        _ => param::guess(id, known.iter().map(|id| (*id).to_string())),
    };
    Err(BuildError::Solver {
        given: id.into(),
        known: known.join(", "),
        guess,
    })
}

fn bake(
    head: LoadedHead,
    footage: Option<Arc<MeshSequence>>,
    kept: Kept,
    scene: &Scene,
    progress: BuildProgress,
) -> Result<BuiltScene, BuildError> {
    next(progress, "measuring the head", 0.2)?;
    let mut body = CollisionMesh::of_head(&head, scene.sim.collision.cell);
    body.footage = footage;
    grow_on(head, Arc::new(body), kept, scene, progress)
}

fn grow_on(
    head: LoadedHead,
    body: Arc<CollisionMesh>,
    kept: Kept,
    scene: &Scene,
    progress: BuildProgress,
) -> Result<BuiltScene, BuildError> {
    let strands = match kept.strands {
        Some(strands) => Some(strands),
        None => {
            next(progress, "reading the groom", 0.4)?;
            import(scene)?
        }
    };
    let made_for = match kept.made_for {
        Some(made_for) => Some(made_for),
        None => OtherHead::load(scene, &head)?.map(Arc::new),
    };
    next(progress, "measuring the scalp", 0.5)?;
    let growth = Growth::read(&head.mesh, &scene.roots, kept.growth.as_deref());
    let growth = Arc::new(growth.map_err(BuildError::Roots)?);
    let parting = Parting::parse(&scene.roots.parting).map_err(|why| {
        let key = "parting";
        BuildError::Roots(MeshError::Paint { key, why })
    })?;
    let mut places = kept.places;
    let (mut worn, mut carried) = (None, None);
    let (groom, bed, bound) = match (&strands, &made_for) {
        (Some(wig), _) => {
            next(progress, "binding the groom to the head", 0.55)?;
            let hair = BoundImport::bind(wig, made_for.as_deref(), &growth, &body, scene)?;
            (worn, carried) = (Some(hair.worn), hair.carried);
            let bound = hair.bound;
            (bound.groom, bound.bed, Some(Arc::new(bound.report)))
        }
        (None, Some(other)) => {
            next(progress, "growing the hair", 0.55)?;
            let (groom, report) = other.grow(scene, &body)?;
            carried = Some(report);
            let bed = Bed::Scalp(Box::new(scene.roots.clone()), growth.clone());
            (groom, bed, None)
        }
        (None, None) => {
            next(progress, "growing the hair", 0.55)?;
            let drawn = places.filter(|places| places.serve(&scene.roots));
            let drawn = match drawn {
                Some(drawn) => drawn,
                None => Places::draw(&head.mesh, &scene.roots).map_err(BuildError::Roots)?,
            };
            let roots = drawn.grown(&head.mesh, &scene.roots, &growth);
            let roots = roots.map_err(BuildError::Roots)?;
            places = Some(drawn);
            let line = parting.on(&body);
            let groom = grow::grow_parted(&roots, &scene.groom, scene.roots.seed, &body, line);
            let bed = Bed::Scalp(Box::new(scene.roots.clone()), growth.clone());
            (groom, bed, None)
        }
    };
    let groom = Arc::new(groom);
    let origin = worn
        .as_ref()
        .zip(bound.as_ref())
        .and_then(|(worn, bound)| Origin::new(&groom, worn, bound));
    let waiting = scene.handwork.fits(&groom)?;
    if waiting > 0 {
        log::info!(
            "{} that were cut, combed or pinned are thinned out",
            counted(waiting, "strand", "strands")
        );
    }
    next(progress, "bringing the hair to life", 0.75)?;
    let mut simulation = Simulation::new(groom.clone(), body.clone(), &scene.sim);
    simulation.take_up(&scene.handwork, &scene.sim);
    Ok(BuiltScene {
        head,
        body,
        groom,
        bed,
        bound,
        carried,
        origin,
        simulation,
        inputs: GrowthInputs::of(scene),
        handwork: scene.handwork.clone(),
        kept: Kept {
            strands,
            made_for,
            places,
            growth: Some(growth),
        },
    })
}

impl BuiltScene {
    /// Whether this stage is what `scene` says, apart from parameters that a
    /// running simulation takes up by itself.
    pub fn suits(&self, scene: &Scene) -> bool {
        self.inputs.suit(scene)
    }

    /// What outlives a change of hair; a copy shares all that is large.
    pub fn ground(&self) -> Ground {
        Ground {
            head: self.head.clone(),
            body: self.body.clone(),
            inputs: self.inputs.clone(),
            kept: self.kept.clone(),
        }
    }

    /// Builds what `scene` says; the head and its distance grid are kept when
    /// they are still those asked for.
    ///
    /// # Errors
    /// Those of [`build_told`]; `self` is unharmed.
    pub fn rebuilt(&self, scene: &Scene, progress: BuildProgress) -> Result<Self, BuildError> {
        self.ground().build(scene, progress)
    }

    /// The sequence that was asked for; empty for none.
    pub fn sequence(&self) -> &str {
        &self.inputs.sequence
    }

    /// What was cut, combed and pinned of the hair from the beginning.
    pub fn handwork(&self) -> &Handwork {
        &self.handwork
    }

    /// The axes of the files of head and groom.
    pub fn file_axes(&self) -> FileAxes {
        let own = !self.head_params().file.is_empty() || !self.sequence().is_empty();
        // Hair that was carried here lies as this head's file has it.
        let groom = self.bound.as_ref().filter(|_| self.carried.is_none());
        FileAxes {
            head: own.then_some(self.head.report.up),
            groom: groom.and_then(|bound| bound.file.up()),
        }
    }

    /// How the head was asked for.
    pub fn head_params(&self) -> &HeadParams {
        &self.inputs.head
    }
}

/// What outlives a change of hair: other hair on the same head is built faster
/// with it, on any thread.
#[derive(Clone)]
pub struct Ground {
    head: LoadedHead,
    body: Arc<CollisionMesh>,
    inputs: GrowthInputs,
    kept: Kept,
}

impl Ground {
    /// What is set about the hair of a file, once that is brought to the skin from where
    /// `import` places it; none of grown hair, and of hair that comes from another head.
    pub fn near_fit(&self, import: &ImportParams, how: NearFit) -> Option<ImportParams> {
        let wig = self.kept.strands.as_ref()?;
        let loose = wig.strands.loose(&wig.found);
        let here = import.made_for().is_none();
        here.then(|| near_fit(&loose, import, &self.body, how))
    }

    /// Builds what `scene` says; the head and its distance grid are kept when
    /// they are still those asked for.
    ///
    /// # Errors
    /// Those of [`build_told`].
    pub fn build(&self, scene: &Scene, progress: BuildProgress) -> Result<BuiltScene, BuildError> {
        check_solvers(scene)?;
        // A file that is still the one asked for need not be read again.
        let GrowthInputs { import, cell, .. } = &self.inputs;
        let read = |import: &ImportParams| (import.file.clone(), import.points);
        let same = read(import) == read(&scene.import);
        let same_cell = *cell == scene.sim.collision.cell;
        let mut kept = self.kept.clone();
        kept.strands.take_if(|_| !same);
        // The head that hair was made for has a grid of such cells, too.
        let same_head = import.made_for() == scene.import.made_for() && same_cell;
        kept.made_for.take_if(|_| !same_head);
        let (head, body) = (self.head.clone(), self.body.clone());
        if !self.inputs.has_head_of(scene) {
            build_told(scene, progress)
        } else if !same_cell {
            bake(head, body.footage.clone(), kept, scene, progress)
        } else {
            grow_on(head, body, kept, scene, progress)
        }
    }
}

#[cfg(test)]
mod tests;
