//! Primvars of a groom as primvars of curves.

use super::fault::fault;
use crate::io::strands::{
    Attribute, Fault,
    attribute::{Of, Values},
    curve_set::{CurveSet, LookNames},
};
use lovelock_usd::{Data, Prim, Property, Value};
use std::collections::BTreeSet;

/// The most values that a row can have of its type.
const LONGEST: usize = 1 << 16;

/// What is no column; Unreal's names are those of a file that was Alembic once.
pub const LOOKS: LookNames = LookNames {
    widths: &["widths", "groom_width"],
    colours: &["displayColor", "groom_color"],
    root_uvs: &["st", "groom_root_uv"],
};

/// The primvars of the curves of a set, and their widths, as columns that have as many rows
/// as they have.
pub struct Primvars {
    pub all: Vec<Attribute>,
    /// Names of those that cannot be read.
    pub odd: BTreeSet<String>,
    /// Whether one of them changes in time, of which this is the first.
    pub moves: bool,
}

impl Primvars {
    /// Those of a prim. The bytes of rows that are named by number are taken from `room`.
    pub fn of(prim: &Prim, set: &CurveSet, room: &mut usize) -> Result<Self, Fault> {
        let mut out = Self {
            all: Vec::new(),
            odd: BTreeSet::new(),
            moves: false,
        };
        let primvar = |property: &&Property| {
            let name = property.name.strip_prefix("primvars:");
            name.is_some_and(|name| !name.ends_with(":indices"))
        };
        // A primvar counts before the attribute of the same meaning.
        let primvars = prim.properties.iter().filter(primvar);
        for property in primvars.chain(prim.property("widths")) {
            let Some(value) = property.value().map_err(fault)? else {
                continue;
            };
            let indices = prim.value(&format!("{}:indices", property.name));
            let indices = indices.map_err(fault)?;
            out.moves |= property.moves();
            match column(property, value, indices, set, room) {
                Some(column) => out.all.push(column),
                None => drop(out.odd.insert(name(property).into())),
            }
        }
        Ok(out)
    }
}

fn name<'a>(property: &'a Property) -> &'a str {
    let name = property.name.strip_prefix("primvars:");
    name.unwrap_or(&property.name)
}

/// The column that a property of that value is; none where its rows are none, or are named
/// by numbers that there are not.
fn column(
    property: &Property,
    Value { data, width }: Value,
    indices: Option<Value>,
    set: &CurveSet,
    room: &mut usize,
) -> Option<Attribute> {
    let values = match data {
        Data::I32(all) => Values::I32(all),
        Data::I64(all) => Values::I64(all),
        Data::F32(all) => Values::F32(all),
        Data::F64(all) => Values::F64(all),
        Data::Text(all) => Values::Text(all),
    };
    let column = Attribute {
        name: name(property).into(),
        of: match &property.interpolation[..] {
            "uniform" => Of::Strand,
            "vertex" | "varying" => Of::Point,
            _ => Of::Groom,
        },
        each: width.saturating_mul(property.element_size.clamp(1, LONGEST)),
        values,
    };
    if !column.values.len().is_multiple_of(column.each) {
        return None;
    }
    let rows = match indices.filter(|indices| !indices.data.is_empty()) {
        Some(indices) => indices.counts()?,
        None => return Some(column),
    };
    // A row may be named often: no more often than there are places for it.
    let most = set.counts.len().max(set.points).max(1);
    if rows.len() > most {
        return None;
    }
    let rows: Vec<usize> = rows.into_iter().map(|row| row as usize).collect();
    column.picked_within(&rows, room)
}

/// Whether USD can hold a column: its name is a name there that means nothing else, and its
/// numbers are numbers.
pub fn can_hold(column: &Attribute) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let named = column.name.starts_with(begins) && column.name.chars().all(letters);
    let all = [LOOKS.widths, LOOKS.colours, LOOKS.root_uvs];
    let taken = all.iter().any(|names| names.contains(&&column.name[..]));
    let taken = taken || column.name.ends_with(":indices");
    named
        && !taken
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
