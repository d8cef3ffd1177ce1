//! Simulated hair in a file: what moved once, is drawn many times.
//!
//! A cache is written while a simulation runs and may be cut off anywhere: every
//! frame is a record of its own, with its length and its checksum, so all whole
//! frames before the cut are good. All numbers are little-endian.
//!
//! ```text
//! header   8 bytes  89 4C 56 4C 4B 0D 0A 1A ("\x89LVLK\r\n\x1a")
//!          u32      version, 1
//!          u32      length L of the body
//!          u32      CRC-32 of version, L and the body
//!          L bytes  body:
//!            f64    quantum: positions are multiples of it [m]
//!            f64    frames per simulated second
//!            u32    frames that the run was to have; 0 when it did not say
//!            u32    CRC-32 of the rest curves, see [`fingerprint`]
//!            u32    CRC-32 of the head's vertices
//!            u32    vertices of the head
//!            u32    strands
//!            u16    vertices, for each strand
//!            rest   the scene, as the text of a scene file (UTF-8); the first line is
//!                   "# Scene: NAME" where the scene has a name
//! record   4 bytes  46 52 4D 1E ("FRM\x1e")
//!          u32      number of the frame, rising
//!          u64      length of the payload
//!          u32      CRC-32 of the payload
//!          u32      CRC-32 of the 20 bytes before
//!          payload:
//!            f64    time [s]
//!            f32 x7 the head: quaternion x y z w, translation [m]
//!            u32    1 when the head's shape follows, 0 when it is as its mesh has it
//!            u32    for each 256 strands: bytes that they take
//!            u32    the same for each 256 runs of 32 vertices of the head
//!            strands, then runs, see `pack.rs`
//! ```

mod error;
mod layout;
mod pack;
mod read;
mod write;

pub use error::CacheError;
pub use layout::{Frame, Header, MOST_VERTICES, QUANTUM, VERSION, fingerprint};
pub use read::{Reader, is_cache, scene_text};
pub use write::{Writer, check_free};

/// The name of a cache ends so.
pub const ENDING: &str = "cache";

/// Whether a file is named as a cache.
pub fn is_named_like_cache(path: &std::path::Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending.eq_ignore_ascii_case(ENDING)
}

#[cfg(test)]
mod tests;
