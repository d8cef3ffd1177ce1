//! What the file of a groom says of its hair beside its shape.

use std::ops::Range;

/// Values of each vertex of a groom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// How thick hair is, across; empty where the file is silent. `[m]`
    pub widths: Vec<f32>,
    /// Linear RGB; empty where the file is silent.
    pub colours: Vec<[f32; 3]>,
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
