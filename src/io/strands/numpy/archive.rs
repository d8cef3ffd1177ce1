//! The arrays of an archive (`.npz`): a zip file with an array in each entry,
//! stored or deflated.

use super::array::{Array, ArrayFault, MAGIC};
use crate::io::strands::Fault;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use std::{borrow::Cow, io::Read};

/// All arrays together unpack to at most so many times the size of their file.
const MOST_UNPACKED: usize = 32;
/// The most arrays that are looked at.
const MOST_ARRAYS: usize = 64;

/// Whether the bytes are an archive whose first entry is an array.
pub fn is(bytes: &[u8]) -> bool {
    // The name of the first entry stands behind its fixed header.
    let name = |bytes: &[u8]| {
        let length = usize::from(u16::from_le_bytes([*bytes.get(26)?, *bytes.get(27)?]));
        Some(bytes.get(30..30 + length)?.ends_with(b".npy"))
    };
    bytes.starts_with(b"PK\x03\x04") && name(bytes) == Some(true)
}

/// The arrays of numbers in an archive, and the names of what else is in it.
pub fn arrays(bytes: &[u8]) -> Result<(Vec<Array<'_>>, Vec<String>), Fault> {
    let damaged = |error: rawzip::Error| {
        let error = error.to_string();
        Fault::whole(format!(
            "it is no whole archive ({}); fetch or save it again",
            error.trim_end_matches('.')
        ))
    };
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let mut left = MOST_UNPACKED.saturating_mul(bytes.len());
    let (mut arrays, mut others) = (Vec::new(), Vec::new());
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let path = entry.file_path();
        let path = String::from_utf8_lossy(path.as_ref()).into_owned();
        let Some(name) = path.strip_suffix(".npy") else {
            continue;
        };
        if arrays.len() + others.len() >= MOST_ARRAYS {
            return Err(Fault::whole(format!(
                "it has more than {MOST_ARRAYS} arrays; save those of the strands alone"
            )));
        }
        let unpacked = unpacked(bytes, &archive, &entry, name, &mut left)?;
        match Array::parse(name, unpacked) {
            Ok(array) => arrays.push(array),
            // Texts and objects are nothing that strands are made of.
            Err(ArrayFault::CutOff(fault)) => return Err(fault),
            Err(ArrayFault::Other(_)) => others.push(name.to_string()),
        }
    }
    Ok((arrays, others))
}

/// What an entry holds; `left` is how many bytes may still be unpacked.
fn unpacked<'a>(
    bytes: &'a [u8],
    archive: &ZipSliceArchive<&'a [u8]>,
    entry: &ZipFileHeaderRecord,
    name: &str,
    left: &mut usize,
) -> Result<Cow<'a, [u8]>, Fault> {
    let damaged = |what: String| {
        Fault::whole(format!(
            "the array {name} cannot be unpacked ({what}); fetch or save the file again"
        ))
    };
    let wrong = |error: rawzip::Error| damaged(error.to_string().trim_end_matches('.').into());
    let found = archive.get_entry(entry.wayfinder()).map_err(wrong)?;
    let (from, to) = found.compressed_data_range();
    let packed = bytes.get(from as usize..to as usize);
    let packed = packed.ok_or_else(|| damaged("it lies behind the end".into()))?;
    match entry.compression_method() {
        CompressionMethod::STORE => {
            let sum = found.claim_verifier();
            if sum.crc != rawzip::crc32(packed) {
                return Err(damaged("its checksum is wrong".into()));
            }
            Ok(Cow::Borrowed(packed))
        }
        CompressionMethod::DEFLATE => {
            let mut out = Vec::new();
            let reader = found.verifying_reader(DeflateDecoder::new(packed));
            let read = reader.take(*left as u64 + 1).read_to_end(&mut out);
            read.map_err(|error| damaged(error.to_string()))?;
            if out.len() > *left {
                return Err(Fault::whole(format!(
                    "its arrays unpack to more than {MOST_UNPACKED} times the file, as no strands \
                     do; if they are meant, save them with numpy.savez and not savez_compressed"
                )));
            }
            *left -= out.len();
            Ok(Cow::Owned(out))
        }
        _ => Err(damaged("packed neither stored nor by deflate".into())),
    }
}

/// A file that is one array.
pub fn single(bytes: &[u8]) -> Option<Result<Array<'_>, Fault>> {
    let single = bytes.starts_with(MAGIC);
    single.then(|| Array::parse("", Cow::Borrowed(bytes)).map_err(Fault::from))
}
