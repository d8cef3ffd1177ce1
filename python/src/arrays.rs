//! What Python gives as numbers: arrays of any type, lists, nested lists.

use crate::error::say;
use numpy::{PyReadonlyArray, PyReadonlyArray1, ndarray::Dimension};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::IntoPyDict as _,
};

/// `value` as an array, of the type of that name or of its own.
fn array<'py>(value: &Bound<'py, PyAny>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = value.py().import("numpy")?;
    numpy.call_method1("asarray", (value, kind))
}

/// NumPy's complaint as the sentence `wanted`; what else went wrong as it is.
fn refused(py: Python<'_>, wanted: &str, error: PyErr) -> PyErr {
    let mistaken =
        error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py);
    if mistaken { say(wanted) } else { error }
}

/// Real numbers; `wanted` says what they are, where they are not that.
///
/// # Errors
/// That sentence, and what Python raises meanwhile.
pub fn reals<'py, D: Dimension>(
    value: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<PyReadonlyArray<'py, f32, D>> {
    let reals = array(value, Some("float32")).and_then(|array| array.extract());
    reals.map_err(|error| refused(value.py(), wanted, error))
}

/// A row of counts; `wanted` says what they are, where they are not that.
///
/// # Errors
/// That sentence, and what Python raises meanwhile.
pub fn counts(value: &Bound<'_, PyAny>, wanted: &str) -> PyResult<Vec<u32>> {
    let py = value.py();
    let whole = || -> PyResult<Vec<i64>> {
        let array = array(value, None)?;
        // An empty list is one of reals to NumPy.
        if array.len()? == 0 {
            return Ok(Vec::new());
        }
        // Reals are no counts, not even 2.0.
        let casting = [("casting", "same_kind")].into_py_dict(py)?;
        let array = array.call_method("astype", ("int64",), Some(&casting))?;
        let whole: PyReadonlyArray1<'_, i64> = array.extract()?;
        Ok(whole.as_array().to_vec())
    };
    let whole = whole().map_err(|error| refused(py, wanted, error))?;
    let counts: Result<Vec<u32>, _> = whole.into_iter().map(u32::try_from).collect();
    counts.map_err(|_| say(wanted))
}
