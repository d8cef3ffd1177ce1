//! Columns of a groom as primvars in USD's text.

use super::column::{can_hold, interpolation, kind};
use crate::io::strands::{Attribute, attribute::Values};
use std::fmt::{self, Write};

/// Text as it stands in quotes.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Writes a column as a primvar; nothing where its name or its numbers are none
/// that USD can hold.
pub fn write(out: &mut String, column: &Attribute) -> fmt::Result {
    if !can_hold(column) {
        return Ok(());
    }
    let (tuple, kind) = kind(column);
    write!(out, "        {kind}[] primvars:{} = ", column.name)?;
    match &column.values {
        Values::I32(all) => list(out, all, tuple)?,
        Values::I64(all) => list(out, all, tuple)?,
        Values::F32(all) => list(out, all, tuple)?,
        Values::F64(all) => list(out, all, tuple)?,
        Values::Text(all) => list(out, &all.iter().map(|t| Quoted(t)).collect::<Vec<_>>(), 1)?,
    }
    out.push_str(" (\n");
    if column.each > tuple {
        writeln!(out, "            elementSize = {}", column.each)?;
    }
    let interpolation = interpolation(column);
    writeln!(
        out,
        "            interpolation = \"{interpolation}\"\n        )"
    )
}

/// Values in square brackets, so many of them in parentheses each.
fn list<T: fmt::Display>(out: &mut String, values: &[T], tuple: usize) -> fmt::Result {
    out.push('[');
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        if tuple > 1 && i.is_multiple_of(tuple) {
            out.push('(');
        }
        write!(out, "{value}")?;
        if tuple > 1 && i % tuple == tuple - 1 {
            out.push(')');
        }
    }
    out.push(']');
    Ok(())
}
