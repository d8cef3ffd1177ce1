//! The head: a validated triangle mesh in metres, y up, and what is asked of
//! it: nearest point, ray, signed distance, and where hair may grow.

mod body;
pub mod cache;
mod check;
pub mod distance;
mod edges;
mod error;
mod features;
pub mod growth;
mod hairline;
mod inside;
pub mod load;
mod map;
mod measure;
mod normals;
pub mod obj;
mod orient;
pub mod paint;
mod parting;
mod placing;
pub mod poisson;
mod polygon;
pub mod scalp;
pub mod scatter;
pub mod sequence;
pub mod solid;
mod spread;
pub mod surface;
pub mod texture;
mod tree;
mod weld;
mod words;

pub use body::Body;
pub use distance::DistanceGrid;
pub use error::MeshError;
pub use growth::Growth;
pub use load::{HeadReport, LoadedHead, load};
pub use measure::{Measure, ModelKind};
pub use parting::Parting;
pub use placing::{Placing, Righting};
pub use scatter::{Places, roots};
pub use sequence::{MeshSequence, SequenceError};
pub use surface::{Hit, Nearest, Surface};
pub use texture::{Image, Maps};

use crate::{choice, param, param::Kind, params};
use glam::{Vec2, Vec3};
use std::ops::Range;

choice! {
    /// The length unit of a model file.
    pub enum Units {
        /// The unit that makes the head in the model as large as a head.
        Auto = "auto",
        /// Metres.
        Metres = "m",
        /// Decimetres.
        Decimetres = "dm",
        /// Centimetres.
        Centimetres = "cm",
        /// Millimetres.
        Millimetres = "mm",
    }
}

choice! {
    /// The axis that points up in a model file.
    pub enum Up {
        /// Judged from the shape.
        Auto = "auto",
        /// y is up.
        Y = "y",
        /// z is up.
        Z = "z",
        /// x is up, and the face towards y.
        X = "x",
    }
}

impl Units {
    /// Its length; that of a metre for auto. `[m]`
    pub fn metres(self) -> f32 {
        placing::metres(self)
    }
}

impl Up {
    /// A point of a file with this axis up, with y up.
    pub fn upright(self, p: Vec3) -> Vec3 {
        match self {
            Self::Auto | Self::Y => p,
            Self::Z => Vec3::new(p.x, p.z, -p.y),
            Self::X => Vec3::new(p.z, p.x, p.y),
        }
    }
}

choice! {
    /// How root positions are drawn.
    pub enum Sequence {
        /// The next as far from all before as can be (Poisson disks): no two stand close together.
        Poisson = "poisson",
        /// A seeded Halton sequence: even, and drawn at once.
        Halton = "halton",
        /// A plain random generator.
        Random = "random",
    }
}

params! {
    /// Which head, and how its file is read.
    pub struct HeadParams: "head" {
        /// The head as an OBJ file; empty for the built-in bust.
        file: String = "", Kind::Text, "", "File";
        /// Length unit of the file; auto picks the one that makes the model head-sized.
        units: Units = Units::Auto, Kind::Choice(Units::NAMES), "", "Units";
        /// The file's upward axis; auto judges from the shape.
        up: Up = Up::Auto, Kind::Choice(Up::NAMES), "", "Up axis";
        /// The head, stood upright, is turned about the vertical by so much, anticlockwise as seen from above: until its face looks to the front.
        turn: f32 = 0.0, param::float(-180.0, 180.0), "°", "Turn";
        /// Turns the head over, for a file in which it stands upside down; the face stays in front.
        flip: bool = false, Kind::Bool, "", "Upside down";
        /// Size of the head, for a file in another unit than these, or to taste.
        scale: f32 = 1.0, param::log_float(0.01, 100.0), "", "Scale";
    }
}

params! {
    /// Where strands are rooted.
    pub struct RootParams: "roots" {
        /// Number of strands to plant; fewer where a map or the brush thins them out.
        strands: u32 = 2500u32, param::log_int(1, 200_000), "", "Strands";
        /// A face carries hair when its normal leans at most this far from straight up; beyond 90 hair grows below the widest part of the skull too. A named group "scalp" is used whole instead.
        limit_angle: f32 = 90.0, param::float(1.0, 180.0), "°", "Limit angle";
        /// Without a scalp group, hair grows at most this far below the crown, in heights of the head from crown to chin.
        reach: f32 = 0.538, param::float(0.02, 4.0), "", "Reach below crown";
        /// How far the hairline is tilted back: higher on the forehead, lower at the nape.
        tilt: f32 = 40.0, param::float(-45.0, 60.0), "°", "Hairline tilt";
        /// Plant on the group "scalp" where the mesh names one.
        use_scalp: bool = true, Kind::Bool, "", "Use scalp group";
        /// How positions are drawn: Poisson disks that keep their distance, an even Halton sequence, or plain random numbers.
        sequence: Sequence = Sequence::Poisson, Kind::Choice(Sequence::NAMES), "", "Sequence";
        /// The line on the scalp from which hair falls to both sides: points x y z in thousandths of the head's height, from over the middle of the skull; empty parts it in the middle.
        parting: String = "", Kind::Text, "", "Parting";
        /// The strands between thin out over so much of the scalp's rim, to a third at its edge; 0 lets them end there at once.
        hairline: f32 = 0.008, param::float(0.0, 0.05), "m", "Soft hairline";
        /// Grey picture over the head's texture coordinates: no hair where it is black, all of it where it is white.
        density_map: String = "", Kind::Text, "", "Density map";
        /// Grey picture: hair is as long as set where it is white, a stubble where it is black.
        length_map: String = "", Kind::Text, "", "Length map";
        /// Grey picture: curls are as wide as set where it is white, straight where it is black.
        curl_map: String = "", Kind::Text, "", "Curl map";
        /// Grey picture: hair is as stiff as its method says where it is white, limp where it is black.
        stiffness_map: String = "", Kind::Text, "", "Stiffness map";
        /// Coloured picture: hair has the colour that is under its root, in place of the look's.
        colour_map: String = "", Kind::Text, "", "Colour map";
        /// What the brush has thinned out and planted back: dabs, each x y z radius in millimetres, hardness, strength.
        painted: String = "", Kind::Text, "", "Painted";
        /// What the brush has shortened and grown back, written in the same way.
        painted_length: String = "", Kind::Text, "", "Painted length";
        /// What the brush has straightened and curled again, written in the same way.
        painted_curl: String = "", Kind::Text, "", "Painted curl";
        /// What the brush has made limp and stiff again, written in the same way.
        painted_stiffness: String = "", Kind::Text, "", "Painted stiffness";
        /// Another seed, another head of hair.
        seed: u32 = 1u32, param::int(0, 999_999), "", "Seed";
    }
}

/// A named range of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The name in the file.
    pub name: String,
    /// Its triangles; groups do not overlap.
    pub triangles: Range<usize>,
}

impl Group {
    /// Whether one of the words in its name is "scalp".
    pub fn is_scalp(&self) -> bool {
        self.name
            .split(|c: char| !c.is_alphabetic())
            .any(|word| word.eq_ignore_ascii_case("scalp"))
    }
}

/// A surface colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The name in the file.
    pub name: String,
    /// Diffuse reflectance, linear RGB, 0..=1.
    pub diffuse: [f32; 3],
    /// What is laid over the surface; a colour there is tinted by `diffuse`.
    pub maps: Maps,
}

/// A validated triangle mesh: every index in range, every number finite, every
/// triangle with an area, at least one triangle.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file it came from, for messages.
    pub name: String,
    /// Vertex positions; a vertex shared by faces is one entry. `[m]`
    pub positions: Vec<Vec3>,
    /// Indices into `positions`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals of each triangle's corners (from the file, else angle-weighted).
    pub normals: Vec<[Vec3; 3]>,
    /// Texture coordinates of each triangle's corners; empty without any.
    pub uvs: Vec<[Vec2; 3]>,
    /// Named parts, in file order; may be empty.
    pub groups: Vec<Group>,
    /// Materials; may be empty.
    pub materials: Vec<Material>,
    /// Index into `materials` for each triangle; empty without materials.
    pub triangle_material: Vec<u32>,
}

impl Mesh {
    /// The corners of triangle `index`. `[m]`
    pub fn corners(&self, index: usize) -> [Vec3; 3] {
        self.triangles[index].map(|v| self.positions[v as usize])
    }

    /// The normal of triangle `index` times twice its area. `[m²]`
    pub fn area_normal(&self, index: usize) -> Vec3 {
        let [a, b, c] = self.corners(index);
        (b - a).cross(c - a)
    }

    /// Removes vertices that no triangle uses.
    pub(crate) fn drop_unused_vertices(&mut self) {
        let mut place = vec![u32::MAX; self.positions.len()];
        for v in self.triangles.as_flattened() {
            place[*v as usize] = 0;
        }
        let mut next = 0;
        for (old, new) in place.iter_mut().enumerate() {
            if *new == 0 {
                *new = next;
                self.positions[next as usize] = self.positions[old];
                next += 1;
            }
        }
        self.positions.truncate(next as usize);
        for v in self.triangles.as_flattened_mut() {
            *v = place[*v as usize];
        }
    }

    /// Smallest and largest coordinates. `[m]`
    pub fn bounds(&self) -> [Vec3; 2] {
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        self.positions
            .iter()
            .fold(start, |[min, max], p| [min.min(*p), max.max(*p)])
    }
}

/// Where one strand grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The triangle it grows on.
    pub triangle: u32,
    /// Barycentric coordinates (u, v): the point is `a + u (b - a) + v (c - a)`.
    pub uv: [f32; 2],
    /// The point itself, in the head's space. `[m]`
    pub position: Vec3,
    /// Unit normal interpolated from the corners.
    pub normal: Vec3,
    /// Its number among all that were drawn, of which some may be thinned out:
    /// what chance gives a strand goes by it.
    pub number: u64,
    /// Share of its length that a strand has here, 0..=1.
    pub length: f32,
    /// Share of its curl that a strand has here, 0..=1.
    pub curl: f32,
    /// Share of its method's stiffness that a strand has here, 0..=1.
    pub stiffness: f32,
    /// Colour of a strand here, linear RGB; none where no map says.
    pub colour: Option<[f32; 3]>,
}
