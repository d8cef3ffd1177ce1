//! The program around the simulation: scene, clock, window, panel, recorder.

pub mod clock;
pub mod command;
mod curves;
pub mod dialog;
mod driver;
pub mod effort;
pub mod examiner;
pub mod gesture;
pub mod gui;
pub mod history;
pub mod icons;
pub mod keys;
pub mod overlay;
pub mod pacing;
pub mod panel;
pub mod program;
pub mod recorder;
pub mod scene;
pub mod screen;
pub mod stage;
pub mod theme;
pub mod toast;
pub mod tween;
pub mod validation;
pub mod widgets;
pub mod window;
pub mod worker;
