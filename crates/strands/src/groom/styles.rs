//! Hairstyles by name: starting points for the same parameters.

use super::GroomParams;
use crate::param::Params as _;

/// A named hairstyle.
pub struct Style {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in the panel.
    pub label: &'static str,
    /// What it looks like.
    pub help: &'static str,
    /// Its parameters.
    pub params: fn() -> GroomParams,
}

/// What is the cut of hair and not its curl.
const CUT: [&str; 11] = [
    "trim",
    "fringe",
    "layers",
    "taper",
    "face_framing",
    "sweep",
    "flick",
    "tie",
    "tie_share",
    "tie_height",
    "tie_width",
];

impl Style {
    /// This style with the cut of `groom`: fringe, layers, a tie; and its length, where
    /// that is not one of a style.
    pub fn of(&self, groom: &GroomParams) -> GroomParams {
        let mut worn = (self.params)();
        for (index, tunable) in worn.tunables().iter().enumerate() {
            let of_style = |style: &Style| (style.params)().get(index) == groom.get(index);
            let keeps = match tunable.key {
                "length" => !STYLES.iter().any(of_style),
                key => CUT.contains(&key),
            };
            if keeps {
                // It is of the same parameter, and in its range.
                let _ = worn.set(index, groom.get(index));
            }
        }
        worn
    }

    /// Whether `groom` is this style, whatever its cut.
    pub fn is_worn(&self, groom: &GroomParams) -> bool {
        self.of(groom) == *groom
    }
}

/// The hairstyles, from the straightest to the tightest.
pub const STYLES: &[Style] = &[
    Style {
        id: "straight",
        label: "Straight",
        help: "Falls without a wave.",
        params: || GroomParams {
            vertices: 32,
            length: 0.26,
            curl_radius: 0.0,
            locks: 450,
            clump: 0.9,
            lock_width: 0.006,
            lock_spread: 0.25,
            frizz: 0.001,
            droop: 0.92,
            sleek: 0.8,
            ..GroomParams::default()
        },
    },
    Style {
        id: "wavy",
        label: "Wavy",
        help: "Long, lazy waves.",
        params: || GroomParams {
            vertices: 40,
            length: 0.26,
            curl_radius: 0.007,
            curl_pitch: 0.075,
            curl_start: 0.3,
            clump: 0.9,
            lock_spread: 0.3,
            frizz: 0.002,
            sleek: 0.6,
            ..GroomParams::default()
        },
    },
    Style {
        id: "curly",
        label: "Curly",
        help: "Ringlets as wide as a finger.",
        params: GroomParams::default,
    },
    Style {
        id: "coily",
        label: "Coily",
        help: "Tight springs that stay close to the head.",
        params: || GroomParams {
            vertices: 96,
            length: 0.13,
            curl_radius: 0.0042,
            curl_pitch: 0.011,
            curl_start: 0.08,
            phase_spread: 0.6,
            droop: 0.65,
            frizz: 0.01,
            ..GroomParams::default()
        },
    },
];

/// The hairstyle of that name.
pub fn style(id: &str) -> Option<&'static Style> {
    STYLES.iter().find(|style| style.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Params, check};

    #[test]
    fn every_style_keeps_to_the_declared_ranges_and_differs() {
        for (i, style) in STYLES.iter().enumerate() {
            let params = (style.params)();
            for (index, tunable) in params.tunables().iter().enumerate() {
                check("groom", tunable, params.get(index))
                    .unwrap_or_else(|error| panic!("{}: {error}", style.id));
            }
            for other in &STYLES[..i] {
                assert_ne!(params, (other.params)(), "{} and {}", style.id, other.id);
            }
        }
        assert!(style("coily").is_some() && style("bald").is_none());
    }

    #[test]
    fn another_style_keeps_the_cut() {
        let keys = GroomParams::default().tunables();
        let known = |key: &&str| keys.iter().any(|tunable| tunable.key == *key);
        assert!(CUT.iter().all(known));
        let wavy = style("wavy").expect("listed");
        // Of hair as a style has it the length is the style's.
        assert_eq!(wavy.of(&GroomParams::default()), (wavy.params)());
        let bob = GroomParams {
            length: 0.11,
            fringe: 0.04,
            ..GroomParams::default()
        };
        let worn = wavy.of(&bob);
        assert_eq!((worn.length, worn.fringe), (0.11, 0.04));
        assert_eq!(worn.curl_radius, (wavy.params)().curl_radius);
        assert!(wavy.is_worn(&worn) && !wavy.is_worn(&bob));
        let curly = style("curly").expect("listed");
        assert!(curly.is_worn(&bob) && curly.is_worn(&GroomParams::default()));
    }
}
