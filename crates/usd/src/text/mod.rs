//! Layers as text, `.usda`.

mod read;
mod source;
mod token;

pub use read::read;
pub use source::TextSource;
