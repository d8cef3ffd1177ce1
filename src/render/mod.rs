//! The picture: an OpenGL 3.3 core renderer that a window and a headless
//! context share.

use crate::{param, param::Kind, params};

params! {
    /// How hair and set are drawn.
    pub struct LookParams: "look" {
        /// Colour at the root, linear.
        root_colour: [f32; 3] = [0.035, 0.016, 0.008], Kind::Colour, "", "Root colour";
        /// Colour at the tip, linear.
        tip_colour: [f32; 3] = [0.30, 0.135, 0.055], Kind::Colour, "", "Tip colour";
        /// How much the strands' brightness differs from one to the next.
        variation: f32 = 0.35, param::float(0.0, 1.0), "", "Variation";
        /// Strength of the highlight along the strands.
        shine: f32 = 0.6, param::float(0.0, 2.0), "", "Shine";
        /// Colour of the head, linear.
        skin_colour: [f32; 3] = [0.42, 0.33, 0.27], Kind::Colour, "", "Skin colour";
        /// Colour of the backdrop, linear.
        backdrop: [f32; 3] = [0.060, 0.064, 0.074], Kind::Colour, "", "Backdrop";
        /// Brightness of the whole picture.
        exposure: f32 = 1.0, param::log_float(0.1, 10.0), "", "Exposure";
        /// Whether the head is drawn.
        show_head: bool = true, Kind::Bool, "", "Show head";
        /// Whether strands are drawn.
        show_hair: bool = true, Kind::Bool, "", "Show hair";
        /// Samples for each pixel's edges: 1 is fastest, 4 is smooth.
        samples: u32 = 4u32, param::int(1, 8), "", "Edge samples";
    }
}

params! {
    /// Where the picture is taken from.
    pub struct CameraParams: "camera" {
        /// Turn around the head; 0 looks it in the face.
        yaw: f32 = 28.0, param::float(-360.0, 360.0), "°", "Yaw";
        /// Height of the camera over the horizon.
        pitch: f32 = 6.0, param::float(-89.0, 89.0), "°", "Pitch";
        /// Distance from the point looked at; 0 frames the head.
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
