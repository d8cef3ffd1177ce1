//! Alembic archives in the Ogawa container: reading from memory, writing as samples
//! come.
//!
//! An archive is a tree of objects. Each has a name, metadata (which schema it is of)
//! and properties: scalars, arrays, and compounds of more of them, each sampled in
//! time. The layout follows the reference implementation
//! (<https://github.com/alembic/alembic>, `lib/Alembic/AbcCoreOgawa` and
//! `lib/Alembic/Ogawa`); the schemas of curves and meshes are for others to know.
//!
//! [`Archive`] borrows the bytes of a file. It follows no offset without a check, takes
//! no count for granted and goes no deeper than [`DEEPEST`] groups, so that what it
//! needs is never more than a small multiple of the file. [`Writer`] appends samples as
//! they come and keeps only where they lie.

mod container;
mod error;
mod header;
mod read;
mod sample;
mod transform;
mod write;

pub use error::Error;
pub use header::{Kind, Pod, Times, metadata_value};
pub use read::{Archive, Object, Property};
pub use sample::Sample;
pub use write::{NodeId, PropertyId, Writer};

/// Groups in groups in groups.
pub const DEEPEST: usize = 100;

/// Whether a file that begins like that is an Ogawa archive.
pub fn is_ogawa(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Ogawa")
}
