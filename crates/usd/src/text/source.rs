//! Values where they stand in a text.

use super::token::Tokens;
use crate::{
    Data, UsdError, UsdPlace, Value,
    value::{Scalar, shape},
};
use std::str::FromStr;

/// A value, to be read when it is asked for.
#[derive(Clone, Debug)]
pub struct TextSource<'a>(pub Tokens<'a>);

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

impl TextSource<'_> {
    /// The value as one of that type; none where that is none of values.
    pub fn value(&self, kind: &str) -> Result<Option<Value>, UsdError> {
        let Some((scalar, width)) = shape(kind) else {
            return Ok(None);
        };
        let mut tokens = self.0.clone();
        let data = match scalar {
            Scalar::I32 => Data::I32(tokens.numbers()?),
            Scalar::I64 => Data::I64(tokens.numbers()?),
            Scalar::F32 => Data::F32(tokens.numbers()?),
            Scalar::F64 => Data::F64(tokens.numbers()?),
            Scalar::Bool => {
                let flags: Vec<Flag> = tokens.numbers()?;
                Data::I32(flags.into_iter().map(|flag| flag.0).collect())
            }
            Scalar::Text => Data::Text(self.links()?),
        };
        Ok(Some(Value { data, width }))
    }

    /// Texts and links.
    pub fn links(&self) -> Result<Vec<String>, UsdError> {
        let texts = self.0.clone().texts()?.into_iter();
        Ok(texts.map(|text| plain(&text)).collect())
    }

    /// Where it begins.
    pub fn place(&self) -> UsdPlace {
        UsdPlace::Line(self.0.line())
    }
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
