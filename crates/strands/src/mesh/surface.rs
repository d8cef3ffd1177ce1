//! Nearest point and ray queries on the head's triangles.

use super::{Mesh, features::Features, tree::Tree};
use glam::Vec3;

/// The nearest point of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The triangle it lies on.
    pub triangle: u32,
    /// The point on the surface. `[m]`
    pub point: Vec3,
    /// Signed distance: negative below the skin. `[m]`
    pub distance: f32,
    /// Unit direction of growing distance: straight out of the skin, at an
    /// edge or a corner towards the asking point.
    pub normal: Vec3,
}

/// Where a ray meets the surface first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The triangle that is hit.
    pub triangle: u32,
    /// How far along the ray, in lengths of its direction.
    pub distance: f32,
    /// Outward unit normal of that triangle; against the direction where the
    /// ray enters the head, along it where it leaves.
    pub normal: Vec3,
}

/// A spatial index over the triangles of a mesh. Building it costs about a
/// microsecond a triangle; queries need no lock and do not allocate.
#[derive(Clone, Debug)]
pub struct Surface {
    tree: Tree,
    features: Features,
}

impl Surface {
    /// Indexes `mesh`, which must have at least one triangle.
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            tree: Tree::new(mesh),
            features: Features::new(mesh),
        }
    }

    /// Memory that it takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.features.bytes()
    }

    /// From now on the vertices of `mesh`, which was indexed, are at these
    /// places: the index is fitted to them, which is much quicker than a new
    /// one and nearly as good while the shape is much the same. `[m]`
    ///
    /// # Panics
    /// When there are not as many places as vertices.
    pub fn bend(&mut self, mesh: &Mesh, positions: &[Vec3]) {
        self.tree.bend(mesh, positions);
        self.features.bend(mesh, positions);
    }

    /// The point of the surface nearest to `p`, if any lies within
    /// `max_distance`; a small limit makes the search fast.
    ///
    /// The sign is that of the angle-weighted pseudonormal (Bærentzen & Aanæs
    /// 2005), which is right at edges and corners too. Beyond the rim of an
    /// open surface there is no inside: there the distance is positive.
    pub fn closest(&self, p: Vec3, max_distance: f32) -> Option<Nearest> {
        let found = self.tree.closest(p, max_distance)?;
        let away = p - found.point;
        let length = found.squared.sqrt();
        let (pseudonormal, rim) = self.features.normal(found.triangle, found.feature);
        let outside = rim || away.dot(pseudonormal) >= 0.0;
        let sign = if outside { 1.0 } else { -1.0 };
        // Next to the skin the direction to it drowns in rounding.
        let normal = if length > self.tree.grain() {
            away * (sign / length)
        } else {
            pseudonormal
        };
        Some(Nearest {
            triangle: found.triangle,
            point: found.point,
            distance: sign * length,
            normal,
        })
    }

    /// Distance to the surface, negative inside. `[m]`
    pub fn signed_distance(&self, p: Vec3) -> f32 {
        self.closest(p, f32::INFINITY)
            .map_or(f32::INFINITY, |nearest| nearest.distance)
    }

    /// The first triangle, seen from either side, on the way from `origin` to
    /// `origin + max * direction`. The direction need not be a unit vector, so
    /// `ray(a, b - a, 1.0)` asks about the segment from a to b.
    pub fn ray(&self, origin: Vec3, direction: Vec3, max: f32) -> Option<Hit> {
        let (triangle, distance) = self.tree.ray(origin, direction, max)?;
        Some(Hit {
            triangle,
            distance,
            normal: self.features.face(triangle),
        })
    }

    /// Outward unit normal of a triangle.
    pub fn face_normal(&self, triangle: u32) -> Vec3 {
        self.features.face(triangle)
    }

    /// Whether no edge is a rim: each is one of two triangles or more.
    pub fn is_closed(&self) -> bool {
        self.features.closed
    }
}
