//! What can go wrong as a scene is built.

use crate::{
    groom::bind::NoStrand, io::strands::StrandsError, mesh::MeshError, sim::hand::HandworkError,
};
use thiserror::Error;

/// Why a scene cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The head could not be read.
    #[error(transparent)]
    Head(MeshError),
    /// The head has no place for hair.
    #[error(transparent)]
    Roots(MeshError),
    /// The scene's cuts and pins belong to other hair.
    #[error(transparent)]
    Handwork(#[from] HandworkError),
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
    /// Nobody waits for it any more.
    #[error("building was given up")]
    GivenUp,
    /// There is no such method.
    #[error("there is no solver \"{given}\"; it can be {known}{guess}")]
    Solver {
        /// What was asked for.
        given: String,
        /// What there is.
        known: String,
        /// A guess, as a sentence's end, or empty.
        guess: String,
    },
}
