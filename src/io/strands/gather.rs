//! Columns of several sets of curves in one file become columns of one groom.

use super::{
    Attribute, Strands,
    attribute::{GUIDE, Of, Values},
};
use std::collections::BTreeSet;

/// A row that is repeated for each strand has at most so many numbers, or bytes of text.
const WIDEST: usize = 16;
const LONGEST: usize = 256;

/// Takes the columns of the curves that stand in `out` behind the `before` strands
/// and points of other curves. A column that not all of these have alike is none of the
/// groom: its name is one of the `odd`. What is the same for all curves of a set becomes a
/// column of strands where another set says something else; the bytes for that are taken
/// from `room`. Strands of which the file does not say that they are guides are none.
pub fn gather(
    out: &mut Strands,
    columns: Vec<Attribute>,
    odd: &mut BTreeSet<String>,
    before: [usize; 2],
    room: &mut usize,
) {
    let all = [out.len(), out.points.len()];
    let here = [all[0] - before[0], all[1] - before[1]];
    if here == [0, 0] {
        return;
    }
    let mut taken: Vec<String> = Vec::new();
    let silent = |name: &str| !columns.iter().any(|column| column.name == name);
    let known = out.attributes.iter().find(|known| known.name == GUIDE);
    let none = known.filter(|_| silent(GUIDE)).and_then(unguided);
    for column in columns.into_iter().chain(none) {
        let name = column.name.clone();
        let fits = column.fits(here[0], here[1]);
        let alike = fits && !taken.contains(&name) && !odd.contains(&name);
        match alike && join(&mut out.attributes, column, [before[0], here[0]], room) {
            true => taken.push(name),
            false => drop(odd.insert(name)),
        }
    }
    out.attributes.retain(|column| {
        let whole = column.fits(all[0], all[1]) && taken.contains(&column.name);
        if !whole {
            odd.insert(column.name.clone());
        }
        whole
    });
}

/// What to say of columns that are `odd`.
pub fn told(odd: &BTreeSet<String>) -> Option<String> {
    let names: Vec<&str> = odd.iter().map(|name| &name[..]).collect();
    (!names.is_empty()).then(|| {
        format!(
            "columns that not all curves have alike are left out: {}",
            names.join(", ")
        )
    })
}

/// The column of a set that does not say whether its strands are guides, beside one that
/// does.
fn unguided(known: &Attribute) -> Option<Attribute> {
    let zeroes = known.each;
    let values = match &known.values {
        Values::I32(_) => Values::I32(vec![0; zeroes]),
        Values::I64(_) => Values::I64(vec![0; zeroes]),
        Values::F32(_) => Values::F32(vec![0.0; zeroes]),
        Values::F64(_) => Values::F64(vec![0.0; zeroes]),
        Values::Text(_) => return None,
    };
    let all = (zeroes <= WIDEST).then_some(values);
    all.map(|values| Attribute {
        name: known.name.clone(),
        of: Of::Groom,
        each: zeroes,
        values,
    })
}

/// Adds a column to those of other curves, which are of so many strands before it and so
/// many here; false where they have it otherwise.
fn join(
    all: &mut Vec<Attribute>,
    mut column: Attribute,
    [before, here]: [usize; 2],
    room: &mut usize,
) -> bool {
    let known = all.iter().position(|known| known.name == column.name);
    let index = match known {
        Some(index) => index,
        None if before == 0 => {
            all.push(column);
            return true;
        }
        None => {
            let guides = (column.name == GUIDE).then(|| unguided(&column)).flatten();
            let Some(guides) = guides else { return false };
            all.push(guides);
            all.len() - 1
        }
    };
    let known = &mut all[index];
    if known.of == Of::Groom && column.of == Of::Groom && *known == column {
        return true;
    }
    let alike = known.each == column.each
        && repeat(known, before, room)
        && repeat(&mut column, here, room)
        && known.of == column.of;
    alike && known.values.append(&mut column.values)
}

/// Makes a column of so many strands of what is the same for all; false where that would
/// be too large. Other columns stay as they are.
fn repeat(column: &mut Attribute, strands: usize, room: &mut usize) -> bool {
    if column.of != Of::Groom {
        return true;
    }
    let long = match &column.values {
        Values::Text(all) => all.iter().map(String::len).sum::<usize>() > LONGEST,
        _ => false,
    };
    if long || column.each > WIDEST {
        return false;
    }
    let Some(rows) = column.picked_within(&vec![0; strands], room) else {
        return false;
    };
    *column = rows;
    column.of = Of::Strand;
    true
}
