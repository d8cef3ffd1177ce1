//! OpenGL objects that free themselves, and the few calls the passes make.
//!
//! The only place that calls OpenGL. Everything here asks one thing of its
//! caller, once, at [`Gl::new`]: that the context is current on this thread
//! for as long as the objects made from it live. [`Renderer`](super::Renderer)
//! passes that on to its owner.

mod buffer;
mod context;
mod known;
mod point_program;
mod program;
mod query;
mod reload;
mod state;
mod target;
mod texel_buffer;
mod texture;
mod traffic;
pub(super) mod units;
mod vertex_array;

use buffer::TexelView;
pub(super) use buffer::{Buffer, TexelFormat};
pub(super) use context::{Gl, Shape, describe};
pub(super) use point_program::{PointPicture, PointProgram};
pub(super) use program::Program;
pub(super) use query::Stamp;
pub(super) use state::{Blend, State};
pub(super) use target::Target;
pub(super) use texel_buffer::TexelBuffer;
pub(super) use texture::{Texture, TextureFormat};
pub use traffic::GlTraffic;
pub(super) use vertex_array::{Format, VertexArray};
