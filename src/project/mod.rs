//! The scene as a document: what it holds, building it, undo, files, comparison.
//! No window, no panel, no OpenGL: what window and command line share.

pub mod autosave;
pub mod built_scene;
pub mod cache_recorder;
pub mod comparison;
pub mod document;
pub mod effect;
pub mod examples;
pub mod export;
pub mod fitted;
pub mod growth_inputs;
pub mod history;
mod made_for;
pub mod moving_groom;
pub mod playback;
pub mod rebind;
pub mod recent;
pub mod scene;
pub mod scene_file;
pub mod sides;
pub mod state_folder;
pub mod subject;
pub mod tie_report;
pub mod tools;
pub mod tween;
pub mod worked_hair;
