//! The lights of the set, and where the picture is taken from.

use crate::{param, param::Kind, params};

params! {
    /// The lights of the set: three-point light that turns with the camera, so that no side of the head is ever unlit, or an environment that stands in the world.
    pub struct LightParams: "light" {
        /// Direction of the key light around the head, from the camera's: negative is on the left.
        key_yaw: f32 = -47.8, param::float(-180.0, 180.0), "°", "Key direction";
        /// Height of the key light over the horizon.
        key_pitch: f32 = 44.2, param::float(-30.0, 90.0), "°", "Key height";
        /// Strength of the key light, which throws the shadows, an environment's strongest; 1 is the light's own.
        key: f32 = 1.0, param::float(0.0, 4.0), "x", "Key";
        /// Strength of the fill light, which lifts what the key leaves dark; of the second light of an environment.
        fill: f32 = 1.0, param::float(0.0, 4.0), "x", "Fill";
        /// Strength of the two lights from behind, which draw bright edges; of the third and fourth light of an environment.
        rim: f32 = 1.0, param::float(0.0, 4.0), "x", "Rim lights";
        /// Strength of the light that the room sends from everywhere, or an environment beside its lights.
        room: f32 = 1.0, param::float(0.0, 4.0), "x", "Ambient";
        /// An equirectangular picture that lights hair and head in place of the three-point light: a Radiance or OpenEXR file (.hdr, .exr), or softboxes, overcast or sunset, which come with the program; empty for three-point light.
        environment: String = "", Kind::Text, "", "Environment";
        /// Turn of the environment about the vertical, anticlockwise as seen from above; at 0 the middle of its picture is before the face.
        environment_turn: f32 = 0.0, param::float(-180.0, 180.0), "°", "Environment turn";
        /// Strength of the environment; 1 is about as bright as the three-point light, whatever unit its file is in.
        environment_strength: f32 = 1.0, param::log_float(0.01, 100.0), "x", "Environment light";
        /// Whether the environment is seen behind the head, in place of the backdrop.
        environment_seen: bool = false, Kind::Bool, "", "Show environment";
        /// How blurred the environment is where it is seen: 0 is sharp. The light does not change.
        environment_blur: f32 = 0.3, param::float(0.0, 1.0), "", "Environment blur";
    }
}

params! {
    /// Where the picture is taken from.
    pub struct CameraParams: "camera" {
        /// Turn around the head; 0 is the front view.
        yaw: f32 = 28.0, param::float(-360.0, 360.0), "°", "Yaw";
        /// Height of the camera over the horizon.
        pitch: f32 = 6.0, param::float(-89.0, 89.0), "°", "Pitch";
        /// Distance from the point looked at; 0 frames head and hair.
        distance: f32 = 0.0, param::float(0.0, 50.0), "m", "Distance";
        /// Vertical field of view.
        fov: f32 = 24.0, param::float(5.0, 100.0), "°", "Field of view";
        /// Radius of the lens in stills and recorded frames: what is nearer or farther than "Focus distance" blurs; 0 is sharp.
        aperture: f32 = 0.0, param::float(0.0, 0.05), "m", "Aperture";
        /// How far before the camera what is sharp lies, with an open lens; 0 is where the point looked at lies.
        focus: f32 = 0.0, param::float(0.0, 10.0), "m", "Focus distance";
        /// Sideways offset of the point looked at from the middle of the head.
        shift_x: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift x";
        /// Upward offset of the point looked at.
        shift_y: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift y";
        /// Forward offset of the point looked at.
        shift_z: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift z";
        /// Whether another field of view changes the distance too, so that the head keeps its size.
        dolly: bool = true, Kind::Bool, "", "Keep size";
        /// Whether the picture goes on turning for a moment when the mouse lets go of it.
        inertia: bool = true, Kind::Bool, "", "Inertia";
        /// Whether the camera goes round the head by itself.
        turntable: bool = false, Kind::Bool, "", "Turntable";
        /// How fast it goes round: degrees for each second, of simulated time while frames are recorded.
        turn_speed: f32 = 30.0, param::float(-180.0, 180.0), "°/s", "Turntable speed";
    }
}
