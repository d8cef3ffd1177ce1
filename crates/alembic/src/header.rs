//! Headers of objects and properties, and times.

use crate::Error;

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// More properties.
    Compound,
    /// One value a sample.
    Scalar,
    /// Many.
    Array,
}

/// How a number is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Pod {
    Bool,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    Text,
    WideText,
}

/// In the order of their numbers in a file.
const PODS: [Pod; 14] = [
    Pod::Bool,
    Pod::U8,
    Pod::I8,
    Pod::U16,
    Pod::I16,
    Pod::U32,
    Pod::I32,
    Pod::U64,
    Pod::I64,
    Pod::F16,
    Pod::F32,
    Pod::F64,
    Pod::Text,
    Pod::WideText,
];

impl Pod {
    /// Bytes of a number; of a letter where it is text.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::U8 | Self::I8 | Self::Text => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::WideText => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    pub(crate) fn number(self) -> u32 {
        PODS.iter().position(|pod| *pod == self).unwrap_or(0) as u32
    }
}

/// When samples were taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// From a cycle to the next. `[s]`
    pub cycle: f64,
    /// When those of the first cycle were taken. `[s]`
    pub first: Vec<f64>,
}

impl Times {
    /// Samples at `start` and so many `seconds` apart.
    pub fn uniform(start: f64, seconds: f64) -> Self {
        Self {
            cycle: seconds,
            first: vec![start],
        }
    }

    /// When sample `index` was taken. `[s]`
    pub fn at(&self, index: usize) -> f64 {
        let each = self.first.len().max(1);
        let first = |i: usize| self.first.get(i).copied().unwrap_or_default();
        // The reference says by a huge cycle that all times are listed.
        match self.cycle > 1e30 {
            true => first(index.min(each - 1)),
            false => first(index % each) + self.cycle * (index / each) as f64,
        }
    }

    /// How many of so many samples are in a second, on average; none where that is no
    /// number above zero. What rounding alone keeps from a whole number is one. `[1/s]`
    pub fn rate(&self, samples: usize) -> Option<f64> {
        let last = samples.checked_sub(1)?;
        let rate = last as f64 / (self.at(last) - self.at(0));
        let whole = rate.round();
        let rate = match (rate - whole).abs() <= 1e-9 * whole {
            true => whole,
            false => rate,
        };
        (rate.is_finite() && rate > 0.0).then_some(rate)
    }

    /// The number of the last of so many samples that was taken at `time` or before; 0 where
    /// none was. What rounding alone puts behind it counts as taken then.
    pub fn index_at(&self, time: f64, samples: usize) -> usize {
        // Of a hundred thousand samples a second each is far from the next.
        let time = time + 1e-6;
        let (mut from, mut to) = (0, samples);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.at(middle) <= time {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        from.saturating_sub(1)
    }

    pub(crate) fn write(&self, samples: u32, out: &mut Vec<u8>) {
        out.extend(samples.to_le_bytes());
        out.extend(self.cycle.to_le_bytes());
        out.extend((self.first.len() as u32).to_le_bytes());
        for time in &self.first {
            out.extend(time.to_le_bytes());
        }
    }

    pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        let mut reader = Reader { bytes, at: 0 };
        let mut out = Vec::new();
        while !reader.is_done() {
            reader.u32()?;
            let cycle = reader.f64()?;
            let count = reader.u32()? as usize;
            if count > reader.left() / 8 {
                return Err(Error::new(
                    0,
                    format!("{count} times are claimed and are not there"),
                ));
            }
            let first = (0..count).map(|_| reader.f64()).collect::<Result<_, _>>()?;
            out.push(Self { cycle, first });
        }
        Ok(out)
    }
}

/// Header of a property.
#[derive(Clone, Debug)]
pub(crate) struct PropertyHeader {
    pub kind: Kind,
    pub pod: Pod,
    pub extent: usize,
    pub samples: usize,
    /// The first sample that differs from the one before, and the last; both zero
    /// where none does.
    pub first: usize,
    pub last: usize,
    pub times: usize,
    pub name: String,
    pub metadata: String,
}

/// Words of bits of a property's header.
mod bits {
    pub const ARRAY: u32 = 2;
    pub const SCALAR: u32 = 1;
    pub const TIMES: u32 = 0x100;
    pub const FIRST_LAST: u32 = 0x200;
    pub const EVEN: u32 = 0x400;
    pub const CONSTANT: u32 = 0x800;
}

impl PropertyHeader {
    pub fn read_all(bytes: &[u8], known: &[String]) -> Result<Vec<Self>, Error> {
        let mut reader = Reader { bytes, at: 0 };
        let mut out = Vec::new();
        while !reader.is_done() {
            out.push(Self::read(&mut reader, known)?);
        }
        Ok(out)
    }

    fn read(reader: &mut Reader, known: &[String]) -> Result<Self, Error> {
        let info = reader.u32()?;
        let hint = info >> 2 & 3;
        let kind = match info & 3 {
            0 => Kind::Compound,
            1 => Kind::Scalar,
            _ => Kind::Array,
        };
        let mut out = Self {
            kind,
            pod: Pod::U8,
            extent: 1,
            samples: 0,
            first: 0,
            last: 0,
            times: 0,
            name: String::new(),
            metadata: String::new(),
        };
        if kind != Kind::Compound {
            let pod = (info >> 4 & 15) as usize;
            out.pod = *PODS
                .get(pod)
                .ok_or_else(|| Error::new(0, format!("a property has the unknown type {pod}")))?;
            out.extent = (info >> 12 & 0xff) as usize;
            out.samples = reader.hinted(hint)? as usize;
            if info & bits::FIRST_LAST != 0 {
                out.first = reader.hinted(hint)? as usize;
                out.last = reader.hinted(hint)? as usize;
            } else if info & bits::CONSTANT == 0 {
                out.first = 1;
                out.last = out.samples.saturating_sub(1);
            }
            if info & bits::TIMES != 0 {
                out.times = reader.hinted(hint)? as usize;
            }
        }
        let length = reader.hinted(hint)? as usize;
        out.name = reader.text(length)?;
        out.metadata = match (info >> 20 & 0xff) as usize {
            0xff => {
                let length = reader.hinted(hint)? as usize;
                reader.text(length)?
            }
            index => known_metadata(known, index)?,
        };
        Ok(out)
    }

    pub fn write(&self, scalar_like: bool, even: bool, metadata: Option<u8>, out: &mut Vec<u8>) {
        let longest = self.metadata.len().max(self.name.len());
        let longest = longest.max(self.samples).max(self.times);
        let hint = match longest {
            0..=0xff => 0,
            0x100..=0xffff => 1,
            _ => 2,
        };
        let mut info = hint << 2 | u32::from(metadata.unwrap_or(0xff)) << 20;
        let constant = self.first == 0 && self.last == 0;
        let usual = self.first == 1 && self.last + 1 == self.samples;
        if self.kind != Kind::Compound {
            info |= match self.kind {
                Kind::Array => bits::ARRAY,
                _ => bits::SCALAR,
            };
            info |= u32::from(scalar_like);
            info |= self.pod.number() << 4 | (self.extent as u32) << 12;
            for (set, bit) in [
                (self.times != 0, bits::TIMES),
                (constant, bits::CONSTANT),
                (!constant && !usual, bits::FIRST_LAST),
                (even, bits::EVEN),
            ] {
                info |= if set { bit } else { 0 };
            }
        }
        out.extend(info.to_le_bytes());
        let mut put = |value: usize| {
            let bytes = (value as u32).to_le_bytes();
            out.extend_from_slice(&bytes[..1 << hint]);
        };
        if self.kind != Kind::Compound {
            put(self.samples);
            if !constant && !usual {
                put(self.first);
                put(self.last);
            }
            if self.times != 0 {
                put(self.times);
            }
        }
        put(self.name.len());
        out.extend(self.name.as_bytes());
        if metadata.is_none() {
            let bytes = (self.metadata.len() as u32).to_le_bytes();
            out.extend_from_slice(&bytes[..1 << hint]);
            out.extend(self.metadata.as_bytes());
        }
    }
}

fn known_metadata(known: &[String], index: usize) -> Result<String, Error> {
    let found = known.get(index).cloned();
    found.ok_or_else(|| Error::new(0, format!("metadata {index} is not in the file")))
}

/// Names and metadata of objects.
pub(crate) fn object_headers(bytes: &[u8], known: &[String]) -> Result<Vec<[String; 2]>, Error> {
    // Two hashes of 16 bytes come last.
    let end = bytes.len().saturating_sub(32);
    let mut reader = Reader {
        bytes: &bytes[..end],
        at: 0,
    };
    let mut out = Vec::new();
    while !reader.is_done() {
        let length = reader.u32()? as usize;
        let name = reader.text(length)?;
        let metadata = match usize::from(reader.u8()?) {
            0xff => {
                let length = reader.u32()? as usize;
                reader.text(length)?
            }
            index => known_metadata(known, index)?,
        };
        out.push([name, metadata]);
    }
    Ok(out)
}

/// Metadata that is told once; the empty one is the first.
pub(crate) fn indexed_metadata(bytes: &[u8]) -> Result<Vec<String>, Error> {
    let mut reader = Reader { bytes, at: 0 };
    let mut out = vec![String::new()];
    while !reader.is_done() {
        let length = usize::from(reader.u8()?);
        out.push(reader.text(length)?);
    }
    Ok(out)
}

/// What metadata (`key=value;key=value`) says of `key`.
pub fn metadata_value<'a>(metadata: &'a str, key: &str) -> Option<&'a str> {
    let pairs = metadata.split(';').filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(known, _)| *known == key)
        .map(|(_, value)| value)
        .next()
}

/// Takes numbers from the front.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn is_done(&self) -> bool {
        self.left() == 0
    }

    fn take(&mut self, count: usize) -> Result<&[u8], Error> {
        let end = self.at.checked_add(count);
        let all = end.and_then(|end| self.bytes.get(self.at..end));
        let all = all.ok_or_else(|| Error::new(0, "a header ends in the middle"))?;
        self.at += count;
        Ok(all)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64, Error> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn hinted(&mut self, hint: u32) -> Result<u32, Error> {
        match hint {
            0 => Ok(u32::from(self.u8()?)),
            1 => Ok(u32::from(u16::from_le_bytes(self.array()?))),
            _ => self.u32(),
        }
    }

    fn text(&mut self, length: usize) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_at_a_time_is_the_last_one_before() {
        let uniform = Times::uniform(1.0, 0.25);
        let pairs = Times {
            cycle: 0.5,
            first: vec![1.0, 1.1],
        };
        let listed = Times {
            cycle: f64::MAX,
            first: vec![1.0, 1.5, 1.6],
        };
        for (times, time, wanted) in [
            (&uniform, 0.0, 0),
            (&uniform, 1.25 - 1e-9, 1),
            (&uniform, 1.49, 1),
            (&uniform, 9.0, 3),
            (&pairs, 1.05, 0),
            (&pairs, 1.55, 2),
            (&pairs, 1.6, 3),
            (&listed, 1.55, 1),
            (&listed, 2.0, 3),
        ] {
            assert_eq!(times.index_at(time, 4), wanted, "{times:?} {time}");
        }
        assert_eq!(uniform.index_at(2.0, 0), 0);
    }
}
