//! Values of parameters between Python and a scene.

use crate::error::{raise, say};
use lovelock::{
    param::{self, Value},
    project::scene::Scene,
};
use pyo3::{
    IntoPyObjectExt as _,
    prelude::*,
    types::{PyBool, PyString},
};

/// What `--set` takes for a value: switches are true or false, sequences stand in
/// brackets.
pub fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(switch) = value.cast::<PyBool>() {
        return Ok(switch.is_true().to_string());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string());
    }
    // A path.
    if value.hasattr("__fspath__")? {
        return value.call_method0("__fspath__")?.extract();
    }
    // Counts first: a count as 3.0 would be refused.
    if let Ok(count) = value.call_method0("__index__") {
        return Ok(count.str()?.to_string());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(number.to_string());
    }
    let rows: Vec<f64> = value.extract().map_err(|_| {
        say(format!(
            "a parameter is a number, a switch, a text or a few numbers, not {value}"
        ))
    })?;
    let rows: Vec<String> = rows.iter().map(f64::to_string).collect();
    Ok(format!("[{}]", rows.join(", ")))
}

/// Sets the parameter `key` of `scene` to what [`text`] made of a value.
pub fn set(scene: &mut Scene, key: &str, text: &str) -> PyResult<()> {
    scene.set_by_name(key, text).map_err(say)
}

/// The parameter `key` of `scene`.
pub fn get(scene: &Scene, key: &str) -> PyResult<Value> {
    let Some((section, index)) = scene.place(key) else {
        let mut scene = scene.clone();
        return Err(raise(param::unknown(key.into(), &scene.sections_mut())));
    };
    Ok(scene.sections()[section].get(index))
}

/// A value as Python has it.
pub fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Value::Float(number) => number.into_bound_py_any(py),
        Value::Int(number) => number.into_bound_py_any(py),
        Value::Bool(switch) => switch.into_bound_py_any(py),
        Value::Choice(name) => name.into_bound_py_any(py),
        Value::Vector(rows) => rows.to_vec().into_bound_py_any(py),
        Value::Ramp(ramp) => ramp.0.to_vec().into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
    }
}
