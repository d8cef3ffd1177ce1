//! The colour of a strand along its length: what `absorption` and `toned` of
//! shaders/fibre.glsl compute, for files of other programs.

use super::{
    LookParams,
    pigment::{EUMELANIN, PHEOMELANIN, THICK, dye_of},
};
use crate::math::{random::strand_random, smoothstep};
use glam::Vec3;

/// What a strand of pigmented hair looks like.
#[derive(Clone, Copy, Debug)]
pub struct StrandColour<'a> {
    look: &'a LookParams,
    /// How much more pigment than others it has, a factor.
    amount: f32,
    /// The same of reddish pigment.
    red: f32,
    /// Absorption of its second colour.
    tone: Vec3,
    /// Share of its length, from the root, where the second colour of its tip begins.
    from: f32,
    /// Whether it is in a streak of the second colour.
    in_streak: bool,
}

impl<'a> StrandColour<'a> {
    /// That of drawn strand `number` in the streak of that number
    /// ([`streak_number`](super::streaks::streak_number)).
    pub fn new(look: &'a LookParams, number: u32, streak: f32) -> Self {
        let random = |slot: u32| strand_random(number, slot);
        let spread = look.variation * (random(21) + random(22) - 1.0);
        let is_white = random(33) < look.grey;
        let tone = Vec3::from(dye_of(look.tone_colour.into()));
        Self {
            look,
            amount: (1.6 * spread).exp() * if is_white { 0.02 } else { 1.0 },
            red: 0.7 + 0.6 * random(23),
            tone: tone * (0.5 * spread).exp(),
            from: 1.0 - look.tone_tips * (1.0 + 0.2 * (random(34) - 0.5)),
            in_streak: streak < look.tone_streaks && random(35) < 0.9,
        }
    }

    /// The colour, linear, of so much hair like it that nothing shows through (Chiang et al.
    /// 2016, equation 9), at share `t` of its length from the root: what other programs take
    /// absorption from, too. `own` is a colour that the strand brings along.
    pub fn at(&self, t: f32, own: Option<Vec3>) -> Vec3 {
        let share = self.tone_share(t);
        match own {
            Some(own) if share == 0.0 => own,
            Some(own) => thick(absorption_of(own).lerp(self.tone, share)),
            None => thick(self.absorption(t).lerp(self.tone, share)),
        }
    }

    /// Absorption without the second colour.
    fn absorption(&self, t: f32) -> Vec3 {
        let look = self.look;
        let along = 1.18 + (0.80 - 1.18) * smoothstep(0.0, 0.9, t);
        let grown_out = look.root_eumelanin * (1.0 - smoothstep(0.05, 0.5, t));
        let eumelanin = EUMELANIN * (look.eumelanin + grown_out);
        let melanin = eumelanin + PHEOMELANIN * (look.pheomelanin * self.red);
        melanin * (self.amount * along) + Vec3::from(look.dye)
    }

    /// Share of the second colour.
    fn tone_share(&self, t: f32) -> f32 {
        let (look, from) = (self.look, self.from);
        let to = (from + (1.0 - from) * look.tone_blend).max(from + 0.02);
        let tips = match look.tone_tips > 0.0 {
            true => smoothstep(from, to, t),
            false => 0.0,
        };
        let streaks = match self.in_streak {
            true => smoothstep(0.0, 0.08, t),
            false => 0.0,
        };
        let grown_out = (4.0 * look.root_eumelanin).min(1.0) * (1.0 - smoothstep(0.05, 0.5, t));
        tips.max(streaks) * (1.0 - grown_out)
    }
}

/// The colour of so much hair of that absorption that nothing shows through.
fn thick(sigma: Vec3) -> Vec3 {
    (sigma.map(f32::sqrt) * -THICK).exp()
}

/// Absorption that gives thick hair this colour.
fn absorption_of(colour: Vec3) -> Vec3 {
    let root = colour
        .clamp(Vec3::splat(0.001), Vec3::splat(0.98))
        .map(f32::ln)
        / THICK;
    root * root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pigment::thick as thick_of;

    #[test]
    fn a_colour_is_the_look_s_and_the_second_one_where_it_is_said() {
        let look = LookParams {
            variation: 0.0,
            pheomelanin: 0.0,
            ..LookParams::default()
        };
        // Darker at the root, lighter at the tip, the look's own in between.
        let strand = StrandColour::new(&look, 7, 0.4);
        let [root, tip] = [0.0, 1.0].map(|t| strand.at(t, None));
        let plain = thick_of(&look);
        assert!(root.cmplt(plain).all() && plain.cmplt(tip).all());
        let own = Vec3::new(0.2, 0.1, 0.05);
        assert_eq!(strand.at(0.3, Some(own)), own, "to the bit");
        let toned = |tips: f32, streaks: f32| LookParams {
            tone_tips: tips,
            tone_streaks: streaks,
            tone_blend: 0.0,
            ..look.clone()
        };
        let (tips, streaks) = (toned(0.5, 0.0), toned(0.0, 0.5));
        let dye = thick(Vec3::from(dye_of(look.tone_colour.into())));
        let tips = StrandColour::new(&tips, 7, 0.4);
        for own in [None, Some(own)] {
            assert!(tips.at(0.7, own).distance(dye) < 1e-6);
            assert_eq!(tips.at(0.2, own), strand.at(0.2, own));
        }
        // Nine of ten strands of a streak have it, and none of another streak.
        let has = |streak: f32| {
            let strands = (0..1000).map(|id| StrandColour::new(&streaks, id, streak));
            let all = strands.filter(|strand| strand.at(0.5, None).distance(dye) < 1e-6);
            all.count()
        };
        assert!((860..940).contains(&has(0.4)), "{}", has(0.4));
        assert_eq!(has(0.6), 0);
    }

    #[test]
    fn absorption_is_that_of_its_colour() {
        for colour in [Vec3::new(0.3, 0.1, 0.02), Vec3::splat(0.9)] {
            assert!(thick(absorption_of(colour)).distance(colour) < 1e-6);
        }
    }
}
