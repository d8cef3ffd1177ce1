//! Values of a crate file, decoded when they are asked for.

use super::{
    Rep,
    file::{CrateFile, Cursor},
    integers,
    paths::PathTree,
    rep::{Part, types},
};
use crate::{Data, UsdError, UsdPlace, Value};
use half::f16;
use std::rc::Rc;

/// Shorter arrays are never compressed.
pub const SHORTEST: usize = 16;
/// Lists of paths are no longer than anybody needs.
const MOST_PATHS: usize = 1 << 10;

/// A crate file with its paths.
#[derive(Debug)]
pub struct OpenCrate<'a> {
    pub file: CrateFile<'a>,
    pub paths: PathTree,
}

/// A value in a crate file.
#[derive(Clone)]
pub struct CrateSource<'a> {
    pub open: Rc<OpenCrate<'a>>,
    pub rep: Rep,
}

impl std::fmt::Debug for CrateSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rep.fmt(f)
    }
}

impl CrateSource<'_> {
    /// The value; none where its type is none that is read.
    pub fn value(&self) -> Result<Option<Value>, UsdError> {
        value(&self.open.file, self.rep)
    }

    /// The value as paths.
    pub fn paths(&self) -> Result<Vec<String>, UsdError> {
        if self.rep.kind() != types::PATH_LIST || self.rep.is_inlined() {
            return Ok(Vec::new());
        }
        let file = &self.open.file;
        let mut cursor = file.cursor(self.rep.payload())?;
        let header = cursor.take(1)?[0];
        let mut out = Vec::new();
        // Whether it is explicit says the first bit; then come explicit, added, prepended
        // and appended ones, and those that are taken away or put in order.
        for bit in [1, 2, 5, 6] {
            if header >> bit & 1 == 0 {
                continue;
            }
            let count = cursor.size()?;
            if count > MOST_PATHS {
                return Err(cursor.damaged("a list of paths is too long"));
            }
            for _ in 0..count {
                let path = self.open.paths.text(file, cursor.u32()?);
                file.spend_on_values(path.len())?;
                out.push(path);
            }
        }
        Ok(out)
    }

    /// The times of samples in time that have a value.
    pub fn times(&self) -> Result<Vec<f64>, UsdError> {
        let file = &self.open.file;
        let (times, values) = samples(file, self.rep)?;
        let values: Vec<Rep> = values.collect();
        let count = values.len();
        let mut cursor = file.cursor(times.payload())?;
        let written = cursor.size()?;
        if times.is_inlined() || times.kind() != types::DOUBLE_VECTOR || written != count {
            return Err(cursor.damaged("there are not as many times as values in time"));
        }
        match plain(file, &mut cursor, Part::Double, count)? {
            Data::F64(all) => {
                let all = all.into_iter().zip(&values);
                Ok(all
                    .filter(|(_, rep)| is_value(rep))
                    .map(|(time, _)| time)
                    .collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The sample of that number; none where it has none, or its type is none that is
    /// read.
    pub fn sample(&self, index: usize) -> Result<Option<Value>, UsdError> {
        let file = &self.open.file;
        let mut values = samples(file, self.rep)?.1.filter(is_value);
        values.nth(index).map_or(Ok(None), |rep| value(file, rep))
    }

    /// Where it is.
    pub fn place(&self) -> UsdPlace {
        match self.rep.is_inlined() {
            true => UsdPlace::Whole,
            false => UsdPlace::Byte(usize::try_from(self.rep.payload()).unwrap_or(usize::MAX)),
        }
    }
}

/// Where the times of samples in time are, and where each value is.
fn samples<'a>(
    file: &CrateFile<'a>,
    rep: Rep,
) -> Result<(Rep, impl Iterator<Item = Rep> + use<'a>), UsdError> {
    // Where the times are is told by a distance, and behind that where the values are.
    let mut cursor = follow(file, rep.payload())?;
    let times = Rep(cursor.u64()?);
    let mut values = follow(file, cursor.at as u64)?;
    let count = values.size()?;
    let all = values.take(count.saturating_mul(8))?.chunks_exact(8);
    let rep = |chunk: &[u8]| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(chunk);
        Rep(u64::from_le_bytes(bytes))
    };
    Ok((times, all.map(rep)))
}

/// Whether that is a value, and not that there is none from a time on.
fn is_value(rep: &Rep) -> bool {
    rep.kind() != types::BLOCK
}

/// Whether a value has samples in time, of which there is one at least.
pub fn is_sampled(file: &CrateFile, rep: Rep) -> Result<bool, UsdError> {
    if rep.kind() != types::TIME_SAMPLES || rep.is_inlined() {
        return Ok(false);
    }
    Ok(samples(file, rep)?.1.any(|rep| is_value(&rep)))
}

/// What lies so far behind a place as is written there.
fn follow<'a>(file: &CrateFile<'a>, place: u64) -> Result<Cursor<'a>, UsdError> {
    let distance = file.cursor(place)?.u64()?;
    file.cursor(place.wrapping_add(distance))
}

/// The value of `rep`; none where its type is none that is read.
pub fn value(file: &CrateFile, rep: Rep) -> Result<Option<Value>, UsdError> {
    if rep.kind() == types::TOKEN_VECTOR && !rep.is_inlined() {
        let mut cursor = file.cursor(rep.payload())?;
        let count = cursor.size()?;
        let data = plain(file, &mut cursor, Part::Token, count)?;
        return Ok(Some(Value { data, width: 1 }));
    }
    let Some((part, width)) = rep.shape() else {
        return Ok(None);
    };
    let data = match (rep.is_array(), rep.is_inlined()) {
        (true, _) => array(file, rep, part, width)?,
        (false, true) => inlined(file, rep, part, width),
        (false, false) => {
            let mut cursor = file.cursor(rep.payload())?;
            plain(file, &mut cursor, part, width)?
        }
    };
    Ok(Some(Value {
        data: match rep.is_quaternion() {
            true => real_first(data),
            false => data,
        },
        width,
    }))
}

fn array(file: &CrateFile, rep: Rep, part: Part, width: usize) -> Result<Data, UsdError> {
    if rep.payload() == 0 || rep.is_inlined() {
        return plain(file, &mut file.cursor(0)?, part, 0);
    }
    let mut cursor = file.cursor(rep.payload())?;
    let [_, minor, _] = file.version;
    if minor < 5 {
        // The number of dimensions, which is one.
        cursor.u32()?;
    }
    let count = match minor < 7 {
        true => cursor.u32()? as usize,
        false => cursor.size()?,
    };
    if !rep.is_compressed() || count < SHORTEST {
        return plain(file, &mut cursor, part, count.saturating_mul(width));
    }
    file.spend_on_values(count.saturating_mul(part.size()))?;
    let unpack = |cursor: &mut Cursor, wide: bool| {
        let bytes = cursor.sized()?;
        integers::read(bytes, count, wide)
            .ok_or_else(|| cursor.damaged("an array cannot be unpacked"))
    };
    match part {
        Part::Int => {
            let all = unpack(&mut cursor, false)?;
            Ok(Data::I32(all.into_iter().map(|v| v as i32).collect()))
        }
        Part::UInt => {
            let all = unpack(&mut cursor, false)?;
            Ok(Data::I64(
                all.into_iter().map(|v| i64::from(v as u32)).collect(),
            ))
        }
        Part::Int64 => Ok(Data::I64(unpack(&mut cursor, true)?)),
        Part::Half | Part::Float | Part::Double => {
            let table = match cursor.take(1)?[0] {
                b'i' => None,
                b't' => {
                    let size = cursor.u32()? as usize;
                    Some(plain(file, &mut cursor, part, size)?)
                }
                _ => return Err(cursor.damaged("an array is packed in an unknown way")),
            };
            let all = unpack(&mut cursor, false)?;
            let Some(table) = table else {
                return Ok(match part {
                    Part::Double => Data::F64(all.into_iter().map(|v| v as f64).collect()),
                    _ => Data::F32(all.into_iter().map(|v| v as f32).collect()),
                });
            };
            let index = |v: &i64| *v as u32 as usize;
            let found = match table {
                Data::F64(table) => {
                    let rows = all.iter().map(|v| table.get(index(v)).copied());
                    rows.collect::<Option<_>>().map(Data::F64)
                }
                Data::F32(table) => {
                    let rows = all.iter().map(|v| table.get(index(v)).copied());
                    rows.collect::<Option<_>>().map(Data::F32)
                }
                _ => None,
            };
            found.ok_or_else(|| cursor.damaged("an array names values that are not there"))
        }
        _ => Err(cursor.damaged("an array is packed that never is")),
    }
}

/// So many numbers or words one after the other.
fn plain(
    file: &CrateFile,
    cursor: &mut Cursor,
    part: Part,
    count: usize,
) -> Result<Data, UsdError> {
    let bytes = cursor.take(count.saturating_mul(part.size()))?;
    file.spend_on_values(bytes.len())?;
    fn each<const N: usize, T>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
        let read = |chunk: &[u8]| {
            let mut out = [0; N];
            out.copy_from_slice(chunk);
            number(out)
        };
        bytes.chunks_exact(N).map(read).collect()
    }
    Ok(match part {
        Part::Bool => Data::I32(each(bytes, |[b]| i32::from(b != 0))),
        Part::Byte => Data::I32(each(bytes, |[b]| i32::from(b))),
        Part::Int => Data::I32(each(bytes, i32::from_le_bytes)),
        Part::UInt => Data::I64(each(bytes, |b| i64::from(u32::from_le_bytes(b)))),
        Part::Int64 => Data::I64(each(bytes, i64::from_le_bytes)),
        Part::Half => Data::F32(each(bytes, |b| f16::from_le_bytes(b).to_f32())),
        Part::Float => Data::F32(each(bytes, f32::from_le_bytes)),
        Part::Double => Data::F64(each(bytes, f64::from_le_bytes)),
        Part::String | Part::Token => {
            let mut out = Vec::with_capacity(count);
            for index in each(bytes, u32::from_le_bytes) {
                let text = match part {
                    Part::String => file.string(index),
                    _ => file.token(index),
                };
                file.spend_on_values(text.len())?;
                out.push(text);
            }
            Data::Text(out)
        }
    })
}

/// A value in its own four bytes: numbers of 32 bits as they are, doubles as floats, rows
/// by small whole numbers and matrices by those of their diagonal.
fn inlined(file: &CrateFile, rep: Rep, part: Part, width: usize) -> Data {
    let bits = rep.payload() as u32;
    let small = bits.to_le_bytes().map(|b| f64::from(b as i8));
    let rows: Vec<f64> = match width {
        1 => vec![f64::from(f32::from_bits(bits))],
        _ if rep.is_matrix() => {
            let side = width.isqrt();
            let number = |i: usize| match i / side == i % side {
                true => small[i / side],
                false => 0.0,
            };
            (0..width).map(number).collect()
        }
        _ => small.iter().take(width).copied().collect(),
    };
    match part {
        Part::Bool | Part::Byte => Data::I32(vec![(bits & 0xff) as i32]),
        Part::Int if width == 1 => Data::I32(vec![bits as i32]),
        Part::Int => Data::I32(rows.into_iter().map(|v| v as i32).collect()),
        Part::UInt => Data::I64(vec![i64::from(bits)]),
        Part::Int64 => Data::I64(vec![i64::from(bits as i32)]),
        Part::Half if width == 1 => Data::F32(vec![f16::from_bits(bits as u16).to_f32()]),
        Part::Half | Part::Float => Data::F32(rows.into_iter().map(|v| v as f32).collect()),
        Part::Double => Data::F64(rows),
        Part::String => Data::Text(vec![file.string(bits)]),
        Part::Token => Data::Text(vec![file.token(bits)]),
    }
}

/// Quaternions with their real part first, as text has them.
fn real_first(mut data: Data) -> Data {
    fn turn<T>(all: &mut [T]) {
        all.chunks_exact_mut(4).for_each(|row| row.rotate_right(1));
    }
    match &mut data {
        Data::F32(all) => turn(all),
        Data::F64(all) => turn(all),
        _ => {}
    }
    data
}
