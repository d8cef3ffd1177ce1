//! The head pass: the mesh with its pictures, lit; darker where hair grows.

use super::{
    HeadParts, RenderError,
    every_third::{EveryThird, Third},
    frame::FrameBlock,
    gl::{Buffer, Format, Gl, Program, Shape, State, Texture, TextureFormat, VertexArray, units},
    head_geometry::{Corner, HeadGeometry},
};
use crate::{math::Pose, mesh::Image};
use glam::Vec3;
use std::{ops::Range, sync::Arc};

/// Corners of a head that looks well when light is known at them alone.
const FINE: usize = 3000;

/// How head, brows and lashes are lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HeadShading {
    /// Skin at each pixel, in linear light.
    Pixels,
    /// At the vertices, in colours of a display: in swift frames.
    Vertices,
    /// The same, from colours that were made before: where the processor draws.
    Kept,
}

/// Where a head is, and which of its shapes it has: what was drawn of it shows another
/// one no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeadStance {
    /// Where it is.
    pub pose: Pose,
    /// How often it had been deformed.
    shape: u64,
}

/// Bytes of the colour of a vertex.
const LIT: usize = 16;

/// Triangles that are drawn with the same pictures.
struct Part {
    indices: Range<usize>,
    colour: Option<Texture>,
    normal: Option<Texture>,
}

impl Part {
    /// Whether they have pictures.
    fn is_pictured(&self) -> bool {
        self.colour.is_some() || self.normal.is_some()
    }
}

pub(super) struct Head {
    gl: Gl,
    plain: Program,
    /// For triangles with pictures.
    pictured: Program,
    /// The same, lit at the vertices.
    swift_plain: Program,
    swift_pictured: Program,
    /// Draws colours that `shade` has made.
    lit_plain: Program,
    shade: Program,
    /// Colours of the vertices.
    lit: Buffer,
    /// What they were made for: what the shaders knew of the frame, wherever the head is.
    shaded: EveryThird<FrameBlock>,
    array: VertexArray,
    corners: Buffer,
    sky: Buffer,
    rooted: Buffer,
    /// What is painted there, and how much that shows.
    tints: Buffer,
    tinted: bool,
    indices: Buffer,
    index_count: usize,
    parts: Vec<Part>,
    /// What stands for a picture where there is none: white, and flat.
    white: Texture,
    flat: Texture,
    /// What was worked out of the mesh; none before the first.
    made: Option<Arc<HeadParts>>,
    /// The places of the mesh's vertices where it is deformed; else empty. `[m]`
    shape: Vec<Vec3>,
    /// How often that has changed.
    shapes: u64,
    /// Where its base is, in its own space.
    base: Pose,
}

impl Head {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let at_pixels = include_str!("../../shaders/head.frag");
        let at_vertices = include_str!("../../shaders/lit.frag");
        let shared = concat!(
            include_str!("../../shaders/frame.glsl"),
            include_str!("../../shaders/noise.glsl"),
            include_str!("../../shaders/display.glsl"),
            include_str!("../../shaders/occlusion_volume.glsl"),
            include_str!("../../shaders/skin.glsl"),
            include_str!("../../shaders/tint.glsl")
        );
        let surface = include_str!("../../shaders/head_surface.glsl");
        let program = |name, define, fragments| {
            let vertices = format!("{surface}{}", include_str!("../../shaders/head.vert"));
            let shared = format!("{define}{shared}");
            Program::new(gl, name, &shared, [&vertices, fragments])
        };
        let shade = format!("{surface}{}", include_str!("../../shaders/head_shade.vert"));
        let head = Self {
            gl: gl.clone(),
            plain: program("head", "", at_pixels)?,
            pictured: program("head (pictures)", "#define PICTURES\n", at_pixels)?,
            swift_plain: program("swift head", "#define AT_VERTICES\n", at_vertices)?,
            lit_plain: program(
                "lit head",
                "#define AT_VERTICES\n#define LIT\n",
                at_vertices,
            )?,
            swift_pictured: program(
                "swift head (pictures)",
                "#define AT_VERTICES\n#define PICTURES\n",
                at_vertices,
            )?,
            shade: Program::capturing(
                gl,
                "light of the head",
                &format!("#define AT_VERTICES\n{shared}"),
                &shade,
                &["shaded"],
            )?,
            lit: Buffer::new(gl)?,
            shaded: EveryThird::new(Third::Head),
            array: VertexArray::new(gl)?,
            corners: Buffer::new(gl)?,
            sky: Buffer::new(gl)?,
            rooted: Buffer::new(gl)?,
            tints: Buffer::new(gl)?,
            tinted: false,
            indices: Buffer::new(gl)?,
            index_count: 0,
            parts: Vec::new(),
            white: Texture::repeated(gl, TextureFormat::Colours, [1; 2], &[[255; 4]])?,
            flat: Texture::repeated(gl, TextureFormat::Numbers, [1; 2], &[[128, 128, 255, 255]])?,
            made: None,
            shape: Vec::new(),
            shapes: 0,
            base: Pose::IDENTITY,
        };
        let stride = size_of::<Corner>();
        for (index, floats, offset) in [(0, 3, 0), (1, 3, 12), (2, 4, 24), (5, 2, 40)] {
            head.array
                .attribute(index, &head.corners, Format::Floats(floats), stride, offset);
        }
        let scalar = Format::Floats(1);
        head.array.attribute(3, &head.sky, scalar, 4, 0);
        head.array.attribute(4, &head.rooted, scalar, 4, 0);
        let pair = Format::Floats(2);
        head.array.attribute(6, &head.tints, pair, 8, 0);
        head.array
            .attribute(7, &head.lit, Format::Floats(4), LIT, 0);
        head.array.indices(&head.indices);
        Ok(head)
    }

    /// Takes over another surface; hair grows nowhere until [`Head::set_painted`].
    pub fn take(&mut self, parts: &Arc<HeadParts>) {
        let made = &parts.made;
        self.corners.set(bytemuck::cast_slice(&made.corners));
        self.lit.reserve(LIT * made.corners.len());
        self.index_count = made.sorted.len();
        self.take_parts(made);
        self.sky.set(bytemuck::cast_slice(&made.sky));
        self.set_painted(&vec![0.0; made.corners.len()]);
        self.made = Some(parts.clone());
        self.shape.clear();
        self.base = Pose::IDENTITY;
        self.tint(&[]);
    }

    /// Paints colours over the skin: a value for each vertex of the mesh, and
    /// how much of its colour shows, 0..=1. None where their number is another.
    pub fn tint(&mut self, values: &[[f32; 2]]) {
        let Some(parts) = &self.made else {
            return;
        };
        let bones = &parts.made.bones;
        let known = !values.is_empty() && values.len() == bones.normals.len();
        // The shader reads them in any case.
        if known || values.is_empty() {
            let none = [0.0; 2];
            let of = |vertex: &u32| *values.get(*vertex as usize).unwrap_or(&none);
            let corners: Vec<[f32; 2]> = bones.vertices.iter().map(of).collect();
            self.tints.set(bytemuck::cast_slice(&corners));
            self.shaded.forget();
        }
        self.tinted = known;
    }

    /// Whether colours are painted over the skin.
    pub fn is_tinted(&self) -> bool {
        self.tinted
    }

    /// Brings the pictures of the materials to the graphics card.
    fn take_parts(&mut self, made: &HeadGeometry) {
        let picture = |picture: &Option<Arc<Image>>, texels| {
            let picture = picture.as_ref()?;
            let made_of_it = Texture::repeated(&self.gl, texels, picture.size, &picture.texels);
            made_of_it
                .inspect_err(|error| log::warn!("{}: {error}", made.name))
                .ok()
        };
        let parts = made.parts.iter().map(|part| Part {
            indices: part.indices.clone(),
            colour: picture(&part.colour, TextureFormat::Colours),
            normal: picture(&part.normal, TextureFormat::Numbers),
        });
        self.parts = parts.collect();
        self.indices.set(bytemuck::cast_slice(&made.sorted));
    }

    /// Puts the mesh's vertices there; where they were when there are none.
    /// Whether that is a change.
    pub fn deform(&mut self, positions: &[Vec3]) -> bool {
        let Some(parts) = &self.made else {
            return false;
        };
        let made = &parts.made;
        let known = positions.len() == made.bones.normals.len();
        let shape = if known { positions } else { &[] };
        if self.shape == shape {
            return false;
        }
        self.shape.clear();
        self.shape.extend_from_slice(shape);
        self.shapes += 1;
        let base = made.base.as_ref().filter(|_| known);
        self.base = base.map_or(Pose::IDENTITY, |base| base.pose(positions));
        match known {
            true => {
                let corners = made.bones.deform(&made.corners, positions);
                self.corners.stream(bytemuck::cast_slice(&corners));
            }
            false => self.corners.stream(bytemuck::cast_slice(&made.corners)),
        }
        true
    }

    /// The head as it stands at `pose` now.
    pub fn stance(&self, pose: Pose) -> HeadStance {
        HeadStance {
            pose,
            shape: self.shapes,
        }
    }

    /// Where its base is, in its own space: elsewhere than at rest where the torso
    /// does not turn with the head.
    pub fn base(&self) -> Pose {
        self.base
    }

    /// Whether parts of it have pictures.
    pub fn is_pictured(&self) -> bool {
        self.parts.iter().any(Part::is_pictured)
    }

    /// Paints the skin like hair, each corner so much, 0..=1.
    pub fn set_painted(&mut self, painted: &[f32]) {
        self.rooted.set(bytemuck::cast_slice(painted));
        self.shaded.forget();
    }

    /// Whether its vertices are so dense that light between them can be guessed,
    /// or so few that they cost nothing at all: none.
    pub fn is_fine(&self) -> bool {
        let corners = self.made.as_ref().map_or(0, |made| made.made.corners.len());
        corners == 0 || corners >= FINE
    }

    /// Lights the vertices of what has no pictures, for [`HeadShading::Kept`]; where they
    /// may be `late`, not in every frame. `frame` is what shaders know of it.
    pub fn shade(&mut self, frame: &FrameBlock, late: Option<Third>) {
        let corners = self.made.as_ref().map_or(0, |made| made.made.corners.len());
        let plain = self.parts.iter().any(|part| !part.is_pictured());
        if !plain || self.shaded.serves(frame.without_moving(), late) {
            return;
        }
        self.shade.bind();
        self.array.capture(corners, &self.lit);
    }

    /// Draws it into the bound target.
    pub fn draw(&self, gl: &Gl, shading: HeadShading) {
        for part in &self.parts {
            gl.set_state(State {
                // Through holes in a picture one sees the inside.
                one_sided: self.is_one_sided(gl) && part.colour.is_none(),
                ..State::SOLID
            });
            match (shading, part.is_pictured()) {
                (HeadShading::Pixels, false) => self.plain.bind(),
                (HeadShading::Pixels, true) => self.pictured.bind(),
                (HeadShading::Vertices, false) => self.swift_plain.bind(),
                (HeadShading::Kept, false) => self.lit_plain.bind(),
                (_, true) => self.swift_pictured.bind(),
            }
            part.colour
                .as_ref()
                .unwrap_or(&self.white)
                .bind(units::COLOUR_MAP);
            part.normal
                .as_ref()
                .unwrap_or(&self.flat)
                .bind(units::NORMAL_MAP);
            self.array
                .draw_range(Shape::Triangles, part.indices.clone());
        }
    }

    /// Whether triangles seen from behind may be left out: where the processor draws, each
    /// takes it time, and nobody sees the inside of a closed surface.
    pub fn is_one_sided(&self, gl: &Gl) -> bool {
        let closed = (self.made.as_ref()).is_some_and(|made| made.made.closed);
        closed && gl.is_software()
    }

    /// Draws its triangles with the bound program, which finds the positions
    /// at attribute 0.
    pub fn draw_triangles(&self) {
        if self.index_count > 0 {
            self.array.draw_indexed(Shape::Triangles, self.index_count);
        }
    }
}
