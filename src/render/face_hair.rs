//! The pass of brows and lashes: a few hundred ribbons that go with the head.

use super::{
    LookParams, RenderError,
    gl::{Blend, Buffer, Format, Gl, Program, Shape, State, VertexArray},
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

pub(super) struct FaceHairPass {
    program: Program,
    displayed: Program,
    array: VertexArray,
    corners: Buffer,
    indices: Buffer,
    hairs: usize,
}

impl FaceHairPass {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let program = |name, define| {
            let shared = concat!(
                include_str!("../../shaders/frame.glsl"),
                include_str!("../../shaders/display.glsl"),
                include_str!("../../shaders/strand.glsl"),
                include_str!("../../shaders/occlusion_volume.glsl"),
                include_str!("../../shaders/fibre.glsl"),
            );
            let shaders = [
                include_str!("../../shaders/face_hair.vert"),
                include_str!("../../shaders/ribbon.frag"),
            ];
            Program::new(gl, name, &format!("{define}{shared}"), shaders)
        };
        let pass = Self {
            program: program("face hair", "")?,
            displayed: program("face hair (displayed)", DISPLAYED)?,
            array: VertexArray::new(gl)?,
            corners: Buffer::new(gl)?,
            indices: Buffer::new(gl)?,
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
        if hairs.is_empty() {
            return;
        }
        let corners: Vec<Corner> = (hairs.iter().enumerate())
            .flat_map(|(number, hair)| corners(number, hair))
            .collect();
        self.corners.set(bytemuck::cast_slice(&corners));
        self.indices
            .set(bytemuck::cast_slice(&indices(hairs.len())));
    }

    /// Draws as much of it as `look` asks for into the bound target; in a `swift` frame
    /// with display colours.
    pub fn draw(&self, gl: &Gl, look: &LookParams, swift: bool) {
        let share = match look.head {
            HeadFinish::Skin => look.brows.clamp(0.0, 1.0),
            HeadFinish::Mannequin => 0.0,
        };
        let drawn = (share * self.hairs as f32).round() as usize;
        if drawn == 0 {
            return;
        }
        gl.set_state(State {
            depth_write: false,
            blend: Blend::Over,
            ..State::SOLID
        });
        match swift {
            true => self.displayed.bind(),
            false => self.program.bind(),
        }
        self.array.draw_indexed(Shape::Triangles, INDICES * drawn);
    }
}

/// Two corners for each point of a hair.
fn corners(number: usize, hair: &FaceHair) -> impl Iterator<Item = Corner> {
    let last = FACE_HAIR_POINTS - 1;
    (0..FACE_HAIR_POINTS).flat_map(move |k| {
        let [before, after] = [k.saturating_sub(1), (k + 1).min(last)].map(|k| hair.points[k]);
        let to_root = (before - after).normalize_or(Vec3::NEG_Z);
        [-1.0, 1.0].map(|side| Corner {
            place: hair.points[k].extend(k as f32 / last as f32).to_array(),
            heading: to_root.extend(side).to_array(),
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
        let corners: Vec<Corner> = (0..2).flat_map(|number| corners(number, &hair)).collect();
        let indices = indices(2);
        assert_eq!(corners.len(), 4 * FACE_HAIR_POINTS);
        assert_eq!(indices.len(), 2 * INDICES);
        for (k, triangle) in indices.chunks_exact(3).enumerate() {
            let of = |i: &u32| corners[*i as usize].kind[2];
            assert!(triangle.iter().all(|i| of(i) == (3 * k / INDICES) as f32));
        }
        for corner in &corners {
            assert_eq!(corner.heading[..3], [0.0, -1.0, 0.0]);
        }
    }
}
