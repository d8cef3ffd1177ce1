//! The groom hold: how much stiffer than its material each joint of a strand must
//! be so that its hairstyle, bent as it was modelled, is a stable equilibrium
//! under gravity.
//!
//! Forces and moments that gravity puts into the rest curve follow tip to root;
//! whether the equilibrium is stable is read from the second variation of the
//! energy of an elastic rod. A hold is only where it is needed: near the root.
//! All methods whose strands are rods share it.

mod frames;
mod profile;
mod second_variation;
mod spread;

pub(super) use frames::{Frames, Loads, bend_roll, stiff, unit};
pub use profile::{HoldProfile, RESERVE};
pub use spread::HoldSpread;

use super::material::RodMaterial;
use crate::{math::lanes::Lane, sim::state::Block};
use second_variation::SecondVariation;

/// How many times stiffer than `material` each joint must be, `cap` times at
/// most, so that the rest curves of `block` are stable equilibria under gravity.
pub fn groom_hold<T: Lane>(block: &Block<T>, material: &RodMaterial, cap: f64) -> HoldProfile<T> {
    let frames = Frames::new(block, material);
    hold(block, &frames, &Loads::new(block, &frames), material, cap)
}

/// The same of a curve whose frames and loads are known.
pub(super) fn hold<T: Lane>(
    block: &Block<T>,
    frames: &Frames<T>,
    loads: &Loads<T>,
    material: &RodMaterial,
    cap: f64,
) -> HoldProfile<T> {
    let variation = SecondVariation::new(block, frames, loads, material);
    HoldProfile::find(block, &variation, cap)
}

/// Counts the joints of `block` by their hold.
pub(super) fn spread<T: Lane>(block: &Block<T>, hold: &HoldProfile<T>) -> HoldSpread {
    HoldSpread::of(block, hold)
}

/// One in the lanes whose rest curve is a stable equilibrium where each joint is
/// `share` times the hold as stiff as `material`: every pivot of the second
/// variation is positive.
pub fn holds<T: Lane>(
    block: &Block<T>,
    material: &RodMaterial,
    hold: &HoldProfile<T>,
    share: f64,
) -> T {
    let frames = Frames::new(block, material);
    let loads = Loads::new(block, &frames);
    let variation = SecondVariation::new(block, &frames, &loads, material);
    variation.stable(|j| hold.at(j) * T::splat(share))
}
