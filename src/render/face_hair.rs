//! The pass of brows and lashes: a few hundred ribbons that go with the head.

use super::{
    LookParams, RenderError,
    every_third::{EveryThird, Third},
    frame::FrameBlock,
    gl::{
        Blend, Buffer, Format, Gl, PointPicture, PointProgram, Program, Shape, State, TexelBuffer,
        TexelFormat, VertexArray, units,
    },
    hair,
    head::HeadShading,
    look::HeadFinish,
    tone::DISPLAYED,
};
use crate::mesh::{FACE_HAIR_POINTS, Face, FaceHair};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Indices of a hair: two triangles a segment.
const INDICES: usize = 6 * (FACE_HAIR_POINTS - 1);

/// A corner as the shader reads it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Corner {
    /// In the head's space `[m]`; 0 at the root, 1 at the tip.
    place: [f32; 4],
    /// Unit vector to the root; minus one or one, by the side of the ribbon.
    heading: [f32; 4],
    /// Diameter `[m]`, eumelanin added to that of the head's hair, and its number.
    kind: [f32; 3],
}

/// A point as the shader that lights it reads it, in two texels.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LitPoint {
    /// In the head's space. `[m]`
    place: [f32; 3],
    /// Eumelanin added to that of the head's hair.
    eumelanin: f32,
    /// Unit vector to the root.
    heading: [f32; 3],
    /// Of its hair.
    number: f32,
}

/// The ribbons of brows and lashes, and the light on each of their points.
pub(super) struct FaceHairPass {
    draw: Program,
    draw_displayed: Program,
    /// Draws colours that `shade` has made.
    draw_lit: Program,
    shade: PointProgram,
    /// What the colours are painted into.
    picture: Option<PointPicture>,
    array: VertexArray,
    corners: Buffer,
    indices: Buffer,
    points: TexelBuffer,
    colours: TexelBuffer,
    /// What the colours were made for: what the shaders knew of the frame, wherever the
    /// head is, and how many hairs are drawn.
    shaded: EveryThird<(FrameBlock, usize)>,
    hairs: usize,
}

impl FaceHairPass {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let shared = [
            include_str!("../../shaders/frame.glsl"),
            include_str!("../../shaders/display.glsl"),
            include_str!("../../shaders/strand.glsl"),
            include_str!("../../shaders/occlusion_volume.glsl"),
            &hair::fibre_glsl(),
            include_str!("../../shaders/face_light.glsl"),
        ]
        .concat();
        let draw = |name, define: &str| {
            let shaders = [
                include_str!("../../shaders/face_hair.vert"),
                include_str!("../../shaders/ribbon.frag"),
            ];
            Program::new(gl, name, &format!("{define}{shared}"), shaders)
        };
        let shade = include_str!("../../shaders/face_shade.vert");
        let displayed = format!("{DISPLAYED}{shared}");
        let pass = Self {
            draw: draw("face hair", "")?,
            draw_displayed: draw("face hair (displayed)", DISPLAYED)?,
            draw_lit: draw("face hair (lit)", &format!("{DISPLAYED}#define LIT\n"))?,
            shade: PointProgram::new(gl, "light of face hair", &displayed, shade, "shaded")?,
            picture: Some(PointPicture::default()),
            array: VertexArray::new(gl)?,
            corners: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
            points: TexelBuffer::new(gl, TexelFormat::Four)?,
            colours: TexelBuffer::new(gl, TexelFormat::Four)?,
            shaded: EveryThird::new(Third::Head),
            hairs: 0,
        };
        let stride = size_of::<Corner>();
        for (index, floats, offset) in [(0, 4, 0), (1, 4, 16), (2, 3, 32)] {
            let format = Format::Floats(floats);
            pass.array
                .attribute(index, &pass.corners, format, stride, offset);
        }
        pass.array.indices(&pass.indices);
        Ok(pass)
    }

    /// Takes the hair of another face; of none where nothing is known of it.
    pub fn take(&mut self, face: Option<&Face>) {
        let hairs = face.map_or(&[][..], |face| &face.hairs);
        self.hairs = hairs.len();
        self.shaded.forget();
        if hairs.is_empty() {
            return;
        }
        let corners: Vec<Corner> = (hairs.iter().enumerate())
            .flat_map(|(number, hair)| corners(number, hair))
            .collect();
        self.corners.set(bytemuck::cast_slice(&corners));
        self.indices
            .set(bytemuck::cast_slice(&indices(hairs.len())));
        let points: Vec<LitPoint> = (hairs.iter().enumerate())
            .flat_map(|(number, hair)| lit_points(number, hair))
            .collect();
        self.points.buffer.set(bytemuck::cast_slice(&points));
    }

    /// How many hairs `look` asks for.
    fn drawn(&self, look: &LookParams) -> usize {
        let share = match look.head {
            HeadFinish::Skin => look.brows.clamp(0.0, 1.0),
            HeadFinish::Mannequin => 0.0,
        };
        (share * self.hairs as f32).round() as usize
    }

    /// Lights the points of as much of it as `look` asks for, for [`HeadShading::Kept`];
    /// where they may be `late`, not in every frame. `frame` is what shaders know of it.
    ///
    /// # Errors
    /// When the driver has no room for the colours.
    pub fn shade(
        &mut self,
        gl: &Gl,
        look: &LookParams,
        frame: &FrameBlock,
        late: Option<Third>,
    ) -> Result<(), RenderError> {
        let drawn = self.drawn(look);
        if drawn == 0 || self.shaded.serves((frame.without_moving(), drawn), late) {
            return Ok(());
        }
        self.points.bind(units::FACE_POINTS);
        let count = FACE_HAIR_POINTS * drawn;
        let to = &mut self.colours.buffer;
        self.shade.run(gl, count, to, self.picture.as_mut())
    }

    /// Draws as much of it as `look` asks for into the bound target.
    pub fn draw(&self, gl: &Gl, look: &LookParams, shading: HeadShading) {
        let drawn = self.drawn(look);
        if drawn == 0 {
            return;
        }
        gl.set_state(State {
            depth_write: false,
            blend: Blend::Over,
            ..State::SOLID
        });
        match shading {
            HeadShading::Pixels => self.draw.bind(),
            HeadShading::Vertices => self.draw_displayed.bind(),
            HeadShading::Kept => {
                self.colours.bind(units::FACE_COLOURS);
                self.draw_lit.bind();
            }
        }
        self.array.draw_indexed(Shape::Triangles, INDICES * drawn);
    }
}

/// Where point `k` of a hair heads: the unit vector to its root.
fn to_root(hair: &FaceHair, k: usize) -> Vec3 {
    let last = FACE_HAIR_POINTS - 1;
    let [before, after] = [k.saturating_sub(1), (k + 1).min(last)].map(|k| hair.points[k]);
    (before - after).normalize_or(Vec3::NEG_Z)
}

/// The points of a hair, as they are lit.
fn lit_points(number: usize, hair: &FaceHair) -> impl Iterator<Item = LitPoint> {
    (0..FACE_HAIR_POINTS).map(move |k| LitPoint {
        place: hair.points[k].to_array(),
        eumelanin: hair.eumelanin,
        heading: to_root(hair, k).to_array(),
        number: number as f32,
    })
}

/// Two corners for each point of a hair.
fn corners(number: usize, hair: &FaceHair) -> impl Iterator<Item = Corner> {
    let last = (FACE_HAIR_POINTS - 1) as f32;
    (0..FACE_HAIR_POINTS).flat_map(move |k| {
        [-1.0, 1.0].map(|side| Corner {
            place: hair.points[k].extend(k as f32 / last).to_array(),
            heading: to_root(hair, k).extend(side).to_array(),
            kind: [hair.width, hair.eumelanin, number as f32],
        })
    })
}

/// The triangles of so many hairs.
fn indices(hairs: usize) -> Vec<u32> {
    let segments = (0..hairs)
        .flat_map(|hair| (0..FACE_HAIR_POINTS - 1).map(move |k| 2 * (hair * FACE_HAIR_POINTS + k)));
    segments
        .flat_map(|first| [0, 1, 2, 2, 1, 3].map(|corner| (first + corner) as u32))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hair_is_a_strip_of_its_own_corners() {
        let hair = FaceHair {
            points: std::array::from_fn(|k| Vec3::Y * (0.001 * k as f32)),
            width: 0.8,
            eumelanin: 0.5,
        };
        let hairs = [hair, hair];
        let corners: Vec<Corner> = (hairs.iter().enumerate())
            .flat_map(|(number, hair)| corners(number, hair))
            .collect();
        let indices = indices(2);
        assert_eq!(corners.len(), 4 * FACE_HAIR_POINTS);
        assert_eq!(indices.len(), 2 * INDICES);
        let points: Vec<LitPoint> = (hairs.iter().enumerate())
            .flat_map(|(number, hair)| lit_points(number, hair))
            .collect();
        for (k, triangle) in indices.chunks_exact(3).enumerate() {
            // Two corners have a point, as the shader that draws reads it.
            let of = |i: &u32| points[*i as usize / 2];
            for i in triangle {
                assert_eq!(of(i).number, (3 * k / INDICES) as f32);
                assert_eq!(of(i).number, corners[*i as usize].kind[2]);
                assert_eq!(of(i).place, corners[*i as usize].place[..3]);
            }
        }
        for corner in &corners {
            assert_eq!(corner.heading[..3], [0.0, -1.0, 0.0]);
        }
    }
}
