//! The lights of a frame: three-point light that turns with the camera, or an environment.

use super::{Camera, Environment, LightParams, View};
use glam::{Quat, Vec3, Vec4};

/// Radiance of the key light.
const KEY: Vec3 = Vec3::new(13.5, 12.555, 11.34);

/// Directions towards the other lights as a camera sees them that stands before
/// the head, and their radiance: fill, rim, second rim.
const LIGHTS: [(Vec3, Vec3); 3] = [
    (Vec3::new(0.62, 0.12, 0.84), Vec3::new(2.6, 2.75, 2.9)),
    (Vec3::new(0.83, 0.55, -0.52), Vec3::new(9.3, 9.7, 10.0)),
    (Vec3::new(-0.42, 0.46, -0.94), Vec3::new(7.0, 6.3, 5.46)),
];

/// Light of the room, from above and from below.
const SKY: Vec3 = Vec3::new(0.84, 0.92, 1.05);
const GROUND: Vec3 = Vec3::new(0.44, 0.38, 0.33);

/// The lights of one frame, for the shaders.
pub(super) struct Lighting {
    /// Unit directions towards key, fill, rim and second rim.
    pub towards: [Vec3; 4],
    /// Irradiance of a surface that faces them.
    pub colours: [Vec3; 4],
    /// Light of the room from above and from below; none of it with an environment.
    pub sky: Vec3,
    pub ground: Vec3,
    /// The environment's light from everywhere: factors of
    /// [`Harmonics`](super::environment::Harmonics).
    pub ambient: [Vec4; 9],
    /// How the environment's picture is seen: sine and cosine of its turn, its strength,
    /// and 1 where it is seen.
    pub seen: Vec4,
}

impl Lighting {
    /// The lights of a view.
    pub fn of(view: &View) -> Self {
        match view.environment {
            None => Self::three_point(view.camera, view.light),
            Some(environment) => Self::around(environment, view.light),
        }
    }

    /// The rig turns with the camera, so that no side of the head is ever unlit.
    fn three_point(camera: &Camera, light: &LightParams) -> Self {
        let turn = Quat::from_rotation_y(camera.yaw);
        let [fill, rim, second] = LIGHTS.map(|(direction, _)| turn * direction.normalize());
        Self {
            towards: [turn * light.key_direction(), fill, rim, second],
            colours: [
                KEY * light.key,
                LIGHTS[0].1 * light.fill,
                LIGHTS[1].1 * light.rim,
                LIGHTS[2].1 * light.rim,
            ],
            sky: SKY * light.room,
            ground: GROUND * light.room,
            ambient: [Vec4::ZERO; 9],
            seen: Vec4::ZERO,
        }
    }

    /// An environment stands in the world: a camera that goes round the head sees all
    /// sides of the light.
    fn around(environment: &Environment, light: &LightParams) -> Self {
        let angle = light.environment_turn.to_radians();
        let turn = Quat::from_rotation_y(angle);
        let strength = light.environment_strength;
        let shares = [light.key, light.fill, light.rim, light.rim];
        let (sin, cos) = angle.sin_cos();
        let seen = light.environment_seen && environment.blur().is_some();
        Self {
            towards: environment.lights.map(|light| turn * light.towards),
            colours: std::array::from_fn(|index| {
                environment.lights[index].colour * (shares[index] * strength)
            }),
            sky: Vec3::ZERO,
            ground: Vec3::ZERO,
            ambient: environment.ambient.turned(angle, light.room * strength),
            seen: Vec4::new(sin, cos, strength, f32::from(seen)),
        }
    }
}

impl Environment {
    /// Whether any of its light comes from one direction.
    pub fn has_key_light(&self) -> bool {
        self.lights[0].colour != Vec3::ZERO
    }

    /// Towards its strongest light, as `light` turns it; unit length.
    pub fn key_direction(&self, light: &LightParams) -> Vec3 {
        Quat::from_rotation_y(light.environment_turn.to_radians()) * self.lights[0].towards
    }
}

impl LightParams {
    /// Towards the key light for a camera that looks along -z; unit length.
    pub fn key_direction(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.key_yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = self.key_pitch.to_radians().sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Yaw and pitch of a direction towards the key light, as near as their
    /// ranges allow. `[°]`
    pub fn key_angles(towards: Vec3) -> [f32; 2] {
        let towards = towards.normalize_or(Vec3::Z);
        let pitch = towards.y.clamp(-1.0, 1.0).asin().to_degrees();
        let yaw = towards.x.atan2(towards.z).to_degrees();
        [yaw, pitch.clamp(-30.0, 90.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_light_stands_where_its_angles_say() {
        let light = LightParams::default();
        // Above, on the left, on the camera's side.
        let studio = Vec3::new(-0.64, 0.84, 0.58).normalize();
        assert!(light.key_direction().dot(studio) > 0.999_99);
        for [yaw, pitch] in [[-47.8, 44.2], [0.0, 0.0], [170.0, -20.0], [90.0, 60.0]] {
            let light = LightParams {
                key_yaw: yaw,
                key_pitch: pitch,
                ..LightParams::default()
            };
            let [again, height] = LightParams::key_angles(3.0 * light.key_direction());
            assert!((again - yaw).abs() < 1e-3 && (height - pitch).abs() < 1e-3);
        }
        assert_eq!(LightParams::key_angles(Vec3::NEG_Y)[1], -30.0);
    }
}
