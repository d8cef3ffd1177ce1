//! Writing crate files, version 0.8: values as they come, the tables at the end.

mod single;

use super::{
    Rep,
    file::HEADER,
    integers, lz4,
    rep::types,
    source::SHORTEST,
    tree::{ATTRIBUTE, PRIM, ROOT},
};
use std::{
    collections::HashMap,
    io::{self, Seek, SeekFrom, Write},
};

/// Everybody reads it; later ones only add types.
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];

/// A prim of a file that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimId(usize);

/// A path with a spec.
#[derive(Debug)]
struct Node {
    name: String,
    kind: i64,
    fields: Vec<(String, Rep)>,
    children: Vec<usize>,
}

/// Writes a crate file. Values are written as they come; only where they lie is kept.
#[derive(Debug)]
pub struct CrateWriter<W> {
    out: W,
    at: u64,
    nodes: Vec<Node>,
    tokens: Vec<String>,
    token_numbers: HashMap<String, u32>,
    /// The token of each string.
    strings: Vec<u32>,
}

impl<W: Write + Seek> CrateWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn new(mut out: W) -> io::Result<Self> {
        // Where the table of sections is comes last.
        out.write_all(&[0; HEADER])?;
        let mut writer = Self {
            out,
            at: HEADER as u64,
            nodes: Vec::new(),
            tokens: Vec::new(),
            token_numbers: HashMap::new(),
            strings: Vec::new(),
        };
        // A name of zero could not be negative, which says that it is a property's.
        writer.token_number("");
        writer.nodes.push(Node {
            name: String::new(),
            kind: ROOT,
            fields: Vec::new(),
            children: Vec::new(),
        });
        Ok(writer)
    }

    fn token_number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.token_numbers.get(text) {
            return *known;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(text.into());
        self.token_numbers.insert(text.into(), number);
        number
    }

    /// A prim below another, or below none.
    pub fn prim(&mut self, parent: Option<PrimId>, name: &str, kind: &str) -> PrimId {
        let kind = self.token(kind);
        let fields = vec![
            ("specifier".into(), Rep::inlined(types::SPECIFIER, 0)),
            ("typeName".into(), kind),
        ];
        let parent = parent.map_or(0, |PrimId(parent)| parent);
        PrimId(self.node(parent, name, PRIM, fields))
    }

    /// An attribute of a prim, with its fields beside its type: `default`, `timeSamples`,
    /// `interpolation`.
    pub fn attribute(
        &mut self,
        PrimId(prim): PrimId,
        name: &str,
        kind: &str,
        fields: &[(&str, Rep)],
    ) {
        let kind = self.token(kind);
        let more = fields.iter().map(|(name, rep)| ((*name).into(), *rep));
        let fields = std::iter::once(("typeName".into(), kind)).chain(more);
        let fields = fields.collect();
        self.node(prim, name, ATTRIBUTE, fields);
    }

    fn node(&mut self, parent: usize, name: &str, kind: i64, fields: Vec<(String, Rep)>) -> usize {
        let number = self.nodes.len();
        self.nodes[parent].children.push(number);
        self.nodes.push(Node {
            name: name.into(),
            kind,
            fields,
            children: Vec::new(),
        });
        number
    }

    /// Something that the file says of itself.
    pub fn metadata(&mut self, name: &str, value: Rep) {
        self.nodes[0].fields.push((name.into(), value));
    }

    /// A token.
    pub fn token(&mut self, text: &str) -> Rep {
        Rep::inlined(types::TOKEN, self.token_number(text))
    }

    /// A string.
    pub fn string(&mut self, text: &str) -> Rep {
        Rep::inlined(types::STRING, self.string_number(text))
    }

    fn string_number(&mut self, text: &str) -> u32 {
        let token = self.token_number(text);
        self.strings.push(token);
        self.strings.len() as u32 - 1
    }

    /// A whole number.
    pub fn int(&mut self, value: i32) -> Rep {
        Rep::inlined(types::INT, value as u32)
    }

    /// That something is the same at all times.
    pub fn uniform(&mut self) -> Rep {
        Rep::inlined(types::VARIABILITY, 1)
    }

    /// A number of double precision.
    ///
    /// # Errors
    /// Those of the file.
    pub fn double(&mut self, value: f64) -> io::Result<Rep> {
        let single = value as f32;
        if f64::from(single) == value {
            return Ok(Rep::inlined(types::DOUBLE, single.to_bits()));
        }
        let place = self.value(&[&value.to_le_bytes()])?;
        Ok(Rep::at(types::DOUBLE, place))
    }

    /// Rows of so many numbers: 1, or a vector's 2 to 4.
    ///
    /// # Errors
    /// Those of the file.
    pub fn floats(&mut self, width: usize, values: &[f32]) -> io::Result<Rep> {
        let kind = vector(types::FLOAT, types::VEC2F, width);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.array(kind, values.len() / width.max(1), &bytes)
    }

    /// The same in double precision.
    ///
    /// # Errors
    /// Those of the file.
    pub fn doubles(&mut self, width: usize, values: &[f64]) -> io::Result<Rep> {
        let kind = vector(types::DOUBLE, types::VEC2D, width);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.array(kind, values.len() / width.max(1), &bytes)
    }

    /// The same of whole numbers.
    ///
    /// # Errors
    /// Those of the file.
    pub fn ints(&mut self, width: usize, values: &[i32]) -> io::Result<Rep> {
        if width == 1 && values.len() >= SHORTEST {
            let packed = integers::write(values.iter().copied());
            let count = (values.len() as u64).to_le_bytes();
            let size = (packed.len() as u64).to_le_bytes();
            let place = self.value(&[&count, &size, &packed])?;
            return Ok(Rep::at(types::INT, place).array().compressed());
        }
        let kind = vector(types::INT, types::VEC2D + 3, width);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.array(kind, values.len() / width.max(1), &bytes)
    }

    /// Whole numbers of 64 bits.
    ///
    /// # Errors
    /// Those of the file.
    pub fn longs(&mut self, values: &[i64]) -> io::Result<Rep> {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.array(types::INT64, values.len(), &bytes)
    }

    /// Strings.
    ///
    /// # Errors
    /// Those of the file.
    pub fn strings(&mut self, values: &[String]) -> io::Result<Rep> {
        let mut known = HashMap::new();
        let mut bytes = Vec::with_capacity(4 * values.len());
        for text in values {
            let number = *known
                .entry(text)
                .or_insert_with(|| self.string_number(text));
            bytes.extend(number.to_le_bytes());
        }
        self.array(types::STRING, values.len(), &bytes)
    }

    /// A value at each of these times.
    ///
    /// # Errors
    /// Those of the file.
    pub fn samples(&mut self, times: &[f64], values: &[Rep]) -> io::Result<Rep> {
        let count = (times.len() as u64).to_le_bytes();
        let all: Vec<u8> = times.iter().flat_map(|t| t.to_le_bytes()).collect();
        let place = self.value(&[&count, &all])?;
        let times = Rep::at(types::DOUBLE_VECTOR, place);
        let reps: Vec<u8> = values.iter().flat_map(|rep| rep.0.to_le_bytes()).collect();
        // Both the times and the values lie right behind the distances to them.
        let behind = 8u64.to_le_bytes();
        let count = (values.len() as u64).to_le_bytes();
        let parts = [&behind, &times.0.to_le_bytes(), &behind, &count, &reps[..]];
        let place = self.value(&parts)?;
        Ok(Rep::at(types::TIME_SAMPLES, place))
    }

    fn array(&mut self, kind: u8, count: usize, bytes: &[u8]) -> io::Result<Rep> {
        if count == 0 {
            return Ok(Rep::at(kind, 0).array());
        }
        let place = self.value(&[&(count as u64).to_le_bytes(), bytes])?;
        Ok(Rep::at(kind, place).array())
    }

    /// Words that name the children of a node.
    fn names(&mut self, names: &[String]) -> io::Result<Rep> {
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend(self.token_number(name).to_le_bytes());
        }
        let place = self.value(&[&(names.len() as u64).to_le_bytes(), &bytes])?;
        Ok(Rep::at(types::TOKEN_VECTOR, place))
    }

    /// Writes a value, where numbers of eight bytes may lie, and says where it is.
    fn value(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let gap = self.at.next_multiple_of(8) - self.at;
        self.bytes(&[0; 8][..gap as usize])?;
        let place = self.at;
        for part in parts {
            self.bytes(part)?;
        }
        Ok(place)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Ends the file; what it was written to is left at its end.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.name_children()?;
        let fields = self.field_columns();
        let mut paths = PathColumns::default();
        self.path(0, false, &mut paths);
        let sections = self.sections(&fields, &paths);
        let mut table = count(sections.len()).to_vec();
        for (name, content) in &sections {
            let place = self.value(&[content])?;
            let mut name = name.as_bytes().to_vec();
            name.resize(16, 0);
            table.extend(name);
            table.extend(place.to_le_bytes());
            table.extend(count(content.len()));
        }
        let place = self.value(&[&table])?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(b"PXR-USDC")?;
        self.out.write_all(&VERSION)?;
        self.out.write_all(&place.to_le_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Adds to each node the names of its prims and of its properties.
    fn name_children(&mut self) -> io::Result<()> {
        for number in 0..self.nodes.len() {
            for (kind, field) in [(PRIM, "primChildren"), (ATTRIBUTE, "properties")] {
                let all = self.nodes[number].children.iter();
                let own = all.filter(|child| self.nodes[**child].kind == kind);
                let names: Vec<String> = own.map(|child| self.nodes[*child].name.clone()).collect();
                if !names.is_empty() {
                    let rep = self.names(&names)?;
                    self.nodes[number].fields.push((field.into(), rep));
                }
            }
        }
        Ok(())
    }

    /// The fields of all nodes and their sets.
    fn field_columns(&mut self) -> FieldColumns {
        let mut out = FieldColumns::default();
        for number in 0..self.nodes.len() {
            out.starts.push(out.sets.len() as i32);
            for (name, rep) in std::mem::take(&mut self.nodes[number].fields) {
                out.sets.push(out.tokens.len() as i32);
                out.tokens.push(self.token_number(&name) as i32);
                out.reps.extend(rep.0.to_le_bytes());
            }
            out.sets.push(-1);
        }
        out
    }

    /// The name and the bytes of each section.
    fn sections(&self, fields: &FieldColumns, paths: &PathColumns) -> [(&'static str, Vec<u8>); 6] {
        let mut words = Vec::new();
        for token in &self.tokens {
            words.extend(token.bytes().filter(|c| *c != 0));
            words.push(0);
        }
        let strings: Vec<u8> = self.strings.iter().flat_map(|s| s.to_le_bytes()).collect();
        let kinds: Vec<i32> = self.nodes.iter().map(|node| node.kind as i32).collect();
        let all: Vec<i32> = (0..self.nodes.len() as i32).collect();
        let nodes = count(self.nodes.len());
        let join = |parts: &[&[u8]]| parts.concat();
        [
            (
                "TOKENS",
                join(&[
                    &count(self.tokens.len()),
                    &count(words.len()),
                    &sized(&words),
                ]),
            ),
            ("STRINGS", join(&[&count(self.strings.len()), &strings])),
            (
                "FIELDS",
                join(&[
                    &count(fields.tokens.len()),
                    &packed(&fields.tokens),
                    &sized(&fields.reps),
                ]),
            ),
            (
                "FIELDSETS",
                join(&[&count(fields.sets.len()), &packed(&fields.sets)]),
            ),
            (
                "PATHS",
                join(&[
                    &nodes,
                    &nodes,
                    &packed(&paths.numbers),
                    &packed(&paths.names),
                    &packed(&paths.jumps),
                ]),
            ),
            (
                "SPECS",
                join(&[
                    &nodes,
                    &packed(&all),
                    &packed(&fields.starts),
                    &packed(&kinds),
                ]),
            ),
        ]
    }

    /// Puts a node and what is below it behind all others.
    fn path(&mut self, number: usize, sibling: bool, out: &mut PathColumns) {
        let here = out.numbers.len();
        let node = &self.nodes[number];
        let (name, kind, children) = (node.name.clone(), node.kind, node.children.clone());
        let token = self.token_number(&name) as i32;
        out.numbers.push(number as i32);
        out.names
            .push(if kind == ATTRIBUTE { -token } else { token });
        out.jumps.push(match (children.is_empty(), sibling) {
            (true, false) => -2,
            (true, true) => 0,
            (false, _) => -1,
        });
        for (i, child) in children.iter().enumerate() {
            self.path(*child, i + 1 < children.len(), out);
        }
        if sibling && !children.is_empty() {
            out.jumps[here] = (out.numbers.len() - here) as i32;
        }
    }
}

/// A count as files have it.
fn count(n: usize) -> [u8; 8] {
    (n as u64).to_le_bytes()
}

/// Compressed numbers behind their size.
fn packed(all: &[i32]) -> Vec<u8> {
    let packed = integers::write(all.iter().copied());
    [&count(packed.len())[..], &packed].concat()
}

/// Compressed bytes behind their size.
fn sized(bytes: &[u8]) -> Vec<u8> {
    let packed = lz4::compress(bytes);
    [&count(packed.len())[..], &packed].concat()
}

/// Tokens and values of all fields, and their sets.
#[derive(Debug, Default)]
struct FieldColumns {
    tokens: Vec<i32>,
    reps: Vec<u8>,
    /// Numbers of fields; each set ends with a number that no field has.
    sets: Vec<i32>,
    /// Where the set of each node begins.
    starts: Vec<i32>,
}

/// Numbers, names and jumps of all paths, each behind its parent.
#[derive(Debug, Default)]
struct PathColumns {
    numbers: Vec<i32>,
    names: Vec<i32>,
    jumps: Vec<i32>,
}

/// The number of a type whose rows have so many numbers.
fn vector(single: u8, first: u8, width: usize) -> u8 {
    match width {
        2..=4 => first + 4 * (width as u8 - 2),
        _ => single,
    }
}
