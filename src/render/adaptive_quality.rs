//! Quality of the window's picture when the processor has to draw it: reduced while
//! something moves, so that camera and panel stay fluid.
//!
//! Graphics hardware always draws at full quality; so do recordings and single
//! pictures.

use super::{Geometry, LookParams, Shading};
use std::time::{Duration, Instant};

/// Time that a picture should take while something moves. `[ms]`
const LIVE_MS: f64 = 45.0;

/// Smallest number of strands that is drawn; fewer would not look like hair.
const LEAST_STRANDS: f32 = 1500.0;

/// Largest number of strands in the first picture of a groom, whose drawing time is
/// still unknown.
const FIRST_STRANDS: f32 = 12_000.0;

/// Lowest resolution of a moving picture, along a side; below it is blurred.
const COARSEST: f32 = 0.5;

/// Largest ratio of the strands in a picture at rest to those in a moving one.
const AT_REST: f32 = 8.0;

/// If a share `s` of the strands is drawn, each is wider by `s` to the power of minus
/// this. At 0.5 gaps remain, shaded as if the strands that are left out were there; at
/// 1 strands look like ropes. This comes nearest to the area and the colour of all
/// strands.
const WIDTH_EXPONENT: f32 = 0.7;

/// Largest factor by which thinned strands are widened.
const MAX_WIDENING: f32 = 5.0;

/// Width up to which strands are merged in pictures for files: fewer are drawn, each
/// wider. `[px]`
const MERGED: f32 = 0.6;

/// Time without motion after which a picture is drawn as at rest: edges smoothed,
/// curls rounded.
pub const REST: Duration = Duration::from_millis(250);

/// Quality of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderQuality {
    /// Parameters of hair and set.
    pub look: LookParams,
    /// Pixels drawn for each pixel shown, along a side: 0..=1.
    pub resolution: f32,
}

impl RenderQuality {
    /// The full quality of `look`.
    pub fn full(look: &LookParams) -> Self {
        Self {
            look: look.clone(),
            resolution: 1.0,
        }
    }

    /// The full quality of `look`, but where strands are too thin for a picture in which
    /// a metre spans `magnified` pixels: of so many strands fewer are drawn, each wider,
    /// as in stochastic simplification (Cook, Halstead, Planck and Ryu 2007, "Stochastic
    /// simplification of aggregate detail").
    pub fn merged(look: &LookParams, strands: usize, magnified: f32) -> Self {
        let drawn = (strands as f32 * look.drawn).max(1.0);
        let width = look.drawn_width(drawn as usize) * magnified;
        let share = (width / MERGED).max(least_share(drawn as usize)).min(1.0);
        let mut merged = thinned(look, share);
        if share < 1.0 {
            // Pieces of some four pixels turn by less than is seen at that size.
            merged.rounding = look.rounding.min(1.0);
        }
        Self::full(&merged)
    }

    /// The cheapest picture that still shows the hair of `look`: unlit lines, and half
    /// the pixels along a side.
    pub fn plain(look: &LookParams) -> Self {
        Self {
            look: LookParams {
                geometry: Geometry::Lines,
                shading: Shading::Flat,
                samples: 1,
                shadow: 0.0,
                rounding: look.rounding.min(0.5),
                ..look.clone()
            },
            resolution: 0.5,
        }
    }

    /// The lowest quality that [`AdaptiveQuality`] chooses for `look` and so many
    /// strands, where the processor draws and something moves.
    pub fn coarsest(look: &LookParams, strands: usize) -> Self {
        let quality = AdaptiveQuality {
            share: least_share(strands),
            resolution: COARSEST,
            ..AdaptiveQuality::new(true)
        };
        quality.live(look)
    }

    /// Pixels drawn along a side that shows `side` pixels.
    pub fn pixels(&self, side: u32) -> u32 {
        ((side as f32 * self.resolution).round() as u32).max(1)
    }
}

/// Adapts the quality of the window's picture to the time it takes.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveQuality {
    software: bool,
    /// Share of the strands that is drawn while something moves, 0..=1.
    share: f32,
    /// Pixels drawn for each shown while something moves, along a side.
    resolution: f32,
    /// When something last moved.
    moved: Instant,
}

impl AdaptiveQuality {
    /// Full quality, to be adapted if the processor draws (`software`).
    pub fn new(software: bool) -> Self {
        Self {
            software,
            share: 1.0,
            resolution: 1.0,
            moved: Instant::now(),
        }
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Quality while something moves, in words; `None` where hardware draws.
    pub fn words(&self) -> Option<String> {
        let words = || match (100.0 * self.share).round() {
            100.0 => "CPU preview".into(),
            share => format!("CPU preview: {share} % of hair drawn"),
        };
        self.software.then(words)
    }

    /// Prepares for another groom of so many strands, followers included.
    pub fn expect(&mut self, strands: usize) {
        if self.software {
            self.share = self.share.min(FIRST_STRANDS / strands.max(1) as f32);
        }
    }

    /// Records that something moved.
    pub fn moved(&mut self, now: Instant) {
        self.moved = now;
    }

    /// When the picture counts as at rest, unless something moves before.
    pub fn rests_at(&self) -> Instant {
        self.moved + REST
    }

    /// Quality of a picture in which something moves.
    pub fn live(&self, look: &LookParams) -> RenderQuality {
        if !self.software {
            return RenderQuality::full(look);
        }
        RenderQuality {
            look: LookParams {
                samples: 1,
                rounding: look.rounding.min(0.5),
                ..thinned(look, self.share)
            },
            resolution: self.resolution,
        }
    }

    /// Quality of a picture in which nothing has moved for [`REST`].
    pub fn at_rest(&self, look: &LookParams) -> RenderQuality {
        let share = (self.share * AT_REST).min(1.0);
        RenderQuality::full(&thinned(look, share))
    }

    /// Adapts the quality to the time of the last moving picture `[ms]`, of a groom of
    /// so many strands, followers included.
    pub fn learn(&mut self, ms: f64, strands: usize) {
        if !self.software {
            return;
        }
        let change = (LIVE_MS / ms.max(1.0)).clamp(0.5, 1.4) as f32;
        let least = least_share(strands);
        // Quality falls fast, as delay is felt at once. It rises slowly and only with
        // time to spare: small corrections would flicker.
        if change < 0.8 {
            if self.resolution > COARSEST {
                self.resolution = (self.resolution * change.sqrt()).max(COARSEST);
            } else {
                self.share = (self.share * change).max(least);
            }
        } else if change > 1.25 {
            if self.share < 1.0 {
                self.share = (self.share * 1.1).min(1.0);
            } else {
                self.resolution = (self.resolution * 1.05).min(1.0);
            }
        }
    }
}

/// Smallest share of so many strands that is drawn.
fn least_share(strands: usize) -> f32 {
    (LEAST_STRANDS / strands.max(1) as f32).min(1.0)
}

/// Draws a share of the strands, each wider, so that the hair looks as dense.
fn thinned(look: &LookParams, share: f32) -> LookParams {
    LookParams {
        drawn: look.drawn * share,
        width: (look.width * share.powf(-WIDTH_EXPONENT).min(MAX_WIDENING)).min(0.005),
        ..look.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_draws_everything_however_long_it_takes() {
        let look = LookParams::default();
        let mut effort = AdaptiveQuality::new(false);
        effort.learn(5000.0, 100_000);
        assert_eq!(effort.live(&look), RenderQuality::full(&look));
        assert_eq!(effort.at_rest(&look), RenderQuality::full(&look));
    }

    #[test]
    fn strands_that_are_wide_enough_are_all_drawn_and_thinner_ones_merged() {
        let look = LookParams::default();
        let drawn = |magnified| {
            let merged = RenderQuality::merged(&look, 15_000, magnified);
            let LookParams { drawn, width, .. } = merged.look;
            assert!(drawn == 1.0 || width > look.width, "{drawn} {width}");
            drawn
        };
        assert_eq!(drawn(1e4), 1.0, "from near");
        let share = [2000.0, 1300.0, 640.0].map(drawn);
        assert!(share[0] > share[1] && share[1] > share[2], "{share:?}");
        assert!((0.3..0.45).contains(&share[2]), "{share:?}");
        // Never so few that they look like something else.
        let least = RenderQuality::merged(&look, 15_000, 1.0).look.drawn;
        assert_eq!((15_000.0 * least).round(), LEAST_STRANDS);
        let few = RenderQuality::merged(&look, 1000, 1.0);
        assert_eq!(few, RenderQuality::full(&look));
    }

    /// Modelled time of a picture: a part per pixel and a part per strand. `[ms]`
    fn cost(care: &RenderQuality) -> f64 {
        let pixels = f64::from(care.resolution.powi(2));
        30.0 * pixels + 4000.0 * f64::from(care.look.drawn) * (0.5 + 0.5 * pixels)
    }

    #[test]
    fn a_processor_draws_what_it_can_and_the_rest_at_rest() {
        let look = LookParams::default();
        let mut effort = AdaptiveQuality::new(true);
        for _ in 0..200 {
            let ms = cost(&effort.live(&look));
            effort.learn(ms, 1_000_000);
        }
        let live = effort.live(&look);
        assert_eq!(live.look.samples, 1);
        assert_eq!(live.resolution, COARSEST);
        assert!(live.look.drawn < 0.03, "{}", live.look.drawn);
        assert!(cost(&live) < 1.3 * LIVE_MS, "{} ms", cost(&live));
        let rest = effort.at_rest(&look);
        assert_eq!((rest.look.samples, rest.resolution), (look.samples, 1.0));
        assert!(rest.look.drawn > 2.0 * live.look.drawn);
        // When it becomes fast again, all come back.
        for _ in 0..200 {
            effort.learn(5.0, 1_000_000);
        }
        assert_eq!(effort.live(&look).look.drawn, look.drawn);
        assert_eq!(effort.live(&look).resolution, 1.0);
    }

    #[test]
    fn the_first_picture_of_very_many_strands_does_not_show_all() {
        let look = LookParams::default();
        let mut effort = AdaptiveQuality::new(true);
        effort.expect(3600);
        assert_eq!(effort.live(&look).look.drawn, look.drawn);
        effort.expect(120_000);
        let first = effort.live(&look).look.drawn;
        assert!((first - 0.1 * look.drawn).abs() < 1e-6, "{first}");
        let mut hardware = AdaptiveQuality::new(false);
        hardware.expect(1_000_000);
        assert_eq!(hardware.live(&look).look.drawn, look.drawn);
    }

    #[test]
    fn a_steady_picture_is_left_alone() {
        let look = LookParams::default();
        let mut effort = AdaptiveQuality::new(true);
        for _ in 0..300 {
            let ms = cost(&effort.live(&look));
            effort.learn(ms, 100_000);
        }
        let settled = effort.live(&look);
        for _ in 0..50 {
            effort.learn(cost(&settled), 100_000);
            assert_eq!(effort.live(&look), settled);
        }
    }

    #[test]
    fn ordinary_hair_is_never_thinned() {
        let mut effort = AdaptiveQuality::new(true);
        for _ in 0..50 {
            effort.learn(900.0, 1500);
        }
        let look = LookParams::default();
        assert_eq!(effort.live(&look).look.drawn, look.drawn);
    }
}
