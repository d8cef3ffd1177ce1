//! Numbers as people write them: with a unit of their own, with a comma for a point.

/// Names of units, what they measure, and how much of its first unit they are.
const UNITS: &[(&str, Quantity, f64)] = &[
    ("m", Quantity::Length, 1.0),
    ("cm", Quantity::Length, 1e-2),
    ("mm", Quantity::Length, 1e-3),
    ("µm", Quantity::Length, 1e-6),
    // The Greek letter, and what a keyboard has.
    ("μm", Quantity::Length, 1e-6),
    ("um", Quantity::Length, 1e-6),
    ("in", Quantity::Length, 0.0254),
    ("s", Quantity::Time, 1.0),
    ("ms", Quantity::Time, 1e-3),
    ("m/s", Quantity::Speed, 1.0),
    ("km/h", Quantity::Speed, 1.0 / 3.6),
    ("°", Quantity::Angle, 1.0),
    ("deg", Quantity::Angle, 1.0),
    ("rad", Quantity::Angle, 180.0 / std::f64::consts::PI),
    ("N", Quantity::Force, 1.0),
    ("mN", Quantity::Force, 1e-3),
    ("GPa", Quantity::Stress, 1e9),
    ("MPa", Quantity::Stress, 1e6),
    ("", Quantity::Share, 1.0),
    ("×", Quantity::Share, 1.0),
    ("x", Quantity::Share, 1.0),
    ("%", Quantity::Share, 1e-2),
];

/// What a unit measures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Length,
    Time,
    Speed,
    Angle,
    Force,
    Stress,
    Share,
}

/// The number that a text says, in `unit`: alone, with that unit or with another of the
/// same quantity.
///
/// Where numbers reach `thousands` a comma before three digits separates them; any other
/// is a point, which a `whole` number has not.
pub fn read_number(text: &str, unit: &str, whole: bool, thousands: bool) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.replace('−', "-");
    let plain = |text: &str| {
        let number: f64 = without_commas(text, whole, thousands)?.parse().ok()?;
        number.is_finite().then_some(number)
    };
    if let Some(number) = plain(&text).or_else(|| text.strip_suffix(unit).and_then(plain)) {
        return Some(number);
    }
    let (_, quantity, size) = UNITS.iter().find(|(name, ..)| *name == unit)?;
    // The longest that it ends with: `mm` ends with `m`, too.
    let named = UNITS
        .iter()
        .filter(|(name, other, _)| other == quantity && text.ends_with(name))
        .max_by_key(|(name, ..)| name.len())?;
    let number = plain(text.strip_suffix(named.0)?)?;
    Some(number * named.2 / size)
}

/// A number with points alone; none where a comma is neither one nor between thousands.
fn without_commas(text: &str, whole: bool, thousands: bool) -> Option<String> {
    // Three digits begin what is between commas, and no fourth one.
    let is_group = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count() == 3;
    match text.split_once(',') {
        None => Some(text.into()),
        Some((_, groups)) if thousands && groups.split(',').all(is_group) => {
            Some(text.replace(',', ""))
        }
        Some(_) => (!whole).then(|| text.replace(',', ".")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_have_another_unit_of_its_quantity() {
        let near = |text, unit, wanted: f64| {
            let number = read_number(text, unit, false, false).unwrap_or(f64::NAN);
            assert!(
                (number - wanted).abs() < 1e-9 * wanted.abs(),
                "{text}: {number}"
            );
        };
        near("12", "cm", 12.0);
        near(" 12.5 cm", "cm", 12.5);
        near("12,5", "cm", 12.5);
        near("0.3 m", "cm", 30.0);
        near("8mm", "cm", 0.8);
        near("1e-1 m", "mm", 100.0);
        near("80 um", "µm", 80.0);
        near("0.08 mm", "µm", 80.0);
        near("36 km/h", "m/s", 10.0);
        near("0.5rad", "°", 28.647_889_756_541_16);
        near("−45°", "°", -45.0);
        near("50 %", "", 0.5);
        near("1.5x", "×", 1.5);
        near("1300 kg/m³", "kg/m³", 1300.0);
        assert_eq!(read_number("1,250,000", "", true, true), Some(1_250_000.0));
        assert_eq!(read_number("1,5", "", true, true), None);
        assert_eq!(
            read_number("10,000 1/s²", "1/s²", false, true),
            Some(10_000.0)
        );
        assert_eq!(read_number("10,5", "1/s²", false, true), Some(10.5));
        assert_eq!(read_number("1,250", "cm", false, false), Some(1.25));
        for (text, unit) in [
            ("abc", "cm"),
            ("", "cm"),
            ("3 s", "cm"),
            ("3 kg", "kg/m³"),
            ("inf", ""),
        ] {
            assert_eq!(read_number(text, unit, false, false), None, "{text}");
        }
    }
}
