//! Quality of the window's picture when the processor has to draw it: reduced while
//! something moves, so that camera and panel stay fluid.
//!
//! Graphics hardware always draws at full quality; so do recordings and single
//! pictures.

use super::{DrawnParts, Geometry, LookParams, Shading};
use std::time::{Duration, Instant};

/// Time that a picture should take while something moves. `[ms]`
const LIVE_MS: f64 = 45.0;

/// Share of the time that a picture should take in which it may not be ready: then
/// quality falls; and with as much time to spare it rises.
const TOO_LONG: f64 = 0.8;

/// Pictures whose times are taken together: the light in moving hair, and its colours, are
/// made anew in one of three.
const TOGETHER: u32 = 6;

/// A quality that was raised in vain is raised again after so many judgements, and after
/// twice as many when that was in vain again, up to the second number.
const WAITS: [u32; 2] = [2, 128];

/// Smallest number of strands that is drawn; fewer would not look like hair.
const LEAST_STRANDS: f32 = 1500.0;

/// Largest number of strands in the first picture of a groom, whose drawing time is
/// still unknown.
const FIRST_STRANDS: f32 = 12_000.0;

/// Lowest resolution of a moving picture, along a side; below it is blurred.
const COARSEST: f32 = 0.5;

/// Largest ratio of the strands in a picture at rest to those in a moving one.
const AT_REST: f32 = 8.0;

/// Largest factor by which thinned strands are widened, beside the widest that so few
/// are drawn with anyway: still wider ones look like ropes.
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
        let mut merged = thinned(look, share, strands);
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

    /// The lowest quality that the window chooses for `look` and so many strands, of at most
    /// that rounding, where the processor draws and something moves.
    pub fn coarsest(look: &LookParams, strands: usize, rounding: f32) -> Self {
        let quality = AdaptiveQuality {
            share: least_share(strands),
            resolution: COARSEST,
            strands,
            rounding,
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
    /// Strands of the groom, followers included.
    strands: usize,
    /// Most that `LookParams::rounding` may be while something moves.
    rounding: f32,
    /// Share of the strands that is drawn while something moves, 0..=1.
    share: f32,
    /// Pixels drawn for each shown while something moves, along a side.
    resolution: f32,
    /// When something last moved.
    moved: Instant,
    /// Time and number of the moving pictures since the quality was last judged. `[ms]`
    taken: (f64, u32),
    /// Whether the quality was raised since it last fell.
    raised: bool,
    /// Judgements to come before it may be raised, and how many there are after the
    /// next fall.
    waits: [u32; 2],
    /// Judgements since it last fell.
    calm: u32,
}

impl AdaptiveQuality {
    /// Full quality, to be adapted if the processor draws (`software`).
    pub fn new(software: bool) -> Self {
        Self {
            software,
            strands: 0,
            rounding: 1.0,
            share: 1.0,
            resolution: 1.0,
            moved: Instant::now(),
            taken: (0.0, 0),
            raised: false,
            waits: [0, WAITS[0]],
            calm: 0,
        }
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// What is drawn, a `share` of the strands, in words; `None` where hardware draws.
    pub fn words(&self, share: f32) -> Option<String> {
        let words = || match (100.0 * share).round() {
            share if !share.is_finite() || share >= 100.0 => "CPU preview".into(),
            share => format!("CPU preview: {share} % of hair drawn"),
        };
        self.software.then(words)
    }

    /// Prepares for the hair of `drawing`.
    pub fn expect_hair(&mut self, drawing: &DrawnParts) {
        let rounding = drawing.hair.made.live_rounding;
        self.expect(drawing.planted.strands(), rounding);
    }

    /// Prepares for another groom of so many strands, followers included, of at most that
    /// rounding while something moves.
    pub fn expect(&mut self, strands: usize, rounding: f32) {
        (self.strands, self.rounding) = (strands, rounding);
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
                rounding: look.rounding.min(self.rounding),
                ..thinned(look, self.share, self.strands)
            },
            resolution: self.resolution,
        }
    }

    /// Quality of a picture in which nothing has moved for [`REST`].
    pub fn at_rest(&self, look: &LookParams) -> RenderQuality {
        let share = (self.share * AT_REST).min(1.0);
        RenderQuality::full(&thinned(look, share, self.strands))
    }

    /// Adapts the quality to the time of the last moving picture `[ms]`, of a groom of
    /// so many strands, followers included.
    pub fn learn(&mut self, ms: f64, strands: usize) {
        if !self.software {
            return;
        }
        let (sum, count) = (self.taken.0 + ms, self.taken.1 + 1);
        self.taken = (sum, count);
        // Delay is felt at once: few pictures are enough that take too long.
        if count < TOGETHER && sum * TOO_LONG < f64::from(TOGETHER) * LIVE_MS {
            return;
        }
        self.taken = (0.0, 0);
        let change = LIVE_MS * f64::from(count) / sum.max(1.0);
        self.calm += 1;
        if self.calm > 2 * WAITS[1] {
            self.waits[1] = WAITS[0];
        }
        if change < TOO_LONG {
            self.lower(change.max(0.5) as f32, least_share(strands));
        } else if self.waits[0] > 0 {
            self.waits[0] -= 1;
        } else if change > 1.0 / TOO_LONG {
            // Only with time to spare: small corrections would flicker.
            self.raise(change.min(1.4) as f32);
        }
    }

    /// Draws the share `change` of the pixels or, at the fewest, of the strands.
    fn lower(&mut self, change: f32, least: f32) {
        if self.resolution > COARSEST {
            self.resolution = (self.resolution * change.sqrt()).max(COARSEST);
        } else {
            self.share = (self.share * change).max(least);
        }
        // A machine with other work to do would let the picture change all the time.
        let [_, next] = self.waits;
        let next = if self.raised { 2 * next } else { next };
        self.waits = [next.min(WAITS[1]); 2];
        (self.raised, self.calm) = (false, 0);
    }

    /// Draws `change` as many strands or, where all are drawn, pixels.
    fn raise(&mut self, change: f32) {
        if self.share < 1.0 {
            self.share = (self.share * change).min(1.0);
        } else {
            self.resolution = (self.resolution * change.sqrt()).min(1.0);
        }
        self.raised = true;
    }
}

/// Smallest share of so many strands that is drawn.
fn least_share(strands: usize) -> f32 {
    (LEAST_STRANDS / strands.max(1) as f32).min(1.0)
}

/// Draws a share of so many strands, each wider, so that together they cover as much.
fn thinned(look: &LookParams, share: f32, strands: usize) -> LookParams {
    if share >= 1.0 {
        return look.clone();
    }
    let drawn = look.drawn * share;
    // Of all, and of those that are left: fewer are drawn wider than many in any case.
    let [before, after] = [look.drawn, drawn].map(|drawn| {
        let strands = strands as f32 * drawn;
        look.drawn_width(strands.round() as usize)
    });
    let wanted = (before / share).min(MAX_WIDENING * look.drawn_width(1));
    LookParams {
        drawn,
        width: (look.width * wanted / after).min(0.005),
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

    #[test]
    fn thinned_hair_covers_as_much_however_many_strands_there_are() {
        for (strands, shares) in [
            (2500, [0.6, 0.8, 0.99]),
            (15_000, [0.15, 0.36, 0.8]),
            (100_000, [0.06, 0.12, 0.5]),
        ] {
            for fullness in [0.5, 1.0] {
                let look = LookParams {
                    fullness,
                    ..LookParams::default()
                };
                let cover = |look: &LookParams| {
                    let drawn = strands as f32 * look.drawn;
                    drawn * look.drawn_width(drawn.round() as usize)
                };
                for share in shares {
                    let kept = cover(&thinned(&look, share, strands)) / cover(&look);
                    assert!((kept - 1.0).abs() < 0.02, "{share} of {strands}: {kept}");
                }
            }
        }
        // Merged strands are as wide as they are meant to be.
        let look = LookParams::default();
        let merged = RenderQuality::merged(&look, 100_000, 800.0).look;
        let width = 800.0 * merged.drawn_width((1e5 * merged.drawn).round() as usize);
        assert!((width - MERGED).abs() < 0.01, "{width} px");
        // The fewest do not become ropes.
        let coarsest = RenderQuality::coarsest(&look, 100_000, 1.0).look;
        let widest = coarsest.drawn_width(LEAST_STRANDS as usize) / look.width;
        assert!((29.0..30.1).contains(&widest), "{widest} times as wide");
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
        effort.expect(3600, 1.0);
        assert_eq!(effort.live(&look).look.drawn, look.drawn);
        effort.expect(120_000, 0.5);
        let first = effort.live(&look).look.drawn;
        assert!((first - 0.1 * look.drawn).abs() < 1e-6, "{first}");
        // As fine as that hair needs, and never finer than the look says.
        assert_eq!(effort.live(&look).look.rounding, 0.5);
        let coarse = LookParams {
            rounding: 0.3,
            ..look.clone()
        };
        assert_eq!(effort.live(&coarse).look.rounding, 0.3);
        let mut hardware = AdaptiveQuality::new(false);
        hardware.expect(1_000_000, 0.5);
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
    fn on_a_busy_machine_the_picture_does_not_change_all_the_time() {
        let look = LookParams::default();
        let mut effort = AdaptiveQuality::new(true);
        // Of each three seconds other work takes one, for five minutes.
        let (mut seconds, mut changes, mut late) = (0.0, 0, 0);
        while seconds < 300.0 {
            let before = effort.live(&look);
            let busy = seconds % 3.0 < 1.0;
            let ms = 30.0 * f64::from(before.resolution.powi(2)) * if busy { 2.4 } else { 1.0 };
            effort.learn(ms, 1000);
            seconds += 1e-3 * ms;
            if effort.live(&look) != before {
                changes += 1;
                late += u32::from(seconds > 150.0);
            }
        }
        println!("{changes} changes, {late} of them in the second half");
        assert!((1..60).contains(&changes), "{changes}");
        assert!(late <= 20, "{late}");
        // And it is sharp again some time after the other work is done.
        for _ in 0..1000 {
            effort.learn(20.0, 1000);
        }
        assert_eq!(effort.live(&look).resolution, 1.0);
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
