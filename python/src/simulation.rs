//! Hair in motion.

use crate::{
    error::{raise, say},
    values,
};
use glam::Vec3;
use lovelock::math::counted;
use lovelock::{
    cli::{self, ExportArgs, LengthUnit, Shot},
    groom::Followers,
    project::{
        built_scene::{self, BuiltScene},
        export::Origin,
        scene::Scene,
    },
    render::{EnvironmentCache, Headless},
};
use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadwriteArray2,
    PyUntypedArrayMethods as _,
};
use pyo3::{prelude::*, types::PyDict};
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Python is asked so often whether the user has interrupted.
const LOOK: Duration = Duration::from_millis(100);

/// The longest time that can be asked for. `[s]`
const LONGEST: f64 = 86_400.0;

/// Sides of a picture. `[px]`
const SIDES: std::ops::RangeInclusive<i64> = 16..=16_384;

/// What ``positions_into`` takes.
const OUT: &str = "out must be a C-contiguous float32 array of (vertices, 3); make it with \
                   numpy.empty_like(hair.positions)";

/// Places of vertices and triangles between them.
type Mesh<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>);

/// Hair in motion on a head, built by ``Scene.build``.
#[pyclass(module = "lovelock", frozen)]
pub struct Simulation {
    inner: Mutex<Inner>,
}

/// What only one thread may use at a time.
struct Inner {
    stage: BuiltScene,
    scene: Scene,
    environments: EnvironmentCache,
    /// How much more time was asked for than whole steps have taken; less than one. `[s]`
    owed: f64,
    /// Memory for positions that are copied to an array.
    positions: Vec<Vec3>,
}

impl Inner {
    /// So many steps go on by `seconds`, and by what is left over of those before.
    fn steps(&mut self, seconds: f64) -> u64 {
        let rate = f64::from(self.scene.sim.step.rate);
        let wanted = self.owed + seconds;
        let steps = (wanted * rate).round().max(0.0);
        self.owed = wanted - steps / rate;
        steps as u64
    }
}

impl Simulation {
    /// Hair that was built of `scene`.
    pub fn new(stage: BuiltScene, scene: Scene) -> Self {
        let inner = Mutex::new(Inner {
            stage,
            scene,
            environments: EnvironmentCache::default(),
            owed: 0.0,
            positions: Vec::new(),
        });
        Self { inner }
    }

    /// Does `work` on it without Python's lock, once no other thread does any.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Inner) -> T + Send) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Simulation {
    /// Moves the hair on: by a number of ``steps``, or by ``seconds``; by one step
    /// without either. Seconds are gone in whole steps of 1/``sim.rate`` s; what is left
    /// over counts in the next call, so that many calls take as long as they say.
    ///
    /// Other Python threads run meanwhile, and Ctrl+C ends it between two steps.
    #[pyo3(signature = (seconds = None, *, steps = None))]
    fn step(&self, py: Python<'_>, seconds: Option<f64>, steps: Option<i64>) -> PyResult<()> {
        let mut left = match (seconds, steps) {
            (None, steps) => u64::try_from(steps.unwrap_or(1))
                .map_err(|_| say("give steps, a whole number from 0"))?,
            (Some(_), Some(_)) => return Err(say("say seconds or steps, not both")),
            (Some(seconds), None) => {
                if !(0.0..=LONGEST).contains(&seconds) {
                    return Err(say("give seconds, from 0 to 86400"));
                }
                self.with(py, |inner| inner.steps(seconds))
            }
        };
        while left > 0 {
            left = self.with(py, |Inner { stage, scene, .. }| {
                let begun = Instant::now();
                while left > 0 && begun.elapsed() < LOOK {
                    stage.simulation.step(&scene.sim);
                    left -= 1;
                }
                left
            });
            py.check_signals()?;
        }
        Ok(())
    }

    /// Puts the hair back to where it was built, at time zero.
    fn reset(&self, py: Python<'_>) {
        self.with(py, |inner| {
            inner.stage.simulation.reset(&inner.scene.sim);
            inner.owed = 0.0;
        });
    }

    /// Sets a parameter of the running simulation, as ``Scene.set`` does. What head
    /// and hair are built of cannot be changed here: set it on a scene, and build.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = values::text(value)?;
        self.with(py, |inner| {
            let mut scene = inner.scene.clone();
            values::set(&mut scene, key, &text)?;
            built_scene::check_solvers(&scene).map_err(raise)?;
            if !inner.stage.suits(&scene) {
                return Err(say(format!(
                    "{key} changes what hair is built of; set it on the scene and build that again"
                )));
            }
            inner.scene = scene;
            Ok(())
        })
    }

    /// The value of a parameter.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.with(py, |inner| values::get(&inner.scene, key))?;
        values::object(py, value)
    }

    fn __setitem__(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(py, key, value)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, key)
    }

    /// Simulated time since the beginning, in seconds.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.with(py, |inner| inner.stage.simulation.time())
    }

    /// Where the vertices are now: float32, (vertices, 3), metres.
    ///
    /// Each call makes a new array, gathered once from the solver's own order and
    /// handed over without another copy. It is the caller's, and stays as it is
    /// while the hair moves on.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let points = self.with(py, |inner| {
            let mut points = Vec::new();
            inner.stage.simulation.write_positions(&mut points);
            points
        });
        rows(py, points)
    }

    /// Writes where the vertices are now into ``out``, a C-contiguous float32
    /// array of (vertices, 3), so that no memory is made for each frame.
    fn positions_into(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let out = out.cast::<PyArray2<f32>>().map_err(|_| say(OUT))?;
        let mut out: PyReadwriteArray2<'_, f32> = out.try_readwrite().map_err(|error| {
            say(format!(
                "out cannot be written ({error}); give another array"
            ))
        })?;
        // In Fortran's order the numbers would be contiguous, too, and mixed up.
        if !out.is_c_contiguous() {
            return Err(say(OUT));
        }
        let [count, each] = [out.shape()[0], out.shape()[1]];
        let values = out.as_slice_mut().map_err(|_| say(OUT))?;
        // The array is borrowed, so other threads of Python may run.
        self.with(py, |inner| {
            let points = &mut inner.positions;
            inner.stage.simulation.write_positions(points);
            let points: &[f32] = bytemuck::cast_slice(points);
            if each != 3 || points.len() != values.len() {
                return Err(say(format!(
                    "out is ({count}, {each}) and the hair's positions are ({}, 3)",
                    points.len() / 3
                )));
            }
            values.copy_from_slice(points);
            Ok(())
        })
    }

    /// Where the vertices were modelled, on the head at rest: float32,
    /// (vertices, 3), metres.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let points = self.with(py, |inner| inner.stage.groom.points.clone());
        rows(py, points)
    }

    /// Where each strand begins among the vertices, and the end: uint32,
    /// (strands + 1,). Strand ``i`` is ``positions[starts[i]:starts[i + 1]]``.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.with(py, |inner| inner.stage.groom.starts.clone())
            .into_pyarray(py)
    }

    /// The head's vertices now, float32 (vertices, 3), and its triangles, uint32
    /// (triangles, 3).
    fn head<'py>(&self, py: Python<'py>) -> PyResult<Mesh<'py>> {
        let (points, triangles) = self.with(py, |inner| {
            let (mesh, pose) = (&inner.stage.head.mesh, inner.stage.simulation.pose());
            let shape = inner.stage.simulation.shape();
            let places = shape.as_deref().unwrap_or(&mesh.positions);
            let points = places.iter().map(|place| pose.point(*place)).collect();
            (points, mesh.triangles.as_flattened().to_vec())
        });
        let count = triangles.len() / 3;
        Ok((
            rows(py, points)?,
            triangles.into_pyarray(py).reshape([count, 3])?,
        ))
    }

    /// How a groom's file came onto the head, a sentence; None of grown hair.
    #[getter]
    fn summary(&self, py: Python<'_>) -> Option<String> {
        self.with(py, |inner| {
            let bound = inner.stage.bound.as_ref();
            bound.map(|bound| bound.summary.clone())
        })
    }

    /// What was left out or taken otherwise of a groom's file, what is odd about it on
    /// this head, and whether fewer hairs are drawn than ``followers.each`` says: a
    /// sentence each.
    #[getter]
    fn notes(&self, py: Python<'_>) -> Vec<String> {
        self.with(py, |Inner { stage, scene, .. }| {
            let mut notes = stage
                .origin
                .as_ref()
                .map_or(&[][..], Origin::notes)
                .to_vec();
            let warnings = stage.bound.iter().flat_map(|bound| &bound.warnings);
            notes.extend(warnings.cloned());
            notes.extend(Followers::capped(
                stage.groom.strands(),
                scene.followers.each,
            ));
            notes
        })
    }

    /// What is measured of the hair: a dict of numbers, lengths in metres, energies
    /// in joules. The potential energy counts from the hair as modelled; the elastic one is
    /// None where the method knows none, and before a rod's first step.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (found, hash) = self.with(py, |Inner { stage, scene, .. }| {
            let simulation = &stage.simulation;
            (simulation.statistics(&scene.sim), simulation.state_hash())
        });
        let out = PyDict::new(py);
        let row = lovelock::io::stats::StatsRow::new(0, 0.0, 0.0, &found, hash);
        out.set_item("kinetic", row.kinetic)?;
        out.set_item("potential", row.potential)?;
        out.set_item("elastic", row.elastic)?;
        out.set_item("max_stretch", row.max_stretch)?;
        out.set_item("max_shortening", row.max_shortening)?;
        out.set_item("mean_length_error", row.mean_length_error)?;
        out.set_item("penetrating_vertices", row.penetrating_vertices)?;
        out.set_item("max_penetration", row.max_penetration_m)?;
        out.set_item("state_hash", row.state_hash)?;
        Ok(out)
    }

    /// Writes the hair as it is now into a groom's file; returns what the file does
    /// not hold, a sentence each.
    ///
    /// ``format`` is the format's id, by default that of the name's ending;
    /// ``units`` is m, cm or mm; ``drawn`` writes followers too, ``head`` the head:
    /// within a USD or Alembic file, else as OBJ beside it.
    #[pyo3(signature = (path, *, format = None, units = "m", drawn = false, head = false))]
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<String>,
        units: &str,
        drawn: bool,
        head: bool,
    ) -> PyResult<Vec<String>> {
        let unit = match units {
            "m" => LengthUnit::M,
            "cm" => LengthUnit::Cm,
            "mm" => LengthUnit::Mm,
            _ => return Err(say(format!("there is no unit {units}; say m, cm or mm"))),
        };
        let how = ExportArgs::of_pose(path, format, unit, drawn, head);
        let written = self.with(py, |inner| how.pose(&inner.stage, &inner.scene));
        written.map_err(raise)
    }

    /// A picture of the hair as it is now: uint8, (height, width, 4), red, green,
    /// blue and cover.
    ///
    /// ``samples`` pictures are averaged for it; ``view`` is front, three-quarter,
    /// side, back, top, curl or a view that the scene keeps, by default the scene's
    /// camera. It is drawn without a window; where there is no OpenGL 3.3, that is
    /// an ``Error``.
    #[pyo3(signature = (width = 640, height = 480, *, samples = 1, view = None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        width: i64,
        height: i64,
        samples: i64,
        view: Option<String>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            return Err(say("a picture's sides have from 16 to 16384 pixels"));
        }
        if !(1..=4096).contains(&samples) {
            return Err(say("give samples, from 1 to 4096"));
        }
        let [width, height, samples] = [width, height, samples].map(|count| count as u32);
        let drawn = self.with(py, |inner| -> anyhow::Result<_> {
            let Inner {
                stage,
                scene,
                environments,
                ..
            } = inner;
            let mut scene = scene.clone();
            let view = view.as_deref();
            let view = view.map(|name| cli::view_named(name, &mut scene));
            let view = view.transpose().map_err(anyhow::Error::msg)?.flatten();
            let context = Headless::new()?;
            let shot = Shot {
                size: [width, height],
                samples,
                view,
                time: stage.simulation.time(),
                labels: &[],
            };
            cli::picture(&context, stage, &scene, environments, &shot)
        });
        let drawn = drawn.map_err(raise)?;
        let [width, height] = drawn.size.map(|side| side as usize);
        let pixels = match drawn.pixels.len() == 3 * width * height {
            true => {
                let opaque = |rgb: &[u8]| [rgb[0], rgb[1], rgb[2], 255];
                drawn.pixels.chunks_exact(3).flat_map(opaque).collect()
            }
            false => drawn.pixels,
        };
        pixels.into_pyarray(py).reshape([height, width, 4])
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.with(py, |Inner { stage, scene, .. }| {
            format!(
                "<lovelock.Simulation: {}, {}, {}, {:.3} s>",
                counted(stage.groom.strands(), "strand", "strands"),
                counted(stage.groom.points.len(), "vertex", "vertices"),
                scene.sim.step.solver,
                stage.simulation.time()
            )
        })
    }
}

/// Points as an array that owns them.
pub fn rows(py: Python<'_>, points: Vec<Vec3>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let points: Vec<[f32; 3]> = bytemuck::allocation::cast_vec(points);
    let count = points.len();
    points.into_flattened().into_pyarray(py).reshape([count, 3])
}
