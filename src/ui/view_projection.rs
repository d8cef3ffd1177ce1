//! A picture of the world in the window: where a place is seen, and what a point
//! of the screen stands for there.

use crate::render::{Camera, ViewportRect};
use egui::{Pos2, Rect, pos2, vec2};
use glam::{Mat4, Vec3};

/// Where a part of the picture lies in `viewport`. `[points]`
pub fn place(part: ViewportRect, scale: f32, viewport: Rect) -> Rect {
    let [x, y] = part.origin.map(|side| side as f32 / scale);
    let [width, height] = part.size.map(|side| side as f32 / scale);
    // The picture begins at a whole pixel.
    let start = (viewport.min * scale).round() / scale;
    Rect::from_min_size(pos2(start.x + x, start.y + y), vec2(width, height))
}

/// A camera and the part of the window that its picture fills.
#[derive(Clone, Debug)]
pub struct ViewProjection {
    matrix: Mat4,
    /// What the picture fills. `[points]`
    pub rect: Rect,
    /// Where the camera is. `[m]`
    pub place: Vec3,
    /// Away from it, unit length.
    pub forward: Vec3,
    camera: Camera,
}

impl ViewProjection {
    /// Of `camera`, in a picture that fills `rect`. `[points]`
    pub fn new(camera: &Camera, rect: Rect) -> Self {
        let aspect = rect.aspect_ratio();
        Self {
            matrix: camera.projection(aspect) * camera.view(),
            rect,
            place: camera.position(),
            forward: camera.ray(0.0, 0.0, aspect).1,
            camera: camera.clone(),
        }
    }

    /// Of `camera`, in one of so many sides that fills `rect`. `[points]`
    pub fn of(camera: &Camera, sides: usize, part: ViewportRect, rect: Rect) -> Self {
        Self::new(&camera.of_side(sides, part.size), rect)
    }

    /// Where `p` is seen; none behind the eye. `[points]`
    pub fn see(&self, p: Vec3) -> Option<Pos2> {
        let clip = self.matrix * p.extend(1.0);
        let part = vec2(clip.x, -clip.y) / clip.w * 0.5 + vec2(0.5, 0.5);
        (clip.w > 1e-4).then(|| self.rect.min + part * self.rect.size())
    }

    /// Where the ray through a place of the picture begins, and its direction.
    pub fn ray(&self, at: Pos2) -> (Vec3, Vec3) {
        let part = (at - self.rect.min) / self.rect.size();
        let (x, y) = (2.0 * part.x - 1.0, 1.0 - 2.0 * part.y);
        self.camera.ray(x, y, self.rect.aspect_ratio())
    }

    /// What one point of the screen measures so far ahead. `[m]`
    pub fn scale_at(&self, depth: f32) -> f32 {
        2.0 * depth.max(1e-3) * (0.5 * self.camera.fov).tan() / self.rect.height().max(1.0)
    }

    /// What one point of the screen measures at `p`. `[m]`
    pub fn scale(&self, p: Vec3) -> f32 {
        self.scale_at((p - self.place).dot(self.forward))
    }

    /// The angle that the camera is turned by about the vertical.
    pub fn yaw(&self) -> f32 {
        self.camera.yaw
    }

    /// To the right and upwards in the picture, and towards the eye.
    pub fn axes(&self) -> [Vec3; 3] {
        let back = -self.forward;
        let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
        [right, back.cross(right), back]
    }
}
