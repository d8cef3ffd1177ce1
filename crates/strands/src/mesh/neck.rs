//! Where the neck of a head is: level cuts from the crown down tell where it is
//! widest and where it is narrowest below.

use super::Mesh;
use glam::Vec3;

/// Distance of two cuts. `[m]`
const CUT: f32 = 0.004;

/// Of a whole body no more than this below the crown is looked at. `[m]`
const LOOK: f32 = 0.45;

/// A neck is at most so wide and deep, of the head.
const NECK: [f32; 2] = [0.25, 0.88];

/// Shoulders are so many times as wide and deep as a neck at least.
const SHOULDERS: f32 = 1.25;

/// The mesh's outline at one height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Its height. `[m]`
    pub y: f32,
    /// Smallest coordinates of the outline. `[m]`
    pub low: Vec3,
    /// Largest coordinates of the outline. `[m]`
    pub high: Vec3,
}

impl Cut {
    /// From side to side. `[m]`
    pub fn width(&self) -> f32 {
        self.high.x - self.low.x
    }

    /// From back to front. `[m]`
    pub fn depth(&self) -> f32 {
        self.high.z - self.low.z
    }

    /// Width and depth together. `[m]`
    pub fn size(&self) -> f32 {
        self.width() + self.depth()
    }

    /// The middle of the outline. `[m]`
    pub fn centre(&self) -> Vec3 {
        self.low.midpoint(self.high).with_y(self.y)
    }
}

/// Where a head is narrowest above its shoulders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neck {
    /// The middle of the narrowest level cut. `[m]`
    pub centre: Vec3,
    /// Half of the mean of that cut's width and depth. `[m]`
    pub radius: f32,
}

impl Neck {
    /// The neck of `mesh`; none where it does not become narrower below the head and
    /// wider again, as shoulders are.
    pub fn find(mesh: &Mesh) -> Option<Self> {
        let levels = LevelCuts::new(mesh);
        let (cut, is_neck) = levels.narrowest()?;
        let below = levels.cuts.iter().filter(|other| other.y < cut.y);
        let widest = below.map(Cut::size).fold(0.0, f32::max);
        let is_neck = is_neck && widest > SHOULDERS * cut.size();
        is_neck.then(|| Self {
            centre: cut.centre(),
            radius: 0.25 * cut.size(),
        })
    }
}

/// Outlines of a mesh from the crown downwards.
pub(crate) struct LevelCuts {
    /// Those that cut anything, from the top.
    pub cuts: Vec<Cut>,
    /// The lowest height looked at. `[m]`
    bottom: f32,
    /// The height of the crown. `[m]`
    pub top: f32,
}

impl LevelCuts {
    /// Cuts `mesh`.
    pub fn new(mesh: &Mesh) -> Self {
        let [low, high] = mesh.bounds();
        let top = high.y;
        let bottom = low.y.max(top - LOOK);
        let count = ((top - bottom) / CUT) as usize;
        let mut cuts: Vec<Cut> = (0..count)
            .map(|i| Cut {
                y: top - CUT * (i as f32 + 0.5),
                low: Vec3::INFINITY,
                high: Vec3::NEG_INFINITY,
            })
            .collect();
        for triangle in &mesh.triangles {
            let corners = triangle.map(|i| mesh.positions[i as usize]);
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (mut a, mut b) = (corners[a], corners[b]);
                if a.y < b.y {
                    (a, b) = (b, a);
                }
                let first = ((top - a.y) / CUT - 0.5).ceil().max(0.0) as usize;
                let last = ((top - b.y) / CUT - 0.5).floor();
                if last < 0.0 || a.y == b.y {
                    continue;
                }
                for cut in cuts.iter_mut().take(last as usize + 1).skip(first) {
                    let p = a.lerp(b, ((a.y - cut.y) / (a.y - b.y)).clamp(0.0, 1.0));
                    cut.low = cut.low.min(p);
                    cut.high = cut.high.max(p);
                }
            }
        }
        cuts.retain(|cut| cut.width() > 0.0 && cut.depth() > 0.0);
        Self { cuts, bottom, top }
    }

    /// The narrowest cut below where the head is widest, and whether that is a neck.
    pub fn narrowest(&self) -> Option<(Cut, bool)> {
        let Self { cuts, bottom, top } = self;
        // The head is widest in its upper half, above the neck.
        let upper = cuts
            .iter()
            .take_while(|cut| cut.y > top - 0.6 * (top - bottom).min(0.26));
        let widest = upper.clone().map(Cut::size).fold(0.0, f32::max);
        let from = upper.clone().position(|cut| cut.size() >= 0.999 * widest)?;
        let mut thinnest = cuts[from];
        for cut in &cuts[from..] {
            if cut.size() > SHOULDERS * thinnest.size() && thinnest.size() < NECK[1] * widest {
                break;
            }
            if cut.size() < thinnest.size() {
                thinnest = *cut;
            }
        }
        let share = thinnest.size() / widest;
        Some((thinnest, share > NECK[0] && share < NECK[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};

    #[test]
    fn the_built_in_head_has_a_neck_between_chin_and_shoulders() {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let neck = Neck::find(&head.mesh).expect("a neck");
        let level = neck.centre.y;
        assert!((-0.14..-0.105).contains(&level), "{neck:?}");
        assert!((0.04..0.07).contains(&neck.radius), "{neck:?}");
        let mut ball = Mesh::clone(&head.mesh);
        for p in &mut ball.positions {
            *p = p.normalize_or(Vec3::Y) * 0.1;
        }
        assert_eq!(Neck::find(&ball).map(|neck| neck.radius), None);
    }
}
