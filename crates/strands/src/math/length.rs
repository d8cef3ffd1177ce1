//! Lengths in words.

/// A length `[m]` in the unit that suits it, for a sentence.
///
/// ```
/// use lovelock_strands::math::length_text;
/// assert_eq!(length_text(0.329), "32.9 cm");
/// assert_eq!(length_text(2_839.64), "2.8 km");
/// ```
pub fn length_text(metres: f32) -> String {
    let units = [(1e3, "km"), (10.0, "m"), (0.01, "cm"), (1e-3, "mm")];
    let size = metres.abs();
    match units.into_iter().find(|(least, _)| size >= *least) {
        Some((least, unit)) => {
            // Metres begin where centimetres have four digits.
            let one = if unit == "m" { 1.0 } else { least };
            format!("{:.1} {unit}", metres / one)
        }
        None if size == 0.0 => "0 cm".into(),
        None if size < 1e-7 => format!("{metres:.0e} m"),
        None => format!("{:.1} µm", 1e6 * metres),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_in_a_unit_that_suits_them() {
        for (metres, text) in [
            (26_000.0, "26.0 km"),
            (12.34, "12.3 m"),
            (1.732, "173.2 cm"),
            (0.25, "25.0 cm"),
            (0.0042, "4.2 mm"),
            (2.8e-5, "28.0 µm"),
            (3e-9, "3e-9 m"),
            (0.0, "0 cm"),
        ] {
            assert_eq!(length_text(metres), text);
        }
    }
}
