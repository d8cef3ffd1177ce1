//! Files in and out: scene files, statistics, captured frames, caches.

pub mod cache;
mod capture;
mod files;
pub mod frames;
mod numbered;
pub mod panorama;
mod part_folder;
pub mod picture_scene;
pub mod scene;
pub mod stats;
pub mod strands;
pub mod validation_table;
pub mod video;

pub use capture::{CaptureParams, FrameFormat, FrameSize};
pub use files::{
    name_of, print_all, probe, read_file, read_file_or_pipe, reason, write_atomic, write_reason,
    write_while,
};
pub use numbered::write_numbered;
pub use part_folder::PartFolder;
