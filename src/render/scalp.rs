//! Where the skin is painted like hair: around the roots, so that no bald
//! shine shows between strands.

use glam::{IVec3, Vec3};
use std::collections::HashMap;

/// Side of the squares by which the rooted area is estimated. `[m]`
const PATCH: f32 = 0.01;
/// How much the skin is painted just outside the scalp group.
const EDGE: f32 = 0.03;
/// The paint thins out over so much of the scalp group's rim, farther than hair does:
/// there skin shows between roots. `[m]`
const THINS: f32 = 0.014;
/// Without a scalp group, the shares of the usual number of roots around a place at which
/// the paint sets in, and at which it is whole: a half is what a sharp rim has.
const SHARES: [f32; 2] = [0.25, 0.75];
/// Roots that are counted for that, about.
const COUNTED: usize = 4000;
/// How much the skin is painted on a parting, where it is seen between roots.
const PARTED: f32 = 0.74;
/// It is bare there so far to both sides, and painted as elsewhere so far from it. `[m]`
const BESIDE: [f32; 2] = [0.001, 0.006];
/// Neighbours part whose hair leans apart by more: the cosine of the angle.
const APART: f32 = -0.1;
/// Roots that are asked whether they lie on the scalp group, and how many are around them.
const ASKED: usize = 128;

/// How much each of `corners` is painted, 0..=1. `scalp` tells which corners
/// belong to the mesh's scalp group; empty where it has none. `leans` says which way the
/// hair of each root goes, a unit vector or 0. `[m]`
pub(super) fn paint(corners: &[Vec3], scalp: &[bool], roots: &[Vec3], leans: &[Vec3]) -> Vec<f32> {
    if roots.is_empty() {
        return vec![0.0; corners.len()];
    }
    let spacing = spacing(roots);
    let reach = (2.8 * spacing).clamp(0.003, 0.03);
    let rooted = Near::new(roots.iter().copied(), reach);
    let keep_to_scalp = on_scalp(corners, scalp, roots);
    let bare = corners.iter().zip(scalp).filter(|(_, on)| !**on);
    let bare = bare.map(|(corner, _)| *corner);
    let outside = keep_to_scalp.then(|| Near::new(bare, THINS));
    let around = (!keep_to_scalp).then(|| Density::new(roots, spacing));
    let parting = Near::new(partings(roots, leans, spacing).into_iter(), BESIDE[1]);
    corners
        .iter()
        .enumerate()
        .map(|(i, corner)| {
            let distance = rooted.distance(corner);
            if keep_to_scalp && !scalp[i] {
                // A hairline has no edge.
                return EDGE * smooth((0.006 - distance) / 0.005);
            }
            let inwards = match (&outside, &around) {
                (Some(bare), _) => bare.distance(corner) / THINS,
                (None, Some(around)) => {
                    let [none, all] = SHARES;
                    (around.share(corner) - none) / (all - none)
                }
                (None, None) => 1.0,
            };
            let thin = EDGE + (1.0 - EDGE) * smooth(inwards);
            let [line, beside] = BESIDE;
            let off = (parting.distance(corner).min(beside) - line) / (beside - line);
            let thin = thin * (PARTED + (1.0 - PARTED) * smooth(off));
            // Solid where a root is as near as chance may have it, then fading.
            thin * smooth((reach - distance) / (0.35 * reach))
        })
        .collect()
}

/// Places on the lines from which hair falls to two sides: in the middle between two
/// neighbouring roots whose hair goes apart.
fn partings(roots: &[Vec3], leans: &[Vec3], spacing: f32) -> Vec<Vec3> {
    let reach = (1.8 * spacing).max(1e-4);
    let cell = |p: &Vec3| (*p / reach).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    for (i, root) in roots.iter().enumerate() {
        cells.entry(cell(root)).or_default().push(i);
    }
    let mut places = Vec::new();
    // Where hair goes to both sides of both, it crosses, and there is no parting.
    let mut crosses = vec![false; roots.len()];
    for (i, (root, lean)) in roots.iter().zip(leans).enumerate() {
        let middle = cell(root);
        let around = (0..27).map(|k| middle + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
        for j in around.filter_map(|at| cells.get(&at)).flatten() {
            let (aside, other) = (roots[*j] - *root, leans[*j]);
            if *j <= i || aside.length() >= reach || lean.dot(other) >= APART {
                continue;
            }
            let apart = aside.dot(other - *lean) / aside.length().max(1e-9);
            if apart > 0.5 {
                places.push((i, *j));
            } else if apart < -0.5 {
                crosses[i] = true;
                crosses[*j] = true;
            }
        }
    }
    let places = places.iter().filter(|(i, j)| !crosses[*i] && !crosses[*j]);
    places.map(|(i, j)| 0.5 * (roots[*i] + roots[*j])).collect()
}

/// Places by the cubes that they lie in.
struct Near {
    reach: f32,
    cells: HashMap<IVec3, Vec<Vec3>>,
}

impl Near {
    fn new(places: impl Iterator<Item = Vec3>, reach: f32) -> Self {
        let mut near = Self {
            reach,
            cells: HashMap::new(),
        };
        for place in places {
            near.cells.entry(near.cell(&place)).or_default().push(place);
        }
        near
    }

    fn cell(&self, p: &Vec3) -> IVec3 {
        (*p / self.reach).floor().as_ivec3()
    }

    /// The squares of the distances to those in the cubes around `p`.
    fn squares(&self, p: &Vec3) -> impl Iterator<Item = f32> {
        let (middle, p) = (self.cell(p), *p);
        let around = (0..27).map(move |i| middle + IVec3::new(i % 3, i / 3 % 3, i / 9) - 1);
        let places = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        places.map(move |place| place.distance_squared(p))
    }

    /// How far the nearest of them is, where one is within reach; else farther.
    fn distance(&self, p: &Vec3) -> f32 {
        self.squares(p).fold(f32::INFINITY, f32::min).sqrt()
    }

    /// How many of them are within reach.
    fn count(&self, p: &Vec3) -> usize {
        let within = |square: &f32| *square <= self.reach * self.reach;
        self.squares(p).filter(within).count()
    }
}

/// How densely places are rooted.
struct Density {
    some: Near,
    /// How many of them are around most roots.
    usual: f32,
}

impl Density {
    fn new(roots: &[Vec3], spacing: f32) -> Self {
        let each = roots.len().div_ceil(COUNTED).max(1);
        let reach = THINS.max(2.0 * spacing * (each as f32).sqrt());
        let some = Near::new(roots.iter().step_by(each).copied(), reach);
        let stride = roots.len().div_ceil(ASKED).max(1);
        let asked = roots.iter().step_by(stride);
        let mut counts: Vec<usize> = asked.map(|root| some.count(root)).collect();
        counts.sort_unstable();
        let usual = counts
            .get(counts.len() / 2)
            .map_or(1.0, |count| *count as f32);
        Self { some, usual }
    }

    /// How many roots are around `p`, as a share of what is usual.
    fn share(&self, p: &Vec3) -> f32 {
        self.some.count(p) as f32 / self.usual
    }
}

/// From 0 to 1 without a kink.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Mean distance between neighbouring roots, from the number of patches that
/// they touch.
fn spacing(roots: &[Vec3]) -> f32 {
    let mut patches: Vec<[i32; 3]> = roots
        .iter()
        .map(|p| (*p / PATCH).floor().as_ivec3().to_array())
        .collect();
    patches.sort_unstable();
    patches.dedup();
    // A slanted surface touches about half as many patches again.
    let area = patches.len() as f32 * PATCH * PATCH / 1.5;
    (area / roots.len() as f32).sqrt()
}

/// Whether the scalp group bounds the paint: of hair that lies badly, some roots are on the
/// face, which is not painted for that. Other hair than that of the scalp, such as a beard,
/// has all but a few of its roots elsewhere.
fn on_scalp(corners: &[Vec3], scalp: &[bool], roots: &[Vec3]) -> bool {
    if scalp.len() != corners.len() || corners.is_empty() {
        return false;
    }
    let stride = roots.len().div_ceil(ASKED).max(1);
    let (mut asked, mut inside) = (0, 0);
    for root in roots.iter().step_by(stride) {
        let mut best = (f32::INFINITY, false);
        for (corner, on) in corners.iter().zip(scalp) {
            let distance = corner.distance_squared(*root);
            if distance < best.0 {
                best = (distance, *on);
            }
        }
        asked += 1;
        inside += usize::from(best.1);
    }
    inside * 10 >= asked * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners on a 1 cm lattice over 40 x 10 cm; roots over the left half.
    fn strip(roots_each: usize) -> (Vec<Vec3>, Vec<Vec3>) {
        let corners =
            (0..=40).flat_map(|i| (0..=10).map(move |j| Vec3::new(i as f32, 0.0, j as f32) * 0.01));
        let roots = (0..roots_each * roots_each * 2).map(|k| {
            let (i, j) = (k % (2 * roots_each), k / (2 * roots_each));
            let step = 0.1 / roots_each as f32;
            Vec3::new((i as f32 + 0.5) * step, 0.0, (j as f32 + 0.5) * step)
        });
        (corners.collect(), roots.collect())
    }

    #[test]
    fn skin_is_painted_under_the_roots_and_nowhere_else() {
        for roots_each in [8, 30, 100] {
            let (corners, roots) = strip(roots_each);
            let painted = paint(&corners, &[], &roots, &[]);
            for (corner, paint) in corners.iter().zip(&painted) {
                if corner.x < 0.175 && inner(corner) {
                    assert!(*paint > 0.9, "{roots_each}: {paint} at {corner}");
                } else if corner.x > 0.235 {
                    assert!(*paint == 0.0, "{roots_each}: painted at {corner}");
                }
            }
            // Hair has no edge: the paint thins out along its rim.
            let rim = corners
                .iter()
                .position(|c| c.distance(Vec3::new(0.2, 0.0, 0.05)) < 1e-4);
            let rim = painted[rim.expect("a corner")];
            assert!((0.03..0.8).contains(&rim), "{roots_each}: {rim} at the rim");
        }
    }

    /// Whether a place is not at the rim of the strip.
    fn inner(corner: &Vec3) -> bool {
        corner.x > 0.025 && (0.025..0.075).contains(&corner.z)
    }

    #[test]
    fn the_scalp_group_bounds_the_paint_where_the_roots_keep_to_it() {
        let (corners, roots) = strip(8);
        let scalp: Vec<bool> = corners.iter().map(|c| c.x < 0.205).collect();
        let painted = paint(&corners, &scalp, &roots, &[]);
        assert!(painted.iter().zip(&scalp).all(|(p, on)| *on || *p <= EDGE));
        // Within, it sets in little by little.
        let at = |x: f32| corners.iter().position(|c| (c.x - x).abs() < 1e-4);
        let paint_at = |x: f32| painted[at(x).expect("a corner")];
        assert!(paint_at(0.17) > 0.99 && (0.15..0.95).contains(&paint_at(0.2)));
        // So it does where a third of the roots lie beside the group, as on a face.
        let scalp: Vec<bool> = corners.iter().map(|c| c.x < 0.135).collect();
        let painted = paint(&corners, &scalp, &roots, &[]);
        assert!(painted.iter().zip(&scalp).all(|(p, on)| *on || *p <= EDGE));
        // Roots all over another group: the paint follows them.
        let none = vec![false; corners.len()];
        let painted = paint(&corners, &none, &roots, &[]);
        assert!(painted.iter().any(|p| *p > 0.9));
    }

    #[test]
    fn skin_shows_where_hair_parts_and_not_where_it_meets() {
        let (corners, roots) = strip(20);
        for sign in [1.0, -1.0] {
            let lean = |root: &Vec3| Vec3::X * (sign * (root.x - 0.1).signum());
            let leans: Vec<Vec3> = roots.iter().map(lean).collect();
            let painted = paint(&corners, &[], &roots, &leans);
            for (corner, paint) in corners.iter().zip(&painted) {
                if (corner.x - 0.1).abs() < 1e-4 && sign > 0.0 {
                    assert!(*paint < 0.8, "{paint} at {corner}");
                } else if corner.x < 0.175 && inner(corner) {
                    assert!(*paint > 0.9, "{sign}: {paint} at {corner}");
                }
            }
        }
    }
}
