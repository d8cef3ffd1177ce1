//! Files in and out: scene files, statistics, captured frames, caches.

pub mod cache;
mod capture;
mod files;
pub mod frames;
pub mod panorama;
pub mod picture_scene;
pub mod scene;
pub mod stats;
pub mod strands;
pub mod video;

pub use capture::{CaptureParams, FrameFormat, FrameSize};
pub use files::{probe, reason, write_atomic, write_while};
