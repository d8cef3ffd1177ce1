//! Hair of another head: which way up, how large and where it sits best here.
//!
//! Many placements are tried; those that look best are moved, and then scaled,
//! until roots lie on the skin.

use super::fit_limits::{FitLimits, Sizes};
use crate::{
    math::elementary::ln,
    mesh::{CollisionMesh, Placing, RootParams, Surface, Units, Up, scatter},
};
use glam::{Quat, Vec3};
use rayon::prelude::*;
use std::{iter, ops::RangeInclusive};

/// Strands that are asked in the search, and those asked at its beginning.
const ASKED: usize = 120;
pub(super) const FEW: usize = 24;
/// Placements of one way up and round that are moved.
const PROMISING: usize = 4;
/// So many times better than a usual one must an unlikely way up or round sit.
pub(super) const ODD_AXIS: f32 = 2.0;
pub(super) const ODD_TURN: f32 = 1.5;
/// And where no file says which is usual, and y does not sit, another axis.
const ODD_OTHERWISE: f32 = 1.2;
/// Roots that are off by more than this, or by such a share of the scalp's breadth, do not
/// sit. `[m]`
const SITS: f32 = 0.01;
const SITS_SHARE: f32 = 0.2;
/// The last moves bring roots nearer to the skin while the cost rises by no more than this
/// factor; how far they go, at first and at last `[m]`, and how often.
const DEARER: f32 = 1.05;
const MOVES: [f32; 5] = [0.008, 0.004, 0.002, 0.001, 0.0005];
const MOVES_EACH: usize = 12;
/// Places on the scalp: so many are compared with, and so many begun at.
const SCALP: u32 = 300;
const BEGINNINGS: usize = 8;
/// How much of the scalp's breadth the roots may cover, to begin with.
const SHARES: [f32; 5] = [1.0, 0.8, 0.64, 0.5, 0.38];
/// Shares of it that hair of its own size may cover, to begin with.
const USUAL: RangeInclusive<f32> = 0.3..=1.2;
/// The search looks no farther for the skin than this. `[m]`
const FAR: f32 = 1.0;

/// How a file's points come onto the head: stood upright, turned about the
/// vertical, scaled and moved, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The file's upward axis; never [`Up::Auto`].
    pub up: Up,
    /// Anticlockwise as seen from above. `[°]`
    pub turn: f32,
    /// The length of the file's unit, the hair's own scale included. `[m]`
    pub metres: f32,
    /// How far the hair is moved. `[m]`
    pub offset: Vec3,
    /// The head in whose file's space the hair is, where it goes the way of that
    /// head first, and the length of the hair's unit alone. `[m]`
    pub along: Option<(Placing, f32)>,
}

impl Placement {
    /// Where a point of the file comes to lie. `[m]`
    pub fn place(&self, p: Vec3) -> Vec3 {
        let p = self.up.upright(p);
        // No turn leaves every bit as it is.
        let turned = |p: Vec3| match self.turn {
            0.0 => p,
            turn => Quat::from_rotation_y(turn.to_radians()) * p,
        };
        match &self.along {
            None => turned(p) * self.metres + self.offset,
            Some((head, unit)) => {
                let p = head.carry(p.as_dvec3() * f64::from(*unit));
                turned(p) * (self.metres / unit) + self.offset
            }
        }
    }
}

/// How well a placement sits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitQuality {
    /// From the roots to the skin, on average. `[m]`
    pub distance: f32,
    /// What is compared, the less the better: how far roots are from the scalp
    /// and how deep hair is below the skin, as a share of the roots' spread.
    pub cost: f32,
}

/// A strand that is asked: its root, and points up to its tip.
pub(super) struct Wisp {
    pub root: Vec3,
    pub rest: [Vec3; 3],
    /// Along it, in units of the file.
    pub length: f32,
}

/// What a groom is fitted to and by.
pub struct Fitting<'a> {
    pub(super) body: &'a CollisionMesh,
    surface: &'a Surface,
    pub(super) scalp: Vec<Vec3>,
    /// Distance between neighbours among them. `[m]`
    spacing: f32,
    /// The root mean square of their distances from their middle. `[m]`
    pub(super) breadth: f32,
    pub(super) middle: Vec3,
    pub(super) wisps: Vec<Wisp>,
}

impl<'a> Fitting<'a> {
    /// Prepares to fit `strands`, each with two points at least.
    pub fn new<'s>(body: &'a CollisionMesh, strands: impl Iterator<Item = &'s [Vec3]>) -> Self {
        let params = RootParams {
            strands: SCALP,
            ..RootParams::default()
        };
        let roots = scatter::roots(&body.mesh, &params).unwrap_or_default();
        let scalp: Vec<Vec3> = roots.iter().map(|root| root.position).collect();
        let nearest = |p: &Vec3| {
            let others = scalp.iter().filter(|q| *q != p);
            others.map(|q| p.distance(*q)).fold(FAR, f32::min)
        };
        let spacing = scalp.iter().map(nearest).sum::<f32>() / scalp.len().max(1) as f32;
        let strands: Vec<&[Vec3]> = strands.filter(|points| points.len() > 1).collect();
        let every = strands.len().div_ceil(ASKED).max(1);
        let wisps = strands.iter().step_by(every).map(|points| {
            let last = points.len() - 1;
            Wisp {
                root: points[0],
                rest: [1, 2, 3].map(|k| points[(last * k).div_ceil(3)]),
                length: points.windows(2).map(|p| p[0].distance(p[1])).sum(),
            }
        });
        Self {
            body,
            surface: &body.surface,
            spacing,
            breadth: breadth(&scalp).max(1e-3),
            middle: middle(&scalp),
            wisps: wisps.collect(),
            scalp,
        }
    }

    /// How well a placement sits, by every `step`-th strand asked.
    fn quality_by(&self, placement: &Placement, step: usize) -> FitQuality {
        let (mut apart, mut off, mut deep, mut rise) = (0.0, 0.0, 0.0, 0.0);
        let mut roots = Vec::with_capacity(self.wisps.len());
        for wisp in self.wisps.iter().step_by(step) {
            let root = placement.place(wisp.root);
            let skin = self.surface.closest(root, FAR);
            let skin = skin.map_or(FAR, |nearest| nearest.distance.abs());
            let far = |q: &Vec3| q.distance_squared(root);
            let scalp = self.scalp.iter().map(far).fold(FAR * FAR, f32::min);
            apart += skin;
            // Skin beside the scalp is as far as the scalp.
            off += skin.max(scalp.sqrt() - self.spacing);
            for p in wisp.rest {
                let p = placement.place(p);
                let below = self.surface.closest(p, 0.15);
                deep += below.map_or(0.0, |nearest| (-nearest.distance).max(0.0)) / 3.0;
            }
            rise += (placement.place(wisp.rest[2]) - root).normalize_or_zero().y;
            roots.push(root);
        }
        let n = roots.len().max(1) as f32;
        let breadth = breadth(&roots).max(1e-6);
        let smaller = ln(breadth / self.breadth);
        let aside = (middle(&roots).x - self.middle.x).abs();
        FitQuality {
            distance: apart / n,
            // Hair of a few roots fits in many ways: then it covers much of the
            // scalp, hangs, and grows on both sides alike.
            cost: (off + deep) / n / breadth
                + 0.03 * smaller * smaller
                + 0.02 * rise / n
                + 0.3 * aside / breadth,
        }
    }

    /// How well a placement sits.
    pub fn quality(&self, placement: &Placement) -> FitQuality {
        self.quality_by(placement, 1)
    }

    /// The placement that sits best of all that are found within `limits` and cover much of
    /// the scalp; none without strands. Where many ways sit alike, that with the axis up that the file has `said`,
    /// or else y, and without a turn is taken.
    pub fn best(&self, said: Option<Up>, limits: &FitLimits) -> Option<(Placement, FitQuality)> {
        let likely = said.unwrap_or(Up::Y);
        let found: Vec<(Placement, FitQuality)> = ways(limits)
            .into_par_iter()
            .filter_map(|(up, turn)| self.best_way(up, turn, limits))
            .collect();
        let sits = |quality: &FitQuality| quality.distance < SITS.min(SITS_SHARE * self.breadth);
        let usual = |(placement, quality): &(Placement, FitQuality)| {
            placement.up == likely && sits(quality)
        };
        let odd = match said.is_some() || found.iter().any(usual) {
            true => ODD_AXIS,
            false => ODD_OTHERWISE,
        };
        let cost = |(placement, quality): &(Placement, FitQuality)| {
            let axis = if placement.up == likely { 1.0 } else { odd };
            let turn = if placement.turn == 0.0 { 1.0 } else { ODD_TURN };
            quality.cost * axis * turn
        };
        for found in &found {
            log::debug!(
                "fit: {:?}, {:?}, with odds {}",
                found.0,
                found.1,
                cost(found)
            );
        }
        let best = found.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        Some(self.nearer(*best))
    }

    /// A placement beside `found`, as large, whose roots are nearer to the skin, and that
    /// sits hardly worse.
    fn nearer(&self, found: (Placement, FitQuality)) -> (Placement, FitQuality) {
        let most = found.1.cost + (DEARER - 1.0) * found.1.cost.abs();
        let (mut placement, mut quality) = found;
        for step in MOVES {
            for _ in 0..MOVES_EACH {
                let shifts = [Vec3::X, Vec3::Y, Vec3::Z].into_iter();
                let shifts = shifts.flat_map(|axis| [axis * step, axis * -step]);
                let shifts = shifts.map(|by| Placement {
                    offset: placement.offset + by,
                    ..placement
                });
                let tried = shifts.map(|tried| (tried, self.quality(&tried)));
                let best = tried
                    .filter(|(_, quality)| quality.cost <= most)
                    .min_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
                match best {
                    Some(best) if best.1.distance < 0.999 * quality.distance => {
                        (placement, quality) = best;
                    }
                    _ => break,
                }
            }
        }
        (placement, quality)
    }

    /// The placement with another size about its roots' middle; none where that is not
    /// among `sizes`.
    fn sized(&self, placement: &Placement, factor: f32, sizes: &Sizes) -> Option<Placement> {
        let metres = placement.metres * factor;
        let pivot = middle_of(&self.wisps, placement);
        (factor == 1.0 || sizes.allow(metres)).then(|| Placement {
            metres,
            offset: pivot + (placement.offset - pivot) * factor,
            ..*placement
        })
    }

    /// The best placement with that axis up and that turn.
    fn best_way(&self, up: Up, turn: f32, limits: &FitLimits) -> Option<(Placement, FitQuality)> {
        let step = self.wisps.len().div_ceil(FEW).max(1);
        let begin = self.beginnings(up, turn, &limits.sizes);
        let mut found = chosen(begin, PROMISING, |p| self.quality_by(p, step).cost);
        for placement in &mut found {
            (0..8).for_each(|_| self.settle(placement, step));
        }
        let best = chosen(found, 1, |p| self.quality_by(p, step).cost);
        Some(self.refined(*best.first()?, &limits.sizes))
    }

    /// That way up and round, in several `sizes`, at several places.
    fn beginnings(&self, up: Up, turn: f32, sizes: &Sizes) -> Vec<Placement> {
        let mut out = Vec::new();
        let roots: Vec<Vec3> = self.wisps.iter().map(|wisp| wisp.root).collect();
        let own = breadth(&roots);
        let scalp = self.middle;
        if own <= 0.0 || !own.is_finite() {
            return out;
        }
        let every = self.scalp.len().div_ceil(BEGINNINGS - 1).max(1);
        let places: Vec<Vec3> = self.scalp.iter().step_by(every).copied().collect();
        // Hair may well have its own size.
        let natural = Units::ALL.map(|units| units.metres() * own / self.breadth);
        let natural = natural.into_iter().filter(|share| USUAL.contains(share));
        let shares: Vec<f32> = match sizes {
            Sizes::Among(all) => all
                .iter()
                .map(|metres| metres * own / self.breadth)
                .collect(),
            _ => SHARES.into_iter().chain(natural).collect(),
        };
        for share in shares {
            let placement = Placement {
                up,
                turn,
                metres: share * self.breadth / own,
                offset: Vec3::ZERO,
                along: None,
            };
            let from = placement.place(middle(&roots));
            if !sizes.allow(placement.metres) {
                continue;
            }
            // What covers less may lie nearer to the rim.
            let inwards = (1.0 - share * share).max(0.0);
            let to = places.iter().map(|p| scalp.lerp(*p, inwards));
            out.extend(iter::once(scalp).chain(to).map(|to| Placement {
                offset: to - from,
                ..placement
            }));
        }
        out
    }

    /// Moves the hair by what its roots are from the scalp on average (Besl &
    /// McKay 1992, without turning).
    fn settle(&self, placement: &mut Placement, step: usize) {
        let (mut by, mut n) = (Vec3::ZERO, 0.0);
        for wisp in self.wisps.iter().step_by(step) {
            let root = placement.place(wisp.root);
            let Some(skin) = self.surface.closest(root, FAR) else {
                continue;
            };
            let far = |q: &&Vec3| q.distance_squared(root);
            let scalp = self.scalp.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            by += match scalp {
                Some(q) if q.distance(root) > skin.distance.abs() + self.spacing => *q - root,
                _ => skin.point - root,
            };
            n += 1.0;
        }
        placement.offset += by / f32::max(n, 1.0);
    }

    /// A placement with the size near by that sits best.
    fn refined(&self, mut placement: Placement, sizes: &Sizes) -> (Placement, FitQuality) {
        let mut quality = self.quality(&placement);
        let mut factor = 1.12f32;
        while factor > 1.008 {
            let tried = [factor, 1.0 / factor, 1.0].into_iter();
            let tried = tried.filter_map(|factor| {
                let mut tried = self.sized(&placement, factor, sizes)?;
                (0..4).for_each(|_| self.settle(&mut tried, 2));
                Some((tried, self.quality(&tried)))
            });
            let best = tried.min_by(|a, b| a.1.cost.total_cmp(&b.1.cost));
            match best {
                Some(best) if best.1.cost < quality.cost - 1e-5 => (placement, quality) = best,
                _ => factor = factor.sqrt(),
            }
        }
        (placement, quality)
    }
}

/// The ways up and round that are tried.
pub(super) fn ways(limits: &FitLimits) -> Vec<(Up, f32)> {
    let ups = [Up::Y, Up::Z, Up::X].into_iter();
    let ups = ups.filter(|up| limits.up.is_none_or(|only| only == *up));
    let turns = [0.0, 180.0, 90.0, -90.0];
    ups.flat_map(|up| turns.into_iter().map(move |turn| (up, turn)))
        .collect()
}

/// The `count` placements of the least `cost`.
fn chosen(all: Vec<Placement>, count: usize, cost: impl Fn(&Placement) -> f32) -> Vec<Placement> {
    let cost = |placement: Placement| (cost(&placement), placement);
    let mut all: Vec<(f32, Placement)> = all.into_iter().map(cost).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.truncate(count);
    all.into_iter().map(|(_, placement)| placement).collect()
}

pub(super) fn middle_of(wisps: &[Wisp], placement: &Placement) -> Vec3 {
    let roots = wisps.iter().map(|wisp| placement.place(wisp.root));
    roots.sum::<Vec3>() / wisps.len().max(1) as f32
}

pub(super) fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len().max(1) as f32
}

/// The root mean square of distances from the middle.
pub fn breadth(points: &[Vec3]) -> f32 {
    let middle = middle(points);
    let squares = points.iter().map(|p| p.distance_squared(middle));
    (squares.sum::<f32>() / points.len().max(1) as f32).sqrt()
}
