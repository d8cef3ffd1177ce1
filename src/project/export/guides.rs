//! Which of the strands that are written are simulated, and how the others follow them: as
//! columns of Unreal's groom schema.

use crate::io::strands::{
    Attribute, Values,
    attribute::{ADDED, CLOSEST_GUIDES, GUIDE, GUIDE_WEIGHTS, ID, Of},
};

/// What a strand that is written goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoesBy {
    /// Its own simulation.
    Itself,
    /// Simulated strands, the rows of these, each by its weight.
    Guides([usize; 3], [f32; 3]),
    /// The head.
    Head,
}

/// A strand that is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideRow {
    /// What it goes by.
    pub goes_by: GoesBy,
    /// Whether the program drew it, and no file of hair has it.
    pub added: bool,
}

/// Says in `columns` which of the strands `rows` are simulated, which of these the others
/// follow, and which the program drew: nothing where all are simulated, unless they are
/// `chosen` for that. What a file says of it stays, unless they are; what was drawn is no
/// guide.
pub fn tell(columns: &mut Vec<Attribute>, rows: &[GuideRow], chosen: bool) {
    let is_guide = |row: &GuideRow| row.goes_by == GoesBy::Itself;
    if rows.iter().all(is_guide) && !chosen {
        return;
    }
    if chosen {
        // The guides that a file names may be among those that are left out.
        columns.retain(|column| ![GUIDE, CLOSEST_GUIDES, GUIDE_WEIGHTS].contains(&&*column.name));
    }
    let numbers = numbers(columns, rows.len());
    let own = columns.iter_mut().find(|column| column.name == GUIDE);
    let told = match own {
        Some(own) if own.of == Of::Strand && own.each == 1 => {
            clear(&mut own.values, rows);
            // Another choice of guides than the file's.
            guides(&own.values).eq(rows.iter().map(is_guide))
        }
        Some(_) => false,
        None => {
            let values = rows.iter().map(|row| i32::from(is_guide(row))).collect();
            columns.push(column(GUIDE, 1, Values::I32(values)));
            true
        }
    };
    let is_new = |name: &str| !columns.iter().any(|column| column.name == name);
    let follow = told && !rows.iter().all(is_guide);
    if let Some(numbers) = numbers
        && follow
        && is_new(CLOSEST_GUIDES)
        && is_new(GUIDE_WEIGHTS)
    {
        let of = |(i, row): (usize, &GuideRow)| match row.goes_by {
            GoesBy::Itself => ([i; 3], [1.0, 0.0, 0.0]),
            GoesBy::Guides(guides, weights) => (guides, weights),
            GoesBy::Head => ([i; 3], [0.0; 3]),
        };
        let all: Vec<_> = rows.iter().enumerate().map(of).collect();
        let number = |row: &usize| numbers.get(*row).copied().unwrap_or_default();
        let closest = all.iter().flat_map(|(guides, _)| guides.iter().map(number));
        let closest = Values::I32(closest.collect());
        let weights = all.iter().flat_map(|(_, weights)| *weights);
        let weights = Values::F32(weights.collect());
        columns.push(column(CLOSEST_GUIDES, 3, closest));
        columns.push(column(GUIDE_WEIGHTS, 3, weights));
    }
    if rows.iter().any(|row| row.added) {
        columns.retain(|column| column.name != ADDED);
        let values = rows.iter().map(|row| i32::from(row.added)).collect();
        columns.push(column(ADDED, 1, Values::I32(values)));
    }
}

fn column(name: &str, each: usize, values: Values) -> Attribute {
    Attribute {
        name: name.into(),
        of: Of::Strand,
        each,
        values,
    }
}

/// The number of each strand, which columns get where they have none; none where those that
/// they have cannot name a guide.
fn numbers(columns: &mut Vec<Attribute>, count: usize) -> Option<Vec<i32>> {
    if !columns.iter().any(|column| column.name == ID) {
        let all: Vec<i32> = (0..count as i32).collect();
        columns.push(column(ID, 1, Values::I32(all.clone())));
        return Some(all);
    }
    let is_own =
        |column: &&Attribute| column.name == ID && column.of == Of::Strand && column.each == 1;
    match &columns.iter().find(is_own)?.values {
        Values::I32(all) => Some(all.clone()),
        Values::I64(all) => all.iter().map(|id| i32::try_from(*id).ok()).collect(),
        _ => None,
    }
}

/// What was drawn took on the row of a strand of the file, and is no guide for that.
fn clear(values: &mut Values, rows: &[GuideRow]) {
    let drawn = |i: &usize| rows.get(*i).is_some_and(|row| row.added);
    let all = (0..values.len()).filter(drawn);
    match values {
        Values::I32(own) => all.for_each(|i| own[i] = 0),
        Values::I64(own) => all.for_each(|i| own[i] = 0),
        Values::F32(own) => all.for_each(|i| own[i] = 0.0),
        Values::F64(own) => all.for_each(|i| own[i] = 0.0),
        Values::Text(_) => {}
    }
}

fn guides(values: &Values) -> impl Iterator<Item = bool> {
    (0..values.len()).map(|i| match values {
        Values::I32(all) => all[i] != 0,
        Values::I64(all) => all[i] != 0,
        Values::F32(all) => all[i] != 0.0,
        Values::F64(all) => all[i] != 0.0,
        Values::Text(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE_ROW: GuideRow = GuideRow {
        goes_by: GoesBy::Itself,
        added: false,
    };

    fn follower(added: bool) -> GuideRow {
        GuideRow {
            goes_by: GoesBy::Guides([0, 2, 2], [0.75, 0.25, 0.0]),
            added,
        }
    }

    fn found<'a>(columns: &'a [Attribute], name: &str) -> Option<&'a Values> {
        let column = columns.iter().find(|column| column.name == name);
        column.map(|column| &column.values)
    }

    #[test]
    fn guides_are_named_by_their_numbers() {
        let rows = [GUIDE_ROW, follower(false), GUIDE_ROW, follower(true)];
        let ids = Values::I32(vec![70, 12, 5, 71]);
        let mut columns = vec![column(ID, 1, ids)];
        tell(&mut columns, &rows, false);
        let found = |name| found(&columns, name);
        assert_eq!(found(GUIDE), Some(&Values::I32(vec![1, 0, 1, 0])));
        let closest = vec![70, 70, 70, 70, 5, 5, 5, 5, 5, 70, 5, 5];
        assert_eq!(found(CLOSEST_GUIDES), Some(&Values::I32(closest)));
        assert_eq!(found(ADDED), Some(&Values::I32(vec![0, 0, 0, 1])));
        let Some(Values::F32(weights)) = found(GUIDE_WEIGHTS) else {
            panic!("no weights");
        };
        assert_eq!(weights[..6], [1.0, 0.0, 0.0, 0.75, 0.25, 0.0]);
    }

    #[test]
    fn strands_that_are_all_simulated_are_no_guides_unless_they_were_chosen() {
        let mut columns = Vec::new();
        tell(&mut columns, &[GUIDE_ROW; 2], false);
        assert!(columns.is_empty());
        tell(&mut columns, &[GUIDE_ROW; 2], true);
        let found = |name| found(&columns, name);
        assert_eq!(found(GUIDE), Some(&Values::I32(vec![1, 1])));
        assert_eq!(found(ID), Some(&Values::I32(vec![0, 1])));
        assert!(found(CLOSEST_GUIDES).is_none() && found(ADDED).is_none());
    }

    #[test]
    fn guides_that_were_chosen_are_all_guides_whatever_the_file_says() {
        let closest = Values::I32(vec![9; 6]);
        let weights = Values::F32(vec![0.5; 6]);
        let mut columns = vec![
            column(ID, 1, Values::I32(vec![4, 7])),
            column(GUIDE, 1, Values::I32(vec![0, 1])),
            column(CLOSEST_GUIDES, 3, closest),
            column(GUIDE_WEIGHTS, 3, weights),
        ];
        tell(&mut columns, &[GUIDE_ROW; 2], true);
        let found = |name| found(&columns, name);
        assert_eq!(found(ID), Some(&Values::I32(vec![4, 7])));
        assert_eq!(found(GUIDE), Some(&Values::I32(vec![1, 1])));
        assert!(found(CLOSEST_GUIDES).is_none() && found(GUIDE_WEIGHTS).is_none());
    }

    #[test]
    fn guides_without_a_number_of_their_own_are_not_named() {
        let rows = [GUIDE_ROW, follower(false), GUIDE_ROW];
        let of = |of, each, values| Attribute {
            of,
            each,
            ..column(ID, 1, values)
        };
        for own in [
            of(Of::Strand, 1, Values::I64(vec![1, 1 << 40, 2])),
            of(Of::Strand, 2, Values::I32(vec![1; 6])),
            of(Of::Point, 1, Values::I32(vec![1; 9])),
        ] {
            let mut columns = vec![own];
            tell(&mut columns, &rows, false);
            let found = |name| found(&columns, name);
            assert_eq!(found(GUIDE), Some(&Values::I32(vec![1, 0, 1])));
            assert!(found(CLOSEST_GUIDES).is_none() && found(GUIDE_WEIGHTS).is_none());
        }
    }

    #[test]
    fn what_the_file_says_of_guides_stays() {
        let rows = [GUIDE_ROW, follower(false), follower(true)];
        // The file has another guide, and the last strand took on its row.
        let own = Values::I32(vec![0, 1, 1]);
        let mut columns = vec![column(GUIDE, 1, own)];
        tell(&mut columns, &rows, false);
        let found = |name| found(&columns, name);
        assert_eq!(found(GUIDE), Some(&Values::I32(vec![0, 1, 0])));
        assert!(found(CLOSEST_GUIDES).is_none(), "they are others");
        assert_eq!(found(ADDED), Some(&Values::I32(vec![0, 0, 1])));
    }
}
