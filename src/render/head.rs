//! The head pass: the mesh with its pictures, lit; darker where hair grows.

use super::{
    HeadParts, RenderError, ambient,
    gl::{Buffer, Format, Gl, Program, Shape, State, Texture, TextureFormat, VertexArray},
    scalp,
};
use crate::mesh::{Image, Mesh};
use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Corners of a head that looks well when light is known at them alone.
const FINE: usize = 3000;

/// A corner as the shader reads it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Corner {
    position: Vec3,
    normal: Vec3,
    /// Linear colour; the fourth is 1 where the mesh brings one, 0 for skin.
    diffuse: [f32; 4],
    /// Place in the material's pictures: v upwards.
    uv: Vec2,
}

/// Triangles that are drawn with the same pictures.
struct Part {
    indices: Range<usize>,
    colour: Option<Texture>,
    normal: Option<Texture>,
}

pub(super) struct Head {
    gl: Gl,
    plain: Program,
    /// For triangles with pictures.
    pictured: Program,
    /// The same, lit at the vertices.
    swift_plain: Program,
    swift_pictured: Program,
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
    deformed: bool,
}

/// What is worked out of a mesh before it can be drawn.
pub(super) struct HeadGeometry {
    name: String,
    /// The corners at rest.
    corners: Vec<Corner>,
    /// Three corners for each triangle, in the order of `parts`.
    sorted: Vec<u32>,
    parts: Vec<Pictured>,
    positions: Vec<Vec3>,
    /// Which corners belong to the scalp group; empty without one.
    scalp: Vec<bool>,
    /// How much of the sky each corner sees.
    sky: Vec<f32>,
    bones: Bones,
}

/// Triangles of one material, and its pictures.
struct Pictured {
    indices: Range<usize>,
    colour: Option<Arc<Image>>,
    normal: Option<Arc<Image>>,
}

impl HeadGeometry {
    /// Works it out.
    pub fn new(mesh: &Mesh) -> Self {
        let (corners, indices) = corners(mesh);
        let facing: Vec<_> = corners.iter().map(|c| (c.position, c.normal)).collect();
        let mut sorted = Vec::with_capacity(indices.len());
        let mut pictured = Vec::new();
        for (material, triangles) in parts(mesh) {
            let start = sorted.len();
            for triangle in triangles {
                sorted.extend_from_slice(&indices[3 * triangle..3 * triangle + 3]);
            }
            let maps = material
                .and_then(|m| mesh.materials.get(m))
                .map(|m| &m.maps);
            pictured.push(Pictured {
                indices: start..sorted.len(),
                colour: maps.and_then(|m| m.colour.clone()),
                normal: maps.and_then(|m| m.normal.clone()),
            });
        }
        Self {
            name: mesh.name.clone(),
            positions: corners.iter().map(|corner| corner.position).collect(),
            scalp: scalp_corners(mesh, &indices, corners.len()),
            sky: ambient::visibility(&facing, &indices),
            bones: Bones::new(mesh, &indices, corners.len()),
            parts: pictured,
            sorted,
            corners,
        }
    }

    /// How much each corner is painted like hair around these roots. `[m]`, head's space
    pub fn painted(&self, roots: &[Vec3]) -> Vec<f32> {
        scalp::paint(&self.positions, &self.scalp, roots)
    }
}

impl Head {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let at_pixels = include_str!("../../shaders/head.frag");
        let at_vertices = include_str!("../../shaders/lit.frag");
        let program = |name, define, fragments| {
            let shared = concat!(
                include_str!("../../shaders/frame.glsl"),
                include_str!("../../shaders/noise.glsl"),
                include_str!("../../shaders/display.glsl"),
                include_str!("../../shaders/skin.glsl"),
                include_str!("../../shaders/tint.glsl")
            );
            let shaders = [include_str!("../../shaders/head.vert"), fragments];
            let samplers = [
                ("hair_only", 0),
                ("key_sees", 1),
                ("colour_map", 2),
                ("normal_map", 3),
            ];
            Program::new(gl, name, &format!("{define}{shared}"), shaders, &samplers)
        };
        let head = Self {
            gl: gl.clone(),
            plain: program("head", "", at_pixels)?,
            pictured: program("head (pictures)", "#define PICTURES\n", at_pixels)?,
            swift_plain: program("swift head", "#define AT_VERTICES\n", at_vertices)?,
            swift_pictured: program(
                "swift head (pictures)",
                "#define AT_VERTICES\n#define PICTURES\n",
                at_vertices,
            )?,
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
            deformed: false,
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
        head.array.indices(&head.indices);
        Ok(head)
    }

    /// Takes over another surface; hair grows nowhere until [`Head::set_painted`].
    pub fn take(&mut self, parts: &Arc<HeadParts>) {
        let made = &parts.made;
        self.corners.set(bytemuck::cast_slice(&made.corners));
        self.index_count = made.sorted.len();
        self.take_parts(made);
        self.sky.set(bytemuck::cast_slice(&made.sky));
        self.set_painted(&vec![0.0; made.corners.len()]);
        self.made = Some(parts.clone());
        self.deformed = false;
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
        if positions.len() != made.bones.normals.len() {
            let was = std::mem::take(&mut self.deformed);
            if was {
                self.corners.stream(bytemuck::cast_slice(&made.corners));
            }
            return was;
        }
        let corners = made.bones.deform(&made.corners, positions);
        self.corners.stream(bytemuck::cast_slice(&corners));
        self.deformed = true;
        true
    }

    /// Paints the skin like hair, each corner so much, 0..=1.
    pub fn set_painted(&mut self, painted: &[f32]) {
        self.rooted.set(bytemuck::cast_slice(painted));
    }

    /// Whether its vertices are so dense that light between them can be guessed,
    /// or so few that they cost nothing at all: none.
    pub fn is_fine(&self) -> bool {
        let corners = self.made.as_ref().map_or(0, |made| made.made.corners.len());
        corners == 0 || corners >= FINE
    }

    /// Draws it into the bound target; in a `swift` frame lit at its vertices,
    /// with display colours.
    pub fn draw(&self, gl: &Gl, swift: bool) {
        gl.set_state(State {
            // Strands that lie on the skin win.
            depth_bias: 1.0,
            ..State::SOLID
        });
        for part in &self.parts {
            match (swift, part.colour.is_some() || part.normal.is_some()) {
                (false, false) => self.plain.bind(),
                (false, true) => self.pictured.bind(),
                (true, false) => self.swift_plain.bind(),
                (true, true) => self.swift_pictured.bind(),
            }
            part.colour.as_ref().unwrap_or(&self.white).bind(2);
            part.normal.as_ref().unwrap_or(&self.flat).bind(3);
            self.array
                .draw_range(Shape::Triangles, part.indices.clone());
        }
    }

    /// Draws its triangles with the bound program, which finds the positions
    /// at attribute 0.
    pub fn draw_triangles(&self) {
        if self.index_count > 0 {
            self.array.draw_indexed(Shape::Triangles, self.index_count);
        }
    }
}

/// What it takes to move corners with the vertices of a mesh.
#[derive(Default)]
struct Bones {
    triangles: Vec<[u32; 3]>,
    /// The vertex of each corner.
    vertices: Vec<u32>,
    /// The normal of each vertex at rest.
    normals: Vec<Vec3>,
}

impl Bones {
    fn new(mesh: &Mesh, indices: &[u32], count: usize) -> Self {
        let mut vertices = vec![0; count];
        for (corner, vertex) in indices.iter().zip(mesh.triangles.as_flattened()) {
            vertices[*corner as usize] = *vertex;
        }
        Self {
            normals: normals(&mesh.triangles, &mesh.positions),
            triangles: mesh.triangles.clone(),
            vertices,
        }
    }

    /// The corners when the vertices are there: a normal turns as that of the
    /// surface around its vertex does, so creases and smooth parts stay so.
    fn deform(&self, rest: &[Corner], positions: &[Vec3]) -> Vec<Corner> {
        let now = normals(&self.triangles, positions);
        let corner = |(corner, vertex): (&Corner, &u32)| {
            let v = *vertex as usize;
            let turn = Quat::from_rotation_arc(self.normals[v], now[v]);
            Corner {
                position: positions[v],
                normal: turn * corner.normal,
                diffuse: corner.diffuse,
                uv: corner.uv,
            }
        };
        rest.par_iter()
            .zip(&self.vertices)
            .with_min_len(1 << 12)
            .map(corner)
            .collect()
    }
}

/// The unit normal of each vertex, by the area of the triangles around it.
fn normals(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let normal = (b - a).cross(c - a);
        for v in triangle {
            normals[*v as usize] += normal;
        }
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}

/// The triangles of each material that has pictures, and of all others.
fn parts(mesh: &Mesh) -> Vec<(Option<usize>, Vec<usize>)> {
    let mut parts: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for triangle in 0..mesh.triangles.len() {
        let material = mesh.triangle_material.get(triangle).map(|m| *m as usize);
        let material = material.filter(|m| {
            let maps = mesh.materials.get(*m).map(|material| &material.maps);
            maps.is_some_and(|maps| maps.colour.is_some() || maps.normal.is_some())
        });
        match parts.iter_mut().find(|(other, _)| *other == material) {
            Some((_, triangles)) => triangles.push(triangle),
            None => parts.push((material, vec![triangle])),
        }
    }
    parts
}

/// A white that a lit surface can have in this set without burning out; colours
/// of files, in which paper is 1, are brought down to it.
const WHITE: f32 = 0.5;

/// The colour of each material, as the shader wants it: the fourth is 1 for a
/// colour, 0 for skin. A light grey counts as skin: exporters write one where
/// nobody chose a colour.
fn diffuse(mesh: &Mesh) -> Vec<[f32; 4]> {
    let colours = mesh.materials.iter().map(|material| {
        let [r, g, b] = material.diffuse;
        let (least, most) = (r.min(g).min(b), r.max(g).max(b));
        let chosen = most - least > 0.02 || most < 0.4 || material.maps.colour.is_some();
        [r * WHITE, g * WHITE, b * WHITE, f32::from(chosen)]
    });
    colours.collect()
}

/// The mesh's corners without repetition, and three indices for each triangle.
fn corners(mesh: &Mesh) -> (Vec<Corner>, Vec<u32>) {
    let diffuse = diffuse(mesh);
    // Seams part corners; where there is no picture nobody would see why.
    let textured = parts(mesh).iter().any(|(material, _)| material.is_some());
    let mut seen = HashMap::new();
    let mut corners: Vec<Corner> = Vec::with_capacity(mesh.positions.len());
    let mut indices = Vec::with_capacity(mesh.triangles.len() * 3);
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        let material = mesh.triangle_material.get(index).copied();
        for (corner, vertex) in triangle.iter().enumerate() {
            let normal = mesh.normals[index][corner];
            let uvs = mesh.uvs.get(index).filter(|_| textured);
            let uv = uvs.map_or(Vec2::ZERO, |uvs| uvs[corner]);
            let key = (
                *vertex,
                normal.to_array().map(f32::to_bits),
                uv.to_array().map(f32::to_bits),
                material,
            );
            indices.push(*seen.entry(key).or_insert_with(|| {
                let own = material.and_then(|m| diffuse.get(m as usize));
                corners.push(Corner {
                    position: mesh.positions[*vertex as usize],
                    normal,
                    diffuse: own.copied().unwrap_or([0.0; 4]),
                    uv,
                });
                corners.len() as u32 - 1
            }));
        }
    }
    (corners, indices)
}

/// Which of `count` corners belong to a triangle of the group "scalp"; nothing
/// where the mesh has no such group.
fn scalp_corners(mesh: &Mesh, indices: &[u32], count: usize) -> Vec<bool> {
    let Some(group) = mesh.groups.iter().find(|group| group.is_scalp()) else {
        return Vec::new();
    };
    let mut inside = vec![false; count];
    for index in indices
        .chunks_exact(3)
        .take(group.triangles.end)
        .skip(group.triangles.start)
    {
        for corner in index {
            inside[*corner as usize] = true;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Group, Material};

    /// Two triangles that share an edge; the second is the scalp.
    fn roof() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z],
            triangles: vec![[0, 2, 1], [1, 2, 3]],
            normals: vec![[Vec3::Y; 3]; 2],
            groups: vec![Group {
                name: "scalp".into(),
                triangles: 1..2,
            }],
            ..Mesh::default()
        }
    }

    #[test]
    fn corners_are_shared_unless_normal_or_material_differs() {
        let mut mesh = roof();
        let (shared, indices) = corners(&mesh);
        assert_eq!(
            (shared.len(), indices.as_slice()),
            (4, &[0, 1, 2, 2, 1, 3][..])
        );
        assert_eq!(scalp_corners(&mesh, &indices, 4), [false, true, true, true]);
        mesh.normals[1] = [Vec3::X; 3];
        assert_eq!(corners(&mesh).0.len(), 6);
        mesh.normals[1] = [Vec3::Y; 3];
        mesh.triangle_material = vec![0, 1];
        assert_eq!(corners(&mesh).0.len(), 6);
    }

    #[test]
    fn a_chosen_colour_is_kept_and_a_light_grey_is_skin() {
        let mut mesh = roof();
        for diffuse in [[0.8; 3], [0.1; 3], [0.9, 0.2, 0.2]] {
            mesh.materials.push(Material {
                diffuse,
                ..Material::default()
            });
        }
        let own: Vec<f32> = diffuse(&mesh).iter().map(|colour| colour[3]).collect();
        assert_eq!(own, [0.0, 1.0, 1.0]);
        mesh.triangle_material = vec![2, 7];
        let (corners, _) = corners(&mesh);
        assert!((corners[0].diffuse[0] - 0.9 * WHITE).abs() < 1e-6);
        assert_eq!(
            corners[5].diffuse, [0.0; 4],
            "a material that does not exist"
        );
    }
}
