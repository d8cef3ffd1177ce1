//! Discrete Elastic Rods: Bergou, Wardetzky, Robinson, Audoly, Grinspun 2008.
//!
//! A strand is its centreline and, along it, a material frame. The Bishop
//! frame, which does not spin, is carried from the root to the tip; an angle on
//! every edge turns it into the material frame. Joints store energy by their
//! curvature binormal in the frames of both their edges and by the twist
//! between these. Twist is at rest at every moment: the angles minimise the
//! energy. Symplectic Euler moves the vertices, and a projection makes the
//! edges as long as they were and takes vertices out of the skin.
//!
//! Explicit integration must follow the fastest vibration: each strand cuts
//! its substeps into as many inner steps as its stiffest joint asks for, up to
//! `der.steps`. A joint that asks for more is made as soft as that number
//! bears: nothing can blow up, but hair in many short edges is then softer than
//! its material.
//!
//! Limitations: inner steps cost; inner damping is no stronger than an explicit
//! step bears; without minimisation the frames follow the Bishop frame, as if
//! hair could not be twisted at all; a vertex meets one plane of the skin at a
//! time.

mod bfgs;
mod elastic;
mod joint;
mod kernel;
mod lanes;
mod method;
mod params;
mod project;
mod rest;
mod state;
#[cfg(test)]
mod tests;
mod twist;

pub use kernel::Der;
pub use method::METHOD;
pub use params::{DerParams, ID, Minimiser};
pub use state::{DerState, DerVertex};
