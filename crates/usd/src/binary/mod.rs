//! Crate files, `.usdc`.
//!
//! A file begins with `PXR-USDC`, its version and the place of a table of sections.
//! Tokens are words; strings are numbers of tokens. A field is a token and where its value
//! is; a field set is a run of fields. Paths are a tree of tokens, and a spec joins a path,
//! a field set and what it is: a prim, an attribute, a relationship.

mod file;
mod integers;
mod lz4;
mod paths;
mod rep;
mod source;
mod tree;
mod write;

pub use rep::Rep;
pub use source::{CrateSource, OpenCrate};
pub use tree::read;
pub use write::{CrateWriter, PrimId};
