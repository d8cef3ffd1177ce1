//! Arrays of tables: lists of things that are declared alike.

use super::{SceneError, value::value_of};
use crate::param::{self, List, ParamError, RowValues};
use std::{ops::Range, path::Path};
use toml::de::DeValue;

/// Reads the rows of `list` from `value`, which stands on `line`.
pub(super) fn rows(
    path: &Path,
    line_of: &impl Fn(Range<usize>) -> usize,
    line: usize,
    list: &dyn List,
    value: &DeValue<'_>,
) -> Result<Vec<RowValues>, SceneError> {
    let name = list.name();
    let refuse = |line: usize, message: String| SceneError::Syntax {
        path: path.into(),
        line,
        message,
    };
    let as_list = format!("{name} is a list: write [[{name}]] and its keys below it");
    let DeValue::Array(items) = value else {
        return Err(refuse(line, as_list));
    };
    let tunables = list.tunables();
    let mut rows = Vec::new();
    for item in items {
        let Some(table) = item.get_ref().as_table() else {
            return Err(refuse(line_of(item.span()), as_list));
        };
        let mut row: RowValues = tunables.iter().map(|t| t.default.clone()).collect();
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut given = Vec::new();
        for (key, value) in entries {
            let line = line_of(key.span());
            let key: &str = key.get_ref();
            let wrong = |source: ParamError| SceneError::Value {
                path: path.into(),
                line,
                source: source.into(),
            };
            let Some(index) = tunables.iter().position(|t| t.key == key) else {
                let names = tunables.iter().map(|t| format!("{name}.{}", t.key));
                let full = format!("{name}.{key}");
                return Err(wrong(ParamError::Unknown {
                    guess: param::guess(&full, names),
                    key: full,
                }));
            };
            row[index] = value_of(name, &tunables[index], value.get_ref())
                .and_then(|value| param::check(name, &tunables[index], value))
                .map_err(wrong)?;
            given.push((tunables[index].key, line));
        }
        let (foreign, what) = list.foreign(&row);
        if let Some((key, line)) = given.iter().find(|(key, _)| foreign.contains(key)) {
            let own: Vec<&str> = tunables
                .iter()
                .map(|tunable| tunable.key)
                .filter(|key| !foreign.contains(key))
                .collect();
            return Err(refuse(
                *line,
                format!("{what} has no {key}; it has {}", own.join(", ")),
            ));
        }
        rows.push(row);
    }
    Ok(rows)
}
