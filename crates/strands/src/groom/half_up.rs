//! Half-up hair: the upper part is bound, and what hangs below it is combed down, so that
//! what is bound lies on it without a step.

use super::taut::STANDOFF;
use crate::{
    math::{random::uniform, smoothstep},
    mesh::{CollisionMesh, Root},
};
use glam::Vec3;

/// What is above the plane that parts upper hair from lower, but by less than this, is
/// bound by a coin, the likelier the higher: no line is drawn across the head. As a share
/// of how far the scalp reaches.
const SOFT_PARTING: f32 = 0.08;

/// Lower hair is combed down at its root where it grows no farther than this below the
/// plane, the less the farther. As a share of how far the scalp reaches.
const COMBED_DEPTH: f32 = 0.6;

/// A comb takes a strand with it by as much at its root, and lets go bit by bit until it is
/// so far from there, which is not the same for any two strands. `[m]`
const COMBED: f32 = 0.85;
const COMBED_WAY: [f32; 2] = [0.025, 0.065];

/// Combed hair that is farther from the skin goes towards it at so steep a slope. `[1/m]`
const CLING: f32 = 30.0;

/// A level plane that parts the hair to be bound from the hair that hangs.
#[derive(Clone, Copy, Debug)]
pub struct HalfUp {
    /// Height of the plane. `[m]`
    plane: f32,
    /// How far the scalp reaches from its middle. `[m]`
    reach: f32,
    seed: u64,
}

impl HalfUp {
    /// Parts the upper `share` of the hair on these roots, of a scalp that reaches so far
    /// from its middle `[m]`; none where all hair is bound.
    pub fn new(roots: &[Root], share: f32, reach: f32, seed: u64) -> Option<Self> {
        if share >= 1.0 {
            return None;
        }
        let mut heights: Vec<f32> = roots.iter().map(|root| root.position.y).collect();
        heights.sort_unstable_by(f32::total_cmp);
        let below = ((1.0 - share) * roots.len() as f32) as usize;
        Some(Self {
            plane: heights.get(below).copied().unwrap_or(f32::INFINITY),
            reach,
            seed,
        })
    }

    /// Whether what grows there is bound.
    pub fn is_upper(&self, root: &Root) -> bool {
        let coin = uniform(self.seed ^ 0x9a7f, root.number);
        root.position.y > self.plane + SOFT_PARTING * self.reach * coin
    }

    /// Combs a strand down that hangs below the plane: near its root it lies along the skin,
    /// and farther down it goes the ways that it went. It stays as long as it was.
    pub fn comb_down(&self, body: &CollisionMesh, root: &Root, strand: &mut [Vec3]) {
        let Some(mut before) = strand.first().copied() else {
            return;
        };
        let depth = (self.plane - before.y) / self.reach;
        let share = COMBED * (1.0 - smoothstep(0.0, COMBED_DEPTH, depth));
        if share <= 0.0 {
            return;
        }
        let [near, far] = COMBED_WAY;
        let end = near + (far - near) * uniform(self.seed ^ 0xc03b, root.number);
        let (mut at, mut s) = (before, 0.0);
        for point in &mut strand[1..] {
            let step = *point - before;
            before = *point;
            let long = step.length();
            let own = step / long.max(1e-9);
            let combed = share * (1.0 - smoothstep(0.0, end, s));
            let way = match combed > 0.0 {
                true => own.lerp(down(body, at), combed).normalize_or(own),
                false => own,
            };
            s += long;
            let free = at + way * long;
            let (distance, normal) = body.grid.sample_with_normal(free);
            let inside = STANDOFF.min(0.6 * s) - distance;
            at = match inside > 0.0 {
                true => at + (free + normal * inside - at).normalize_or(way) * long,
                false => free,
            };
            *point = at;
        }
    }
}

/// The way down along the skin, towards it where that is farther away than hair lies.
fn down(body: &CollisionMesh, at: Vec3) -> Vec3 {
    let (distance, normal) = body.grid.sample_with_normal(at);
    let along = (Vec3::NEG_Y + normal * normal.y).normalize_or(Vec3::NEG_Y);
    let high = (CLING * (distance - STANDOFF)).clamp(-0.5, 0.5);
    (along - normal * high).normalize_or(along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::elementary::{cos, sin},
        mesh::{HeadParams, RootParams, load, scatter},
    };

    fn strand(from: Vec3) -> Vec<Vec3> {
        let point = |i: u8| {
            let t = f32::from(i);
            from + Vec3::new(0.01 * t, 0.004 * sin(t * 0.9), 0.003 * cos(t * 0.9) - 0.003)
        };
        (0..20).map(point).collect()
    }

    fn edges(strand: &[Vec3]) -> Vec<f32> {
        strand.windows(2).map(|w| w[0].distance(w[1])).collect()
    }

    #[test]
    fn a_comb_turns_edges_near_the_parting_and_keeps_them_as_long() {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let body = CollisionMesh::new(head.mesh, 0.004);
        let params = RootParams {
            strands: 100,
            ..RootParams::default()
        };
        let roots = scatter::roots(&body.mesh, &params).expect("roots");
        let side = |a: &&Root, b: &&Root| a.position.x.total_cmp(&b.position.x);
        let root = roots.iter().max_by(side).expect("a root");
        let from = root.position;
        let half_up = |plane: f32| HalfUp {
            plane: from.y + plane,
            reach: 0.1,
            seed: 1,
        };
        let was = strand(from);
        for (plane, combed) in [(0.0, true), (0.02, true), (0.061, false)] {
            let mut is = was.clone();
            half_up(plane).comb_down(&body, root, &mut is);
            assert_eq!(is != was, combed, "{plane}");
            assert_eq!(is[0], was[0]);
            for (is, was) in edges(&is).iter().zip(edges(&was)) {
                assert!((is / was - 1.0).abs() < 1e-4, "{plane}: {is}, {was} m");
            }
            assert!(!combed || is[3].y < was[3].y - 0.005, "{plane}: {}", is[3]);
        }
        let mut none: Vec<Vec3> = Vec::new();
        half_up(0.0).comb_down(&body, root, &mut none);
    }
}
