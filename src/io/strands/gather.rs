//! Columns of several sets of curves in one file become columns of one groom.

use super::{Attribute, Strands, attribute::Of};

/// Takes the columns of the curves that stand in `out` behind the `before` strands
/// and points of other curves. A column that not all of these have alike is none of the
/// groom, which is said in a note; so are those whose names are `odd`.
pub fn gather(
    out: &mut Strands,
    columns: Vec<Attribute>,
    mut odd: Vec<String>,
    before: [usize; 2],
) {
    let all = [out.len(), out.points.len()];
    let mut taken: Vec<String> = Vec::new();
    for column in columns {
        let name = column.name.clone();
        let fits = column.fits(all[0] - before[0], all[1] - before[1]);
        let alike = fits && !taken.contains(&name);
        match alike && join(&mut out.attributes, column, before[0] == 0) {
            true => taken.push(name),
            false => odd.push(name),
        }
    }
    out.attributes.retain(|column| {
        let whole = column.fits(all[0], all[1]) && taken.contains(&column.name);
        if !whole {
            odd.push(column.name.clone());
        }
        whole
    });
    if !odd.is_empty() {
        odd.sort();
        odd.dedup();
        out.notes.push(format!(
            "columns that not all curves have alike are left out: {}",
            odd.join(", ")
        ));
    }
}

/// Adds a column to those of other curves; false where they have it otherwise.
fn join(all: &mut Vec<Attribute>, mut column: Attribute, first: bool) -> bool {
    let Some(known) = all.iter_mut().find(|known| known.name == column.name) else {
        if first {
            all.push(column);
        }
        return first;
    };
    match column.of {
        Of::Groom => *known == column,
        of if known.of == of && known.each == column.each => {
            known.values.append(&mut column.values)
        }
        _ => false,
    }
}
