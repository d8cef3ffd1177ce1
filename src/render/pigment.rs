//! Hair colours by name, as pigments: starting points for the same parameters.

use super::LookParams;
use glam::Vec3;

/// A named colour.
pub struct Pigment {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in the panel.
    pub label: &'static str,
    /// Dark and reddish pigment.
    melanin: [f32; 2],
    /// What a dye absorbs.
    dye: [f32; 3],
    /// Share of white strands.
    grey: f32,
}

const fn natural(id: &'static str, label: &'static str, melanin: [f32; 2]) -> Pigment {
    dyed(id, label, melanin, [0.0; 3])
}

/// Reds hold more than both melanins explain: without a little absorption of
/// green they look like gold.
const fn dyed(id: &'static str, label: &'static str, melanin: [f32; 2], dye: [f32; 3]) -> Pigment {
    Pigment {
        id,
        label,
        melanin,
        dye,
        grey: 0.0,
    }
}

/// The colours, from dark to light.
pub const PIGMENTS: &[Pigment] = &[
    natural("black", "Black", [6.0, 0.0]),
    natural("soft-black", "Soft black", [3.2, 0.1]),
    natural("dark-brown", "Dark brown", [1.8, 0.15]),
    natural("brown", "Brown", [1.2, 0.1]),
    natural("chestnut", "Chestnut", [0.75, 0.5]),
    dyed("auburn", "Auburn", [0.4, 1.3], [0.0, 0.1, 0.0]),
    dyed("copper", "Copper", [0.1, 1.2], [0.0, 0.08, 0.0]),
    dyed("strawberry", "Strawberry", [0.05, 0.45], [0.0, 0.06, 0.02]),
    natural("dark-blond", "Dark blond", [0.5, 0.12]),
    natural("blond", "Blond", [0.22, 0.08]),
    natural("platinum", "Platinum", [0.035, 0.02]),
    Pigment {
        grey: 0.55,
        ..natural("grey", "Grey", [1.6, 0.0])
    },
    natural("white", "White", [0.012, 0.0]),
];

/// The colour of that name.
pub fn pigment(id: &str) -> Option<&'static Pigment> {
    PIGMENTS.iter().find(|pigment| pigment.id == id)
}

impl Pigment {
    /// Gives `look` this colour.
    pub fn apply_to(&self, look: &mut LookParams) {
        [look.eumelanin, look.pheomelanin] = self.melanin;
        look.dye = self.dye;
        look.grey = self.grey;
    }

    /// Whether `look` has this colour.
    pub fn colours(&self, look: &LookParams) -> bool {
        [look.eumelanin, look.pheomelanin] == self.melanin
            && look.dye == self.dye
            && look.grey == self.grey
    }
}

/// Light that is absorbed across a fibre's radius, in linear red, green and blue
/// (d'Eon et al. 2011, as fitted by Chiang et al. 2016).
pub fn absorption(look: &LookParams) -> Vec3 {
    Vec3::new(0.419, 0.697, 1.37) * look.eumelanin
        + Vec3::new(0.187, 0.4, 1.05) * look.pheomelanin
        + Vec3::from(look.dye)
}

/// The colour of so much hair that nothing shows through (Chiang et al. 2016,
/// equation 9, for an azimuthal roughness of 0.3), linear.
pub fn thick(look: &LookParams) -> Vec3 {
    let absorption = absorption(look);
    let coloured = (absorption.map(f32::sqrt) * -5.89).exp();
    coloured.lerp(Vec3::splat(0.6), look.grey)
}

/// The same near the roots, which may be darker.
pub fn thick_at_roots(look: &LookParams) -> Vec3 {
    thick(&LookParams {
        eumelanin: look.eumelanin + look.root_eumelanin,
        ..look.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Params, check};

    #[test]
    fn every_colour_is_allowed_and_found_again() {
        for (i, pigment) in PIGMENTS.iter().enumerate() {
            let mut look = LookParams::default();
            pigment.apply_to(&mut look);
            assert!(pigment.colours(&look));
            for (index, tunable) in look.tunables().iter().enumerate() {
                check("look", tunable, look.get(index)).expect("in range");
            }
            let same = PIGMENTS.iter().filter(|other| other.colours(&look));
            assert_eq!(same.count(), 1, "{}", pigment.id);
            assert!(super::pigment(pigment.id).is_some());
            if i > 0 {
                assert!(PIGMENTS[..i].iter().all(|other| other.id != pigment.id));
            }
        }
    }

    #[test]
    fn more_pigment_absorbs_more_and_blue_first() {
        let mut look = LookParams::default();
        let mut before = Vec3::ONE;
        for eumelanin in [0.01, 0.1, 1.0, 6.0] {
            look.eumelanin = eumelanin;
            let colour = thick(&look);
            assert!(colour.cmplt(before).all(), "{colour}");
            assert!(colour.x >= colour.y && colour.y >= colour.z);
            before = colour;
        }
    }
}
