//! Environments that come with the program.

use super::Panorama;
use crate::math::smoothstep;
use glam::Vec3;

/// Width of their pictures. `[px]`
const WIDTH: usize = 512;

/// One of the environments that come with the program. Their units are free: all environments are
/// brought to the same mean.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// What `light.environment` calls it.
    pub id: &'static str,
    /// What the panel calls it.
    pub label: &'static str,
    /// What it is, a sentence.
    pub about: &'static str,
    light: fn(Vec3) -> Vec3,
}

impl BuiltIn {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self {
            id: "softboxes",
            label: "Softboxes",
            about: "A grey studio with a large softbox before the face, a weaker one beside \
                    it and two strips behind.",
            light: softboxes,
        },
        Self {
            id: "overcast",
            label: "Overcast",
            about: "A grey sky, brightest overhead, over a meadow: soft light without a shadow \
                    to speak of.",
            light: overcast,
        },
        Self {
            id: "sunset",
            label: "Sunset",
            about: "A low sun on the left, an orange horizon, and a blue sky above.",
            light: sunset,
        },
    ];

    /// What `light.environment` calls them, in the same order.
    pub const NAMES: [&str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].id;
            index += 1;
        }
        names
    };

    /// The one of that name.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|built_in| built_in.id == id)
    }

    /// What it looks like.
    pub fn picture(&self) -> Panorama {
        Panorama::of(WIDTH, |towards| (self.light)(towards.into()).to_array())
    }
}

/// Towards a yaw, positive to the face's left, and a height over the horizon. `[°]`
fn towards(yaw: f32, height: f32) -> Vec3 {
    let (sin, cos) = yaw.to_radians().sin_cos();
    let (rise, level) = height.to_radians().sin_cos();
    Vec3::new(sin * level, rise, cos * level)
}

/// How much of a panel of that half width and half height, whose middle is at `middle`,
/// lies in direction `d`: 1 within, and 0 a little outside. `[°]`
fn panel(d: Vec3, middle: Vec3, [width, height]: [f32; 2]) -> f32 {
    let right = Vec3::Y.cross(middle).normalize_or(Vec3::X);
    let up = middle.cross(right);
    let ahead = d.dot(middle);
    if ahead <= 0.0 {
        return 0.0;
    }
    let off = |axis: Vec3, half: f32| {
        let tangent = (d.dot(axis) / ahead).abs();
        1.0 - smoothstep(0.94, 1.06, tangent / half.to_radians().tan())
    };
    off(right, width) * off(up, height)
}

fn softboxes(d: Vec3) -> Vec3 {
    let room = Vec3::new(0.30, 0.31, 0.33) * (0.55 + 0.45 * smoothstep(-0.6, 0.8, d.y));
    let key = Vec3::new(10.0, 9.4, 8.6) * panel(d, towards(-20.0, 44.0), [22.0, 26.0]);
    let fill = Vec3::new(1.9, 2.0, 2.1) * panel(d, towards(64.0, 10.0), [24.0, 30.0]);
    let left = Vec3::new(11.0, 10.2, 9.2) * panel(d, towards(-128.0, 26.0), [9.0, 30.0]);
    let right = Vec3::new(12.0, 12.6, 13.4) * panel(d, towards(150.0, 30.0), [9.0, 30.0]);
    room + key + fill + left + right
}

/// The sky of Moon and Spencer 1942, a third as bright at the horizon as overhead; the
/// ground sends a part of its light back.
fn overcast(d: Vec3) -> Vec3 {
    let sky = Vec3::new(0.92, 0.98, 1.08) * ((1.0 + 2.0 * d.y.max(0.0)) / 3.0);
    // The sky's irradiance is 7/9 pi of its zenith.
    let ground = Vec3::new(0.15, 0.17, 0.10) * (7.0 / 9.0);
    ground.lerp(sky, smoothstep(-0.03, 0.03, d.y))
}

/// Where the sun of the sunset stands, and its radius. `[°]`
const SUN: [f32; 2] = [-62.0, 12.0];
const SUN_RADIUS: f32 = 2.0;

fn sunset(d: Vec3) -> Vec3 {
    let sun = towards(SUN[0], SUN[1]);
    let away = d.dot(sun).clamp(-1.0, 1.0).acos().to_degrees();
    let height = d.y.max(0.0);
    // Blue above, orange along the horizon, the more the nearer to the sun.
    let zenith = Vec3::new(0.16, 0.25, 0.52);
    let near = 0.5 + 0.5 * d.dot(sun);
    let horizon = Vec3::new(0.62, 0.36, 0.34).lerp(Vec3::new(1.9, 0.85, 0.30), near * near);
    let sky = horizon.lerp(zenith, 1.0 - (-4.5 * height).exp());
    let glow = Vec3::new(5.0, 2.3, 0.75) * (-away / 9.0).exp();
    let ground = Vec3::new(0.16, 0.11, 0.08) * (1.0 + near);
    let disc = Vec3::new(2600.0, 1400.0, 540.0) * (1.0 - smoothstep(0.8, 1.2, away / SUN_RADIUS));
    ground.lerp(sky + glow, smoothstep(-0.02, 0.02, d.y)) + disc
}
