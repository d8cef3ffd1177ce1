//! Numbers out of the buffers of a glTF, never beyond their ends.

use gltf::{
    Accessor,
    accessor::{DataType, Dimensions},
};
use std::borrow::Cow;

/// The numbers of an accessor, row after row; those that it says are normalised lie between
/// -1 and 1.
///
/// # Errors
/// What is wrong with it.
pub fn floats(
    accessor: &Accessor,
    buffers: &[Cow<[u8]>],
    width: usize,
) -> Result<Vec<f32>, String> {
    let kind = accessor.data_type();
    let rows = rows(accessor, buffers, width)?;
    let scale = match (accessor.normalized(), kind) {
        (true, DataType::I8) => 127.0,
        (true, DataType::U8) => 255.0,
        (true, DataType::I16) => 32767.0,
        (true, DataType::U16) => 65535.0,
        _ => 1.0,
    };
    let mut out = Vec::with_capacity(rows.count * width);
    for row in rows.iter() {
        for number in row.chunks_exact(kind.size()) {
            let value = match (kind, number) {
                (DataType::I8, [a]) => f32::from(*a as i8),
                (DataType::U8, [a]) => f32::from(*a),
                (DataType::I16, [a, b]) => f32::from(i16::from_le_bytes([*a, *b])),
                (DataType::U16, [a, b]) => f32::from(u16::from_le_bytes([*a, *b])),
                (DataType::F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
                (_, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]) as f32,
                _ => f32::NAN,
            };
            // The smallest whole number is one below that of -1.
            out.push(match scale > 1.0 {
                true => (value / scale).max(-1.0),
                false => value,
            });
        }
    }
    Ok(out)
}

/// The whole numbers of an accessor.
///
/// # Errors
/// What is wrong with it.
pub fn indices(accessor: &Accessor, buffers: &[Cow<[u8]>]) -> Result<Vec<u32>, String> {
    let kind = accessor.data_type();
    let rows = rows(accessor, buffers, 1)?;
    let number = |row: &[u8]| match (kind, row) {
        (DataType::U8, [a]) => Some(u32::from(*a)),
        (DataType::U16, [a, b]) => Some(u32::from(u16::from_le_bytes([*a, *b]))),
        (DataType::U32, [a, b, c, d]) => Some(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => None,
    };
    let all: Option<Vec<u32>> = rows.iter().map(number).collect();
    all.ok_or_else(|| "its indices are no whole numbers; export it again".into())
}

/// Where the rows of an accessor lie.
struct Rows<'b> {
    bytes: &'b [u8],
    count: usize,
    stride: usize,
    size: usize,
}

impl<'b> Rows<'b> {
    fn iter(&self) -> impl Iterator<Item = &'b [u8]> {
        let (bytes, stride, size) = (self.bytes, self.stride, self.size);
        (0..self.count).map(move |row| &bytes[row * stride..row * stride + size])
    }
}

fn rows<'b>(
    accessor: &Accessor,
    buffers: &'b [Cow<[u8]>],
    width: usize,
) -> Result<Rows<'b>, String> {
    let own = match accessor.dimensions() {
        Dimensions::Scalar => 1,
        Dimensions::Vec2 => 2,
        Dimensions::Vec3 => 3,
        Dimensions::Vec4 => 4,
        Dimensions::Mat4 => 16,
        // Their columns may be padded.
        Dimensions::Mat2 | Dimensions::Mat3 => 0,
    };
    if own != width {
        return Err(format!(
            "an attribute has rows of {own} numbers where {width} are needed; export it again"
        ));
    }
    let (Some(view), None) = (accessor.view(), accessor.sparse()) else {
        return Err(
            "a part of its geometry is kept sparsely or packed by an extension; export it \
             without"
                .into(),
        );
    };
    let beyond = || -> String {
        "its geometry lies beyond the end of a buffer; the file is cut off or damaged, export it \
         again"
            .into()
    };
    let buffer = buffers.get(view.buffer().index()).ok_or_else(beyond)?;
    let end = view.offset().checked_add(view.length());
    let within = end.and_then(|end| buffer.get(view.offset()..end));
    let bytes = within.and_then(|bytes| bytes.get(accessor.offset()..));
    let bytes = bytes.ok_or_else(beyond)?;
    let size = width * accessor.data_type().size();
    let stride = view.stride().unwrap_or(size).max(size);
    let count = accessor.count();
    let needed = match count {
        0 => Some(0),
        count => (count - 1)
            .checked_mul(stride)
            .and_then(|all| all.checked_add(size)),
    };
    match needed {
        Some(needed) if needed <= bytes.len() => Ok(Rows {
            bytes,
            count,
            stride,
            size,
        }),
        _ => Err(beyond()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_normalised_numbers_are_cut_off_at_minus_one() {
        let document = |kind: u32, normalised: bool| {
            let text = format!(
                r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": 8}}],
                "bufferViews": [{{"buffer": 0, "byteLength": 8}}], "accessors": [{{"bufferView": 0,
                "componentType": {kind}, "normalized": {normalised}, "count": 2, "type": "SCALAR"}}]}}"#
            );
            gltf::Gltf::from_slice_without_validation(text.as_bytes()).expect("reads")
        };
        let read = |kind: u32, normalised: bool, bytes: [u8; 8]| {
            let document = document(kind, normalised);
            let accessor = document.accessors().next().expect("an accessor");
            floats(&accessor, &[Cow::Borrowed(&bytes[..])], 1).expect("numbers")
        };
        let [a, b] = [f32::NAN, f32::NEG_INFINITY].map(f32::to_le_bytes);
        let all = read(
            5126,
            false,
            [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]],
        );
        assert!(all[0].is_nan() && all[1] == f32::NEG_INFINITY, "{all:?}");
        assert_eq!(read(5120, true, [128, 127, 0, 0, 0, 0, 0, 0]), [-1.0, 1.0]);
        assert_eq!(
            read(5120, false, [128, 127, 0, 0, 0, 0, 0, 0]),
            [-128.0, 127.0]
        );
    }
}
