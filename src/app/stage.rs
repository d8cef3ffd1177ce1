//! From a scene to hair in motion: head, roots, groom, simulation.
//!
//! The window and the headless commands build here, so both mean the same by
//! the same scene.

use super::scene::Scene;
use crate::{
    groom::{
        Bed, BindReport, Groom, GroomParams, ImportParams,
        bind::{self, Found, NoStrand},
        grow,
        stiffness::{Planted, stiffen},
    },
    io::strands::{self, Strands, StrandsError},
    mesh::{self, Body, Footage, Growth, Head, HeadParams, MeshError, Places, RootParams, footage},
    param,
    sim::{
        Simulation,
        hand::Misfit,
        solver::{SOLVERS, method},
    },
};
use rayon::prelude::*;
use std::{path::Path, sync::Arc};
use thiserror::Error;

/// Told how many files are read, and of how many.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Why a scene cannot be built.
#[derive(Debug, Error)]
pub enum StageError {
    /// The head could not be read.
    #[error(transparent)]
    Head(MeshError),
    /// The head has no place for hair.
    #[error(transparent)]
    Roots(MeshError),
    /// The scene's cuts and pins belong to other hair.
    #[error(transparent)]
    Handwork(#[from] Misfit),
    /// The groom's file cannot be read.
    #[error(transparent)]
    Import(#[from] StrandsError),
    /// The groom's file has nothing to simulate.
    #[error("{file}: {source}")]
    Bind {
        /// The file.
        file: String,
        /// Why.
        source: NoStrand,
    },
    /// There is no such method.
    #[error("there is no solver \"{given}\"; it can be {known}{nearest}")]
    Solver {
        /// What was asked for.
        given: String,
        /// What there is.
        known: String,
        /// A guess, as a sentence's end, or empty.
        nearest: String,
    },
}

/// The strands of a file, and how they fit the head best.
struct Wig {
    strands: Strands,
    found: Found,
}

/// Everything that a scene stands for.
pub struct Stage {
    /// The head, with what was found while reading it.
    pub head: Head,
    /// The head as hair collides with it.
    pub body: Arc<Body>,
    /// The hair's rest curves.
    pub groom: Arc<Groom>,
    /// Where followers are rooted.
    pub bed: Bed,
    /// How the groom of a file came onto the head; none of grown hair.
    pub bound: Option<Arc<BindReport>>,
    /// Hair in motion, at rest at time zero.
    pub simulation: Simulation,
    head_params: HeadParams,
    sequence: String,
    root_params: RootParams,
    groom_params: GroomParams,
    import_params: ImportParams,
    /// What a file holds, where hair grows and how, while they are still those.
    kept: Kept,
    cell: f32,
}

/// What takes long to make and outlives a change of hair.
#[derive(Clone, Default)]
struct Kept {
    strands: Option<Arc<Wig>>,
    places: Option<Places>,
    growth: Option<Arc<Growth>>,
}

/// Builds everything that `scene` says.
///
/// # Errors
/// When the head cannot be read, has no place for hair, or the solver is
/// unknown; the text is one sentence that says what to do.
pub fn build(scene: &Scene) -> Result<Stage, StageError> {
    build_told(scene, &|_, _| ())
}

/// The same; `progress` is told how many files of a sequence are read, and of
/// how many.
///
/// # Errors
/// Those of [`build`].
pub fn build_told(scene: &Scene, progress: Progress) -> Result<Stage, StageError> {
    check_solvers(scene)?;
    let sequence = &scene.sim.motion.sequence;
    if sequence.is_empty() {
        let head = mesh::load(&scene.head).map_err(StageError::Head)?;
        return bake(head, None, Kept::default(), scene);
    }
    let read = footage::read(Path::new(sequence), &scene.head, progress);
    let (head, footage) = read.map_err(StageError::Head)?;
    bake(head, Some(Arc::new(footage)), Kept::default(), scene)
}

/// Refuses a scene with a solver that does not exist.
///
/// # Errors
/// The sentence names what there is.
pub fn check_solvers(scene: &Scene) -> Result<(), StageError> {
    check_solver(&scene.sim.step.solver)?;
    match scene.compare.on {
        true => check_solver(&scene.b.step.0.solver),
        false => Ok(()),
    }
}

/// Refuses a solver that does not exist.
pub fn check_solver(id: &str) -> Result<(), StageError> {
    if method(id).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = SOLVERS.iter().map(|method| method.id).collect();
    let nearest = match known.len() {
        0 | 1 => None,
        _ => param::nearest(id, known.iter().map(|id| (*id).to_string())),
    };
    Err(StageError::Solver {
        given: id.into(),
        known: known.join(", "),
        nearest: nearest.map_or_else(String::new, |id| format!("; did you mean {id}?")),
    })
}

fn bake(
    head: Head,
    footage: Option<Arc<Footage>>,
    kept: Kept,
    scene: &Scene,
) -> Result<Stage, StageError> {
    let mut body = Body::new(head.mesh.clone(), scene.sim.collision.cell);
    body.footage = footage;
    grow_on(head, Arc::new(body), kept, scene)
}

/// The strands of the scene's file, if it names one.
fn import(scene: &Scene) -> Result<Option<Arc<Wig>>, StageError> {
    if scene.import.file.is_empty() {
        return Ok(None);
    }
    let (format, strands) = strands::read(Path::new(&scene.import.file))?;
    let strands = strands.evaluated();
    log::info!(
        "{}: {}, {} strands",
        scene.import.file,
        format.name,
        strands.len()
    );
    for note in &strands.notes {
        log::info!("{}: {note}", scene.import.file);
    }
    Ok(Some(Arc::new(Wig {
        strands,
        found: Found::new(),
    })))
}

fn grow_on(head: Head, body: Arc<Body>, kept: Kept, scene: &Scene) -> Result<Stage, StageError> {
    let strands = match kept.strands {
        Some(strands) => Some(strands),
        None => import(scene)?,
    };
    let growth = Growth::read(&head.mesh, &scene.roots, kept.growth.as_deref());
    let growth = Arc::new(growth.map_err(StageError::Roots)?);
    let mut places = kept.places;
    let (groom, bed, bound) = match &strands {
        Some(wig) => {
            let loose = wig.strands.loose(&wig.found);
            let file = &scene.import.file;
            let mut bound =
                bind::bind(&loose, &scene.import, &body).map_err(|source| StageError::Bind {
                    file: file.clone(),
                    source,
                })?;
            log::info!("{file}: {}", bound.report.summary);
            for warning in &bound.report.warnings {
                log::warn!("{file}: {warning}");
            }
            stiffen_bound(&mut bound.groom, &growth, &body, scene);
            (bound.groom, bound.bed, Some(Arc::new(bound.report)))
        }
        None => {
            let drawn = places.filter(|places| places.serve(&scene.roots));
            let drawn = match drawn {
                Some(drawn) => drawn,
                None => Places::draw(&head.mesh, &scene.roots).map_err(StageError::Roots)?,
            };
            let roots = drawn.grown(&head.mesh, &scene.roots, &growth);
            let roots = roots.map_err(StageError::Roots)?;
            places = Some(drawn);
            let groom = grow::grow(&roots, &scene.groom, scene.roots.seed, &body);
            let bed = Bed::Scalp(Box::new(scene.roots.clone()), growth.clone());
            (groom, bed, None)
        }
    };
    let groom = Arc::new(groom);
    scene.handwork.fits(&groom)?;
    let mut simulation = Simulation::new(groom.clone(), body.clone(), &scene.sim);
    simulation.take_up(&scene.handwork, &scene.sim);
    Ok(Stage {
        head,
        body,
        groom,
        bed,
        bound,
        simulation,
        head_params: scene.head.clone(),
        sequence: scene.sim.motion.sequence.clone(),
        root_params: scene.roots.clone(),
        groom_params: scene.groom.clone(),
        import_params: scene.import.clone(),
        kept: Kept {
            strands,
            places,
            growth: Some(growth),
        },
        cell: scene.sim.collision.cell,
    })
}

/// Hair from a file is as stiff as grown hair would be at its roots.
fn stiffen_bound(groom: &mut Groom, growth: &Growth, body: &Body, scene: &Scene) {
    let planted = |strand: usize| Planted {
        number: strand as u64,
        share: growth.stiffness_on(body, groom.strand(strand)[0]),
    };
    let planted: Vec<Planted> = (0..groom.strands()).into_par_iter().map(planted).collect();
    stiffen(groom, &planted, &scene.groom, scene.roots.seed);
}

impl Stage {
    /// Whether this stage is what `scene` says, apart from parameters that a
    /// running simulation takes up by itself.
    pub fn suits(&self, scene: &Scene) -> bool {
        self.head_params == scene.head
            && self.sequence == scene.sim.motion.sequence
            && self.root_params == scene.roots
            && self.groom_params == scene.groom
            && self.import_params == scene.import
            && self.cell == scene.sim.collision.cell
    }

    /// Builds what `scene` says; the head and its distance grid are kept when
    /// they are still those asked for.
    ///
    /// # Errors
    /// Those of [`build`]; `self` is unharmed.
    pub fn rebuilt(&self, scene: &Scene, progress: Progress) -> Result<Self, StageError> {
        check_solvers(scene)?;
        // A file that is still the one asked for need not be read again.
        let same = self.import_params.file == scene.import.file;
        let mut kept = self.kept.clone();
        kept.strands = kept.strands.filter(|_| same);
        if self.head_params != scene.head || self.sequence != scene.sim.motion.sequence {
            build_told(scene, progress)
        } else if self.cell != scene.sim.collision.cell {
            bake(self.head.clone(), self.body.footage.clone(), kept, scene)
        } else {
            grow_on(self.head.clone(), self.body.clone(), kept, scene)
        }
    }

    /// The sequence that was asked for; empty for none.
    pub fn sequence(&self) -> &str {
        &self.sequence
    }

    /// How the head was asked for.
    pub fn head_params(&self) -> &HeadParams {
        &self.head_params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Scene {
        let mut scene = Scene::default();
        scene.roots.strands = 40;
        scene.groom.vertices = 8;
        scene
    }

    #[test]
    fn the_default_head_grows_as_many_strands_as_were_asked_for() {
        let stage = build(&small()).expect("builds");
        assert_eq!(stage.groom.strands(), 40);
        assert_eq!(stage.groom.points.len(), 40 * 8);
        assert!(stage.head.report.warnings.is_empty());
    }

    #[test]
    fn a_change_of_hair_keeps_the_head_and_a_failure_harms_nothing() {
        let mut scene = small();
        let stage = build(&scene).expect("builds");
        assert!(stage.suits(&scene));
        scene.sim.wind.on = true;
        assert!(stage.suits(&scene), "the wind needs no new hair");
        scene.groom.length = 0.1;
        assert!(!stage.suits(&scene));
        let other = stage.rebuilt(&scene, &|_, _| ()).expect("builds");
        assert!(Arc::ptr_eq(&stage.body, &other.body), "the same head");
        assert!(other.suits(&scene));
        scene.head.file = "no such file.obj".into();
        let message = other
            .rebuilt(&scene, &|_, _| ())
            .err()
            .expect("fails")
            .to_string();
        assert!(message.contains("no such file.obj"), "{message}");
        assert_eq!(other.groom.strands(), 40);
    }

    #[test]
    fn an_unknown_solver_is_refused_by_name() {
        let mut scene = small();
        scene.sim.step.solver = "pdb".into();
        let message = build(&scene).err().expect("refused").to_string();
        assert!(
            message.contains("\"pdb\"") && message.contains("pbd"),
            "{message}"
        );
    }
}
