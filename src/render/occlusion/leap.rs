//! How far hair has come since its shade was made.

use crate::math::Pose;
use glam::Vec3;

/// One sample of so many tells how far all have come.
const EVERY: usize = 16;
/// Hair that came so far on average is not shaded late: colours of a head with hair on its
/// face would be seen on one whose face is free. Between two makings the default hair comes
/// 1 mm in a sway, 6 mm in wind and 14 mm in a shake. Taste. `[m]`
const FAR: f32 = 0.015;

/// Where some of the samples are, and where they were when shade was last made of them.
#[derive(Default)]
pub(super) struct Leap {
    /// In world space. `[m]`
    now: Vec<Vec3>,
    /// In the head's space: what moves with the head keeps its shade by and large. `[m]`
    shaded: Vec<Vec3>,
}

impl Leap {
    /// Takes the places of all `samples` in world space. `[m]`
    pub fn follow(&mut self, positions: &[Vec3], samples: &[(u32, f32)]) {
        let some = samples.iter().step_by(EVERY);
        self.now.clear();
        self.now
            .extend(some.filter_map(|(point, _)| positions.get(*point as usize)));
    }

    /// Shade was made of hair as it is now, of a head that is there.
    pub fn shaded(&mut self, pose: Pose) {
        self.shaded.clear();
        self.shaded
            .extend(self.now.iter().map(|p| pose.inverse_point(*p)));
    }

    /// Whether hair of a head that is there came too far for its shade to be late.
    pub fn is_far(&self, pose: Pose) -> bool {
        if self.now.len() != self.shaded.len() {
            return true;
        }
        let ways = self.now.iter().zip(&self.shaded);
        let ways = ways.map(|(now, before)| pose.inverse_point(*now).distance(*before));
        ways.sum::<f32>() > FAR * self.now.len() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn hair_that_leaps_came_far_and_hair_that_goes_with_its_head_did_not() {
        let hair: Vec<Vec3> = (0..64).map(|i| Vec3::X * 0.01 * i as f32).collect();
        let samples: Vec<(u32, f32)> = (0..64).map(|i| (i, 0.01)).collect();
        let turned = Pose {
            rotation: Quat::from_rotation_y(1.0),
            translation: Vec3::Y,
        };
        let mut leap = Leap::default();
        assert!(!leap.is_far(Pose::IDENTITY), "there is no hair");
        leap.follow(&hair, &samples);
        assert!(leap.is_far(Pose::IDENTITY), "hair is new");
        leap.shaded(Pose::IDENTITY);
        assert!(!leap.is_far(Pose::IDENTITY));
        let goes = |by: f32| -> Vec<Vec3> {
            let moved = hair.iter().map(|p| turned.point(*p + Vec3::Z * by));
            moved.collect()
        };
        leap.follow(&goes(0.9 * FAR), &samples);
        assert!(!leap.is_far(turned));
        leap.follow(&goes(1.1 * FAR), &samples);
        assert!(leap.is_far(turned));
        leap.shaded(turned);
        assert!(!leap.is_far(turned));
    }
}
