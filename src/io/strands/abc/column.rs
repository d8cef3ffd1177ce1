//! Columns as parameters of curves.

use super::schema::fault;
use crate::io::strands::{
    Attribute, Fault,
    attribute::{CLOSEST_GUIDES, GUIDE, Of, Values},
};
use lovelock_alembic::{Kind, Pod, Property, PropertyId, Writer, metadata_value};
use std::io::{self, Seek, Write};

/// A parameter's values, with as many rows as its scope has; none where it has none
/// that a column can have. The bytes of rows that are named by number are taken from
/// `room`.
pub fn read(property: &Property, room: &mut usize) -> Result<Option<Attribute>, Fault> {
    let mut values = property.clone();
    let mut rows = None;
    if property.kind() == Kind::Compound {
        // An indexed one: each row is told once.
        let inner = property.properties().map_err(fault)?;
        let find = |name: &str| inner.iter().find(|p| p.name() == name).cloned();
        let (Some(own), Some(indices)) = (find(".vals"), find(".indices")) else {
            return Ok(None);
        };
        values = own;
        if indices.samples() > 0 {
            rows = Some(indices.sample(0).and_then(|s| s.whole()).map_err(fault)?);
        }
    }
    if values.samples() == 0 || values.kind() == Kind::Compound {
        return Ok(None);
    }
    let said = |key| metadata_value(property.metadata(), key);
    let array: usize = said("arrayExtent")
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let each = values.extent().saturating_mul(array.clamp(1, 1 << 16));
    let sample = values.sample(0).map_err(fault)?;
    let fits = |values: Vec<i64>| -> Result<Vec<i32>, _> {
        values.into_iter().map(i32::try_from).collect()
    };
    let values = match values.pod() {
        Pod::Text | Pod::WideText => Values::Text(sample.texts().map_err(fault)?),
        Pod::F64 => Values::F64(sample.doubles().map_err(fault)?),
        Pod::F16 | Pod::F32 => Values::F32(sample.floats().map_err(fault)?),
        Pod::U32 | Pod::U64 | Pod::I64 => Values::I64(sample.whole().map_err(fault)?),
        _ => Values::I32(fits(sample.whole().map_err(fault)?).unwrap_or_default()),
    };
    if !values.len().is_multiple_of(each) {
        return Ok(None);
    }
    let column = Attribute {
        name: property.name().into(),
        of: match said("geoScope") {
            Some("uni") => Of::Strand,
            Some("vtx" | "var" | "fvr") => Of::Point,
            _ => Of::Groom,
        },
        each,
        values,
    };
    let Some(rows) = rows else {
        return Ok(Some(column));
    };
    let rows = rows.into_iter().map(|row| usize::try_from(row).ok());
    let rows: Option<Vec<usize>> = rows.collect();
    Ok(rows.and_then(|rows| column.picked_within(&rows, room)))
}

/// How a parameter of that type is declared.
pub fn metadata(of: Of, pod: &str, extent: usize, array: usize, meaning: Option<&str>) -> String {
    let scope = match of {
        Of::Groom => "con",
        Of::Strand => "uni",
        Of::Point => "vtx",
    };
    let meaning = meaning.map_or(String::new(), |meaning| {
        format!("interpretation={meaning};")
    });
    format!(
        "arrayExtent={array};geoScope={scope};{meaning}isGeomParam=true;podExtent={extent};\
         podName={pod}"
    )
}

/// Writes a column as a parameter of curves.
pub fn write<W: Write + Seek>(
    out: &mut Writer<W>,
    parent: PropertyId,
    column: &Attribute,
) -> io::Result<()> {
    let (name, of, each) = (&column.name, column.of, column.each);
    // Vectors are one value; longer rows are so many values.
    let floats = matches!(column.values, Values::F32(_) | Values::F64(_));
    // Unreal asks for these as a vector, too.
    let vector = matches!(each, 2 | 3) && (floats || name == CLOSEST_GUIDES);
    let (extent, array) = match vector {
        true => (each, 1),
        false => (1, each),
    };
    let meaning = (extent > 1).then_some("vector");
    let mut declare = |pod: Pod, word: &str| {
        let metadata = metadata(of, word, extent, array, meaning);
        out.property(parent, (Kind::Array, pod, extent), name, &metadata, 0)
    };
    match &column.values {
        // What Unreal asks for.
        Values::I32(all) if name == GUIDE && all.iter().all(|v| i16::try_from(*v).is_ok()) => {
            let id = declare(Pod::I16, "int16_t");
            out.numbers(id, all.iter().map(|v| (*v as i16).to_le_bytes()))
        }
        Values::I32(all) => {
            let id = declare(Pod::I32, "int32_t");
            out.numbers(id, all.iter().map(|v| v.to_le_bytes()))
        }
        Values::I64(all) => {
            let id = declare(Pod::I64, "int64_t");
            out.numbers(id, all.iter().map(|v| v.to_le_bytes()))
        }
        Values::F32(all) => {
            let id = declare(Pod::F32, "float32_t");
            out.numbers(id, all.iter().map(|v| v.to_le_bytes()))
        }
        Values::F64(all) => {
            let id = declare(Pod::F64, "float64_t");
            out.numbers(id, all.iter().map(|v| v.to_le_bytes()))
        }
        Values::Text(all) => {
            let id = declare(Pod::Text, "string");
            out.texts(id, all.iter().map(String::as_str))
        }
    }
}
