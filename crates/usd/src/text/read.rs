//! The tree of a text: its values are passed, and read when they are asked for.

use super::{
    source::TextSource,
    token::{Token, Tokens},
};
use crate::{
    DEEPEST, Layer, Prim, Property, Specifier, UsdError, layer::ValueSource, samples::TimeSamples,
    value::shape,
};
use std::collections::HashMap;

/// The layer of a text.
pub fn read(bytes: &[u8]) -> Result<Layer<'_>, UsdError> {
    let mut reader = Reader {
        tokens: Tokens::new(bytes),
    };
    let mut layer = Layer::default();
    let tokens = &mut reader.tokens;
    if tokens.peek()? == Some(Token::Mark(b'(')) {
        tokens.next()?;
        reader.layer_metadata(&mut layer)?;
    }
    while let Some(token) = reader.tokens.next()? {
        if let Some(specifier) = specifier(token) {
            layer.prims.push(reader.prim(specifier, 0)?);
        }
    }
    Ok(layer)
}

fn specifier(token: Token) -> Option<Specifier> {
    match token {
        Token::Word(b"def") => Some(Specifier::Def),
        Token::Word(b"over") => Some(Specifier::Over),
        Token::Word(b"class") => Some(Specifier::Class),
        _ => None,
    }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

struct Reader<'a> {
    tokens: Tokens<'a>,
}

impl<'a> Reader<'a> {
    /// What stands in the file's own parentheses.
    fn layer_metadata(&mut self, layer: &mut Layer) -> Result<(), UsdError> {
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("the file ends in its first lines")),
                Some(Token::Mark(b')')) => return Ok(()),
                Some(Token::Word(key)) if self.tokens.peek()? == Some(Token::Mark(b'=')) => {
                    self.tokens.next()?;
                    match key {
                        b"metersPerUnit" => layer.metres_per_unit = self.number()?,
                        b"timeCodesPerSecond" => layer.time_codes_per_second = self.number()?,
                        b"framesPerSecond" => layer.frames_per_second = self.number()?,
                        b"subLayers" => {
                            let mut ahead = self.tokens.clone();
                            ahead.next()?;
                            layer.refers |= ahead.next()? != Some(Token::Mark(b']'));
                            self.tokens.skip_value()?;
                        }
                        b"upAxis" => {
                            let text = self.tokens.texts()?;
                            layer.up_axis = text.first().map(|text| lossy(text));
                        }
                        _ => self.tokens.skip_value()?,
                    }
                }
                Some(Token::Mark(b'(' | b'[' | b'{')) => {
                    return Err(self.tokens.fault("a value stands where a name should"));
                }
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> Result<Option<f64>, UsdError> {
        Ok(self.tokens.numbers::<f64>()?.first().copied())
    }

    /// A prim, behind its `def`.
    fn prim(&mut self, purpose: Specifier, depth: usize) -> Result<Prim<'a>, UsdError> {
        if depth > DEEPEST {
            return Err(self.tokens.fault("prims stand in prims too deeply"));
        }
        let mut prim = Prim {
            specifier: purpose,
            ..Prim::default()
        };
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("the file ends in the middle of a prim")),
                Some(Token::Word(word)) => prim.kind = lossy(word),
                Some(Token::Text(name)) => prim.name = lossy(name),
                Some(Token::Mark(b'(')) => self.prim_metadata(&mut prim)?,
                Some(Token::Mark(b'{')) => break,
                Some(_) => {}
            }
        }
        let mut known = HashMap::new();
        // The word before a property's name is its type.
        let mut of: &[u8] = b"";
        loop {
            let Some(token) = self.tokens.next()? else {
                return Err(self.tokens.fault("the file ends in the middle of a prim"));
            };
            if let Some(specifier) = specifier(token) {
                let child = self.prim(specifier, depth + 1)?;
                prim.children.push(child);
                continue;
            }
            match token {
                Token::Mark(b'}') => return Ok(prim),
                Token::Word(b"variantSet") => {
                    // name = { "a" { ... } }: nobody says which one is meant.
                    self.tokens.next()?;
                    self.tokens.next()?;
                    self.tokens.skip_value()?;
                    prim.variant_sets += 1;
                }
                Token::Word(word) => {
                    match self.tokens.peek()? {
                        Some(Token::Mark(b'=')) => {
                            self.tokens.next()?;
                            self.property(word, of, &mut prim, &mut known)?;
                        }
                        Some(Token::Mark(b'(')) if shape(&lossy(of)).is_some() => {
                            // It is declared, and has values elsewhere or none.
                            self.tokens.next()?;
                            let property = declared(word, of, &mut prim, &mut known);
                            self.property_metadata(property)?;
                        }
                        _ => {}
                    }
                    of = word;
                }
                Token::Mark(b'(' | b'[' | b'{') => self.tokens.close(1)?,
                _ => {}
            }
        }
    }

    /// Passes a prim's parentheses: whether they name another layer, or switch it off.
    fn prim_metadata(&mut self, prim: &mut Prim) -> Result<(), UsdError> {
        let mut depth = 1usize;
        while depth > 0 {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("a bracket is never closed")),
                Some(Token::Mark(b'(' | b'[' | b'{')) => depth += 1,
                Some(Token::Mark(b')' | b']' | b'}')) => depth -= 1,
                Some(Token::Word(b"references" | b"payload")) => prim.refers |= depth == 1,
                Some(Token::Word(b"active")) if depth == 1 => {
                    let mut ahead = self.tokens.clone();
                    let is = ahead.next()? == Some(Token::Mark(b'='));
                    let off = matches!(ahead.next()?, Some(Token::Word(b"false" | b"0")));
                    prim.inactive |= is && off;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// A property of that name, behind its equals sign.
    fn property(
        &mut self,
        word: &[u8],
        of: &[u8],
        prim: &mut Prim<'a>,
        known: &mut HashMap<Vec<u8>, usize>,
    ) -> Result<(), UsdError> {
        let (name, what) = match word.strip_suffix(b".timeSamples") {
            Some(name) => (name, Part::Samples),
            None => match word.strip_suffix(b".connect") {
                Some(name) => (name, Part::Targets),
                None if of == b"rel" => (word, Part::Targets),
                None => (word, Part::Value),
            },
        };
        let property = declared(name, of, prim, known);
        let source = |tokens: &Tokens<'a>| Some(ValueSource::Text(TextSource(tokens.clone())));
        match what {
            Part::Value => {
                property.value = match self.tokens.peek()? {
                    Some(Token::Word(b"None")) => None,
                    _ => source(&self.tokens),
                };
                self.tokens.skip_value()?;
            }
            Part::Targets => {
                property.targets = source(&self.tokens);
                self.tokens.skip_value()?;
            }
            Part::Samples => property.samples = self.samples()?,
        }
        if self.tokens.peek()? == Some(Token::Mark(b'(')) {
            self.tokens.next()?;
            self.property_metadata(property)?;
        }
        Ok(())
    }

    /// `{ 1: value, 2: value }`: where they are, but for those that say that there is no
    /// value from then on.
    fn samples(&mut self) -> Result<Option<TimeSamples<'a>>, UsdError> {
        if self.tokens.next()? != Some(Token::Mark(b'{')) {
            return Err(self.tokens.fault("time samples stand in braces"));
        }
        let mut all = Vec::new();
        loop {
            let time = match self.tokens.next()? {
                None => return Err(self.tokens.fault("a bracket is never closed")),
                Some(Token::Mark(b'}')) => break,
                Some(Token::Mark(b',')) => continue,
                Some(Token::Word(word)) => word,
                Some(_) => return Err(self.tokens.fault("a time stands before a colon")),
            };
            // The colon may be part of the word, or stand alone.
            let digits = match time.strip_suffix(b":") {
                Some(digits) => digits,
                None => {
                    self.tokens.next()?;
                    time
                }
            };
            let number = std::str::from_utf8(digits)
                .ok()
                .and_then(|t| t.parse().ok());
            let Some(number) = number.filter(|number: &f64| number.is_finite()) else {
                let fault = format!("\"{}\" is no time", lossy(digits));
                return Err(self.tokens.fault(&fault));
            };
            if self.tokens.peek()? != Some(Token::Word(b"None")) {
                all.push((number, TextSource(self.tokens.clone())));
            }
            self.tokens.skip_value()?;
        }
        // The first in time counts where no time is asked for.
        all.sort_by(|(a, _), (b, _)| f64::total_cmp(a, b));
        Ok((!all.is_empty()).then_some(TimeSamples::Text(all)))
    }

    /// What stands in parentheses behind a property.
    fn property_metadata(&mut self, property: &mut Property) -> Result<(), UsdError> {
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("a bracket is never closed")),
                Some(Token::Mark(b')')) => return Ok(()),
                Some(Token::Word(key)) if self.tokens.peek()? == Some(Token::Mark(b'=')) => {
                    self.tokens.next()?;
                    match key {
                        b"interpolation" => {
                            let texts = self.tokens.texts()?;
                            property.interpolation =
                                texts.first().map(|text| lossy(text)).unwrap_or_default();
                        }
                        b"elementSize" => {
                            let size: Vec<usize> = self.tokens.numbers()?;
                            property.element_size = size.first().copied().unwrap_or(1);
                        }
                        _ => self.tokens.skip_value()?,
                    }
                }
                Some(_) => {}
            }
        }
    }
}

/// The property of a name and type, which is added where it is not known.
fn declared<'a, 'p>(
    name: &[u8],
    of: &[u8],
    prim: &'p mut Prim<'a>,
    known: &mut HashMap<Vec<u8>, usize>,
) -> &'p mut Property<'a> {
    let index = *known.entry(name.to_vec()).or_insert_with(|| {
        prim.properties.push(Property {
            name: lossy(name),
            kind: lossy(of),
            element_size: 1,
            ..Property::default()
        });
        prim.properties.len() - 1
    });
    &mut prim.properties[index]
}

/// What a statement says of a property.
enum Part {
    Value,
    Samples,
    Targets,
}
