//! Curly mass-spring hair: Iben, Meyer, Petrovic, Soares, Anderson, Witkin
//! 2013, "Artistic Simulation of Curly Hair".
//!
//! Three springs on each edge: one along it; one that draws it to its rest
//! direction in a frame carried along a smoothed form of the curve, so that a
//! curl bounces but does not turn about itself; and one along the smoothed
//! curve, the core, that keeps a curl from being drawn out. An edge longer than
//! its limit is cut short, from the root outwards. Velocities first, then
//! positions (semi-implicit Euler), in as many inner steps as the springs need.
//!
//! In one thing this is not the paper's method. There a spring pulls on the two
//! ends of its own edge alone; but its frame, and its smoothed edge, depend on
//! all edges nearer to the root, so such forces are the gradient of nothing and
//! pump energy, which the paper's strong damping (tens of milliseconds) hides.
//! Here each spring pulls on all that it depends on: forces are the gradient of
//! the same springs' energy, and hair may swing. Likewise the limit takes
//! velocity by impulses that keep momentum.
//!
//! Limitations: the frames follow the smoothed curve and not the material, so
//! hair has no twist of its own, and the smoothed curve lags behind towards the
//! tip; springs stiffer than the inner steps bear are made as soft as they must
//! be.

mod constants;
mod kernel;
mod lanes;
mod method;
mod params;
mod rest;

pub use constants::Spring;
pub use method::METHOD;
pub use params::{ID, SpringParams};
pub use rest::SpringState;
