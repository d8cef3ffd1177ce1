//! How a picture is shared out between sides.

use super::Camera;

/// Pixels between two sides.
const GAP: u32 = 2;

/// A part of a picture: upper left corner and size. `[px]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewportRect {
    /// Upper left corner, from the picture's. `[px]`
    pub origin: [u32; 2],
    /// Width and height, never zero. `[px]`
    pub size: [u32; 2],
}

/// Shares a picture of that size out between `count` sides: all of one size,
/// row by row, as square as can be.
pub fn viewport_rects(count: usize, [width, height]: [u32; 2]) -> Vec<ViewportRect> {
    let count = count.max(1) as u32;
    let share = |side: u32, parts: u32| (side.saturating_sub(GAP * (parts - 1)) / parts).max(1);
    let shape = |columns: u32| {
        let rows = count.div_ceil(columns);
        let (w, h) = (share(width, columns), share(height, rows));
        // A part that stays empty is a pity.
        let spare = (columns * rows - count) as f32;
        (w as f32 / h as f32).ln().abs() + 0.3 * spare
    };
    let columns = (1..=count)
        .min_by(|a, b| shape(*a).total_cmp(&shape(*b)))
        .unwrap_or(1);
    let rows = count.div_ceil(columns);
    let size = [share(width, columns), share(height, rows)];
    (0..count)
        .map(|i| ViewportRect {
            origin: [
                (i % columns) * (size[0] + GAP),
                (i / columns) * (size[1] + GAP),
            ],
            size,
        })
        .collect()
}

impl Camera {
    /// The camera of one of so many sides of that size: as it is, or so that a
    /// narrower side shows the same. `[px]`
    pub fn of_side(&self, sides: usize, size: [u32; 2]) -> Self {
        match sides {
            1 => self.clone(),
            _ => self.fitted(size),
        }
    }

    /// The camera for a picture of that size: a narrow one shows as much to the
    /// left and right as one almost square does. `[px]`
    pub fn fitted(&self, [width, height]: [u32; 2]) -> Self {
        /// Width over height that a framed head with its hair needs.
        const NEEDED: f32 = 0.86;
        let aspect = width.max(1) as f32 / height.max(1) as f32;
        let wider = (NEEDED / aspect).max(1.0);
        Self {
            fov: 2.0 * ((0.5 * self.fov).tan() * wider).atan(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::CameraParams;
    use glam::Vec3;

    #[test]
    fn sides_are_alike_and_lie_beside_each_other() {
        for (size, columns) in [
            ([1280, 720], [2, 3, 2, 3, 3]),
            ([500, 900], [1, 1, 2, 2, 2]),
            ([97, 61], [2, 3, 2, 3, 3]),
        ] {
            for (count, columns) in (2..=6).zip(columns) {
                let rects = viewport_rects(count, size);
                assert_eq!(rects.len(), count);
                let first_row = rects.iter().filter(|c| c.origin[1] == 0).count();
                assert_eq!(first_row, columns, "{count} in {size:?}");
                for (i, a) in rects.iter().enumerate() {
                    assert_eq!(a.size, rects[0].size);
                    for axis in [0, 1] {
                        assert!(a.origin[axis] + a.size[axis] <= size[axis]);
                    }
                    for b in &rects[..i] {
                        let apart = |axis: usize| {
                            a.origin[axis] >= b.origin[axis] + b.size[axis] + GAP
                                || b.origin[axis] >= a.origin[axis] + a.size[axis] + GAP
                        };
                        assert!(apart(0) || apart(1), "{a:?} {b:?}");
                    }
                }
            }
        }
        assert_eq!(viewport_rects(1, [64, 48])[0].size, [64, 48]);
    }

    #[test]
    fn a_narrow_picture_shows_as_much_from_left_to_right() {
        let bounds = [Vec3::new(-0.13, -0.23, -0.11), Vec3::new(0.13, 0.12, 0.11)];
        let camera = Camera::new(&CameraParams::default(), bounds);
        let width = |size: [u32; 2]| {
            let aspect = size[0] as f32 / size[1] as f32;
            (camera.fitted(size).fov * 0.5).tan() * aspect
        };
        assert_eq!(camera.fitted([900, 700]), camera);
        assert!((width([400, 800]) - width([860, 1000])).abs() < 1e-5);
    }
}
