//! Pages of measurements against what was measured: verdicts and names must be the same,
//! numbers nearly.

use crate::common::block::check_block_as;

/// A number on a page may be off by this share: less is a change of the last bits, more is a
/// page that is out of date.
const BAND: f64 = 0.1;

/// Numbers nearer to one another than this are rounding, by the unit that stands behind them
/// or in the row's name. Without a unit they are shares or ratios.
const FLOORS: [(&str, f64); 6] = [
    ("", 1e-6),
    ("mm", 0.01),
    ("cm", 0.01),
    ("m/s", 1e-3),
    ("s", 1e-3),
    ("%", 1e-3),
];

/// Compares the table between the markers of `name` in `file` with `wanted`, the one that
/// was measured, and prints the cells that differ; rewrites it where `UPDATE_README` asks.
pub fn check_measured(file: &str, name: &str, wanted: &str) {
    check_block_as(file, name, wanted, |table| {
        let found = differences(table, wanted);
        if found.is_empty() {
            return wanted.to_string();
        }
        println!("{file}:\n{}", found.join("\n"));
        table.to_string()
    });
}

/// The cells in which two tables differ, in words.
fn differences(now: &str, wanted: &str) -> Vec<String> {
    let [now, wanted] = [now, wanted].map(|table| table.lines().collect::<Vec<_>>());
    let mut found = Vec::new();
    if now.len() != wanted.len() {
        found.push(format!("{} rows, not {}", now.len(), wanted.len()));
    }
    for (now, wanted) in now.iter().zip(&wanted) {
        let [now, wanted] = [now, wanted].map(|line| line.split('|').collect::<Vec<_>>());
        if now.len() != wanted.len() {
            found.push(format!("{} cells, not {}", now.len(), wanted.len()));
        }
        let row = wanted.iter().take(3).map(|cell| cell.trim());
        let row = row.collect::<Vec<_>>().join(" ");
        let cells = now.iter().zip(&wanted);
        let apart = cells.filter(|(now, wanted)| !alike(now, wanted, unit_in_name(&row)));
        found.extend(apart.map(|(now, wanted)| {
            format!("{row}: the page has {}, not {}", now.trim(), wanted.trim())
        }));
    }
    found
}

/// The unit in square brackets in the name of a row; empty where there is none.
fn unit_in_name(row: &str) -> &str {
    let inside = row
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inside.map_or("", |(unit, _)| unit)
}

/// Whether two cells say the same. Only a cell with a verdict is a measurement: in all
/// others numbers are names, or what theory says.
fn alike(now: &str, wanted: &str, unit: &str) -> bool {
    if !["pass", "fail"]
        .iter()
        .any(|verdict| wanted.contains(verdict))
    {
        return now == wanted;
    }
    let [now, wanted] = [now, wanted].map(pieces);
    now.len() == wanted.len() && now.iter().zip(&wanted).all(|(a, b)| a.is_like(b, unit))
}

/// A piece of a cell.
#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Text(&'a str),
    Number {
        value: f64,
        /// One of the last digit that is printed.
        last_digit: f64,
        /// What stands behind it.
        unit: &'a str,
    },
}

impl Piece<'_> {
    /// Whether both say the same; `unit` is that of numbers that have none behind them.
    fn is_like(&self, other: &Self, unit: &str) -> bool {
        let (a, b) = match (self, other) {
            (Piece::Number { value: a, .. }, Piece::Number { value: b, .. }) => (*a, *b),
            _ => return self == other,
        };
        let (own, last_digit) = match other {
            // Numbers with a unit have a fixed number of digits.
            Piece::Number {
                unit, last_digit, ..
            } if !unit.is_empty() => (*unit, *last_digit),
            _ => (unit, 0.0),
        };
        let floor = FLOORS.iter().find(|(of, _)| *of == own);
        let floor = floor.map_or(FLOORS[0].1, |(_, floor)| *floor);
        (a - b).abs() <= BAND * a.abs().max(b.abs()) + floor + last_digit
    }
}

/// Splits a cell into numbers and what stands between them.
fn pieces(cell: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut text) = (cell, 0);
    while let Some(letter) = rest[text..].chars().next() {
        let Some(length) = number_at(&rest[text..]) else {
            text += letter.len_utf8();
            continue;
        };
        if text > 0 {
            found.push(Piece::Text(&rest[..text]));
        }
        let number = &rest[text..text + length];
        rest = &rest[text + length..];
        text = 0;
        let plain = number.replace('−', "-");
        let mantissa = plain.split('e').next().unwrap_or_default();
        let power = plain.split('e').nth(1).and_then(|power| power.parse().ok());
        let decimals = mantissa.split('.').nth(1).map_or(0, str::len) as i32;
        let unit = rest.trim_start().split([' ', ',', '(', ')']).next();
        found.push(Piece::Number {
            value: plain.parse().unwrap_or(f64::NAN),
            last_digit: 10f64.powi(power.unwrap_or(0) - decimals),
            // A verdict or the next number is no unit.
            unit: unit.filter(|_| rest.starts_with(' ')).unwrap_or_default(),
        });
    }
    if text > 0 {
        found.push(Piece::Text(rest));
    }
    found
}

/// Length of the number with which a text begins, its sign and power of ten included.
fn number_at(text: &str) -> Option<usize> {
    let sign = text.chars().next().filter(|first| "+-−".contains(*first));
    let begin = sign.map_or(0, char::len_utf8);
    let digits = |from: usize| {
        let rest = text[from..].chars();
        rest.take_while(char::is_ascii_digit).count()
    };
    let mut end = begin + digits(begin);
    if end == begin {
        return None;
    }
    if text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if text[end..].starts_with('e') {
        let signed = usize::from(text[end + 1..].starts_with(['-', '+']));
        let power = digits(end + 1 + signed);
        end += if power > 0 { 1 + signed + power } else { 0 };
    }
    Some(end)
}

#[test]
fn a_page_whose_numbers_have_drifted_is_found_though_no_verdict_changed() {
    let row = |cell: &str| format!("| fan | two seconds after it | {cell} |\n");
    let apart = |now: &str, wanted: &str| differences(&row(now), &row(wanted)).len();
    assert_eq!(apart("153 mm, pass", "202 mm, pass"), 1);
    assert_eq!(apart("153 mm, pass", "160 mm, pass"), 0);
    assert_eq!(apart("153 mm, pass", "153 mm, **fail**"), 1);
    assert_eq!(apart("153 mm, pass", "not measured"), 1);
    assert_eq!(apart("–, **fail**", "0.2, **fail**"), 1);
    // Whole millimetres are rounded.
    assert_eq!(apart("0 mm, pass", "1 mm, pass"), 0);
    assert_eq!(apart("0 mm, pass", "2 mm, pass"), 1);
    // Several numbers in a cell, each by its unit.
    let shaken = "+0.8 % −0.8 %, 0.1 mm, 3.3 s, pass";
    assert_eq!(apart(shaken, "+0.8 % −0.8 %, 0.2 mm, 3.4 s, pass"), 0);
    assert_eq!(apart(shaken, "+0.8 % −1.8 %, 0.1 mm, 3.3 s, pass"), 1);
    assert_eq!(apart(shaken, "+0.8 % +0.8 %, 0.1 mm, 3.3 s, pass"), 1);
    assert_eq!(apart(shaken, "+0.8 % −0.8 %, 0.1 mm, –, pass"), 1);
    assert_eq!(
        apart(shaken, "+0.8 % −0.8 %, 0.1 mm (3 of 1.2e6), 3.3 s, pass"),
        1
    );
}

#[test]
fn shares_are_compared_down_to_rounding_and_names_to_the_letter() {
    let row = |case: &str, cell: &str| format!("| sag | {case} | 0.0125 | {cell} |\n");
    let apart = |now: &str, wanted: &str, case: &str| {
        differences(&row(case, now), &row(case, wanted)).len()
    };
    assert_eq!(apart("2.1e-43, pass", "8.9e-9, pass", "drift"), 0);
    assert_eq!(apart("3.4e-6, pass", "8.4e-6, pass", "drift"), 1);
    assert_eq!(apart("1, pass", "0.8, pass", "share kept"), 1);
    assert_eq!(apart("-8.0e-5, pass", "0.0001, pass", "way [mm]"), 0);
    assert_eq!(apart("-8.0e-5, pass", "0.0001, pass", "way"), 1);
    let [a, b] = ["0.93 of the weight", "0.94 of the weight"].map(|case| row(case, "1, pass"));
    assert_eq!(differences(&a, &b).len(), 1);
    assert_eq!(differences(&a, &format!("{b}{a}")).len(), 2);
    let theory = a.replace("0.0125", "0.0126");
    assert_eq!(differences(&a, &theory).len(), 1);
}
