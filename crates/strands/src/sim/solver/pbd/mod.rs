//! Position Based Dynamics: Müller, Heidelberger, Hennix, Ratcliff 2007,
//! "Position Based Dynamics", algorithm 1.
//!
//! Each substep predicts, lets the collision constraints be generated, passes
//! over all constraints from the root outwards, and takes the velocity from the
//! change of position. Three spans of distance constraints hold a curl: one
//! segment (length), two (bend), three (twist); position constraints hold the
//! hairstyle. Curls are held against strong pulls by a limit of their own
//! (`curl_limit.rs`).
//!
//! Limitations: stiffness depends on the iteration count where passes do not
//! converge; three distances fix a curl's shape but not its handedness; the
//! limits of stretch and of curls move only the outer vertex, which costs momentum.

mod curl_limit;
mod kernel;
mod method;
mod params;

pub use kernel::Pbd;
pub use method::METHOD;
pub use params::{ID, PbdParams};
