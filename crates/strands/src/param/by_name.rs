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
        guess: guess(&name, names),
        key: name,
    }
}

/// The end of a sentence that refuses `name`: "; did you mean {candidate}?", or nothing
/// where no candidate is like it.
pub fn guess(name: &str, candidates: impl IntoIterator<Item = String>) -> String {
    nearest(name, candidates).map_or_else(String::new, |meant| format!("; did you mean {meant}?"))
}

/// The candidate that is most like `name`; none where more than one slip and another for
/// each four letters of its key lies between. Case does not count, and a prefix is like
/// the names that begin with it.
pub fn nearest(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    let key_of = |name: &str| name.rsplit('.').next().unwrap_or_default().to_string();
    let name = name.to_lowercase();
    let own = key_of(&name);
    let most = 1 + own.chars().count() / 4;
    // A key without its section ("stiffness"), or in another, should find the full name;
    // of two keys alike that in the section which is more like the one named, or the first.
    let score = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let key = key_of(&candidate);
        let whole = edit_distance(&name, &candidate);
        let moved = 1 + edit_distance(&own, &key);
        let begun = if own.len() > 2 && candidate.starts_with(&name) {
            1
        } else {
            whole
        };
        let least = whole.min(edit_distance(&name, &key)).min(moved).min(begun);
        (least, if name.contains('.') { whole } else { 0 })
    };
    candidates
        .into_iter()
        .map(|candidate| (score(&candidate), candidate))
        .min_by_key(|(score, _)| *score)
        .filter(|((distance, _), _)| *distance <= most)
        .map(|(_, candidate)| candidate)
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
        assert_eq!(
            message("sample.zeppelin", "3"),
            "there is no parameter sample.zeppelin",
            "nothing is like it"
        );
        let of = |name: &str, all: &[&str]| nearest(name, all.iter().map(|s| (*s).to_string()));
        let two = [
            "der.stiffness",
            "rod.stiffness",
            "motion.pitch",
            "camera.pitch",
        ];
        assert_eq!(of("rd.stiffness", &two).as_deref(), Some("rod.stiffness"));
        assert_eq!(of("CAMRA.pitch", &two).as_deref(), Some("camera.pitch"));
        assert_eq!(of("PBD", &["rod", "pbd"]).as_deref(), Some("pbd"));
        assert_eq!(
            of("pony", &["bob", "ponytail"]).as_deref(),
            Some("ponytail")
        );
        assert_eq!(of("magic", &["rod", "pbd"]), None);
        assert_eq!(
            of("foo", &["rod", "ftl"]),
            None,
            "one letter of three is alike"
        );
        assert_eq!(of("fdl", &["rod", "ftl"]).as_deref(), Some("ftl"));
        let first = ["wind.strength", "fan.strength"];
        assert_eq!(of("strenth", &first).as_deref(), Some("wind.strength"));
        assert!(message("simple.count", "3").ends_with("did you mean sample.count?"));
        assert!(message("sam.coumt", "3").ends_with("did you mean sample.count?"));
    }
}
