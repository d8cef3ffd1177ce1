//! Dynamic Follow-The-Leader: Müller, Kim, Chentanez 2012, "Fast Simulation of
//! Inextensible Hair and Fur".
//!
//! Each substep predicts and then goes once from root to tip: a vertex comes
//! to its rest distance from the one before it, along the line between the two
//! (section 3.2). The correction d_i moves vertex i alone, as if the vertices
//! behind it had no mass; the velocity
//! v_i = (p_i - x_i) / h - s d_(i+1) / h (eq. 9) gives the inner vertex back
//! what it did not feel.
//!
//! The original knows no curls. Here a vertex is drawn, before its length is
//! set, towards where the rest shape puts it, carried along the line that a
//! lock takes (`frames.rs`); that correction counts into d_i, so that a curl
//! lifts nothing but what hangs on it. A weak pull holds the hairstyle.
//!
//! Limitations: momentum is conserved only nearly, and hair swings as if it
//! grew lighter towards the tip; stiffnesses are sliders, not a material.

mod kernel;
mod method;
mod params;

pub use kernel::Ftl;
pub use method::METHOD;
pub use params::{FtlParams, ID};
