//! The direct Kirchhoff rod: hair that bends and twists as its material says
//! and never stretches.
//!
//! A strand is a chain of rigid edges with an orientation each. A substep
//! minimises the incremental potential (inertia, elastic energy of bending and
//! twisting, gravity, air, contact) over the edges' rotations by one Newton
//! pass, solved exactly in time proportional to the number of vertices
//! (`sweep.rs` has the derivation and who it follows; `back_substitution.rs` the way
//! back). Bergou et al. 2008, "Discrete Elastic Rods", has the energy of a joint
//! (`joint.rs`); implicit Euler or BDF2 is the time step (`predict.rs`).
//!
//! Limitations: implicit Euler damps (30 % of a swing of 0.3 m at 1/60 s), BDF2
//! needs more passes; a vertex meets one plane of the skin at a time; edges between
//! vertices may cut corners of the skin by l²/8R.

mod back_substitution;
mod constants;
mod depenetration;
mod edge_load;
mod energy;
mod joint;
mod kernel;
mod lanes;
mod method;
mod params;
mod predict;
mod rest;
mod state;
mod strand_contact;
mod substep;
mod sweep;
#[cfg(test)]
mod tests;

pub use constants::Rod;
pub use method::METHOD;
pub use params::{ID, Integrator, RodParams};
pub use state::{RodState, RodVertex};
