//! Places to look from that have names: those that every portrait knows, and
//! those that a person keeps with a scene.

use super::{Camera, CameraParams, lock::Lock};
use crate::{
    param::{self, Kind, ListRow},
    params,
};
use glam::Vec3;

/// A place to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewPreset {
    /// Into the face.
    Front,
    /// Between face and profile, as portraits are taken.
    ThreeQuarter,
    /// The profile, from the head's left.
    Side,
    /// The back of the head.
    Back,
    /// Down on the crown.
    Top,
    /// A lock of hair, near.
    Curl,
}

impl ViewPreset {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 6] = [
        Self::Front,
        Self::ThreeQuarter,
        Self::Side,
        Self::Back,
        Self::Top,
        Self::Curl,
    ];

    /// Its name on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::ThreeQuarter => "three-quarter",
            Self::Side => "side",
            Self::Back => "back",
            Self::Top => "top",
            Self::Curl => "curl",
        }
    }

    /// Its name on a button.
    pub fn label(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::ThreeQuarter => "3/4",
            Self::Side => "Side",
            Self::Back => "Back",
            Self::Top => "Top",
            Self::Curl => "Curl",
        }
    }

    /// Yaw and pitch. `[°]`
    fn angles(self) -> [f32; 2] {
        match self {
            Self::Front => [0.0, 3.0],
            Self::ThreeQuarter => [35.0, 6.0],
            Self::Side => [90.0, 3.0],
            Self::Back => [180.0, 6.0],
            Self::Top => [0.0, 86.0],
            Self::Curl => [45.0, 4.0],
        }
    }
}

impl Camera {
    /// Looks at a head with these bounds from `place`, as far away as lets the
    /// head fill the picture; the field of view stays. A lock is not framed by
    /// a head's bounds: see [`Camera::approach`]. `[m]`
    pub fn stand(&mut self, place: ViewPreset, bounds: [Vec3; 2]) {
        let [yaw, pitch] = place.angles().map(f32::to_radians);
        (self.yaw, self.pitch) = (yaw, pitch);
        self.frame(bounds);
    }

    /// Looks at a lock from so near that it fills the picture's height.
    pub fn approach(&mut self, lock: &Lock) {
        self.yaw = lock.outwards.x.atan2(lock.outwards.z);
        self.pitch = ViewPreset::Curl.angles()[1].to_radians();
        self.target = lock.middle;
        self.distance = lock.radius / (0.5 * self.fov).tan();
    }

    /// Changes the field of view and the distance together, so that what is
    /// looked at keeps its size in the picture. `[rad]`
    pub fn dolly(&mut self, fov: f32) {
        self.distance *= (0.5 * self.fov).tan() / (0.5 * fov).tan();
        self.fov = fov;
    }
}

params! {
    /// A view that is kept under a name: a row `[[view]]` of a scene file.
    pub struct Bookmark: "view" {
        /// What it is called.
        name: String = "", Kind::Text, "", "Name";
        /// Turn around the head; 0 looks it in the face.
        yaw: f32 = 28.0, param::float(-360.0, 360.0), "°", "Yaw";
        /// Height of the camera over the horizon.
        pitch: f32 = 6.0, param::float(-89.0, 89.0), "°", "Pitch";
        /// Distance from the point looked at; 0 frames head and hair.
        distance: f32 = 0.0, param::float(0.0, 50.0), "m", "Distance";
        /// Vertical field of view.
        fov: f32 = 24.0, param::float(5.0, 100.0), "°", "Field of view";
        /// Sideways offset of the point looked at from the middle of the head.
        shift_x: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift x";
        /// Upward offset of the point looked at.
        shift_y: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift y";
        /// Forward offset of the point looked at.
        shift_z: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift z";
    }
}

impl Bookmark {
    /// What `camera` says of its place, under a name.
    pub fn new(name: String, camera: &CameraParams) -> Self {
        Self {
            name,
            yaw: camera.yaw,
            pitch: camera.pitch,
            distance: camera.distance,
            fov: camera.fov,
            shift_x: camera.shift_x,
            shift_y: camera.shift_y,
            shift_z: camera.shift_z,
        }
    }

    /// Lets `camera` look from here; how it moves stays.
    pub fn apply(&self, camera: &mut CameraParams) {
        camera.yaw = self.yaw;
        camera.pitch = self.pitch;
        camera.distance = self.distance;
        camera.fov = self.fov;
        camera.shift_x = self.shift_x;
        camera.shift_y = self.shift_y;
        camera.shift_z = self.shift_z;
    }

    /// What it is called where it stands in a list; `row` counts from 0.
    pub fn title(&self, row: usize) -> String {
        match self.name.as_str() {
            "" => format!("View {}", row + 1),
            name => name.into(),
        }
    }
}

impl ListRow for Bookmark {
    const LIST: &'static str = "view";

    fn unused(&self) -> (&'static [&'static str], String) {
        (&[], "a view".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Vec3; 2] = [Vec3::new(-0.13, -0.23, -0.11), Vec3::new(0.13, 0.12, 0.11)];

    fn camera() -> Camera {
        Camera::new(&CameraParams::default(), BOUNDS)
    }

    #[test]
    fn every_view_shows_its_side_of_the_head_and_all_of_it() {
        // From the middle of the head to the eye.
        let wanted = [
            (ViewPreset::Front, Vec3::Z),
            (ViewPreset::Side, Vec3::X),
            (ViewPreset::Back, Vec3::NEG_Z),
            (ViewPreset::Top, Vec3::Y),
            (
                ViewPreset::ThreeQuarter,
                Vec3::new(35f32.to_radians().sin(), 0.0, 35f32.to_radians().cos()),
            ),
        ];
        for (place, towards) in wanted {
            let mut camera = camera();
            camera.orbit(700.0, -30.0);
            camera.zoom(5.0);
            camera.stand(place, BOUNDS);
            let to_eye = (camera.position() - camera.target).normalize();
            assert!(to_eye.dot(towards) > 0.99, "{place:?}: {to_eye}");
            let matrix = camera.projection(1.5) * camera.view();
            for i in 0..8 {
                let pick = |axis: usize| BOUNDS[i >> axis & 1][axis];
                let p = matrix.project_point3(Vec3::new(pick(0), pick(1), pick(2)));
                assert!(p.x.abs() < 1.0 && p.y.abs() < 1.0, "{place:?}: {p}");
            }
        }
    }

    #[test]
    fn a_dolly_keeps_the_size_of_what_is_looked_at() {
        let mut camera = camera();
        camera.orbit(120.0, 40.0);
        let across = |camera: &Camera| {
            // A metre in the plane of the target, in half pictures.
            1.0 / (camera.distance * (0.5 * camera.fov).tan())
        };
        let before = across(&camera);
        for fov in [5.0f32, 60.0, 100.0, 24.0] {
            camera.dolly(fov.to_radians());
            assert!((across(&camera) / before - 1.0).abs() < 1e-5, "{fov}");
            assert!((camera.fov - fov.to_radians()).abs() < 1e-6);
        }
    }

    #[test]
    fn a_lock_fills_the_height_of_the_picture() {
        let lock = Lock {
            middle: Vec3::new(0.08, -0.05, 0.06),
            outwards: Vec3::new(0.8, 0.0, 0.6),
            radius: 0.04,
        };
        let mut camera = camera();
        camera.approach(&lock);
        let matrix = camera.projection(1.5) * camera.view();
        let middle = matrix.project_point3(lock.middle);
        assert!(middle.truncate().length() < 1e-4, "{middle}");
        let up = camera.view().inverse().transform_vector3(Vec3::Y);
        let edge = matrix.project_point3(lock.middle + up * lock.radius);
        assert!((edge.y - 1.0).abs() < 1e-3, "{edge}");
        let to_eye = (camera.position() - camera.target).normalize();
        assert!(to_eye.dot(lock.outwards) > 0.99);
    }
}
