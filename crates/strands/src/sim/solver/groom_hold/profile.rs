//! How the hold runs along a strand: large at the root, where all of the weight
//! acts, one towards the tip.
//!
//! Three numbers make it: the least hold H that is enough where all joints have it;
//! the hold at the root, [`AT_ROOT`] times that, at most the cap; and the shortest part
//! of the strand, from the root on, that must have any. The first and the last are found
//! by bisection over the pivots of the second variation. Each depends steadily on the
//! rest curve, so hairs that lie side by side move alike.

use super::second_variation::SecondVariation;
use crate::{
    math::{
        elementary::{log2, pow},
        lanes::Lane,
    },
    sim::state::Block,
};

/// A strand is made this much stiffer than the least that holds it, so that
/// what disturbs it a little does not topple it.
pub const RESERVE: f64 = 1.2;

/// The hold at the root, as a multiple of the least hold that is enough where
/// all of the strand has it. More shortens the part that is held by little.
const AT_ROOT: f64 = 1.6;

/// Share of the held part, from the root on, that has all of that hold.
const FLAT: f64 = 0.2;

/// Halvings in search of a hold (of its logarithm) and of a length.
const HALVINGS: usize = 9;

/// Over so many octaves below the cap the hold fades.
const FADING: f64 = 0.5;

/// Hold of every joint of a block.
///
/// A rest shape that makes up for the weight of a pose is wrong once the strand has
/// toppled out of it: long hair would rise around the head. So strands whose need comes
/// close to the cap are held less and less. At 0.7 of it all of their weight is carried,
/// at all of it nothing, and they hang from their modelled shape as their material lets
/// them.
#[derive(Clone, Debug, Default)]
pub struct HoldProfile<T> {
    /// How many times stiffer than its material each joint is; empty where no
    /// joint of the block is held.
    pub joints: Vec<T>,
    /// Share of the stress under gravity that the shape without stress makes up for at
    /// each joint; empty where that is all of it.
    carried: Vec<T>,
    /// One in the lanes whose strand would topple even where all of it had the largest
    /// hold allowed: it has none.
    pub topples: Option<T>,
}

impl<T: Lane> HoldProfile<T> {
    /// No joint is held.
    pub fn none() -> Self {
        Self {
            joints: Vec::new(),
            carried: Vec::new(),
            topples: None,
        }
    }

    /// How many times stiffer than its material joint `j` is.
    #[inline(always)]
    pub fn at(&self, j: usize) -> T {
        self.joints.get(j).copied().unwrap_or(T::splat(1.0))
    }

    /// Share of its stress under gravity that joint `j` carries in the modelled shape.
    #[inline(always)]
    pub fn carried(&self, j: usize) -> T {
        self.carried.get(j).copied().unwrap_or(T::splat(1.0))
    }

    /// The hold of each joint of the strand in `lane`, from the root.
    pub(in crate::sim::solver) fn of_strand(&self, block: &Block<T>, lane: usize) -> Vec<f64> {
        let joints = block.counts[lane].saturating_sub(1);
        (0..joints).map(|j| self.at(j).get(lane)).collect()
    }

    /// The smallest hold of this form, at most `cap` at any joint, under which
    /// the rest curves are stable equilibria with [`RESERVE`].
    pub(super) fn find(block: &Block<T>, variation: &SecondVariation<T>, cap: f64) -> Self {
        let (one, half) = (T::splat(1.0), T::splat(0.5));
        let stable = variation.stable(|_| one);
        if !stable.any_less(half) {
            return Self::none();
        }
        let reserve = T::splat(1.0 / RESERVE);
        let cap = T::splat(cap.max(1.0));
        let enough = variation.stable(|_| cap * reserve);
        // All joints alike: between one and the cap, on a logarithmic scale.
        let (mut low, mut high) = (one, cap);
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            let holds = variation.stable(|_| middle * reserve);
            low = holds.choose(low, middle);
            high = holds.choose(middle, high);
        }
        let most = (high * T::splat(AT_ROOT)).min(cap);
        // From the root on, as shares of the strand's length; at the upper end
        // all of the strand has the hold that is known to be enough.
        let along = places(block);
        let (mut short, mut long) = (T::zero(), T::splat(1.0 / FLAT));
        for _ in 0..HALVINGS {
            let middle = (short + long) * half;
            let holds = variation.stable(|j| hold_at(along[j], middle, most) * reserve);
            short = holds.choose(short, middle);
            long = holds.choose(middle, long);
        }
        let joint = |j: usize| {
            let held = enough.choose(hold_at(along[j], long, most), cap);
            let held = stable.choose(one, held);
            block.alive((j + 1).min(block.rows - 1)).choose(held, one)
        };
        let mut profile = Self {
            joints: (0..block.rows).map(joint).collect(),
            carried: Vec::new(),
            topples: Some(stable.choose(T::zero(), one - enough)),
        };
        for lane in 0..block.strands {
            let stands = stable.get(lane) > 0.5;
            let need = if stands { 0.0 } else { high.get(lane) };
            profile.fade(lane, need, cap.get(lane));
        }
        profile
    }

    /// Fades the hold of the strand in `lane` where what it would `need` comes close to
    /// `cap`.
    ///
    /// First it carries less and less of its weight, as stiff as before, so that it
    /// sags; then its joints become as soft as their material. The other way round it
    /// would topple at once.
    fn fade(&mut self, lane: usize, need: f64, cap: f64) {
        let topples = self.topples.is_some_and(|topples| topples.get(lane) > 0.5);
        let over = match topples {
            true => 1.0,
            false => (1.0 + log2(need / cap) / FADING).clamp(0.0, 1.0),
        };
        if over == 0.0 {
            return;
        }
        self.carried.resize(self.joints.len(), T::splat(1.0));
        let smooth = |u: f64| u * u * (3.0 - 2.0 * u);
        let carries = 1.0 - smooth((2.0 * over).min(1.0));
        let held = 1.0 - smooth((2.0 * over - 1.0).max(0.0));
        for (joint, carried) in self.joints.iter_mut().zip(&mut self.carried) {
            joint.set(lane, pow(joint.get(lane), held));
            carried.set(lane, carries);
        }
    }
}

/// Where each vertex lies along its strand at rest, as a share of its length.
fn places<T: Lane>(block: &Block<T>) -> Vec<T> {
    let mut place = T::zero();
    let mut places = vec![place];
    for i in 1..block.rows {
        let d = block.rest[i] - block.rest[i - 1];
        place += d.dot(d).sqrt() * block.alive(i);
        places.push(place);
    }
    let whole = place.max(T::splat(1e-6));
    places.into_iter().map(|place| place / whole).collect()
}

/// Hold at the share `along` of a strand that is held up to the share `width` and
/// by `most` at the root: 1 + (most - 1) g³, g a smooth step (3 u² - 2 u³).
#[inline(always)]
fn hold_at<T: Lane>(along: T, width: T, most: T) -> T {
    let one = T::splat(1.0);
    let u = (one - along / width) * T::splat(1.0 / (1.0 - FLAT));
    let u = u.max(T::zero()).min(one);
    let g = u * u * (T::splat(3.0) - u - u);
    one + (most - one) * g * g * g
}
