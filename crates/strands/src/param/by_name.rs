//! Tunables by their names, `section.key`; for a wrong name, the nearest right one.

use super::{ParamError, Params, parse};

/// Sets `section.key` among `sections` from text; the one door for `--set`.
pub fn set_by_name(
    sections: &mut [&mut dyn Params],
    name: &str,
    text: &str,
) -> Result<(), ParamError> {
    for section in sections.iter_mut() {
        let prefix = section.section();
        for (index, tunable) in section.tunables().iter().enumerate() {
            if name
                .rsplit_once('.')
                .is_some_and(|(head, key)| head == prefix && key == tunable.key)
            {
                return section.set(index, parse(prefix, tunable, text)?);
            }
        }
    }
    Err(unknown(name.into(), sections))
}

/// None of `sections` has a tunable of that name, `section.key`.
pub fn unknown(name: String, sections: &[&mut dyn Params]) -> ParamError {
    let names = sections.iter().flat_map(|s| {
        let prefix = s.section();
        s.tunables()
            .into_iter()
            .map(move |t| format!("{prefix}.{}", t.key))
            .collect::<Vec<_>>()
    });
    ParamError::Unknown {
        nearest: nearest(&name, names).unwrap_or_default(),
        key: name,
    }
}

/// The candidate with the smallest edit distance to `name`.
pub fn nearest(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    // A key given without its section ("stiffness") should find the full name.
    let score = |candidate: &str| {
        let key = candidate.rsplit('.').next().unwrap_or(candidate);
        edit_distance(name, candidate).min(edit_distance(name, key))
    };
    candidates
        .into_iter()
        .min_by_key(|candidate| score(candidate))
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        choice,
        param::{Kind, float, int},
        params,
    };

    choice! {
        /// Colours of the test.
        pub enum Hue {
            /// Red.
            Red = "red",
            /// Green.
            Green = "green",
        }
    }

    params! {
        /// A section for the tests.
        pub struct Sample: "sample" {
            /// A real.
            /// Second line.
            real: f32 = 0.1, float(0.0, 2.0), "m", "Real";
            /// A count.
            count: u32 = 3u32, int(1, 9), "", "Count";
            /// A choice.
            hue: Hue = Hue::Green, Kind::Choice(Hue::NAMES), "", "Hue";
            /// A direction.
            way: [f32; 3] = [1.0, 0.0, 0.0], Kind::Direction, "", "Way";
        }
    }

    #[test]
    fn every_default_is_allowed_and_survives_a_round_trip() {
        let mut sample = Sample::default();
        for (index, tunable) in sample.tunables().iter().enumerate() {
            assert_eq!(sample.get(index), tunable.default);
            sample
                .set(index, tunable.default.clone())
                .expect("default refused");
        }
        assert_eq!(sample, Sample::default());
        assert_eq!(sample.tunables()[0].help, "A real. Second line.");
    }

    #[test]
    fn text_is_read_and_bad_text_is_named() {
        let mut sample = Sample::default();
        set_by_name(&mut [&mut sample], "sample.real", "1.5").expect("in range");
        set_by_name(&mut [&mut sample], "sample.hue", "red").expect("a name");
        set_by_name(&mut [&mut sample], "sample.way", "[0, 1, 0]").expect("a vector");
        assert_eq!(
            (sample.real, sample.hue, sample.way),
            (1.5, Hue::Red, [0.0, 1.0, 0.0])
        );
        let message = |name: &str, text: &str| {
            set_by_name(&mut [&mut Sample::default()], name, text)
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            message("sample.real", "3"),
            "sample.real = 3 is outside its range 0 to 2 m"
        );
        assert!(message("sample.real", "NaN").contains("outside"));
        assert!(message("sample.count", "2.5").contains("whole number from 1 to 9"));
        assert!(message("sample.hue", "blue").contains("one of red, green"));
        assert!(message("sample.way", "0,0,0").contains("not all zero"));
        assert_eq!(
            message("count", "3"),
            "there is no parameter count; did you mean sample.count?"
        );
    }
}
