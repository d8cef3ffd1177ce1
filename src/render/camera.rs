//! The camera: a point looked at, and a place on a sphere around it.

use super::CameraParams;
use glam::{
    Mat4, Vec3,
    camera::rh::{proj::opengl::perspective, view::look_at_mat4},
};
use std::f32::consts::{FRAC_PI_2, PI};

/// Turn of the camera for each pixel of a drag. `[rad]`
const TURN_PER_PIXEL: f32 = 0.007;
/// Share of the distance that is left after one notch of the wheel.
const ZOOM_PER_NOTCH: f32 = 0.88;
/// The camera never quite reaches the pole, where "up" loses its meaning. `[rad]`
const PITCH_LIMIT: f32 = FRAC_PI_2 - 0.02;

/// Where the picture is taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture. `[m]`
    pub target: Vec3,
    /// From there to the camera. `[m]`
    pub distance: f32,
    /// Turn around the upward axis; 0 looks the head in the face. `[rad]`
    pub yaw: f32,
    /// Height over the horizon. `[rad]`
    pub pitch: f32,
    /// Vertical field of view. `[rad]`
    pub fov: f32,
}

impl Camera {
    /// The camera of `params` on a head with these bounds (smallest and largest
    /// coordinates). `[m]`
    pub fn new(params: &CameraParams, bounds: [Vec3; 2]) -> Self {
        let mut camera = Self {
            target: Vec3::ZERO,
            distance: 1.0,
            yaw: params.yaw.to_radians(),
            pitch: params.pitch.to_radians().clamp(-PITCH_LIMIT, PITCH_LIMIT),
            fov: params.fov.to_radians(),
        };
        camera.frame(bounds);
        camera.target += Vec3::new(params.shift_x, params.shift_y, params.shift_z);
        if params.distance > 0.0 {
            camera.distance = params.distance;
        }
        camera
    }

    /// What a scene file says of this camera on a head with these bounds; how it
    /// is moved is not the camera's to know and has its defaults.
    pub fn to_params(&self, bounds: [Vec3; 2]) -> CameraParams {
        let shift = self.target - home(bounds);
        // Whole turns do not show; a file need not count them.
        let turns = ((self.yaw + PI) / (2.0 * PI)).floor();
        CameraParams {
            yaw: (self.yaw - 2.0 * PI * turns).to_degrees(),
            pitch: self.pitch.to_degrees(),
            distance: self.distance,
            fov: self.fov.to_degrees(),
            shift_x: shift.x,
            shift_y: shift.y,
            shift_z: shift.z,
            ..CameraParams::default()
        }
    }

    /// Turns with a drag of the mouse: what is under the cursor follows it
    /// (x to the right, y downwards). `[px]`
    pub fn orbit(&mut self, dx_px: f32, dy_px: f32) {
        self.yaw -= dx_px * TURN_PER_PIXEL;
        self.pitch = (self.pitch + dy_px * TURN_PER_PIXEL).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Moves sideways with a drag of the mouse, so that the point looked at
    /// stays under the cursor. `[px]`
    pub fn pan(&mut self, dx_px: f32, dy_px: f32, viewport_height: f32) {
        let metres_per_pixel =
            2.0 * self.distance * (self.fov * 0.5).tan() / viewport_height.max(1.0);
        let to_camera = self.direction();
        let right = Vec3::Y.cross(to_camera).normalize_or(Vec3::X);
        let up = to_camera.cross(right);
        self.target += (up * dy_px - right * dx_px) * metres_per_pixel;
    }

    /// Comes nearer by so many notches of the wheel; negative goes away.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * ZOOM_PER_NOTCH.powf(notches)).clamp(0.02, 50.0);
    }

    /// The same, but not into a head that rests in these bounds `[m]`, or the hair on it:
    /// nothing is seen from within. A camera that is there already comes no nearer.
    pub fn zoom_outside(&mut self, notches: f32, bounds: [Vec3; 2]) {
        let before = self.distance;
        self.zoom(notches);
        let inside = |distance: f32| inside(bounds, self.target + self.direction() * distance);
        if self.distance < before && inside(self.distance) {
            let [mut within, mut without] = [self.distance, before];
            // The head is convex: from here on there is one way out.
            while without - within > 1e-4 {
                let middle = 0.5 * (within + without);
                match inside(middle) {
                    true => within = middle,
                    false => without = middle,
                }
            }
            self.distance = without;
        }
    }

    /// Looks at the middle of a head with these bounds, from where it fills
    /// most of the picture's height.
    pub fn frame(&mut self, bounds: [Vec3; 2]) {
        let bounds = portrait(bounds);
        let size = (bounds[1] - bounds[0]).max(Vec3::ZERO);
        // Hair stands off the head, and the floor wants to be seen.
        let half = (0.5 * size.y.max(0.75 * size.x.max(size.z))).clamp(0.01, 20.0) * 1.46;
        self.target = home(bounds);
        self.distance = half / (self.fov * 0.5).tan() + 0.25 * size.z;
    }

    /// Goes back as far as these points of hair need to be seen, if they do not fit: all but a
    /// few stray ones, in one of so many sides of a picture, each of that size. `[m]`, `[px]`
    pub fn take_in(&mut self, hair: &[Vec3], sides: usize, size: [u32; 2]) {
        /// So many points tell enough.
        const POINTS: usize = 20_000;
        /// This share of them may stick out.
        const STRAY: f32 = 0.002;
        /// Share of the picture that they may fill, towards either edge.
        const FILLED: f32 = 0.95;
        /// Hair that needs it farther away than so many times fills no picture well.
        const FARTHEST: f32 = 3.0;
        if hair.is_empty() || size.contains(&0) {
            return;
        }
        let up_tangent = FILLED * (0.5 * self.of_side(sides, size).fov).tan();
        let side_tangent = up_tangent * size[0] as f32 / size[1] as f32;
        let to_camera = self.direction();
        let right = Vec3::Y.cross(to_camera).normalize_or(Vec3::X);
        let up = to_camera.cross(right);
        let needed = |point: &Vec3| {
            let from = *point - self.target;
            let aside = from.dot(right).abs() / side_tangent;
            from.dot(to_camera) + aside.max(from.dot(up).abs() / up_tangent)
        };
        let every = hair.len().div_ceil(POINTS);
        let mut needed: Vec<f32> = hair.iter().step_by(every).map(needed).collect();
        needed.retain(|distance| distance.is_finite());
        let stray = (STRAY * needed.len() as f32) as usize;
        if let Some(place) = needed.len().checked_sub(1 + stray) {
            let (_, distance, _) = needed.select_nth_unstable_by(place, f32::total_cmp);
            let most = FARTHEST * self.distance;
            self.distance = distance.clamp(self.distance, most);
        }
    }

    /// From the point looked at to the camera, unit length.
    fn direction(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Where the camera stands. `[m]`
    pub fn position(&self) -> Vec3 {
        self.target + self.direction() * self.distance
    }

    /// World to camera.
    pub fn view(&self) -> Mat4 {
        look_at_mat4(self.position(), self.target, Vec3::Y)
    }

    /// From where on, and up to where, something is seen. `[m]`
    pub fn clip(&self) -> [f32; 2] {
        [
            (self.distance * 0.05).max(0.002),
            self.distance * 4.0 + 30.0,
        ]
    }

    /// Camera to clip space for a picture `aspect` times as wide as high.
    pub fn projection(&self, aspect: f32) -> Mat4 {
        let [near, far] = self.clip();
        perspective(self.fov, aspect, near, far)
    }

    /// The ray through a point of the picture (-1..=1, x to the right, y up):
    /// origin and unit direction. `[m]`
    pub fn ray(&self, x_ndc: f32, y_ndc: f32, aspect: f32) -> (Vec3, Vec3) {
        let half = (self.fov * 0.5).tan();
        let to_camera = self.direction();
        let right = Vec3::Y.cross(to_camera).normalize_or(Vec3::X);
        let up = to_camera.cross(right);
        let direction = right * (x_ndc * half * aspect) + up * (y_ndc * half) - to_camera;
        (self.position(), direction.normalize())
    }
}

/// Whether a camera at `p` sees nothing for being in the head, or in the hair on it: in an
/// upright capsule a little wider than a head. `[m]`
fn inside(bounds: [Vec3; 2], p: Vec3) -> bool {
    /// Half as wide as a head, at most. `[m]`
    const HALF: f32 = 0.1;
    /// How thick hair lies on it, and room to see it, as a share of that.
    const HAIR: f32 = 0.5;
    let [min, max] = portrait(bounds);
    let size = max - min;
    let half = (0.5 * size.min_element()).min(HALF);
    let middle = (min + max) * 0.5;
    let axis = middle.with_y(p.y.min(max.y - half));
    p.y > min.y && p.distance(axis) < half * (1.0 + HAIR)
}

/// Of a whole body only the head and the shoulders.
fn portrait([mut min, mut max]: [Vec3; 2]) -> [Vec3; 2] {
    /// Taller than a bust. `[m]`
    const BODY: f32 = 0.8;
    /// Half the height and width of a portrait. `[m]`
    const HALF: f32 = 0.2;
    if max.y - min.y > BODY {
        let middle = (min + max) * 0.5;
        let side = Vec3::new(HALF, 0.0, HALF);
        min = min.max(middle - side).with_y(max.y - 2.0 * HALF);
        max = max.min(middle + side).with_y(max.y);
    }
    [min, max]
}

/// The point that a framed head has in the middle of the picture: a little over
/// the middle of the box, for the hair on top; the origin where there is no box,
/// as for an empty mesh.
fn home(bounds: [Vec3; 2]) -> Vec3 {
    let [min, max] = portrait(bounds);
    let home = (min + max) * 0.5 + Vec3::Y * (0.05 * (max.y - min.y));
    if home.is_finite() { home } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Vec3; 2] = [Vec3::new(-0.13, -0.23, -0.11), Vec3::new(0.13, 0.12, 0.11)];

    fn camera() -> Camera {
        Camera::new(&CameraParams::default(), BOUNDS)
    }

    fn project(camera: &Camera, p: Vec3, aspect: f32) -> Vec3 {
        (camera.projection(aspect) * camera.view()).project_point3(p)
    }

    #[test]
    fn the_wheel_stops_before_the_head() {
        let bounds = [Vec3::new(-0.2, 1.3, -0.12), Vec3::new(0.2, 1.75, 0.12)];
        let mut camera = Camera::new(&CameraParams::default(), bounds);
        for _ in 0..40 {
            camera.zoom_outside(1.0, bounds);
        }
        let stopped = camera.position();
        assert!(!inside(bounds, stopped));
        assert!(
            (0.14..0.2).contains(&camera.distance),
            "{}",
            camera.distance
        );
        camera.zoom_outside(3.0, bounds);
        assert!(camera.position().distance(stopped) < 2e-4);
        camera.zoom_outside(-3.0, bounds);
        assert!(camera.distance > 0.2);
        // A lock in front of the head may be looked at from as near as ever.
        camera.target = Vec3::new(0.0, 1.5, 0.4);
        camera.zoom_outside(40.0, bounds);
        assert!(camera.distance < 0.05);
        // Whoever is within may leave, or stay.
        camera.target = Vec3::new(0.0, 1.5, 0.0);
        let within = camera.distance;
        camera.zoom_outside(1.0, bounds);
        assert_eq!(camera.distance, within);
        camera.zoom_outside(-1.0, bounds);
        assert!(camera.distance > within);
    }

    #[test]
    fn yaw_zero_looks_the_head_in_the_face() {
        let params = CameraParams {
            yaw: 0.0,
            pitch: 0.0,
            ..CameraParams::default()
        };
        let camera = Camera::new(&params, BOUNDS);
        assert!(camera.position().z > 0.3 && camera.position().x.abs() < 1e-5);
        // The head's left (+x) is on the picture's right.
        assert!(project(&camera, camera.target + Vec3::X * 0.1, 1.6).x > 0.1);
    }

    #[test]
    fn the_framed_head_lies_inside_the_picture_and_fills_it() {
        for pitch in [-20.0, 6.0, 40.0] {
            let params = CameraParams {
                pitch,
                ..CameraParams::default()
            };
            let camera = Camera::new(&params, BOUNDS);
            let corners = (0..8).map(|i| {
                let pick = |axis: usize| BOUNDS[i >> axis & 1][axis];
                project(&camera, Vec3::new(pick(0), pick(1), pick(2)), 16.0 / 9.0)
            });
            let tallest = corners
                .map(|p| {
                    assert!(p.x.abs() < 1.0 && p.y.abs() < 1.0 && p.z.abs() < 1.0, "{p}");
                    p.y.abs()
                })
                .fold(0.0, f32::max);
            assert!(tallest > 0.6, "{tallest}");
        }
    }

    #[test]
    fn hair_that_sticks_out_of_the_picture_moves_the_camera_back_and_no_other_does() {
        let size = [900, 700];
        let ring = |wide: f32, low: f32| -> Vec<Vec3> {
            let turn = |i: i32| 0.1 * i as f32;
            let at = |i: i32| Vec3::new(wide * turn(i).cos(), low, wide * turn(i).sin());
            (0..63).map(at).collect()
        };
        let mut framed = camera();
        framed.take_in(&ring(0.15, -0.1), 1, size);
        assert_eq!(framed, camera());
        for hair in [ring(0.4, 0.0), ring(0.2, -0.4)] {
            let mut framed = camera();
            framed.take_in(&hair, 1, size);
            assert!(framed.distance > camera().distance);
            for point in &hair {
                let p = project(&framed, *point, size[0] as f32 / size[1] as f32);
                assert!(p.x.abs() < 0.96 && p.y.abs() < 0.96, "{p}");
            }
        }
        // A hair that flies off does not count, and neither does a picture of no size.
        let mut some = vec![ring(0.15, -0.1); 20].concat();
        some.push(Vec3::X * 3.0);
        let mut framed = camera();
        framed.take_in(&some, 1, size);
        framed.take_in(&ring(0.4, 0.0), 1, [0, 700]);
        assert_eq!(framed, camera());
    }

    #[test]
    fn of_a_body_the_head_is_framed() {
        let body = [Vec3::new(-0.6, 0.0, -0.15), Vec3::new(0.6, 1.7, 0.15)];
        let camera = Camera::new(&CameraParams::default(), body);
        assert!((1.4..1.7).contains(&camera.target.y) && camera.distance < 2.0);
        let crown = project(&camera, Vec3::Y * 1.7, 1.5);
        assert!((0.3..0.95).contains(&crown.y), "{crown}");
    }

    #[test]
    fn params_survive_the_round_trip() {
        let mut camera = camera();
        camera.orbit(1300.0, 40.0);
        camera.pan(12.0, -7.0, 720.0);
        camera.zoom(2.5);
        let again = Camera::new(&camera.to_params(BOUNDS), BOUNDS);
        assert!(camera.position().distance(again.position()) < 1e-5);
        assert!(camera.target.distance(again.target) < 1e-6);
    }

    #[test]
    fn a_pan_keeps_the_target_under_the_cursor() {
        let mut camera = camera();
        let before = camera.target;
        camera.pan(72.0, 36.0, 720.0);
        let p = project(&camera, before, 16.0 / 9.0);
        // 72 px of 1280 to the right and 36 of 720 down, in half pictures.
        assert!(
            (p.x - 72.0 / 640.0).abs() < 1e-3 && (p.y + 36.0 / 360.0).abs() < 1e-3,
            "{p}"
        );
    }

    #[test]
    fn a_drag_to_the_right_turns_the_near_side_to_the_right() {
        let mut camera = camera();
        let near = camera.target + camera.direction() * 0.1;
        camera.orbit(30.0, 20.0);
        let p = project(&camera, near, 1.0);
        assert!(p.x > 0.01 && p.y < -0.01, "{p}");
    }

    #[test]
    fn a_ray_meets_what_is_drawn_there() {
        let camera = camera();
        let point = Vec3::new(0.05, 0.03, 0.08);
        let p = project(&camera, point, 1.5);
        let (origin, direction) = camera.ray(p.x, p.y, 1.5);
        let off = (point - origin).reject_from(direction).length();
        assert!(
            off < 1e-5 && (direction.length() - 1.0).abs() < 1e-5,
            "{off}"
        );
    }

    #[test]
    fn no_input_breaks_the_camera() {
        let mut camera = camera();
        camera.orbit(0.0, 1e6);
        camera.zoom(1e4);
        camera.pan(3.0, 3.0, 0.0);
        assert!(camera.view().is_finite() && camera.projection(1.0).is_finite());
        camera.frame([Vec3::INFINITY, Vec3::NEG_INFINITY]);
        assert!(camera.view().is_finite() && camera.distance > 0.0);
    }
}
