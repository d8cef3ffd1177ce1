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

/// Absorption across a fibre's radius of either pigment, in linear red, green and blue
/// (d'Eon et al. 2011, as fitted by Chiang et al. 2016).
pub(super) const EUMELANIN: Vec3 = Vec3::new(0.419, 0.697, 1.37);
pub(super) const PHEOMELANIN: Vec3 = Vec3::new(0.187, 0.4, 1.05);

/// Light that is absorbed across a fibre's radius, in linear red, green and blue.
pub fn absorption(look: &LookParams) -> Vec3 {
    EUMELANIN * look.eumelanin + PHEOMELANIN * look.pheomelanin + Vec3::from(look.dye)
}

/// What the root of the absorption is multiplied by in Chiang et al. 2016, equation 9, at
/// the azimuthal roughness of 0.3 that the shaders have (`THICK` in shaders/fibre.glsl).
pub(super) const THICK: f32 = 5.89;

/// The colour of so much hair that nothing shows through (Chiang et al. 2016,
/// equation 9), linear.
pub fn thick(look: &LookParams) -> Vec3 {
    let absorption = absorption(look);
    let coloured = (absorption.map(f32::sqrt) * -THICK).exp();
    coloured.lerp(Vec3::splat(0.6), look.grey)
}

/// The same near the roots, which may be darker.
pub fn thick_at_roots(look: &LookParams) -> Vec3 {
    thick(&LookParams {
        eumelanin: look.eumelanin + look.root_eumelanin,
        ..look.clone()
    })
}

/// Lit hair is lighter than what it reflects of even light: `b / (WHITE b + 1) + BLACK`
/// where b is `GAIN thick^POWER`. Fitted to pictures of the default hair in each of the
/// colours above: between the mean and the upper quartile of its pixels, within 5 of 255.
const POWER: f32 = 0.74;
const GAIN: f32 = 3.0;
const WHITE: f32 = 0.9;
const BLACK: f32 = 0.034;

/// The colour that hair of this look has in the light of the set, linear.
pub fn lit(look: &LookParams) -> Vec3 {
    let bright = thick(look).powf(POWER) * GAIN;
    bright / (bright * WHITE + 1.0) + BLACK
}

/// The largest absorption that a dye may have: the range of `look.dye`.
const MOST_DYE: f32 = 4.0;

/// What a dye must absorb so that hair without pigment looks like `colour` (linear) in the
/// light: [`lit`] and, in it, equation 9 of Chiang et al. 2016, solved for the absorption.
/// Hair is never darker or lighter than a dye makes it; beyond, this is the nearest.
pub fn dye_of(colour: Vec3) -> [f32; 3] {
    let channel = |light: f32| {
        let light = (light - BLACK).clamp(0.0, 1.0 - BLACK);
        let bright = light / (1.0 - WHITE * light);
        let thick = (bright / GAIN).powf(1.0 / POWER).min(1.0);
        let dye = (thick.ln() / THICK).powi(2).min(MOST_DYE);
        // Four digits are plenty, and a file with them is pleasant to read.
        (1e4 * dye).round() / 1e4
    };
    colour.to_array().map(channel)
}

/// Gives `look` the colour of this dye alone, without pigment.
pub fn dye(look: &mut LookParams, dye: [f32; 3]) {
    [look.eumelanin, look.pheomelanin, look.grey] = [0.0; 3];
    look.dye = dye;
}

/// Whether `look` has the colour of this dye alone.
pub fn is_dyed(look: &LookParams, dye: [f32; 3]) -> bool {
    [look.eumelanin, look.pheomelanin, look.grey] == [0.0; 3] && look.dye == dye
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Params, Value, check};

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
    fn the_colour_of_named_hair_as_a_dye_is_nearly_that_hair() {
        for pigment in PIGMENTS {
            let mut look = LookParams::default();
            pigment.apply_to(&mut look);
            let colour = lit(&look);
            let mut dyed = look.clone();
            dye(&mut dyed, dye_of(colour));
            // A step of 255 is 0.0012 of linear light where lit hair is darkest.
            let off = (lit(&dyed) - colour).abs().max_element();
            assert!(off < 6e-4, "{}: {off}", pigment.id);
            if look.grey == 0.0 {
                let wanted = absorption(&look).min(Vec3::splat(MOST_DYE));
                let off = (absorption(&dyed) - wanted).abs().max_element();
                assert!(off < 1e-3 * MOST_DYE, "{}: {off}", pigment.id);
            }
        }
    }

    #[test]
    fn any_colour_gives_a_dye_that_is_allowed_and_less_light_a_stronger_one() {
        let look = LookParams::default();
        let tunables = look.tunables();
        let tunable = tunables.iter().find(|tunable| tunable.key == "dye");
        let tunable = tunable.expect("a dye");
        let mut before = MOST_DYE;
        for step in 0..=255 {
            let dye = dye_of(Vec3::splat(step as f32 / 255.0));
            check("look", tunable, Value::Vector(dye)).expect("in range");
            assert!(dye[0] <= before, "{step}");
            before = dye[0];
        }
        assert_eq!((before, dye_of(Vec3::ZERO)), (0.0, [MOST_DYE; 3]));
        // #7a3b2e, a red brown: linear 0.195, 0.044, 0.027.
        let mut brown = look.clone();
        dye(&mut brown, dye_of(Vec3::new(0.195, 0.0437, 0.0273)));
        let shown = lit(&brown);
        assert!(
            shown.distance(Vec3::new(0.195, 0.0437, BLACK)) < 1e-3,
            "{shown}"
        );
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
