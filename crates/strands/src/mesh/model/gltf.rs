//! Heads in glTF 2.0, `.glb` and `.gltf`: triangles with the transforms of their nodes,
//! base colours and normal maps. Its unit is the metre, and y is up.

use super::{
    accessor,
    gltf_files::{buffers, named},
    gltf_skin::NodePlaces,
    parts::{Corners, Faces, ModelParts, RowsPer, group_name, refuse},
    pictures::Pictures,
};
use crate::mesh::{Image, Maps, Material, MeshError, Up, texture::decode};
use glam::{DMat4, Mat4, Vec2, Vec3};
use gltf::{
    Document, Gltf, Node, Primitive, Semantic, image::Source, material::AlphaMode, mesh::Mode,
};
use std::{borrow::Cow, collections::HashMap, path::Path, sync::Arc};

/// Nodes in nodes in nodes.
const DEEPEST: usize = 100;
/// Meshes may share vertices, but there are no more than so many bytes of them for each of
/// the file and its buffers.
const SHARED: usize = 64;
/// Extensions that pack geometry in a way that is not read.
const PACKED: [&str; 3] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Whether it is glTF: by its first letters, or as JSON by its name.
pub fn is(bytes: &[u8], path: &Path) -> bool {
    let named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
    bytes.starts_with(b"glTF") || named && bytes.trim_ascii_start().starts_with(b"{")
}

/// The meshes of the scene that a file shows.
pub fn read(bytes: &[u8], path: &Path, pictures: Pictures) -> Result<ModelParts, MeshError> {
    let damaged = |error: gltf::Error| {
        let text = error.to_string();
        let text = text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        refuse(
            path,
            format!("it is no sound glTF file ({text}); export it again"),
        )
    };
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(damaged)?;
    let mut root = document.into_json();
    let wanted = std::mem::take(&mut root.extensions_required);
    if let Some(packed) = wanted.iter().find(|name| PACKED.contains(&&name[..])) {
        return Err(refuse(
            path,
            format!(
                "its geometry is packed by {packed}, which is not read; export it without \
                     compression"
            ),
        ));
    }
    // The library's own check trusts these.
    let count = root.accessors.len();
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut named = primitives.flat_map(|primitive| primitive.attributes.values());
    if named.any(|index| index.value() >= count) {
        let why = "a mesh names numbers that are not there; export it again";
        return Err(refuse(path, why));
    }
    let document = Document::from_json(root).map_err(damaged)?;
    let buffers = buffers(&document, blob.as_deref(), path).map_err(|why| refuse(path, why))?;
    let length = buffers.iter().map(|buffer| buffer.len()).sum::<usize>() + bytes.len();
    let mut reader = Reader {
        path,
        room: length.saturating_mul(SHARED),
        buffers,
        out: ModelParts {
            metres_per_unit: Some(1.0),
            up: Some(Up::Y),
            ..ModelParts::default()
        },
        known: HashMap::new(),
        pictures,
        places: NodePlaces::of(&document),
        nodes: document.nodes().count().saturating_mul(16),
        skinned: false,
        other: 0,
    };
    let scene = document
        .default_scene()
        .or_else(|| document.scenes().next());
    let nodes: Vec<Node> = match &scene {
        Some(scene) => scene.nodes().collect(),
        None => document.nodes().collect(),
    };
    for node in nodes {
        reader
            .node(&node, DMat4::IDENTITY, &[], 0)
            .map_err(|why| refuse(path, why))?;
    }
    let Reader {
        mut out,
        skinned,
        other,
        ..
    } = reader;
    if out.parts.is_empty() {
        return Err(refuse(
            path,
            match other {
                0 => "its scene shows no mesh; export the head's polygons",
                _ => "it has lines or points and no triangles; export the head's polygons",
            },
        ));
    }
    if skinned {
        let text = "it is bound to a skeleton; the pose that it was modelled in is taken";
        out.warnings.push(text.into());
    }
    Ok(out)
}

struct Reader<'a> {
    path: &'a Path,
    buffers: Vec<Cow<'a, [u8]>>,
    out: ModelParts,
    /// Number of each material that was asked for.
    known: HashMap<usize, u32>,
    pictures: Pictures,
    places: NodePlaces,
    /// How many more nodes there can be.
    nodes: usize,
    /// How many more bytes of geometry are taken.
    room: usize,
    skinned: bool,
    /// Primitives that are no triangles.
    other: usize,
}

impl Reader<'_> {
    fn node(
        &mut self,
        node: &Node,
        parent: DMat4,
        above: &[&str],
        depth: usize,
    ) -> Result<(), String> {
        self.nodes = self
            .nodes
            .checked_sub(1)
            .filter(|_| depth <= DEEPEST)
            .ok_or_else(|| {
                "its nodes contain one another or lie too deeply; export it again".to_string()
            })?;
        let own = Mat4::from_cols_array_2d(&node.transform().matrix());
        let placed = parent * own.as_dmat4();
        let name = node.name().into_iter();
        let names: Vec<&str> = name.chain(above.iter().copied()).collect();
        if let Some(mesh) = node.mesh() {
            // What is skinned stands where its skeleton does.
            let placed = match node.skin() {
                Some(skin) => {
                    self.skinned = true;
                    self.spend(skin.joints().count().saturating_mul(64))?;
                    self.places.bound(&skin, &self.buffers)?
                }
                None => placed,
            };
            let name = mesh.name().into_iter();
            let names: Vec<&str> = name.chain(names.iter().copied()).collect();
            for primitive in mesh.primitives() {
                self.primitive(&primitive, placed, &names)?;
            }
        }
        for child in node.children() {
            self.node(&child, placed, &names, depth + 1)?;
        }
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.room = self.room.checked_sub(bytes).ok_or_else(|| {
            "its meshes share one part too many times; export it again".to_string()
        })?;
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        placed: DMat4,
        names: &[&str],
    ) -> Result<(), String> {
        let joined = match primitive.mode() {
            Mode::Triangles => Joined::List,
            Mode::TriangleStrip => Joined::Strip,
            Mode::TriangleFan => Joined::Fan,
            _ => {
                self.other += 1;
                return Ok(());
            }
        };
        let Some(positions) = primitive.get(&Semantic::Positions) else {
            return Ok(());
        };
        self.spend(positions.count().saturating_mul(16))?;
        let all = accessor::floats(&positions, &self.buffers, 3)?;
        let all: Vec<Vec3> = all.chunks_exact(3).map(Vec3::from_slice).collect();
        let indices = match primitive.indices() {
            Some(indices) => {
                self.spend(indices.count().saturating_mul(4))?;
                accessor::indices(&indices, &self.buffers)?
            }
            None => (0..all.len() as u32).collect(),
        };
        self.spend(indices.len().saturating_mul(48))?;
        // Several primitives may share their vertices, each using a few.
        let mut place = vec![u32::MAX; all.len()];
        let (mut points, mut used) = (Vec::new(), Vec::new());
        let mut corners = Vec::with_capacity(indices.len());
        for index in joined.triangles(&indices) {
            let Some(slot) = place.get_mut(index as usize) else {
                // Left out with the face, by its number.
                corners.push(u32::MAX);
                continue;
            };
            if *slot == u32::MAX {
                *slot = points.len() as u32;
                points.push(all[index as usize]);
                used.push(index);
            }
            corners.push(*slot);
        }
        let mut rows = |semantic: Semantic, width: usize| -> Result<Vec<f32>, String> {
            let Some(found) = primitive
                .get(&semantic)
                .filter(|found| found.count() == all.len())
            else {
                return Ok(Vec::new());
            };
            self.room = self.room.saturating_sub(4 * width * found.count());
            let rows = accessor::floats(&found, &self.buffers, width)?;
            let row = |i: &u32| rows[*i as usize * width..(*i as usize + 1) * width].to_vec();
            Ok(used.iter().flat_map(row).collect())
        };
        let normals = rows(Semantic::Normals, 3)?;
        let normals = normals.chunks_exact(3).map(Vec3::from_slice).collect();
        let base = primitive.material().pbr_metallic_roughness();
        let set = base
            .base_color_texture()
            .map_or(0, |texture| texture.tex_coord());
        // There v runs downwards.
        let uvs = rows(Semantic::TexCoords(set), 2)?;
        let uvs = uvs.chunks_exact(2).map(|uv| Vec2::new(uv[0], 1.0 - uv[1]));
        let uvs = uvs.collect();
        let material = self.material(primitive);
        let faces = Faces {
            uvs: Corners::spread(uvs, None, RowsPer::Vertex, &corners, points.len()),
            normals: Corners::spread(normals, None, RowsPer::Vertex, &corners, points.len()),
            points,
            arities: vec![3; corners.len() / 3],
            corners,
            clockwise: false,
        };
        let named = material.map(|number| self.out.materials[number as usize].name.clone());
        let mut names = names.to_vec();
        names.extend(named.as_deref());
        let part = faces.place(placed, group_name(&names), material);
        self.out.parts.push(part);
        Ok(())
    }

    fn material(&mut self, primitive: &Primitive) -> Option<u32> {
        let source = primitive.material();
        let index = source.index()?;
        if let Some(known) = self.known.get(&index) {
            return Some(*known);
        }
        let base = source.pbr_metallic_roughness();
        let colour = base.base_color_texture().map(|info| info.texture());
        let normal = source.normal_texture().map(|info| info.texture());
        let [r, g, b, opacity] = base.base_color_factor();
        let blended = source.alpha_mode() == AlphaMode::Blend && opacity.is_finite();
        let material = Material {
            name: source.name().unwrap_or_default().into(),
            diffuse: [r, g, b].map(|c| match c.is_finite() {
                true => c.clamp(0.0, 1.0),
                false => 0.0,
            }),
            maps: Maps {
                colour: colour.and_then(|texture| self.picture(&texture)),
                normal: normal.and_then(|texture| self.picture(&texture)),
            },
            clear: match blended {
                true => 1.0 - opacity.clamp(0.0, 1.0),
                false => 0.0,
            },
        };
        self.out.materials.push(material);
        let number = self.out.materials.len() as u32 - 1;
        self.known.insert(index, number);
        Some(number)
    }

    fn picture(&mut self, texture: &gltf::Texture) -> Option<Arc<Image>> {
        let Some(image) = texture.source() else {
            self.out.warnings.push(format!(
                "texture {} is in a format that an extension adds; its colours are missing; \
                 export it as PNG or JPEG",
                texture.index()
            ));
            return None;
        };
        let name = match (image.name(), image.source()) {
            (Some(name), _) => name.into(),
            (None, Source::Uri { uri, .. }) if !uri.starts_with("data:") => uri.to_string(),
            _ => format!("number {}", image.index()),
        };
        let (buffers, path) = (&self.buffers, self.path);
        self.pictures
            .take(&name, &mut self.out.warnings, || match image.source() {
                Source::View { view, .. } => {
                    let end = view.offset().saturating_add(view.length());
                    let buffer = buffers.get(view.buffer().index());
                    let bytes = buffer.and_then(|buffer| buffer.get(view.offset()..end));
                    decode(bytes.ok_or("it lies beyond the end of a buffer")?, "")
                }
                Source::Uri { uri, .. } => decode(&named(uri, path)?, uri),
            })
    }
}

/// How indices make triangles.
#[derive(Clone, Copy)]
enum Joined {
    List,
    Strip,
    Fan,
}

impl Joined {
    fn triangles(self, indices: &[u32]) -> impl Iterator<Item = u32> {
        let count = match self {
            Self::List => indices.len() / 3,
            _ => indices.len().saturating_sub(2),
        };
        (0..count).flat_map(move |i| match self {
            Self::List => [3 * i, 3 * i + 1, 3 * i + 2].map(|i| indices[i]),
            // Every other one runs the other way.
            Self::Strip => [i, i + 1 + i % 2, i + 2 - i % 2].map(|i| indices[i]),
            Self::Fan => [0, i + 1, i + 2].map(|i| indices[i]),
        })
    }
}
