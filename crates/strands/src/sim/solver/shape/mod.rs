//! Shape constraints: Han, Harada 2012, "Real-time Hair Simulation with
//! Efficient Hair Style Preservation", known from TressFX.
//!
//! Each substep predicts (Verlet; the velocity kept is the last change of place
//! over h), draws each vertex once towards its rigidly moved rest place (global
//! shape, S_G), then passes over the edges from the root outwards: an edge is
//! drawn to its rest shape in a frame that is carried along the strand (local
//! shape, S_L), and brought to its length; both ends of an edge share a
//! correction. Lengths are set edge by edge, or all at once by a tridiagonal
//! system (Han, Harada 2013, "Tridiagonal Matrix Formulation for Inextensible
//! Hair Strand Simulation"). The original carries its frames from edge to edge;
//! here they follow the line of the lock (`frames.rs` says why).
//!
//! A fast head hands a share of its motion to whole strands (velocity shock
//! propagation), so that they are carried and do not whip.
//!
//! Limitations: not a material; stiffness depends on the iterations where they
//! do not converge; one tridiagonal solve leaves an error of second order.

mod constants;
mod finish;
mod kernel;
mod lengths;
mod method;
mod params;

pub use constants::Shape;
pub use method::METHOD;
pub use params::{ID, LengthSolver, ShapeParams};
