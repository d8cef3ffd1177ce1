//! What the file of a groom says of its hair beside its shape.

use super::Groom;
use std::ops::Range;

/// Thickness of usual hair, the look's where nobody changed it. `[m]`
pub const USUAL: f32 = 75e-6;

/// Hair as thick as this on average is meant in metres. `[m]`
const PLAUSIBLE: Range<f32> = 10e-6..500e-6;

/// However thick a strand is among thin ones, as a share of usual hair.
const THICKEST: f32 = 20.0;

/// Strands whose width differs by less than this share along them are as thick
/// at the tip as at the root: their file is silent about it.
const LEVEL: f32 = 0.02;

/// Values of each vertex of a groom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileAttributes {
    /// How thick hair is, across; empty where the file is silent. `[m]`
    pub widths: Vec<f32>,
    /// Linear RGB; empty where the file is silent.
    pub colours: Vec<[f32; 3]>,
}

/// How thick hair of those `widths` `[m]` is, as shares of usual hair: what the
/// file says where that is a hair's, else of the mean, for many a program writes
/// what it pleases; empty where that says nothing.
pub fn relative(widths: &[f32]) -> Vec<f32> {
    let sum: f64 = widths.iter().map(|width| f64::from(*width)).sum();
    let mean = (sum / widths.len().max(1) as f64) as f32;
    if !mean.is_normal() || mean < 0.0 {
        return Vec::new();
    }
    let one = match PLAUSIBLE.contains(&mean) {
        true => USUAL,
        false => mean,
    };
    let share = |width: &f32| (width / one).clamp(0.0, THICKEST);
    widths.iter().map(share).collect()
}

/// Whether no strand of `groom` gets thicker or thinner along it by its own
/// widths.
pub fn is_level(groom: &Groom) -> bool {
    let level = |strand: usize| {
        let own = groom.widths.get(groom.range(strand)).unwrap_or_default();
        let most = own.iter().fold(0.0f32, |most, width| most.max(*width));
        own.iter().all(|width| *width >= (1.0 - LEVEL) * most)
    };
    (0..groom.strands()).all(level)
}

/// A value at the part `t` (0..=1) of the way along a strand, of `values` at
/// its vertices `range`; none where these are not there.
pub fn along<const N: usize>(values: &[[f32; N]], range: Range<usize>, t: f32) -> Option<[f32; N]> {
    let own = values.get(range)?;
    let last = own.len().checked_sub(1)?;
    let x = t.clamp(0.0, 1.0) * last as f32;
    // At a vertex to the last bit, whatever the rounding of `t`.
    let nearest = x.round() as usize;
    if (x - nearest as f32).abs() < 1e-3 {
        return Some(own[nearest]);
    }
    let (a, b) = (own[x as usize], own[x as usize + 1]);
    Some(std::array::from_fn(|k| a[k] + (b[k] - a[k]) * x.fract()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hairs_widths_are_metres_and_others_are_shares() {
        assert_eq!(relative(&[75e-6, 150e-6]), [1.0, 2.0]);
        let odd = relative(&[1.0, 1.0, 4.0]);
        assert!((odd[0] - 0.5).abs() < 1e-6 && (odd[2] - 2.0).abs() < 1e-6);
        assert_eq!(relative(&[1.0; 3]), [1.0; 3]);
        assert!(relative(&[]).is_empty() && relative(&[0.0; 4]).is_empty());
        assert!(
            relative(&[f32::MAX; 4])
                .iter()
                .all(|w| (w - 1.0).abs() < 1e-3)
        );
    }

    #[test]
    fn a_strand_that_tapers_is_not_level() {
        let groom = |widths: &[f32]| Groom {
            starts: vec![0, 2, 4],
            widths: widths.to_vec(),
            ..Groom::default()
        };
        assert!(is_level(&groom(&[1.0, 1.0, 3.0, 3.0])));
        assert!(!is_level(&groom(&[1.0, 1.0, 3.0, 1.0])));
        assert!(is_level(&groom(&[])) && is_level(&groom(&[0.0; 4])));
    }
}
