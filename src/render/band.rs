//! The band pass: elastic rings where hair is bound, lit as the head is. They go with
//! the hair.

use super::{
    LookParams, RenderError,
    gl::{Buffer, Format, Gl, Program, Shape, State, VertexArray},
    tone::DISPLAYED,
};
use crate::groom::{Band, BandRing, Groom};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::f32::consts::TAU;

/// An elastic is wound so many times around hair.
const CORDS: usize = 3;
/// Corners along a cord, and around it.
const ALONG: usize = 72;
const AROUND: usize = 10;
/// Threads that are seen along a cord, and how deep they lie between, as a share of its
/// radius.
const THREADS: usize = 24;
const THREAD: f32 = 0.1;

/// A corner as the shader reads it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Corner {
    position: Vec3,
    normal: Vec3,
    /// Linear.
    colour: [f32; 3],
}

pub(super) struct BandPass {
    program: Program,
    displayed: Program,
    array: VertexArray,
    corners: Buffer,
    indices: Buffer,
    bands: Vec<Band>,
    /// Where they are, those that are anywhere.
    rings: Vec<BandRing>,
    /// How the corners in the buffer were made; none where they are old.
    made: Option<(f32, [f32; 3])>,
}

impl BandPass {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let program = |name, define| {
            let shared = concat!(
                include_str!("../../shaders/frame.glsl"),
                include_str!("../../shaders/display.glsl"),
                include_str!("../../shaders/occlusion_volume.glsl"),
                include_str!("../../shaders/skin.glsl"),
            );
            let shaders = [
                include_str!("../../shaders/band.vert"),
                include_str!("../../shaders/band.frag"),
            ];
            Program::new(gl, name, &format!("{define}{shared}"), shaders)
        };
        let pass = Self {
            program: program("band", "")?,
            displayed: program("band (displayed)", DISPLAYED)?,
            array: VertexArray::new(gl)?,
            corners: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
            bands: Vec::new(),
            rings: Vec::new(),
            made: None,
        };
        let stride = size_of::<Corner>();
        for (index, offset) in [(0, 0), (1, 12), (2, 24)] {
            let three = Format::Floats(3);
            pass.array
                .attribute(index, &pass.corners, three, stride, offset);
        }
        pass.array.indices(&pass.indices);
        Ok(pass)
    }

    /// Takes what binds the hair of `groom`, at rest.
    pub fn take_groom(&mut self, groom: &Groom) {
        self.bands.clone_from(&groom.bands);
        self.follow(&groom.points);
        if !self.bands.is_empty() {
            let indices = indices(self.bands.len());
            self.indices.set(bytemuck::cast_slice(&indices));
        }
    }

    /// The groom's vertices are there now. `[m]`
    pub fn follow(&mut self, positions: &[Vec3]) {
        let rings = self.bands.iter().filter_map(|band| band.ring(positions));
        self.rings = rings.collect();
        self.made = None;
    }

    /// Whether there are some to be seen.
    pub fn is_drawn(&self, look: &LookParams) -> bool {
        !self.rings.is_empty() && look.band_width > 0.0 && look.show_hair
    }

    /// Draws them into the bound target; in a `swift` frame with display colours.
    pub fn draw(&mut self, gl: &Gl, look: &LookParams, swift: bool) {
        if !self.is_drawn(look) {
            return;
        }
        let wanted = (look.band_width, look.band_colour);
        if self.made != Some(wanted) {
            let rings = self.rings.iter();
            let corners: Vec<Corner> = rings
                .flat_map(|ring| corners(ring, look.band_width, look.band_colour))
                .collect();
            self.corners.stream(bytemuck::cast_slice(&corners));
            self.made = Some(wanted);
        }
        gl.set_state(State::SOLID);
        match swift {
            true => self.displayed.bind(),
            false => self.program.bind(),
        }
        let count = self.rings.len() * CORDS * ALONG * AROUND * 6;
        self.array.draw_indexed(Shape::Triangles, count);
    }
}

/// The corners of an elastic around `ring`, so wide in all. `[m]`
fn corners(ring: &BandRing, width: f32, colour: [f32; 3]) -> Vec<Corner> {
    let cord = 0.5 * width / (0.9 * (CORDS - 1) as f32 + 1.0);
    let across = ring.axis.any_orthonormal_vector();
    let other = ring.axis.cross(across);
    let mut corners = Vec::with_capacity(CORDS * ALONG * AROUND);
    for number in 0..CORDS {
        let off = number as f32 - 0.5 * (CORDS - 1) as f32;
        for i in 0..ALONG {
            let along = TAU * i as f32 / ALONG as f32;
            let out = across * along.cos() + other * along.sin();
            // The windings are no parallels: they cross a little.
            let shift = off * 1.8 + 0.3 * (along + 2.1 * number as f32).sin();
            let radius = ring.radius + cord * (0.5 + 0.25 * (2.0 * along + off).cos());
            let middle = ring.middle + out * radius + ring.axis * (cord * shift);
            for j in 0..AROUND {
                let around = TAU * j as f32 / AROUND as f32;
                let normal = out * around.cos() + ring.axis * around.sin();
                let thread = (THREADS as f32 * along + around).sin();
                let tilt = across * -along.sin() + other * along.cos();
                corners.push(Corner {
                    position: middle + normal * (cord * (1.0 + THREAD * thread)),
                    normal: (normal
                        - tilt * (2.5 * THREAD * (THREADS as f32 * along + around).cos()))
                    .normalize_or(normal),
                    colour,
                });
            }
        }
    }
    corners
}

/// The triangles of so many elastics.
fn indices(count: usize) -> Vec<u32> {
    let mut indices = Vec::with_capacity(count * CORDS * ALONG * AROUND * 6);
    for cord in 0..count * CORDS {
        for i in 0..ALONG {
            for j in 0..AROUND {
                let at =
                    |i: usize, j: usize| ((cord * ALONG + i % ALONG) * AROUND + j % AROUND) as u32;
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                indices.extend([a, b, c, c, b, d]);
            }
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::FollowerParams,
        math::Pose,
        mesh::{HeadParams, load::load},
        render::{Camera, CameraParams, Headless, LightParams, Renderer, View},
    };

    #[test]
    fn an_elastic_is_not_in_the_shade_of_a_hidden_head() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let head = load(&HeadParams::default()).expect("the built-in head");
        // A tail behind the head, as seen from the light.
        let behind = LightParams::default().key_direction() * -0.15;
        let points: Vec<Vec3> = (0..80)
            .map(|i| behind + 0.01 * Vec3::new((i / 20) as f32, 2.0 - 0.2 * (i % 20) as f32, 0.0))
            .collect();
        let groom = Groom {
            bands: vec![Band::around(&points, vec![9, 29, 49, 69], false).expect("a band")],
            points,
            starts: (0..=4).map(|strand| 20 * strand).collect(),
            masses: vec![1.0; 4],
            ..Groom::default()
        };
        let camera = CameraParams {
            yaw: 0.0,
            ..CameraParams::default()
        };
        let camera = Camera::new(&camera, head.mesh.bounds());
        let renderer = || {
            let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
            renderer.set_head(&head.mesh);
            renderer.set_groom(&groom);
            renderer
        };
        let frame = |renderer: &mut Renderer, show_head, band_width| {
            let look = LookParams {
                show_head,
                band_width,
                ..LookParams::default()
            };
            let view = View {
                camera: &camera,
                look: &look,
                followers: &FollowerParams::default(),
                light: &LightParams::default(),
                environment: None,
                pose: Pose::IDENTITY,
                size: [96, 96],
                exact: true,
                swift: false,
            };
            renderer.frame(&view).expect("a frame");
            renderer.read_rgb().2
        };
        let (mut shown, mut hidden) = (renderer(), renderer());
        frame(&mut shown, true, 0.03);
        let [before, never] = [&mut shown, &mut hidden].map(|it| frame(it, false, 0.03));
        assert!(before == never, "what the light saw before is seen");
        assert!(before != frame(&mut shown, false, 0.0), "the band is seen");
        drop((shown, hidden));
        drop(headless);
    }

    #[test]
    fn an_elastic_is_closed_and_faces_outwards() {
        let ring = BandRing {
            middle: Vec3::new(0.1, 0.2, 0.3),
            axis: Vec3::new(0.6, 0.8, 0.0),
            radius: 0.012,
        };
        let corners = corners(&ring, 0.006, [0.1; 3]);
        let indices = indices(1);
        assert_eq!(indices.len(), 6 * corners.len());
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize]);
            let facing = (b.position - a.position).cross(c.position - a.position);
            assert!(facing.dot(a.normal + b.normal + c.normal) > 0.0);
        }
        for corner in &corners {
            let off = corner.position - ring.middle;
            assert!(off.dot(ring.axis).abs() < 0.0045, "{off}");
            let out = off.reject_from_normalized(ring.axis).length();
            assert!((0.01..0.017).contains(&out), "{out}");
        }
    }
}
