//! USD layers: text (`.usda`), crate files (`.usdc`) and packages (`.usdz`) are read to
//! one tree of prims; crate files and packages of one are written.
//!
//! One layer is read, nothing is composed: that there are references, payloads, sublayers
//! and variants is all that is noted, so that whoever asks can say what is missing. Values are decoded
//! when they are asked for. What curves and meshes mean is for others to know.
//!
//! [`Layer`] borrows the bytes of a file. It follows no offset without a check, takes no
//! count for granted and goes no deeper than [`DEEPEST`] prims; what it decodes is never
//! more than a small multiple of the file, however often a damaged file names the same
//! bytes. Text follows <https://openusd.org/release/spec_usd_file_format.html>, crate files
//! the reference implementation (`pxr/usd/sdf/crateFile.cpp`, versions 0.4 to 0.13).

mod binary;
mod error;
mod layer;
mod package;
mod packing;
mod samples;
mod text;
mod transform;
mod value;

pub use binary::{CrateWriter, PrimId, Rep};
pub use error::{UsdError, UsdPlace};
pub use layer::{Layer, Prim, Property, Specifier};
pub use package::Package;
pub use packing::PackageWriter;
pub use value::{Data, Value};

/// Prims in prims in prims.
pub const DEEPEST: usize = 100;

/// Whether a file that begins like that is USD text.
pub fn is_text(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#usda")
}

/// Whether a file that begins like that is a crate file.
pub fn is_crate(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PXR-USDC")
}

/// Whether these are the bytes of a zip archive whose first file is a USD layer.
pub fn is_package(bytes: &[u8]) -> bool {
    package::is(bytes)
}
