//! Blood that shows through the skin of a face.

use super::plan::FacePlan;
use crate::math::{piecewise, smoothstep};
use glam::Vec3;

/// What the skin's colour is multiplied by on the lips, and in the line between them.
const LIPS: [f32; 3] = [0.80, 0.47, 0.55];
const BETWEEN: [f32; 3] = [0.52, 0.36, 0.38];

/// Half the width of a lip's soft edge, and of the line between the lips. `[m]`
const EDGE: f32 = 0.0011;
const LINE: f32 = 0.0012;

/// Lips lie before this. `[m]`
const FRONT: f32 = 0.06;

/// What the skin's colour is multiplied by at `p`, linear RGB; 1 far from the features.
pub(super) fn at(plan: &FacePlan, p: Vec3) -> [f32; 3] {
    let mut colour = [1.0; 3];
    for flush in &plan.flushes {
        let off = ((p - flush.middle) / flush.reach).length_squared();
        blend(&mut colour, flush.colour, (1.0 - off).max(0.0).powi(2));
    }
    if p.z > FRONT {
        let [upper, between, lower] = plan.lips.each_ref().map(|border| {
            let line = border.iter().map(|point| (point.x, point.y));
            piecewise(line, p.x)
        });
        let corner = plan.lips[1].iter().map(|point| point.x).fold(0.0, f32::max);
        let inside = (upper - p.y).min(p.y - lower).min(corner - p.x.abs());
        blend(&mut colour, LIPS, smoothstep(-EDGE, EDGE, inside));
        let closed = smoothstep(0.0, 2.0 * EDGE, corner - p.x.abs() + EDGE);
        let off = (p.y - between).abs();
        let dark = closed * (1.0 - smoothstep(0.3 * LINE, 1.3 * LINE, off));
        for (c, wanted) in colour.iter_mut().zip(BETWEEN) {
            *c += (wanted - *c) * dark;
        }
    }
    colour
}

/// Multiplies `colour` by so much of another.
fn blend(colour: &mut [f32; 3], other: [f32; 3], share: f32) {
    for (c, other) in colour.iter_mut().zip(other) {
        *c *= 1.0 + (other - 1.0) * share;
    }
}
