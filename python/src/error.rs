//! What goes wrong, as an exception.

use pyo3::{create_exception, exceptions::PyValueError, prelude::*};

create_exception!(
    lovelock,
    Error,
    PyValueError,
    "What went wrong: one sentence that says what, where and what to do."
);

/// An error of the library as an exception.
pub fn raise(error: impl Into<anyhow::Error>) -> PyErr {
    Error::new_err(lovelock::cli::sentence(&error.into()))
}

/// A sentence as an exception.
pub fn say(text: impl Into<String>) -> PyErr {
    Error::new_err(text.into())
}
