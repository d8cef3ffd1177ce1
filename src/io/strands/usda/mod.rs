//! USD's BasisCurves as text, `.usda`.

mod read;
mod token;
mod write;

pub use write::Film;

use super::{Carries, Detail, Fault, Format, Strands};

/// The format `.usda`.
pub struct Usda;

impl Format for Usda {
    fn id(&self) -> &'static str {
        "usda"
    }

    fn name(&self) -> &'static str {
        "USD curves (.usda)"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["usda", "usd"]
    }

    fn is(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(b"#usda")
    }

    fn read(&self, bytes: &[u8]) -> Result<Strands, Fault> {
        if !self.is(bytes) {
            return Err(Fault::whole(
                "it does not begin with #usda, so it is no USD file in text; write it as .usda"
                    .into(),
            ));
        }
        read::read(bytes)
    }

    fn carries(&self) -> Option<Carries> {
        Some(Carries {
            any_counts: true,
            widths: Detail::Point,
            colours: Detail::Point,
            root_uvs: true,
            units: true,
            animation: true,
        })
    }

    fn write(&self, strands: &Strands) -> Result<Vec<u8>, Fault> {
        write::still(strands)
    }
}
