//! Lovelock for Python: a thin layer over the `lovelock` library.
//!
//! What is heavy runs without Python's global lock. Errors are `lovelock.Error`
//! with the sentences of the program.

mod arrays;
mod error;
mod groom;
mod scene;
mod simulation;
mod values;

use pyo3::prelude::*;

/// Curly hair that moves on a head: scenes, simulation, grooms and pictures.
#[pymodule]
fn _lovelock(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Distance grids of heads are kept where the program keeps them.
    lovelock::mesh::cache::open();
    module.add("Error", module.py().get_type::<error::Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<groom::Groom>()?;
    module.add_class::<groom::Attribute>()?;
    module.add_function(wrap_pyfunction!(scene::scenes, module)?)?;
    module.add_function(wrap_pyfunction!(scene::methods, module)?)?;
    Ok(())
}
