//! Hair of a part of a head, such as a fringe, one side or a beard: it keeps its own size
//! and goes where its roots lie on the skin, for a part that is blown up to a whole scalp is
//! no hair of anybody.

use super::{
    fit::{
        FEW, FitQuality, Fitting, ODD_AXIS, ODD_TURN, Placement, breadth, middle, middle_of, ways,
    },
    fit_limits::{FitLimits, Sizes},
};
use crate::{
    math::elementary::ln,
    mesh::{Units, Up},
};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Lengths of hair that its own unit may give it, and the usual one. `[m]`
const LENGTHS: RangeInclusive<f32> = 0.01..=1.0;
const USUAL: f32 = 0.15;
/// Shares of the scalp's breadth that roots of a part of it have.
const PARTS: RangeInclusive<f32> = 0.03..=0.75;
/// Roots of a part lie on the skin: at its own size they and the hair are off by no more
/// than this share of its breadth.
const SITS: f32 = 0.12;
/// Hair that covers a scalp must sit so much better to be blown up to it.
const BLOWN_UP: f32 = 0.5;
/// Places on the scalp, and on all of the head, at which a part is tried.
const ON_SCALP: usize = 32;
const ON_SKIN: usize = 24;
/// How many of all that were tried are moved.
const PROMISING: usize = 12;
/// How far they are moved, at first and at last. `[m]`
const MOVES: [f32; 5] = [0.02, 0.01, 0.005, 0.002, 0.001];
const MOVES_EACH: usize = 8;
/// No skin is looked for farther away. `[m]`
const FAR: f32 = 0.5;

/// The placement that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestFit {
    /// Where the hair goes.
    pub placement: Placement,
    /// How well it sits there.
    pub quality: FitQuality,
    /// Whether it is hair of a part of the head, which keeps its own size.
    pub is_part: bool,
}

impl Fitting<'_> {
    /// The placement that sits best of all that are found within `limits`, of hair that
    /// covers a scalp or of hair of a part of it; none without strands. The file may have
    /// `said` which axis is up, and how long its unit is `[m]`.
    pub fn best_of_file(
        &self,
        (said, unit): (Option<Up>, Option<f32>),
        limits: &FitLimits,
    ) -> Option<BestFit> {
        let whole = self.best(said, limits);
        let part = self.best_part((said, unit), limits);
        let whole = whole.map(|(placement, quality)| BestFit {
            placement,
            quality,
            is_part: false,
        });
        let Some(part) = part else { return whole };
        let off = self.off(&part, 1);
        let blown_up = whole.map_or(f32::INFINITY, |whole| self.off(&whole.placement, 1));
        log::debug!("fit: as a part {part:?}, off by {off}, and as a whole by {blown_up}");
        if off > SITS || blown_up < BLOWN_UP * off {
            return whole;
        }
        Some(BestFit {
            quality: self.quality(&part),
            placement: part,
            is_part: true,
        })
    }

    /// How far roots are from the skin and hair is below it, as a share of the roots'
    /// breadth.
    pub(super) fn off(&self, placement: &Placement, step: usize) -> f32 {
        self.part_cost(placement, step).0
    }

    /// The same, and that with what is unusual of a place.
    fn part_cost(&self, placement: &Placement, step: usize) -> (f32, f32) {
        let surface = &self.body.surface;
        let (mut off, mut outside, mut rise) = (0.0, 0.0, 0.0);
        let mut roots = Vec::with_capacity(self.wisps.len());
        for wisp in self.wisps.iter().step_by(step) {
            let root = placement.place(wisp.root);
            match surface.closest(root, FAR) {
                Some(skin) => {
                    off += skin.distance.abs();
                    outside += f32::from(u8::from(!self.body.is_scalp(skin.triangle)));
                }
                None => {
                    off += FAR;
                    outside += 1.0;
                }
            }
            for p in wisp.rest {
                let below = surface.closest(placement.place(p), 0.1);
                off += below.map_or(0.0, |nearest| (-nearest.distance).max(0.0)) / 3.0;
            }
            rise += (placement.place(wisp.rest[2]) - root).normalize_or_zero().y;
            roots.push(root);
        }
        let n = roots.len().max(1) as f32;
        let aside = (middle(&roots).x - self.middle.x).abs();
        let off = off / n / breadth(&roots).max(1e-6);
        let unusual = 0.1 * outside / n + 0.03 * rise / n + 0.02 * aside / self.breadth;
        (off, off + unusual)
    }

    /// The best placement at a size that the file's unit gives the hair.
    fn best_part(
        &self,
        (said, unit): (Option<Up>, Option<f32>),
        limits: &FitLimits,
    ) -> Option<Placement> {
        let sizes = self.own_sizes(unit, &limits.sizes);
        let places = self.places();
        let step = self.wisps.len().div_ceil(FEW).max(1);
        let likely = said.unwrap_or(Up::Y);
        let length = self.length();
        let odds = |placement: &Placement, cost: f32| {
            let axis = if placement.up == likely {
                1.0
            } else {
                ODD_AXIS.sqrt()
            };
            let turn = if placement.turn == 0.0 { 1.0 } else { ODD_TURN };
            let far = ln(length * placement.metres / USUAL);
            (cost + 0.03 + 0.005 * far * far) * axis * turn
        };
        let tried: Vec<(Up, f32, f32)> = ways(limits)
            .into_iter()
            .flat_map(|(up, turn)| sizes.iter().map(move |metres| (up, turn, *metres)))
            .collect();
        let mut begun: Vec<(f32, Placement)> = tried
            .into_par_iter()
            .flat_map_iter(|(up, turn, metres)| {
                let bare = Placement {
                    up,
                    turn,
                    metres,
                    offset: Vec3::ZERO,
                    along: None,
                };
                let from = middle_of(&self.wisps, &bare);
                let begun = places.iter().map(move |to| {
                    let mut placement = Placement {
                        offset: *to - from,
                        ..bare
                    };
                    (0..2).for_each(|_| self.to_skin(&mut placement, step));
                    placement
                });
                let cost = |placement| {
                    (
                        odds(&placement, self.part_cost(&placement, step).1),
                        placement,
                    )
                };
                let mut begun: Vec<(f32, Placement)> = begun.map(cost).collect();
                begun.sort_by(|a, b| a.0.total_cmp(&b.0));
                begun.truncate(PROMISING / 3);
                begun
            })
            .collect();
        begun.sort_by(|a, b| a.0.total_cmp(&b.0));
        begun.truncate(PROMISING);
        let moved = begun.into_par_iter().map(|(_, placement)| {
            let placement = self.moved(placement, step, &|p, step| self.part_cost(p, step).1);
            (odds(&placement, self.part_cost(&placement, 1).1), placement)
        });
        let moved: Vec<(f32, Placement)> = moved.collect();
        let (_, best) = moved.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(self.moved(best, 1, &|p, step| self.part_cost(p, step).1))
    }

    /// A placement beside that one which costs less, as `cost` says of every so many
    /// strands.
    pub(super) fn moved(
        &self,
        mut placement: Placement,
        step: usize,
        cost: &dyn Fn(&Placement, usize) -> f32,
    ) -> Placement {
        let mut least = cost(&placement, step);
        for by in MOVES {
            for _ in 0..MOVES_EACH {
                let shifts = [Vec3::X, Vec3::Y, Vec3::Z].into_iter();
                let shifts = shifts.flat_map(|axis| [axis * by, axis * -by]);
                let tried = shifts.map(|by| {
                    let mut tried = Placement {
                        offset: placement.offset + by,
                        ..placement
                    };
                    self.to_skin(&mut tried, step);
                    (cost(&tried, step), tried)
                });
                match tried.min_by(|a, b| a.0.total_cmp(&b.0)) {
                    Some((less, there)) if less < least - 1e-5 => {
                        (least, placement) = (less, there);
                    }
                    _ => break,
                }
            }
        }
        placement
    }

    /// Moves the hair by what its roots are from the skin on average.
    pub(super) fn to_skin(&self, placement: &mut Placement, step: usize) {
        let (mut by, mut n) = (Vec3::ZERO, 0.0);
        for wisp in self.wisps.iter().step_by(step) {
            let root = placement.place(wisp.root);
            if let Some(skin) = self.body.surface.closest(root, f32::MAX) {
                by += skin.point - root;
                n += 1.0;
            }
        }
        placement.offset += by / f32::max(n, 1.0);
    }

    /// Sizes at which strands are as long as hair and cover a part of the scalp. `[m]`
    fn own_sizes(&self, unit: Option<f32>, sizes: &Sizes) -> Vec<f32> {
        let roots: Vec<Vec3> = self.wisps.iter().map(|wisp| wisp.root).collect();
        let (own, length) = (breadth(&roots), self.length());
        let plausible = |metres: &f32| {
            let part = own * metres / self.breadth;
            LENGTHS.contains(&(length * metres)) && PARTS.contains(&part)
        };
        let all = match sizes {
            Sizes::Among(all) => all.clone(),
            _ => Units::ALL.map(Units::metres).to_vec(),
        };
        // What the file says of its unit is so where hair may have that size.
        let said = unit.filter(|metres| sizes.allow(*metres) && plausible(metres));
        match said {
            Some(metres) => vec![metres],
            None => (all.into_iter())
                .filter(|metres| sizes.allow(*metres) && plausible(metres))
                .collect(),
        }
    }

    /// The median length of strands, in units of the file.
    fn length(&self) -> f32 {
        let mut all: Vec<f32> = self.wisps.iter().map(|wisp| wisp.length).collect();
        all.sort_by(f32::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or_default()
    }

    /// Places on the scalp, and on the skin around it. `[m]`
    fn places(&self) -> Vec<Vec3> {
        let every = self.scalp.len().div_ceil(ON_SCALP).max(1);
        let mut places: Vec<Vec3> = self.scalp.iter().step_by(every).copied().collect();
        let near = |p: &&Vec3| p.distance(self.middle) < 2.5 * self.breadth;
        let skin: Vec<Vec3> = self
            .body
            .mesh
            .positions
            .iter()
            .filter(near)
            .copied()
            .collect();
        let every = skin.len().div_ceil(ON_SKIN).max(1);
        places.extend(skin.iter().step_by(every));
        places
    }
}

#[cfg(test)]
mod tests;
