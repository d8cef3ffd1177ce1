//! Results of the validation as a table in CSV: a row a comparison.

use super::stats::{StatCell, StatsTable};
use crate::lab::validate::{ValidationReport, ValidationRow};

/// How the table begins.
const BEGIN: &[u8] = b"solver,variant,test,case,";

/// All comparisons of these reports, under one heading.
pub fn csv<'a>(reports: impl IntoIterator<Item = &'a ValidationReport>) -> String {
    let mut table = StatsTable::default();
    for row in reports.into_iter().flat_map(|report| &report.rows) {
        table.push(cells(row));
    }
    table.csv()
}

/// Whether a file begins as such a table.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGIN)
}

fn cells(row: &ValidationRow) -> Vec<(String, StatCell)> {
    let text = |text: &str| StatCell::Text(text.into());
    let number = |number: Option<f64>| number.map_or(StatCell::Empty, StatCell::Double);
    // What has none is an empty cell, too.
    let word = |word: Option<&str>| text(word.unwrap_or_default());
    let cells = [
        ("solver", text(row.solver)),
        ("variant", word(row.variant)),
        ("test", text(row.test)),
        ("case", text(&row.case)),
        ("x_name", word(row.at.map(|at| at.name))),
        ("x", number(row.at.map(|at| at.value))),
        ("x_unit", word(row.at.map(|at| at.unit))),
        ("unit", word(row.unit())),
        ("reference", number(row.reference)),
        ("measured", number(row.measured)),
        ("error", number(row.error)),
        ("tolerance", StatCell::Double(row.tolerance)),
        ("criterion", text(row.criterion.name())),
        ("verdict", text(row.verdict())),
    ];
    cells.map(|(name, cell)| (name.to_string(), cell)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::validate::{Criterion, CurvePlace};

    #[test]
    fn each_comparison_is_a_row() {
        let row = ValidationRow {
            solver: "rod",
            variant: Some("bdf2"),
            test: "chain",
            case: "period, \"long\" chain [s]".into(),
            at: Some(CurvePlace {
                name: "length",
                value: 0.5,
                unit: "m",
            }),
            reference: Some(1.25),
            measured: Some(1.5),
            error: Some(0.2),
            tolerance: 0.02,
            criterion: Criterion::Relative,
            pass: false,
            applies: true,
        };
        let unmeasured = ValidationRow {
            variant: None,
            case: "share".into(),
            at: None,
            measured: None,
            error: None,
            applies: false,
            ..row.clone()
        };
        let report = ValidationReport {
            solver: "rod",
            variant: None,
            rows: vec![row, unmeasured],
            plots: Vec::new(),
        };
        let found = csv([&report]);
        assert!(is(found.as_bytes()) && !is(b"solver,mine\n"));
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(
            lines[1..],
            [
                "rod,bdf2,chain,\"period, \"\"long\"\" chain [s]\",length,0.5,m,s,1.25,1.5,0.2,0.02,\
                 relative,fail",
                "rod,,chain,share,,,,,1.25,,,0.02,relative,not measured",
            ]
        );
    }
}
