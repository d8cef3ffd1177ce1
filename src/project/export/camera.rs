//! The camera of an export: where pictures of the scene are taken from, frame by frame.

use crate::{
    io::strands::CameraSample,
    mesh::Up,
    project::{built_scene::BuiltScene, scene::Scene, subject::CameraSubject},
    render::{Camera, Lens},
};
use glam::{DMat4, DVec4, Vec3};

/// How high the film is, that of a still camera held level. `[mm]`
const FILM: f64 = 24.0;

/// A picture whose size is that of a window. `[px]`
const USUAL: [u32; 2] = [1920, 1080];

/// The camera of a scene for files: it follows its keys as that of a picture does, and goes
/// round as the turntable of a recording.
pub(super) struct ExportedCamera {
    subject: CameraSubject,
    /// Width and height of the pictures; none where these are as large as the window's. `[px]`
    size: Option<[u32; 2]>,
    /// The unit of the file. `[m]`
    metres: f64,
    /// The axis that points up in it.
    up: Up,
}

impl ExportedCamera {
    /// That of `scene`, of which `stage` was built, for a file in a unit of so many `metres`
    /// with that axis up.
    pub fn new(stage: &BuiltScene, scene: &Scene, metres: f64, up: Up) -> Self {
        let size = scene.capture.pixels();
        Self {
            subject: CameraSubject::new(stage, 1, size.unwrap_or(USUAL)),
            size,
            metres,
            up,
        }
    }

    /// The camera so long after the motion of `scene` began. `[s]`
    pub fn at(&self, scene: &Scene, since: f64) -> CameraSample {
        let since = since.max(0.0);
        let motion = &scene.sim.motion;
        let tracks = &scene.sim.tracks.keys;
        let params = tracks.over(&scene.camera, motion.track_time(since));
        let mut camera = self.subject.camera(&params);
        if params.turntable {
            camera.yaw += (f64::from(params.turn_speed) * since).to_radians() as f32;
        }
        let [width, height] = self.size.unwrap_or(USUAL).map(f64::from);
        let aspect = width / height.max(1.0);
        sample(&camera, Lens::of(&params), aspect, (self.metres, self.up))
    }

    /// What pictures it is for, in words.
    pub fn pictures(&self) -> String {
        match self.size {
            Some([width, height]) => format!("for pictures of {width} x {height}"),
            None => "for pictures of 16:9".into(),
        }
    }
}

/// A camera with that lens, for a picture `aspect` times as wide as
/// high, in a file in a unit of so many metres with that axis up.
fn sample(camera: &Camera, lens: Lens, aspect: f64, (metres, up): (f64, Up)) -> CameraSample {
    let unit = |metres_long: f32| f64::from(metres_long) / metres;
    let stands = camera.view().inverse();
    let turned = |axis: Vec3| up.laid(axis).as_dvec3().extend(0.0);
    let [x, y, z] = [stands.x_axis, stands.y_axis, stands.z_axis].map(|axis| axis.truncate());
    let from = up.laid(camera.position()).as_dvec3() / metres;
    let focal_length = 0.5 * FILM / f64::from(0.5 * camera.fov).tan();
    CameraSample {
        place: DMat4::from_cols(
            turned(x),
            turned(y),
            turned(z),
            DVec4::new(from.x, from.y, from.z, 1.0),
        ),
        focal_length,
        film: [FILM * aspect, FILM],
        f_stop: (lens.aperture > 0.0).then(|| focal_length / (2000.0 * f64::from(lens.aperture))),
        focus: unit(lens.focus_before(camera)),
        clip: camera.clip().map(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn camera() -> Camera {
        Camera {
            target: Vec3::new(0.01, 1.5, -0.02),
            distance: 0.8,
            yaw: 0.7,
            pitch: -0.3,
            fov: 0.5,
        }
    }

    /// Where a point of the file is in the picture of a camera of it, -1..=1.
    fn seen(camera: &CameraSample, point: DVec3) -> [f64; 2] {
        let p = camera.place.inverse().transform_point3(point);
        let on_film = |across: f64| camera.focal_length * across / -p.z;
        [
            on_film(p.x) / (0.5 * camera.film[0]),
            on_film(p.y) / (0.5 * camera.film[1]),
        ]
    }

    #[test]
    fn a_point_is_seen_in_a_file_where_it_is_in_the_picture() {
        let (camera, aspect) = (camera(), 1.5);
        for up in [Up::Y, Up::Z, Up::X] {
            for metres in [1.0, 0.01] {
                let sample = sample(&camera, Lens::default(), f64::from(aspect), (metres, up));
                for point in [[0.1, 1.6, 0.05], [-0.05, 1.45, 0.1], [0.0, 1.5, 0.0]] {
                    let point = Vec3::from(point);
                    let drawn = camera.projection(aspect) * camera.view();
                    let drawn = drawn.project_point3(point);
                    let found = seen(&sample, up.laid(point).as_dvec3() / metres);
                    let off = (found[0] - f64::from(drawn.x)).abs()
                        + (found[1] - f64::from(drawn.y)).abs();
                    assert!(off < 1e-4, "{up:?} {metres}: {found:?} {drawn}");
                }
                let along = sample.place.transform_point3(DVec3::NEG_Z * sample.focus);
                let target = up.laid(camera.target).as_dvec3() / metres;
                assert!(along.distance(target) * metres < 1e-5, "{up:?}");
                assert!(
                    (sample.place.determinant() - 1.0).abs() < 1e-5,
                    "not mirrored"
                );
            }
        }
    }

    #[test]
    fn a_lens_with_an_opening_has_its_f_stop() {
        let sharp = sample(&camera(), Lens::default(), 1.0, (1.0, Up::Y));
        assert_eq!(sharp.f_stop, None);
        let open = Lens {
            aperture: 0.01,
            ..Lens::default()
        };
        let soft = sample(&camera(), open, 1.0, (0.01, Up::Y));
        let wide = soft.f_stop.expect("an f-stop") * 20.0;
        assert!((wide - soft.focal_length).abs() < 1e-4);
        assert!((soft.focus - 80.0).abs() < 1e-4 && soft.clip[0] < soft.focus);
    }
}
