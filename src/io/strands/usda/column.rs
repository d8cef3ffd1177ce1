//! Columns of a groom as primvars of curves.

use super::token::{Token, Tokens};
use crate::io::strands::{
    Attribute, Fault, Strands,
    attribute::{Of, Values},
    gather::gather,
};
use std::{
    fmt::{self, Write},
    str::FromStr,
};

/// A primvar as a prim has it.
pub struct Primvar {
    /// Without `primvars:`.
    pub name: String,
    each: usize,
    values: Values,
    interpolation: Vec<u8>,
    /// Which row each strand or point has, where it is told so.
    pub indices: Vec<usize>,
}

/// A whole number, or one of the words for yes and no.
struct Flag(i32);

impl FromStr for Flag {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "true" | "True" | "1" => Ok(Self(1)),
            "false" | "False" | "0" => Ok(Self(0)),
            _ => Err(()),
        }
    }
}

/// How many numbers a row of that type has, and how the rest of its name is; an
/// array's brackets are no part of it.
fn shape(kind: &[u8]) -> (&[u8], usize) {
    let kind = kind.strip_suffix(b"[]").unwrap_or(kind);
    if matches!(kind, b"int64" | b"uint64") {
        return (kind, 1);
    }
    // A float's letter, or a colour's: `float3`, `color3f`, `texCoord2d`.
    let (number, tail) = match kind {
        [.., d @ b'2'..=b'4', f @ (b'f' | b'd' | b'h' | b'i')] => (Some(*d), Some(*f)),
        [.., d @ b'2'..=b'4'] => (Some(*d), None),
        [b'q', b'u', b'a', b't', f] => (Some(b'4'), Some(*f)),
        _ => (None, None),
    };
    let each = number.map_or(1, |digit| usize::from(digit - b'0'));
    let stem = kind.len() - usize::from(number.is_some() && !kind.starts_with(b"quat"));
    match tail {
        Some(b'd') => (b"double", each),
        Some(b'i') => (b"int", each),
        Some(_) => (b"float", each),
        None => (&kind[..stem], each),
    }
}

impl Primvar {
    /// Reads the value of one of that type; none, and the value is passed, where the
    /// type is none that a column can have.
    pub fn value(tokens: &mut Tokens, name: &[u8], kind: &[u8]) -> Result<Option<Self>, Fault> {
        let (stem, each) = shape(kind);
        let values = match stem {
            b"int" | b"uchar" => Values::I32(tokens.numbers()?),
            b"int64" | b"uint" => Values::I64(tokens.numbers()?),
            b"float" | b"half" => Values::F32(tokens.numbers()?),
            b"double" | b"timecode" => Values::F64(tokens.numbers()?),
            b"bool" => {
                let flags: Vec<Flag> = tokens.numbers()?;
                Values::I32(flags.into_iter().map(|flag| flag.0).collect())
            }
            b"string" | b"token" => {
                let texts = tokens.texts()?.into_iter();
                Values::Text(texts.map(|text| plain(&text)).collect())
            }
            _ => {
                tokens.skip_value()?;
                return Ok(None);
            }
        };
        Ok(Some(Self {
            name: String::from_utf8_lossy(name).into_owned(),
            each,
            values,
            interpolation: Vec::new(),
            indices: Vec::new(),
        }))
    }

    /// Reads what stands in parentheses behind the value, if anything does.
    pub fn metadata(&mut self, tokens: &mut Tokens) -> Result<(), Fault> {
        if tokens.peek()? != Some(Token::Mark(b'(')) {
            return Ok(());
        }
        tokens.next()?;
        loop {
            match tokens.next()? {
                None => return Err(tokens.fault("a bracket is never closed")),
                Some(Token::Mark(b')')) => return Ok(()),
                Some(Token::Word(key)) if tokens.peek()? == Some(Token::Mark(b'=')) => {
                    tokens.next()?;
                    match key {
                        b"interpolation" => {
                            let text = tokens.texts()?;
                            self.interpolation = text.into_iter().next().unwrap_or_default();
                        }
                        b"elementSize" => {
                            let size: Vec<usize> = tokens.numbers()?;
                            let size = size.first().copied().unwrap_or(1).clamp(1, 1 << 16);
                            self.each = self.each.saturating_mul(size);
                        }
                        _ => tokens.skip_value()?,
                    }
                }
                Some(_) => {}
            }
        }
    }

    /// The column that it is of a prim with so many curves and points; none where it
    /// has other numbers of rows.
    pub fn column(self, curves: usize, points: usize) -> Option<Attribute> {
        let mut column = Attribute {
            name: self.name,
            of: Of::Groom,
            each: self.each,
            values: self.values,
        };
        if !column.values.len().is_multiple_of(column.each) {
            return None;
        }
        if !self.indices.is_empty() {
            let rows = column.rows();
            if self.indices.iter().any(|row| *row >= rows) {
                return None;
            }
            column = column.picked(self.indices.iter().copied());
        }
        column.of = match &self.interpolation[..] {
            b"uniform" => Of::Strand,
            b"vertex" | b"varying" => Of::Point,
            _ => Of::Groom,
        };
        column.fits(curves, points).then_some(column)
    }
}

/// Takes the columns of the curves that stand in `out` behind the `before` strands
/// and points of other prims.
pub fn take(out: &mut Strands, primvars: Vec<Primvar>, before: [usize; 2]) {
    let here = [out.len() - before[0], out.points.len() - before[1]];
    let (mut columns, mut odd) = (Vec::new(), Vec::new());
    for primvar in primvars {
        let name = primvar.name.clone();
        match primvar.column(here[0], here[1]) {
            Some(column) => columns.push(column),
            None => odd.push(name),
        }
    }
    gather(out, columns, odd, before);
}

/// Text without the marks that a quoted one needs.
fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                other => out.extend(other),
            },
            c => out.push(c),
        }
    }
    out
}

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
/// that USD's text can hold.
pub fn write(out: &mut String, column: &Attribute) -> fmt::Result {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !column.name.starts_with(begins) || !column.name.chars().all(letters) {
        return Ok(());
    }
    let finite = match &column.values {
        Values::F32(all) => all.iter().all(|v| v.is_finite()),
        Values::F64(all) => all.iter().all(|v| v.is_finite()),
        _ => true,
    };
    if !finite {
        return Ok(());
    }
    let kind = match &column.values {
        Values::I32(_) => "int",
        Values::I64(_) => "int64",
        Values::F32(_) => "float",
        Values::F64(_) => "double",
        Values::Text(_) => "string",
    };
    let vector =
        matches!(column.each, 2..=4) && !matches!(&column.values, Values::I64(_) | Values::Text(_));
    let (digits, tuple) = match vector {
        true => (column.each.to_string(), column.each),
        false => (String::new(), 1),
    };
    write!(out, "        {kind}{digits}[] primvars:{} = ", column.name)?;
    match &column.values {
        Values::I32(all) => list(out, all, tuple)?,
        Values::I64(all) => list(out, all, tuple)?,
        Values::F32(all) => list(out, all, tuple)?,
        Values::F64(all) => list(out, all, tuple)?,
        Values::Text(all) => list(out, &all.iter().map(|t| Quoted(t)).collect::<Vec<_>>(), 1)?,
    }
    out.push_str(" (\n");
    if column.each > 1 && !vector {
        writeln!(out, "            elementSize = {}", column.each)?;
    }
    let interpolation = match column.of {
        Of::Groom => "constant",
        Of::Strand => "uniform",
        Of::Point => "vertex",
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_say_how_many_numbers_a_row_has() {
        for (kind, wanted) in [
            (&b"int"[..], (&b"int"[..], 1)),
            (b"int[]", (b"int", 1)),
            (b"float3[]", (b"float", 3)),
            (b"color3f[]", (b"float", 3)),
            (b"texCoord2d[]", (b"double", 2)),
            (b"quatf", (b"float", 4)),
            (b"int64[]", (b"int64", 1)),
            (b"int2[]", (b"int", 2)),
            (b"string", (b"string", 1)),
        ] {
            assert_eq!(shape(kind), wanted, "{}", String::from_utf8_lossy(kind));
        }
    }
}
