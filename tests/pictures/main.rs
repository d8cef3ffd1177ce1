//! What is drawn, and what is written of it.

mod environment;
mod frames;
mod golden;
mod shaders;
mod still;
mod textures;
mod video;
