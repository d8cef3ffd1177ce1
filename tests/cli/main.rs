//! The program from the outside, as a script or a person at a prompt meets it.

mod bench;
mod cache;
mod cache_converted;
mod cache_kept;
mod environment;
mod experiments;
mod export;
mod export_camera;
mod farm;
mod groom;
mod groom_space;
mod info;
#[path = "../common/inputs.rs"]
mod inputs;
mod numbers;
#[path = "../common/numpy.rs"]
mod numpy;
mod odd_sizes;
mod pipeline;
mod plugin;
mod program;
mod reconstructed;
mod render;
mod response;
mod shake;
mod simulate;
mod sweep;
mod targets;
mod tracks;
mod turntable;
mod usage;
mod validate;
mod window_export;
