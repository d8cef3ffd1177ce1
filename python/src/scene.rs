//! Scenes: what a simulation is built from.

use crate::{
    error::{raise, say},
    simulation::Simulation,
    values,
};
use lovelock::math::counted;
use lovelock::{
    cli::{Overrides, SceneArgs},
    project::{
        built_scene, examples,
        scene::{self, HandworkLoss},
    },
    sim::solver::SOLVERS,
};
use pyo3::{
    exceptions::PyUserWarning,
    prelude::*,
    types::{PyDict, PyIterator, PyList, PyMapping},
};
use std::{
    ffi::CString,
    path::{Path, PathBuf},
};

/// Everything that a run is made of: head, hair, forces, look, camera.
///
/// Parameters are read and set by the names of docs/parameters.md:
/// ``scene["wind.on"] = True``.
#[pyclass(module = "lovelock", frozen)]
pub struct Scene {
    scene: std::sync::Mutex<scene::Scene>,
}

/// The shorthands of the command line among keyword arguments.
fn shorthands(options: &Bound<'_, PyDict>) -> PyResult<Overrides> {
    let mut overrides = Overrides::default();
    for (name, value) in options.iter() {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        let text = values::text(&value)?;
        match name.as_str() {
            "head" => overrides.head = Some(text.into()),
            "head_sequence" => overrides.head_sequence = Some(text.into()),
            "groom" => overrides.groom = Some(text.into()),
            "solver" => overrides.solver = Some(text),
            "style" => overrides.style = Some(text),
            "colour" => overrides.colour = Some(text),
            "motion" => overrides.motion = Some(text),
            "strands" => overrides.strands = Some(text),
            "vertices" => overrides.vertices = Some(text),
            "seed" => overrides.seed = Some(text),
            _ => {
                return Err(say(format!(
                    "there is no option {name}; it can be head, head_sequence, groom, solver, \
                     style, colour, motion, strands, vertices, seed, or set, a dict of parameters"
                )));
            }
        }
    }
    Ok(overrides)
}

/// Warns that other hair grows than was cut, combed and pinned, if anything of that is lost.
fn warn_of_handwork(py: Python<'_>, loss: Option<HandworkLoss>) -> PyResult<()> {
    let Some(loss) = loss else { return Ok(()) };
    let text = CString::new(format!("other hair grows: {loss}"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

impl Scene {
    /// The scene, as long as nothing else is done with it. Whoever holds it must not run
    /// Python: another thread of Python may be waiting for it.
    fn lock(&self) -> std::sync::MutexGuard<'_, scene::Scene> {
        // It is whole even if another thread failed while it held the lock.
        let held = self.scene.lock();
        held.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[pymethods]
impl Scene {
    /// A scene that comes with the program, by its name, or one of a ``.toml``
    /// file; without either, curls on the built-in head.
    ///
    /// Keywords are the options of the command line: ``head``, ``head_sequence``,
    /// ``groom``, ``solver``, ``style``, ``colour``, ``motion``, ``strands``,
    /// ``vertices``, ``seed``. ``set`` is a dict of parameters. Where hair grows elsewhere
    /// than in the scene, what was cut, combed and pinned there is left out, with a warning.
    #[new]
    #[pyo3(signature = (source = None, *, set = None, **options))]
    fn new(
        py: Python<'_>,
        source: Option<PathBuf>,
        set: Option<&Bound<'_, PyMapping>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut overrides = options.map(shorthands).transpose()?.unwrap_or_default();
        for item in set.map(|set| set.items()).transpose()?.iter().flatten() {
            let (key, value): (String, Bound<'_, PyAny>) = item.extract()?;
            overrides.set.push((key, values::text(&value)?));
        }
        let mut from = SceneArgs {
            overrides,
            ..SceneArgs::default()
        };
        match source {
            Some(source) if is_name(&source) => {
                from.example = Some(source.to_string_lossy().into_owned());
            }
            source => from.file = source,
        }
        let plain = SceneArgs {
            overrides: Overrides::default(),
            ..from.clone()
        };
        // An animated head may have thousands of files to look through.
        let read = py.detach(|| -> anyhow::Result<_> {
            let scene = plain.read()?;
            let handwork = scene.handwork.clone();
            let scene = from.lay_over(scene)?;
            Ok((HandworkLoss::between(&handwork, &scene.handwork), scene))
        });
        let (loss, scene) = read.map_err(raise)?;
        warn_of_handwork(py, loss)?;
        Ok(Self {
            scene: scene.into(),
        })
    }

    /// Sets a parameter by its name: ``scene.set("wind.strength", 6)``. Where hair grows
    /// elsewhere then, what was cut, combed and pinned is left out; where it is tied, its
    /// cuts alone stay. Both with a warning.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = values::text(value)?;
        let mut scene = self.lock();
        let before = scene.clone();
        values::set(&mut scene, key, &text)?;
        let loss = scene.drop_handwork(&before);
        drop(scene);
        warn_of_handwork(py, loss)
    }

    /// The value of a parameter.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = values::get(&self.lock(), key)?;
        values::object(py, value)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, key)
    }

    fn __setitem__(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(py, key, value)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        let key = key.extract::<String>();
        key.is_ok_and(|key| self.lock().place(&key).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys())?.try_iter()
    }

    /// Number of parameters.
    fn __len__(&self) -> usize {
        self.keys().len()
    }

    /// The names of all parameters.
    fn keys(&self) -> Vec<String> {
        let scene = self.lock();
        let sections = scene.sections().into_iter();
        sections
            .flat_map(|section| {
                let name = section.section();
                let tunables = section.tunables().into_iter();
                tunables.map(move |tunable| format!("{name}.{}", tunable.key))
            })
            .collect()
    }

    /// A scene of its own with the same parameters.
    fn copy(&self) -> Self {
        Self {
            scene: self.lock().clone().into(),
        }
    }

    /// Writes what differs from the defaults to a scene file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let scene = self.lock().clone();
        py.detach(|| scene.write(&path)).map_err(raise)
    }

    /// Builds head and hair; they rest, at time zero.
    fn build(&self, py: Python<'_>) -> PyResult<Simulation> {
        let scene = self.lock().clone();
        let built = py.detach(|| built_scene::build(&scene));
        Ok(Simulation::new(built.map_err(raise)?, scene))
    }

    fn __repr__(&self) -> String {
        let scene = self.lock();
        format!(
            "<lovelock.Scene: {}, {}>",
            match scene.import.file.as_str() {
                "" => counted(scene.roots.strands, "strand", "strands"),
                file => file.into(),
            },
            scene.sim.step.solver
        )
    }
}

/// Whether a source is a shipped scene's name: a plain word, of no file.
fn is_name(source: &Path) -> bool {
    source.components().count() == 1 && source.extension().is_none() && !source.is_file()
}

/// The names of the scenes that come with the program.
#[pyfunction]
pub fn scenes() -> Vec<&'static str> {
    examples::EXAMPLES
        .iter()
        .map(|example| example.name)
        .collect()
}

/// The ids of the methods that move strands: values of ``sim.solver``.
#[pyfunction]
pub fn methods() -> Vec<&'static str> {
    SOLVERS.iter().map(|method| method.id).collect()
}
