//! Files as NumPy writes them.

use std::io::Write as _;

/// An array with a header as NumPy writes it.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

/// An archive of arrays.
pub fn npz(arrays: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut out);
    for (name, bytes) in arrays {
        let name = format!("{name}.npy");
        let method = match deflated {
            true => rawzip::CompressionMethod::DEFLATE,
            false => rawzip::CompressionMethod::STORE,
        };
        let file = archive.new_file(&name).compression_method(method);
        let (mut entry, config) = file.start().expect("begins");
        if deflated {
            let packer = flate2::Compression::default();
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, packer);
            let mut writer = config.wrap(encoder);
            writer.write_all(bytes).expect("packs");
            let (encoder, descriptor) = writer.finish().expect("ends");
            encoder.finish().expect("ends");
            entry.finish(descriptor).expect("ends");
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).expect("writes");
            let (_, descriptor) = writer.finish().expect("ends");
            entry.finish(descriptor).expect("ends");
        }
    }
    archive.finish().expect("ends");
    out
}

/// Reals as an array has them.
pub fn f32s(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}
