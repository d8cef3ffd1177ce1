//! Columns of a groom as primvars of curves.

use super::fault::fault;
use crate::io::strands::{
    Attribute, Fault, Strands,
    attribute::{Of, Values},
    gather::gather,
};
use lovelock_usd::{Data, Prim, Property, Value};

/// The most values that a row can have of its type.
const LONGEST: usize = 1 << 16;

/// The column that a primvar is of curves that are so many, with so many points; none
/// where it has other numbers of rows.
fn column(
    property: &Property,
    name: &str,
    indices: Option<Vec<u32>>,
    [curves, points]: [usize; 2],
) -> Result<Option<Attribute>, Fault> {
    let Some(Value { data, width }) = property.value().map_err(fault)? else {
        return Ok(None);
    };
    let values = match data {
        Data::I32(all) => Values::I32(all),
        Data::I64(all) => Values::I64(all),
        Data::F32(all) => Values::F32(all),
        Data::F64(all) => Values::F64(all),
        Data::Text(all) => Values::Text(all),
    };
    let mut column = Attribute {
        name: name.into(),
        of: Of::Groom,
        each: width.saturating_mul(property.element_size.clamp(1, LONGEST)),
        values,
    };
    if !column.values.len().is_multiple_of(column.each) {
        return Ok(None);
    }
    if let Some(indices) = indices.filter(|indices| !indices.is_empty()) {
        let rows = column.rows();
        // A row may be named often: no more often than there are places for it.
        let most = curves.max(points).max(1);
        if indices.len() > most || indices.iter().any(|row| *row as usize >= rows) {
            return Ok(None);
        }
        column = column.picked(indices.iter().map(|row| *row as usize));
    }
    column.of = match &property.interpolation[..] {
        "uniform" => Of::Strand,
        "vertex" | "varying" => Of::Point,
        _ => Of::Groom,
    };
    Ok(column.fits(curves, points).then_some(column))
}

/// Takes the primvars of the curves that stand in `out` behind the `before` strands and
/// points of other prims, but for those that have places of their own.
pub fn take(out: &mut Strands, prim: &Prim, before: [usize; 2]) -> Result<(), Fault> {
    let here = [out.len() - before[0], out.points.len() - before[1]];
    let (mut columns, mut odd) = (Vec::new(), Vec::new());
    for property in &prim.properties {
        let Some(name) = property.name.strip_prefix("primvars:") else {
            continue;
        };
        let own = matches!(name, "displayColor" | "st") || name.ends_with(":indices");
        if own || property.moves() {
            continue;
        }
        let indices = prim.value(&format!("{}:indices", property.name));
        let indices = indices.map_err(fault)?.and_then(Value::counts);
        match column(property, name, indices, here)? {
            Some(column) => columns.push(column),
            None if property.value().map_err(fault)?.is_some() => odd.push(name.into()),
            None => {}
        }
    }
    gather(out, columns, odd, before);
    Ok(())
}

/// Whether USD can hold a column: its name is a name there, and its numbers are numbers.
pub fn can_hold(column: &Attribute) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let named = column.name.starts_with(begins) && column.name.chars().all(letters);
    named
        && match &column.values {
            Values::F32(all) => all.iter().all(|v| v.is_finite()),
            Values::F64(all) => all.iter().all(|v| v.is_finite()),
            _ => true,
        }
}

/// The numbers of a row that its type has, and the type's name without an array's brackets;
/// longer rows are so many of that type.
pub fn kind(column: &Attribute) -> (usize, String) {
    let name = match &column.values {
        Values::I32(_) => "int",
        Values::I64(_) => "int64",
        Values::F32(_) => "float",
        Values::F64(_) => "double",
        Values::Text(_) => "string",
    };
    match (&column.values, column.each) {
        (Values::I64(_) | Values::Text(_), _) => (1, name.into()),
        (_, each @ 2..=4) => (each, format!("{name}{each}")),
        _ => (1, name.into()),
    }
}

/// What USD calls how rows are spread.
pub fn interpolation(column: &Attribute) -> &'static str {
    match column.of {
        Of::Groom => "constant",
        Of::Strand => "uniform",
        Of::Point => "vertex",
    }
}
