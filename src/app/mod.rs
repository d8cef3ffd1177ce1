//! The program around the simulation: scene, clock, window, panel, recorder.

pub mod scene;
