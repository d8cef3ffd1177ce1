//! Curly mass-spring hair: Iben, Meyer, Petrovic, Soares, Anderson, Witkin
//! 2013, "Artistic Simulation of Curly Hair".
//!
//! Three springs on each edge: one along it; one that draws it to its rest
//! direction in a frame carried along a smoothed form of the curve, so that a
//! curl bounces but does not turn about itself; and one along the smoothed
//! curve, the core, that keeps a curl from being drawn out. An edge longer or shorter than
//! its limits is brought back, from the root outwards. Velocities first, then
//! positions, in inner steps of 1.4 ms.
//!
//! In two things this is not the paper's method. There a spring pulls on the two
//! ends of its own edge alone; but its frame, and its smoothed edge, depend on
//! all edges nearer to the root, so such forces are the gradient of nothing and
//! pump energy, which the paper's strong damping (tens of milliseconds) hides.
//! Here each spring pulls on all that it depends on: forces are the gradient of
//! the same springs' energy, and hair may swing. Likewise the limit takes
//! velocity by impulses that keep momentum, solved with the matrix of the step below.
//!
//! And the paper's steps are explicit, so that the stretch of a short edge decides
//! on their length. Here a step solves for the change of all velocities of a strand,
//!
//!   (M + h D + h² W) dv = h f(x, v) - h² S v,
//!
//! where D are the dampings, S is the stiffness of stretch along the edges, and W is
//! S and what holds the edges across: with S on both sides stretch is implicit Euler
//! (Baraff, Witkin 1998, eq. 6), which damps it. Bending and core stand in W alone,
//! as a constant for each edge, their stiffness with the frames held: that is
//! semi-implicit Euler with more mass for what is short and stiff, stable while
//! h² H < 4 (M + h² W), H being their Hessian, and swings keep their energy. But W
//! holds a strand that turns as a whole too, which makes it heavier: by the share
//! 3 h² B / (l² L²) where it is straight, with bending stiffness B, edges l, length L
//! (some thousandths for 30 cm in edges of 5 mm), and by more where it is coiled up.
//!
//! Limitations: the frames follow the smoothed curve and not the material, so
//! hair has no twist of its own, and the smoothed curve lags behind towards the
//! tip; where frames are hardly smoothed, W is large, and the hair sluggish.

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
