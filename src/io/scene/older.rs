//! Keys that files of earlier versions have.

use crate::{param::Value, sim::StepParams};
use toml::de::{DeTable, DeValue};

/// The section of today for one that scenes had before.
pub fn section(name: &str) -> &str {
    match name {
        "hold" => "colours",
        _ => name,
    }
}

/// The key of today and its value for one that scenes had before; none of a key
/// that no version knew.
pub fn renamed(
    section: &str,
    key: &str,
    value: &DeValue,
    document: &DeTable,
) -> Option<(&'static str, Value)> {
    // The groom hold was all that strands were coloured by.
    if (section, key) == ("colours", "on") {
        let show = if value.as_bool()? { "hold" } else { "nothing" };
        return Some(("show", Value::Choice(show)));
    }
    // Substeps had a number. Their length takes the step rate, which is the first
    // side's for both.
    if !matches!(section, "sim" | "b.sim") || key != "substeps" {
        return None;
    }
    let whole = |value: &DeValue| value.as_integer()?.to_string().parse::<u32>().ok();
    let mut step = StepParams::default();
    let sim = document.get("sim").and_then(|sim| sim.get_ref().as_table());
    if let Some(rate) = sim.and_then(|sim| sim.get("rate")) {
        step.rate = whole(rate.get_ref()).filter(|rate| *rate > 0)?;
    }
    step.set_substeps(whole(value).filter(|count| (1..=32).contains(count))?);
    Some(("substep_ms", Value::Float(f64::from(step.substep_ms))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{io::scene::read_text, sim::hand::Handwork};
    use std::path::Path;

    fn read(text: &str) -> Result<StepParams, String> {
        let mut step = StepParams::default();
        let mut handwork = Handwork::default();
        read_text(
            Path::new("old.toml"),
            text,
            &mut [&mut step],
            &mut [],
            &mut handwork,
        )
        .map_err(|error| error.to_string())?;
        Ok(step)
    }

    #[test]
    fn a_number_of_substeps_becomes_their_length() {
        let substeps = |text| read(text).expect("an older scene").substeps();
        assert_eq!(substeps("[sim]\nsubsteps = 2\n"), 2);
        assert_eq!(substeps("[sim]\nsubsteps = 3\nrate = 120\n"), 3);
        assert_eq!(substeps("[sim]\nsubstep_ms = 8.34\n"), 2);
    }

    #[test]
    fn what_no_version_knew_is_refused() {
        for (text, line) in [
            ("[sim]\nsubsteps = 0\n", 2),
            ("[sim]\nrate = 60\nsubsteps = 33\n", 3),
            ("[sim]\nsubsteps = \"two\"\n", 2),
            ("[sim]\nsubstep = 2\n", 2),
        ] {
            let said = read(text).expect_err("no scene");
            assert!(said.starts_with(&format!("old.toml:{line}: ")), "{said}");
            assert!(said.contains("did you mean sim.substep_ms?"), "{said}");
        }
    }
}
