//! Reading the curves of a USD text.

use super::{
    column::{self, Primvar},
    pieces::ends,
    token::{Token, Tokens},
    transform::operation,
};
use crate::{
    io::strands::{
        Fault, Strands,
        content::TOO_MANY,
        cubic::{Basis, Cubic, Wrap},
    },
    mesh::Up,
};
use glam::{DMat4, Vec3};

/// Prims in prims in prims.
const DEEPEST: usize = 100;

pub fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut reader = Reader {
        tokens: Tokens::new(bytes),
        out: Strands {
            starts: vec![0],
            ..Strands::default()
        },
        curves: 0,
        others: 0,
    };
    reader.layer()?;
    let Reader {
        mut out,
        curves,
        others,
        ..
    } = reader;
    if curves == 0 {
        let text = match others {
            0 => "it has no BasisCurves; export hair as curves",
            _ => "it has NURBS or Hermite curves and no BasisCurves; export hair as basis curves",
        };
        return Err(Fault::whole(text.into()));
    }
    if others > 0 {
        out.notes.push(format!(
            "{others} prims of NURBS or Hermite curves are left out"
        ));
    }
    if out.points.len() > u32::MAX as usize {
        return Err(Fault::whole(TOO_MANY.into()));
    }
    Ok(out)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    out: Strands,
    /// Prims with curves that were read.
    curves: usize,
    /// Prims with curves that are not read.
    others: usize,
}

/// What a prim says of itself.
#[derive(Default)]
struct Prim {
    points: Vec<f32>,
    counts: Vec<u32>,
    widths: Vec<f32>,
    colours: Vec<f32>,
    uvs: Vec<f32>,
    kind: Vec<u8>,
    basis: Vec<u8>,
    wrap: Vec<u8>,
    /// Operations by name, with their numbers.
    ops: Vec<(Vec<u8>, Vec<f64>)>,
    order: Vec<Vec<u8>>,
    sampled: bool,
    primvars: Vec<Primvar>,
}

impl Reader<'_> {
    fn layer(&mut self) -> Result<(), Fault> {
        if self.tokens.peek()? == Some(Token::Mark(b'(')) {
            self.tokens.next()?;
            self.metadata()?;
        }
        while let Some(token) = self.tokens.next()? {
            if let Token::Word(b"def" | b"over" | b"class") = token {
                self.prim(DMat4::IDENTITY, 0)?;
            }
        }
        Ok(())
    }

    /// What stands in the file's own parentheses.
    fn metadata(&mut self) -> Result<(), Fault> {
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("the file ends in its first lines")),
                Some(Token::Mark(b')')) => return Ok(()),
                Some(Token::Word(key)) => {
                    if self.tokens.peek()? != Some(Token::Mark(b'=')) {
                        continue;
                    }
                    self.tokens.next()?;
                    match key {
                        b"metersPerUnit" => {
                            let numbers = self.tokens.numbers::<f64>()?;
                            self.out.metres_per_unit = numbers.first().copied();
                        }
                        b"upAxis" => {
                            self.out.up = match self.tokens.next()? {
                                Some(Token::Text(b"Z")) => Some(Up::Z),
                                _ => Some(Up::Y),
                            };
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

    /// A prim, behind its `def`.
    fn prim(&mut self, parent: DMat4, depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(self.tokens.fault("prims stand in prims too deeply"));
        }
        let mut kind: &[u8] = b"";
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("the file ends in the middle of a prim")),
                Some(Token::Word(word)) => kind = word,
                Some(Token::Mark(b'(')) => self.close(1)?,
                Some(Token::Mark(b'{')) => break,
                Some(_) => {}
            }
        }
        let mut prim = Prim::default();
        // Children come behind the prim's own transform, as everybody writes it.
        let mut here = None;
        // The word before a property's name is its type.
        let mut of: &[u8] = b"";
        loop {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("the file ends in the middle of a prim")),
                Some(Token::Mark(b'}')) => break,
                Some(Token::Word(b"def" | b"over" | b"class")) => {
                    let placed = match here {
                        Some(placed) => placed,
                        None => self.place(&prim, parent)?,
                    };
                    here = Some(placed);
                    self.prim(placed, depth + 1)?;
                }
                Some(Token::Word(b"variantSet")) => {
                    // name = { "a" { ... } }: nobody says which one is meant.
                    self.tokens.next()?;
                    self.tokens.next()?;
                    self.tokens.skip_value()?;
                    self.out
                        .notes
                        .push("a set of variants is left out; export one of them".into());
                }
                Some(Token::Word(word)) => {
                    self.property(word, of, &mut prim)?;
                    of = word;
                }
                Some(Token::Mark(b'(')) => self.close(1)?,
                Some(Token::Mark(b'[')) => self.close(1)?,
                Some(Token::Mark(b'{')) => self.close(1)?,
                Some(_) => {}
            }
        }
        match kind {
            b"BasisCurves" => {
                let placed = self.place(&prim, parent)?;
                self.take(prim, placed)
            }
            b"NurbsCurves" | b"HermiteCurves" => {
                self.others += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Passes everything up to where so many brackets are closed.
    fn close(&mut self, mut depth: usize) -> Result<(), Fault> {
        while depth > 0 {
            match self.tokens.next()? {
                None => return Err(self.tokens.fault("a bracket is never closed")),
                Some(Token::Mark(b'(' | b'[' | b'{')) => depth += 1,
                Some(Token::Mark(b')' | b']' | b'}')) => depth -= 1,
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// A property that may begin with `word`: the name is the last word before
    /// the equals sign, and the word before it its type.
    fn property(&mut self, word: &[u8], of: &[u8], prim: &mut Prim) -> Result<(), Fault> {
        if self.tokens.peek()? != Some(Token::Mark(b'=')) {
            return Ok(());
        }
        self.tokens.next()?;
        let (name, sampled) = match word.strip_suffix(b".timeSamples") {
            Some(name) => (name, true),
            None => (word, false),
        };
        let wanted = matches!(
            name,
            b"points"
                | b"curveVertexCounts"
                | b"widths"
                | b"primvars:displayColor"
                | b"primvars:st"
        ) || name.starts_with(b"xformOp:");
        if let Some(name) = name
            .strip_prefix(b"primvars:")
            .filter(|_| !wanted && !sampled)
        {
            return self.primvar(name, of, prim);
        }
        if matches!(name, b"type" | b"basis" | b"wrap") {
            let text = match self.tokens.next()? {
                Some(Token::Text(text)) => text.to_vec(),
                _ => Vec::new(),
            };
            match name {
                b"type" => prim.kind = text,
                b"basis" => prim.basis = text,
                _ => prim.wrap = text,
            }
            return Ok(());
        }
        if name == b"xformOpOrder" {
            prim.order = self.tokens.texts()?;
            return Ok(());
        }
        if !wanted {
            return self.tokens.skip_value();
        }
        if sampled {
            // { 1: value, 2: value }: the first, and past the others.
            if self.tokens.next()? != Some(Token::Mark(b'{')) {
                return Err(self.tokens.fault("time samples stand in braces"));
            }
            if self.tokens.peek()? == Some(Token::Mark(b'}')) {
                self.tokens.next()?;
                return Ok(());
            }
            // The time; a colon behind it may be part of the word.
            let time = self.tokens.next()?;
            if !matches!(time, Some(Token::Word(word)) if word.ends_with(b":")) {
                self.tokens.next()?;
            }
        }
        let empty = |filled: bool| !sampled || !filled;
        match name {
            b"points" => {
                let value = self.tokens.numbers()?;
                if empty(!prim.points.is_empty() && !prim.sampled) {
                    prim.points = value;
                }
                prim.sampled |= sampled;
            }
            b"curveVertexCounts" => prim.counts = self.tokens.numbers()?,
            b"widths" => {
                let value = self.tokens.numbers()?;
                if empty(!prim.widths.is_empty()) {
                    prim.widths = value;
                }
            }
            b"primvars:displayColor" => prim.colours = self.tokens.numbers()?,
            b"primvars:st" => prim.uvs = self.tokens.numbers()?,
            name => prim.ops.push((name.to_vec(), self.tokens.numbers()?)),
        }
        if sampled {
            self.close(1)?;
        }
        Ok(())
    }

    /// A primvar of that type that becomes a column.
    fn primvar(&mut self, name: &[u8], of: &[u8], prim: &mut Prim) -> Result<(), Fault> {
        if let Some(name) = name.strip_suffix(b":indices") {
            let name = String::from_utf8_lossy(name);
            let found = prim.primvars.iter_mut().find(|var| var.name == name);
            return match found {
                Some(primvar) => {
                    primvar.indices = self.tokens.numbers()?;
                    Ok(())
                }
                None => self.tokens.skip_value(),
            };
        }
        if let Some(mut primvar) = Primvar::value(&mut self.tokens, name, of)? {
            primvar.metadata(&mut self.tokens)?;
            prim.primvars.push(primvar);
        }
        Ok(())
    }

    /// Where a prim stands.
    fn place(&mut self, prim: &Prim, parent: DMat4) -> Result<DMat4, Fault> {
        let mut all = parent;
        for name in &prim.order {
            if name == b"!resetXformStack!" {
                all = DMat4::IDENTITY;
                continue;
            }
            let (wanted, inverse) = match name.strip_prefix(b"!invert!") {
                Some(name) => (name, true),
                None => (&name[..], false),
            };
            let Some((_, numbers)) = prim.ops.iter().find(|(op, _)| op == wanted) else {
                continue;
            };
            let Some(matrix) = operation(wanted, numbers) else {
                let name = String::from_utf8_lossy(wanted).into_owned();
                let text = format!("cannot follow the transform {name}; freeze transforms");
                return Err(self.tokens.fault(&text));
            };
            all *= if inverse { matrix.inverse() } else { matrix };
        }
        Ok(all)
    }

    /// Takes the curves of a prim that stands there.
    fn take(&mut self, mut prim: Prim, placed: DMat4) -> Result<(), Fault> {
        self.curves += 1;
        let primvars = std::mem::take(&mut prim.primvars);
        let had = [self.out.len(), self.out.points.len()];
        let points = prim.points.len() / 3;
        let total: u64 = prim.counts.iter().map(|count| u64::from(*count)).sum();
        if !prim.points.len().is_multiple_of(3) || total != points as u64 {
            return Err(self.tokens.fault(&format!(
                "curveVertexCounts promises {total} points and there are {points}"
            )));
        }
        let basis = match &prim.kind[..] {
            b"linear" => None,
            _ => Basis::named(&prim.basis),
        };
        let wrap = match (&prim.wrap[..], basis) {
            (b"periodic", _) => Wrap::Periodic,
            (_, Some(Basis::Bezier)) => Wrap::Open,
            // Hair is rooted at its first point, where Blender ends its curves
            // by the letter of the format short of it.
            _ => Wrap::Pinned,
        };
        let mut note = |text: String| {
            if !self.out.notes.contains(&text) {
                self.out.notes.push(text);
            }
        };
        match basis {
            Some(basis) if wrap == Wrap::Pinned && prim.wrap != b"pinned" => note(format!(
                "the curves are cubic ({}); they are followed, and on to their first and last \
                 control points",
                basis.name()
            )),
            Some(basis) => note(format!(
                "the curves are cubic ({}), and are followed",
                basis.name()
            )),
            None if prim.kind != b"linear" => note(format!(
                "the curves are cubic of an unknown basis ({}); strands go through their control \
                 points",
                String::from_utf8_lossy(&prim.basis)
            )),
            None => {}
        }
        if wrap == Wrap::Periodic {
            note("closed curves are cut open where they begin".into());
        }
        if prim.sampled {
            note("the curves move; the first frame is taken".into());
        }
        let curves = prim.counts.len();
        let before = self.out.points.len();
        if let Some(basis) = basis {
            let first = self.out.len();
            self.out.cubic.push(Cubic {
                strands: first..first + curves,
                basis,
                wrap,
            });
        }
        let all = prim.points.chunks_exact(3);
        self.out.points.extend(all.map(|c| {
            let p = Vec3::new(c[0], c[1], c[2]);
            match placed == DMat4::IDENTITY {
                true => p,
                false => placed.transform_point3(p.as_dvec3()).as_vec3(),
            }
        }));
        let mut end = before as u64;
        for count in &prim.counts {
            end += u64::from(*count);
            let start = u32::try_from(end).map_err(|_| Fault::whole(TOO_MANY.into()))?;
            self.out.starts.push(start);
        }
        let spread = |values: &[f32], each: usize, counts: &[u32]| -> Option<Vec<f32>> {
            let count = values.len() / each;
            if count == points {
                return Some(values[..points * each].to_vec());
            }
            let of = |i: usize| &values[i * each..(i + 1) * each];
            if count == 1 {
                return Some(of(0).repeat(points));
            }
            if count == curves {
                let copies = counts.iter().enumerate();
                return Some(
                    copies
                        .flat_map(|(i, n)| of(i).repeat(*n as usize))
                        .collect(),
                );
            }
            ends(values, each, counts, |count| basis?.pieces(wrap, count))
        };
        let scale = placed.determinant().abs().cbrt() as f32;
        match spread(&prim.widths, 1, &prim.counts) {
            // All points have one or none has.
            Some(widths) if self.out.widths.len() == before => {
                self.out.widths.extend(widths.iter().map(|w| w * scale));
            }
            _ => self.out.widths.clear(),
        }
        match spread(&prim.colours, 3, &prim.counts) {
            Some(colours) if self.out.colours.len() == before => {
                let colours = colours.chunks_exact(3);
                self.out.colours.extend(colours.map(|c| [c[0], c[1], c[2]]));
            }
            _ => self.out.colours.clear(),
        }
        if prim.uvs.len() == 2 * curves
            && self.out.root_uvs.len() + curves + 1 == self.out.starts.len()
        {
            let uvs = prim.uvs.chunks_exact(2);
            self.out.root_uvs.extend(uvs.map(|c| [c[0], c[1]]));
        } else {
            self.out.root_uvs.clear();
        }
        column::take(&mut self.out, primvars, had);
        Ok(())
    }
}
