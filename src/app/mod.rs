//! The program around the simulation: scene, clock, window, panel, recorder.

pub mod clock;
pub mod scene;
pub mod stage;
pub mod tween;
