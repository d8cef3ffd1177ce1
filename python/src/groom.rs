//! Grooms of files: strands as they are there, with all that the file says of them.

use crate::{
    arrays,
    error::{raise, say},
    simulation::rows,
};
use lovelock::math::counted;
use lovelock::{
    io::strands::{self, Of, Strands, StrandsError, Values},
    mesh::Up,
};
use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2,
    ndarray::{ArrayView1, ArrayView2},
};
use pyo3::{
    IntoPyObjectExt as _,
    prelude::*,
    types::{PyDict, PyList},
};
use std::path::PathBuf;

/// The strands of a file, in its unit and its order.
#[pyclass(module = "lovelock", frozen)]
pub struct Groom {
    strands: Strands,
    format: &'static str,
}

/// A column of values of a groom's file.
#[pyclass(module = "lovelock", frozen, get_all)]
pub struct Attribute {
    /// What the file calls it, or its name in Unreal's groom schema.
    name: String,
    /// What a row belongs to: groom, strand or point.
    of: &'static str,
    /// An array of one row each, (rows,) or (rows, numbers); a list of words.
    values: Py<PyAny>,
}

#[pymethods]
impl Attribute {
    fn __repr__(&self) -> String {
        format!("<lovelock.Attribute: {} of each {}>", self.name, self.of)
    }
}

/// Numbers in rows of `each`.
fn columns<T: numpy::Element>(
    py: Python<'_>,
    values: Vec<T>,
    each: usize,
) -> PyResult<Bound<'_, PyAny>> {
    let (count, flat) = (values.len() / each.max(1), values.into_pyarray(py));
    match each {
        0 | 1 => Ok(flat.into_any()),
        _ => Ok(flat.reshape([count, each])?.into_any()),
    }
}

/// An array of rows of `N` numbers; none where there are none.
fn optional<'py, const N: usize>(
    py: Python<'py>,
    values: &[[f32; N]],
) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
    if values.is_empty() {
        return Ok(None);
    }
    let flat = values.as_flattened().to_vec().into_pyarray(py);
    flat.reshape([values.len(), N]).map(Some)
}

/// Strands of one's own.
fn own(
    points: ArrayView2<'_, f32>,
    starts: Vec<u32>,
    widths: Option<ArrayView1<'_, f32>>,
    metres_per_unit: f64,
) -> PyResult<Strands> {
    if points.ncols() != 3 {
        return Err(say(format!(
            "points have 3 coordinates each, not {}",
            points.ncols()
        )));
    }
    let points: Vec<_> = points
        .rows()
        .into_iter()
        .map(|p| glam::Vec3::new(p[0], p[1], p[2]))
        .collect();
    let rising = starts.windows(2).all(|ends| ends[0] <= ends[1]);
    let ends = [starts.first().copied(), starts.last().copied()];
    if !rising || ends != [Some(0), u32::try_from(points.len()).ok()] {
        return Err(say(format!(
            "starts begin with 0, never fall and end with the number of points, {}",
            points.len()
        )));
    }
    if !(metres_per_unit > 0.0 && metres_per_unit.is_finite()) {
        return Err(say("metres_per_unit is a number above 0"));
    }
    let widths = widths.map_or_else(Vec::new, |widths| widths.to_vec());
    if !widths.is_empty() && widths.len() != points.len() {
        return Err(say(format!(
            "widths are one number a point: {}, not {}",
            points.len(),
            widths.len()
        )));
    }
    let finite = |what: &str, wrong: Option<usize>| match wrong {
        None => Ok(()),
        Some(at) => {
            let strand = starts.partition_point(|start| *start as usize <= at) - 1;
            let point = at - starts[strand] as usize;
            Err(say(format!(
                "{what} of strand {strand} at its point {point}, both counted from 0, is not \
                 finite; give finite numbers"
            )))
        }
    };
    finite("the place", points.iter().position(|p| !p.is_finite()))?;
    finite("the width", widths.iter().position(|w| !w.is_finite()))?;
    Ok(Strands {
        points,
        starts,
        widths,
        up: Some(Up::Y),
        metres_per_unit: Some(metres_per_unit),
        ..Strands::default()
    })
}

#[pymethods]
impl Groom {
    /// Strands of your own: ``points`` are (points, 3) finite numbers, root first and
    /// one strand after the other; ``starts`` says where each begins, and the end;
    /// ``widths`` are one number a point. Arrays of any type will do, and lists.
    ///
    /// ``metres_per_unit`` is their unit; the y axis points up. To read a file, take
    /// ``Groom.read``.
    #[new]
    #[pyo3(signature = (points, starts, *, widths = None, metres_per_unit = 1.0))]
    fn new(
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyAny>,
        widths: Option<&Bound<'_, PyAny>>,
        metres_per_unit: f64,
    ) -> PyResult<Self> {
        let wanted = "points are an array of (points, 3) real numbers, float32 at best";
        let points: PyReadonlyArray2<'_, f32> = arrays::reals(points, wanted)?;
        let wanted = "starts are an array of whole numbers from 0 to 4294967295, uint32 at best";
        let starts = arrays::counts(starts, wanted)?;
        let wanted = "widths are an array of one real number a point, float32 at best";
        let widths: Option<PyReadonlyArray1<'_, f32>> = widths
            .map(|widths| arrays::reals(widths, wanted))
            .transpose()?;
        let (points, widths) = (points.as_array(), widths.as_ref().map(|w| w.as_array()));
        let strands = py.detach(|| own(points, starts, widths, metres_per_unit))?;
        Ok(Self {
            strands,
            format: "arrays",
        })
    }

    /// Reads a groom's file of any format that the program knows.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| {
            let (format, strands) = strands::read(&path)?;
            Ok::<_, StrandsError>((format.id, strands.evaluated()))
        });
        let (format, strands) = read.map_err(raise)?;
        Ok(Self { strands, format })
    }

    /// Writes it; returns what the file does not hold, a sentence each. ``format``
    /// is the format's id, by default that of the name's ending.
    #[pyo3(signature = (path, *, format = None))]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<String>,
    ) -> PyResult<Vec<String>> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let id = format.or(ending).unwrap_or_default();
        let Some((_, writing)) = strands::writer(&id) else {
            return Err(say(format!(
                "\"{id}\" is no format that is written; choose {}",
                strands::written_names(", ")
            )));
        };
        py.detach(|| strands::write(&path, writing, &self.strands))
            .map_err(raise)
    }

    /// Points of all strands, one strand after the other, root first: float32,
    /// (points, 3), in the file's unit. A new array, the caller's own.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        rows(py, self.strands.points.clone())
    }

    /// Where each strand begins among the points, and the end: uint32,
    /// (strands + 1,).
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.strands.starts.clone().into_pyarray(py)
    }

    /// How thick hair is at each point: float32, (points,); None where the file is
    /// silent.
    #[getter]
    fn widths<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f32>>> {
        let widths = &self.strands.widths;
        (!widths.is_empty()).then(|| widths.clone().into_pyarray(py))
    }

    /// Linear red, green and blue of each point: float32, (points, 3); None where
    /// the file is silent.
    #[getter]
    fn colours<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        optional(py, &self.strands.colours)
    }

    /// Where each strand is rooted on the head's texture: float32, (strands, 2); None
    /// where the file is silent.
    #[getter]
    fn root_uvs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        optional(py, &self.strands.root_uvs)
    }

    /// What else the file says, by name.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for column in &self.strands.attributes {
            let each = column.each;
            let values = match column.values.clone() {
                Values::I32(all) => columns(py, all, each)?,
                Values::I64(all) => columns(py, all, each)?,
                Values::F32(all) => columns(py, all, each)?,
                Values::F64(all) => columns(py, all, each)?,
                Values::Text(all) => PyList::new(py, all)?.into_any(),
            };
            let of = match column.of {
                Of::Groom => "groom",
                Of::Strand => "strand",
                Of::Point => "point",
            };
            let attribute = Attribute {
                name: column.name.clone(),
                of,
                values: values.unbind(),
            };
            out.set_item(&column.name, attribute.into_bound_py_any(py)?)?;
        }
        Ok(out)
    }

    /// The id of the format that it was read from; "arrays" of one's own.
    #[getter]
    fn format(&self) -> &'static str {
        self.format
    }

    /// The unit that the file says it has, in metres; None where it is silent.
    #[getter]
    fn metres_per_unit(&self) -> Option<f64> {
        self.strands.metres_per_unit
    }

    /// The axis that the file says points up, "y" or "z"; None where it is silent.
    #[getter]
    fn up(&self) -> Option<String> {
        self.strands.up.map(|up| format!("{up:?}").to_lowercase())
    }

    /// What was left out or taken otherwise than written, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.strands.notes.clone()
    }

    /// Number of strands.
    fn __len__(&self) -> usize {
        self.strands.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<lovelock.Groom: {}, {}, {}>",
            counted(self.strands.len(), "strand", "strands"),
            counted(self.strands.points.len(), "point", "points"),
            self.format
        )
    }
}
