//! Writing an archive: samples go out as they come, what they belong to at the end.

use crate::{
    Kind, Pod, Times,
    container::{DATA, HEADER},
    header::PropertyHeader,
};
use std::{
    collections::HashMap,
    io::{self, Seek, SeekFrom, Write},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// An object of a [`Writer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(usize);

/// A property of a [`Writer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyId(usize);

struct Node {
    name: String,
    metadata: String,
    children: Vec<NodeId>,
    properties: Vec<PropertyId>,
}

struct Written {
    header: PropertyHeader,
    /// Where each sample lies that is kept, with its dimensions where it is an array's.
    places: Vec<u64>,
    /// The last sample: its digest, its place and that of its dimensions.
    last: Option<([u8; 16], u64, u64)>,
    values: Option<usize>,
    scalar_like: bool,
    even: bool,
    properties: Vec<PropertyId>,
}

/// An archive that is being written.
pub struct Writer<W: Write + Seek> {
    out: W,
    at: u64,
    nodes: Vec<Node>,
    properties: Vec<Written>,
    times: Vec<(Times, u32)>,
    /// Where a sample of that digest and length lies already.
    known: HashMap<([u8; 16], usize), u64>,
    metadata: Vec<String>,
    about: String,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins an archive that says so of itself (`key=value;key=value`).
    ///
    /// # Errors
    /// Those of the file.
    pub fn new(mut out: W, about: &str) -> io::Result<Self> {
        // Its byte 5 says that it is not whole yet.
        out.write_all(b"Ogawa\0\0\x01\0\0\0\0\0\0\0\0")?;
        Ok(Self {
            out,
            at: HEADER as u64,
            nodes: vec![Node {
                name: String::new(),
                metadata: String::new(),
                children: Vec::new(),
                properties: Vec::new(),
            }],
            properties: Vec::new(),
            // The reference takes the first for what does not move.
            times: vec![(Times::uniform(0.0, 1.0), 1)],
            known: HashMap::new(),
            metadata: Vec::new(),
            about: about.into(),
        })
    }

    /// What the archive says of itself from now on.
    pub fn describe(&mut self, about: &str) {
        self.about = about.into();
    }

    /// The object that all others are children of.
    pub fn top(&self) -> NodeId {
        NodeId(0)
    }

    /// Tells when samples are taken; the number is that of [`property`](Self::property).
    pub fn times(&mut self, times: Times) -> usize {
        self.times.push((times, 0));
        self.times.len() - 1
    }

    /// Adds an object to `parent`.
    pub fn object(&mut self, parent: NodeId, name: &str, metadata: &str) -> NodeId {
        self.nodes.push(Node {
            name: name.into(),
            metadata: metadata.into(),
            children: Vec::new(),
            properties: Vec::new(),
        });
        let id = NodeId(self.nodes.len() - 1);
        self.nodes[parent.0].children.push(id);
        id
    }

    /// Adds a compound to an object.
    pub fn compound(&mut self, node: NodeId, name: &str, metadata: &str) -> PropertyId {
        let id = self.add(Kind::Compound, name, metadata, (Pod::U8, 1), 0);
        self.nodes[node.0].properties.push(id);
        id
    }

    /// Adds a compound to a compound.
    pub fn inner(&mut self, parent: PropertyId, name: &str, metadata: &str) -> PropertyId {
        let id = self.add(Kind::Compound, name, metadata, (Pod::U8, 1), 0);
        self.properties[parent.0].properties.push(id);
        id
    }

    /// Adds a scalar of one number to an object itself, as `visible` is one.
    pub fn scalar(&mut self, node: NodeId, pod: Pod, name: &str, times: usize) -> PropertyId {
        let id = self.add(Kind::Scalar, name, "", (pod, 1), times);
        self.nodes[node.0].properties.push(id);
        id
    }

    /// Adds a property to a compound: `extent` numbers of that type make one value, and
    /// its samples are taken at those `times` (0 for what does not move).
    pub fn property(
        &mut self,
        parent: PropertyId,
        (kind, pod, extent): (Kind, Pod, usize),
        name: &str,
        metadata: &str,
        times: usize,
    ) -> PropertyId {
        let id = self.add(kind, name, metadata, (pod, extent), times);
        self.properties[parent.0].properties.push(id);
        id
    }

    fn add(
        &mut self,
        kind: Kind,
        name: &str,
        metadata: &str,
        (pod, extent): (Pod, usize),
        times: usize,
    ) -> PropertyId {
        self.properties.push(Written {
            header: PropertyHeader {
                kind,
                pod,
                extent,
                samples: 0,
                first: 0,
                last: 0,
                times,
                name: name.into(),
                metadata: metadata.into(),
            },
            places: Vec::new(),
            last: None,
            values: None,
            scalar_like: kind != Kind::Compound,
            even: true,
            properties: Vec::new(),
        });
        PropertyId(self.properties.len() - 1)
    }

    /// Adds a sample: the bytes of its numbers, least significant first, or its texts,
    /// each ended by a zero; and how many `values` these are.
    ///
    /// # Errors
    /// Those of the file.
    pub fn sample(&mut self, property: PropertyId, bytes: &[u8], values: usize) -> io::Result<()> {
        let digest = xxh3_128(bytes).to_le_bytes();
        let Written { header, last, .. } = &self.properties[property.0];
        let index = header.samples;
        let (kind, text) = (header.kind, matches!(header.pod, Pod::Text | Pod::WideText));
        if let Some((before, ..)) = last
            && *before == digest
        {
            self.properties[property.0].header.samples += 1;
            return Ok(());
        }
        let place = match self.known.get(&(digest, bytes.len())) {
            Some(place) => *place,
            // An empty array has no digest either.
            None if bytes.is_empty() && !text => DATA,
            None => {
                let place = self.data(&[&digest, bytes])?;
                self.known.insert((digest, bytes.len()), place);
                place
            }
        };
        // How many values there are follows from the size, but not for texts.
        let dimensions = match text && kind == Kind::Array {
            true => self.data(&[&(values as u64).to_le_bytes()])?,
            false => DATA,
        };
        let written = &mut self.properties[property.0];
        let pair = |places: &mut Vec<u64>, place, dimensions| {
            places.push(place);
            if kind == Kind::Array {
                places.push(dimensions);
            }
        };
        // What was as before is kept again once something has changed.
        if written.header.first != 0
            && let Some((_, before, its)) = written.last
        {
            for _ in written.header.last + 1..index {
                pair(&mut written.places, before, its);
            }
        }
        pair(&mut written.places, place, dimensions);
        if written.header.first == 0 {
            written.header.first = index;
        }
        written.header.last = index;
        written.header.samples += 1;
        written.last = Some((digest, place, dimensions));
        written.scalar_like &= values == 1;
        written.even &= written.values.is_none_or(|before| before == values);
        written.values = Some(values);
        Ok(())
    }

    /// Adds a sample of numbers.
    ///
    /// # Errors
    /// Those of the file.
    pub fn numbers<const N: usize>(
        &mut self,
        property: PropertyId,
        numbers: impl Iterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        let extent = self.properties[property.0].header.extent.max(1);
        let bytes: Vec<u8> = numbers.flatten().collect();
        let values = bytes.len() / N / extent;
        self.sample(property, &bytes, values)
    }

    /// Adds a sample of texts; a zero within one ends it.
    ///
    /// # Errors
    /// Those of the file.
    pub fn texts<'t>(
        &mut self,
        property: PropertyId,
        texts: impl Iterator<Item = &'t str>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        let mut count = 0;
        for text in texts {
            let whole = text.split('\0').next().unwrap_or_default();
            bytes.extend(whole.as_bytes());
            bytes.push(0);
            count += 1;
        }
        self.sample(property, &bytes, count)
    }

    /// Ends the archive; what it was written to is left at its end.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<W> {
        for written in &self.properties {
            let header = &written.header;
            // What never changes counts as taken once.
            let samples = if header.last == 0 {
                header.samples.min(1)
            } else {
                header.samples
            };
            if let Some((_, most)) = self.times.get_mut(header.times) {
                *most = (*most).max(samples as u32);
            }
        }
        let file_version = self.data(&[&0i32.to_le_bytes()])?;
        let library_version = self.data(&[&10_800i32.to_le_bytes()])?;
        let (top, _) = self.write_node(NodeId(0))?;
        let about = self.about.clone();
        let about = self.data(&[about.as_bytes()])?;
        let mut times = Vec::new();
        for (each, samples) in &self.times {
            each.write(*samples, &mut times);
        }
        let times = self.data(&[&times])?;
        let mut metadata = Vec::new();
        for each in &self.metadata {
            metadata.push(each.len() as u8);
            metadata.extend(each.as_bytes());
        }
        let metadata = self.data(&[&metadata])?;
        let root = [file_version, library_version, top, about, times, metadata];
        let root = self.group(&root)?;
        self.out.seek(SeekFrom::Start(8))?;
        self.out.write_all(&root.to_le_bytes())?;
        // Whole at last.
        self.out.seek(SeekFrom::Start(5))?;
        self.out.write_all(&[0xff])?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes data and says where it lies.
    fn data(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let size: u64 = parts.iter().map(|part| part.len() as u64).sum();
        if size == 0 {
            return Ok(DATA);
        }
        let place = self.at;
        self.out.write_all(&size.to_le_bytes())?;
        for part in parts {
            self.out.write_all(part)?;
        }
        self.at += 8 + size;
        Ok(place | DATA)
    }

    fn group(&mut self, places: &[u64]) -> io::Result<u64> {
        if places.is_empty() {
            return Ok(0);
        }
        let place = self.at;
        self.out.write_all(&(places.len() as u64).to_le_bytes())?;
        for place in places {
            self.out.write_all(&place.to_le_bytes())?;
        }
        self.at += 8 + 8 * places.len() as u64;
        Ok(place)
    }

    /// The number of metadata that is told once; none where it has to be told in place.
    fn metadata_index(&mut self, metadata: &str) -> Option<u8> {
        if metadata.is_empty() {
            return Some(0);
        }
        if let Some(index) = self.metadata.iter().position(|known| known == metadata) {
            return Some(index as u8 + 1);
        }
        if metadata.len() > 255 || self.metadata.len() >= 254 {
            return None;
        }
        self.metadata.push(metadata.into());
        Some(self.metadata.len() as u8)
    }

    /// Writes a compound's properties: its place, and a hash of what is in it.
    fn write_properties(&mut self, ids: &[PropertyId]) -> io::Result<(u64, u128)> {
        let (mut places, mut headers, mut hash) = (Vec::new(), Vec::new(), Xxh3::new());
        for PropertyId(id) in ids {
            let written = &mut self.properties[*id];
            let (own, inner) = (
                std::mem::take(&mut written.places),
                std::mem::take(&mut written.properties),
            );
            let header = written.header.clone();
            let (scalar_like, even) = (written.scalar_like, written.even);
            let digest = written.last.map_or([0; 16], |(digest, ..)| digest);
            let place = match header.kind {
                Kind::Compound => {
                    let (place, inner) = self.write_properties(&inner)?;
                    hash.update(&inner.to_le_bytes());
                    place
                }
                _ => self.group(&own)?,
            };
            hash.update(header.name.as_bytes());
            hash.update(&digest);
            hash.update(&own.len().to_le_bytes());
            places.push(place);
            let index = self.metadata_index(&header.metadata);
            header.write(scalar_like, even, index, &mut headers);
        }
        if !headers.is_empty() {
            places.push(self.data(&[&headers])?);
        }
        Ok((self.group(&places)?, hash.digest128()))
    }

    fn write_node(&mut self, NodeId(id): NodeId) -> io::Result<(u64, u128)> {
        let properties = std::mem::take(&mut self.nodes[id].properties);
        let children = std::mem::take(&mut self.nodes[id].children);
        let (place, hash) = self.write_properties(&properties)?;
        let (mut places, mut headers, mut below) = (vec![place], Vec::new(), Xxh3::new());
        for child in children {
            let (place, hash) = self.write_node(child)?;
            places.push(place);
            below.update(&hash.to_le_bytes());
            let Node { name, metadata, .. } = &self.nodes[child.0];
            let (name, metadata) = (name.clone(), metadata.clone());
            headers.extend((name.len() as u32).to_le_bytes());
            headers.extend(name.as_bytes());
            match self.metadata_index(&metadata) {
                Some(index) => headers.push(index),
                None => {
                    headers.push(0xff);
                    headers.extend((metadata.len() as u32).to_le_bytes());
                    headers.extend(metadata.as_bytes());
                }
            }
        }
        let below = below.digest128();
        headers.extend(hash.to_le_bytes());
        headers.extend(below.to_le_bytes());
        places.push(self.data(&[&headers])?);
        Ok((self.group(&places)?, hash ^ below.rotate_left(1)))
    }
}
