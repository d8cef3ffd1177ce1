//! How stiff hair is along and among its strands, as a share of what its method
//! says: a ramp from root to tip, chance, and what maps and brush say at the root.

use super::{Groom, GroomParams};
use crate::math::random::signed;

/// No vertex is limper: methods with a material need some stiffness.
const LEAST: f32 = 0.01;

/// What is known of one strand.
#[derive(Clone, Copy, Debug)]
pub struct RootFacts {
    /// Its number among all roots: what chance gives it goes by that.
    pub number: u64,
    /// What maps and brush leave of its stiffness, 0..=1.
    pub share: f32,
}

/// Says how stiff each vertex of `groom` is, whose strands were `planted` so;
/// `seed` is that of the roots. Hair that is everywhere as stiff as its method
/// says is left without a word.
pub fn stiffen(groom: &mut Groom, planted: &[RootFacts], params: &GroomParams, seed: u32) {
    let (ramp, spread) = (params.stiffness_ramp, params.stiffness_spread);
    groom.stiffness.clear();
    let level = ramp.0.iter().all(|value| *value == 1.0) && spread == 0.0;
    if level && planted.iter().all(|strand| strand.share == 1.0) {
        return;
    }
    groom.stiffness.reserve(groom.points.len());
    for (strand, planted) in planted.iter().enumerate() {
        let vertices = groom.range(strand).len();
        let last = vertices.saturating_sub(1).max(1) as f32;
        let chance = 1.0 + spread * signed(u64::from(seed) ^ 0x571f, planted.number);
        let own = planted.share * chance;
        let along = (0..vertices).map(|i| (own * ramp.at(i as f32 / last)).max(LEAST));
        groom.stiffness.extend(along);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Ramp;
    use glam::Vec3;

    fn two() -> Groom {
        Groom {
            points: vec![Vec3::ZERO; 10],
            starts: vec![0, 5, 10],
            masses: vec![1.0; 2],
            ..Groom::default()
        }
    }

    fn planted(shares: [f32; 2]) -> [RootFacts; 2] {
        [0, 1].map(|i| RootFacts {
            number: i as u64,
            share: shares[i],
        })
    }

    #[test]
    fn ramp_map_and_chance_are_multiplied() {
        let mut groom = two();
        let mut params = GroomParams::default();
        stiffen(&mut groom, &planted([1.0; 2]), &params, 1);
        assert!(groom.stiffness.is_empty(), "nothing was asked for");
        params.stiffness_ramp = Ramp([1.0, 0.75, 0.5, 0.25, 0.0]);
        stiffen(&mut groom, &planted([1.0, 0.5]), &params, 1);
        let wanted = [1.0, 0.75, 0.5, 0.25, LEAST, 0.5, 0.375, 0.25, 0.125, LEAST];
        assert_eq!(groom.stiffness, wanted);
        params.stiffness_ramp = Ramp::level(1.0);
        params.stiffness_spread = 0.5;
        stiffen(&mut groom, &planted([1.0; 2]), &params, 1);
        let (one, other) = (groom.stiffness[0], groom.stiffness[5]);
        assert!(one != other && [one, other].iter().all(|f| (0.5..=1.5).contains(f)));
        assert!(groom.stiffness[..5].iter().all(|f| *f == one));
    }
}
