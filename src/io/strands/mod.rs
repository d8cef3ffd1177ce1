//! Grooms in files: strands as other programs keep them, one file a format.
//!
//! Every reader hands over the same [`Strands`], as the file has them: in its
//! unit, with its axis up, the root first. What a reader needs is never more
//! than a small multiple of the file, whatever counts the file claims.

mod abc;
pub mod attribute;
pub mod basis;
mod bytes;
mod camera;
mod chain;
mod cloud;
mod content;
mod cubic;
mod curve_set;
mod data;
mod error;
mod film;
mod format;
mod formats;
mod gather;
mod hair;
mod mitsuba;
mod moving;
mod numbered;
mod numpy;
pub mod obj;
mod pbrt;
mod pieces;
mod ply;
mod read;
pub mod resample;
mod text;
mod tfx;
mod usd;
mod velocity;
mod worn_head;
mod write;

pub use attribute::{Attribute, Of, Values};
pub use camera::CameraSample;
pub use content::Strands;
pub use error::{Fault, FilePlace, StrandsError};
pub use film::{Film, FilmTimes};
pub use format::{Carries, Detail, Format, Writing};
pub use formats::{FORMATS, endings, endings_text, writer, written, written_names};
pub use moving::{MovingStrands, moves};
pub use numbered::{
    NOTATIONS, is_of_pattern, left_over, numbered, present, second_place, unknown_notation,
};
pub use read::{holds_strands, is_head, is_named_like_groom, parse, parse_each, read, read_each};
pub use velocity::Velocities;
pub use worn_head::{HeadFaces, WornHead};
pub use write::{lost, write, write_while};
