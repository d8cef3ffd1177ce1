//! Complaints about a layer.

use crate::io::strands::Fault;
use lovelock_usd::{UsdError, UsdPlace};

/// A complaint about a layer as one about a groom.
pub fn fault(error: UsdError) -> Fault {
    let text = error.to_string();
    match error.place {
        UsdPlace::Whole => Fault::whole(text),
        UsdPlace::Line(line) => Fault::line(line, text),
        UsdPlace::Byte(at) => Fault::byte(at, text),
    }
}
