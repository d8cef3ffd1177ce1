//! The methods: a folder and a row each.
//!
//! A program may add its own: [`register`] a [`Method`] before anything asks for
//! one, and `simulate`, `validate`, the stress test, the bench and the panel know
//! it as they know those here.

pub mod bench_plan;
pub mod block_step;
pub mod damping;
pub mod der;
pub mod dispatch;
pub mod effort;
mod fabrik;
pub mod frames;
pub mod ftl;
pub mod groom_hold;
pub mod instructions;
pub mod material;
pub mod method;
pub mod particle;
pub mod pbd;
pub mod rod;
#[cfg(test)]
mod rod_fixture;
pub mod shape;
mod slowing;
mod speed_limit;
pub mod spring;
mod stretch_limit;

pub use block_step::BlockStep;
pub use der::{DerParams, Minimiser};
pub use effort::Effort;
pub use ftl::FtlParams;
pub use instructions::{Instructions, Width};
pub use method::{BlockFigures, Method, MethodStatus, Remedy, Solver, StatusLine, StrandForces};
pub use pbd::PbdParams;
pub use rod::{Integrator, RodParams};
pub use shape::ShapeParams;
pub use spring::SpringParams;

pub use super::step::{HeadTravel, Scratch, StepInput};

use super::SimParams;
use std::sync::{LazyLock, Mutex, PoisonError};
use thiserror::Error;

/// The methods that were registered before the table was first asked for.
static REGISTERED: Mutex<Option<Vec<Method>>> = Mutex::new(Some(Vec::new()));

/// The methods of this crate.
const OWN: [Method; 6] = [
    pbd::METHOD,
    ftl::METHOD,
    shape::METHOD,
    spring::METHOD,
    der::METHOD,
    rod::METHOD,
];

/// The methods, in the order of the number keys: those of this crate, then those
/// that were registered.
pub static SOLVERS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    let mut all = Vec::from(OWN);
    let mut more = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    all.extend(more.take().into_iter().flatten());
    all
});

/// Why a method could not be added.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RegisterError {
    /// Somebody has asked for the table.
    #[error("the method {0} comes too late: register it before anything asks for a method")]
    TooLate(&'static str),
    /// There is one of that id.
    #[error("there is a method {0} already: give the other one an id of its own")]
    Taken(&'static str),
}

/// Adds a method to the table, behind those that are there.
///
/// # Errors
/// When the table was asked for before, or its id is taken.
pub fn register(method: Method) -> Result<(), RegisterError> {
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(more) = registered.as_mut() else {
        return Err(RegisterError::TooLate(method.id));
    };
    if OWN
        .iter()
        .chain(more.iter())
        .any(|other| other.id == method.id)
    {
        return Err(RegisterError::Taken(method.id));
    }
    more.push(method);
    Ok(())
}

/// The method of that id.
pub fn method(id: &str) -> Option<&'static Method> {
    SOLVERS.iter().find(|method| method.id == id)
}

/// The method that `params` ask for; the first where there is none of that name.
pub fn chosen(params: &SimParams) -> &'static Method {
    method(&params.step.solver).unwrap_or(&SOLVERS[0])
}

/// Makes room in `params` for the parameters of every method.
pub fn hold_all(params: &mut SimParams) {
    params
        .methods
        .put(SOLVERS.iter().map(|method| (method.params)()).collect());
}

/// Lets every method hold the style as modelled against gravity, or none: then
/// its rest shape is that without gravity.
pub fn set_sag_free(params: &mut SimParams, on: bool) {
    hold_all(params);
    params
        .methods
        .set_all("sag_free", &crate::param::Value::Bool(on));
}
