//! Rows of numbers in USD's text.

use glam::Vec3;
use std::fmt::{self, Write};

/// Numbers in parentheses.
pub struct Tuple<'a>(pub &'a [f32]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, c) in self.0.iter().enumerate() {
            write!(f, "{}{c}", if i > 0 { ", " } else { "(" })?;
        }
        f.write_str(")")
    }
}

/// Numbers in square brackets, and the end of the line.
pub fn list<T: fmt::Display>(out: &mut String, items: impl Iterator<Item = T>) -> fmt::Result {
    out.push('[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write!(out, "{item}")?;
    }
    out.push_str("]\n");
    Ok(())
}

/// The same of places.
pub fn places(out: &mut String, places: &[Vec3]) -> fmt::Result {
    out.push('[');
    for (i, p) in places.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write!(out, "{}", Tuple(&p.to_array()))?;
    }
    out.push_str("]\n");
    Ok(())
}

/// How rows are spread, behind a list that [`list`] or [`places`] ended.
pub fn spread(out: &mut String, interpolation: &str) -> fmt::Result {
    // The bracket's line goes on.
    out.pop();
    writeln!(
        out,
        " (\n            interpolation = \"{interpolation}\"\n        )"
    )
}
